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
#include "base/column.h"
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
HWY_INLINE Floats gather(const float* column, Uints at) {
  return hn::GatherIndex(FloatTag(), column, hn::BitCast(hn::ScalableTag<std::int32_t>(), at));
}
HWY_INLINE Floats gather(std::span<const float> column, Uints at) { return gather(column.data(), at); }

// stream_terms.h in vectors.
template <std::size_t kCount>
HWY_INLINE Floats polynomial(const float (&coefficients)[kCount], Floats x) {
  const Floats squared = hn::Mul(x, x);
  Floats even = all(coefficients[(kCount - 1) % 2]), odd = all(coefficients[kCount % 2]);
#pragma GCC unroll 8
  for (std::size_t i = (kCount - 1) % 2 + 2; i < kCount; i += 2)
    even = hn::Add(hn::Mul(even, squared), all(coefficients[i]));
#pragma GCC unroll 8
  for (std::size_t i = kCount % 2 + 2; i < kCount; i += 2) odd = hn::Add(hn::Mul(odd, squared), all(coefficients[i]));
  return hn::Add(hn::Mul(odd, x), even);
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
  if (HWY_UNLIKELY(people < hn::Lanes(du)))
    for (std::size_t lane = 0; lane < hn::Lanes(du); ++lane) lanes.slot[lane] = slots[std::min(lane, people - 1)];
  const Uints slot = people < hn::Lanes(du) ? hn::Load(du, lanes.slot) : hn::LoadU(du, slots.data());
  const Uints row = hn::GatherIndex(du, index.row().data(), hn::BitCast(hn::ScalableTag<std::int32_t>(), slot));
  hn::Store(slot, du, lanes.slot);
  hn::Store(row, du, lanes.row);
  lanes.position = {gather(index.x(), slot), gather(index.y(), slot)};
  lanes.heading = {gather(crowd.heading_x, row), gather(crowd.heading_y, row)};
  lanes.own = {gather(crowd.preferred_vx, row), gather(crowd.preferred_vy, row)};
}

/// What one thread keeps between calls, so that a warm kernel does not allocate.
struct Scratch {
  /// Pairs of a lane and a slot: whom the lane sees going its way.
  base::Column<std::uint32_t> lane, slot;
  /// Somebody of the last batch saw as many as they look at. Then the next batch probably does, too.
  bool crowded = false;

  HWY_INLINE void reserve(std::size_t pairs) {
    if (HWY_LIKELY(pairs <= lane.size())) return;
    lane.resize(2 * pairs), slot.resize(2 * pairs);
  }
};

struct Box {
  float min_x, min_y, max_x, max_y;
};

/// Around the places of all lanes, and those in `to`, and a margin.
HWY_INLINE Box boxAround(const Lanes& lanes, Vec2s to, float margin) {
  const FloatTag d;
  const Box box{hn::GetLane(hn::MinOfLanes(d, hn::Min(lanes.position.x, to.x))),
                hn::GetLane(hn::MinOfLanes(d, hn::Min(lanes.position.y, to.y))),
                hn::GetLane(hn::MaxOfLanes(d, hn::Max(lanes.position.x, to.x))),
                hn::GetLane(hn::MaxOfLanes(d, hn::Max(lanes.position.y, to.y)))};
  // Room for the rounding of a place plus or minus a distance.
  const float reach = margin * 1.0001f +
                      4.8e-7f * (std::abs(box.min_x) + std::abs(box.max_x) + std::abs(box.min_y) + std::abs(box.max_y));
  return {box.min_x - reach, box.min_y - reach, box.max_x + reach, box.max_y + reach};
}

/// Slots that are looked at together.
constexpr std::uint32_t kCandidates = 64;

