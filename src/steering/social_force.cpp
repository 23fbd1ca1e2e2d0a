// The social force kernel (the model and its integration are described in social_force_terms.h).
//
// For a batch of people the neighbours in range are first packed, grid row by grid row, into one list of pairs; then
// the forces of all pairs are computed with full vectors, one pair per lane; then they are summed person by person in
// the order of slots. At walking densities a person has few neighbours scattered over nine cells, so that one person
// per lane would leave nine lanes in ten idle. Neither the sums nor anything else depends on the number of lanes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/social_force.cpp"
#include "steering/social_force.h"

#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "steering/packing-inl.h"
#include "steering/parts.h"
#include "steering/social_force_terms.h"

#ifndef THRONG_STEERING_SOCIAL_FORCE_PAIRS
#define THRONG_STEERING_SOCIAL_FORCE_PAIRS

namespace throng::steering::social_force {

inline constexpr std::size_t kBatch = 64;

/// The pairs of one batch, in columns; after the forces are computed, the terms of the sums stand in the same places.
struct Pairs {
  base::Column<float> dx, dy;  ///< from the other to the person, m; then fx, fy
  base::Column<float> ux, uy;  ///< the person's velocity minus the other's, m/s; then mxx, mxy
  base::Column<float> reach;   ///< sum of the radii, m; then myy
  base::Column<float> ahead;   ///< how far ahead of the person the other is, m
  std::size_t count = 0;
  std::size_t end[kBatch];  ///< of each person's pairs

  /// Room for `more` pairs after the first `filled`, and one whole vector.
  void reserve(std::size_t filled, std::size_t more) {
    const std::size_t needed = filled + more + base::kVectorBytes / sizeof(float);
    if (needed <= dx.size()) return;
    for (auto* column : {&dx, &dy, &ux, &uy, &reach, &ahead}) column->resize(2 * needed);
  }
};

}  // namespace throng::steering::social_force

#endif

HWY_BEFORE_NAMESPACE();
namespace throng::steering::social_force::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;

HWY_INLINE V vectorExponential(D d, V x) {
  const DU du;
  const V rounder = hn::Set(d, kRounder);
  const V shifted = hn::Add(hn::Mul(x, hn::Set(d, kLog2E)), rounder);
  const V n = hn::Sub(shifted, rounder);
  const V rest = hn::Sub(hn::Sub(x, hn::Mul(n, hn::Set(d, kLn2High))), hn::Mul(n, hn::Set(d, kLn2Low)));
  V sum = hn::Set(d, kExp[0]);
  for (int i = 1; i < 7; ++i) sum = hn::Add(hn::Mul(sum, rest), hn::Set(d, kExp[i]));
  const auto bits = hn::Add(hn::ShiftLeft<23>(hn::BitCast(du, shifted)), hn::Set(du, 0x3f800000u));
  return hn::Mul(sum, hn::BitCast(d, bits));
}

using pack::HWY_NAMESPACE::packing;
using pack::HWY_NAMESPACE::storePacked;

/// The person whose neighbours are being packed.
struct Person {
  std::uint32_t slot, row;
  Vec2 face;
};

/// Two people in one place: gives the pairs just packed a direction. Rare, so one by one.
HWY_NOINLINE void partCoincident(const agents::Crowd& crowd, const agents::NeighbourIndex& index, const Person& person,
                                 float range_squared, std::size_t begin, std::size_t end, std::size_t pair,
                                 Pairs& pairs) {
  for (std::size_t other = begin; other < end; ++other) {
    const std::uint32_t other_row = index.row()[other];
    const float dx = index.x()[person.slot] - index.x()[other], dy = index.y()[person.slot] - index.y()[other];
    const float squared = dx * dx + dy * dy;
    if (other_row == person.row || !(squared < range_squared)) continue;
    if (squared < kCoincidentSquared) {
      const Vec2 apart = partingDirection(crowd.person[person.row], crowd.person[other_row]);
      pairs.dx[pair] = apart.x * 1e-6f;
      pairs.dy[pair] = apart.y * 1e-6f;
      pairs.ahead[pair] = -(pairs.dx[pair] * person.face.x + pairs.dy[pair] * person.face.y);
    }
    ++pair;
  }
}

