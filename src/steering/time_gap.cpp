// The kernel of the model `throng` (described in time_gap_terms.h). The people ahead are packed, grid row by grid row;
// what is known of each is worked out with one person per lane, then the directions are tried all at once, one per
// lane: what is looked for are minima, so nothing depends on the number of lanes.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/time_gap.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>
#include <limits>

#include "steering/packing-inl.h"
#include "steering/time_gap.h"
#include "steering/time_gap_terms.h"

#ifndef THRONG_STEERING_TIME_GAP_SCRATCH
#define THRONG_STEERING_TIME_GAP_SCRATCH

namespace throng::steering::time_gap {

/// Others in columns.
struct Columns {
  base::Column<float> x, y, vx, vy, inverse, gap, open, stays, towards, tie, gravity, against, apart;
  std::size_t count = 0;

  void reserve(std::size_t needed) {
    needed += base::kVectorBytes / sizeof(float);
    if (needed <= x.size()) return;
    for (auto* column : {&x, &y, &vx, &vy, &inverse, &gap, &open, &stays, &towards, &tie, &gravity, &against, &apart})
      column->resize(2 * needed);
  }
  Body body(std::size_t i) const { return {{x[i], y[i]}, inverse[i], gap[i], towards[i], tie[i]}; }
};

/// What one thread keeps between calls, so that a warm kernel does not allocate.
struct Scratch {
  base::Column<float> squared, slot;       ///< of those found, in order of slots; slots as the bits of floats
  base::Column<float> wanted_x, wanted_y;  ///< of others: direction
  base::Column<float> radius;
  Columns seen, limiting;
  std::vector<Body> touching;
  WallsNear walls;
  alignas(base::kVectorBytes) float ux[kDirections], uy[kDirections], cosine[kDirections];
  alignas(base::kVectorBytes) float speed[kDirections], cost[kDirections];

  void reserve(std::size_t needed) {
    seen.reserve(needed), limiting.reserve(needed);
    needed += base::kVectorBytes / sizeof(float);
    if (needed <= slot.size()) return;
    for (auto* column : {&squared, &slot, &wanted_x, &wanted_y, &radius}) column->resize(2 * needed);
  }
};

}  // namespace throng::steering::time_gap

#endif

HWY_BEFORE_NAMESPACE();
namespace throng::steering::time_gap::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using agents::NeighbourIndex;
using pack::HWY_NAMESPACE::packing;
using pack::HWY_NAMESPACE::storePacked;

/// Packs the places (into `seen`) and slots of the people ahead who are nearer than `reach`.
HWY_INLINE void collect(const StepInput& input, const Walker& w, std::uint32_t slot, std::uint32_t row, float reach,
                        Scratch& scratch) {
  const D d;
  const DU du;
  const NeighbourIndex& index = input.neighbours;
  const float *x = index.x().data(), *y = index.y().data();
  const std::uint32_t* row_of = index.row().data();
  const NeighbourIndex::Grid& grid = index.grid(index.zone(input.crowd, row));
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
  const auto self = hn::Set(du, row), lanes = hn::Iota(du, 0u);
  std::size_t count = 0;
  for (int r = bottom; r <= top; ++r, start += grid.columns) {
    const std::size_t begin = start[left], end = start[right + 1];
    scratch.reserve(count + (end - begin));
    float *to_x = scratch.seen.x.data(), *to_y = scratch.seen.y.data();
    float *to_squared = scratch.squared.data(), *to_slot = scratch.slot.data();
    for (std::size_t s = begin; s < end; s += hn::Lanes(d)) {
      const V dx = hn::Sub(hn::LoadU(d, x + s), own_x), dy = hn::Sub(hn::LoadU(d, y + s), own_y);
      const V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      const auto others = hn::RebindMask(d, hn::Ne(hn::LoadU(du, row_of + s), self));
      const auto near = hn::And(hn::And(hn::Lt(squared, reach_squared), hn::FirstN(d, end - s)), others);
      const auto wanted = hn::Gt(hn::Add(hn::Mul(dx, wanted_x), hn::Mul(dy, wanted_y)), zero);
      const auto heading = hn::Gt(hn::Add(hn::Mul(dx, heading_x), hn::Mul(dy, heading_y)), zero);
      const auto ahead = hn::And(near, hn::Or(hn::Lt(squared, one), hn::Or(wanted, heading)));
      const auto pack = packing(d, ahead);
      storePacked(d, dx, pack, to_x + count);
      storePacked(d, dy, pack, to_y + count);
      storePacked(d, squared, pack, to_squared + count);
      storePacked(d, hn::BitCast(d, hn::Add(hn::Set(du, static_cast<std::uint32_t>(s)), lanes)), pack, to_slot + count);
      count += hn::CountTrue(d, ahead);
    }
  }
  scratch.seen.count = count;
}

