#include "simulation/endings.h"

#include <algorithm>

namespace throng::simulation {

RunEnd Endings::ending() const {
  const agents::Crowd& crowd = context_.crowd;
  const RunSettings& run = context_.scene.run;
  const bool over = run.duration && *run.duration <= context_.clock.due();
  if (!run.until_all_arrived) return over ? RunEnd::kDuration : RunEnd::kNotYet;
  std::size_t on_the_way = 0, at_the_end = 0;
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (crowd.activity[r] == agents::Activity::kStaying) continue;
    ++on_the_way;
    at_the_end += standsAtTheEnd(r);
  }
  const bool all_there = newcomers_.everybodyIsThere();
  if (on_the_way == 0 && all_there) return RunEnd::kAllArrived;
  if (over) return RunEnd::kDuration;
  if (moreToCome()) return RunEnd::kNotYet;
  if (at_the_end == on_the_way && all_there) return RunEnd::kNoProgress;
  return goals_.progress().since() + run.patience <= context_.clock.due() ? RunEnd::kNoProgress : RunEnd::kNotYet;
}

/// m, from where somebody is over the place they make for and the way-points to come.
float Endings::wayLeft(std::uint32_t r) const {
  const agents::Crowd& crowd = context_.crowd;
  Vec2 from{crowd.x[r], crowd.y[r]};
  if (crowd.route_count[r] == 0) return length(Vec2{crowd.goal_x[r], crowd.goal_y[r]} - from);
  Vec2 to{crowd.target_x[r], crowd.target_y[r]};
  float sum = length(to - from);
  for (std::uint32_t i = 0; i < crowd.route_count[r]; ++i) {
    from = to;
    to = context_.routes.at(crowd.route_start[r] + i);
    sum += length(to - from);
  }
  return sum;
}

void Endings::lookForProgress() {
  const agents::Crowd& crowd = context_.crowd;
  const double now = context_.clock.time();
  if (!context_.scene.run.until_all_arrived || !goals_.progress().due(context_.clock.due())) return;
  if (moreToCome()) goals_.progress().made(now);
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (crowd.activity[r] == agents::Activity::kStaying) continue;
    if (crowd.activity[r] == agents::Activity::kHeading || crowd.guide[r] != agents::Guide::kGoals) {
      goals_.progress().made(now);  // on the way for ever
    } else {
      goals_.progress().observe(crowd.id[r], wayLeft(r), now);
    }
  }
}

std::vector<NotArrived> Endings::notArrived() const {
  const agents::Crowd& crowd = context_.crowd;
  std::vector<NotArrived> people;
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (crowd.activity[r] != agents::Activity::kWalking || crowd.guide[r] != agents::Guide::kGoals ||
        goals_.of(crowd, r).on_arrival == OnArrival::kGoBack || goals_.of(crowd, r).repeats)
      continue;
    people.push_back({crowd.person[r],
                      crowd.population[r],
                      crowd.route_state[r] == agents::RouteState::kNearest,
                      {crowd.x[r], crowd.y[r]}});
  }
  std::sort(people.begin(), people.end(), [](const NotArrived& a, const NotArrived& b) { return a.person < b.person; });
  return people;
}

/// Inside an obstacle; or at the nearest place to a goal that cannot be reached, and not on the last steps there: those
/// may yet lead to where somebody has arrived.
bool Endings::standsAtTheEnd(std::uint32_t r) const {
  const agents::Crowd& crowd = context_.crowd;
  constexpr float kThere = 0.5f;   // m
  constexpr float kStands = 0.1f;  // m/s
  if (context_.isBuried(r)) return true;
  if (crowd.vx[r] * crowd.vx[r] + crowd.vy[r] * crowd.vy[r] > kStands * kStands) return false;
  if (crowd.activity[r] != agents::Activity::kWalking || crowd.route_state[r] != agents::RouteState::kNearest ||
      crowd.route_count[r] != 1)
    return false;
  const Vec2 end = context_.routes.at(crowd.route_start[r]);
  const std::uint16_t layer = context_.routes.layer(crowd.route_start[r]);
  if (layer != corridors::kAnyLayer && layer != crowd.layer[r]) return false;
  return lengthSquared(end - Vec2{crowd.x[r], crowd.y[r]}) < kThere * kThere;
}

std::size_t Endings::unreachable() const {
  const agents::Crowd& crowd = context_.crowd;
  std::size_t count = 0;
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    const bool nearest =
        crowd.activity[r] == agents::Activity::kWalking && crowd.route_state[r] == agents::RouteState::kNearest;
    count += nearest || (crowd.activity[r] != agents::Activity::kStaying && context_.isBuried(r));
  }
  return count;
}

}  // namespace throng::simulation
