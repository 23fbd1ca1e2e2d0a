// Searching on the medial axis, corridors and indicative routes, against slow twins.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <queue>

#include "places.h"
#include "planning/arc.h"
#include "planning/crowding.h"
#include "planning/planners.h"
#include "planning/reachability.h"

namespace throng::planning {
namespace {

using corridors::kNone;
using corridors::Retraction;

/// Clearance of a stretch of an arc, from many places on it.
double leastOnArc(const CorridorMap& map, std::uint32_t h, Point from, Point to) {
  const std::uint32_t twin = CorridorMap::twin(h);
  const bool bent = map.edge(h).site.isCorner() != map.edge(twin).site.isCorner();
  const std::uint32_t side = map.edge(h).site.isCorner() ? twin : h;
  const Point a = map.nearestOn(map.edge(side).site, from), b = map.nearestOn(map.edge(side).site, to);
  double least = 1e9;
  for (int i = 0; i <= 400; ++i) {
    const double t = i / 400.0;
    const Point p = bent ? map.onArc(side, a + (b - a) * t) : from + (to - from) * t;
    least = std::min(least, map.distanceTo(map.edge(side).site, p));
  }
  return least;
}

/// Dijkstra's algorithm over single arcs. Infinity when there is no way.
double slowMedialLength(const CorridorMap& map, const Retraction& from, const Retraction& to, double radius,
                        const WayCosts* costs = nullptr) {
  constexpr double kFar = 1e18;
  const auto onArc = [&](double c, std::uint32_t h, double a, double b) {
    return costs ? costs->along(c, map.edge(h).chain, a, b) : c + std::fabs(b - a);
  };
  const double limit = radius - kPassageTolerance;
  if (from.clearance < limit || to.clearance < limit) return kFar;
  const auto passes = [&](std::uint32_t h, Point a, Point b) { return leastOnArc(map, h, a, b) >= limit - 1e-9; };
  std::vector<double> cost(map.vertices().size(), kFar);
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](std::uint32_t v, double c) {
    if (c < cost[v]) cost[v] = c, open.push({c, v});
  };
  double best = kFar;
  for (const std::uint32_t h : {from.edge, CorridorMap::twin(from.edge)}) {
    const Point end = map.target(h).at;
    const double there = map.edge(CorridorMap::twin(h)).along;
    if (passes(h, from.at, end))
      reach(map.edge(CorridorMap::twin(h)).origin, onArc(0, h, alongChain(map, h, from.at), there));
  }
  if (from.edge / 2 == to.edge / 2 && passes(from.edge, from.at, to.at))
    best = onArc(0, from.edge, alongChain(map, from.edge, from.at), alongChain(map, from.edge, to.at));
  while (!open.empty()) {
    const auto [c, v] = open.top();
    open.pop();
    if (c > cost[v]) continue;
    std::uint32_t e = map.vertex(v).edge;
    do {
      const std::uint32_t t = CorridorMap::twin(e);
      const double along = map.edge(e).along, end = map.edge(t).along;
      if (e / 2 == to.edge / 2 && passes(e, map.vertex(v).at, to.at))
        best = std::min(best, onArc(c, e, along, alongChain(map, e, to.at)));
      if (map.edge(e).least_clearance >= limit) reach(map.edge(t).origin, onArc(c, e, along, end));
      e = map.edge(t).next;
    } while (e != map.vertex(v).edge);
  }
  return best;
}

/// The shortest way over portal ends that see one another through the portals between them.
double slowFunnel(Point start, Point goal, const std::vector<Portal>& portals, double side) {
  std::vector<Portal> p{{start, start, start, true}};
  for (Portal portal : portals) {
    const Point across = portal.right - portal.left;
    if (side > 0 && !portal.fixed) portal.left = portal.left + across * side;
    if (side < 0 && !portal.fixed) portal.right = portal.right + across * side;
    p.push_back(portal);
  }
  p.push_back({goal, goal, goal, true});
  std::vector<double> cost(2 * p.size(), 1e18);
  cost[0] = 0;
  const auto at = [&](std::size_t i) { return i % 2 == 0 ? p[i / 2].left : p[i / 2].right; };
  for (std::size_t i = 0; i < 2 * p.size(); ++i) {
    if (cost[i] > 1e17 || (i > 1 && at(i) == start)) continue;  // portals from the start itself limit its view
    for (std::size_t j = i / 2 * 2 + 2; j < 2 * p.size(); ++j) {
      const Point a = at(i), way = at(j) - a;
      bool sees = true;
      for (std::size_t k = i / 2 + 1; k < j / 2 && sees; ++k)
        sees = (p[k].left == start || det(way, p[k].left - a) >= -1e-9) &&
               (p[k].right == start || det(way, p[k].right - a) <= 1e-9);
      if (sees) cost[j] = std::min(cost[j], cost[i] + length(way));
    }
  }
  return cost[2 * p.size() - 2];
}

void checkPath(const CorridorMap& map, const MedialPath& path, double radius) {
  ASSERT_FALSE(path.edges.empty());
  EXPECT_EQ(path.edges.front() / 2, path.from.edge / 2);
  EXPECT_EQ(path.edges.back() / 2, path.to.edge / 2);
  double sum = 0;
  for (std::size_t i = 0; i < path.edges.size(); ++i) {
    const std::uint32_t h = path.edges[i];
    if (i > 0) {
      ASSERT_EQ(map.edge(h).origin, map.edge(CorridorMap::twin(path.edges[i - 1])).origin);
    }
    const Point a = i == 0 ? path.from.at : map.origin(h).at;
    const Point b = i + 1 == path.edges.size() ? path.to.at : map.target(h).at;
    EXPECT_GE(leastOnArc(map, h, a, b), radius - 1e-5);
    sum += arcLength(map, h, a, b);
  }
  EXPECT_NEAR(sum, path.length, 1e-5 * (1 + sum));
}

struct Tally {
  int found = 0, none = 0;
  double least = 1e9;  ///< clearance of a route, in shares of what it must be
  double longest = 0;  ///< route in shares of the axis
  std::size_t points = 0, portals = 0;
};

void checkRoute(const Place& place, const RouteQuery& query, const RouteAnswer& answer, Scratch& scratch,
                Tally& tally) {
  const auto& points = answer.points;
  ASSERT_GE(points.size(), 2u);
  EXPECT_EQ(points.front(), query.from);
  EXPECT_EQ(points.back(), answer.end);
  const double allowed =
      std::min({query.radius, place.clearanceOf(query.from, query.from), place.clearanceOf(answer.end, answer.end)});
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points.size() > 2) {
      EXPECT_GE(length(points[i] - points[i - 1]), 0.999e-3);
    }
    const double clearance = place.clearanceOf(points[i - 1], points[i]);
    tally.least = std::min(tally.least, clearance / allowed);
    ASSERT_GE(clearance, 0.998 * allowed - 1e-9)
        << "from " << query.from.x << "," << query.from.y << " to " << query.to.x << "," << query.to.y << " segment "
        << i << " at " << points[i - 1].x << "," << points[i - 1].y << " - " << points[i].x << "," << points[i].y
        << " clearance " << query.clearance << " radius " << query.radius << " spread " << query.spread << " side "
        << query.side;
  }
  const double axis =
      answer.axis_length + length(query.from - scratch.path.from.at) + length(answer.end - scratch.path.to.at);
  if (query.side == 0) {
    EXPECT_LE(answer.length, axis + 1e-4 + 1e-6 * axis)
        << " " << query.from.x << " " << query.from.y << " " << query.to.x << " " << query.to.y << " "
        << query.clearance << " " << query.radius << " " << query.spread << " " << query.side;
    tally.longest = std::max(tally.longest, answer.length / std::max(axis, 1e-9));
  }
  EXPECT_GE(answer.length, length(query.from - answer.end) - 1e-9);
  std::vector<Point> shortest;
  findShortest(query.from, answer.end, scratch.portals, query.side, scratch.funnel, shortest);
  EXPECT_NEAR(answer.length, lengthOf(shortest), 1e-3);  // points that are nearly one become one
  EXPECT_NEAR(lengthOf(shortest), slowFunnel(query.from, answer.end, scratch.portals, query.side), 1e-6)
      << "from " << query.from.x << "," << query.from.y << " to " << query.to.x << "," << query.to.y << " clearance "
      << query.clearance << " radius " << query.radius << " spread " << query.spread << " side " << query.side;
  tally.points += points.size(), tally.portals += scratch.portals.size();
}

