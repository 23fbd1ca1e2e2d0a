#include "planning/indicative_route.h"

#include <algorithm>

namespace throng::planning {
namespace {

/// Shortest ways from the start to both ends of the latest portal: they part at the apex and bend towards one another
/// from there on. Kept in one array, left end first, apex somewhere, right end last. Every point is put in once and
/// taken out at most once.
class Funnel {
 public:
  Funnel(Point start, std::size_t portals, FunnelScratch& scratch) : scratch_(scratch) {
    const std::size_t room = 2 * portals + 5;
    if (scratch_.funnel.size() < room) scratch_.funnel.resize(room), scratch_.nodes.resize(room);
    scratch_.nodes[0] = {start, 0};
    left_ = right_ = apex_ = portals + 2;
    scratch_.funnel[apex_] = {start, 0};
  }

  void addLeft(Point p) {
    auto* const f = scratch_.funnel.data();
    if (same(p, f[left_].at)) return;
    while (left_ < apex_ && det(f[left_].at - f[left_ + 1].at, p - f[left_].at) <= 0) ++left_;
    if (left_ == apex_) {  // beyond the right side: the way goes around its points
      while (apex_ < right_ && det(f[apex_ + 1].at - f[apex_].at, p - f[apex_].at) < 0) ++apex_;
      left_ = apex_;
    }
    if (same(p, f[left_].at)) return;
    f[left_ - 1] = {p, node(p, f[left_].node)};
    --left_;
  }

  void addRight(Point p) {
    auto* const f = scratch_.funnel.data();
    if (same(p, f[right_].at)) return;
    while (right_ > apex_ && det(f[right_].at - f[right_ - 1].at, p - f[right_].at) >= 0) --right_;
    if (right_ == apex_) {
      while (apex_ > left_ && det(f[apex_ - 1].at - f[apex_].at, p - f[apex_].at) > 0) --apex_;
      right_ = apex_;
    }
    if (same(p, f[right_].at)) return;
    f[right_ + 1] = {p, node(p, f[right_].node)};
    ++right_;
  }

  /// The node that came in last on the left, or one at the same place.
  std::uint32_t leftEnd() const { return scratch_.funnel[left_].node; }

 private:
  /// Points nearer than a nanometre are one: a side of the funnel that short has no direction to compare with.
  static bool same(Point p, Point q) { return lengthSquared(p - q) < 1e-18; }

  std::uint32_t node(Point p, std::uint32_t before) {
    scratch_.nodes[count_] = {p, before};
    return count_++;
  }

  FunnelScratch& scratch_;
  std::size_t left_, apex_, right_;
  std::uint32_t count_ = 1;
};

}  // namespace

void findShortest(Point start, Point goal, std::span<const Portal> portals, double side, FunnelScratch& scratch,
                  std::vector<Point>& points) {
  Funnel funnel(start, portals.size(), scratch);
  const double from_left = side > 0 ? side : 0, from_right = side < 0 ? -side : 0;
  Point left_before = start, right_before = start;
  for (const Portal& portal : portals) {
    Point left = portal.left, right = portal.right;
    if (side != 0 && !portal.fixed) {
      const Point across = portal.right - portal.left;
      left = portal.left + across * from_left, right = portal.right - across * from_right;
    }
    if (left != left_before) funnel.addLeft(left);
    if (right != right_before) funnel.addRight(right);
    left_before = left, right_before = right;
  }
  funnel.addLeft(goal);
  points.clear();
  points.push_back(goal);
  for (std::uint32_t node = scratch.nodes[funnel.leftEnd()].before; node != 0; node = scratch.nodes[node].before)
    points.push_back(scratch.nodes[node].at);
  points.push_back(start);
  std::reverse(points.begin(), points.end());
}

void findIndicativeRoute(Point start, Point goal, std::span<const Portal> portals, double side, FunnelScratch& scratch,
                         std::vector<Point>& points) {
  findShortest(start, goal, portals, side, scratch, points);
  constexpr double kMillimetre = 1e-3;
  const auto near = [](Point p, Point q) { return lengthSquared(p - q) < kMillimetre * kMillimetre; };
  std::size_t kept = 1;
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    if (!near(points[i], points[kept - 1]) && !near(points[i], goal)) points[kept++] = points[i];
  points[kept++] = goal;
  points.resize(kept);
}

double lengthOf(std::span<const Point> points) {
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) sum += length(points[i] - points[i - 1]);
  return sum;
}

}  // namespace throng::planning
