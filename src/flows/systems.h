// The parts of a step that concern flows.
#pragma once

#include <vector>

#include "flows/flows.h"
#include "step/system.h"

namespace throng::flows {

/// Which path: who has lost theirs finds the way again, and now and then it is estimated how long paths take.
class ChoosePaths final : public step::System {
 public:
  explicit ChoosePaths(Flows& flows) : flows_(flows) {}
  std::string_view name() const override { return "flows"; }
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext& context, std::uint32_t row) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  Flows& flows_;
  std::unique_ptr<Traffic> loaded_;
};

/// From gate to gate: preferred velocities of people on flows who are simulated in full.
class FollowGates final : public step::System {
 public:
  explicit FollowGates(const Flows& flows) : flows_(flows) {}
  std::string_view name() const override { return "gates"; }
  void run(step::StepContext& context) override;

 private:
  const Flows& flows_;
};

/// Who is at the end of their flow sets out for the other.
class TurnBack final : public step::System {
 public:
  explicit TurnBack(Flows& flows) : flows_(flows) {}
  std::string_view name() const override { return "turn"; }
  void run(step::StepContext& context) override;

 private:
  Flows& flows_;
  std::vector<std::uint8_t> there_;  ///< scratch, by row
};

}  // namespace throng::flows
