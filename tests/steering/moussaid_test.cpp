#include "steering/moussaid.h"

#include "steering/moussaid_terms.h"
#include "steering/twin_trials.h"

namespace throng::steering::moussaid {
namespace {

struct Moussaid : testing::Test {
  std::vector<float> parameters = defaults(moussaidParameters());
  SmallWorld world;

  void steer(float dt) {
    world.buildIndex(moussaidRange(parameters));
    world.steer(steerMoussaid, parameters, dt);
  }
  /// What somebody chose, from what they did in one step.
  Vec2 chosen(std::uint32_t row, float dt = 0.1f) {
    steer(dt);
    const float drive = dt / parameters[kRelaxationTime];
    return world.velocity(row) + (world.next(row) - world.velocity(row)) * ((1 + drive) / drive);
  }
};

TEST_F(Moussaid, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerMoussaid, steerMoussaidReference, moussaidParameters(), moussaidRange);
}

TEST_F(Moussaid, AStepInPartsEqualsItsSlowTwinBitForBit) {
  expectTwinsInParts(moussaidParts(), moussaidPartsReference(), moussaidParameters(), moussaidRange);
}

TEST_F(Moussaid, WhoTouchesSomebodyCanWalkAwayFromThemOnly) {
  // f is 0 in all directions that lead nearer to a body in contact, and free in the others.
  const Disc touching = discOf({0.4f, 0}, {0, 0}, 0.5f, 1);
  EXPECT_EQ(distanceTo(touching, 1, 0, 10), 0);
  EXPECT_EQ(distanceTo(touching, 0.1f, -0.99f, 10), 0);
  EXPECT_EQ(distanceTo(touching, -0.1f, 0.99f, 10), 10);
  EXPECT_EQ(distanceTo(touching, -1, 0, 10), 10);
}

/// The paper's f(α) and d_h in double precision, found by walking.
struct Published {
  const agents::Crowd& c;
  std::uint32_t i;

  bool hits(Point x, double time, double walked, Point u) const {
    for (std::uint32_t j = 0; j < c.size(); ++j) {
      const Point there = Point{c.x[j], c.y[j]} + Point{c.vx[j], c.vy[j]} * time;
      if (j != i && length(x + u * walked - there) < double{c.radius[i]} + c.radius[j]) return true;
    }
    return false;
  }
  double free(Point u, double v0, double d_max) const {
    for (double walked = 0; walked < d_max; walked += 0.01) {
      if (hits({c.x[i], c.y[i]}, walked / v0, walked, u)) return walked;
    }
    return d_max;
  }
  double room(Point u) const {
    for (double walked = 0; walked < 10; walked += 0.001) {
      if (hits({c.x[i], c.y[i]}, 0, walked, u)) return walked;
    }
    return 1e9;
  }
  double distance(Point u, Point wanted, double d_max) const {
    const double f = free(u, length(wanted), d_max);
    return std::sqrt(d_max * d_max + f * f - 2 * d_max * f * dot(u, normalized(wanted)));
  }
};

TEST_F(Moussaid, ChoosesWhatThePublishedHeuristicsChoose) {
  base::Random random(4);
  const auto number = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  int turned = 0;
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    world = SmallWorld();
    const auto person = world.add({0, 0}, {1.3f, 0});
    world.prefer(person, {number(0.8, 1.3), number(-0.5, 0.5)});
    // In view and not in contact; the published text is silent about both.
    for (int i = 0; i < 4; ++i) world.add({number(2, 6), number(-1.5, 1.5)}, {number(-1, 1), number(-0.7, 0.7)});
    const Vec2 found = chosen(person, 0.01f);
    const Published published{world.crowd, person};
    const Point wanted{world.crowd.preferred_vx[person], world.crowd.preferred_vy[person]};
    double best = published.distance(normalized(wanted), wanted, 10);
    for (int k = -31; k <= 31; ++k) {
      const double alpha = 75 * M_PI / 180 * k / 31;
      best = std::min(best, published.distance({std::cos(alpha), std::sin(alpha)}, wanted, 10));
    }
    const Point u = normalized(Point{found.x, found.y});
    worst = std::max(worst, published.distance(u, wanted, 10) - best);
    EXPECT_NEAR(length(found), std::min(length(wanted), published.room(u) / 0.5), 0.02);
    turned += std::abs(found.y - world.crowd.preferred_vy[person]) > 0.05f;
  }
  std::printf("%d of 60 turned; at most %.3f m farther from the destination than the best\n", turned, worst);
  EXPECT_LT(worst, 0.5);
  EXPECT_GT(turned, 15);
}

