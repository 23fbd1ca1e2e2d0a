// Written after van den Berg et al. 2011: section 4 for the lines, section 5 for the linear programmes, which follow de
// Berg et al., "Computational Geometry", chapter 4. The order of every arithmetic operation matters: the vector kernel
// does the same ones.
#include "steering/orca_reference.h"

#include <algorithm>
#include <cmath>

#include "steering/orca.h"

namespace throng::steering {

OrcaLine orcaAgentLine(const OrcaDisc& self, const OrcaDisc& other, float horizon, float dt, bool self_first) {
  const Vec2 position = other.position - self.position;
  const Vec2 velocity = self.velocity - other.velocity;
  const float distance_squared = lengthSquared(position);
  const float radius = self.radius + other.radius;
  const float radius_squared = radius * radius;

  // The velocity obstacle is a cone whose tip is cut off by a disc of radius/time around position/time. People who
  // overlap already must be apart by the next step.
  const bool overlapping = distance_squared <= radius_squared;
  const float inverse_time = overlapping ? 1.0f / dt : 1.0f / horizon;
  const Vec2 w = velocity - inverse_time * position;  // from the cut-off disc's centre
  const float w_squared = lengthSquared(w);
  const float along = dot(w, position);
  const bool on_disc = overlapping || (along < 0 && along * along > radius_squared * w_squared);

  OrcaLine line;
  Vec2 u;  // the smallest change of relative velocity out of the obstacle
  if (on_disc) {
    const float w_length = std::sqrt(w_squared);
    Vec2 unit;
    if (w_length > 0) {
      const float inverse = 1.0f / w_length;
      unit = w * inverse;
    } else {
      unit = {self_first ? 1.0f : -1.0f, 0.0f};
    }
    line.direction = {unit.y, -unit.x};
    u = (radius * inverse_time - w_length) * unit;
  } else {
    const float leg = std::sqrt(distance_squared - radius_squared);
    const float inverse = 1.0f / distance_squared;
    const bool left = det(position, w) > 0;
    const float side = left ? radius : -radius;
    const Vec2 tangent{(position.x * leg - position.y * side) * inverse,
                       (position.x * side + position.y * leg) * inverse};
    line.direction = left ? tangent : -tangent;
    u = dot(velocity, line.direction) * line.direction - velocity;
  }
  // Reciprocal: half of it is the other's.
  line.point = self.velocity + 0.5f * u;
  return line;
}

namespace {

Vec2 slowedTo(float max_speed, Vec2 velocity) {
  const float speed_squared = lengthSquared(velocity);
  return speed_squared > max_speed * max_speed ? velocity * (max_speed / std::sqrt(speed_squared)) : velocity;
}

struct Objective {
  Vec2 velocity;           // as near to this as possible …
  bool direction = false;  // … or as far in this (unit) direction as possible
};

bool violates(const OrcaLine& line, Vec2 velocity) { return det(line.direction, line.point - velocity) > 0; }

// The best velocity on line i within the speed limit and left of the lines before it. False: there is none.
bool solveOnLine(std::span<const OrcaLine> lines, std::size_t i, float max_speed, const Objective& objective,
                 Vec2& result) {
  const OrcaLine& line = lines[i];
  const float foot = dot(line.point, line.direction);
  // Distance of the line from zero, in place of the root of |point|² - foot²: a bisector's point may be far away.
  const float apart = det(line.point, line.direction);
  const float discriminant = max_speed * max_speed - apart * apart;
  if (discriminant < 0) return false;
  const float root = std::sqrt(discriminant);
  float low = -foot - root, high = -foot + root;
  for (std::size_t j = 0; j < i; ++j) {
    const float denominator = det(line.direction, lines[j].direction);
    const float numerator = det(lines[j].direction, line.point - lines[j].point);
    if (std::abs(denominator) <= kOrcaParallel) {
      if (numerator < 0) return false;
      continue;
    }
    const float t = numerator / denominator;
    if (denominator >= 0) {
      high = std::min(high, t);
    } else {
      low = std::max(low, t);
    }
    if (low > high) return false;
  }
  float t;
  if (objective.direction) {
    t = dot(objective.velocity, line.direction) > 0 ? high : low;
  } else {
    t = std::min(std::max(dot(line.direction, objective.velocity - line.point), low), high);
  }
  result = line.point + t * line.direction;
  return true;
}

// Returns the first line that cannot be kept together with those before it, or the number of lines.
std::size_t solve(std::span<const OrcaLine> lines, float max_speed, const Objective& objective, Vec2& result) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (violates(lines[i], result) && !solveOnLine(lines, i, max_speed, objective, result)) return i;
  }
  return lines.size();
}

