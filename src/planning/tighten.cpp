#include <algorithm>
#include <cmath>

#include "planning/region_search.h"

namespace throng::planning {
namespace {

/// The place of ab with the least w1·|px| + w2·|xq|: where the sines of both angles are as w2 to w1 (Snell's law), or
/// an end. The sum is convex along ab.
Point refract(Point a, Point b, Point p, Point q, double w1, double w2, Point start) {
  const Point way = b - a;
  const double squared = lengthSquared(way);
  if (!(squared > 0)) return a;
  // t in [0, 1]; distances from the line do not change along it.
  const double tp = dot(p - a, way) / squared, tq = dot(q - a, way) / squared;
  const double hp = lengthSquared(p - a) / squared - tp * tp, hq = lengthSquared(q - a) / squared - tq * tq;
  const double h1 = hp > 0 ? hp : 0, h2 = hq > 0 ? hq : 0;
  double low = 0, high = 1, t = std::clamp(dot(start - a, way) / squared, 0.0, 1.0);
  for (int i = 0; i < 30 && high - low > 1e-9; ++i) {
    const double u = t - tp, v = t - tq;
    const double d1 = std::sqrt(u * u + h1), d2 = std::sqrt(v * v + h2);
    double slope = 0, curve = 0;
    if (d1 > 1e-12) slope += w1 * u / d1, curve += w1 * h1 / (d1 * d1 * d1);
    if (d2 > 1e-12) slope += w2 * v / d2, curve += w2 * h2 / (d2 * d2 * d2);
    if (slope == 0) break;
    (slope > 0 ? high : low) = t;
    double next = curve > 0 ? t - slope / curve : slope > 0 ? low : high;
    if (i == 0 && curve > 0) {
      // Newton's step may reach an end at once.
      if (next <= 0) next = 0;
      if (next >= 1) next = 1;
    }
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    if (next == low && i > 0) next = low + (high - low) * 1e-3 < t ? (low + high) / 2 : low;
    if (std::fabs(next - t) < 1e-10) {
      t = next;
      break;
    }
    t = next;
  }
  return t == 1 ? b : a + way * t;
}

/// The same where height costs too: k1 and k2 are the slopes on both sides times what a metre of height costs. What
/// |height| adds is made smooth within some centimetres, so that borders one after the other do not get stuck where it
/// bends; the sum stays convex.
Point refractInHills(Point a, Point b, Point p, Point q, double w1, double w2, Point k1, Point k2) {
  constexpr double kSmooth = 0.02;  // m of level ground
  const Point way = b - a;
  const auto slopeOf = [&](Point to, double w, Point k) {
    const double far = length(to), height = dot(k, to);
    double sum = dot(k, way) * height / std::sqrt(height * height + kSmooth * kSmooth);
    if (far > 1e-12) sum += w * dot(to, way) / far;
    return sum;
  };
  constexpr double kExact = 1e-4;  // m
  const double exact = kExact / std::max(length(way), kExact);
  double low = 0, high = 1;
  while (high - low > exact) {
    const double t = (low + high) / 2;
    const Point x = a + way * t;
    (slopeOf(x - p, w1, k1) + slopeOf(x - q, w2, k2) > 0 ? high : low) = t;
  }
  const double t = (low + high) / 2;
  return t > 1 - 1e-9 ? b : t < 1e-9 ? a : a + way * t;
}

class Tightening {
 public:
  Tightening(const RegionMesh& mesh, Point from, Point to, std::span<const double> weights, TriangleWay& way,
             TightenScratch& scratch, double climb)
      : mesh_(mesh), from_(from), to_(to), weights_(weights), way_(way), s_(scratch), climb_(climb) {}

  double run(std::vector<Point>& line) {
    constexpr int kRounds = 12;
    constexpr double kEnough = 1e-6;
    findBorders();
    double cost = drawLine(line);
    for (int round = 0; round < kRounds && !s_.borders.empty(); ++round) {
      refractAll();
      const double next = drawLine(s_.points);
      if (!(next < cost)) break;
      line.swap(s_.points);
      const bool enough = cost - next <= kEnough * cost;
      cost = next;
      keepPlaces();
      if (enough) break;
    }
    return cost;
  }

 private:
  double weightOf(std::size_t i) const { return weights_[mesh_.triangles()[way_.triangles[i]].type]; }

  /// What height costs per m along x and y.
  Point slopeOf(std::size_t i) const { return climb_ > 0 ? mesh_.slope(way_.triangles[i]) * climb_ : Point{}; }
  bool isAlike(std::size_t i) const {
    return weightOf(i) == weightOf(i + 1) &&
           (!(climb_ > 0) || mesh_.slopesAlike(way_.triangles[i], way_.triangles[i + 1]));
  }
  double costOf(const std::vector<Point>& line, std::size_t i) const {
    double cost = lengthOf(line) * weightOf(i);
    if (!(climb_ > 0)) return cost;
    for (std::size_t k = 1; k < line.size(); ++k) cost += std::fabs(dot(slopeOf(i), line[k] - line[k - 1]));
    return cost;
  }

