// Patches out of recordings: what is cut out of a world of patches is that patch again; whatever is cut out of anything
// else is sound at every instant, by samples, and whole.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "throng/patch_cut.h"
#include "throng/patch_world.h"

#include "base/random.h"
#include "patches/example_patches.h"
#include "patches/matching.h"
#include "patches/spline_fit.h"

namespace throng::patches {
namespace {

/// Turned about the origin, mirrored, shifted.
struct Frame2 {
  double cosine = 1, sine = 0;
  bool mirrored = false;
  Point by;

  Point operator()(Point p) const {
    if (mirrored) p.x = -p.x;
    return Point{cosine * p.x - sine * p.y, sine * p.x + cosine * p.y} + by;
  }
};
Frame2 turned(double angle, bool mirror, Point by) {
  double s, c;
  base::sinCos(angle, s, c);
  return {c, s, mirror, by};
}

/// Somebody whose place is known at all times between two.
struct Walker {
  double from = 0, until = 0;
  std::function<Point(double)> at;
};

MemoryFrames filmed(const std::vector<Walker>& walkers, double duration, double rate) {
  MemoryFrames frames(rate);
  for (int i = 0; i <= duration * rate + 1e-9; ++i) {
    FrameCopy frame;
    frame.time = i / rate, frame.index = static_cast<std::uint64_t>(i);
    for (std::size_t w = 0; w < walkers.size(); ++w) {
      if (frame.time < walkers[w].from || frame.time > walkers[w].until) continue;
      const Point p = walkers[w].at(frame.time);
      frame.resize(frame.person.size() + 1);
      frame.person.back() = static_cast<std::uint32_t>(w + 1);
      frame.x.back() = static_cast<float>(p.x), frame.y.back() = static_cast<float>(p.y);
      frame.heading_x.back() = 1;
    }
    frames.add(frame);
  }
  return frames;
}

MemoryFrames filmed(const PatchWorld& world, double duration, double rate, const Frame2& turn) {
  MemoryFrames frames(rate);
  for (int i = 0; i <= duration * rate + 1e-9; ++i) {
    FrameCopy frame;
    world.frameAt(i / rate, frame);
    for (std::size_t p = 0; p < frame.x.size(); ++p) {
      const Point place = turn({frame.x[p], frame.y[p]});
      frame.x[p] = static_cast<float>(place.x), frame.y[p] = static_cast<float>(place.y);
    }
    frames.add(frame);
  }
  return frames;
}

/// Everybody in a patch at a time.
std::vector<Point> placesAt(const Patch& patch, double time) {
  std::vector<Point> places;
  const double period = patch.definition.period;
  for (const PatchWalk& walk : patch.walks)
    for (double t = time + period * std::ceil((walk.from - time) / period); t <= walk.until; t += period)
      places.push_back(stateAt(walk, t).position);
  for (const PatchResident& resident : patch.definition.residents)
    places.push_back(stateAt(resident, period, time).position);
  return places;
}

double nearest(const std::vector<Point>& places, Point p) {
  double least = 1e9;
  for (const Point q : places) least = std::min(least, length(p - q));
  return least;
}

void expectWhole(const PatchCut& cut) {
  ASSERT_TRUE(cut.patch) << (cut.reasons.empty() ? "" : cut.reasons.front());
  const auto found = check(*cut.patch);
  EXPECT_TRUE(found.empty()) << found.front().text();
  expectSound(*cut.patch);
  // The same again a period later, and a person for every place in between.
  for (const PatchWalk& walk : cut.patch->walks) {
    EXPECT_GE(walk.from, 0);
    EXPECT_LT(walk.from, cut.patch->definition.period);
  }
  EXPECT_LE(cut.mean_change, cut.change_95 + 1e-12);
  EXPECT_LE(cut.change_95, cut.most_change);
  const std::size_t stays = cut.patch->walks.size() + cut.joined + cut.patch->definition.residents.size();
  EXPECT_EQ(stays + cut.leftOut(), cut.people);
}

TEST(Matching, CostsAsLittleAsTheBestPermutation) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    base::Random random(seed, 1);
    const std::size_t n = 1 + random.below(6);
    std::vector<double> cost(n * n);
    // Every third with many ties.
    for (double& c : cost) c = seed % 3 == 0 ? static_cast<double>(random.below(4)) : random.uniform(0, 10);
    const auto total = [&](const std::vector<std::size_t>& column) {
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r) sum += cost[r * n + column[r]];
      return sum;
    };
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double least = total(order);
    while (std::next_permutation(order.begin(), order.end())) least = std::min(least, total(order));
    std::vector<std::size_t> found = leastCostMatching(n, cost);
    EXPECT_NEAR(total(found), least, 1e-9) << seed;
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(found[i], i);
  }
}

