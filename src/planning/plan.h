// The part of a step in which whoever needs a route gets one.
#pragma once

#include <vector>

#include "planning/planners.h"
#include "step/system.h"

namespace throng::planning {

class Congestion;

class PlanRoutes final : public step::System {
 public:
  /// Throws InputError for a profile with an unknown planner.
  PlanRoutes(const Scene& scene, Congestion& congestion);
  /// Does the planner of a profile need the corridor map? Of any?
  bool needsMap(std::uint16_t profile) const { return choices_[profile].planner->needs_map; }
  bool needsMap() const;

  std::string_view name() const override { return "plan"; }
  void run(step::StepContext& context) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  /// What a profile chose.
  struct Choice {
    const Planner* planner;
    std::vector<float> parameters;
    SlopeCost slope;
  };
  struct Saved {
    std::vector<AgentId> waiting;
    base::Column<Vec2> points;
    base::Column<std::uint16_t> layers;

    template <class Archive>
    void fields(Archive& f);
  };

  void planAll(step::StepContext& context, std::span<const AgentId> people);

  Congestion& congestion_;
  std::vector<Choice> choices_;  ///< by profile
  RegionMaps region_maps_;
  std::vector<corridors::Route> planned_;  ///< scratch: of a group of people
  std::vector<Outcome> outcomes_;
  std::vector<std::vector<std::uint32_t>> ways_;  ///< of those, where they are remembered
  Saved loaded_;
};

}  // namespace throng::planning
