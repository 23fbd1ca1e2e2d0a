// A surface of cells is triangulated anew with corners at walls only: every side is then a straight line from wall to
// wall, and no triangle lies above itself, so that enough lines to cut at are always among the sides. Triangles are put
// together over the widest sides first (as Kruskal 1956 puts a tree together), as long as nothing comes to lie above
// itself; what is left apart is cut there.
#include "import/walkable_surface_chords.h"

#include <cassert>
#include <cmath>
#include <tuple>

#include "geometry/predicates.h"

namespace throng::import {
namespace {

/// A surface in triangles, which lie side by side in plan but may as a whole lie above one another.
class Sheet {
 public:
  struct Triangle {
    std::array<Spot, 3> v;
    std::array<double, 3> z{};  ///< m
    std::array<std::uint32_t, 3> n{kNone, kNone, kNone};
    std::uint8_t walled = 0;  ///< bit k: corner k is at a wall
    bool gone = false;
  };

  Sheet(const Cells& all, const std::vector<std::uint32_t>& cells, std::vector<std::uint32_t>& position) {
    for (std::uint32_t i = 0; i < cells.size(); ++i) position[cells[i]] = i;
    triangles_.resize(cells.size());
    for (std::uint32_t i = 0; i < cells.size(); ++i) {
      const Cell& cell = all.cells[cells[i]];
      Triangle& t = triangles_[i];
      for (std::size_t k = 0; k < 3; ++k) {
        t.v[k] = all.plan->spot(all.plan->triangles()[cell.triangle].v[k]);
        t.z[k] = all.heightAt(cell, all.corner(cell, k));
        if (cell.link[k] != kNone) t.n[k] = position[cell.link[k]];
      }
    }
    for (std::uint32_t i = 0; i < triangles_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        if (atWall(i, k)) triangles_[i].walled = static_cast<std::uint8_t>(triangles_[i].walled | 1u << k);
    takeOutInnerCorners();
    flipToDelaunay();
  }

  const std::vector<Triangle>& triangles() const { return triangles_; }

 private:
  struct Corner {
    std::uint32_t triangle;
    std::size_t k;
  };
  struct RingCorner {
    Spot at;
    double z;
    bool walled;
    std::uint32_t outside;  ///< the triangle beyond the side that begins here, and which of its sides that is
    std::size_t side;
  };

  std::size_t sideOf(std::uint32_t t, std::uint32_t neighbour) const {
    const auto& n = triangles_[t].n;
    return n[0] == neighbour ? 0 : n[1] == neighbour ? 1 : 2;
  }
  /// The next triangle around a corner, counter-clockwise; kNone at a wall.
  Corner around(Corner c) const {
    const std::uint32_t next = triangles_[c.triangle].n[(c.k + 2) % 3];
    return next == kNone ? Corner{kNone, 0} : Corner{next, sideOf(next, c.triangle)};
  }
  bool atWall(std::uint32_t triangle, std::size_t k) const {
    Corner c = around({triangle, k});
    while (c.triangle != kNone && c.triangle != triangle) c = around(c);
    return c.triangle == kNone;
  }

  void takeOutInnerCorners() {
    std::vector<std::uint32_t> open(triangles_.size());
    for (std::uint32_t i = 0; i < open.size(); ++i) open[i] = i;
    while (!open.empty()) {
      const std::uint32_t t = open.back();
      open.pop_back();
      for (std::size_t k = 0; k < 3 && !triangles_[t].gone; ++k)
        if (!(triangles_[t].walled >> k & 1)) {
          takeOut({t, k}, open);
          break;
        }
    }
  }

  /// The triangles around a corner become triangles between their other corners.
  void takeOut(Corner inner, std::vector<std::uint32_t>& open) {
    ring_.clear(), free_.clear();
    Corner c = inner;
    do {
      const Triangle& t = triangles_[c.triangle];
      const std::size_t p = (c.k + 1) % 3;
      const std::uint32_t outside = t.n[p];
      ring_.push_back(
          {t.v[p], t.z[p], (t.walled >> p & 1) != 0, outside, outside == kNone ? 0 : sideOf(outside, c.triangle)});
      free_.push_back(c.triangle);
      c = around(c);
    } while (c.triangle != inner.triangle);
    for (const std::uint32_t t : free_) triangles_[t].gone = true;
    while (ring_.size() >= 3) {
      const std::size_t n = ring_.size(), i = ear(), before = (i + n - 1) % n, after = (i + 1) % n;
      const std::uint32_t id = free_.back();
      free_.pop_back();
      Triangle& t = triangles_[id];
      t = {};
      const std::array<std::size_t, 3> corner{before, i, after};
      for (std::size_t k = 0; k < 3; ++k) {
        t.v[k] = ring_[corner[k]].at, t.z[k] = ring_[corner[k]].z;
        t.walled = static_cast<std::uint8_t>(t.walled | (ring_[corner[k]].walled ? 1u : 0u) << k);
      }
      const auto attach = [&](std::size_t k, const RingCorner& side) {
        t.n[k] = side.outside;
        if (side.outside != kNone) triangles_[side.outside].n[side.side] = id;
      };
      attach(0, ring_[before]), attach(1, ring_[i]);
      if (n == 3) attach(2, ring_[after]);
      ring_[before].outside = id, ring_[before].side = 2;
      ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(i));
      open.push_back(id);
      if (n == 3) break;
    }
  }

