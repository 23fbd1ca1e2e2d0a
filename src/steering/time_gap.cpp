// The kernel of the model `throng` (described in time_gap_terms.h). The people ahead are packed, grid row by grid row,
// and what is known of each is worked out with one person per lane. Then all directions are weighed, one per lane, but
// for the collisions in them, which cost most to work out and can only make a direction worse: those are looked for
// with one person per lane again, direction by direction from the best one on, until no other can be better. What is
// looked for are minima, and sums are in the order of slots, so nothing depends on the number of lanes.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/time_gap.cpp"
#include <hwy/foreach_target.h>

#include <bit>
#include <hwy/highway.h>
#include <limits>

#include "steering/packing-inl.h"
#include "steering/time_gap.h"
#include "steering/time_gap_records-inl.h"
#include "steering/time_gap_terms.h"

#ifndef THRONG_STEERING_TIME_GAP_SCRATCH
#define THRONG_STEERING_TIME_GAP_SCRATCH

namespace throng::steering::time_gap {

/// What one thread keeps between calls, so that a warm kernel does not allocate.
struct Scratch {
  base::Column<float> prepared;       ///< for who calls the kernel without
  base::Column<float> slot, squared;  ///< of those found, in order of slots; slots as the bits of floats
  /// Who is seen: for every vector of them, one vector of each.
  enum Seen { kX, kY, kVx, kVy, kApart, kGravity, kSeenColumns };
  base::Column<float> seen;
  struct {
    base::Column<float> x, y, inverse, gap, away, stays, towards, tie;
  } limiting;  ///< those of them who can limit the speed
  struct {
    base::Column<float> x, y, inverse, against;
  } coming;              ///< those of them who come the other way
  std::size_t room = 0;  ///< for so many people
  /// How far people looked last, by row, where the next look begins: mostly it ends there. One more than what it
  /// counts; 0 where nobody has looked. A guess only: rows change hands, and far ones share an entry.
  static constexpr std::size_t kLooks = 1 << 16;
  std::vector<std::uint8_t> looked = std::vector<std::uint8_t>(kLooks);
  std::size_t found = 0, limits = 0, comes = 0;
  std::vector<Body> touching;
  WallsNear walls;
  alignas(base::kVectorBytes) float ux[kDirections], uy[kDirections], cosine[kDirections], speed[kDirections];
  /// Cost of turning, of delay, of those who come the other way; all but what collisions cost; the same with them as
  /// soon as they are known.
  alignas(base::kVectorBytes) float turning[kDirections], delay[kDirections], against[kDirections], cost[kDirections];

  void reserve(std::size_t needed) {
    if (needed > room) grow(needed);
  }
  HWY_NOINLINE void grow(std::size_t needed) {
    room = 2 * needed;
    const std::size_t size = room + base::kVectorBytes / sizeof(float);
    for (auto* column :
         {&slot, &squared, &limiting.x, &limiting.y, &limiting.inverse, &limiting.gap, &limiting.away, &limiting.stays,
          &limiting.towards, &limiting.tie, &coming.x, &coming.y, &coming.inverse, &coming.against})
      column->resize(size);
    seen.resize(kSeenColumns * size);
  }
};

}  // namespace throng::steering::time_gap

#endif

