#include "planning/region_search.h"

#include <algorithm>
#include <cmath>

#include "base/lists.h"
#include "planning/region_blocks.h"

namespace throng::planning {
namespace {

constexpr std::uint32_t kFromStart = RegionMesh::kNone - 1;
/// What blocks tell of a way that turns often is a little too much: they know it through the middles of their gates.
constexpr float kTrust = 0.98f;
/// m: so near to a place edges have more points, and no nearer to one another than about the other.
constexpr double kNear = 30, kNextTo = 0.05;
constexpr float kNever = std::numeric_limits<float>::infinity();

/// A* over the points of edges. Where the types on both sides of an edge differ one may also go along it, at the price
/// of the cheaper side.
class FewPointSearch {
 public:
  FewPointSearch(const RegionMesh& mesh, const SteinerPoints& points, const RegionBlocks* blocks,
                 const RegionQuery& query, RegionScratch& scratch)
      : mesh_(mesh),
        points_(points),
        query_(query),
        s_(scratch),
        least_(static_cast<float>(leastWeight(query.weights))),
        first_joint_(static_cast<std::uint32_t>(points.size())),
        first_more_(first_joint_ + static_cast<std::uint32_t>(mesh.corners().size())),
        heap_(scratch.heap, PlaceInHeap{scratch.nodes}) {
    if (blocks != nullptr) to_go_.emplace(mesh, *blocks, query, scratch.blocks);
  }

  bool run(TriangleWay& way, std::size_t& explored) {
    begin();
    if (s_.from.empty() || s_.to.empty()) return false;
    if (to_go_ && !to_go_->find(s_.from, s_.to)) return false;
    for (const std::uint32_t t : s_.from) {
      tryGoal(t, query_.from, 0, kFromStart);
      const Origin origin{query_.from, 0, kFromStart, kFromStart};
      for (const std::uint32_t c : mesh_.triangles()[t].corner) reachJoint(c, t, origin, nullptr);
      for (const std::uint32_t e : mesh_.triangles()[t].edge) {
        cross(t, e, origin, nullptr);
        crawlFromStart(t, e, origin);
      }
    }
    while (!heap_.empty() && heap_.least() < goal_cost_) {
      ++explored;
      const std::uint32_t next = heap_.pop();
      if (isJoint(next))
        leaveJoint(next);
      else
        leave(next);
    }
    if (goal_cost_ == kNever) return false;
    listWay(way);
    return true;
  }

 private:
  struct PlaceInHeap {
    std::vector<RegionScratch::Node>& nodes;
    std::uint32_t& operator()(std::uint32_t node) const { return nodes[node].slot; }
  };
  using Heap = OpenHeap<float, PlaceInHeap>;

  void begin() {
    if (++s_.search == 0) {
      for (auto& node : s_.nodes) node.search = 0;
      for (auto& edge : s_.more) edge.search = 0;
      s_.search = 1;
    }
    s_.heap.clear(), s_.labels.clear(), s_.places.clear(), s_.edges.clear();
    if (s_.more.size() < mesh_.edges().size()) s_.more.resize(mesh_.edges().size());
    addPointsNear(query_.from, query_.layer);
    addPointsNear(query_.to, query_.goal_layer);
    const std::size_t count = first_more_ + s_.places.size();
    if (s_.nodes.size() < count) s_.nodes.resize(count, {});
    trianglesAt(mesh_, query_.from, query_.layer, query_.weights, s_.from);
    trianglesAt(mesh_, query_.to, query_.goal_layer, query_.weights, s_.to);
  }

