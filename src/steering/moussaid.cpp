// The kernel of Moussaïd et al. 2011 (the model is described in moussaid_terms.h). For each person the people in view
// are packed, grid row by grid row; then the directions are tried all at once, one per lane, obstacle by obstacle: what
// is looked for is a minimum, so nothing depends on the number of lanes.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/moussaid.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>
#include <limits>

#include "steering/moussaid.h"
#include "steering/moussaid_terms.h"
#include "steering/packing-inl.h"

#ifndef THRONG_STEERING_MOUSSAID_SCRATCH
#define THRONG_STEERING_MOUSSAID_SCRATCH

namespace throng::steering::moussaid {

/// Discs in columns.
struct Discs {
  base::Column<float> px, py, qx, qy, a0, b0, c;
  std::size_t count = 0;

  /// Room for `more` after those there are, and one whole vector.
  void reserve(std::size_t more) {
    const std::size_t needed = count + more + base::kVectorBytes / sizeof(float);
    if (needed <= px.size()) return;
    for (auto* column : {&px, &py, &qx, &qy, &a0, &b0, &c}) column->resize(2 * needed);
  }
  void add(const Disc& disc) {
    const std::size_t i = count++;
    px[i] = disc.px, py[i] = disc.py, qx[i] = disc.qx, qy[i] = disc.qy;
    a0[i] = disc.a0, b0[i] = disc.b0, c[i] = disc.c;
  }
};

/// What one thread keeps between calls, so that a warm kernel does not allocate.
struct Scratch {
  Discs seen;   ///< everybody in view: places, velocities in m/s for q, and the sum of the radii for c
  Discs ahead;  ///< those of them who can be met within d_max, as f(α) needs them
  std::vector<Disc> corners;
  std::vector<Side> sides;
  std::vector<std::uint32_t> found;
  alignas(base::kVectorBytes) float ux[kDirections], uy[kDirections], free[kDirections], cost[kDirections];
};

}  // namespace throng::steering::moussaid

#endif

HWY_BEFORE_NAMESPACE();
namespace throng::steering::moussaid::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using agents::NeighbourIndex;
using pack::HWY_NAMESPACE::packing;
using pack::HWY_NAMESPACE::storePacked;

/// Contacts among slots [begin, end), one by one: few people touch. `pushers`: those who can touch within the step.
HWY_NOINLINE void touchSome(const Coefficients& c, const StepInput& input, std::uint32_t slot, std::size_t begin,
                            std::size_t end, MotionSums& sums, Pushers* pushers) {
  const NeighbourIndex& index = input.neighbours;
  for (std::size_t other = begin; other < end; ++other) {
    if (index.row()[other] == index.row()[slot]) continue;
    touchPerson(c, input.crowd, index, slot, static_cast<std::uint32_t>(other), sums);
    if (pushers) addPusher(c, index, slot, static_cast<std::uint32_t>(other), *pushers);
  }
}

