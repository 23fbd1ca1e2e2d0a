// The control law of Ondřej, Pettré, Olivier & Donikian, "A synthetic-vision based steering approach for crowd
// simulation", ACM Transactions on Graphics 29(4), 2010. What a walker makes of the points it perceives:
//
//   P = (X, Y)            m       a perceived point: ahead of the walker and to its left, horizontally
//   V = (V_o - V_w)       m/s     its velocity relative to the walker                                         Eq. (10)
//   conv = -V·P/D, orth = P×V/D   towards the walker, and across, to the left positive; D = |P|        Eqs. (11), (12)
//   tti = D / conv        s       time to interaction; negative for points that go away                      Eq. (13)
//   α̇  = orth / D         rad/s   derivative of the bearing angle, to the left positive        in place of Eq. (14)
//   τ1±(tti) = a ± b tti^-c       rad/s, what α̇ must exceed for the point to pass                    Eq. (1)
//
// Corrections to the printed equations. Eq. (2) compares α̇, not α, with τ1. Eq. (14), arctan(orth / (D - conv)) per
// second, is by how much the bearing will have changed after a second: its derivative only for far points. Within a
// second of the contact it says that everything passes, those included who are walked into. The text asks for the
// derivative (section 3.1, Figure 2), which is taken. Its sign is that of P×V. With Eqs. (3) and (4)
// φ+ <= 0 <= φ-, so cases 2 and 3 are told apart by φ+ < α̇_g < φ-. A set may be empty: its φ is 0, and nobody is asked
// to turn by it (in the case of one moving point per obstacle, a lone walker ahead fills one set only).
//
// Only + - * / and sqrt, each in a fixed order: vision.cpp has the same in vectors, bit for bit.
#pragma once

#include <cstdint>
#include <cstring>

#include "throng/base.h"

#include "base/math.h"

namespace throng::steering::vision {

inline constexpr float kNever = 3.4e38f;
/// Bounds of θ̇ (rad/s), θ̈ (rad/s²) and v̇ (m/s²), sections 3.3 and 3.4.
inline constexpr float kMaxTurn = 1.57079633f, kMaxTurnChange = 1.57079633f, kMaxAcceleration = 1;
/// |α̇_g| below which the walker is heading for its goal, rad/s (case 1).
inline constexpr float kOnCourse = 0.1f;

/// log2 of (1+t)/(1-t) over t, in powers of t².
inline constexpr float kLog2[] = {0.412198583f, 0.577078016f, 0.961796694f, 2.885390082f};
/// 2^r in powers of r.
inline constexpr float kExp2[] = {
    1.54035304e-4f, 1.33335581e-3f, 9.61812911e-3f, 5.55041087e-2f, 0.240226507f, 0.693147181f, 1.0f};
using base::kRounder;
inline constexpr float kMaxExponent = 126;

/// 2^y, relative error < 1e-6.
inline float power2(float y) {
  y = y < kMaxExponent ? y : kMaxExponent;
  y = y > -kMaxExponent ? y : -kMaxExponent;
  const float shifted = y + kRounder;
  const float r = y - (shifted - kRounder);
  float sum = kExp2[0];
  for (int i = 1; i < 7; ++i) sum = sum * r + kExp2[i];
  return base::timesPowerOf2(sum, shifted);
}

/// Logarithm to base 2 of a positive number.
inline float logarithm2(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  float exponent = static_cast<float>(static_cast<std::int32_t>(bits >> 23) - 127);
  bits = (bits & 0x007fffffu) | 0x3f800000u;
  float m;
  std::memcpy(&m, &bits, sizeof m);
  if (m > 1.41421356f) m = m * 0.5f, exponent = exponent + 1.0f;
  const float t = (m - 1.0f) / (m + 1.0f);
  const float t2 = t * t;
  float sum = kLog2[0];
  for (int i = 1; i < 4; ++i) sum = sum * t2 + kLog2[i];
  return exponent + t * sum;
}

/// One person's own (a, b, c) of Eq. (1).
struct Threshold {
  float a, b, c;
};

/// What all perceived points together ask for.
struct Stimulus {
  float phi_plus = 0;      ///< φ+ <= 0, rad/s: at least so much to the right; 0 when P+ is empty (Eq. 3)
  float phi_minus = 0;     ///< φ- >= 0, rad/s: at least so much to the left; 0 when P- is empty (Eq. 4)
  float soonest = kNever;  ///< s: the least tti in P_col (Eq. 8)
};

/// A perceived point, before it is judged.
struct Perceived {
  float tti;   ///< s
  float rate;  ///< α̇, rad/s
};

/// For a point at P with V: `closing` = -V·P (must be positive), `cross` = P×V, `squared` = P·P; all three may be
/// divided by one positive number when P is given up to scale.
inline Perceived judge(float closing, float cross, float squared) { return {squared / closing, cross / squared}; }

inline void perceive(const Threshold& own, float closing, float cross, float squared, Stimulus& stimulus) {
  if (!(closing > 0)) return;
  const Perceived p = judge(closing, cross, squared);
  const float width = own.b * power2(-own.c * logarithm2(p.tti));
  const bool left = p.rate < 0;  // in P-, which asks for a turn to the left
  const float over = p.rate - (left ? own.a - width : own.a + width);
  const bool colliding = left ? over > 0 : over < 0;
  if (!colliding) return;
  if (left && over > stimulus.phi_minus) stimulus.phi_minus = over;
  if (!left && over < stimulus.phi_plus) stimulus.phi_plus = over;
  if (p.tti < stimulus.soonest) stimulus.soonest = p.tti;
}

/// Two turns that differ by less than this share of both are alike.
inline constexpr float kAlike = 0.1f;

/// The lesser of two turns, `right` and `left`, both positive. Whoever walks straight at somebody sees points of them
/// to both sides of α̇ = 0, and φ+ and φ- differ by how the pixels happen to lie: between turns that are alike one goes
/// on turning as one does, `now`, and to the left from straight on. Two who meet then pass on the same side of each
/// other.
inline bool turnsRight(float right, float left, float now) {
  const float difference = right - left, alike = kAlike * (right + left);
  if (difference < alike && difference > -alike) return now < 0;
  return difference < 0;
}

/// θ̇ before its bounds, from the goal's α̇_g and θ̇ as it is now (section 3.3).
inline float turnFor(const Stimulus& s, float goal_rate, float now) {
  const float right = -s.phi_plus, left = s.phi_minus;
  const bool on_course = goal_rate < kOnCourse && goal_rate > -kOnCourse;
  if (!on_course && !(s.phi_plus < goal_rate && goal_rate < s.phi_minus)) return goal_rate;  // Eq. (7)
  if (!(left > 0)) return s.phi_plus;
  if (!(right > 0)) return s.phi_minus;
  if (on_course) return turnsRight(right, left, now) ? s.phi_plus : s.phi_minus;  // Eq. (5)
  const float to_right = goal_rate - s.phi_plus, to_left = s.phi_minus - goal_rate;
  return turnsRight(to_right, to_left, now) ? s.phi_plus : s.phi_minus;  // Eq. (6)
}

/// Share of the comfort speed, Eq. (9); `imminent` is τ2, s.
inline float speedShare(const Stimulus& s, float imminent) {
  if (!(s.soonest < imminent)) return 1;
  return 1.0f - power2(-0.5f * 1.44269504f * s.soonest * s.soonest);
}

}  // namespace throng::steering::vision