  Point placeOf(std::uint32_t node) const {
    if (node < first_joint_) return points_.place(node);
    return node < first_more_ ? mesh_.corners()[node - first_joint_] : s_.places[node - first_more_];
  }
  bool isJoint(std::uint32_t node) const { return node >= first_joint_ && node < first_more_; }
  std::uint32_t edgeOf(std::uint32_t node) const {
    return node < first_joint_ ? points_.edgeOf(node) : s_.edges[node - first_more_];
  }
  std::uint32_t begin(std::uint32_t e) const {
    return s_.more[e].search == s_.search ? s_.more[e].begin : points_.begin(e);
  }
  std::uint32_t end(std::uint32_t e) const { return s_.more[e].search == s_.search ? s_.more[e].end : points_.end(e); }

  /// Where an end lies nearer to an edge than points on it lie to one another, there are more of them: from the foot of
  /// that place on either side each twice as far as the one before.
  void addPointsNear(Point place, std::uint16_t floor) {
    const Point far = Point{1, 1} * std::min(points_.widestGap(), kNear);
    s_.around.clear();
    mesh_.near(place - far, place + far, floor, [&](std::uint32_t t) {
      const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t n = triangle.beyond[i];
        if (n < t || n == RegionMesh::kNone) continue;
        s_.around.push_back(triangle.edge[i]);
      }
    });
    base::sortUnique(s_.around);
    for (const std::uint32_t e : s_.around) addPointsOn(e, place);
  }
  void addPointsOn(std::uint32_t e, Point place) {
    const Segment line = mesh_.segment(e);
    const double whole = length(line.b - line.a);
    if (!(whole > 0)) return;
    const Point direction = (line.b - line.a) / whole;
    const double foot = std::clamp(dot(direction, place - line.a), 0.0, whole);
    const double away = std::max(length(line.a + direction * foot - place), kNextTo);
    s_.along.clear();
    for (std::uint32_t i = begin(e), last = end(e); i < last; ++i)
      s_.along.push_back(dot(direction, placeOf(i) - line.a));
    const auto next = std::lower_bound(s_.along.begin(), s_.along.end(), foot);
    const double low = next == s_.along.begin() ? 0 : *(next - 1), high = next == s_.along.end() ? whole : *next;
    if (!(high - low > away)) return;
    const std::size_t known = s_.along.size();
    const auto add = [&](double at) {
      if (at > kNextTo && at < whole - kNextTo) s_.along.push_back(at);
    };
    add(foot);
    for (double d = away / 2; d < high - low; d *= 2) add(foot + d), add(foot - d);
    if (s_.along.size() == known) return;
    std::sort(s_.along.begin(), s_.along.end());
    RegionScratch::MorePoints& more = s_.more[e];
    more.search = s_.search, more.begin = first_more_ + static_cast<std::uint32_t>(s_.places.size());
    for (const double d : s_.along) s_.places.push_back(line.a + direction * d);
    more.end = first_more_ + static_cast<std::uint32_t>(s_.places.size());
    s_.edges.resize(s_.places.size(), e);
  }
  float weight(std::uint32_t t) const { return query_.weights[mesh_.triangles()[t].type]; }
  /// Straight, within a triangle or through several with the same ground.
  float within(std::uint32_t t, Point a, Point b) const {
    const float level = weight(t) * distance(a, b);
    return query_.climb > 0 ? level + static_cast<float>(query_.climb * mesh_.climb(t, b - a)) : level;
  }
  bool isAlike(std::uint32_t t, std::uint32_t n) const {
    return weight(t) == weight(n) && (!(query_.climb > 0) || mesh_.slopesAlike(t, n));
  }
  static float distance(Point a, Point b) { return static_cast<float>(length(b - a)); }

  void tryGoal(std::uint32_t t, Point at, float cost, std::uint32_t before) {
    for (const std::uint32_t goal : s_.to) {
      if (goal != t) continue;
      const float there = cost + within(t, at, query_.to);
      if (there < goal_cost_) goal_cost_ = there, goal_before_ = before, goal_through_ = t, goal_crawled_ = false;
    }
  }

