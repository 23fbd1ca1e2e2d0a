// The shortest route through the portals of a corridor (the funnel algorithm of Lee & Preparata 1984), for somebody who
// may prefer one side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/base.h"

#include "planning/corridor.h"

namespace throng::planning {

struct FunnelScratch {
  struct Knot {
    Point at;
    std::uint32_t node;
  };
  struct Node {
    Point at;
    std::uint32_t before;  ///< node before this one on the shortest way from the start
  };
  std::vector<Knot> funnel;
  std::vector<Node> nodes;  ///< as many as knots
};

/// The shortest way across all portals, with both ends.
/// `side` in [-1, 1]: portals lose that share of their left end (positive: keep right) or right end (negative).
void findShortest(Point start, Point goal, std::span<const Portal> portals, double side, FunnelScratch& scratch,
                  std::vector<Point>& points);

/// The same without points that are nearer than 1 mm to the one before or to the goal.
void findIndicativeRoute(Point start, Point goal, std::span<const Portal> portals, double side, FunnelScratch& scratch,
                         std::vector<Point>& points);

double lengthOf(std::span<const Point> points);

}  // namespace throng::planning
