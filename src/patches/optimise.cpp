// Ramirez et al. 2014 as described by Jordao 2015 (2.2.3): the control points of all walks together minimise
//   roughness  ∫|a|² dt
//   speed      ∫(|v| - wanted)² dt, and steeply what is not walkable
//   collisions ∫(needed - distance)²₊ dt with people, objects and borders
// while the ends stay where and when the patterns say. The minimum is found by L-BFGS (Liu & Nocedal 1989). Where
// two walks are caught on the wrong sides of each other, one of them is pushed aside at random and the search goes on.
//
// Walks that are bent to fit (bend()) stay near given ones instead: for d, what a walk differs from its own by,
//   change     ∫|d|² dt, and its roughness ∫|d''|² dt
// take the place of roughness and wanted speed; residents move, too, with control points that go round.
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

constexpr double kSample = 0.1;           ///< s between the moments at which distances are taken
constexpr double kSamplesPerKnot = 0.25;  ///< and at most this much of the time between knots
constexpr double kSmooth = 0.15;          ///< weight of roughness
constexpr double kSpeedWeight = 0.3;      ///< weight of the speed
constexpr double kLimit = 2;              ///< weight of speeds that cannot be walked, in that of collisions
constexpr double kSlow = kPatchSlowest + 0.06, kFast = kPatchFastest - 0.08;  ///< m/s
constexpr double kWallRoom = kPatchRadius + 0.03;                             ///< m
constexpr int kMemory = 6;                                                    ///< of L-BFGS
constexpr double kCrowded = 0.15;  ///< people/m² from which on it helps to begin gently
constexpr double kDrawn = 1.5;     ///< weight of what draws other versions aside
constexpr int kPushes = 24;        ///< rounds of pushing aside
constexpr double kNear = 1;        ///< weight of being elsewhere than the walk to stay near to

/// How hard collisions weigh, in one search.
struct Effort {
  double room = 0;  ///< m between centres that is wanted
  double weight = 0;
  int iterations = 0;
  double gain = 1e-4;  ///< share of the whole below which a step is not worth another
};

/// Where only millimetres are missing: little more room than bodies need, but that without mercy.
constexpr Effort kLast{0.52, 8000, 40, 1e-6};

class Minimum {
 public:
  Minimum(const Task& task, std::vector<PatchWalk>& walks)
      : patch_(task.patch), walks_(walks), rings_(walks.size()), standing_(task.patch.residents.size()) {
    // Somebody with time to spare dawdles rather than going a long way round.
    for (const Pair& pair : task.pairs) wanted_.push_back(std::max(0.6, pair.length / pair.time));
    prepare();
  }
  /// To stay near `reference`. From number `rings` on, walks are those of residents: their last two control points are
  /// the first two again.
  Minimum(const PatchDefinition& patch, std::vector<PatchWalk>& walks, const std::vector<PatchWalk>& reference,
          std::size_t rings)
      : patch_(patch), walks_(walks), rings_(rings) {
    prepare();
    for (const PatchWalk& walk : reference)
      for (const Point p : walk.control) near_.push_back(p.x), near_.push_back(p.y);
  }

