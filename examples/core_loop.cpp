// The smallest loop of an engine on the core library alone (throng::core), which needs nothing that draws or reads
// files: a scene in code, a world, a step per tick, and where everybody is.
#include <cstdio>
#include <cstdlib>
#include <throng/core.h>

int main() {
  try {
    throng::Scene scene;
    scene.layers = {throng::Layer{}};
    scene.layers[0].walkable = {{{{0, 0}, {20, 0}, {20, 10}, {0, 10}}, {}}};
    scene.layers[0].obstacles = {{{{9, 2}, {11, 2}, {11, 8}, {9, 8}}, {}}};
    scene.profiles = {throng::Profile{}};
    scene.run.duration = 60;
    throng::Population people;
    people.name = "people";
    people.count = 40;
    const throng::Polygon west{{{1, 1}, {7, 1}, {7, 9}, {1, 9}}, {}};
    people.start.shape = throng::StartArea{{west}};
    people.goals = {{throng::GoalPoint{{18, 5}, 1.5}}};
    scene.populations = {people};

    throng::World world(scene);
    std::size_t arrived = 0;
    while (!world.finished()) {
      world.step(1.0 / 30);
      arrived += world.arrivals().size();
      const throng::Frame frame = world.frame();
      for (std::size_t i = 0; i < frame.size(); ++i) {
        // Here an engine moves the body of frame.person[i] to frame.x[i], frame.y[i], frame.z[i] and turns it to face
        // frame.heading_x[i], frame.heading_y[i].
      }
    }
    std::printf("%zu of 40 have arrived after %.0f s\n", arrived, world.time());
    return arrived == 40 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