  /// A corner of the ring that can be cut off.
  std::size_t ear() const {
    const std::size_t n = ring_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Spot p = ring_[(i + n - 1) % n].at, q = ring_[i].at, r = ring_[(i + 1) % n].at;
      if (cross(p, q, r) <= 0) continue;
      bool empty = true;
      for (std::size_t j = 2; j + 1 < n && empty; ++j) {
        const Spot o = ring_[(i + j) % n].at;
        empty = cross(p, q, o) < 0 || cross(q, r, o) < 0 || cross(r, p, o) < 0;
      }
      if (empty) return i;
    }
    assert(false && "a ring without an ear");
    return 0;
  }

  void flipToDelaunay() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> doubtful;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      for (const std::uint32_t u : triangles_[t].n)
        if (!triangles_[t].gone && u != kNone && t < u) doubtful.emplace_back(t, u);
    while (!doubtful.empty()) {
      const auto [t, u] = doubtful.back();
      doubtful.pop_back();
      const std::size_t i = sideOf(t, u), j = sideOf(u, t);
      Triangle &one = triangles_[t], &two = triangles_[u];
      if (one.n[i] != u || two.n[j] != t) continue;
      if (!inCircle(one.v[0], one.v[1], one.v[2], two.v[(j + 2) % 3])) continue;
      flip(t, i, u, j);
      for (const std::uint32_t changed : {t, u})
        for (const std::uint32_t beyond : triangles_[changed].n)
          if (beyond != kNone && beyond != t && beyond != u) doubtful.emplace_back(changed, beyond);
    }
  }

  /// (a, b, p) and (b, a, q) become (p, a, q) and (q, b, p).
  void flip(std::uint32_t t, std::size_t i, std::uint32_t u, std::size_t j) {
    const Triangle one = triangles_[t], two = triangles_[u];
    const auto build = [](Triangle& to, std::initializer_list<std::pair<const Triangle*, std::size_t>> corners) {
      std::size_t k = 0;
      to.walled = 0;
      for (const auto& [from, c] : corners) {
        to.v[k] = from->v[c], to.z[k] = from->z[c];
        to.walled = static_cast<std::uint8_t>(to.walled | (from->walled >> c & 1u) << k);
        ++k;
      }
    };
    const std::size_t a = i, b = (i + 1) % 3, p = (i + 2) % 3, q = (j + 2) % 3;
    build(triangles_[t], {{&one, p}, {&one, a}, {&two, q}});
    build(triangles_[u], {{&two, q}, {&one, b}, {&one, p}});
    const std::uint32_t bp = one.n[b], pa = one.n[p], aq = two.n[(j + 1) % 3], qb = two.n[q];
    const std::size_t side_bp = bp == kNone ? 0 : sideOf(bp, t), side_aq = aq == kNone ? 0 : sideOf(aq, u);
    triangles_[t].n = {pa, aq, u}, triangles_[u].n = {qb, bp, t};
    if (bp != kNone) triangles_[bp].n[side_bp] = u;
    if (aq != kNone) triangles_[aq].n[side_aq] = t;
  }

  std::vector<Triangle> triangles_;
  std::vector<RingCorner> ring_;
  std::vector<std::uint32_t> free_;
};

/// Distance of a triangle from a line, in spacings of the grid.
double apart(const std::array<Spot, 3>& t, Spot a, Spot b) {
  const auto point = [](Spot s) { return Point{double(s.x), double(s.y)}; };
  bool inside = true;
  double least = 1e300;
  for (std::size_t i = 0; i < 3; ++i) {
    const Spot p = t[i], q = t[(i + 1) % 3];
    inside = inside && cross(p, q, a) >= 0;
    if (geometry::segmentsIntersect(point(p), point(q), point(a), point(b))) return 0;
    for (const Spot end : {a, b}) least = std::min(least, geometry::distanceToSegment(point(end), point(p), point(q)));
    least = std::min(least, geometry::distanceToSegment(point(p), point(a), point(b)));
  }
  return inside ? 0 : least;
}

