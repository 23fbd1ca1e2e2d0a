#include "goals/goals.h"

#include <algorithm>

#include "geometry/archive_fields.h"

namespace throng {

// In the namespace of what they are about, where lists find them.
template <class Archive>
void fields(Archive& f, Stage& stage) {
  f(stage.kind), fields(f, stage.point), fields(f, stage.centre), fields(f, stage.direction), f(stage.tolerance);
  f(stage.layer);
  f.list(stage.area, base::kFields);
}

namespace goals {

void Goals::measure(const Journey& journey) {
  double reach = kHomeTolerance;
  for (const Journey::Leg& leg : journey.legs) {
    reach = std::max(reach, leg.stage.tolerance);
    // Everybody's own place is in the area, or a corner of it.
    if (leg.stage.kind == Stage::Kind::kArea) reach = std::max(reach, length(leg.bounds.max - leg.bounds.min));
  }
  reach_ = std::max(reach_, static_cast<float>(reach * 1.001));  // rounded up
}

std::uint32_t Goals::add(Journey journey) {
  measure(journey);
  if (free_.empty()) {
    journeys_.push_back(std::move(journey));
    return static_cast<std::uint32_t>(journeys_.size() - 1);
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  journeys_[index] = std::move(journey);
  return index;
}

void Goals::release(std::uint32_t journey) {
  if (--journeys_[journey].users > 0) return;
  journeys_[journey] = {};
  free_.push_back(journey);
}

void Goals::insertPopulation(agents::Crowd& crowd, std::size_t population) {
  journeys_.insert(journeys_.begin() + static_cast<std::ptrdiff_t>(population), {{}, OnArrival::kStay, 1});
  for (std::uint32_t& journey : crowd.journey) journey += journey >= population;
  for (std::uint32_t& journey : free_) journey += journey >= population;
}

void Goals::erasePopulation(agents::Crowd& crowd, std::size_t population) {
  journeys_.erase(journeys_.begin() + static_cast<std::ptrdiff_t>(population));
  for (std::uint32_t& journey : crowd.journey) journey -= journey > population;
  for (std::uint32_t& journey : free_) journey -= journey > population;
}

void Goals::begin(step::StepContext& context, std::uint32_t row) {
  agents::Crowd& crowd = context.crowd;
  beginStage(crowd, row, of(crowd, row), context.terrain.space());
  crowd.route_count[row] = 0;
  progress_.forget(crowd.id[row], context.clock.time());
  context.tellSetsOut(row);
  if (crowd.activity[row] == agents::Activity::kWalking) context.requests.routes.push_back(crowd.id[row]);
}

void Goals::give(step::StepContext& context, std::uint32_t row, const std::vector<Stage>& goals) {
  agents::Crowd& crowd = context.crowd;
  const std::uint32_t old = crowd.journey[row];
  Journey journey = makeJourney(goals, journeys_[old].on_arrival, crowd.layer[row], context.terrain.space());
  journey.users = 1;
  crowd.journey[row] = add(std::move(journey));
  release(old);
  crowd.stage[row] = 0;
  crowd.returning[row] = 0;
  crowd.guide[row] = agents::Guide::kGoals;
}

template <class Archive>
void Goals::Saved::fields(Archive& f) {
  f(times.since), f(times.next_look);
  f.list(least, [](auto& archive, Progress::Watched& watched) { archive(watched.id.value), archive(watched.left); });
  f.list(free, base::kFields);
  f.list(journeys, [](auto& archive, Journey& journey) {
    archive(journey.users), archive(journey.on_arrival);
    archive.list(journey.legs, [](auto& a, Journey::Leg& leg) {
      a(leg.layer);
      throng::fields(a, leg.bounds);
      throng::fields(a, leg.stage);
    });
  });
}
template void Goals::Saved::fields(base::ArchiveWriter&);
template void Goals::Saved::fields(base::ArchiveReader&);

Goals::Saved Goals::saved(std::size_t populations) const {
  Saved out{journeys_, free_, progress_.times(), progress_.least()};
  for (std::size_t i = 0; i < populations; ++i) out.journeys[i].legs.clear();
  return out;
}

void Goals::requireSound(Saved& in, const step::Loading& loading) const {
  const auto require = step::Loading::require;
  const std::size_t populations = loading.populations.size(), floors = loading.now.terrain.floors().size();
  require(in.journeys.size() >= populations, "its populations are not all there");
  for (std::size_t i = 0; i < std::min(loading.now.own_populations, in.journeys.size()); ++i)
    in.journeys[i].legs = journeys_[i].legs;
  require(in.times.since >= 0 && in.times.since <= loading.time && in.times.next_look <= loading.time + 1e6,
          "its times of progress make no sense");
  for (const Journey& journey : in.journeys) {
    require(journey.on_arrival >= OnArrival::kLeave && journey.on_arrival <= OnArrival::kGoBack, "an arrival");
    for (const Journey::Leg& leg : journey.legs) {
      const Stage& stage = leg.stage;
      require(leg.layer < floors && stage.kind >= Stage::Kind::kPoint && stage.kind <= Stage::Kind::kDirection &&
                  (stage.kind != Stage::Kind::kArea || (!stage.area.empty() && !stage.area.front().outer.empty())),
              "a goal that cannot be");
    }
  }
  for (const std::uint32_t journey : in.free) require(journey < in.journeys.size(), "a journey of nobody");
  const agents::Crowd& crowd = loading.crowd;
  for (std::size_t r = 0; r < crowd.size(); ++r)
    require(crowd.journey[r] < in.journeys.size() && crowd.stage[r] >= agents::kStartStage &&
                crowd.stage[r] <
                    std::max<std::int32_t>(1, static_cast<std::int32_t>(in.journeys[crowd.journey[r]].legs.size())),
            "its people refer to things that are not there");
}

void Goals::restore(Saved saved) {
  journeys_ = std::move(saved.journeys);
  free_ = std::move(saved.free);
  progress_.restore(saved.times, std::move(saved.least));
  for (const Journey& journey : journeys_) measure(journey);
}

}  // namespace goals
}  // namespace throng
