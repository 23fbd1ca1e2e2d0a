// The last system of a step: who has come to a goal goes on to the next, stays, turns back or leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "goals/goals.h"
#include "step/system.h"

namespace throng::goals {

/// Where profiles ask for it, a goal that others stand at is shared: whoever comes up to them is there too. And whoever
/// stays in an area walks on to a place of their own in it, so that nobody stops in the way of those behind.
class Arrive final : public step::System {
 public:
  Arrive(const Scene& scene, Goals& goals);
  std::string_view name() const override { return "arrive"; }
  May may() const override { return {.remove = true}; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext& context, std::uint32_t row) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  bool isThere(step::StepContext& context, std::uint32_t row) const;
  bool isHeldUpForLong(step::StepContext& context, std::uint32_t row, float tolerance) const;
  bool isHeldUp(const step::StepContext& context, std::uint32_t row, float tolerance) const;

  Goals& goals_;
  std::vector<std::uint8_t> shares_;        ///< by profile
  base::Column<float>* held_up_ = nullptr;  ///< s that others at the goal have been in somebody's way
  std::vector<std::uint8_t> there_;         ///< scratch, by row
  std::vector<AgentId> leaving_;            ///< scratch
  Goals::Saved loaded_;
};

/// Somebody leaves the world.
void leave(step::StepContext& context, Goals& goals, std::uint32_t row);

}  // namespace throng::goals
