// What every steering model in the table has to keep, whatever it does: it does the same in a place that is turned, it
// favours no side by more than its page says, and it answers with numbers whatever it is asked.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct EveryModel : testing::TestWithParam<std::string> {
  const Model& model = *findModel(GetParam());

  /// Small pictures do for those who render them.
  std::vector<float> parameters() const {
    std::vector<float> values = defaults(model.info.parameters);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (model.info.parameters[i].name == "columns") values[i] = 64;
      if (model.info.parameters[i].name == "rows") values[i] = 16;
    }
    return values;
  }

  /// One step of everybody, as a world takes it.
  void step(SmallWorld& world, float dt) const {
    const std::vector<float> values = parameters();
    world.buildIndex(std::max(1.0f, model.range(values)));
    const auto people = world.neighbours.people();
    const StepInput input = world.input(dt);
    const VelocityOutput out{world.crowd.next_vx.data(), world.crowd.next_vy.data(),
                             world.column(SmallWorld::kMemoryX).data(), world.column(SmallWorld::kMemoryY).data()};
    if (model.parts) {
      const Together together{model.parts, values, people};
      StepInParts().run(input, {&together, 1}, world.threads, out);
    } else if (model.in_turn) {
      const Group group{values, people};
      model.in_turn(input, {&group, 1}, world.threads, out);
    } else {
      model.kernel(input, values, people, out);
    }
  }
};

/// A map of the plane onto itself that keeps lengths.
struct Turned {
  double angle = 0;  // rad
  bool mirrored = false;
  Vec2 shift{};

  Vec2 direction(Vec2 v) const {
    const double x = v.x, y = mirrored ? -v.y : v.y;
    return {static_cast<float>(std::cos(angle) * x - std::sin(angle) * y),
            static_cast<float>(std::sin(angle) * x + std::cos(angle) * y)};
  }
  Vec2 place(Vec2 p) const { return direction(p) + shift; }
};

/// People on a jittered grid, apart from one another and from five blocks, with all sorts of velocities and wishes.
SmallWorld crowdIn(const Turned& turned, std::uint64_t seed, float spacing) {
  base::Random random(seed);
  const auto number = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  SmallWorld world;
  const float size = 10 * spacing;
  std::vector<Vec2> blocks;
  for (int i = 0; i < 5; ++i) {
    const Vec2 at{number(0, size), number(0, size)};
    blocks.push_back(at);
    std::vector<Vec2> corners{{at.x, at.y}, {at.x + 0.8f, at.y}, {at.x + 0.8f, at.y + 0.5f}, {at.x, at.y + 0.5f}};
    if (turned.mirrored) std::reverse(corners.begin(), corners.end());
    for (Vec2& corner : corners) corner = turned.place(corner);
    world.addRing(corners);
  }
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) {
      const Vec2 place{(static_cast<float>(i) + number(-0.15, 0.15)) * spacing,
                       (static_cast<float>(j) + number(-0.15, 0.15)) * spacing};
      const Vec2 velocity{number(-1.4, 1.4), number(-1.4, 1.4)};
      const Vec2 wish{number(-1.4, 1.4), number(-1.4, 1.4)}, goal{number(-9, 9), number(-9, 9)};
      const bool stands = random.below(8) == 0, waits = random.below(10) == 0;
      bool in_block = false;
      for (const Vec2 block : blocks)
        in_block |= place.x > block.x - 0.3f && place.x < block.x + 1.1f && place.y > block.y - 0.3f &&
                    place.y < block.y + 0.8f;
      const float radius = number(0.15, 0.25);
      if (in_block) continue;
      const auto row = world.add(turned.place(place), turned.direction(velocity), radius);
      world.prefer(row, waits ? Vec2{} : turned.direction(wish));
      const Vec2 target = turned.place(place + goal);
      world.crowd.target_x[row] = target.x, world.crowd.target_y[row] = target.y;
      if (stands) world.crowd.vx[row] = world.crowd.vy[row] = 0;
    }
  return world;
}

/// % of people whose velocity differs by more than 1 cm/s from what it is in the other place.
double different(const SmallWorld& as_it_is, const SmallWorld& elsewhere, const Turned& turned) {
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < as_it_is.crowd.size(); ++row)
    count += !(length(turned.direction(as_it_is.next(row)) - elsewhere.next(row)) < 0.01f);
  return 100.0 * static_cast<double>(count) / static_cast<double>(as_it_is.crowd.size());
}

