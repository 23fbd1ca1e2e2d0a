#include "patches/spline_fit.h"

#include <algorithm>
#include <cmath>

#include "patches/pairing.h"
#include "patches/spline.h"

namespace throng::patches {
namespace {

constexpr double kKnots = 0.5;     ///< s between a resident's knots, about
constexpr double kAtAll = 1e-7;    ///< s⁴: roughness where nothing was seen
constexpr double kPerMetre = 0.9;  ///< s of smoothing per m of a jump: changes the speed by some 0.4 m/s
constexpr double kLongest = 2.5;   ///< s

/// Least squares by normal equations; the matrix is positive definite. Fewer than a hundred unknowns, mostly.
class Normal {
 public:
  explicit Normal(std::size_t n) : n_(n), matrix_(n * n), right_(n) {}

  /// One equation: the sum of weight · unknown over `terms` is `value`; unknowns below 0 are known and in `value`.
  void add(const std::array<int, 3>& unknown, const std::array<double, 3>& weight, Point value, double importance) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (unknown[i] < 0) continue;
      const auto r = static_cast<std::size_t>(unknown[i]);
      right_[r] += value * (importance * weight[i]);
      for (std::size_t j = 0; j < 3; ++j)
        if (unknown[j] >= 0)
          matrix_[r * n_ + static_cast<std::size_t>(unknown[j])] += importance * weight[i] * weight[j];
    }
  }

  /// By Cholesky's decomposition.
  std::vector<Point> solved() {
    for (std::size_t r = 0; r < n_; ++r)
      for (std::size_t c = 0; c <= r; ++c) {
        double sum = matrix_[r * n_ + c];
        for (std::size_t k = 0; k < c; ++k) sum -= matrix_[r * n_ + k] * matrix_[c * n_ + k];
        matrix_[r * n_ + c] = r == c ? std::sqrt(std::max(sum, 1e-300)) : sum / matrix_[c * n_ + c];
      }
    for (std::size_t r = 0; r < n_; ++r) {
      for (std::size_t k = 0; k < r; ++k) right_[r] -= right_[k] * matrix_[r * n_ + k];
      right_[r] = right_[r] / matrix_[r * n_ + r];
    }
    for (std::size_t r = n_; r-- > 0;) {
      for (std::size_t k = r + 1; k < n_; ++k) right_[r] -= right_[k] * matrix_[k * n_ + r];
      right_[r] = right_[r] / matrix_[r * n_ + r];
    }
    return right_;
  }

 private:
  std::size_t n_;
  std::vector<double> matrix_;
  std::vector<Point> right_;
};

/// s⁴ at a time: what weighs the roughness ∫|x''|² dt against ∫|x - seen|² dt. `period`: after which times repeat; 0:
/// never.
double smoothing(double time, double step, const std::vector<Jump>& jumps, double period) {
  double most = kAtAll;
  for (const Jump& jump : jumps) {
    const double reach = std::min(kLongest, kPerMetre * jump.size);
    double away = std::abs(time - jump.time);
    if (period > 0) away = std::min(away, std::abs(period - away));
    if (away <= std::max(3 * reach, 1.5 * step)) most = std::max(most, reach * reach * reach * reach);
  }
  return most;
}

/// Solves for the control points of `walk` whose unknown is 0 or more.
void solve(PatchWalk& walk, const std::vector<int>& unknown, std::size_t unknowns,
           const std::vector<Sighting>& sightings, const std::vector<Jump>& jumps, double period) {
  Normal normal(unknowns);
  const auto equation = [&](std::size_t k, const std::array<double, 3>& weight, Point value, double importance) {
    std::array<int, 3> who{};
    for (std::size_t i = 0; i < 3; ++i) {
      who[i] = unknown[k + i];
      if (who[i] < 0) value -= walk.control[k + i] * weight[i];
    }
    normal.add(who, weight, value, importance);
  };
  const double seconds = sightings.size() > 1 ? (sightings.back().time - sightings.front().time) /
                                                    static_cast<double>(sightings.size() - 1)
                                              : 1;
  for (const Sighting& seen : sightings) {
    const auto [k, u] = placeAt(walk.first, walk.step, stretches(walk), seen.time);
    equation(k, weights(u), seen.place, seconds);
  }
  const double per_stretch = 1 / (walk.step * walk.step * walk.step);
  for (std::size_t k = 0; k < stretches(walk); ++k) {
    const double time = walk.first + (static_cast<double>(k) + 0.5) * walk.step;
    equation(k, {1, -2, 1}, {}, per_stretch * smoothing(time, walk.step, jumps, period));
  }
  const std::vector<Point> found = normal.solved();
  for (std::size_t k = 0; k < walk.control.size(); ++k)
    if (unknown[k] >= 0) walk.control[k] = found[static_cast<std::size_t>(unknown[k])];
}

}  // namespace

void fitWalk(PatchWalk& walk, const std::vector<Sighting>& sightings, const std::vector<Jump>& jumps) {
  std::vector<int> unknown(walk.control.size(), -1);
  std::size_t count = 0;
  const std::size_t fixed = fixedControls(walk);
  for (std::size_t k = fixed; k + fixed < unknown.size(); ++k) unknown[k] = static_cast<int>(count++);
  solve(walk, unknown, count, sightings, jumps, 0);
}

std::vector<Point> fitRing(double period, const std::vector<Sighting>& sightings, const std::vector<Jump>& jumps) {
  PatchWalk ring;
  const auto n = static_cast<std::size_t>(std::max(3.0, std::floor(period / kKnots)));
  ring.step = period / static_cast<double>(n);
  ring.control.resize(n + 2);
  std::vector<int> unknown;
  for (std::size_t k = 0; k < n + 2; ++k) unknown.push_back(static_cast<int>(k % n));
  solve(ring, unknown, n, sightings, jumps, period);
  ring.control.resize(n);
  return ring.control;
}

}  // namespace throng::patches
