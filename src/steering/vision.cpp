// The vector kernels of synthetic vision; see steering/vision_reference.cpp for the same, plainly. A pixel per lane
// while rendering and judging. What is tried on a pixel is a superset of what covers it, and the test itself is that of
// the twin, so that both see the same image to the last bit.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/vision.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "base/math.h"
#include "steering/vision.h"
#include "steering/vision_predictive.h"
#include "steering/vision_reference.h"

HWY_BEFORE_NAMESPACE();
namespace throng::steering::vision {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::ScalableTag<std::int32_t>;
using UintTag = hn::ScalableTag<std::uint32_t>;
using Floats = hn::Vec<FloatTag>;
using Mask = hn::Mask<FloatTag>;

HWY_INLINE Floats all(float value) { return hn::Set(FloatTag(), value); }

HWY_INLINE Floats powers2(Floats y) {
  const UintTag du;
  y = hn::IfThenElse(hn::Lt(y, all(kMaxExponent)), y, all(kMaxExponent));
  y = hn::IfThenElse(hn::Gt(y, all(-kMaxExponent)), y, all(-kMaxExponent));
  const Floats shifted = hn::Add(y, all(kRounder));
  const Floats r = hn::Sub(y, hn::Sub(shifted, all(kRounder)));
  Floats sum = all(kExp2[0]);
  for (int i = 1; i < 7; ++i) sum = hn::Add(hn::Mul(sum, r), all(kExp2[i]));
  const auto bits = hn::Add(hn::ShiftLeft<23>(hn::BitCast(du, shifted)), hn::Set(du, 0x3f800000u));
  return hn::Mul(sum, hn::BitCast(FloatTag(), bits));
}

HWY_INLINE Floats logarithms2(Floats x) {
  const FloatTag d;
  const IntTag di;
  const UintTag du;
  const auto bits = hn::BitCast(du, x);
  Floats exponent = hn::ConvertTo(d, hn::Sub(hn::BitCast(di, hn::ShiftRight<23>(bits)), hn::Set(di, 127)));
  Floats m = hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(du, 0x007fffffu)), hn::Set(du, 0x3f800000u)));
  const Mask large = hn::Gt(m, all(1.41421356f));
  m = hn::IfThenElse(large, hn::Mul(m, all(0.5f)), m);
  exponent = hn::IfThenElse(large, hn::Add(exponent, all(1.0f)), exponent);
  const Floats t = hn::Div(hn::Sub(m, all(1.0f)), hn::Add(m, all(1.0f)));
  const Floats t2 = hn::Mul(t, t);
  Floats sum = all(kLog2[0]);
  for (int i = 1; i < 4; ++i) sum = hn::Add(hn::Mul(sum, t2), all(kLog2[i]));
  return hn::Add(exponent, hn::Mul(t, sum));
}

/// Stimulus, per lane.
struct Stimuli {
  Floats phi_plus, phi_minus, soonest;

  HWY_INLINE void perceive(const Threshold& own, Mask there, Floats closing, Floats cross, Floats squared) {
    const FloatTag d;
    const Floats zero = hn::Zero(d);
    there = hn::And(there, hn::Gt(closing, zero));
    if (hn::AllFalse(d, there)) return;
    const Floats tti = hn::Div(squared, closing);
    const Floats rate = hn::Div(cross, squared);
    const Floats width = hn::Mul(all(own.b), powers2(hn::Mul(all(-own.c), logarithms2(tti))));
    const Mask left = hn::Lt(rate, zero);
    const Floats over = hn::Sub(rate, hn::IfThenElse(left, hn::Sub(all(own.a), width), hn::Add(all(own.a), width)));
    const Mask in_minus = hn::And(there, hn::And(left, hn::Gt(over, zero)));
    const Mask in_plus = hn::And(there, hn::AndNot(left, hn::Lt(over, zero)));
    phi_minus = hn::Max(phi_minus, hn::IfThenElseZero(in_minus, over));
    phi_plus = hn::Min(phi_plus, hn::IfThenElseZero(in_plus, over));
    soonest = hn::Min(soonest, hn::IfThenElse(hn::Or(in_minus, in_plus), tti, all(kNever)));
  }
  /// Points with a longer tti cannot change what has been perceived so far: what they ask for is at most b·tti^-c +
  /// |a|.
  HWY_INLINE float latest(const Threshold& own) const {
    const Stimulus so_far = together();
    const float least = std::min(so_far.phi_minus, -so_far.phi_plus) - (own.a < 0 ? -own.a : own.a);
    if (!(least > 1e-6f && own.b > 0 && own.c > 0.1f)) return kNever;
    return std::max(1.01f * power2(logarithm2(own.b / least) / own.c), so_far.soonest);
  }
  HWY_INLINE Stimulus together() const {
    const FloatTag d;
    return {hn::GetLane(hn::MinOfLanes(d, phi_plus)), hn::GetLane(hn::MaxOfLanes(d, phi_minus)),
            hn::GetLane(hn::MinOfLanes(d, soonest))};
  }
};