/// Of slots [begin, end), at most kCandidates, those in the box, in order.
HWY_INLINE std::size_t keepInside(const NeighbourIndex& index, const Box& box, std::uint32_t begin, std::uint32_t end,
                                  std::uint32_t* inside) {
  const FloatTag d;
  const UintTag du;
  const Floats min_x = all(box.min_x), min_y = all(box.min_y), max_x = all(box.max_x), max_y = all(box.max_y);
  std::size_t count = 0;
  for (std::uint32_t s = begin; s < end; s += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const Floats x = hn::LoadU(d, index.x().data() + s), y = hn::LoadU(d, index.y().data() + s);
    const Mask in = hn::And(hn::And(hn::Ge(x, min_x), hn::Le(x, max_x)), hn::And(hn::Ge(y, min_y), hn::Le(y, max_y)));
    const auto kept = hn::And(hn::RebindMask(du, in), hn::FirstN(du, end - s));
    hn::StoreU(hn::Compress(hn::Iota(du, s), kept), du, inside + count);
    count += hn::CountTrue(du, kept);
  }
  return count;
}

/// look(slots, count) for everybody in the box, in the order of slots.
template <class Look>
HWY_INLINE void lookInside(const NeighbourIndex& index, std::uint16_t zone, const Box& box, Look& look) {
  const NeighbourIndex::Grid& grid = index.grid(zone);
  const int first = NeighbourIndex::column(grid, box.min_x), last = NeighbourIndex::column(grid, box.max_x);
  const int top = NeighbourIndex::gridRow(grid, box.max_y);
  std::uint32_t inside[kCandidates + hn::MaxLanes(FloatTag())];
  for (int r = NeighbourIndex::gridRow(grid, box.min_y); r <= top; ++r) {
    const std::uint32_t* start =
        index.cellStart().data() + grid.first_cell + static_cast<std::ptrdiff_t>(r) * grid.columns;
    const std::uint32_t end = start[last + 1];
    for (std::uint32_t begin = start[first]; begin < end; begin += kCandidates) {
      const std::size_t count = keepInside(index, box, begin, begin + std::min(end - begin, kCandidates), inside);
      look(inside, count);
    }
  }
}

/// Who of those in sight of the lanes is in their fields of view, and who of these goes their way.
struct Look {
  const NeighbourIndex& index;
  Vec2s position, heading;
  Uints row;
  Floats range_squared, cosine;
  bool half_circle, own_ghosts;

  HWY_INLINE Look(const NeighbourIndex& i, const StreamCoefficients& c, const Lanes& lanes)
      : index(i),
        position(lanes.position),
        heading(lanes.heading),
        row(hn::Load(UintTag(), lanes.row)),
        range_squared(all(c.range_squared)),
        cosine(all(c.cosine)),
        half_circle(c.cosine == 0),
        own_ghosts(i.grid(lanes.zone).own_ghosts) {}

  HWY_INLINE Mask seen(std::uint32_t s, Floats& distance_squared) const {
    const FloatTag d;
    // From them to the lanes, the line of sight backwards.
    const Vec2s back{hn::Sub(position.x, all(index.x()[s])), hn::Sub(position.y, all(index.y()[s]))};
    distance_squared = dot(back, back);
    Floats beside = hn::Zero(d);
    if (!half_circle) beside = hn::Neg(hn::Mul(cosine, hn::Sqrt(distance_squared)));
    Mask seen = hn::And(hn::Lt(distance_squared, range_squared), hn::Gt(distance_squared, hn::Zero(d)));
    seen = hn::And(seen, hn::Le(dot(heading, back), beside));
    if (own_ghosts) seen = hn::AndNot(hn::RebindMask(d, hn::Eq(row, hn::Set(UintTag(), index.row()[s]))), seen);
    return seen;
  }
  HWY_INLINE Mask sameWay(std::uint32_t s) const {
    return hn::Gt(dot(heading, {all(index.vx()[s]), all(index.vy()[s])}), all(kStreamStanding));
  }
  HWY_INLINE Floats square(std::uint32_t s, Mask seen) const {
    const float radius = index.radius()[s];
    return hn::IfThenElseZero(seen, all(radius * radius));
  }
};

/// What the lanes see: the squared radii of all in their fields of view, and the pairs with those who go the same way.
/// Where there is room, few lanes see the same person, so the pairs are far fewer than lanes times people. Without
/// branches: the processor need not guess who is seen.
struct PairView {
  const Look look;
  Scratch& scratch;
  Floats squares;
  std::size_t pairs = 0;

  HWY_INLINE PairView(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes, Scratch& s)
      : look(index, c, lanes), scratch(s), squares(hn::Zero(FloatTag())) {}

