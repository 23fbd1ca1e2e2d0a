#include "goals/arrive.h"

#include <algorithm>

namespace throng::goals {
namespace {

constexpr std::size_t kPiece = 512;   // people per piece of work
constexpr float kOwnPlace = 0.3f;     // m to a place of one's own in an area
constexpr float kInReach = 0.6f;      // m between two bodies: an arm
constexpr float kSlow = 0.3f;         // of the preferred speed
constexpr float kGathering = 10;      // m: nobody who is farther from their goal has come up to those at it
constexpr std::size_t kLookedAt = 8;  // people
constexpr float kPatience = 2;        // s: who gets no nearer for so long
constexpr float kCrush = 5;           // m: how far from a goal people can be held up by those who leave it
constexpr float kStands = 0.2f;       // m/s
constexpr float kSameGoal = 0.5f;     // m between the goals of two people who meet there
constexpr float kBefore = 0.1f;       // cosine of the angle within which others are before somebody,
constexpr float kBeside = -0.5f;      // and of those who touch them
constexpr float kTouching = 0.15f;    // m

/// Does somebody mean to stay in the area that they go to?
bool staysIn(const agents::Crowd& crowd, std::uint32_t row, const Journey& journey) {
  if (journey.on_arrival != OnArrival::kStay || crowd.goal[row] == agents::kStartGoal) return false;
  const auto leg = static_cast<std::size_t>(crowd.goal[row]);
  return leg + 1 == journey.legs.size() && std::holds_alternative<GoalArea>(journey.legs[leg].goal.target);
}

}  // namespace

Arrive::Arrive(const Scene& scene, Goals& goals) : goals_(goals) {
  for (const Profile& profile : scene.profiles) shares_.push_back(profile.share_goals);
}

void Arrive::attach(step::StepContext& context) {
  const bool any = std::find(shares_.begin(), shares_.end(), 1) != shares_.end();
  held_up_ = any ? &context.crowd.attach<float>("arrive.held_up") : nullptr;
}

void Arrive::setsOut(step::StepContext&, std::uint32_t row) {
  if (held_up_) (*held_up_)[row] = 0;
}

bool Arrive::isThere(step::StepContext& context, std::uint32_t r) const {
  const agents::Crowd& crowd = context.crowd;
  if (goals_.turns().isWaiting(r)) return goals_.turns().isAtPlace(context, r);
  const Journey& journey = goals_.of(crowd, r);
  const Vec2 left{crowd.goal_x[r] - crowd.x[r], crowd.goal_y[r] - crowd.y[r]};
  // Without a look at the journey for those who are on the way yet.
  const bool near = lengthSquared(left) <= goals_.reach() * goals_.reach();
  const bool is = near && reached(crowd, r, journey);
  if (!shares_[crowd.profile[r]] || r >= crowd.full()) return is;
  const bool stays_in = near && staysIn(crowd, r, journey);
  if (is && !stays_in) return true;
  if (crowd.goal_layer[r] != crowd.layer[r] || lengthSquared(left) > kGathering * kGathering) return false;
  float tolerance = kHomeTolerance;
  if (stays_in) {
    tolerance = kOwnPlace;
    if (lengthSquared(left) <= kOwnPlace * kOwnPlace) return true;
  } else if (crowd.goal[r] != agents::kStartGoal) {
    const Goal& goal = journey.legs[static_cast<std::size_t>(crowd.goal[r])].goal;
    if (std::holds_alternative<GoalArea>(goal.target) || std::holds_alternative<GoalDistrict>(goal.target))
      return false;
    tolerance = static_cast<float>(toleranceOf(goal));
  }
  return isHeldUpForLong(context, r, tolerance);
}

bool Arrive::isHeldUpForLong(step::StepContext& context, std::uint32_t r, float tolerance) const {
  float& held_up = (*held_up_)[r];
  // Who finds a gap on their way around the others has not got in yet.
  if (isHeldUp(context, r, tolerance))
    held_up += context.stepLength();
  else
    held_up = std::max(0.0f, held_up - context.stepLength() / 4);
  return held_up >= kPatience;
}

/// Has somebody who gets no nearer any more come up to others before them, who stand there or stay at the same goal?
bool Arrive::isHeldUp(const step::StepContext& context, std::uint32_t r, float tolerance) const {
  const agents::Crowd& crowd = context.crowd;
  const Vec2 here{crowd.x[r], crowd.y[r]}, goal{crowd.goal_x[r], crowd.goal_y[r]}, left = goal - here;
  const float nearer = dot(Vec2{crowd.vx[r], crowd.vy[r]}, left);  // walking around the others is no use
  if (nearer > kSlow * crowd.preferred_speed[r] * length(left)) return false;
  const agents::NeighbourIndex& index = context.neighbours;
  static thread_local std::vector<agents::NeighbourIndex::Found> found;
  index.nearest(here, index.zone(crowd, r), kLookedAt, 4 * crowd.radius[r] + kInReach, r, found);
  for (const auto& [squared, slot] : found) {
    const std::uint32_t other = index.row()[slot];
    const Vec2 there{crowd.x[other], crowd.y[other]}, to = there - here;
    const float distance = length(to), gap = distance - crowd.radius[r] - crowd.radius[other];
    if (gap > kInReach || dot(to, left) < (gap < kTouching ? kBeside : kBefore) * distance * length(left)) continue;
    const float beyond = lengthSquared(goal - there);
    const float at_it = tolerance + crowd.radius[other];
    const Vec2 theirs{crowd.goal_x[other], crowd.goal_y[other]};
    const bool same_goal = (crowd.journey[other] == crowd.journey[r] && crowd.goal[other] == crowd.goal[r]) ||
                           lengthSquared(theirs - goal) <= kSameGoal * kSameGoal;
    const bool stays_there = crowd.activity[other] == agents::Activity::kStaying && same_goal;
    // Who has been there cannot leave for those who still want to get there.
    const bool has_been =
        goals_.of(crowd, r).repeats ? crowd.goal[other] != crowd.goal[r] : crowd.goal[other] > crowd.goal[r];
    const bool cannot_leave = crowd.journey[other] == crowd.journey[r] && has_been &&
                              lengthSquared(left) < kCrush * kCrush &&
                              lengthSquared(Vec2{crowd.vx[other], crowd.vy[other]}) < kStands * kStands;
    if (beyond <= at_it * at_it || stays_there || cannot_leave) return true;
  }
  return false;
}

void leave(step::StepContext& context, Goals& goals, std::uint32_t row) {
  goals.release(context.crowd.journey[row]);
  context.crowd.remove(context.crowd.id[row]);
}

void Arrive::run(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  // Found in parallel, then carried out one after the other in the order of rows.
  there_.assign(crowd.size(), 0);
  context.threads.forEach(crowd.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r)
      there_[r] = crowd.activity[r] == agents::Activity::kWalking && crowd.guide[r] == agents::Guide::kGoals &&
                  isThere(context, r);
  });
  leaving_.clear();
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (!there_[r]) continue;
    if (goals_.turns().isWaiting(r)) {
      crowd.activity[r] = agents::Activity::kStaying;
      continue;
    }
    if (goals_.of(crowd, r).repeats && goals_.turns().waits(context, r)) {
      context.arrivals.push_back({crowd.person[r], context.clock.time()});
      continue;
    }
    const Next next = advance(crowd, r, goals_.of(crowd, r));
    if (next != Next::kGoOn) context.arrivals.push_back({crowd.person[r], context.clock.time()});
    if (next == Next::kLeave) {
      leaving_.push_back(crowd.id[r]);
    } else if (crowd.activity[r] != agents::Activity::kStaying) {
      goals_.begin(context, r);
    }
  }
  for (const AgentId id : leaving_) leave(context, goals_, crowd.row(id));
  for (const AgentId id : context.requests.leaving)
    if (crowd.contains(id)) leave(context, goals_, crowd.row(id));
  context.requests.leaving.clear();
}

void Arrive::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  Goals::Saved saved = goals_.saved(context.own_populations);
  saved.fields(writer);
}

void Arrive::load(base::ArchiveReader& reader, const step::Loading& loading) {
  loaded_.fields(reader);
  goals_.requireSound(loaded_, loading);
}

void Arrive::accept(step::StepContext&) { goals_.restore(std::move(loaded_)); }

}  // namespace throng::goals
