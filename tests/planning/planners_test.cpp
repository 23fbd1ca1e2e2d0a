#include "planning/planners.h"

#include <gtest/gtest.h>

namespace throng::planning {
namespace {

TEST(Planners, DirectGoesStraightToTheGoal) {
  environment::Route route{{9, 9}};
  findPlanner("direct")->plan({{0, 0}, {3, 4}, 0, 0.25f}, {}, {}, route);
  ASSERT_EQ(route.size(), 1u);
  EXPECT_EQ(route[0], (Vec2{3, 4}));
}

TEST(Planners, AreFoundByName) {
  for (const Planner& planner : planners()) EXPECT_EQ(findPlanner(planner.info.name), &planner);
  EXPECT_EQ(findPlanner("teleport"), nullptr);
}

}  // namespace
}  // namespace throng::planning
