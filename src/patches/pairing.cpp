#include "patches/pairing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "patches/matching.h"
#include "patches/spline.h"

namespace throng::patches {
namespace {

constexpr double kWalkable = 1.6;  ///< m/s on average, to leave some speed for getting out of the way
constexpr double kTooSlow = 0.45;  ///< m/s on average
constexpr double kLead = 0.5;      ///< m straight on behind a border, before one can turn
constexpr double kTurn = 1;        ///< m more to turn by a right angle, twice that to turn around
constexpr double kKnots = 0.45;    ///< s between knots, at least
constexpr double kFineKnots = 0.22;
constexpr double kBackCost = 10;  ///< of a way back through the same side, and of one too slow to walk

std::vector<PatchEnd> endsOf(const PatchDefinition& patch, bool out) {
  std::vector<PatchEnd> ends;
  for (std::uint32_t s = 0; s < patch.sides.size(); ++s)
    for (std::uint32_t i = 0; i < (out ? patch.sides[s].outputs : patch.sides[s].inputs).size(); ++i)
      ends.push_back({s, i});
  return ends;
}

Point ahead(const Crossing& c) { return c.position + normalized(c.velocity) * kLead; }
Point before(const Crossing& c) { return c.position - normalized(c.velocity) * kLead; }

double knotStep(const Crossing& in, const Crossing& out) {
  return std::max({kKnots, 2 * in.gate + 1e-9, 2 * out.gate + 1e-9});
}

/// What both ends think of each other: direction, opposite side, speed (Ramirez et al. 2014, as Jordao 2015 uses it).
struct Scores {
  double input = 0, output = 0;
};
Scores scoresOf(const PatchDefinition& patch, const Pair& pair, const PatchSettings& settings) {
  const double preferred_speed = settings.preferred_speed;
  const Crossing in = inputOf(patch, pair.input), out = outputOf(patch, pair.output);
  const Point way = normalized(before(out) - ahead(in));
  const double speed = pair.length / pair.time;
  const double opposite =
      0.5 * (1 + dot(sideOf(patch, pair.input.side).inward, sideOf(patch, pair.output.side).inward));
  double shared = opposite + 2 * std::abs(speed - preferred_speed) / preferred_speed;
  if (pair.input.side == pair.output.side) shared += kBackCost;
  if (speed < kTooSlow) shared += kBackCost;
  if (settings.pairing == PatchPairing::kLeast) {
    // Where one may be much off for all others to be right, being much off has to cost more than in proportion.
    const double lost = pair.time * preferred_speed / pair.length - 1;
    shared += lost * lost;
  }
  return {shared + 1 - dot(normalized(in.velocity), way), shared + 1 - dot(normalized(out.velocity), way)};
}

void shuffle(std::vector<std::size_t>& order, base::Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

}  // namespace

double shortestTime(const Crossing& in, const Crossing& out) { return 4 * knotStep(in, out) - in.gate - out.gate; }

Pair pairOf(const PatchDefinition& patch, PatchEnd input, PatchEnd output) {
  const Crossing in = inputOf(patch, input), out = outputOf(patch, output);
  // Whoever has to turn around goes a longer way, and needs the time for it.
  const double turn = 1 - dot(normalized(in.velocity), normalized(out.velocity));
  Pair pair{input, output, 0, length(before(out) - ahead(in)) + 2 * kLead + kTurn * turn, out.time - in.time};
  // Room for the straight ends, and for the way at a speed that people walk.
  const double least = std::max(pair.length / kWalkable, shortestTime(in, out));
  while (pair.time < least) pair.time += patch.period, ++pair.laps;
  return pair;
}

std::vector<std::size_t> stableMatching(std::size_t n, const std::vector<double>& proposer_cost,
                                        const std::vector<double>& receiver_cost) {
  // Each proposer's list, best first; ties by number, so that the answer is the same everywhere.
  std::vector<std::vector<std::uint32_t>> wish(n);
  for (std::size_t i = 0; i < n; ++i) {
    wish[i].resize(n);
    std::iota(wish[i].begin(), wish[i].end(), 0u);
    std::sort(wish[i].begin(), wish[i].end(), [&](std::uint32_t a, std::uint32_t b) {
      const double ca = proposer_cost[i * n + a], cb = proposer_cost[i * n + b];
      return ca != cb ? ca < cb : a < b;
    });
  }
  std::vector<std::size_t> next(n), taken(n, n), result(n), free(n);
  std::iota(free.rbegin(), free.rend(), std::size_t{0});
  while (!free.empty()) {
    const std::size_t i = free.back();
    const std::size_t o = wish[i][next[i]++];
    const std::size_t rival = taken[o];
    if (rival == n) {
      free.pop_back();
      taken[o] = i;
    } else if (receiver_cost[i * n + o] < receiver_cost[rival * n + o]) {
      free.back() = rival;
      taken[o] = i;
    }
  }
  for (std::size_t o = 0; o < n; ++o) result[taken[o]] = o;
  return result;
}

void exchangePairs(const std::vector<double>& cost, std::size_t n, double too_much, std::vector<std::size_t>& partner) {
  for (int round = 0; round < 4; ++round)
    for (std::size_t i = 0; i < n; ++i) {
      if (cost[i * n + partner[i]] < too_much) continue;
      std::size_t best = i;
      double gain = 1e-9;
      for (std::size_t j = 0; j < n; ++j) {
        const double now = cost[i * n + partner[i]] + cost[j * n + partner[j]];
        const double then = cost[i * n + partner[j]] + cost[j * n + partner[i]];
        if (now - then > gain) best = j, gain = now - then;
      }
      std::swap(partner[i], partner[best]);
    }
}

std::vector<Pair> pairUp(const PatchDefinition& patch, const PatchSettings& settings, int attempt) {
  const std::vector<PatchEnd> inputs = endsOf(patch, false), outputs = endsOf(patch, true);
  const std::size_t n = inputs.size();
  std::vector<std::size_t> output_of(n);
  std::iota(output_of.begin(), output_of.end(), std::size_t{0});
  base::Random random(settings.seed, 0x70616972u + static_cast<std::uint64_t>(attempt));
  if (settings.pairing == PatchPairing::kInOrder) {
    // The same way round, from another one on.
    for (std::size_t i = 0; i < n; ++i) output_of[i] = (i + static_cast<std::size_t>(attempt)) % n;
  } else {
    std::vector<double> in(n * n), out(n * n), both(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t o = 0; o < n; ++o) {
        const Scores s = scoresOf(patch, pairOf(patch, inputs[i], outputs[o]), settings);
        const double luck = attempt == 0 ? 0 : 0.5 * random.uniform();
        in[i * n + o] = s.input + luck, out[i * n + o] = s.output + luck;
        both[i * n + o] = 0.5 * (s.input + s.output);
      }
    if (settings.pairing == PatchPairing::kLeast) {
      for (std::size_t i = 0; i < n * n; ++i) both[i] = 0.5 * (in[i] + out[i]);
      output_of = leastCostMatching(n, both);
    } else if (settings.pairing == PatchPairing::kStable) {
      output_of = stableMatching(n, in, out);
    } else {
      shuffle(output_of, random);
    }
    if (settings.pairing != PatchPairing::kLeast) exchangePairs(both, n, kBackCost, output_of);
  }
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < n; ++i) pairs.push_back(pairOf(patch, inputs[i], outputs[output_of[i]]));
  return pairs;
}

double timeOfControl(const PatchWalk& walk, std::size_t control) {
  // A spline whose control points lie on a straight line, evenly, is at each of them at this time.
  return walk.first + (static_cast<double>(control) - 0.5) * walk.step;
}

std::size_t fixedControls(const PatchWalk& walk) {
  // The first knot is as long before the input as the body is over the border after it; the last likewise.
  const double last = walk.first + walk.step * static_cast<double>(stretches(walk));
  const double longest = 2 * std::max(walk.from - walk.first, last - walk.until);
  return 2 + static_cast<std::size_t>(std::ceil(longest / walk.step - 1e-6));
}

PatchWalk straightWalk(const PatchDefinition& patch, const Pair& pair, bool fine) {
  const Crossing in = inputOf(patch, pair.input);
  Crossing out = outputOf(patch, pair.output);
  PatchWalk walk;
  walk.input = pair.input, walk.output = pair.output;
  walk.from = in.time, walk.until = out.time + pair.laps * patch.period;
  out.time = walk.until;
  // The first and the last stretch hold the whole time in which the body is over the border, straight on.
  const double last = walk.until + out.gate;
  walk.first = walk.from - in.gate;
  const double least = fine ? std::max({kFineKnots, in.gate + 1e-9, out.gate + 1e-9}) : knotStep(in, out);
  const auto count = static_cast<std::size_t>(std::floor((last - walk.first) / least + 1e-9));
  walk.step = (last - walk.first) / static_cast<double>(count);
  walk.control.resize(count + 2);
  const std::size_t n = walk.control.size(), fixed = fixedControls(walk);
  for (std::size_t k = 0; k < fixed; ++k) {
    walk.control[k] = in.at(timeOfControl(walk, k));
    walk.control[n - 1 - k] = out.at(timeOfControl(walk, n - 1 - k));
  }
  const std::size_t a = fixed - 1, b = n - fixed;
  for (std::size_t k = a + 1; k < b; ++k) {
    const double share = static_cast<double>(k - a) / static_cast<double>(b - a);
    walk.control[k] = walk.control[a] * (1 - share) + walk.control[b] * share;
  }
  return walk;
}

void wasteTime(const PatchDefinition& patch, PatchWalk& walk, const Pair& pair, double preferred_speed, bool left) {
  const double wanted = 0.5 * preferred_speed * pair.time;
  const std::size_t a = fixedControls(walk) - 1, b = walk.control.size() - fixedControls(walk);
  if (pair.length >= wanted || b <= a + 1) return;
  const Point from = walk.control[a], to = walk.control[b], line = to - from;
  // Two sides of a triangle of the wanted length.
  const double half = 0.5 * length(line), side = half + 0.5 * (wanted - pair.length);
  const double wished = std::sqrt(side * side - half * half);
  const auto roomTo = [&](Point across) {
    double height = wished;
    for (std::size_t s = 0; s < patch.sides.size(); ++s) {
      const Side wall = sideOf(patch, s);
      const double toward = -dot(across, wall.inward);
      if (toward <= 1e-9) continue;
      const double room = wall.depth((from + to) * 0.5) - 2 * kPatchRadius;
      height = std::min(height, std::max(0.0, room / toward));
    }
    return height;
  };
  Point across = perpendicular(normalized(line));
  if (!left) across = -across;
  // Back through the same side there is room on one side only: without it, one would turn on the spot.
  if (roomTo(across) < 0.5 * wished && roomTo(-across) > roomTo(across)) across = -across;
  const double height = roomTo(across);
  for (std::size_t k = a + 1; k < b; ++k) {
    const double share = static_cast<double>(k - a) / static_cast<double>(b - a);
    walk.control[k] += across * (height * 4 * share * (1 - share));
  }
}

}  // namespace throng::patches
