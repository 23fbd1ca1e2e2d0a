// From the world into a district. Somebody who is bound for it walks to a gate by their planner, takes the first input
// that they can be at in time and that nobody else has taken (Jordao 2015, 6.2: the nearest free slot), lines up for it
// by their steering model, and in the last second follows a smooth curve to its place, time and velocity. Whoever does
// not get there in time, because others were in the way, takes another; the one that was missed stays empty.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/narrowing.h"
#include "base/random.h"
#include "districts/districts.h"

namespace throng::districts {
namespace {

constexpr double kNearest = 4, kFarthest = 7.5;  // m before a gate: between these people wait for their turn
constexpr double kNear = 3;                      // m from their place there: people look for an input
constexpr float kThere = 0.5f;                   // m: who is so near to their place there stands
constexpr double kPeriods = 4;                   // that people take inputs ahead
constexpr double kLookAhead = 0.5;               // s, of those who line up
constexpr double kHurry = 1.4;                   // times their preferred speed, when they line up
constexpr double kLongest = 1.4;                 // s, of the curve that leads in
constexpr double kShortest = 0.3;                // s: later than this before the border nobody gets onto it any more
constexpr double kReserve = 2;                   // s to spare when an input is taken
constexpr double kUnsure = 0.4;       // m/s: how far off somebody simulated may be from where they are expected
constexpr int kLooks = 40;            // moments of a curve that are looked at
constexpr std::uint64_t kSeldom = 4;  // steps from one look for an input to the next

/// Can somebody walk straight there?
bool isOpen(const ground::Floor& floor, Point from, Point to, double radius) {
  constexpr double kStride = 0.3;  // m
  const double distance = length(to - from);
  const int steps = static_cast<int>(distance / kStride) + 1;
  for (int i = 1; i <= steps; ++i) {
    const Point p = from + (to - from) * (static_cast<double>(i) / steps);
    if (!floor.contains(p) || floor.clearance(p, radius) < 0.9 * radius) return false;
  }
  return true;
}

/// Where somebody who crosses the border in so many seconds is when nothing is in their way.
Point placeBefore(const GatePoint& input, double seconds) {
  const double speed = length(input.crossing.velocity);
  return input.crossing.position - input.way * std::min(input.room, std::max(0.0, speed * seconds));
}

}  // namespace

void Districts::setsOut(step::StepContext& context, std::uint32_t row) {
  if (!any() || context.crowd.guide[row] == agents::Guide::kWalk) return;
  setStage(row, Stage::kNone);
  (*on_.gate)[row] = (*on_.refused)[row] = 0;
  const agents::Crowd& crowd = context.crowd;
  if (crowd.activity[row] != agents::Activity::kWalking || crowd.goal[row] == agents::kStartGoal) return;
  const Goal& goal = goals_.of(crowd, row).legs[static_cast<std::size_t>(crowd.goal[row])].goal;
  if (std::holds_alternative<GoalDistrict>(goal.target)) chooseGate(context, row);
}

/// Before a gate, everybody at a place of their own, so that those whose turn it is get past the others.
Point Districts::waitingPlace(const step::StepContext& context, std::uint32_t row, std::uint32_t number) const {
  const agents::Crowd& crowd = context.crowd;
  const Gate& gate = *gates_[number].gate;
  const ground::Floor& floor = context.terrain.floors()[gates_[number].district->layer()];
  base::Random random(base::mix(crowd.person[row]), number);
  const GatePoint& input = gate.inputs[random.bits() % gate.inputs.size()];
  const Point straight = input.crossing.position - input.way * std::min(kNearest, input.room);
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    const double along = random.uniform(-0.25, 1.25) * gate.side.length, out = random.uniform(kNearest, kFarthest);
    const Point place = gate.side.corner + gate.side.tangent * along - gate.side.inward * out;
    if (isOpen(floor, straight, place, crowd.radius[row])) return place;
  }
  return straight;
}

/// The gate where it is soonest one's turn, of those to which no way was refused; the one that they came out of is the
/// last that they try.
void Districts::chooseGate(step::StepContext& context, std::uint32_t row) {
  agents::Crowd& crowd = context.crowd;
  const Goal& goal = goals_.of(crowd, row).legs[static_cast<std::size_t>(crowd.goal[row])].goal;
  const auto district = named(std::get<GoalDistrict>(goal.target).district);
  if (!district) return;
  const Point here{crowd.x[row], crowd.y[row]};
  const auto secondsTo = [&](std::uint32_t g) {
    const patches::Side& side = gates_[g].gate->side;
    const double way = length(side.corner + side.tangent * (0.5 * side.length) - here);
    const double turns = bound_[g] / static_cast<double>(gates_[g].gate->inputs.size());
    return way / crowd.preferred_speed[row] + turns * gates_[g].district->period();
  };
  order_.clear();
  for (std::uint32_t g = first_gate_[*district]; g < first_gate_[*district + 1]; ++g)
    if (!gates_[g].gate->inputs.empty()) order_.push_back(g);
  if (order_.empty()) return;
  const std::uint32_t left = (*on_.left)[row];
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if ((a + 1 == left) != (b + 1 == left)) return b + 1 == left;
    return secondsTo(a) < secondsTo(b);
  });
  const std::uint32_t gate = order_[std::min<std::size_t>((*on_.refused)[row], order_.size() - 1)];
  (*on_.gate)[row] = gate + 1;
  ++bound_[gate];
  const Vec2 place = narrow(waitingPlace(context, row, gate));
  crowd.goal_x[row] = place.x, crowd.goal_y[row] = place.y;
  crowd.goal_layer[row] = gates_[gate].district->layer();
}