  /// Where somebody sets out from: a point, and its number.
  struct Origin {
    Point at;
    float cost;
    std::uint32_t before;  ///< the last point on the way
    std::uint32_t self;
  };
  /// What can be seen from an earlier point, over edges with the same ground on both sides.
  struct Sight {
    Origin root;
    std::uint32_t left, right;  ///< corners
    Point to_left, to_right;    ///< directions

    bool shows(Point place) const {
      const Point way = place - root.at;
      return det(to_left, way) <= 0 && det(to_right, way) >= 0;
    }
  };

  void cross(std::uint32_t t, std::uint32_t e, const Origin& origin, const Sight* sight) {
    for (std::uint32_t i = begin(e), last = end(e); i < last; ++i) {
      const Point place = placeOf(i);
      if (sight && sight->shows(place))
        reach(i, sight->root.cost + within(t, sight->root.at, place), origin.before, t, sight->root, sight->left,
              sight->right);
      else
        reach(i, origin.cost + within(t, origin.at, place), origin.before, t, origin, RegionMesh::kNone,
              RegionMesh::kNone);
    }
  }

  /// Straight through a triangle to one of its corners, where it is a joint.
  void reachJoint(std::uint32_t c, std::uint32_t t, const Origin& origin, const Sight* sight) {
    if (!points_.isJoint(c)) return;
    const Point place = mesh_.corners()[c];
    const Origin& root = sight && sight->shows(place) ? sight->root : origin;
    reach(first_joint_ + c, root.cost + within(t, root.at, place), origin.before, t, root, RegionMesh::kNone,
          RegionMesh::kNone);
  }

  /// About what is left to the goal from a point.
  float restFrom(std::uint32_t i) const {
    const float straight = least_ * distance(placeOf(i), query_.to);
    if (!to_go_) return straight;
    if (isJoint(i)) {
      float best = kNever;
      for (const std::uint32_t t : mesh_.around(i - first_joint_))
        best = std::min(best, to_go_->from(placeOf(i), t, t));
      return std::max(straight, kTrust * best);
    }
    const RegionMesh::Edge& edge = mesh_.edges()[edgeOf(i)];
    return std::max(straight, kTrust * to_go_->from(placeOf(i), edge.left, edge.right));
  }

  void reach(std::uint32_t i, float cost, std::uint32_t before, std::uint32_t through, const Origin& root,
             std::uint32_t left, std::uint32_t right) {
    RegionScratch::Node& node = s_.nodes[i];
    const bool known = node.search == s_.search;
    if (known && !(cost < node.cost)) return;
    const float rest = known ? node.rest : restFrom(i);
    if (!(cost + rest < goal_cost_)) return;
    const bool waits = known && node.slot != Heap::kDone;
    node = {cost, rest, static_cast<std::uint32_t>(s_.labels.size()), s_.search, node.slot, root.self, root.cost,
            left, right};
    s_.labels.push_back({i, before, through});
    if (waits)
      heap_.improve({cost + rest, i});
    else
      heap_.add({cost + rest, i});
  }

  /// Through the edge of a point, from where it was seen. False where the ground changes there.
  bool look(const RegionScratch::Node& node, std::uint32_t through, std::uint32_t e, std::uint32_t to,
            Sight& sight) const {
    if (through == RegionMesh::kNone || !isAlike(through, to)) return false;
    sight.root = {node.root == kFromStart ? query_.from : placeOf(node.root), node.root_cost, 0, node.root};
    const RegionMesh::Triangle& triangle = mesh_.triangles()[through];
    const std::size_t side = RegionMesh::sideOf(triangle, e);
    sight.right = triangle.corner[side], sight.left = triangle.corner[(side + 1) % 3];
    const auto& corners = mesh_.corners();
    sight.to_left = corners[sight.left] - sight.root.at, sight.to_right = corners[sight.right] - sight.root.at;
    if (node.left == RegionMesh::kNone) return true;
    const Point left = corners[node.left] - sight.root.at, right = corners[node.right] - sight.root.at;
    if (det(left, sight.to_left) > 0) sight.left = node.left, sight.to_left = left;
    if (det(right, sight.to_right) < 0) sight.right = node.right, sight.to_right = right;
    return true;
  }

