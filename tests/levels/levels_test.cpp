#include "levels/levels.h"

#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/math.h"
#include "base/random.h"

namespace throng::levels {
namespace {

using corridors::kNone;
using graph::GraphVertex;
using graph::NavigationGraph;
using ::testing::Each;
using ::testing::ElementsAre;

// By number of levels: near, ahead, ahead and far, aside, aside and far, at the edge.
constexpr int kTable[9][6] = {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0},
                              {2, 1, 1, 1, 1, 1}, {3, 2, 1, 1, 1, 1}, {4, 3, 2, 2, 1, 1},
                              {5, 4, 3, 2, 2, 1}, {6, 5, 4, 3, 2, 1}, {7, 6, 5, 3, 3, 1}};
constexpr int kUncertain = -1;

GraphVertex cylinder(double x, double y, double z = 0, double radius = 3) {
  GraphVertex made;
  made.centre = {x, y};
  made.z = z;
  made.radius = radius;
  return made;
}

struct Town {
  std::vector<GraphVertex> vertices;
  std::vector<std::array<std::vector<std::uint32_t>, 4>> visible;
  NavigationGraph graph() const { return NavigationGraph::fromParts(vertices, {}, visible); }
  bool sees(std::uint32_t from, std::uint32_t to) const {
    for (const auto& list : visible[from]) {
      if (std::find(list.begin(), list.end(), to) != list.end()) return true;
    }
    return from == to;
  }
};

Town town(std::size_t count, base::Random& random) {
  Town made;
  for (std::size_t i = 0; i < count; ++i) {
    made.vertices.push_back(
        cylinder(random.uniform(-100, 100), random.uniform(-100, 100), random.uniform(0, 0.5), random.uniform(1, 6)));
  }
  made.visible.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t k = 0; k < count; ++k) {
      if (k == i || random.uniform() < 0.4) continue;
      const Point d = made.vertices[k].centre - made.vertices[i].centre;
      const int quarter = static_cast<int>(std::floor(std::atan2(d.y, d.x) / (base::kPi / 2) + 0.5)) & 3;
      made.visible[i][static_cast<std::size_t>(quarter)].push_back(k);
    }
  }
  return made;
}

double angleBetween(double turn) { return std::fabs(std::remainder(turn, 2 * base::kPi)); }

/// The rule, with angles; kUncertain next to a border.
int slowLevel(const Town& town, const LevelSettings& settings, const Camera& camera, double scale, double beyond,
              std::uint32_t vertex) {
  const int* row = kTable[settings.levels.size()];
  const GraphVertex& v = town.vertices[vertex];
  const Point3 p = camera.position, to{v.centre.x - p.x, v.centre.y - p.y, v.z - p.z}, d = camera.direction;
  const double distance = std::hypot(to.x, to.y, to.z), near = settings.near_distance * scale * beyond,
               far = settings.far_distance * scale * beyond;
  bool uncertain = std::fabs(distance - near) < 1e-6 || std::fabs(distance - far) < 1e-6;
  // Deepest in, or nearest to, within 2 m.
  std::uint32_t at = kNone;
  double deepest = -2;
  for (std::uint32_t i = 0; i < town.vertices.size(); ++i) {
    const Point c = town.vertices[i].centre;
    const double depth = town.vertices[i].radius - std::hypot(c.x - p.x, c.y - p.y);
    if (depth >= deepest) deepest = depth, at = i;
  }
  const bool blocked = at != kNone && p.z - town.vertices[at].z < kEyesAbove;
  double angle = 0;
  if (std::hypot(d.x, d.y) > 0 && std::hypot(to.x, to.y) > 0) {
    const double plan = angleBetween(std::atan2(to.y, to.x) - std::atan2(d.y, d.x));
    const double space = std::acos(
        std::clamp((to.x * d.x + to.y * d.y + to.z * d.z) / (distance * std::hypot(d.x, d.y, d.z)), -1.0, 1.0));
    angle = std::min(plan, space);
  }
  const double half = camera.field_of_view / 2 * base::kPi / 180 * beyond;
  for (const double border : {half, 1.5 * half, 2 * half}) uncertain |= std::fabs(angle - border) < 1e-6;
  if (uncertain) return kUncertain;
  if (distance <= near) return row[0];
  if (blocked && !town.sees(at, vertex)) return 0;
  if (angle <= half) return distance <= far ? row[1] : row[2];
  if (angle <= 1.5 * half) return distance <= far ? row[3] : row[4];
  return angle <= 2 * half ? row[5] : 0;
}