/// Everybody in range, in the order of slots.
void look(const StepInput& input, const Sight& sight, std::uint32_t slot, View& view) {
  const agents::NeighbourIndex& index = input.neighbours;
  view.begin(input, slot);
  const auto& grid = index.grid(index.zone(input.crowd, index.row()[slot]));
  const int first = index.column(grid, view.position.x - sight.range);
  const int last = index.column(grid, view.position.x + sight.range);
  const int top = index.gridRow(grid, view.position.y + sight.range);
  for (int r = index.gridRow(grid, view.position.y - sight.range); r <= top; ++r) {
    const std::size_t cell = grid.first_cell + static_cast<std::size_t>(r) * static_cast<std::size_t>(grid.columns);
    const std::uint32_t end = index.cellStart()[cell + static_cast<std::size_t>(last) + 1];
    for (std::uint32_t other = index.cellStart()[cell + static_cast<std::size_t>(first)]; other < end; ++other)
      view.addPerson(input, sight, other);
  }
  view.finish(input, sight);
}

/// Columns, both inclusive; empty when first > last.
struct Span {
  int first, last;
};

HWY_INLINE Span columnsBetween(const Camera& camera, float s_right, float s_left) {
  const float most = static_cast<float>(camera.columns);
  const float first = camera.column(s_left) - 0.75f, last = camera.column(s_right) + 0.75f;
  return {first > 0 ? static_cast<int>(first < most ? first : most) : 0,
          last < most ? (last < 0 ? -1 : static_cast<int>(last)) : camera.columns - 1};
}

/// How near something is in each pixel; `hit` tells where that counts.
template <class D>
struct Hits {
  hn::Vec<D> nearness;
  hn::Mask<D> hit;
};

/// Tries one vector of pixels. `apart_squared`, m²: no hit is nearer than its root, so that pixels which show something
/// as near need no test.
template <class D, class Test>
HWY_INLINE void drawPixels(D d, const Camera& camera, Image& image, std::size_t row, int column, std::uint32_t number,
                           float apart_squared, const Test& test) {
  const hn::RebindToSigned<D> di;
  float* const nearness = image.nearness.data() + row * image.stride + column;
  std::int32_t* const numbers = image.number.data() + row * image.stride + column;
  const auto before = hn::LoadU(d, nearness), s = hn::LoadU(d, camera.s.data() + column);
  const auto least = hn::Mul(hn::Mul(before, before), hn::Set(d, apart_squared));
  if (hn::AllTrue(d, hn::Gt(least, hn::Add(hn::Set(d, camera.f[row] * camera.f[row]), hn::Mul(s, s))))) return;
  const Hits<D> hits = test(d, s);
  const auto nearer = hn::And(hits.hit, hn::Gt(hits.nearness, before));
  if (hn::AllFalse(d, nearer)) return;
  hn::StoreU(hn::IfThenElse(nearer, hits.nearness, before), d, nearness);
  hn::StoreU(hn::IfThenElse(hn::RebindMask(di, nearer), hn::Set(di, static_cast<std::int32_t>(number)),
                            hn::LoadU(di, numbers)),
             di, numbers);
}

/// Most of what is seen is far away and narrow: where half a vector is enough, its root takes half the time.
template <class Test>
HWY_INLINE void drawSpan(const Camera& camera, Image& image, std::size_t row, Span span, std::uint32_t number,
                         float apart_squared, const Test& test) {
  const FloatTag d;
  const hn::Half<FloatTag> half;
  const int lanes = static_cast<int>(hn::Lanes(d)), few = static_cast<int>(hn::Lanes(half));
  int column = span.first;
  for (; column + few <= span.last; column += lanes)
    drawPixels(d, camera, image, row, column, number, apart_squared, test);
  if (column <= span.last) drawPixels(half, camera, image, row, column, number, apart_squared, test);
}

