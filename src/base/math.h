// Elementary functions that give the same bits with every C library and compiler: only + - * / and sqrt, which IEEE 754
// rounds exactly. (The C library's own choose other code, and other last bits, on processors with fused multiply-add.)
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace throng::base {

inline constexpr double kPi = 3.14159265358979323846;

/// Sine and cosine, |error| < 1e-14 for |angle| < 1e5.
inline void sinCos(double angle, double& sine, double& cosine) {
  // Reduce to [-π/4, π/4] and remember the quadrant; π/2 in two parts (Cody & Waite 1980).
  const double turns = angle * (2.0 / kPi);
  const double nearest = std::floor(turns + 0.5);
  const auto quadrant = static_cast<std::int64_t>(nearest) & 3;
  const double r = (angle - nearest * 1.57079632673412561417) - nearest * 6.07710050650619224932e-11;
  const double r2 = r * r;
  double s = 0, c = 0;  // Taylor series, enough terms for the range
  s = r * (1.0 +
           r2 * (-1.0 / 6 +
                 r2 * (1.0 / 120 + r2 * (-1.0 / 5040 +
                                         r2 * (1.0 / 362880 + r2 * (-1.0 / 39916800 + r2 * (1.0 / 6227020800.0 -
                                                                                            r2 / 1307674368000.0)))))));
  c = 1.0 +
      r2 * (-0.5 + r2 * (1.0 / 24 +
                         r2 * (-1.0 / 720 + r2 * (1.0 / 40320 + r2 * (-1.0 / 3628800 + r2 * (1.0 / 479001600.0 -
                                                                                             r2 / 87178291200.0))))));
  switch (quadrant) {
    case 0:
      sine = s, cosine = c;
      break;
    case 1:
      sine = c, cosine = -s;
      break;
    case 2:
      sine = -s, cosine = -c;
      break;
    default:
      sine = -c, cosine = s;
      break;
  }
}

/// Natural logarithm of a positive, normal number; relative error < 1e-14.
inline double logarithm(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (m > 1.41421356237309504880) m *= 0.5, ++exponent;
  // log m = 2 artanh((m-1)/(m+1)); |t| <= 0.1716, so t² <= 0.0295 and twelve terms are enough.
  const double t = (m - 1.0) / (m + 1.0);
  const double t2 = t * t;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * t2 + 1.0 / k;
  return 2.0 * t * sum + exponent * 0.69314718055994530942;
}

/// e to the power of any number; relative error < 1e-15 where the result is normal, infinity above 709.78, 0 below
/// -745.13.
inline double exponential(double value) {
  if (!(value < 709.782712893384)) return value != value ? value : HUGE_VAL;
  if (value < -745.133219101941) return 0;
  // value = k ln 2 + r with |r| <= 0.3466; ln 2 in two parts (Cody & Waite 1980).
  const double k = std::floor(value * 1.44269504088896340736 + 0.5);
  const double r = (value - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  double sum = 0;  // Taylor series; the first term left out is below 1e-17
  for (int term = 14; term >= 2; --term) sum = (sum + 1.0) * r / term;
  const double e = 1.0 + (r + r * sum);
  // 2^k in two factors: one alone is no normal number below -1022.
  const auto power = [](std::int64_t n) { return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52); };
  const auto exponent = static_cast<std::int64_t>(k);
  return e * power(exponent / 2) * power(exponent - exponent / 2);
}

/// 1.5 · 2^23: added to a 32-bit float, it rounds it to a whole number, which then stands in the lowest bits.
inline constexpr float kRounder = 12582912.0f;
/// value · 2^n; `n_and_rounder` is n + kRounder, with n from -126 to 127.
inline float timesPowerOf2(float value, float n_and_rounder) {
  return value * std::bit_cast<float>((std::bit_cast<std::uint32_t>(n_and_rounder) << 23) + 0x3f800000u);
}

}  // namespace throng::base
