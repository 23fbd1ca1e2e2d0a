// The terms of Stream, for the kernel and its slow twin. Angles in radians, counter-clockwise. The kernel has the
// functions in vectors, operation by operation.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "throng/base.h"

namespace throng::steering {

/// Slower than this (m/s) somebody stands: they go nowhere, so nobody follows them.
inline constexpr float kStreamStanding = 1e-4f;
/// Perceived velocities whose sum is shorter than this (squared, m²/s²) cancel one another out: there is no stream.
inline constexpr float kStreamCancelled = 1e-12f;
/// Keeps quotients of nothing by nothing at nothing.
inline constexpr float kStreamTiny = 1e-30f;

/// The cosine between somebody's way and the heading of people who come the other way is below this.
inline constexpr float kStreamOncoming = -0.5f;

/// The largest max_neighbours.
inline constexpr std::size_t kStreamMostNeighbours = 10;

inline constexpr float kStreamPi = 3.14159265f, kStreamHalfPi = 1.57079633f;

/// arctan(a)/a in powers of a² for |a| <= 1, |error| <= 2e-8: Abramowitz & Stegun, 4.4.49.
inline constexpr float kStreamArctan[] = {0.0028662257f,  -0.0161657367f, 0.0429096138f,
                                          -0.0752896400f, 0.1065626393f,  -0.1420889944f,
                                          0.1999355085f,  -0.3333314528f, 1.0f};
/// Taylor series of sin(h)/h and cos(h) in powers of h², for |h| <= π/2.
inline constexpr float kStreamSine[] = {-1.0f / 39916800, 1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6, 1.0f};
inline constexpr float kStreamCosine[] = {1.0f / 479001600, -1.0f / 3628800, 1.0f / 40320, -1.0f / 720,
                                          1.0f / 24,        -0.5f,           1.0f};

/// Highest power first. Even and odd powers apart, which wait for one another half as long.
inline float streamPolynomial(std::span<const float> coefficients, float x) {
  const float squared = x * x;
  const std::size_t n = coefficients.size();
  float even = coefficients[(n - 1) % 2], odd = coefficients[n % 2];
  for (std::size_t i = (n - 1) % 2 + 2; i < n; i += 2) even = even * squared + coefficients[i];
  for (std::size_t i = n % 2 + 2; i < n; i += 2) odd = odd * squared + coefficients[i];
  return odd * x + even;
}

/// The angle of (x, y), in [-π, π]; 0 for the zero vector.
inline float streamAngle(float x, float y) {
  const float ax = std::abs(x), ay = std::abs(y);
  const float small = ax < ay ? ax : ay, large = ax < ay ? ay : ax;
  const float a = small / (large > kStreamTiny ? large : kStreamTiny);
  float angle = a * streamPolynomial(kStreamArctan, a * a);
  angle = ax < ay ? kStreamHalfPi - angle : angle;
  angle = x < 0 ? kStreamPi - angle : angle;
  return y < 0 ? -angle : angle;
}

/// The angle by which `from` must be turned to point along `to`.
inline float streamTurn(Vec2 from, Vec2 to) {
  return streamAngle(from.x * to.x + from.y * to.y, from.x * to.y - from.y * to.x);
}

/// `v` turned by an angle in [-π, π].
inline Vec2 streamTurned(Vec2 v, float angle) {
  const float half = 0.5f * angle, squared = half * half;
  const float s = half * streamPolynomial(kStreamSine, squared), c = streamPolynomial(kStreamCosine, squared);
  const float sine = 2.0f * s * c, cosine = c * c - s * s;
  return {v.x * cosine - v.y * sine, v.x * sine + v.y * cosine};
}

/// What the terms need of the parameters, computed once per call.
struct StreamCoefficients {
  explicit StreamCoefficients(std::span<const float> parameters);

  float range, range_squared, inverse_range;  ///< d_max, m
  float cosine;                               ///< of half the field of view
  float density;                              ///< ρ per sum of squared radii: 3 π / Δ(FOV), 1/m²
  float motivation;                           ///< γ
  float deviation_angle, inverse_deviation;   ///< φ_min
  float time_spent;                           ///< weight of τ
  float delay;                                ///< 1 + delay·ρ: how much longer people expect to take
  float least_speed;                          ///< m/s
  float side;                                 ///< to the left, of those who come the other way, radians; 0: not at all
  float oncoming, inverse_oncoming;           ///< how far ahead those are looked for, m
  float oncoming_aside;                       ///< and how far to either side, m
  std::size_t max_neighbours;
};

/// τ, Eq. 9.6. `spent` and `expected` in s; an expected time of 0 stands for a way without end.
inline float streamLateness(const StreamCoefficients& c, float spent, float expected, float density) {
  const float allowed = expected * (1.0f + c.delay * density);
  float late = (spent - allowed) / (allowed > kStreamTiny ? allowed : kStreamTiny);
  late = late > 0 ? late : 0.0f;
  late = late < 1 ? late : 1.0f;
  return expected > 0 ? c.time_spent * late : 0.0f;
}

/// λ, Eq. 9.4 with Eq. 9.5; `deviation` is φ_dev >= 0.
inline float streamIncentive(const StreamCoefficients& c, float deviation, float density, float lateness) {
  float leaving = (deviation - c.deviation_angle) * c.inverse_deviation;  // Φ
  leaving = leaving > 0 ? leaving : 0.0f;
  leaving = leaving < 1 ? leaving : 1.0f;
  const float free = 1.0f - density;
  const float roomy = free * free * free;
  float most = leaving > roomy ? leaving : roomy;
  most = most > lateness ? most : lateness;
  return c.motivation + (1.0f - c.motivation) * most;
}

/// How much somebody who comes the other way, so far ahead, counts for turning to the side.
inline float streamOncoming(const StreamCoefficients& c, float ahead) { return 1.0f - ahead * c.inverse_oncoming; }

}  // namespace throng::steering