TEST_F(Moussaid, KeepsATimeToWhatIsAhead) {
  // A wall of people that cannot be avoided: the speed is the room over τ.
  const auto person = world.add({0, 0}, {1.3f, 0});
  for (int i = -100; i <= 100; ++i) world.add({1.0f, 0.1f * static_cast<float>(i)}, {0, 0});
  const Vec2 v = chosen(person);
  EXPECT_NEAR(length(v), 0.5 / 0.5, 0.02);
  world.crowd.x[person] = 0.3f;
  EXPECT_NEAR(length(chosen(person)), 0.2 / 0.5, 0.02);
}

TEST_F(Moussaid, BodiesPushOnlyInContactAndAsPublished) {
  const auto one = world.add({0, 0}, {0, 0}), two = world.add({0.48f, 0}, {0, 0});
  const float dt = 1e-3f;
  steer(dt);
  // k · overlap / m, with m = 320 kg/m · 0.25 m.
  EXPECT_NEAR(world.next(one).x / dt, -5000 * 0.02 / 80, 0.01);
  EXPECT_NEAR(world.next(two).x / dt, 5000 * 0.02 / 80, 0.01);
  world.crowd.x[two] = 0.501f;
  steer(dt);
  EXPECT_EQ(world.next(one), Vec2{});
  parameters[kContactStiffness] = 0;
  world.crowd.x[two] = 0.4f;
  steer(dt);
  EXPECT_EQ(world.next(one), Vec2{});
}

TEST_F(Moussaid, WallsPushInContactAndAreAvoided) {
  world.addRing({{2, -1}, {3, -1}, {3, 1}, {2, 1}});
  const auto person = world.add({0, -0.5f}, {1.3f, 0});
  const Vec2 v = chosen(person);
  EXPECT_LT(v.y, -0.2f);  // around the nearer corner
  world.crowd.x[person] = 1.8f, world.crowd.vx[person] = 0;
  world.prefer(person, {});
  steer(1e-3f);
  EXPECT_NEAR(world.next(person).x / 1e-3f, -5000 * 0.05 / 80, 0.02);
}

TEST_F(Moussaid, TheFootPointTakesWhoIsPastTheCornerBackSooner) {
  // Free of obstacles on both sides, both variants go straight; behind a pillar the foot point prefers the smaller
  // turn.
  const auto person = world.add({0, 0}, {1.3f, 0});
  world.addRing({{1.5f, -0.5f}, {2, -0.5f}, {2, 0.5f}, {1.5f, 0.5f}});
  const Vec2 original = chosen(person);
  parameters[kFootPoint] = 1;
  const Vec2 foot = chosen(person);
  EXPECT_LT(original.y, 0);  // right
  EXPECT_LT(foot.y, 0);
  for (float f = 0.5f; f < 10; f += 0.5f) {
    for (float cosine = -1; cosine <= 1; cosine += 0.125f) {
      Coefficients with(parameters, 0.1f), without(parameters, 0.1f);
      without.foot_point = false;
      // What the foot point leaves out is what lies behind it: never a worse distance to O, unless the way back is.
      EXPECT_LE(detour(with, f, cosine, 0), detour(without, f, cosine, 0) + 1e-3f);
    }
  }
}

TEST_F(Moussaid, WhoSeesNobodyTurnsForNobody) {
  const auto person = world.add({0, 0}, {1.3f, 0});
  world.add({-2, 0}, {5, 0});  // runs up from behind
  steer(0.1f);
  EXPECT_EQ(world.next(person), (Vec2{1.3f, 0}));
}

TEST_F(Moussaid, AMeetingHeadOnIsPassedOnTheRight) {
  for (const float angle : {0.0f, 0.7f, 2.1f}) {
    SmallWorld fresh;
    const Vec2 ahead{std::cos(angle), std::sin(angle)};
    const auto one = fresh.add(ahead * -5, ahead * 1.3f), two = fresh.add(ahead * 5, ahead * -1.3f);
    float nearest = 100;
    for (int step = 0; step < 100; ++step) {
      fresh.buildIndex(10);
      fresh.steer(steerMoussaid, parameters, 0.1f);
      fresh.move(0.1f);
      nearest = std::min(nearest, length(fresh.position(one) - fresh.position(two)));
      if (dot(fresh.position(one), ahead) < -3) {
        EXPECT_LT(det(ahead, fresh.position(one)), 1e-3f);
      }
    }
    EXPECT_GT(nearest, 0.45f);
    EXPECT_GT(dot(fresh.position(one), ahead), 4);
  }
}

}  // namespace
}  // namespace throng::steering::moussaid
