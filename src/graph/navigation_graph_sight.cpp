// Which cylinders' centres can be seen from which (PETTRÉ 2008, section 2, step 5).
#include <algorithm>
#include <array>
#include <cmath>

#include "corridors/visibility.h"
#include "graph/navigation_graph_builder.h"

namespace throng::graph {
namespace {

/// The quarter of the horizon that a direction is in; each begins at its clockwise end.
Cardinal quarterOf(Point d) {
  if (d.x > 0 && d.y >= -d.x && d.y < d.x) return Cardinal::kEast;
  if (d.y > 0 && d.x > -d.y) return Cardinal::kNorth;
  if (d.x < 0 && d.y > d.x) return Cardinal::kWest;
  return Cardinal::kSouth;
}

/// Grows from -2 to 2 with the angle of a direction, counter-clockwise from the west.
double turnOf(Point d) {
  const double sum = std::abs(d.x) + std::abs(d.y);
  if (!(sum > 0)) return -2;
  const double along = d.x / sum;
  return d.y < 0 ? along - 1 : 1 - along;
}

/// What may be seen from a place, by the polygon of all that is: everything that is seen, and hardly anything else.
class MaybeSeen {
 public:
  void look(const corridors::CorridorMap& map, corridors::Located cell, Point from) {
    visibilityPolygon(map, cell, from, scratch_, polygon_);
    corners_.clear();
    reach_ = {from, from};
    for (const corridors::VisibilityPolygon::Corner& corner : polygon_.corners) {
      const Point at = corner.at;
      corners_.push_back({turnOf(at - from), at});
      geometry::include(reach_, geometry::grown({at, at}, kSlack));
    }
    const auto least = std::min_element(corners_.begin(), corners_.end(),
                                        [](const Corner& a, const Corner& b) { return a.turn < b.turn; });
    std::rotate(corners_.begin(), least, corners_.end());
    // Two corners on the line of sight where turns begin again may have come apart.
    for (std::size_t i = 1; i < corners_.size() && corners_.back().turn < corners_.front().turn + kSlack; ++i)
      std::rotate(corners_.begin(), corners_.end() - 1, corners_.end());
    // Corners on one line of sight keep their order; what rounding has turned around is put right.
    for (std::size_t i = 1; i < corners_.size(); ++i)
      corners_[i].turn = std::max(corners_[i].turn, corners_[i - 1].turn);
  }

  /// How far to the east anything is seen.
  double eastmost() const { return reach_.max.x; }

  bool operator()(Point from, Point place) const {
    if (place.y < reach_.min.y || place.y > reach_.max.y || place.x > reach_.max.x) return false;
    if (corners_.size() < 3) return true;  // hardly any room: look itself
    const double turn = turnOf(place - from);
    const auto before = [](double t, const Corner& c) { return t < c.turn; };
    const auto first = std::upper_bound(corners_.begin(), corners_.end(), turn - kSlack, before) - corners_.begin();
    const auto last = std::upper_bound(corners_.begin(), corners_.end(), turn + kSlack, before) - corners_.begin();
    const auto count = static_cast<std::ptrdiff_t>(corners_.size());
    for (auto i = first - 1; i < last; ++i) {
      const Point a = corners_[static_cast<std::size_t>((i + count) % count)].at,
                  b = corners_[static_cast<std::size_t>((i + 1) % count)].at;
      if (det(b - a, place - a) >= -kSlack * (std::abs(b.x - a.x) + std::abs(b.y - a.y) + 1)) return true;
    }
    return false;
  }

