// Patches in the free space of made-up scenes: everybody walks in it, nobody jumps or touches anybody, also across
// borders; and templates get the patterns, densities and objects that they ask for.
#include "throng/patch_district.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/random.h"
#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "ground/walkable_space.h"

namespace throng::patches {
namespace {

using Kind = PatternType::Kind;

/// A building turned by an odd angle: a hall with pillars and a block, a corridor, a room behind a thin wall with a
/// gap.
Scene building(std::uint64_t seed) {
  base::Random random(seed, 0x726f6fu);
  const Point axis = normalized(Point{random.uniform(0.3, 1), random.uniform(-1, 1)});
  const double mirror = random.below(2) == 0 ? 1 : -1, scale = random.uniform(0.9, 1.3);
  const Point by{random.uniform(-300, 300), random.uniform(-300, 300)};
  const auto at = [&](double x, double y) { return (axis * (mirror * x) + perpendicular(axis) * y) * scale + by; };
  const auto box = [&](double x, double y, double w, double h) {
    return Polygon{{at(x, y), at(x + w, y), at(x + w, y + h), at(x, y + h)}, {}};
  };
  Scene scene;
  Layer layer;
  layer.walkable = geometry::unionOf({box(0, 0, 30, 20), box(29.9, 6, 14.1, 5), box(43.9, 0, 16, 16)});
  layer.obstacles = {box(12, 8, 5, 4), box(random.uniform(3, 9), 5, 0.5, 0.5), box(22, 14, 1, 0.6)};
  layer.walls = {{{at(52, 0), at(52, 6)}}, {{at(52, 10), at(52, 16)}}};
  scene.layers = {layer};
  scene.profiles.emplace_back();
  return scene;
}

PatchDistrictSettings settings(double density, PatchCells cells = PatchCells::kConvex) {
  PatchDistrictSettings made;
  PatchTemplate all;
  all.name = "all", all.density = density;
  made.map.templates = {all};
  made.cells = cells;
  return made;
}

/// Plays some periods: numbers stay, nobody jumps or stands in anybody or in a wall.
void expectSeamless(const PatchLibrary& library, const Scene& scene, bool closed) {
  for (const Patch& patch : library.patches) {
    const auto found = check(patch);
    ASSERT_TRUE(found.empty()) << found.front().text();
  }
  const PatchWorld world(library.patches, library.placed, {.versions = library.versions});
  const ground::WalkableSpace space(scene);
  const ground::Floor& floor = space.floors()[0];
  FrameCopy frame;
  std::map<std::uint32_t, Point> before;
  std::size_t everybody = 0;
  const double dt = 0.05;
  for (int i = 0; i < 500; ++i) {
    world.frameAt(i * dt, frame);
    if (i == 0) everybody = frame.x.size();
    ASSERT_TRUE(!closed || frame.x.size() == everybody) << i * dt;
    std::map<std::uint32_t, Point> now;
    for (std::size_t k = 0; k < frame.x.size(); ++k)
      ASSERT_TRUE(now.try_emplace(frame.person[k], Point{frame.x[k], frame.y[k]}).second);
    for (const auto& [person, at] : before)
      ASSERT_TRUE(!now.contains(person) || length(now.at(person) - at) <= 2 * dt + 1e-3) << "a jump at " << i * dt;
    if (i % 5 == 0) {
      std::vector<Point> all;
      for (const auto& [person, at] : now) all.push_back(at);
      std::sort(all.begin(), all.end(), [](Point a, Point b) { return a.x < b.x; });
      for (std::size_t a = 0; a < all.size(); ++a) {
        ASSERT_TRUE(floor.contains(all[a])) << all[a].x << " " << all[a].y;
        ASSERT_TRUE(!closed || floor.clearance(all[a], 1) >= kPatchRadius - 1e-3) << "in a wall at " << i * dt;
        for (std::size_t b = a + 1; b < all.size() && all[b].x - all[a].x < 1; ++b)
          ASSERT_GE(length(all[a] - all[b]), 2 * kPatchRadius - 3e-4) << "touch at " << i * dt;
      }
    }
    before = std::move(now);
  }
}

TEST(PatchDistrict, BuildingsTurnedAndMirrored) {
  double asked = 0, reached = 0;
  // In the last, the end of a thin wall is rounded away from the wall that it lies on.
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8, 22}) {
    SCOPED_TRACE(seed);
    const Scene scene = building(seed);
    const bool squares = seed % 4 == 0;
    PatchReport report;
    const PatchLibrary library = makePatchDistrict(
        scene,
        settings(0.06 + 0.02 * static_cast<double>(seed % 3), squares ? PatchCells::kSquares : PatchCells::kConvex),
        &report);
    expectSeamless(library, scene, true);
    if (HasFailure()) return;
    const std::vector<Polygon> free = ground::WalkableSpace(scene).floors()[0].free;
    EXPECT_NEAR(report.free_area, geometry::area(free), 1e-6 * report.free_area);
    EXPECT_GT(report.covered_area, (squares ? 0.1 : 0.93) * report.free_area);
    asked += report.asked, reached += report.reached;
    double people = 0;
    for (const PlacedPatch& place : library.placed)
      people += density(library.patches[place.patch]) * area(library.patches[place.patch].definition);
    EXPECT_NEAR(report.reached, people, 1e-6);
    for (const ThinnedPatch& thinned : report.thinned) {
      EXPECT_LT(thinned.got, thinned.wanted);
      EXPECT_EQ(library.patches[library.placed[thinned.place].patch].walks.size(),
                static_cast<std::size_t>(thinned.got));
      EXPECT_FALSE(thinned.reason.empty());
    }
  }
  EXPECT_NEAR(reached, asked, 0.15 * asked);
}

