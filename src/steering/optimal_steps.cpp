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
// d being the distance of p to others, l the sum of the radii. Strides of less than 0.1 m are not made. As published,
// people decide one after the other in the order in which their strides end, and others are where their foot is: from
// the moment of a decision on, that is where the stride leads. Those whose strides end in one step of the simulation
// take turns (turns.h). The first stride of each is cut short by lot, so that nobody walks in step with others.
//
// Kept of people: the time left of the stride, and the number of strides made.
#include "steering/optimal_steps.h"

#include <algorithm>
#include <array>

#include "base/math.h"
#include "base/random.h"
#include "steering/neighbour_law.h"
#include "steering/turns.h"

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

/// Steps of the simulation until a stride ends that has `left` s to go.
float stepsLeft(float left, float dt) { return std::floor(left / dt + 0.5f); }

/// Where everybody's foot is, from where they are at the beginning of the step (m, by row), and who moves theirs when.
struct Feet {
  base::Column<float> before_x, before_y, after_x, after_y;
  std::vector<std::uint8_t> due;  ///< 1: decides in this step
  Turns turns;
  std::vector<Law> laws;  ///< by group

  Vec2 of(std::uint32_t row, std::uint32_t seen_by) const {
    return turns.before(row, seen_by) ? Vec2{after_x[row], after_y[row]} : Vec2{before_x[row], before_y[row]};
  }
};

/// One step of everybody, by whatever way they look for others.
template <class ForEach>
class Step {
 public:
  Step(const StepInput& input, VelocityOutput out, const ForEach& for_each_near, Feet& feet)
      : input_(input), out_(out), for_each_near_(for_each_near), feet_(feet) {}

  void begin(std::span<const Group> groups) {
    const std::size_t rows = input_.crowd.size();
    feet_.turns.begin(rows);
    for (auto* column : {&feet_.before_x, &feet_.before_y, &feet_.after_x, &feet_.after_y}) column->assign(rows, 0.0f);
    feet_.due.assign(rows, 0);
    feet_.laws.clear();
    for (const Group& group : groups) feet_.laws.emplace_back(group.parameters);
  }

  /// Those whose stride goes on; notes the others.
  void goOn(std::span<const std::uint32_t> slots) const {
    for (const std::uint32_t slot : slots) {
      const Walker walker = walkerOf(slot);
      const std::uint32_t row = walker.row;
      const float left = input_.memory_x[row];
      if (walker.free_speed == 0) {
        write(row, {}, 0, input_.memory_y[row]);
        continue;
      }
      if (!(left > 0.5f * input_.dt)) {
        feet_.due[row] = 1;
        continue;
      }
      const Vec2 velocity = atMost(walker.velocity, walker.max_speed);
      const Vec2 foot = velocity * (stepsLeft(left, input_.dt) * input_.dt);
      feet_.before_x[row] = foot.x, feet_.before_y[row] = foot.y;
      write(row, velocity, left - input_.dt, input_.memory_y[row]);
    }
  }

  void addTurns(std::span<const Group> groups) {
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      for (const std::uint32_t slot : groups[g].slots) {
        const std::uint32_t row = input_.neighbours.row()[slot];
        if (feet_.due[row]) feet_.turns.add({input_.memory_x[row], input_.crowd.person[row], slot, row, g});
      }
    feet_.turns.order();
  }

  template <class Visit>
  void lookAround(const Turn& turn, const Visit& visit) const {
    const Law& law = feet_.laws[turn.group];
    for_each_near_(input_.neighbours, input_.crowd, turn.slot, law.range, visit);
  }

  void decide(const Turn& turn) const {
    static thread_local Scratch scratch;
    const Law& law = feet_.laws[turn.group];
    const Walker walker = walkerOf(turn.slot);
    const std::uint32_t row = turn.row;
    const float strides = input_.memory_y[row];
    const float stride = std::min(kLongestStride, law.stride_base + law.stride_growth * walker.free_speed);
    look(law, turn, walker, stride, scratch);
    // People do not set out in step: somebody's first stride ends anywhere within its time.
    const double share = strides > 0 ? 1.0 : base::Random(input_.crowd.person[row], 1u << 30).uniform();
    float left = std::max(input_.memory_x[row], -input_.dt) + stride / walker.free_speed;
    // Who is alone walks exactly as preferred, whatever the length of steps.
    if (scratch.others.empty() && scratch.walls.empty()) {
      const Vec2 velocity = atMost(walker.preferred, walker.max_speed);
      place(row, velocity * (std::max(1.0f, stepsLeft(left, input_.dt)) * input_.dt));
      return write(row, velocity, left - input_.dt, strides);
    }
    const double turned = base::Random(input_.crowd.person[row], static_cast<std::uint64_t>(strides)).uniform();
    Vec2 offset = law.best(walker, stride, turned, scratch);
    if (share < 1) offset = offset * static_cast<float>(share), left *= static_cast<float>(share);
    // The stride ends at the end of a step.
    const float duration = std::max(1.0f, stepsLeft(left, input_.dt)) * input_.dt;
    const Vec2 velocity = atMost(offset / duration, walker.max_speed);
    place(row, velocity * duration);
    // 2^23: beyond, a float does not count on.
    write(row, velocity, left - input_.dt, strides < 8e6f ? strides + 1 : 0);
  }