  /// Who has come through a triangle does not turn back into it.
  void leave(std::uint32_t i) {
    const RegionScratch::Node node = s_.nodes[i];
    const std::uint32_t e = edgeOf(i);
    const RegionMesh::Edge& edge = mesh_.edges()[e];
    const Origin here{placeOf(i), node.cost, node.label, i};
    const std::uint32_t through = s_.labels[node.label].through;
    for (const std::uint32_t t : {edge.left, edge.right}) {
      if (t == through || weight(t) == kNever) continue;
      const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
      const std::size_t side = RegionMesh::sideOf(triangle, e);
      Sight sight;
      const bool straight = look(node, through, e, t, sight);
      if (straight && sight.shows(query_.to))
        tryGoal(t, sight.root.at, sight.root.cost, node.label);
      else
        tryGoal(t, here.at, node.cost, node.label);
      crawlToGoal(t, e, here);
      cross(t, triangle.edge[(side + 1) % 3], here, straight ? &sight : nullptr);
      cross(t, triangle.edge[(side + 2) % 3], here, straight ? &sight : nullptr);
      reachJoint(triangle.corner[(side + 2) % 3], t, here, straight ? &sight : nullptr);
    }
    crawl(i, e, here);
  }

  /// Into all triangles around a corner that one gets to.
  void leaveJoint(std::uint32_t node) {
    const std::uint32_t c = node - first_joint_;
    const Origin here{mesh_.corners()[c], s_.nodes[node].cost, s_.nodes[node].label, node};
    const auto visit = [&](std::uint32_t t) {
      tryGoal(t, here.at, here.cost, here.before);
      const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t e = triangle.edge[i];
        const RegionMesh::Edge& edge = mesh_.edges()[e];
        if (triangle.corner[i] != c) reachJoint(triangle.corner[i], t, here, nullptr);
        if (edge.a != c && edge.b != c) {
          cross(t, e, here, nullptr);
        } else if (edge.crossable() && !isAlike(edge.left, edge.right)) {
          crawlTo(edge.a == c ? begin(e) : end(e) - 1, edge, here);
        }
      }
    };
    const std::uint32_t through = s_.labels[here.before].through;
    visit(through);
    if (goRound(c, through, RegionMesh::kNone, true, visit)) return;
    goRound(c, through, RegionMesh::kNone, false, visit);
  }

  static bool has(const RegionMesh::Triangle& t, std::uint32_t c) {
    return t.corner[0] == c || t.corner[1] == c || t.corner[2] == c;
  }
  static std::size_t sideAt(const RegionMesh::Triangle& t, std::uint32_t c) {
    return t.corner[0] == c ? 0 : t.corner[1] == c ? 1 : 2;
  }
  /// The triangles around a corner after one, to the left or to the right, up to another. False where a wall comes
  /// first.
  template <class Visit>
  bool goRound(std::uint32_t c, std::uint32_t from, std::uint32_t to, bool left, const Visit& visit) const {
    for (std::uint32_t t = from;;) {
      const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
      const std::size_t i = sideAt(triangle, c);
      t = triangle.beyond[left ? (i + 2) % 3 : i];
      if (t == from) return true;
      if (t == RegionMesh::kNone || weight(t) == kNever || !has(mesh_.triangles()[t], c)) return false;
      visit(t);
      if (t == to) return true;
    }
  }

  std::uint32_t across(std::uint32_t e, std::uint32_t t) const {
    const RegionMesh::Edge& edge = mesh_.edges()[e];
    return edge.left == t ? edge.right : edge.left;
  }

