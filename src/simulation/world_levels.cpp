// Levels of simulation in the world's step (PETTRÉ 2008, section 4; YERSIN 2009, section 4.2.1): who decides how often,
// who avoids others, and how people change from one level to another without anybody noticing.
//
// Rows are kept in two parts. In the first is everybody who is simulated with care: those who avoid others, those whom
// they might meet, and those who do not walk on a flow. The others glide: straight on from decision to decision, inside
// the cylinders of the navigation graph, where nothing stands. They cost a few nanoseconds a step.
#include <algorithm>
#include <cmath>

#include "following/gates.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

constexpr std::size_t kLevelPiece = 4096;
/// Steps from one look at everybody's level to the next.
constexpr std::uint64_t kLookInterval = 8;
/// After a change of level, velocities change by at most this for a while.
constexpr float kGentle = 3;       // m/s²
constexpr double kGentleTime = 1;  // s
/// Between people who decide seldom, the longest that somebody goes straight on.
constexpr std::uint32_t kLongestWait = 255;
/// Travel times of the flows' paths are estimated anew so often.
constexpr double kEstimateInterval = 5;  // s

Vec2 truncated(Vec2 v, float limit) {
  const float squared = lengthSquared(v);
  return squared > limit * limit ? v * (limit / std::sqrt(squared)) : v;
}

}  // namespace

void World::setCameras(std::vector<Camera> cameras) {
  const bool before = hasLevels();
  scene_.levels.cameras = std::move(cameras);
  if (hasLevels()) needTraffic();
  levels_changed_ = true;
  if (!before || hasLevels()) return;
  // Nobody looks from anywhere any more: everybody is simulated with care.
  while (careful_ < crowd_.size()) takeCareOf(static_cast<std::uint32_t>(careful_));
}

void World::setBudget(double milliseconds) {
  scene_.levels.budget = milliseconds;
  budget_ = levels::Budget(milliseconds);
}

bool World::wantsCare(std::uint32_t row) const {
  const auto& levels = scene_.levels.levels;
  const std::size_t level = crowd_.level[row];
  if (crowd_.path[row] == 0 || crowd_.settling[row] > 0 || levels[level].avoidance || isObstructed(row) || hasWish(row))
    return true;
  return level + 1 < levels.size() && levels[level + 1].avoidance;
}

void World::setLevel(std::uint32_t row, std::uint8_t level, double dt) {
  if (crowd_.level[row] == level) return;
  crowd_.level[row] = level;
  crowd_.settling[row] = static_cast<std::uint8_t>(std::clamp(std::ceil(kGentleTime / dt), 1.0, 250.0));
}

void World::takeCareOf(std::uint32_t row) {
  if (row < careful_) return;
  if (crowd_.path[row] > 0 && space_.floors().size() > 1) {
    // Who glides knows only their cylinder; now the floor counts.
    const Point here{crowd_.x[row], crowd_.y[row]};
    float least = INFINITY;
    const auto floors = static_cast<std::uint16_t>(space_.floors().size());
    for (std::uint16_t f = 0; f < floors; ++f) {
      const ground::Floor& floor = space_.floors()[f];
      if (!floor.contains(here)) continue;
      const float off = std::abs(floor.height({crowd_.x[row], crowd_.y[row]}) - crowd_.z[row]);
      if (off < least) least = off, crowd_.layer[row] = f;
    }
  }
  crowd_.next_vx[row] = crowd_.vx[row], crowd_.next_vy[row] = crowd_.vy[row];
  if (row != careful_) crowd_.swapRows(row, static_cast<std::uint32_t>(careful_));
  ++careful_;
}

void World::releaseCareOf(std::uint32_t row) {
  --careful_;
  crowd_.wait[row] = 0;
  if (row != careful_) crowd_.swapRows(row, static_cast<std::uint32_t>(careful_));
}

void World::assignCare(double dt) {
  if (traffic_ && !traffic_->flows().empty()) {
    const auto interval = static_cast<std::uint64_t>(std::max(1.0, std::round(kEstimateInterval / dt)));
    if (clock_.steps() % interval == 0) traffic_->estimate(crowd_);
  }
  if (!hasLevels() || (clock_.steps() % kLookInterval != 0 && !levels_changed_)) return;
  const graph::NavigationGraph& graph = traffic_->graph();
  levels::assignLevels(graph, scene_.levels, budget_.scale(), vertex_level_);
  levels_changed_ = false;
  thread_local std::vector<std::uint8_t> wanted;
  wanted.resize(crowd_.size());
  auto* levels = wanted.data();
  const auto top = static_cast<std::uint8_t>(scene_.levels.levels.size() - 1);
  threads_.forEach(crowd_.size(), kLevelPiece, [&, levels](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto r = static_cast<std::uint32_t>(i);
      if (crowd_.path[r] == 0) {
        const std::uint32_t vertex = graph.locate({crowd_.x[r], crowd_.y[r]}, crowd_.layer[r]);
        crowd_.vertex[r] = vertex == corridors::kNone ? 0 : vertex + 1;
      }
      levels[i] = crowd_.vertex[r] > 0 ? vertex_level_[crowd_.vertex[r] - 1] : top;
    }
  });
  for (std::uint32_t r = 0; r < crowd_.size(); ++r)
    if (crowd_.level[r] != levels[r]) setLevel(r, levels[r], dt);
  // Rows change places while this goes on; what has been looked at stays on its side.
  for (std::uint32_t r = static_cast<std::uint32_t>(careful_); r < crowd_.size(); ++r)
    if (wantsCare(r)) takeCareOf(r);
  for (std::uint32_t r = static_cast<std::uint32_t>(careful_); r-- > 0;)
    if (!wantsCare(r)) releaseCareOf(r);
}