HWY_BEFORE_NAMESPACE();
namespace throng::steering::time_gap::HWY_NAMESPACE {

using agents::NeighbourIndex;
using pack::HWY_NAMESPACE::packing;
using pack::HWY_NAMESPACE::storePacked;

/// Packs the slots of the people ahead who are nearer than `reach`; returns how many of them are nearer than `less`.
HWY_INLINE std::size_t collect(const StepInput& input, const NeighbourIndex::Grid& grid, const Walker& w,
                               std::uint32_t slot, std::uint32_t row, float reach, float less, Scratch& scratch) {
  const D d;
  const DU du;
  const DI di;
  const NeighbourIndex& index = input.neighbours;
  const float *x = index.x().data(), *y = index.y().data();
  const std::uint32_t* row_of = index.row().data();
  // Half a disc to the front of either direction, and those who are near.
  const float side_x = reach * (std::max(std::abs(w.wanted.y), std::abs(w.heading.y)) + 1e-5f);
  const float side_y = reach * (std::max(std::abs(w.wanted.x), std::abs(w.heading.x)) + 1e-5f);
  const auto behind = [&](float wanted, float heading, float side) {
    return wanted >= 0 && heading >= 0 ? std::min(reach, std::max(side, 1.0f)) : reach;
  };
  const int left = NeighbourIndex::column(grid, x[slot] - behind(w.wanted.x, w.heading.x, side_x));
  const int right = NeighbourIndex::column(grid, x[slot] + behind(-w.wanted.x, -w.heading.x, side_x));
  const int bottom = NeighbourIndex::gridRow(grid, y[slot] - behind(w.wanted.y, w.heading.y, side_y));
  const int top = NeighbourIndex::gridRow(grid, y[slot] + behind(-w.wanted.y, -w.heading.y, side_y));
  const std::uint32_t* start = index.cellStart().data() + grid.first_cell +
                               static_cast<std::size_t>(bottom) * static_cast<std::size_t>(grid.columns);
  const V own_x = hn::Set(d, x[slot]), own_y = hn::Set(d, y[slot]), reach_squared = hn::Set(d, reach * reach);
  const V wanted_x = hn::Set(d, w.wanted.x), wanted_y = hn::Set(d, w.wanted.y);
  const V heading_x = hn::Set(d, w.heading.x), heading_y = hn::Set(d, w.heading.y);
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const auto self = hn::Set(du, row);
  const auto lanes = hn::Set(di, static_cast<std::int32_t>(hn::Lanes(d)));
  const V less_squared = hn::Set(d, less * less);
  std::size_t count = 0;
  auto nearer = hn::Zero(di);
  for (int r = bottom; r <= top; ++r, start += grid.columns) {
    const std::size_t begin = start[left], end = start[right + 1];
    scratch.reserve(count + (end - begin));
    float *to_squared = scratch.squared.data(), *to_slot = scratch.slot.data();
    auto slots = hn::Add(hn::Set(di, static_cast<std::int32_t>(begin)), hn::Iota(di, 0));
    const auto last = hn::Set(di, static_cast<std::int32_t>(end));
    for (std::size_t s = begin; s < end; s += hn::Lanes(d), slots = hn::Add(slots, lanes)) {
      const V dx = hn::Sub(hn::LoadU(d, x + s), own_x), dy = hn::Sub(hn::LoadU(d, y + s), own_y);
      const V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      const auto oneself = hn::RebindMask(d, hn::Eq(hn::LoadU(du, row_of + s), self));
      const auto near = hn::And(hn::Lt(squared, reach_squared), hn::RebindMask(d, hn::Lt(slots, last)));
      const V wanted = hn::Add(hn::Mul(dx, wanted_x), hn::Mul(dy, wanted_y));
      const V heading = hn::Add(hn::Mul(dx, heading_x), hn::Mul(dy, heading_y));
      const auto seen = hn::Or(hn::Lt(squared, one), hn::Gt(hn::Max(wanted, heading), zero));
      const auto ahead = hn::AndNot(oneself, hn::And(near, seen));
      const auto pack = packing(d, ahead);
      storePacked(d, squared, pack, to_squared + count);
      storePacked(d, hn::BitCast(d, slots), pack, to_slot + count);
      count += hn::CountTrue(d, ahead);
      const auto nearly = hn::And(ahead, hn::Lt(squared, less_squared));
      nearer = hn::Sub(nearer, hn::VecFromMask(di, hn::RebindMask(di, nearly)));  // a true lane is -1
    }
  }
  scratch.found = count;
  // The rest of the last vector is far away.
  scratch.reserve(count);
  hn::StoreU(hn::Set(d, std::numeric_limits<float>::infinity()), d, scratch.squared.data() + count);
  return static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(di, nearer)));
}

HWY_INLINE std::size_t nearer(const Scratch& scratch, float reach) {
  const D d;
  const V reach_squared = hn::Set(d, reach * reach);
  std::size_t count = 0;
  for (std::size_t i = 0; i < scratch.found; i += hn::Lanes(d))
    count += hn::CountTrue(d, hn::Lt(hn::LoadU(d, scratch.squared.data() + i), reach_squared));
  return count;
}

/// The first reach to try, by how many people are in the three cells around: trying again costs more than leaving a
/// few out.
HWY_INLINE std::size_t firstReach(const Coefficients& c, const NeighbourIndex& index, const NeighbourIndex::Grid& grid,
                                  std::uint32_t slot) {
  // π/2 reach² · people / (3 cell²) people are ahead; somewhat fewer than kEnough will do, since they are not alone
  // ahead who are straight ahead.
  constexpr float kHalfDiscs = 0.87f * kEnough * 3 / 1.5708f;
  const int column = NeighbourIndex::column(grid, index.x()[slot]);
  const int row = NeighbourIndex::gridRow(grid, index.y()[slot]);
  const std::uint32_t* start = index.cellStart().data() + grid.first_cell +
                               static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.columns);
  const std::uint32_t people = start[std::min(column + 2, grid.columns)] - start[std::max(column - 1, 0)];
  const float needed = kHalfDiscs * grid.cell * grid.cell, around = static_cast<float>(people);
  std::size_t k = 0;
  while (k + 1 < c.reaches && kReach[k] * kReach[k] * around < needed) ++k;
  return k;
}

/// The people ahead as far as it takes to see enough of them.
HWY_INLINE void look(const Coefficients& c, const StepInput& input, const Walker& w, std::uint32_t slot,
                     std::uint32_t row, Scratch& scratch) {
  const D d;
  const NeighbourIndex& index = input.neighbours;
  const NeighbourIndex::Grid& grid = index.grid(index.zone(input.crowd, row));
  const auto reach = [&](std::size_t k) { return std::min(kReach[k], c.view); };
  std::uint8_t& looked = scratch.looked[row % Scratch::kLooks];
  std::size_t k = looked > 0 ? std::min<std::size_t>(looked, c.reaches) - 1 : firstReach(c, index, grid, slot);
  const auto less = [&](std::size_t of) { return of > 0 ? reach(of - 1) : 0.0f; };
  std::size_t near = collect(input, grid, w, slot, row, reach(k), less(k), scratch);
  for (; scratch.found < kEnough && k + 1 < c.reaches; ++k)
    near = collect(input, grid, w, slot, row, reach(k + 1), less(k + 1), scratch);
  float* slots = scratch.slot.data();
  if (near >= kEnough) {
    do {
      --k;
    } while (k > 0 && nearer(scratch, reach(k - 1)) >= kEnough);
    const V reach_squared = hn::Set(d, reach(k) * reach(k));
    std::size_t count = 0;
    for (std::size_t i = 0; i < scratch.found; i += hn::Lanes(d)) {
      const auto kept = hn::Lt(hn::LoadU(d, scratch.squared.data() + i), reach_squared);
      storePacked(d, hn::LoadU(d, slots + i), packing(d, kept), slots + count);
      count += hn::CountTrue(d, kept);
    }
    scratch.found = count;
  }
  looked = static_cast<std::uint8_t>(k + 1);
  // The rest of the last vector: somebody who is there, so that their records can be loaded.
  hn::StoreU(hn::Set(d, std::bit_cast<float>(slot)), d, slots + scratch.found);
}