  HWY_INLINE void operator()(const std::uint32_t* slots, std::size_t count) {
    const UintTag du;
    scratch.reserve(pairs + (count + 1) * hn::Lanes(du));
    std::uint32_t *HWY_RESTRICT lane = scratch.lane.data(), *HWY_RESTRICT slot = scratch.slot.data();
    const Look local = look;
    const Uints iota = hn::Iota(du, 0);
    Floats sum = squares;
    std::size_t end = pairs;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t s = slots[i];
      Floats distance_squared;
      const Mask seen = local.seen(s, distance_squared);
      sum = hn::Add(sum, local.square(s, seen));
      const auto same_way = hn::RebindMask(du, hn::And(seen, local.sameWay(s)));
      hn::StoreU(hn::Set(du, s), du, slot + end);
      hn::StoreU(hn::Compress(iota, same_way), du, lane + end);
      end += hn::CountTrue(du, same_way);
    }
    squares = sum, pairs = end;
  }
};

/// The same in a crowd, where everybody sees many: lists of each lane's nearest, in vectors.
template <class List>
struct ListView {
  const Look look;
  List list;
  Floats squares;
  nearest::Keys waiting[nearest::kTogether];  ///< entries are put into the list several at a time
  std::size_t waits = 0;

  HWY_INLINE ListView(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes)
      : look(index, c, lanes), squares(hn::Zero(FloatTag())) {
    list.fill(nearest::makeKeys(all(c.range_squared), 0));
  }

  HWY_INLINE void operator()(const std::uint32_t* slots, std::size_t count) {
    const FloatTag d;
    const Look local = look;
    Floats sum = squares;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t s = slots[i];
      Floats distance_squared;
      const Mask seen = local.seen(s, distance_squared);
      if (hn::AllFalse(d, seen)) continue;
      sum = hn::Add(sum, local.square(s, seen));
      const Mask same_way = hn::And(seen, local.sameWay(s));
      if (hn::AllFalse(d, same_way)) continue;
      add(nearest::makeKeys(hn::IfThenElse(same_way, distance_squared, all(kNever)), s));
    }
    squares = sum;
  }
  HWY_INLINE void finish() {
    while (waits > 0) add(nearest::makeKeys(all(kNever), 0));
  }

 private:
  static constexpr float kNever = std::numeric_limits<float>::infinity();

  HWY_INLINE void add(nearest::Keys keys) {
    waiting[waits++] = keys;
    if (waits < nearest::kTogether) return;
    list.insert(waiting[0], waiting[1], waiting[2], waiting[3]);
    waits = 0;
  }
};

/// v_per of one neighbour each: `position` of who looks, `slot` of whom they see.
struct Perceived {
  Vec2s velocity;
  Floats speed;
};
HWY_INLINE Perceived perceived(const NeighbourIndex& index, const StreamCoefficients& c, Vec2s position, Floats density,
                               Uints slot) {
  const Vec2s velocity{gather(index.vx(), slot), gather(index.vy(), slot)};
  const Vec2s sight{hn::Sub(gather(index.x(), slot), position.x), hn::Sub(gather(index.y(), slot), position.y)};
  const Floats share = hn::Mul(density, hn::Mul(hn::Sqrt(dot(sight, sight)), all(c.inverse_range)));
  const Vec2s turned_velocity = turned(velocity, hn::Mul(share, turnBetween(velocity, sight)));
  const Floats own = hn::Sqrt(dot(velocity, velocity));
  const Floats speed = hn::IfThenElse(hn::Gt(own, all(c.least_speed)), own, all(c.least_speed));
  const Floats scale = hn::Div(speed, own);
  return {{hn::Mul(turned_velocity.x, scale), hn::Mul(turned_velocity.y, scale)}, speed};
}

/// ρ, and sums over the perceived velocities of the lanes' neighbours, each in the order of slots.
struct Stream {
  Floats density;
  Vec2s velocity;
  Floats speed, count;
};

HWY_INLINE Floats densityOf(const StreamCoefficients& c, Floats squares) {
  const Floats product = hn::Mul(all(c.density), squares);
  return hn::IfThenElse(hn::Lt(product, all(1.0f)), product, all(1.0f));
}

