#include "steering/pass_standing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "corridors/corridor_map.h"
#include "steering/people_near.h"

namespace throng::steering {
namespace {

constexpr std::size_t kPiece = 512;            // people per piece of work
constexpr float kWants = 0.1f;                 // m/s: preferred speeds below this are standing
constexpr float kPatience = 1.5f;              // s: who has not got on for so long looks around
constexpr float kLookAgain = 0.5f;             // s, on the way
constexpr float kAfterNothing = 3;             // s, where there was no way
constexpr float kGoing = 8;                    // s: after that people see whether they get on by themselves
constexpr float kMakingWay = 6;                // s
constexpr float kAhead = 3.4f;                 // m of the route within which somebody has to stand in the way
constexpr float kInTheWay = 0.25f;             // m beside two bodies: who stands so near to one's way may hold one up
constexpr float kMargin = 0.03f;               // m beside bodies, on the way between people
constexpr float kWalls = -0.02f;               // m beside one's own, to walls: places of the grid lie where they lie
constexpr float kBeside = 0.9f;                // m: where one's way leads to is taken, and there is room so near to it
constexpr float kAskable = 0.7f;               // m between bodies: who is nearer is asked
constexpr float kOutOfTheWay = 0.12f;          // m beside two bodies
constexpr float kSameGoal = 0.5f;              // m between the goals of two who meet there
constexpr float kThere = 0.08f;                // m
constexpr float kSlowly = 0.7f;                // of the preferred speed, for who makes way
constexpr std::size_t kLegs = 8;               // of the route, at most
constexpr std::size_t kFew = 8, kShare = 200;  // searches in a step: so many, and one for so many people

/// The next metres of somebody's route; straight on for who has none.
std::size_t aheadOf(const step::StepContext& context, std::uint32_t r, std::span<Vec2> line) {
  const agents::Crowd& crowd = context.crowd;
  const Vec2 here{crowd.x[r], crowd.y[r]};
  line[0] = here;
  if (crowd.activity[r] != agents::Activity::kWalking || crowd.guide[r] != agents::Guide::kGoals) {
    const Vec2 preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]};
    line[1] = here + preferred * (kAhead / length(preferred));
    return 2;
  }
  float left = kAhead;
  std::size_t count = 1;
  Vec2 next{crowd.target_x[r], crowd.target_y[r]};
  for (std::uint32_t i = 0; count < line.size(); ++i) {
    const Vec2 leg = next - line[count - 1];
    const float size = length(leg);
    if (size > 1e-3f) {
      line[count] = line[count - 1] + leg * std::min(1.0f, left / size);
      ++count, left -= size;
    }
    if (left <= 0 || i >= crowd.route_count[r] || context.routes.layer(crowd.route_start[r] + i) != crowd.layer[r])
      break;
    next = context.routes.at(crowd.route_start[r] + i);
  }
  if (count == 1) line[count++] = here;
  return count;
}

/// Does somebody want to walk? Who waits for a door to open does not, and is nobody who stands there either.
bool wants(const agents::Crowd& crowd, std::uint32_t row) {
  return lengthSquared(Vec2{crowd.preferred_vx[row], crowd.preferred_vy[row]}) >= kWants * kWants;
}

/// Has somebody arrived where the other one still wants to? Who comes up to such people has arrived, too
/// (docs/models/arriving-in-a-crowd.md).
bool areAtGoalOf(const agents::Crowd& crowd, std::uint32_t row, std::uint32_t other) {
  const Vec2 difference{crowd.goal_x[row] - crowd.goal_x[other], crowd.goal_y[row] - crowd.goal_y[other]};
  return crowd.activity[row] == agents::Activity::kStaying && crowd.activity[other] == agents::Activity::kWalking &&
         crowd.goal_layer[row] == crowd.goal_layer[other] && lengthSquared(difference) < kSameGoal * kSameGoal;
}

}  // namespace

void PassStanding::attach(step::StepContext& context) {
  since_ = nullptr, left_ = nullptr;
  if (context.crowd.find<float>("pass.left")) makeColumns(context.crowd);
}

/// Not before somebody needs them.
void PassStanding::makeColumns(agents::Crowd& crowd) {
  left_ = &crowd.attach<float>("pass.left"), next_ = &crowd.attach<float>("pass.next");
  to_x_ = &crowd.attach<float>("pass.to_x"), to_y_ = &crowd.attach<float>("pass.to_y");
  end_x_ = &crowd.attach<float>("pass.end_x"), end_y_ = &crowd.attach<float>("pass.end_y");
}

