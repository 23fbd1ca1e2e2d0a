#include "steering/give_way.h"

#include <algorithm>
#include <cmath>

#include "corridors/visibility.h"

namespace throng::steering {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work
constexpr float kReach = 8;          // m from an end, within which people think of the narrow place
constexpr float kWaits = 3;          // m: nearer ones wait for their turn
constexpr float kNext = 1.5f;        // m: nearer ones are the next to come in
constexpr float kWidest = 7.5f;      // radii from the middle of a door to its sides: wider ones lock no more
constexpr float kDoor = 5;           // m: in longer passages that two can pass everybody keeps to their side
constexpr float kHeld = 0.4f;        // m/s: who is slower is held up
constexpr float kCrowd = 4;          // people held up on each side, per m from the middle, who need turns at wide doors
constexpr float kTurn = 8;           // s, and what it takes to walk through
constexpr float kComing = 2.5f;      // s to come from kWaits to kNext, at an easy pace
constexpr float kWants = 0.1f;       // m/s: preferred speeds below this are waiting
constexpr float kTowards = 0.05f;    // cosine: who walks along the wall does not want to come in
constexpr float kAim = 0.3f;         // m beside the opening at which people may aim who want to come in
constexpr float kLane = 0.25f;       // m on either side of the opening, and the body, that are left free
constexpr float kHalfLane = 0.5f;    // m: two come out side by side, at most
constexpr float kLaneDepth = 6;      // m
constexpr float kStand = 0.3f;       // m from the end: where the first ones wait
constexpr float kBack = 0.6f;        // m back for every m aside, for there may be no room beside
constexpr float kMiddle = 0.1f;      // m from the middle of the opening: neither side is nearer
constexpr float kSlow = 0.5f;        // m before the place of waiting where people slow down

/// m from the middle of the opening to where somebody of that radius is in nobody's way.
float halfLane(const corridors::NarrowPlace& place, float radius, bool for_one) {
  return (for_one ? std::min(place.clearance, kHalfLane) : place.clearance) + radius + kLane;
}

}  // namespace

void GiveWay::attach(step::StepContext& context) {
  radius_ = 0;
  for (std::size_t k = 0; k < steering_.choices().size(); ++k)
    if (steering_.choices()[k].give_way)
      radius_ = std::max(radius_, static_cast<float>(context.scene.profiles[k].radius.mean));
  found_for_ = 0;
}

std::vector<corridors::NarrowPlace> GiveWay::placesOn(const corridors::CorridorMap& map) const {
  std::vector<corridors::NarrowPlace> places = corridors::narrowPlaces(map, radius_, 2 * radius_ + kPassing);
  for (corridors::NarrowPlace& door : corridors::narrowPlaces(map, radius_, kWidest * radius_))
    if (!isForOne(door) && door.length <= kDoor) places.push_back(std::move(door));
  return places;
}

void GiveWay::findPlaces(const step::StepContext& context) {
  const std::uint64_t now = context.terrain.revision() + 1;
  if (found_for_ == now) return;
  found_for_ = now;
  places_.clear();
  if (const corridors::CorridorMap* map = context.terrain.map()) places_ = placesOn(*map);
  std::vector<Rectangle> boxes;
  for (const corridors::NarrowPlace& place : places_) {
    Point low = wide(place.axis.front()), high = low;
    for (const Vec2 at : place.axis) {
      low = {std::min(low.x, double{at.x}), std::min(low.y, double{at.y})};
      high = {std::max(high.x, double{at.x}), std::max(high.y, double{at.y})};
    }
    boxes.push_back({{low.x - kReach, low.y - kReach}, {high.x + kReach, high.y + kReach}});
  }
  grid_ = geometry::UniformGrid<float>::ofBoxes(boxes);
  findRoom(context);
  if (!keeps_turns_ || turns_.size() != places_.size()) turns_.assign(places_.size(), {});
  keeps_turns_ = false;
}

