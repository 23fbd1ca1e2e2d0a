// The kernel of Karamouzas & Overmars 2010 (the model is described in karamouzas_2010_terms.h): those in view are
// listed one by one; then all velocities that come into question are tried at once, one per lane, obstacle by obstacle:
// what is looked for is a minimum, so nothing depends on the number of lanes.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/karamouzas_2010.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "steering/karamouzas_2010.h"
#include "steering/karamouzas_2010_terms.h"
#include "steering/people_near.h"

HWY_BEFORE_NAMESPACE();
namespace throng::steering::karamouzas_2010::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// timeTo a disc or a side for kVectors vectors of velocities at once; `time` becomes the least.
template <std::size_t kVectors>
HWY_INLINE void meet(const Disc& disc, const V (&ux)[kVectors], const V (&uy)[kVectors], V (&time)[kVectors]) {
  const D d;
  const V zero = hn::Zero(d);
  const V px = hn::Set(d, disc.px), py = hn::Set(d, disc.py);
  const V vx = hn::Set(d, disc.vx), vy = hn::Set(d, disc.vy), room = hn::Set(d, disc.room);
  for (std::size_t v = 0; v < kVectors; ++v) {
    const V wx = hn::Sub(ux[v], vx), wy = hn::Sub(uy[v], vy);
    const V b = hn::Add(hn::Mul(px, wx), hn::Mul(py, wy));
    const V root = hn::Sub(hn::Mul(b, b), hn::Mul(hn::Add(hn::Mul(wx, wx), hn::Mul(wy, wy)), room));
    const auto hit = hn::And(hn::Gt(b, zero), hn::Gt(root, zero));
    if (hn::AllFalse(d, hit)) continue;
    const V t = hn::Div(room, hn::Add(b, hn::Sqrt(root)));
    time[v] = hn::IfThenElse(hit, hn::Min(time[v], t), time[v]);
  }
}

template <std::size_t kVectors>
HWY_INLINE void meet(const Side& side, const V (&ux)[kVectors], const V (&uy)[kVectors], V (&time)[kVectors]) {
  const D d;
  const V zero = hn::Zero(d);
  const V nx = hn::Set(d, side.nx), ny = hn::Set(d, side.ny), tx = hn::Set(d, side.tx), ty = hn::Set(d, side.ty);
  for (std::size_t v = 0; v < kVectors; ++v) {
    const V approach = hn::Neg(hn::Add(hn::Mul(nx, ux[v]), hn::Mul(ny, uy[v])));
    const V t = hn::Div(hn::Set(d, side.room), approach);
    const V at = hn::Add(hn::Set(d, side.along), hn::Mul(t, hn::Add(hn::Mul(tx, ux[v]), hn::Mul(ty, uy[v]))));
    const auto hit = hn::And(hn::Gt(approach, zero), hn::And(hn::Ge(at, zero), hn::Le(at, hn::Set(d, side.extent))));
    time[v] = hn::IfThenElse(hit, hn::Min(time[v], t), time[v]);
  }
}

/// The times of kVectors vectors of candidates from `first` on: kept in registers while the obstacles pass by.
template <std::size_t kVectors>
HWY_INLINE void times(const Obstacles& obstacles, std::size_t first, Candidates& candidates) {
  const D d;
  V ux[kVectors], uy[kVectors], time[kVectors], contact[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    ux[v] = hn::Load(d, candidates.ux + first + v * hn::Lanes(d));
    uy[v] = hn::Load(d, candidates.uy + first + v * hn::Lanes(d));
    time[v] = contact[v] = hn::Set(d, kNever);
  }
  for (const Disc& disc : obstacles.people) meet<kVectors>(disc, ux, uy, time);
  for (const Disc& disc : obstacles.bodies) meet<kVectors>(disc, ux, uy, contact);
  for (const Side& side : obstacles.sides) meet<kVectors>(side, ux, uy, contact);
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(time[v], d, candidates.time + first + v * hn::Lanes(d));
    hn::Store(contact[v], d, candidates.contact + first + v * hn::Lanes(d));
  }
}

void allTimes(const Obstacles& obstacles, Candidates& candidates) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kTogether = 4;
  std::size_t i = 0;
  for (; i + kTogether * lanes <= kCandidates; i += kTogether * lanes) times<kTogether>(obstacles, i, candidates);
  // With one lane nothing is left over, and the compiler, which does not see that, would warn.
  if constexpr (hn::MaxLanes(D()) > 1) {
    for (; i + lanes <= kCandidates; i += lanes) times<1>(obstacles, i, candidates);
  }
}

}  // namespace throng::steering::karamouzas_2010::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace throng::steering {
namespace karamouzas_2010 {
HWY_EXPORT(allTimes);
}

void steerKaramouzas2010(const StepInput& input, std::span<const float> parameters,
                         std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace karamouzas_2010;
  // One per thread, so that a warm step does not allocate.
  static thread_local std::vector<std::uint32_t> found;
  static thread_local Obstacles obstacles;
  static thread_local Candidates candidates;
  const Coefficients c(parameters);
  const agents::NeighbourIndex& index = input.neighbours;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    Walker walker;
    out.vx[row] = out.vy[row] = 0;
    if (!walkerOf(c, input, slot, walker)) continue;
    Vec2 next = walker.preferred;
    obstacles.clear();
    forEachPersonNear(index, input.crowd, slot, c.range, [&](std::uint32_t other) {
      const Vec2 apart{index.x()[other] - walker.place.x, index.y()[other] - walker.place.y};
      const Vec2 velocity{index.vx()[other], index.vy()[other]};
      note(c, walker, apart, velocity, index.radius()[other], obstacles);
    });
    seeWalls(c, input.floors[input.crowd.layer[row]].walls, walker, found, obstacles);
    const float time = firstCollision(c, walker, obstacles);
    if (time < c.t_max) {
      propose(c, walker, time, candidates);
      HWY_DYNAMIC_DISPATCH(allTimes)(obstacles, candidates);
      next = cheapest(c, candidates);
    }
    out.vx[row] = next.x, out.vy[row] = next.y;
  }
}

}  // namespace throng::steering

#endif
