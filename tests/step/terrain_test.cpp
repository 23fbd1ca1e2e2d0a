// The one owner of walls: what comes and goes is known to the space, the map and the graph alike.
#include "step/terrain.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/predicates.h"

namespace throng::step {
namespace {

Ring box(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

Scene hall() {
  Scene scene;
  Layer& layer = scene.layers.emplace_back();
  layer.walkable = {{box(0, 0, 40, 30), {}}};
  layer.obstacles = {{box(12, 8, 16, 20), {}}};
  layer.doors = {{"door", {{16, 12}, {40, 12}}, true}};
  scene.profiles.emplace_back();
  return scene;
}

/// Is a place free according to each of those who know?
void expectAgreement(const Terrain& terrain, base::Random& random) {
  const ground::Floor& floor = terrain.floors()[0];
  for (int i = 0; i < 300; ++i) {
    const Point place{random.uniform(0.1, 39.9), random.uniform(0.1, 29.9)};
    bool inserted = false;
    double nearest = INFINITY;
    for (const Inserted& there : terrain.inserted()) {
      if (there.shape.size() > 2 && geometry::contains(Polygon{there.shape, {}}, place)) inserted = true;
      for (std::size_t k = 0; k < there.shape.size(); ++k)
        nearest = std::min(
            nearest, geometry::distanceToSegment(place, there.shape[k], there.shape[(k + 1) % there.shape.size()]));
    }
    if (nearest < 1e-3) continue;  // on a border either answer will do
    const bool scene_free = !(place.x > 12 && place.x < 16 && place.y > 8 && place.y < 20);
    EXPECT_EQ(floor.contains(place), scene_free && !inserted) << place.x << " " << place.y;
    if (terrain.map()) {
      EXPECT_EQ(static_cast<bool>(terrain.map()->locate(place, 0)), scene_free && !inserted);
    }
    // Nobody can come nearer to what was inserted than its walls let them.
    if (scene_free && !inserted) {
      EXPECT_LE(floor.clearance(place, 50), nearest + 1e-4);
    }
  }
}

/// A cylinder is obstructed when something comes nearer to its centre than its radius.
void expectObstructed(const Terrain& terrain) {
  const auto vertices = terrain.graph()->vertices();
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    double nearest = INFINITY;
    for (const Inserted& there : terrain.inserted()) {
      if (there.shape.size() > 2 && geometry::contains(Polygon{there.shape, {}}, vertices[v].centre)) nearest = 0;
      for (std::size_t k = 0; k < there.shape.size(); ++k)
        nearest = std::min(nearest, geometry::distanceToSegment(vertices[v].centre, there.shape[k],
                                                                there.shape[(k + 1) % there.shape.size()]));
    }
    EXPECT_EQ(terrain.isObstructed(v), nearest < vertices[v].radius) << v;
  }
}

TEST(Terrain, SpaceMapAndGraphAgreeWhateverComesAndGoes) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    base::Random random(seed, 1);
    const Scene scene = hall();
    Terrain terrain(scene);
    terrain.needGraph(base::Threads(1));
    std::vector<std::uint32_t> there;
    std::uint64_t revision = terrain.revision();
    for (int i = 0; i < 12; ++i) {
      if (!there.empty() && random.below(3) == 0) {
        const std::size_t which = random.below(static_cast<std::uint32_t>(there.size()));
        terrain.remove(there[which], i);
        there.erase(there.begin() + static_cast<std::ptrdiff_t>(which));
      } else {
        const double x = random.uniform(1, 34), y = random.uniform(1, 24), turn = random.uniform(0, 1);
        const Ring shape{{x, y}, {x + 3, y + turn}, {x + 3 - turn, y + 3}};
        there.push_back(terrain.insert(shape, 0, {}, i));
      }
      EXPECT_GT(terrain.revision(), revision);
      revision = terrain.revision();
      expectAgreement(terrain, random);
      expectObstructed(terrain);
    }
    for (const std::uint32_t id : there) terrain.remove(id, 20);
    expectAgreement(terrain, random);
    EXPECT_FALSE(terrain.anyObstructed());
    EXPECT_THROW(terrain.remove(there.empty() ? 77 : there[0], 20), InputError);
    // Everything is in the record, in pairs.
    int balance = 0;
    for (const Change& change : terrain.changes()) balance += change.kind == Change::Kind::kInsertObstacle ? 1 : -1;
    EXPECT_EQ(balance, 0);
  }
}

TEST(Terrain, WhatIsNotConvexChangesNothing) {
  const Scene scene = hall();
  Terrain terrain(scene);
  terrain.needMap();
  const Ring dented{{20, 20}, {26, 20}, {22, 22}, {20, 26}};
  EXPECT_THROW(terrain.insert(dented, 0, {}, 0), InputError);
  EXPECT_TRUE(terrain.inserted().empty());
  EXPECT_TRUE(terrain.changes().empty());
  base::Random random(9, 1);
  expectAgreement(terrain, random);
}

TEST(Terrain, AGraphOfAnotherSceneIsRefused) {
  const Scene scene = hall();
  Terrain terrain(scene);
  terrain.needGraph(base::Threads(1));
  Scene other = hall();
  other.layers[0].obstacles = {{box(2, 2, 38, 28), {}}};
  Terrain second(other);
  EXPECT_THROW(second.give(std::make_unique<graph::NavigationGraph>(*terrain.graph())), InputError);
}

}  // namespace
}  // namespace throng::step
