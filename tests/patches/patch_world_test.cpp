// Worlds of patches as a source of frames: vector against plain, continuity over borders and periods, who is who.
#include "throng/patch_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "patches/example_patches.h"

namespace throng::patches {
namespace {

/// A rectangle of cells with walls around: patterns east and north of every cell, patches for every combination of
/// walls.
struct City {
  std::vector<Patch> library;
  std::vector<PlacedPatch> placed;
};
City city(std::uint32_t columns, std::uint32_t rows, std::uint64_t seed) {
  const PatchPattern across = makePattern({}, 8, 10, 4, 4, seed), up = makePattern({}, 8, 10, 3, 3, seed + 100);
  City made;
  std::map<unsigned, std::uint32_t> by_walls;
  for (std::uint32_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < columns; ++c) {
      const unsigned walls = (r == 0) | (c + 1 == columns) << 1 | (r + 1 == rows) << 2 | (c == 0) << 3;
      if (!by_walls.contains(walls)) {
        PatchDefinition patch;
        patch.name = "cell";
        patch.corners = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
        patch.sides = {mirrored(up), across, up, mirrored(across)};
        for (unsigned s = 0; s < 4; ++s)
          if (walls >> s & 1u) patch.sides[s] = {"wall", 8, 10, {}, {}};
        if (walls == 0) patch.residents = {{"guard", {{4, 4}}, {0, 1}}};
        by_walls[walls] = static_cast<std::uint32_t>(made.library.size());
        made.library.push_back(*generateWalks(patch, {.attempts = 30}).patch);
      }
      made.placed.push_back({by_walls[walls], {8.0 * c, 8.0 * r}});
    }
  return made;
}

using ById = std::map<std::uint32_t, std::pair<Point, Point>>;  ///< place and heading
ById byId(const FrameCopy& frame) {
  ById people;
  for (std::size_t i = 0; i < frame.x.size(); ++i)
    EXPECT_TRUE(
        people
            .try_emplace(frame.person[i], Point{frame.x[i], frame.y[i]}, Point{frame.heading_x[i], frame.heading_y[i]})
            .second)
        << "person " << frame.person[i] << " twice";
  return people;
}

const City& smallCity() {
  static const City made = city(4, 3, 5);
  return made;
}

TEST(PatchWorld, VectorsGiveTheSameBitsAsPlainArithmetic) {
  PatchWorld world(smallCity().library, smallCity().placed);
  base::Random random(3);
  FrameCopy fast, plain;
  for (int i = 0; i < 500; ++i) {
    const double time = random.uniform(-100, 1e5);
    world.frameAt(time, fast);
    world.frameAtPlainly(time, plain);
    EXPECT_EQ(fast.x, plain.x);
    EXPECT_EQ(fast.y, plain.y);
    EXPECT_EQ(fast.heading_x, plain.heading_x);
    EXPECT_EQ(fast.heading_y, plain.heading_y);
    EXPECT_EQ(fast.person, plain.person);
  }
}

TEST(PatchWorld, FramesAreThoseOfTheWalks) {
  PatchWorld world(smallCity().library, smallCity().placed);
  FrameCopy frame;
  for (double time = 0; time < 20; time += 0.37) {
    world.frameAt(time, frame);
    std::vector<Point> expected;
    for (const PlacedPatch& place : smallCity().placed) {
      const Patch& patch = smallCity().library[place.patch];
      const double phase = time - 10 * std::floor(time / 10);
      for (const PatchWalk& walk : patch.walks)
        for (double t = phase; t < walk.until; t += 10)
          if (t >= walk.from) expected.push_back(stateAt(walk, t).position + place.at);
      for (const PatchResident& resident : patch.definition.residents)
        expected.push_back(stateAt(resident, 10, phase).position + place.at);
    }
    ASSERT_EQ(frame.x.size(), expected.size());
    for (const Point p : expected) {
      double nearest = 1e9;
      for (std::size_t i = 0; i < frame.x.size(); ++i)
        nearest = std::min(nearest, length(Point{frame.x[i], frame.y[i]} - p));
      EXPECT_LT(nearest, 2e-5);
    }
  }
}

/// Across borders and periods nobody jumps, turns in one moment, appears, vanishes or touches anybody.
TEST(PatchWorld, PeopleKeepTheirNumberPlaceAndDirection) {
  PatchWorld world(smallCity().library, smallCity().placed);
  FrameCopy frame;
  world.frameAt(0, frame);
  ById before = byId(frame);
  const std::size_t everybody = before.size();
  std::map<std::uint32_t, std::set<std::pair<int, int>>> cells;
  for (int i = 1; i <= 3000; ++i) {
    world.frameAt(i * 0.02, frame);
    const ById now = byId(frame);
    ASSERT_EQ(now.size(), everybody) << "a closed world loses nobody";
    for (const auto& [person, state] : now) {
      const auto last = before.find(person);
      ASSERT_NE(last, before.end());
      EXPECT_LE(length(state.first - last->second.first), 2.0 * 0.02 + 1e-4);
      EXPECT_GT(dot(state.second, last->second.second), 0.7);
      cells[person].insert({static_cast<int>(state.first.x / 8), static_cast<int>(state.first.y / 8)});
    }
    if (i % 10 == 0) {
      for (auto a = now.begin(); a != now.end(); ++a)
        for (auto b = now.begin(); b != a; ++b)
          EXPECT_GT(length(a->second.first - b->second.first), 2 * kPatchRadius - 1e-4) << i * 0.02;
    }
    before = now;
  }
  std::size_t travellers = 0;
  for (const auto& [person, visited] : cells) travellers += visited.size() > 2;
  EXPECT_GT(travellers, everybody / 2);
}

TEST(PatchWorld, SpeedDoesNotJumpAtBorders) {
  PatchWorld world(smallCity().library, smallCity().placed);
  FrameCopy frame;
  std::map<std::uint32_t, std::vector<Point>> tracks;
  const double dt = 0.05;
  for (int i = 0; i < 400; ++i) {
    world.frameAt(i * dt, frame);
    for (const auto& [person, state] : byId(frame)) tracks[person].push_back(state.first);
  }
  for (const auto& [person, track] : tracks)
    for (std::size_t i = 2; i < track.size(); ++i) {
      const double a = length(track[i - 1] - track[i - 2]) / dt, b = length(track[i] - track[i - 1]) / dt;
      EXPECT_LT(std::abs(a - b), 0.45) << "an acceleration of 9 m/s²";
    }
}

/// Share of the area in which somebody is in one frame but not in the other, of what both cover: 0 for the same frame.
double difference(const FrameCopy& a, const FrameCopy& b) {
  const auto cells = [](const FrameCopy& frame) {
    std::set<std::pair<int, int>> covered;
    for (std::size_t i = 0; i < frame.x.size(); ++i)
      covered.insert({static_cast<int>(frame.x[i] * 4), static_cast<int>(frame.y[i] * 4)});
    return covered;
  };
  const auto one = cells(a), other = cells(b);
  std::size_t both = 0;
  for (const auto& cell : one) both += other.contains(cell);
  return 1 - static_cast<double>(both) / static_cast<double>(std::max<std::size_t>(1, one.size()));
}

TEST(PatchVersions, FollowOneAnotherSeamlessly) {
  City made = city(3, 3, 5);
  PatchWorldSettings settings;
  const std::size_t patches = made.library.size();
  settings.versions.resize(patches);
  for (std::size_t l = 0; l < patches; ++l) {
    const std::vector<Patch> versions = makeVersions(made.library[l], 4, 7);
    EXPECT_GE(versions.size(), 3u);
    for (std::size_t v = 1; v < versions.size(); ++v) {
      EXPECT_TRUE(check(versions[v]).empty());
      EXPECT_NE(versions[v].walks, versions[0].walks);
      settings.versions[l].push_back(static_cast<std::uint32_t>(made.library.size()));
      made.library.push_back(versions[v]);
    }
  }
  const PatchWorld always(made.library, made.placed), varied(made.library, made.placed, settings);
  FrameCopy frame;
  std::map<std::uint32_t, Point> before;
  for (int i = 0; i < 2500; ++i) {
    varied.frameAt(i * 0.02, frame);
    std::map<std::uint32_t, Point> now;
    for (const auto& [person, state] : byId(frame)) now[person] = state.first;
    for (const auto& [person, at] : before) ASSERT_LE(length(now.at(person) - at), 2.0 * 0.02 + 1e-4) << i * 0.02;
    for (auto a = now.begin(); i % 20 == 0 && a != now.end(); ++a)
      for (auto b = now.begin(); b != a; ++b)
        EXPECT_GT(length(a->second - b->second), 2 * kPatchRadius - 1e-4) << i * 0.02;
    before = now;
  }
  // Without versions every period shows the same; with them, hardly any two do. All begin alike.
  FrameCopy a, b;
  double least = 1;
  for (int k = 1; k <= 20; ++k) {
    always.frameAt(4.5, a), always.frameAt(4.5 + 10 * k, b);
    EXPECT_LT(difference(a, b), 0.05);
    varied.frameAt(4.5, a), varied.frameAt(4.5 + 10 * k, b);
    least = std::min(least, difference(a, b));
    varied.frameAt(0, a), varied.frameAt(10 * k, b);
    EXPECT_LT(difference(a, b), 0.05);
  }
  EXPECT_GT(least, 0.1);
}

TEST(PatchVersions, OthersAreRefused) {
  const Patch one = *generateWalks(oneWalk()).patch;
  PatchDefinition moved = oneWalk();
  moved.sides[3].inputs[0].position = 5;
  const Patch other = *generateWalks(moved).patch;
  EXPECT_THROW(PatchWorld({one, other}, {{0, {}}}, {.versions = {{1}}}), InputError);
  EXPECT_THROW(PatchWorld({one}, {{0, {}}}, {.versions = {{4}}}), InputError);
  EXPECT_THROW(makeVersions(one, 0), InputError);
}

TEST(PatchWorld, OpenSidesBringNewPeople) {
  PatchWorld world({*generateWalks(oneWalk()).patch}, {{0, {100, 50}}});
  FrameCopy frame;
  std::set<std::uint32_t> seen;
  for (double t = 0; t < 50; t += 0.5) {
    world.frameAt(t, frame);
    for (const auto& [person, state] : byId(frame)) {
      seen.insert(person);
      EXPECT_NEAR(state.first.y, 54, 0.2);
    }
  }
  EXPECT_EQ(seen.size(), 5u);
  world.frameAt(-7, frame);
  EXPECT_FALSE(seen.contains(frame.person.at(0)));
}

TEST(PatchWorld, IsASourceThatGoesBothWays) {
  PatchWorld world(smallCity().library, smallCity().placed, {.frames_per_second = 8, .duration = 30});
  FrameCopy a, b;
  ASSERT_TRUE(world.at(20, a));
  EXPECT_EQ(a.time, 20);
  ASSERT_TRUE(world.at(3.1, b));
  EXPECT_EQ(b.time, 3.125);
  ASSERT_TRUE(world.next(b));
  EXPECT_EQ(b.time, 3.25);
  ASSERT_TRUE(world.at(20, b));
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.person, b.person);
  EXPECT_FALSE(world.at(31, b));
  world.rewind();
  int frames = 0;
  while (world.next(a)) ++frames;
  EXPECT_EQ(frames, 241);
}

TEST(PatchWorld, RegionsShowWhoIsInThem) {
  PatchWorld world(smallCity().library, smallCity().placed);
  base::Random random(4);
  FrameCopy all, part;
  for (int i = 0; i < 200; ++i) {
    const double time = random.uniform(0, 100);
    const Point p{random.uniform(-5, 30), random.uniform(-5, 20)};
    const Rectangle region{p, {p.x + random.uniform(0, 20), p.y + random.uniform(0, 20)}};
    world.setRegion({});
    world.frameAt(time, all);
    world.setRegion(region);
    world.frameAt(time, part);
    std::set<std::uint32_t> expected;
    for (std::size_t k = 0; k < all.x.size(); ++k)
      if (all.x[k] >= static_cast<float>(region.min.x) && all.x[k] <= static_cast<float>(region.max.x) &&
          all.y[k] >= static_cast<float>(region.min.y) && all.y[k] <= static_cast<float>(region.max.y))
        expected.insert(all.person[k]);
    EXPECT_EQ(std::set<std::uint32_t>(part.person.begin(), part.person.end()), expected);
  }
}

TEST(PatchWorld, ThreadsDoNotMatter) {
  const City made = city(12, 12, 9);
  PatchWorld one(made.library, made.placed, {.threads = 1}), many(made.library, made.placed, {.threads = 4});
  FrameCopy a, b;
  for (const double time : {0.0, 3.7, 1234.5}) {
    one.frameAt(time, a), many.frameAt(time, b);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.person, b.person);
  }
  EXPECT_LT(one.bytesPerPersonSecond(), 40);
}