/// Packs the people in view and sums the contacts.
HWY_INLINE void lookAround(const Coefficients& c, const StepInput& input, std::uint32_t slot, std::uint32_t row,
                           const View& view, Scratch& scratch, MotionSums& sums, Pushers* pushers) {
  const D d;
  const DU du;
  const NeighbourIndex& index = input.neighbours;
  const float *x = index.x().data(), *y = index.y().data(), *vx = index.vx().data(), *vy = index.vy().data();
  const float* radius = index.radius().data();
  const std::uint32_t* row_of = index.row().data();
  const NeighbourIndex::Grid& grid = index.grid(index.zone(input.crowd, row));
  const int left = NeighbourIndex::column(grid, x[slot] - c.d_max);
  const int right = NeighbourIndex::column(grid, x[slot] + c.d_max);
  const int bottom = NeighbourIndex::gridRow(grid, y[slot] - c.d_max);
  const int top = NeighbourIndex::gridRow(grid, y[slot] + c.d_max);
  const std::uint32_t* start = index.cellStart().data() + grid.first_cell +
                               static_cast<std::size_t>(bottom) * static_cast<std::size_t>(grid.columns);

  const V own_x = hn::Set(d, x[slot]), own_y = hn::Set(d, y[slot]), own_radius = hn::Set(d, radius[slot]);
  const V sight_x = hn::Set(d, view.sight.x), sight_y = hn::Set(d, view.sight.y);
  const V range_squared = hn::Set(d, c.range_squared), cos_view = hn::Set(d, c.cos_view);
  const V margin = hn::Set(d, pushers ? reachWithin(0, c.dt) : 0.0f);
  const auto self = hn::Set(du, row);
  Discs& seen_discs = scratch.seen;
  seen_discs.count = 0;
  for (int r = bottom; r <= top; ++r, start += grid.columns) {
    const std::size_t begin = start[left], end = start[right + 1];
    seen_discs.reserve(end - begin);
    std::size_t count = seen_discs.count;
    float *px = seen_discs.px.data(), *py = seen_discs.py.data(), *qx = seen_discs.qx.data();
    float *qy = seen_discs.qy.data(), *reach_of = seen_discs.c.data();
    for (std::size_t s = begin; s < end; s += hn::Lanes(d)) {
      const V dx = hn::Sub(hn::LoadU(d, x + s), own_x), dy = hn::Sub(hn::LoadU(d, y + s), own_y);
      const V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      const V reach = hn::Add(own_radius, hn::LoadU(d, radius + s));
      const auto others = hn::RebindMask(d, hn::Ne(hn::LoadU(du, row_of + s), self));
      const auto near = hn::And(hn::And(hn::Lt(squared, range_squared), hn::FirstN(d, end - s)), others);
      const V ahead = hn::Add(hn::Mul(dx, sight_x), hn::Mul(dy, sight_y));
      const auto seen = hn::And(near, hn::Ge(ahead, hn::Mul(cos_view, hn::Sqrt(squared))));
      const V close = hn::Add(reach, margin);
      if (HWY_UNLIKELY(!hn::AllFalse(d, hn::And(near, hn::Lt(squared, hn::Mul(close, close)))))) {
        touchSome(c, input, slot, s, std::min(end, s + hn::Lanes(d)), sums, pushers);
      }
      const auto pack = packing(d, seen);
      storePacked(d, dx, pack, px + count);
      storePacked(d, dy, pack, py + count);
      storePacked(d, hn::LoadU(d, vx + s), pack, qx + count);
      storePacked(d, hn::LoadU(d, vy + s), pack, qy + count);
      storePacked(d, reach, pack, reach_of + count);
      count += hn::CountTrue(d, seen);
    }
    seen_discs.count = count;
  }
}

/// discOf of moussaid_terms.h for what was packed. Whoever is slower than the walker and too far away even where the
/// walker could be after d_max is met by nobody's direction: they are left out of `ahead`.
HWY_INLINE void makeDiscs(const Coefficients& c, float inverse_speed, Scratch& scratch) {
  const D d;
  const Discs& seen = scratch.seen;
  Discs& ahead = scratch.ahead;
  ahead.count = 0;
  ahead.reserve(seen.count + scratch.corners.size());
  const V inverse = hn::Set(d, inverse_speed), one = hn::Set(d, 1.0f), d_max = hn::Set(d, c.d_max);
  for (std::size_t i = 0; i < seen.count; i += hn::Lanes(d)) {
    const V px = hn::LoadU(d, seen.px.data() + i), py = hn::LoadU(d, seen.py.data() + i);
    const V qx = hn::Mul(hn::LoadU(d, seen.qx.data() + i), inverse);
    const V qy = hn::Mul(hn::LoadU(d, seen.qy.data() + i), inverse);
    const V reach = hn::LoadU(d, seen.c.data() + i);
    const V squared = hn::Add(hn::Mul(px, px), hn::Mul(py, py));
    const V disc_c = hn::Max(hn::Zero(d), hn::Sub(squared, hn::Mul(reach, reach)));
    const V q_squared = hn::Add(hn::Mul(qx, qx), hn::Mul(qy, qy));
    const V then_x = hn::Add(px, hn::Mul(qx, d_max)), then_y = hn::Add(py, hn::Mul(qy, d_max));
    const V then_squared = hn::Add(hn::Mul(then_x, then_x), hn::Mul(then_y, then_y));
    const V near = hn::Mul(hn::Set(d, 1.001f), hn::Add(reach, d_max));
    const auto meets = hn::Or(hn::Le(then_squared, hn::Mul(near, near)), hn::Ge(q_squared, hn::Set(d, 0.999f)));
    const auto kept = hn::And(meets, hn::FirstN(d, seen.count - i));
    const auto pack = packing(d, kept);
    storePacked(d, px, pack, ahead.px.data() + ahead.count);
    storePacked(d, py, pack, ahead.py.data() + ahead.count);
    storePacked(d, qx, pack, ahead.qx.data() + ahead.count);
    storePacked(d, qy, pack, ahead.qy.data() + ahead.count);
    storePacked(d, hn::Add(one, q_squared), pack, ahead.a0.data() + ahead.count);
    storePacked(d, hn::Add(hn::Mul(px, qx), hn::Mul(py, qy)), pack, ahead.b0.data() + ahead.count);
    storePacked(d, disc_c, pack, ahead.c.data() + ahead.count);
    ahead.count += hn::CountTrue(d, kept);
  }
  for (const Disc& corner : scratch.corners) ahead.add(corner);
}

