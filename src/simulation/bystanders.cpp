#include "simulation/bystanders.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/narrowing.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"
#include "planning/reachability.h"

namespace throng::simulation {
namespace {

bool crosses(const ground::Walls& walls, Point from, Point to) {
  thread_local std::vector<std::uint32_t> near;
  near.clear();
  const Point middle = (from + to) * 0.5;
  const auto reach = static_cast<float>(length(to - from) * 0.5 + 0.01);
  walls.grid.query(narrow(middle), reach, near);
  return std::any_of(near.begin(), near.end(), [&](std::uint32_t i) {
    return geometry::segmentsIntersect(from, to, wide(walls.a[i]), wide(walls.b[i]));
  });
}

double distanceTo(const ground::Walls& walls, Point place, double limit) {
  thread_local std::vector<std::uint32_t> near;
  near.clear();
  walls.grid.query(narrow(place), static_cast<float>(limit + 0.01), near);
  for (const std::uint32_t i : near)
    limit = std::min(limit, geometry::distanceToSegment(place, wide(walls.a[i]), wide(walls.b[i])));
  return limit;
}

bool isInside(const ground::Floor& floor, Point place) {
  return !floor.inserted.empty() && geometry::contains(floor.inserted, place);
}

/// Somebody who is put aside keeps a little more than their radius from walls.
constexpr double kAside = 1.01;

double distanceToShape(std::span<const Point> shape, Point a, Point b) {
  double least = INFINITY;
  for (std::size_t i = 0; i < shape.size(); ++i)
    least = std::min(least, geometry::distanceBetween({a, b}, {shape[i], shape[(i + 1) % shape.size()]}));
  return least;
}

/// The nearest free place on the layer: where the whole body fits if there is such a place, and not through walls if
/// that can be helped. Nothing: there is none.
std::optional<Point> placeBeside(const step::StepContext& context, std::uint32_t r, const ground::Walls& before) {
  const agents::Crowd& crowd = context.crowd;
  const Point here{crowd.x[r], crowd.y[r]};
  for (const bool through_walls : {false, true})
    for (const double share : {kAside, 0.5, 0.1}) {
      const auto place = planning::nearestFree(*context.terrain.map(), here, crowd.layer[r], crowd.radius[r] * share,
                                               [&](Point p) { return through_walls || !crosses(before, here, p); });
      if (place.where) return place.at;
    }
  return std::nullopt;
}

/// A place close by where nobody stands, if there is one: those whom one obstacle puts aside should not all stand on
/// the same spot.
Point besideOthers(const step::StepContext& context, std::uint32_t row, Point place) {
  const agents::Crowd& crowd = context.crowd;
  const ground::Floor& floor = context.terrain.floors()[crowd.layer[row]];
  const double radius = crowd.radius[row];
  const auto isFree = [&](Point p) {
    for (std::uint32_t r = 0; r < crowd.size(); ++r)
      if (r != row && crowd.layer[r] == crowd.layer[row] &&
          length(p - Point{crowd.x[r], crowd.y[r]}) < radius + static_cast<double>(crowd.radius[r]))
        return false;
    return true;
  };
  if (isFree(place)) return place;
  constexpr int kRings = 30, kFirstRing = 6;
  for (int ring = 1; ring <= kRings; ++ring)
    for (int i = 0; i < kFirstRing * ring; ++i) {
      double sine = 0, cosine = 0;
      base::sinCos(2 * base::kPi * i / (kFirstRing * ring), sine, cosine);
      const Point p = place + Point{cosine, sine} * (ring * radius);
      if (floor.contains(p) && floor.clearance(p, radius * kAside) >= radius * kAside && isFree(p) &&
          !crosses(floor.walls, place, p))
        return p;
    }
  return place;
}

void moveAside(step::StepContext& context, std::uint32_t r, Point place) {
  agents::Crowd& crowd = context.crowd;
  place = besideOthers(context, r, place);
  const Vec2 at = narrow(place);
  crowd.x[r] = at.x, crowd.y[r] = at.y;
  crowd.forget(r);
  crowd.z[r] = context.terrain.floors()[crowd.layer[r]].height(at);
  context.bury(r, false);
  if (crowd.activity[r] != agents::Activity::kWalking) return;
  if (crowd.guide[r] == agents::Guide::kGoals)
    context.requests.routes.push_back(crowd.id[r]);
  else
    crowd.lost[r] = 1;
}

bool isCut(const step::StepContext& context, std::uint32_t r, const step::Requests::Cut& cut, const Rectangle& box) {
  const agents::Crowd& crowd = context.crowd;
  const double radius = crowd.radius[r];
  Point a{crowd.x[r], crowd.y[r]};
  for (std::uint32_t i = 0; i <= crowd.route_count[r]; ++i) {
    const Vec2 next =
        i == 0 ? Vec2{crowd.target_x[r], crowd.target_y[r]} : context.routes.at(crowd.route_start[r] + i - 1);
    const Point b{next.x, next.y};
    const std::uint16_t leg_layer = context.routes.layer(crowd.route_start[r] + (i == 0 ? 0 : i - 1));
    // On the way to the attraction point somebody may still be on the layer before.
    const bool here =
        leg_layer == cut.layer || leg_layer == corridors::kAnyLayer || (i == 0 && crowd.layer[r] == cut.layer);
    const bool near = here && std::min(a.x, b.x) < box.max.x + radius && std::max(a.x, b.x) > box.min.x - radius &&
                      std::min(a.y, b.y) < box.max.y + radius && std::max(a.y, b.y) > box.min.y - radius;
    if (near && distanceToShape(cut.shape, a, b) < radius) return true;
    a = b;
  }
  return false;
}

/// Whose route leads through what has come plans anew; everybody else goes on.
void replanAround(step::StepContext& context, const step::Requests::Cut& cut) {
  const agents::Crowd& crowd = context.crowd;
  const Rectangle box = geometry::boxOf(cut.shape);
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    if (crowd.activity[r] == agents::Activity::kWalking && crowd.route_count[r] > 0 && isCut(context, r, cut, box))
      context.requests.routes.push_back(crowd.id[r]);
}

void replanTheStranded(step::StepContext& context) {
  const agents::Crowd& crowd = context.crowd;
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    if (crowd.activity[r] == agents::Activity::kWalking && crowd.route_state[r] == agents::RouteState::kNearest)
      context.requests.routes.push_back(crowd.id[r]);
}

}  // namespace

void makeWay(step::StepContext& context, const Rectangle& box, std::uint16_t layer, const ground::Walls& before) {
  const agents::Crowd& crowd = context.crowd;
  const ground::Floor& floor = context.terrain.floors()[layer];
  auto& pushes = context.requests.pushes;
  const auto isPushed = [&](AgentId id) {
    return std::any_of(pushes.begin(), pushes.end(), [&](const auto& push) { return push.id == id; });
  };
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (crowd.layer[r] != layer || context.isBuried(r) || crowd.guide[r] == agents::Guide::kWalk) continue;
    const Point here{crowd.x[r], crowd.y[r]};
    const double radius = crowd.radius[r];
    // Across the border of a wrapped layer, what is on the other side is near.
    if (!floor.wrap && (here.x < box.min.x - radius || here.x > box.max.x + radius || here.y < box.min.y - radius ||
                        here.y > box.max.y + radius))
      continue;
    if (isPushed(crowd.id[r])) continue;
    if (isInside(floor, here)) {
      if (const auto place = placeBeside(context, r, before))
        pushes.push_back({crowd.id[r], *place});
      else
        context.bury(r, true);
      continue;
    }
    constexpr double kGained = 1e-6;  // m
    const double room = distanceTo(floor.walls, here, radius);
    if (room >= radius || room >= distanceTo(before, here, radius) - kGained) continue;
    // Exactly on a new wall either side will do.
    const bool on_wall = room < kGained;
    const auto place = planning::nearestFree(*context.terrain.map(), here, layer, radius * kAside, [&](Point p) {
      return !crosses(before, here, p) && (on_wall || !crosses(floor.walls, here, p));
    });
    if (place.where && length(place.at - here) < 2 * radius) pushes.push_back({crowd.id[r], place.at});
  }
}

