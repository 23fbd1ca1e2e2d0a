// Between two knots a walk is a parabola of three control points (patches/spline.h): a person per lane, three gathers
// per coordinate. Who is not there is left out by the compressing store.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "patches/player.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <hwy/highway.h>
#include <limits>

#include "patches/player.h"
#include "patches/spline.h"

HWY_BEFORE_NAMESPACE();
namespace throng::patches::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::size_t playSlots(const Slots& slots, const float* stand_x, const float* stand_y, float phase, Present& out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToUnsigned<decltype(d)> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto now = hn::Set(d, phase), zero = hn::Zero(d), one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f);
  const auto ones = hn::Set(di, 1);
  std::size_t n = 0;
  for (std::size_t i = 0; i < slots.count; i += lanes) {
    const auto there = hn::And(hn::Ge(now, hn::LoadU(d, &slots.from[i])), hn::Lt(now, hn::LoadU(d, &slots.until[i])));
    if (hn::AllFalse(d, there)) continue;
    const auto s = hn::Add(hn::Mul(now, hn::LoadU(d, &slots.per_step[i])), hn::LoadU(d, &slots.shift[i]));
    const auto k = hn::Min(hn::Max(hn::Floor(s), zero), hn::LoadU(d, &slots.last[i]));
    const auto u = hn::Sub(s, k), v = hn::Sub(one, u);
    const auto at = hn::Add(hn::ConvertTo(di, k), hn::LoadU(di, &slots.first[i]));
    const auto at1 = hn::Add(at, ones), at2 = hn::Add(at1, ones);
    const auto w0 = hn::Mul(half, hn::Mul(v, v)), w1 = hn::Add(half, hn::Mul(u, v)), w2 = hn::Mul(half, hn::Mul(u, u));
    const auto x0 = hn::GatherIndex(d, slots.x.data(), at), x1 = hn::GatherIndex(d, slots.x.data(), at1),
               x2 = hn::GatherIndex(d, slots.x.data(), at2);
    const auto y0 = hn::GatherIndex(d, slots.y.data(), at), y1 = hn::GatherIndex(d, slots.y.data(), at1),
               y2 = hn::GatherIndex(d, slots.y.data(), at2);
    const auto x = hn::Add(hn::Add(hn::Mul(w0, x0), hn::Mul(w1, x1)), hn::Mul(w2, x2));
    const auto y = hn::Add(hn::Add(hn::Mul(w0, y0), hn::Mul(w1, y1)), hn::Mul(w2, y2));
    const auto vx = hn::Add(hn::Mul(v, hn::Sub(x1, x0)), hn::Mul(u, hn::Sub(x2, x1)));
    const auto vy = hn::Add(hn::Mul(v, hn::Sub(y1, y0)), hn::Mul(u, hn::Sub(y2, y1)));
    const auto speed = hn::Sqrt(hn::Add(hn::Mul(vx, vx), hn::Mul(vy, vy)));
    const auto moves = hn::Gt(speed, zero);
    const auto hx = hn::IfThenElse(moves, hn::Div(vx, speed), hn::LoadU(d, &stand_x[i]));
    const auto hy = hn::IfThenElse(moves, hn::Div(vy, speed), hn::LoadU(d, &stand_y[i]));
    hn::CompressStore(x, there, d, &out.x[n]);
    hn::CompressStore(y, there, d, &out.y[n]);
    hn::CompressStore(hx, there, d, &out.heading_x[n]);
    hn::CompressStore(hy, there, d, &out.heading_y[n]);
    n += hn::CompressStore(hn::Iota(du, static_cast<std::uint32_t>(i)), hn::RebindMask(du, there), du, &out.slot[n]);
  }
  return n;
}

}  // namespace throng::patches::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace throng::patches {
HWY_EXPORT(playSlots);

namespace {

/// Floats in the widest vector: columns are padded to it.
constexpr std::size_t kWidest = 16;
/// The heading of one who stands, where the vector kernel reads it.
constexpr float kNever = std::numeric_limits<float>::infinity();

}  // namespace

void Present::reserve(std::size_t slots) {
  for (auto* column : {&x, &y, &heading_x, &heading_y}) column->resize(slots + 2 * kWidest);
  slot.resize(slots + 2 * kWidest);
  walk.resize(slots), lap.resize(slots), resident.resize(slots);
}

void Player::add(float from, float until, double first, double step, std::int32_t control, std::size_t stretches,
                 std::uint32_t walk, std::int32_t lap, double lap_time) {
  slots_.from.push_back(from), slots_.until.push_back(until);
  slots_.per_step.push_back(static_cast<float>(1 / step));
  slots_.shift.push_back(static_cast<float>((lap_time - first) / step));
  slots_.last.push_back(static_cast<float>(stretches - 1));
  slots_.first.push_back(control);
  walk_.push_back(walk), lap_.push_back(lap);
  stand_x_.push_back(1), stand_y_.push_back(0);
  ++slots_.count;
}