TEST(PatchDistrict, ThreadsAndRepetitionDoNotMatter) {
  PatchDistrictSettings how = settings(0.1);
  how.map.templates[0].residents = 1, how.map.templates[0].objects = 1;
  how.threads = 1;
  const Scene scene = building(3);
  const PatchLibrary one = makePatchDistrict(scene, how);
  how.threads = 3;
  const PatchLibrary many = makePatchDistrict(scene, how);
  EXPECT_EQ(one.patches, many.patches);
  how.map.seed = 2;
  EXPECT_NE(makePatchDistrict(scene, how).patches, one.patches);
}

TEST(PatchDistrict, SmallThingsAreObjectsAndLargeOnesAreWalls) {
  Scene scene;
  Layer layer;
  layer.walkable = {{geometry::cornersOf({{0, 0}, {32, 16}}), {}}};
  layer.obstacles = {{geometry::cornersOf({{7.8, 5}, {8.2, 6}}), {}}, {geometry::cornersOf({{18, 4}, {26, 12}}), {}}};
  scene.layers = {layer};
  const PatchLibrary library = makePatchDistrict(scene, settings(0.05));
  double objects = 0;
  for (const PlacedPatch& place : library.placed)
    for (const PatchObject& object : library.patches[place.patch].definition.objects)
      objects += geometry::signedArea(object.outline);
  EXPECT_NEAR(objects, 0.4, 1e-4) << "cut at the border of two cells";
  expectSeamless(library, scene, true);
}

