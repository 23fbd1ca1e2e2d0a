#include "planning/ground_raster.h"

#include <algorithm>
#include <cmath>

#include "geometry/boxes.h"

namespace throng::planning {
namespace {

constexpr double kFinestSquare = 0.5;  // m
constexpr double kMostSquares = 4e6;   // squares, on all floors together, or about so many

}  // namespace

GroundRaster::GroundRaster(const corridors::CorridorMap& map, const ground::Regions& regions)
    : floors_(map.floors()), types_(regions.types().size()) {
  std::vector<Rectangle> boxes(map.floors(), geometry::kEmptyBox);
  for (const corridors::MapCorner& corner : map.corners())
    if (corner.wall != corridors::kNone) geometry::include(boxes[corner.floor], corner.at);
  double area = 0;
  for (std::uint16_t f = 0; f < boxes.size(); ++f)
    if (regions.any(f) && !geometry::isEmpty(boxes[f]))
      area += (boxes[f].max.x - boxes[f].min.x) * (boxes[f].max.y - boxes[f].min.y);
  const double cell = std::max(kFinestSquare, std::sqrt(area / kMostSquares));
  per_metre_ = 1 / cell;
  for (std::uint16_t f = 0; f < boxes.size(); ++f) {
    if (!regions.any(f) || geometry::isEmpty(boxes[f])) continue;
    OfFloor& on = floors_[f];
    on.low = boxes[f].min;
    on.columns = static_cast<std::uint32_t>((boxes[f].max.x - boxes[f].min.x) / cell) + 1;
    on.rows = static_cast<std::uint32_t>((boxes[f].max.y - boxes[f].min.y) / cell) + 1;
    on.types.resize(std::size_t{on.columns} * on.rows);
    for (std::uint32_t y = 0; y < on.rows; ++y)
      for (std::uint32_t x = 0; x < on.columns; ++x)
        on.types[std::size_t{y} * on.columns + x] = regions.typeAt(on.low + Point{x + 0.5, y + 0.5} * cell, f);
  }
}

std::size_t GroundRaster::memory() const {
  std::size_t bytes = 0;
  for (const OfFloor& floor : floors_) bytes += floor.types.capacity();
  return bytes;
}

}  // namespace throng::planning