  void prepare() {
    for (std::size_t s = 0; s < patch_.sides.size(); ++s) sides_.push_back(sideOf(patch_, s));
    for (const PatchObject& object : patch_.objects) {
      Obstacle made{&object.outline, {}, 0};
      for (const Point p : object.outline) made.centre += p / static_cast<double>(object.outline.size());
      for (const Point p : object.outline) made.reach = std::max(made.reach, length(p - made.centre));
      obstacles_.push_back(made);
    }
    double shortest = kSample;
    for (const PatchWalk& walk : walks_) shortest = std::min(shortest, kSamplesPerKnot * walk.step);
    phases_ = static_cast<std::size_t>(std::ceil(patch_.period / shortest));
    by_phase_.resize(phases_ + 1);
    for (std::size_t w = 0; w < walks_.size(); ++w) {
      first_.push_back(static_cast<std::uint32_t>(free_.size()));
      for (std::size_t k = 0; k < walks_[w].control.size(); ++k)
        free_.push_back(k >= fixed(w) && k + fixed(w) < walks_[w].control.size());
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
      for (std::size_t k = 0; k < walks_[w].control.size(); ++k)
        if (free_[first_[w] + k]) walks_[w].control[k] = {x_[2 * (first_[w] + k)], x_[2 * (first_[w] + k) + 1]};
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
        const std::size_t count = stretches(walk), at_border = fixedControls(walk) - 2;
        const double end = walk.first + walk.step * static_cast<double>(count);
        double t = phase + patch_.period * std::ceil((walk.first - phase) / patch_.period);
        for (; t <= end; t += patch_.period) {
          const auto [k, u] = placeAt(walk.first, walk.step, count, t);
          const auto w3 = weights(u);
          samples_.push_back({static_cast<std::uint32_t>(first_[w] + k), w3[0], w3[1], w3[2],
                              w < rings_ && (k < at_border || k + at_border >= count)});
          if (w >= rings_) break;  // once per period
        }
      }
      by_phase_[m + 1] = samples_.size();
      for (std::size_t r = 0; r < standing_; ++r)
        residents_.push_back(stateAt(patch_.residents[r], patch_.period, phase).position);
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
  double change(std::size_t w, const std::vector<double>& x, std::vector<double>& g) const;
  void goRound(std::vector<double>& g) const;
  std::size_t fixed(std::size_t w) const { return w < rings_ ? fixedControls(walks_[w]) : 0; }

  const PatchDefinition& patch_;
  std::vector<PatchWalk>& walks_;
  std::size_t rings_ = 0;     ///< walks from this number on are residents'
  std::size_t standing_ = 0;  ///< residents that do not give way
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
  std::vector<double> near_;   ///< to stay near to; empty: nothing
};

/// Distance from the walk to stay near to, and roughness of that distance. The first is exact: products of the weights
/// of a stretch, integrated over it.
double Minimum::change(std::size_t w, const std::vector<double>& x, std::vector<double>& g) const {
  constexpr double kProducts[3][3] = {
      {1.0 / 20, 13.0 / 120, 1.0 / 120}, {13.0 / 120, 9.0 / 20, 13.0 / 120}, {1.0 / 120, 13.0 / 120, 1.0 / 20}};
  const double h = walks_[w].step, rough = kSmooth / (h * h * h);
  double sum = 0;
  for (std::size_t c = first_[w]; c + 2 < first_[w + 1]; ++c)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      double d[3];
      for (std::size_t i = 0; i < 3; ++i) d[i] = x[2 * (c + i) + axis] - near_[2 * (c + i) + axis];
      const double bend = d[0] - 2 * d[1] + d[2];
      sum += rough * bend * bend;
      for (std::size_t i = 0; i < 3; ++i) {
        double with = 0;
        for (std::size_t j = 0; j < 3; ++j) with += kProducts[i][j] * d[j];
        sum += kNear * h * d[i] * with;
        g[2 * (c + i) + axis] += 2 * kNear * h * with + 2 * rough * bend * (i == 1 ? -2 : 1);
      }
    }
  return sum;
}

/// The gradient within those positions in which residents' last two control points are the first two again.
void Minimum::goRound(std::vector<double>& g) const {
  for (std::size_t w = rings_; w < walks_.size(); ++w) {
    const std::size_t begin = first_[w], end = first_[w + 1], n = end - begin - 2;
    for (std::size_t k = 0; k < std::min<std::size_t>(n, 2); ++k)
      for (std::size_t axis = 0; axis < 2; ++axis) {
        double sum = 0, count = 0;
        for (std::size_t c = begin + k; c < end; c += n) sum += g[2 * c + axis], ++count;
        for (std::size_t c = begin + k; c < end; c += n) g[2 * c + axis] = sum / count;
      }
  }
}

/// Roughness and speed of one walk.
double Minimum::way(std::size_t w, const std::vector<double>& x, std::vector<double>& g, double limit) const {
  const bool is_bent = !near_.empty();
  const double h = walks_[w].step, wanted = is_bent ? 0 : wanted_[w];
  const std::size_t begin = first_[w], end = first_[w + 1];
  double sum = 0;
  const auto add = [&](std::size_t c, double gx, double gy) { g[2 * c] += gx, g[2 * c + 1] += gy; };
  // What a speed costs, and its slope.
  const auto speedCost = [&](double v, bool soft, double& slope) {
    double cost = 0;
    slope = 0;
    if (soft && !is_bent) cost = kSpeedWeight * (v - wanted) * (v - wanted), slope = 2 * kSpeedWeight * (v - wanted);
    const double over = v > kFast ? v - kFast : v < kSlow && w < rings_ ? v - kSlow : 0;
    cost += limit * over * over, slope += 2 * limit * over;
    return cost;
  };
  const double rough = is_bent ? 0 : kSmooth / (h * h * h);
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
  const std::size_t residents = standing_;
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
  if (!near_.empty())
    for (std::size_t w = 0; w < walks_.size(); ++w) sum += change(w, x, g);
  for (std::size_t i = 0; i < force_.size(); ++i) sum -= force_[i] * x[i], g[i] -= force_[i];
  for (std::size_t c = 0; c < free_.size(); ++c)
    if (!free_[c]) g[2 * c] = g[2 * c + 1] = 0;
  goRound(g);
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
  const std::size_t fixed = fixedControls(walk);
  for (std::size_t k = fixed; k + fixed < walk.control.size(); ++k) {
    const double s = (timeOfControl(walk, k) - time) / width;
    if (std::abs(s) < 1) walk.control[k] += by * ((1 - s * s) * (1 - s * s));
  }
}

