// The table of planners, and where people go whose goal cannot be reached.
#include "planning/planners.h"

#include <gtest/gtest.h>

#include "places.h"

namespace throng::planning {
namespace {

std::vector<float> defaults(const Planner& planner) {
  std::vector<float> values;
  for (const ModelParameter& p : planner.info.parameters) values.push_back(static_cast<float>(p.value));
  return values;
}

TEST(Planners, DirectGoesStraightToTheGoal) {
  corridors::Route route{{{9, 9}}};
  Scratch scratch;
  EXPECT_EQ(findPlanner("direct")->plan({{0, 0}, {3, 4}}, {}, {}, scratch, route), Outcome::kReached);
  ASSERT_EQ(route.size(), 1u);
  EXPECT_EQ(route[0].at, (Vec2{3, 4}));
}

TEST(Planners, AreFoundByName) {
  for (const Planner& planner : planners().entries()) EXPECT_EQ(findPlanner(planner.info.name), &planner);
  EXPECT_EQ(findPlanner("teleport"), nullptr);
}

TEST(Planners, CorridorLeadsRoundWallsAndSpreadsPeople) {
  const Planner& planner = *findPlanner("corridor");
  Layer layer;
  layer.walkable = {box(0, 0, 20, 10)};
  layer.obstacles = {box(9, 0, 11, 8)};
  const Place place(layer, {{0, 0}, {20, 10}});
  const Terrain terrain{{}, &place.map};
  Scratch scratch;
  corridors::Route route;
  float lowest = 99, highest = 0;
  for (const float preference : {0.0f, 0.25f, 0.5f, 0.75f, 0.999f}) {
    Request request{{2, 2}, {18, 2}};
    request.preference = preference;
    ASSERT_EQ(planner.plan(request, terrain, defaults(planner), scratch, route), Outcome::kReached);
    ASSERT_GE(route.size(), 3u);
    EXPECT_EQ(route.back().at, request.to);
    float top = 0;
    Point before{2, 2};
    for (const auto& [p, on] : route) {
      const Point at{p.x, p.y};
      EXPECT_GE(place.clearanceOf(before, at), 0.2495);
      before = at;
      top = std::max(top, p.y);
    }
    lowest = std::min(lowest, top), highest = std::max(highest, top);
  }
  EXPECT_LT(lowest, 8.5f);   // the passage is from y = 8 to y = 10
  EXPECT_GT(highest, 8.8f);  // all on one line would be no spread
}

TEST(Planners, CorridorSaysWhatBecameOfTheGoal) {
  const Planner& planner = *findPlanner("corridor");
  const Place place = clutteredRoom(3, 20, 15, 8);
  const Terrain terrain{{}, &place.map};
  Scratch scratch;
  corridors::Route route;
  base::Random random(1, 1);
  const Point from = place.somewhere(random, 0.5);
  Request request{{static_cast<float>(from.x), static_cast<float>(from.y)}, {50, 5}};
  EXPECT_EQ(planner.plan(request, terrain, defaults(planner), scratch, route), Outcome::kNearest);
  ASSERT_FALSE(route.empty());
  EXPECT_LT(route.back().at.x, 20);
  request.from = {-5, 5};
  EXPECT_EQ(planner.plan(request, terrain, defaults(planner), scratch, route), Outcome::kNowhere);
  EXPECT_EQ(route, (corridors::Route{{{50, 5}}}));
  EXPECT_EQ(planner.plan(request, {}, defaults(planner), scratch, route), Outcome::kNowhere);
}

TEST(Planners, NeedNoMemoryOnceWarm) {
  const Place place = blockCity(4, 4, 20);
  base::Random random(2, 2);
  Scratch scratch;
  RouteAnswer answer;
  std::vector<RouteQuery> queries(50);
  for (RouteQuery& query : queries) query.from = place.anywhere(random), query.to = place.anywhere(random);
  const auto run = [&] {
    for (const RouteQuery& query : queries) findRoute(place.map, query, scratch, answer);
    return std::vector<const void*>{
        scratch.medial.nodes.data(),  scratch.medial.heap.data(), scratch.medial.chains.data(),
        scratch.path.edges.data(),    scratch.portals.data(),     scratch.funnel.nodes.data(),
        scratch.funnel.funnel.data(), scratch.reach.seen.data(),  scratch.reach.open.data(),
        answer.points.data(),         answer.corridor.data()};
  };
  const auto first = run();
  EXPECT_EQ(run(), first);
}

TEST(Reachability, FindsTheNearestPlace) {
  constexpr double kStep = 0.025;
  int found = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Place place = seed % 3 == 0 ? roomsAndDoors(50 + seed, 2, 1) : clutteredRoom(200 + seed, 8, 6, 14);
    GridFlood grid(place, kStep);
    base::Random random(seed, 8);
    Scratch scratch;
    RouteAnswer answer;
    for (int i = 0; i < 10; ++i) {
      RouteQuery query;
      query.radius = random.uniform(0.1, 0.4);
      query.from = place.somewhere(random, query.radius + kStep);
      query.to = place.anywhere(random);
      findRoute(place.map, query, scratch, answer);
      if (answer.outcome != Outcome::kNearest) continue;
      ++found;
      EXPECT_GE(place.clearanceOf(answer.end, answer.end), query.radius - 1e-5);
      EXPECT_EQ(answer.points.back(), answer.end);
      const double distance = length(answer.end - query.to);
      // Whatever the grid reaches with half a step to spare can be reached, and all that can be is next to a grid place
      // that is 0.71 steps looser.
      grid.run(query.from, query.radius + 0.5 * kStep, false);
      const double at_most = grid.nearest(query.to);
      grid.run(query.from, query.radius - 0.71 * kStep, true);
      const double at_least = grid.nearest(query.to) - 0.71 * kStep;
      EXPECT_LE(distance, at_most + 1e-9) << "scene " << seed << " from " << query.from.x << "," << query.from.y
                                          << " to " << query.to.x << "," << query.to.y << " radius " << query.radius;
      EXPECT_GE(distance, at_least - 1e-9) << "scene " << seed;
      worst = std::max(worst, at_most - distance);
    }
  }
  std::printf("%d unreachable goals, grid at most %.3f m worse\n", found, worst);
  EXPECT_GT(found, 20);
}

TEST(Reachability, PrefersTheGoalsFloor) {
  const Place place = twoFloors(2);
  Scratch scratch;
  RouteAnswer answer;
  // In the upper floor's obstacle: the nearest place is next to it, up there.
  findRoute(place.map, {{2, 5}, {30.4, 3}, 0, 1, 0.25, 0.5, 0, 1}, scratch, answer);
  EXPECT_EQ(answer.outcome, Outcome::kNearest);
  EXPECT_EQ(answer.end_floor, 1);
  EXPECT_NEAR(answer.end.x, 29.75, 1e-5);
  EXPECT_NEAR(answer.end.y, 3, 1e-5);
  // Too large for the stair: the nearest place is on this side of it.
  findRoute(place.map, {{12, 5}, {30.4, 3}, 0, 1, 1.1, 1.1, 0, 1}, scratch, answer);
  EXPECT_EQ(answer.outcome, Outcome::kNearest);
  EXPECT_EQ(answer.end_floor, 0);
  EXPECT_GT(answer.end.x, 18.5);
}

}  // namespace
}  // namespace throng::planning