// Where two choices are as good as each other, rounding decides: that may happen to few.
TEST_P(EveryModel, DoesTheSameInATurnedPlace) {
  for (const float spacing : {1.8f, 1.0f, 0.6f})
    for (const Turned turned :
         {Turned{base::kPi / 2}, Turned{base::kPi}, Turned{0.65}, Turned{4.1, false, {20, -35}}}) {
      double sum = 0;
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SmallWorld here = crowdIn({}, seed, spacing), there = crowdIn(turned, seed, spacing);
        step(here, 0.1f), step(there, 0.1f);
        sum += different(here, there, turned) / 4;
      }
      EXPECT_LE(sum, 2) << "% of people, turned by " << turned.angle << " rad, " << spacing << " m apart";
    }
}

// Ties are broken, and people bear to a side on purpose, by at most so much (m/s, to the left of where they want to go,
// on average): nobody drifts.
TEST_P(EveryModel, DriftsToNoSide) {
  double drift = 0, others = 0;
  std::size_t people = 0;
  const Turned mirrored{0.3, true};
  for (const float spacing : {1.8f, 1.0f, 0.6f})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SmallWorld here = crowdIn({}, seed, spacing), there = crowdIn(mirrored, seed, spacing);
      step(here, 0.1f), step(there, 0.1f);
      others += different(here, there, mirrored) / 60;
      for (std::uint32_t row = 0; row < here.crowd.size(); ++row) {
        const Vec2 wish{here.crowd.preferred_vx[row], here.crowd.preferred_vy[row]};
        const Vec2 seen{there.crowd.preferred_vx[row], there.crowd.preferred_vy[row]};
        if (!(length(wish) > 0.1f)) continue;
        drift += (det(wish, here.next(row)) / length(wish) + det(seen, there.next(row)) / length(seen)) / 2, ++people;
      }
    }
  drift /= static_cast<double>(people);
  std::printf("%-22s drifts by %7.4f m/s to the left; %4.1f %% of people differ in a mirror\n", GetParam().c_str(),
              drift, others);
  // On purpose: `throng` keeps right where others come, who is pushed back in `karamouzas` bears right by 6° to 17°.
  const double most = GetParam() == "throng" ? 0.1 : GetParam() == "karamouzas" ? 0.03 : 0.01;
  EXPECT_LE(std::abs(drift), most);
}

// People in one place, at a wall, in a wall, at no speed, far from the origin, in long and short steps.
TEST_P(EveryModel, AnswersWithNumbers) {
  for (const float far : {0.0f, 3e3f, 1e6f})
    for (const float dt : {0.01f, 0.1f, 0.25f})
      for (const float radius : {0.15f, 0.35f}) {
        SmallWorld world;
        const Vec2 at{far, -far};
        world.addRing({at + Vec2{2, 0}, at + Vec2{2, 3}, at + Vec2{2.2f, 3}, at + Vec2{2.2f, 0}});
        base::Random random(7);
        for (int i = 0; i < 40; ++i) {
          Vec2 place = at + Vec2{static_cast<float>(random.uniform(0, 4)), static_cast<float>(random.uniform(0, 3))};
          if (i % 4 == 0) place = at + Vec2{1, 1};  // all in one place
          if (i % 4 == 1) place = at + Vec2{i % 8 == 1 ? 2.0f : 2.1f, 0.1f * static_cast<float>(i % 30)};  // wall
          const Vec2 velocity{static_cast<float>(random.uniform(-2, 2)), static_cast<float>(random.uniform(-2, 2))};
          const auto row = world.add(place, i % 3 == 0 ? Vec2{} : velocity, radius);
          if (i % 5 == 0) world.prefer(row, {});
          if (i % 5 == 1) world.prefer(row, {1e-4f, 0});
          if (i % 5 == 2) world.prefer(row, {1.3f, 0});
          const Vec2 goal = i % 2 == 0 ? place : at + Vec2{9, 9};
          world.crowd.target_x[row] = goal.x, world.crowd.target_y[row] = goal.y;
        }
        for (int k = 0; k < 20; ++k) {
          step(world, dt);
          for (std::uint32_t row = 0; row < world.crowd.size(); ++row) {
            // `linear` does whatever the follower asks for.
            const float wish = length(Vec2{world.crowd.preferred_vx[row], world.crowd.preferred_vy[row]});
            const float most = std::max(world.crowd.max_speed[row], model.info.name == "linear" ? wish : 0.0f);
            ASSERT_LE(length(world.next(row)), most * 1.001f)  // false for NaN, too
                << row << " at " << far << ", dt " << dt << ", radius " << radius << ", step " << k;
            ASSERT_TRUE(std::isfinite(world.column(SmallWorld::kMemoryX)[row]));
            ASSERT_TRUE(std::isfinite(world.column(SmallWorld::kMemoryY)[row]));
          }
          world.move(dt);
        }
      }
}

std::vector<std::string> everyModel() {
  std::vector<std::string> names;
  for (const Model& model : models().entries()) names.emplace_back(model.info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(everyModel()), [](const auto& model) {
  std::string name = model.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace throng::steering