/// What takes a walk past an object that it touches, to one side or the other.
Point pastObject(const Ring& outline, const PatchWalk& walk, double time, base::Random& random) {
  const PatchState state = stateAt(walk, time);
  Point aside = perpendicular(normalized(state.velocity));
  const auto extent = [&](Point way) {
    double most = 0;
    for (const Point p : outline) most = std::max(most, dot(p - state.position, way));
    return most;
  };
  // The shorter way more often than the other.
  const bool shorter = random.uniform() < 0.7;
  if ((extent(-aside) < extent(aside)) == shorter) aside = -aside;
  return aside * (extent(aside) + kPatchRadius + random.uniform(0.05, 0.4));
}

/// Pushes one of the two parties of every fault somewhere, and who touches an object past it.
void pushAside(const PatchDefinition& patch, const std::vector<Fault>& found, base::Random& random,
               std::vector<PatchWalk>& walks) {
  for (const Fault& fault : found) {
    const bool other = fault.other != kNobody && random.below(2) == 0;
    PatchWalk& walk = walks[other ? fault.other : fault.walk];
    const double time = other ? fault.other_time : fault.time;
    if (fault.object != kNobody) {
      push(walk, time, pastObject(patch.objects[fault.object].outline, walk, time, random));
      continue;
    }
    const double reach = random.uniform(0.3, 1.0);
    push(walk, time, Point{random.uniform(-1, 1), random.uniform(-1, 1)} * reach);
  }
}

/// Bows a walk around objects on its straight line, on the side where the way is shorter or, by chance, on the other:
/// the search that follows does not get from one side of an object to the other by itself.
void goAround(const PatchDefinition& patch, PatchWalk& walk, base::Random& random) {
  constexpr double kClear = kPatchRadius + 0.2;  // m
  constexpr double kBefore = 1.2;                // m of the way on either side over which one turns aside
  const std::size_t a = fixedControls(walk) - 1, b = walk.control.size() - fixedControls(walk);
  if (b <= a + 1) return;
  const Point from = walk.control[a], line = walk.control[b] - from;
  const double whole = length(line);
  if (!(whole > 0)) return;
  const Point along = line / whole, across = perpendicular(along);
  for (const PatchObject& object : patch.objects) {
    double first = whole, last = 0, left = -1e9, right = 1e9;
    for (const Point p : object.outline) {
      const double s = dot(p - from, along), h = dot(p - from, across);
      first = std::min(first, s), last = std::max(last, s), left = std::max(left, h), right = std::min(right, h);
    }
    if (last < 0 || first > whole || right > kClear || left < -kClear) continue;
    const bool shorter_left = left < -right;
    const bool go_left = random.uniform() < 0.8 ? shorter_left : !shorter_left;
    const double aside = go_left ? left + kClear : right - kClear;
    for (std::size_t k = a + 1; k < b; ++k) {
      const double s = dot(walk.control[k] - from, along);
      const double off = s < first ? first - s : s > last ? s - last : 0;
      const double share = std::clamp(1 - off / kBefore, 0.0, 1.0);
      const double now = dot(walk.control[k] - from, across);
      const double missing = aside * share * share * (3 - 2 * share) - now;
      if ((go_left && missing > 0) || (!go_left && missing < 0)) walk.control[k] += across * missing;
    }
  }
}

}  // namespace

void optimise(const Task& task, base::Random random, std::vector<PatchWalk>& walks) {
  for (std::size_t w = 0; w < walks.size(); ++w) {
    wasteTime(task.patch, walks[w], task.pairs[w], task.preferred_speed, random.below(2) == 0);
    if (!task.patch.objects.empty()) goAround(task.patch, walks[w], random);
    // Two who meet exactly head-on would never leave that line.
    const std::size_t fixed = fixedControls(walks[w]);
    for (std::size_t k = fixed; k + fixed < walks[w].control.size(); ++k)
      walks[w].control[k] += Point{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)};
  }
  Minimum minimum(task, walks);
  // First gently and with room to spare, so that people choose sides early; then as hard as it takes.
  constexpr std::size_t kAll = 1000;
  double seconds = 0;
  for (const Pair& pair : task.pairs) seconds += pair.time;
  const bool is_crowded = seconds > kCrowded * task.patch.period * area(task.patch);
  std::vector<Fault> found;
  for (const Effort& effort : {Effort{0.75, 15, 30, 1e-3}, Effort{0.60, 100, 40, 3e-4}, Effort{0.56, 500, 60}, kLast}) {
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
    pushAside(task.patch, found, random, walks);
    for (std::size_t w = 0; w < walks.size(); ++w) minimum.load(w);
    minimum.search({0.58, 150, 20});
    minimum.search({0.56, 800, 40});
    minimum.store();
    found = faults(task.patch, walks, kAll);
    if (!found.empty()) {
      minimum.search(kLast);
      minimum.store();
      found = faults(task.patch, walks, kAll);
    }
    if (found.size() <= fewest) {
      fewest = found.size(), best = walks;
    } else {
      walks = best;
      found = faults(task.patch, walks, kAll);
    }
  }
  walks = best;
}

