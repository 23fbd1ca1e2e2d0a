#include "planning/region_maps.h"

#include <cmath>

#include "planning/region_search.h"

namespace throng::planning {

RegionMap::RegionMap(const corridors::CorridorMap& map, const ground::Regions* regions, double radius,
                     std::span<const ground::Floor> hills, std::span<const ground::RegionType> never)
    : regions_(regions),
      mesh_(map, regions, radius * RegionMaps::kKept, hills, never),
      few_(fewPoints(mesh_)),
      blocks_(mesh_) {}

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
                                                double radius, std::span<const ground::Floor> hills,
                                                std::span<const float> weights) {
  std::vector<ground::RegionType> never;
  for (std::size_t t = 1; t < weights.size(); ++t)
    if (std::isinf(weights[t])) never.push_back(static_cast<ground::RegionType>(t));
  const std::lock_guard lock(making_);
  follow(map);
  auto& made = maps_[{radius, !hills.empty(), never}];
  if (!made) made = std::make_shared<const RegionMap>(map, regions, radius, hills, never);
  return made;
}

std::shared_ptr<const ChainClimbs> RegionMaps::climbs(const corridors::CorridorMap& map,
                                                      std::span<const ground::Floor> hills) {
  const std::lock_guard lock(making_);
  follow(map);
  if (!climbs_) climbs_ = std::make_shared<const ChainClimbs>(map, hills);
  return climbs_;
}

std::shared_ptr<const AxisGrounds> RegionMaps::axis(const corridors::CorridorMap& map, const ground::Regions& regions) {
  const std::lock_guard lock(making_);
  follow(map);
  if (!axis_) axis_ = std::make_shared<const AxisGrounds>(map, regions);
  return axis_;
}

void RegionMaps::follow(const corridors::CorridorMap& map) {
  if (stamp_ == map.stamp()) return;
  maps_.clear(), climbs_.reset(), axis_.reset();
  stamp_ = map.stamp();
}

double RegionMaps::rounded(double radius) { return std::ceil(radius / kClass - 1e-4) * kClass; }

}  // namespace throng::planning
