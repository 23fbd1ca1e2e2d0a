// What somebody sees of their route: the visible intervals of JAKLIN 2016 (sections 6.3.2 and 7.1), for a body that
// walks straight to them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/marks.h"
#include "corridors/corridor_map.h"
#include "following/route_ahead.h"

namespace throng::following {

/// Where a disc at `c` stands in the way of another one that walks from `x` straight to places of the leg a→b, as
/// shares of the leg; `radius` is that of both together. All such places lie next to one another: the shadow of a
/// convex shape is convex. Empty (from ≥ to) when there are none.
Interval shadowOfDisc(Point x, Point c, double radius, Point a, Point b);
/// The same for a straight wall without thickness, by the side that faces x; its ends are discs of their own.
Interval shadowOfWall(Point x, const Segment& wall, double radius, Point a, Point b);

class RouteSight {
 public:
  /// The parts of a stretch that a disc sees that stands in `cell` of the map at `from`; in order, apart from one
  /// another. Where no connection is near they are exact. Elsewhere sight is looked for every `spacing` m at most and
  /// its ends by halving, as in the document, so that it leads over connections and never to what lies above or below.
  void look(const corridors::CorridorMap& map, corridors::Located cell, Point from, std::uint16_t layer, double radius,
            double spacing, const RouteAhead& ahead, std::vector<Interval>& visible);

 private:
  void gather(const corridors::CorridorMap& map, corridors::Located cell, const Rectangle& box);
  void cast(Point from, std::uint16_t layer, double radius, const RouteAhead& ahead);
  void complement(double length, std::vector<Interval>& visible);

  // Memory that is kept between calls.
  base::Marks cells_, corners_, walls_;
  std::vector<std::uint32_t> queue_;
  std::vector<Point> near_corners_;
  std::vector<Segment> near_walls_;
  std::vector<Interval> shadows_;
};

}  // namespace throng::following
