// Ways over hills: what rise and fall cost, turned and mirrored.
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "ground/slope.h"
#include "places.h"
#include "planning/region_route.h"

namespace throng::planning {
namespace {

constexpr RegionMethod kAll[] = {RegionMethod::kRegions,     RegionMethod::kSteiner,
                                 RegionMethod::kGrid,        RegionMethod::kTrianglePruning,
                                 RegionMethod::kEdgePruning, RegionMethod::kVertexPruning};

/// A turned and mirrored frame.
struct Frame {
  double c = 1, s = 0, mirror = 1;
  Point operator()(double x, double y) const { return {c * x - s * mirror * y, s * x + c * mirror * y}; }
  static Frame of(base::Random& random) {
    const double t = random.uniform(-1, 1), n = 1 + t * t;  // a rational turn
    return {(1 - t * t) / n, 2 * t / n, random.below(2) ? 1.0 : -1.0};
  }
  Polygon rectangle(double x0, double y0, double x1, double y1) const {
    Polygon p{{(*this)(x0, y0), (*this)(x1, y0), (*this)(x1, y1), (*this)(x0, y1)}, {}};
    if (mirror < 0) std::reverse(p.outer.begin(), p.outer.end());
    return p;
  }
};

/// A room with two ways from west to east: one over a ridge across it, one on the level and around a wall, longer.
struct Ridge {
  Place place;
  ground::WalkableSpace space;
  Point west, east;

  static Place make(const Frame& f, double height, double far) {
    Layer layer;
    layer.walkable = {f.rectangle(0, 0, 30, 10 + far)};
    layer.obstacles = {f.rectangle(8, 10, 22, 6 + far)};
    const auto at = [&](double x, double y, double z) {
      const Point p = f(x, y);
      return Point3{p.x, p.y, z};
    };
    const auto tile = [&](double x0, double z0, double x1, double z1, double y0, double y1) {
      layer.ground.push_back({at(x0, y0, z0), at(x1, y0, z1), at(x1, y1, z1)});
      layer.ground.push_back({at(x0, y0, z0), at(x1, y1, z1), at(x0, y1, z0)});
    };
    const double top = 10 + far;
    for (const auto& [y0, y1, h] : {std::array{0.0, 10.0, height}, std::array{10.0, top, 0.0}}) {
      tile(0, 0, 10, 0, y0, y1), tile(10, 0, 15, h, y0, y1), tile(15, h, 20, 0, y0, y1), tile(20, 0, 30, 0, y0, y1);
    }
    Rectangle box{f(0, 0), f(0, 0)};
    return Place(std::move(layer), box);
  }
  Ridge(const Frame& f, double height, double far)
      : place(make(f, height, far)), space(place.scene), west(f(3, 5)), east(f(27, 5)) {}

  double climbOf(std::span<const Point> line) const {
    double sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const ground::Climb climb = ground::climb(space.floors()[0], line[i - 1], line[i]);
      sum += climb.up + climb.down;
    }
    return sum;
  }
};

TEST(Slopes, ADetourOnTheLevelIsTakenExactlyWhenItIsCheaper) {
  int over = 0, round = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    base::Random random(seed, 3);
    const Frame frame = Frame::of(random);
    const double height = random.uniform(0.5, 4), far = random.uniform(6, 14);
    const Ridge in(frame, height, far);
    const auto floors = std::span<const ground::Floor>(in.space.floors());
    const RegionMap level(in.place.map, nullptr, 0.25), hilly(in.place.map, nullptr, 0.25, floors);
    const ChainClimbs climbs(in.place.map, floors);
    // Straight over the ridge, and along the wall: the same corners whoever finds them.
    const double r = 0.25, dx = 8 - 3 - 0.0, dy = 6 + far + r - 5;
    const double detour = 2 * std::sqrt(dx * dx + dy * dy) + 14;
    for (int i = 0; i < 4; ++i) {
      const SlopeCost cost{random.uniform(0, 8), random.uniform(0, 8)};
      const double straight = 24 + (cost.up + cost.down) * height;
      if (std::fabs(straight - detour) < 0.08 * detour) continue;  // corners are rounded, and grids longer
      const bool expected = straight < detour;
      ++(expected ? over : round);
      Scratch scratch;
      RouteAnswer answer;
      RouteQuery query;
      query.from = in.west, query.to = in.east, query.slope = cost, query.climbs = &climbs;
      for (const RegionMethod method : kAll) {
        findRegionRoute(in.place.map, hilly, {method, 0.5, 0.3}, query, scratch, answer);
        ASSERT_EQ(answer.outcome, Outcome::kReached);
        EXPECT_EQ(in.climbOf(answer.points) > 0.5 * height, expected)
            << seed << " method " << static_cast<int>(method) << " " << straight << " or " << detour;
        if (method == RegionMethod::kRegions) {
          EXPECT_NEAR(answer.cost, expected ? straight : detour, 0.01 * detour);
        }
      }
      findRoute(in.place.map, query, scratch, answer);
      if (std::fabs(straight - detour) > 0.4 * detour) {  // the axis is longer than the way
        EXPECT_EQ(in.climbOf(answer.points) > 0.5 * height, expected) << seed << " corridor";
      }
      findRegionRoute(in.place.map, level, {}, query, scratch, answer);
      EXPECT_GT(in.climbOf(answer.points), 0.5 * height) << "nobody minds hills without floors";
    }
  }
  EXPECT_GT(over, 5);
  EXPECT_GT(round, 5);
}

