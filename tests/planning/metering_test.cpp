// How early people come to narrow places, against a queue that is walked through one by one.
#include "planning/metering.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "base/random.h"
#include "planning/places.h"

namespace throng::planning {
namespace {

/// Mean s for which those of a ring wait, when everybody comes to the narrow place at 1.25 m/s and passes it in turn.
std::vector<double> oneByOne(const std::vector<double>& metres, double each) {
  std::vector<double> waits;
  double through = 0;
  for (std::size_t k = 0; k < Metering::kRings; ++k) {
    const double there = Metering::kRing * static_cast<double>(k) / 1.25;
    through = std::max(through, there);
    double sum = 0;
    int people = 0;
    const double empty = through - there;
    for (const double m : metres)
      if (static_cast<std::size_t>(m / Metering::kRing) == k) sum += through - there, ++people, through += each;
    waits.push_back(people > 0 ? sum / people : empty);
  }
  return waits;
}

TEST(Metering, IsWhatAQueueWalkedThroughOneByOneTells) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Place place = clutteredRoom(seed, 30, 20, 14);
    const Stretches stretches(place.map);
    base::Random random(seed, 3);
    Metering metering;
    metering.reset(stretches.all().size());
    for (int round = 0; round < 5; ++round) {
      std::vector<std::vector<double>> people(stretches.all().size());
      metering.clear();
      for (std::uint64_t i = random.below(2000); i > 0; --i) {
        const auto s = static_cast<std::uint32_t>(random.below(stretches.all().size()));
        const double metres = random.uniform(0, Metering::kFar + 20);
        metering.countComing(s, metres);
        if (metres < Metering::kFar) people[s].push_back(metres);
        if (random.below(9) == 0) metering.countStanding(s);
      }
      metering.estimate(stretches, 1);
      for (std::uint32_t s = 0; s < people.size(); ++s) {
        const auto waits = oneByOne(people[s], 1 / metering.carries(stretches, s));
        for (std::size_t k = 0; k < Metering::kRings; ++k)
          ASSERT_NEAR(metering.early(s, Metering::kRing * (static_cast<double>(k) + 0.5)),
                      people[s].empty() ? 0 : waits[k], 1e-3 * (1 + waits[k]));
        if (people[s].size() == 1) {
          ASSERT_EQ(metering.early(s, people[s].front()), 0) << "one alone waits for nobody";
        }
      }
    }
  }
}

// Where people stand fewer are let come, and where they walk again as many as before.
TEST(Metering, LetsFewerComeToWhereTheyStand) {
  const Place place = clutteredRoom(3, 30, 20, 14);
  const Stretches stretches(place.map);
  Metering metering;
  metering.reset(stretches.all().size());
  const double before = metering.carries(stretches, 0);
  const auto second = [&](std::uint32_t standing) {
    metering.clear();
    for (std::uint32_t i = 0; i < standing; ++i) metering.countStanding(0);
    metering.estimate(stretches, 1);
  };
  double last = before;
  for (int i = 0; i < 10; ++i) {
    second(1000);
    EXPECT_LT(metering.carries(stretches, 0), last);
    last = metering.carries(stretches, 0);
  }
  EXPECT_LT(last, 0.6 * before);
  for (int i = 0; i < 100; ++i) second(1000);
  EXPECT_GT(metering.carries(stretches, 0), 0.2 * before) << "it is never closed";
  for (int i = 0; i < 100; ++i) second(0);
  EXPECT_GE(metering.carries(stretches, 0), before);
}

}  // namespace
}  // namespace throng::planning
