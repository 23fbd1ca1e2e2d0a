#include "planning/route_layers.h"

#include <algorithm>

#include "base/narrowing.h"
#include "geometry/predicates.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::MapConnection;

bool leftOf(const Segment& line, Point p) { return geometry::orientation(line.a, line.b, p) >= 0; }

class LayersAlong {
 public:
  LayersAlong(const CorridorMap& map, std::uint16_t layer, LayerScratch& scratch, corridors::Route& route)
      : map_(map), connections_(scratch.connections), layer_(layer), route_(route) {}

  void leg(Point from, Point to, bool first) {
    map_.connectionsNear((from + to) * 0.5, length(to - from) * 0.5, connections_);
    double share = 0;
    for (std::size_t crossed = 0; crossed <= connections_.size(); ++crossed) {
      const MapConnection* next = nullptr;
      double at = 2;
      for (const std::uint32_t k : connections_) {
        const MapConnection& connection = map_.connections()[k];
        const double there = whereCrossed(connection, from, to, first);
        if (there >= share && there < at) next = &connection, at = there;
      }
      if (next == nullptr) break;
      route_.push_back({narrow(from + (to - from) * at), layer_});
      layer_ = next->left_floor == layer_ ? next->right_floor : next->left_floor;
      share = at;
    }
    route_.push_back({narrow(to), layer_});
  }

 private:
  /// The share of the leg after which it leaves the layer of now over this connection; more than 1: not at all.
  double whereCrossed(const MapConnection& k, Point from, Point to, bool first) const {
    constexpr double kNotAtAll = 3;
    if (!k.open || (k.left_floor != layer_ && k.right_floor != layer_)) return kNotAtAll;
    const bool on_left = k.left_floor == layer_, from_left = leftOf(k.line, from), to_left = leftOf(k.line, to);
    if (to_left == on_left) return kNotAtAll;
    if (from_left != on_left) {
      // Coordinates are rounded: whoever stands on the line may seem to be over it already.
      const bool on_line = first && geometry::distanceToSegment(from, k.line.a, k.line.b) < CorridorMap::kOnConnection;
      return on_line ? 0 : kNotAtAll;
    }
    if (!geometry::segmentsIntersect(from, to, k.line.a, k.line.b)) return kNotAtAll;
    const Point along = k.line.b - k.line.a;
    const double before = det(along, from - k.line.a), after = det(along, to - k.line.a);
    return before != after ? std::clamp(before / (before - after), 0.0, 1.0) : 1.0;
  }

  const CorridorMap& map_;
  std::vector<std::uint32_t>& connections_;
  std::uint16_t layer_;
  corridors::Route& route_;
};

}  // namespace

void tellLayers(const CorridorMap& map, std::span<const Point> points, std::uint16_t layer, LayerScratch& scratch,
                corridors::Route& route) {
  route.clear();
  LayersAlong along(map, layer, scratch, route);
  for (std::size_t i = 1; i < points.size(); ++i) along.leg(points[i - 1], points[i], i == 1);
}

}  // namespace throng::planning
