// Ways in weighted regions, against slow twins, turned, mirrored and scaled.
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <utility>

#include "geometry/predicates.h"
#include "planning/region_route.h"
#include "planning/shrunk_border.h"
#include "region_places.h"

namespace throng::planning {
namespace {

RouteQuery queryIn(const RegionPlace& in, Point from, Point to, double radius = 0.25) {
  RouteQuery query;
  query.from = from, query.to = to, query.radius = radius, query.weights = in.weights;
  return query;
}

TEST(RegionMesh, HasAllPlacesWhereABodyFits) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const RegionPlace in = cluttered(seed);
    const RegionMesh mesh(in.place.map, &in.regions, 0.3);
    base::Random random(seed, 72);
    for (int i = 0; i < 2000; ++i) {
      const Point p = in.place.anywhere(random);
      const double clearance = in.place.map.locate(p, 0) ? in.place.clearanceOf(p, p) : 0;
      const std::uint32_t t = mesh.locate(p, 0);
      if (clearance < 0.3 - 1e-4) {
        EXPECT_EQ(t, RegionMesh::kNone) << seed << " " << p.x << " " << p.y;
      }
      if (clearance > 0.3 * 1.111) {
        ASSERT_NE(t, RegionMesh::kNone) << seed << " " << p.x << " " << p.y;
      }
      if (t != RegionMesh::kNone && mesh.triangles()[t].type != in.regions.typeAt(p, 0)) {
        // Only next to a border, where rounding decides.
        ground::RegionWeights cheap(in.weights.size(), 2);
        cheap[mesh.triangles()[t].type] = 1;
        EXPECT_EQ(in.regions.typeAt(p, 0, cheap), mesh.triangles()[t].type) << seed;
      }
    }
  }
}

TEST(RegionPlanners, CostWhatTheySayAndKeepFromWalls) {
  constexpr RegionMethod kAll[] = {
      RegionMethod::kGrid,        RegionMethod::kSteiner,       RegionMethod::kTrianglePruning,
      RegionMethod::kEdgePruning, RegionMethod::kVertexPruning, RegionMethod::kRegions};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const RegionPlace in = cluttered(seed);
    const RegionMap made(in.place.map, &in.regions, 0.25);
    Scratch scratch;
    RouteAnswer answer;
    base::Random random(seed, 73);
    for (int i = 0; i < 6; ++i) {
      const Point from = in.place.somewhere(random, 0.3), to = in.place.somewhere(random, 0.3);
      const RouteQuery query = queryIn(in, from, to);
      RouteQuery plain = query;
      findRoute(in.place.map, plain, scratch, answer);
      const Outcome expected = answer.outcome;
      for (const RegionMethod method : kAll) {
        findRegionRoute(in.place.map, made, {method, 0.4, 0.4}, query, scratch, answer);
        if (method != RegionMethod::kGrid) {
          EXPECT_EQ(answer.outcome, expected) << seed << " " << i;
        }
        if (answer.outcome != Outcome::kReached) continue;
        EXPECT_EQ(answer.points.front(), query.from);
        EXPECT_EQ(answer.points.back(), query.to);
        if (method != RegionMethod::kGrid) {
          EXPECT_NEAR(in.costOf(answer.points), answer.cost, 2e-3 * answer.cost)
              << seed << " " << i << " " << static_cast<int>(method);
        }
        for (std::size_t k = 1; k < answer.points.size(); ++k)
          EXPECT_GE(in.place.clearanceOf(answer.points[k - 1], answer.points[k]), 0.25 * 0.998) << seed << " " << i;
      }
    }
  }
}

