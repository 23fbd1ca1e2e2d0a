#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "throng/base.h"

namespace throng {
namespace {

TEST(AgentId, ZeroIsNobody) {
  EXPECT_FALSE(AgentId{});
  EXPECT_EQ(AgentId{}.value, 0u);
  EXPECT_TRUE(AgentId(0, 0));
}

TEST(AgentId, KeepsIndexAndGeneration) {
  EXPECT_TRUE(rc::check([](std::uint32_t index, std::uint32_t generation) {
    RC_PRE(index != 0xffffffffu);  // the one index that has no id: index + 1 would be null
    const AgentId id(index, generation);
    RC_ASSERT(bool(id));
    RC_ASSERT(id.index() == index);
    RC_ASSERT(id.generation() == generation);
    RC_ASSERT(id != AgentId(index, generation + 1));
  }));
}

TEST(Vec2, TurnsLeftAndMeasures) {
  const Vec2 east{2, 0}, north{0, 3};
  EXPECT_EQ(perpendicular(east), (Vec2{0, 2}));
  EXPECT_GT(det(east, north), 0);
  EXPECT_LT(det(north, east), 0);
  EXPECT_EQ(dot(east, north), 0);
  EXPECT_EQ(length(Vec2{3, 4}), 5);
  EXPECT_EQ(normalized(Vec2{}), (Vec2{}));
  EXPECT_EQ(normalized(north), (Vec2{0, 1}));
  Vec2 v = east;
  v += north;
  v -= {1, 1};
  v *= 2.f;
  EXPECT_EQ(v, (Vec2{2, 4}));
  EXPECT_EQ(-(v / 2.f), (Vec2{-1, -2}));
}

}  // namespace
}  // namespace throng
