#include "steering/linear.h"

#include <gtest/gtest.h>

#include "steering/small_world.h"

namespace throng::steering {
namespace {

TEST(Linear, WalksThePreferredVelocityWhoeverIsInTheWay) {
  SmallWorld world;
  const auto walker = world.add({0, 0}, {0.25f, 1});
  world.add({0.1f, 0.1f}, {0, 0});
  world.prefer(walker, {1.25f, -0.5f});
  world.buildIndex(1);
  world.steer(steerLinear, {}, 0.1f);
  EXPECT_EQ(world.next(walker), (Vec2{1.25f, -0.5f}));
}

TEST(Linear, LeavesThoseAloneWhoAreNotAskedFor) {
  SmallWorld world;
  for (int i = 0; i < 10; ++i) world.add({static_cast<float>(i), 0}, {1, 0});
  world.buildIndex(1);
  std::vector<float> vx(10, -7), vy(10, -7);
  const std::uint32_t slot = world.neighbours.people()[4];
  steerLinear(world.input(0.1f), {}, std::span(&slot, 1), {vx.data(), vy.data()});
  for (std::uint32_t row = 0; row < 10; ++row) {
    EXPECT_EQ(vx[row], row == world.neighbours.row()[slot] ? 1.0f : -7.0f);
  }
}

}  // namespace
}  // namespace throng::steering