void PassStanding::setsOut(step::StepContext&, std::uint32_t row) {
  if (left_) (*left_)[row] = (*next_)[row] = 0;
}

bool PassStanding::stands(const step::StepContext& context, std::uint32_t r) const {
  return context.crowd.activity[r] == agents::Activity::kStaying && !wants(context.crowd, r);
}

bool PassStanding::mustLook(const step::StepContext& context, std::uint32_t slot) const {
  const agents::Crowd& crowd = context.crowd;
  const agents::NeighbourIndex& index = context.neighbours;
  const std::uint32_t r = index.row()[slot];
  if (left_ && (*left_)[r] > 0) return (*next_)[r] <= 0 && (stands(context, r) || wants(crowd, r));
  if ((*since_)[r] < kPatience || (left_ && (*next_)[r] > 0)) return false;
  if (!wants(crowd, r) || context.isSteeredByProgram(r)) return false;
  Vec2 line[kLegs];
  const std::span<const Vec2> ahead(line, aheadOf(context, r, line));
  bool any = false, gathers = false;
  forEachPersonNear(index, crowd, slot, kAhead + 1, [&](std::uint32_t other) {
    if (gathers || !stands(context, index.row()[other])) return;
    const Vec2 at{index.x()[other], index.y()[other]};
    if (distanceToLine(at, ahead) >= crowd.radius[r] + index.radius()[other] + kInTheWay ||
        dot(at - ahead[0], ahead[1] - ahead[0]) <= 0)
      return;
    any = true, gathers = areAtGoalOf(crowd, index.row()[other], r);
  });
  return any && !gathers;
}

/// Nobody walks through those who stand, nor through walls.
void PassStanding::closeOthers(const step::StepContext& context, std::uint32_t slot, std::uint32_t besides,
                               LocalWay& way) const {
  const agents::Crowd& crowd = context.crowd;
  const agents::NeighbourIndex& index = context.neighbours;
  const std::uint32_t r = index.row()[slot];
  way.clear({crowd.x[r], crowd.y[r]});
  way.close(context.terrain.floors()[crowd.layer[r]].walls, crowd.radius[r] + kWalls);
  forEachPersonNear(index, crowd, slot, 1.42f * LocalWay::kHalf + 1, [&](std::uint32_t other) {
    if (other == besides || !stands(context, index.row()[other])) return;
    way.close({index.x()[other], index.y()[other]}, crowd.radius[r] + index.radius()[other] + kMargin);
  });
}

void PassStanding::look(step::StepContext& context, std::uint32_t slot) {
  const agents::Crowd& crowd = context.crowd;
  const std::uint32_t r = context.neighbours.row()[slot];
  static thread_local LocalWay way;
  const Vec2 here{crowd.x[r], crowd.y[r]};
  const bool makes_way = stands(context, r);
  const bool was_going = (*left_)[r] > 0;
  Vec2 line[kLegs], to{(*end_x_)[r], (*end_y_)[r]}, first{0, 0};
  std::size_t count = 2;
  closeOthers(context, slot, slot, way);
  if (!makes_way) {
    count = aheadOf(context, r, line);
    to = line[count - 1];
    bool free = true;
    for (std::size_t i = 1; i < count; ++i) free &= way.isFree(line[i - 1], line[i]);
    if (free && was_going) {  // past them
      (*left_)[r] = 0, (*next_)[r] = 0;
      return;
    }
  }
  const bool taken = !way.isFree(to, to);
  (*next_)[r] = kLookAgain;
  if (way.find(here, to, taken ? kBeside : 0.0f, first)) {
    if (!was_going) (*left_)[r] = kGoing;
    (*to_x_)[r] = first.x, (*to_y_)[r] = first.y;
    return;
  }
  (*left_)[r] = 0, (*next_)[r] = kAfterNothing;
  if (!makes_way) to_do_[slot] = kAsk;
}

