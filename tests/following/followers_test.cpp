#include "following/followers.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace throng::following {
namespace {

struct Walker {
  agents::Crowd crowd;
  corridors::RouteStore routes;

  explicit Walker(const corridors::Route& route) {
    agents::PersonState state;
    state.preferred_speed = 1.0f;
    crowd.add(state);
    crowd.activity[0] = agents::Activity::kWalking;
    crowd.route_start[0] = routes.add(route);
    crowd.route_count[0] = static_cast<std::uint32_t>(route.size());
  }
  void follow(float dt = 0.1f) {
    const float parameters[] = {0.5f};
    const std::uint32_t rows[] = {0};
    findFollower("direct")->follow({crowd, routes, nullptr, dt}, std::span<const float>(parameters),
                                   std::span<const std::uint32_t>(rows));
  }
};

TEST(DirectFollower, HeadsForTheNextWayPointAtThePreferredSpeed) {
  Walker walker({{{3, 4}}, {{10, 0}}});
  walker.follow();
  EXPECT_NEAR(walker.crowd.preferred_vx[0], 0.6, 1e-6);
  EXPECT_NEAR(walker.crowd.preferred_vy[0], 0.8, 1e-6);
  EXPECT_EQ(walker.crowd.target_x[0], 3.0f);
}

TEST(DirectFollower, PassesWayPointsWithinReachButNeverTheLast) {
  Walker walker({{{0.3f, 0}}, {{0, 0.4f}}, {{0.1f, 0}}});
  walker.follow();
  EXPECT_EQ(walker.crowd.route_count[0], 1u);
  EXPECT_EQ(walker.crowd.target_x[0], 0.1f);
}

TEST(DirectFollower, DoesNotOvershootTheGoal) {
  Walker walker(corridors::Route{{{0.05f, 0}}});
  walker.follow(0.1f);
  EXPECT_NEAR(walker.crowd.preferred_vx[0] * 0.1f, 0.05, 1e-6);
}

TEST(DirectFollower, WhoStaysWantsToStandAndWhoHeadsWalksOn) {
  Walker walker(corridors::Route{{{5, 5}}});
  walker.crowd.activity[0] = agents::Activity::kStaying;
  walker.follow();
  EXPECT_EQ(walker.crowd.preferred_vx[0], 0.0f);
  walker.crowd.activity[0] = agents::Activity::kHeading;
  walker.crowd.goal_x[0] = 0, walker.crowd.goal_y[0] = -1;
  walker.follow();
  EXPECT_EQ(walker.crowd.preferred_vy[0], -1.0f);
}

TEST(RouteStore, CompactingKeepsEverybodysRemainingWay) {
  corridors::RouteStore store;
  const corridors::Route a{{{1, 0}}, {{2, 0}}}, b{{{3, 0}}}, c{{{4, 0}}, {{5, 0}}, {{6, 0}}};
  std::vector<std::uint32_t> starts{store.add(a), store.add(b), store.add(c)};
  ++starts[2];
  std::vector<std::uint32_t> counts{2, 0, 2};
  store.compact(starts, counts);
  EXPECT_EQ(store.size(), 4u);
  EXPECT_EQ(store.at(starts[0]).x, 1.0f);
  EXPECT_EQ(store.at(starts[2]).x, 5.0f);
  EXPECT_EQ(store.at(starts[2] + 1).x, 6.0f);
}

TEST(RouteStore, ManyRoutesArePutInTheOrderOfPeopleAndStayTheSame) {
  for (const std::uint32_t people : {50u, 40'000u}) {  // few stay where they are
    corridors::RouteStore store;
    std::vector<std::uint32_t> starts, counts;
    const auto route = [](std::uint32_t person) {
      corridors::Route points(40 + person % 31);
      for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = {{static_cast<float>(person), static_cast<float>(i)}, static_cast<std::uint16_t>(person % 7)};
      return points;
    };
    for (std::uint32_t person = 0; person < people; ++person) {
      starts.push_back(store.add(route(person)));
      counts.push_back(40 + person % 31);
    }
    std::reverse(starts.begin(), starts.end()), std::reverse(counts.begin(), counts.end());
    const std::vector<std::uint32_t> before = starts;
    store.inOrder(starts, counts);
    EXPECT_EQ(starts == before, people == 50);
    EXPECT_EQ(std::is_sorted(starts.begin(), starts.end()), people != 50);
    for (std::uint32_t row = 0; row < people; ++row)
      for (std::uint32_t i = 0; i < counts[row]; i += 13) {
        EXPECT_EQ(store.at(starts[row] + i), (Vec2{static_cast<float>(people - 1 - row), static_cast<float>(i)}));
        EXPECT_EQ(store.layer(starts[row] + i), (people - 1 - row) % 7);
      }
    store.fetch(people, [&](std::size_t i) { return std::size_t{starts[i]}; });
  }
}

}  // namespace
}  // namespace throng::following
