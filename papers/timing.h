// How long things take, and what many such times come to.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

namespace throng::papers {

/// What `work` takes, s.
template <class Work>
double secondsOf(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Spread {
  double mean = 0, deviation = 0, largest = 0;
};

inline Spread spreadOf(std::span<const double> values) {
  Spread spread;
  for (const double value : values) {
    spread.mean += value / static_cast<double>(values.size());
    spread.largest = std::max(spread.largest, value);
  }
  double sum = 0;
  for (const double value : values) sum += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(sum / static_cast<double>(values.size()));
  return spread;
}

}  // namespace throng::papers
