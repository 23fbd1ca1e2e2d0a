#include "patches/sides.h"

#include <algorithm>
#include <limits>

#include "geometry/predicates.h"
#include "patches/spline.h"

namespace throng {

PatchPattern mirrored(const PatchPattern& pattern) {
  PatchPattern other = pattern;
  std::swap(other.inputs, other.outputs);
  const auto turn = [&](std::vector<PatchPoint>& points) {
    for (PatchPoint& point : points) {
      point.position = pattern.length - point.position;
      point.along = -point.along;
    }
  };
  turn(other.inputs), turn(other.outputs);
  return other;
}

double area(const PatchDefinition& patch) {
  double twice = 0;
  for (std::size_t i = 0; i < patch.corners.size(); ++i)
    twice += det(patch.corners[i], patch.corners[(i + 1) % patch.corners.size()]);
  return 0.5 * twice;
}

double density(const Patch& patch) {
  double seconds = patch.definition.period * static_cast<double>(patch.definition.residents.size());
  for (const PatchWalk& walk : patch.walks) seconds += walk.until - walk.from;
  return seconds / (patch.definition.period * area(patch.definition));
}

PatchState stateAt(const PatchWalk& walk, double time) {
  const auto [k, u] = patches::placeAt(walk.first, walk.step, patches::stretches(walk), time);
  const auto w = patches::weights(u);
  const Point *c = walk.control.data() + k, d = c[1] - c[0], e = c[2] - c[1];
  return {c[0] * w[0] + c[1] * w[1] + c[2] * w[2], (d * (1 - u) + e * u) / walk.step};
}

PatchState stateAt(const PatchResident& resident, double period, double time) {
  const std::size_t n = resident.control.size();
  if (n == 1) return {resident.control[0], {}};
  const double step = period / static_cast<double>(n);
  const double s = (time - period * std::floor(time / period)) / step;
  const std::size_t k = std::min(static_cast<std::size_t>(s), n - 1);
  const double u = s - static_cast<double>(k);
  const auto w = patches::weights(u);
  const Point a = resident.control[k], b = resident.control[(k + 1) % n], c = resident.control[(k + 2) % n];
  return {a * w[0] + b * w[1] + c * w[2], ((b - a) * (1 - u) + (c - b) * u) / step};
}

namespace patches {

Side sideOf(const PatchDefinition& patch, std::size_t side) {
  const Point a = patch.corners[side], b = patch.corners[(side + 1) % patch.corners.size()];
  const Point tangent = normalized(b - a);
  return {a, tangent, perpendicular(tangent), length(b - a)};
}

double distanceToSide(const PatchDefinition& patch, std::size_t side, const Segment& path) {
  return geometry::distanceBetween({patch.corners[side], patch.corners[(side + 1) % patch.corners.size()]}, path);
}

Crossing crossingOf(const Side& side, const PatchPoint& point, bool out) {
  const Point velocity = side.inward * (out ? -point.speed : point.speed) + side.tangent * point.along;
  return {side.corner + side.tangent * point.position, velocity, point.time, kPatchRadius / point.speed};
}

Crossing inputOf(const PatchDefinition& patch, PatchEnd end) {
  return crossingOf(sideOf(patch, end.side), patch.sides[end.side].inputs[end.point], false);
}

Crossing outputOf(const PatchDefinition& patch, PatchEnd end) {
  return crossingOf(sideOf(patch, end.side), patch.sides[end.side].outputs[end.point], true);
}

std::optional<Point> nearestApart(const Crossing& a, Around time_a, const Crossing& b, Around time_b, double period) {
  std::optional<Point> nearest;
  for (int lap = -1; lap <= 1; ++lap) {
    const double shift = lap * period;
    const double begin = std::max(a.time - time_a.before, b.time + shift - time_b.before);
    const double end = std::min(a.time + time_a.after, b.time + shift + time_b.after);
    if (begin > end) continue;
    const auto apart = [&](double t) { return a.at(t) - b.at(t - shift); };
    const Point here = nearestPointToOrigin(apart(begin), apart(end));
    if (!nearest || length(here) < length(*nearest)) nearest = here;
  }
  return nearest;
}

double leastDistance(const Crossing& a, double time_a, const Crossing& b, double time_b, double period) {
  const auto nearest = nearestApart(a, {time_a, time_a}, b, {time_b, time_b}, period);
  return nearest ? length(*nearest) : std::numeric_limits<double>::infinity();
}

}  // namespace patches
}  // namespace throng