  /// From a place in a triangle to one on its edge: straight to the edge, at the angle at which going along it begins
  /// to pay, and then along it. Infinity where it does not pay.
  float entering(std::uint32_t t, std::uint32_t e, Point place, Point on_edge) const {
    const std::uint32_t other = across(e, t);
    if (other == RegionMesh::kNone || !(weight(other) < weight(t))) return kNever;
    const double w = static_cast<double>(weight(t)), along = static_cast<double>(weight(other));
    const Segment line = mesh_.segment(e);
    const double whole = length(line.b - line.a);
    const Point direction = (line.b - line.a) / whole;
    const double height = std::fabs(det(direction, place - line.a)), foot = dot(direction, place - line.a);
    const double end = dot(direction, on_edge - line.a);
    const double aside = height * along / std::sqrt(w * w - along * along);
    const double entry = std::clamp(end > foot ? foot + aside : foot - aside, 0.0, whole);
    if (end > foot ? entry >= end : entry <= end) return kNever;
    const double beside = entry - foot;
    const double level = w * std::sqrt(height * height + beside * beside) + along * std::fabs(end - entry);
    if (!(query_.climb > 0)) return static_cast<float>(level);
    const Point at = line.a + direction * entry;
    return static_cast<float>(level + query_.climb * (mesh_.climb(t, at - place) + mesh_.climb(t, on_edge - at)));
  }
  void crawlFromStart(std::uint32_t t, std::uint32_t e, const Origin& origin) {
    for (std::uint32_t i = begin(e), last = end(e); i < last; ++i)
      if (const float cost = entering(t, e, query_.from, placeOf(i)); cost < kNever)
        reach(i, cost, kFromStart, RegionMesh::kNone, origin, RegionMesh::kNone, RegionMesh::kNone);
  }
  void crawlToGoal(std::uint32_t t, std::uint32_t e, const Origin& here) {
    if (std::find(s_.to.begin(), s_.to.end(), t) == s_.to.end()) return;
    const float there = here.cost + entering(t, e, query_.to, here.at);
    if (there < goal_cost_) goal_cost_ = there, goal_before_ = here.before, goal_through_ = t, goal_crawled_ = true;
  }

  /// Along an edge between two types of ground.
  void crawl(std::uint32_t i, std::uint32_t e, const Origin& here) {
    const RegionMesh::Edge& edge = mesh_.edges()[e];
    const float left = weight(edge.left), right = weight(edge.right);
    if (isAlike(edge.left, edge.right)) return;
    if (i > begin(e))
      crawlTo(i - 1, edge, here);
    else
      reachJoint(edge.a, left <= right ? edge.left : edge.right, here, nullptr);
    if (i + 1 < end(e))
      crawlTo(i + 1, edge, here);
    else
      reachJoint(edge.b, left <= right ? edge.left : edge.right, here, nullptr);
  }
  void crawlTo(std::uint32_t to, const RegionMesh::Edge& edge, const Origin& here) {
    const float level = std::min(weight(edge.left), weight(edge.right)) * distance(here.at, placeOf(to));
    const double climbed = query_.climb > 0 ? query_.climb * mesh_.climb(edge.left, placeOf(to) - here.at) : 0;
    reach(to, here.cost + level + static_cast<float>(climbed), here.before, RegionMesh::kNone, here, RegionMesh::kNone,
          RegionMesh::kNone);
  }

  /// Going along an edge is going through the triangle on its cheaper side.
  std::uint32_t triangleOf(const RegionScratch::Label& label) const {
    if (label.through != RegionMesh::kNone) return label.through;
    const RegionMesh::Edge& edge = mesh_.edges()[edgeOf(label.node)];
    return weight(edge.left) <= weight(edge.right) ? edge.left : edge.right;
  }