TEST(PatchDistrict, EndsWithoutAWallAreOutside) {
  Scene scene;
  Layer layer;
  layer.walkable = {{geometry::cornersOf({{0, 0}, {24, 8}}), {}}};
  scene.layers = {layer};
  PatchDistrictSettings how = settings(0.1);
  how.area = {{geometry::cornersOf({{0, 0}, {16, 8}}), {}}};
  const auto pointsAt = [](const PatchLibrary& library, double x) {
    std::size_t points = 0;
    for (const PlacedPatch& place : library.placed) {
      const PatchDefinition& patch = library.patches[place.patch].definition;
      for (std::size_t s = 0; s < patch.corners.size(); ++s)
        if (patch.corners[s].x + place.at.x == x && patch.corners[(s + 1) % patch.corners.size()].x + place.at.x == x)
          points += patch.sides[s].inputs.size() + patch.sides[s].outputs.size();
    }
    return points;
  };
  EXPECT_EQ(pointsAt(makePatchDistrict(scene, how), 16), 0u);
  how.map.templates[0].borders = {{"outside", {Kind::kRandom}, {}}};
  const PatchLibrary open = makePatchDistrict(scene, how);
  EXPECT_GT(pointsAt(open, 16), 0u);
  EXPECT_EQ(pointsAt(open, 0), 0u) << "a wall";
  expectSeamless(open, scene, false);
}

TEST(PatchDistrict, TheMapSaysWhichTemplateIsWhere) {
  Scene scene;
  Layer layer;
  layer.walkable = {{geometry::cornersOf({{0, 0}, {24, 16}}), {}}};
  scene.layers = {layer};
  PatchDistrictSettings how = settings(0.05, PatchCells::kSquares);
  PatchTemplate calm;
  calm.name = "calm", calm.crossings = 1;
  how.map.templates.push_back(calm);
  how.map.columns = 3, how.map.rows = 2;
  how.map.cells = {0, 0, 1, 1, -1, 1};
  const PatchLibrary library = makePatchDistrict(scene, how);
  ASSERT_EQ(library.placed.size(), 5u);
  const auto nameAt = [&](double x, double y) -> std::string {
    for (const PlacedPatch& place : library.placed)
      if (place.at == Point{x, y}) return library.patches[place.patch].definition.name.substr(0, 3);
    return "";
  };
  EXPECT_EQ(nameAt(0, 0), "all");
  EXPECT_EQ(nameAt(16, 8), "cal");
  EXPECT_EQ(nameAt(8, 8), "");
}

