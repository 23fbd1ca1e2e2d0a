// Which type of ground is where, in small squares: what planners ask so often that exact answers would take too long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "ground/regions.h"

namespace throng::planning {

class GroundRaster {
 public:
  GroundRaster() = default;
  /// Of all that lies between the walls of a map.
  GroundRaster(const corridors::CorridorMap& map, const ground::Regions& regions);

  ground::RegionType typeAt(Point place, std::uint16_t floor) const {
    if (floor >= floors_.size() || floors_[floor].types.empty()) return 0;
    const OfFloor& on = floors_[floor];
    const double x = (place.x - on.low.x) * per_metre_, y = (place.y - on.low.y) * per_metre_;
    if (!(x >= 0) || !(y >= 0) || !(x < on.columns) || !(y < on.rows)) return 0;
    return on.types[static_cast<std::size_t>(y) * on.columns + static_cast<std::size_t>(x)];
  }
  double cell() const { return 1 / per_metre_; }  ///< m
  std::size_t types() const { return types_; }
  std::size_t memory() const;

 private:
  struct OfFloor {
    Point low;
    std::uint32_t columns = 0, rows = 0;
    std::vector<ground::RegionType> types;  ///< row by row
  };
  std::vector<OfFloor> floors_;
  double per_metre_ = 1;
  std::size_t types_ = 1;
};

}  // namespace throng::planning
