#include "metrics/spread.h"

#include <algorithm>
#include <cmath>

namespace throng::metrics {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

double meanOfSorted(const std::vector<double>& sorted) {
  if (sorted.empty()) return 0;
  double sum = 0;
  for (const double value : sorted) sum += value;
  return sum / static_cast<double>(sorted.size());
}

}  // namespace

Spread spreadOf(std::vector<double> values) {
  Spread spread;
  if (values.empty()) return spread;
  // Sums in ascending order: rows may come in any order, the report must not depend on it.
  std::sort(values.begin(), values.end());
  spread.count = values.size();
  spread.mean = meanOfSorted(values);
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / static_cast<double>(values.size()));
  spread.min = values.front();
  spread.median = quantile(values, 0.5);
  spread.p95 = quantile(values, 0.95);
  spread.max = values.back();
  return spread;
}

double meanOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return meanOfSorted(values);
}

}  // namespace throng::metrics