namespace {

/// A resident as a walk whose last two control points are the first two again.
PatchWalk ringOf(const PatchResident& resident, double period) {
  PatchWalk ring;
  const std::size_t n = resident.control.size();
  ring.step = period / static_cast<double>(n);
  for (std::size_t k = 0; k < n + 2; ++k) ring.control.push_back(resident.control[k % n]);
  return ring;
}

/// Walks and residents that are bent together.
class Bending {
 public:
  Bending(PatchDefinition& patch, std::vector<PatchWalk>& walks, const std::vector<PatchWalk>& reference,
          const std::vector<PatchResident>& residents)
      : patch_(patch), walks_(walks), all_(walks), minimum_(make(reference, residents)) {}

  std::vector<Fault> search(const Effort& effort) {
    minimum_.search(effort);
    minimum_.store();
    for (std::size_t w = 0; w < walks_.size(); ++w) walks_[w] = all_[w];
    for (std::size_t r = 0; r < patch_.residents.size(); ++r) {
      std::vector<Point>& control = patch_.residents[r].control;
      std::copy_n(all_[walks_.size() + r].control.begin(), control.size(), control.begin());
    }
    return faults(patch_, walks_, 1000);
  }
  /// After walks were moved by others.
  void load() {
    for (std::size_t w = 0; w < walks_.size(); ++w) all_[w] = walks_[w], minimum_.load(w);
  }

 private:
  Minimum make(std::vector<PatchWalk> reference, const std::vector<PatchResident>& residents) {
    for (const PatchResident& resident : patch_.residents) all_.push_back(ringOf(resident, patch_.period));
    for (const PatchResident& resident : residents) reference.push_back(ringOf(resident, patch_.period));
    return {patch_, all_, reference, walks_.size()};
  }

  PatchDefinition& patch_;
  std::vector<PatchWalk>& walks_;
  std::vector<PatchWalk> all_;  ///< with residents
  Minimum minimum_;
};

}  // namespace

std::vector<Fault> bend(PatchDefinition& patch, std::vector<PatchWalk>& walks, const std::vector<PatchWalk>& reference,
                        const std::vector<PatchResident>& residents, base::Random random, int rounds) {
  std::vector<Fault> found = faults(patch, walks, 1);
  if (found.empty() && check(patch).empty()) return {};
  Bending bending(patch, walks, reference, residents);
  // With little room to spare, so that nobody is moved who need not be; then with more.
  for (const Effort& effort : {Effort{0.52, 100, 40, 1e-4}, Effort{0.512, 1000, 80, 1e-5}, Effort{0.54, 1000, 60}}) {
    found = bending.search(effort);
    if (found.empty() && (patch.residents.empty() || check(patch).empty())) return {};
  }
  std::vector<PatchWalk> best = walks;
  std::vector<PatchResident> best_residents = patch.residents;
  std::vector<Fault> fewest = found;
  for (int round = 0; round < rounds && !fewest.empty(); ++round) {
    pushAside(patch, fewest, random, walks);
    bending.load();
    bending.search({0.55, 150, 20, 1e-4});
    found = bending.search({0.53, 1000, 50, 1e-5});
    if (found.size() <= fewest.size()) fewest = found, best = walks, best_residents = patch.residents;
    walks = best, patch.residents = best_residents;
  }
  return fewest;
}

void vary(const Task& task, base::Random random, std::vector<PatchWalk>& walks) {
  Minimum minimum(task, walks);
  minimum.holdBeginnings();
  for (std::size_t w = 0; w < walks.size(); ++w) {
    // Aside, and at another time: somewhere on the way, in any direction.
    const double time = random.uniform(walks[w].from, walks[w].until);
    const Point force{random.uniform(-kDrawn, kDrawn), random.uniform(-kDrawn, kDrawn)};
    const std::size_t fixed = fixedControls(walks[w]);
    for (std::size_t k = fixed; k + fixed < walks[w].control.size(); ++k) {
      const double s = (timeOfControl(walks[w], k) - time) / 1.5;
      if (std::abs(s) < 1) minimum.draw(w, k, force * ((1 - s * s) * (1 - s * s)));
    }
  }
  minimum.search({0.60, 100, 60, 1e-4});
  minimum.search({0.57, 800, 60, 1e-5});
  minimum.store();
}

}  // namespace throng::patches