TEST(PatchDistrict, WrongSettingsAreRefused) {
  const Scene scene = building(1);
  const auto said = [&](const PatchDistrictSettings& how) {
    try {
      makePatchDistrict(scene, how);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using testing::HasSubstr;
  PatchDistrictSettings how = settings(0.1);
  how.layer = "cellar";
  EXPECT_THAT(said(how), HasSubstr("no layer \"cellar\""));
  how = settings(0.1), how.map.templates.clear();
  EXPECT_THAT(said(how), HasSubstr("no template"));
  how = settings(0.1), how.map.side = 100, how.cells = PatchCells::kSquares;
  EXPECT_THAT(said(how), HasSubstr("no cell of 100 m fits"));
  how = settings(0.1), how.area = {{geometry::cornersOf({{9000, 0}, {9010, 10}}), {}}};
  EXPECT_THAT(said(how), HasSubstr("no free space"));
  how = settings(2);
  EXPECT_THAT(said(how), HasSubstr("a density of 2 per m²; allowed: 0 to 1"));
  how = settings(0.1), how.map.templates[0].borders = {{"river", {}, {}}};
  EXPECT_THAT(said(how), HasSubstr("template \"all\": a border to \"river\"; allowed: same, others"));
  how = settings(0.1), how.map.templates[0].borders = {{"same", {Kind::kOneWay}, {}}};
  EXPECT_THAT(said(how), HasSubstr("no direction"));
  how = settings(0.1), how.map.templates[0].allowed_objects = {{"bone", {{0, 0}, {1, 0}, {0.1, 0.1}, {0, 1}}}};
  EXPECT_THAT(said(how), HasSubstr("not convex"));
  Scene plain;
  plain.layers.emplace_back();
  EXPECT_THROW(makePatchDistrict(plain, settings(0.1)), InputError);
}

// Templates, in cities of squares.

PatchMap road() {
  PatchMap map;
  PatchTemplate pavement, crossing;
  pavement.name = "pavement", pavement.crossings = 3;
  crossing.name = "crossing", crossing.crossings = 3;
  map.templates = {pavement, crossing};
  map.columns = 3, map.rows = 3;
  map.cells = {0, 0, 0, 1, 1, -1, 0, 0, 0};
  return map;
}
/// visit(place, side, pattern) for all sides of the patches whose name begins so.
template <class Visit>
void forSides(const PatchLibrary& city, const std::string& name, const Visit& visit) {
  for (const PlacedPatch& place : city.placed) {
    const PatchDefinition& patch = city.patches[place.patch].definition;
    for (std::size_t s = 0; s < 4; ++s)
      if (patch.name.starts_with(name)) visit(place, s, patch.sides[s]);
  }
}

TEST(PatchTemplates, BordersByKindOfNeighbour) {
  PatchMap map = road();
  // Green from 10 to 40 % of the period; doors in buildings; lanes along the pavement; nobody leaves the map.
  map.templates[1].borders = {{"pavement", {Kind::kTime, false, false, 0.1, 0.4}, 3}};
  map.templates[0].borders = {{"building", {Kind::kSpace, false, false, 0.4, 0.6}, 1},
                              {"same", {Kind::kSpace, false, true}, 4}};
  PatchReport report;
  const PatchLibrary city = makePatchCity(map, &report);
  EXPECT_TRUE(report.thinned.empty());
  int lights = 0, doors = 0, lanes = 0;
  forSides(city, "crossing", [&](const PlacedPatch&, std::size_t s, const PatchPattern& side) {
    if (s % 2 == 1) return;  // between crossings: as everywhere
    EXPECT_EQ(side.inputs.size(), 3u);
    for (const auto* points : {&side.inputs, &side.outputs})
      for (const PatchPoint& p : *points) lights += p.time >= 1 && p.time <= 4;
  });
  EXPECT_EQ(lights, 2 * 2 * 6);
  forSides(city, "pavement", [&](const PlacedPatch& place, std::size_t s, const PatchPattern& side) {
    const bool at_building = place.at.x == 16 && ((place.at.y == 0 && s == 2) || (place.at.y == 16 && s == 0));
    if (at_building) {
      ++doors;
      ASSERT_EQ(side.inputs.size(), 1u);
      EXPECT_NEAR(side.inputs[0].position, 4, 0.8);
      EXPECT_NEAR(side.outputs.at(0).position, 4, 0.8);
    }
    if (s % 2 == 0 || side.inputs.empty()) return;
    ++lanes;
    EXPECT_EQ(side.inputs.size(), 4u);
    for (const PatchPoint& in : side.inputs)
      for (const PatchPoint& out : side.outputs) EXPECT_LT(in.position, out.position);
  });
  EXPECT_EQ(doors, 2);
  EXPECT_EQ(lanes, 8);
  PatchWorld world(city.patches, city.placed);
}

TEST(PatchTemplates, OneWayBordersAreMadeUpForElsewhere) {
  // People go from the pavement over the western crossing and come back over the eastern one.
  PatchMap map = road();
  PatchTemplate back = map.templates[1];
  back.name = "way back", map.templates.push_back(back);
  map.cells = {0, 0, 0, 1, -1, 2, 0, 0, 0};
  map.templates[1].borders = {{"pavement", {Kind::kRandom}, 0}};
  // The southern pavement is another template, so that directions differ.
  PatchTemplate south = map.templates[0];
  south.name = "south", map.templates.push_back(south);
  map.cells[0] = map.cells[1] = map.cells[2] = 3;
  map.templates[3].borders = {{"crossing", {Kind::kOneWay, true}, 2}, {"way back", {Kind::kOneWay}, 2}};
  map.templates[1].borders = {{"pavement", {Kind::kOneWay, true}, 2}};
  map.templates[2].borders = {{"pavement", {Kind::kOneWay}, 2}};
  PatchReport report;
  const PatchLibrary city = makePatchCity(map, &report);
  int out = 0, in = 0;
  forSides(city, "south", [&](const PlacedPatch& place, std::size_t s, const PatchPattern& side) {
    if (s != 2 || place.at.x == 8) return;
    (place.at.x == 0 ? out : in) += static_cast<int>(side.outputs.size() + side.inputs.size());
    EXPECT_TRUE((place.at.x == 0 ? side.inputs : side.outputs).empty());
  });
  EXPECT_EQ(out, 2);
  EXPECT_EQ(in, 2);
  // Without a way back nobody can go.
  map.cells[5] = -1;
  const PatchLibrary closed = makePatchCity(map);
  forSides(closed, "crossing", [&](const PlacedPatch&, std::size_t, const PatchPattern& side) {
    EXPECT_TRUE(side.inputs.empty() && side.outputs.empty());
  });
  PatchWorld world(closed.patches, closed.placed);
}

TEST(PatchTemplates, DensitiesAndAllowedThings) {
  PatchMap map;
  PatchTemplate place;
  place.name = "place", place.density = 0.15, place.objects = 2, place.residents = 1;
  place.allowed_objects = {{"bench", {{-0.8, -0.2}, {0.8, -0.2}, {0.8, 0.2}, {-0.8, 0.2}}},
                           {"tree", {{-0.2, 0}, {0, -0.2}, {0.2, 0}, {0, 0.2}}}};
  place.allowed_residents = {{"talkers", {{"talkers", {{-0.4, 0}}, {1, 0}}, {"talkers", {{0.4, 0}}, {-1, 0}}}}};
  map.templates = {place};
  map.columns = map.rows = 5;
  map.cells.assign(25, 0);
  PatchReport report;
  const PatchLibrary city = makePatchCity(map, &report);
  EXPECT_NEAR(report.asked, 0.15 * 64 * 25, 1e-9);
  EXPECT_NEAR(report.reached, report.asked, 0.12 * report.asked);
  std::set<std::string> names;
  std::set<double> turns;
  for (const Patch& patch : city.patches) {
    for (const PatchObject& object : patch.definition.objects) {
      names.insert(object.name);
      const Point side = object.outline[1] - object.outline[0];
      turns.insert(std::round(10 * std::abs(side.x) / length(side)));
    }
    EXPECT_EQ(patch.definition.residents.size() % 2, 0u);
    if (patch.definition.residents.empty()) continue;
    const PatchResident &a = patch.definition.residents[0], &b = patch.definition.residents[1];
    EXPECT_NEAR(length(a.control[0] - b.control[0]), 0.8, 1e-9);
    EXPECT_NEAR(dot(normalized(b.control[0] - a.control[0]), a.facing), 1, 1e-9) << "they look at each other";
  }
  EXPECT_EQ(names, (std::set<std::string>{"bench", "tree"}));
  EXPECT_GE(turns.size(), 5u);
}

TEST(PatchTemplates, WhatDoesNotFitIsThinnedAndSaid) {
  PatchMap map = road();
  map.columns = 3, map.rows = 1, map.cells = {0, 0, 0}, map.period = 5;
  map.templates[0].crossings = 30, map.templates[0].objects = 2;
  PatchReport report;
  const PatchLibrary city = makePatchCity(map, &report);
  EXPECT_EQ(city.placed.size(), 3u);
  ASSERT_EQ(report.thinned.size(), 3u);
  EXPECT_EQ(report.thinned[1].wanted, 60);
  EXPECT_LT(report.thinned[1].got, 60);
  EXPECT_GT(report.thinned[1].got, 10);
  EXPECT_LT(report.reached, report.asked);
  for (const Patch& patch : city.patches) EXPECT_TRUE(check(patch).empty());
  PatchWorld world(city.patches, city.placed);
}

}  // namespace
}  // namespace throng::patches