TEST(PatchWorld, SidesThatDoNotFitAreNamed) {
  const Patch one = *generateWalks(oneWalk()).patch;
  const auto said = [](std::vector<Patch> library, std::vector<PlacedPatch> placed) {
    try {
      PatchWorld world(std::move(library), std::move(placed));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(said({one}, {{0, {}}, {0, {0, 8}}}), "");
  PatchDefinition other = oneWalk();
  other.name = "other", other.sides[3].inputs[0].position = 5;
  EXPECT_THAT(
      said({one, *generateWalks(other).patch}, {{0, {}}, {1, {8, 0}}}),
      testing::HasSubstr("side 1 of patch \"one walk\" at (0, 0) and side 3 of patch \"other\" at (8, 0) do not fit"));
  EXPECT_THAT(said({one}, {{0, {}}, {0, {}}}), testing::HasSubstr("side already"));
  EXPECT_THAT(said({one}, {{3, {}}}), testing::HasSubstr("a place has patch 3; allowed: 0 to 0"));
  Patch empty = one;
  empty.walks.clear();
  EXPECT_THAT(said({empty}, {{0, {}}}), testing::HasSubstr("0 walks for 1 inputs"));
}

TEST(PatchWorld, HasAScene) {
  const Scene scene = PatchWorld(smallCity().library, smallCity().placed).scene();
  ASSERT_EQ(scene.layers.at(0).walkable.size(), 1u);
  EXPECT_EQ(scene.populations.size(), 2u);
}

}  // namespace
}  // namespace throng::patches