/// Whoever stands nearest in somebody's way.
void PassStanding::ask(step::StepContext& context, std::uint32_t slot) {
  const agents::Crowd& crowd = context.crowd;
  const agents::NeighbourIndex& index = context.neighbours;
  const std::uint32_t r = index.row()[slot];
  Vec2 line[kLegs];
  const std::span<const Vec2> ahead(line, aheadOf(context, r, line));
  float nearest = std::numeric_limits<float>::max();
  std::uint32_t asked = slot;
  forEachPersonNear(index, crowd, slot, kAhead, [&](std::uint32_t other) {
    const std::uint32_t o = index.row()[other];
    const Vec2 at{index.x()[other], index.y()[other]};
    const float both = crowd.radius[r] + index.radius()[other], distance = length(at - ahead[0]);
    if (distance >= std::min(nearest, both + kAskable) || !stands(context, o) || o >= crowd.full()) return;
    if (distanceToLine(at, ahead) >= both + kMargin || dot(at - ahead[0], ahead[1] - ahead[0]) <= 0) return;
    if (!steering_.choices()[crowd.profile[o]].unstuck || context.isSteeredByProgram(o) || context.isBuried(o) ||
        crowd.guide[o] != agents::Guide::kGoals)
      return;
    nearest = distance, asked = other;
  });
  const std::uint32_t o = index.row()[asked];
  if (asked == slot || (*left_)[o] > 0) return;
  static thread_local LocalWay way;
  closeOthers(context, asked, asked, way);
  way.close({crowd.x[r], crowd.y[r]}, crowd.radius[r] + crowd.radius[o]);
  Vec2 place{0, 0};
  if (!way.findAside({crowd.x[o], crowd.y[o]}, ahead, crowd.radius[r] + crowd.radius[o] + kOutOfTheWay, place)) return;
  (*left_)[o] = kMakingWay, (*next_)[o] = 0;
  (*end_x_)[o] = (*to_x_)[o] = place.x, (*end_y_)[o] = (*to_y_)[o] = place.y;
}

void PassStanding::head(step::StepContext& context, std::uint32_t r) const {
  agents::Crowd& crowd = context.crowd;
  const bool makes_way = stands(context, r);
  if (!makes_way && !wants(crowd, r)) return;
  const Vec2 here{crowd.x[r], crowd.y[r]}, to = Vec2{(*to_x_)[r], (*to_y_)[r]} - here;
  const float distance = length(to);
  if (context.isSteeredByProgram(r) ||
      (makes_way && lengthSquared(Vec2{(*end_x_)[r], (*end_y_)[r]} - here) < kThere * kThere)) {
    (*left_)[r] = 0;
    return;
  }
  if (distance < kThere) {
    (*next_)[r] = 0;
    return;
  }
  const float speed =
      makes_way ? kSlowly * crowd.preferred_speed[r] : length(Vec2{crowd.preferred_vx[r], crowd.preferred_vy[r]});
  crowd.preferred_vx[r] = to.x * (speed / distance), crowd.preferred_vy[r] = to.y * (speed / distance);
}

void PassStanding::run(step::StepContext& context) {
  if (!since_) since_ = context.crowd.find<float>("unstuck.since");  // of a system further down
  if (!since_) return;
  const agents::NeighbourIndex& index = context.neighbours;
  to_do_.assign(index.slots(), kNothing);
  for (std::size_t k = 0; k < steering_.choices().size(); ++k) {
    if (!steering_.choices()[k].unstuck || steering_.choices()[k].go_round) continue;  // these go round all of them
    const auto slots = steering_.slotsOf(context, k);
    context.threads.forEach(slots.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      for (const std::uint32_t slot : slots.subspan(begin, end - begin))
        to_do_[slot] = mustLook(context, slot) ? kLook : kNothing;
    });
  }
  asking_.clear();
  const std::size_t most = kFew + context.crowd.full() / kShare;
  for (std::uint32_t slot = 0; slot < to_do_.size() && asking_.size() < most; ++slot)
    if (to_do_[slot] == kLook) asking_.push_back(slot);
  if (!left_) {
    if (asking_.empty()) return;
    makeColumns(context.crowd);
  }
  context.threads.forEach(asking_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) look(context, asking_[i]);
  });
  for (const std::uint32_t slot : asking_)
    if (to_do_[slot] == kAsk) ask(context, slot);
  context.threads.forEach(context.crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      (*next_)[r] = std::max(0.0f, (*next_)[r] - context.stepLength());
      if (!((*left_)[r] > 0)) continue;
      (*left_)[r] = std::max(0.0f, (*left_)[r] - context.stepLength());
      head(context, r);
    }
  });
}

}  // namespace throng::steering
