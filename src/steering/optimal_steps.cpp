// The optimal steps model (Seitz & Köster 2012; potentials and the disc of von Sivers & Köster 2015): people move from
// one footfall to the next. A stride is 0.462 m + 0.235 s · v0 long and takes its length / v0. When one ends, the next
// one leads to the place of least potential on the disc that can be reached:
//
//   - e0 · (p - x)                                                the way left, as it is around somebody
//   + 50 exp(4/((d/(1.2 m + l))² - 1))      for d < 1.2 m + l     others: personal space
//   + 41.7 exp(4/((d/(0.45 m + l))² - 1))   for d < 0.45 m + l    intimate space
//   + 1000 exp(1/((d/l)⁴ - 1))              for d < l             bodies
//   + 6 exp(2/((d/0.8 m)² - 1))             for d < 0.8 m         the nearest wall; 10⁵ more within the body
//
// d being the distance of p to others, l the sum of the radii. Strides of less than 0.1 m are not made. Others are seen
// where they are now. The published order of events is by time, one person after the other; here those whose strides
// end in one step decide at once. The first stride of each is cut short by lot, so that nobody walks in step with
// others.
//
// Kept of people: the time left of the stride, and the number of strides made.
#include "steering/optimal_steps.h"

#include <algorithm>
#include <array>

#include "base/math.h"
#include "base/random.h"
#include "steering/neighbour_law.h"

namespace throng::steering {
namespace {

enum Parameter {
  kStrideBase,
  kStrideGrowth,
  kPersonalWidth,
  kPersonalHeight,
  kIntimateWidth,
  kIntimateHeight,
  kBodyHeight,
  kWallWidth,
  kWallHeight,
  kLeastStride,
  kParameterCount
};

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"stride_base", "m", 0.462, 0.1, 2, "How long the stride of somebody is who hardly walks."},
    {"stride_growth", "s", 0.235, 0, 2, "How much longer it is for every m/s of the preferred speed."},
    {"personal_width", "m", 1.2, 0.05, 5, "How far from body to body the personal space reaches."},
    {"personal_height", "m", 50, 0, 10000, "What it costs to go there."},
    {"intimate_width", "m", 0.45, 0.05, 5, "How far from body to body the intimate space reaches."},
    {"intimate_height", "m", 41.7, 0, 10000, "What it costs to go there."},
    {"body_height", "m", 1000, 0, 100000, "What it costs to go where somebody's body is."},
    {"wall_width", "m", 0.8, 0.05, 5, "How far from walls people like to be."},
    {"wall_height", "m", 6, 0, 10000, "What it costs to go nearer."},
    {"least_stride", "m", 0.1, 0, 1, "Shorter strides than this are not made."},
}};

constexpr int kCircles = 3, kDirections = 16;
constexpr float kBlocked = 1e5f;     ///< m; where nobody can go
constexpr float kLongestStride = 1;  ///< m, for whom is looked for
constexpr float kBodies = 1;         ///< m, sum of two radii

struct Segment {
  Vec2 a, b, direction;
};

/// What one thread keeps between calls.
struct Scratch {
  std::vector<std::uint32_t> found;
  std::vector<Segment> walls;
  std::vector<Other> others;
};

struct Law {
  explicit Law(std::span<const float> p)
      : stride_base(p[kStrideBase]),
        stride_growth(p[kStrideGrowth]),
        personal(p[kPersonalWidth]),
        personal_height(p[kPersonalHeight]),
        intimate(p[kIntimateWidth]),
        intimate_height(p[kIntimateHeight]),
        body_height(p[kBodyHeight]),
        wall(p[kWallWidth]),
        wall_height(p[kWallHeight]),
        least(p[kLeastStride]),
        range(rangeOf(p)) {}

  static float rangeOf(std::span<const float> p) {
    return std::max(p[kPersonalWidth], p[kIntimateWidth]) + kBodies + 2 * kLongestStride;
  }

  /// height · exp(power/(share - 1)), share < 1.
  static float hill(float height, float power, float share) {
    return height * social_force::exponential(std::max(social_force::kMinExponent, power / (share - 1.0f)));
  }

  float ofPerson(float squared, float bodies) const {
    const float wide = personal + bodies, narrow = intimate + bodies;
    float sum = 0;
    if (squared < wide * wide) sum += hill(personal_height, 4, squared / (wide * wide));
    if (squared < narrow * narrow) sum += hill(intimate_height, 4, squared / (narrow * narrow));
    if (squared < bodies * bodies) {
      const float share = squared / (bodies * bodies);
      sum += hill(body_height, 1, share * share);
    }
    return sum;
  }

  float ofWalls(const Walker& walker, Vec2 to, std::span<const Segment> walls) const {
    float nearest = wall * wall;
    for (const Segment& one : walls) {
      const Vec2 from_a = to - one.a;
      const float extent = dot(one.b - one.a, one.direction);
      const float along = std::clamp(dot(from_a, one.direction), 0.0f, extent);
      nearest = std::min(nearest, lengthSquared(from_a - one.direction * along));
      // Nobody steps through a wall, however thin.
      const float before = det(one.direction, walker.place - one.a), after = det(one.direction, from_a);
      if (before * after < 0) {
        const float share = before / (before - after);
        const float at = dot(walker.place + (to - walker.place) * share - one.a, one.direction);
        if (at >= 0 && at <= extent) return kBlocked;
      }
    }
    // Somebody may stand nearer to a wall than that already, by rounding.
    const float body = walker.radius * 0.99f;
    const float within = nearest < body * body ? kBlocked : 0.0f;
    return nearest < wall * wall ? within + hill(wall_height, 2, nearest / (wall * wall)) : 0.0f;
  }