/// Every way to join, tried out: no ring of two and more.
double leastByTrying(const Joints& joints, std::vector<std::size_t>& next, std::vector<char>& taken) {
  const std::size_t e = next.size();
  if (e == joints.ends.size()) {
    for (std::size_t start = 0; start < next.size(); ++start) {
      std::size_t piece = joints.ends[start], steps = 0;
      for (; steps <= next.size(); ++steps) {
        const auto end = std::find(joints.ends.begin(), joints.ends.end(), piece);
        if (end == joints.ends.end()) break;
        const std::size_t to = next[static_cast<std::size_t>(end - joints.ends.begin())];
        if (to == kAlone) break;
        if (joints.begins[to] == piece) break;
        piece = joints.begins[to];
      }
      if (steps > next.size()) return 1e18;
    }
    return costOf(joints, next);
  }
  next.push_back(kAlone);
  double least = leastByTrying(joints, next, taken);
  for (std::size_t b = 0; b < joints.begins.size(); ++b) {
    if (taken[b]) continue;
    taken[b] = 1, next.back() = b;
    least = std::min(least, leastByTrying(joints, next, taken));
    taken[b] = 0;
  }
  next.pop_back();
  return least;
}

TEST(Matching, JoinsWithoutRingsOfSeveral) {
  int rings = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    base::Random random(seed, 2);
    Joints joints;
    // Pieces that end at the seam, begin at it, or both.
    for (std::size_t piece = 0; piece < 5; ++piece) {
      const std::uint64_t kind = random.below(4);
      if (kind != 0) joints.ends.push_back(piece), joints.end_alone.push_back(random.uniform(0, 8));
      if (kind != 1) joints.begins.push_back(piece), joints.begin_alone.push_back(random.uniform(0, 8));
    }
    for (std::size_t i = 0; i < joints.ends.size() * joints.begins.size(); ++i)
      joints.cost.push_back(random.uniform(0, 10));
    std::vector<std::size_t> next;
    std::vector<char> taken(joints.begins.size());
    const double least = leastByTrying(joints, next, taken);
    const std::vector<std::size_t> found = join(joints);
    EXPECT_NEAR(costOf(joints, found), least, 1e-6) << seed;
    // It matters: without that rule some would be cheaper.
    std::vector<double> plain;
    const std::size_t n = joints.ends.size() + joints.begins.size();
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c)
        plain.push_back(r < joints.ends.size() ? (c < joints.begins.size() ? joints.of(r, c) : joints.end_alone[r])
                                               : (c < joints.begins.size() ? joints.begin_alone[c] : 0));
    double sum = 0;
    const std::vector<std::size_t> column = leastCostMatching(n, plain);
    for (std::size_t r = 0; r < n; ++r) sum += plain[r * n + column[r]];
    rings += sum < least - 1e-9;
  }
  EXPECT_GT(rings, 10);
}

