// The vector kernel of Stream: one person per lane; see steering/stream_reference.cpp for the same, plainly.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/stream.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <hwy/highway.h>
#include <limits>

#include "agents/nearest_batch-inl.h"
#include "steering/stream.h"
#include "steering/stream_terms.h"

HWY_BEFORE_NAMESPACE();
namespace throng::steering::streams::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace nearest = agents::HWY_NAMESPACE;
using agents::NeighbourIndex;

using FloatTag = hn::ScalableTag<float>;
using UintTag = hn::ScalableTag<std::uint32_t>;
using Floats = hn::Vec<FloatTag>;
using Uints = hn::Vec<UintTag>;
using Mask = hn::Mask<FloatTag>;

struct Vec2s {
  Floats x, y;
};

HWY_INLINE Floats all(float value) { return hn::Set(FloatTag(), value); }
HWY_INLINE Floats dot(Vec2s a, Vec2s b) { return hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)); }
HWY_INLINE Floats gather(std::span<const float> column, Uints at) {
  return hn::GatherIndex(FloatTag(), column.data(), hn::BitCast(hn::ScalableTag<std::int32_t>(), at));
}

// stream_terms.h in vectors.
template <std::size_t kCount>
HWY_INLINE Floats polynomial(const float (&coefficients)[kCount], Floats x) {
  Floats sum = all(coefficients[0]);
#pragma GCC unroll 16
  for (std::size_t i = 1; i < kCount; ++i) sum = hn::Add(hn::Mul(sum, x), all(coefficients[i]));
  return sum;
}

HWY_INLINE Floats angleOf(Floats x, Floats y) {
  const Floats zero = hn::Zero(FloatTag());
  const Floats ax = hn::Abs(x), ay = hn::Abs(y);
  const Mask steep = hn::Lt(ax, ay);
  const Floats small = hn::IfThenElse(steep, ax, ay), large = hn::IfThenElse(steep, ay, ax);
  const Floats a = hn::Div(small, hn::Max(large, all(kStreamTiny)));
  Floats angle = hn::Mul(a, polynomial(kStreamArctan, hn::Mul(a, a)));
  angle = hn::IfThenElse(steep, hn::Sub(all(kStreamHalfPi), angle), angle);
  angle = hn::IfThenElse(hn::Lt(x, zero), hn::Sub(all(kStreamPi), angle), angle);
  return hn::IfThenElse(hn::Lt(y, zero), hn::Neg(angle), angle);
}

HWY_INLINE Floats turnBetween(Vec2s from, Vec2s to) {
  return angleOf(dot(from, to), hn::Sub(hn::Mul(from.x, to.y), hn::Mul(from.y, to.x)));
}

HWY_INLINE Vec2s turned(Vec2s v, Floats angle) {
  const Floats half = hn::Mul(all(0.5f), angle), squared = hn::Mul(half, half);
  const Floats s = hn::Mul(half, polynomial(kStreamSine, squared)), c = polynomial(kStreamCosine, squared);
  const Floats sine = hn::Mul(hn::Mul(all(2.0f), s), c), cosine = hn::Sub(hn::Mul(c, c), hn::Mul(s, s));
  return {hn::Sub(hn::Mul(v.x, cosine), hn::Mul(v.y, sine)), hn::Add(hn::Mul(v.x, sine), hn::Mul(v.y, cosine))};
}

HWY_INLINE Floats clamped(Floats value) {
  const Floats positive = hn::IfThenElseZero(hn::Gt(value, hn::Zero(FloatTag())), value);
  return hn::IfThenElse(hn::Lt(positive, all(1.0f)), positive, all(1.0f));
}

// The people in the lanes; a batch of fewer people than lanes repeats the last.
struct Lanes {
  std::size_t people;
  std::uint16_t zone;
  HWY_ALIGN std::uint32_t slot[hn::MaxLanes(FloatTag())], row[hn::MaxLanes(FloatTag())];
  Vec2s position, heading, own;
};

