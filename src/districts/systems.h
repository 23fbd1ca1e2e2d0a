// The parts of a step in which people come into districts of patches, walk in them and leave them.
#pragma once

#include "districts/districts.h"

namespace throng::districts {

/// Whoever is bound for a district lines up for an input, and goes in.
class Enter final : public step::System {
 public:
  explicit Enter(Districts& districts) : districts_(districts) {}
  std::string_view name() const override { return "enter"; }
  void attach(step::StepContext& context) override { districts_.attach(context); }
  void run(step::StepContext& context) override { districts_.enter(context); }
  void setsOut(step::StepContext& context, std::uint32_t row) override { districts_.setsOut(context, row); }
  void save(const step::StepContext&, base::ArchiveWriter& writer) const override {
    std::vector<std::uint32_t> bound = districts_.bound();
    writer.numbers(bound);
  }
  void load(base::ArchiveReader& reader, const step::Loading& loading) override {
    reader.numbers(loaded_);
    districts_.requireSound(loading, loaded_);
  }
  void accept(step::StepContext&) override { districts_.restore(std::move(loaded_)); }
  std::size_t memory() const override { return districts_.memory(); }

 private:
  Districts& districts_;
  std::vector<std::uint32_t> loaded_;
};

/// Whoever has come out of a district changes their velocity gently at first.
class Settle final : public step::System {
 public:
  explicit Settle(Districts& districts) : districts_(districts) {}
  std::string_view name() const override { return "settle"; }
  void run(step::StepContext& context) override { districts_.settle(context); }

 private:
  Districts& districts_;
};

/// Everybody who is on a walk is where the walk is now.
class Play final : public step::System {
 public:
  explicit Play(Districts& districts) : districts_(districts) {}
  std::string_view name() const override { return "play"; }
  May may() const override { return {.move = true}; }
  void run(step::StepContext& context) override { districts_.play(context); }

 private:
  Districts& districts_;
};

}  // namespace throng::districts