/// behind() of time_gap_terms.h.
HWY_INLINE V whoIsBehind(V cosine, V towards, V tie) {
  const D d;
  const V difference = hn::Sub(cosine, towards);
  const V decided = hn::IfThenElseZero(hn::Lt(hn::Abs(difference), hn::Set(d, kTie)), tie);
  const V behind = hn::Add(hn::Add(hn::Set(d, 0.5f), hn::Mul(hn::Set(d, kYielding), difference)), decided);
  return hn::Min(hn::Max(behind, hn::Zero(d)), hn::Set(d, 1.0f));
}

/// Those who stand in the same place as the walker are on some side of them, as otherOf() has it.
HWY_NOINLINE void part(const Walker& w, const float* person, const float* slots, V& x, V& y) {
  const D d;
  HWY_ALIGN float xs[hn::MaxLanes(D())], ys[hn::MaxLanes(D())];
  hn::Store(x, d, xs), hn::Store(y, d, ys);
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) {
    if (!(xs[k] * xs[k] + ys[k] * ys[k] < kSamePlaceSquared)) continue;
    const auto other = std::bit_cast<std::uint32_t>(person[std::bit_cast<std::uint32_t>(slots[k])]);
    const Vec2 to = social_force::partingDirection(w.person, other) * -1e-6f;
    xs[k] = to.x, ys[k] = to.y;
  }
  x = hn::Load(d, xs), y = hn::Load(d, ys);
}

