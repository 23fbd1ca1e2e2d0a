// The gates of a navigation graph, and what is connected.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "corridors/visibility.h"
#include "geometry/predicates.h"
#include "graph/navigation_graph_builder.h"

namespace throng::graph {
namespace {

/// The chord that two circles share, its first end on the left of a→b. Nothing when they do not cross.
std::optional<Segment> chord(Point a, double radius_a, Point b, double radius_b) {
  const Point way = b - a;
  const double squared = lengthSquared(way), d = std::sqrt(squared);
  if (!(radius_a > 0 && radius_b > 0 && d > 0) || d >= radius_a + radius_b || d <= std::abs(radius_a - radius_b))
    return {};
  const double along = (squared + (radius_a - radius_b) * (radius_a + radius_b)) / (2 * d);
  const double half = std::sqrt(std::max(0.0, (radius_a - along) * (radius_a + along)));
  const Point middle = a + way * (along / d), left = perpendicular(way) * (half / d);
  return Segment{middle + left, middle - left};
}

Point middleOf(const Segment& s) { return (s.a + s.b) * 0.5; }

bool byVertices(const GraphEdge& a, const GraphEdge& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; }

}  // namespace

/// Two cylinders have a gate when they overlap (on floors that are connected) and a body can be inside both, or can at
/// least go straight from one centre to the other.
std::optional<GraphEdge> GraphBuilder::gate(std::uint32_t low, std::uint32_t high) const {
  const GraphVertex &a = graph_.vertices_[low], &b = graph_.vertices_[high];
  const std::optional<Segment> full = chord(a.centre, a.radius, b.centre, b.radius);
  if (!full) return {};
  GraphEdge edge;
  edge.low = low, edge.high = high, edge.gate = *full;
  const Point middle = middleOf(*full);
  const corridors::Located at_a = axis_->cell(centre_[low]), at_b = axis_->cell(centre_[high]);
  if (const auto inner = chord(a.centre, a.radius - radius_, b.centre, b.radius - radius_)) {
    edge.passage = *inner;
  } else {
    const corridors::Sight straight = lookAlong(map_, at_a, a.centre, b.centre, radius_);
    if (!straight.clear || !sameFloor(map_, straight.floor, b.floor, b.centre)) return {};
    const Point between = geometry::nearestOnSegment(middle, a.centre, b.centre);
    edge.passage = {between, between};
  }
  if (single(a.floor)) return edge;  // discs are free, and the middle of the gate is in both
  // Free discs that share one place share all of their lens.
  const corridors::Sight from_a = lookAlong(map_, at_a, a.centre, middle),
                         from_b = lookAlong(map_, at_b, b.centre, middle);
  if (!from_a.clear || !from_b.clear || !sameFloor(map_, from_a.floor, from_b.floor, middle)) return {};
  return edge;
}

/// Storeys without a way between them are looked at one by one: there may be hundreds above one place.
void GraphBuilder::groupFloors() {
  group_.resize(space_.floors().size());
  std::iota(group_.begin(), group_.end(), std::uint16_t{0});
  const auto first = [&](std::uint16_t floor) {
    while (group_[floor] != floor) floor = group_[floor] = group_[group_[floor]];
    return floor;
  };
  for (const corridors::MapConnection& connection : map_.connections()) {
    if (!connection.open) continue;
    const std::uint16_t a = first(connection.left_floor), b = first(connection.right_floor);
    group_[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint16_t& floor : group_) floor = first(floor);
  connected_.assign(group_.size(), false);
  for (const corridors::MapConnection& connection : map_.connections())
    if (connection.open) connected_[connection.left_floor] = connected_[connection.right_floor] = true;
}

void GraphBuilder::joinCylinders() {
  graph_.index();
  groupFloors();
  const auto count = static_cast<std::uint32_t>(graph_.vertices_.size());
  std::vector<std::vector<GraphEdge>> found(count);
  const std::size_t grain = std::max<std::size_t>(32, count / 64);
  threads_.forEach(count, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> others, met(count, corridors::kNone);  // met: a large cylinder is in many squares
    for (auto low = static_cast<std::uint32_t>(begin); low < end; ++low) {
      const GraphVertex& v = graph_.vertices_[low];
      const Point reach{v.radius, v.radius};
      others.clear();
      graph_.squares_.visit(v.centre - reach, v.centre + reach, [&](std::uint32_t other) {
        if (other > low && !apart(v.floor, graph_.vertices_[other].floor) && std::exchange(met[other], low) != low)
          others.push_back(other);
      });
      std::sort(others.begin(), others.end());
      for (const std::uint32_t high : others)
        if (const auto edge = gate(low, high)) found[low].push_back(*edge);
    }
  });
  for (const auto& list : found) graph_.edges_.insert(graph_.edges_.end(), list.begin(), list.end());
  stitch();
  dropNeedlessGates();
  for (GraphEdge& edge : graph_.edges_) {
    const Point middle = middleOf(edge.passage);
    edge.width = static_cast<float>(length(edge.gate.b - edge.gate.a));
    edge.length = static_cast<float>(length(middle - graph_.vertices_[edge.low].centre) +
                                     length(middle - graph_.vertices_[edge.high].centre));
  }
  graph_.index();
  findComponents();
}

std::uint32_t GraphBuilder::root(std::uint32_t vertex) {
  while (parent_[vertex] != vertex) vertex = parent_[vertex] = parent_[parent_[vertex]];
  return vertex;
}

void GraphBuilder::unite(std::uint32_t a, std::uint32_t b) {
  a = root(a), b = root(b);
  parent_[std::max(a, b)] = std::min(a, b);
}

/// Where a body can go along the medial axis, the graph must not be cut.
void GraphBuilder::stitch() {
  parent_.resize(graph_.vertices_.size());
  std::iota(parent_.begin(), parent_.end(), 0u);
  for (const GraphEdge& edge : graph_.edges_) unite(edge.low, edge.high);
  for (std::uint32_t x = 0; x < axis_->size(); ++x) {
    if (owner_[x] == corridors::kNone) continue;
    axis_->around(x, [&](std::uint32_t y) {
      if (x < y && owner_[y] != corridors::kNone && root(owner_[x]) != root(owner_[y])) stitch(x, y);
    });
  }
  std::sort(graph_.edges_.begin(), graph_.edges_.end(), byVertices);
}

/// Two points of the axis that follow one another, in cylinders that no gates connect so far.
void GraphBuilder::stitch(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t a = owner_[x], b = owner_[y];
  if (reaches(b, x) || (centre_[b] == y && lengthSquared(axis_->at(x) - axis_->at(y)) < radius_ * radius_))
    return force(a, b, axis_->at(x));
  if (reaches(a, y) || (centre_[a] == x && lengthSquared(axis_->at(x) - axis_->at(y)) < radius_ * radius_))
    return force(a, b, axis_->at(y));
  const std::uint32_t between = take(y);
  if (between == corridors::kNone) return;
  owner_[y] = b;
  parent_.push_back(between);
  force(a, between, axis_->at(x));
  force(between, b, axis_->at(y));
}

/// A gate with room for one body, at a place that is inside both cylinders.
void GraphBuilder::force(std::uint32_t a, std::uint32_t b, Point at) {
  const auto [low, high] = std::minmax(a, b);
  const GraphVertex &v = graph_.vertices_[low], &w = graph_.vertices_[high];
  GraphEdge edge;
  edge.low = low, edge.high = high;
  edge.gate = chord(v.centre, v.radius, w.centre, w.radius).value_or(Segment{at, at});
  edge.passage = {at, at};
  graph_.edges_.push_back(edge);
  unite(a, b);
}

/// Large cylinders near one another overlap many times over. A gate that lies in a third cylinder whose own gates to
/// both are wider (and so are the passages) is not needed: whoever goes through it goes through those. Gates that are
/// kept are wider than those that are not, so nothing is cut.
void GraphBuilder::dropNeedlessGates() {
  graph_.index();
  const std::vector<GraphEdge>& edges = graph_.edges_;
  const auto squaredWidth = [](const Segment& s) { return lengthSquared(s.b - s.a); };
  const auto wider = [&](std::uint32_t e, std::uint32_t than) {
    return squaredWidth(edges[e].gate) > squaredWidth(edges[than].gate) &&
           squaredWidth(edges[e].passage) >= squaredWidth(edges[than].passage);
  };
  std::vector<std::uint8_t> needless(edges.size(), 0);
  constexpr std::size_t kGrain = 256;
  threads_.forEach(edges.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (auto e = static_cast<std::uint32_t>(begin); e < end; ++e) {
      const std::uint32_t low = edges[e].low, high = edges[e].high;
      const auto at_low = graph_.incident(low), at_high = graph_.incident(high);
      for (const std::uint32_t first : at_low) {
        const std::uint32_t third = graph_.across(first, low);
        if (third == high || !wider(first, e)) continue;
        const GraphVertex& around = graph_.vertices_[third];
        const double squared = around.radius * around.radius;
        if (lengthSquared(edges[e].gate.a - around.centre) > squared ||
            lengthSquared(edges[e].gate.b - around.centre) > squared)
          continue;
        // Edges are in the order of their ends, so that a vertex's are in the order of the vertices they lead to.
        auto second = std::lower_bound(at_high.begin(), at_high.end(), third, [&](std::uint32_t edge, std::uint32_t v) {
          return graph_.across(edge, high) < v;
        });
        while (second != at_high.end() && graph_.across(*second, high) == third && !wider(*second, e)) ++second;
        if (second != at_high.end() && graph_.across(*second, high) == third) {
          needless[e] = 1;
          break;
        }
      }
    }
  });
  std::size_t kept = 0;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (!needless[e]) graph_.edges_[kept++] = graph_.edges_[e];
  graph_.edges_.resize(kept);
}

/// By area, the largest first; those of one area by their first vertex.
void GraphBuilder::findComponents() {
  const auto count = static_cast<std::uint32_t>(graph_.vertices_.size());
  std::vector<std::size_t> samples(count, 0);
  for (const std::uint32_t vertex : inside_)
    if (vertex != corridors::kNone) ++samples[root(vertex)];
  std::vector<std::uint32_t> roots;
  for (std::uint32_t v = 0; v < count; ++v)
    if (root(v) == v) roots.push_back(v);
  std::stable_sort(roots.begin(), roots.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return samples[a] > samples[b]; });
  std::vector<std::uint32_t> number(count, 0);
  for (std::uint32_t i = 0; i < roots.size(); ++i) number[roots[i]] = i;
  graph_.component_.resize(count);
  for (std::uint32_t v = 0; v < count; ++v) graph_.component_[v] = number[root(v)];
}

}  // namespace throng::graph
