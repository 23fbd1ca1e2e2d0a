#include "ground/region_borders.h"

#include <algorithm>
#include <cmath>

#include "base/lists.h"
#include "geometry/boxes.h"
#include "geometry/noding.h"

namespace throng::ground {
namespace {

using Place = geometry::GridPlace<std::int64_t>;

/// A side of a part.
struct Side {
  Place a, b;
  auto operator<=>(const Side&) const = default;
};

/// Places that are so near to a line, in quarters of the spacing, are on it.
constexpr std::int64_t kNear = 8;

class SidesOfLayer {
 public:
  explicit SidesOfLayer(std::span<const Regions::Part> parts) {
    Rectangle box = geometry::kEmptyBox;
    for (const Regions::Part& part : parts) geometry::include(box, geometry::boxOf(part.area.outer));
    if (geometry::isEmpty(box)) return;
    middle_ = (box.min + box.max) * 0.5;
    // Coarser than usual only where a layer is larger than 20 km.
    spacing_ = std::max(RegionBorders::kSpacing, std::max(box.max.x - box.min.x, box.max.y - box.min.y) / 2e9);
    for (const Regions::Part& part : parts) {
      add(part.area.outer);
      for (const Ring& hole : part.area.holes) add(hole);
    }
  }

  /// What lies on either side is asked of the regions themselves: where they meet, rounding leaves parts that are
  /// thinner than a hair.
  std::vector<RegionBorders::Line> lines(const Regions& regions, std::uint16_t layer) {
    constexpr double kBeside = 1e-4;  // m
    geometry::separate(sides_, kNear);
    base::sortUnique(sides_);
    std::vector<RegionBorders::Line> lines;
    for (const Side& side : sides_) {
      const Point a = place(side.a), b = place(side.b), middle = (a + b) * 0.5, way = b - a;
      const Point left = Point{-way.y, way.x} * (kBeside / length(way));
      const RegionBorders::Line line{a, b, regions.typeAt(middle + left, layer), regions.typeAt(middle - left, layer)};
      if (line.left != line.right) lines.push_back(line);
    }
    return lines;
  }

 private:
  void add(const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Place a = onGrid(ring[i]), b = onGrid(ring[(i + 1) % ring.size()]);
      sides_.push_back(a < b ? Side{a, b} : Side{b, a});
    }
  }
  Place onGrid(Point p) const {
    return {std::llround((p.x - middle_.x) / spacing_), std::llround((p.y - middle_.y) / spacing_)};
  }
  Point place(Place p) const {
    return middle_ + Point{static_cast<double>(p.x) * spacing_, static_cast<double>(p.y) * spacing_};
  }

  Point middle_;
  double spacing_ = 1;
  std::vector<Side> sides_;
};

}  // namespace

RegionBorders::RegionBorders(const Regions& regions, std::size_t layers) : layers_(layers) {
  for (std::size_t layer = 0; layer < layers; ++layer) {
    OfLayer& of = layers_[layer];
    const auto number = static_cast<std::uint16_t>(layer);
    of.lines = SidesOfLayer(regions.parts(number)).lines(regions, number);
    std::vector<Rectangle> boxes;
    boxes.reserve(of.lines.size());
    for (const Line& line : of.lines) boxes.push_back(geometry::boxOf(Segment{line.a, line.b}));
    of.grid = geometry::UniformGrid<double>::ofBoxes(boxes);
  }
}

std::size_t RegionBorders::bytes() const {
  std::size_t bytes = layers_.capacity() * sizeof(OfLayer);
  for (const OfLayer& layer : layers_) bytes += layer.lines.capacity() * sizeof(Line) + layer.grid.bytes();
  return bytes;
}

}  // namespace throng::ground