TEST(SplineFit, FindsTheSplineThatWasSeen) {
  const Patch patch = *generateWalks(randomPatch(0.2, 5)).patch;
  for (const PatchWalk& walk : patch.walks) {
    std::vector<Sighting> seen;
    for (double t = walk.from; t < walk.until; t += 0.1) seen.push_back({t, stateAt(walk, t).position});
    PatchWalk fitted = walk;
    for (std::size_t k = 3; k + 3 < fitted.control.size(); ++k) fitted.control[k] += {1, -2};
    fitWalk(fitted, seen, {});
    for (double t = walk.from; t < walk.until; t += 0.03)
      EXPECT_NEAR(length(stateAt(fitted, t).position - stateAt(walk, t).position), 0, 1e-4);
  }
  // Round a circle and back.
  std::vector<Sighting> seen;
  for (int i = 0; i < 100; ++i) {
    double s, c;
    base::sinCos(2 * base::kPi * i / 100, s, c);
    seen.push_back({i * 0.1, {c, s}});
  }
  const PatchResident ring{"", fitRing(10, seen, {})};
  for (const Sighting& at : seen) EXPECT_NEAR(length(stateAt(ring, 10, at.time).position - at.place), 0, 1e-3);
}

TEST(CutPatch, OfAPlayedPatchIsThatPatch) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    base::Random random(seed, 4);
    const PatchDefinition definition = randomPatch(random.uniform(0.05, 0.35), seed, random.uniform(7, 9));
    const PatchResult made = generateWalks(definition);
    ASSERT_TRUE(made.patch);
    const PatchWorld world({*made.patch}, {{0, {}}}, {.threads = 1});
    const Frame2 turn =
        turned(random.uniform(0, 6.28), seed % 2 == 0, {random.uniform(-50, 50), random.uniform(-50, 50)});
    MemoryFrames frames = filmed(world, 40, seed % 3 == 0 ? 25 : 10, turn);
    PatchCutSettings settings;
    for (const Point p : definition.corners) settings.area.push_back(turn(p));
    settings.from = 0.1 * static_cast<double>(90 + random.below(100));
    const PatchCut cut = cutPatch(frames, settings);
    expectWhole(cut);
    if (HasFailure()) FAIL() << seed;
    EXPECT_EQ(cut.leftOut(), 0u) << seed;
    EXPECT_EQ(cut.patch->walks.size(), made.patch->walks.size()) << seed;
    EXPECT_LT(cut.most_change, 1e-3) << seed;
    for (double t = 0.05; t < 10; t += 0.37) {
      const std::vector<Point> now = placesAt(*cut.patch, t), then = placesAt(*made.patch, *settings.from + t);
      EXPECT_EQ(now.size(), then.size());
      for (const Point p : then) EXPECT_LT(nearest(now, turn(p)), 2e-3) << seed << " " << t;
    }
  }
}

/// People who walk through a square from all sides, swaying, without regard to one another.
std::vector<Walker> passers(std::uint64_t seed, int count, double duration, const Frame2& turn) {
  base::Random random(seed, 5);
  std::vector<Walker> walkers;
  for (int i = 0; i < count; ++i) {
    const double lane = random.uniform(1, 7), speed = random.uniform(0.9, 1.6), from = random.uniform(-10, duration);
    const double sway = random.uniform(0, 0.06), phase = random.uniform(0, 6);
    const auto side = random.below(4);
    walkers.push_back({from, from + 14 / speed, [=](double t) {
                         double s, c;
                         base::sinCos(6 * t + phase, s, c);
                         const Point p{(t - from) * speed - 3, lane + sway * s};
                         const Point mirrored{8 - p.x, p.y};
                         const Point q = side % 2 == 0 ? p : mirrored;
                         return turn(side < 2 ? q : Point{q.y, q.x});
                       }});
  }
  return walkers;
}

TEST(CutPatch, OfPeopleWhoHardlyMeet) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    base::Random random(seed, 6);
    const Frame2 turn = turned(random.uniform(0, 6.28), seed % 2 == 1, {3, -7});
    MemoryFrames frames = filmed(passers(seed, 40, 40, turn), 40, 16);
    PatchCutSettings settings;
    for (const Point p : {Point{0, 0}, Point{8, 0}, Point{8, 8}, Point{0, 8}}) settings.area.push_back(turn(p));
    settings.period = random.uniform(6, 12), settings.windows = 3;
    const PatchCut cut = cutPatch(frames, settings);
    expectWhole(cut);
    if (HasFailure()) FAIL() << seed;
    EXPECT_LE(cut.leftOut(), cut.people / 4) << seed;
    EXPECT_LT(cut.mean_change, 0.25) << seed;
    EXPECT_EQ(cut.windows.size(), 3u);
    // The best of its windows, and the same every time.
    const PatchCut again = cutPatch(frames, settings);
    EXPECT_TRUE(again.patch == cut.patch);
    EXPECT_EQ(again.windows, cut.windows);
  }
}