/// f(α) for kVectors vectors of directions from `first` on: kept in registers while the discs pass by.
template <std::size_t kVectors>
HWY_INLINE void freeDistances(const Coefficients& c, std::size_t first, Scratch& scratch) {
  const D d;
  const V zero = hn::Zero(d);
  V ux[kVectors], uy[kVectors], free[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    ux[v] = hn::Load(d, scratch.ux + first + v * hn::Lanes(d));
    uy[v] = hn::Load(d, scratch.uy + first + v * hn::Lanes(d));
    free[v] = hn::Set(d, c.d_max);
  }
  const Discs& ahead = scratch.ahead;
  const float *px = ahead.px.data(), *py = ahead.py.data(), *qx = ahead.qx.data(), *qy = ahead.qy.data();
  const float *a0 = ahead.a0.data(), *b0 = ahead.b0.data(), *cs = ahead.c.data();
  // Nobody is met nearer than c/(2b); the rest is for rounding.
  const V bound = hn::Set(d, 2.001f);
  for (std::size_t i = 0; i < ahead.count; ++i) {
    const V dpx = hn::Set(d, px[i]), dpy = hn::Set(d, py[i]), dqx = hn::Set(d, qx[i]), dqy = hn::Set(d, qy[i]);
    const V da = hn::Set(d, a0[i]), db = hn::Set(d, b0[i]), dc = hn::Set(d, cs[i]);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V along = hn::Add(hn::Mul(ux[v], dqx), hn::Mul(uy[v], dqy));
      const V a = hn::Sub(da, hn::Add(along, along));
      const V b = hn::Sub(hn::Add(hn::Mul(dpx, ux[v]), hn::Mul(dpy, uy[v])), db);
      const V root = hn::Sub(hn::Mul(b, b), hn::Mul(a, dc));
      const auto hit = hn::And(hn::Lt(dc, hn::Mul(hn::Mul(bound, b), free[v])), hn::Gt(root, zero));
      if (hn::AllFalse(d, hit)) continue;
      const V distance = hn::Div(dc, hn::Add(b, hn::Sqrt(root)));
      free[v] = hn::IfThenElse(hit, hn::Min(free[v], distance), free[v]);
    }
  }
  for (const Side& side : scratch.sides) {
    const V nx = hn::Set(d, side.nx), ny = hn::Set(d, side.ny), tx = hn::Set(d, side.tx), ty = hn::Set(d, side.ty);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V approach = hn::Neg(hn::Add(hn::Mul(nx, ux[v]), hn::Mul(ny, uy[v])));
      const V t = hn::Div(hn::Set(d, side.room), approach);
      const V at = hn::Add(hn::Set(d, side.along), hn::Mul(t, hn::Add(hn::Mul(tx, ux[v]), hn::Mul(ty, uy[v]))));
      const auto hit = hn::And(hn::Gt(approach, zero), hn::And(hn::Ge(at, zero), hn::Le(at, hn::Set(d, side.extent))));
      free[v] = hn::IfThenElse(hit, hn::Min(free[v], t), free[v]);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(free[v], d, scratch.free + first + v * hn::Lanes(d));
}