/// One pair after the other, a vector of them at a time. False where a lane sees more than it looks at: then the lists
/// know.
HWY_INLINE bool perceivePairs(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes,
                              Scratch& scratch, Stream& stream) {
  const FloatTag d;
  const UintTag du;
  PairView view(index, c, lanes, scratch);
  lookInside(index, lanes.zone, boxAround(lanes, lanes.position, c.range), view);
  const std::size_t pairs = view.pairs;
  HWY_ALIGN float x[hn::MaxLanes(d)], y[hn::MaxLanes(d)], speed[hn::MaxLanes(d)];
  HWY_ALIGN float sum_x[hn::MaxLanes(d)] = {}, sum_y[hn::MaxLanes(d)] = {}, sum_speed[hn::MaxLanes(d)] = {};
  HWY_ALIGN float count[hn::MaxLanes(d)] = {};
  for (std::size_t i = 0; i < pairs; ++i) count[scratch.lane[i]] += 1.0f;
  stream.count = hn::Load(d, count);
  stream.density = densityOf(c, view.squares);
  if (!hn::AllFalse(d, hn::Gt(stream.count, all(static_cast<float>(c.max_neighbours))))) return false;
  // The last vector is filled up with anybody.
  scratch.reserve(pairs + hn::Lanes(d));
  hn::StoreU(hn::Zero(du), du, scratch.lane.data() + pairs);
  hn::StoreU(hn::Set(du, lanes.slot[0]), du, scratch.slot.data() + pairs);
  for (std::size_t i = 0; i < pairs; i += hn::Lanes(d)) {
    const auto lane = hn::IndicesFromVec(d, hn::LoadU(du, scratch.lane.data() + i));
    const Vec2s position{hn::TableLookupLanes(lanes.position.x, lane), hn::TableLookupLanes(lanes.position.y, lane)};
    const Perceived seen = perceived(index, c, position, hn::TableLookupLanes(stream.density, lane),
                                     hn::LoadU(du, scratch.slot.data() + i));
    hn::Store(seen.velocity.x, d, x);
    hn::Store(seen.velocity.y, d, y);
    hn::Store(seen.speed, d, speed);
    const std::size_t together = std::min(hn::Lanes(d), pairs - i);
    for (std::size_t k = 0; k < together; ++k) {
      const std::uint32_t to = scratch.lane[i + k];
      sum_x[to] += x[k], sum_y[to] += y[k], sum_speed[to] += speed[k];
    }
  }
  stream.velocity = {hn::Load(d, sum_x), hn::Load(d, sum_y)};
  stream.speed = hn::Load(d, sum_speed);
  return true;
}

/// One neighbour of each lane after the other.
template <class List>
HWY_NOINLINE void perceiveLists(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes,
                                Scratch& scratch, Stream& stream) {
  const FloatTag d;
  const UintTag du;
  ListView<List> view(index, c, lanes);
  lookInside(index, lanes.zone, boxAround(lanes, lanes.position, c.range), view);
  view.finish();
  // Nearest first; then by slot, nobody last.
  HWY_ALIGN std::uint32_t slots[kStreamMostNeighbours * hn::MaxLanes(du)];
  const Uints nobody = hn::Set(du, NeighbourIndex::kNobody);
  std::size_t most = 0;
  for (; most < c.max_neighbours; ++most) {
    const nearest::Keys keys = view.list.at(most);
    const Mask there = hn::Lt(nearest::distanceOf(keys), all(c.range_squared));
    if (hn::AllFalse(d, there)) break;
    Uints slot = hn::IfThenElse(hn::RebindMask(du, there), nearest::slotOf(keys), nobody);
    for (std::size_t i = 0; i < most; ++i) {
      const Uints other = hn::Load(du, slots + i * hn::Lanes(du));
      hn::Store(hn::Min(slot, other), du, slots + i * hn::Lanes(du));
      slot = hn::Max(slot, other);
    }
    hn::Store(slot, du, slots + most * hn::Lanes(du));
  }
  scratch.crowded = most == c.max_neighbours;
  const Floats zero = hn::Zero(d);
  stream = {densityOf(c, view.squares), {zero, zero}, zero, zero};
  for (std::size_t i = 0; i < most; ++i) {
    const Uints slot = hn::Load(du, slots + i * hn::Lanes(du));
    const auto here = hn::Ne(slot, nobody);
    const Mask there = hn::RebindMask(d, here);
    const Perceived seen =
        perceived(index, c, lanes.position, stream.density, hn::IfThenElse(here, slot, hn::Load(du, lanes.slot)));
    stream.velocity.x = hn::Add(stream.velocity.x, hn::IfThenElseZero(there, seen.velocity.x));
    stream.velocity.y = hn::Add(stream.velocity.y, hn::IfThenElseZero(there, seen.velocity.y));
    stream.speed = hn::Add(stream.speed, hn::IfThenElseZero(there, seen.speed));
    stream.count = hn::Add(stream.count, hn::IfThenElseZero(there, all(1.0f)));
  }
}