/// Rows of cells that a person's neighbours are in.
struct Cells {
  int left, right, bottom, top;
};

HWY_INLINE Cells cellsAround(const agents::NeighbourIndex::Grid& grid, Vec2 place, float range) {
  using Index = agents::NeighbourIndex;
  return {Index::column(grid, place.x - range), Index::column(grid, place.x + range),
          Index::gridRow(grid, place.y - range), Index::gridRow(grid, place.y + range)};
}

/// Appends the pairs of a person with those in range.
HWY_INLINE void packNeighbours(const agents::Crowd& crowd, const agents::NeighbourIndex& index, const Person& person,
                               const Coefficients& c, Pairs& pairs) {
  const D d;
  const DU du;
  // Everything in locals: the compiler has to expect that the stores below change what is in memory.
  const float *x = index.x().data(), *y = index.y().data(), *vx = index.vx().data(), *vy = index.vy().data();
  const float* radius = index.radius().data();
  const std::uint32_t *row = index.row().data(), *cell_start = index.cellStart().data();
  const agents::NeighbourIndex::Grid& grid = index.grid(index.zone(crowd, person.row));
  const Cells cells = cellsAround(grid, {x[person.slot], y[person.slot]}, c.range);
  const std::uint32_t* row_start = cell_start + grid.first_cell + static_cast<std::size_t>(cells.bottom) * grid.columns;

  const V px = hn::Set(d, x[person.slot]), py = hn::Set(d, y[person.slot]);
  const V pvx = hn::Set(d, vx[person.slot]), pvy = hn::Set(d, vy[person.slot]);
  const V person_radius = hn::Set(d, radius[person.slot]);
  const V face_x = hn::Set(d, person.face.x), face_y = hn::Set(d, person.face.y);
  const V range_squared = hn::Set(d, c.range_squared), coincident_squared = hn::Set(d, kCoincidentSquared);
  const auto self = hn::Set(du, person.row);
  std::size_t count = pairs.count;
  for (int r = cells.bottom; r <= cells.top; ++r, row_start += grid.columns) {
    const std::size_t begin = row_start[cells.left], end = row_start[cells.right + 1], first = count;
    pairs.reserve(count, end - begin);
    float *to_dx = pairs.dx.data(), *to_dy = pairs.dy.data(), *to_ux = pairs.ux.data(), *to_uy = pairs.uy.data();
    float *to_reach = pairs.reach.data(), *to_ahead = pairs.ahead.data();
    auto coincident = hn::FirstN(d, 0);
    for (std::size_t s = begin; s < end; s += hn::Lanes(d)) {
      const V dx = hn::Sub(px, hn::LoadU(d, x + s)), dy = hn::Sub(py, hn::LoadU(d, y + s));
      const V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      const auto others = hn::RebindMask(d, hn::Ne(hn::LoadU(du, row + s), self));
      const auto in_range = hn::And(hn::And(hn::Lt(squared, range_squared), hn::FirstN(d, end - s)), others);
      coincident = hn::Or(coincident, hn::And(in_range, hn::Lt(squared, coincident_squared)));
      const V ahead = hn::Neg(hn::Add(hn::Mul(dx, face_x), hn::Mul(dy, face_y)));
      const auto pack = packing(d, in_range);
      storePacked(d, dx, pack, to_dx + count);
      storePacked(d, dy, pack, to_dy + count);
      storePacked(d, hn::Sub(pvx, hn::LoadU(d, vx + s)), pack, to_ux + count);
      storePacked(d, hn::Sub(pvy, hn::LoadU(d, vy + s)), pack, to_uy + count);
      storePacked(d, hn::Add(person_radius, hn::LoadU(d, radius + s)), pack, to_reach + count);
      storePacked(d, ahead, pack, to_ahead + count);
      count += hn::CountTrue(d, in_range);
    }
    if (HWY_UNLIKELY(!hn::AllFalse(d, coincident))) {
      partCoincident(crowd, index, person, c.range_squared, begin, end, first, pairs);
    }
  }
  pairs.count = count;
}

