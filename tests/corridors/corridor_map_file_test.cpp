#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "base/archive.h"
#include "corridors/map_scenes.h"
#include "corridors/visibility.h"

namespace throng::corridors {
namespace {

std::string saved(const CorridorMap& map) { return map.save(); }

CorridorMap loaded(const std::string& bytes) { return CorridorMap::load(bytes); }

constexpr base::ArchiveKind kKind{"corridor map", 2};

Scene smallScene() {
  Scene scene = sceneOf({});
  scene.layers.resize(2);
  scene.layers[1].name = "upper";
  scene.layers[0].walkable = {box(0, 0, 6, 4)};
  scene.layers[0].obstacles = {box(2, 1, 3, 2)};
  scene.layers[1].walkable = {box(6, 0, 9, 4)};
  scene.connections = {{"stair", "", {{6, 1}, {6, 3}}, "upper", {{6, 1}, {6, 3}}}};
  return scene;
}

TEST(CorridorMapFile, GivesTheSameMapBack) {
  base::Random random(21);
  std::vector<Scene> scenes{smallScene()};
  for (const Place place : kPlaces) scenes.push_back(sceneOf(placeLayer(place, random)));
  for (const Scene& scene : scenes) {
    const TestMap test(scene);
    ASSERT_EQ(test.map.check(), "");
    const std::string bytes = saved(test.map);
    const CorridorMap again = loaded(bytes);
    ASSERT_EQ(again.check(), "");
    ASSERT_EQ(saved(again), bytes);
    ASSERT_EQ(again.floors(), test.map.floors());
    for (int i = 0; i < 300; ++i) {
      const Point p{random.uniform(-1, kWidth + 1), random.uniform(-1, kHeight + 1)}, q{random.uniform(0, 9), 2};
      for (std::uint16_t floor = 0; floor < again.floors(); ++floor) {
        const Located cell = again.locate(p, floor);
        ASSERT_EQ(cell.cell, test.map.locate(p, floor).cell);
        ASSERT_TRUE(!cell || again.floorAt(cell.cell, p) == floor);
        ASSERT_EQ(visible(again, p, floor, q), visible(test.map, p, floor, q));
      }
    }
  }
  EXPECT_EQ(saved(loaded(saved(CorridorMap()))), saved(CorridorMap()));
}

/// True when it was refused. What is not refused must be a map that holds together.
bool refused(const std::string& bytes) {
  try {
    const CorridorMap map = loaded(bytes);
    EXPECT_EQ(map.check(), "");
    VisibilityScratch scratch;
    VisibilityPolygon polygon;
    const Point places[] = {{1, 1}, {5, 3}, {2, 3}, {8, 2}};
    for (const Point p : places) {
      const Located cell = map.locate(p, 0);
      if (!cell) continue;
      map.retract(cell, p);
      for (const Point q : places) lookAlong(map, cell, p, q, 0.1);
      visibilityPolygon(map, cell, p, scratch, polygon);
    }
    return false;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("corridor map"), std::string::npos) << error.what();
    return true;
  }
}

TEST(CorridorMapFile, RefusesWhatIsDamaged) {
  const TestMap test(smallScene());
  const std::string file = saved(test.map);
  for (std::size_t size = 0; size < file.size(); ++size) ASSERT_TRUE(refused(file.substr(0, size))) << size;
  EXPECT_TRUE(refused(file + 'x'));
  EXPECT_TRUE(refused("some text"));
  base::Random random(22);
  for (int i = 0; i < 4000; ++i) {
    std::string flipped = file;
    flipped[random.below(file.size())] ^= static_cast<char>(1 << random.below(8));
    ASSERT_TRUE(refused(flipped));
  }

  // Behind the checksum: what a program with another idea of maps has sealed.
  const std::string bytes(base::unsealed(kKind, file).content);
  EXPECT_TRUE(refused(base::sealed({"corridor map", 99}, 0, bytes)));
  EXPECT_TRUE(refused(base::sealed({"navigation graph", 2}, 0, bytes)));
  EXPECT_FALSE(refused(base::sealed(kKind, 0, bytes)));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_TRUE(refused(base::sealed(kKind, 0, bytes.substr(0, size)))) << size;
  int refusals = 0;
  constexpr int kRounds = 4000;
  for (int i = 0; i < kRounds; ++i) {
    std::string damaged = bytes;
    for (std::uint64_t k = 0, n = 1 + random.below(3); k < n; ++k) {
      char& byte = damaged[random.below(damaged.size())];
      switch (random.below(4)) {
        case 0:
          byte = static_cast<char>(byte ^ (1 << random.below(8)));
          break;
        case 1:
          byte = static_cast<char>(random.bits());
          break;
        case 2:
          byte = '\xff';
          break;
        default:
          byte = 0;
      }
    }
    refusals += damaged != bytes && refused(base::sealed(kKind, 0, damaged));
  }
  EXPECT_GT(refusals, kRounds / 3);
  std::printf("%zu bytes, every truncation and %d of %d damaged maps refused\n", bytes.size(), refusals, kRounds);
}

// --- walls for moving people ----------------------------------------------------------------------------------------

using Ends = std::tuple<float, float, float, float>;

std::vector<Ends> directedEnds(const ground::Walls& walls) {
  std::vector<Ends> ends;
  for (std::size_t i = 0; i < walls.size(); ++i)
    ends.emplace_back(walls.a[i].x, walls.a[i].y, walls.b[i].x, walls.b[i].y);
  std::sort(ends.begin(), ends.end());
  return ends;
}

void expectChained(const ground::Walls& walls) {
  for (std::size_t i = 0; i < walls.size(); ++i) {
    ASSERT_LT(walls.next[i], walls.size());
    EXPECT_EQ(walls.a[walls.next[i]], walls.b[i]);
    EXPECT_EQ(walls.previous[walls.next[i]], i);
    EXPECT_NE(walls.a[i], walls.b[i]);
    EXPECT_NEAR(length(walls.direction[i]), 1, 1e-6);
  }
}

/// Coordinates that the grid of the map and 32-bit floats both have.
void roundTo64ths(Layer& layer) {
  const auto round = [](Point& p) { p = {std::round(p.x * 64) / 64, std::round(p.y * 64) / 64}; };
  for (Polygon& polygon : layer.obstacles)
    for (Point& p : polygon.outer) round(p);
  for (Polyline& wall : layer.walls)
    for (Point& p : wall.points) round(p);
}

TEST(CorridorMapWalls, AreThoseOfTheFloor) {
  base::Random random(23);
  for (int round = 0; round < 12; ++round) {
    Layer layer;
    if (round % 3 != 0) layer.walkable = {box(0, 0, kWidth, kHeight)};
    for (int x = 0; x < 5; ++x)  // too far apart to meet
      for (int y = 0; y < 4; ++y) {
        const Point centre{4 + 8.0 * x, 4 + 7.0 * y};
        const Polygon shape =
            regular(centre, random.uniform(0.5, 3), 3 + static_cast<int>(random.below(5)), random.uniform(0, 3));
        if (random.below(3) == 0)
          layer.walls.push_back({shape.outer});
        else
          layer.obstacles.push_back(shape);
      }
    roundTo64ths(layer);
    const TestMap test(layer);
    const ground::Walls walls = test.map.wallsOf(0);
    expectChained(walls);
    ASSERT_EQ(directedEnds(walls), directedEnds(test.space.floors()[0].walls)) << "round " << round;
    EXPECT_FALSE(walls.grid.empty());
  }
}

TEST(CorridorMapWalls, TurnBackAtConnections) {
  const TestMap test(smallScene());
  for (std::uint16_t floor = 0; floor < 2; ++floor) {
    const ground::Walls walls = test.map.wallsOf(floor);
    expectChained(walls);
    ASSERT_EQ(directedEnds(walls), directedEnds(test.space.floors()[floor].walls));
  }
}

TEST(CorridorMapWalls, AreChainedWhereverWallsMeet) {
  base::Random random(24);
  for (const Place place : kPlaces)
    for (int round = 0; round < 3; ++round) {
      const TestMap test(placeLayer(place, random));
      const ground::Walls walls = test.map.wallsOf(0);
      expectChained(walls);
      double sides = 0, chained = 0;
      for (std::uint32_t i = 0; i < test.map.walls().size(); ++i) {
        const MapWall& wall = test.map.walls()[i];
        const Segment s = test.map.wallSegment(i);
        if (!wall.frame) sides += (wall.left_free + wall.right_free) * length(s.b - s.a);
      }
      for (std::size_t i = 0; i < walls.size(); ++i) chained += length(walls.b[i] - walls.a[i]);
      EXPECT_NEAR(chained, sides, 1e-3);
      for (int i = 0; i < 200; ++i) {  // free space on the right, solid or another free side on the left
        const auto k = random.below(walls.size());
        const Vec2 middle = (walls.a[k] + walls.b[k]) * 0.5f, d = walls.direction[k];
        const Point right{middle.x + 1e-4 * d.y, middle.y - 1e-4 * d.x};
        EXPECT_TRUE(length(walls.b[k] - walls.a[k]) < 0.01f || test.map.locate(right, 0));
      }
    }
}

// --- the grid -------------------------------------------------------------------------------------------------------

/// A round hall: cells from its middle to every corner. The lists must not grow with the square root of their number.
TEST(CellGrid, HasShortListsOfLongCells) {
  for (const std::size_t count : {std::size_t{100}, std::size_t{3000}, std::size_t{60000}}) {
    std::vector<std::array<Point, 3>> cells;
    double extents = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double a = 2 * M_PI * double(i) / double(count), b = 2 * M_PI * double(i + 1) / double(count);
      cells.push_back({Point{0, 0}, Point{std::cos(a), std::sin(a)} * 100.0, Point{std::cos(b), std::sin(b)} * 100.0});
      extents += 100 * (std::abs(std::cos(a)) + std::abs(std::sin(a)));
    }
    CellGrid grid({{-101, -101}, {101, 101}}, count, extents);
    for (std::uint32_t i = 0; i < count; ++i) grid.insert(i, cells[i]);
    EXPECT_LT(grid.entries(), 40 * count) << count;
    for (std::uint32_t i = 0; i < count; i += 37) {
      const auto found = grid.at((cells[i][0] + cells[i][1] + cells[i][2]) / 3.0);
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), i)) << count << ", " << i;
    }
  }
}

