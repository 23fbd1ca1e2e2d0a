#include "ground/ground.h"

#include <algorithm>
#include <cmath>

#include "base/narrowing.h"

namespace throng::ground {
namespace {

/// m per m; slopes that differ by less are the same.
constexpr float kBend = 1e-3f;

float side(Vec2 a, Vec2 b, Vec2 p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

float distanceSquared(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 along = b - a, to = p - a;
  const float square = dot(along, along);
  const float t = square > 0 ? std::clamp(dot(to, along) / square, 0.0f, 1.0f) : 0.0f;
  return lengthSquared(to - along * t);
}

}  // namespace

Ground::Ground(std::span<const std::array<Point3, 3>> triangles) {
  Rectangle box = geometry::kEmptyBox;
  for (std::array<Point3, 3> t : triangles) {
    const Point3 u{t[1].x - t[0].x, t[1].y - t[0].y, t[1].z - t[0].z};
    Point3 v{t[2].x - t[0].x, t[2].y - t[0].y, t[2].z - t[0].z};
    double area = u.x * v.y - u.y * v.x;
    if (area == 0) continue;
    // Cramer's rule on the two edges: the plane's rise along x and y.
    const Vec2 gradient{static_cast<float>((u.z * v.y - v.z * u.y) / area),
                        static_cast<float>((u.x * v.z - v.x * u.z) / area)};
    if (area < 0) std::swap(t[1], t[2]);
    const auto plan = [](const Point3& p) { return narrow({p.x, p.y}); };
    facets_.push_back({plan(t[0]), plan(t[1]), plan(t[2]), static_cast<float>(t[0].z), gradient});
    for (const Point3& p : t) geometry::include(box, Point{p.x, p.y});
  }
  if (facets_.empty()) return;
  // About two cells per triangle; never so many that memory is lost on a few far-away ones.
  const double width = std::max(box.max.x - box.min.x, 1e-3), height = std::max(box.max.y - box.min.y, 1e-3);
  const double cells = std::clamp(2.0 * static_cast<double>(facets_.size()), 16.0, 1e7);
  const double cell = std::max(std::sqrt(width * height / cells), std::max(width, height) / 16384);
  geometry::CellLayout<float> layout;
  layout.origin = narrow(box.min);
  layout.per_metre = static_cast<float>(1 / cell);
  layout.columns = static_cast<int>(width / cell) + 1;
  layout.rows = static_cast<int>(height / cell) + 1;
  cells_ = geometry::UniformGrid<float>(layout, [&](const auto& put) {
    for (std::uint32_t i = 0; i < facets_.size(); ++i) {
      const Facet& f = facets_[i];
      const int x0 = layout.column(std::min({f.a.x, f.b.x, f.c.x})),
                x1 = layout.column(std::max({f.a.x, f.b.x, f.c.x}));
      const int y0 = layout.row(std::min({f.a.y, f.b.y, f.c.y})), y1 = layout.row(std::max({f.a.y, f.b.y, f.c.y}));
      for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
          // Cells of the box that lie wholly outside one of the sides are left out.
          const Vec2 centre{layout.origin.x + (static_cast<float>(x) + 0.5f) / layout.per_metre,
                            layout.origin.y + (static_cast<float>(y) + 0.5f) / layout.per_metre};
          const float reach = 0.75f / layout.per_metre;  // half a diagonal, and a little for rounding
          const auto outside = [&](Vec2 a, Vec2 b) { return side(a, b, centre) < -reach * length(b - a); };
          if (!outside(f.a, f.b) && !outside(f.b, f.c) && !outside(f.c, f.a)) put(layout.cell(x, y), i);
        }
    }
  });
}

GroundAt Ground::at(Vec2 place) const {
  if (facets_.empty()) return {};
  const Facet* nearest = nullptr;
  float least = INFINITY;
  for (const std::uint32_t k : cells_.at(place)) {
    const Facet& f = facets_[k];
    if (side(f.a, f.b, place) >= 0 && side(f.b, f.c, place) >= 0 && side(f.c, f.a, place) >= 0) {
      nearest = &f;
      break;
    }
    const float off = std::min(
        {distanceSquared(f.a, f.b, place), distanceSquared(f.b, f.c, place), distanceSquared(f.c, f.a, place)});
    if (off < least) least = off, nearest = &f;
  }
  if (!nearest) return {};
  return {nearest->z + dot(nearest->gradient, place - nearest->a), nearest->gradient};
}

std::vector<Segment> Ground::bends() const {
  struct Side {
    Vec2 a, b;
    Vec2 gradient;
  };
  const auto before = [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  const auto same = [](Vec2 a, Vec2 b) { return a.x == b.x && a.y == b.y; };
  std::vector<Side> sides;
  for (const Facet& f : facets_)
    for (const auto& [a, b] : {std::pair(f.a, f.b), std::pair(f.b, f.c), std::pair(f.c, f.a)})
      sides.push_back(before(a, b) ? Side{a, b, f.gradient} : Side{b, a, f.gradient});
  std::sort(sides.begin(), sides.end(), [&](const Side& s, const Side& t) {
    if (!same(s.a, t.a)) return before(s.a, t.a);
    if (!same(s.b, t.b)) return before(s.b, t.b);
    return before(s.gradient, t.gradient);
  });
  std::vector<Segment> bends;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && same(sides[i].a, sides[end].a) && same(sides[i].b, sides[end].b)) ++end;
    const Side& side = sides[i];
    Vec2 left = side.gradient, right = sides[end - 1].gradient;
    if (end - i != 2) {                 // the border, or a side that meets several
      constexpr float kBeside = 0.01f;  // m
      const Vec2 along = side.b - side.a, middle = (side.a + side.b) * 0.5f;
      const Vec2 aside = Vec2{-along.y, along.x} * (kBeside / length(along));
      left = at(middle + aside).gradient, right = at(middle - aside).gradient;
    }
    if (length(left - right) > kBend) bends.push_back({wide(side.a), wide(side.b)});
    i = end;
  }
  return bends;
}

std::size_t Ground::bytes() const { return facets_.capacity() * sizeof(Facet) + cells_.bytes(); }

}  // namespace throng::ground
