// Made-up places: as many obstacles and vertices as promised, the same for the same seed, sound, and connected where
// they should be.
#include <algorithm>
#include <gtest/gtest.h>

#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "places/generate.h"
#include "scene/pages.h"
#include "scene/scenes_for_tests.h"

namespace throng::places {
namespace {

constexpr std::uint64_t kSeeds = 25;

std::string written(const std::string& name, std::uint64_t seed) { return scene::toJson(generatePlace(name, seed)); }

Rectangle boundsOf(const std::vector<Layer>& layers) {
  std::vector<Polygon> all;
  for (const auto& layer : layers) all.insert(all.end(), layer.walkable.begin(), layer.walkable.end());
  return *geometry::bounds(all);
}

bool isConvex(const Ring& ring) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (geometry::orientation(ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]) < 0) return false;
  }
  return true;
}

/// All corners and the middles of all sides lie in one of the walkable polygons.
void expectInside(const Layer& layer) {
  const auto expect = [&](const std::vector<Point>& points, bool ring) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point next = points[(i + 1) % points.size()];
      EXPECT_TRUE(geometry::contains(layer.walkable, points[i])) << points[i].x << " " << points[i].y;
      if (!ring && i + 1 == points.size()) break;
      EXPECT_TRUE(geometry::contains(layer.walkable, (points[i] + next) / 2.0)) << points[i].x << " " << points[i].y;
    }
  };
  for (const auto& polygon : layer.obstacles) expect(polygon.outer, true);
  for (const auto& wall : layer.walls) expect(wall.points, false);
}

bool isFree(const Layer& layer, Point p) {
  return geometry::contains(layer.walkable, p) && !geometry::contains(layer.obstacles, p);
}

TEST(Generators, HaveThePublishedNumbersForEverySeed) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const auto city = generatePlace("city-plan", seed);
    EXPECT_EQ(counted(city.layers).obstacles, 184u);
    EXPECT_EQ(counted(city.layers).obstacle_vertices, 2098u);
    EXPECT_EQ(boundsOf(city.layers).max, (Point{500, 500}));
    const auto station = generatePlace("station", seed);
    EXPECT_EQ(counted(station.layers).obstacles, 568u);
    EXPECT_EQ(counted(station.layers).vertices, 1800u);
    EXPECT_EQ(boundsOf(station.layers).min, (Point{0, 0}));
    EXPECT_EQ(boundsOf(station.layers).max, (Point{153, 111}));
    EXPECT_EQ(station.connections.size(), 16u);
    const auto military = generatePlace("military", seed);
    EXPECT_EQ(military.layers[0].obstacles.size(), 23u);
    EXPECT_EQ(geometry::unionOf(military.layers[0].obstacles).size(), 15u);
    for (const auto& polygon : military.layers[0].obstacles) EXPECT_TRUE(isConvex(polygon.outer));
    EXPECT_EQ(boundsOf(military.layers).max, (Point{200, 200}));
    if (HasFailure()) return;
  }
}

TEST(Generators, AreSoundAndNothingSticksOut) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const char* name : {"city-plan", "station", "military"}) {
      SCOPED_TRACE(name + std::to_string(seed));
      const auto place = generatePlace(name, seed);
      EXPECT_EQ(scene::texts(scene::validate(place, {})), "");
      for (const auto& layer : place.layers) expectInside(layer);
      if (HasFailure()) return;
    }
  }
}

TEST(Generators, GiveTheSameBytesForTheSameSeedAndOthersForAnother) {
  for (const char* name : {"city-plan", "station", "military"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(written(name, 5), written(name, 5));
    EXPECT_NE(written(name, 5), written(name, 6));
  }
  const auto small = [](std::uint64_t seed) { return scene::toJson(generatePlace("hostile", seed, 3000)); };
  EXPECT_EQ(small(5), small(5));
  EXPECT_NE(small(5), small(6));
}

TEST(Generators, ACityHasOneConnectedFreeSpaceAndNoOverlaps) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Layer city = generatePlace("city-plan", seed).layers[0];
    EXPECT_EQ(geometry::difference(city.walkable, city.obstacles).size(), 1u) << seed;
    EXPECT_EQ(geometry::unionOf(city.obstacles).size(), city.obstacles.size()) << seed;
  }
}