TEST(CutPatch, OtherAreasThanSquares) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    MemoryFrames frames = filmed(passers(seed + 50, 30, 30, {}), 30, 10);
    PatchCutSettings settings;
    settings.area = {{0, 1}, {5, 0}, {8, 4}, {6, 8}, {1, 7}};
    settings.from = 8;
    const PatchCut cut = cutPatch(frames, settings);
    expectWhole(cut);
    if (HasFailure()) FAIL() << seed;
    // Either way round.
    std::reverse(settings.area.begin(), settings.area.end());
    EXPECT_TRUE(check(*cutPatch(frames, settings).patch).empty());
  }
}

TEST(CutPatch, WhoStaysIsAResident) {
  std::vector<Walker> walkers = passers(9, 12, 30, {});
  // One stands, two stand too near to each other, one goes round every ten seconds, one does not quite come back.
  for (const Point p : {Point{2, 2}, Point{6, 6}, Point{6.4, 6}}) walkers.push_back({0, 30, [=](double) { return p; }});
  walkers.push_back({0, 30, [](double t) {
                       double s, c;
                       base::sinCos(2 * base::kPi * t / 10, s, c);
                       return Point{6 + 0.8 * c, 2 + 0.8 * s};
                     }});
  walkers.push_back({0, 30, [](double t) { return Point{2, 5 + 0.08 * t}; }});
  MemoryFrames frames = filmed(walkers, 30, 10);
  PatchCutSettings settings;
  settings.area = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
  settings.from = 10;
  const PatchCut cut = cutPatch(frames, settings);
  expectWhole(cut);
  ASSERT_EQ(cut.patch->definition.residents.size(), 5u);
  const auto& residents = cut.patch->definition.residents;
  EXPECT_EQ(
      std::count_if(residents.begin(), residents.end(), [](const PatchResident& r) { return r.control.size() == 1; }),
      3);
  for (double t = 0; t < 10; t += 0.5) {
    const std::vector<Point> now = placesAt(*cut.patch, t);
    for (std::size_t w = walkers.size() - 5; w < walkers.size(); ++w)
      EXPECT_LT(nearest(now, walkers[w].at(10 + t)), 0.6) << w << " " << t;
  }
}

TEST(CutPatch, WhatStandsInTheAreaIsAvoided) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    MemoryFrames frames = filmed(passers(seed + 80, 25, 30, {}), 30, 10);
    PatchCutSettings settings;
    settings.area = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
    // People walked through it: nobody told them.
    settings.objects = {box("pillar", 3.5, 3.5, 0.8)};
    settings.from = 8;
    expectWhole(cutPatch(frames, settings));
    if (HasFailure()) FAIL() << seed;
  }
}

TEST(CutPatch, WhoAppearsInTheMiddleIsLeftOut) {
  std::vector<Walker> walkers = passers(3, 12, 30, {});
  walkers.push_back({12, 16, [](double t) { return Point{3 + 0.5 * (t - 12), 4}; }});
  MemoryFrames frames = filmed(walkers, 30, 10);
  PatchCutSettings settings;
  settings.area = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
  settings.from = 10;
  const PatchCut cut = cutPatch(frames, settings);
  expectWhole(cut);
  EXPECT_EQ(cut.left_out[static_cast<std::size_t>(LeftOut::kNoEnd)], 1u);
}

