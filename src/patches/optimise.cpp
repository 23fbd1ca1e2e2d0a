// Ramirez et al. 2014 as described by Jordao 2015 (2.2.3): the control points of all walks together minimise
//   roughness  ∫|a|² dt
//   speed      ∫(|v| - wanted)² dt, and steeply what is not walkable
//   collisions ∫(needed - distance)²₊ dt with people, objects and borders
// while the ends stay where and when the patterns say. The minimum is found by L-BFGS (Liu & Nocedal 1989). Where
// two walks are caught on the wrong sides of each other, one of them is pushed aside at random and the search goes on.
#include <algorithm>
#include <cmath>
#include <functional>

#include "patches/contact.h"
#include "patches/generators.h"
#include "patches/sides.h"
#include "patches/spline.h"
#include "patches/walk_check.h"

namespace throng::patches {
namespace {

constexpr double kSample = 0.1;   ///< s between the moments at which distances are taken
constexpr double kSmooth = 0.15;  ///< weight of roughness
constexpr double kSpeed = 0.3;    ///< weight of the speed
constexpr double kLimit = 2;      ///< weight of speeds that cannot be walked, in that of collisions
constexpr double kSlow = kPatchSlowest + 0.06, kFast = kPatchFastest - 0.08;  ///< m/s
constexpr double kWallRoom = kPatchRadius + 0.03;                             ///< m
constexpr int kMemory = 6;                                                    ///< of L-BFGS
constexpr double kCrowded = 0.15;  ///< people/m² from which on it helps to begin gently
constexpr double kDrawn = 1.5;     ///< weight of what draws other versions aside
constexpr int kPushes = 24;        ///< rounds of pushing aside

/// How hard collisions weigh, in one search.
struct Effort {
  double room = 0;  ///< m between centres that is wanted
  double weight = 0;
  int iterations = 0;
  double gain = 1e-4;  ///< share of the whole below which a step is not worth another
};

class Minimum {
 public:
  Minimum(const Task& task, std::vector<PatchWalk>& walks) : patch_(task.patch), walks_(walks) {
    for (std::size_t s = 0; s < patch_.sides.size(); ++s) sides_.push_back(sideOf(patch_, s));
    for (const PatchObject& object : patch_.objects) {
      Obstacle made{&object.outline, {}, 0};
      for (const Point p : object.outline) made.centre += p / static_cast<double>(object.outline.size());
      for (const Point p : object.outline) made.reach = std::max(made.reach, length(p - made.centre));
      obstacles_.push_back(made);
    }
    phases_ = static_cast<std::size_t>(std::ceil(patch_.period / kSample));
    by_phase_.resize(phases_ + 1);
    for (std::size_t w = 0; w < walks_.size(); ++w) {
      first_.push_back(static_cast<std::uint32_t>(free_.size()));
      for (std::size_t k = 0; k < walks_[w].control.size(); ++k)
        free_.push_back(k >= kFixed && k + kFixed < walks_[w].control.size());
      // Somebody with time to spare dawdles rather than going a long way round.
      wanted_.push_back(std::max(0.6, task.pairs[w].length / task.pairs[w].time));
    }
    first_.push_back(static_cast<std::uint32_t>(free_.size()));
    samples();
    x_.resize(2 * free_.size());
    for (std::size_t w = 0; w < walks_.size(); ++w) load(w);
  }

  void load(std::size_t w) {
    for (std::size_t k = 0; k < walks_[w].control.size(); ++k) {
      x_[2 * (first_[w] + k)] = walks_[w].control[k].x;
      x_[2 * (first_[w] + k) + 1] = walks_[w].control[k].y;
    }
  }
  void store() {
    for (std::size_t w = 0; w < walks_.size(); ++w)
      for (std::size_t k = kFixed; k + kFixed < walks_[w].control.size(); ++k)
        walks_[w].control[k] = {x_[2 * (first_[w] + k)], x_[2 * (first_[w] + k) + 1]};
  }

  void search(const Effort& effort);

