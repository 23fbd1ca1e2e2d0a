#include "levels/people.h"

#include <algorithm>
#include <cmath>

namespace throng::levels {
namespace {

constexpr std::string_view kLevel = "levels.level", kWait = "levels.wait", kSettling = "levels.settling";
constexpr std::size_t kLevelPiece = 4096;
/// Steps from one look at everybody's level to the next.
constexpr std::uint64_t kLookInterval = 8;
/// After a change of level, velocities change by at most this for a while.
constexpr float kGentle = 3;       // m/s²
constexpr double kGentleTime = 1;  // s
/// The longest that somebody at a low level goes straight on, in steps.
constexpr std::uint32_t kLongestWait = 255;

Vec2 truncated(Vec2 v, float limit) {
  const float squared = lengthSquared(v);
  return squared > limit * limit ? v * (limit / std::sqrt(squared)) : v;
}

}  // namespace

void PeopleLevels::attach(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  const bool any = !context.scene.levels.cameras.empty();
  if (any) {
    level_ = &crowd.attach<std::uint8_t>(kLevel);
    wait_ = &crowd.attach<std::uint8_t>(kWait);
    settling_ = &crowd.attach<std::uint8_t>(kSettling);
  } else {
    level_ = crowd.find<std::uint8_t>(kLevel), wait_ = crowd.find<std::uint8_t>(kWait);
    settling_ = crowd.find<std::uint8_t>(kSettling);
  }
  context.detail = {context.scene.levels.levels, any ? level_ : nullptr, wait_};
}

std::span<const std::uint8_t> PeopleLevels::levels(const agents::Crowd& crowd) const {
  if (level_) return *level_;
  zeros_.resize(crowd.size(), 0);
  return {zeros_.data(), crowd.size()};
}

bool PeopleLevels::wantsFull(const step::StepContext& context, std::uint32_t row) const {
  const auto& levels = context.detail.levels;
  const std::size_t level = (*level_)[row];
  if (context.crowd.guide[row] != agents::Guide::kFlow || (*settling_)[row] > 0 || levels[level].avoidance ||
      flows_.isObstructed(context, row) || context.isSteeredByProgram(row))
    return true;
  return level + 1 < levels.size() && levels[level + 1].avoidance;
}

void PeopleLevels::setLevel(std::uint32_t row, std::uint8_t level, double dt) {
  if ((*level_)[row] == level) return;
  (*level_)[row] = level;
  (*settling_)[row] = static_cast<std::uint8_t>(std::clamp(std::ceil(kGentleTime / dt), 1.0, 250.0));
}

/// Those at the low levels have decided where to walk without knowing what has come or gone.
void PeopleLevels::lookAgain(step::StepContext& context) {
  if (context.terrain.revision() == seen_revision_) return;
  seen_revision_ = context.terrain.revision();
  changed_ = true;
  if (!wait_) return;
  for (std::size_t r = context.crowd.full(); r < context.crowd.size(); ++r) (*wait_)[r] = 0;
}

void PeopleLevels::assign(step::StepContext& context) {
  lookAgain(context);
  if (!context.detail.any() || (context.clock.steps() % kLookInterval != 0 && !changed_)) return;
  const agents::Crowd& crowd = context.crowd;
  assignLevels(*context.terrain.graph(), context.scene.levels, budget_.scale(), vertex_level_);
  changed_ = false;
  wanted_.resize(crowd.size());
  const auto top = static_cast<std::uint8_t>(context.detail.levels.size() - 1);
  context.threads.forEach(crowd.size(), kLevelPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      if (crowd.guide[r] != agents::Guide::kFlow) flows_.locate(context, r);
      wanted_[r] = flows_.vertex(r) > 0 ? vertex_level_[flows_.vertex(r) - 1] : top;
    }
  });
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    if ((*level_)[r] != wanted_[r]) setLevel(r, wanted_[r], context.dt);
  const auto full = static_cast<std::uint32_t>(crowd.full());
  for (std::uint32_t r = full; r < crowd.size(); ++r)
    if (wantsFull(context, r)) context.requests.full.push_back(crowd.id[r]);
  for (std::uint32_t r = full; r-- > 0;) {
    if (wantsFull(context, r)) continue;
    (*wait_)[r] = 0;
    context.requests.low.push_back(crowd.id[r]);
  }
}

Vec2 PeopleLevels::straightVelocity(const step::StepContext& context, std::uint32_t r, float elapsed) const {
  const agents::Crowd& crowd = context.crowd;
  const Vec2 velocity{crowd.vx[r], crowd.vy[r]}, desired{crowd.preferred_vx[r], crowd.preferred_vy[r]};
  return context.detail.of(r).seek ? velocity + truncated(desired - velocity, kGentle * elapsed) : desired;
}

void PeopleLevels::walkStraight(step::StepContext& context) const {
  if (!context.detail.any()) return;
  agents::Crowd& crowd = context.crowd;
  context.threads.forEach(crowd.full(), kLevelPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      const SimulationLevel& level = context.detail.of(r);
      if (level.avoidance || !context.decides(r)) continue;
      const Vec2 next = straightVelocity(context, r, context.stepLength() * static_cast<float>(level.every));
      crowd.next_vx[r] = next.x, crowd.next_vy[r] = next.y;
    }
  });
}

