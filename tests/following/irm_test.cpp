#include "following/irm.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "corridors/map_scenes.h"

namespace throng::following {
namespace {

using corridors::kHeight;
using corridors::kWidth;
using corridors::TestMap;

/// People on random routes, some of them through walls, with or without what FollowRoutes remembers of them.
class Walkers {
 public:
  Walkers(const TestMap& test, std::uint64_t seed, bool remember) : test_(test), remember_(remember) {
    base::Random random(seed);
    const auto place = [&] {
      Vec2 at;
      do at = {static_cast<float>(random.uniform(0, kWidth)), static_cast<float>(random.uniform(0, kHeight))};
      while (!test.map.locate(wide(at), 0));
      return at;
    };
    for (int i = 0; i < 60; ++i) {
      agents::PersonState state;
      state.position = place();
      state.radius = static_cast<float>(random.uniform(0.05, 0.4));
      const std::uint32_t r = crowd.row(crowd.add(state));
      crowd.activity[r] = agents::Activity::kWalking;
      crowd.route_state[r] = agents::RouteState::kReaches;
      corridors::Route route;
      // Legs of all lengths, some of none.
      for (std::uint64_t legs = random.below(9); legs > 0; --legs) {
        const Vec2 from = route.empty() ? state.position : route.back().at;
        route.push_back({from + (place() - from) * static_cast<float>(random.uniform(0, 1)), 0});
        if (random.below(6) == 0) route.push_back(route.back());
      }
      setOut(r, route);
    }
    const std::size_t n = crowd.size();
    cells_.assign(n, 0);
    for (auto* column : {&from_x_, &from_y_, &free_, &room_}) column->assign(n, 0);
  }

  void setOut(std::uint32_t r, const corridors::Route& route) {
    crowd.route_start[r] = routes.add(route);
    crowd.route_count[r] = static_cast<std::uint32_t>(route.size());
    crowd.target_x[r] = crowd.x[r], crowd.target_y[r] = crowd.y[r];
    crowd.goal_x[r] = route.empty() ? crowd.x[r] : route.back().at.x;
    crowd.goal_y[r] = route.empty() ? crowd.y[r] : route.back().at.y;
  }

  void step() {
    constexpr float kDt = 0.1f;
    const FollowInput::Memory memory{from_x_.data(), from_y_.data(), free_.data(), room_.data()};
    std::vector<std::uint32_t> rows(crowd.size());
    for (std::uint32_t r = 0; r < rows.size(); ++r) rows[r] = r;
    const float parameters[] = {1.0f};
    followIndicativeRoute(
        {crowd, routes, &test_.map, kDt, remember_ ? cells_.data() : nullptr, remember_ ? &memory : nullptr},
        parameters, rows);
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
      const Vec2 to{crowd.x[r] + crowd.preferred_vx[r] * kDt, crowd.y[r] + crowd.preferred_vy[r] * kDt};
      if (test_.map.locate(wide(to), 0)) crowd.x[r] = to.x, crowd.y[r] = to.y;
    }
  }

  agents::Crowd crowd;
  corridors::RouteStore routes;

 private:
  const TestMap& test_;
  bool remember_;
  std::vector<std::uint32_t> cells_;
  std::vector<float> from_x_, from_y_, free_, room_;
};

// Also when routes are put in order, or replaced, on the way.
TEST(IndicativeRouteMethod, WhatIsRememberedChangesNothingBitForBit) {
  std::size_t compared = 0, passed = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    base::Random random(seed);
    const TestMap test(corridors::sceneOf(corridors::placeLayer(corridors::kPlaces[seed % 7], random)));
    Walkers forgetful(test, seed, false), remembering(test, seed, true);
    for (int step = 0; step < 150; ++step) {
      if (step % 40 == 39)
        for (Walkers* each : {&forgetful, &remembering})
          each->routes.compact(each->crowd.route_start, each->crowd.route_count);
      if (step % 25 == 24)
        for (Walkers* each : {&forgetful, &remembering})
          for (std::uint32_t r = 0; r < each->crowd.size(); r += 7)
            each->setOut(r, {{{each->crowd.x[(r + 1) % each->crowd.size()], each->crowd.y[r]}, 0},
                             {{each->crowd.x[r], each->crowd.y[(r + 2) % each->crowd.size()]}, 0}});
      std::vector<std::uint32_t> before(forgetful.crowd.route_count.begin(), forgetful.crowd.route_count.end());
      forgetful.step(), remembering.step();
      const agents::Crowd &a = forgetful.crowd, &b = remembering.crowd;
      const std::size_t bytes = a.size() * sizeof(float);
      ASSERT_EQ(std::memcmp(a.target_x.data(), b.target_x.data(), bytes), 0) << seed << ", step " << step;
      ASSERT_EQ(std::memcmp(a.target_y.data(), b.target_y.data(), bytes), 0) << seed << ", step " << step;
      ASSERT_EQ(std::memcmp(a.preferred_vx.data(), b.preferred_vx.data(), bytes), 0) << seed << ", step " << step;
      ASSERT_EQ(std::memcmp(a.preferred_vy.data(), b.preferred_vy.data(), bytes), 0) << seed << ", step " << step;
      ASSERT_EQ(std::memcmp(a.route_start.data(), b.route_start.data(), bytes), 0) << seed << ", step " << step;
      ASSERT_EQ(std::memcmp(a.lost.data(), b.lost.data(), a.size()), 0) << seed << ", step " << step;
      for (std::uint32_t r = 0; r < a.size(); ++r) passed += a.route_count[r] < before[r] ? 1 : 0;
      compared += a.size();
    }
  }
  EXPECT_GT(passed, 300u) << "of " << compared;
}

}  // namespace
}  // namespace throng::following