 private:
  static constexpr double kSlack = 1e-6;
  struct Corner {
    double turn;
    Point at;
  };
  corridors::VisibilityScratch scratch_;
  corridors::VisibilityPolygon polygon_;
  std::vector<Corner> corners_;
  Rectangle reach_;
};

}  // namespace

/// For each cylinder the largest one that its centre is in.
void GraphBuilder::findHosts() {
  const std::vector<GraphVertex>& vertices = graph_.vertices_;
  host_.resize(vertices.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    host_[v] = v;
    const Point at = vertices[v].centre;
    graph_.squares_.visit(at, at, [&](std::uint32_t other) {
      if (vertices[other].floor == vertices[v].floor && vertices[other].radius > vertices[host_[v]].radius &&
          lengthSquared(vertices[other].centre - at) < vertices[other].radius * vertices[other].radius)
        host_[v] = other;
    });
  }
}

/// Nothing stands in the disc of a cylinder. So two centres see one another whose discs overlap, or that are both in
/// the disc of a third, which is quickly said without a look at the cells between them. On floors with connections that
/// says nothing: what is near in plan may be a storey above.
bool GraphBuilder::inFreeDiscs(std::uint32_t a, std::uint32_t b) const {
  const std::vector<GraphVertex>& vertices = graph_.vertices_;
  if (!single(vertices[a].floor)) return false;
  const auto within = [](Point p, Point q, double reach) { return lengthSquared(p - q) < reach * reach; };
  const Point at_a = vertices[a].centre, at_b = vertices[b].centre;
  const GraphVertex &host_a = vertices[host_[a]], &host_b = vertices[host_[b]];
  return within(at_a, at_b, vertices[a].radius + vertices[b].radius) || within(at_b, host_a.centre, host_a.radius) ||
         within(at_a, host_b.centre, host_b.radius);
}

/// Every pair is looked at once, from its lower number, so that seeing is mutual.
void GraphBuilder::findVisible() {
  const std::vector<GraphVertex>& vertices = graph_.vertices_;
  const auto count = static_cast<std::uint32_t>(vertices.size());
  std::vector<std::uint32_t> by_x(count);
  for (std::uint32_t v = 0; v < count; ++v) by_x[v] = v;
  std::sort(by_x.begin(), by_x.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (apart(vertices[a].floor, vertices[b].floor)) return group_[vertices[a].floor] < group_[vertices[b].floor];
    return vertices[a].centre.x != vertices[b].centre.x ? vertices[a].centre.x < vertices[b].centre.x : a < b;
  });
  findHosts();
  constexpr double kSquared = NavigationGraph::kSightRange * NavigationGraph::kSightRange;
  std::vector<std::vector<std::uint32_t>> seen(count);
  constexpr std::size_t kGrain = 16;
  threads_.forEach(count, kGrain, [&](std::size_t begin, std::size_t end) {
    static thread_local MaybeSeen maybe_seen;  // keeps what it has learnt about the map
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t from = by_x[i];
      const Point at = vertices[from].centre;
      maybe_seen.look(map_, axis_->cell(centre_[from]), at);
      for (std::size_t k = i + 1; k < count; ++k) {
        const std::uint32_t to = by_x[k];
        const Point way = vertices[to].centre - at;
        if (apart(vertices[from].floor, vertices[to].floor)) break;
        if (way.x > NavigationGraph::kSightRange || vertices[to].centre.x > maybe_seen.eastmost()) break;
        if (lengthSquared(way) > kSquared || !maybe_seen(at, vertices[to].centre)) continue;
        if (inFreeDiscs(from, to)) {
          seen[from].push_back(to);
          continue;
        }
        const corridors::Sight sight = lookAlong(map_, axis_->cell(centre_[from]), at, vertices[to].centre);
        if (sight.clear && sameFloor(map_, sight.floor, vertices[to].floor, vertices[to].centre))
          seen[from].push_back(to);
      }
    }
  });
  std::vector<std::array<std::uint32_t, 4>> size(count, {0, 0, 0, 0});
  const auto quarter = [&](std::uint32_t from, std::uint32_t to) {
    return static_cast<std::size_t>(quarterOf(vertices[to].centre - vertices[from].centre));
  };
  for (std::uint32_t from = 0; from < count; ++from)
    for (const std::uint32_t to : seen[from]) ++size[from][quarter(from, to)], ++size[to][quarter(to, from)];
  graph_.visible_start_.assign(4 * static_cast<std::size_t>(count) + 1, 0);
  for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(count); ++i)
    graph_.visible_start_[i + 1] = graph_.visible_start_[i] + size[i / 4][i % 4];
  std::vector<std::uint32_t> next(graph_.visible_start_.begin(), graph_.visible_start_.end() - 1);
  graph_.visible_.resize(graph_.visible_start_.back());
  for (std::uint32_t from = 0; from < count; ++from)
    for (const std::uint32_t to : seen[from]) {
      graph_.visible_[next[4 * from + quarter(from, to)]++] = to;
      graph_.visible_[next[4 * to + quarter(to, from)]++] = from;
    }
  for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(count); ++i)
    std::sort(graph_.visible_.begin() + graph_.visible_start_[i],
              graph_.visible_.begin() + graph_.visible_start_[i + 1]);
}

}  // namespace throng::graph