/// Where a cone may be in a block of rows, a row per lane.
struct RowSpans {
  HWY_ALIGN std::int32_t first[hn::MaxLanes(FloatTag())], last[hn::MaxLanes(FloatTag())];
  HWY_ALIGN float apart_squared[hn::MaxLanes(FloatTag())];  ///< m²: no part of it is nearer than the root of this
  int rows;                                                 ///< from here on, none
};

HWY_INLINE void coneSpans(const Sight& sight, const Camera& camera, float x, float y, std::size_t block,
                          RowSpans& spans) {
  const FloatTag d;
  const IntTag di;
  const Floats zero = hn::Zero(d);
  const float nearest = x - sight.radius - 1e-3f, farthest = x + sight.radius;
  const float aside = (y < 0 ? -y : y) - sight.radius - 1e-3f;
  const float apart = nearest > 0 || aside > 0 ? std::max(nearest, aside) : 0.0f;  // no part is nearer than this
  const Floats f = hn::Load(d, camera.f.data() + block), down = hn::Load(d, camera.d.data() + block);
  // Rows from here on meet the ground before they come to the cone.
  const Mask below = hn::Or(hn::Gt(hn::Mul(all(nearest), down), hn::Mul(all(sight.eye), f)),
                            hn::Gt(hn::Mul(all(apart), down), hn::Mul(all(sight.eye), hn::Add(f, all(kSide)))));
  const auto first_below = hn::FindFirstTrue(d, below);
  const int left_over = camera.rows - static_cast<int>(block);
  spans.rows = std::min(left_over, first_below < 0 ? static_cast<int>(hn::Lanes(d)) : static_cast<int>(first_below));
  const Floats radius =  // of what the row shows of the cone, at most
      hn::Add(hn::Min(all(sight.radius),
                      hn::Add(all(sight.tip), hn::Mul(hn::Load(d, camera.growth.data() + block), all(farthest)))),
              all(1e-4f));
  const Floats room = hn::Max(zero, hn::Sub(all(0.9999f * std::sqrt(x * x + y * y)), radius));
  hn::Store(hn::Mul(room, room), d, spans.apart_squared);
  Floats s_left, s_right;
  Mask outside = hn::Gt(hn::Mul(all(aside), f), all(kSide * farthest));  // too far to the side: no column at all
  if (x > sight.tip + 0.01f) {
    // The discriminant of coneNearness as a quadratic in s: what lies between its roots shows the cone.
    const float k = (x - sight.tip) * (x + sight.tip), c = x * x + y * y - sight.tip * sight.tip;
    const Floats ahead = hn::Mul(f, all(x)), row_b = hn::Add(ahead, hn::Load(d, camera.lift.data() + block));
    const Floats rounding = hn::Mul(all(1e-6f), hn::Mul(ahead, ahead));
    const Floats under =
        hn::Add(hn::Sub(hn::Mul(row_b, row_b), hn::Mul(hn::Load(d, camera.base.data() + block), all(k))), rounding);
    outside = hn::Or(outside, hn::Lt(under, zero));
    const Floats root = hn::Sqrt(hn::Mul(all(c), hn::Max(under, zero)));
    const Floats per_k = all(1.0f / k), middle_s = hn::Mul(row_b, all(y));
    s_left = hn::Mul(hn::Add(middle_s, root), per_k), s_right = hn::Mul(hn::Sub(middle_s, root), per_k);
  } else {
    // Beside the walker: all columns to that side.
    const Floats edge = all(kSide + 1), inner = hn::Mul(f, all(aside > 0 ? aside / std::max(farthest, 1e-3f) : -kSide));
    s_left = y < 0 && aside > 0 ? hn::Neg(inner) : edge, s_right = y < 0 ? hn::Neg(edge) : inner;
    if (!(aside > 0)) s_right = hn::Neg(edge);
  }
  const Floats middle = all(0.5f * static_cast<float>(camera.columns - 1)), per_s = all(camera.columns_per_s);
  const Floats most = all(static_cast<float>(camera.columns));
  const Floats from = hn::Sub(hn::Sub(middle, hn::Mul(s_left, per_s)), all(0.75f));
  const Floats to = hn::Add(hn::Sub(middle, hn::Mul(s_right, per_s)), all(0.75f));
  hn::Store(hn::ConvertTo(di, hn::Min(hn::Max(from, zero), most)), di, spans.first);
  hn::Store(hn::ConvertTo(
                di, hn::IfThenElse(outside, all(-1.0f), hn::Max(hn::Min(to, hn::Sub(most, all(1.0f))), all(-1.0f)))),
            di, spans.last);
}