  /// Leaves the stretches as they are in which a period begins, and all control points that they depend on.
  void holdBeginnings() {
    for (std::size_t w = 0; w < walks_.size(); ++w) {
      const PatchWalk& walk = walks_[w];
      const double end = walk.first + walk.step * static_cast<double>(stretches(walk));
      const auto lap = static_cast<int>(std::ceil(walk.first / patch_.period));
      for (int number = lap; number * patch_.period < end; ++number) {
        const std::size_t k = placeAt(walk.first, walk.step, stretches(walk), number * patch_.period).stretch;
        for (std::size_t c = k; c < k + 3; ++c) free_[first_[w] + c] = 0;
      }
    }
  }
  /// A force on a control point for the searches that follow.
  void draw(std::size_t w, std::size_t k, Point force) {
    if (force_.empty()) force_.resize(x_.size());
    force_[2 * (first_[w] + k)] += force.x, force_[2 * (first_[w] + k) + 1] += force.y;
  }

 private:
  struct Sample {
    std::uint32_t control = 0;  ///< the first of three
    double w0 = 0, w1 = 0, w2 = 0;
    bool on_border = false;
  };

  void samples() {
    for (std::size_t m = 0; m < phases_; ++m) {
      const double phase = patch_.period * static_cast<double>(m) / static_cast<double>(phases_);
      for (std::size_t w = 0; w < walks_.size(); ++w) {
        const PatchWalk& walk = walks_[w];
        const std::size_t count = stretches(walk);
        const double end = walk.first + walk.step * static_cast<double>(count);
        double t = phase + patch_.period * std::ceil((walk.first - phase) / patch_.period);
        for (; t <= end; t += patch_.period) {
          const auto [k, u] = placeAt(walk.first, walk.step, count, t);
          const auto w3 = weights(u);
          samples_.push_back(
              {static_cast<std::uint32_t>(first_[w] + k), w3[0], w3[1], w3[2], k == 0 || k + 1 == count});
        }
      }
      by_phase_[m + 1] = samples_.size();
      for (const PatchResident& resident : patch_.residents)
        residents_.push_back(stateAt(resident, patch_.period, phase).position);
    }
  }

  /// An object with a circle around it.
  struct Obstacle {
    const Ring* outline = nullptr;
    Point centre;
    double reach = 0;
  };

  double value(const std::vector<double>& x, std::vector<double>& g, const Effort& effort);
  double people(const std::vector<double>& x, std::vector<double>& g, const Effort& effort);
  double way(std::size_t w, const std::vector<double>& x, std::vector<double>& g, double limit) const;

