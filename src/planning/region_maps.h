// Triangulations of free space by the size of people, made when they are first needed and kept as long as the corridor
// map stays as it is; with what the planners in weighted regions make of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "planning/axis_grounds.h"
#include "planning/chain_climbs.h"
#include "planning/region_blocks.h"
#include "planning/region_mesh.h"
#include "planning/steiner.h"
#include "planning/weight_grid.h"

namespace throng::planning {

class RegionMap {
 public:
  RegionMap(const corridors::CorridorMap& map, const ground::Regions* regions, double radius,
            std::span<const ground::Floor> hills = {}, std::span<const ground::RegionType> never = {});

  const ground::Regions* regions() const { return regions_; }
  const RegionMesh& mesh() const { return mesh_; }
  const SteinerPoints& few() const { return few_; }
  /// Null where there are few triangles, or hardly fewer blocks than those: then everything may be looked at.
  const RegionBlocks* blocks() const {
    constexpr std::size_t kFewer = 4;
    if (mesh_.triangles().size() < kFewTriangles) return nullptr;
    return mesh_.triangles().size() < kFewer * blocks_.size() ? nullptr : &blocks_;
  }
  // Made when first asked for. May be asked from several threads.
  const SteinerPoints& steiner(double epsilon) const;
  const WeightGrid& grid(const corridors::CorridorMap& map, double cell) const;

 private:
  const ground::Regions* regions_;
  RegionMesh mesh_;
  SteinerPoints few_;
  RegionBlocks blocks_;
  mutable std::mutex making_;
  mutable std::map<double, SteinerPoints> steiner_;
  mutable std::map<double, WeightGrid> grids_;
};

class RegionMaps {
 public:
  /// People keep this share of their radius at least from walls: coordinates are rounded, and a passage that is as wide
  /// as somebody is open to them.
  static constexpr double kKept = 0.999;
  /// m; people's radii are rounded up to whole multiples of this, so that few triangulations do for everybody.
  static constexpr double kClass = 0.025;

  /// For somebody of a radius (m). `regions`: always the same ones. May be asked from several threads.
  /// `hills`: all floors, for those who mind slopes. `weights`: types that cost infinity are kept off.
  std::shared_ptr<const RegionMap> of(const corridors::CorridorMap& map, const ground::Regions* regions, double radius,
                                      std::span<const ground::Floor> hills = {}, std::span<const float> weights = {});
  /// For those who mind slopes on the corridor map itself.
  std::shared_ptr<const ChainClimbs> climbs(const corridors::CorridorMap& map, std::span<const ground::Floor> hills);
  /// For those who mind the ground on the corridor map itself.
  std::shared_ptr<const AxisGrounds> axis(const corridors::CorridorMap& map, const ground::Regions& regions);
  static double rounded(double radius);

 private:
  void follow(const corridors::CorridorMap& map);

  std::mutex making_;
  std::uint64_t stamp_ = 0;  ///< of the map that they were made from
  /// By radius, with hills or without, and what is kept off.
  std::map<std::tuple<double, bool, std::vector<ground::RegionType>>, std::shared_ptr<const RegionMap>> maps_;
  std::shared_ptr<const ChainClimbs> climbs_;
  std::shared_ptr<const AxisGrounds> axis_;
};

}  // namespace throng::planning
