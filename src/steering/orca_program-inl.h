// The linear programmes of ORCA for one person per lane; the same arithmetic as steering/orca_reference.cpp, where the
// comments say why. Branches of the twin are masks here, and a line is skipped when it concerns no lane.
#if defined(THRONG_STEERING_ORCA_PROGRAM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THRONG_STEERING_ORCA_PROGRAM_INL_H_
#undef THRONG_STEERING_ORCA_PROGRAM_INL_H_
#else
#define THRONG_STEERING_ORCA_PROGRAM_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <hwy/highway.h>

#include "base/column.h"
#include "steering/orca_lines.h"

HWY_BEFORE_NAMESPACE();
namespace throng::steering {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::ScalableTag<std::int32_t>;
using UintTag = hn::ScalableTag<std::uint32_t>;
using Floats = hn::Vec<FloatTag>;
using Ints = hn::Vec<IntTag>;
using Uints = hn::Vec<UintTag>;
using Mask = hn::Mask<FloatTag>;

HWY_INLINE Floats all(float value) { return hn::Set(FloatTag(), value); }

struct Vec2s {
  Floats x, y;
};
HWY_INLINE Vec2s operator+(Vec2s a, Vec2s b) { return {hn::Add(a.x, b.x), hn::Add(a.y, b.y)}; }
HWY_INLINE Vec2s operator-(Vec2s a, Vec2s b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y)}; }
HWY_INLINE Vec2s operator*(Floats s, Vec2s a) { return {hn::Mul(a.x, s), hn::Mul(a.y, s)}; }
HWY_INLINE Floats dot(Vec2s a, Vec2s b) { return hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)); }
HWY_INLINE Floats det(Vec2s a, Vec2s b) { return hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x)); }
HWY_INLINE Vec2s select(Mask mask, Vec2s yes, Vec2s no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y)};
}

struct LaneLine {
  Vec2s point, direction;
};

/// Lines of all lanes, [line][lane]. A lane that has fewer is filled up with lines of direction zero, which allow all.
class LaneLines {
 public:
  /// Room for `count` lines; what was there stays.
  void reserve(std::size_t count) {
    const std::size_t floats = 4 * count * hn::Lanes(FloatTag());
    if (floats_.size() < floats) floats_.resize(floats);
  }
  HWY_INLINE LaneLine load(std::size_t i) const {
    const FloatTag d;
    const float* at = floats_.data() + 4 * i * hn::Lanes(d);
    return {{hn::Load(d, at), hn::Load(d, at + hn::Lanes(d))},
            {hn::Load(d, at + 2 * hn::Lanes(d)), hn::Load(d, at + 3 * hn::Lanes(d))}};
  }
  HWY_INLINE void store(std::size_t i, const LaneLine& line) {
    const FloatTag d;
    float* at = floats_.data() + 4 * i * hn::Lanes(d);
    hn::Store(line.point.x, d, at);
    hn::Store(line.point.y, d, at + hn::Lanes(d));
    hn::Store(line.direction.x, d, at + 2 * hn::Lanes(d));
    hn::Store(line.direction.y, d, at + 3 * hn::Lanes(d));
  }
  void clear(std::size_t i) {
    const std::size_t n = 4 * hn::Lanes(FloatTag());
    std::fill_n(floats_.data() + i * n, n, 0.0f);
  }
  OrcaLine get(std::size_t i, std::size_t lane) const {
    const std::size_t n = hn::Lanes(FloatTag());
    const float* at = floats_.data() + 4 * i * n + lane;
    return {{at[0], at[n]}, {at[2 * n], at[3 * n]}};
  }
  void set(std::size_t i, std::size_t lane, const OrcaLine& line) {
    const std::size_t n = hn::Lanes(FloatTag());
    float* at = floats_.data() + 4 * i * n + lane;
    at[0] = line.point.x, at[n] = line.point.y, at[2 * n] = line.direction.x, at[3 * n] = line.direction.y;
  }

 private:
  base::Column<float> floats_;
};

HWY_INLINE Mask violates(const LaneLine& line, Vec2s velocity) {
  return hn::Gt(det(line.direction, line.point - velocity), hn::Zero(FloatTag()));
}

HWY_INLINE Vec2s slowedTo(Floats max_speed, Vec2s velocity) {
  const Floats speed_squared = dot(velocity, velocity);
  const Mask fast = hn::Gt(speed_squared, hn::Mul(max_speed, max_speed));
  return select(fast, hn::Div(max_speed, hn::Sqrt(speed_squared)) * velocity, velocity);
}

