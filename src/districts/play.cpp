// Who is on a walk: where they are, how they come onto it and off it.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/narrowing.h"
#include "districts/districts.h"

namespace throng::districts {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work
/// m outside the border: there is room for the body, and steering takes over.
constexpr double kClear = kPatchRadius + 0.1;
/// s for which somebody who has come out is gentle.
constexpr double kGentleTime = 1;

}  // namespace

const GatePoint& Districts::inputOf(std::uint32_t row) const {
  const GateAt& at = gates_[(*on_.gate)[row] - 1];
  const std::uint32_t part = (*on_.part)[row] - at.first_part;
  return *std::find_if(at.gate->inputs.begin(), at.gate->inputs.end(),
                       [&](const GatePoint& point) { return point.part == part; });
}

/// From where somebody is to where the body begins to cross the border; from there on straight, as the patch expects.
Approach Districts::approachOf(const agents::Crowd& crowd, std::uint32_t row) const {
  const auto [district, part] = where((*on_.part)[row]);
  const PatchState end = district.at(part, round(row), district.begin(part, round(row)));
  const double gate = inputOf(row).crossing.gate;
  Approach way;
  way.end = district.begin(part, round(row)) - gate;
  way.to = {end.position - end.velocity * gate, end.velocity};
  if (stage(row) == Stage::kEntering) {
    way.begin = since(row);
    way.from = {{(*on_.x)[row], (*on_.y)[row]}, {(*on_.vx)[row], (*on_.vy)[row]}};
  } else {
    way.from = {{crowd.x[row], crowd.y[row]}, {crowd.vx[row], crowd.vy[row]}};
  }
  return way;
}

/// On a walk, or on those that it leads on into; after the last straight on.
PatchState Districts::onWalk(std::uint32_t index, std::int64_t round, double time) const {
  auto [district, part] = where(index);
  while (time >= district.end(part, round)) {
    const Part& here = district.parts()[part];
    if (here.is_resident) break;
    if (here.next == kNothing) {
      const double end = district.end(part, round);
      const PatchState last = district.at(part, round, end);
      return {last.position + last.velocity * (time - end), last.velocity};
    }
    round += here.laps;
    part = here.next;
  }
  return district.at(part, round, time);
}

void Districts::put(step::StepContext& context, std::uint32_t r, const PatchState& state, Point facing) const {
  agents::Crowd& crowd = context.crowd;
  const Vec2 at = narrow(state.position), velocity = narrow(state.velocity);
  crowd.x[r] = at.x, crowd.y[r] = at.y;
  crowd.vx[r] = crowd.next_vx[r] = crowd.preferred_vx[r] = velocity.x;
  crowd.vy[r] = crowd.next_vy[r] = crowd.preferred_vy[r] = velocity.y;
  const float speed = length(velocity);
  const Vec2 heading = speed > 0 ? velocity / speed : narrow(facing);
  crowd.face(r, heading);
  const ground::GroundAt ground = context.terrain.floors()[crowd.layer[r]].groundAt(at);
  crowd.z[r] = ground.z;
  if (auto* slope = crowd.find<float>(agents::kSlope)) (*slope)[r] = dot(ground.gradient, heading);
}

Districts::Event Districts::playWalk(step::StepContext& context, std::uint32_t r) {
  const double now = context.clock.time();
  while (true) {
    const auto [district, part] = where((*on_.part)[r]);
    const Part& here = district.parts()[part];
    if (here.is_resident || now < district.end(part, round(r))) {
      put(context, r, district.at(part, round(r), now), district.facing(part));
      return Event::kNone;
    }
    if (here.next == kNothing) {
      if (here.gate != kNothing) return setStage(r, Stage::kLeaving), playExit(context, r);
      put(context, r, onWalk((*on_.part)[r], round(r), now), {1, 0});
      return Event::kGone;
    }
    const std::uint32_t first = (*on_.part)[r] - part;
    (*on_.round)[r] = static_cast<std::uint64_t>(round(r) + here.laps);
    (*on_.part)[r] = first + here.next;
  }
}

/// Straight on over the border; then no faster than somebody can walk who is simulated.
Districts::Event Districts::playExit(step::StepContext& context, std::uint32_t r) {
  agents::Crowd& crowd = context.crowd;
  const auto [district, part] = where((*on_.part)[r]);
  const Gate& gate = district.gates()[district.parts()[part].gate];
  const Point here{crowd.x[r], crowd.y[r]};
  PatchState state = onWalk((*on_.part)[r], round(r), context.clock.time());
  if (gate.outside(here) >= kClear) {
    const Point velocity{crowd.vx[r], crowd.vy[r]};
    const double speed = length(velocity), most = crowd.max_speed[r];
    const double slower = std::max(most, speed - kGentle * context.dt);
    state.velocity = speed > most ? velocity * (slower / speed) : velocity;
    state.position = here + state.velocity * context.dt;
  }
  put(context, r, state, {1, 0});
  const bool is_out = gate.outside(state.position) >= kClear && length(state.velocity) <= crowd.max_speed[r] * 1.0001;
  return is_out ? Event::kCameOut : Event::kNone;
}

