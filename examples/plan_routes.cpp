// The corridor map of a scene, made in code: routes for people of different sizes, distances to walls, what can be
// seen, and a door that closes.
#include <cstdio>
#include <cstdlib>
#include <throng/throng.h>

namespace {

void expect(bool holds, const char* what) {
  std::printf("%s: %s\n", holds ? "ok" : "WRONG", what);
  if (!holds) std::exit(EXIT_FAILURE);
}

throng::Polygon rectangle(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
}

/// Two rooms with a wall between them; a wide door in the south, a narrow gap in the north.
throng::Scene twoRooms() {
  throng::Scene scene;
  scene.name = "two rooms";
  throng::Layer ground;
  ground.walkable = {rectangle(0, 0, 20, 14)};
  ground.obstacles = {rectangle(9.8, 2, 10.2, 13.2)};
  ground.doors = {{"south door", {{10, 0}, {10, 2}}, true}};
  scene.layers = {ground};
  return scene;
}

}  // namespace

int main() {
  try {
    throng::NavigationMap map(twoRooms());
    const throng::NavigationStatistics made = map.statistics();
    std::printf("map: %zu edges, %zu cells, made in %.2f ms\n", made.edges, made.cells, 1e3 * made.build_seconds);

    throng::RouteRequest request;
    request.from = {3, 12};
    request.to = {17, 12};
    request.radius = 0.25;
    request.clearance = 0.6;
    const throng::RouteResult north = map.plan(request);
    std::printf("radius 0.25 m: %.2f m, at least %.2f m from walls\n", north.length, north.least_clearance);
    expect(north.reachable && north.length < 16, "somebody small takes the gap in the north");

    request.radius = 0.6;
    const throng::RouteResult south = map.plan(request);
    std::printf("radius 0.60 m:");
    for (const throng::RoutePoint& point : south.points) std::printf(" (%.2f, %.2f)", point.at.x, point.at.y);
    std::printf("\n");
    expect(south.reachable && south.length > 18, "somebody with a pram has to take the door in the south");

    throng::Overlay overlay;  // plain shapes, for throng::drawOverlay or a screen of your own
    throng::addCorridorMap(overlay, map);
    throng::addRoute(overlay, map, request, south);
    expect(!overlay.lines.empty() && !overlay.areas.empty(), "the map and the route can be shown");

    const throng::DoorId door = map.door("south door");
    map.setDoor(door, false);
    const throng::RouteResult none = map.plan(request);
    std::printf("    %s\n", none.reason.c_str());
    expect(!none.reachable && !none.points.empty(), "with the door closed, they go as near as they can");
    map.setDoor(door, true);

    expect(!map.visible({3, 5}, {17, 5}), "the wall hides one room from the other");
    expect(map.visible({3, 1}, {17, 1}), "but not along the door");
    expect(!map.visible({3, 1}, {17, 1}, map.layer("ground"), 1.5), "where nobody of radius 1.5 m gets through");
    expect(map.clearance({3, 5}) > 2.9, "the middle of a room is far from all walls");

    const throng::ObstacleId pillar = map.insertObstacle({{4, 4}, {6, 4}, {6, 6}, {4, 6}});
    expect(!map.walkable({5, 5}), "an obstacle can be put into the map");
    map.removeObstacle(pillar);
    expect(map.walkable({5, 5}), "and taken out again");
    return EXIT_SUCCESS;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
