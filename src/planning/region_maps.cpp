#include "planning/region_maps.h"

#include <cmath>

#include "planning/region_search.h"

namespace throng::planning {

RegionMap::RegionMap(const corridors::CorridorMap& map, const ground::Regions* regions, double radius)
    : regions_(regions), mesh_(map, regions, radius * RegionMaps::kKept), few_(fewPoints(mesh_)) {}

const SteinerPoints& RegionMap::steiner(double epsilon) const {
  const std::lock_guard lock(making_);
  const auto known = steiner_.find(epsilon);
  return known != steiner_.end() ? known->second
                                 : steiner_.emplace(epsilon, SteinerPoints(mesh_, epsilon)).first->second;
}

const WeightGrid& RegionMap::grid(const corridors::CorridorMap& map, double cell) const {
  const std::lock_guard lock(making_);
  const auto known = grids_.find(cell);
  return known != grids_.end() ? known->second : grids_.emplace(cell, WeightGrid(map, mesh_, cell)).first->second;
}

std::shared_ptr<const RegionMap> RegionMaps::of(const corridors::CorridorMap& map, const ground::Regions* regions,
                                                double radius) {
  const std::lock_guard lock(making_);
  if (stamp_ != map.stamp()) maps_.clear(), stamp_ = map.stamp();
  auto& made = maps_[radius];
  if (!made) made = std::make_shared<const RegionMap>(map, regions, radius);
  return made;
}

double RegionMaps::rounded(double radius) { return std::ceil(radius / kClass - 1e-4) * kClass; }

}  // namespace throng::planning
