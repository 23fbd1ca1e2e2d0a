// clang-format off: which instruction sets there are must be known before Highway is included
#include "agents/simd_targets.h"
// clang-format on
#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "base/math.h"
#include "base/random.h"
#include "steering/orca.h"
#include "steering/orca_reference.h"
#include "steering/small_world.h"

namespace throng::steering {
namespace {

constexpr float kDt = 0.1f;

std::vector<float> parameters() { return defaults(orcaParameters()); }

void step(SmallWorld& world, const std::vector<float>& values) {
  world.buildIndex(orcaRange(values));
  world.steer(steerOrca, values, kDt);
}

float nearestPair(const SmallWorld& world) {
  float nearest = 1e9f;
  for (std::uint32_t i = 0; i < world.crowd.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) nearest = std::min(nearest, length(world.position(i) - world.position(j)));
  }
  return nearest;
}

float cut(float value, float limit) { return std::clamp(value, -limit, limit); }

TEST(OrcaParameters, HaveTheirPlaces) {
  EXPECT_EQ(orcaParameters()[kTimeHorizon].name, "time_horizon");
  EXPECT_EQ(orcaParameters()[kTimeHorizonObstacles].name, "time_horizon_obstacles");
  EXPECT_EQ(orcaParameters()[kNeighbourRange].name, "neighbour_range");
  EXPECT_EQ(orcaParameters()[kMaxNeighbours].name, "max_neighbours");
  EXPECT_EQ(parameters(), (std::vector<float>{5, 2, 5, 10}));
  EXPECT_EQ(orcaRange(parameters()), 5.0f);
}

// Van den Berg et al. 2011, figure 2: two discs on a line, at rest, 4 m apart, radii 0.5 each, horizon 2 s. The cut-off
// disc is at (2, 0) with radius 0.5; the relative velocity 0 is 1.5 in front of it, so the line is 0.75 ahead.
TEST(OrcaLine, IsHalfWayToTheCutOffDisc) {
  const OrcaLine line = orcaAgentLine({{0, 0}, {0, 0}, 0.5f}, {{4, 0}, {0, 0}, 0.5f}, 2, kDt, true);
  EXPECT_NEAR(line.point.x, 0.75f, 1e-6f);
  EXPECT_NEAR(line.point.y, 0, 1e-6f);
  EXPECT_NEAR(line.direction.y, 1, 1e-6f);  // allowed: to the left of straight up, that is slower than 0.75 towards it
}

// A relative velocity inside the cone far beyond the cut-off disc leaves by the nearer leg, and the two people's halves
// of the change add up to the whole.
TEST(OrcaLine, LeavesByTheNearerLegAndSharesTheWork) {
  for (const float sideways : {0.2f, -0.2f}) {
    const OrcaDisc a{{0, 0}, {2, sideways}, 0.5f}, b{{4, 0}, {-2, 0}, 0.5f};
    const OrcaLine line_a = orcaAgentLine(a, b, 2, kDt, true), line_b = orcaAgentLine(b, a, 2, kDt, false);
    // The leg: a tangent from the origin to the disc of radius 1 around (4, 0), on the side that it drifts to.
    const float sine = 0.25f, cosine = std::sqrt(1 - sine * sine);
    EXPECT_NEAR(std::abs(line_a.direction.x), cosine, 1e-5f);
    EXPECT_NEAR(std::abs(line_a.direction.y), sine, 1e-5f);
    const Vec2 change_a = line_a.point - a.velocity, change_b = line_b.point - b.velocity;
    EXPECT_GT(change_a.y * sideways, 0);
    EXPECT_NEAR(change_a.x, -change_b.x, 1e-5f);
    EXPECT_NEAR(change_a.y, -change_b.y, 1e-5f);
    const Vec2 relative = a.velocity - b.velocity + change_a - change_b;
    EXPECT_NEAR(std::abs(det(normalized(relative), Vec2{1, 0})), sine, 1e-5f) << "both together are just on the leg";
  }
}

TEST(OrcaLine, PeopleWhoOverlapPartWithinAStep) {
  const OrcaDisc a{{0, 0}, {0, 0}, 0.25f}, b{{0.3f, 0}, {0, 0}, 0.25f};
  const OrcaLine line = orcaAgentLine(a, b, 5, kDt, true);
  // 0.2 m too close: 2 m/s apart, half of it each.
  EXPECT_NEAR(line.point.x, -1, 1e-5f);
  EXPECT_NEAR(line.direction.y, 1, 1e-6f);
}

TEST(OrcaLine, PeopleOnTheSameSpotGoDifferentWays) {
  const OrcaDisc a{{1, 2}, {0.5f, 0.5f}, 0.25f};
  const OrcaLine first = orcaAgentLine(a, a, 5, kDt, true), second = orcaAgentLine(a, a, 5, kDt, false);
  EXPECT_EQ(first.direction, -second.direction);
  EXPECT_NEAR(length(first.direction), 1, 1e-6f);
  EXPECT_NEAR(length(first.point - second.point), 5, 1e-4f);
}

TEST(Orca, WhoIsAloneWalksExactlyAsPreferred) {
  SmallWorld world;
  const auto row = world.add({3, 4}, {0.1f, 0.2f});
  world.prefer(row, {0.7f, -1.1f});
  step(world, parameters());
  EXPECT_EQ(world.next(row), (Vec2{0.7f, -1.1f}));
}

TEST(Orca, NobodyWalksFasterThanTheyCan) {
  SmallWorld world;
  const auto row = world.add({3, 4}, {0, 0});
  world.prefer(row, {30, -40});
  step(world, parameters());
  EXPECT_NEAR(world.next(row).x, 1.95f * 0.6f, 1e-5f);
  EXPECT_NEAR(world.next(row).y, 1.95f * -0.8f, 1e-5f);
}

TEST(Orca, WhoIsNotInTheWayChangesNothing) {
  SmallWorld world;
  const auto left = world.add({0, 0}, {-1.3f, 0}), right = world.add({2, 0}, {1.3f, 0});
  const auto far = world.add({5.5f, 0}, {-1.3f, 0}), upstairs = world.add({2, 1}, {0, -1.3f});
  world.crowd.layer[upstairs] = 1;
  world.floors.resize(2), world.wrap.resize(2);
  auto values = parameters();
  values[kNeighbourRange] = 3;
  step(world, values);
  EXPECT_EQ(world.next(left), (Vec2{-1.3f, 0}));
  EXPECT_EQ(world.next(right), (Vec2{1.3f, 0}));
  EXPECT_EQ(world.next(far), (Vec2{-1.3f, 0}));
  EXPECT_EQ(world.next(upstairs), (Vec2{0, -1.3f}));
}

TEST(Orca, ExactlyHeadOnPeoplePassWithoutTouching) {
  SmallWorld world;
  const auto a = world.add({-6, 0}, {1.3f, 0}), b = world.add({6, 0}, {-1.3f, 0});
  float nearest = 1e9f;
  for (int i = 0; i < 150; ++i) {
    step(world, parameters());
    world.move(kDt);
    nearest = std::min(nearest, nearestPair(world));
  }
  EXPECT_GT(nearest, 0.499f);
  EXPECT_GT(world.position(a).x, 6);
  EXPECT_LT(world.position(b).x, -6);
}

TEST(Orca, TheFasterOvertakesWithoutTouching) {
  SmallWorld world;
  const auto fast = world.add({0, 0}, {1.6f, 0}), slow = world.add({3, 0}, {0.5f, 0});
  float nearest = 1e9f;
  for (int i = 0; i < 150; ++i) {
    step(world, parameters());
    world.move(kDt);
    nearest = std::min(nearest, nearestPair(world));
  }
  EXPECT_GT(nearest, 0.499f);
  EXPECT_GT(world.position(fast).x, world.position(slow).x + 1);
}

TEST(Orca, PeopleWhoOverlapComeApart) {
  SmallWorld world;
  world.add({0, 0}, {0, 0});
  world.add({0.2f, 0.1f}, {0, 0});
  world.add({5, 5}, {0, 0});
  world.add({5, 5}, {0, 0});
  for (int i = 0; i < 10; ++i) {
    step(world, parameters());
    world.move(kDt);
  }
  EXPECT_GT(nearestPair(world), 0.499f);
}

// The worst case of symmetry: everybody on a circle, through the centre, to the opposite place.
TEST(Orca, ARingOfPeopleCrossesItself) {
  SmallWorld world;
  constexpr int kPeople = 24;
  std::vector<Vec2> goal;
  for (int i = 0; i < kPeople; ++i) {
    double sine, cosine;
    base::sinCos(2 * base::kPi * i / kPeople, sine, cosine);
    world.add({static_cast<float>(8 * cosine), static_cast<float>(8 * sine)}, {0, 0});
    goal.push_back({static_cast<float>(-8 * cosine), static_cast<float>(-8 * sine)});
  }
  float nearest = 1e9f;
  for (int i = 0; i < 600; ++i) {
    for (std::uint32_t row = 0; row < kPeople; ++row) {
      const Vec2 to = goal[row] - world.position(row);
      world.prefer(row, length(to) > 0.13f ? normalized(to) * 1.3f : to * 10.0f);
    }
    step(world, parameters());
    world.move(kDt);
    nearest = std::min(nearest, nearestPair(world));
  }
  // In the middle there are moments when no velocity is allowed; then people come a little too close.
  EXPECT_GT(nearest, 0.4f);
  for (std::uint32_t row = 0; row < kPeople; ++row) EXPECT_LT(length(goal[row] - world.position(row)), 0.3f);
}

TEST(Orca, PeopleAvoidOneAnotherAcrossAWrappedBorder) {
  SmallWorld world;
  world.wrap[0] = Rectangle{{0, 0}, {20, 20}};
  const auto a = world.add({19, 10}, {1.3f, 0}), b = world.add({1, 10.1f}, {-1.3f, 0});
  step(world, parameters());
  EXPECT_LT(world.next(a).y, -0.01f);
  EXPECT_GT(world.next(b).y, 0.01f);
}

// Lines as a person in a random crowd has them.
std::vector<OrcaLine> randomLines(base::Random& random, int count, double spread) {
  const OrcaDisc self{
      {0, 0}, {cut(static_cast<float>(random.normal()), 1.3f), cut(static_cast<float>(random.normal()), 1.3f)}, 0.25f};
  std::vector<OrcaLine> lines;
  for (int i = 0; i < count; ++i) {
    const OrcaDisc other{
        {static_cast<float>(random.normal() * spread), static_cast<float>(random.normal() * spread)},
        {cut(static_cast<float>(random.normal()), 1.9f), cut(static_cast<float>(random.normal()), 1.9f)},
        0.25f};
    lines.push_back(orcaAgentLine(self, other, 5, kDt, true));
  }
  return lines;
}

// How far right of the worst of lines [begin, end) a velocity is.
float depth(const std::vector<OrcaLine>& lines, std::size_t begin, std::size_t end, Vec2 velocity) {
  float worst = -1e9f;
  for (std::size_t i = begin; i < end; ++i) {
    worst = std::max(worst, det(lines[i].direction, lines[i].point - velocity));
  }
  return worst;
}

// f(velocity) for velocities all over the disc of speeds up to `speed`.
template <class F>
void sampleDisc(float speed, const F& f) {
  constexpr int kRings = 40, kSpokes = 120;
  f(Vec2{});
  for (int spoke = 0; spoke < kSpokes; ++spoke) {
    double sine, cosine;
    base::sinCos(2 * base::kPi * spoke / kSpokes, sine, cosine);
    for (int ring = 1; ring <= kRings; ++ring) {
      const double r = 0.99999 * speed * ring / kRings;
      f(Vec2{static_cast<float>(r * cosine), static_cast<float>(r * sine)});
    }
  }
}

TEST(OrcaProgramme, TheResultIsTheBestOfAllVelocities) {
  base::Random random(11);
  constexpr float kSpeed = 1.95f;
  int feasible = 0, infeasible = 0, changed = 0;
  for (int i = 0; i < 600; ++i) {
    const auto lines = randomLines(random, 1 + i % 14, i % 3 == 0 ? 0.8 : 2.5);
    const Vec2 preferred{static_cast<float>(random.uniform(-1.3, 1.3)), static_cast<float>(random.uniform(-1.3, 1.3))};
    const OrcaSolution solution = orcaVelocity(lines, 0, kSpeed, preferred, 0);
    ASSERT_LE(length(solution.velocity), kSpeed + 1e-4f);
    const float own_depth = depth(lines, 0, lines.size(), solution.velocity);
    if (solution.feasible) {
      ++feasible;
      EXPECT_LE(own_depth, 2e-4f);
      const float own = length(solution.velocity - preferred);
      changed += own > 0.01f;
      sampleDisc(kSpeed, [&](Vec2 v) {
        if (depth(lines, 0, lines.size(), v) <= 0) {
          EXPECT_GE(length(v - preferred), own - 1e-3f);
        }
      });
    } else {
      ++infeasible;
      sampleDisc(kSpeed, [&](Vec2 v) { EXPECT_GE(depth(lines, 0, lines.size(), v), own_depth - 2e-3f); });
    }
    if (HasFailure()) FAIL() << "instance " << i;
  }
  std::printf("feasible %d (%d of them not the preferred velocity), infeasible %d\n", feasible, changed, infeasible);
  EXPECT_GT(feasible, 100);
  EXPECT_GT(changed, 100);
  EXPECT_GT(infeasible, 100);
}

TEST(OrcaProgramme, WallsStayHardWhenNothingIsAllowed) {
  base::Random random(12);
  constexpr float kSpeed = 1.95f;
  int checked = 0;
  for (int i = 0; i < 600; ++i) {
    auto lines = randomLines(random, 10, 0.8);
    // Two walls that allow standing still.
    for (int wall = 0; wall < 2; ++wall) {
      double sine, cosine;
      base::sinCos(random.uniform(0, 2 * base::kPi), sine, cosine);
      const Vec2 direction{static_cast<float>(cosine), static_cast<float>(sine)};
      lines.insert(lines.begin(), {perpendicular(direction) * static_cast<float>(-random.uniform(0, 0.5)), direction});
    }
    const OrcaSolution solution = orcaVelocity(lines, 2, kSpeed, {1, 0}, 0);
    EXPECT_LE(depth(lines, 0, 2, solution.velocity), 1e-4f);
    if (solution.feasible) continue;
    ++checked;
    const float own = depth(lines, 2, lines.size(), solution.velocity);
    sampleDisc(kSpeed, [&](Vec2 v) {
      if (depth(lines, 0, 2, v) <= 0) {
        EXPECT_GE(depth(lines, 2, lines.size(), v), own - 2e-3f);
      }
    });
    if (HasFailure()) FAIL() << "instance " << i;
  }
  EXPECT_GT(checked, 100);
}

TEST(OrcaProgramme, TheTurnIsSmallToTheRightAndOnlyWhereSomethingIsForbidden) {
  for (std::uint32_t person = 0; person < 1000; ++person) {
    ASSERT_GE(orcaTurn(person), 0.0005f);
    ASSERT_LT(orcaTurn(person), 0.0015f);
  }
  EXPECT_NE(orcaTurn(1), orcaTurn(2));
  const OrcaLine slower[] = {{{0.5f, 0}, {0, 1}}};  // vx <= 0.5
  const Vec2 turned = orcaVelocity(slower, 0, 2, {1, 0}, 0.001f).velocity;
  EXPECT_NEAR(turned.x, 0.5f, 1e-6f);
  EXPECT_NEAR(turned.y, -0.001f, 1e-6f);
  EXPECT_EQ(orcaVelocity(slower, 0, 2, {0.5f, 1}, 0.001f).velocity, (Vec2{0.5f, 1}));
}

struct TwinCase {
  const char* name;
  int people;
  double size;
  bool walls, wrapped;
};

// Two layers of people walking every which way, some of them on top of one another.
SmallWorld twinWorld(const TwinCase& c) {
  SmallWorld world(2);
  base::Random random(5);
  for (int i = 0; i < c.people; ++i) {
    const Vec2 place{static_cast<float>(random.uniform(0, c.size)), static_cast<float>(random.uniform(0, c.size))};
    const Vec2 velocity{static_cast<float>(random.uniform(-1.5, 1.5)), static_cast<float>(random.uniform(-1.5, 1.5))};
    const auto row = world.add(i % 50 == 7 ? world.position(static_cast<std::uint32_t>(i) - 1) : place, velocity,
                               static_cast<float>(random.uniform(0.15, 0.4)), i % 5 == 0 ? 1 : 0);
    world.prefer(row, {static_cast<float>(random.uniform(-1.5, 1.5)), static_cast<float>(random.uniform(-1.5, 1.5))});
    world.crowd.max_speed[row] = static_cast<float>(random.uniform(1.0, 2.5));
  }
  if (c.walls) {
    for (double x = 2; x + 4 < c.size; x += 7) {
      for (double y = 2; y + 4 < c.size; y += 7) {
        const auto fx = static_cast<float>(x), fy = static_cast<float>(y);
        world.addRing({{fx, fy}, {fx + 3, fy}, {fx + 3, fy + 1}, {fx + 1, fy + 1}, {fx + 1, fy + 2}, {fx, fy + 2}});
        world.addRing({{fx + 4, fy}, {fx + 4, fy + 4}});
      }
    }
  }
  if (c.wrapped) world.wrap[0] = Rectangle{{0, 0}, {c.size, c.size}};
  return world;
}

TEST(Orca, IsItsPlainTwinBitForBitOnEveryInstructionSet) {
  std::size_t changed = 0, compared = 0;
  for (const TwinCase& c : {TwinCase{"sparse", 300, 100, false, false}, TwinCase{"walking", 600, 45, false, true},
                            TwinCase{"dense", 500, 12, false, false}, TwinCase{"walls", 400, 36, true, false},
                            TwinCase{"dense walls", 700, 24, true, true}, TwinCase{"packed", 250, 4, false, false}}) {
    SCOPED_TRACE(c.name);
    SmallWorld world = twinWorld(c);
    for (const auto& change :
         {std::pair(kMaxNeighbours, 10.0f), std::pair(kMaxNeighbours, 3.0f), std::pair(kMaxNeighbours, 23.0f),
          std::pair(kMaxNeighbours, 0.0f), std::pair(kNeighbourRange, 1.5f), std::pair(kTimeHorizon, 0.7f)}) {
      auto values = parameters();
      values[change.first] = change.second;
      world.buildIndex(5);
      world.steer(steerOrcaReference, values, kDt);
      const auto expected_x = world.crowd.next_vx, expected_y = world.crowd.next_vy;
      for (std::size_t row = 0; row < world.crowd.size(); ++row) {
        changed += world.crowd.next_vx[row] != world.crowd.preferred_vx[row];
      }
      for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        std::fill(world.crowd.next_vx.begin(), world.crowd.next_vx.end(), -99.0f);
        world.steer(steerOrca, values, kDt);
        for (std::size_t row = 0; row < world.crowd.size(); ++row) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(world.crowd.next_vx[row]),
                    std::bit_cast<std::uint32_t>(expected_x[row]))
              << row << ": " << world.crowd.next_vx[row] << " for " << expected_x[row];
          ASSERT_EQ(std::bit_cast<std::uint32_t>(world.crowd.next_vy[row]),
                    std::bit_cast<std::uint32_t>(expected_y[row]));
          ++compared;
        }
      }
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().DeInit();
    }
  }
  std::printf("%zu velocities compared, %zu instruction sets, %zu of the twin's not as preferred\n", compared,
              hwy::SupportedAndGeneratedTargets().size(), changed);
  EXPECT_GT(changed, 5000u);
}

// A kernel is called for parts of the crowd, perhaps of one profile only: that must not show.
TEST(Orca, DoesNotDependOnHowTheCrowdIsCut) {
  SmallWorld world = twinWorld({"", 600, 24, true, false});
  world.buildIndex(5);
  const auto values = parameters();
  world.steer(steerOrca, values, kDt);
  const auto expected_x = world.crowd.next_vx, expected_y = world.crowd.next_vy;
  std::fill(world.crowd.next_vx.begin(), world.crowd.next_vx.end(), -99.0f);
  std::vector<std::uint32_t> even, odd;
  for (const std::uint32_t slot : world.neighbours.people()) (slot % 3 == 0 ? even : odd).push_back(slot);
  for (const auto& part : {even, odd}) {
    for (std::size_t begin = 0; begin < part.size(); begin += 37) {
      steerOrca(world.input(kDt), values,
                std::span(part).subspan(begin, std::min<std::size_t>(37, part.size() - begin)),
                {world.crowd.next_vx.data(), world.crowd.next_vy.data()});
    }
  }
  EXPECT_EQ(world.crowd.next_vx, expected_x);
  EXPECT_EQ(world.crowd.next_vy, expected_y);
}

}  // namespace
}  // namespace throng::steering