/// In pieces, so that lists stay short: people on flows by their gates, the others by their profile's follower.
void World::followPiece(std::span<const std::uint32_t> rows, float dt) {
  thread_local std::vector<std::uint32_t> on_flows;
  thread_local std::vector<std::vector<std::uint32_t>> others;
  on_flows.clear();
  others.resize(std::max(others.size(), kinds_.size()));
  for (auto& list : others) list.clear();
  for (const std::uint32_t r : rows) (crowd_.path[r] > 0 ? on_flows : others[crowd_.profile[r]]).push_back(r);
  following::followGates(crowd_, traffic_->paths(), map_.get(), true, on_flows);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    if (!others[k].empty())
      kinds_[k].follower->follow(crowd_, routes_, map_.get(), dt, kinds_[k].follower_parameters, others[k]);
}

Vec2 World::unheedingVelocity(std::uint32_t r, float elapsed) const {
  const Vec2 velocity{crowd_.vx[r], crowd_.vy[r]}, desired{crowd_.preferred_vx[r], crowd_.preferred_vy[r]};
  return levelOf(r).seek ? velocity + truncated(desired - velocity, kGentle * elapsed) : desired;
}

/// Who is simulated with care but avoids nobody.
void World::walkUnheeding(float dt) {
  threads_.forEach(careful_, kLevelPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      if (levelOf(r).avoidance || !decides(r)) continue;
      const Vec2 next = unheedingVelocity(r, dt * static_cast<float>(levelOf(r).every));
      crowd_.next_vx[r] = next.x, crowd_.next_vy[r] = next.y;
    }
  });
}

void World::settle(std::uint32_t r, Vec2& velocity, float dt) {
  const Vec2 now{crowd_.vx[r], crowd_.vy[r]};
  velocity = now + truncated(velocity - now, kGentle * dt);
  --crowd_.settling[r];
}

/// Decisions of those whose time has come, then one straight step for all.
void World::glide(std::uint32_t begin, std::uint32_t end, float dt) {
  thread_local std::vector<std::uint32_t> deciding;
  deciding.clear();
  for (std::uint32_t r = begin; r < end; ++r) {
    if (crowd_.wait[r] == 0) {
      deciding.push_back(r);
    } else {
      --crowd_.wait[r];
    }
  }
  following::followGates(crowd_, traffic_->paths(), nullptr, false, deciding);
  for (const std::uint32_t r : deciding) {
    const Vec2 here{crowd_.x[r], crowd_.y[r]};
    const std::uint32_t every = std::min(levelOf(r).every, kLongestWait);
    // What was inserted stands ahead: from the next look on they are simulated with care.
    const Vec2 velocity =
        isObstructed(r) || isBuried(r) ? Vec2{} : unheedingVelocity(r, dt * static_cast<float>(every));
    const float speed = length(velocity);
    // No farther than the way-point, which is as far as the way is known to be free.
    const float distance = length(Vec2{crowd_.target_x[r], crowd_.target_y[r]} - here);
    const float steps = std::min(static_cast<float>(every), speed > 0 ? distance / (speed * dt) : 1.0f);
    crowd_.wait[r] = static_cast<std::uint8_t>(steps > 1 ? steps - 1 : 0.0f);
    crowd_.vx[r] = velocity.x, crowd_.vy[r] = velocity.y;
    if (speed > 0.1f) crowd_.heading_x[r] = velocity.x / speed, crowd_.heading_y[r] = velocity.y / speed;
    crowd_.z[r] += crowd_.slope[r] * speed * dt * static_cast<float>(crowd_.wait[r] + 1);
    crowd_.layer[r] = traffic_->paths().cylinder(crowd_.vertex[r] - 1).floor;
  }
  const float* vx = crowd_.vx.data();
  const float* vy = crowd_.vy.data();
  float* x = crowd_.x.data();
  float* y = crowd_.y.data();
  for (std::uint32_t r = begin; r < end; ++r) {
    x[r] += vx[r] * dt;
    y[r] += vy[r] * dt;
  }
}

}  // namespace throng::simulation