/// Places of all crossings of a way, each at one of many places of its edge, nearer and nearer around the best ones.
double bruteForce(const RegionMesh& mesh, const RegionPlace& in, Point from, Point to, const TriangleWay& way) {
  constexpr int kPlaces = 24;
  const std::size_t n = way.edges.size();
  std::vector<double> middle(n, 0.5);
  double best = 1e300;
  for (double half = 0.5; half > 1e-5; half *= 0.6) {
    std::vector<std::vector<double>> share(n);
    for (std::size_t i = 0; i < n; ++i)
      for (int k = -kPlaces; k <= kPlaces; ++k)
        share[i].push_back(std::clamp(middle[i] + half * k / kPlaces, 0.0, 1.0));
    const auto at = [&](std::size_t i, std::size_t k) {
      const Segment edge = mesh.segment(way.edges[i]);
      return edge.a + (edge.b - edge.a) * share[i][k];
    };
    const auto weight = [&](std::size_t i) {
      return static_cast<double>(in.weights[mesh.triangles()[way.triangles[i]].type]);
    };
    std::vector<std::vector<double>> cost(n);
    std::vector<std::vector<std::size_t>> before(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < share[i].size(); ++k) {
        double least = i == 0 ? weight(0) * length(at(0, k) - from) : 1e300;
        std::size_t by = 0;
        for (std::size_t j = 0; i > 0 && j < share[i - 1].size(); ++j) {
          const double there = cost[i - 1][j] + weight(i) * length(at(i, k) - at(i - 1, j));
          if (there < least) least = there, by = j;
        }
        cost[i].push_back(least), before[i].push_back(by);
      }
    double total = 1e300;
    std::size_t last = 0;
    for (std::size_t k = 0; k < share[n - 1].size(); ++k)
      if (const double there = cost[n - 1][k] + weight(n) * length(to - at(n - 1, k)); there < total)
        total = there, last = k;
    best = std::min(best, total);
    for (std::size_t i = n; i-- > 0;) middle[i] = share[i][last], last = before[i][last];
  }
  return best;
}

TEST(RegionSearch, DrawsTheLineAsTightAsBruteForce) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RegionPlace in(clutteredRoom(seed, 30, 20, seed % 2 == 0 ? 0 : 3), seed, 5, 6);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints few = fewPoints(mesh);
    RegionScratch scratch;
    RegionWay way;
    base::Random random(seed, 74);
    for (int i = 0; i < 3; ++i) {
      const Point from = in.place.somewhere(random, 0.3), to = in.place.somewhere(random, 0.3);
      searchRegions(mesh, few, nullptr, {from, to, 0, 0, in.weights}, scratch, way);
      if (!std::isfinite(way.cost) || scratch.way.edges.empty() || scratch.way.edges.size() > 40) continue;
      ++compared;
      EXPECT_LE(way.cost, bruteForce(mesh, in, from, to, scratch.way) * 1.0005) << seed << " " << i;
    }
  }
  EXPECT_GE(compared, 15);
}

TEST(RegionSearch, IsAsGoodAsManySteinerPoints) {
  double sum = 0, worst = 0;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RegionPlace in = cluttered(100 + seed);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints few = fewPoints(mesh), many(mesh, 0.1);
    RegionScratch scratch;
    SteinerScratch steiner;
    RegionWay ours, whole;
    base::Random random(seed, 75);
    for (int i = 0; i < 8; ++i) {
      const RegionQuery query{in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, in.weights};
      searchSteiner(mesh, many, query, steiner, whole);
      searchRegions(mesh, few, nullptr, query, scratch, ours);
      ASSERT_EQ(std::isfinite(whole.cost), std::isfinite(ours.cost));
      if (!std::isfinite(whole.cost)) continue;
      const double above = ours.cost / whole.cost - 1;
      sum += above, worst = std::max(worst, above), ++count;
    }
  }
  EXPECT_GE(count, 60);
  EXPECT_LE(sum / count, 0.005);
  EXPECT_LE(worst, 0.03);
}