/// addPush of social_force_terms.h for one vector of pairs.
HWY_INLINE void computePairs(const Coefficients& c, D d, Pairs& pairs, std::size_t p) {
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f), dt = hn::Set(d, c.dt);
  const V dx = hn::LoadU(d, pairs.dx.data() + p), dy = hn::LoadU(d, pairs.dy.data() + p);
  const V ux = hn::LoadU(d, pairs.ux.data() + p), uy = hn::LoadU(d, pairs.uy.data() + p);
  const V distance = hn::Sqrt(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)));
  const V inverse = hn::Div(one, distance);
  const V nx = hn::Mul(dx, inverse), ny = hn::Mul(dy, inverse);
  const V overlap = hn::Sub(hn::LoadU(d, pairs.reach.data() + p), distance);
  const V cosine = hn::Mul(hn::LoadU(d, pairs.ahead.data() + p), inverse);
  const V weight = hn::Add(hn::Set(d, c.lambda), hn::Mul(hn::Set(d, c.half_rest), hn::Add(one, cosine)));

  const V leaving = hn::Add(hn::Mul(ux, nx), hn::Mul(uy, ny));
  const V expected = hn::Sub(overlap, hn::Mul(dt, leaving));
  const V inverse_b = hn::Set(d, c.inverse_b);
  const V exponent = hn::Max(hn::Min(hn::Mul(expected, inverse_b), hn::Set(d, kMaxExponent)), hn::Set(d, kMinExponent));
  const V secant = hn::Max(exponent, one);
  const V repulsion = hn::Mul(hn::Mul(hn::Set(d, c.strength), vectorExponential(d, exponent)), weight);
  const auto pressed = hn::And(hn::Gt(overlap, zero), hn::Gt(expected, zero));
  const V body = hn::Set(d, c.body);
  const V push = hn::Add(repulsion, hn::Mul(body, hn::IfThenElseZero(pressed, expected)));
  const V stiffness = hn::Add(hn::Div(hn::Mul(repulsion, inverse_b), secant), hn::IfThenElseZero(pressed, body));
  const V rubbing = hn::Mul(hn::Set(d, c.friction), hn::Max(overlap, zero));

  const V slide_x = hn::Sub(ux, hn::Mul(leaving, nx)), slide_y = hn::Sub(uy, hn::Mul(leaving, ny));
  hn::StoreU(hn::Mul(dt, hn::Sub(hn::Mul(push, nx), hn::Mul(rubbing, slide_x))), d, pairs.dx.data() + p);
  hn::StoreU(hn::Mul(dt, hn::Sub(hn::Mul(push, ny), hn::Mul(rubbing, slide_y))), d, pairs.dy.data() + p);
  const V along = hn::Mul(hn::Set(d, 2.0f * c.dt * c.dt), stiffness);
  const V across = hn::Mul(hn::Set(d, 2.0f * c.dt), rubbing);
  const V difference = hn::Sub(along, across);
  const V along_x = hn::Mul(difference, nx);
  hn::StoreU(hn::Add(across, hn::Mul(along_x, nx)), d, pairs.ux.data() + p);
  hn::StoreU(hn::Mul(along_x, ny), d, pairs.uy.data() + p);
  hn::StoreU(hn::Add(across, hn::Mul(hn::Mul(difference, ny), ny)), d, pairs.reach.data() + p);
}

void steerBatch(const StepInput& input, const Coefficients& c, std::span<const std::uint32_t> slots, Pairs& pairs,
                std::vector<std::uint32_t>& found, VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  const agents::NeighbourIndex& index = input.neighbours;
  const std::uint32_t* row_of = index.row().data();
  pairs.count = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::uint32_t slot = slots[i], row = row_of[slot];
    packNeighbours(crowd, index, {slot, row, facing(crowd, row)}, c, pairs);
    pairs.end[i] = pairs.count;
  }
  const D d;
  for (std::size_t p = 0; p < pairs.count; p += hn::Lanes(d)) computePairs(c, d, pairs, p);
  std::size_t p = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    float fx = 0, fy = 0, mxx = 0, mxy = 0, myy = 0;
    for (; p < pairs.end[i]; ++p) {
      fx += pairs.dx[p];
      fy += pairs.dy[p];
      mxx += pairs.ux[p];
      mxy += pairs.uy[p];
      myy += pairs.reach[p];
    }
    Sums sums{fx, fy, mxx, mxy, myy};
    const std::uint32_t row = row_of[slots[i]];
    const ground::Walls& walls = input.floors[crowd.layer[row]].walls;
    const Vec2 velocity{crowd.vx[row], crowd.vy[row]};
    if (walls.size() > 0) addWalls(c, walls, crowd, row, {crowd.x[row], crowd.y[row]}, velocity, found, sums);
    finish(c, crowd, row, velocity, sums, out);
  }
}

