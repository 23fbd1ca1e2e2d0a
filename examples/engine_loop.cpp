// A game's loop with bodies of its own: a dog runs through a crowd, and the game steers it. The game tells the world
// how the dog would like to move, the world lets everybody avoid everybody, and the game reads back where all of them
// are.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <throng/throng.h>
#include <vector>

namespace {

void expect(bool holds, const char* what) {
  std::printf("%s: %s\n", holds ? "ok" : "WRONG", what);
  if (!holds) std::exit(EXIT_FAILURE);
}

/// What a game keeps of somebody it draws.
struct Body {
  float x = 0, y = 0, facing_x = 1, facing_y = 0, speed = 0;
  bool walking = false;
};

}  // namespace

int main() {
  try {
    // A square with sixty people who cross it, and a dog.
    throng::Scene scene;
    scene.layers = {throng::Layer{}};
    scene.layers[0].walkable = {{{{0, 0}, {30, 0}, {30, 20}, {0, 20}}, {}}};
    scene.profiles = {throng::Profile{}};
    scene.run.duration = 3600;
    throng::Population people;
    people.name = "people";
    people.count = 60;
    const throng::Polygon west{{{1, 1}, {12, 1}, {12, 19}, {1, 19}}, {}};
    const throng::Polygon east{{{26, 1}, {29, 1}, {29, 19}, {26, 19}}, {}};
    people.start.shape = throng::StartArea{{west}};
    people.goals = {{throng::GoalArea{{east}}}};
    people.on_arrival = throng::OnArrival::kGoBack;
    scene.populations = {people};
    throng::World world(scene);

    throng::Person animal;
    animal.position = {28, 10};
    animal.radius = 0.2;
    animal.preferred_speed = 2.5;
    animal.on_arrival = throng::OnArrival::kStay;
    const throng::AgentId dog = world.add(animal);

    // Whom each row of a frame is drawn as: the game's own index, kept with the person.
    std::vector<Body> bodies;
    for (const throng::AgentId id : world.ids()) {
      bodies.emplace_back();
      world.setUserData(id, bodies.size());
    }

    double least = 1e9, farthest_west = 30;
    for (int tick = 0; tick < 600; ++tick) {
      // The game's turn: the dog runs west, then east again.
      const double phase = tick < 300 ? -1 : 1;
      world.setPreferredVelocity(dog, throng::Point{2.5 * phase, 0.3 * std::sin(0.05 * tick)});
      if (tick == 450) world.setPosition(dog, {28, 10});  // whistled back
      // The world's turn.
      world.step(1.0 / 30);
      // Read everything back.
      const throng::Frame frame = world.frame();
      for (std::size_t row = 0; row < frame.size(); ++row) {
        Body& body = bodies[world.userData(world.ids()[row]) - 1];
        body = {frame.x[row],
                frame.y[row],
                frame.heading_x[row],
                frame.heading_y[row],
                std::hypot(frame.velocity_x[row], frame.velocity_y[row]),
                frame.activity[row] == throng::Activity::kWalking};
      }
      const std::size_t row = world.row(dog);
      farthest_west = std::min<double>(farthest_west, frame.x[row]);
      for (const throng::Neighbour& near : world.neighbours(dog, 1, 5)) least = std::min<double>(least, near.distance);
    }
    expect(farthest_west < 10, "the dog has run through the crowd");
    expect(least > 0.3, "and has bumped into nobody by more than a little");
    expect(std::count_if(bodies.begin(), bodies.end(), [](const Body& body) { return body.walking; }) >= 55,
           "people went on walking");
    expect(world.find(world.number(dog)) == dog, "the dog is who it was");
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