/// Ours above many Steiner points: the mean and the worst over some queries.
struct Above {
  double sum = 0, worst = 0;
  int count = 0;
};
void compare(const RegionMesh& mesh, const SteinerPoints& few, const SteinerPoints& many, const RegionQuery& query,
             Above& above) {
  thread_local RegionScratch scratch;
  thread_local SteinerScratch steiner;
  RegionWay ours, whole;
  searchSteiner(mesh, many, query, steiner, whole);
  searchRegions(mesh, few, nullptr, query, scratch, ours);
  ASSERT_EQ(std::isfinite(whole.cost), std::isfinite(ours.cost));
  if (!std::isfinite(whole.cost)) return;
  const double more = ours.cost / whole.cost - 1;
  above.sum += more, above.worst = std::max(above.worst, more), ++above.count;
}

// The way found, against one over points a hundredth apart.
TEST(RegionSearch, IsAsGoodAsPointsAHundredthApart) {
  Above above;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RegionPlace in(clutteredRoom(700 + seed, 16, 12, seed % 2 == 0 ? 0 : 3), seed, 4, 5);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints few = fewPoints(mesh), many(mesh, 0.01);
    base::Random random(seed, 92);
    for (int i = 0; i < 4; ++i)
      compare(mesh, few, many, {in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, in.weights},
              above);
  }
  EXPECT_GE(above.count, 10);
  EXPECT_LE(above.sum / above.count, 0.005);
  EXPECT_LE(above.worst, 0.03);
}

// Cheap tiles that touch dear ones at corners, like a chessboard: the best ways lead from corner to corner.
TEST(RegionSearch, LeadsThroughCornersWhereGroundsMeet) {
  Above above;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    base::Random random(seed, 83);
    Layer layer;
    layer.walkable = {box(0, 0, 60, 60)};
    for (int x = 0; x < 6; ++x)
      for (int y = 0; y < 6; ++y) {
        const bool dear = (x + y) % 2 == 0 || random.below(8) == 0;
        layer.regions.push_back({dear ? "dear" : "cheap", {box(10 * x, 10 * y, 10 * x + 10, 10 * y + 10)}});
      }
    RegionPlace in(Place(std::move(layer), {{0, 0}, {60, 60}}), seed, 0, 1);
    in.weights.assign(in.regions.types().size(), 2.0f);
    for (std::size_t t = 1; t < in.weights.size(); ++t)
      if (in.regions.types()[t] == "dear") in.weights[t] = 30;
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints few = SteinerPoints::few(mesh, 0.05, 5, 0.2, 1, 3), many(mesh, 0.3);
    for (int i = 0; i < 6; ++i)
      compare(mesh, few, many, {in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, in.weights},
              above);
  }
  EXPECT_EQ(above.count, 24);
  EXPECT_LE(above.sum / above.count, 0.002);
  EXPECT_LE(above.worst, 0.01);
}

// Wide fields have long edges with points far apart; both ends may be much nearer to a border than those are.
TEST(RegionSearch, GoesAlongNearBordersOnShortWays) {
  Above above;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    base::Random random(seed, 84);
    Layer layer;
    layer.walkable = {box(0, 0, 100, 40)};
    const double low = random.uniform(8, 18), high = low + random.uniform(3, 8);
    layer.regions = {{"a", {box(0, 0, 100, low)}}, {"b", {box(0, low, 100, high)}}, {"c", {box(0, high, 100, 40)}}};
    RegionPlace in(Place(std::move(layer), {{0, 0}, {100, 40}}), seed, 0, 1);
    in.weights = {1, 3, 6, 1};
    for (const bool mirrored : {false, true}) {
      const Scene scene = moved(in.place.scene, 1, mirrored);
      const Place place(scene, in.place.extent);
      const ground::Regions regions(scene);
      const RegionMesh mesh(place.map, &regions, 0.25);
      const SteinerPoints few = fewPoints(mesh), many(mesh, 0.1);
      for (int i = 0; i < 25; ++i) {
        const Point from{random.uniform(1, 90), random.uniform(low - 2, high + 2)};
        const Point to{from.x + random.uniform(2, 9), random.uniform(low - 2, high + 2)};
        compare(mesh, few, many, {moved(from, 1, mirrored), moved(to, 1, mirrored), 0, 0, in.weights}, above);
      }
    }
  }
  EXPECT_EQ(above.count, 150);
  EXPECT_LE(above.sum / above.count, 0.002);
  EXPECT_LE(above.worst, 0.02);
}