/// Who can push the person within the step.
HWY_INLINE void packPushers(const agents::Crowd& crowd, const agents::NeighbourIndex& index, const Person& person,
                            const Coefficients& c, Pushers& pushers) {
  const D d;
  const DU du;
  const float *x = index.x().data(), *y = index.y().data(), *radius = index.radius().data();
  const std::uint32_t* row_of = index.row().data();
  const agents::NeighbourIndex::Grid& grid = index.grid(index.zone(crowd, person.row));
  const Cells cells = cellsAround(grid, {x[person.slot], y[person.slot]}, c.range);
  const std::uint32_t* row_start =
      index.cellStart().data() + grid.first_cell + static_cast<std::size_t>(cells.bottom) * grid.columns;
  const V px = hn::Set(d, x[person.slot]), py = hn::Set(d, y[person.slot]);
  const V own_radius = hn::Set(d, radius[person.slot]), range = hn::Set(d, c.range);
  const V gap = hn::Set(d, reachWithin(c.gap, c.dt));
  const auto self = hn::Set(du, person.row);
  const std::size_t filled = pushers.count;
  std::size_t count = filled;
  for (int r = cells.bottom; r <= cells.top; ++r, row_start += grid.columns) {
    const std::size_t begin = row_start[cells.left], end = row_start[cells.right + 1];
    pushers.count = count;
    pushers.reserve(end - begin);
    float *to_dx = pushers.dx.data(), *to_dy = pushers.dy.data(), *to_reach = pushers.reach.data();
    auto* to_other = reinterpret_cast<float*>(pushers.other.data());
    for (std::size_t s = begin; s < end; s += hn::Lanes(d)) {
      const V dx = hn::Sub(px, hn::LoadU(d, x + s)), dy = hn::Sub(py, hn::LoadU(d, y + s));
      const V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      const V reach = hn::Add(own_radius, hn::LoadU(d, radius + s));
      const V near = hn::Min(hn::Add(reach, gap), range);
      const auto row = hn::LoadU(du, row_of + s);
      const auto others = hn::RebindMask(d, hn::Ne(row, self));
      const auto kept = hn::And(hn::And(hn::Lt(squared, hn::Mul(near, near)), hn::FirstN(d, end - s)), others);
      const auto pack = packing(d, kept);
      storePacked(d, dx, pack, to_dx + count);
      storePacked(d, dy, pack, to_dy + count);
      storePacked(d, reach, pack, to_reach + count);
      storePacked(d, hn::BitCast(d, row), pack, to_other + count);
      count += hn::CountTrue(d, kept);
    }
  }
  for (std::size_t p = filled; p < count; ++p) pushers.self[p] = person.row;
  pushers.count = count;
  pushers.end.push_back(static_cast<std::uint32_t>(count));
}

void beginParts(const StepInput& input, const Coefficients& c, std::span<const std::uint32_t> slots, Pushers& pushers) {
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    const Vec2 face = facing(input.crowd, row);
    pushers.wanted_x.push_back(face.x), pushers.wanted_y.push_back(face.y);
    packPushers(input.crowd, input.neighbours, {slot, row, face}, c, pushers);
  }
}