TEST(CellGrid, FindsEveryCellThatMayContainAPlace) {
  base::Random random(25);
  constexpr std::uint32_t kCells = 600;
  std::vector<std::vector<Point>> cells;
  for (std::uint32_t i = 0; i < kCells; ++i) {  // long and thin ones among them, and some that stick out
    const Point start{random.uniform(0, 50), random.uniform(0, 20)};
    double s, c;
    base::sinCos(random.uniform(0, 6), s, c);
    const Point along = Point{c, s} * (random.uniform() * random.uniform(0, 30));
    const Point across = perpendicular(Point{c, s}) * (random.below(10) ? random.uniform(0, 2) : 0.0);
    cells.push_back({start, start + along, start + along + across, start + across});
  }
  CellGrid grid({{0, 0}, {50, 20}}, kCells);
  std::vector<bool> in(kCells, false);
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 500; ++i) {
      const auto k = static_cast<std::uint32_t>(random.below(kCells));
      if (in[k])
        grid.remove(k, cells[k]);
      else
        grid.insert(k, cells[k]);
      in[k] = !in[k];
    }
    std::size_t candidates = 0, containing = 0;
    for (int i = 0; i < 300; ++i) {
      const auto on = random.below(kCells);  // half of the places are on borders of cells
      const Point p = i % 2 ? Point{random.uniform(0, 50), random.uniform(0, 20)}
                            : cells[on][0] + (cells[on][1] - cells[on][0]) * random.uniform();
      const auto found = grid.at(p);
      ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
      candidates += found.size();
      for (const std::uint32_t k : found) ASSERT_TRUE(in[k]);
      if (p.x < 0 || p.y < 0 || p.x > 50 || p.y > 20) continue;
      for (std::uint32_t k = 0; k < kCells; ++k) {
        if (!in[k]) continue;
        double outside = 0;
        for (std::size_t j = 0; j < 4; ++j) {
          const Point a = cells[k][j], way = normalized(cells[k][(j + 1) % 4] - a);
          outside = std::max(outside, -det(way, p - a));
        }
        if (outside > 1e-6 || (geometry::distanceToSegment(p, cells[k][0], cells[k][2]) > 35)) continue;
        bool beyond = false;  // a flat cell has no inside to tell by
        for (const std::size_t axis : {1, 3}) {
          const Point way = cells[k][axis] - cells[k][0];
          const double along = dot(p - cells[k][0], normalized(way));
          beyond = beyond || along < -1e-6 || along > length(way) + 1e-6;
        }
        if (beyond) continue;
        ++containing;
        ASSERT_TRUE(std::binary_search(found.begin(), found.end(), k)) << k;
      }
    }
    EXPECT_GT(containing, 100u);
    EXPECT_LT(candidates, 5 * containing);
  }
  EXPECT_TRUE(grid.at({-1, 5}).empty());
  EXPECT_TRUE(grid.at({5, 20.0 + 51}).empty());
}

}  // namespace
}  // namespace throng::corridors
