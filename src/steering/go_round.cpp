#include "steering/go_round.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "corridors/visibility.h"

namespace throng::steering {
namespace {

constexpr std::size_t kPiece = 256;  // people per piece of work
constexpr double kLookEvery = 0.5;   // s
constexpr float kFar = 14;           // m of the route that people look along
constexpr float kNear = 3;           // m: who is so near to the end of that does not go round anything
constexpr float kWants = 0.1f;       // m/s: preferred speeds below this are waiting
/// People per m²: up to here they are in nobody's way; from here on everybody walks as they do.
constexpr float kFree = 0.8f, kFull = 2.5f;
constexpr float kSlowest = 0.1f;  // m/s: nobody is believed to be slower
/// A square is a jam with so many people per m², slower than this, m/s.
constexpr float kJam = 1.5f, kJamSpeed = 0.5f;
/// A way is looked at again when it takes longer than this times as long as without anybody, and so many s more.
constexpr float kSlow = 1.25f, kDelay = 1;
/// Another must take less than this share of it, and so many s less; the side that was chosen before a little more.
constexpr float kBetter = 0.75f, kWorthIt = 2, kStays = 0.85f;
/// m to the left of the middle of the way: where detours go by.
constexpr std::array<float, 8> kSides{2, -2, 4, -4, 6.5f, -6.5f, 9.5f, -9.5f};
constexpr float kArea = kSquareSide * kSquareSide;
constexpr float kThere = 1;        // m from where a detour goes by
constexpr std::size_t kLegs = 16;  // of the route, at most
/// m from the middle of a passage to the wall: people queue before what is narrower.
constexpr double kDoor = 1.2;

/// Does a way pass a place before which people queue? Looked at every metre.
bool passesDoor(const corridors::CorridorMap& map, std::uint16_t floor, std::span<const Vec2> way) {
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const Vec2 leg = way[i + 1] - way[i];
    const float count = std::ceil(length(leg));
    for (float k = 0; k < count; ++k) {
      const Vec2 place = way[i] + leg * ((k + 0.5f) / count);
      const Point at{place.x, place.y};
      const corridors::Located cell = map.locate(at, floor);
      if (!cell || map.retract(cell, at).clearance < kDoor) return true;
    }
  }
  return false;
}

}  // namespace

void WalkingSpeeds::clear(std::size_t people) {
  squares_.clear(people);
  blocks_.clear(people);
}

void WalkingSpeeds::add(Vec2 at, std::uint16_t floor, Vec2 velocity, Vec2 wanted) {
  Square& square = squares_.use(at, floor);
  ++square.people;
  square.speeds += length(velocity);
  square.velocity = square.velocity + velocity, square.wanted = square.wanted + wanted;
  square.at = at, square.floor = floor;
}

void WalkingSpeeds::finish() {
  squares_.forEach([&](const Square& square) {
    if (square.people < kJam * kArea || square.speeds > kJamSpeed * square.people) return;
    for (const float dx : {-1.0f, 0.0f, 1.0f})
      for (const float dy : {-1.0f, 0.0f, 1.0f})
        ++blocks_.use(blockOf(square.at) + Vec2{dx, dy} * kSquareSide, square.floor).jams;
  });
}

float WalkingSpeeds::timeAlong(Vec2 self, std::uint16_t floor, float free, Vec2 wanted, Vec2 from, Vec2 to) const {
  const float distance = length(to - from);
  if (!(distance > 0)) return 0;
  const Vec2 way = (to - from) / distance;
  const float count = std::ceil(distance / kSquareSide), step = distance / count;
  float time = 0;
  for (float k = 0; k < count; ++k) {
    const Vec2 at = from + way * (step * (k + 0.5f));
    const Square& square = squares_.at(at, floor);
    float speed = free;
    if (square.people > 0) {
      const bool own = lengthSquared(at - self) < kSquareSide * kSquareSide;  // nobody is in their own way
      const float density = (square.people - (own ? 1.0f : 0.0f)) / kArea;
      const float full = std::clamp((density - kFree) / (kFull - kFree), 0.0f, 1.0f);
      const float same = std::max(0.0f, dot(square.wanted, wanted) / square.people);
      // With those who go along as fast as they do, across at half of it, against them not at all.
      const float among = std::max(kSlowest, 0.5f * (square.speeds + dot(square.velocity, way)) / square.people);
      speed += full * (1 - same * same) * (std::min(among, free) - free);
    }
    time += step / speed;
  }
  return time;
}

void GoRound::attach(step::StepContext& context) {
  side_ = by_x_ = by_y_ = nullptr;
  bool any = false;
  for (const Steering::Choice& choice : steering_.choices()) any |= choice.go_round;
  if (!any || !context.terrain.map()) return;
  agents::Crowd& crowd = context.crowd;
  side_ = &crowd.attach<float>("go_round.side");
  by_x_ = &crowd.attach<float>("go_round.by_x"), by_y_ = &crowd.attach<float>("go_round.by_y");
}

void GoRound::setsOut(step::StepContext&, std::uint32_t row) {
  if (side_) (*side_)[row] = 0;
}