/// Returns one past the last row that may show the cone.
HWY_INLINE int drawCone(const Sight& sight, const Camera& camera, const View& view, std::uint32_t i, Image& image) {
  const FloatTag d;
  const float x = view.x[i], y = view.y[i], c = view.c[i], per_c = view.per_c[i];
  RowSpans spans;
  for (int block = 0; block < camera.rows; block += static_cast<int>(hn::Lanes(d))) {
    coneSpans(sight, camera, x, y, static_cast<std::size_t>(block), spans);
    for (int row = 0; row < spans.rows; ++row) {
      const auto r = static_cast<std::size_t>(block + row);
      const float f = camera.f[r], down = camera.d[r];
      const float base = camera.base[r], row_b = f * x + camera.lift[r];
      drawSpan(camera, image, r, {spans.first[row], spans.last[row]}, i, spans.apart_squared[row],
               [&](auto tag, auto column_s) HWY_ATTR {
                 using D = decltype(tag);
                 const auto zero = hn::Zero(tag);
                 const auto a = hn::Add(hn::Set(tag, base), hn::Mul(column_s, column_s));
                 const auto b = hn::Add(hn::Set(tag, row_b), hn::Mul(column_s, hn::Set(tag, y)));
                 const auto discriminant = hn::Sub(hn::Mul(b, b), hn::Mul(a, hn::Set(tag, c)));
                 const auto meets = hn::Ge(discriminant, zero);
                 const auto root = hn::Sqrt(hn::IfThenElseZero(meets, discriminant));
                 const auto nearness = hn::Mul(hn::Add(b, root), hn::Set(tag, per_c));
                 const auto above = hn::Le(hn::Set(tag, down), hn::Mul(hn::Set(tag, sight.eye), nearness));
                 return Hits<D>{nearness, hn::And(hn::And(meets, hn::Gt(nearness, zero)), above)};
               });
    }
    if (spans.rows < static_cast<int>(hn::Lanes(d))) return block + spans.rows;
  }
  return camera.rows;
}

/// The same for a wall.
HWY_INLINE int drawWall(const Sight& sight, const Camera& camera, const View& view, const SeenWall& wall,
                        Image& image) {
  constexpr float kNear = 1e-6f;
  float ax = wall.ax, ay = wall.ay, bx = wall.ax + wall.ex, by = wall.ay + wall.ey;
  if (ax < kNear) ay += wall.ey * ((kNear - ax) / wall.ex), ax = kNear;
  if (bx < kNear) by = wall.ay + wall.ey * ((kNear - wall.ax) / wall.ex), bx = kNear;
  const float one = ay / ax, two = by / bx;
  const float left = std::max(one, two), right = std::min(one, two);
  const float nearest = std::min(ax, bx) * 0.999f, over = sight.eye - view.wall_top;
  const float apart_squared = 0.999f / (wall.per_area * wall.per_area * wall.high);  // from the wall's line
  int row = 0;
  for (; row < camera.rows; ++row) {
    const auto r = static_cast<std::size_t>(row);
    const float f = camera.f[r], down = camera.d[r];
    if (nearest * down > sight.eye * f) break;
    drawSpan(camera, image, r, columnsBetween(camera, f * right, f * left), view.wallNumber(), apart_squared,
             [&](auto tag, auto column_s) HWY_ATTR {
               using D = decltype(tag);
               const auto ex = hn::Set(tag, wall.ex), ey = hn::Set(tag, wall.ey);
               const auto nearness =
                   hn::Mul(hn::Sub(hn::Set(tag, f * wall.ey), hn::Mul(column_s, ex)), hn::Set(tag, wall.per_area));
               const auto along =
                   hn::Add(hn::Mul(hn::Sub(hn::Set(tag, f), hn::Mul(nearness, hn::Set(tag, wall.ax))), ex),
                           hn::Mul(hn::Sub(column_s, hn::Mul(nearness, hn::Set(tag, wall.ay))), ey));
               const auto on = hn::And(hn::Ge(along, hn::Mul(hn::Set(tag, wall.low), nearness)),
                                       hn::Le(along, hn::Mul(hn::Set(tag, wall.high), nearness)));
               const auto drop = hn::Set(tag, down);
               const auto seen = hn::And(hn::Le(drop, hn::Mul(hn::Set(tag, sight.eye), nearness)),
                                         hn::Ge(drop, hn::Mul(hn::Set(tag, over), nearness)));
               return Hits<D>{nearness, hn::And(hn::Gt(nearness, hn::Zero(tag)), hn::And(on, seen))};
             });
  }
  return row;
}

