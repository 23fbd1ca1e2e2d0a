#include "graph/navigation_grid.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/math.h"
#include "base/narrowing.h"
#include "corridors/visibility.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"

namespace throng::graph {
namespace {

constexpr std::size_t kGrain = 4096;  // samples per piece of work

/// The largest float that is not above.
float roundedDown(double value) {
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) > value ? std::nextafter(nearest, 0.0f) : nearest;
}

}  // namespace

bool sameFloor(const corridors::CorridorMap& map, std::uint16_t a, std::uint16_t b, Point place) {
  if (a == b) return true;
  for (const corridors::MapConnection& k : map.connections()) {
    if (!k.open || !((k.left_floor == a && k.right_floor == b) || (k.left_floor == b && k.right_floor == a))) continue;
    for (const Segment& part : k.parts)
      if (geometry::distanceToSegment(place, part.a, part.b) <= 2 * corridors::CorridorMap::kTolerance) return true;
  }
  return false;
}

NavigationGrid::NavigationGrid(const ground::WalkableSpace& space, const corridors::CorridorMap& map,
                               const Walkability& walkability, double step, const base::Threads& threads)
    : step_(step) {
  double sine, cosine;
  base::sinCos(walkability.max_slope * base::kPi / 180, sine, cosine);
  const double steepest = cosine > 0 ? sine / cosine : std::numeric_limits<double>::infinity();
  constexpr double kSlack = 1e-4;  // m; heights are 32-bit numbers
  rise_ = std::max(steepest * step, walkability.step_height) + kSlack;
  for (const ground::Floor& floor : space.floors()) steep_floor_.push_back(length(floor.slope) > steepest * (1 + 1e-9));

  placeNodes(map);
  const auto floors = static_cast<std::uint16_t>(floors_.size());
  for (std::uint16_t f = 0; f < floors; ++f) {
    FloorNodes& nodes = floors_[f];
    threads.forEach(nodes.sample.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto n = static_cast<std::int64_t>(i);
        const Point place{static_cast<double>(nodes.first_column + n % nodes.columns) * step,
                          static_cast<double>(nodes.first_row + n / nodes.columns) * step};
        nodes.sample[i] = map.locate(place, f).cell;
      }
    });
  }
  dropTwins(map);
  std::size_t count = 0;
  for (const FloorNodes& nodes : floors_)
    count += nodes.sample.size() -
             static_cast<std::size_t>(std::count(nodes.sample.begin(), nodes.sample.end(), corridors::kNone));
  node_.reserve(count), cell_.reserve(count), floor_.reserve(count);
  for (std::uint16_t f = 0; f < floors; ++f)
    for (std::uint32_t i = 0; i < floors_[f].sample.size(); ++i) {
      std::uint32_t& sample = floors_[f].sample[i];
      if (sample == corridors::kNone) continue;
      node_.push_back(i), cell_.push_back(sample), floor_.push_back(f);
      sample = static_cast<std::uint32_t>(node_.size() - 1);
    }
  z_.resize(count);
  threads.forEach(count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto sample = static_cast<std::uint32_t>(i);
      z_[i] = space.floors()[floor_[i]].height(narrow(place(sample)));
    }
  });
}

void NavigationGrid::placeNodes(const corridors::CorridorMap& map) {
  std::vector<Rectangle> extent(map.floors(), geometry::kEmptyBox);
  // Walls and connections are all the border that a floor has.
  for (const corridors::MapCorner& corner : map.corners())
    if (corner.wall != corridors::kNone) geometry::include(extent[corner.floor], corner.at);
  for (const corridors::MapConnection& connection : map.connections())
    for (const Segment& part : connection.parts)
      for (const std::uint16_t floor : {connection.left_floor, connection.right_floor})
        geometry::include(extent[floor], geometry::boxOf(part));
  double nodes = 0;
  for (const Rectangle& r : extent)
    if (!geometry::isEmpty(r)) nodes += ((r.max.x - r.min.x) / step_ + 1) * ((r.max.y - r.min.y) / step_ + 1);
  if (nodes > kMostNodes)
    throw InputError(
        fmt::format("The navigation graph would sample the ground at {:.3g} places, {} m apart; allowed: "
                    "{:.3g}. Raise the setting `precision`.",
                    nodes, step_, kMostNodes));
  for (const Rectangle& r : extent) {
    FloorNodes& floor = floors_.emplace_back();
    if (geometry::isEmpty(r)) continue;
    floor.first_column = static_cast<std::int64_t>(std::floor(r.min.x / step_));
    floor.first_row = static_cast<std::int64_t>(std::floor(r.min.y / step_));
    floor.columns = static_cast<std::int64_t>(std::ceil(r.max.x / step_)) - floor.first_column + 1;
    floor.rows = static_cast<std::int64_t>(std::ceil(r.max.y / step_)) - floor.first_row + 1;
    floor.sample.assign(static_cast<std::size_t>(floor.columns * floor.rows), corridors::kNone);
  }
}

