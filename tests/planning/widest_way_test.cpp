// The widest way, against searches: whoever fits through gets there, and nobody larger.
#include "planning/widest_way.h"

#include <gtest/gtest.h>

#include "places.h"
#include "planning/planners.h"

namespace throng::planning {
namespace {

using corridors::Retraction;

void compare(const Place& place, std::uint64_t seed, int trips, int& reached, int& not_reached) {
  const WidestWays ways(place.map);
  base::Random random(seed, 9);
  MedialScratch scratch;
  MedialPath path;
  for (int i = 0; i < trips; ++i) {
    const Point a = place.somewhere(random), b = place.somewhere(random);
    const Retraction from = place.map.retract(place.map.locate(a, 0), a);
    const Retraction to = place.map.retract(place.map.locate(b, 0), b);
    for (const double radius : {0.05, 0.25, 0.4, 0.7, random.uniform(0.05, 1.0)}) {
      const bool searched = findMedialPath(place.map, from, to, radius, scratch, path);
      ASSERT_EQ(ways.reaches(from, to, radius, scratch), searched)
          << "seed " << seed << " trip " << i << " r " << radius;
      ++(searched ? reached : not_reached);
    }
    const auto widest = ways.between(from, to);
    if (from.edge / 2 == to.edge / 2) continue;  // ways along a single arc are not asked for
    if (!widest) {
      EXPECT_FALSE(findMedialPath(place.map, from, to, 1e-5, scratch, path));
      continue;
    }
    if (widest->radius < 1e-3) continue;
    EXPECT_TRUE(findMedialPath(place.map, from, to, widest->radius - 1e-5, scratch, path)) << widest->radius;
    // Somebody larger may still get out of a narrow place, but through none.
    if (from.clearance > widest->radius + 1e-4) {
      EXPECT_FALSE(findMedialPath(place.map, from, to, widest->radius + 1e-4, scratch, path)) << widest->radius;
    }
    EXPECT_NEAR(place.clearanceOf(widest->narrowest, widest->narrowest), widest->radius, 1e-4);
  }
}

TEST(WidestWays, AgreeWithSearches) {
  int reached = 0, not_reached = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    compare(roomsAndDoors(seed, 4, 4), seed, 60, reached, not_reached);
    compare(clutteredRoom(seed, 30, 20, 25), seed, 60, reached, not_reached);
    compare(blockCity(seed, 4, 20), seed, 30, reached, not_reached);
  }
  EXPECT_GT(reached, 500);
  EXPECT_GT(not_reached, 500);
}

TEST(WidestWays, LeadOverConnections) {
  const Place place = twoFloors(1.2);
  const WidestWays ways(place.map);
  const Retraction from = place.map.retract(place.map.locate({2, 5}, 0), {2, 5});
  const Retraction to = place.map.retract(place.map.locate({38, 5}, 1), {38, 5});
  const auto widest = ways.between(from, to);
  ASSERT_TRUE(widest);
  EXPECT_NEAR(widest->radius, 0.6, 1e-3);
  EXPECT_NEAR(widest->narrowest.x, 20, 0.01);
  EXPECT_NEAR(widest->narrowest.y, 5, 0.01);
}

}  // namespace
}  // namespace throng::planning