/// The best of all directions.
HWY_INLINE std::size_t bestDirection(const Coefficients& c, const View& view, Scratch& scratch) {
  const D d;
  const V wanted_x = hn::Set(d, view.wanted.x), wanted_y = hn::Set(d, view.wanted.y);
  const V one = hn::Set(d, 1.0f), zero = hn::Zero(d), d_max = hn::Set(d, c.d_max);
  const V left_cost = hn::Set(d, (kRightHand * c.d_max) * c.d_max);
  V least = hn::Set(d, std::numeric_limits<float>::max());
  for (std::size_t i = 0; i < kDirections; i += hn::Lanes(d)) {
    const V ux = hn::Load(d, scratch.ux + i), uy = hn::Load(d, scratch.uy + i);
    V cosine = hn::Min(one, hn::Add(hn::Mul(ux, wanted_x), hn::Mul(uy, wanted_y)));
    V left = hn::Sub(hn::Mul(wanted_x, uy), hn::Mul(wanted_y, ux));
    if (i == 0) {
      const auto first = hn::FirstN(d, 1);
      cosine = hn::IfThenElse(first, one, cosine);
      left = hn::IfThenElse(first, zero, left);
    }
    V free = hn::Load(d, scratch.free + i);
    if (c.foot_point) free = hn::Min(free, hn::Max(zero, hn::Mul(d_max, cosine)));
    V cost = hn::Sub(hn::Mul(free, free), hn::Mul(hn::Set(d, 2.0f * c.d_max), hn::Mul(free, cosine)));
    cost = hn::IfThenElse(hn::Gt(left, zero), hn::Add(cost, left_cost), cost);
    hn::Store(cost, d, scratch.cost + i);
    least = hn::Min(least, cost);
  }
  const float minimum = hn::GetLane(hn::MinOfLanes(d, least));
  for (std::size_t i = 0; i < kDirections; i += hn::Lanes(d)) {
    const auto there = hn::Eq(hn::Load(d, scratch.cost + i), hn::Set(d, minimum));
    if (!hn::AllFalse(d, there)) return i + static_cast<std::size_t>(hn::FindFirstTrue(d, there));
  }
  return 0;
}

/// Is nothing in the way for d_max in the preferred direction? Then none is better.
HWY_INLINE bool freeAhead(const Coefficients& c, Vec2 wanted, const Scratch& scratch) {
  const D d;
  const Discs& ahead = scratch.ahead;
  const V ux = hn::Set(d, wanted.x), uy = hn::Set(d, wanted.y), zero = hn::Zero(d), d_max = hn::Set(d, c.d_max);
  for (std::size_t i = 0; i < ahead.count; i += hn::Lanes(d)) {
    const V dc = hn::LoadU(d, ahead.c.data() + i);
    const V along =
        hn::Add(hn::Mul(ux, hn::LoadU(d, ahead.qx.data() + i)), hn::Mul(uy, hn::LoadU(d, ahead.qy.data() + i)));
    const V a = hn::Sub(hn::LoadU(d, ahead.a0.data() + i), hn::Add(along, along));
    const V across =
        hn::Add(hn::Mul(hn::LoadU(d, ahead.px.data() + i), ux), hn::Mul(hn::LoadU(d, ahead.py.data() + i), uy));
    const V b = hn::Sub(across, hn::LoadU(d, ahead.b0.data() + i));
    const V root = hn::Sub(hn::Mul(b, b), hn::Mul(a, dc));
    const auto hit = hn::And(hn::And(hn::Gt(b, zero), hn::Gt(root, zero)), hn::FirstN(d, ahead.count - i));
    if (hn::AllFalse(d, hit)) continue;
    const V distance = hn::Div(dc, hn::Add(b, hn::Sqrt(root)));
    if (!hn::AllFalse(d, hn::And(hit, hn::Lt(distance, d_max)))) return false;
  }
  for (const Side& side : scratch.sides) {
    if (distanceTo(side, wanted.x, wanted.y, c.d_max) < c.d_max) return false;
  }
  return true;
}