HWY_INLINE void load(const StepInput& input, std::span<const std::uint32_t> slots, std::size_t people, Lanes& lanes) {
  const UintTag du;
  const agents::Crowd& crowd = input.crowd;
  const NeighbourIndex& index = input.neighbours;
  lanes.people = people;
  for (std::size_t lane = 0; lane < hn::Lanes(du); ++lane) {
    lanes.slot[lane] = slots[std::min(lane, people - 1)];
    lanes.row[lane] = index.row()[lanes.slot[lane]];
  }
  const Uints slot = hn::Load(du, lanes.slot), row = hn::Load(du, lanes.row);
  lanes.position = {gather(index.x(), slot), gather(index.y(), slot)};
  lanes.heading = {gather(crowd.heading_x, row), gather(crowd.heading_y, row)};
  lanes.own = {gather(crowd.preferred_vx, row), gather(crowd.preferred_vy, row)};
}

/// Slots that are looked at together.
constexpr std::uint32_t kCandidates = 64;

/// Of slots [begin, end), at most kCandidates, those nearer to some lane than the look-ahead distance, in order.
/// Without branches: the processor need not guess which are.
HWY_INLINE std::size_t keepNear(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes,
                                std::uint32_t begin, std::uint32_t end, std::uint32_t* near) {
  const FloatTag d;
  const float *xs = index.x().data(), *ys = index.y().data();
  const Floats range_squared = all(c.range_squared);
  std::size_t count = 0;
  for (std::uint32_t s = begin; s < end; ++s) {
    const Vec2s sight{hn::Sub(all(xs[s]), lanes.position.x), hn::Sub(all(ys[s]), lanes.position.y)};
    near[count] = s;
    count += hn::AllFalse(d, hn::Lt(dot(sight, sight), range_squared)) ? 0 : 1;
  }
  return count;
}

/// What the lanes see: the squared radii of all in their fields of view, and a list of those who go the same way.
template <class List>
struct View {
  List list;
  Floats squares;
  nearest::Keys waiting[nearest::kTogether];  ///< entries are put into the list several at a time
  std::size_t count = 0;

  HWY_INLINE explicit View(const StreamCoefficients& c) : squares(hn::Zero(FloatTag())) {
    list.fill(nearest::makeKeys(all(c.range_squared), 0));
  }
  HWY_INLINE void look(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes, std::uint32_t s) {
    const FloatTag d;
    const UintTag du;
    const Vec2s sight{hn::Sub(all(index.x()[s]), lanes.position.x), hn::Sub(all(index.y()[s]), lanes.position.y)};
    const Floats distance_squared = dot(sight, sight);
    Floats beside = hn::Zero(d);
    if (c.cosine != 0) beside = hn::Mul(all(c.cosine), hn::Sqrt(distance_squared));
    const Mask in_view =
        hn::And(hn::Lt(distance_squared, all(c.range_squared)), hn::Ge(dot(lanes.heading, sight), beside));
    const Mask oneself = hn::RebindMask(d, hn::Eq(hn::Load(du, lanes.row), hn::Set(du, index.row()[s])));
    const Mask seen = hn::AndNot(oneself, in_view);
    const float radius = index.radius()[s], vx = index.vx()[s], vy = index.vy()[s];
    squares = hn::Add(squares, hn::IfThenElseZero(seen, all(radius * radius)));
    const Mask same_way = hn::And(seen, hn::Gt(dot(lanes.heading, {all(vx), all(vy)}), hn::Zero(d)));
    if (!(vx * vx + vy * vy > kStreamStanding) || hn::AllFalse(d, same_way)) return;
    add(nearest::makeKeys(hn::IfThenElse(same_way, distance_squared, all(kNever)), s));
  }
  HWY_INLINE void finish() {
    while (count > 0) add(nearest::makeKeys(all(kNever), 0));
  }

 private:
  static constexpr float kNever = std::numeric_limits<float>::infinity();

  HWY_INLINE void add(nearest::Keys keys) {
    waiting[count++] = keys;
    if (count < nearest::kTogether) return;
    list.insert(waiting[0], waiting[1], waiting[2], waiting[3]);
    count = 0;
  }
};

