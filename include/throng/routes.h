// Routes, and what lies around them, as plain structs: what is asked for, and the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "throng/scene.h"
#include "throng/shapes.h"

#pragma GCC visibility push(default)
namespace throng {

/// Who wants to go where.
struct RouteRequest {
  Point from, to;
  LayerId from_layer;      ///< null: the first
  LayerId to_layer;        ///< null: the same as from_layer
  double radius = 0.25;    ///< m; nothing narrower than twice this is passed
  double clearance = 0.5;  ///< m to keep from walls where there is room
  double side = 0;         ///< -1 (keep left) … 1 (keep right)
  /// Where a corridor is too narrow for that clearance: 1 keeps to its middle, less uses more of its width.
  double spread = 1;
  /// Of maps: "corridor" (as no name) or one of those in weighted regions (docs/models/planners.md), which know neither
  /// clearance nor side; with the parameters that differ from its defaults.
  std::string planner = {};
  std::map<std::string, double> parameters = {};
  /// What a metre on ground of a type costs; 1 where not listed, infinity: never.
  std::map<std::string, double> region_weights = {};
  /// What rise and fall cost besides, on maps of scenes.
  SlopeCost slope_cost = {};
};

/// A corner of a route.
struct RoutePoint {
  Point at;
  std::uint16_t layer = 0;  ///< index in the scene's layers, of the way from here on
};

/// The way that was found, or why there is none.
struct RouteResult {
  bool reachable = false;
  /// Empty when the goal can be reached; else a sentence that says why it cannot.
  std::string reason;
  /// Where the route ends: at the goal, or at the place nearest to it that can be reached.
  Point end;
  LayerId end_layer;
  /// From the start to the end, with both; empty when the start itself is not walkable. Where the route changes
  /// layers there is a point.
  std::vector<RoutePoint> points;
  double length = 0;           ///< m
  double least_clearance = 0;  ///< m, of the route: how near it comes to a wall
  // The corridor: the part of the map that the route lies in, around a path on the medial axis.
  double axis_length = 0;      ///< m, of that path
  double narrowest_width = 0;  ///< m, of the corridor: the size of the widest disc that gets through
  std::size_t corridor_cells = 0;
  double seconds = 0;  ///< processor time that finding the route took
  // In weighted regions.
  double cost = 0;           ///< m of ground that costs 1
  std::size_t explored = 0;  ///< nodes that the search looked beyond; 0 for "corridor"
  double build_seconds = 0;  ///< the same of making what the planner needs; next to nothing where it was there
};

/// A piece of something on one layer (an index in the scene's layers).
struct LayerPolygon {
  std::uint16_t layer = 0;
  Polygon polygon;
};
/// The same for a line.
struct LayerPolyline {
  std::uint16_t layer = 0;
  Polyline line;
};

/// What lies around a route, to be drawn.
struct RouteCorridor {
  std::vector<LayerPolygon> cells;
  std::vector<LayerPolyline> axis;  ///< the path on the medial axis, in order
};

}  // namespace throng
#pragma GCC visibility pop
