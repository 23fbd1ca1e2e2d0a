// Where people can walk and how: the explicit corridor map of a scene, and what it answers (docs/corridor-map.md).
// Routes for people of any size, distances to walls, what can be seen from where; obstacles and doors may come and go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/routes.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// How large a navigation map is, and what making it took.
struct NavigationStatistics {
  std::size_t walls = 0;
  std::size_t vertices = 0;     ///< of the medial axis: places with three or more nearest walls, and its ends
  std::size_t edges = 0;        ///< of the medial axis, between those
  std::size_t annotations = 0;  ///< points of the axis whose nearest walls on both sides are stored
  std::size_t cells = 0;
  std::size_t bytes = 0;
  double build_seconds = 0;  ///< 0 for a map from a file
  /// What the parts of that took, in the order in which they happened, s.
  struct Part {
    std::string_view name;
    double seconds = 0;
  };
  std::vector<Part> parts;
};

/// The wall that is nearest to a place.
struct NearestWall {
  Point at;             ///< the nearest point of it
  double distance = 0;  ///< m
};

/// The explicit corridor map of a scene: the medial axis of the free space of all layers, with the nearest walls at
/// both sides. Layers are connected where connections join them. No layer (a null handle) stands for the first one.
///
/// Everything const may be called from several threads at once. Every function throws InputError for places that are
/// not finite, unknown layers and numbers that make no sense.
class NavigationMap {
 public:
  /// From a scene's layers and connections, with its doors as they are at time 0. The map of a layer without a border
  /// reaches at least to all starts and goals, and to `places`.
  explicit NavigationMap(const Scene& scene, std::span<const Point> places = {});
  /// Reads what save() has written. Throws FileError or InputError.
  static NavigationMap load(const std::string& path);
  void save(const std::string& path) const;
  ~NavigationMap();
  NavigationMap(const NavigationMap& other);
  NavigationMap& operator=(const NavigationMap& other);
  NavigationMap(NavigationMap&&) noexcept;
  NavigationMap& operator=(NavigationMap&&) noexcept;

  NavigationStatistics statistics() const;
  /// s that the bare Voronoi diagram of the map's walls takes now; what statistics().build_seconds is measured against.
  double timeBareDiagram() const;
  const std::vector<std::string>& layers() const;  ///< names, in the order of the scene
  /// By name. Throw InputError that lists the names when there is none.
  LayerId layer(std::string_view name) const;
  DoorId door(std::string_view name) const;
  /// Connections that no route goes over, because their lines are not the same in plan, or do not lie on the borders
  /// of both layers with the layers on opposite sides.
  std::vector<std::string> closedConnections() const;

  // --- questions ---------------------------------------------------------------------------------------------------
  RouteResult plan(const RouteRequest& request) const;
  /// Only the points of what plan() gives, for programs that ask often: allocates nothing once `points` and the
  /// thread's own memory have grown. True when the goal can be reached.
  bool route(const RouteRequest& request, std::vector<RoutePoint>& points) const;
  /// What lies around the route that plan() gives for the same request.
  RouteCorridor corridor(const RouteRequest& request) const;
  bool walkable(Point place, LayerId layer = {}) const;
  /// m to the nearest wall; 0 in obstacles and outside.
  double clearance(Point place, LayerId layer = {}) const;
  /// Nothing in obstacles and outside.
  std::optional<NearestWall> nearestWall(Point place, LayerId layer = {}) const;
  /// Can somebody go straight from one place to the other and keep `radius` (m) from all walls? With radius 0: can the
  /// one be seen from the other? The line may lead over connections.
  bool visible(Point from, Point to, LayerId layer = {}, double radius = 0) const;
  /// Everything that can be seen from a place, one list of polygons per layer; all are empty when the place is not
  /// walkable.
  std::vector<std::vector<Polygon>> visibilityPolygon(Point from, LayerId layer = {}) const;
  /// The corners of all that in one polygon, counter-clockwise, each with its layer: not cut where sight reaches over a
  /// connection. For programs that ask often: allocates nothing once `corners` and the thread's own memory have grown.
  void visibleCorners(Point from, LayerId layer, std::vector<RoutePoint>& corners) const;

  // --- changes -----------------------------------------------------------------------------------------------------
  /// Adds a convex obstacle or, with two points, a wall without thickness. It may touch and overlap what is there.
  ObstacleId insertObstacle(const Ring& convex, LayerId layer = {});
  /// Takes away what insertObstacle() has added.
  void removeObstacle(ObstacleId obstacle);
  void setDoor(DoorId door, bool open);
  bool isOpen(DoorId door) const;

  // --- to be drawn -------------------------------------------------------------------------------------------------
  /// The medial axis of a layer; parabolas as lines that are at most `tolerance` (m) off.
  std::vector<Polyline> axis(LayerId layer = {}, double tolerance = 0.02) const;
  /// From each annotated point of the axis to its nearest walls; the borders of the cells.
  std::vector<Segment> spokes(LayerId layer = {}) const;
  /// The lines on which people change from this layer to another one.
  std::vector<Segment> passages(LayerId layer = {}) const;

 private:
  friend class World;
  struct State;
  friend const State& stateOf(const NavigationMap& map);
  explicit NavigationMap(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
#pragma GCC visibility pop