void digOut(step::StepContext& context, std::uint16_t layer) {
  const agents::Crowd& crowd = context.crowd;
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (!context.isBuried(r) || crowd.layer[r] != layer) continue;
    const Point here{crowd.x[r], crowd.y[r]};
    const bool inside = isInside(context.terrain.floors()[layer], here);
    const auto place = inside ? placeBeside(context, r, {}) : here;
    if (place) context.requests.pushes.push_back({crowd.id[r], *place});
  }
}

void findBuried(step::StepContext& context) {
  const agents::Crowd& crowd = context.crowd;
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    context.bury(r, crowd.guide[r] != agents::Guide::kWalk &&
                        isInside(context.terrain.floors()[crowd.layer[r]], {crowd.x[r], crowd.y[r]}));
}

void bringToFull(step::StepContext& context, std::uint32_t row) {
  agents::Crowd& crowd = context.crowd;
  if (row < crowd.full()) return;
  const auto floors = context.terrain.floors();
  if (crowd.guide[row] == agents::Guide::kFlow && floors.size() > 1) {
    // Those at low levels know only their cylinder; now the floor counts.
    const Point here{crowd.x[row], crowd.y[row]};
    float least = INFINITY;
    for (std::uint16_t f = 0; f < floors.size(); ++f) {
      if (!floors[f].contains(here)) continue;
      const float off = std::abs(floors[f].height({crowd.x[row], crowd.y[row]}) - crowd.z[row]);
      if (off < least) least = off, crowd.layer[row] = f;
    }
  }
  crowd.next_vx[row] = crowd.vx[row], crowd.next_vy[row] = crowd.vy[row];
  crowd.toFull(row);
}