/// The part of line i within the speed limit and left of the lines before it, as parameters low … high along the line.
/// Returns the lanes of `wanted` for which there is such a part.
HWY_INLINE Mask partOnLine(const LaneLines& lines, std::size_t i, const LaneLine& line, Floats max_speed, Mask wanted,
                           Floats& low, Floats& high) {
  const FloatTag d;
  const Floats zero = hn::Zero(d);
  const Floats parallel = all(kOrcaParallel);
  const Floats foot = dot(line.point, line.direction);
  const Floats apart = det(line.point, line.direction);
  const Floats discriminant = hn::Sub(hn::Mul(max_speed, max_speed), hn::Mul(apart, apart));
  Mask possible = hn::And(wanted, hn::Ge(discriminant, zero));
  const Floats root = hn::Sqrt(hn::IfThenElse(possible, discriminant, zero));
  low = hn::Sub(hn::Neg(foot), root);
  high = hn::Add(hn::Neg(foot), root);
  for (std::size_t j = 0; j < i; ++j) {
    const LaneLine other = lines.load(j);
    const Floats denominator = det(line.direction, other.direction);
    const Floats numerator = det(other.direction, line.point - other.point);
    const Mask crossing = hn::Gt(hn::Abs(denominator), parallel);
    const Mask ahead = hn::And(crossing, hn::Ge(denominator, zero));
    const Mask behind = hn::AndNot(ahead, crossing);
    const Floats t = hn::Div(numerator, denominator);
    high = hn::IfThenElse(hn::And(ahead, hn::Lt(t, high)), t, high);
    low = hn::IfThenElse(hn::And(behind, hn::Gt(t, low)), t, low);
    const Mask shut = hn::Or(hn::Gt(low, high), hn::AndNot(crossing, hn::Lt(numerator, zero)));
    possible = hn::AndNot(shut, possible);
    if (hn::AllFalse(d, possible)) break;
  }
  return possible;
}

/// Incremental linear programme: the velocity nearest to `objective`, or farthest in its direction, for lanes of
/// `wanted`. Calls failed(i, lanes) for lanes whose line i cannot be kept together with those before; they keep the
/// velocity that they had.
template <bool kDirection, class Failed>
HWY_INLINE void solveLanes(const LaneLines& lines, std::size_t count, Floats max_speed, Vec2s objective, Mask wanted,
                           Vec2s& velocity, const Failed& failed) {
  const FloatTag d;
  for (std::size_t i = 0; i < count; ++i) {
    const LaneLine line = lines.load(i);
    const Mask violating = hn::And(wanted, violates(line, velocity));
    if (hn::AllFalse(d, violating)) continue;
    Floats low, high;
    const Mask possible = partOnLine(lines, i, line, max_speed, violating, low, high);
    Floats t;
    if constexpr (kDirection) {
      t = hn::IfThenElse(hn::Gt(dot(objective, line.direction), hn::Zero(d)), high, low);
    } else {
      t = dot(line.direction, objective - line.point);
      t = hn::IfThenElse(hn::Lt(t, low), low, t);
      t = hn::IfThenElse(hn::Gt(t, high), high, t);
    }
    velocity = select(possible, line.point + t * line.direction, velocity);
    const Mask impossible = hn::AndNot(possible, violating);
    if (HWY_UNLIKELY(!hn::AllFalse(d, impossible))) {
      failed(i, impossible);
      wanted = hn::AndNot(impossible, wanted);
    }
  }
}

/// From each lane's line first_failed on: the velocity least far right of the lines after the first `hard` ones.
/// Lines of a lane are dense: only after its last do lines of direction zero follow.
HWY_INLINE Vec2s relaxLanes(const LaneLines& lines, std::size_t count, Ints hard, Ints first_failed, Floats max_speed,
                            Vec2s velocity, LaneLines& projected) {
  const FloatTag d;
  const IntTag di;
  const Floats zero = hn::Zero(d);
  Floats depth = zero;
  projected.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const LaneLine line = lines.load(i);
    const Mask begun = hn::RebindMask(d, hn::Lt(first_failed, hn::Set(di, static_cast<std::int32_t>(i + 1))));
    const Mask deeper = hn::And(begun, hn::Gt(det(line.direction, line.point - velocity), depth));
    if (hn::AllFalse(d, deeper)) continue;
    for (std::size_t j = 0; j < i; ++j) {
      const LaneLine other = lines.load(j);
      const Floats cross = det(line.direction, other.direction);
      const Mask parallel = hn::Le(hn::Abs(cross), all(kOrcaParallel));
      const Mask same = hn::And(parallel, hn::Gt(dot(line.direction, other.direction), zero));
      const Floats t = hn::Div(det(other.direction, line.point - other.point), cross);
      LaneLine bisector;
      bisector.point = select(parallel, all(0.5f) * (line.point + other.point), line.point + t * line.direction);
      const Vec2s difference = other.direction - line.direction;
      const Floats inverse = hn::Div(all(1.0f), hn::Sqrt(dot(difference, difference)));
      bisector.direction = select(same, {zero, zero}, inverse * difference);
      const Mask is_hard = hn::RebindMask(d, hn::Gt(hard, hn::Set(di, static_cast<std::int32_t>(j))));
      projected.store(
          j, {select(is_hard, other.point, bisector.point), select(is_hard, other.direction, bisector.direction)});
    }
    const Vec2s inward{hn::Neg(line.direction.y), line.direction.x};
    Vec2s candidate = max_speed * inward;
    Mask solved = deeper;
    solveLanes<true>(projected, i, max_speed, inward, deeper, candidate,
                     [&](std::size_t, Mask lanes) HWY_ATTR { solved = hn::AndNot(lanes, solved); });
    velocity = select(solved, slowedTo(max_speed, candidate), velocity);
    depth = hn::IfThenElse(deeper, det(line.direction, line.point - velocity), depth);
  }
  return velocity;
}

}  // namespace HWY_NAMESPACE
}  // namespace throng::steering
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
