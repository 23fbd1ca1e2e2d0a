// Comparison of scenes member by member, for tests only. Left out: meshes, and what comes with them.
#pragma once

#include "throng/scene.h"

namespace throng {

inline bool operator==(const Polygon& a, const Polygon& b) { return a.outer == b.outer && a.holes == b.holes; }
inline bool operator==(const Polyline& a, const Polyline& b) { return a.points == b.points; }
inline bool operator==(const Segment& a, const Segment& b) { return a.a == b.a && a.b == b.b; }
inline bool operator==(const Rectangle& a, const Rectangle& b) { return a.min == b.min && a.max == b.max; }
inline bool operator==(const Region& a, const Region& b) { return a.type == b.type && a.area == b.area; }
inline bool operator==(const Door& a, const Door& b) {
  return a.name == b.name && a.line == b.line && a.open == b.open;
}
inline bool operator==(const Layer& a, const Layer& b) {
  return a.name == b.name && a.walkable == b.walkable && a.obstacles == b.obstacles && a.walls == b.walls &&
         a.openings == b.openings && a.regions == b.regions && a.elevation == b.elevation && a.slope == b.slope &&
         a.wall_height == b.wall_height && a.wrap == b.wrap && a.doors == b.doors && a.played == b.played &&
         a.played_objects == b.played_objects;
}
inline bool operator==(const Connection& a, const Connection& b) {
  return a.name == b.name && a.from_layer == b.from_layer && a.from == b.from && a.to_layer == b.to_layer &&
         a.to == b.to;
}
inline bool operator==(const Distribution& a, const Distribution& b) {
  return a.kind == b.kind && a.mean == b.mean && a.deviation == b.deviation && a.min == b.min && a.max == b.max;
}
inline bool operator==(const ModelChoice& a, const ModelChoice& b) {
  return a.model == b.model && a.parameters == b.parameters;
}
inline bool operator==(const Profile& a, const Profile& b) {
  return a.name == b.name && a.radius == b.radius && a.preferred_speed == b.preferred_speed &&
         a.max_speed_factor == b.max_speed_factor && a.region_weights == b.region_weights &&
         a.slope_cost.up == b.slope_cost.up && a.slope_cost.down == b.slope_cost.down && a.planner == b.planner &&
         a.follower == b.follower && a.steering == b.steering && a.stream == b.stream && a.unstuck == b.unstuck &&
         a.give_way == b.give_way && a.go_round == b.go_round && a.avoid_congestion == b.avoid_congestion &&
         a.take_turns == b.take_turns && a.harmonise_speed == b.harmonise_speed && a.share_goals == b.share_goals;
}
inline bool operator==(const StartPoints& a, const StartPoints& b) { return a.points == b.points; }
inline bool operator==(const StartArea& a, const StartArea& b) { return a.area == b.area; }
inline bool operator==(const StartLine& a, const StartLine& b) { return a.line == b.line; }
inline bool operator==(const StartCircle& a, const StartCircle& b) {
  return a.centre == b.centre && a.radius == b.radius && a.phase == b.phase;
}
inline bool operator==(const StartGrid& a, const StartGrid& b) { return a.area == b.area && a.spacing == b.spacing; }
inline bool operator==(const StartPoissonDisc& a, const StartPoissonDisc& b) {
  return a.area == b.area && a.spacing == b.spacing;
}
inline bool operator==(const Start& a, const Start& b) { return a.shape == b.shape && a.jitter == b.jitter; }
inline bool operator==(const GoalPoint& a, const GoalPoint& b) {
  return a.point == b.point && a.tolerance == b.tolerance;
}
inline bool operator==(const GoalArea& a, const GoalArea& b) { return a.area == b.area; }
inline bool operator==(const GoalOpposite& a, const GoalOpposite& b) {
  return a.centre == b.centre && a.tolerance == b.tolerance;
}
inline bool operator==(const GoalDirection& a, const GoalDirection& b) { return a.direction == b.direction; }
inline bool operator==(const GoalDistrict& a, const GoalDistrict& b) { return a.district == b.district; }
inline bool operator==(const Goal& a, const Goal& b) { return a.target == b.target && a.layer == b.layer; }
inline bool operator==(const Wave& a, const Wave& b) { return a.time == b.time && a.count == b.count; }
inline bool operator==(const Population& a, const Population& b) {
  return a.name == b.name && a.profile == b.profile && a.layer == b.layer && a.count == b.count && a.rate == b.rate &&
         a.rate_limit == b.rate_limit && a.schedule == b.schedule && a.start == b.start && a.goals == b.goals &&
         a.on_arrival == b.on_arrival && a.district == b.district;
}
inline bool operator==(const MeasurementLine& a, const MeasurementLine& b) {
  return a.name == b.name && a.line == b.line && a.layer == b.layer;
}
inline bool operator==(const MeasurementArea& a, const MeasurementArea& b) {
  return a.name == b.name && a.area == b.area && a.layer == b.layer;
}
inline bool operator==(const OpenDoor& a, const OpenDoor& b) { return a.door == b.door; }
inline bool operator==(const CloseDoor& a, const CloseDoor& b) { return a.door == b.door; }
inline bool operator==(const InsertObstacle& a, const InsertObstacle& b) {
  return a.name == b.name && a.layer == b.layer && a.obstacle == b.obstacle;
}
inline bool operator==(const RemoveObstacle& a, const RemoveObstacle& b) { return a.name == b.name; }
inline bool operator==(const Event& a, const Event& b) { return a.time == b.time && a.change == b.change; }
inline bool operator==(const RunSettings& a, const RunSettings& b) {
  return a.dt == b.dt && a.seed == b.seed && a.duration == b.duration && a.until_all_arrived == b.until_all_arrived &&
         a.patience == b.patience && a.recording_rate == b.recording_rate;
}
inline bool operator==(const PatchStreet& a, const PatchStreet& b) {
  return a.seed == b.seed && a.crossings == b.crossings && a.patterns == b.patterns && a.period == b.period &&
         a.camera == b.camera && a.speed == b.speed && a.view == b.view;
}
inline bool operator==(const PatchDistrict& a, const PatchDistrict& b) {
  return a.name == b.name && a.library == b.library && a.map == b.map && a.street == b.street && a.at == b.at &&
         a.layer == b.layer && a.patches_hash == b.patches_hash;
}
inline bool operator==(const Scene& a, const Scene& b) {
  return a.name == b.name && a.description == b.description && a.layers == b.layers && a.connections == b.connections &&
         a.profiles == b.profiles && a.populations == b.populations && a.lines == b.lines && a.areas == b.areas &&
         a.events == b.events && a.run == b.run && a.districts == b.districts;
}

}  // namespace throng