void checkPlace(const Place& place, std::uint64_t seed, int pairs, Tally& tally) {
  const std::string wrong = place.map.check();
  ASSERT_TRUE(wrong.empty()) << wrong;
  base::Random random(seed, 4);
  Scratch scratch;
  RouteAnswer answer;
  for (int i = 0; i < pairs; ++i) {
    RouteQuery query;
    query.radius = random.uniform(0.1, 0.4);
    query.clearance = query.radius + (random.below(3) == 0 ? 0 : random.uniform(0, 1.2));
    query.spread = random.below(2) == 0 ? 1 : random.uniform();
    query.side = random.below(3) == 0 ? random.uniform(-1, 1) : 0;
    query.from = place.somewhere(random, 0.02), query.to = place.somewhere(random, 0.02);
    const Retraction from = place.map.retract(place.map.locate(query.from, 0), query.from);
    const Retraction to = place.map.retract(place.map.locate(query.to, 0), query.to);
    const double slow = slowMedialLength(place.map, from, to, query.radius);
    const bool found = findMedialPath(place.map, from, to, query.radius, scratch.medial, scratch.path);
    if (from.clearance < query.radius) continue;  // squeezed: tested apart
    ASSERT_EQ(found, slow < 1e17) << "from " << query.from.x << "," << query.from.y << " to " << query.to.x << ","
                                  << query.to.y << " radius " << query.radius;
    findRoute(place.map, query, scratch, answer);
    EXPECT_EQ(answer.outcome, found ? Outcome::kReached : Outcome::kNearest);
    (found ? tally.found : tally.none) += 1;
    if (found) {
      EXPECT_NEAR(answer.axis_length, slow, 1e-6 * (1 + slow));
      checkPath(place.map, scratch.path, query.radius);
    }
    checkRoute(place, query, answer, scratch, tally);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Whatever the crowd, the search finds the quickest way, and looks no farther than it is told to.
TEST(Routes, AreTheQuickestThroughACrowd) {
  int others = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Place place = clutteredRoom(seed, 30, 20, 14);
    const Stretches stretches(place.map);
    base::Random random(seed, 5);
    Crowding crowding;
    for (int i = 0; i < 200; ++i) {
      const auto stretch = static_cast<std::uint32_t>(random.below(stretches.all().size()));
      for (std::uint64_t k = random.below(12); k > 0; --k) crowding.countOn(stretch);
      crowding.countBefore(2 * stretch + (i & 1), random.uniform(0, 30));
    }
    crowding.estimate(stretches, place.map.chains().size());
    MedialScratch scratch;
    MedialPath path, free;
    for (int i = 0; i < 40; ++i) {
      const double radius = random.uniform(0.1, 0.4);
      const Point start = place.somewhere(random, radius), goal = place.somewhere(random, radius);
      const Retraction from = place.map.retract(place.map.locate(start, 0), start);
      const Retraction to = place.map.retract(place.map.locate(goal, 0), goal);
      const WayCosts costs(stretches, crowding, {start, 1.3, seed});
      const double slow = slowMedialLength(place.map, from, to, radius, &costs);
      const bool found = findMedialPath(place.map, from, to, radius, scratch, path, &costs);
      ASSERT_EQ(found, slow < 1e17);
      ASSERT_EQ(found, findMedialPath(place.map, from, to, radius, scratch, free));
      if (!found) continue;
      EXPECT_NEAR(path.length, slow, 1e-5 * (1 + slow));
      EXPECT_GE(path.length, free.length - 1e-6);
      others += path.edges != free.edges;
      const std::vector<std::uint32_t> edges = path.edges;
      EXPECT_TRUE(findMedialPath(place.map, from, to, radius, scratch, path, &costs, path.length + 1e-6));
      EXPECT_EQ(path.edges, edges);
      EXPECT_FALSE(findMedialPath(place.map, from, to, radius, scratch, path, &costs, path.length - 1e-6));
      // One person alone is no crowd.
      Crowding alone;
      alone.countOn(static_cast<std::uint32_t>(random.below(stretches.all().size())));
      alone.countBefore(static_cast<std::uint32_t>(random.below(2 * stretches.all().size())), 1);
      alone.estimate(stretches, place.map.chains().size());
      const WayCosts none(stretches, alone, {start, 1.3, seed});
      EXPECT_TRUE(findMedialPath(place.map, from, to, radius, scratch, path, &none));
      EXPECT_EQ(path.edges, free.edges);
      EXPECT_EQ(path.length, free.length);
    }
  }
  EXPECT_GT(others, 200);
}

TEST(Routes, PassTheNarrowPlacesThatTheyAreSaidTo) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Place place = clutteredRoom(seed, 30, 20, 14);
    const Stretches stretches(place.map);
    for (std::uint32_t c = 0; c < place.map.chains().size(); ++c) {
      double end = 0;
      for (std::uint32_t s = stretches.firstOf(c); s < stretches.endOf(c); ++s) {
        EXPECT_EQ(stretches[s].begin, end);
        end = stretches[s].end;
        EXPECT_GE(stretches[s].narrow, stretches[s].begin);
        EXPECT_LE(stretches[s].narrow, end);
        EXPECT_NEAR(place.clearanceOf(stretches[s].at, stretches[s].at), stretches[s].width / 2, 1e-4);
      }
      if (stretches.firstOf(c) < stretches.endOf(c)) {
        EXPECT_EQ(end, place.map.chains()[c].length);
      }
    }
    base::Random random(seed, 6);
    MedialScratch scratch;
    MedialPath path;
    std::vector<DirectedStretch> way;
    for (int i = 0; i < 8; ++i) {
      const Point start = place.somewhere(random, 0.2), goal = place.somewhere(random, 0.2);
      if (!findMedialPath(place.map, place.map.retract(place.map.locate(start, 0), start),
                          place.map.retract(place.map.locate(goal, 0), goal), 0.2, scratch, path))
        continue;
      stretches.listWay(place.map, path, way);
      // Nothing narrower than somebody, and everything on the way: a crowd of two in any other place costs nothing.
      for (const DirectedStretch s : way) EXPECT_GE(stretches[s >> 1].width, 0.4 - 1e-5);
      for (std::uint32_t s = 0; s < stretches.all().size(); ++s) {
        Crowding crowding;
        for (int k = 0; k < 5000; ++k) crowding.countBefore(2 * s, 0);
        crowding.estimate(stretches, place.map.chains().size());
        const WayCosts costs(stretches, crowding, {start, 1.3, seed});
        const bool listed = std::any_of(way.begin(), way.end(), [&](DirectedStretch d) { return d >> 1 == s; });
        EXPECT_EQ(costs.of(way, goal) > costs.length(way, goal), listed);
      }
    }
    const std::vector<std::uint32_t> same = stretches.sameAs(Stretches(place.map));
    for (std::uint32_t s = 0; s < same.size(); ++s) {
      ASSERT_NE(same[s], kNone);
      EXPECT_EQ(stretches[same[s]].at, stretches[s].at);
    }
  }
}