  float potential(const Walker& walker, Vec2 offset, const Scratch& scratch) const {
    float sum = -dot(walker.wanted, offset) + ofWalls(walker, walker.place + offset, scratch.walls);
    for (const Other& other : scratch.others)
      sum += ofPerson(lengthSquared(other.apart - offset), walker.radius + other.radius);
    return sum;
  }

  /// Where the next stride leads, from the walker. `turn`: of the directions tried, from 0 to 1.
  Vec2 best(const Walker& walker, float stride, double turn, const Scratch& scratch) const {
    Vec2 chosen{};
    float cheapest = potential(walker, {}, scratch);
    const auto consider = [&](Vec2 offset) {
      const float cost = potential(walker, offset, scratch);
      if (cost < cheapest) cheapest = cost, chosen = offset;
    };
    consider(walker.wanted * stride);
    for (int k = 0; k < kDirections; ++k) {
      double sine, cosine;
      base::sinCos(2 * base::kPi * (k + turn) / kDirections, sine, cosine);
      const auto co = static_cast<float>(cosine), si = static_cast<float>(sine);
      const Vec2 direction{walker.wanted.x * co - walker.wanted.y * si, walker.wanted.y * co + walker.wanted.x * si};
      for (int circle = 1; circle <= kCircles; ++circle)
        consider(direction * (stride * static_cast<float>(circle) / kCircles));
    }
    return lengthSquared(chosen) < least * least ? Vec2{} : chosen;
  }

  float stride_base, stride_growth, personal, personal_height, intimate, intimate_height, body_height, wall,
      wall_height, least, range;
};

void seeWalls(const Law& law, const ground::Walls& walls, const Walker& walker, float stride, Scratch& scratch) {
  scratch.walls.clear();
  const float reach = stride + std::max(law.wall, walker.radius);
  if (walls.size() == 0 || walls.grid.nothingNear(walker.place, reach)) return;
  scratch.found.clear();
  walls.grid.query(walker.place, reach, scratch.found);
  for (const std::uint32_t i : scratch.found) scratch.walls.push_back({walls.a[i], walls.b[i], walls.direction[i]});
}

template <class ForEach>
void steer(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
           VelocityOutput out, const ForEach& for_each_near) {
  static thread_local Scratch scratch;
  const Law law(parameters);
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  for (const std::uint32_t slot : slots) {
    const Walker walker =
        walkerAt(input, slot, {index.x()[slot], index.y()[slot]}, {index.vx()[slot], index.vy()[slot]});
    const std::uint32_t row = walker.row;
    float left = input.memory_x[row];
    const float strides = input.memory_y[row];
    const auto write = [&](Vec2 velocity, float time, float count) {
      out.vx[row] = velocity.x, out.vy[row] = velocity.y;
      if (out.memory_x) out.memory_x[row] = time, out.memory_y[row] = count;
    };
    if (walker.free_speed == 0) {
      write({}, 0, strides);
      continue;
    }
    if (left > 0.5f * input.dt) {
      write(atMost(walker.velocity, walker.max_speed), left - input.dt, strides);
      continue;
    }
    const float stride = std::min(kLongestStride, law.stride_base + law.stride_growth * walker.free_speed);
    scratch.others.clear();
    for_each_near(index, crowd, slot, law.range, [&](std::uint32_t other) {
      const std::uint32_t other_row = index.row()[other];
      const Vec2 velocity{index.vx()[other], index.vy()[other]};
      const Vec2 apart{index.x()[other] - walker.place.x, index.y()[other] - walker.place.y};
      scratch.others.push_back({apart, velocity, index.radius()[other], other_row});
    });
    // People do not set out in step: somebody's first stride ends anywhere within its time.
    const double share = strides > 0 ? 1.0 : base::Random(crowd.person[row], 1u << 30).uniform();
    left = std::max(left, -input.dt) + stride / walker.free_speed;
    seeWalls(law, input.floors[crowd.layer[row]].walls, walker, stride, scratch);
    // Who is alone walks exactly as preferred, whatever the length of steps.
    if (scratch.others.empty() && scratch.walls.empty()) {
      write(atMost(walker.preferred, walker.max_speed), left - input.dt, strides);
      continue;
    }
    const double turn = base::Random(crowd.person[row], static_cast<std::uint64_t>(strides)).uniform();
    Vec2 offset = law.best(walker, stride, turn, scratch);
    if (share < 1) offset = offset * static_cast<float>(share), left *= static_cast<float>(share);
    // The stride ends at the end of a step.
    const float steps = std::max(1.0f, std::floor(left / input.dt + 0.5f));
    // 2^23: beyond, a float does not count on.
    const float count = strides < 8e6f ? strides + 1 : 0;
    write(atMost(offset / (steps * input.dt), walker.max_speed), left - input.dt, count);
  }
}

}  // namespace

std::span<const ModelParameter> optimalStepsParameters() { return kParameters; }

float optimalStepsRange(std::span<const float> parameters) { return Law::rangeOf(parameters); }

void steerOptimalSteps(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                       VelocityOutput out) {
  steer(input, parameters, slots, out, kByGrid);
}

void steerOptimalStepsReference(const StepInput& input, std::span<const float> parameters,
                                std::span<const std::uint32_t> slots, VelocityOutput out) {
  steer(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
