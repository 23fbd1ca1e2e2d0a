// A person is retracted to the medial axis: straight away from the nearest obstacle, until another is as near. The disc
// around that place that touches both obstacles is free and contains the person. The attraction point is the last point
// of the indicative route in that disc, and the person wants to walk straight towards it. So in the open people cut
// corners, and in narrow places they keep to their route; the attraction point moves on smoothly, and nobody stops at
// way-points.
//
// Forces from the corridor's border and from other people are left to the steering model, as in the framework of JAKLIN
// 2016 (section 11.2.4), where followers give preferred velocities.
#include "following/irm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/narrowing.h"
#include "corridors/visibility.h"
#include "following/direct.h"
#include "following/heading.h"
#include "following/route_in_disc.h"
#include "geometry/predicates.h"

namespace throng::following {
namespace {

/// The first point of the route beyond `found` that is `distance` from a place, or the route's end.
OnRoute pointAtDistance(const Rest& rest, OnRoute found, Point place, double distance) {
  Point a = found.at;
  for (std::uint32_t i = found.passed; i < rest.count; ++i) {
    const Point b = rest.wayPoint(i);
    if (length(b - place) >= distance) {
      const double share = Disc{place, distance}.lastShare(a, b);
      return share >= 0 ? OnRoute{a + (b - a) * share, i} : OnRoute{b, i};
    }
    a = b;
  }
  return {a, rest.count - 1};
}

/// m; nearer than this, an attraction point leads nowhere.
constexpr double kStep = 0.05;

class IndicativeRouteMethod {
 public:
  IndicativeRouteMethod(const FollowInput& input, double lookahead)
      : input_(input),
        crowd_(input.crowd),
        routes_(input.routes),
        map_(*input.map),
        dt_(input.dt),
        lookahead_(lookahead) {}

  /// People who take a step at the same time: each part of the work for all of them before the next part. What one of
  /// them waits for (memory, a root, a quotient) then comes while another is at work.
  static constexpr std::size_t kTogether = 64;

  /// No more than kTogether rows of people on the way.
  void walk(std::span<const std::uint32_t> rows) {
    routes_.fetch(rows.size(), [&](std::size_t i) { return std::size_t{crowd_.route_start[rows[i]]}; });
    std::array<corridors::Located, kTogether> cells;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (crowd_.route_count[rows[i]] > 0) cells[i] = input_.locate(rows[i]);
    std::array<Disc, kTogether> discs;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (cells[i]) discs[i] = discOf(rows[i], cells[i]);
    std::array<OnRoute, kTogether> found;
    std::array<bool, kTogether> on_route;
    std::array<std::uint8_t, kTogether> looking;
    std::size_t looks = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      found[i] = inDisc(rows[i], cells[i], discs[i], on_route[i]);
      looking[looks] = static_cast<std::uint8_t>(i);
      looks += !on_route[i] || lengthSquared(found[i].at - at(rows[i])) < lookahead_ * lookahead_ ? 1 : 0;
    }
    for (std::size_t k = 0; k < looks; ++k) {
      const std::size_t i = looking[k];
      if (cells[i]) found[i] = ahead(rows[i], cells[i], found[i], on_route[i]);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) head(rows[i], found[i]);
  }

 private:
  Point at(std::uint32_t r) const { return {crowd_.x[r], crowd_.y[r]}; }

  /// The free disc that contains somebody. The body must fit into it, not only its centre.
  Disc discOf(std::uint32_t r, corridors::Located cell) const {
    const corridors::Retraction retraction = map_.retract(cell, at(r));
    if (input_.memory && input_.memory->room)
      input_.memory->room[r] = static_cast<float>(retraction.clearance - length(at(r) - retraction.at));
    return {retraction.at, retraction.clearance - crowd_.radius[r]};
  }

  Rest restOf(std::uint32_t r) const {
    return {routes_,
            map_.floors() == 1,
            crowd_.route_start[r],
            crowd_.route_count[r],
            {crowd_.target_x[r], crowd_.target_y[r]}};
  }

  /// The last point of the route in the disc. Who has no route or is off the map has no disc.
  OnRoute inDisc(std::uint32_t r, corridors::Located cell, const Disc& disc, bool& on_route) {
    if (crowd_.lost[r]) crowd_.lost[r] = 0;  // memory that is only read need not be written back
    const Rest rest = restOf(r);
    on_route = false;
    if (rest.count == 0) return {{crowd_.goal_x[r], crowd_.goal_y[r]}, 0};
    if (!cell) return beyondTheMap(r, at(r), rest);
    if (crowd_.route_state[r] == agents::RouteState::kStraight) crowd_.lost[r] = 1;  // was off the map when planning
    OnRoute found{rest.from, 0};
    if (!(disc.radius > 0)) return found;
    if (rest.one_layer) {
      on_route = lastInDisc(rest, disc, found);
      return found;
    }
    // Away from connections a disc lies on one layer; near them its places are on whichever layer one comes to there.
    const bool one_layer = map_.farFromConnections(disc.centre, disc.radius);
    const auto layerAt = [&](Point p) {
      return one_layer ? crowd_.layer[r] : corridors::lookAlong(map_, cell, at(r), p).floor;
    };
    on_route = lastInDisc(rest, disc, layerAt, found);
    return found;
  }

