#include "import/walkable_surface_cells.h"

#include <cmath>

namespace throng::import {
namespace {

/// Three times the middle of a triangle, exactly.
struct TripledSpot {
  std::int64_t x = 0, y = 0;
};

/// Every place belongs to one of two triangles that share a side: one on the side belongs to the triangle for which it
/// is a lower or left one.
bool contains(const std::array<Spot, 3>& triangle, TripledSpot p) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Spot a = triangle[i], b = triangle[(i + 1) % 3];
    const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
    const std::int64_t side = dx * (p.y - 3 * std::int64_t{a.y}) - dy * (p.x - 3 * std::int64_t{a.x});
    if (side < 0 || (side == 0 && !(dy < 0 || (dy == 0 && dx > 0)))) return false;
  }
  return true;
}

/// Nearer than `margin` to a triangle, in spacings of the grid.
bool nearTo(const std::array<Spot, 3>& triangle, TripledSpot p, double margin) {
  const Point at{static_cast<double>(p.x) / 3, static_cast<double>(p.y) / 3};
  bool inside = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point a{double(triangle[i].x), double(triangle[i].y)};
    const Point side = Point{double(triangle[(i + 1) % 3].x), double(triangle[(i + 1) % 3].y)} - a;
    inside = inside && det(side, at - a) >= 0;
    const double along = std::clamp(dot(at - a, side) / std::max(1.0, lengthSquared(side)), 0.0, 1.0);
    if (lengthSquared(at - a - side * along) <= margin * margin) return true;
  }
  return inside;
}

/// Finds the heights to stand at in one triangle of the plan.
class Standing {
 public:
  Standing(const Faces& faces, const Walkability& w)
      : faces_(faces), step_(w.step_height + kSameHeight), body_(w.body_height - kSameHeight) {}

  void add(const Triangulation& plan, std::uint32_t id, std::vector<Cell>& cells) {
    const auto& v = plan.triangles()[id].v;
    const std::array<Spot, 3> corner{plan.spot(v[0]), plan.spot(v[1]), plan.spot(v[2])};
    const TripledSpot middle{std::int64_t{corner[0].x} + corner[1].x + corner[2].x,
                             std::int64_t{corner[0].y} + corner[1].y + corner[2].y};
    collect(corner, middle);
    const std::size_t begin = cells.size();
    for (const Candidate& c : flat_)
      if (c.walkable && !superseded(c) && !blocked(c.height)) cells.push_back({id, c.face});
    const Point at = place(middle);
    std::sort(cells.begin() + static_cast<std::ptrdiff_t>(begin), cells.end(), [&](const Cell& s, const Cell& t) {
      const double a = faces_.faces[s.face].plane.at(at), b = faces_.faces[t.face].plane.at(at);
      return a != b ? a < b : s.face < t.face;
    });
  }

 private:
  struct Candidate {
    double height = 0;
    std::uint32_t face = 0;
    bool walkable = false;
    bool beside = false;  ///< the place is a hair's breadth outside the face
  };

  Point place(TripledSpot p) const {
    const PlanGrid& grid = faces_.grid;
    return {grid.origin.x + static_cast<double>(p.x) * (grid.spacing / 3),
            grid.origin.y + static_cast<double>(p.y) * (grid.spacing / 3)};
  }

