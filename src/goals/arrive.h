// The last system of a step: who has come to a goal goes on to the next, stays, turns back or leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "goals/goals.h"
#include "step/system.h"

namespace throng::goals {

class Arrive final : public step::System {
 public:
  explicit Arrive(Goals& goals) : goals_(goals) {}
  std::string_view name() const override { return "arrive"; }
  May may() const override { return {.remove = true}; }
  void run(step::StepContext& context) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  Goals& goals_;
  std::vector<std::uint8_t> there_;  ///< scratch, by row
  std::vector<AgentId> leaving_;     ///< scratch
  Goals::Saved loaded_;
};

/// Somebody leaves the world.
void leave(step::StepContext& context, Goals& goals, std::uint32_t row);

}  // namespace throng::goals
