// Routes in weighted regions, by any of the methods: from any place to any other, or to the nearest place that can be
// reached.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "planning/planners.h"
#include "planning/region_maps.h"

namespace throng::planning {

enum class RegionMethod : std::uint8_t { kGrid, kSteiner, kTrianglePruning, kEdgePruning, kVertexPruning, kRegions };

struct RegionSettings {
  RegionMethod method = RegionMethod::kRegions;
  double cell = 1;          ///< m, of the grid
  double epsilon = 0.1;     ///< of Steiner points
  bool everywhere = false;  ///< `regions` looks at the whole map: slow, for tests
};

/// `query.weights` by type of ground; none: all ground is alike. Its clearance, side and spread do not count.
void findRegionRoute(const corridors::CorridorMap& map, const RegionMap& made, const RegionSettings& settings,
                     const RouteQuery& query, Scratch& scratch, RouteAnswer& answer);

/// Of a planner in weighted regions, by its parameters in the order of its table; nothing for other planners.
std::optional<RegionSettings> regionSettings(std::string_view planner, std::span<const float> parameters);

}  // namespace throng::planning
