// Random numbers of the experiments.
#pragma once

#include <cstdint>

namespace throng::papers {

/// SplitMix64 (Steele, Lea & Flood 2014), in [0, 1).
inline double uniform(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

}  // namespace throng::papers