void setGoals(step::StepContext& context, goals::Goals& goals, AgentId id, const std::vector<Goal>& others) {
  agents::Crowd& crowd = context.crowd;
  if (crowd.guide[crowd.row(id)] == agents::Guide::kWalk) {
    // Nobody leaves a walk in the middle: these are goals for when they come out.
    goals.give(context, crowd.row(id), others);
    crowd.guide[crowd.row(id)] = agents::Guide::kWalk;
    crowd.goal[crowd.row(id)] = agents::kStartGoal;
    return;
  }
  goals.give(context, crowd.row(id), others);
  bringToFull(context, crowd.row(id));
  goals.begin(context, crowd.row(id));
}

void carryOut(step::StepContext& context, goals::Goals& goals) {
  step::Requests& requests = context.requests;
  agents::Crowd& crowd = context.crowd;
  for (const auto& push : requests.pushes)
    if (crowd.contains(push.id)) moveAside(context, crowd.row(push.id), push.place);
  requests.pushes.clear();
  for (const auto& [id, others] : requests.goals)
    if (crowd.contains(id)) setGoals(context, goals, id, others);
  requests.goals.clear();
  for (const auto& cut : requests.cuts) replanAround(context, cut);
  requests.cuts.clear();
  if (requests.freed) replanTheStranded(context);
  requests.freed = false;
  for (const AgentId id : requests.full) bringToFull(context, crowd.row(id));
  requests.full.clear();
  for (const AgentId id : requests.low) crowd.toLow(crowd.row(id));
  requests.low.clear();
  if (!requests.order.empty()) {
    crowd.reorder(requests.order);
    context.routes.inOrder(crowd.route_start, crowd.route_count, crowd.wayPointsBehind());
  }
  requests.order.clear();
}

}  // namespace throng::simulation
