#include "steering/go_round.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"

namespace throng::steering {
namespace {

struct Passer {
  Vec2 at, velocity, wanted;
  std::uint16_t floor;
};

int square(float x) { return static_cast<int>(std::floor(x / kSquareSide)); }

std::vector<Passer> someCrowd(base::Random& random, double side) {
  std::vector<Passer> people;
  for (std::uint64_t i = random.below(500); i > 0; --i) {
    const double heading = random.uniform(0, 6.3), wanted = random.uniform(0, 6.3), speed = random.uniform(0, 1.5);
    people.push_back(
        {{static_cast<float>(random.uniform(-side, side)), static_cast<float>(random.uniform(-side, side))},
         {static_cast<float>(speed * std::cos(heading)), static_cast<float>(speed * std::sin(heading))},
         {static_cast<float>(std::cos(wanted)), static_cast<float>(std::sin(wanted))},
         static_cast<std::uint16_t>(random.below(2))});
  }
  return people;
}

/// The same from everybody, square by square.
double timeAlong(const std::vector<Passer>& people, Vec2 self, std::uint16_t floor, double free, Vec2 wanted, Vec2 from,
                 Vec2 to) {
  const double distance = std::hypot(to.x - from.x, to.y - from.y), count = std::ceil(distance / 2);
  const double step = distance / count, ux = (to.x - from.x) / distance, uy = (to.y - from.y) / distance;
  double time = 0;
  for (int k = 0; k < static_cast<int>(count); ++k) {
    const Vec2 at{static_cast<float>(from.x + ux * step * (k + 0.5)),
                  static_cast<float>(from.y + uy * step * (k + 0.5))};
    double n = 0, speeds = 0, along = 0, same = 0;
    for (const Passer& w : people) {
      if (w.floor != floor || square(w.at.x) != square(at.x) || square(w.at.y) != square(at.y)) continue;
      ++n, speeds += std::hypot(w.velocity.x, w.velocity.y), along += w.velocity.x * ux + w.velocity.y * uy;
      same += w.wanted.x * wanted.x + w.wanted.y * wanted.y;
    }
    double speed = free;
    if (n > 0) {
      const bool own = std::hypot(at.x - self.x, at.y - self.y) < 2;
      const double full = std::clamp(((n - (own ? 1 : 0)) / 4 - 0.8) / (2.5 - 0.8), 0.0, 1.0);
      const double alike = std::max(0.0, same / n), among = std::max(0.1, 0.5 * (speeds + along) / n);
      speed += full * (1 - alike * alike) * (std::min(among, free) - free);
    }
    time += step / speed;
  }
  return time;
}

TEST(WalkingSpeeds, AreThoseOfEverybodyOnTheWay) {
  base::Random random(5);
  WalkingSpeeds speeds;  // one that is used for all of them
  for (int round = 0; round < 40; ++round) {
    const double side = random.uniform(3, 30);
    const std::vector<Passer> people = someCrowd(random, side);
    speeds.clear(people.size());
    for (const Passer& w : people) speeds.add(w.at, w.floor, w.velocity, w.wanted);
    speeds.finish();
    const auto somewhere = [&] {
      return Vec2{static_cast<float>(random.uniform(-side, side)), static_cast<float>(random.uniform(-side, side))};
    };
    for (int i = 0; i < 30; ++i) {
      const Vec2 self = somewhere(), from = somewhere(), to = somewhere(), wanted{0.6f, -0.8f};
      const auto floor = static_cast<std::uint16_t>(random.below(2));
      const double expected = timeAlong(people, self, floor, 1.3, wanted, from, to);
      // A place on the border of two squares may be in either.
      EXPECT_NEAR(double{speeds.timeAlong(self, floor, 1.3f, wanted, from, to)}, expected, 2e-3 * expected);
    }
  }
}

TEST(WalkingSpeeds, ItIsCalmWhereNobodyStandsInACrowd) {
  base::Random random(6);
  for (int round = 0; round < 200; ++round) {
    const Vec2 jam{static_cast<float>(random.uniform(-100, 100)), static_cast<float>(random.uniform(-100, 100))};
    const Vec2 middle{(static_cast<float>(square(jam.x)) + 0.5f) * kSquareSide,
                      (static_cast<float>(square(jam.y)) + 0.5f) * kSquareSide};
    const bool many = random.below(2) == 0, stand = random.below(2) == 0;
    WalkingSpeeds speeds;
    speeds.clear(6);
    for (int i = 0; i < (many ? 6 : 5); ++i) speeds.add(middle, 1, {stand ? 0.1f : 1.0f, 0}, {0, 1});
    speeds.finish();
    const double angle = random.uniform(0, 6.3), distance = random.uniform(0, 60);
    const Vec2 at{static_cast<float>(middle.x + distance * std::cos(angle)),
                  static_cast<float>(middle.y + distance * std::sin(angle))};
    EXPECT_TRUE(speeds.isCalm(at, 0)) << "on another floor";
    if (!(many && stand) || distance > 48) {
      EXPECT_TRUE(speeds.isCalm(at, 1)) << distance;
    } else if (distance < 14) {
      EXPECT_FALSE(speeds.isCalm(at, 1)) << distance;
    }
  }
}

}  // namespace
}  // namespace throng::steering
