// When a run is over, and why.
#include <algorithm>

#include "simulation/world.h"

namespace throng::simulation {

/// Will people appear, or walls change, later than now?
bool World::moreToCome() const {
  if (next_event_ < scene_.events.size()) return true;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Population& population = scene_.populations[i];
    if (population.flow) {
      if (population.count > 0 && !traffic_->of(static_cast<std::uint16_t>(i))) return true;
      continue;
    }
    const auto total = Source::total(population);
    if (!total || Source::due(population, clock_.due()) < *total) return true;
  }
  return false;
}

/// Has everybody appeared who ever will?
bool World::everybodyIsThere() const {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Population& population = scene_.populations[i];
    if (population.flow) {
      if (population.count > 0 && !traffic_->of(static_cast<std::uint16_t>(i))) return false;
      continue;
    }
    const auto total = Source::total(population);
    if (!total || sources_[i].appeared < *total) return false;
  }
  return true;
}

RunEnd World::ending() const {
  const RunSettings& run = scene_.run;
  const bool over = run.duration && *run.duration <= clock_.due();
  if (!run.until_all_arrived) return over ? RunEnd::kDuration : RunEnd::kNotYet;
  std::size_t on_the_way = 0, at_the_end = 0;
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (crowd_.activity[r] == agents::Activity::kStaying) continue;
    ++on_the_way;
    at_the_end += standsAtTheEnd(r);
  }
  const bool all_there = everybodyIsThere();
  if (on_the_way == 0 && all_there) return RunEnd::kAllArrived;
  if (over) return RunEnd::kDuration;
  if (moreToCome()) return RunEnd::kNotYet;
  if (at_the_end == on_the_way && all_there) return RunEnd::kNoProgress;
  return progress_.since() + run.patience <= clock_.due() ? RunEnd::kNoProgress : RunEnd::kNotYet;
}

float World::wayLeft(std::uint32_t r) const {
  Vec2 from{crowd_.x[r], crowd_.y[r]};
  if (crowd_.route_count[r] == 0) return length(Vec2{crowd_.goal_x[r], crowd_.goal_y[r]} - from);
  Vec2 to{crowd_.target_x[r], crowd_.target_y[r]};
  float sum = length(to - from);
  for (std::uint32_t i = 0; i < crowd_.route_count[r]; ++i) {
    from = to;
    to = routes_.at(crowd_.route_start[r] + i);
    sum += length(to - from);
  }
  return sum;
}

void World::lookForProgress() {
  const double now = clock_.time();
  if (!scene_.run.until_all_arrived || !progress_.due(clock_.due())) return;
  if (moreToCome()) progress_.made(now);
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (crowd_.activity[r] == agents::Activity::kStaying) continue;
    if (crowd_.activity[r] == agents::Activity::kHeading || crowd_.path[r] > 0) {
      progress_.made(now);  // on the way for ever
    } else {
      progress_.observe(crowd_.id[r], wayLeft(r), now);
    }
  }
}

std::vector<NotArrived> World::notArrived() const {
  std::vector<NotArrived> people;
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (crowd_.activity[r] != agents::Activity::kWalking || crowd_.path[r] > 0 ||
        journeys_[crowd_.journey[r]].on_arrival == OnArrival::kGoBack)
      continue;
    people.push_back({crowd_.person[r],
                      crowd_.population[r],
                      crowd_.route_state[r] == agents::RouteState::kNearest,
                      {crowd_.x[r], crowd_.y[r]}});
  }
  std::sort(people.begin(), people.end(), [](const NotArrived& a, const NotArrived& b) { return a.person < b.person; });
  return people;
}

}  // namespace throng::simulation