HWY_INLINE std::size_t nearer(const Scratch& scratch, float reach) {
  const D d;
  const V reach_squared = hn::Set(d, reach * reach);
  std::size_t count = 0;
  for (std::size_t i = 0; i < scratch.seen.count; i += hn::Lanes(d))
    count += hn::CountTrue(d, hn::And(hn::Lt(hn::LoadU(d, scratch.squared.data() + i), reach_squared),
                                      hn::FirstN(d, scratch.seen.count - i)));
  return count;
}

/// The people ahead as far as it takes to see enough of them.
HWY_INLINE void look(const Coefficients& c, const StepInput& input, const Walker& w, std::uint32_t slot,
                     std::uint32_t row, Scratch& scratch) {
  const auto reach = [&](std::size_t k) { return std::min(kReach[k], c.view); };
  const float guess = input.neighbours.grid(input.neighbours.zone(input.crowd, row)).cell;
  std::size_t k = 0;
  while (k + 1 < c.reaches && kReach[k] < guess) ++k;
  collect(input, w, slot, row, reach(k), scratch);
  while (scratch.seen.count < kEnough && k + 1 < c.reaches) collect(input, w, slot, row, reach(++k), scratch);
  std::size_t least = k;
  while (least > 0 && nearer(scratch, reach(least - 1)) >= kEnough) --least;
  if (least == k) return;
  const D d;
  const V reach_squared = hn::Set(d, reach(least) * reach(least));
  std::size_t count = 0;
  for (std::size_t i = 0; i < scratch.seen.count; i += hn::Lanes(d)) {
    const V squared = hn::LoadU(d, scratch.squared.data() + i), x = hn::LoadU(d, scratch.seen.x.data() + i);
    const V y = hn::LoadU(d, scratch.seen.y.data() + i), slots = hn::LoadU(d, scratch.slot.data() + i);
    const auto kept = hn::And(hn::Lt(squared, reach_squared), hn::FirstN(d, scratch.seen.count - i));
    const auto pack = packing(d, kept);
    storePacked(d, x, pack, scratch.seen.x.data() + count);
    storePacked(d, y, pack, scratch.seen.y.data() + count);
    storePacked(d, squared, pack, scratch.squared.data() + count);
    storePacked(d, slots, pack, scratch.slot.data() + count);
    count += hn::CountTrue(d, kept);
  }
  scratch.seen.count = count;
}

/// behind() of time_gap_terms.h.
HWY_INLINE V whoIsBehind(V cosine, V towards, V tie) {
  const D d;
  const V difference = hn::Sub(cosine, towards);
  const V decided = hn::IfThenElseZero(hn::Lt(hn::Abs(difference), hn::Set(d, kTie)), tie);
  const V behind = hn::Add(hn::Add(hn::Set(d, 0.5f), hn::Mul(hn::Set(d, kYielding), difference)), decided);
  return hn::Min(hn::Max(behind, hn::Zero(d)), hn::Set(d, 1.0f));
}

