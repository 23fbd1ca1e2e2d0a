// A layer cut in two along a connection: people steer as if it were one.
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"
#include "steering/orca.h"
#include "steering/orca_reference.h"
#include "steering/small_world.h"
#include "steering/social_force.h"

namespace throng::steering {
namespace {

constexpr float kStep = 0.1f, kRange = 4;
constexpr float kCut = 10;  // x of the line

struct Person {
  Vec2 place, velocity;
};

std::vector<Person> people() {
  base::Random random(23);
  std::vector<Person> result;
  const auto number = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  for (int i = 0; i < 500; ++i) result.push_back({{number(0, 20), number(0, 15)}, {number(-1.5, 1.5), number(-1, 1)}});
  return result;
}

// Layer 0 holds everybody, or those left of the cut while layer 1 has the others.
SmallWorld worldOf(bool cut, bool linked) {
  SmallWorld world(2);
  for (const Person& p : people()) world.add(p.place, p.velocity, 0.25f, cut && p.place.x > kCut ? 1 : 0);
  std::vector<agents::Link> links;
  if (linked) {
    const Segment line{{kCut, -20}, {kCut, 40}};
    links = {{0, 1, line, true}, {1, 0, line, false}};
  }
  world.neighbours.build(world.crowd, kRange, world.wrap, world.threads, links);
  return world;
}

// How many people's velocities differ, by more than `tolerance`.
std::size_t different(const SmallWorld& one, const SmallWorld& other, float tolerance) {
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < one.crowd.size(); ++row) {
    const Vec2 d = one.next(row) - other.next(row);
    count += !(std::abs(d.x) <= tolerance && std::abs(d.y) <= tolerance);
  }
  return count;
}

void compare(Kernel kernel, Kernel twin, const std::vector<float>& values, float tolerance) {
  SmallWorld whole = worldOf(false, false), cut = worldOf(true, false), linked = worldOf(true, true);
  for (SmallWorld* world : {&whole, &cut, &linked}) world->steer(kernel, values, kStep);
  EXPECT_EQ(different(whole, linked, tolerance), 0u);
  EXPECT_GT(different(whole, cut, tolerance), 15u) << "the cut shows where nothing links its sides";
  SmallWorld slow = worldOf(true, true);
  slow.steer(twin, values, kStep);
  EXPECT_EQ(different(linked, slow, 0), 0u) << "the kernel is its twin";
}

TEST(Links, OrcaSteersAcrossAConnectionAsOnOneLayer) {
  auto values = defaults(orcaParameters());
  values[kNeighbourRange] = kRange;
  compare(steerOrca, steerOrcaReference, values, 0);
}

// The forces are the same, added up in another order.
TEST(Links, SocialForceSteersAcrossAConnectionAsOnOneLayer) {
  auto values = defaults(socialForceParameters());
  ASSERT_LE(socialForceRange(values), kRange);
  compare(steerSocialForce, steerSocialForceReference, values, 1e-3f);
}

}  // namespace
}  // namespace throng::steering