HWY_INLINE Vec2 choose(const Coefficients& c, const View& view, Scratch& scratch) {
  const D d;
  if (freeAhead(c, view.wanted, scratch)) return view.preferred;
  const V sight_x = hn::Set(d, view.sight.x), sight_y = hn::Set(d, view.sight.y);
  for (std::size_t i = 0; i < kDirections; i += hn::Lanes(d)) {
    const V cosine = hn::Load(d, c.cosine + i), sine = hn::Load(d, c.sine + i);
    hn::Store(hn::Sub(hn::Mul(sight_x, cosine), hn::Mul(sight_y, sine)), d, scratch.ux + i);
    hn::Store(hn::Add(hn::Mul(sight_y, cosine), hn::Mul(sight_x, sine)), d, scratch.uy + i);
  }
  scratch.ux[0] = view.wanted.x, scratch.uy[0] = view.wanted.y;
  constexpr std::size_t kTogether = 4;
  if (kDirections % (kTogether * hn::Lanes(d)) == 0) {
    for (std::size_t i = 0; i < kDirections; i += kTogether * hn::Lanes(d)) freeDistances<kTogether>(c, i, scratch);
  } else {
    for (std::size_t i = 0; i < kDirections; i += hn::Lanes(d)) freeDistances<1>(c, i, scratch);
  }
  const std::size_t best = bestDirection(c, view, scratch);
  return desiredVelocity(c, view, best, {scratch.ux[best], scratch.uy[best]}, scratch.free[best]);
}

/// The velocity that the person in a slot wants. `sums`: of the bodies in contact with theirs.
HWY_INLINE Vec2 decide(const StepInput& input, const Coefficients& c, std::uint32_t slot, Scratch& scratch,
                       MotionSums& sums, Pushers* pushers) {
  const NeighbourIndex& index = input.neighbours;
  const std::uint32_t row = index.row()[slot];
  View view = viewOf(c, input.crowd, row);
  lookAround(c, input, slot, row, view, scratch, sums, pushers);
  touches(view, sums);
  if (!(view.speed > 0)) return {0, 0};
  scratch.sides.clear(), scratch.corners.clear();
  seeWalls(c, input.floors[input.crowd.layer[row]].walls, {index.x()[slot], index.y()[slot]}, index.radius()[slot],
           scratch.found, scratch.sides, scratch.corners);
  makeDiscs(c, view.inverse_speed, scratch);
  return choose(c, view, scratch);
}

void steerPeople(const StepInput& input, const Coefficients& c, std::span<const std::uint32_t> slots, Scratch& scratch,
                 VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    MotionSums sums;
    const Vec2 desired = decide(input, c, slot, scratch, sums, nullptr);
    const Vec2 velocity{crowd.vx[row], crowd.vy[row]};
    touchWalls(c.dt, c.stiffness, crowd, input.floors[crowd.layer[row]].walls, row, {crowd.x[row], crowd.y[row]},
               velocity, scratch.found, sums);
    const Vec2 next = drivenVelocity(velocity, desired, c.drive, sums, crowd.max_speed[row]);
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

void beginParts(const StepInput& input, const Coefficients& c, std::span<const std::uint32_t> slots, Scratch& scratch,
                Pushers& pushers) {
  for (const std::uint32_t slot : slots) {
    MotionSums sums;
    const Vec2 desired = decide(input, c, slot, scratch, sums, &pushers);
    pushers.wanted_x.push_back(desired.x), pushers.wanted_y.push_back(desired.y);
    pushers.end.push_back(static_cast<std::uint32_t>(pushers.count));
  }
}

}  // namespace throng::steering::moussaid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace throng::steering {
namespace moussaid {
HWY_EXPORT(steerPeople);
HWY_EXPORT(beginParts);
}  // namespace moussaid

void steerMoussaid(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                   VelocityOutput out) {
  using namespace moussaid;
  static thread_local Scratch scratch;
  const Coefficients c(parameters, input.dt);
  HWY_DYNAMIC_DISPATCH(steerPeople)(input, c, slots, scratch, out);
}

const Parts& moussaidParts() {
  using namespace moussaid;
  static const Parts parts{kLongestPart,
                           [](const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, Pushers& pushers) {
                             static thread_local Scratch scratch;
                             const Coefficients c(parameters, input.dt);
                             HWY_DYNAMIC_DISPATCH(beginParts)(input, c, slots, scratch, pushers);
                           },
                           walkPart};
  return parts;
}

}  // namespace throng::steering

#endif