/// otherOf() for all who were found; those who can limit the speed, those who come the other way and those who nearly
/// touch once more by themselves. `kStands`: the walker stands, at least a little.
template <bool kStands>
HWY_INLINE Opposing know(const Coefficients& c, const StepInput& input, const Everybody& everybody, const Walker& w,
                         std::uint32_t slot, Scratch& scratch) {
  const D d;
  const DU du;
  const DI di;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const V own_x = hn::Set(d, everybody.records[kRecord * slot]);
  const V own_y = hn::Set(d, everybody.records[kRecord * slot + 1]);
  const V own_radius = hn::Set(d, w.radius), wanted_x = hn::Set(d, w.wanted.x), wanted_y = hn::Set(d, w.wanted.y);
  // Who can limit the speed: at worst somebody straight ahead whom the walker is behind, or who is reached in a step.
  const float fastest = 1.0001f * w.wanted_speed, in_a_step = fastest * c.dt;
  const float in_time = fastest * c.time_gap + kStandoff;
  const V narrow = hn::Set(d, std::max(std::max(in_a_step, in_time), kStepBack));
  auto all = hn::Zero(di), against = hn::Zero(di), crossing = hn::Zero(di);
  const std::uint32_t way = input.way ? input.way[input.neighbours.row()[slot]] : 0;
  auto& l = scratch.limiting;
  auto& m = scratch.coming;
  const float* slots = scratch.slot.data();
  std::size_t limits = 0, comes = 0;
  scratch.touching.clear();
  for (std::size_t i = 0; i < scratch.found; i += hn::Lanes(d)) {
    const auto there = hn::FirstN(d, scratch.found - i);
    V x, y, vx, vy, to_x, to_y, radius, still;
    loadBlocks(d, everybody.records, slots + i, x, y, vx, vy);
    loadBlocks(d, everybody.records + kBlock, slots + i, to_x, to_y, radius, still);
    x = hn::Sub(x, own_x), y = hn::Sub(y, own_y);
    V squared = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    const auto same_place = hn::And(there, hn::Lt(squared, hn::Set(d, kSamePlaceSquared)));
    if (HWY_UNLIKELY(!hn::AllFalse(d, same_place))) {
      part(w, everybody.person, slots + i, x, y);
      squared = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    }
    const V distance = hn::Sqrt(squared), inverse = hn::Div(one, distance);
    const V reach = hn::Add(own_radius, radius), gap = hn::Sub(distance, reach);
    const V apart = hn::Sub(squared, hn::Mul(reach, reach));
    const V cosine = hn::Add(hn::Mul(to_x, wanted_x), hn::Mul(to_y, wanted_y));
    const V weight = hn::Div(hn::Set(d, kFew), hn::Add(one, distance));
    V opposes = hn::Min(hn::Max(hn::Sub(hn::Set(d, kOtherWay), cosine), zero), one);
    V gravity = hn::Sub(one, hn::Mul(hn::Max(zero, cosine), still));
    const auto towardsWalker = [&] { return hn::Neg(hn::Mul(hn::Add(hn::Mul(to_x, x), hn::Mul(to_y, y)), inverse)); };
    const auto ties = [&] {
      const V person = hn::GatherIndex(d, everybody.person, hn::BitCast(di, hn::LoadU(d, slots + i)));
      const auto before = hn::RebindMask(d, hn::Lt(hn::Set(du, w.person), hn::BitCast(du, person)));
      return hn::IfThenElse(before, hn::Set(d, 0.5f), hn::Set(d, -0.5f));
    };
    if (kStands) {  // otherwise everybody counts in full
      const V ahead = hn::Mul(hn::Add(hn::Mul(wanted_x, x), hn::Mul(wanted_y, y)), inverse);
      const V turn = hn::Sub(one, whoIsBehind(ahead, towardsWalker(), ties()));
      const V counts = hn::Sub(one, hn::Mul(hn::Mul(hn::Set(d, w.still), still), turn));
      opposes = hn::Mul(opposes, counts), gravity = hn::Mul(gravity, counts);
    }
    const auto nowhere = hn::And(hn::Eq(to_x, zero), hn::Eq(to_y, zero));
    gravity = hn::IfThenElse(nowhere, hn::Mul(gravity, hn::Set(d, kWhoStands)), gravity);
    auto passing = hn::FirstN(d, 0);
    if (way != 0) {  // passes()
      const auto rows = hn::GatherIndex(du, input.neighbours.row().data(), hn::BitCast(di, hn::LoadU(d, slots + i)));
      const auto ways = hn::GatherIndex(du, input.way, hn::BitCast(di, rows));
      passing = hn::RebindMask(d, hn::Eq(ways, hn::Set(du, way ^ 1u)));
      opposes = hn::IfThenZeroElse(passing, opposes), gravity = hn::IfThenZeroElse(passing, gravity);
    }
    const V share = hn::Mul(weight, opposes);
    const V crosses = hn::Max(zero, hn::Sub(one, hn::Mul(hn::Set(d, 2.0f), hn::Mul(cosine, cosine))));
    const V sine = hn::Sub(hn::Mul(wanted_x, to_y), hn::Mul(wanted_y, to_x));
    const V cross = hn::IfThenZeroElse(passing, hn::Mul(weight, hn::Mul(sine, crosses)));
    float* seen = scratch.seen.data() + Scratch::kSeenColumns * i;
    hn::Store(x, d, seen + Scratch::kX * hn::Lanes(d));
    hn::Store(y, d, seen + Scratch::kY * hn::Lanes(d));
    hn::Store(vx, d, seen + Scratch::kVx * hn::Lanes(d));
    hn::Store(vy, d, seen + Scratch::kVy * hn::Lanes(d));
    hn::Store(apart, d, seen + Scratch::kApart * hn::Lanes(d));
    hn::Store(hn::IfThenElseZero(there, gravity), d, seen + Scratch::kGravity * hn::Lanes(d));
    all = hn::Add(all, hn::ConvertTo(di, hn::IfThenElseZero(there, weight)));
    against = hn::Add(against, hn::ConvertTo(di, hn::IfThenElseZero(there, share)));
    crossing = hn::Add(crossing, hn::ConvertTo(di, hn::IfThenElseZero(there, cross)));
    const auto come = hn::And(there, hn::Gt(share, zero));
    const auto coming = packing(d, come);
    storePacked(d, x, coming, m.x.data() + comes);
    storePacked(d, y, coming, m.y.data() + comes);
    storePacked(d, inverse, coming, m.inverse.data() + comes);
    storePacked(d, share, coming, m.against.data() + comes);
    comes += hn::CountTrue(d, come);

    if (hn::AllFalse(d, hn::And(there, hn::Lt(gap, narrow)))) continue;
    const V towards = towardsWalker(), tie = ties();
    const V away = hn::Max(zero, hn::Mul(hn::Add(hn::Mul(vx, x), hn::Mul(vy, y)), inverse));
    const V beside = hn::Sub(hn::Mul(wanted_x, y), hn::Mul(wanted_y, x));
    const V drifts = hn::Sub(hn::Mul(wanted_x, vy), hn::Mul(wanted_y, vx));
    const V clearing = hn::Mul(hn::Mul(beside, drifts), hn::Set(d, kClearing));
    const V leaves = hn::Min(hn::Max(clearing, zero), one);
    const V stays = hn::Mul(hn::Sub(one, leaves), hn::Sub(one, crosses));
    const auto keep = [&](hn::Mask<D> mask) {
      const auto pack = packing(d, mask);
      storePacked(d, x, pack, l.x.data() + limits);
      storePacked(d, y, pack, l.y.data() + limits);
      storePacked(d, inverse, pack, l.inverse.data() + limits);
      storePacked(d, gap, pack, l.gap.data() + limits);
      storePacked(d, away, pack, l.away.data() + limits);
      storePacked(d, stays, pack, l.stays.data() + limits);
      storePacked(d, towards, pack, l.towards.data() + limits);
      storePacked(d, tie, pack, l.tie.data() + limits);
      return limits + hn::CountTrue(d, mask);
    };
    const auto touch = hn::And(there, hn::Lt(gap, hn::Set(d, kStepBack)));
    if (!hn::AllFalse(d, touch)) {
      for (std::size_t k = limits, end = keep(touch); k < end; ++k)
        scratch.touching.push_back({{l.x[k], l.y[k]}, l.inverse[k], l.gap[k], l.towards[k], l.tie[k]});
    }
    const V later = hn::Mul(hn::Set(d, kAnticipation), hn::Max(zero, hn::Neg(towards)));
    const auto in_the_way =
        hn::Lt(hn::Add(gap, hn::Mul(later, away)), hn::Add(hn::Set(d, in_time), hn::Mul(later, hn::Set(d, fastest))));
    const auto near = hn::Or(hn::And(in_the_way, hn::Lt(gap, hn::Set(d, in_time))), hn::Lt(gap, hn::Set(d, in_a_step)));
    limits = keep(hn::And(there, near));
  }
  scratch.limits = limits, scratch.comes = comes;
  Opposing opposing;
  opposing.all = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(di, all)));
  opposing.against = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(di, against)));
  opposing.crossing = hn::GetLane(hn::SumOfLanes(di, crossing));
  return opposing;
}