void report(const char* what, const Tally& t) {
  std::printf(
      "%s: %d routes, %d to the nearest place; least clearance %.4f of allowed; at most %.4f of the axis; "
      "%zu points, %zu portals\n",
      what, t.found, t.none, t.least, t.longest, t.points, t.portals);
}

TEST(Routes, KeepTheirDistanceInClutter) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    checkPlace(clutteredRoom(seed, 20, 15, static_cast<int>(2 + seed % 23)), seed, 12, tally);
    ASSERT_FALSE(HasFatalFailure());
  }
  report("clutter", tally);
  EXPECT_GT(tally.found, 200);
  EXPECT_GT(tally.none, 10);
}

TEST(Routes, KeepTheirDistanceInRoomsWithDoors) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    checkPlace(roomsAndDoors(seed, 4, 3), seed, 16, tally);
    ASSERT_FALSE(HasFatalFailure());
  }
  report("rooms", tally);
  EXPECT_GT(tally.found, 50);
  EXPECT_GT(tally.none, 50);
}

TEST(Routes, KeepTheirDistanceInACity) {
  Tally tally;
  checkPlace(blockCity(1, 6, 20), 5, 60, tally);
  report("city", tally);
  EXPECT_GT(tally.found, 40);
}

TEST(Routes, ExistWhereAGridOfDiscsFindsOne) {
  int certain = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Place place = seed % 2 == 0 ? clutteredRoom(100 + seed, 10, 8, 12) : roomsAndDoors(seed, 2, 2);
    constexpr double kStep = 0.04;
    GridFlood grid(place, kStep);
    base::Random random(seed, 6);
    Scratch scratch;
    RouteAnswer answer;
    for (int i = 0; i < 12; ++i) {
      RouteQuery query;
      query.radius = random.uniform(0.15, 0.4);
      query.from = place.somewhere(random, query.radius + 2 * kStep);
      query.to = place.somewhere(random, query.radius + 2 * kStep);
      findRoute(place.map, query, scratch, answer);
      // A way over grid places, and half a step to its sides, is a way; a way has grid places within 0.71 steps.
      grid.run(query.from, query.radius + 0.5 * kStep, false);
      const bool surely = grid.reaches(query.to, false);
      grid.run(query.from, query.radius - 0.71 * kStep, true);
      const bool perhaps = grid.reaches(query.to, false);
      if (surely) {
        EXPECT_EQ(answer.outcome, Outcome::kReached);
      }
      if (!perhaps) {
        EXPECT_EQ(answer.outcome, Outcome::kNearest);
      }
      certain += surely == perhaps;
    }
  }
  EXPECT_GT(certain, 120);
}