HWY_INLINE void perceive(const NeighbourIndex& index, const StreamCoefficients& c, const Lanes& lanes, Scratch& scratch,
                         Stream& stream) {
  if (!scratch.crowded && perceivePairs(index, c, lanes, scratch, stream)) return;
  if (c.max_neighbours <= 6) {
    perceiveLists<nearest::ShortList<6>>(index, c, lanes, scratch, stream);
  } else {
    perceiveLists<nearest::ShortList<kStreamMostNeighbours>>(index, c, lanes, scratch, stream);
  }
}

/// Who comes the other way on the lanes' ways ahead.
struct Oncoming {
  const StepInput& input;
  const StreamCoefficients& c;
  const Lanes& lanes;
  Vec2s way;
  Floats sum;

  HWY_INLINE void operator()(const std::uint32_t* slots, std::size_t count) {
    const FloatTag d;
    const UintTag du;
    const NeighbourIndex& index = input.neighbours;
    const float *xs = index.x().data(), *ys = index.y().data();
    const float *heading_x = input.crowd.heading_x.data(), *heading_y = input.crowd.heading_y.data();
    const Vec2s position = lanes.position, ahead_of = way;
    const Uints row = hn::Load(du, lanes.row);
    const Floats farthest = all(c.oncoming), inverse = all(c.inverse_oncoming), widest = all(c.oncoming_aside);
    Floats so_far = sum;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec2s sight{hn::Sub(all(xs[slots[i]]), position.x), hn::Sub(all(ys[slots[i]]), position.y)};
      const Floats ahead = dot(ahead_of, sight);
      const Floats aside = hn::Sub(hn::Mul(ahead_of.x, sight.y), hn::Mul(ahead_of.y, sight.x));
      const Mask on_way =
          hn::And(hn::And(hn::Gt(ahead, hn::Zero(d)), hn::Lt(ahead, farthest)), hn::Lt(hn::Abs(aside), widest));
      const std::uint32_t other = index.row()[slots[i]];
      const Floats against = dot(ahead_of, {all(heading_x[other]), all(heading_y[other])});
      const Mask oneself = hn::RebindMask(d, hn::Eq(row, hn::Set(du, other)));
      const Mask comes = hn::AndNot(oneself, hn::And(on_way, hn::Lt(against, all(kStreamOncoming))));
      const Floats weight = hn::Sub(all(1.0f), hn::Mul(ahead, inverse));
      so_far = hn::Add(so_far, hn::IfThenElseZero(comes, weight));
    }
    sum = so_far;
  }
};

/// The side preference: `velocity`, turned away from who comes the other way.
HWY_NOINLINE Vec2s turnedAside(const StepInput& input, const StreamCoefficients& c, const Lanes& lanes,
                               Vec2s velocity) {
  const FloatTag d;
  const Floats own_squared = dot(lanes.own, lanes.own);
  const Mask walks = hn::Gt(own_squared, all(kStreamStanding * kStreamStanding));
  const Floats inverse = hn::IfThenElseZero(walks, hn::Div(all(1.0f), hn::Sqrt(own_squared)));
  const Vec2s way{hn::Mul(lanes.own.x, inverse), hn::Mul(lanes.own.y, inverse)};
  const Vec2s to{hn::Add(lanes.position.x, hn::Mul(all(c.oncoming), way.x)),
                 hn::Add(lanes.position.y, hn::Mul(all(c.oncoming), way.y))};
  Oncoming oncoming{input, c, lanes, way, hn::Zero(d)};
  lookInside(input.neighbours, lanes.zone, boxAround(lanes, to, c.oncoming_aside), oncoming);
  const Floats share = hn::IfThenElse(hn::Lt(oncoming.sum, all(1.0f)), oncoming.sum, all(1.0f));
  const Vec2s aside = turned(velocity, hn::Mul(share, all(c.side)));
  const Mask turns = hn::Gt(share, hn::Zero(d));
  return {hn::IfThenElse(turns, aside.x, velocity.x), hn::IfThenElse(turns, aside.y, velocity.y)};
}