/// speedFor() of time_gap_terms.h.
HWY_INLINE V speedForAll(const Coefficients& c, V x, V y, V inverse, V gap, V away, V stays, V towards, V tie, V ux,
                         V uy, V free) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const V cosine = hn::Mul(hn::Add(hn::Mul(x, ux), hn::Mul(y, uy)), inverse);
  const V behind = hn::Mul(whoIsBehind(cosine, towards, tie), stays);
  const V room = hn::Max(zero, hn::Sub(gap, hn::Mul(hn::Set(d, kStandoff), behind)));
  const V time = hn::Add(hn::Set(d, c.going), hn::Mul(hn::Set(d, c.time_gap - c.going), behind));
  const V later = hn::Mul(hn::Set(d, kAnticipation), hn::Max(zero, hn::Neg(towards)));
  const auto leave = hn::And(hn::Gt(gap, zero), hn::Lt(room, hn::Mul(away, time)));
  const V open = hn::Add(room, hn::IfThenElseZero(leave, hn::Mul(later, away)));
  const V in = hn::Add(time, hn::IfThenElseZero(leave, later));
  const V step = hn::Max(zero, gap), dt = hn::Set(d, c.dt);
  const auto in_a_step = hn::Lt(hn::Mul(step, in), hn::Mul(open, dt));
  const V speed = hn::Div(hn::IfThenElse(in_a_step, step, open), hn::Mul(cosine, hn::IfThenElse(in_a_step, dt, in)));
  const V squeeze = hn::Mul(hn::Add(gap, hn::Set(d, kSqueeze)), hn::Set(d, c.creeping / kSqueeze));
  const V creeps = hn::Min(hn::Max(squeeze, zero), hn::Set(d, c.creeping));
  const V creeping = hn::Mul(creeps, hn::Sub(one, hn::Mul(hn::Set(d, 2.0f), behind)));
  const V follows = hn::Mul(hn::Add(gap, hn::Set(d, kTouch)), hn::Set(d, kShuffling / kTouch));
  const V shuffling = hn::Min(hn::Max(follows, zero), hn::Set(d, kShuffling));
  const V along = hn::Mul(hn::Max(zero, hn::Neg(towards)), hn::Min(shuffling, hn::Add(away, hn::Set(d, kSetOff))));
  const V possible = hn::Max(hn::Max(speed, creeping), along);
  return hn::IfThenElse(hn::Gt(cosine, zero), hn::Min(free, possible), free);
}

