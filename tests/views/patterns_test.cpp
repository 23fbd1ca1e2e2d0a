// Lanes, stripes and circulation as shapes, from frames made in memory.
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "throng/metrics.h"
#include "throng/views.h"

#include "two_floors.h"

namespace throng::views {
namespace {

using testing::HasSubstr;

Population walkers(const char* name, Polygon from, Polygon to) {
  Population population;
  population.name = name;
  population.start.shape = StartArea{{std::move(from)}};
  population.goals = {{GoalArea{{std::move(to)}}}};
  return population;
}

/// A corridor of 40 m by 4 m with people who walk against one another.
Scene corridor() {
  Layer layer;
  layer.name = "ground";
  layer.walkable = {ground::box(0, 0, 40, 4)};
  Scene scene = ground::sceneOf(layer);
  scene.populations = {walkers("east", ground::box(0, 0, 10, 4), ground::box(35, 0, 40, 4)),
                       walkers("west", ground::box(30, 0, 40, 4), ground::box(0, 0, 5, 4))};
  return scene;
}

struct Walker {
  Point at, velocity;
  std::uint16_t population = 0;
};

MemoryFrames walking(const std::vector<Walker>& people, int frames) {
  MemoryFrames source(2);
  for (int k = 0; k < frames; ++k) {
    FrameCopy frame;
    frame.time = 0.5 * k;
    frame.resize(people.size());
    for (std::size_t i = 0; i < people.size(); ++i) {
      const Point at = people[i].at + people[i].velocity * frame.time;
      frame.person[i] = static_cast<std::uint32_t>(i + 1);
      frame.x[i] = static_cast<float>(at.x);
      frame.y[i] = static_cast<float>(at.y);
      frame.heading_x[i] = static_cast<float>(normalized(people[i].velocity).x);
      frame.heading_y[i] = static_cast<float>(normalized(people[i].velocity).y);
      frame.radius[i] = 0.2f;
      frame.population[i] = people[i].population;
    }
    source.add(frame);
  }
  return source;
}

/// Those who go east keep to the right.
MemoryFrames twoLanes() {
  std::vector<Walker> people;
  for (int i = 0; i < 12; ++i)
    for (int row = 0; row < 2; ++row) {
      people.push_back({{0.8 * i, 0.6 + 0.8 * row}, {1.2, 0}, 0});
      people.push_back({{40 - 0.8 * i, 3.4 - 0.8 * row}, {-1.2, 0}, 1});
    }
  return walking(people, 40);
}

TEST(PatternViews, LanesWhenMostPeopleMeet) {
  MemoryFrames source = twoLanes();
  const std::array<Pattern, 1> lanes{Pattern::kLanes};
  const PatternView view = viewPatterns(source, corridor(), lanes);
  EXPECT_GT(view.time, 8) << "they meet in the middle";
  EXPECT_LT(view.time, 19);
  EXPECT_THAT(view.overlay.caption, testing::AllOf(HasSubstr("100 % walk along them"), HasSubstr("purity 100 %")));
  ASSERT_FALSE(view.overlay.areas.empty());
  EXPECT_EQ(view.overlay.areas.size(), view.overlay.lines.size());
  EXPECT_EQ(view.overlay.keys.size(), 2u);
  for (const Overlay::Area& area : view.overlay.areas) {
    double y = 0;
    for (const Point& p : area.pieces.at(0).outer) y += p.y / 4;
    EXPECT_EQ(area.paint.rgb, populationPaint(y < 2 ? 0 : 1).rgb) << y;
  }
  FrameCopy first;
  ASSERT_TRUE(source.next(first));
  EXPECT_EQ(first.time, 0) << "left at its beginning";
}

TEST(PatternViews, AtATimeAskedFor) {
  MemoryFrames source = twoLanes();
  const std::array<Pattern, 1> lanes{Pattern::kLanes};
  EXPECT_EQ(viewPatterns(source, corridor(), lanes, 12.3).time, 12) << "the last frame before";
  EXPECT_EQ(viewPatterns(source, corridor(), lanes, 0).time, 0);
  EXPECT_THROW(viewPatterns(source, corridor(), lanes, 60), InputError);
  EXPECT_THROW(viewPatterns(source, corridor(), lanes, -1), InputError);
  MemoryFrames nothing;
  EXPECT_THROW(viewPatterns(nothing, corridor(), lanes), InputError);
}

TEST(PatternViews, SaysWhatASceneDoesNotHave) {
  MemoryFrames source = twoLanes();
  for (const Pattern pattern : {Pattern::kStripes, Pattern::kCirculation}) {
    const std::array<Pattern, 1> patterns{pattern};
    EXPECT_THROW(viewPatterns(source, corridor(), patterns), InputError);
  }
}

TEST(PatternViews, CirculationIsAnArrowInItsSense) {
  Scene scene = ground::sceneOf({});
  scene.layers[0].name = "ground";
  Population around;
  around.start.shape = StartCircle{{0, 0}, 8};
  around.count = 8;
  around.goals = {{GoalOpposite{}}};
  scene.populations = {around};
  // Everybody passes the centre at 1 m with the centre on their left.
  std::vector<Walker> people;
  for (int i = 0; i < 8; ++i) {
    const double angle = 2 * std::numbers::pi * i / 8;
    const Point out{std::cos(angle), std::sin(angle)}, right{-out.y, out.x};
    people.push_back({out * 8 + right * 1.0, out * -1.0, 0});
  }
  MemoryFrames source = walking(people, 30);
  const std::array<Pattern, 1> circulation{Pattern::kCirculation};
  const PatternView view = viewPatterns(source, scene, circulation);
  EXPECT_THAT(view.overlay.caption, HasSubstr("circulation 1.00"));
  EXPECT_NEAR(view.time, 8, 1.1);
  ASSERT_EQ(view.overlay.lines.size(), 2u) << "an arc and its tip";
  Metrics metrics(metricsSettings(scene));
  source.rewind();
  metrics.observe(source);
  const double sense = metrics.report().circulations.at(0).circulation;
  EXPECT_NEAR(std::abs(sense), 1, 1e-9);
  const auto& arc = view.overlay.lines[0].points;
  EXPECT_GT(det(arc[0], arc[1]) * sense, 0);
}

}  // namespace
}  // namespace throng::views
