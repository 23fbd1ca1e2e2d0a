// The half-planes that walls leave (van den Berg et al. 2011, section 5). The velocities that bring a disc onto a wall
// segment within the time horizon are a cone with its tip cut off by the segment, scaled by 1/horizon and grown by the
// disc: a cut-off edge with a round corner at each end, and two legs. Unlike a neighbour, a wall does not give way, so
// the whole correction is the walker's, and the line is a tangent of that shape at the place nearest to the velocity.
#include <algorithm>
#include <cmath>
#include <limits>

#include "steering/orca_lines.h"

namespace throng::steering {
namespace {

// Slack of the test whether earlier lines already keep the walker from a wall.
constexpr float kCovered = 1e-5f;

// The segment as it looks from the walker: its ends relative to them.
struct View {
  Vec2 a, b;
  float a_squared, b_squared, radius_squared;
  float along;         // of the walker's foot on the segment: 0 at a, 1 at b
  float line_squared;  // distance to the line through the segment, squared
};

View viewOf(const ground::Walls& walls, std::uint32_t wall, const OrcaWalker& walker) {
  View view;
  view.a = walls.a[wall] - walker.position;
  view.b = walls.b[wall] - walker.position;
  view.a_squared = lengthSquared(view.a);
  view.b_squared = lengthSquared(view.b);
  view.radius_squared = walker.radius * walker.radius;
  const Vec2 span = view.b - view.a;
  view.along = dot(-view.a, span) / lengthSquared(span);
  view.line_squared = lengthSquared(view.a + span * view.along);
  return view;
}

// Do the lines so far already forbid every velocity of this wall's cone? Enough to look at the cut-off edge's ends.
bool covered(const View& view, float inverse_horizon, float radius, const std::vector<OrcaLine>& lines) {
  const float grown = inverse_horizon * radius;
  return std::any_of(lines.begin(), lines.end(), [&](const OrcaLine& line) {
    return det(inverse_horizon * view.a - line.point, line.direction) - grown >= -kCovered &&
           det(inverse_horizon * view.b - line.point, line.direction) - grown >= -kCovered;
  });
}

// Touching already: move no closer, at once. Returns whether it touches; a line is added unless a neighbouring wall's
// is the right one.
bool touching(const ground::Walls& walls, std::uint32_t wall, const View& view, std::vector<OrcaLine>& lines) {
  if (view.along < 0 && view.a_squared <= view.radius_squared) {
    if (walls.convex[wall]) lines.push_back({{}, normalized(perpendicular(view.a))});
    return true;
  }
  if (view.along > 1 && view.b_squared <= view.radius_squared) {
    const std::uint32_t next = walls.next[wall];
    if (walls.convex[next] && det(view.b, walls.direction[next]) >= 0) {
      lines.push_back({{}, normalized(perpendicular(view.b))});
    }
    return true;
  }
  if (view.along >= 0 && view.along <= 1 && view.line_squared <= view.radius_squared) {
    lines.push_back({{}, -walls.direction[wall]});
    return true;
  }
  return false;
}

// Directions from the walker along the two tangents to their own disc around a corner.
Vec2 leftTangent(Vec2 corner, float corner_squared, float radius) {
  const float leg = std::sqrt(corner_squared - radius * radius);
  return Vec2{corner.x * leg - corner.y * radius, corner.x * radius + corner.y * leg} / corner_squared;
}
Vec2 rightTangent(Vec2 corner, float corner_squared, float radius) {
  const float leg = std::sqrt(corner_squared - radius * radius);
  return Vec2{corner.x * leg + corner.y * radius, corner.y * leg - corner.x * radius} / corner_squared;
}

// The cone: from which corners its legs start and where they go. A leg that would lead into the neighbouring wall is
// that wall's own business ("foreign") and never gives a line here.
struct Cone {
  std::uint32_t left, right;  // walls whose corner a is the end; the same for a wall seen from its end
  Vec2 left_end, right_end;   // relative to the walker
  Vec2 left_leg, right_leg;
  bool left_foreign = false, right_foreign = false;
};

// False: the wall gives no cone of its own.
bool coneOf(const ground::Walls& walls, std::uint32_t wall, const View& view, float radius, Cone& cone) {
  const std::uint32_t next = walls.next[wall];
  const bool edge_on = view.line_squared <= view.radius_squared;
  if (edge_on && view.along < 0) {  // only corner a matters
    if (!walls.convex[wall]) return false;
    cone.left = cone.right = wall;
    cone.left_end = cone.right_end = view.a;
    cone.left_leg = leftTangent(view.a, view.a_squared, radius);
    cone.right_leg = rightTangent(view.a, view.a_squared, radius);
  } else if (edge_on && view.along > 1) {  // only corner b matters
    if (!walls.convex[next]) return false;
    cone.left = cone.right = next;
    cone.left_end = cone.right_end = view.b;
    cone.left_leg = leftTangent(view.b, view.b_squared, radius);
    cone.right_leg = rightTangent(view.b, view.b_squared, radius);
  } else {  // at a hollow corner the cut-off edge goes on straight
    cone.left = wall, cone.right = next;
    cone.left_end = view.a, cone.right_end = view.b;
    cone.left_leg = walls.convex[wall] ? leftTangent(view.a, view.a_squared, radius) : -walls.direction[wall];
    cone.right_leg = walls.convex[next] ? rightTangent(view.b, view.b_squared, radius) : walls.direction[wall];
  }
  const Vec2 before = -walls.direction[walls.previous[cone.left]];
  if (walls.convex[cone.left] && det(cone.left_leg, before) >= 0) cone.left_leg = before, cone.left_foreign = true;
  const Vec2 after = walls.direction[cone.right];
  if (walls.convex[cone.right] && det(cone.right_leg, after) <= 0) cone.right_leg = after, cone.right_foreign = true;
  return true;
}

OrcaLine tangentAt(Vec2 end, Vec2 direction, float grown) {
  return {end + grown * perpendicular(direction), direction};
}

// The tangent of the round corner around `end`, towards the velocity.
OrcaLine cornerTangent(Vec2 end, Vec2 velocity, float grown) {
  const Vec2 away = velocity - end;
  const float distance = length(away);
  // A velocity right at the corner: turn back towards standing still.
  const Vec2 unit = distance > 0 ? away / distance : normalized(-end);
  return {end + grown * unit, {unit.y, -unit.x}};
}

// Adds the tangent of the grown cone at the place nearest to the velocity.
void addConeLine(const ground::Walls& walls, std::uint32_t wall, const Cone& cone, const OrcaWalker& walker,
                 float inverse_horizon, std::vector<OrcaLine>& lines) {
  const bool corner_only = cone.left == cone.right;
  const float grown = walker.radius * inverse_horizon;
  const Vec2 left_end = inverse_horizon * cone.left_end, right_end = inverse_horizon * cone.right_end;
  const Vec2 cut = right_end - left_end;
  const Vec2 from_left = walker.velocity - left_end, from_right = walker.velocity - right_end;
  const float on_cut = corner_only ? 0.5f : dot(from_left, cut) / lengthSquared(cut);
  const float on_left = dot(from_left, cone.left_leg), on_right = dot(from_right, cone.right_leg);

  if ((on_cut < 0 && on_left < 0) || (corner_only && on_left < 0 && on_right < 0)) {
    lines.push_back(cornerTangent(left_end, walker.velocity, grown));
    return;
  }
  if (on_cut > 1 && on_right < 0) {
    lines.push_back(cornerTangent(right_end, walker.velocity, grown));
    return;
  }
  constexpr float kNever = std::numeric_limits<float>::infinity();
  const float cut_squared = on_cut < 0 || on_cut > 1 || corner_only ? kNever : lengthSquared(from_left - on_cut * cut);
  const float left_squared = on_left < 0 ? kNever : lengthSquared(from_left - on_left * cone.left_leg);
  const float right_squared = on_right < 0 ? kNever : lengthSquared(from_right - on_right * cone.right_leg);
  if (cut_squared <= left_squared && cut_squared <= right_squared) {
    lines.push_back(tangentAt(left_end, -walls.direction[wall], grown));
  } else if (left_squared <= right_squared) {
    if (!cone.left_foreign) lines.push_back(tangentAt(left_end, cone.left_leg, grown));
  } else {
    if (!cone.right_foreign) lines.push_back(tangentAt(right_end, -cone.right_leg, grown));
  }
}

// The walls on whose free side the walker is and that come within `range`, nearest first.
void sortNearWalls(const ground::Walls& walls, Vec2 place, float range, OrcaWallScratch& scratch) {
  scratch.near.clear();
  scratch.sorted.clear();
  walls.grid.query(place, range, scratch.near);
  for (const std::uint32_t wall : scratch.near) {
    const Vec2 a = place - walls.a[wall], span = walls.b[wall] - walls.a[wall];
    if (det(span, a) >= 0) continue;
    const float along = std::clamp(dot(a, span) / lengthSquared(span), 0.0f, 1.0f);
    const float distance_squared = lengthSquared(a - span * along);
    if (distance_squared < range * range) scratch.sorted.push_back({distance_squared, wall});
  }
  std::sort(scratch.sorted.begin(), scratch.sorted.end(), [](const auto& p, const auto& q) {
    return p.distance_squared < q.distance_squared || (p.distance_squared == q.distance_squared && p.wall < q.wall);
  });
}

}  // namespace

void orcaWallLines(const ground::Walls& walls, const OrcaWalker& walker, float time_horizon, OrcaWallScratch& scratch,
                   std::vector<OrcaLine>& lines) {
  lines.clear();
  const float range = time_horizon * walker.max_speed + walker.radius;
  if (walls.grid.empty() || walls.grid.nothingNear(walker.position, range)) return;
  sortNearWalls(walls, walker.position, range, scratch);
  const float inverse_horizon = 1.0f / time_horizon;
  for (const auto& near : scratch.sorted) {
    const View view = viewOf(walls, near.wall, walker);
    if (covered(view, inverse_horizon, walker.radius, lines)) continue;
    if (touching(walls, near.wall, view, lines)) continue;
    Cone cone;
    if (coneOf(walls, near.wall, view, walker.radius, cone)) {
      addConeLine(walls, near.wall, cone, walker, inverse_horizon, lines);
    }
  }
}

}  // namespace throng::steering
