#include "steering/vision_flow.h"

#include <algorithm>

#include "base/math.h"
#include "steering/vision_reference.h"

namespace throng::steering {
namespace vision {
namespace {

/// Within this many metres from skin to skin others are kept clear of, whether seen or not; people at most this wide.
constexpr float kElbowRoom = 1.25f;
constexpr std::size_t kMostNear = 24;
/// 1/s: nobody comes nearer to somebody beside them than by this share of what is between them, each doing half.
constexpr float kEasing = 3;
/// m/s, and m/s²: who is slower than this may start walking faster than others change their velocity.
constexpr float kStanding = 0.1f, kStart = 20;

struct Directions {
  float sine[kDirections], cosine[kDirections], angle[kDirections];
};

const Directions& directions() {
  static const Directions all = [] {
    Directions d;
    for (int k = 0; k < kDirections; ++k) {
      const double angle = base::kPi * (k - kDirections / 2) / (kDirections - 1);
      double sine, cosine;
      base::sinCos(angle, sine, cosine);
      d.sine[k] = static_cast<float>(sine), d.cosine[k] = static_cast<float>(cosine);
      d.angle[k] = static_cast<float>(angle);
    }
    return d;
  }();
  return all;
}

/// Somebody near: the unit vector there, what is between, and how they move.
struct Beside {
  Vec2 n;
  float gap;
  Vec2 velocity;
};

template <class F>
void forEachBeside(const StepInput& input, const View& view, std::uint32_t row,
                   const std::vector<agents::NeighbourIndex::Found>& near, const F& f) {
  const agents::NeighbourIndex& index = input.neighbours;
  for (const auto& found : near) {
    if (index.row()[found.slot] == row) continue;
    const Vec2 to = Vec2{index.x()[found.slot], index.y()[found.slot]} - view.position;
    const float distance = length(to);
    if (!(distance > 1e-6f)) continue;
    const float gap = distance - input.crowd.radius[row] - index.radius()[found.slot];
    f(Beside{to / distance, gap > 0 ? gap : 0.0f, {index.vx()[found.slot], index.vy()[found.slot]}});
  }
}

/// The velocity as it can be taken without touching anybody, provided that they do the same: in a step each covers less
/// than half of what is between them.
Vec2 keepingClear(const StepInput& input, const View& view, std::uint32_t row, Vec2 velocity,
                  std::vector<agents::NeighbourIndex::Found>& near) {
  const agents::NeighbourIndex& index = input.neighbours;
  index.nearest(view.position, index.zone(input.crowd, row), kMostNear, input.crowd.radius[row] + kElbowRoom,
                agents::NeighbourIndex::kNobody, near);
  if (near.size() < 2) return velocity;  // only oneself
  for (int pass = 0; pass < 4; ++pass) {
    forEachBeside(input, view, row, near, [&](const Beside& other) {
      const float mine = dot(velocity, other.n), theirs = dot(other.velocity, other.n);
      const float excess = std::min(mine - theirs - kEasing * other.gap, 2.0f);
      if (excess > 0) velocity = velocity - other.n * (0.5f * excess);
    });
  }
  const float speed = length(velocity), most = input.crowd.max_speed[row];
  if (speed > most) velocity = velocity * (most / speed);
  const float share = 0.495f / input.dt;
  for (int pass = 0; pass < 2; ++pass) {
    forEachBeside(input, view, row, near, [&](const Beside& other) {
      const float excess = dot(velocity, other.n) - share * other.gap;
      if (excess > 0) velocity = velocity - other.n * excess;
    });
  }
  float scale = 1;
  forEachBeside(input, view, row, near, [&](const Beside& other) {
    const float mine = dot(velocity, other.n);
    if (mine * scale > share * other.gap) scale = share * other.gap / mine;
  });
  return velocity * scale;
}

}  // namespace

Sight flowSight(std::span<const float> p) {
  Sight sight;
  sight.range = p[kFlowRange], sight.range_squared = p[kFlowRange] * p[kFlowRange];
  sight.columns = static_cast<int>(p[kFlowColumns]), sight.rows = static_cast<int>(p[kFlowRows]);
  sight.setCones(p[kFlowEyeHeight], p[kFlowConeHeight], p[kFlowConeRadius]);
  return sight;
}

void makeCandidates(const StepInput& input, std::span<const float> p, const View& view, std::uint32_t row,
                    Candidates& candidates) {
  const Directions& d = directions();
  const float px = input.crowd.preferred_vx[row], py = input.crowd.preferred_vy[row];
  const float ahead = px * view.heading.x + py * view.heading.y, left = py * view.heading.x - px * view.heading.y;
  std::size_t i = 0;
  for (int s = 0; s < kSpeeds; ++s) {
    const float share = 1.0f - 0.2f * static_cast<float>(s);
    for (int k = 0; k < kDirections; ++k, ++i) {
      candidates.x[i] = share * (ahead * d.cosine[k] - left * d.sine[k]);
      candidates.y[i] = share * (ahead * d.sine[k] + left * d.cosine[k]);
      const bool to_left = d.angle[k] > 0, to_right = d.angle[k] < 0;
      const float away = to_right ? -d.angle[k] : d.angle[k];
      const float side = p[kFlowSide];
      const float aside = to_right && side > 0 ? side : to_left && side < 0 ? -side : 0.0f;
      candidates.cost[i] = p[kFlowSlowing] * (1.0f - share) + p[kFlowTurning] * away + aside;
    }
  }
  for (; i < kCandidates; ++i) candidates.x[i] = candidates.y[i] = 0, candidates.cost[i] = kNever;
  std::fill(std::begin(candidates.ttc), std::end(candidates.ttc), p[kFlowHorizon]);
}

void findObstacles(const StepInput& input, std::span<const float> p, const View& view, std::uint32_t row,
                   std::span<const std::uint8_t> seen, Obstacles& obstacles) {
  obstacles.people.clear(), obstacles.walls.clear();
  const float radius = input.crowd.radius[row] + p[kFlowMargin];
  for (std::size_t i = 0; i < view.x.size(); ++i) {
    if (!seen[i]) continue;
    const float both = radius + input.neighbours.radius()[view.slot[i]];
    obstacles.people.push_back({view.x[i], view.y[i], view.ux[i] + view.vx, view.uy[i] + view.vy,
                                view.x[i] * view.x[i] + view.y[i] * view.y[i] - both * both});
  }
  for (const SeenWall& wall : view.walls) {
    const float long_ = std::sqrt(wall.ex * wall.ex + wall.ey * wall.ey);
    if (!(long_ > 0)) continue;
    // The normal on the walker's side points to the wall.
    const float sign = wall.area < 0 ? -1.0f : 1.0f;
    const float ex = wall.ex / long_, ey = wall.ey / long_;
    const float nx = sign * ey, ny = -sign * ex;
    const float start = wall.ay * nx - wall.ax * ny, end = start + (ey * nx - ex * ny) * long_;
    obstacles.walls.push_back(
        {nx, ny, sign * wall.area / long_ - radius, std::min(start, end) - radius, std::max(start, end) + radius});
  }
}

void chooseAndWalk(const StepInput& input, std::span<const float> p, const View& view, std::uint32_t row,
                   const Candidates& candidates, std::vector<agents::NeighbourIndex::Found>& near, VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  const float never = 1.0f / p[kFlowHorizon];
  std::size_t best = 0;
  float least = kNever;
  for (std::size_t i = 0; i < kCandidates; ++i) {
    const float cost = candidates.cost[i] + p[kFlowCaution] * (1.0f / candidates.ttc[i] - never);
    if (cost < least) least = cost, best = i;
  }
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  const Vec2 h = view.heading;
  Vec2 velocity{candidates.x[best] * h.x - candidates.y[best] * h.y,
                candidates.x[best] * h.y + candidates.y[best] * h.x};
  if (best == kDirections / 2) velocity = preferred;  // straight on at full speed: without rounding
  const Vec2 now{crowd.vx[row], crowd.vy[row]};
  const Vec2 change = velocity - now;
  const float size = length(change);
  const float most =
      (lengthSquared(now) < kStanding * kStanding ? std::max(kStart, p[kFlowAcceleration]) : p[kFlowAcceleration]) *
      input.dt;
  if (size > most) velocity = now + change * (most / size);
  velocity = keepingClear(input, view, row, velocity, near);
  out.vx[row] = velocity.x, out.vy[row] = velocity.y;
}

}  // namespace vision

void steerVisionFlowReference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace vision;
  const Sight sight = flowSight(parameters);
  Camera camera;
  camera.fit(sight);
  View view;
  Image image;
  Candidates candidates;
  Obstacles obstacles;
  std::vector<std::uint8_t> seen;
  std::vector<agents::NeighbourIndex::Found> near;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    lookReference(input, sight, slot, view);
    renderReference(sight, camera, view, image);
    seen.assign(view.x.size() + 1, 0);
    for (std::size_t r = 0; r < static_cast<std::size_t>(camera.rows); ++r)
      for (std::size_t c = 0; c < static_cast<std::size_t>(camera.columns); ++c)
        if (image.t[r * image.stride + c] < kNever)
          seen[static_cast<std::size_t>(image.number[r * image.stride + c])] = 1;
    findObstacles(input, parameters, view, row, seen, obstacles);
    makeCandidates(input, parameters, view, row, candidates);
    for (std::size_t i = 0; i < kCandidates; ++i) {
      for (const Obstacle& o : obstacles.people)
        candidates.ttc[i] = std::min(candidates.ttc[i], timeTo(o, candidates.x[i], candidates.y[i]));
      for (const Barrier& w : obstacles.walls)
        candidates.ttc[i] = std::min(candidates.ttc[i], timeTo(w, candidates.x[i], candidates.y[i]));
    }
    chooseAndWalk(input, parameters, view, row, candidates, near, out);
  }
}

}  // namespace throng::steering
