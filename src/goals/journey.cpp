#include "goals/journey.h"

#include "base/narrowing.h"
#include "base/overloaded.h"
#include "base/random.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"
#include "ground/placement.h"

namespace throng::goals {
namespace {

/// A place of one's own in an area; the polygon's first corner stands in when no free place is found.
Point placeInArea(const std::vector<Polygon>& area, float radius, const ground::Floor& floor, base::Random& random) {
  if (const auto place = ground::samplePlace(area, radius, floor, random)) return *place;
  return area.front().outer.front();
}

}  // namespace

Journey makeJourney(const std::vector<Goal>& goals, OnArrival on_arrival, std::uint16_t layer,
                    const ground::WalkableSpace& space) {
  Journey journey;
  journey.on_arrival = on_arrival;
  for (const Goal& goal : goals) {
    Journey::Leg leg{goal, goal.layer.empty() ? layer : space.floor(goal.layer), {}};
    if (const auto* in = std::get_if<GoalArea>(&leg.goal.target))
      leg.bounds = geometry::bounds(in->area).value_or(Rectangle{});
    if (auto* ahead = std::get_if<GoalDirection>(&leg.goal.target)) ahead->direction = normalized(ahead->direction);
    journey.legs.push_back(std::move(leg));
  }
  return journey;
}

double toleranceOf(const Goal& goal) {
  if (const auto* to = std::get_if<GoalPoint>(&goal.target)) return to->tolerance;
  if (const auto* across = std::get_if<GoalOpposite>(&goal.target)) return across->tolerance;
  return 0;
}

void beginGoal(agents::Crowd& crowd, std::uint32_t row, const Journey& journey, const ground::WalkableSpace& space) {
  if (journey.legs.empty()) {
    crowd.activity[row] = agents::Activity::kStaying;
    return;
  }
  crowd.activity[row] = agents::Activity::kWalking;
  const Point start{crowd.start_x[row], crowd.start_y[row]};
  Point place = start;
  crowd.goal_layer[row] = crowd.start_layer[row];
  if (crowd.goal[row] != agents::kStartGoal) {
    const auto& leg = journey.legs[static_cast<std::size_t>(crowd.goal[row])];
    crowd.goal_layer[row] = leg.layer;
    place = std::visit(base::Overloaded{
                           [](const GoalPoint& to) { return to.point; },
                           [&](const GoalArea& in) {
                             base::Random random(crowd.random[row]);
                             const Point own =
                                 placeInArea(in.area, crowd.radius[row], space.floors()[leg.layer], random);
                             crowd.random[row] = random.state();
                             return own;
                           },
                           [&](const GoalOpposite& across) { return across.centre * 2.0 - start; },
                           [&](const GoalDirection& ahead) {
                             crowd.activity[row] = agents::Activity::kHeading;
                             return ahead.direction;
                           },
                           [&](const GoalDistrict&) {  // the gate is chosen by who knows them: districts
                             return Point{crowd.x[row], crowd.y[row]};
                           },
                       },
                       leg.goal.target);
  }
  crowd.goal_x[row] = static_cast<float>(place.x);
  crowd.goal_y[row] = static_cast<float>(place.y);
}

bool reached(const agents::Crowd& crowd, std::uint32_t row, const Journey& journey) {
  const Vec2 here{crowd.x[row], crowd.y[row]};
  float tolerance = kHomeTolerance;
  std::uint16_t layer = crowd.start_layer[row];
  if (crowd.goal[row] != agents::kStartGoal) {
    const auto& leg = journey.legs[static_cast<std::size_t>(crowd.goal[row])];
    if (leg.layer != crowd.layer[row]) return false;
    if (std::holds_alternative<GoalDistrict>(leg.goal.target)) return false;  // reached when the gate is passed
    if (const auto* in = std::get_if<GoalArea>(&leg.goal.target)) {
      const Point place = wide(here);
      return geometry::boxContains(leg.bounds, place) && geometry::contains(in->area, place);
    }
    layer = leg.layer;
    tolerance = static_cast<float>(toleranceOf(leg.goal));
  }
  const Vec2 goal{crowd.goal_x[row], crowd.goal_y[row]};
  return layer == crowd.layer[row] && lengthSquared(goal - here) <= tolerance * tolerance;
}

Next advance(agents::Crowd& crowd, std::uint32_t row, const Journey& journey) {
  const auto last = static_cast<std::int32_t>(journey.legs.size()) - 1;
  std::int32_t& goal = crowd.goal[row];
  if (journey.repeats) {
    goal = goal < last ? goal + 1 : 0;
    return Next::kArrived;
  }
  if (crowd.returning[row]) {
    if (goal != agents::kStartGoal) return --goal, Next::kGoOn;
    crowd.returning[row] = 0;
    goal = 0;
    return Next::kGoOn;
  }
  if (goal < last) return ++goal, Next::kGoOn;
  switch (journey.on_arrival) {
    case OnArrival::kLeave:
      return Next::kLeave;
    case OnArrival::kStay:
      crowd.activity[row] = agents::Activity::kStaying;
      return Next::kArrived;
    case OnArrival::kGoBack:
      crowd.returning[row] = 1;
      goal = last - 1;  // kStartGoal when there is but one leg
      return Next::kArrived;
  }
  return Next::kArrived;
}

}  // namespace throng::goals