 private:
  Walker walkerOf(std::uint32_t slot) const {
    const agents::NeighbourIndex& index = input_.neighbours;
    return walkerAt(input_, slot, {index.x()[slot], index.y()[slot]}, {index.vx()[slot], index.vy()[slot]});
  }

  void write(std::uint32_t row, Vec2 velocity, float time, float count) const {
    out_.vx[row] = velocity.x, out_.vy[row] = velocity.y;
    if (out_.memory_x) out_.memory_x[row] = time, out_.memory_y[row] = count;
  }

  void place(std::uint32_t row, Vec2 foot) const { feet_.after_x[row] = foot.x, feet_.after_y[row] = foot.y; }

  /// Whose feet and which walls matter to where the next stride leads.
  void look(const Law& law, const Turn& turn, const Walker& walker, float stride, Scratch& scratch) const {
    const agents::NeighbourIndex& index = input_.neighbours;
    scratch.others.clear();
    lookAround(turn, [&](std::uint32_t other) {
      const std::uint32_t other_row = index.row()[other];
      const Vec2 foot = Vec2{index.x()[other], index.y()[other]} + feet_.of(other_row, turn.row);
      const Vec2 apart = foot - walker.place;
      const float reach = stride + std::max(law.personal, law.intimate) + walker.radius + index.radius()[other];
      if (lengthSquared(apart) < reach * reach)
        scratch.others.push_back({apart, {index.vx()[other], index.vy()[other]}, index.radius()[other], other_row});
    });
    seeWalls(law, input_.floors[input_.crowd.layer[turn.row]].walls, walker, stride, scratch);
  }

  const StepInput& input_;
  VelocityOutput out_;
  const ForEach& for_each_near_;
  Feet& feet_;
};

/// People per piece of work, of those whose stride goes on and of those who decide.
constexpr std::size_t kPiece = 512, kDeciders = 8;

}  // namespace

std::span<const ModelParameter> optimalStepsParameters() { return kParameters; }

float optimalStepsRange(std::span<const float> parameters) { return Law::rangeOf(parameters); }

void steerOptimalStepsInTurn(const StepInput& input, std::span<const Group> groups, const base::Threads& threads,
                             VelocityOutput out) {
  // One per thread that runs a world, so that a warm step does not allocate; shared by its workers.
  static thread_local Feet of_this_thread;
  Feet& feet = of_this_thread;
  Step step(input, out, kByGrid, feet);
  step.begin(groups);
  for (const Group& group : groups)
    threads.forEach(group.slots.size(), kPiece,
                    [&](std::size_t begin, std::size_t end) { step.goOn(group.slots.subspan(begin, end - begin)); });
  step.addTurns(groups);
  feet.turns.cut([&](const Turn& turn, const auto& visit) {
    step.lookAround(turn, [&](std::uint32_t other) { visit(input.neighbours.row()[other]); });
  });
  for (std::size_t w = 0; w < feet.turns.waves(); ++w) {
    const auto wave = feet.turns.wave(w);
    threads.forEach(wave.size(), kDeciders, [&](std::size_t begin, std::size_t end) {
      for (const Turn& turn : wave.subspan(begin, end - begin)) step.decide(turn);
    });
  }
}

void steerOptimalStepsInTurnReference(const StepInput& input, std::span<const Group> groups, VelocityOutput out) {
  Feet feet;
  Step step(input, out, kOneByOne, feet);
  step.begin(groups);
  for (const Group& group : groups) step.goOn(group.slots);
  step.addTurns(groups);
  for (const Turn& turn : feet.turns.all()) step.decide(turn);
}

void steerOptimalSteps(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                       VelocityOutput out) {
  static const base::Threads here(1);
  const Group group{parameters, slots};
  steerOptimalStepsInTurn(input, {&group, 1}, here, out);
}

}  // namespace throng::steering