/// Streets between blocks of houses, with pavements along some and squares of grass: a map of many triangles.
RegionPlace streets(std::uint64_t seed) {
  RegionPlace in(blockCity(seed, 8, 30), seed, 60, 9);
  return in;
}

// Blocks say where to look; the slow twin looks everywhere.
TEST(RegionBlocks, HardlyEverCostAnything) {
  double sum = 0, worst = 0, looked = 0, all = 0;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const RegionPlace in = streets(400 + seed);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints few = fewPoints(mesh);
    const RegionBlocks blocks(mesh);
    RegionScratch scratch;
    RegionWay fast, slow;
    base::Random random(seed, 82);
    for (int i = 0; i < 40; ++i) {
      ground::RegionWeights weights = in.weights;
      for (std::size_t t = 1; t < weights.size(); ++t)
        weights[t] = random.below(6) == 0 ? kNeverWalked : static_cast<float>(random.uniform(0.5, 6));
      const RegionQuery query{in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, weights};
      searchRegions(mesh, few, nullptr, query, scratch, slow);
      searchRegions(mesh, few, &blocks, query, scratch, fast);
      ASSERT_EQ(std::isfinite(slow.cost), std::isfinite(fast.cost)) << seed << " " << i;
      if (!std::isfinite(slow.cost) || length(query.to - query.from) < 60) continue;
      const double above = fast.cost / slow.cost - 1;
      sum += above, worst = std::max(worst, above), ++count;
      looked += static_cast<double>(fast.explored), all += static_cast<double>(slow.explored);
    }
  }
  std::printf("%.2f %% more on average, %.2f %% at worst\n", 100 * sum / count, 100 * worst);
  EXPECT_GE(count, 100);
  EXPECT_LE(sum / count, 0.005);
  EXPECT_LE(worst, 0.06);
  EXPECT_LT(looked, 0.7 * all);
}

// What blocks tell of a place is nearly what the way from there costs: where they told too much of one way and not of
// another, the search took the wrong one.
TEST(RegionBlocks, TellNearlyWhatItCosts) {
  double sum = 0, most = 0, least = 1;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const bool mirrored : {false, true}) {
      RegionPlace in = streets(420 + seed);
      const Scene scene = moved(in.place.scene, 1, mirrored);
      const Place place(scene, in.place.extent);
      const ground::Regions regions(scene);
      const RegionMesh mesh(place.map, &regions, 0.25);
      const SteinerPoints few = fewPoints(mesh);
      const RegionBlocks blocks(mesh);
      RegionScratch scratch;
      BlockScratch room;
      RegionWay way;
      std::vector<std::uint32_t> from, to;
      base::Random random(seed, 83);
      for (int i = 0; i < 25; ++i) {
        ground::RegionWeights weights = in.weights;
        for (std::size_t t = 1; t < weights.size(); ++t) weights[t] = static_cast<float>(random.uniform(0.5, 6));
        const RegionQuery query{moved(in.place.somewhere(random, 0.3), 1, mirrored),
                                moved(in.place.somewhere(random, 0.3), 1, mirrored), 0, 0, weights};
        searchRegions(mesh, few, nullptr, query, scratch, way);
        if (!std::isfinite(way.cost) || length(query.to - query.from) < 40) continue;
        trianglesAt(mesh, query.from, 0, weights, from), trianglesAt(mesh, query.to, 0, weights, to);
        CostToGo to_go(mesh, blocks, query, room);
        ASSERT_TRUE(to_go.find(from, to)) << seed << " " << i;
        const double told = static_cast<double>(to_go.from(query.from, from[0], from[0])) / way.cost;
        sum += told, most = std::max(most, told), least = std::min(least, told), ++count;
      }
    }
  EXPECT_GE(count, 100);
  std::printf("%.4f times as much on average, %.4f to %.4f\n", sum / count, least, most);
  EXPECT_NEAR(sum / count, 1, 0.02);
  EXPECT_LE(most, 1.15);
  EXPECT_GE(least, 0.9);
}