/// Notes in image.shown, 0 for no, who is not wholly hidden by a single wall: with their disc on the ground in its
/// shadow.
void findShown(const Sight& sight, const View& view, Image& image) {
  const FloatTag d;
  image.shown.assign(view.x.size() + hn::Lanes(d), 1.0f);
  if (view.wall_top < sight.radius / sight.slope) return;  // looked over
  const Floats radius = all(sight.radius + 1e-3f);
  for (const SeenWall& wall : view.walls) {
    const float sign = wall.per_area < 0 ? -1.0f : 1.0f;
    const float bx = wall.ax + wall.ex, by = wall.ay + wall.ey;
    const float per_a = sign / std::sqrt(wall.ax * wall.ax + wall.ay * wall.ay);
    const float per_b = sign / std::sqrt(bx * bx + by * by), per_e = sign / std::sqrt(wall.high);
    for (std::size_t i = 0; i < view.x.size(); i += hn::Lanes(d)) {
      const Floats x = hn::Load(d, view.x.data() + i), y = hn::Load(d, view.y.data() + i);
      // How far inside of the lines from the eye through both ends, and behind the wall's own.
      const Floats from_a = hn::Mul(hn::Sub(hn::Mul(all(wall.ax), y), hn::Mul(all(wall.ay), x)), all(per_a));
      const Floats from_b = hn::Mul(hn::Sub(hn::Mul(x, all(by)), hn::Mul(y, all(bx))), all(per_b));
      const Floats behind = hn::Mul(
          hn::Sub(hn::Mul(hn::Sub(x, all(wall.ax)), all(wall.ey)), hn::Mul(hn::Sub(y, all(wall.ay)), all(wall.ex))),
          all(per_e));
      const Mask hidden = hn::And(hn::And(hn::Gt(from_a, radius), hn::Gt(from_b, radius)), hn::Gt(behind, radius));
      hn::Store(hn::IfThenZeroElse(hidden, hn::Load(d, image.shown.data() + i)), d, image.shown.data() + i);
    }
  }
}

/// Returns how many rows may show something.
int render(const Sight& sight, const Camera& camera, const View& view, Image& image) {
  image.fit(camera);
  std::fill(image.nearness.begin(), image.nearness.end(), 0.0f);
  int rows = 0;
  for (const SeenWall& wall : view.walls) rows = std::max(rows, drawWall(sight, camera, view, wall, image));
  findShown(sight, view, image);
  for (std::uint32_t i = 0; i < view.x.size(); ++i)
    if (image.shown[i] > 0) rows = std::max(rows, drawCone(sight, camera, view, i, image));
  return rows;
}

/// A quick look at pixels: whose bearing changes too fast for a collision. The band of Eq. (1) narrows with tti, so
/// from each of a few times on, its width there bounds |α̇|.
struct Passing {
  static constexpr int kTimes = 4;
  float time[kTimes], width[kTimes];

  explicit Passing(const Threshold& own) {
    float at = 0.5f;  // s
    for (int i = 0; i < kTimes; ++i, at *= 2) {
      time[i] = at;
      width[i] = 1.001f * (own.b * power2(-own.c * logarithm2(at)) + (own.a < 0 ? -own.a : own.a)) + 1e-4f;
    }
  }
  /// Those who pass.
  HWY_INLINE Mask operator()(Floats closing, Floats cross, Floats squared) const {
    const Floats side = hn::Abs(cross);
    Mask passing =
        hn::And(hn::Ge(squared, hn::Mul(all(time[0]), closing)), hn::Gt(side, hn::Mul(all(width[0]), squared)));
    for (int i = 1; i < kTimes; ++i)
      passing = hn::Or(passing, hn::And(hn::Ge(squared, hn::Mul(all(time[i]), closing)),
                                        hn::Gt(side, hn::Mul(all(width[i]), squared))));
    return passing;
  }
};