/// How far from walls a route is on the average.
double meanClearance(const Place& place, const std::vector<Point>& points) {
  double sum = 0, whole = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point way = points[i] - points[i - 1];
    const int n = 1 + static_cast<int>(length(way) / 0.2);
    for (int k = 0; k < n; ++k) {
      const Point p = points[i - 1] + way * ((k + 0.5) / n);
      sum += place.clearanceOf(p, p), whole += 1;
    }
  }
  return sum / whole;
}

TEST(Routes, WithMoreClearanceKeepMoreDistance) {
  const Place place = blockCity(2, 5, 20);
  base::Random random(7, 7);
  Scratch scratch;
  RouteAnswer answer;
  double mean[3] = {};
  for (int i = 0; i < 40; ++i) {
    RouteQuery query;
    query.from = place.somewhere(random, 1), query.to = place.somewhere(random, 1);
    double before = 0;
    for (int k = 0; k < 3; ++k) {
      query.clearance = 0.25 + 0.6 * k;
      findRoute(place.map, query, scratch, answer);
      ASSERT_EQ(answer.outcome, Outcome::kReached);
      mean[k] += meanClearance(place, answer.points) / 40;
      EXPECT_GE(answer.length, before - 1e-6);  // the corridor only shrinks
      before = answer.length;
    }
  }
  std::printf("mean clearance %.3f, %.3f, %.3f m\n", mean[0], mean[1], mean[2]);
  EXPECT_GT(mean[1], mean[0] + 0.1);
  EXPECT_GT(mean[2], mean[1] + 0.1);
}