void PeopleLevels::decide(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  const std::size_t full = crowd.full(), low = crowd.size() - full;
  if (low == 0) return;
  const float dt = context.stepLength();
  if (decisions_.size() < (low + kPiece - 1) / kPiece) decisions_.resize((low + kPiece - 1) / kPiece);
  context.threads.forEach(low, kPiece, [&](std::size_t begin, std::size_t end) {
    thread_local std::vector<std::uint32_t> deciding;
    deciding.clear();
    std::uint8_t* wait = wait_->data();
    for (auto r = static_cast<std::uint32_t>(full + begin); r < full + end; ++r) {
      if (wait[r] == 0) {
        deciding.push_back(r);
      } else {
        --wait[r];
      }
    }
    auto& decisions = decisions_[begin / kPiece];
    decisions.clear();
    if (decisions.capacity() < kPiece) decisions.reserve(kPiece);
    flows_.follow(context, false, deciding);
    for (const std::uint32_t r : deciding) {
      const Vec2 here{crowd.x[r], crowd.y[r]};
      const std::uint32_t every = std::min(context.detail.of(r).every, kLongestWait);
      // What was inserted stands ahead: from the next look on they are simulated in full.
      const Vec2 velocity = flows_.isObstructed(context, r) || context.isBuried(r)
                                ? Vec2{}
                                : straightVelocity(context, r, dt * static_cast<float>(every));
      const float speed = length(velocity);
      // No farther than the way-point, which is as far as the way is known to be free.
      const float distance = length(Vec2{crowd.target_x[r], crowd.target_y[r]} - here);
      const float steps = std::min(static_cast<float>(every), speed > 0 ? distance / (speed * dt) : 1.0f);
      wait[r] = static_cast<std::uint8_t>(steps > 1 ? steps - 1 : 0.0f);
      decisions.push_back({r, velocity});
    }
  });
}

void PeopleLevels::moveLow(step::StepContext& context, std::size_t begin, std::size_t end) const {
  agents::Crowd& crowd = context.crowd;
  const float dt = context.stepLength();
  const flows::FlowColumns& on = flows_.columns();
  for (const Decision& decision : decisions_[begin / kPiece]) {
    const std::uint32_t r = decision.row;
    const Vec2 velocity = decision.velocity;
    const float speed = length(velocity);
    crowd.vx[r] = velocity.x, crowd.vy[r] = velocity.y;
    if (speed > 0.1f) crowd.face(r, velocity / speed);
    crowd.z[r] += on.slope()[r] * speed * dt * static_cast<float>((*wait_)[r] + 1);
    crowd.layer[r] = flows_.traffic()->paths().cylinder(on.vertex()[r] - 1).floor;
  }
  const std::size_t full = crowd.full();
  const float* vx = crowd.vx.data();
  const float* vy = crowd.vy.data();
  float* x = crowd.x.data();
  float* y = crowd.y.data();
  for (std::size_t r = full + begin; r < full + end; ++r) {
    x[r] += vx[r] * dt;
    y[r] += vy[r] * dt;
  }
}

void PeopleLevels::startAfresh(std::uint32_t row) {
  if (wait_) (*wait_)[row] = 0;
  if (settling_) (*settling_)[row] = 0;
}

Vec2 PeopleLevels::settled(const agents::Crowd& crowd, std::uint32_t r, Vec2 velocity, float dt) {
  const Vec2 now{crowd.vx[r], crowd.vy[r]};
  --(*settling_)[r];
  return now + truncated(velocity - now, kGentle * dt);
}

PeopleLevels::Saved PeopleLevels::saved(const step::StepContext& context) const {
  return {changed_, seen_revision_ != context.terrain.revision(), vertex_level_};
}

void PeopleLevels::requireSound(const Saved& in, const step::Loading& loading) {
  const auto require = step::Loading::require;
  require(in.vertex_level.empty() || (loading.graph && in.vertex_level.size() == loading.graph->vertices().size()),
          "levels of another graph");
  const agents::Crowd& crowd = loading.crowd;
  const auto* level = crowd.find<std::uint8_t>(kLevel);
  require(crowd.full() == crowd.size() ||
              (level && crowd.find<std::uint8_t>(kWait) && crowd.find<std::uint8_t>(kSettling) && loading.graph),
          "people of no level");
  for (std::size_t r = 0; level && r < crowd.size(); ++r)
    require((*level)[r] < loading.now.scene.levels.levels.size() &&
                (r < crowd.full() || crowd.guide[r] == agents::Guide::kFlow),
            "people of no level");
}

void PeopleLevels::restore(Saved saved, step::StepContext& context) {
  changed_ = saved.changed;
  seen_revision_ = context.terrain.revision() - (saved.look_again ? 1 : 0);
  vertex_level_ = std::move(saved.vertex_level);
  if (budget_.milliseconds() != context.scene.levels.budget) setBudget(context.scene.levels.budget);
  attach(context);
}

}  // namespace throng::levels
