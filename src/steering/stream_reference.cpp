// The slow twin of the Stream kernel, with its table of parameters.
#include <array>

#include "base/math.h"
#include "steering/stream.h"
#include "steering/stream_terms.h"

namespace throng::steering {
namespace {

constexpr std::array kParameters{
    ModelParameter{"field_of_view", "°", 180, 1, 360, "φ: people outside this angle around the heading are not seen."},
    ModelParameter{"look_ahead", "m", 1.5, 0.1, 20, "d_max: people farther away than this are not seen."},
    ModelParameter{"max_neighbours", "count", 5, 1, kStreamMostNeighbours,
                   "At most this many of those going the same way, the nearest, make the stream."},
    ModelParameter{"density_factor", "1", 3, 0, 100,
                   "The share of the field of view that people take up, times this, is the density ρ, at most 1."},
    ModelParameter{"internal_motivation", "1", 0, 0, 1,
                   "γ: the least incentive to walk on one's own; 1 for people who never give way to a stream."},
    ModelParameter{"deviation_angle", "°", 45, 1, 180,
                   "φ_min: a stream off by up to this is followed, one off by twice this is left."},
    ModelParameter{"time_spent", "1", 1, 0, 1, "How much being late counts, τ; 0: not at all."},
    ModelParameter{"density_delay", "1", 1, 0, 100,
                   "People expect to take longer than the free way by this times the density ρ."},
    ModelParameter{"least_speed", "m/s", 0.1, 0.001, 5, "Who moves slower than this is perceived as moving so fast."},
    ModelParameter{"side_preference", "°", 0, -90, 90,
                   "How far people turn to the right of those who come the other way, at most; below 0: to the left."},
    ModelParameter{"oncoming_distance", "m", 10, 0.1, 50, "People who come the other way are looked for so far ahead."},
    ModelParameter{"oncoming_width", "m", 2, 0.1, 20, "And on a way so wide."},
};

struct Seen {
  float distance_squared;
  std::uint32_t slot;
};

/// v_per(A,B): B's velocity, turned towards the line of sight by the share ρ·d of the angle between the two
/// (section 9.3.2.1), and made as long as the least speed at least.
Vec2 perceived(const StreamCoefficients& c, Vec2 velocity, Vec2 sight, float distance_squared, float density,
               float& speed) {
  const float share = density * (std::sqrt(distance_squared) * c.inverse_range);
  const Vec2 turned = streamTurned(velocity, share * streamTurn(velocity, sight));
  const float own = std::sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
  speed = own > c.least_speed ? own : c.least_speed;
  const float scale = speed / own;
  return {turned.x * scale, turned.y * scale};
}

class Person {
 public:
  Person(const StepInput& input, const StreamCoefficients& c, std::uint32_t slot)
      : input_(input), c_(c), slot_(slot), row_(input.neighbours.row()[slot]) {}

  Vec2 velocity(std::vector<Seen>& stream) const {
    const Vec2 own{input_.crowd.preferred_vx[row_], input_.crowd.preferred_vy[row_]};
    const float own_squared = own.x * own.x + own.y * own.y;
    if (!(own_squared > kStreamStanding * kStreamStanding)) return own;
    const Vec2 joined = joining(own, own_squared, stream);
    if (c_.side == 0) return joined;
    const float inverse = 1.0f / std::sqrt(own_squared);
    const float share = oncoming({own.x * inverse, own.y * inverse});
    return share > 0 ? streamTurned(joined, share * c_.side) : joined;
  }

 private:
  Vec2 joining(Vec2 own, float own_squared, std::vector<Seen>& stream) const {
    const float density = look(stream);
    if (stream.empty()) return own;

    // Eqs. 9.2 and 9.3.
    Vec2 sum{0, 0};
    float speeds = 0;
    for (const Seen& seen : stream) {
      float speed = 0;
      const Vec2 v = perceived(c_, {input_.neighbours.vx()[seen.slot], input_.neighbours.vy()[seen.slot]},
                               sight(seen.slot), seen.distance_squared, density, speed);
      sum.x += v.x, sum.y += v.y;
      speeds += speed;
    }
    const float length_squared = sum.x * sum.x + sum.y * sum.y;
    if (!(length_squared > kStreamCancelled)) return own;
    const float stream_speed = speeds / static_cast<float>(stream.size());
    const float inverse = 1.0f / std::sqrt(length_squared);
    const Vec2 direction{sum.x * inverse, sum.y * inverse};

    const float turn = streamTurn(direction, own);
    const float late = streamLateness(c_, input_.walking_time[row_], input_.expected_time[row_], density);
    const float incentive = streamIncentive(c_, std::abs(turn), density, late);
    if (incentive >= 1) return own;
    // Section 9.3.3.2: direction and length interpolated separately.
    const float speed = stream_speed + incentive * (std::sqrt(own_squared) - stream_speed);
    const Vec2 turned = streamTurned(direction, incentive * turn);
    return {turned.x * speed, turned.y * speed};
  }

  Vec2 sight(std::uint32_t slot) const {
    const agents::NeighbourIndex& index = input_.neighbours;
    return {index.x()[slot] - index.x()[slot_], index.y()[slot] - index.y()[slot_]};
  }