/// otherOf() for all who were found; those who can limit the speed, and those who nearly touch, once more by
/// themselves.
HWY_INLINE Opposing know(const Coefficients& c, const StepInput& input, const Walker& w, Scratch& scratch) {
  const D d;
  const DI di;
  const NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  Columns& o = scratch.seen;
  {
    const std::uint32_t *row_of = index.row().data(), *person = crowd.person.data();
    const float *vx = index.vx().data(), *vy = index.vy().data(), *radius = index.radius().data();
    const float *px = crowd.preferred_vx.data(), *py = crowd.preferred_vy.data(), *slots = scratch.slot.data();
    float *HWY_RESTRICT to_vx = o.vx.data(), *HWY_RESTRICT to_vy = o.vy.data(), *HWY_RESTRICT to_tie = o.tie.data();
    float *HWY_RESTRICT to_radius = scratch.radius.data(), *HWY_RESTRICT to_px = scratch.wanted_x.data();
    float* HWY_RESTRICT to_py = scratch.wanted_y.data();
    const float* squared = scratch.squared.data();
    for (std::size_t i = 0, n = o.count; i < n; ++i) {
      const auto slot = std::bit_cast<std::uint32_t>(slots[i]);
      const std::uint32_t row = row_of[slot];
      to_vx[i] = vx[slot], to_vy[i] = vy[slot], to_radius[i] = radius[slot];
      to_px[i] = px[row], to_py[i] = py[row];
      to_tie[i] = w.person < person[row] ? 0.5f : -0.5f;
      if (HWY_UNLIKELY(squared[i] < kSamePlaceSquared)) {
        const Vec2 to = social_force::partingDirection(w.person, person[row]) * -1e-6f;
        o.x[i] = to.x, o.y[i] = to.y;
      }
    }
  }
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const V own_vx = hn::Set(d, w.velocity.x), own_vy = hn::Set(d, w.velocity.y), own_radius = hn::Set(d, w.radius);
  const V wanted_x = hn::Set(d, w.wanted.x), wanted_y = hn::Set(d, w.wanted.y);
  const V anticipation = hn::Set(d, kAnticipation), standing = hn::Set(d, kStanding * kStanding);
  // Who can limit the speed: at worst somebody straight ahead whom the walker is behind, or who is reached in a step.
  const V step = hn::Set(d, (1.0001f * w.wanted_speed) * c.dt);
  const V limit = hn::Set(d, (1.0001f * w.wanted_speed) * c.time_gap + kStandoff);
  auto all = hn::Zero(di), against = hn::Zero(di), crossing = hn::Zero(di);
  Columns& l = scratch.limiting;
  l.count = 0;
  scratch.touching.clear();
  for (std::size_t i = 0; i < o.count; i += hn::Lanes(d)) {
    const auto there = hn::FirstN(d, o.count - i);
    const V x = hn::LoadU(d, o.x.data() + i), y = hn::LoadU(d, o.y.data() + i);
    const V vx = hn::LoadU(d, o.vx.data() + i), vy = hn::LoadU(d, o.vy.data() + i);
    const V squared = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    const V distance = hn::Sqrt(squared), inverse = hn::Div(one, distance);
    const V reach = hn::Add(own_radius, hn::LoadU(d, scratch.radius.data() + i));
    const V receding = hn::Mul(hn::Add(hn::Mul(hn::Sub(vx, own_vx), x), hn::Mul(hn::Sub(vy, own_vy), y)), inverse);
    const V gap = hn::Sub(distance, reach);
    V to_x = hn::LoadU(d, scratch.wanted_x.data() + i), to_y = hn::LoadU(d, scratch.wanted_y.data() + i);
    const V wish = hn::Add(hn::Mul(to_x, to_x), hn::Mul(to_y, to_y));
    const V scale = hn::IfThenElseZero(hn::Gt(wish, standing), hn::Div(one, hn::Sqrt(wish)));
    to_x = hn::Mul(to_x, scale), to_y = hn::Mul(to_y, scale);
    const V towards = hn::Neg(hn::Mul(hn::Add(hn::Mul(to_x, x), hn::Mul(to_y, y)), inverse));
    const V leaving = hn::Mul(hn::Max(zero, receding), hn::Max(zero, hn::Neg(towards)));
    const V open = hn::IfThenElse(hn::Gt(gap, zero), hn::Add(gap, hn::Mul(anticipation, leaving)), gap);
    const V apart = hn::Sub(squared, hn::Mul(reach, reach));
    const V tie = hn::LoadU(d, o.tie.data() + i);
    hn::StoreU(inverse, d, o.inverse.data() + i);
    hn::StoreU(gap, d, o.gap.data() + i);
    hn::StoreU(open, d, o.open.data() + i);
    hn::StoreU(towards, d, o.towards.data() + i);
    hn::StoreU(apart, d, o.apart.data() + i);
    const V cosine = hn::Add(hn::Mul(to_x, wanted_x), hn::Mul(to_y, wanted_y));
    const V pace = hn::Sqrt(hn::Add(hn::Mul(vx, vx), hn::Mul(vy, vy)));
    const V still = hn::Max(zero, hn::Sub(one, hn::Mul(hn::Set(d, kQueueing), pace)));
    const V ahead = hn::Mul(hn::Add(hn::Mul(wanted_x, x), hn::Mul(wanted_y, y)), inverse);
    const V turn = hn::Sub(one, whoIsBehind(ahead, towards, tie));
    const V counts = hn::Sub(one, hn::Mul(hn::Mul(hn::Set(d, w.still), still), turn));
    const V weight = hn::Div(hn::Set(d, kFew), hn::Add(one, distance));
    const V opposes = hn::Min(hn::Max(hn::Sub(hn::Set(d, kOtherWay), cosine), zero), one);
    const V share = hn::Mul(weight, hn::Mul(opposes, counts));
    const V gravity = hn::Mul(hn::Sub(one, hn::Mul(hn::Max(zero, cosine), still)), counts);
    const V straight = hn::Mul(hn::Set(d, 2.0f), hn::Mul(cosine, cosine));
    const V crosses = hn::Max(zero, hn::Sub(one, straight));
    const V sine = hn::Sub(hn::Mul(wanted_x, to_y), hn::Mul(wanted_y, to_x));
    const V cross = hn::Mul(weight, hn::Mul(sine, crosses));
    hn::StoreU(share, d, o.against.data() + i);
    hn::StoreU(gravity, d, o.gravity.data() + i);
    all = hn::Add(all, hn::ConvertTo(di, hn::IfThenElseZero(there, weight)));
    against = hn::Add(against, hn::ConvertTo(di, hn::IfThenElseZero(there, share)));
    crossing = hn::Add(crossing, hn::ConvertTo(di, hn::IfThenElseZero(there, cross)));

    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::And(there, hn::Lt(gap, hn::Set(d, kStepBack)))))) {
      for (std::size_t k = i; k < std::min(o.count, i + hn::Lanes(d)); ++k)
        if (o.gap[k] < kStepBack) scratch.touching.push_back(o.body(k));
    }
    const auto limits = hn::And(there, hn::Or(hn::Lt(open, limit), hn::Lt(gap, step)));
    if (hn::AllFalse(d, limits)) continue;
    const auto pack = packing(d, limits);
    storePacked(d, x, pack, l.x.data() + l.count);
    storePacked(d, y, pack, l.y.data() + l.count);
    storePacked(d, inverse, pack, l.inverse.data() + l.count);
    storePacked(d, gap, pack, l.gap.data() + l.count);
    storePacked(d, open, pack, l.open.data() + l.count);
    const V beside = hn::Sub(hn::Mul(wanted_x, y), hn::Mul(wanted_y, x));
    const V drifts = hn::Sub(hn::Mul(wanted_x, vy), hn::Mul(wanted_y, vx));
    const V clearing = hn::Mul(hn::Mul(beside, drifts), hn::Set(d, kClearing));
    const V leaves = hn::Min(hn::Max(clearing, zero), one);
    const V stays = hn::Mul(hn::Sub(one, leaves), hn::Sub(one, crosses));
    storePacked(d, stays, pack, l.stays.data() + l.count);
    storePacked(d, towards, pack, l.towards.data() + l.count);
    storePacked(d, tie, pack, l.tie.data() + l.count);
    l.count += hn::CountTrue(d, limits);
  }
  Opposing opposing;
  opposing.all = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(di, all)));
  opposing.against = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(di, against)));
  opposing.crossing = hn::GetLane(hn::SumOfLanes(di, crossing));
  return opposing;
}