/// What can be walked in kVectors vectors of directions from `first` on, and what each of them costs but for
/// collisions.
template <std::size_t kVectors>
HWY_INLINE void weigh(const Coefficients& c, const Walker& w, const Opposing& opposing, std::size_t first,
                      Scratch& scratch) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  V ux[kVectors], uy[kVectors], speed[kVectors], against[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    ux[v] = hn::Load(d, scratch.ux + first + v * hn::Lanes(d));
    uy[v] = hn::Load(d, scratch.uy + first + v * hn::Lanes(d));
    speed[v] = hn::Load(d, scratch.speed + first + v * hn::Lanes(d));
    against[v] = zero;
  }
  const auto& l = scratch.limiting;
  for (std::size_t i = 0; i < scratch.limits; ++i) {
    const V x = hn::Set(d, l.x[i]), y = hn::Set(d, l.y[i]), inverse = hn::Set(d, l.inverse[i]);
    const V gap = hn::Set(d, l.gap[i]), away = hn::Set(d, l.away[i]), stays = hn::Set(d, l.stays[i]),
            towards = hn::Set(d, l.towards[i]), tie = hn::Set(d, l.tie[i]);
    for (std::size_t v = 0; v < kVectors; ++v)
      speed[v] = speedForAll(c, x, y, inverse, gap, away, stays, towards, tie, ux[v], uy[v], speed[v]);
  }
  const auto& m = scratch.coming;
  for (std::size_t i = 0; i < scratch.comes; ++i) {
    const V x = hn::Set(d, m.x[i]), y = hn::Set(d, m.y[i]), inverse = hn::Set(d, m.inverse[i]);
    const V share = hn::Set(d, m.against[i]);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V cosine = hn::Max(zero, hn::Mul(hn::Add(hn::Mul(x, ux[v]), hn::Mul(y, uy[v])), inverse));
      const V squared = hn::Mul(cosine, cosine);
      against[v] = hn::Add(against[v], hn::Mul(share, hn::Mul(squared, squared)));
    }
  }
  const V heading_x = hn::Set(d, w.heading.x), heading_y = hn::Set(d, w.heading.y);
  const V wanted_x = hn::Set(d, w.wanted.x), wanted_y = hn::Set(d, w.wanted.y);
  const V fast = hn::Set(d, std::min(1.0f, w.speed / w.wanted_speed)), wanted = hn::Set(d, w.wanted_speed);
  const float side = sideCost(c, opposing), detours = detourCost(opposing);
  const V on_left = hn::Set(d, std::max(side, 0.0f)), on_right = hn::Set(d, std::max(-side, 0.0f));
  for (std::size_t v = 0; v < kVectors; ++v) {
    const std::size_t at = first + v * hn::Lanes(d);
    const V cosine = hn::Load(d, scratch.cosine + at);
    const V heading = hn::Add(hn::Mul(ux[v], heading_x), hn::Mul(uy[v], heading_y));
    const V left = hn::Sub(hn::Mul(wanted_x, uy[v]), hn::Mul(wanted_y, ux[v]));
    // costOfTurning(), costOfWay()
    const V detour = hn::Mul(hn::Set(d, detours), hn::Sub(one, cosine));
    const V changing = hn::Mul(hn::Mul(hn::Set(d, kTurning), hn::Sub(one, heading)), fast);
    const V sides = hn::IfThenElse(hn::Gt(left, zero), on_left, hn::IfThenElseZero(hn::Lt(left, zero), on_right));
    const V turning = hn::Add(hn::Add(detour, changing), sides);
    const V delay = hn::Mul(hn::Set(d, kDelay), hn::Sub(one, hn::Div(hn::Mul(speed[v], cosine), wanted)));
    const V opposed = hn::Mul(against[v], hn::Set(d, opposing.cost()));
    hn::Store(speed[v], d, scratch.speed + at);
    hn::Store(turning, d, scratch.turning + at);
    hn::Store(delay, d, scratch.delay + at);
    hn::Store(opposed, d, scratch.against + at);
    hn::Store(hn::Add(hn::Add(turning, delay), opposed), d, scratch.cost + at);
  }
}

/// The greatest dangerOf() at each of some velocities. One takes nearly as long as two: both wait for the same roots.
template <std::size_t kWays>
HWY_INLINE void dangersAt(const Coefficients& c, const Vec2 (&ways)[kWays], const Scratch& scratch,
                          float (&dangers)[kWays]) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f), inverse_horizon = hn::Set(d, c.inverse_horizon);
  V danger[kWays];
  for (std::size_t k = 0; k < kWays; ++k) danger[k] = zero;
  for (std::size_t i = 0; i < scratch.found; i += hn::Lanes(d)) {
    const float* seen = scratch.seen.data() + Scratch::kSeenColumns * i;
    const auto column = [&](Scratch::Seen k) { return hn::Load(d, seen + k * hn::Lanes(d)); };
    const V x = column(Scratch::kX), y = column(Scratch::kY), vx = column(Scratch::kVx), vy = column(Scratch::kVy);
    const V apart = column(Scratch::kApart), gravity = column(Scratch::kGravity);
    for (std::size_t k = 0; k < kWays; ++k) {
      const V rx = hn::Sub(hn::Set(d, ways[k].x), vx), ry = hn::Sub(hn::Set(d, ways[k].y), vy);
      const V a = hn::Add(hn::Mul(rx, rx), hn::Mul(ry, ry)), b = hn::Add(hn::Mul(x, rx), hn::Mul(y, ry));
      const V root = hn::Sub(hn::Mul(b, b), hn::Mul(a, apart));
      const auto hit = hn::And(hn::Gt(b, zero), hn::Gt(root, zero));
      const V time = hn::Div(hn::Max(zero, apart), hn::Add(b, hn::Sqrt(root)));
      const V soon = hn::Max(zero, hn::Sub(one, hn::Mul(time, inverse_horizon)));
      danger[k] = hn::Max(danger[k], hn::IfThenElseZero(hit, hn::Mul(hn::Mul(soon, soon), gravity)));
    }
  }
  for (std::size_t k = 0; k < kWays; ++k) dangers[k] = hn::GetLane(hn::MaxOfLanes(d, danger[k]));
}

/// Does anybody stand in the way at a velocity? Who nobody does is in no danger, which is seen without roots.
HWY_INLINE bool meetsAnybody(Vec2 way, const Scratch& scratch) {
  const D d;
  const V zero = hn::Zero(d), way_x = hn::Set(d, way.x), way_y = hn::Set(d, way.y);
  auto met = hn::FirstN(d, 0);
  for (std::size_t i = 0; i < scratch.found; i += hn::Lanes(d)) {
    const float* seen = scratch.seen.data() + Scratch::kSeenColumns * i;
    const auto column = [&](Scratch::Seen k) { return hn::Load(d, seen + k * hn::Lanes(d)); };
    const V rx = hn::Sub(way_x, column(Scratch::kVx)), ry = hn::Sub(way_y, column(Scratch::kVy));
    const V a = hn::Add(hn::Mul(rx, rx), hn::Mul(ry, ry));
    const V b = hn::Add(hn::Mul(column(Scratch::kX), rx), hn::Mul(column(Scratch::kY), ry));
    const V root = hn::Sub(hn::Mul(b, b), hn::Mul(a, column(Scratch::kApart)));
    const auto hit = hn::And(hn::Gt(b, zero), hn::Gt(root, zero));
    met = hn::Or(met, hn::And(hit, hn::Gt(column(Scratch::kGravity), zero)));
  }
  return !hn::AllFalse(d, met);
}