class Cutting {
 public:
  Cutting(const Sheet& sheet, const PlanGrid& grid) : triangles_(sheet.triangles()), grid_(grid) {
    std::vector<SpotBox> boxes;
    boxes.reserve(triangles_.size());
    for (const Sheet::Triangle& t : triangles_) boxes.push_back(boxOf(t.v));
    index_ = BoxIndex(std::move(boxes));
    findPassages();
  }

  void run(std::vector<Cut>& cuts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> against = overlaps();
    constexpr int kRounds = 100;  // every round keeps something apart that was not; mostly there are two or three
    for (int round = 0; round < kRounds; ++round) {
      Clusters clusters(triangles_.size());
      for (const auto& [t, u] : against) clusters.oppose(t, u);
      for (const Passage& p : first_) clusters.join(p.t, triangles_[p.t].n[p.side]);
      for (const Passage& p : passages_) clusters.join(p.t, triangles_[p.t].n[p.side]);
      const std::size_t before = against.size() + first_.size();
      cut_.clear();
      for (const Passage& p : passages_)
        if (clusters.rootOf(p.t) != clusters.rootOf(triangles_[p.t].n[p.side])) cut_.push_back(p);
      for (const Passage& p : cut_) findIntruders(p, clusters, against);
      if (against.size() + first_.size() == before) break;
    }
    for (const Passage& p : cut_) {
      const Sheet::Triangle& t = triangles_[p.t];
      cuts.push_back({t.v[p.side], t.v[(p.side + 1) % 3], t.z[p.side]});
    }
  }

 private:
  struct Passage {
    std::uint32_t t;
    std::size_t side;
    std::int64_t width, height;  ///< cm
  };

  /// Pairs of triangles one above the other.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> overlaps() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      if (!triangles_[t].gone)
        index_.query(index_.box(t), [&](std::uint32_t u) {
          if (u > t && !triangles_[u].gone && insidesMeet(triangles_[t].v, triangles_[u].v)) pairs.emplace_back(t, u);
        });
    return pairs;
  }

  /// A cut has one layer on either side of it and nothing else of the two layers near it, but what is connected with
  /// it there. Whatever comes near must go to another layer.
  void findIntruders(const Passage& p, Clusters& clusters,
                     std::vector<std::pair<std::uint32_t, std::uint32_t>>& against) {
    constexpr double kNear = 0.1;  // m
    const std::uint32_t one = p.t, two = triangles_[p.t].n[p.side];
    const Spot a = triangles_[p.t].v[p.side], b = triangles_[p.t].v[(p.side + 1) % 3];
    const std::int32_t margin = spots(kNear, grid_);
    near_.clear();
    index_.query(SpotBox::around(a, b).widened(margin), [&](std::uint32_t t) {
      if (!triangles_[t].gone && apart(triangles_[t].v, a, b) < margin) near_.push_back(t);
    });
    std::sort(near_.begin(), near_.end());
    reached_.assign(near_.size(), false);
    const auto placeOf = [&](std::uint32_t t) {
      const auto at = std::lower_bound(near_.begin(), near_.end(), t);
      return at != near_.end() && *at == t ? static_cast<std::size_t>(at - near_.begin()) : near_.size();
    };
    std::vector<std::size_t> stack{placeOf(one), placeOf(two)};
    for (const std::size_t at : stack) reached_[at] = true;
    while (!stack.empty()) {
      const std::uint32_t t = near_[stack.back()];
      stack.pop_back();
      for (const std::uint32_t next : triangles_[t].n)
        if (const std::size_t at = next == kNone ? near_.size() : placeOf(next); at < near_.size() && !reached_[at])
          reached_[at] = true, stack.push_back(at);
    }
    keepCutsApart(p, clusters);
    for (std::size_t k = 0; k < near_.size(); ++k)
      for (const std::uint32_t side : {one, two})
        if (!reached_[k] && clusters.rootOf(near_[k]) == clusters.rootOf(side)) against.emplace_back(near_[k], side);
  }

  /// Nor is another cut of the same surface near it: between the two there would be next to nothing. What lies there
  /// goes to one of the layers beside it before anything else does.
  void keepCutsApart(const Passage& p, Clusters& clusters) {
    for (const Passage& other : cut_) {
      const std::uint32_t t = other.t, u = triangles_[t].n[other.side];
      if (t == p.t && other.side == p.side) return;  // the later of the two goes
      const auto near = [&](std::uint32_t triangle) {
        const auto at = std::lower_bound(near_.begin(), near_.end(), triangle);
        return at != near_.end() && *at == triangle && reached_[static_cast<std::size_t>(at - near_.begin())];
      };
      if (!near(t) || !near(u)) continue;
      const std::array<std::uint32_t, 2> here{clusters.rootOf(p.t), clusters.rootOf(triangles_[p.t].n[p.side])};
      const std::array<std::uint32_t, 2> there{clusters.rootOf(t), clusters.rootOf(u)};
      const bool same = (here[0] == there[0] && here[1] == there[1]) || (here[0] == there[1] && here[1] == there[0]);
      if (same) continue;
      first_.push_back(p);
      return;
    }
  }

  /// From wide to narrow and from low to high. In centimetres: what is equal in the model stays so when it is turned.
  void findPassages() {
    constexpr double kCentimetre = 0.01;  // m
    const auto whole = [](double metres) { return std::llround(metres / kCentimetre); };
    const auto lowest = [](const Sheet::Triangle& s) { return std::min({s.z[0], s.z[1], s.z[2]}); };
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      for (std::size_t i = 0; i < 3; ++i) {
        const Sheet::Triangle& one = triangles_[t];
        if (one.gone || one.n[i] == kNone || one.n[i] < t) continue;
        const Sheet::Triangle& two = triangles_[one.n[i]];
        const double wide = length(grid_.point(one.v[i]) - grid_.point(one.v[(i + 1) % 3]));
        passages_.push_back({t, i, whole(wide), whole(std::max(lowest(one), lowest(two)))});
      }
    std::sort(passages_.begin(), passages_.end(), [](const Passage& p, const Passage& q) {
      return std::tuple(-p.width, p.height, p.t, p.side) < std::tuple(-q.width, q.height, q.t, q.side);
    });
  }

  const std::vector<Sheet::Triangle>& triangles_;
  const PlanGrid& grid_;
  BoxIndex index_;
  std::vector<Passage> passages_, cut_;
  std::vector<Passage> first_;       ///< to be joined over before all others
  std::vector<std::uint32_t> near_;  ///< ascending
  std::vector<bool> reached_;
};

}  // namespace