/// speedFor() of time_gap_terms.h.
HWY_INLINE V speedForAll(const Coefficients& c, V x, V y, V inverse, V gap, V open, V stays, V towards, V tie, V ux,
                         V uy, V free) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const V cosine = hn::Mul(hn::Add(hn::Mul(x, ux), hn::Mul(y, uy)), inverse);
  const V behind = hn::Mul(whoIsBehind(cosine, towards, tie), stays);
  const V room = hn::Max(zero, hn::Sub(open, hn::Mul(hn::Set(d, kStandoff), behind)));
  const V time = hn::Add(hn::Set(d, c.going), hn::Mul(hn::Set(d, c.time_gap - c.going), behind));
  const V most = hn::Div(hn::Max(zero, gap), hn::Mul(cosine, hn::Set(d, c.dt)));
  const V speed = hn::Min(most, hn::Div(room, hn::Mul(cosine, time)));
  const V squeeze = hn::Mul(hn::Add(open, hn::Set(d, kSqueeze)), hn::Set(d, c.creeping / kSqueeze));
  const V creeps = hn::Min(hn::Max(squeeze, zero), hn::Set(d, c.creeping));
  const V creeping = hn::Mul(creeps, hn::Sub(one, hn::Mul(hn::Set(d, 2.0f), behind)));
  return hn::IfThenElse(hn::Gt(cosine, zero), hn::Min(free, hn::Max(speed, creeping)), free);
}

