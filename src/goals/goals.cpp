#include "goals/goals.h"

#include <algorithm>

#include "base/overloaded.h"
#include "geometry/archive_fields.h"

namespace throng::goals {
namespace {

constexpr const char* kImpossibleGoal = "a goal that cannot be";

/// A goal in a snapshot. Every kind takes as much room as a default one, as entries of lists must
/// (ArchiveReader::list).
struct PackedGoal {
  enum class Kind : std::uint32_t { kPoint, kArea, kOpposite, kDirection, kDistrict };
  Kind kind = Kind::kPoint;
  Point place;           ///< the point, the centre or the direction
  double tolerance = 0;  ///< m
  std::vector<Polygon> area;
  std::string layer;
  std::string district;
};

PackedGoal packed(const Goal& goal) {
  using Kind = PackedGoal::Kind;
  return std::visit(
      base::Overloaded{
          [&](const GoalPoint& to) { return PackedGoal{Kind::kPoint, to.point, to.tolerance, {}, goal.layer, {}}; },
          [&](const GoalArea& in) { return PackedGoal{Kind::kArea, {}, 0, in.area, goal.layer, {}}; },
          [&](const GoalOpposite& across) {
            return PackedGoal{Kind::kOpposite, across.centre, across.tolerance, {}, goal.layer, {}};
          },
          [&](const GoalDirection& ahead) {
            return PackedGoal{Kind::kDirection, ahead.direction, 0, {}, goal.layer, {}};
          },
          [&](const GoalDistrict& into) { return PackedGoal{Kind::kDistrict, {}, 0, {}, goal.layer, into.district}; },
      },
      goal.target);
}

Goal unpacked(PackedGoal in) {
  switch (in.kind) {
    case PackedGoal::Kind::kPoint:
      return {GoalPoint{in.place, in.tolerance}, std::move(in.layer)};
    case PackedGoal::Kind::kArea:
      return {GoalArea{std::move(in.area)}, std::move(in.layer)};
    case PackedGoal::Kind::kOpposite:
      return {GoalOpposite{in.place, in.tolerance}, std::move(in.layer)};
    case PackedGoal::Kind::kDirection:
      return {GoalDirection{in.place}, std::move(in.layer)};
    case PackedGoal::Kind::kDistrict:
      return {GoalDistrict{std::move(in.district)}, std::move(in.layer)};
  }
  step::Loading::require(false, kImpossibleGoal);
  return {};
}

template <class Archive>
void goalFields(Archive& f, Goal& goal) {
  PackedGoal in = packed(goal);
  f(in.kind), fields(f, in.place), f(in.tolerance), f(in.layer), f(in.district);
  f.list(in.area, base::kFields);
  goal = unpacked(std::move(in));
}

}  // namespace

void Goals::measure(const Journey& journey) {
  double reach = kHomeTolerance;
  for (const Journey::Leg& leg : journey.legs) {
    reach = std::max(reach, toleranceOf(leg.goal));
    // Everybody's own place is in the area, or a corner of it.
    if (std::holds_alternative<GoalArea>(leg.goal.target))
      reach = std::max(reach, length(leg.bounds.max - leg.bounds.min));
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

void Goals::setJourney(std::size_t population, Journey journey) {
  measure(journey);
  journeys_[population] = std::move(journey);
}

void Goals::erasePopulation(agents::Crowd& crowd, std::size_t population) {
  journeys_.erase(journeys_.begin() + static_cast<std::ptrdiff_t>(population));
  for (std::uint32_t& journey : crowd.journey) journey -= journey > population;
  for (std::uint32_t& journey : free_) journey -= journey > population;
}

void Goals::begin(step::StepContext& context, std::uint32_t row) {
  agents::Crowd& crowd = context.crowd;
  beginGoal(crowd, row, of(crowd, row), context.terrain.space());
  crowd.route_count[row] = 0;
  progress_.forget(crowd.id[row], context.clock.time());
  context.tellSetsOut(row);
  if (crowd.activity[row] == agents::Activity::kWalking) context.requests.routes.push_back(crowd.id[row]);
}

void Goals::give(step::StepContext& context, std::uint32_t row, const std::vector<Goal>& goals) {
  agents::Crowd& crowd = context.crowd;
  const std::uint32_t old = crowd.journey[row];
  Journey journey = makeJourney(goals, journeys_[old].on_arrival, crowd.layer[row], context.terrain.space());
  journey.users = 1;
  crowd.journey[row] = add(std::move(journey));
  release(old);
  crowd.goal[row] = 0;
  crowd.returning[row] = 0;
  crowd.guide[row] = agents::Guide::kGoals;
}

template <class Archive>
void Goals::Saved::fields(Archive& f) {
  f(times.since), f(times.next_look);
  f.list(least, [](auto& archive, Progress::Watched& watched) { archive(watched.id.value), archive(watched.left); });
  f.list(free, base::kFields);
  f.list(journeys, [](auto& archive, Journey& journey) {
    archive(journey.users), archive(journey.on_arrival), archive(journey.repeats);
    archive.list(journey.legs, [](auto& a, Journey::Leg& leg) {
      a(leg.layer);
      throng::fields(a, leg.bounds);
      goalFields(a, leg.goal);
    });
  });
}
template void Goals::Saved::fields(base::ArchiveWriter&);
template void Goals::Saved::fields(base::ArchiveReader&);

Goals::Saved Goals::saved(std::size_t own_populations) const {
  Saved out{journeys_, free_, progress_.times(), progress_.least()};
  for (std::size_t i = 0; i < own_populations; ++i) out.journeys[i].legs.clear();
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
      const auto* area = std::get_if<GoalArea>(&leg.goal.target);
      require(leg.layer < floors && (!area || (!area->area.empty() && !area->area.front().outer.empty())),
              kImpossibleGoal);
    }
  }
  for (const std::uint32_t journey : in.free) require(journey < in.journeys.size(), "a journey of nobody");
  const agents::Crowd& crowd = loading.crowd;
  for (std::size_t r = 0; r < crowd.size(); ++r)
    require(crowd.journey[r] < in.journeys.size() && crowd.goal[r] >= agents::kStartGoal &&
                crowd.goal[r] <
                    std::max<std::int32_t>(1, static_cast<std::int32_t>(in.journeys[crowd.journey[r]].legs.size())),
            "its people refer to things that are not there");
}

void Goals::restore(Saved saved) {
  journeys_ = std::move(saved.journeys);
  free_ = std::move(saved.free);
  progress_.restore(saved.times, std::move(saved.least));
  for (const Journey& journey : journeys_) measure(journey);
}

}  // namespace throng::goals