Districts::Event Districts::playOne(step::StepContext& context, std::uint32_t r) {
  if (stage(r) == Stage::kEntering) {
    const auto [district, part] = where((*on_.part)[r]);
    const double now = context.clock.time(), begin = district.begin(part, round(r));
    if (now < begin) {
      const Approach way = approachOf(context.crowd, r);
      const Point straight = way.to.position + way.to.velocity * (now - way.end);
      put(context, r, now < way.end ? way.at(now) : PatchState{straight, way.to.velocity}, {1, 0});
      return Event::kNone;
    }
    setStage(r, Stage::kPlayed);
    (*on_.gate)[r] = 0;
  }
  if (stage(r) == Stage::kLeaving) return playExit(context, r);
  return playWalk(context, r);
}

void Districts::play(step::StepContext& context) {
  if (street_) return playStreet(context);
  if (districts_.empty()) return;
  agents::Crowd& crowd = context.crowd;
  events_.assign(crowd.size(), Event::kNone);
  context.threads.forEach(crowd.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r)
      if (crowd.guide[r] == agents::Guide::kWalk) events_[r] = playOne(context, r);
  });
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (events_[r] == Event::kGone) context.requests.leaving.push_back(crowd.id[r]);
    if (events_[r] == Event::kCameOut) comeOut(context, r);
  }
}

/// From now on simulated. Their goals begin, or go on after that which led them into the district.
void Districts::comeOut(step::StepContext& context, std::uint32_t r) {
  agents::Crowd& crowd = context.crowd;
  const auto [district, part] = where((*on_.part)[r]);
  const auto of = static_cast<std::size_t>(&district - districts_.data());
  const std::uint32_t gate = first_gate_[of] + district.parts()[part].gate;
  const bool native = context.scene.populations[crowd.population[r]].district == names_[of];
  const goals::Journey& journey = goals_.of(crowd, r);
  const auto last = static_cast<std::int32_t>(journey.legs.size()) - 1;
  crowd.guide[r] = agents::Guide::kGoals;
  (*on_.left)[r] = gate + 1;
  if (native || crowd.goal[r] == agents::kStartGoal)  // home is outside
    crowd.start_x[r] = crowd.x[r], crowd.start_y[r] = crowd.y[r], crowd.start_layer[r] = crowd.layer[r];
  if (!crowd.returning[r] && crowd.goal[r] < last)
    ++crowd.goal[r];
  else if (crowd.returning[r] || journey.repeats || (!native && journey.on_arrival == OnArrival::kGoBack))
    goals::advance(crowd, r, journey);
  else if (native)
    crowd.goal[r] = 0;
  crowd.forget(r);
  goals_.begin(context, r);
  setStage(r, Stage::kReleased);
  (*on_.since)[r] = std::bit_cast<std::uint64_t>(context.clock.time());
}

void Districts::settle(step::StepContext& context) {
  if (districts_.empty()) return;
  agents::Crowd& crowd = context.crowd;
  const float most = static_cast<float>(kGentle) * context.stepLength();
  for (std::uint32_t r = 0; r < crowd.full(); ++r) {
    if (stage(r) != Stage::kReleased) continue;
    if (context.clock.time() - since(r) >= kGentleTime) {
      setStage(r, Stage::kNone);
      continue;
    }
    const Vec2 now{crowd.vx[r], crowd.vy[r]}, change = Vec2{crowd.next_vx[r], crowd.next_vy[r]} - now;
    const float size = length(change);
    if (!(size > most)) continue;
    crowd.next_vx[r] = now.x + change.x * (most / size), crowd.next_vy[r] = now.y + change.y * (most / size);
  }
}

void Districts::playStreet(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  const auto& seen = street_->seen(context.clock.time(), context.dt);
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (stage(r) != Stage::kOnStreet) continue;
    const auto found =
        std::lower_bound(seen.begin(), seen.end(), crowd.person[r],
                         [](const Street::Person& p, std::uint32_t number) { return p.number < number; });
    if (found == seen.end() || found->number != crowd.person[r]) {
      context.requests.leaving.push_back(crowd.id[r]);
      continue;
    }
    put(context, r, found->state, found->heading);
    const Vec2 heading = narrow(found->heading);
    crowd.face(r, heading);
  }
}

}  // namespace throng::districts