TEST(Routes, GoRoundACornerAtTheClearanceAskedFor) {
  Layer layer;
  layer.walkable = {box(0, 0, 20, 20)};
  layer.obstacles = {box(0, 10, 10, 20)};
  const Place place(layer, {{0, 0}, {20, 20}});
  Scratch scratch;
  RouteAnswer answer;
  for (const double clearance : {0.25, 0.8, 2.0}) {
    findRoute(place.map, {{3, 7}, {13, 17}, 0, 0, 0.25, clearance, 0, 1}, scratch, answer);
    double least = 1e9;
    for (std::size_t i = 1; i < answer.points.size(); ++i)
      least = std::min(least, place.clearanceOf(answer.points[i - 1], answer.points[i]));
    EXPECT_GE(least, clearance * 0.998);
    EXPECT_LE(least, clearance * 1.01);
    EXPECT_NEAR(answer.least_clearance, 3, 2.01);
  }
}

TEST(Routes, KeepToTheSideAskedFor) {
  Layer layer;
  layer.walkable = {box(0, 0, 40, 6)};
  const Place place(layer, {{0, 0}, {40, 6}});
  Scratch scratch;
  RouteAnswer answer;
  for (const double side : {1.0, -1.0}) {
    findRoute(place.map, {{5, 3}, {35, 3}, 0, 0, 0.25, 0.5, side, 1}, scratch, answer);
    ASSERT_EQ(answer.outcome, Outcome::kReached);
    ASSERT_GE(answer.points.size(), 3u);  // the axis runs in the middle: right is y < 3
    for (std::size_t i = 1; i + 1 < answer.points.size(); ++i) EXPECT_NEAR(answer.points[i].y, 3 - 2.5 * side, 0.005);
  }
}

TEST(Routes, LeadOverConnections) {
  const Place place = twoFloors(2);
  Scratch scratch;
  RouteAnswer answer;
  findRoute(place.map, {{2, 5}, {38, 2}, 0, 1, 0.25, 0.5, 0, 1}, scratch, answer);
  EXPECT_EQ(answer.outcome, Outcome::kReached);
  EXPECT_EQ(answer.end_floor, 1);
  EXPECT_LT(answer.length, 46);
  for (std::size_t i = 1; i < answer.points.size(); ++i)
    EXPECT_GE(place.clearanceOf(answer.points[i - 1], answer.points[i]), 0.249);
  findRoute(place.map, {{38, 2}, {2, 5}, 1, 0, 1.2, 1.2, 0, 1}, scratch, answer);
  EXPECT_EQ(answer.outcome, Outcome::kNearest);
  EXPECT_EQ(answer.end_floor, 1);
  EXPECT_NEAR(answer.end.x, 21.2, 0.8);
}