/// All directions, in vectors.
constexpr std::size_t kFan = kDirections / hn::MaxLanes(D());

/// Which of the lanes from direction `first` on is direction k?
HWY_INLINE hn::Mask<D> isDirection(std::size_t first, std::size_t k) {
  const D d;
  const DI di;
  return hn::RebindMask(
      d, hn::Eq(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(k) - static_cast<std::int32_t>(first))));
}

/// The first of the directions that cost least.
HWY_INLINE std::size_t cheapest(const V (&cost)[kFan]) {
  const D d;
  V least = cost[0];
  for (std::size_t v = 1; v < kFan; ++v) least = hn::Min(least, cost[v]);
  least = hn::MinOfLanes(d, least);
  std::uint32_t found = 1u << kDirections;
  for (std::size_t v = 0; v < kFan; ++v) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Eq(cost[v], least), bits);
    found |= (bits[0] | static_cast<std::uint32_t>(bits[1]) << 8) << (v * hn::Lanes(d));
  }
  return static_cast<std::size_t>(std::countr_zero(found)) % kDirections;
}

/// What can be walked in one direction.
HWY_INLINE float speedIn(const Coefficients& c, const Walker& w, Vec2 u, const Scratch& scratch) {
  const D d;
  const float free = std::min(w.wanted_speed, scratch.walls.way(u.x, u.y) / kWallTime);
  const auto& l = scratch.limiting;
  if (scratch.limits == 0) return free;
  const V ux = hn::Set(d, u.x), uy = hn::Set(d, u.y), most = hn::Set(d, free);
  V speed = most;
  for (std::size_t i = 0; i < scratch.limits; i += hn::Lanes(d)) {
    const V possible =
        speedForAll(c, hn::LoadU(d, l.x.data() + i), hn::LoadU(d, l.y.data() + i), hn::LoadU(d, l.inverse.data() + i),
                    hn::LoadU(d, l.gap.data() + i), hn::LoadU(d, l.away.data() + i), hn::LoadU(d, l.stays.data() + i),
                    hn::LoadU(d, l.towards.data() + i), hn::LoadU(d, l.tie.data() + i), ux, uy, most);
    speed = hn::Min(speed, hn::IfThenElse(hn::FirstN(d, scratch.limits - i), possible, most));
  }
  return hn::GetLane(hn::MinOfLanes(d, speed));
}

/// WallsNear::way() in many directions.
HWY_INLINE V wayToWalls(const WallsNear& walls, V ux, V uy) {
  const D d;
  const V zero = hn::Zero(d);
  V way = hn::Set(d, kNever);
  for (const Side& side : walls.sides) {
    const V approach = hn::Neg(hn::Add(hn::Mul(hn::Set(d, side.normal.x), ux), hn::Mul(hn::Set(d, side.normal.y), uy)));
    const V there = hn::Div(hn::Set(d, side.room), approach);
    const V along = hn::Add(hn::Mul(hn::Set(d, side.along.x), ux), hn::Mul(hn::Set(d, side.along.y), uy));
    const V at = hn::Add(hn::Set(d, side.from), hn::Mul(there, along));
    const auto on_it = hn::And(hn::Ge(at, zero), hn::Le(at, hn::Set(d, side.extent)));
    const auto met = hn::And(hn::Gt(approach, hn::Set(d, 1e-4f)), on_it);
    way = hn::IfThenElse(met, hn::Min(way, there), way);
  }
  for (const Corner& corner : walls.corners) {
    const V b = hn::Add(hn::Mul(hn::Set(d, corner.to.x), ux), hn::Mul(hn::Set(d, corner.to.y), uy));
    const V root = hn::Sub(hn::Mul(b, b), hn::Set(d, corner.apart));
    const V there = hn::Div(hn::Set(d, std::max(0.0f, corner.apart)), hn::Add(b, hn::Sqrt(root)));
    way = hn::IfThenElse(hn::And(hn::Gt(b, zero), hn::Gt(root, zero)), hn::Min(way, there), way);
  }
  return way;
}