/// Random hills: heights at the corners of a grid of triangles.
Place hills(std::uint64_t seed) {
  base::Random random(seed, 5);
  Place room = clutteredRoom(seed, 30, 24, 6);
  Layer layer = room.scene.layers[0];
  double z[6][6];
  for (auto& row : z)
    for (double& h : row) h = random.uniform(0, 4);
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 5; ++k) {
      const auto at = [&](int a, int b) { return Point3{6.0 * a, 4.8 * b, z[a][b]}; };
      layer.ground.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      layer.ground.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  return Place(std::move(layer), room.extent);
}

TEST(Slopes, OverRandomHillsOursCostsNoMoreThanPointsOnEdges) {
  double ours_sum = 0, steiner_sum = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Place in = hills(seed);
    const ground::WalkableSpace space(in.scene);
    const ground::Floor& floor = space.floors()[0];
    const RegionMap made(in.map, nullptr, 0.25, space.floors());
    base::Random random(seed, 6);
    Scratch scratch;
    for (int i = 0; i < 12; ++i) {
      RouteQuery query;
      query.from = in.somewhere(random, 0.3), query.to = in.somewhere(random, 0.3);
      query.slope = {random.uniform(0, 6), random.uniform(0, 6)};
      RouteAnswer ours, steiner, back;
      findRegionRoute(in.map, made, {RegionMethod::kRegions}, query, scratch, ours);
      findRegionRoute(in.map, made, {RegionMethod::kSteiner, 1, 0.1}, query, scratch, steiner);
      if (ours.outcome != Outcome::kReached || ours.length < 1) continue;
      // What is said is what the line costs, up and down apart.
      double cost = 0, straight = 0;
      for (std::size_t k = 1; k < ours.points.size(); ++k) {
        const ground::Climb climb = ground::climb(floor, ours.points[k - 1], ours.points[k]);
        cost += length(ours.points[k] - ours.points[k - 1]) + query.slope.up * climb.up + query.slope.down * climb.down;
      }
      EXPECT_NEAR(ours.cost, cost, 0.02 * cost + 0.05) << seed << " " << i;
      EXPECT_LE(ours.cost, 1.03 * steiner.cost + 0.02) << seed << " " << i;
      ours_sum += ours.cost, steiner_sum += steiner.cost;
      straight = length(query.to - query.from) + ground::slopeCost(floor, query.from, query.to, query.slope);
      if (in.clearanceOf(query.from, query.to) > 0.26) {
        EXPECT_LE(ours.cost, straight * 1.01);
      }
      // Back is as far, and costs what the ends are apart in height.
      std::swap(query.from, query.to);
      findRegionRoute(in.map, made, {RegionMethod::kRegions}, query, scratch, back);
      const double rise =
          static_cast<double>(floor.height(narrow(query.from))) - static_cast<double>(floor.height(narrow(query.to)));
      EXPECT_NEAR(ours.cost - back.cost, (query.slope.up - query.slope.down) * rise, 0.02 * ours.cost + 0.01);
    }
  }
  EXPECT_LE(ours_sum, 1.005 * steiner_sum);
}

/// Two stairs up: a short steep flight that climbs over a landing higher than the floor, and a long ramp.
TEST(Slopes, OfLayersAndConnectionsCount) {
  Scene scene;
  const auto add = [&](const char* name, Polygon walkable, double elevation, Point slope) {
    Layer layer;
    layer.name = name, layer.walkable = {std::move(walkable)}, layer.elevation = elevation, layer.slope = slope;
    scene.layers.push_back(layer);
  };
  const auto join = [&](std::uint16_t from, std::uint16_t to, Point a, Point b) {
    const Segment line{a, b};
    scene.connections.push_back({"", scene.layers[from].name, line, scene.layers[to].name, line});
  };
  add("west", box(0, 0, 10, 40), 0, {});
  add("up", box(10, 0, 14, 4), -5, {0.5, 0});    // 0 to 2 m
  add("down", box(14, 0, 18, 4), 9, {-0.5, 0});  // and back to 0
  add("level", box(10, 30, 18, 34), 0, {});      // far away
  add("east", box(18, 0, 28, 40), 0, {});
  join(0, 1, {10, 0}, {10, 4}), join(1, 2, {14, 0}, {14, 4}), join(2, 4, {18, 0}, {18, 4});
  join(0, 3, {10, 30}, {10, 34}), join(3, 4, {18, 30}, {18, 34});
  const Place place(scene, {{0, 0}, {28, 40}});
  const ground::WalkableSpace space(place.scene);
  const RegionMap made(place.map, nullptr, 0.25, space.floors());
  const ChainClimbs climbs(place.map, space.floors());
  Scratch scratch;
  RouteAnswer answer;
  RouteQuery query;
  query.from = {5, 2}, query.to = {23, 2}, query.layer = 0, query.goal_layer = 4, query.climbs = &climbs;
  const auto highest = [&] {
    double y = 0;
    for (const Point p : answer.points) y = std::max(y, p.y);
    return y;
  };
  // On the level it is 2 · hypot(5, 28.25) + 8 = 65.4 m, over the stairs 18 m and 2 m up and down.
  for (const double cost : {0.0, 10.0, 20.0, 27.0, 40.0, 60.0}) {
    for (const SlopeCost slope : {SlopeCost{cost, 0}, SlopeCost{0, cost}, SlopeCost{cost / 2, cost / 2}}) {
      query.slope = slope;
      for (const RegionMethod method : kAll) {
        findRegionRoute(place.map, made, {method, 0.5, 0.3}, query, scratch, answer);
        ASSERT_EQ(answer.outcome, Outcome::kReached);
        EXPECT_EQ(highest() > 20, 18 + 2 * cost > 65.4) << cost << " " << static_cast<int>(method);
      }
      findRoute(place.map, query, scratch, answer);
      EXPECT_EQ(highest() > 20, 18 + 2 * cost > 65.4) << cost << " corridor";
    }
  }
}

}  // namespace
}  // namespace throng::planning
