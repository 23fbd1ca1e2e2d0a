// The kernel of Karamouzas et al. 2009 (the model is described in karamouzas_terms.h): times to collision with
// everybody around, one per lane; the few that are near enough in time are put in order and evaded one by one.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/karamouzas.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "steering/karamouzas.h"
#include "steering/karamouzas_terms.h"

HWY_BEFORE_NAMESPACE();
namespace throng::steering::karamouzas::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using agents::NeighbourIndex;

/// The first collisions with those in slots [begin, end), and who of them is in the personal space.
HWY_INLINE void foresee(const Coefficients& c, const NeighbourIndex& index, std::uint32_t row, const Walker& walker,
                        std::size_t begin, std::size_t end, Others& found) {
  const D d;
  const DU du;
  const float *x = index.x().data(), *y = index.y().data(), *vx = index.vx().data(), *vy = index.vy().data();
  const float* radius = index.radius().data();
  const V zero = hn::Zero(d);
  const V own_x = hn::Set(d, walker.place.x), own_y = hn::Set(d, walker.place.y);
  const V own_vx = hn::Set(d, walker.expected.x), own_vy = hn::Set(d, walker.expected.y);
  const V sight_x = hn::Set(d, walker.sight.x), sight_y = hn::Set(d, walker.sight.y);
  const auto self = hn::Set(du, row);
  for (std::size_t s = begin; s < end; s += hn::Lanes(d)) {
    const V dx = hn::Sub(hn::LoadU(d, x + s), own_x), dy = hn::Sub(hn::LoadU(d, y + s), own_y);
    const V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
    const V other_radius = hn::LoadU(d, radius + s);
    const V reach = hn::Add(hn::Set(d, walker.space), other_radius);
    const V room = hn::Sub(squared, hn::Mul(reach, reach));
    const V ux = hn::Sub(own_vx, hn::LoadU(d, vx + s)), uy = hn::Sub(own_vy, hn::LoadU(d, vy + s));
    const V b = hn::Add(hn::Mul(dx, ux), hn::Mul(dy, uy));
    const V root = hn::Sub(hn::Mul(b, b), hn::Mul(hn::Add(hn::Mul(ux, ux), hn::Mul(uy, uy)), room));
    const auto inside = hn::Not(hn::Gt(room, zero));
    const auto meets = hn::Or(inside, hn::And(hn::Gt(b, zero), hn::Gt(root, zero)));
    const auto others = hn::RebindMask(d, hn::Ne(hn::LoadU(du, index.row().data() + s), self));
    const auto near = hn::And(hn::And(hn::Lt(squared, hn::Set(d, c.range_squared)), hn::FirstN(d, end - s)), others);
    const auto candidates = hn::And(near, meets);
    if (hn::AllFalse(d, candidates)) continue;
    const V bodies = hn::Add(hn::Set(d, walker.radius), other_radius);
    const V ahead = hn::Add(hn::Mul(dx, sight_x), hn::Mul(dy, sight_y)), distance = hn::Sqrt(squared);
    const auto felt =
        hn::Or(hn::Ge(ahead, hn::Mul(hn::Set(d, c.cos_view), distance)), hn::Lt(squared, hn::Mul(bodies, bodies)));
    const V later = hn::Div(room, hn::Add(b, hn::Sqrt(root)));
    const V time = hn::IfThenElse(inside, zero, later);
    const auto expected = hn::And(hn::And(candidates, felt), hn::Le(time, hn::Set(d, c.anticipation)));
    if (hn::AllFalse(d, expected)) continue;
    HWY_ALIGN float times[hn::MaxLanes(d)];
    std::uint8_t bits[8] = {};
    hn::Store(time, d, times);
    hn::StoreMaskBits(d, expected, bits);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      if ((bits[lane / 8] >> (lane % 8) & 1) == 0) continue;
      const auto other = static_cast<std::uint32_t>(s + lane);
      if (times[lane] == 0) {
        found.inside.push_back(other);
      } else {
        keepFirst(found.first, c.max_collisions, {times[lane], other});
      }
    }
  }
}

void steerPeople(const StepInput& input, const Coefficients& c, std::span<const std::uint32_t> slots,
                 std::vector<std::uint32_t>& found, Others& others, VelocityOutput out) {
  const NeighbourIndex& index = input.neighbours;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    MotionSums sums;
    const Walker walker = walkerOf(c, input, slot, found, sums);
    others.inside.clear(), others.first.clear();
    const NeighbourIndex::Grid& grid = index.grid(index.zone(input.crowd, row));
    const int left = NeighbourIndex::column(grid, walker.place.x - c.range);
    const int right = NeighbourIndex::column(grid, walker.place.x + c.range);
    const int bottom = NeighbourIndex::gridRow(grid, walker.place.y - c.range);
    const int top = NeighbourIndex::gridRow(grid, walker.place.y + c.range);
    const std::uint32_t* start = index.cellStart().data() + grid.first_cell +
                                 static_cast<std::size_t>(bottom) * static_cast<std::size_t>(grid.columns);
    for (int r = bottom; r <= top; ++r, start += grid.columns) {
      foresee(c, index, row, walker, start[left], start[right + 1], others);
    }
    const Vec2 next = evade(c, input, slot, walker, others, sums);
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

}  // namespace throng::steering::karamouzas::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace throng::steering {
namespace karamouzas {
HWY_EXPORT(steerPeople);
}

void steerKaramouzas(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out) {
  using namespace karamouzas;
  // One per thread, so that a warm step does not allocate.
  static thread_local std::vector<std::uint32_t> found;
  static thread_local Others others;
  const Coefficients c(parameters, input.dt);
  HWY_DYNAMIC_DISPATCH(steerPeople)(input, c, slots, found, others, out);
}

}  // namespace throng::steering

#endif
