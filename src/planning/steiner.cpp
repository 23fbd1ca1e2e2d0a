#include "planning/steiner.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"

namespace throng::planning {
namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kStart = RegionMesh::kNone - 1;

/// h_v: m from a corner to the border of the triangles around it.
double reachOf(const RegionMesh& mesh, std::uint32_t corner) {
  double least = kNoWay;
  for (const std::uint32_t n : mesh.around(corner)) {
    const RegionMesh::Triangle& t = mesh.triangles()[n];
    const std::size_t i = t.corner[0] == corner ? 0 : t.corner[1] == corner ? 1 : 2;
    const Point a = mesh.corners()[t.corner[(i + 1) % 3]], b = mesh.corners()[t.corner[(i + 2) % 3]];
    least = std::min(least, geometry::distanceToSegment(mesh.corners()[corner], a, b));
  }
  return least;
}

/// The same of all corners, each found when it is first asked for.
class Reaches {
 public:
  explicit Reaches(const RegionMesh& mesh) : mesh_(mesh), known_(mesh.corners().size(), -1) {}
  double operator[](std::uint32_t corner) {
    if (known_[corner] < 0) known_[corner] = reachOf(mesh_, corner);
    return known_[corner];
  }

 private:
  const RegionMesh& mesh_;
  std::vector<double> known_;
};

/// Sine of the sharpest angle that points are set for, and m, times ε, of the least distance between them. Walls with
/// the body's radius around them have many small and thin triangles; a few millimetres more or less do not matter.
constexpr double kSharpest = 0.1, kFinest = 0.1;

constexpr double kPieces = 0.4;  // m; edges are not cut into smaller ones than this because they are long

/// γ − 1 of one end of an edge, by the smaller of the angles there of the triangles on both sides.
double growth(const RegionMesh& mesh, const RegionMesh::Edge& edge, std::uint32_t at, double epsilon) {
  double least = epsilon;
  const Point v = mesh.corners()[at], along = mesh.corners()[edge.a == at ? edge.b : edge.a] - v;
  for (const std::uint32_t t : {edge.left, edge.right}) {
    if (t == RegionMesh::kNone) continue;
    for (const std::uint32_t c : mesh.triangles()[t].corner) {
      if (c == edge.a || c == edge.b) continue;
      const Point other = mesh.corners()[c] - v;
      if (dot(along, other) <= 0) continue;
      const double product = length(along) * length(other);
      if (product > 0) least = std::min(least, epsilon * std::fabs(det(along, other)) / product);
    }
  }
  return std::max(least, epsilon * kSharpest);
}

/// Distances from one end. What is finer than `finest` m is left out: nobody notices, and triangles may be as thin as
/// rounding makes them.
void distancesFrom(double first, double grows, double finest, double most, double end, std::vector<double>& distances) {
  distances.clear();
  for (double d = std::max(first, finest); d < end; d += std::clamp(d * grows, finest, std::max(most, finest)))
    distances.push_back(d);
}

}  // namespace

SteinerPoints::SteinerPoints(const RegionMesh& mesh, double epsilon, std::span<const std::uint8_t> chosen)
    : epsilon_(epsilon) {
  Reaches reach(mesh);
  start_.reserve(mesh.edges().size() + 1);
  for (std::uint32_t e = 0; e < mesh.edges().size(); ++e) {
    start_.push_back(static_cast<std::uint32_t>(places_.size()));
    const RegionMesh::Edge& edge = mesh.edges()[e];
    if (!edge.crossable() || (!chosen.empty() && !chosen[e])) continue;
    addEdge(mesh, e, epsilon * reach[edge.a], epsilon * reach[edge.b], growth(mesh, edge, edge.a, epsilon),
            growth(mesh, edge, edge.b, epsilon), kFinest * epsilon, std::numeric_limits<double>::infinity());
  }
  endEdges();
}