  const PatchDefinition& patch_;
  std::vector<PatchWalk>& walks_;
  std::vector<Side> sides_;
  std::vector<Obstacle> obstacles_;
  std::vector<std::uint32_t> first_;  ///< control point of each walk
  std::vector<char> free_;
  std::vector<double> wanted_;  ///< m/s
  std::size_t phases_ = 0;
  std::vector<std::size_t> by_phase_;
  std::vector<Sample> samples_;
  std::vector<Point> residents_;  ///< by phase
  std::vector<double> px_, py_, fx_, fy_;
  std::vector<double> x_;
  std::vector<double> force_;  ///< empty: none
};

/// Roughness and speed of one walk.
double Minimum::way(std::size_t w, const std::vector<double>& x, std::vector<double>& g, double limit) const {
  const double h = walks_[w].step, wanted = wanted_[w];
  const std::size_t begin = first_[w], end = first_[w + 1];
  double sum = 0;
  const auto add = [&](std::size_t c, double gx, double gy) { g[2 * c] += gx, g[2 * c + 1] += gy; };
  // What a speed costs, and its slope.
  const auto speedCost = [&](double v, bool soft, double& slope) {
    double cost = 0;
    slope = 0;
    if (soft) cost = kSpeed * (v - wanted) * (v - wanted), slope = 2 * kSpeed * (v - wanted);
    const double over = v < kSlow ? v - kSlow : v > kFast ? v - kFast : 0;
    cost += limit * over * over, slope += 2 * limit * over;
    return cost;
  };
  const double rough = kSmooth / (h * h * h);
  for (std::size_t c = begin; c + 1 < end; ++c) {
    const double ux = (x[2 * c + 2] - x[2 * c]) / h, uy = (x[2 * c + 3] - x[2 * c + 1]) / h;
    const double v = std::sqrt(ux * ux + uy * uy) + 1e-12;
    double slope;
    sum += h * speedCost(v, true, slope);
    const double fx = slope * ux / v, fy = slope * uy / v;
    add(c, -fx, -fy), add(c + 1, fx, fy);
    if (c + 2 >= end) break;
    const double ax = x[2 * c] - 2 * x[2 * c + 2] + x[2 * c + 4], ay = x[2 * c + 1] - 2 * x[2 * c + 3] + x[2 * c + 5];
    sum += rough * (ax * ax + ay * ay);
    const double rx = 2 * rough * ax, ry = 2 * rough * ay;
    add(c, rx, ry), add(c + 1, -2 * rx, -2 * ry), add(c + 2, rx, ry);
    // Half-way between two knots, where somebody who turns sharply is slowest.
    const double mx = (x[2 * c + 4] - x[2 * c]) / (2 * h), my = (x[2 * c + 5] - x[2 * c + 1]) / (2 * h);
    const double m = std::sqrt(mx * mx + my * my) + 1e-12;
    sum += h * speedCost(m, false, slope);
    add(c, -0.5 * slope * mx / m, -0.5 * slope * my / m), add(c + 2, 0.5 * slope * mx / m, 0.5 * slope * my / m);
  }
  return sum;
}

double Minimum::people(const std::vector<double>& x, std::vector<double>& g, const Effort& effort) {
  const double dt = patch_.period / static_cast<double>(phases_), weight = effort.weight * dt;
  const double near = effort.room * effort.room;
  const std::size_t residents = patch_.residents.size();
  double sum = 0;
  for (std::size_t m = 0; m < phases_; ++m) {
    const std::size_t begin = by_phase_[m], n = by_phase_[m + 1] - begin;
    px_.resize(n), py_.resize(n), fx_.assign(n, 0), fy_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const Sample& s = samples_[begin + i];
      const double* c = x.data() + 2 * static_cast<std::size_t>(s.control);
      px_[i] = s.w0 * c[0] + s.w1 * c[2] + s.w2 * c[4];
      py_[i] = s.w0 * c[1] + s.w1 * c[3] + s.w2 * c[5];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double xi = px_[i], yi = py_[i];
      for (std::size_t j = i + 1; j < n; ++j) {
        const double dx = xi - px_[j], dy = yi - py_[j], d2 = dx * dx + dy * dy;
        if (d2 >= near) continue;
        const double d = std::sqrt(d2) + 1e-9, lack = effort.room - d, f = -2 * weight * lack / d;
        sum += weight * lack * lack;
        fx_[i] += f * dx, fy_[i] += f * dy, fx_[j] -= f * dx, fy_[j] -= f * dy;
      }
      for (std::size_t r = 0; r < residents; ++r) {
        const Point p = residents_[m * residents + r];
        const double dx = xi - p.x, dy = yi - p.y, d2 = dx * dx + dy * dy;
        if (d2 >= near) continue;
        const double d = std::sqrt(d2) + 1e-9, lack = effort.room - d, f = -2 * weight * lack / d;
        sum += weight * lack * lack;
        fx_[i] += f * dx, fy_[i] += f * dy;
      }
      if (!samples_[begin + i].on_border)
        for (const Side& side : sides_) {
          const double lack = kWallRoom - side.depth({xi, yi});
          if (lack <= 0) continue;
          sum += 2 * weight * lack * lack;
          fx_[i] -= 4 * weight * lack * side.inward.x, fy_[i] -= 4 * weight * lack * side.inward.y;
        }
      for (const Obstacle& object : obstacles_) {
        const Point own{xi, yi}, from = own - object.centre;
        const double near_it = object.reach + effort.room;
        if (lengthSquared(from) >= near_it * near_it) continue;
        const double d = distance(own, *object.outline), lack = effort.room - kPatchRadius - d;
        if (lack <= 0) continue;
        // Outside, away from the nearest point of the outline; inside, away from the middle.
        const double reach = 1e-4;
        Point out{distance({xi + reach, yi}, *object.outline) - distance({xi - reach, yi}, *object.outline),
                  distance({xi, yi + reach}, *object.outline) - distance({xi, yi - reach}, *object.outline)};
        out = normalized(d > 0 ? out : from);
        const double deep = d > 0 ? lack : lack + kPatchRadius;
        sum += 2 * weight * deep * deep;
        fx_[i] -= 4 * weight * deep * out.x, fy_[i] -= 4 * weight * deep * out.y;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (fx_[i] == 0 && fy_[i] == 0) continue;
      const Sample& s = samples_[begin + i];
      double* c = g.data() + 2 * static_cast<std::size_t>(s.control);
      c[0] += s.w0 * fx_[i], c[1] += s.w0 * fy_[i], c[2] += s.w1 * fx_[i], c[3] += s.w1 * fy_[i];
      c[4] += s.w2 * fx_[i], c[5] += s.w2 * fy_[i];
    }
  }
  return sum;
}

double Minimum::value(const std::vector<double>& x, std::vector<double>& g, const Effort& effort) {
  std::fill(g.begin(), g.end(), 0.0);
  double sum = people(x, g, effort);
  for (std::size_t w = 0; w < walks_.size(); ++w) sum += way(w, x, g, kLimit * effort.weight);
  for (std::size_t i = 0; i < force_.size(); ++i) sum -= force_[i] * x[i], g[i] -= force_[i];
  for (std::size_t c = 0; c < free_.size(); ++c)
    if (!free_[c]) g[2 * c] = g[2 * c + 1] = 0;
  return sum;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void Minimum::search(const Effort& effort) {
  const std::size_t n = x_.size();
  std::vector<double> g(n), next(n), next_g(n), direction(n);
  std::vector<std::vector<double>> s, y;
  std::vector<double> rho;
  double f = value(x_, g, effort);
  for (int iteration = 0; iteration < effort.iterations; ++iteration) {
    direction = g;
    std::vector<double> alpha(s.size());
    for (std::size_t k = s.size(); k-- > 0;) {
      alpha[k] = rho[k] * product(s[k], direction);
      for (std::size_t i = 0; i < n; ++i) direction[i] -= alpha[k] * y[k][i];
    }
    double scale = s.empty() ? 0.01 : 1 / (rho.back() * product(y.back(), y.back()));
    for (double& d : direction) d *= scale;
    for (std::size_t k = 0; k < s.size(); ++k) {
      const double beta = rho[k] * product(y[k], direction);
      for (std::size_t i = 0; i < n; ++i) direction[i] += (alpha[k] - beta) * s[k][i];
    }
    // Nobody jumps farther than half a body in one step: distances only count nearby.
    double longest = 0;
    for (const double d : direction) longest = std::max(longest, std::abs(d));
    double step = longest > 0.25 ? 0.25 / longest : 1;
    const double slope = product(g, direction);
    if (!(slope > 1e-10)) break;
    double next_f = f;
    bool found = false;
    for (int halving = 0; halving < 12 && !found; ++halving, step *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) next[i] = x_[i] - step * direction[i];
      next_f = value(next, next_g, effort);
      found = next_f <= f - 1e-4 * step * slope;
    }
    if (!found) break;
    std::vector<double> ds(n), dy(n);
    for (std::size_t i = 0; i < n; ++i) ds[i] = next[i] - x_[i], dy[i] = next_g[i] - g[i];
    const double curvature = product(ds, dy);
    if (curvature > 1e-12) {
      if (s.size() == kMemory) s.erase(s.begin()), y.erase(y.begin()), rho.erase(rho.begin());
      s.push_back(std::move(ds)), y.push_back(std::move(dy)), rho.push_back(1 / curvature);
    }
    const double gained = f - next_f;
    x_.swap(next), g.swap(next_g), f = next_f;
    if (gained < effort.gain * (1 + std::abs(f))) break;
  }
}

/// Moves a walk sideways around a time, most at that time.
void push(PatchWalk& walk, double time, Point by) {
  const double width = 1.2;  // s
  for (std::size_t k = kFixed; k + kFixed < walk.control.size(); ++k) {
    const double s = (timeOfControl(walk, k) - time) / width;
    if (std::abs(s) < 1) walk.control[k] += by * ((1 - s * s) * (1 - s * s));
  }
}

}  // namespace

void optimise(const Task& task, base::Random random, std::vector<PatchWalk>& walks) {
  for (std::size_t w = 0; w < walks.size(); ++w) {
    wasteTime(task.patch, walks[w], task.pairs[w], task.preferred_speed, random.below(2) == 0);
    // Two who meet exactly head-on would never leave that line.
    for (std::size_t k = kFixed; k + kFixed < walks[w].control.size(); ++k)
      walks[w].control[k] += Point{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)};
  }
  Minimum minimum(task, walks);
  // First gently and with room to spare, so that people choose sides early; then as hard as it takes.
  constexpr std::size_t kAll = 1000;
  double seconds = 0;
  for (const Pair& pair : task.pairs) seconds += pair.time;
  const bool is_crowded = seconds > kCrowded * task.patch.period * area(task.patch);
  std::vector<Fault> found;
  for (const Effort& effort : {Effort{0.75, 15, 30, 1e-3}, Effort{0.60, 100, 40, 3e-4}, Effort{0.56, 500, 60}}) {
    const bool is_gentle = effort.weight < 50;
    if (is_gentle && !is_crowded) continue;
    minimum.search(effort);
    minimum.store();
    if (is_gentle) continue;
    found = faults(task.patch, walks, kAll);
    if (found.empty()) return;
  }
  std::vector<PatchWalk> best = walks;
  std::size_t fewest = found.size();
  for (int round = 0; round < kPushes && !found.empty(); ++round) {
    for (const Fault& fault : found) {
      const bool other = fault.other != kNobody && random.below(2) == 0;
      PatchWalk& walk = walks[other ? fault.other : fault.walk];
      const double time = other ? fault.other_time : fault.time;
      const double reach = random.uniform(0.3, 1.0);
      push(walk, time, Point{random.uniform(-1, 1), random.uniform(-1, 1)} * reach);
    }
    for (std::size_t w = 0; w < walks.size(); ++w) minimum.load(w);
    minimum.search({0.58, 150, 20});
    minimum.search({0.56, 800, 40});
    minimum.store();
    found = faults(task.patch, walks, kAll);
    if (found.size() <= fewest) {
      fewest = found.size(), best = walks;
    } else {
      walks = best;
      found = faults(task.patch, walks, kAll);
    }
  }
  walks = best;
}

void vary(const Task& task, base::Random random, std::vector<PatchWalk>& walks) {
  Minimum minimum(task, walks);
  minimum.holdBeginnings();
  for (std::size_t w = 0; w < walks.size(); ++w) {
    // Aside, and at another time: somewhere on the way, in any direction.
    const double time = random.uniform(walks[w].from, walks[w].until);
    const Point force{random.uniform(-kDrawn, kDrawn), random.uniform(-kDrawn, kDrawn)};
    for (std::size_t k = kFixed; k + kFixed < walks[w].control.size(); ++k) {
      const double s = (timeOfControl(walks[w], k) - time) / 1.5;
      if (std::abs(s) < 1) minimum.draw(w, k, force * ((1 - s * s) * (1 - s * s)));
    }
  }
  minimum.search({0.60, 100, 60, 1e-4});
  minimum.search({0.57, 800, 60, 1e-5});
  minimum.store();
}

}  // namespace throng::patches