TEST(CutPatch, WhatIsImpossibleIsSaid) {
  // A queue that creeps: nobody in a patch walks at 0.1 m/s.
  std::vector<Walker> walkers;
  for (int i = 0; i < 60; ++i) {
    const double lag = 0.4 * i;
    walkers.push_back({0, 60, [=](double t) { return Point{0.1 * t + 12 - lag, 2 + 0.01 * (lag - std::floor(lag))}; }});
  }
  MemoryFrames frames = filmed(walkers, 60, 10);
  PatchCutSettings settings;
  settings.area = {{0, 0}, {8, 0}, {8, 4}, {0, 4}};
  settings.from = 20, settings.attempts = 2;
  const PatchCut cut = cutPatch(frames, settings);
  EXPECT_FALSE(cut.patch);
  EXPECT_EQ(cut.reasons.size(), 2u);
  EXPECT_THAT(cut.reasons.front(), testing::HasSubstr("would have to be left out"));
}

TEST(CutPatch, RefusesWhatMakesNoSense) {
  MemoryFrames frames = filmed(passers(1, 20, 30, {}), 30, 10);
  PatchCutSettings good;
  good.area = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
  good.from = 5;
  const auto said = [&](const PatchCutSettings& settings) -> std::string {
    try {
      cutPatch(frames, settings);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said(good), "");
  PatchCutSettings bad = good;
  bad.from = 25;
  EXPECT_THAT(said(bad), testing::HasSubstr("from 0 to 30 s; allowed: a window of 10 s"));
  bad = good, bad.period = 1;
  EXPECT_THAT(said(bad), testing::HasSubstr("allowed: 2 to 1000"));
  bad = good, bad.area = {{0, 0}, {8, 0}, {4, 1}, {0, 8}};
  EXPECT_THAT(said(bad), testing::HasSubstr("not convex"));
  bad = good, bad.area = {{100, 0}, {108, 0}, {108, 8}};
  EXPECT_THAT(said(bad), testing::HasSubstr("people were seen at x from"));
  bad.from = {};
  EXPECT_THAT(said(bad), testing::HasSubstr("people were seen at x from"));
  bad = good, bad.attempts = 0;
  EXPECT_THAT(said(bad), testing::HasSubstr("allowed: 1 to 100"));
  bad = good, bad.from = {}, bad.period = 40;
  EXPECT_THAT(said(bad), testing::HasSubstr("from 0 to 30 s"));
}

TEST(PatchObjects, AreWhatCannotBeWalkedOn) {
  Scene scene;
  scene.layers.emplace_back();
  // A room with a corner cut out, an L-shaped counter and a wall without thickness.
  scene.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 6}, {6, 6}, {6, 10}, {0, 10}}, {}}};
  scene.layers[0].obstacles = {{{{2, 2}, {5, 2}, {5, 3}, {3, 3}, {3, 5}, {2, 5}}, {}}};
  scene.layers[0].walls = {{{{7, 1}, {9, 3}}}};
  const Ring area{{1, 1}, {9, 1}, {9, 9}, {1, 9}};
  const std::vector<PatchObject> objects = patchObjects(scene, 0, area);
  PatchDefinition patch;
  patch.corners = area, patch.objects = objects;
  for (int s = 0; s < 4; ++s) patch.sides.push_back({"", 8, 10, {}, {}});
  EXPECT_TRUE(check(patch).empty());
  const auto blocked = [&](Point p) {
    return std::any_of(objects.begin(), objects.end(),
                       [&](const PatchObject& o) { return distance(p, o.outline) == 0; });
  };
  base::Random random(1, 1);
  for (int i = 0; i < 2000; ++i) {
    const Point p{random.uniform(1.01, 8.99), random.uniform(1.01, 8.99)};
    const bool counter = p.x > 2 && p.y > 2 && ((p.x < 5 && p.y < 3) || (p.x < 3 && p.y < 5));
    const bool corner = p.x > 6 && p.y > 6;
    const bool near_wall = std::abs((p.x - p.y) - 6) < 0.05;
    EXPECT_TRUE(near_wall || blocked(p) == (counter || corner)) << p.x << " " << p.y;
  }
  EXPECT_TRUE(blocked({8, 2}));
  EXPECT_THROW(patchObjects(scene, 3, area), InputError);
}

}  // namespace
}  // namespace throng::patches
