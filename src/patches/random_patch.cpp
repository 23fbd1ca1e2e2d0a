// Patterns of the published types (Yersin 2009, 7.4.3), and random patches to measure generators on.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "base/random.h"
#include "patches/pairing.h"
#include "patches/sides.h"

namespace throng {
namespace {

using patches::Crossing;

constexpr int kThrows = 80;          ///< for a point that finds no room
constexpr double kRoom = 0.6;        ///< m between those who cross
constexpr double kStraightOn = 0.7;  ///< s before and after crossing for which that room is kept, to get out of the way

struct Range {
  double from, to;
  double at(base::Random& random) const { return from + (to - from) * random.uniform(); }
};

}  // namespace

PatchPattern makePattern(const PatternType& type, double length, double period, std::size_t inputs, std::size_t outputs,
                         std::uint64_t seed, double speed) {
  if (!(type.from >= 0 && type.from < type.to && type.to <= 1))
    throw InputError(
        fmt::format("a part of a pattern from {:g} to {:g}; allowed: 0 to 1, in order", type.from, type.to));
  PatchPattern pattern{{}, length, period, {}, {}};
  using Kind = PatternType::Kind;
  if (type.kind == Kind::kEmpty) return pattern;
  if (type.kind == Kind::kOneWay) (type.out ? inputs : outputs) = 0;
  // The sides of a corner are made without regard to each other: those who cross near it need room to turn.
  const double margin = std::min(1.1, 0.25 * length);
  Range space{margin, length - margin}, time{0, period};
  if (space.to <= space.from) return pattern;
  if (type.kind == Kind::kSpace)
    space = {std::max(space.from, type.from * length), std::min(space.to, type.to * length)};
  if (type.kind == Kind::kTime) time = {type.from * period, type.to * period};
  if (space.to < space.from) return pattern;
  base::Random random(seed, 0x70617474u);
  const patches::Side side{{0, 0}, {1, 0}, {0, 1}, length};
  std::vector<Crossing> taken;
  std::size_t in = 0, out = 0;
  while (in < inputs || out < outputs) {
    const bool is_out = in >= inputs || (out < outputs && random.below(2) == 1);
    ++(is_out ? out : in);
    Range part = space;
    if (type.kind == Kind::kSpace && type.lanes) {
      const double middle = 0.5 * (space.from + space.to);
      part = is_out ? Range{std::min(space.to, middle + kPatchRadius), space.to}
                    : Range{space.from, std::max(space.from, middle - kPatchRadius)};
    }
    for (int attempt = 0; attempt < kThrows; ++attempt) {
      PatchPoint point{part.at(random), time.at(random), speed * random.uniform(0.85, 1.15), random.uniform(-0.3, 0.3)};
      const Crossing crossing = patches::crossingOf(side, point, is_out);
      const bool free = std::all_of(taken.begin(), taken.end(), [&](const Crossing& other) {
        return patches::leastDistance(crossing, kStraightOn, other, kStraightOn, period) >= kRoom;
      });
      if (!free) continue;
      taken.push_back(crossing);
      (is_out ? pattern.outputs : pattern.inputs).push_back(point);
      break;
    }
  }
  return pattern;
}

PatchDefinition randomPatch(double density, std::uint64_t seed, double side, double period) {
  PatchDefinition patch;
  patch.name = fmt::format("random {:g}/m² {}", density, seed);
  patch.corners = {{0, 0}, {side, 0}, {side, side}, {0, side}};
  patch.period = period;
  double walks = density * side * side * period / 6;  // about 6 s each; the rounds below correct that
  for (int round = 0; round < 6; ++round) {
    base::Random random(seed, static_cast<std::uint64_t>(round));
    const auto count = static_cast<std::size_t>(std::max(1.0, std::floor(walks + 0.5)));
    std::array<std::size_t, 4> in{}, out{};
    for (std::size_t i = 0; i < count; ++i) ++in[random.below(4)], ++out[random.below(4)];
    patch.sides.clear();
    std::size_t inputs = 0, outputs = 0;
    for (std::size_t s = 0; s < 4; ++s) {
      patch.sides.push_back(makePattern({}, side, period, in[s], out[s], random.bits()));
      patch.sides.back().name = fmt::format("side {}", s);
      inputs += patch.sides[s].inputs.size(), outputs += patch.sides[s].outputs.size();
    }
    // Points that found no room leave others without a partner.
    while (inputs != outputs) {
      auto& points = inputs > outputs ? patch.sides[random.below(4)].inputs : patch.sides[random.below(4)].outputs;
      if (points.empty()) continue;
      points.pop_back();
      --(inputs > outputs ? inputs : outputs);
    }
    double seconds = 0;
    for (const auto& pair : patches::pairUp(patch, {}, 0)) seconds += pair.time;
    const double reached = seconds / (period * side * side);
    if (std::abs(reached - density) <= 0.05 * density || reached <= 0) break;
    walks *= density / reached;
  }
  return patch;
}

}  // namespace throng
