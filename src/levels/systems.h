// The parts of a step that concern levels of simulation.
#pragma once

#include "levels/people.h"
#include "step/system.h"

namespace throng::levels {

/// Who is simulated how carefully, by who looks from where.
class AssignLevels final : public step::System {
 public:
  explicit AssignLevels(PeopleLevels& levels) : levels_(levels) {}
  std::string_view name() const override { return "levels"; }
  void attach(step::StepContext& context) override { levels_.attach(context); }
  void run(step::StepContext& context) override { levels_.assign(context); }
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  PeopleLevels& levels_;
  PeopleLevels::Saved loaded_;
};

/// Where those at low levels walk straight on to.
class DecideLow final : public step::System {
 public:
  explicit DecideLow(PeopleLevels& levels) : levels_(levels) {}
  std::string_view name() const override { return "low levels"; }
  void run(step::StepContext& context) override { levels_.decide(context); }

 private:
  PeopleLevels& levels_;
};

/// The next velocity of those who are simulated in full but avoid nobody.
class WalkStraight final : public step::System {
 public:
  explicit WalkStraight(const PeopleLevels& levels) : levels_(levels) {}
  std::string_view name() const override { return "straight on"; }
  void run(step::StepContext& context) override { levels_.walkStraight(context); }

 private:
  const PeopleLevels& levels_;
};

}  // namespace throng::levels