bool Districts::isTaken(const Slot& slot) const {
  return std::find(taken_.begin(), taken_.end(), slot) != taken_.end();
}

bool Districts::findSlot(const step::StepContext& context, std::uint32_t row) {
  const agents::Crowd& crowd = context.crowd;
  const GateAt& at = gates_[(*on_.gate)[row] - 1];
  const Point here{crowd.x[row], crowd.y[row]};
  if (length(Point{crowd.goal_x[row], crowd.goal_y[row]} - here) > kNear ||
      crowd.radius[row] > static_cast<float>(kPatchRadius))
    return false;
  const ground::Floor& floor = context.terrain.floors()[crowd.layer[row]];
  const double now = context.clock.time(), period = at.district->period();
  double best = now + kPeriods * period;
  bool found = false;
  for (const GatePoint& input : at.gate->inputs) {
    const double speed = length(input.crossing.velocity);
    if (speed > crowd.max_speed[row]) continue;
    const double lead = std::min(input.room, speed * kLongest + 0.5) / speed;
    const Point place = placeBefore(input, lead);
    const double earliest = now + length(place - here) / crowd.preferred_speed[row] + lead + kReserve;
    auto round = static_cast<std::int64_t>(std::ceil((earliest - input.crossing.time) / period));
    const std::uint32_t part = at.first_part + input.part;
    while (isTaken({part, round})) ++round;
    const double time = input.crossing.time + static_cast<double>(round) * period;
    if (time >= best || !isOpen(floor, here, place, crowd.radius[row])) continue;
    best = time, found = true;
    (*on_.part)[row] = part, (*on_.round)[row] = static_cast<std::uint64_t>(round);
  }
  return found;
}

/// Until then they wait where they are.
bool Districts::isTime(const step::StepContext& context, std::uint32_t row) const {
  const agents::Crowd& crowd = context.crowd;
  const GatePoint& input = inputOf(row);
  const auto [district, part] = where((*on_.part)[row]);
  const double left = district.begin(part, round(row)) - context.clock.time();
  const double lead = std::min(input.room / length(input.crossing.velocity), kLongest + kReserve);
  const double way = length(placeBefore(input, lead) - Point{crowd.x[row], crowd.y[row]});
  return left <= lead + way / crowd.preferred_speed[row] + 2 * kReserve;
}

/// The preferred velocity leads to where somebody is who is in time.
void Districts::lineUp(step::StepContext& context, std::uint32_t row) {
  agents::Crowd& crowd = context.crowd;
  const GatePoint& input = inputOf(row);
  const auto [district, part] = where((*on_.part)[row]);
  const double left = district.begin(part, round(row)) - context.clock.time();
  const Point here{crowd.x[row], crowd.y[row]};
  Point velocity = (placeBefore(input, std::max(left - kLookAhead, input.crossing.gate)) - here) / kLookAhead;
  const double most = std::min<double>(
      crowd.max_speed[row], kHurry * std::max<double>(crowd.preferred_speed[row], length(input.crossing.velocity)));
  if (length(velocity) > most) velocity = normalized(velocity) * most;
  const Vec2 wish = narrow(velocity);
  crowd.preferred_vx[row] = wish.x, crowd.preferred_vy[row] = wish.y;
}

Point Districts::expected(const step::StepContext& context, std::uint32_t row, double time) const {
  const agents::Crowd& crowd = context.crowd;
  if (stage(row) == Stage::kPlayed || stage(row) == Stage::kLeaving)
    return onWalk((*on_.part)[row], round(row), time).position;
  if (stage(row) == Stage::kEntering) {
    const Approach way = approachOf(crowd, row);
    const auto [district, part] = where((*on_.part)[row]);
    if (time < way.end) return way.at(time).position;
    if (time < district.begin(part, round(row))) return way.to.position + way.to.velocity * (time - way.end);
    return onWalk((*on_.part)[row], round(row), time).position;
  }
  const double seconds = time - context.clock.time();
  return {crowd.x[row] + crowd.vx[row] * seconds, crowd.y[row] + crowd.vy[row] * seconds};
}

