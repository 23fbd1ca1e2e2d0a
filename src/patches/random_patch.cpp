// Patterns of the published types (Yersin 2009, 7.4.3), and random patches to measure generators on.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/math.h"
#include "base/random.h"
#include "geometry/boxes.h"
#include "patches/contact.h"
#include "patches/pairing.h"
#include "patches/pattern_points.h"

namespace throng {
namespace patches {
namespace {

constexpr int kThrows = 80;         ///< for a point that finds no room
constexpr double kTurnAside = 0.6;  ///< s

struct Range {
  double from, to;
  double at(base::Random& random) const { return from + (to - from) * random.uniform(); }
};

}  // namespace

PatchPattern randomPattern(const PatternType& type, double length, double period, std::size_t inputs,
                           std::size_t outputs, std::uint64_t seed, double speed, const PatternRoom& room,
                           const PointAccepted& accepted) {
  if (!(type.from >= 0 && type.from < type.to && type.to <= 1))
    throw InputError(
        fmt::format("a part of a pattern from {:g} to {:g}; allowed: 0 to 1, in order", type.from, type.to));
  PatchPattern pattern{{}, length, period, {}, {}};
  using Kind = PatternType::Kind;
  if (type.kind == Kind::kEmpty) return pattern;
  if (type.kind == Kind::kOneWay) (type.out ? inputs : outputs) = 0;
  const double margin = std::max(2 * kPatchRadius, std::min(room.corner, 0.25 * length));
  Range space{margin, length - margin}, time{0, period};
  if (space.to <= space.from) return pattern;
  if (type.kind == Kind::kSpace)
    space = {std::max(space.from, type.from * length), std::min(space.to, type.to * length)};
  if (type.kind == Kind::kTime) time = {type.from * period, type.to * period};
  if (space.to < space.from) return pattern;
  base::Random random(seed, 0x70617474u);
  const Side side{{0, 0}, {1, 0}, {0, 1}, length};
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
      const Crossing crossing = crossingOf(side, point, is_out);
      const bool free = std::all_of(taken.begin(), taken.end(), [&](const Crossing& other) {
        return leastDistance(crossing, room.straight_on, other, room.straight_on, period) >= kCrossingRoom;
      });
      if (!free || (accepted && !accepted(point, is_out))) continue;
      taken.push_back(crossing);
      (is_out ? pattern.outputs : pattern.inputs).push_back(point);
      break;
    }
  }
  return pattern;
}

bool hasRoom(const PatchDefinition& patch, std::size_t side, const PatchPoint& point, bool out, double spare) {
  const Side own = sideOf(patch, side);
  const Crossing crossing = crossingOf(own, point, out);
  const Segment path{crossing.at(point.time - crossing.gate), crossing.at(point.time + crossing.gate)};
  for (std::size_t other = 0; other < patch.corners.size(); ++other)
    if (other != side && distanceToSide(patch, other, path) < kPatchRadius + spare) return false;
  // Before objects there has to be room to turn aside as well.
  const double inwards = out ? -kTurnAside : kTurnAside;
  return std::all_of(patch.objects.begin(), patch.objects.end(), [&](const PatchObject& object) {
    for (const double t : {-crossing.gate, 0.0, crossing.gate, 0.5 * inwards, inwards})
      if (distance(crossing.at(point.time + t), object.outline) < kPatchRadius + 2 * spare) return false;
    return true;
  });
}

bool hasRoomOnBoth(const PatchDefinition& patch, std::size_t side, const PatchDefinition* other, std::size_t back,
                   const PatchPoint& point, bool out, double spare) {
  const PatchPoint behind{patch.sides[side].length - point.position, point.time, point.speed, -point.along};
  return hasRoom(patch, side, point, out, spare) && (!other || hasRoom(*other, back, behind, !out, spare));
}

}  // namespace patches

PatchPattern makePattern(const PatternType& type, double length, double period, std::size_t inputs, std::size_t outputs,
                         std::uint64_t seed, double speed, const PatternRoom& room) {
  return patches::randomPattern(type, length, period, inputs, outputs, seed, speed, room, {});
}

PatchDefinition randomPatch(double density, std::uint64_t seed, double side, double period, const PatternRoom& room) {
  return randomPatch(geometry::cornersOf({{0, 0}, {side, side}}), density, seed, period, room);
}

Ring randomConvexRing(std::size_t sides, double across, std::uint64_t seed) {
  if (sides < 3 || sides > 100) throw InputError(fmt::format("{} sides; allowed: 3 to 100", sides));
  // Corners of a regular polygon, moved along an ellipse that is turned by any angle.
  base::Random random(seed, 0x72696e67u);
  const double flat = random.uniform(0.65, 1), turn = random.uniform(0, 2 * base::kPi);
  Point axis;
  base::sinCos(turn, axis.y, axis.x);
  Ring ring;
  for (std::size_t i = 0; i < sides; ++i) {
    const double share = (static_cast<double>(i) + random.uniform(-0.3, 0.3)) / static_cast<double>(sides);
    double s, c;
    base::sinCos(2 * base::kPi * share, s, c);
    ring.push_back((axis * c + perpendicular(axis) * (flat * s)) * (0.5 * across));
  }
  return ring;
}

PatchDefinition randomPatch(const Ring& corners, double density, std::uint64_t seed, double period,
                            const PatternRoom& room, std::vector<PatchObject> objects,
                            std::vector<PatchResident> residents) {
  PatchDefinition patch;
  patch.name = fmt::format("random {:g}/m² {}", density, seed);
  patch.corners = corners;
  patch.period = period;
  patch.objects = std::move(objects), patch.residents = std::move(residents);
  patch.sides.resize(corners.size());
  const std::size_t n = corners.size();
  const double size = area(patch);
  density = std::max(0.0, density - static_cast<double>(patch.residents.size()) / size);
  double walks = density * size * period / 6;  // about 6 s each; the rounds below correct that
  for (int round = 0; round < 6; ++round) {
    base::Random random(seed, static_cast<std::uint64_t>(round));
    const auto count = static_cast<std::size_t>(std::max(density > 0 ? 1.0 : 0.0, std::floor(walks + 0.5)));
    std::vector<std::size_t> in(n), out(n);
    for (std::size_t i = 0; i < count; ++i) ++in[random.below(n)], ++out[random.below(n)];
    std::size_t inputs = 0, outputs = 0;
    for (std::size_t s = 0; s < n; ++s) {
      patch.sides[s] = patches::randomPattern(
          {}, patches::sideOf(patch, s).length, period, in[s], out[s], random.bits(), 1.3, room,
          [&](const PatchPoint& point, bool is_out) { return patches::hasRoom(patch, s, point, is_out, 1e-6); });
      patch.sides[s].name = fmt::format("side {}", s);
      inputs += patch.sides[s].inputs.size(), outputs += patch.sides[s].outputs.size();
    }
    // Points that found no room leave others without a partner.
    while (inputs != outputs) {
      auto& points = inputs > outputs ? patch.sides[random.below(n)].inputs : patch.sides[random.below(n)].outputs;
      if (points.empty()) continue;
      points.pop_back();
      --(inputs > outputs ? inputs : outputs);
    }
    double seconds = 0;
    for (const auto& pair : patches::pairUp(patch, {}, 0)) seconds += pair.time;
    const double reached = seconds / (period * size);
    if (std::abs(reached - density) <= 0.05 * density || reached <= 0) break;
    walks *= density / reached;
  }
  return patch;
}

}  // namespace throng
