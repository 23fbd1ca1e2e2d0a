#include "ground/area_sampler.h"

#include <algorithm>
#include <cmath>

#include "base/lists.h"
#include "geometry/predicates.h"

namespace throng::ground {

AreaSampler::AreaSampler(const std::vector<Polygon>& area) : index_(area) {
  if (const auto bounds = geometry::bounds(area)) bounds_ = *bounds;
  for (const Polygon& polygon : area) cut(polygon);
}

void AreaSampler::cut(const Polygon& polygon) {
  struct Edge {
    Point low, high;
    double at(double y) const { return low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y)); }
  };
  std::vector<Edge> edges;
  std::vector<double> heights;
  const auto add = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      heights.push_back(a.y);
      if (a.y != b.y) edges.push_back(a.y < b.y ? Edge{a, b} : Edge{b, a});
    }
  };
  add(polygon.outer);
  for (const Ring& hole : polygon.holes) add(hole);
  base::sortUnique(heights);
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& e, const Edge& f) { return e.low.y < f.low.y; });

  std::vector<Edge> active;  // the edges that span the strip between two heights
  std::size_t next = 0;
  for (std::size_t h = 1; h < heights.size(); ++h) {
    const double y0 = heights[h - 1], y1 = heights[h], middle = y0 + (y1 - y0) / 2;
    std::erase_if(active, [&](const Edge& e) { return e.high.y <= y0; });
    for (; next < edges.size() && edges[next].low.y <= y0; ++next) active.push_back(edges[next]);
    std::stable_sort(active.begin(), active.end(),
                     [&](const Edge& e, const Edge& f) { return e.at(middle) < f.at(middle); });
    for (std::size_t i = 1; i < active.size(); i += 2) {
      const Edge &left = active[i - 1], &right = active[i];
      Trapezoid t{y0, y1, left.at(y0), right.at(y0), left.at(y1), right.at(y1), area()};
      t.area_up_to_here += (t.right0 - t.left0 + t.right1 - t.left1) / 2 * (y1 - y0);
      if (t.area_up_to_here > area()) trapezoids_.push_back(t);
    }
  }
}

Point AreaSampler::sample(base::Random& random) const {
  constexpr int kTries = 64;
  Point p;
  for (int i = 0; i < kTries; ++i) {
    const double chosen = random.uniform() * area();
    const auto t = std::upper_bound(trapezoids_.begin(), trapezoids_.end() - 1, chosen,
                                    [](double value, const Trapezoid& z) { return value < z.area_up_to_here; });
    // Widths go linearly from w0 to w1: solve the share of area below height y for y.
    const double w0 = t->right0 - t->left0, w1 = t->right1 - t->left1, u = random.uniform();
    const double height = w0 + w1 > 0 ? u * (w0 + w1) / (w0 + std::sqrt(w0 * w0 + u * (w1 * w1 - w0 * w0))) : 0;
    const double left = t->left0 + (t->left1 - t->left0) * height;
    const double right = t->right0 + (t->right1 - t->right0) * height;
    p = stored({random.uniform(left, right), t->y0 + (t->y1 - t->y0) * height});
    // Rounding may leave the area; a place in k polygons was k times as likely to be drawn.
    const int covering = index_.covering(p);
    if (covering == 1 || (covering > 1 && random.below(static_cast<std::uint64_t>(covering)) == 0)) break;
  }
  return p;
}

}  // namespace throng::ground