void SteinerPoints::endEdges() {
  start_.push_back(static_cast<std::uint32_t>(places_.size()));
  for (std::size_t e = 0; e + 1 < start_.size(); ++e) {
    first_group_.push_back(static_cast<std::uint32_t>(groups_.size()));
    for (std::uint32_t i = start_[e]; i < start_[e + 1]; i += kGroup) {
      const Point a = places_[i], b = places_[std::min(i + kGroup, start_[e + 1]) - 1];
      groups_.push_back({(a + b) * 0.5, length(b - a) * 0.5});
    }
  }
}

namespace {

/// By corner: do three kinds of ground or more meet there? What is beyond a wall is one, too.
std::vector<std::uint8_t> jointsOf(const RegionMesh& mesh) {
  std::vector<std::uint8_t> borders(mesh.corners().size());
  for (const RegionMesh::Edge& edge : mesh.edges()) {
    if (edge.crossable() && mesh.triangles()[edge.left].type == mesh.triangles()[edge.right].type &&
        mesh.slopesAlike(edge.left, edge.right))
      continue;
    for (const std::uint32_t c : {edge.a, edge.b}) borders[c] = static_cast<std::uint8_t>(std::min(borders[c] + 1, 3));
  }
  for (auto& count : borders) count = count >= 3 ? 1 : 0;
  return borders;
}

}  // namespace

SteinerPoints SteinerPoints::few(const RegionMesh& mesh, double share, double factor, double finest, double coarse,
                                 double pieces) {
  SteinerPoints points;
  Reaches reach(mesh);
  // Ways go close by corners where types of ground meet, or touch. Elsewhere they are drawn tight later.
  std::vector<std::uint8_t> meet(mesh.corners().size());
  for (const RegionMesh::Edge& edge : mesh.edges())
    if (edge.crossable() && (mesh.triangles()[edge.left].type != mesh.triangles()[edge.right].type ||
                             !mesh.slopesAlike(edge.left, edge.right)))
      meet[edge.a] = meet[edge.b] = 1;
  for (std::uint32_t e = 0; e < mesh.edges().size(); ++e) {
    points.start_.push_back(static_cast<std::uint32_t>(points.places_.size()));
    const RegionMesh::Edge& edge = mesh.edges()[e];
    if (!edge.crossable()) continue;
    const auto first = [&](std::uint32_t corner) {
      return std::max(share * reach[corner], meet[corner] ? finest : coarse);
    };
    points.addEdge(mesh, e, first(edge.a), first(edge.b), factor - 1, factor - 1, finest,
                   std::max(length(mesh.corners()[edge.b] - mesh.corners()[edge.a]) / pieces, kPieces));
  }
  points.endEdges();
  points.joint_ = jointsOf(mesh);
  for (std::uint32_t e = 0; e < mesh.edges().size(); ++e) {
    Point last = mesh.corners()[mesh.edges()[e].a];
    for (std::uint32_t i = points.begin(e); i < points.end(e); ++i) {
      points.widest_gap_ = std::max(points.widest_gap_, length(points.place(i) - last));
      last = points.place(i);
    }
  }
  return points;
}

void SteinerPoints::addEdge(const RegionMesh& mesh, std::uint32_t edge, double first_a, double first_b, double grows_a,
                            double grows_b, double finest, double most) {
  const Segment line = mesh.segment(edge);
  const double whole = length(line.b - line.a);
  // Where the intervals of both ends are as long as one another; larger ones beyond are left out.
  const double meet = whole * grows_b / (grows_a + grows_b);
  std::vector<double> from_a, from_b;
  distancesFrom(first_a, grows_a, finest, most, meet, from_a);
  distancesFrom(first_b, grows_b, finest, most, whole - meet, from_b);
  if (from_a.empty() && from_b.empty()) from_a.push_back(whole / 2);
  for (const double d : from_a) places_.push_back(line.a + (line.b - line.a) * (d / whole));
  for (std::size_t i = from_b.size(); i-- > 0;) places_.push_back(line.b + (line.a - line.b) * (from_b[i] / whole));
  edge_.resize(places_.size(), edge);
}

void trianglesAt(const RegionMesh& mesh, Point place, std::uint16_t floor, std::span<const float> weights,
                 std::vector<std::uint32_t>& found) {
  found.clear();
  mesh.near(place, place, floor, [&](std::uint32_t t) {
    if (weights[mesh.triangles()[t].type] < std::numeric_limits<float>::infinity() &&
        mesh.contains(mesh.triangles()[t], place))
      found.push_back(t);
  });
}