  /// ρ, Eq. 9.1, and N_5: the nearest of those seen who go the same way (β < π/2), the lower slot of two as near. In
  /// the order of slots.
  float look(std::vector<Seen>& stream) const {
    const agents::NeighbourIndex& index = input_.neighbours;
    const Vec2 heading{input_.crowd.heading_x[row_], input_.crowd.heading_y[row_]};
    const std::uint16_t zone = index.zone(input_.crowd, row_);
    float squares = 0;
    stream.clear();
    for (std::uint32_t slot = index.zoneBegin(zone); slot < index.zoneEnd(zone); ++slot) {
      if (index.row()[slot] == row_) continue;
      const Vec2 d = sight(slot);
      const float distance_squared = d.x * d.x + d.y * d.y;
      if (!(distance_squared < c_.range_squared && distance_squared > 0)) continue;
      if (!(heading.x * d.x + heading.y * d.y >= c_.cosine * std::sqrt(distance_squared))) continue;
      squares += index.radius()[slot] * index.radius()[slot];
      if (heading.x * index.vx()[slot] + heading.y * index.vy()[slot] > kStreamStanding)
        stream.push_back({distance_squared, slot});
    }
    std::stable_sort(stream.begin(), stream.end(),
                     [](const Seen& a, const Seen& b) { return a.distance_squared < b.distance_squared; });
    if (stream.size() > c_.max_neighbours) stream.resize(c_.max_neighbours);
    std::sort(stream.begin(), stream.end(), [](const Seen& a, const Seen& b) { return a.slot < b.slot; });
    const float density = c_.density * squares;
    return density < 1 ? density : 1.0f;
  }

  /// How much there is to turn to the side for on the way ahead, 0 to 1.
  float oncoming(Vec2 way) const {
    const agents::NeighbourIndex& index = input_.neighbours;
    const std::uint16_t zone = index.zone(input_.crowd, row_);
    float sum = 0;
    for (std::uint32_t slot = index.zoneBegin(zone); slot < index.zoneEnd(zone); ++slot) {
      const std::uint32_t other = index.row()[slot];
      if (other == row_) continue;
      const Vec2 d = sight(slot);
      const float ahead = way.x * d.x + way.y * d.y, aside = way.x * d.y - way.y * d.x;
      if (!(ahead > 0 && ahead < c_.oncoming && std::abs(aside) < c_.oncoming_aside)) continue;
      if (way.x * input_.crowd.heading_x[other] + way.y * input_.crowd.heading_y[other] < kStreamOncoming)
        sum += streamOncoming(c_, ahead);
    }
    return sum < 1 ? sum : 1.0f;
  }

  const StepInput& input_;
  const StreamCoefficients& c_;
  std::uint32_t slot_, row_;
};

}  // namespace

const ModelInfo& streamInfo() {
  static const ModelInfo info{
      "stream", "following streams of people",
      "van Goethem, Jaklin, Cook & Geraerts, On streams and incentives: a synthesis of individual and collective crowd "
      "motion, CASA 2015; Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, chapter 9",
      kParameters};
  return info;
}

float streamRange(std::span<const float> p) {
  if (p[kStreamSidePreference] == 0) return p[kStreamLookAhead];
  const float ahead = p[kStreamOncomingDistance], aside = 0.5f * p[kStreamOncomingWidth];
  return std::max(p[kStreamLookAhead], std::sqrt(ahead * ahead + aside * aside));
}

StreamCoefficients::StreamCoefficients(std::span<const float> p)
    : range(p[kStreamLookAhead]),
      range_squared(range * range),
      inverse_range(1.0f / range),
      motivation(p[kStreamInternalMotivation]),
      deviation_angle(p[kStreamDeviationAngle] * (kStreamPi / 180)),
      inverse_deviation(1.0f / deviation_angle),
      time_spent(p[kStreamTimeSpent]),
      delay(p[kStreamDensityDelay]),
      least_speed(p[kStreamLeastSpeed]),
      side(-p[kStreamSidePreference] * (kStreamPi / 180)),
      oncoming(p[kStreamOncomingDistance]),
      inverse_oncoming(1.0f / oncoming),
      oncoming_aside(0.5f * p[kStreamOncomingWidth]),
      max_neighbours(static_cast<std::size_t>(p[kStreamMaxNeighbours])) {
  const double view = p[kStreamFieldOfView] * (base::kPi / 180);
  double sine = 0, half = 0;
  base::sinCos(view / 2, sine, half);
  // A view of 180° ends exactly beside the person, and one of 360° sees all.
  cosine = std::abs(half) < 1e-7 ? 0.0f : half < -1 + 1e-7 ? -2.0f : static_cast<float>(half);
  density = static_cast<float>(p[kStreamDensityFactor] * base::kPi / (view / 2 * range * range));
}

void streamReference(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out) {
  const StreamCoefficients c(parameters);
  std::vector<Seen> stream;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    const Vec2 velocity = Person(input, c, slot).velocity(stream);
    out.vx[row] = velocity.x, out.vy[row] = velocity.y;
  }
}

}  // namespace throng::steering