TEST(Generators, ConnectionsOfTheStationLieBetweenTheirLayers) {
  const auto place = generatePlace("station", 3);
  const auto named = [&](const std::string& name) -> const Layer& {
    return *std::find_if(place.layers.begin(), place.layers.end(), [&](const Layer& l) { return l.name == name; });
  };
  for (const auto& connection : place.connections) {
    SCOPED_TRACE(connection.name);
    EXPECT_EQ(connection.from.a, connection.to.a);
    EXPECT_EQ(connection.from.b, connection.to.b);
    const Layer &from = named(connection.from_layer), &to = named(connection.to_layer);
    const auto [a, b] = connection.from;
    const Point across = perpendicular(normalized(b - a));
    // On one side only the one layer is free, on the other only the other, along the line and up to a metre from it.
    const double side = isFree(from, (a + b) / 2.0 + across * 0.5) ? 1 : -1;
    for (double t = 0.02; t < 1; t += 0.02) {
      const Point p = a + (b - a) * t;
      for (const double far : {0.001, 0.1, 0.5, 1.0}) {
        EXPECT_TRUE(isFree(from, p + across * (side * far)));
        EXPECT_FALSE(isFree(to, p + across * (side * far)));
        EXPECT_TRUE(isFree(to, p - across * (side * far)));
        EXPECT_FALSE(isFree(from, p - across * (side * far)));
      }
    }
    // And the floor has no step there.
    for (const Point p : {a, b}) {
      EXPECT_NEAR(from.elevation + dot(from.slope, p), to.elevation + dot(to.slope, p), 1e-9);
    }
  }
}

TEST(Generators, HostileIsASceneOfTheSizeWanted) {
  for (const std::uint32_t wanted : {100u, 1000u, 20000u, 100000u}) {
    SCOPED_TRACE(wanted);
    const auto place = generatePlace("hostile", 1, wanted);
    const auto count = counted(place.layers);
    EXPECT_GE(count.vertices, wanted * 99 / 100 - 20);
    EXPECT_LE(count.vertices, wanted + 100);
    std::printf("hostile %u: %zu obstacles, %zu vertices, %zu holes in the floor\n", wanted, count.obstacles,
                count.vertices, place.layers[0].walkable[0].holes.size());
    if (wanted > 20000) {
      EXPECT_GT(place.layers[0].walkable[0].holes.size(), 2000u);
      continue;
    }
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const auto check = scene::checkText(scene::toJson(generatePlace("hostile", seed, wanted)), "", {});
      EXPECT_TRUE(check.scene) << scene::texts(check.diagnostics);
    }
  }
}

TEST(Generators, MakeScenesThatNobodyHasChangedYet) {
  for (const auto name : placeNames()) {
    const Scene place = generatePlace(std::string(name), 2);
    EXPECT_EQ(place.name, name);
    EXPECT_EQ(place.profiles.size(), 1u);
    EXPECT_TRUE(place.populations.empty());
    EXPECT_NE(place.layers.empty(), !place.mesh) << "layers, or a mesh to find them in";
    if (!place.mesh) continue;
    EXPECT_EQ(place.mesh->generator, name);
    EXPECT_EQ(place.mesh->seed, 2u);
    EXPECT_THAT(place.mesh->walkability.unwalkable_materials, testing::ElementsAre("water"));
  }
}

TEST(Generators, RefuseWhatTheyCannotMake) {
  EXPECT_THROW(generatePlace("nowhere", 1), InputError);
  EXPECT_THROW(generatePlace("station", 1, 500), InputError);
  EXPECT_THROW(generatePlace("hostile", 1, 5), InputError);
}

TEST(Generators, AreOnTheirPages) {
  const std::string generate =
      scene::section(scene::fileText(THRONG_SOURCE_DIR "/docs/scene-format.md"), "## Generate");
  const std::string page = scene::fileText(THRONG_SOURCE_DIR "/docs/scene-generators.md");
  for (const auto name : placeNames()) {
    EXPECT_NE(generate.find("`" + std::string(name) + "`"), std::string::npos) << name;
    EXPECT_NE(page.find("\n## " + std::string(name) + "\n"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace throng::places