int slowLevel(const Town& town, const LevelSettings& settings, double scale, double beyond, std::uint32_t vertex) {
  int highest = 0;
  for (const Camera& camera : settings.cameras) {
    const int level = slowLevel(town, settings, camera, scale, beyond, vertex);
    if (level == kUncertain) return kUncertain;
    highest = std::max(highest, level);
  }
  return highest;
}

Camera randomCamera(base::Random& random) {
  Camera camera;
  camera.position = {random.uniform(-90, 90), random.uniform(-90, 90),
                     random.uniform() < 0.6 ? random.uniform(0.5, 3) : random.uniform(8, 60)};
  camera.direction = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 1)};
  if (random.uniform() < 0.1) camera.direction = {0, 0, -2};
  if (random.uniform() < 0.1) camera.direction = {0, 0, 0};
  camera.field_of_view = random.uniform(10, 200);
  return camera;
}

TEST(Levels, AreThoseOfTheRuleByAnglesWithAndWithoutAPast) {
  base::Random random(1);
  std::array<std::size_t, 8> met{};
  for (int i = 0; i < 120; ++i) {
    const Town place = town(80, random);
    const NavigationGraph graph = place.graph();
    LevelSettings settings;
    settings.levels.resize(1 + random.below(8));
    settings.near_distance = random.uniform(5, 40);
    settings.far_distance = random.uniform(50, 150);
    std::vector<std::uint8_t> level, before;
    for (int step = 0; step < 4; ++step) {
      settings.cameras.resize(1 + random.below(3));
      for (Camera& camera : settings.cameras) camera = randomCamera(random);
      const double scale = random.uniform(0.1, 1);
      before = level;
      assignLevels(graph, settings, scale, level);
      ASSERT_EQ(level.size(), 80u);
      for (std::uint32_t v = 0; v < 80; ++v) {
        const int enter = slowLevel(place, settings, scale, 1, v), leave = slowLevel(place, settings, scale, 1.1, v);
        if (enter == kUncertain || leave == kUncertain) continue;
        ASSERT_LE(enter, leave);
        ASSERT_EQ(int{level[v]}, step == 0 ? enter : std::clamp(int{before[v]}, enter, leave))
            << "graph " << i << " step " << step << " vertex " << v;
        ++met[level[v]];
      }
    }
  }
  for (const std::size_t count : met) EXPECT_GT(count, 10u);
}

/// Cylinders on a ring of 100 m around the origin, one every 15 degrees from east, counterclockwise.
std::vector<GraphVertex> ring() {
  std::vector<GraphVertex> made;
  for (int i = 0; i < 24; ++i) {
    const double angle = i * base::kPi / 12;
    made.push_back(cylinder(100 * std::cos(angle), 100 * std::sin(angle)));
  }
  return made;
}

TEST(Levels, FallFromTheViewToTheSidesAsInTheFigure) {
  LevelSettings settings;
  settings.cameras = {{{0, 0, 20}, {5, 0, -1}, 100}};
  const NavigationGraph graph = NavigationGraph::fromParts(ring(), {});
  std::vector<std::uint8_t> level;
  assignLevels(graph, settings, 1, level);
  EXPECT_THAT(std::vector<std::uint8_t>(level.begin(), level.begin() + 13),
              ElementsAre(3, 3, 3, 3, 2, 2, 1, 0, 0, 0, 0, 0, 0));
  settings.far_distance = 90;
  level.clear();
  assignLevels(graph, settings, 1, level);
  EXPECT_THAT(std::vector<std::uint8_t>(level.begin(), level.begin() + 8), ElementsAre(2, 2, 2, 2, 1, 1, 1, 0));
  settings.near_distance = 110;
  assignLevels(graph, settings, 1, level);
  EXPECT_THAT(level, Each(4));
  level.clear();
  assignLevels(graph, settings, 0.5, level);  // near: 55 m
  EXPECT_EQ(level[0], 2);
}

