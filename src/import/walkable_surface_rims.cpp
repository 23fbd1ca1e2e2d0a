#include "import/walkable_surface_rims.h"

#include <algorithm>

#include "base/lists.h"
#include "base/narrowing.h"
#include "geometry/predicates.h"
#include "geometry/segment_grid.h"

namespace throng::import {
namespace {

struct Edge {
  Point a, b;
  std::uint32_t ring;
};

std::vector<Edge> edgesOf(const Layer& layer) {
  std::vector<Edge> edges;
  std::uint32_t rings = 0;
  const auto add = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) edges.push_back({ring[i], ring[(i + 1) % ring.size()], rings});
    ++rings;
  };
  for (const Polygon& polygon : layer.walkable) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  return edges;
}

/// What two edges on one line have in common, when that is longer than a hair's breadth.
bool sharedStretch(const Edge& s, const Edge& t, Polyline& shared) {
  constexpr double kShortest = 1e-3;  // m
  if (geometry::orientation(s.a, s.b, t.a) != 0 || geometry::orientation(s.a, s.b, t.b) != 0) return false;
  const Point along = s.b - s.a;
  const double square = dot(along, along);
  const auto share = [&](Point p) { return dot(p - s.a, along) / square; };
  const auto [low, high] = std::minmax({share(t.a), share(t.b)});
  if ((std::min(high, 1.0) - std::max(low, 0.0)) * length(along) < kShortest) return false;
  // Corners as they are, not computed anew, so that walls end exactly where borders do.
  const Point from = low <= 0 ? s.a : share(t.a) < share(t.b) ? t.a : t.b;
  const Point to = high >= 1 ? s.b : share(t.a) < share(t.b) ? t.b : t.a;
  shared.points = {from, to};
  return true;
}

}  // namespace

void addRims(Layer& layer) {
  const std::vector<Edge> edges = edgesOf(layer);
  std::vector<Vec2> a, b;
  for (const Edge& edge : edges) a.push_back(narrow(edge.a)), b.push_back(narrow(edge.b));
  constexpr float kCell = 2, kNear = 0.01f;  // m
  if (edges.empty()) return;
  const geometry::SegmentGrid grid(a, b, kCell);
  std::vector<std::uint32_t> near;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    // Edges on one line that overlap: an end of the one lies on the other.
    near.clear();
    for (const Vec2 end : {a[i], b[i]}) grid.query(end, kNear, near);
    for (const std::uint32_t k : near)
      if (edges[k].ring != edges[i].ring) pairs.emplace_back(std::min(i, k), std::max(i, k));
  }
  base::sortUnique(pairs);
  for (const auto& [i, k] : pairs)
    if (Polyline shared; sharedStretch(edges[i], edges[k], shared)) layer.walls.push_back(std::move(shared));
}

}  // namespace throng::import