  void findBorders() {
    s_.borders.clear();
    for (std::uint32_t i = 0; i < way_.edges.size(); ++i) {
      if (isAlike(i)) continue;
      TightenScratch::Border border;
      border.crossing = i;
      const Segment line = mesh_.segment(way_.edges[i]);
      border.a = line.a, border.b = line.b, border.at = way_.at[i];
      border.weight = weightOf(i), border.slope = slopeOf(i);
      s_.borders.push_back(border);
    }
  }

  void keepPlaces() {
    for (const TightenScratch::Border& border : s_.borders) way_.at[border.crossing] = border.at;
  }

  /// Stretch k ends at border k, the last one at the goal.
  double drawLine(std::vector<Point>& line) {
    line.assign(1, from_);
    double cost = 0;
    Point start = from_;
    std::uint32_t first = 0;
    for (std::size_t k = 0; k <= s_.borders.size(); ++k) {
      const bool last = k == s_.borders.size();
      const auto end = last ? static_cast<std::uint32_t>(way_.edges.size()) : s_.borders[k].crossing;
      const Point goal = last ? to_ : s_.borders[k].at;
      drawStretch(start, goal, first, end);
      for (std::size_t i = 1; i < s_.line.size(); ++i) line.push_back(s_.line[i]);
      cost += costOf(s_.line, end);
      const bool bends = s_.line.size() > 2;
      if (k > 0) s_.borders[k - 1].bends_after = bends, s_.borders[k - 1].after = s_.line[1];
      if (!last) s_.borders[k].bends_before = bends, s_.borders[k].before = s_.line[s_.line.size() - 2];
      start = goal;
      first = end + 1;
    }
    return cost;
  }

  void drawStretch(Point start, Point goal, std::uint32_t first, std::uint32_t end) {
    s_.portals.clear();
    for (std::uint32_t i = first; i < end; ++i) {
      const RegionMesh::Triangle& triangle = mesh_.triangles()[way_.triangles[i]];
      const std::size_t side = RegionMesh::sideOf(triangle, way_.edges[i]);
      const Point right = mesh_.corners()[triangle.corner[side]],
                  left = mesh_.corners()[triangle.corner[(side + 1) % 3]];
      s_.portals.push_back({left, right, left, false});
    }
    if (s_.portals.empty())
      s_.line.assign({start, goal});
    else
      findShortest(start, goal, s_.portals, 0, s_.funnel, s_.line);
  }

  /// All borders one after the other, there and back, until they hardly move.
  void refractAll() {
    // In hills there is a border wherever the ground bends, and a millimetre along one of many does not matter.
    const int most = climb_ > 0 ? 8 : 24;
    const double still = climb_ > 0 ? 2e-3 : 1e-4;  // m
    const std::size_t n = s_.borders.size();
    for (int sweep = 0; sweep < most; ++sweep) {
      double moved = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = sweep % 2 == 0 ? i : n - 1 - i;
        TightenScratch::Border& border = s_.borders[k];
        const Point p = border.bends_before ? border.before : k > 0 ? s_.borders[k - 1].at : from_;
        const Point q = border.bends_after ? border.after : k + 1 < n ? s_.borders[k + 1].at : to_;
        const double w2 = k + 1 < n ? s_.borders[k + 1].weight : weightOf(way_.edges.size());
        const Point k2 = k + 1 < n ? s_.borders[k + 1].slope : slopeOf(way_.edges.size());
        const bool level = border.slope == Point{} && k2 == Point{};
        const Point at = !level ? refractInHills(border.a, border.b, p, q, border.weight, w2, border.slope, k2)
                                : refract(border.a, border.b, p, q, border.weight, w2, border.at);
        moved = std::max(moved, std::fabs(at.x - border.at.x) + std::fabs(at.y - border.at.y));
        border.at = at;
      }
      if (moved < still || n == 1) break;
    }
  }

  const RegionMesh& mesh_;
  const Point from_, to_;
  const std::span<const double> weights_;
  TriangleWay& way_;
  TightenScratch& s_;
  const double climb_;
};

}  // namespace

double tighten(const RegionMesh& mesh, Point from, Point to, std::span<const double> weights, TriangleWay& way,
               TightenScratch& scratch, std::vector<Point>& line, double climb) {
  return Tightening(mesh, from, to, weights, way, scratch, climb).run(line);
}

}  // namespace throng::planning