TEST(Levels, LookAllAroundWithoutADirection) {
  const NavigationGraph graph = NavigationGraph::fromParts(ring(), {});
  for (const Point3 direction : {Point3{0, 0, -1}, Point3{0, 0, 0}, Point3{0, 0, 4}}) {
    LevelSettings settings;
    settings.cameras = {{{0, 0, 20}, direction, 10}};
    std::vector<std::uint8_t> level;
    assignLevels(graph, settings, 1, level);
    EXPECT_THAT(level, Each(3));
  }
}

TEST(Levels, SeeBehindTheFeetOfASteepCamera) {
  LevelSettings settings;
  settings.near_distance = 1;
  settings.cameras = {{{0, 0, 50}, {0.1, 0, -1}, 60}};
  const NavigationGraph graph =
      NavigationGraph::fromParts({cylinder(-5, 0), cylinder(-200, 0), cylinder(0, 0), cylinder(100, 0)}, {});
  std::vector<std::uint8_t> level;
  assignLevels(graph, settings, 1, level);
  EXPECT_THAT(level, ElementsAre(3, 0, 3, 3));
}

TEST(Levels, OfACameraOnAVertexAndOfNoCamera) {
  LevelSettings settings;
  const NavigationGraph graph = NavigationGraph::fromParts({cylinder(4, 4), cylinder(90, 4), cylinder(-90, 4)}, {});
  std::vector<std::uint8_t> level;
  assignLevels(graph, settings, 1, level);
  EXPECT_THAT(level, ElementsAre(4, 4, 4));
  settings.cameras = {{{4, 4, 0}, {1, 0, 0}, 60}};
  settings.near_distance = 0;
  level.clear();
  assignLevels(graph, settings, 1, level);
  EXPECT_THAT(level, ElementsAre(4, 0, 0));  // at its feet; the graph says that nothing else can be seen
  settings.cameras[0].position.z = 10;
  assignLevels(graph, settings, 1, level);
  EXPECT_THAT(level, ElementsAre(3, 3, 0));
}

TEST(Levels, DoNotFlickerAtABorder) {
  LevelSettings settings;
  settings.cameras = {{{0, 0, 0}, {1, 0, 0}, 60}};
  settings.near_distance = 50;
  const NavigationGraph graph = NavigationGraph::fromParts({cylinder(500, 0), cylinder(0, 0)}, {});
  std::vector<std::uint8_t> level;
  const auto at = [&](double x) {
    settings.cameras[0].position = {500 - x, 0, 10};
    assignLevels(graph, settings, 1, level);
    return int{level[0]};
  };
  EXPECT_EQ(at(60), 3);
  EXPECT_EQ(at(49.5), 3);  // 10 m above: 50.5 m away
  EXPECT_EQ(at(48), 4);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(at(i % 2 == 0 ? 51 : 47), 4);
  EXPECT_EQ(at(53.5), 4);
  EXPECT_EQ(at(55), 3);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(at(i % 2 == 0 ? 50 : 53), 3);
}

TEST(VertexBelow, IsOnTheHighestFloorUnderTheCamera) {
  const NavigationGraph graph = NavigationGraph::fromParts(
      {cylinder(0, 0, 0, 5), cylinder(1, 0, 4, 3), cylinder(2, 0, 4.3, 3), cylinder(20, 0, 0, 5)}, {});
  EXPECT_EQ(vertexBelow(graph, {0, 0, 1.7}), 0u);
  EXPECT_EQ(vertexBelow(graph, {0, 0, 6}), 1u);
  EXPECT_EQ(vertexBelow(graph, {2, 0, 60}), 2u);
  EXPECT_EQ(vertexBelow(graph, {13.5, 0, 2}), 3u);  // 1.5 m outside
  EXPECT_EQ(vertexBelow(graph, {6.5, 0, 6}), 2u);   // outside of all: the highest within reach
  EXPECT_EQ(vertexBelow(graph, {10, 0, 2}), kNone);
  EXPECT_EQ(vertexBelow(graph, {0, 0, -1}), kNone);
}

}  // namespace
}  // namespace throng::levels