/// Beside which of the ends there is room to wait.
void GiveWay::findRoom(const step::StepContext& context) {
  room_.assign(places_.size(), {});
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const corridors::NarrowPlace& place = places_[p];
    for (std::size_t k = 0; k < 4; ++k) {
      const auto& end = place.ends[k / 2];
      const Vec2 aside = perpendicular(end.out) * (k % 2 == 0 ? 1.0f : -1.0f);
      const Vec2 at = end.at + aside * halfLane(place, radius_, isForOne(place)) + end.out * kStand;
      // The place may lie on the floor at which a stair ends.
      const corridors::Sight sight = corridors::lookAlong(*context.terrain.map(), wide(end.at), end.floor, wide(at));
      room_[p][k] = sight.clear && context.terrain.map()->clearance(wide(at), sight.floor) >= double{radius_};
    }
  }
}

GiveWay::Near GiveWay::nearOf(const agents::Crowd& crowd, std::uint32_t r) const {
  Near best;
  const Vec2 here{crowd.x[r], crowd.y[r]}, preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]};
  const float speed = length(preferred);
  if (speed < kWants) return best;
  const Vec2 wanted = preferred / speed;
  best.distance = kReach;
  for (const std::uint32_t p : grid_.at(here)) {
    const corridors::NarrowPlace& place = places_[p];
    const auto &first = place.ends[0], &second = place.ends[1];
    const float before_first = dot(here - first.at, first.out), before_second = dot(here - second.at, second.out);
    if (before_first <= 0 && before_second <= 0) {
      const auto along = place.along(here);
      if (along.off > place.clearance || !along.isOn(crowd.layer[r])) continue;
      const std::uint8_t end = dot(wanted, along.direction) >= 0 ? 0 : 1;
      return {p, end, true, 0};
    }
    for (std::uint8_t e = 0; e < 2; ++e) {
      const auto& end = place.ends[e];
      const float before = e == 0 ? before_first : before_second, closing = -dot(wanted, end.out);
      if (before <= 0 || before > kReach || closing < kTowards || !end.isOn(crowd.layer[r])) continue;
      const Vec2 across = perpendicular(end.out);
      const float beside = dot(here - end.at, across);
      if (std::abs(beside) > kReach) continue;
      const float aim = beside + dot(wanted, across) * (before / closing);
      const float distance = length(here - end.at);
      if (std::abs(aim) > place.clearance + kAim || distance >= best.distance) continue;
      best = {p, e, false, distance};
    }
  }
  return best;
}

void GiveWay::decide(Turn& turn, const Demand& demand, const corridors::NarrowPlace& place, float dt) const {
  const auto wants = [&](int end) { return demand.inside[end] + demand.waiting[end] > 0; };
  if (!(wants(0) && wants(1))) {
    turn = {};
    return;
  }
  if (turn.whose == 0) {
    // At a door for two people pass one another until they hold one another up.
    const float crowd = kCrowd * place.clearance;
    const auto many = [&](int end) { return static_cast<float>(demand.held[end]) >= crowd; };
    if (!isForOne(place) && !(many(0) && many(1))) return;
    const bool second = demand.inside[0] != demand.inside[1] ? demand.inside[1] > demand.inside[0]
                                                             : demand.nearest[1] < demand.nearest[0];
    turn.whose = second ? 2 : 1;
  }
  turn.since += dt;
  const int own = turn.whose - 1, other = 1 - own;
  turn.closing |= turn.since > kTurn + place.length;
  // Whose turn it is comes nearer, unless somebody of the others stands before it: two who both have some metres to go
  // would be given it by turns, and neither would ever come.
  const bool nobody_comes = demand.next[own] == 0 && (demand.next[other] > 0 || turn.since > kComing);
  if (demand.inside[own] == 0 && (turn.closing || nobody_comes)) turn = {static_cast<std::uint8_t>(other + 1), 0, 0};
}