// Every gate lies on the border of its two blocks, and blocks are joined exactly where triangles are.
TEST(RegionBlocks, AreJoinedWhereTrianglesAre) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const RegionPlace in = streets(500 + seed);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const RegionBlocks blocks(mesh);
    std::set<std::pair<std::uint32_t, std::uint32_t>> joined, expected;
    for (const RegionBlocks::Gate& gate : blocks.gates()) joined.insert(std::minmax(gate.block[0], gate.block[1]));
    for (const RegionMesh::Edge& edge : mesh.edges()) {
      if (!edge.crossable() || blocks.of(edge.left) == blocks.of(edge.right)) continue;
      expected.insert(std::minmax(blocks.of(edge.left), blocks.of(edge.right)));
    }
    EXPECT_EQ(joined, expected) << seed;
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t)
      EXPECT_EQ(blocks.type(blocks.of(t)), mesh.triangles()[t].type);
  }
}

// Fewer corners take little room, and none from narrow passages.
TEST(ShrunkBorder, WithFewerCornersLosesLittle) {
  std::size_t thinned = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Place place = clutteredRoom(600 + seed, 40, 30, 14);
    const RegionMesh mesh(place.map, nullptr, 0.25);
    for (const BorderLine& line : shrunkBorder(place.map, 0.25)) {
      ++thinned;
      EXPECT_GE(place.clearanceOf(line.a, line.b), 0.25 - 1e-5) << seed;
      EXPECT_LE(place.clearanceOf(line.a, line.a), 0.25 * 1.111 + 1e-5) << seed;
    }
  }
  EXPECT_GT(thinned, 100u);
}

TEST(ShrunkBorder, GoesRoundAPillarWithFewCorners) {
  Layer layer;
  layer.walkable = {box(0, 0, 20, 20)};
  layer.obstacles = {regular({10, 10}, 0.5, 30, 0.1)};
  const Place place(std::move(layer), {{0, 0}, {20, 20}});
  std::size_t round = 0;
  for (const BorderLine& line : shrunkBorder(place.map, 0.25)) {
    if (length(line.a - Point{10, 10}) > 2) continue;
    ++round;
    EXPECT_GE(place.clearanceOf(line.a, line.b), 0.25 - 1e-5);
  }
  EXPECT_GE(round, 7u);
  EXPECT_LE(round, 50u);
}

// The axis before the end of a wall may be one arc, whose spokes to the end make half a turn.
TEST(ShrunkBorder, GoesRoundTheEndsOfWallsHoweverTheyAreTurned) {
  base::Random random(1, 83);
  for (int i = 0; i < 300; ++i) {
    const double turn = random.uniform(0, 6.283), radius = random.uniform(0.15, 0.4), reach = random.uniform(3, 12);
    const Point along{std::cos(turn), std::sin(turn)}, across = perpendicular(along);
    const double left = random.uniform(-4000, 4000), right = random.uniform(-4000, 4000);
    const auto at = [&](double x, double y) { return Point{left, right} + along * x + across * y; };
    Layer layer;
    layer.walkable = {{{at(0, 0), at(15, 0), at(15, 40), at(0, 40)}, {}}};
    layer.walls = {{{at(0, 20), at(reach, 20)}}};
    const Place place(std::move(layer), {{left - 50, right - 50}, {left + 50, right + 50}});
    for (const BorderLine& line : shrunkBorder(place.map, radius))
      EXPECT_GE(place.clearanceOf(line.a, line.b), radius * 0.998) << i;
    const ground::Regions regions(place.scene);
    RegionMaps maps;
    Scratch scratch;
    RouteAnswer answer;
    RouteQuery query;
    query.from = at(random.uniform(1, 14), 18), query.to = at(random.uniform(1, 14), 22), query.radius = radius;
    const ground::RegionWeights weights{1};
    query.weights = weights;
    const auto made = maps.of(place.map, &regions, radius, {}, weights);
    findRegionRoute(place.map, *made, {RegionMethod::kSteiner, 0.5, 0.3}, query, scratch, answer);
    EXPECT_EQ(answer.outcome, Outcome::kReached);
    for (std::size_t k = 1; k < answer.points.size(); ++k)
      EXPECT_GE(place.clearanceOf(answer.points[k - 1], answer.points[k]), radius * 0.998) << i;
    findRoute(place.map, query, scratch, answer);
    for (std::size_t k = 1; k < answer.points.size(); ++k)
      EXPECT_GE(place.clearanceOf(answer.points[k - 1], answer.points[k]), radius * 0.998) << i;
  }
}