/// Pixels on their way to being judged: only those that can matter, packed, so that no lane is idle.
struct Packed {
  static constexpr std::size_t kRoom = 3 * hn::MaxLanes(FloatTag());
  HWY_ALIGN float closing[kRoom], cross[kRoom], squared[kRoom];
  std::size_t count = 0;

  HWY_INLINE void add(Mask which, Floats pixel_closing, Floats pixel_cross, Floats pixel_squared) {
    const FloatTag d;
    hn::CompressStore(pixel_closing, which, d, closing + count);
    hn::CompressStore(pixel_cross, which, d, cross + count);
    count += hn::CompressStore(pixel_squared, which, d, squared + count);
  }
  HWY_INLINE void judge(const Threshold& own, Mask which, Stimuli& stimuli) const {
    const FloatTag d;
    stimuli.perceive(own, which, hn::Load(d, closing), hn::Load(d, cross), hn::Load(d, squared));
  }
  /// Judges a full vector, if there is one.
  HWY_INLINE void judgeFull(const Threshold& own, Stimuli& stimuli) {
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    if (count < lanes) return;
    judge(own, hn::FirstN(d, lanes), stimuli);
    for (float* column : {closing, cross, squared}) hn::Store(hn::Load(d, column + lanes), d, column);
    count -= lanes;
  }
};

Stimulus perceiveImage(const Camera& camera, const View& view, const Image& image, int rows, const Threshold& own) {
  const FloatTag d;
  const IntTag di;
  Stimuli stimuli{hn::Zero(d), hn::Zero(d), all(kNever)};
  Packed packed;
  const Passing passing(own);
  float fastest = 0;  // m²/s²
  for (std::size_t i = 0; i < view.ux.size(); ++i)
    fastest = std::max(fastest, view.ux[i] * view.ux[i] + view.uy[i] * view.uy[i]);
  float latest = kNever, reach = kNever;  // s; m²: what is farther than its root takes longer
  for (std::size_t row = static_cast<std::size_t>(rows); row-- > 0;) {  // what is near is low in the image
    const float f = camera.f[row];
    if (row % 2 == 1) {
      latest = stimuli.latest(own);
      reach = latest < 1e9f ? 1.001f * fastest * latest * latest : kNever;
    }
    for (std::size_t column = 0; column < static_cast<std::size_t>(camera.columns); column += hn::Lanes(d)) {
      const Floats nearness = hn::Load(d, image.nearness.data() + row * image.stride + column);
      const Floats s = hn::Load(d, camera.s.data() + column);
      const Floats squared = hn::Add(all(f * f), hn::Mul(s, s));
      const Mask there =
          hn::And(hn::Gt(nearness, hn::Zero(d)), hn::Ge(hn::Mul(hn::Mul(nearness, nearness), all(reach)), squared));
      if (hn::AllFalse(d, there)) continue;
      const auto number = hn::IfThenElseZero(hn::RebindMask(di, there),
                                             hn::Load(di, image.number.data() + row * image.stride + column));
      const Floats ux = hn::GatherIndex(d, view.ux.data(), number), uy = hn::GatherIndex(d, view.uy.data(), number);
      const Floats closing = hn::Mul(hn::Neg(hn::Add(hn::Mul(all(f), ux), hn::Mul(s, uy))), nearness);
      const Mask coming = hn::And(there, hn::Gt(closing, hn::Zero(d)));
      const Mask matters = hn::And(coming, hn::Le(squared, hn::Mul(closing, all(latest))));
      if (hn::AllFalse(d, matters)) continue;
      const Floats cross = hn::Mul(hn::Sub(hn::Mul(all(f), uy), hn::Mul(s, ux)), nearness);
      packed.add(hn::AndNot(passing(closing, cross, squared), matters), closing, cross, squared);
      packed.judgeFull(own, stimuli);
    }
  }
  packed.judge(own, hn::FirstN(d, packed.count), stimuli);
  return stimuli.together();
}