  void collect(const std::array<Spot, 3>& corner, TripledSpot middle) {
    flat_.clear(), heights_.clear();
    // In triangles without width the ground goes on from both sides: a crack, or a corner of one triangle almost on the
    // side of another.
    double longest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Spot a = corner[i], b = corner[(i + 1) % 3];
      const double dx = double(b.x) - a.x, dy = double(b.y) - a.y;
      longest = std::max(longest, std::sqrt(dx * dx + dy * dy));
    }
    const PlanGrid& grid = faces_.grid;
    const bool thin = static_cast<double>(cross(corner[0], corner[1], corner[2])) / longest < kThin / grid.spacing;
    const Spot around{static_cast<std::int32_t>(middle.x / 3), static_cast<std::int32_t>(middle.y / 3)};
    const std::int32_t margin = thin ? spots(kThin, grid) + 1 : 1;
    const Point at = place(middle);
    faces_.index.query(SpotBox{around, around}.widened(margin), [&](std::uint32_t id) {
      const Face& face = faces_.faces[id];
      if (!face.hasPlane()) return;
      const bool inside = contains(face.corner, middle);
      if (!inside && !(thin && face.kind == Face::Kind::kGround && nearAll(face.corner, corner))) return;
      const double height = face.heightAt(at);
      if (inside) heights_.push_back(height);
      if (face.flat()) flat_.push_back({height, id, face.kind == Face::Kind::kGround, !inside});
    });
  }

  /// Does a face run along the whole of a triangle without width? What only meets it somewhere is not its ground.
  bool nearAll(const std::array<Spot, 3>& face, const std::array<Spot, 3>& thin) const {
    return std::all_of(thin.begin(), thin.end(), [&](Spot s) {
      return nearTo(face, {3 * std::int64_t{s.x}, 3 * std::int64_t{s.y}}, kThin / faces_.grid.spacing);
    });
  }

  /// People stand on the uppermost of what lies within a step. Of the same height the first of the mesh counts.
  bool superseded(const Candidate& c) const {
    return std::any_of(flat_.begin(), flat_.end(), [&](const Candidate& o) {
      if (o.face == c.face || o.height > c.height + step_) return false;
      if (!o.walkable) return o.height > c.height - kSameHeight;
      if (o.beside != c.beside) return c.beside && o.height >= c.height - step_;
      return o.height > c.height || (o.height == c.height && o.face < c.face);
    });
  }

  bool blocked(double height) const {
    return std::any_of(heights_.begin(), heights_.end(),
                       [&](double z) { return z > height + step_ && z < height + body_; });
  }

  const Faces& faces_;
  double step_, body_;
  std::vector<Candidate> flat_;
  std::vector<double> heights_;
};

/// Which cells of neighbours one can step to.
class Linking {
 public:
  Linking(Cells& cells, const PlanGraph& graph, const Walkability& w)
      : all_(cells), graph_(graph), step_(w.step_height + kSameHeight), body_(w.body_height - kSameHeight) {}