/// Everybody within the look-ahead distance of some lane, in the order of slots.
template <class List>
HWY_INLINE void lookAround(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes,
                           View<List>& view) {
  const FloatTag d;
  const float min_x = hn::GetLane(hn::MinOfLanes(d, lanes.position.x));
  const float max_x = hn::GetLane(hn::MaxOfLanes(d, lanes.position.x));
  const float min_y = hn::GetLane(hn::MinOfLanes(d, lanes.position.y));
  const float max_y = hn::GetLane(hn::MaxOfLanes(d, lanes.position.y));
  // Room for the rounding of a place plus or minus a distance.
  const float reach =
      c.range * 1.0001f + 2.4e-7f * (std::abs(min_x) + std::abs(max_x) + std::abs(min_y) + std::abs(max_y));
  const NeighbourIndex::Grid& grid = index.grid(lanes.zone);
  const int first = NeighbourIndex::column(grid, min_x - reach), last = NeighbourIndex::column(grid, max_x + reach);
  const int top = NeighbourIndex::gridRow(grid, max_y + reach);
  std::uint32_t near[kCandidates];
  for (int r = NeighbourIndex::gridRow(grid, min_y - reach); r <= top; ++r) {
    const std::uint32_t* start =
        index.cellStart().data() + grid.first_cell + static_cast<std::ptrdiff_t>(r) * grid.columns;
    const std::uint32_t end = start[last + 1];
    for (std::uint32_t begin = start[first]; begin < end; begin += kCandidates) {
      const std::uint32_t stop = begin + std::min(end - begin, kCandidates);
      const std::size_t count = keepNear(index, c, lanes, begin, stop, near);
      for (std::size_t i = 0; i < count; ++i) view.look(index, c, lanes, near[i]);
    }
  }
  view.finish();
}

/// Sums over the perceived velocities of the lanes' neighbours.
struct Sums {
  Vec2s velocity;
  Floats speed, count;
};

template <class List>
HWY_INLINE Sums perceive(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes, const List& list,
                         Floats density) {
  const FloatTag d;
  const UintTag du;
  const Floats zero = hn::Zero(d), range_squared = all(c.range_squared);
  Sums sums{{zero, zero}, zero, zero};
  for (std::size_t i = 0; i < c.max_neighbours; ++i) {
    const nearest::Keys keys = list.at(i);
    const Floats distance_squared = nearest::distanceOf(keys);
    const Mask there = hn::Lt(distance_squared, range_squared);
    if (hn::AllFalse(d, there)) break;
    const Uints slot = hn::IfThenElse(hn::RebindMask(du, there), nearest::slotOf(keys), hn::Load(du, lanes.slot));
    const Vec2s velocity{gather(index.vx(), slot), gather(index.vy(), slot)};
    const Vec2s sight{hn::Sub(gather(index.x(), slot), lanes.position.x),
                      hn::Sub(gather(index.y(), slot), lanes.position.y)};
    const Floats share = hn::Mul(density, hn::Mul(hn::Sqrt(distance_squared), all(c.inverse_range)));
    const Vec2s turned_velocity = turned(velocity, hn::Mul(share, turnBetween(velocity, sight)));
    const Floats own = hn::Sqrt(dot(velocity, velocity));
    const Floats speed = hn::IfThenElse(hn::Gt(own, all(c.least_speed)), own, all(c.least_speed));
    const Floats scale = hn::Div(speed, own);
    sums.velocity.x = hn::Add(sums.velocity.x, hn::IfThenElseZero(there, hn::Mul(turned_velocity.x, scale)));
    sums.velocity.y = hn::Add(sums.velocity.y, hn::IfThenElseZero(there, hn::Mul(turned_velocity.y, scale)));
    sums.speed = hn::Add(sums.speed, hn::IfThenElseZero(there, speed));
    sums.count = hn::Add(sums.count, hn::IfThenElseZero(there, all(1.0f)));
  }
  return sums;
}

HWY_INLINE Floats lateness(const agents::Crowd& crowd, const StreamCoefficients& c, Uints row, Floats density) {
  const Floats spent = gather(crowd.walking_time, row), expected = gather(crowd.expected_time, row);
  const Floats allowed = hn::Mul(expected, hn::Add(all(1.0f), hn::Mul(all(c.delay), density)));
  const Floats late = clamped(hn::Div(hn::Sub(spent, allowed), hn::Max(allowed, all(kStreamTiny))));
  return hn::IfThenElseZero(hn::Gt(expected, hn::Zero(FloatTag())), hn::Mul(all(c.time_spent), late));
}