/// Beside the opening, where those who come out do not walk.
void GiveWay::wait(step::StepContext& context, std::uint32_t r, const Near& near) const {
  agents::Crowd& crowd = context.crowd;
  const corridors::NarrowPlace& place = places_[near.place];
  const auto& end = place.ends[near.end];
  const Vec2 here{crowd.x[r], crowd.y[r]}, from_end = here - end.at, across = perpendicular(end.out);
  const float before = dot(from_end, end.out), beside = dot(from_end, across);
  // To the right, seen by those who come, when they are in the middle.
  float side = beside > -kMiddle ? 1.0f : -1.0f;
  const bool right = room_[near.place][2 * near.end], left = room_[near.place][2 * near.end + 1];
  if (right != left) side = right ? 1.0f : -1.0f;
  const float lane = halfLane(place, crowd.radius[r], isForOne(place));
  const Vec2 preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]};
  const float speed = length(preferred);
  Vec2 way = end.out * (kStand - before) + across * (side * lane - beside);
  if (std::abs(beside) < lane && before < kLaneDepth) {
    // Out of the way first.
    way = across * side + end.out * kBack;
    way = way * (kSlow / length(way));
  }
  const float distance = length(way);
  const Vec2 wished = distance > 1e-3f ? way * (speed * std::min(1.0f, distance / kSlow) / distance) : Vec2{0, 0};
  crowd.preferred_vx[r] = wished.x, crowd.preferred_vy[r] = wished.y;
}

/// Out again by the end where they came in.
void GiveWay::goBack(agents::Crowd& crowd, std::uint32_t r, const Near& near) const {
  const corridors::NarrowPlace& place = places_[near.place];
  const Vec2 preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]};
  const Vec2 axis = place.along({crowd.x[r], crowd.y[r]}).direction;
  const Vec2 back = axis * (length(preferred) * (near.end == 0 ? -1.0f : 1.0f));
  crowd.preferred_vx[r] = back.x, crowd.preferred_vy[r] = back.y;
}

void GiveWay::run(step::StepContext& context) {
  if (!(radius_ > 0)) return;
  findPlaces(context);
  if (places_.empty()) return;
  agents::Crowd& crowd = context.crowd;
  near_.resize(crowd.full());
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) near_[r] = nearOf(crowd, r);
  });
  demand_.assign(places_.size(), {});
  for (std::uint32_t r = 0; r < near_.size(); ++r) {
    const Near& near = near_[r];
    if (near.place == corridors::kNone) continue;
    Demand& demand = demand_[near.place];
    const bool is_held = lengthSquared(Vec2{crowd.vx[r], crowd.vy[r]}) < kHeld * kHeld;
    if (is_held && (near.inside || near.distance < kWaits)) ++demand.held[near.end];
    if (near.inside) {
      ++demand.inside[near.end];
    } else if (near.distance < kWaits) {
      float& nearest = demand.nearest[near.end];
      nearest = demand.waiting[near.end] == 0 ? near.distance : std::min(nearest, near.distance);
      ++demand.waiting[near.end];
      if (near.distance < kNext) ++demand.next[near.end];
    }
  }
  for (std::size_t p = 0; p < places_.size(); ++p) decide(turns_[p], demand_[p], places_[p], context.stepLength());
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      const Near& near = near_[r];
      if (near.place == corridors::kNone) continue;
      const Turn& turn = turns_[near.place];
      const bool own = turn.whose == near.end + 1;
      if (turn.whose == 0 || (own && (near.inside || !turn.closing))) continue;
      if (!steering_.choices()[crowd.profile[r]].give_way || context.isSteeredByProgram(r)) continue;
      if (!near.inside)
        wait(context, r, near);
      else if (demand_[near.place].inside[1 - near.end] > 0)
        goBack(crowd, r, near);
    }
  });
}

/// What was decided about places that are there no more is forgotten in the next step anyway.
void GiveWay::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  std::vector<Turn> turns;
  if (keeps_turns_ || found_for_ == context.terrain.revision() + 1) turns = turns_;
  writer.list(turns, base::kFields);
}

void GiveWay::load(base::ArchiveReader& reader, const step::Loading&) {
  loaded_.clear();
  reader.list(loaded_, base::kFields);
  for (const Turn& turn : loaded_)
    step::Loading::require(turn.whose <= 2 && turn.closing <= 1 && turn.since >= 0, "whose turn it is at a door");
}

void GiveWay::accept(step::StepContext&) {
  turns_ = std::move(loaded_);
  keeps_turns_ = true;
  found_for_ = 0;
}

std::size_t GiveWay::memory() const {
  std::size_t bytes = grid_.bytes() + turns_.capacity() * sizeof(Turn) + near_.capacity() * sizeof(Near) +
                      demand_.capacity() * sizeof(Demand);
  for (const corridors::NarrowPlace& place : places_) bytes += sizeof place + place.axis.capacity() * sizeof(Vec2);
  return bytes;
}

}  // namespace throng::steering