HWY_INLINE Floats lateness(const StepInput& input, const StreamCoefficients& c, Uints row, Floats density) {
  const Floats expected = gather(input.expected_time, row);
  if (hn::AllFalse(FloatTag(), hn::Gt(expected, hn::Zero(FloatTag())))) return hn::Zero(FloatTag());
  const Floats spent = gather(input.walking_time, row);
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

HWY_INLINE Vec2s joining(const StepInput& input, const StreamCoefficients& c, const Lanes& lanes, Scratch& scratch) {
  const FloatTag d;
  Stream stream;
  perceive(input.neighbours, c, lanes, scratch, stream);
  const Floats density = stream.density, own_squared = dot(lanes.own, lanes.own);
  const Floats length_squared = dot(stream.velocity, stream.velocity);
  const Mask has_stream = hn::And(hn::Gt(own_squared, all(kStreamStanding * kStreamStanding)),
                                  hn::Gt(length_squared, all(kStreamCancelled)));
  if (hn::AllFalse(d, has_stream)) return lanes.own;
  const Floats stream_speed = hn::Div(stream.speed, stream.count);
  const Floats inverse = hn::Div(all(1.0f), hn::Sqrt(length_squared));
  const Vec2s direction{hn::Mul(stream.velocity.x, inverse), hn::Mul(stream.velocity.y, inverse)};
  const Floats turn = turnBetween(direction, lanes.own);
  const Floats late = lateness(input, c, hn::Load(UintTag(), lanes.row), density);
  const Floats lambda = incentive(c, hn::Abs(turn), density, late);
  const Floats speed = hn::Add(stream_speed, hn::Mul(lambda, hn::Sub(hn::Sqrt(own_squared), stream_speed)));
  const Vec2s way = turned(direction, hn::Mul(lambda, turn));
  const Mask joins = hn::And(has_stream, hn::Lt(lambda, all(1.0f)));
  return {hn::IfThenElse(joins, hn::Mul(way.x, speed), lanes.own.x),
          hn::IfThenElse(joins, hn::Mul(way.y, speed), lanes.own.y)};
}

HWY_NOINLINE void streamBatches(const StepInput& input, const StreamCoefficients& c,
                                std::span<const std::uint32_t> slots, Scratch& scratch, VelocityOutput out) {
  const FloatTag d;
  HWY_ALIGN float x[hn::MaxLanes(d)], y[hn::MaxLanes(d)];
  Lanes lanes;
  while (!slots.empty()) {
    lanes.zone = input.neighbours.zone(input.crowd, input.neighbours.row()[slots[0]]);
    const std::size_t people = input.neighbours.batch(slots, lanes.zone, hn::Lanes(d));
    load(input, slots, people, lanes);
    Vec2s velocity = joining(input, c, lanes, scratch);
    if (c.side != 0) velocity = turnedAside(input, c, lanes, velocity);
    hn::Store(velocity.x, d, x);
    hn::Store(velocity.y, d, y);
    for (std::size_t lane = 0; lane < people; ++lane) {
      out.vx[lanes.row[lane]] = x[lane];
      out.vy[lanes.row[lane]] = y[lane];
    }
    slots = slots.subspan(people);
  }
}

void streamLanes(const StepInput& input, const StreamCoefficients& c, std::span<const std::uint32_t> slots,
                 VelocityOutput out) {
  static thread_local Scratch scratch;
  streamBatches(input, c, slots, scratch, out);
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