/// A node on the line of a connection is one place: it keeps the lower of its two floors.
void NavigationGrid::dropTwins(const corridors::CorridorMap& map) {
  for (const corridors::MapConnection& k : map.connections()) {
    if (!k.open || k.left_floor == k.right_floor) continue;
    for (const Segment& part : k.parts) {
      const auto node = [&](double x) { return static_cast<std::int64_t>(std::floor(x / step_)); };
      const auto [x0, x1] = std::minmax({node(part.a.x), node(part.b.x)});
      const auto [y0, y1] = std::minmax({node(part.a.y), node(part.b.y)});
      for (std::int64_t y = y0; y <= y1 + 1; ++y)
        for (std::int64_t x = x0; x <= x1 + 1; ++x) {
          const std::uint16_t low = std::min(k.left_floor, k.right_floor), high = std::max(k.left_floor, k.right_floor);
          if (at(low, x, y) == corridors::kNone || at(high, x, y) == corridors::kNone) continue;
          const Point place{static_cast<double>(x) * step_, static_cast<double>(y) * step_};
          if (geometry::distanceToSegment(place, part.a, part.b) > 2 * corridors::CorridorMap::kTolerance) continue;
          FloorNodes& f = floors_[high];
          f.sample[static_cast<std::size_t>((y - f.first_row) * f.columns + x - f.first_column)] = corridors::kNone;
        }
    }
  }
}

/// The sample of a node on a floor, or on the one that is the same there.
std::uint32_t NavigationGrid::sampleNear(const corridors::CorridorMap& map, std::uint16_t floor, std::int64_t column,
                                         std::int64_t row) const {
  const std::uint32_t sample = at(floor, column, row);
  if (sample != corridors::kNone) return sample;
  const Point node{static_cast<double>(column) * step_, static_cast<double>(row) * step_};
  for (const corridors::MapConnection& k : map.connections())
    for (const std::uint16_t other : {k.left_floor, k.right_floor})
      if (other != floor && at(other, column, row) != corridors::kNone && sameFloor(map, floor, other, node))
        return at(other, column, row);
  return corridors::kNone;
}

/// To the east and north. In the corridor map the way is walked from cell to cell, so that no wall is too thin, and
/// connections lead to the floor behind them.
void NavigationGrid::joinForward(const corridors::CorridorMap& map, std::uint32_t sample, bool flat) {
  const FloorNodes& nodes = floors_[floor_[sample]];
  const Point from = place(sample);
  for (unsigned direction = 0; direction < 2; ++direction) {
    const std::int64_t column = nodes.first_column + node_[sample] % nodes.columns + (direction == 0),
                       row = nodes.first_row + node_[sample] / nodes.columns + (direction == 1);
    std::uint32_t other = at(floor_[sample], column, row);
    if (flat && other == corridors::kNone) continue;
    if (!flat || !(clearance_[sample] > step_)) {
      const Point to{static_cast<double>(column) * step_, static_cast<double>(row) * step_};
      const corridors::Sight sight = lookAlong(map, cell(sample), from, to);
      if (!sight.clear) continue;
      other = sampleNear(map, sight.floor, column, row);
      if (other == corridors::kNone) continue;
    }
    neighbours_[sample][direction] = other;
    if (std::abs(z_[sample] - z_[other]) > rise_) steep_[sample] |= static_cast<std::uint8_t>(1u << direction);
  }
}

void NavigationGrid::link(const corridors::CorridorMap& map, const base::Threads& threads) {
  neighbours_.assign(size(), {corridors::kNone, corridors::kNone, corridors::kNone, corridors::kNone});
  steep_.assign(size(), 0);
  const bool flat = map.connections().empty();
  threads.forEach(size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) joinForward(map, static_cast<std::uint32_t>(i), flat);
  });
  for (std::uint32_t i = 0; i < size(); ++i)
    for (unsigned direction = 0; direction < 2; ++direction) {
      std::uint32_t& other = neighbours_[i][direction];
      if (other == corridors::kNone) continue;
      std::uint32_t& back = neighbours_[other][direction + 2];
      if (back != corridors::kNone) {  // a place on the line of a connection itself, which is on both floors
        other = corridors::kNone;
        continue;
      }
      back = i;
      if (steep_[i] >> direction & 1u) steep_[other] |= static_cast<std::uint8_t>(4u << direction);
    }
  links_ = border_ = 0;
  for (std::uint32_t i = 0; i < size(); ++i) {
    unsigned count = 0;
    for (unsigned direction = 0; direction < 4; ++direction) count += linked(i, direction);
    links_ += linked(i, 0) + linked(i, 1);
    border_ += count < 4;
  }
}

void NavigationGrid::measure(const corridors::CorridorMap& map, const base::Threads& threads) {
  clearance_.resize(size());
  threads.forEach(size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto sample = static_cast<std::uint32_t>(i);
      clearance_[i] = roundedDown(map.nearest(cell(sample), place(sample)).distance);
    }
  });
}

std::size_t NavigationGrid::bytes() const {
  std::size_t bytes = size() * (2 * sizeof(std::uint32_t) + sizeof(std::uint16_t) + 2 * sizeof(float) +
                                sizeof(neighbours_[0]) + sizeof(std::uint8_t));
  for (const FloorNodes& nodes : floors_) bytes += nodes.sample.size() * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace throng::graph