  /// In a narrow place, or pushed off the route: as far ahead of `found` as can be walked to straight.
  OnRoute ahead(std::uint32_t r, corridors::Located cell, const OnRoute& found, bool on_route) {
    const Rest rest = restOf(r);
    const Point here = at(r);
    const double body = crowd_.radius[r], fit = std::min(body, map_.nearest(cell, here).distance) * 0.98;
    const OnRoute ahead = pointAtDistance(rest, found, here, lookahead_);
    if (inSight(r, cell, here, rest, ahead, fit)) return ahead;
    // Where the disc lies behind somebody and the route turns a corner at once: less far ahead, but on.
    const bool stands = length(found.at - here) < kStep && !(rest.count == 1 && found.at == rest.wayPoint(0));
    for (double reach = lookahead_ / 2; stands && reach > kStep; reach /= 2) {
      const OnRoute nearer = pointAtDistance(rest, found, here, reach);
      if (inSight(r, cell, here, rest, nearer, fit)) return nearer;
    }
    if (stands || (!on_route && !inSight(r, cell, here, rest, found, fit))) crowd_.lost[r] = 1;
    return found;
  }

  /// Can a place on the route be walked to straight? A place above or below it cannot be what is meant.
  bool inSight(std::uint32_t r, corridors::Located cell, Point here, const Rest& rest, const OnRoute& place,
               double radius) const {
    const bool same = input_.memory && place.at == rest.from;  // as in the step before
    if (same && isKnownToBeInSight(r, here, place.at, radius)) return true;
    const corridors::Sight sight = corridors::lookAlong(map_, cell, here, place.at, radius);
    if (same && sight.clear) remember(r, cell, here, place.at, radius);
    return sight.clear && rest.on(place.passed, sight.floor, place.at == rest.wayPoint(place.passed));
  }

  /// Whoever is no farther from a way that is free for a wide body than that is wider has a free way to its end, too:
  /// no place of it is farther from the first one than its beginning.
  bool isKnownToBeInSight(std::uint32_t r, Point here, Point place, double radius) const {
    constexpr double kMargin = 1e-4;  // m, for what rounding does
    const FollowInput::Memory& memory = *input_.memory;
    const double beside = memory.free[r] - radius - kMargin;
    return beside > 0 && geometry::distanceToSegment(here, {memory.from_x[r], memory.from_y[r]}, place) < beside;
  }

  void remember(std::uint32_t r, corridors::Located cell, Point here, Point place, double radius) const {
    const FollowInput::Memory& memory = *input_.memory;
    if (memory.free[r] < 0) return;
    for (const double beside : {0.5, 0.1}) {  // m
      if (!corridors::lookAlong(map_, cell, here, place, radius + beside).clear) continue;
      memory.from_x[r] = crowd_.x[r], memory.from_y[r] = crowd_.y[r];
      memory.free[r] = static_cast<float>(radius + beside);
      return;
    }
    memory.free[r] = -1;
  }

  /// Without a map there is no disc: on to the next way-point once one is near.
  OnRoute beyondTheMap(std::uint32_t r, Point here, const Rest& rest) const {
    std::uint32_t i = 0;
    while (i + 1 < rest.count && length(rest.wayPoint(i) - here) < lookahead_ && rest.on(i, crowd_.layer[r], true)) ++i;
    return {rest.wayPoint(i), i};
  }

  /// Straight towards that place; past the way-points before it.
  void head(std::uint32_t r, const OnRoute& found) {
    const Point target = found.at;
    if (found.passed > 0) crowd_.route_start[r] += found.passed, crowd_.route_count[r] -= found.passed;
    const std::uint32_t left = crowd_.route_count[r];
    const bool end = left == 0 || (left == 1 && target == wide(routes_.at(crowd_.route_start[r])));
    const Vec2 to = narrow(target);
    if (input_.memory && input_.memory->free[r] != 0 && to != Vec2{crowd_.target_x[r], crowd_.target_y[r]})
      input_.memory->free[r] = 0;
    crowd_.target_x[r] = to.x, crowd_.target_y[r] = to.y;
    walkTowards(crowd_, r, target, end, dt_);
  }

  const FollowInput& input_;
  agents::Crowd& crowd_;
  const corridors::RouteStore& routes_;
  const corridors::CorridorMap& map_;
  float dt_;
  double lookahead_;
};

}  // namespace

void followIndicativeRoute(const FollowInput& input, std::span<const float> parameters,
                           std::span<const std::uint32_t> rows) {
  // Without walls there is no map, and every disc is as large as one likes.
  if (input.map == nullptr) return followDirect(input, parameters, rows);
  agents::Crowd& crowd = input.crowd;
  IndicativeRouteMethod follow(input, parameters[0]);
  std::array<std::uint32_t, IndicativeRouteMethod::kTogether> walking;
  std::size_t count = 0;
  for (const std::uint32_t r : rows) {
    if (crowd.activity[r] == agents::Activity::kWalking) {
      walking[count++] = r;
      if (count == walking.size()) follow.walk(std::span(walking).first(count)), count = 0;
      continue;
    }
    walkOn(crowd, r);
  }
  follow.walk(std::span(walking).first(count));
}

}  // namespace throng::following