TEST(Steiner, FewerPointsCostNoMoreThanTheBound) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RegionPlace in(clutteredRoom(seed, 20, 15, 2), seed, 4, 4);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints finest(mesh, 0.03);
    SteinerScratch scratch;
    RegionWay best, way;
    base::Random random(seed, 76);
    for (int i = 0; i < 3; ++i) {
      const RegionQuery query{in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, in.weights};
      searchSteiner(mesh, finest, query, scratch, best);
      for (const double epsilon : {0.5, 0.3, 0.1}) {
        const SteinerPoints points(mesh, epsilon);
        searchSteiner(mesh, points, query, scratch, way);
        EXPECT_LE(way.cost, best.cost * (1 + epsilon));
        EXPECT_GE(way.cost, best.cost * 0.99);
      }
    }
  }
}

TEST(RegionSearch, IsTheSameTurnedMirroredAndScaled) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RegionPlace in = cluttered(300 + seed);
    for (const bool mirrored : {false, true})
      for (const double scale : {1.0, 2.5}) {
        const Scene scene = moved(in.place.scene, scale, mirrored);
        const Place other(scene, in.place.extent);
        const ground::Regions regions(scene);
        const RegionMap made(in.place.map, &in.regions, 0.25), turned(other.map, &regions, 0.25 * scale);
        Scratch scratch;
        RouteAnswer here, there;
        base::Random random(seed, 80);
        for (int i = 0; i < 5; ++i) {
          const RouteQuery query = queryIn(in, in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3));
          RouteQuery like = query;
          like.from = moved(query.from, scale, mirrored), like.to = moved(query.to, scale, mirrored);
          like.radius *= scale;
          findRegionRoute(in.place.map, made, {}, query, scratch, here);
          findRegionRoute(other.map, turned, {}, like, scratch, there);
          ASSERT_EQ(here.outcome, there.outcome);
          if (here.outcome == Outcome::kReached) {
            EXPECT_NEAR(there.cost / scale, here.cost, 0.02 * here.cost) << seed;
          }
        }
      }
  }
}

TEST(RegionPlanners, NeverWalkWhereTheyNeverDo) {
  // A river across the whole room, with a ford at one end or without one.
  for (const double ford : {4.0, 0.0}) {
    Layer layer;
    layer.walkable = {box(0, 0, 30, 20)};
    layer.regions = {{"water", {box(14, ford, 17, 20)}}};
    Scene scene;
    scene.layers = {layer};
    const Place place(scene, {{0, 0}, {30, 20}});
    const ground::Regions regions(place.scene);
    const RegionMap made(place.map, &regions, 0.25);
    Scratch scratch;
    RouteAnswer answer;
    const ground::RegionWeights weights{1, kNeverWalked};
    for (const RegionMethod method :
         {RegionMethod::kRegions, RegionMethod::kSteiner, RegionMethod::kGrid, RegionMethod::kVertexPruning}) {
      RouteQuery query;
      query.from = {5, 15}, query.to = {25, 15}, query.weights = weights;
      findRegionRoute(place.map, made, {method, 0.5, 0.3}, query, scratch, answer);
      EXPECT_EQ(answer.outcome, ford > 0 ? Outcome::kReached : Outcome::kNearest);
      for (std::size_t i = 1; i < answer.points.size(); ++i)
        EXPECT_TRUE(std::isfinite(regions.cost(answer.points[i - 1], answer.points[i], 0, weights)));
      if (ford == 0) {
        EXPECT_NEAR(answer.end.x, 14, 0.02);
      }
      // A goal in the water, and a start in it.
      query.to = {15.5, 10};
      findRegionRoute(place.map, made, {method, 0.5, 0.3}, query, scratch, answer);
      EXPECT_EQ(answer.outcome, Outcome::kNearest);
      EXPECT_NEAR(answer.end.x, 14, 0.02);
      query.from = {15, 10}, query.to = {5, 10};
      findRegionRoute(place.map, made, {RegionMethod::kRegions}, query, scratch, answer);
      EXPECT_EQ(answer.outcome, Outcome::kReached);
    }
  }
}

