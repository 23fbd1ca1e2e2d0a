// A scene made in code: a room of 12 m by 8 m with a table in the middle and a door in the right wall, and 30 people
// who leave through it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <throng/throng.h>

namespace {

throng::Polygon rectangle(double x0, double y0, double x1, double y1) {
  return {.outer = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, .holes = {}};
}

throng::Scene roomWithATable() {
  throng::Layer ground;
  ground.walkable = {rectangle(0, 0, 12, 8), rectangle(12, 3, 16, 5)};  // the room, and the way out behind the door
  ground.obstacles = {{.outer = {{6.3, 4}, {7, 3.3}, {7.7, 4}, {7, 4.7}}, .holes = {}}};  // the table, on its corner

  throng::Profile visitor;
  visitor.name = "visitor";
  visitor.radius = throng::Distribution::constant(0.22);
  visitor.preferred_speed = throng::Distribution::truncatedNormal(1.3, 0.2, 0.9, 1.7);
  visitor.steering = {"orca", {{"time_horizon", 3}}};

  throng::Population guests;
  guests.name = "guests";
  guests.profile = "visitor";
  guests.count = 30;
  guests.start.shape = throng::StartArea{{rectangle(0.5, 0.5, 5.5, 7.5)}};
  // To the door first, then out. Nobody in this scene plans a route; steering alone takes them around the table.
  guests.goals = {{throng::GoalPoint{{11, 4}, 1.5}}, {throng::GoalArea{{rectangle(14, 3, 16, 5)}}}};

  throng::Scene scene;
  scene.name = "a room with a table";
  scene.layers = {ground};
  scene.profiles = {visitor};
  scene.populations = {guests};
  scene.lines = {{.name = "door", .line = {{12, 5}, {12, 3}}, .layer = ""}};
  scene.run.dt = 0.1;
  scene.run.seed = 7;
  scene.run.duration = 120;
  scene.run.until_all_arrived = true;
  return scene;
}

bool inside(const throng::Frame& frame, std::size_t i) {
  const float x = frame.x[i], y = frame.y[i];
  const bool in_room = x >= 0 && x <= 12 && y >= 0 && y <= 8;
  const bool on_the_way_out = x >= 12 && x <= 16 && y >= 3 && y <= 5;
  return in_room || on_the_way_out;
}

}  // namespace

int main() {
  try {
    const throng::Scene scene = roomWithATable();
    throng::World world(scene);
    std::printf("%zu people at the start\n", world.frame().size());

    std::size_t arrived = 0;
    while (!world.finished()) {
      world.step();
      arrived += world.arrivals().size();
      const throng::Frame frame = world.frame();
      for (std::size_t i = 0; i < frame.size(); ++i) {
        if (!inside(frame, i)) {
          std::fprintf(stderr, "person %u is outside, at (%.2f, %.2f)\n", frame.person[i], frame.x[i], frame.y[i]);
          return EXIT_FAILURE;
        }
      }
    }
    std::printf("%zu had left after %.1f s and %llu steps\n", arrived, world.time(),
                static_cast<unsigned long long>(world.steps()));

    // The same scene and seed give the same bytes, on any number of threads.
    throng::World again(scene, {.threads = 1});
    while (again.steps() < world.steps()) again.step();
    std::printf("hash %016llx, on one thread %016llx\n", static_cast<unsigned long long>(world.hash()),
                static_cast<unsigned long long>(again.hash()));
    return arrived == 30 && again.hash() == world.hash() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
