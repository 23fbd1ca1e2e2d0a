#include "following/miran.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "corridors/map_scenes.h"
#include "corridors/visibility.h"
#include "following/route_ahead.h"

namespace throng::following {
namespace {

using corridors::kHeight;
using corridors::kWidth;
using corridors::TestMap;

/// One person with a route, in a place of their own.
class MiranWalker {
 public:
  MiranWalker(const TestMap& test, const std::vector<Point>& route, double radius, std::vector<float> parameters)
      : test_(test),
        regions_(test.scene),
        borders_(regions_, test.scene.layers.size()),
        weights_(regions_, test.scene.profiles, 1),
        parameters_(std::move(parameters)) {
    agents::PersonState state;
    state.position = narrow(route.front());
    state.radius = static_cast<float>(radius);
    crowd.add(state);
    crowd.activity[0] = agents::Activity::kWalking;
    corridors::Route way;
    for (std::size_t i = 1; i < route.size(); ++i) way.push_back({narrow(route[i]), 0});
    crowd.route_start[0] = routes.add(way);
    crowd.route_count[0] = static_cast<std::uint32_t>(way.size());
    crowd.target_x[0] = reference_x_[0] = state.position.x;
    crowd.target_y[0] = reference_y_[0] = state.position.y;
    crowd.route_state[0] = agents::RouteState::kReaches;
  }

  void follow(float dt = 0.1f) {
    const FollowInput::Miran miran{reference_x_, reference_y_, behind_, &borders_};
    const FollowInput input{crowd, routes, &test_.map, dt, nullptr, nullptr, &regions_, &weights_, &miran};
    const std::uint32_t rows[] = {0};
    followMiran(input, parameters_, rows);
  }
  /// As the method assumes: straight towards the attraction point and not beyond it, as nothing else moves anybody.
  void step(float dt = 0.1f) {
    const Vec2 way{crowd.target_x[0] - crowd.x[0], crowd.target_y[0] - crowd.y[0]};
    Vec2 by = Vec2{crowd.preferred_vx[0], crowd.preferred_vy[0]} * dt;
    if (length(by) > length(way)) by = way;
    crowd.x[0] += by.x, crowd.y[0] += by.y;
  }
  Point here() const { return {crowd.x[0], crowd.y[0]}; }
  Point target() const { return {crowd.target_x[0], crowd.target_y[0]}; }
  Point reference() const { return {reference_x_[0], reference_y_[0]}; }
  /// The route from the reference point on.
  RouteAhead ahead(double most) const {
    RouteAhead found;
    found.begin(reference());
    for (std::uint32_t i = crowd.route_start[0] - behind_[0]; i < crowd.route_start[0] + crowd.route_count[0]; ++i)
      if (!found.add(wide(routes.at(i)), 0, most)) break;
    return found;
  }
  double left() const { return ahead(1e9).length(); }
  std::span<const float> weights() { return weights_.of(0, 0, room_); }
  const ground::Regions& regions() const { return regions_; }

  agents::Crowd crowd;
  corridors::RouteStore routes;

