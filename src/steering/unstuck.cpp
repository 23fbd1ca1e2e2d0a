#include "steering/unstuck.h"

#include <atomic>
#include <cmath>

#include "base/math.h"
#include "base/random.h"
#include "steering/people_near.h"

namespace throng::steering {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work
constexpr float kMoved = 0.3f;       // m: who has come so far has got on
constexpr double kPatience = 2;      // s, to twice that
constexpr double kTurning = 0.4;     // s, to three times that
constexpr float kSpeed = 0.5f;       // of the preferred speed
constexpr float kWants = 0.1f;       // m/s: preferred speeds below this are waiting
constexpr float kBefore = 0.6f;      // cosine of the angle within which others are before somebody
constexpr float kGap = 0.35f;        // m to those
constexpr float kSameWay = 0.5f;     // cosine between two preferred velocities
constexpr float kNearGoal = 2;       // m
constexpr float kTouching = 0.15f;   // m to those who may be in the way from the side
constexpr float kBeside = -0.2f;     // cosine of the angle within which they are
constexpr float kConverging = 0.7f;  // cosine between two preferred velocities that come together
/// The same where nobody has got on for kWedged times as long: many who stand in a ring, each beside the next.
constexpr float kHardlyConverging = 0.98f;
constexpr double kWedged = 3;
constexpr float kLook = 1.5f;  // m

/// Where somebody wants to walk; none for who stands, or is at the end of their way.
Vec2 directionOf(const agents::Crowd& crowd, std::uint32_t row) {
  const Vec2 left{crowd.target_x[row] - crowd.x[row], crowd.target_y[row] - crowd.y[row]};
  if (crowd.activity[row] == agents::Activity::kWalking && length(left) < crowd.radius[row]) return {0, 0};
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  const float speed = length(preferred);
  return speed > kWants ? preferred / speed : Vec2{0, 0};
}

/// Is that a direction? Most people are far from either bound, which takes no root to see.
bool wantsToWalk(const agents::Crowd& crowd, std::uint32_t row) {
  const Vec2 left{crowd.target_x[row] - crowd.x[row], crowd.target_y[row] - crowd.y[row]};
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  const float radius = crowd.radius[row];
  if (lengthSquared(left) > 2 * radius * radius && lengthSquared(preferred) > 2 * kWants * kWants) return true;
  return !(directionOf(crowd, row) == Vec2{0, 0});
}

/// What somebody who wants to walk in a direction has around them.
struct Around {
  bool queues = false, opposed = false, squeezed = false;
  bool wedged = false;   ///< squeezed, or as closely by those who come from nearly the same side
  bool stopped = false;  ///< by somebody who stands
};

void add(const step::StepContext& context, std::uint32_t slot, Vec2 wanted, std::uint32_t other, Around& around) {
  const agents::Crowd& crowd = context.crowd;
  const agents::NeighbourIndex& index = context.neighbours;
  const Vec2 to{index.x()[other] - index.x()[slot], index.y()[other] - index.y()[slot]};
  const float distance = length(to), gap = distance - (crowd.radius[index.row()[slot]] + index.radius()[other]);
  static_assert(kTouching <= kGap);
  if (!(gap < kGap)) return;
  const Vec2 theirs = directionOf(crowd, index.row()[other]);
  const float ahead = dot(to, wanted), same_way = dot(theirs, wanted);
  if (theirs == Vec2{0, 0}) {  // who stands does not make way
    around.stopped |= gap < kTouching && ahead >= kBefore * distance;
    return;
  }
  if (ahead >= kBefore * distance) (same_way > kSameWay ? around.queues : around.opposed) = true;
  around.wedged |= gap < kTouching && ahead > kBeside * distance && same_way < kHardlyConverging;
  around.squeezed |= gap < kTouching && ahead > kBeside * distance && same_way < kConverging;
}

}  // namespace

void GetUnstuck::attach(step::StepContext& context) {
  x_ = y_ = since_ = left_ = turn_cosine_ = turn_sine_ = nullptr;
  bool any = false;
  for (const Steering::Choice& choice : steering_.choices()) any |= choice.unstuck;
  if (!any) return;
  agents::Crowd& crowd = context.crowd;
  x_ = &crowd.attach<float>("unstuck.x"), y_ = &crowd.attach<float>("unstuck.y");
  since_ = &crowd.attach<float>("unstuck.since"), left_ = &crowd.attach<float>("unstuck.left");
  turn_cosine_ = &crowd.attach<float>("unstuck.turn_cosine"), turn_sine_ = &crowd.attach<float>("unstuck.turn_sine");
}

