#include "steering/keep_clear.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"

namespace throng::steering {
namespace {

struct Walker {
  Vec2 at, velocity;
  std::uint16_t floor;
  bool is_held = false;
};

struct Mixed {
  double all = 0, held = 0;
};

/// The same from all pairs of people.
Mixed mixedAround(const std::vector<Walker>& people, Vec2 at, std::uint16_t floor) {
  const auto square = [](float x) { return static_cast<int>(std::floor(x / 2)); };
  Mixed mixed;
  for (int i = square(at.x) - 1; i <= square(at.x) + 1; ++i)
    for (int j = square(at.y) - 1; j <= square(at.y) + 1; ++j) {
      std::vector<double> angles;
      double held = 0;
      for (const Walker& w : people)
        if (w.floor == floor && square(w.at.x) == i && square(w.at.y) == j) {
          angles.push_back(std::atan2(double{w.velocity.y}, double{w.velocity.x}));
          held += w.is_held ? 1 : 0;
        }
      if (angles.size() < 2) continue;
      double alike = 0;
      for (const double a : angles)
        for (const double b : angles) alike += std::cos(2 * (a - b));
      const auto n = static_cast<double>(angles.size());
      alike = (alike - n) / (n * (n - 1));
      const double share = 1 - std::max(0.0, std::min(1.0, alike));
      mixed.all += n * share, mixed.held += held * share;
    }
  return mixed;
}

MixedCrowd counted(const std::vector<Walker>& people) {
  MixedCrowd crowd;
  crowd.clear(people.size());
  for (const Walker& w : people) crowd.add(w.at, w.floor, w.velocity, w.is_held);
  crowd.finish();
  return crowd;
}

bool anybodyNear(const std::vector<Walker>& people, Vec2 at, std::uint16_t floor) {
  for (const Walker& w : people)
    if (w.floor == floor && std::floor(w.at.x / 2) == std::floor(at.x / 2) &&
        std::floor(w.at.y / 2) == std::floor(at.y / 2))
      return true;
  return false;
}

// Few people in a large place and many in a small one, on several floors: never fewer than there are, and as many where
// squares do not share counts.
TEST(RoughCrowd, NeverCountsTooFew) {
  base::Random random(5);
  RoughCrowd crowd;  // one that is used for all of them
  int equal = 0;
  for (int round = 0; round < 60; ++round) {
    const double side = random.uniform(2, round % 4 == 0 ? 3000 : 60);
    std::vector<Walker> people(random.below(250));
    for (Walker& w : people) {
      w.at = {static_cast<float>(random.uniform(-side, side)), static_cast<float>(random.uniform(-side, side))};
      w.floor = static_cast<std::uint16_t>(random.below(3));
    }
    crowd.clear(people.size());
    for (const Walker& w : people) crowd.add(w.at, w.floor);
    const auto square = [](float x) { return static_cast<int>(std::floor(x / 2)); };
    std::uint32_t most = 0;
    for (const Walker& w : people) {  // somebody is in one of the nine
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
          std::uint32_t around = 0;
          for (const Walker& o : people)
            around += o.floor == w.floor && std::abs(square(o.at.x) - square(w.at.x) - i) <= 1 &&
                              std::abs(square(o.at.y) - square(w.at.y) - j) <= 1
                          ? 1
                          : 0;
          most = std::max(most, around);
        }
    }
    ASSERT_GE(crowd.mostAround(), most) << round;
    equal += crowd.mostAround() == most ? 1 : 0;
  }
  EXPECT_GT(equal, 15);
}

TEST(MixedCrowd, IsWhatAllPairsSay) {
  base::Random random(3);
  MixedCrowd again;  // one that is used for all of them
  for (int round = 0; round < 60; ++round) {
    std::vector<Walker> people;
    const double side = random.uniform(2, 40);
    for (std::uint64_t i = random.below(400); i > 0; --i) {
      Walker w;
      w.at = {static_cast<float>(random.uniform(-side, side)), static_cast<float>(random.uniform(-side, side))};
      const double angle = random.uniform(0, 6.3), speed = random.uniform(0.1, 2);
      w.velocity = {static_cast<float>(speed * std::cos(angle)), static_cast<float>(speed * std::sin(angle))};
      w.floor = static_cast<std::uint16_t>(random.below(3));
      w.is_held = random.below(2) == 0;
      people.push_back(w);
    }
    again.clear(people.size());
    for (const Walker& w : people) again.add(w.at, w.floor, w.velocity, w.is_held);
    again.finish();
    const MixedCrowd fresh = counted(people);
    for (int i = 0; i < 50; ++i) {
      const Vec2 at{static_cast<float>(random.uniform(-side, side)), static_cast<float>(random.uniform(-side, side))};
      const auto floor = static_cast<std::uint16_t>(random.below(3));
      const Mixed expected = anybodyNear(people, at, floor) ? mixedAround(people, at, floor) : Mixed{};
      EXPECT_NEAR(double{again.around(at, floor)}, expected.all, 1e-3 * (1 + expected.all));
      EXPECT_NEAR(double{again.heldAround(at, floor)}, expected.held, 1e-3 * (1 + expected.held));
      EXPECT_EQ(again.around(at, floor), fresh.around(at, floor));
      EXPECT_EQ(again.heldAround(at, floor), fresh.heldAround(at, floor));
    }
  }
}

// However many: one way, two opposite ways, together to a door.
TEST(MixedCrowd, PeopleWhoAreNotInOneAnothersWayDoNotCount) {
  base::Random random(4);
  std::vector<Walker> lanes, arch, crossing;
  for (int i = 0; i < 600; ++i) {
    const Vec2 at{static_cast<float>(random.uniform(-6, 6)), static_cast<float>(random.uniform(-6, 6))};
    const float c = 0.8f, s = 0.6f;
    lanes.push_back({at, at.x > 0 ? Vec2{c, s} : Vec2{-c, -s}, 0});
    const Vec2 to_door = Vec2{0, 9} - at;
    arch.push_back({at, to_door / length(to_door), 0});
    crossing.push_back({at, i % 2 == 0 ? Vec2{c, s} : Vec2{-s, c}, 0});
  }
  EXPECT_LT(counted(lanes).around({0, 0}, 0), 1);
  EXPECT_LT(counted(arch).around({0, 0}, 0), 10);
  EXPECT_GT(counted(crossing).around({0, 0}, 0), 100);
}

}  // namespace
}  // namespace throng::steering
