#include "goals/journey.h"

#include "base/narrowing.h"
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

Journey makeJourney(const std::vector<Stage>& goals, OnArrival on_arrival, std::uint16_t layer,
                    const ground::WalkableSpace& space) {
  Journey journey;
  journey.on_arrival = on_arrival;
  for (const Stage& stage : goals) {
    Journey::Leg leg{stage, stage.layer.empty() ? layer : space.floor(stage.layer), {}};
    if (stage.kind == Stage::Kind::kArea) leg.bounds = geometry::bounds(stage.area).value_or(Rectangle{});
    if (stage.kind == Stage::Kind::kDirection) leg.stage.direction = normalized(stage.direction);
    journey.legs.push_back(std::move(leg));
  }
  return journey;
}

void beginStage(agents::Crowd& crowd, std::uint32_t row, const Journey& journey, const ground::WalkableSpace& space) {
  const std::int32_t stage = crowd.stage[row];
  if (journey.legs.empty()) {
    crowd.activity[row] = agents::Activity::kStaying;
    return;
  }
  crowd.activity[row] = agents::Activity::kWalking;
  Point goal;
  if (stage == agents::kStartStage) {
    goal = {crowd.start_x[row], crowd.start_y[row]};
    crowd.goal_layer[row] = crowd.start_layer[row];
  } else {
    const auto& leg = journey.legs[static_cast<std::size_t>(stage)];
    crowd.goal_layer[row] = leg.layer;
    switch (leg.stage.kind) {
      case Stage::Kind::kPoint:
        goal = leg.stage.point;
        break;
      case Stage::Kind::kArea: {
        base::Random random(crowd.random[row]);
        goal = placeInArea(leg.stage.area, crowd.radius[row], space.floors()[leg.layer], random);
        crowd.random[row] = random.state();
        break;
      }
      case Stage::Kind::kOpposite:
        goal = leg.stage.centre * 2.0 - Point{crowd.start_x[row], crowd.start_y[row]};
        break;
      case Stage::Kind::kDirection:
        goal = leg.stage.direction;
        crowd.activity[row] = agents::Activity::kHeading;
        break;
    }
  }
  crowd.goal_x[row] = static_cast<float>(goal.x);
  crowd.goal_y[row] = static_cast<float>(goal.y);
}

bool reached(const agents::Crowd& crowd, std::uint32_t row, const Journey& journey) {
  const Vec2 here{crowd.x[row], crowd.y[row]};
  float tolerance = kHomeTolerance;
  std::uint16_t layer = crowd.start_layer[row];
  if (crowd.stage[row] != agents::kStartStage) {
    const auto& leg = journey.legs[static_cast<std::size_t>(crowd.stage[row])];
    if (leg.layer != crowd.layer[row]) return false;
    if (leg.stage.kind == Stage::Kind::kArea) {
      const Point place = wide(here);
      return geometry::boxContains(leg.bounds, place) && geometry::contains(leg.stage.area, place);
    }
    layer = leg.layer;
    tolerance = static_cast<float>(leg.stage.tolerance);
  }
  const Vec2 goal{crowd.goal_x[row], crowd.goal_y[row]};
  return layer == crowd.layer[row] && lengthSquared(goal - here) <= tolerance * tolerance;
}

Next advance(agents::Crowd& crowd, std::uint32_t row, const Journey& journey) {
  const auto last = static_cast<std::int32_t>(journey.legs.size()) - 1;
  std::int32_t& stage = crowd.stage[row];
  if (crowd.returning[row]) {
    if (stage != agents::kStartStage) return --stage, Next::kGoOn;
    crowd.returning[row] = 0;
    stage = 0;
    return Next::kGoOn;
  }
  if (stage < last) return ++stage, Next::kGoOn;
  switch (journey.on_arrival) {
    case OnArrival::kLeave:
      return Next::kLeave;
    case OnArrival::kStay:
      crowd.activity[row] = agents::Activity::kStaying;
      return Next::kArrived;
    case OnArrival::kGoBack:
      crowd.returning[row] = 1;
      stage = last - 1;  // kStartStage when there is but one leg
      return Next::kArrived;
  }
  return Next::kArrived;
}

}  // namespace throng::goals
