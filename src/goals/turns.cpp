#include "goals/turns.h"

#include <algorithm>

#include "base/random.h"
#include "ground/placement.h"

namespace throng::goals {
namespace {

constexpr float kWaitingPlace = 0.5f;  // m to a place of one's own
constexpr float kHardly = 0.3f;        // of the preferred speed
constexpr float kHeldUp = 3;           // s: who is so slow for so long stays where they are
/// m to walls, where there is so much room: streets that lead to a place stay free.
constexpr double kOffWalls = 5;

constexpr int kTries = 8;  // to find a place where people do not come and go

}  // namespace

void Turns::attach(agents::Crowd& crowd) {
  ticket_ = &crowd.attach<std::uint32_t>("turns.ticket");
  held_up_ = &crowd.attach<float>("turns.held_up");
}

const Turns::Gate* Turns::gateOf(const agents::Crowd& crowd, std::uint32_t row) const {
  for (const Gate& gate : gates_)
    if (gate.journey == crowd.journey[row] && gate.goal == crowd.goal[row]) return &gate;
  return nullptr;
}

bool Turns::waits(step::StepContext& context, std::uint32_t r) {
  agents::Crowd& crowd = context.crowd;
  Gate* gate = ticket_ ? gateOf(crowd, r) : nullptr;
  if (!gate) return false;
  if (gate->waiting == 0 && gate->may_go >= 1) {
    --gate->may_go;
    return false;
  }
  if (gate->waiting >= gate->room) return false;
  ++gate->waiting;
  (*ticket_)[r] = ++last_;
  (*held_up_)[r] = 0;
  base::Random random(crowd.random[r]);
  const ground::Floor& floor = context.terrain.floors()[gate->layer];
  auto place = ground::samplePlace(gate->surroundings, kOffWalls, floor, random);
  for (int i = 0; place && i < kTries && length(*place - gate->middle) < gate->kept_free; ++i)
    place = ground::samplePlace(gate->surroundings, kOffWalls, floor, random);
  if (place) {
    crowd.goal_x[r] = static_cast<float>(place->x);
    crowd.goal_y[r] = static_cast<float>(place->y);
    crowd.goal_layer[r] = gate->layer;
    context.requests.routes.push_back(crowd.id[r]);
  }
  crowd.random[r] = random.state();
  return true;
}

bool Turns::isAtPlace(const step::StepContext& context, std::uint32_t r) const {
  const agents::Crowd& crowd = context.crowd;
  const Vec2 left{crowd.goal_x[r] - crowd.x[r], crowd.goal_y[r] - crowd.y[r]};
  if (lengthSquared(left) <= kWaitingPlace * kWaitingPlace) return true;
  const Gate* gate = gateOf(crowd, r);
  const Point here{crowd.x[r], crowd.y[r]};
  if (gate && length(here - gate->middle) < gate->kept_free &&
      length(gate->middle - Point{crowd.goal_x[r], crowd.goal_y[r]}) >= gate->kept_free)
    return false;  // others come and go there
  float& held_up = (*held_up_)[r];
  const bool slow = length(Vec2{crowd.vx[r], crowd.vy[r]}) < kHardly * crowd.preferred_speed[r];
  held_up = slow ? held_up + context.stepLength() : 0;
  return held_up >= kHeldUp;
}

void Turns::forget(std::uint32_t row) {
  if (ticket_) (*ticket_)[row] = 0;
}

void Turns::count(const agents::Crowd& crowd) {
  for (Gate& gate : gates_) gate.waiting = 0;
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    if (isWaiting(r))
      if (Gate* gate = gateOf(crowd, r)) ++gate->waiting;
}

void Turns::next(const agents::Crowd& crowd, std::vector<std::uint32_t>& rows) {
  rows.clear();
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    if (isWaiting(r)) rows.push_back(r);
  const auto first = [&](std::uint32_t a, std::uint32_t b) { return (*ticket_)[a] < (*ticket_)[b]; };
  std::sort(rows.begin(), rows.end(), first);
  std::erase_if(rows, [&](std::uint32_t r) {
    Gate* gate = gateOf(crowd, r);
    if (gate && gate->may_go < 1) return true;
    if (gate) --gate->may_go, gate->waiting -= gate->waiting > 0;
    return false;
  });
  for (const std::uint32_t r : rows) (*ticket_)[r] = 0;
}

}  // namespace throng::goals
