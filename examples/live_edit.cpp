// A world that a program changes between steps, as a game does: people are added, sent elsewhere, asked about and
// removed; then everything is put back to an earlier moment.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <throng/throng.h>

namespace {

void expect(bool holds, const char* what) {
  std::printf("%s: %s\n", holds ? "ok" : "WRONG", what);
  if (!holds) std::exit(EXIT_FAILURE);
}

throng::Goal to(double x, double y) { return {throng::GoalPoint{{x, y}, 0.5}}; }

void run(throng::World& world, double seconds) {
  for (const double end = world.time() + seconds; world.time() < end - 1e-9;) world.step();
}

throng::Point place(const throng::World& world, throng::AgentId id) {
  const throng::Frame frame = world.frame();
  const std::size_t row = world.row(id);
  return {frame.x[row], frame.y[row]};
}

}  // namespace

int main() {
  try {
    // An open plain; nobody is there yet.
    throng::Scene scene;
    scene.name = "plain";
    scene.layers = {throng::Layer{}};
    scene.profiles = {throng::Profile{}};
    scene.run.duration = 3600;
    throng::World world(scene);
    expect(world.frame().size() == 0, "the plain is empty");

    throng::Person walker;
    walker.position = {0, 0};
    walker.goals = {to(100, 0)};
    walker.preferred_speed = 1.4;
    const throng::AgentId anna = world.add(walker);
    walker.position = {0, 3};
    walker.goals = {to(100, 3)};
    const throng::AgentId ben = world.add(walker);
    walker.position = {0, 20};
    walker.goals = {};
    walker.on_arrival = throng::OnArrival::kStay;
    const throng::AgentId clara = world.add(walker);
    expect(world.frame().size() == 3, "three people are there");

    run(world, 5);
    expect(place(world, anna).x > 5 && place(world, ben).x > 5, "two of them walk east");
    expect(std::abs(place(world, clara).y - 20) < 0.1, "the third, who has no goal, stays");

    const auto near = world.neighbours(anna, 5, 10.0);
    expect(near.size() == 1 && near[0].id == ben, "Ben is the only one within 10 m of Anna");
    const auto at_clara = world.neighbours(throng::Point{0, 19}, 1, 5.0);
    expect(at_clara.size() == 1 && at_clara[0].id == clara, "Clara is found by place");

    const auto before = world.snapshot();
    const auto hash = world.hash();

    const double turned_at = place(world, anna).x;
    world.setGoals(anna, {to(-100, 0)});
    world.setPreferredSpeed(ben, 0.7);
    const double ben_at = place(world, ben).x;
    run(world, 10);
    expect(place(world, anna).x < turned_at - 5, "Anna was sent back and walks west");
    expect(place(world, ben).x - ben_at < 9, "Ben walks at half his speed");

    world.remove(ben);
    expect(!world.contains(ben) && world.frame().size() == 2, "Ben is gone");
    bool refused = false;
    try {
      world.row(ben);
    } catch (const throng::InputError& error) {
      refused = true;
      std::printf("    asked where he is: %s\n", error.what());
    }
    expect(refused, "an id of somebody who has left is refused");

    bool occupied = false;
    try {
      throng::Person intruder;
      intruder.position = place(world, clara);
      world.add(intruder);
    } catch (const throng::InputError& error) {
      occupied = true;
      std::printf("    put somebody on top of Clara: %s\n", error.what());
    }
    expect(occupied, "nobody can be put where somebody stands");

    world.restore(before);
    expect(world.hash() == hash && world.contains(ben), "the snapshot brings back everybody, to the bit");
    return EXIT_SUCCESS;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