double leastWeight(std::span<const float> weights) {
  float least = std::numeric_limits<float>::infinity();
  for (const float w : weights) least = std::min(least, w);
  return static_cast<double>(least);
}

namespace {

/// Nodes are the corners, then the points.
class SteinerSearch {
 public:
  SteinerSearch(const RegionMesh& mesh, const SteinerPoints& points, const RegionQuery& query, SteinerScratch& scratch,
                std::span<const std::uint8_t> chosen)
      : mesh_(mesh),
        points_(points),
        query_(query),
        s_(scratch),
        chosen_(chosen),
        least_(leastWeight(query.weights)),
        first_point_(static_cast<std::uint32_t>(mesh.corners().size())),
        heap_(scratch.heap, PlaceInHeap{scratch.nodes}) {}

  void run(RegionWay& way) {
    begin();
    way.points.clear(), way.cost = kNoWay, way.explored = 0;
    if (s_.from.empty() || s_.to.empty()) return;
    for (const std::uint32_t t : s_.from) {
      tryGoal(t, query_.from, 0, weight(t), kStart);
      leaveStart(t);
    }
    while (!heap_.empty() && heap_.least() < goal_cost_) {
      const std::uint32_t node = heap_.pop();
      ++way.explored;
      if (node >= first_point_)
        leavePoint(node - first_point_);
      else
        leaveCorner(node);
    }
    if (goal_cost_ == kNoWay) return;
    way.cost = goal_cost_;
    way.points.push_back(query_.to);
    for (std::uint32_t n = goal_before_; n != kStart; n = s_.nodes[n].before) way.points.push_back(placeOf(n));
    way.points.push_back(query_.from);
    std::reverse(way.points.begin(), way.points.end());
  }

 private:
  struct PlaceInHeap {
    std::vector<SteinerScratch::Node>& nodes;
    std::uint32_t& operator()(std::uint32_t node) const { return nodes[node].slot; }
  };
  using Heap = OpenHeap<double, PlaceInHeap>;
  static constexpr SteinerScratch::Node kUnknown{RegionMesh::kNone, RegionMesh::kNone, Heap::kDone};

  void begin() {
    if (++s_.search == 0) {
      s_.corner_of.clear(), s_.edge_of.clear();
      s_.search = 1;
    }
    if (s_.corner_of.size() < mesh_.corners().size()) s_.corner_of.resize(mesh_.corners().size(), 0);
    if (s_.edge_of.size() < mesh_.edges().size()) s_.edge_of.resize(mesh_.edges().size(), 0);
    if (s_.nodes.size() < first_point_ + points_.size()) {
      s_.nodes.resize(first_point_ + points_.size());
      s_.costs.resize(s_.nodes.size());
    }
    if (s_.group_most.size() < points_.groups().size()) s_.group_most.resize(points_.groups().size());
    s_.heap.clear();
    s_.kept.assign(chosen_.empty() ? 0 : mesh_.corners().size(), 0);
    for (std::uint32_t e = 0; e < chosen_.size(); ++e)
      if (chosen_[e]) s_.kept[mesh_.edges()[e].a] = s_.kept[mesh_.edges()[e].b] = 1;
    trianglesAt(mesh_, query_.from, query_.layer, query_.weights, s_.from);
    trianglesAt(mesh_, query_.to, query_.goal_layer, query_.weights, s_.to);
  }

  double weight(std::uint32_t t) const {
    return t == RegionMesh::kNone ? kNoWay : static_cast<double>(query_.weights[mesh_.triangles()[t].type]);
  }
  /// Of going along an edge: that of the cheaper side. Its ends are as high on both.
  double crawling(const RegionMesh::Edge& e) const { return std::min(weight(e.left), weight(e.right)); }
  double costAlong(const RegionMesh::Edge& e, double w, Point way) const {
    return costWithin(mesh_, e.left != RegionMesh::kNone ? e.left : e.right, w, query_.climb, way);
  }
  double costThrough(std::uint32_t t, double w, Point way) const { return costWithin(mesh_, t, w, query_.climb, way); }
  bool isChosen(std::uint32_t e) const { return chosen_.empty() || chosen_[e]; }
  Point placeOf(std::uint32_t node) const {
    return node >= first_point_ ? points_.place(node - first_point_) : mesh_.corners()[node];
  }

