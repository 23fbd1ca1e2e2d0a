// What somebody sees, on its way to a browser.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "throng/world.h"

#include "serve/sight_message.h"

namespace throng::serve {
namespace {

template <class T>
T numberAt(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

TEST(SightMessage, HasThreeBytesForEveryPixel) {
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  const SeenImage seen{3, 1, {0.25F, -2, nothing}, {5, -1, nothing}, {0, 0.5F, nothing}};
  const std::string bytes = sightMessage(12, 3.5, seen);
  ASSERT_EQ(bytes.size(), 24U + 9U);
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 0), 4U);
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 4), 12U);
  EXPECT_EQ(numberAt<double>(bytes, 8), 3.5);
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 16), 3U);
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 20), 1U);
  const unsigned char expected[] = {125, 125, 0, 250, 254, 250, 255, 255, 255};
  EXPECT_EQ(std::memcmp(bytes.data() + 24, expected, sizeof expected), 0);
}

/// Somebody who walks towards another one sees them in the middle of the picture, nearer and nearer.
TEST(SightMessage, ShowsWhoComesTowardsOne) {
  Scene scene;
  scene.layers.emplace_back();
  scene.profiles.emplace_back();
  scene.run.duration = 60;
  World world(scene, {.threads = 1});
  const AgentId one = world.add({.position = {0, 0}, .goals = {{.target = GoalPoint{{20, 0}}}}});
  world.add({.position = {8, 0.1}, .goals = {{.target = GoalPoint{{-20, 0}}}}});
  for (int i = 0; i < 10; ++i) world.step();
  std::size_t before = 0;
  for (int look = 0; look < 2; ++look) {
    const SeenImage seen = world.see(one);
    const std::string bytes = sightMessage(world.number(one), world.time(), seen);
    ASSERT_EQ(bytes.size(), 24 + seen.time.size() * 3);
    std::size_t pixels = 0;
    double middle = 0;
    for (std::size_t i = 0; i < seen.time.size(); ++i) {
      if (static_cast<unsigned char>(bytes[24 + i * 3]) == 255) continue;
      ++pixels;
      middle += static_cast<double>(i % static_cast<std::size_t>(seen.columns));
    }
    ASSERT_GT(pixels, before);
    EXPECT_NEAR(middle / static_cast<double>(pixels) / seen.columns, 0.5, 0.15);
    before = pixels;
    for (int i = 0; i < 10; ++i) world.step();
  }
}

}  // namespace
}  // namespace throng::serve
