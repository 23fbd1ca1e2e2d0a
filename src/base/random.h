// One random stream per person (and one per population), each a function of the scene's seed and of who it is for, so
// that nobody's luck depends on who else is there or on the number of threads.
// The generator is SplitMix64 (Steele, Lea & Flood 2014): eight bytes of state, saved with the person.
#pragma once

#include <cstdint>

#include "base/math.h"

namespace throng::base {

__extension__ typedef unsigned __int128 Wide;

constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Random {
 public:
  Random() = default;
  explicit constexpr Random(std::uint64_t state) : state_(state) {}
  /// The stream of one subject, such as a person's number.
  constexpr Random(std::uint64_t seed, std::uint64_t subject)
      : state_(mix(mix(seed) ^ (subject * 0x9e3779b97f4a7c15u))) {}

  constexpr std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15u); }
  /// In [0, 1), 53 bits.
  constexpr double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  constexpr double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// In [0, n).
  constexpr std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * n) >> 64);
  }
  /// Standard normal, by inversion of two uniforms (Box & Muller 1958), with our own functions so that it is the same
  /// on every C library.
  double normal() {
    const double u = 1.0 - uniform();
    const double angle = 2.0 * kPi * uniform();
    double s, c;
    sinCos(angle, s, c);
    return std::sqrt(-2.0 * logarithm(u)) * c;
  }

  constexpr std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace throng::base