  /// Through a corner: the shorter way round it.
  void addRound(TriangleWay& way, std::uint32_t to, std::uint32_t c) {
    const std::uint32_t from = way.triangles.back();
    bool open[2];
    int count[2] = {0, 0};
    for (const bool left : {false, true})
      open[left] = goRound(c, from, to, left, [&](std::uint32_t) { ++count[left]; });
    const bool left = open[1] && (!open[0] || count[1] < count[0]);
    std::uint32_t last = from;
    goRound(c, from, to, left, [&](std::uint32_t t) {
      const RegionMesh::Triangle& before = mesh_.triangles()[last];
      const std::size_t i = sideAt(before, c);
      way.triangles.push_back(t);
      way.edges.push_back(before.edge[left ? (i + 2) % 3 : i]);
      way.at.push_back(mesh_.corners()[c]);
      last = t;
    });
  }

  void listWay(TriangleWay& way) {
    way.clear();
    way.triangles.push_back(goal_through_);
    const auto add = [&](std::uint32_t t, std::uint32_t i) {
      if (t == way.triangles.back()) return;
      if (isJoint(i)) return addRound(way, t, i - first_joint_);
      way.triangles.push_back(t);
      way.edges.push_back(edgeOf(i));
      way.at.push_back(placeOf(i));
    };
    if (goal_crawled_) {
      const std::uint32_t last = s_.labels[goal_before_].node;
      add(across(edgeOf(last), goal_through_), last);
    }
    for (std::uint32_t l = goal_before_; l != kFromStart; l = s_.labels[l].before) {
      const RegionScratch::Label& label = s_.labels[l];
      const std::uint32_t t = triangleOf(label);
      add(t, label.node);
      if (label.before == kFromStart && label.through == RegionMesh::kNone)
        add(across(edgeOf(label.node), t), label.node);
    }
    std::reverse(way.triangles.begin(), way.triangles.end());
    std::reverse(way.edges.begin(), way.edges.end());
    std::reverse(way.at.begin(), way.at.end());
  }

  const RegionMesh& mesh_;
  const SteinerPoints& points_;
  const RegionQuery& query_;
  RegionScratch& s_;
  const float least_;
  const std::uint32_t first_joint_;  ///< nodes from this one on are corners
  const std::uint32_t first_more_;   ///< and from this one on points of this search only
  std::optional<CostToGo> to_go_;    ///< nothing: the whole map is looked at
  Heap heap_;
  float goal_cost_ = kNever;
  std::uint32_t goal_before_ = kFromStart, goal_through_ = RegionMesh::kNone;
  bool goal_crawled_ = false;  ///< along the edge of the last point first
};

}  // namespace

SteinerPoints fewPoints(const RegionMesh& mesh) {
  // Chosen on the town with seed 1 and in the scenes of docs/regions.md. Where there are few triangles many points cost
  // next to nothing.
  return mesh.triangles().size() < kFewTriangles ? SteinerPoints::few(mesh, 0.05, 2, 0.02, 0.02, 12)
                                                 : SteinerPoints::few(mesh, 0.05, 5, 0.2, 1, 3);
}

void searchRegions(const RegionMesh& mesh, const SteinerPoints& points, const RegionBlocks* blocks,
                   const RegionQuery& query, RegionScratch& scratch, RegionWay& way) {
  way.points.clear(), way.cost = std::numeric_limits<double>::infinity(), way.explored = 0;
  if (!FewPointSearch(mesh, points, blocks, query, scratch).run(scratch.way, way.explored)) return;
  scratch.weights.assign(query.weights.begin(), query.weights.end());
  constexpr int kRounds = 8;
  const auto draw = [&](std::vector<Point>& line) {
    return tighten(mesh, query.from, query.to, scratch.weights, scratch.way, scratch.tighten, line, query.climb);
  };
  way.cost = draw(way.points);
  // What is cheaper between two bends need not be so once the whole line is drawn again.
  scratch.drawn = way.points;
  for (int round = 0; round < kRounds; ++round) {
    if (!flipCorners(mesh, scratch.weights, scratch.drawn, scratch, query.climb)) break;
    const double cost = draw(scratch.drawn);
    if (!(cost < way.cost)) break;
    way.cost = cost, way.points = scratch.drawn;
  }
}

}  // namespace throng::planning