/// The best direction: the first of those with the least cost.
HWY_INLINE std::size_t choose(const Coefficients& c, const Walker& w, const Opposing& opposing, Scratch& scratch) {
  const D d;
  const V wanted_x = hn::Set(d, w.wanted.x), wanted_y = hn::Set(d, w.wanted.y), most = hn::Set(d, w.wanted_speed);
  // The last one is the heading.
  const float straight = w.heading.x * w.wanted.x + w.heading.y * w.wanted.y;
  const V heading_x = hn::Set(d, w.heading.x), heading_y = hn::Set(d, w.heading.y);
  for (std::size_t k = 0; k < kDirections; k += hn::Lanes(d)) {
    const auto heading = isDirection(k, kHeading);
    const V cosine = hn::Load(d, c.cosine + k), sine = hn::Load(d, c.sine + k);
    V ux = hn::Sub(hn::Mul(wanted_x, cosine), hn::Mul(wanted_y, sine));
    V uy = hn::Add(hn::Mul(wanted_y, cosine), hn::Mul(wanted_x, sine));
    ux = hn::IfThenElse(heading, heading_x, ux), uy = hn::IfThenElse(heading, heading_y, uy);
    hn::Store(ux, d, scratch.ux + k);
    hn::Store(uy, d, scratch.uy + k);
    hn::Store(hn::IfThenElse(heading, hn::Set(d, straight), cosine), d, scratch.cosine + k);
    V free = most;
    if (!scratch.walls.empty()) free = hn::Min(free, hn::Div(wayToWalls(scratch.walls, ux, uy), hn::Set(d, kWallTime)));
    hn::Store(free, d, scratch.speed + k);
  }
  if (2 * hn::Lanes(d) <= kDirections) {
    for (std::size_t i = 0; i < kDirections; i += 2 * hn::Lanes(d)) weigh<2>(c, w, opposing, i, scratch);
  } else {
    for (std::size_t i = 0; i < kDirections; i += hn::Lanes(d)) weigh<1>(c, w, opposing, i, scratch);
  }
  // Danger is never negative and rounding keeps order, so what is known of a cost so far is never more than the cost:
  // the first of the cheapest is the one looked for as soon as all is known of it.
  V cost[kFan];
  for (std::size_t v = 0; v < kFan; ++v) cost[v] = hn::Load(d, scratch.cost + v * hn::Lanes(d));
  std::uint32_t known = 0;
  const auto know = [&](std::size_t k, float its_cost) {
    for (std::size_t v = 0; v < kFan; ++v)
      cost[v] = hn::IfThenElse(isDirection(v * hn::Lanes(d), k), hn::Set(d, its_cost), cost[v]);
    known |= 1u << k;
  };
  // Nobody goes on walking away from where they want to go.
  if (!(straight >= 0)) know(kHeading, std::numeric_limits<float>::infinity());
  const auto way = [&](std::size_t k) {
    return Vec2{scratch.ux[k] * scratch.speed[k], scratch.uy[k] * scratch.speed[k]};
  };
  const auto costOf = [&](std::size_t k, float danger) {
    return (scratch.turning[k] + (scratch.delay[k] + kDanger * danger)) + scratch.against[k];
  };
  std::size_t best = cheapest(cost);
  // Often the first will do.
  if (!meetsAnybody(way(best), scratch)) return best;
  float danger[1];
  dangersAt<1>(c, {way(best)}, scratch, danger);
  if (danger[0] == 0) return best;
  know(best, costOf(best, danger[0]));
  for (best = cheapest(cost); (known >> best & 1u) == 0; best = cheapest(cost)) {
    V others[kFan];
    for (std::size_t v = 0; v < kFan; ++v)
      others[v] = hn::IfThenElse(isDirection(v * hn::Lanes(d), best),
                                 hn::Set(d, std::numeric_limits<float>::infinity()), cost[v]);
    const std::size_t next = cheapest(others);
    float dangers[2];
    dangersAt<2>(c, {way(best), way(next)}, scratch, dangers);
    know(best, costOf(best, dangers[0]));
    if ((known >> next & 1u) == 0) know(next, costOf(next, dangers[1]));
  }
  return best;
}

void steerPeople(const StepInput& input, const Coefficients& c, const Everybody& everybody,
                 std::span<const std::uint32_t> slots, Scratch& scratch, VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    const Walker w = walkerOf(crowd, row);
    look(c, input, w, slot, row, scratch);
    const Opposing opposing = w.still > 0 ? know<true>(c, input, everybody, w, slot, scratch)
                                          : know<false>(c, input, everybody, w, slot, scratch);
    scratch.walls.look(input.floors[crowd.layer[row]].walls, w.place, w.radius);
    scratch.walls.addLine(input, row);
    Vec2 direction{0, 0};
    float speed = 0;
    if (w.wanted_speed > kStanding) {
      const std::size_t best = choose(c, w, opposing, scratch);
      direction = {scratch.ux[best], scratch.uy[best]};
      speed = scratch.speed[best];
    }
    const Vec2 way = turned(c, w, direction);
    const Vec2 next = velocityFor(c, w, scratch.touching, scratch.walls, direction, speed, way,
                                  speedIn(c, w, way, scratch), blockedBelow(w, opposing));
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

}  // namespace throng::steering::time_gap::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace throng::steering {
namespace time_gap {
HWY_EXPORT(steerPeople);
HWY_EXPORT(prepareSlots);

void prepare(const StepInput& input, std::size_t begin, std::size_t end, float* to) {
  HWY_DYNAMIC_DISPATCH(prepareSlots)(input, begin, end, to);
}

}  // namespace time_gap

Preparation throngPreparation() { return {time_gap::kRecord + 1, time_gap::prepare}; }

void steerThrong(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out) {
  using namespace time_gap;
  static thread_local Scratch scratch;
  const Coefficients c(parameters, input.dt);
  const std::size_t all = input.neighbours.slots();
  const float* prepared = input.prepared;
  if (!prepared) {
    scratch.prepared.resize((kRecord + 1) * all);
    prepare(input, 0, all, scratch.prepared.data());
    prepared = scratch.prepared.data();
  }
  HWY_DYNAMIC_DISPATCH(steerPeople)(input, c, Everybody(prepared, all), slots, scratch, out);
}

}  // namespace throng::steering

#endif