  /// At less cost than known.
  void reach(std::uint32_t number, Point place, double cost, std::uint32_t before, std::uint32_t through) {
    s_.costs[number] = cost;
    const double least = cost + least_ * length(query_.to - place);
    if (least >= goal_cost_) return;
    SteinerScratch::Node& node = s_.nodes[number];
    const bool waits = node.slot != Heap::kDone;
    node = {before, through, node.slot};
    if (waits)
      heap_.improve({least, number});
    else
      heap_.add({least, number});
  }
  void reachCorner(std::uint32_t c, double cost, std::uint32_t before) {
    if (!s_.kept.empty() && !s_.kept[c]) return;
    if (s_.corner_of[c] != s_.search) s_.corner_of[c] = s_.search, s_.nodes[c] = kUnknown, s_.costs[c] = kNoWay;
    if (cost < s_.costs[c]) reach(c, mesh_.corners()[c], cost, before, RegionMesh::kNone);
  }
  void touchEdge(std::uint32_t e) {
    if (s_.edge_of[e] == s_.search) return;
    s_.edge_of[e] = s_.search;
    const auto first = first_point_ + points_.begin(e), end = first_point_ + points_.end(e);
    std::fill(s_.nodes.begin() + first, s_.nodes.begin() + end, kUnknown);
    std::fill(s_.costs.begin() + first, s_.costs.begin() + end, kNoWay);
    const std::uint32_t group = points_.firstGroup(e);
    std::fill_n(s_.group_most.begin() + group, (end - first + SteinerPoints::kGroup - 1) / SteinerPoints::kGroup,
                kNoWay);
  }
  void reachPoint(std::uint32_t point, double cost, std::uint32_t before, std::uint32_t through) {
    if (cost < s_.costs[first_point_ + point]) reach(first_point_ + point, points_.place(point), cost, before, through);
  }

  /// Straight through a triangle to all points of one of its edges. Groups of them to which all know a cheaper way are
  /// passed over.
  void cross(std::uint32_t t, std::uint32_t e, Point at, double cost, double w, std::uint32_t before) {
    if (!isChosen(e)) return;
    touchEdge(e);
    constexpr std::uint32_t kGroup = SteinerPoints::kGroup;
    std::uint32_t group = points_.firstGroup(e);
    for (std::uint32_t i = points_.begin(e), end = points_.end(e); i < end; i += kGroup, ++group) {
      const SteinerPoints::Group& all = points_.groups()[group];
      if (cost + w * (length(all.middle - at) - all.half) >= s_.group_most[group]) continue;
      double there[kGroup];
      const std::uint32_t count = std::min(kGroup, end - i);
      for (std::uint32_t k = 0; k < count; ++k) there[k] = cost + w * length(points_.place(i + k) - at);
      if (query_.climb > 0)
        for (std::uint32_t k = 0; k < count; ++k) there[k] = cost + costThrough(t, w, points_.place(i + k) - at);
      double most = 0;
      for (std::uint32_t k = 0; k < count; ++k) {
        if (there[k] < s_.costs[first_point_ + i + k])
          reach(first_point_ + i + k, points_.place(i + k), there[k], before, t);
        most = std::max(most, s_.costs[first_point_ + i + k]);
      }
      s_.group_most[group] = most;
    }
  }
  void tryGoal(std::uint32_t t, Point at, double cost, double w, std::uint32_t before) {
    if (std::find(s_.to.begin(), s_.to.end(), t) == s_.to.end()) return;
    const double there = cost + costThrough(t, w, query_.to - at);
    if (there < goal_cost_) goal_cost_ = there, goal_before_ = before;
  }