/// What can be walked in kVectors vectors of directions from `first` on, and what each of them costs.
template <std::size_t kVectors>
HWY_INLINE void tryDirections(const Coefficients& c, const Walker& w, const Opposing& opposing, std::size_t first,
                              Scratch& scratch) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  V ux[kVectors], uy[kVectors], speed[kVectors], danger[kVectors], against[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    ux[v] = hn::Load(d, scratch.ux + first + v * hn::Lanes(d));
    uy[v] = hn::Load(d, scratch.uy + first + v * hn::Lanes(d));
    speed[v] = hn::Load(d, scratch.speed + first + v * hn::Lanes(d));
    danger[v] = zero;
    against[v] = zero;
  }
  const Columns& l = scratch.limiting;
  for (std::size_t i = 0; i < l.count; ++i) {
    const V x = hn::Set(d, l.x[i]), y = hn::Set(d, l.y[i]), inverse = hn::Set(d, l.inverse[i]);
    const V gap = hn::Set(d, l.gap[i]), open = hn::Set(d, l.open[i]), stays = hn::Set(d, l.stays[i]),
            towards = hn::Set(d, l.towards[i]), tie = hn::Set(d, l.tie[i]);
    for (std::size_t v = 0; v < kVectors; ++v)
      speed[v] = speedForAll(c, x, y, inverse, gap, open, stays, towards, tie, ux[v], uy[v], speed[v]);
  }
  const Columns& o = scratch.seen;
  const V inverse_horizon = hn::Set(d, c.inverse_horizon);
  V way_x[kVectors], way_y[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) way_x[v] = hn::Mul(ux[v], speed[v]), way_y[v] = hn::Mul(uy[v], speed[v]);
  for (std::size_t i = 0; i < o.count; ++i) {
    const V x = hn::Set(d, o.x[i]), y = hn::Set(d, o.y[i]), vx = hn::Set(d, o.vx[i]), vy = hn::Set(d, o.vy[i]);
    const V apart = hn::Set(d, o.apart[i]), inverse = hn::Set(d, o.inverse[i]), gravity = hn::Set(d, o.gravity[i]);
    if (o.against[i] > 0) {
      const V all = hn::Set(d, o.against[i]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const V cosine = hn::Max(zero, hn::Mul(hn::Add(hn::Mul(x, ux[v]), hn::Mul(y, uy[v])), inverse));
        const V squared = hn::Mul(cosine, cosine);
        against[v] = hn::Add(against[v], hn::Mul(all, hn::Mul(squared, squared)));
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V rx = hn::Sub(way_x[v], vx), ry = hn::Sub(way_y[v], vy);
      const V a = hn::Add(hn::Mul(rx, rx), hn::Mul(ry, ry)), b = hn::Add(hn::Mul(x, rx), hn::Mul(y, ry));
      const V root = hn::Sub(hn::Mul(b, b), hn::Mul(a, apart));
      const auto hit = hn::And(hn::Gt(b, zero), hn::Gt(root, zero));
      if (hn::AllFalse(d, hit)) continue;
      const V time = hn::Div(hn::Max(zero, apart), hn::Add(b, hn::Sqrt(root)));
      const V soon = hn::Max(zero, hn::Sub(one, hn::Mul(time, inverse_horizon)));
      danger[v] = hn::IfThenElse(hit, hn::Max(danger[v], hn::Mul(hn::Mul(soon, soon), gravity)), danger[v]);
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
    const V turning = hn::Mul(hn::Mul(hn::Set(d, kTurning), hn::Sub(one, heading)), fast);
    const V sides = hn::IfThenElse(hn::Gt(left, zero), on_left, hn::IfThenElseZero(hn::Lt(left, zero), on_right));
    const V delay = hn::Mul(hn::Set(d, kDelay), hn::Sub(one, hn::Div(hn::Mul(speed[v], cosine), wanted)));
    const V way = hn::Add(delay, hn::Mul(hn::Set(d, kDanger), danger[v]));
    const V cost = hn::Add(hn::Add(hn::Add(detour, turning), sides), way);
    hn::Store(hn::Add(cost, hn::Mul(against[v], hn::Set(d, opposing.cost()))), d, scratch.cost + at);
    hn::Store(speed[v], d, scratch.speed + at);
  }
}

/// What can be walked in one direction.
HWY_INLINE float speedIn(const Coefficients& c, const Walker& w, Vec2 u, const Scratch& scratch) {
  const D d;
  const float free = std::min(w.wanted_speed, scratch.walls.way(u.x, u.y) / kWallTime);
  const Columns& l = scratch.limiting;
  const V ux = hn::Set(d, u.x), uy = hn::Set(d, u.y), most = hn::Set(d, free);
  V speed = most;
  for (std::size_t i = 0; i < l.count; i += hn::Lanes(d)) {
    const V possible =
        speedForAll(c, hn::LoadU(d, l.x.data() + i), hn::LoadU(d, l.y.data() + i), hn::LoadU(d, l.inverse.data() + i),
                    hn::LoadU(d, l.gap.data() + i), hn::LoadU(d, l.open.data() + i), hn::LoadU(d, l.stays.data() + i),
                    hn::LoadU(d, l.towards.data() + i), hn::LoadU(d, l.tie.data() + i), ux, uy, most);
    speed = hn::Min(speed, hn::IfThenElse(hn::FirstN(d, l.count - i), possible, most));
  }
  return hn::GetLane(hn::MinOfLanes(d, speed));
}

HWY_INLINE std::size_t choose(const Coefficients& c, const Walker& w, const Opposing& opposing, Scratch& scratch) {
  const D d;
  const V wanted_x = hn::Set(d, w.wanted.x), wanted_y = hn::Set(d, w.wanted.y), most = hn::Set(d, w.wanted_speed);
  for (std::size_t k = 0; k < kDirections; k += hn::Lanes(d)) {
    const V cosine = hn::Load(d, c.cosine + k), sine = hn::Load(d, c.sine + k);
    hn::Store(hn::Sub(hn::Mul(wanted_x, cosine), hn::Mul(wanted_y, sine)), d, scratch.ux + k);
    hn::Store(hn::Add(hn::Mul(wanted_y, cosine), hn::Mul(wanted_x, sine)), d, scratch.uy + k);
    hn::Store(cosine, d, scratch.cosine + k);
    hn::Store(most, d, scratch.speed + k);
  }
  scratch.ux[kHeading] = w.heading.x, scratch.uy[kHeading] = w.heading.y;
  scratch.cosine[kHeading] = w.heading.x * w.wanted.x + w.heading.y * w.wanted.y;
  if (!scratch.walls.empty())
    for (std::size_t k = 0; k < kDirections; ++k)
      scratch.speed[k] = std::min(w.wanted_speed, scratch.walls.way(scratch.ux[k], scratch.uy[k]) / kWallTime);
  if (2 * hn::Lanes(d) <= kDirections) {
    for (std::size_t i = 0; i < kDirections; i += 2 * hn::Lanes(d)) tryDirections<2>(c, w, opposing, i, scratch);
  } else {
    for (std::size_t i = 0; i < kDirections; i += hn::Lanes(d)) tryDirections<1>(c, w, opposing, i, scratch);
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < kDirections; ++k) {
    if (k == kHeading && !(scratch.cosine[k] >= 0)) continue;
    if (scratch.cost[k] < scratch.cost[best]) best = k;
  }
  return best;
}

void steerPeople(const StepInput& input, const Coefficients& c, std::span<const std::uint32_t> slots, Scratch& scratch,
                 VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    const Walker w = walkerOf(crowd, row);
    look(c, input, w, slot, row, scratch);
    const Opposing opposing = know(c, input, w, scratch);
    scratch.walls.look(input.floors[crowd.layer[row]].walls, w.place, w.radius);
    Vec2 direction{0, 0};
    float speed = 0;
    if (w.wanted_speed > kStanding) {
      const std::size_t best = choose(c, w, opposing, scratch);
      direction = {scratch.ux[best], scratch.uy[best]};
      speed = scratch.speed[best];
    }
    const Vec2 way = turned(c, w, direction);
    const Vec2 next =
        velocityFor(c, w, scratch.touching, scratch.walls, direction, speed, way, speedIn(c, w, way, scratch));
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
}

void steerThrong(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out) {
  using namespace time_gap;
  static thread_local Scratch scratch;
  const Coefficients c(parameters, input.dt);
  HWY_DYNAMIC_DISPATCH(steerPeople)(input, c, slots, scratch, out);
}

}  // namespace throng::steering

#endif