Stimulus perceivePoints(const View& view, const Threshold& own) {
  const FloatTag d;
  Stimuli stimuli{hn::Zero(d), hn::Zero(d), all(kNever)};
  for (std::size_t i = 0; i < view.x.size(); i += hn::Lanes(d)) {
    const Floats x = hn::Load(d, view.x.data() + i), y = hn::Load(d, view.y.data() + i);
    const Floats ux = hn::Load(d, view.ux.data() + i), uy = hn::Load(d, view.uy.data() + i);
    const Floats aside = hn::IfThenElse(hn::Lt(y, hn::Zero(d)), hn::Neg(y), y);
    const Mask there = hn::And(hn::FirstN(d, view.x.size() - i), hn::Le(aside, hn::Mul(all(kSide), x)));
    stimuli.perceive(own, there, hn::Neg(hn::Add(hn::Mul(x, ux), hn::Mul(y, uy))),
                     hn::Sub(hn::Mul(x, uy), hn::Mul(y, ux)), hn::Add(hn::Mul(x, x), hn::Mul(y, y)));
  }
  return stimuli.together();
}

void markSeen(const Camera& camera, const Image& image, int rows, std::uint8_t* seen) {
  const FloatTag d;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const float* const nearness = image.nearness.data() + row * image.stride;
    const std::int32_t* const number = image.number.data() + row * image.stride;
    for (std::size_t column = 0; column < static_cast<std::size_t>(camera.columns); column += hn::Lanes(d)) {
      if (hn::AllFalse(d, hn::Gt(hn::Load(d, nearness + column), hn::Zero(d)))) continue;
      for (std::size_t i = column; i < column + hn::Lanes(d); ++i)
        if (nearness[i] > 0) seen[number[i]] = 1;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace throng::steering::vision
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace throng::steering {
namespace vision {

HWY_EXPORT(look);
HWY_EXPORT(render);
HWY_EXPORT(perceiveImage);
HWY_EXPORT(perceivePoints);
HWY_EXPORT(markSeen);

void renderFast(const Sight& sight, const Camera& camera, const View& view, Image& image) {
  HWY_DYNAMIC_DISPATCH(render)(sight, camera, view, image);
}

}  // namespace vision

void steerVision(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out) {
  using namespace vision;
  // One per thread, so that a warm step does not allocate; an image lasts until the next walker's.
  thread_local Camera camera;
  thread_local View view;
  thread_local Image image;
  const Sight sight(parameters);
  camera.fit(sight);
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    HWY_DYNAMIC_DISPATCH(look)(input, sight, slot, view);
    const int rows = HWY_DYNAMIC_DISPATCH(render)(sight, camera, view, image);
    const Threshold own = thresholdOf(parameters, input.crowd.person[row]);
    walk(input, sight, view, row, HWY_DYNAMIC_DISPATCH(perceiveImage)(camera, view, image, rows, own), out);
  }
}

void steerVisionPoints(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                       VelocityOutput out) {
  using namespace vision;
  thread_local View view;
  const Sight sight(parameters);
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    HWY_DYNAMIC_DISPATCH(look)(input, sight, slot, view);
    addWallPoints(view);
    const Threshold own = thresholdOf(parameters, input.crowd.person[row]);
    walk(input, sight, view, row, HWY_DYNAMIC_DISPATCH(perceivePoints)(view, own), out);
  }
}

void steerVisionPredictive(const StepInput& input, std::span<const float> parameters,
                           std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace vision;
  thread_local Camera camera;
  thread_local View view;
  thread_local Image image;
  thread_local std::vector<std::uint8_t> seen;
  const Sight sight = predictiveSight(parameters);
  camera.fit(sight);
  for (const std::uint32_t slot : slots) {
    HWY_DYNAMIC_DISPATCH(look)(input, sight, slot, view);
    const int rows = HWY_DYNAMIC_DISPATCH(render)(sight, camera, view, image);
    seen.assign(view.x.size() + 1, 0);
    HWY_DYNAMIC_DISPATCH(markSeen)(camera, image, rows, seen.data());
    evadeSeen(input, parameters, view, slot, seen, out);
  }
}

}  // namespace throng::steering
#endif