/// m from a place to a polygon without holes; 0 inside.
double distanceTo(const Polygon& area, Point p) {
  if (geometry::contains(area, p)) return 0;
  double least = 1e9;
  for (std::size_t i = 0; i < area.outer.size(); ++i)
    least = std::min(least, geometry::distanceToSegment(p, area.outer[i], area.outer[(i + 1) % area.outer.size()]));
  return least;
}

TEST(RegionPlanners, KeepTheWholeBodyOffGroundWhereTheyNeverWalk) {
  int free = 0, leaving = 0, beside = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RegionPlace in(clutteredRoom(seed, 40, 30, 5), seed, 8, 5);
    in.weights.assign(in.regions.types().size(), 1.0f);
    in.weights.back() = kNeverWalked;
    const std::string& type = in.regions.types().back();
    RegionMaps maps;
    Scratch scratch;
    RouteAnswer answer;
    base::Random random(seed, 81);
    // The parts as they count: later regions lie on earlier ones.
    const auto off = [&](Point p) {
      double least = 1e9;
      for (const ground::Regions::Part& part : in.regions.parts(0))
        if (in.regions.types()[part.type] == type) least = std::min(least, distanceTo(part.area, p));
      return least;
    };
    for (int i = 0; i < 20; ++i) {
      const double radius = random.uniform(0.15, 0.5);
      Point from = in.place.somewhere(random, radius * 1.05), to = in.place.somewhere(random, radius * 1.05);
      // Now and then on such ground or beside it, and to a place beside it, where there is room.
      for (int k = 0; i % 4 == 1 && k < 400 && !(off(from) < radius); ++k)
        from = in.place.somewhere(random, radius * 1.05);
      for (int k = 0; i % 4 == 0 && k < 400 && !(off(to) > 0 && off(to) < radius); ++k)
        to = in.place.somewhere(random, radius * 1.05);
      const auto made = maps.of(in.place.map, &in.regions, radius, {}, in.weights);
      for (const RegionMethod method : {RegionMethod::kRegions, RegionMethod::kSteiner, RegionMethod::kGrid}) {
        findRegionRoute(in.place.map, *made, {method, 0.5, 0.3}, queryIn(in, from, to, radius), scratch, answer);
        if (answer.outcome == Outcome::kNowhere || answer.points.size() < 2) continue;
        // Only at its ends may a route be nearer than the body is wide: where somebody is, and where they want to be.
        const double at_start = off(from), at_end = off(answer.end);
        bool left = at_start >= radius;
        double rest = 0;  // m to the end
        for (std::size_t k = 1; k < answer.points.size(); ++k) rest += length(answer.points[k] - answer.points[k - 1]);
        for (std::size_t k = 1; k < answer.points.size(); ++k) {
          const Point a = answer.points[k - 1], way = answer.points[k] - a;
          const double steps = std::ceil(length(way) / 0.05);
          for (double s = 0; s <= steps; ++s) {
            const double share = steps > 0 ? s / steps : 0;
            const Point p = a + way * share;
            const bool arrives = at_end < radius && rest - share * length(way) < 2.5 * radius;
            left |= off(p) >= radius;
            if (left && !arrives) {
              EXPECT_GE(off(p), radius * 0.985) << seed << " " << i << " " << rest - share * length(way);
            }
          }
          rest -= length(way);
        }
        if (at_start >= radius && at_end >= radius) ++free;
        if (at_start < radius) ++leaving;
        if (answer.outcome == Outcome::kReached && at_end < radius) ++beside;
      }
    }
  }
  EXPECT_GT(free, 200);
  EXPECT_GT(leaving, 20);
  EXPECT_GT(beside, 3);
}