/// Is there ground under the whole curve and nobody on it, as far as can be foreseen?
bool Districts::isFree(const step::StepContext& context, std::uint32_t row, const Approach& way) const {
  const agents::Crowd& crowd = context.crowd;
  const GatePoint& input = inputOf(row);
  const Gate& gate = *gates_[(*on_.gate)[row] - 1].gate;
  const ground::Floor& floor = context.terrain.floors()[crowd.layer[row]];
  const double radius = crowd.radius[row], crossed = way.end + input.crossing.gate;
  constexpr double kTouch = 0.02;  // m: the border is a wall, which the body touches at the end
  const double fastest = std::max<double>(crowd.max_speed[row], length(way.to.velocity));
  const auto placeAt = [&](double time) {
    return time < way.end ? way.at(time).position : way.to.position + way.to.velocity * (time - way.end);
  };
  for (int i = 0; i <= kLooks; ++i) {
    const double time = way.begin + (way.end - way.begin) * i / kLooks;
    const PatchState state = way.at(time);
    if (length(state.velocity) > fastest * 1.001 || gate.outside(state.position) < kPatchRadius - kTouch ||
        !floor.contains(state.position) || floor.clearance(state.position, radius) < radius - kTouch)
      return false;
  }
  constexpr double kReach = 4;  // m/s: how fast two people can come near each other
  const double seconds = crossed - way.begin;
  for (std::uint32_t other = 0; other < crowd.full(); ++other) {
    if (other == row || crowd.layer[other] != crowd.layer[row]) continue;
    const double apart = radius + crowd.radius[other];
    const Point there{crowd.x[other], crowd.y[other]};
    const double unsure = crowd.guide[other] == agents::Guide::kWalk ? 0.5 * kUnsure : kUnsure;
    if (length(there - way.from.position) > apart + kReach * seconds) continue;
    for (int i = 1; i <= kLooks; ++i) {
      const double time = way.begin + seconds * i / kLooks;
      if (length(expected(context, other, time) - placeAt(time)) < apart + unsure * (time - way.begin)) return false;
    }
  }
  return true;
}

bool Districts::goIn(step::StepContext& context, std::uint32_t row) {
  agents::Crowd& crowd = context.crowd;
  Approach way = approachOf(crowd, row);
  way.begin = context.clock.time();
  if (way.end - way.begin > kLongest) return true;
  if (way.end - way.begin < kShortest) return false;
  if (way.acceleration() > kGentle || !isFree(context, row, way)) return true;  // perhaps in a moment
  setStage(row, Stage::kEntering);
  (*on_.x)[row] = crowd.x[row], (*on_.y)[row] = crowd.y[row];
  (*on_.vx)[row] = crowd.vx[row], (*on_.vy)[row] = crowd.vy[row];
  (*on_.since)[row] = std::bit_cast<std::uint64_t>(way.begin);
  crowd.guide[row] = agents::Guide::kWalk;
  crowd.activity[row] = agents::Activity::kHeading;
  crowd.route_count[row] = 0;
  const goals::Journey& journey = goals_.of(crowd, row);
  if (static_cast<std::size_t>(crowd.goal[row]) + 1 == journey.legs.size() && !crowd.returning[row])
    context.arrivals.push_back({crowd.person[row], context.clock.time()});
  return true;
}

void Districts::enter(step::StepContext& context) {
  if (gates_.empty()) return;
  agents::Crowd& crowd = context.crowd;
  taken_.clear();
  std::fill(bound_.begin(), bound_.end(), 0);
  for (std::uint32_t r = 0; r < crowd.full(); ++r) {
    if ((*on_.gate)[r] > 0) ++bound_[(*on_.gate)[r] - 1];
    if (stage(r) == Stage::kBooked || stage(r) == Stage::kEntering) taken_.emplace_back((*on_.part)[r], round(r));
  }
  for (std::uint32_t r = 0; r < crowd.full(); ++r) {
    if ((*on_.gate)[r] == 0 || crowd.guide[r] != agents::Guide::kGoals || context.isBuried(r)) continue;
    const GateAt& at = gates_[(*on_.gate)[r] - 1];
    if (crowd.route_state[r] == agents::RouteState::kNearest && stage(r) == Stage::kNone && crowd.route_count[r] > 0) {
      // No way leads to this gate; there may be others.
      const auto district = static_cast<std::size_t>(at.district - districts_.data());
      if (++(*on_.refused)[r] < first_gate_[district + 1] - first_gate_[district]) {
        chooseGate(context, r);
        crowd.route_count[r] = 0;
        context.requests.routes.push_back(crowd.id[r]);
        continue;
      }
    }
    if (stage(r) == Stage::kNone && crowd.layer[r] == at.district->layer() &&
        (context.clock.steps() + crowd.person[r]) % kSeldom == 0 && findSlot(context, r)) {
      setStage(r, Stage::kBooked);
      taken_.emplace_back((*on_.part)[r], round(r));
    }
    if (stage(r) != Stage::kBooked || !isTime(context, r)) {
      const Vec2 left{crowd.goal_x[r] - crowd.x[r], crowd.goal_y[r] - crowd.y[r]};
      if (crowd.layer[r] == at.district->layer() && length(left) < kThere)
        crowd.preferred_vx[r] = crowd.preferred_vy[r] = 0;
      continue;
    }
    lineUp(context, r);
    if (!goIn(context, r)) setStage(r, Stage::kNone);  // too late: another input, another time
  }
}

}  // namespace throng::districts