void GoRound::run(step::StepContext& context) {
  if (!side_) attach(context);  // a map may have come
  if (!side_) return;
  const auto interval = static_cast<std::uint64_t>(std::max(1.0, std::round(kLookEvery / context.dt)));
  if (context.clock.steps() % interval == 0) look(context);
  context.threads.forEach(context.crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r)
      if ((*side_)[r] != 0) head(context, r);
  });
}

void GoRound::look(step::StepContext& context) {
  const agents::Crowd& crowd = context.crowd;
  speeds_.clear(crowd.full());
  for (std::uint32_t r = 0; r < crowd.full(); ++r) {
    const Vec2 preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]};
    const float speed = length(preferred);
    speeds_.add({crowd.x[r], crowd.y[r]}, crowd.layer[r], {crowd.vx[r], crowd.vy[r]},
                speed > kWants ? preferred / speed : Vec2{});
  }
  speeds_.finish();
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      if (!steering_.choices()[crowd.profile[r]].go_round) continue;
      if (speeds_.isCalm({crowd.x[r], crowd.y[r]}, crowd.layer[r]))
        (*side_)[r] = 0;
      else
        decide(context, r);
    }
  });
}

void GoRound::decide(const step::StepContext& context, std::uint32_t r) const {
  const agents::Crowd& crowd = context.crowd;
  const float before = std::exchange((*side_)[r], 0.0f), free = crowd.preferred_speed[r];
  const Vec2 preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]}, here{crowd.x[r], crowd.y[r]};
  const float speed = length(preferred);
  if (speed < kWants || crowd.activity[r] != agents::Activity::kWalking || crowd.guide[r] != agents::Guide::kGoals ||
      context.isSteeredByProgram(r))
    return;
  const Vec2 wanted = preferred / speed;
  const auto timeAlong = [&](Vec2 from, Vec2 to) {
    return speeds_.timeAlong(here, crowd.layer[r], free, wanted, from, to);
  };
  // Along the route.
  Vec2 at = here, next{crowd.target_x[r], crowd.target_y[r]};
  float left = kFar, time = 0;
  std::array<Vec2, kLegs + 1> points{here};
  std::size_t legs = 0;
  for (std::uint32_t i = 0;; ++i) {
    const float leg = length(next - at), share = leg > left ? left / leg : 1.0f;
    const Vec2 to = at + (next - at) * share;
    time += timeAlong(at, to);
    left -= leg * share, at = to;
    points[++legs] = at;
    if (!(left > 1e-3f) || i >= crowd.route_count[r] || legs == kLegs) break;
    next = context.routes.at(crowd.route_start[r] + i);
  }
  const float straight = length(at - here);
  if (straight < kNear || time < kSlow * (kFar - left) / free + kDelay) return;
  const corridors::CorridorMap& map = *context.terrain.map();
  const bool door = passesDoor(map, crowd.layer[r], std::span(points).first(legs + 1));
  const Vec2 middle = (here + at) * 0.5f, along = (at - here) / straight, across{-along.y, along.x};
  // The quickest side first, as far as can be walked.
  struct Detour {
    float time, side;
  };
  std::array<Detour, kSides.size()> found;
  std::size_t count = 0;
  const float most = std::min(kBetter * time, time - kWorthIt);
  for (const float side : kSides) {
    const Vec2 by = middle + across * side;
    const float taken = (timeAlong(here, by) + timeAlong(by, at)) * (side * before > 0 ? kStays : 1.0f);
    if (taken < most) found[count++] = {taken, side};
  }
  std::sort(found.begin(), found.begin() + count, [](const Detour& a, const Detour& b) { return a.time < b.time; });
  const Point from{crowd.x[r], crowd.y[r]}, end{at.x, at.y};
  const corridors::Located cell = count > 0 ? map.locate(from, crowd.layer[r]) : corridors::Located{};
  if (!cell) return;
  const double fit = std::min<double>(crowd.radius[r], map.nearest(cell, from).distance) * 0.98;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec2 by = middle + across * found[k].side;
    const corridors::Sight first = corridors::lookAlong(map, cell, from, {by.x, by.y}, fit);
    if (!first.clear || !corridors::lookAlong(map, first.located(), first.end, end, fit).clear) continue;
    // Before a door nobody passes those who queue; but who finds a way beside it, round the bench that makes the street
    // narrow here, need not queue.
    if (door && passesDoor(map, crowd.layer[r], std::array{here, by, at})) continue;
    (*side_)[r] = found[k].side, (*by_x_)[r] = by.x, (*by_y_)[r] = by.y;
    return;
  }
}

/// Towards where the detour goes by. Who is there looks where the route is by themselves.
void GoRound::head(step::StepContext& context, std::uint32_t r) const {
  agents::Crowd& crowd = context.crowd;
  const Vec2 to = Vec2{(*by_x_)[r], (*by_y_)[r]} - Vec2{crowd.x[r], crowd.y[r]};
  const float distance = length(to), speed = length(Vec2{crowd.preferred_vx[r], crowd.preferred_vy[r]});
  if (distance < kThere || crowd.activity[r] != agents::Activity::kWalking || context.isSteeredByProgram(r)) {
    (*side_)[r] = 0;
    return;
  }
  crowd.preferred_vx[r] = to.x * (speed / distance), crowd.preferred_vy[r] = to.y * (speed / distance);
}

}  // namespace throng::steering