// From line `failed` on: moves all lines but the first `hard` ones to the right at the same speed until there is room.
void relax(std::span<const OrcaLine> lines, std::size_t hard, std::size_t failed, float max_speed, Vec2& result) {
  float depth = 0;
  thread_local std::vector<OrcaLine> projected;
  for (std::size_t i = failed; i < lines.size(); ++i) {
    const OrcaLine& line = lines[i];
    if (!(det(line.direction, line.point - result) > depth)) continue;
    // Where line i is the one kept worst: bounded by where it is kept as badly as line j.
    projected.assign(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(std::min(hard, i)));
    for (std::size_t j = hard; j < i; ++j) {
      const float cross = det(line.direction, lines[j].direction);
      OrcaLine bisector;
      if (std::abs(cross) <= kOrcaParallel) {
        if (dot(line.direction, lines[j].direction) > 0) continue;
        bisector.point = 0.5f * (line.point + lines[j].point);
      } else {
        const float t = det(lines[j].direction, line.point - lines[j].point) / cross;
        bisector.point = line.point + t * line.direction;
      }
      const Vec2 difference = lines[j].direction - line.direction;
      const float inverse = 1.0f / std::sqrt(lengthSquared(difference));
      bisector.direction = difference * inverse;
      projected.push_back(bisector);
    }
    const Objective inward{perpendicular(line.direction), true};
    Vec2 candidate = max_speed * inward.velocity;
    // It fails by rounding only; the result so far is the best then.
    if (solve(projected, max_speed, inward, candidate) == projected.size()) result = slowedTo(max_speed, candidate);
    depth = det(line.direction, line.point - result);
  }
}

}  // namespace

OrcaSolution orcaVelocity(std::span<const OrcaLine> lines, std::size_t walls, float max_speed, Vec2 preferred,
                          float turn) {
  Vec2 result = slowedTo(max_speed, preferred);
  if (std::none_of(lines.begin(), lines.end(), [&](const OrcaLine& line) { return violates(line, result); })) {
    return {result, true};
  }
  const Objective objective{slowedTo(max_speed, preferred - turn * perpendicular(preferred))};
  result = objective.velocity;
  const std::size_t failed = solve(lines, max_speed, objective, result);
  if (failed == lines.size()) return {result, true};
  relax(lines, failed < walls ? 0 : walls, failed, max_speed, result);
  return {result, false};
}

void steerOrcaReference(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                        VelocityOutput out) {
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  std::vector<agents::NeighbourIndex::Found> found;
  std::vector<OrcaLine> lines;
  OrcaWallScratch scratch;
  const auto disc = [&](std::uint32_t slot) {
    return OrcaDisc{{index.x()[slot], index.y()[slot]}, {index.vx()[slot], index.vy()[slot]}, index.radius()[slot]};
  };
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    const std::uint16_t layer = crowd.layer[row];
    const OrcaDisc self = disc(slot);
    lines.clear();
    if (layer < input.floors.size()) {
      orcaWallLines(input.floors[layer].walls, {self.position, self.velocity, self.radius, crowd.max_speed[row]},
                    parameters[kTimeHorizonObstacles], scratch, lines);
    }
    const std::size_t walls = lines.size();
    index.nearest(self.position, index.zone(crowd, row), static_cast<std::size_t>(parameters[kMaxNeighbours]),
                  parameters[kNeighbourRange], slot, found);
    for (const auto& other : found) {
      lines.push_back(orcaAgentLine(self, disc(other.slot), parameters[kTimeHorizon], input.dt, slot < other.slot));
    }
    const Vec2 velocity = orcaVelocity(lines, walls, crowd.max_speed[row],
                                       {crowd.preferred_vx[row], crowd.preferred_vy[row]}, orcaTurn(crowd.person[row]))
                              .velocity;
    out.vx[row] = velocity.x;
    out.vy[row] = velocity.y;
  }
}

}  // namespace throng::steering