/// Pairs [first, last) as they are now.
HWY_INLINE void pairsNow(const agents::Crowd& crowd, const Pushers& pushers, const Within& now, std::size_t first,
                         std::size_t last, Pairs& pairs) {
  const D d;
  const hn::RebindToSigned<D> di;
  pairs.reserve(0, last - first);
  const V coincident = hn::Set(d, kCoincidentSquared);
  const auto* selves = reinterpret_cast<const std::int32_t*>(pushers.self.data());
  const auto* others = reinterpret_cast<const std::int32_t*>(pushers.other.data());
  for (std::size_t p = first; p < last; p += hn::Lanes(d)) {
    const auto self = hn::LoadU(di, selves + p), other = hn::LoadU(di, others + p);
    const auto between = [&](const float* column) {
      return hn::Sub(hn::GatherIndex(d, column, self), hn::GatherIndex(d, column, other));
    };
    const V dx = hn::Add(hn::LoadU(d, pushers.dx.data() + p), between(now.x));
    const V dy = hn::Add(hn::LoadU(d, pushers.dy.data() + p), between(now.y));
    const std::size_t to = p - first;
    hn::StoreU(dx, d, pairs.dx.data() + to);
    hn::StoreU(dy, d, pairs.dy.data() + to);
    hn::StoreU(between(now.vx), d, pairs.ux.data() + to);
    hn::StoreU(between(now.vy), d, pairs.uy.data() + to);
    hn::StoreU(hn::LoadU(d, pushers.reach.data() + p), d, pairs.reach.data() + to);
    const V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
    if (HWY_LIKELY(hn::AllFalse(d, hn::And(hn::Lt(squared, coincident), hn::FirstN(d, last - p))))) continue;
    for (std::size_t q = p; q < std::min(last, p + hn::Lanes(d)); ++q) {
      float &x = pairs.dx[q - first], &y = pairs.dy[q - first];
      part(crowd, pushers.self[q], pushers.other[q], x, y);
    }
  }
}

void walkPart(const StepInput& input, const Coefficients& c, std::span<const std::uint32_t> slots,
              const Pushers& pushers, const Within& now, Pairs& pairs, std::vector<std::uint32_t>& found,
              VelocityOutput out) {
  const D d;
  const agents::Crowd& crowd = input.crowd;
  for (std::size_t begin = 0, first = 0, last = 0; begin < slots.size(); begin += kBatch, first = last) {
    const std::size_t end = std::min(slots.size(), begin + kBatch);
    last = pushers.end[end - 1];
    pairsNow(crowd, pushers, now, first, last, pairs);
    std::size_t p = 0;
    for (std::size_t i = begin; i < end; ++i)
      for (; p < pushers.end[i] - first; ++p)
        pairs.ahead[p] = -(pairs.dx[p] * pushers.wanted_x[i] + pairs.dy[p] * pushers.wanted_y[i]);
    for (std::size_t q = 0; q < last - first; q += hn::Lanes(d)) computePairs(c, d, pairs, q);
    p = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Sums sums;
      for (; p < pushers.end[i] - first; ++p) {
        sums.fx += pairs.dx[p], sums.fy += pairs.dy[p];
        sums.mxx += pairs.ux[p], sums.mxy += pairs.uy[p], sums.myy += pairs.reach[p];
      }
      finishPart(input, c, input.neighbours.row()[slots[i]], now, found, sums, out);
    }
  }
}

}  // namespace throng::steering::social_force::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace throng::steering {
namespace social_force {
HWY_EXPORT(steerBatch);
HWY_EXPORT(beginParts);
HWY_EXPORT(walkPart);
}  // namespace social_force

void steerSocialForce(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                      VelocityOutput out) {
  using namespace social_force;
  // One per thread, so that a warm step does not allocate.
  thread_local Pairs pairs;
  thread_local std::vector<std::uint32_t> found;
  const Coefficients c(parameters, input.dt);
  for (std::size_t i = 0; i < slots.size(); i += kBatch) {
    const std::size_t count = slots.size() - i < kBatch ? slots.size() - i : kBatch;
    HWY_DYNAMIC_DISPATCH(steerBatch)(input, c, slots.subspan(i, count), pairs, found, out);
  }
}

const Parts& socialForceParts() {
  using namespace social_force;
  static const Parts parts{
      kLongestPart,
      [](const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
         Pushers& pushers) {
        const Coefficients c(parameters, input.dt);
        HWY_DYNAMIC_DISPATCH(beginParts)(input, c, slots, pushers);
      },
      [](const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots, float dt,
         Pushers& pushers, const Within& now, VelocityOutput next) {
        thread_local Pairs pairs;
        thread_local std::vector<std::uint32_t> found;
        const Coefficients c(parameters, dt);
        HWY_DYNAMIC_DISPATCH(walkPart)(input, c, slots, pushers, now, pairs, found, next);
      }};
  return parts;
}

}  // namespace throng::steering

#endif