TEST(RegionPlanners, GoOverConnectionsAndRoundWhatComes) {
  Place place = twoFloors(2);
  place.scene.layers[0].regions = {{"mud", {box(3, 0, 18, 6)}}};
  place.scene.layers[1].regions = {{"mud", {box(24, 3, 36, 10)}}};
  const ground::Regions regions(place.scene);
  const ground::RegionWeights weights{1, 3};
  RegionMaps maps;
  Scratch scratch;
  RouteAnswer answer;
  RouteQuery query;
  query.from = {1, 5}, query.to = {39, 5}, query.layer = 0, query.goal_layer = 1, query.weights = weights;
  double before = 0;
  for (const bool obstacle : {false, true}) {
    if (obstacle) place.map.insert(std::vector<Point>{{22, 2}, {23, 2}, {23, 8}, {22, 8}}, 1);
    const auto made = maps.of(place.map, &regions, 0.25);
    EXPECT_EQ(made, maps.of(place.map, &regions, 0.25));
    double costs[2];
    for (const RegionMethod method : {RegionMethod::kSteiner, RegionMethod::kRegions}) {
      findRegionRoute(place.map, *made, {method, 0.5, 0.1}, query, scratch, answer);
      ASSERT_EQ(answer.outcome, Outcome::kReached);
      costs[method == RegionMethod::kRegions] = answer.cost;
    }
    EXPECT_NEAR(costs[1], costs[0], 0.005 * costs[0]);
    findRegionRoute(place.map, *made, {RegionMethod::kGrid, 0.5}, query, scratch, answer);
    EXPECT_EQ(answer.outcome, Outcome::kReached);
    findRegionRoute(place.map, *made, {RegionMethod::kVertexPruning, 0.5, 0.3}, query, scratch, answer);
    EXPECT_EQ(answer.outcome, Outcome::kReached);
    EXPECT_GT(costs[1], before);
    before = costs[1];
    corridors::Route route;
    LayerScratch layers;
    tellLayers(place.map, answer.points, 0, layers, route);
    EXPECT_EQ(route.back().layer, 1);
  }
}

TEST(RegionPlanners, AreInTheTable) {
  for (const char* name : {"regions", "grid", "steiner", "triangle-pruning", "edge-pruning", "vertex-pruning"}) {
    const Planner* planner = findPlanner(name);
    ASSERT_NE(planner, nullptr) << name;
    EXPECT_TRUE(planner->in_regions);
    std::vector<float> parameters;
    for (const ModelParameter& parameter : planner->info.parameters)
      parameters.push_back(static_cast<float>(parameter.value));
    const RegionPlace in = cluttered(3);
    Scratch scratch;
    corridors::Route route;
    Request request;
    request.from = {5, 5}, request.to = {35, 25}, request.weights = in.weights;
    Terrain terrain{{}, &in.place.map, &in.regions};
    EXPECT_EQ(planner->plan(request, terrain, parameters, scratch, route), Outcome::kReached) << name;
    EXPECT_EQ(route.back().at, request.to);
  }
  Profile profile;
  EXPECT_EQ(plannerOf(profile).info.name, "corridor");
  profile.region_weights["mud"] = Distribution::constant(2);
  EXPECT_EQ(plannerOf(profile).info.name, "regions");
  profile.planner.model = "corridor";
  EXPECT_EQ(plannerOf(profile).info.name, "corridor");
}

}  // namespace
}  // namespace throng::planning