TEST(Search, LeavesPlacesThatAreTooNarrowToWhereTheyWiden) {
  Layer layer;  // two rooms and a gap of 0.4 m
  layer.walkable = {box(0, 0, 20, 10)};
  layer.obstacles = {box(9, -1, 11, 4.8), box(9, 5.2, 11, 11)};
  const Place place(layer, {{0, 0}, {20, 10}});
  Scratch scratch;
  RouteAnswer answer;
  for (const Point from : {Point{8.9, 5}, {10, 5}, {9.3, 4.9}, {10.99, 5.1}, {0.05, 0.05}})
    for (const Point to : {Point{2, 2}, {18, 8}}) {
      findRoute(place.map, {from, to, 0, 0, 0.3, 0.5, 0, 1}, scratch, answer);
      // From the middle of the gap, where the axis neither widens nor narrows, both rooms can be reached.
      const bool other_side = (from.x < 9) != (to.x < 9) && (from.x < 9 || from.x > 11);
      EXPECT_EQ(answer.outcome, other_side ? Outcome::kNearest : Outcome::kReached) << from.x << " to " << to.x;
    }
  findRoute(place.map, {{2, 2}, {10, 5}, 0, 0, 0.3, 0.5, 0, 1}, scratch, answer);
  EXPECT_EQ(answer.outcome, Outcome::kNearest);
  EXPECT_LT(answer.end.x, 9);
}

TEST(Search, GoesBothWaysRoundALoopWithoutJunctions) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  layer.obstacles = {box(3, 3, 7, 7)};
  const Place place(layer, {{0, 0}, {10, 10}});
  Scratch scratch;
  RouteAnswer answer;
  base::Random random(3, 3);
  for (int i = 0; i < 200; ++i) {
    RouteQuery query;
    query.from = place.somewhere(random, 0.3), query.to = place.somewhere(random, 0.3);
    findRoute(place.map, query, scratch, answer);
    ASSERT_EQ(answer.outcome, Outcome::kReached);
    EXPECT_LE(answer.axis_length, 10 * 4 * 0.75 + 12);
    const Retraction from = place.map.retract(place.map.locate(query.from, 0), query.from);
    const Retraction to = place.map.retract(place.map.locate(query.to, 0), query.to);
    EXPECT_NEAR(answer.axis_length, slowMedialLength(place.map, from, to, query.radius), 1e-5);
  }
}

/// What may be dear to ask about a place (is there a wall between?) is asked from near to far, until it is so.
TEST(NearestFree, AsksAboutNearPlacesFirstAndNoMoreThanItMust) {
  base::Random random(31, 0);
  for (int i = 0; i < 40; ++i) {
    const Place place = clutteredRoom(static_cast<std::uint64_t>(i), 20, 15, 8);
    const Point here = place.anywhere(random);
    const double radius = random.uniform(0.1, 0.4);
    std::vector<Point> asked;
    const auto ask = [&](const std::function<bool(Point)>& allowed) {
      asked.clear();
      return nearestFree(place.map, here, 0, radius, [&](Point p) {
        asked.push_back(p);
        return allowed(p);
      });
    };
    const ReachablePlace any = ask([](Point) { return true; });
    if (!any.where) continue;
    EXPECT_EQ(asked.size(), 1u);
    EXPECT_GE(place.clearanceOf(any.at, any.at), radius - 1e-6);
    for (int k = 0; k < 200; ++k) {
      const Point p = place.anywhere(random);
      if (place.map.locate(p, 0) && place.clearanceOf(p, p) >= radius) {
        EXPECT_GE(length(p - here), length(any.at - here) - 1e-6);
      }
    }
    const double far = length(any.at - here) + 2;
    const ReachablePlace beyond = ask([&](Point p) { return length(p - here) > far; });
    EXPECT_TRUE(std::is_sorted(asked.begin(), asked.end(),
                               [&](Point p, Point q) { return lengthSquared(p - here) < lengthSquared(q - here); }));
    if (beyond.where) {
      EXPECT_EQ(beyond.at, asked.back());
    }
  }
}

}  // namespace
}  // namespace throng::planning