std::vector<Cut> findCuts(const Cells& all, const std::vector<bool>& kept) {
  std::vector<Cut> cuts;
  std::vector<std::uint32_t> of(all.cells.size(), kNone), position(all.cells.size(), kNone), surface;
  std::uint32_t surfaces = 0;
  for (std::uint32_t seed = 0; seed < all.cells.size(); ++seed) {
    if (!kept[seed] || of[seed] != kNone) continue;
    const std::uint32_t id = surfaces++;
    of[seed] = id, surface.assign(1, seed);
    for (std::size_t k = 0; k < surface.size(); ++k)
      for (const std::uint32_t next : all.cells[surface[k]].link)
        if (next != kNone && of[next] == kNone) of[next] = id, surface.push_back(next);
    const bool above_itself = std::any_of(surface.begin(), surface.end(), [&](std::uint32_t c) {
      const std::uint32_t t = all.cells[c].triangle;
      for (std::uint32_t o = all.first[t]; o < all.first[t + 1]; ++o)
        if (o != c && of[o] == id) return true;
      return false;
    });
    if (!above_itself) continue;
    const Sheet sheet(all, surface, position);
    Cutting(sheet, all.faces->grid).run(cuts);
  }
  return cuts;
}

Clusters::Clusters(std::size_t count) : parent_(count), against_(count) {
  for (std::uint32_t i = 0; i < count; ++i) parent_[i] = i;
}

std::uint32_t Clusters::rootOf(std::uint32_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void Clusters::oppose(std::uint32_t a, std::uint32_t b) {
  a = rootOf(a), b = rootOf(b);
  if (a == b) return;
  against_[a].insert(b), against_[b].insert(a);
}

void Clusters::join(std::uint32_t a, std::uint32_t b) {
  a = rootOf(a), b = rootOf(b);
  if (a == b || against_[a].count(b) > 0) return;
  if (against_[a].size() < against_[b].size()) std::swap(a, b);
  parent_[b] = a;
  for (const std::uint32_t other : against_[b]) {
    against_[other].erase(b);
    against_[other].insert(a), against_[a].insert(other);
  }
  against_[b].clear();
}

}  // namespace throng::import