  void add(std::uint32_t t, std::size_t i) {
    const Triangulation& plan = *all_.plan;
    const std::uint32_t u = plan.triangles()[t].n[i];
    if (u == kNone || u < t) return;  // every side once
    const std::size_t j = plan.sideAcross(t, i);
    if (all_.first[t] == all_.first[t + 1] || all_.first[u] == all_.first[u + 1]) return;
    const Cell& any = all_.cells[all_.first[t]];
    side_ = {all_.corner(any, i), all_.corner(any, (i + 1) % 3)};
    const Point middle = (side_.a + side_.b) * 0.5;
    pairs_.clear();
    const auto heights = [&](std::uint32_t triangle, std::vector<std::pair<double, std::uint32_t>>& list) {
      list.clear();
      for (std::uint32_t c = all_.first[triangle]; c < all_.first[triangle + 1]; ++c)
        list.emplace_back(all_.heightAt(all_.cells[c], middle), c);
      std::sort(list.begin(), list.end());
    };
    heights(t, here_), heights(u, there_);
    std::size_t low = 0;
    for (const auto& [a, c] : here_) {
      while (low < there_.size() && a - there_[low].first > step_) ++low;
      for (std::size_t k = low; k < there_.size() && there_[k].first - a <= step_; ++k)
        if (withinStep(c, there_[k].second)) pairs_.push_back({std::abs(a - there_[k].first), c, there_[k].second});
    }
    if (pairs_.empty()) return;
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& p, const Pair& q) {
      return p.apart != q.apart ? p.apart < q.apart : p.c != q.c ? p.c < q.c : p.d < q.d;
    });
    const bool edge = plan.triangles()[t].fixed >> i & 1;
    const auto& v = plan.triangles()[t].v;
    for (const Pair& p : pairs_) {
      Cell &c = all_.cells[p.c], &d = all_.cells[p.d];
      if (c.link[i] != kNone || d.link[j] != kNone || (edge && wallBetween(v[i], v[(i + 1) % 3], c, d))) continue;
      c.link[i] = p.d, d.link[j] = p.c;
    }
  }

 private:
  struct Pair {
    double apart;
    std::uint32_t c, d;
  };

  /// All along the side: sides are cut where that changes, but for slivers, whose sides may run along a whole ramp.
  bool withinStep(std::uint32_t c, std::uint32_t d) const {
    constexpr double kRounded = 0.005;  // m; as much as a place that is cut at may have been moved up a slope
    for (const Point end : {side_.a, side_.b})
      if (std::abs(all_.heightAt(all_.cells[c], end) - all_.heightAt(all_.cells[d], end)) > step_ + kRounded)
        return false;
    return true;
  }

  /// An upright face on the side that is in the way of a body on either.
  bool wallBetween(std::uint32_t from, std::uint32_t to, const Cell& c, const Cell& d) const {
    const PlanGraph::Edge edge{std::min(from, to), std::max(from, to)};
    auto k = std::lower_bound(graph_.sheets.begin(), graph_.sheets.end(), std::pair(edge, std::uint32_t{0}));
    for (; k != graph_.sheets.end() && k->first == edge; ++k) {
      const Upright upright(all_.faces->faces[k->second], all_.faces->grid);
      for (const double share : {0.5, 0.1, 0.9}) {
        const Point at = side_.a + (side_.b - side_.a) * share;
        const double s = std::clamp(dot(at - upright.from, upright.along), 0.0, upright.length);
        const auto [low, high] = upright.extentAt(s);
        for (const double height : {all_.heightAt(c, at), all_.heightAt(d, at)})
          if (high > height + step_ && low < height + body_) return true;
      }
    }
    return false;
  }

  Cells& all_;
  const PlanGraph& graph_;
  double step_, body_;
  std::vector<Pair> pairs_;
  std::vector<std::pair<double, std::uint32_t>> here_, there_;  ///< heights of cells, from low to high
  Segment side_;                                                ///< that is looked at
};

}  // namespace

Cells::Cells(const Faces& f, const PlanGraph& g, const Triangulation& p, const Walkability& walkability,
             const base::Threads& threads)
    : faces(&f), plan(&p), step(walkability.step_height + kSameHeight) {
  constexpr std::size_t kGrain = 512;
  const std::size_t n = plan->triangles().size();
  std::vector<std::vector<Cell>> parts((n + kGrain - 1) / kGrain);
  threads.forEach(n, kGrain, [&](std::size_t begin, std::size_t end) {
    Standing standing(*faces, walkability);
    for (std::size_t t = begin; t < end; ++t)
      if (!plan->outside(plan->triangles()[t]))
        standing.add(*plan, static_cast<std::uint32_t>(t), parts[begin / kGrain]);
  });
  first.assign(n + 1, 0);
  for (auto& part : parts) {
    for (const Cell& cell : part) ++first[cell.triangle + 1];
    cells.insert(cells.end(), part.begin(), part.end());
    part = {};
  }
  for (std::size_t t = 0; t < n; ++t) first[t + 1] += first[t];
  threads.forEach(n, kGrain, [&](std::size_t begin, std::size_t end) {
    Linking linking(*this, g, walkability);
    for (std::size_t t = begin; t < end; ++t)
      for (std::size_t i = 0; i < 3; ++i) linking.add(static_cast<std::uint32_t>(t), i);
  });
}

double Cells::area(const Cell& cell) const {
  const auto& v = plan->triangles()[cell.triangle].v;
  return static_cast<double>(cross(plan->spot(v[0]), plan->spot(v[1]), plan->spot(v[2]))) / 2 * faces->grid.spacing *
         faces->grid.spacing;
}

}  // namespace throng::import