  void leaveStart(std::uint32_t t) {
    const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
    for (std::size_t i = 0; i < 3; ++i) {
      cross(t, triangle.edge[i], query_.from, 0, weight(t), kStart);
      reachCorner(triangle.corner[i], costThrough(t, weight(t), mesh_.corners()[triangle.corner[i]] - query_.from),
                  kStart);
    }
  }

  void leavePoint(std::uint32_t point) {
    const std::uint32_t self = first_point_ + point, e = points_.edgeOf(point);
    const SteinerScratch::Node node = s_.nodes[self];
    const double cost = s_.costs[self];
    const RegionMesh::Edge& edge = mesh_.edges()[e];
    const Point at = points_.place(point);
    // Who has come through a triangle does not turn back into it at once: straight on would have been shorter.
    for (const std::uint32_t t : {edge.left, edge.right}) {
      const double w = weight(t);
      if (t == node.through || w == kNoWay) continue;
      const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
      const std::size_t side = RegionMesh::sideOf(triangle, e);
      tryGoal(t, at, cost, w, self);
      cross(t, triangle.edge[(side + 1) % 3], at, cost, w, self);
      cross(t, triangle.edge[(side + 2) % 3], at, cost, w, self);
      const std::uint32_t opposite = triangle.corner[(side + 2) % 3];
      reachCorner(opposite, cost + costThrough(t, w, mesh_.corners()[opposite] - at), self);
    }
    const double w = crawling(edge);
    if (point > points_.begin(e))
      reachPoint(point - 1, cost + costAlong(edge, w, points_.place(point - 1) - at), self, RegionMesh::kNone);
    else
      reachCorner(edge.a, cost + costAlong(edge, w, mesh_.corners()[edge.a] - at), self);
    if (point + 1 < points_.end(e))
      reachPoint(point + 1, cost + costAlong(edge, w, points_.place(point + 1) - at), self, RegionMesh::kNone);
    else
      reachCorner(edge.b, cost + costAlong(edge, w, mesh_.corners()[edge.b] - at), self);
  }

  void leaveCorner(std::uint32_t c) {
    const double cost = s_.costs[c];
    const Point at = mesh_.corners()[c];
    for (const std::uint32_t t : mesh_.around(c)) {
      const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
      const std::size_t i = triangle.corner[0] == c ? 0 : triangle.corner[1] == c ? 1 : 2;
      for (const std::size_t side : {i, (i + 2) % 3}) leaveAlong(triangle.edge[side], c, at, cost);
      const double w = weight(t);
      if (w == kNoWay) continue;
      tryGoal(t, at, cost, w, c);
      cross(t, triangle.edge[(i + 1) % 3], at, cost, w, c);
    }
  }

  void leaveAlong(std::uint32_t e, std::uint32_t c, Point at, double cost) {
    const RegionMesh::Edge& edge = mesh_.edges()[e];
    const double w = crawling(edge);
    if (w == kNoWay) return;
    const std::uint32_t other = edge.a == c ? edge.b : edge.a;
    reachCorner(other, cost + costAlong(edge, w, mesh_.corners()[other] - at), c);
    if (!isChosen(e) || points_.begin(e) == points_.end(e)) return;
    touchEdge(e);
    const std::uint32_t next = edge.a == c ? points_.begin(e) : points_.end(e) - 1;
    reachPoint(next, cost + costAlong(edge, w, points_.place(next) - at), c, RegionMesh::kNone);
  }

  const RegionMesh& mesh_;
  const SteinerPoints& points_;
  const RegionQuery& query_;
  SteinerScratch& s_;
  const std::span<const std::uint8_t> chosen_;
  const double least_;
  const std::uint32_t first_point_;
  Heap heap_;
  double goal_cost_ = kNoWay;
  std::uint32_t goal_before_ = kStart;
};

}  // namespace

void searchSteiner(const RegionMesh& mesh, const SteinerPoints& points, const RegionQuery& query,
                   SteinerScratch& scratch, RegionWay& way, std::span<const std::uint8_t> chosen) {
  SteinerSearch(mesh, points, query, scratch, chosen).run(way);
}

}  // namespace throng::planning