Player::Player(const Patch& patch) : walkers_(static_cast<std::uint32_t>(patch.walks.size())) {
  const double period = patch.definition.period;
  const auto point = [&](Point p) {
    slots_.x.push_back(static_cast<float>(p.x)), slots_.y.push_back(static_cast<float>(p.y));
  };
  for (std::uint32_t w = 0; w < patch.walks.size(); ++w) {
    const PatchWalk& walk = patch.walks[w];
    const auto control = static_cast<std::int32_t>(slots_.x.size());
    for (const Point p : walk.control) point(p);
    // Whoever leaves here enters the neighbour at the same time of the period: both compare with the very same number.
    const double in = patch.definition.sides[walk.input.side].inputs[walk.input.point].time;
    const double out = patch.definition.sides[walk.output.side].outputs[walk.output.point].time;
    const auto laps = static_cast<std::int32_t>(std::llround((walk.until - out) / period));
    for (std::int32_t lap = 0; lap <= laps; ++lap)
      add(lap == 0 ? static_cast<float>(in) : -kNever, lap == laps ? static_cast<float>(out) : kNever, walk.first,
          walk.step, control, stretches(walk), w, lap, lap * period);
  }
  for (std::uint32_t r = 0; r < patch.definition.residents.size(); ++r) {
    const PatchResident& resident = patch.definition.residents[r];
    const auto control = static_cast<std::int32_t>(slots_.x.size());
    const std::size_t n = resident.control.size();
    for (std::size_t k = 0; k < n + 2; ++k) point(resident.control[k % n]);
    add(-kNever, kNever, 0, period / static_cast<double>(n), control, n,
        static_cast<std::uint32_t>(patch.walks.size() + r), 0, 0);
    const Point facing = normalized(resident.facing);
    stand_x_.back() = static_cast<float>(facing.x), stand_y_.back() = static_cast<float>(facing.y);
  }
  const std::size_t padded = slots_.count + kWidest;
  slots_.from.resize(padded, kNever), slots_.until.resize(padded, -kNever);
  slots_.shift.resize(padded), slots_.per_step.resize(padded), slots_.last.resize(padded), slots_.first.resize(padded);
  stand_x_.resize(padded), stand_y_.resize(padded);
  slots_.x.resize(slots_.x.size() + 3), slots_.y.resize(slots_.y.size() + 3);  // what the padding reads
}

/// Once for a patch, however many places play it.
void Player::tellWho(Present& present) const {
  for (std::size_t i = 0; i < present.size; ++i) {
    const std::uint32_t slot = present.slot[i];
    present.walk[i] = walk_[slot], present.lap[i] = lap_[slot], present.resident[i] = walk_[slot] >= walkers_;
  }
}

void Player::play(float phase, Present& present) const {
  present.reserve(slots_.count);
  present.size = HWY_DYNAMIC_DISPATCH(playSlots)(slots_, stand_x_.data(), stand_y_.data(), phase, present);
  tellWho(present);
}

void Player::playPlainly(float phase, Present& present) const {
  present.reserve(slots_.count);
  std::size_t n = 0;
  for (std::size_t i = 0; i < slots_.count; ++i) {
    if (!(phase >= slots_.from[i] && phase < slots_.until[i])) continue;
    const float s = phase * slots_.per_step[i] + slots_.shift[i];
    const float k = std::min(std::max(std::floor(s), 0.0f), slots_.last[i]);
    const float u = s - k, v = 1.0f - u;
    const float* x = &slots_.x[static_cast<std::size_t>(slots_.first[i] + static_cast<std::int32_t>(k))];
    const float* y = &slots_.y[static_cast<std::size_t>(slots_.first[i] + static_cast<std::int32_t>(k))];
    const float w0 = 0.5f * (v * v), w1 = 0.5f + u * v, w2 = 0.5f * (u * u);
    present.x[n] = w0 * x[0] + w1 * x[1] + w2 * x[2];
    present.y[n] = w0 * y[0] + w1 * y[1] + w2 * y[2];
    const float vx = v * (x[1] - x[0]) + u * (x[2] - x[1]), vy = v * (y[1] - y[0]) + u * (y[2] - y[1]);
    const float speed = std::sqrt(vx * vx + vy * vy);
    present.heading_x[n] = speed > 0 ? vx / speed : stand_x_[i];
    present.heading_y[n] = speed > 0 ? vy / speed : stand_y_[i];
    present.slot[n++] = static_cast<std::uint32_t>(i);
  }
  present.size = n;
  tellWho(present);
}

std::size_t Player::bytes() const {
  const auto of = [](const auto& column) { return column.size() * sizeof(column[0]); };
  return of(slots_.from) + of(slots_.until) + of(slots_.shift) + of(slots_.per_step) + of(slots_.last) +
         of(slots_.first) + of(slots_.x) + of(slots_.y) + of(walk_) + of(lap_) + of(stand_x_) + of(stand_y_);
}

}  // namespace throng::patches

#endif