 private:
  const TestMap& test_;
  ground::Regions regions_;
  ground::RegionBorders borders_;
  ground::PeoplesWeights weights_;
  ground::RegionWeights room_;
  std::vector<float> parameters_;
  float reference_x_[1], reference_y_[1];
  std::uint32_t behind_[1] = {0};
};

/// A place with walls, regions of three types and one profile; turned and mirrored.
Scene randomPlace(base::Random& random, corridors::Place place) {
  Layer layer = corridors::placeLayer(place, random);
  static const char* const kTypes[] = {"grass", "road", "mud"};
  for (int i = 0; i < 10; ++i) {
    const Point at{random.uniform(0, kWidth), random.uniform(0, kHeight)};
    const Polygon shape = random.below(2)
                              ? corridors::box(at.x, at.y, at.x + random.uniform(1, 12), at.y + random.uniform(1, 8))
                              : corridors::regular(at, random.uniform(1, 6), 5, random.uniform(0, 3));
    layer.regions.push_back({kTypes[random.below(3)], {shape}});
  }
  double s, c;
  base::sinCos(random.uniform(0, 6.3), s, c);
  const bool mirrored = random.below(2) == 1;
  const auto moved = [&](Point& p) {
    p = p - Point{kWidth / 2, kHeight / 2};
    if (mirrored) p.x = -p.x;
    p = {c * p.x - s * p.y, s * p.x + c * p.y};
  };
  for (auto* polygons : {&layer.walkable, &layer.obstacles, &layer.openings})
    for (Polygon& polygon : *polygons) std::for_each(polygon.outer.begin(), polygon.outer.end(), moved);
  for (Polyline& wall : layer.walls) std::for_each(wall.points.begin(), wall.points.end(), moved);
  for (Region& region : layer.regions)
    for (Polygon& polygon : region.area) std::for_each(polygon.outer.begin(), polygon.outer.end(), moved);
  Scene scene = corridors::sceneOf(layer);
  for (const char* type : kTypes)
    scene.profiles[0].region_weights[type] =
        Distribution::constant(random.below(2) ? random.uniform(1, 30) : random.uniform(0.3, 3));
  if (random.below(4) == 0)
    scene.profiles[0].region_weights["mud"] = Distribution::constant(std::numeric_limits<double>::infinity());
  return scene;
}

/// A route that a body can walk, with any bends; nothing when the place is too narrow.
std::vector<Point> randomRoute(base::Random& random, const corridors::CorridorMap& map, double radius) {
  std::vector<Point> route;
  for (int tries = 0; tries < 400 && route.size() < 8; ++tries) {
    const double reach = random.below(3) ? 4 : 25;
    const Point p = route.empty() ? Point{random.uniform(-25, 25), random.uniform(-25, 25)}
                                  : route.back() + Point{random.uniform(-reach, reach), random.uniform(-reach, reach)};
    const Point rounded = wide(narrow(p));
    if (map.clearance(rounded, 0) < radius + 0.01) continue;
    if (!route.empty() && !corridors::visible(map, route.back(), 0, rounded, radius)) continue;
    if (route.empty() || length(rounded - route.back()) > 0.1) route.push_back(rounded);
  }
  return route;
}

struct Trial {
  Scene scene;
  std::vector<Point> route;
  double radius;
  std::vector<float> parameters;
};

/// Calls check(test map, trial, random) for many random ones.
void forTrials(std::uint64_t seed, int rounds,
               const std::function<void(const TestMap&, const Trial&, base::Random&)>& check) {
  base::Random random(seed);
  int made = 0;
  for (int round = 0; round < rounds; ++round)
    for (const corridors::Place place : corridors::kPlaces) {
      Trial trial;
      const TestMap test(randomPlace(random, place));
      trial.radius = random.uniform(0.15, 0.35);
      trial.route = randomRoute(random, test.map, trial.radius);
      if (trial.route.size() < 3) continue;
      trial.parameters = {static_cast<float>(random.below(2) ? random.uniform(1, 8) : random.uniform(8, 60)),
                          static_cast<float>(random.uniform(0.1, 2)), static_cast<float>(random.below(2)),
                          static_cast<float>(random.below(2))};
      check(test, trial, random);
      ++made;
      if (::testing::Test::HasFailure()) return;
    }
  EXPECT_GT(made, 5 * rounds);
}

TEST(Miran, ThereIsAlwaysACandidateAndEverybodyArrives) {
  // Lemmas 1 and 2 and theorem 2 of JAKLIN 2016, section 6.3.5.
  int steps = 0;
  forTrials(21, 30, [&](const TestMap& test, const Trial& trial, base::Random& random) {
    MiranWalker walker(test, trial.route, trial.radius, trial.parameters);
    double whole = 0;
    for (std::size_t i = 1; i < trial.route.size(); ++i) whole += length(trial.route[i] - trial.route[i - 1]);
    const float dt = random.below(2) ? 0.1f : 0.05f;
    // Ways back from where somebody cuts across, too.
    const int most = static_cast<int>(6 * (whole + trial.parameters[0]) / (1.3 * dt)) + 100;
    double left = 1e9;
    int i = 0;
    for (; i < most && length(walker.here() - trial.route.back()) > 0.02; ++i) {
      walker.follow(dt);
      ASSERT_EQ(walker.crowd.lost[0], 0) << "nothing can be seen at (" << walker.here().x << ", " << walker.here().y
                                         << ")";
      ASSERT_LE(walker.left(), left + 1e-4) << "the reference point went back";
      left = walker.left();
      walker.step(dt);
    }
    EXPECT_LT(i, most) << "on the way for good, at (" << walker.here().x << ", " << walker.here().y << "), shortcut "
                       << trial.parameters[0] << " m";
    steps += i;
  });
  EXPECT_GT(steps, 20'000);
}

// --- the slow twin: everything by looking at many places
// ---------------------------------------------------------------

class Twin {
 public:
  Twin(const TestMap& test, MiranWalker& walker, const Trial& trial)
      : walls_(corridors::wallsOn(test.map, 0)),
        walker_(walker),
        trial_(trial),
        disc_(trial.parameters[2] >= 0.5f),
        touches_(trial.parameters[3] >= 0.5f) {}

  /// Of the body that must get to a place.
  double fit() const {
    const double room = corridors::distanceToWalls(walls_, {walker_.here(), walker_.here()});
    return 0.98 * std::min(disc_ ? double{walker_.crowd.radius[0]} : 1e-3, room);
  }
  double distance(Point place) const { return corridors::distanceToWalls(walls_, {walker_.here(), place}); }

  /// Weight of a place that lies so far along the route: many places on the way are asked what they cost.
  double weight(Point place, double along) {
    const Point here = walker_.here();
    const double whole = length(place - here);
    const int n = std::max(20, static_cast<int>(whole / 0.02));
    double cost = 0;
    for (int i = 0; i < n; ++i) cost += weightAt(here + (place - here) * ((i + 0.5) / n)) * whole / n;
    return cost / along;
  }
  /// Does a way of this weight lead over ground where they never walk? Who has no other leaves it soon, whatever is
  /// cheapest.
  static bool isOverNever(double weight) { return weight > 1e-4 * kNever; }
  bool isAlike() {
    const auto weights = walker_.weights();
    return std::all_of(weights.begin(), weights.end(), [&](float w) { return w == weights[0]; });
  }

 private:
  double weightAt(Point p) {
    const auto weights = walker_.weights();
    const auto weight = [&](ground::RegionType type) { return std::min<double>(weights[type], kNever); };
    double found = weight(walker_.regions().typeAt(p, 0, weights));
    if (!touches_) return found;
    const double radius = fit();
    for (int ring = 1; ring <= 3; ++ring)
      for (int k = 0; k < 24; ++k) {
        double s, c;
        base::sinCos(6.2831853 * k / 24, s, c);
        found = std::max(found, weight(walker_.regions().typeAt(p + Point{c, s} * (radius * ring / 3), 0)));
      }
    return found;
  }

  static constexpr double kNever = 1e12;

  std::vector<Segment> walls_;
  MiranWalker& walker_;
  const Trial& trial_;
  bool disc_, touches_;
};

TEST(Miran, PicksWhatTheSlowTwinPicks) {
  int compared = 0, seen = 0;
  double worst = 0;
  forTrials(22, 5, [&](const TestMap& test, const Trial& trial, base::Random& random) {
    MiranWalker walker(test, trial.route, trial.radius, trial.parameters);
    Twin twin(test, walker, trial);
    for (int i = 0; i < 400 && length(walker.here() - trial.route.back()) > 0.05; ++i) {
      walker.follow();
      const double sigma = trial.parameters[0], d = trial.parameters[1];
      if (random.below(60) == 0) {
        const RouteAhead ahead = walker.ahead(sigma);
        const double fit = twin.fit();
        // What was picked: on the route, ahead, and in sight.
        double picked = -1, nearest = 1e9;
        std::size_t leg = 0;
        for (double along = 0; along <= ahead.length(); along += 0.005)
          if (const double far = length(ahead.at(along, leg) - walker.target()); far < nearest)
            nearest = far, picked = along;
        ASSERT_LT(nearest, 0.006);
        ASSERT_GT(twin.distance(walker.target()), fit - 1e-4);
        if (ahead.length() > 0.05 && fit > 0.98 * 1e-3 - 1e-9) {
          // No place in sight is better: places that certainly are candidates, being a whole number of samplings from
          // the beginning of what can be seen without a break.
          const double weight = twin.weight(walker.target(), std::max(picked, 0.005));
          leg = 0;
          for (int k = 1; k * d <= ahead.length(); ++k) {
            bool in_sight = true;
            for (double along = (k - 1) * d; along <= k * d; along += d / 8)
              in_sight &= twin.distance(ahead.at(along, leg)) > fit + 1e-4;
            if (!in_sight) break;
            ++seen;
            if (twin.isAlike()) {
              EXPECT_GE(picked, k * d - 0.01);
            } else {
              const double other = twin.weight(ahead.at(k * d, leg), k * d);
              if (Twin::isOverNever(weight) && Twin::isOverNever(other)) continue;
              worst = std::max(worst, weight / other);
              // Borders are met within a step of what the twin looks at, and `picked` is known to half a centimetre.
              EXPECT_LT(weight, other * 1.05 + 0.3 * 30 / std::max(picked, 0.1) * 0.1) << "candidate " << k * d;
            }
          }
          ++compared;
        }
      }
      walker.step();
    }
  });
  EXPECT_GT(compared, 40);
  EXPECT_GT(seen, 150);
  std::printf("%d steps, %d other candidates, at most %.3f of the weight of another\n", compared, seen, worst);
}

/// An open field with one type of ground in a box.
Scene field(const Polygon& shape, double weight) {
  Layer layer;
  layer.walkable = {corridors::box(-30, -30, 30, 30)};
  layer.regions = {{"grass", {shape}}};
  Scene scene = corridors::sceneOf(layer);
  scene.profiles[0].region_weights["grass"] = Distribution::constant(weight);
  return scene;
}

TEST(Miran, CutsTheCornerOfALawnOnlyWhenThatIsWorthIt) {
  // Round two sides of a lawn: 10 m and 10 m.
  const std::vector<Point> route{{0, -0.5}, {10.5, -0.5}, {10.5, 10}};
  const auto deepest = [&](double weight, double shortcut, float disc) {
    const TestMap test(field(corridors::box(-5, 0, 10, 20), weight));
    MiranWalker walker(test, route, 0.25, {static_cast<float>(shortcut), 0.5f, disc, disc});
    double most = -1;  // m, how far into the lawn the body comes
    for (int i = 0; i < 400; ++i) {
      walker.follow();
      const Point p = walker.here();
      most = std::max(most, std::min(p.y, 10 - p.x) + (disc > 0 ? 0.25 : 0));
      walker.step();
    }
    EXPECT_LT(length(walker.here() - route.back()), 0.05);
    return most;
  };
  EXPECT_LT(deepest(30, 10, 1), 0.05);
  EXPECT_LT(deepest(30, 10, 0), 0.01);
  EXPECT_GT(deepest(1.05, 20, 1), 1);
  EXPECT_GT(deepest(1, 20, 1), 2);  // all ground is alike
}

/// A pavement along y = 0, with a road beside it, turned and mirrored.
struct Street {
  double s = 0, c = 1;
  bool mirrored = false;

  Point operator()(Point p) const {
    if (mirrored) p.x = -p.x;
    return {c * p.x - s * p.y, s * p.x + c * p.y};
  }
  Scene scene(double weight) const {
    Polygon road = corridors::box(-30, -6, 30, 0), all = corridors::box(-30, -6, 30, 3);
    for (Polygon* polygon : {&road, &all})
      std::for_each(polygon->outer.begin(), polygon->outer.end(), [&](Point& p) { p = (*this)(p); });
    Layer layer;
    layer.walkable = {all};
    layer.regions = {{"road", {road}}};
    Scene scene = corridors::sceneOf(layer);
    scene.profiles[0].region_weights["road"] = Distribution::constant(weight);
    return scene;
  }
};

TEST(Miran, WhoIsPushedToWhereTheyNeverWalkLeavesItSoon) {
  base::Random random(23);
  for (int i = 0; i < 60; ++i) {
    Street street;
    base::sinCos(random.uniform(0, 6.3), street.s, street.c);
    street.mirrored = random.below(2) == 1;
    const TestMap test(street.scene(std::numeric_limits<double>::infinity()));
    const double radius = random.uniform(0.15, 0.35), depth = random.uniform(0, 4);
    const auto disc = static_cast<float>(random.below(2)), touch = static_cast<float>(random.below(2));
    // Routes keep the body off the road.
    const std::vector<Point> route{street({-20, radius}), street({20, radius})};
    MiranWalker walker(
        test, route, radius,
        {static_cast<float>(random.uniform(3, 15)), static_cast<float>(random.uniform(0.2, 1)), disc, touch});
    for (int k = 0; k < 20; ++k) walker.follow(), walker.step();
    // Pushed aside; where somebody is does not matter to the reference point, which is the nearest of the route.
    const Point pushed = street({-17.4, -depth});
    walker.crowd.x[0] = static_cast<float>(pushed.x), walker.crowd.y[0] = static_cast<float>(pushed.y);
    double on_road = 0;
    Point before = walker.here();
    int steps = 0;
    for (; steps < 1000 && length(walker.here() - route.back()) > 0.05; ++steps) {
      walker.follow();
      ASSERT_EQ(walker.crowd.lost[0], 0);
      walker.step();
      if (walker.regions().typeAt(walker.here(), 0) != 0) on_road += length(walker.here() - before);
      before = walker.here();
    }
    EXPECT_LT(steps, 1000);
    EXPECT_LE(on_road, 1.6 * (depth + radius) + 0.5 * radius + 1)
        << "pushed " << depth << " m onto it, body " << radius;
  }
}

TEST(Miran, WhereAllGroundIsAlikeTheFarthestPlaceInSightAttracts) {
  // A hook that comes back: what lies farthest along the route is nearest.
  const TestMap test(field(corridors::box(20, 20, 25, 25), 1));
  MiranWalker walker(test, {{0, 0}, {6, 0}, {6, 3}, {1, 3}}, 0.25, {12, 1, 1, 1});
  walker.follow();
  EXPECT_NEAR(walker.target().x, 3, 1e-5);
  EXPECT_NEAR(walker.target().y, 3, 1e-5);
}

TEST(Miran, TheReferencePointNeverLeavesOutALoop) {
  // The route comes back to where it began (JAKLIN 2016, figure 6.3): with a shortcut parameter shorter than the loop,
  // all of the loop is walked.
  const TestMap test(field(corridors::box(20, 20, 25, 25), 5));
  MiranWalker walker(test, {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0.5}, {-10, 0.5}}, 0.25, {4, 0.5, 1, 1});
  double highest = 0;
  int i = 0;
  for (; i < 1000 && length(walker.here() - Point{-10, 0.5}) > 0.05; ++i) {
    walker.follow();
    walker.step();
    highest = std::max(highest, walker.here().y);
  }
  EXPECT_LT(i, 1000);
  EXPECT_GT(highest, 7);
}

TEST(Miran, WhoIsPushedOutOfSightOfTheRouteIsLost) {
  Layer layer;
  layer.walkable = {corridors::box(0, 0, 20, 20)};
  layer.obstacles = {corridors::box(0, 9, 15, 11)};
  const TestMap test(layer);
  MiranWalker walker(test, {{2, 5}, {8, 5}, {12, 5}}, 0.25, {5, 1, 1, 1});
  walker.follow();
  EXPECT_EQ(walker.crowd.lost[0], 0);
  walker.crowd.x[0] = 3, walker.crowd.y[0] = 15;
  walker.follow();
  EXPECT_EQ(walker.crowd.lost[0], 1);
}

}  // namespace
}  // namespace throng::following