HWY_INLINE Floats incentive(const StreamCoefficients& c, Floats deviation, Floats density, Floats late) {
  const Floats leaving = clamped(hn::Mul(hn::Sub(deviation, all(c.deviation_angle)), all(c.inverse_deviation)));
  const Floats free = hn::Sub(all(1.0f), density);
  const Floats most = hn::Max(hn::Max(leaving, hn::Mul(hn::Mul(free, free), free)), late);
  return hn::Add(all(c.motivation), hn::Mul(all(1.0f - c.motivation), most));
}

template <class List>
HWY_INLINE void streamBatch(const StepInput& input, const StreamCoefficients& c, const Lanes& lanes,
                            VelocityOutput out) {
  const FloatTag d;
  const Floats own_squared = dot(lanes.own, lanes.own);
  Vec2s result = lanes.own;
  View<List> view(c);
  lookAround(input.neighbours, c, lanes, view);
  const Floats product = hn::Mul(all(c.density), view.squares);
  const Floats density = hn::IfThenElse(hn::Lt(product, all(1.0f)), product, all(1.0f));
  const Sums sums = perceive(input.neighbours, c, lanes, view.list, density);
  const Floats length_squared = dot(sums.velocity, sums.velocity);
  const Mask has_stream =
      hn::And(hn::Gt(own_squared, all(kStreamStanding)), hn::Gt(length_squared, all(kStreamCancelled)));
  if (!hn::AllFalse(d, has_stream)) {
    const Floats stream_speed = hn::Div(sums.speed, sums.count);
    const Floats inverse = hn::Div(all(1.0f), hn::Sqrt(length_squared));
    const Vec2s direction{hn::Mul(sums.velocity.x, inverse), hn::Mul(sums.velocity.y, inverse)};
    const Floats turn = turnBetween(direction, lanes.own);
    const Floats late = lateness(input.crowd, c, hn::Load(UintTag(), lanes.row), density);
    const Floats lambda = incentive(c, hn::Abs(turn), density, late);
    const Floats speed = hn::Add(stream_speed, hn::Mul(lambda, hn::Sub(hn::Sqrt(own_squared), stream_speed)));
    const Vec2s way = turned(direction, hn::Mul(lambda, turn));
    const Mask joins = hn::And(has_stream, hn::Lt(lambda, all(1.0f)));
    result = {hn::IfThenElse(joins, hn::Mul(way.x, speed), lanes.own.x),
              hn::IfThenElse(joins, hn::Mul(way.y, speed), lanes.own.y)};
  }
  HWY_ALIGN float x[hn::MaxLanes(d)], y[hn::MaxLanes(d)];
  hn::Store(result.x, d, x);
  hn::Store(result.y, d, y);
  for (std::size_t lane = 0; lane < lanes.people; ++lane) {
    out.vx[lanes.row[lane]] = x[lane];
    out.vy[lanes.row[lane]] = y[lane];
  }
}

void streamLanes(const StepInput& input, const StreamCoefficients& c, std::span<const std::uint32_t> slots,
                 VelocityOutput out) {
  Lanes lanes;
  while (!slots.empty()) {
    lanes.zone = input.neighbours.zone(input.crowd, input.neighbours.row()[slots[0]]);
    const std::size_t people = input.neighbours.batch(slots, lanes.zone, hn::Lanes(FloatTag()));
    load(input, slots, people, lanes);
    if (c.max_neighbours <= 6) {
      streamBatch<nearest::ShortList<6>>(input, c, lanes, out);
    } else {
      streamBatch<nearest::ShortList<10>>(input, c, lanes, out);
    }
    slots = slots.subspan(people);
  }
}

}  // namespace throng::steering::streams::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace throng::steering {
namespace streams {
HWY_EXPORT(streamLanes);
}

void stream(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
            VelocityOutput out) {
  using namespace streams;
  HWY_DYNAMIC_DISPATCH(streamLanes)(input, StreamCoefficients(parameters), slots, out);
}

}  // namespace throng::steering
#endif