void GetUnstuck::setsOut(step::StepContext&, std::uint32_t row) {
  if (left_) (*left_)[row] = (*since_)[row] = 0;
}

/// Reads the preferred velocities of others: nobody's is changed before everybody has decided.
bool GetUnstuck::decide(step::StepContext& context, std::uint32_t slot) const {
  const agents::Crowd& crowd = context.crowd;
  const agents::NeighbourIndex& index = context.neighbours;
  const std::uint32_t r = index.row()[slot];
  if ((*left_)[r] > 0) return true;
  const Vec2 here{crowd.x[r], crowd.y[r]};
  // Who is nearly there waits until there is room.
  const auto nearGoal = [&] {
    return crowd.activity[r] == agents::Activity::kWalking &&
           lengthSquared(here - Vec2{crowd.goal_x[r], crowd.goal_y[r]}) < kNearGoal * kNearGoal;
  };
  if (lengthSquared(here - Vec2{(*x_)[r], (*y_)[r]}) > kMoved * kMoved || !wantsToWalk(crowd, r)) {
    (*x_)[r] = here.x, (*y_)[r] = here.y, (*since_)[r] = 0;
    return false;
  }
  (*since_)[r] += context.stepLength();
  if ((*since_)[r] < kPatience || nearGoal()) return false;
  base::Random own(crowd.person[r]);
  const double own_patience = own.uniform();
  if ((*since_)[r] < kPatience * (1 + own_patience)) return false;

  const Vec2 wanted = directionOf(crowd, r);
  Around around;
  forEachPersonNear(index, crowd, slot, kLook, [&](std::uint32_t other) { add(context, slot, wanted, other, around); });
  const auto [queues, opposed, squeezed, wedged, stopped] = around;
  const bool held_for_long = wedged && (*since_)[r] > kWedged * kPatience * (1 + own_patience);
  // Who waits for those before them goes on waiting, and so does who is held up by no one.
  if ((queues && !opposed && !stopped) || !(opposed || squeezed || stopped || held_for_long)) return false;
  base::Random now(base::mix(crowd.person[r]) ^ context.clock.steps());
  (*left_)[r] = static_cast<float>(kTurning * (1 + 2 * now.uniform()));
  const double chance = now.uniform();
  // °; to the right rather than to the left of somebody who comes the other way, as nearly everybody does.
  const double angle = opposed ? (chance < 0.6   ? -80.0
                                  : chance < 0.8 ? 80.0
                                                 : 160.0)
                               : (chance < 0.3   ? -90.0
                                  : chance < 0.6 ? 90.0
                                                 : 160.0);
  double sine, cosine;
  base::sinCos(angle * base::kPi / 180, sine, cosine);
  (*turn_cosine_)[r] = static_cast<float>(cosine), (*turn_sine_)[r] = static_cast<float>(sine);
  return true;
}

void GetUnstuck::turn(step::StepContext& context, std::uint32_t r) const {
  agents::Crowd& crowd = context.crowd;
  (*left_)[r] -= context.stepLength();
  if (!((*left_)[r] > 0)) (*x_)[r] = crowd.x[r], (*y_)[r] = crowd.y[r], (*since_)[r] = 0;
  const Vec2 preferred{crowd.preferred_vx[r] * kSpeed, crowd.preferred_vy[r] * kSpeed};
  const float cosine = (*turn_cosine_)[r], sine = (*turn_sine_)[r];
  crowd.preferred_vx[r] = preferred.x * cosine - preferred.y * sine;
  crowd.preferred_vy[r] = preferred.y * cosine + preferred.x * sine;
}

void GetUnstuck::run(step::StepContext& context) {
  if (!left_) return;
  std::atomic<bool> any = false;
  for (std::size_t k = 0; k < steering_.choices().size(); ++k) {
    if (!steering_.choices()[k].unstuck) continue;
    const auto slots = steering_.slotsOf(context, k);
    context.threads.forEach(slots.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      bool turns = false;
      for (const std::uint32_t slot : slots.subspan(begin, end - begin)) turns |= decide(context, slot);
      if (turns) any = true;
    });
  }
  if (!any) return;
  for (std::size_t k = 0; k < steering_.choices().size(); ++k) {
    if (!steering_.choices()[k].unstuck) continue;
    const auto slots = steering_.slotsOf(context, k);
    context.threads.forEach(slots.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      for (const std::uint32_t slot : slots.subspan(begin, end - begin)) {
        const std::uint32_t r = context.neighbours.row()[slot];
        if ((*left_)[r] > 0 && !context.isSteeredByProgram(r)) turn(context, r);
      }
    });
  }
}

}  // namespace throng::steering
