// The reference point is the nearest place of the route between the reference point and the attraction point of the
// step before. From there on, up to the shortcut parameter, all parts of the route that can be seen have candidates: at
// their ends and at every sampling distance between. Walking straight to one costs Σ weight · length over the ground
// that is crossed; that divided by how far along the route the candidate lies is its weight, and the least one
// attracts, the farthest of several. The reference point itself is no candidate, lest anybody stop.
//
// A disc sees what it can walk to as it is, and pays for the dearest ground that it touches; a point for what is under
// it. The thesis also has discs that see and points that pay (section 7.3): so these are two parameters.
#include "following/miran.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/narrowing.h"
#include "corridors/visibility.h"
#include "following/heading.h"
#include "following/region_fan.h"
#include "following/route_ahead.h"
#include "following/route_sight.h"
#include "geometry/predicates.h"

namespace throng::following {
namespace {

/// Of the body: as much of it must fit. Routes keep the whole body off walls, and rounding must not hide them.
constexpr double kFit = 0.98, kRounded = 0.9;
/// m; the body of a point.
constexpr double kPoint = 1e-3;
/// m; what lies no farther along the route is the reference point itself.
constexpr double kHere = 0.01;
/// Weights that differ by less are the same: rounding does not decide whether somebody looks far ahead.
constexpr double kSame = 1e-9;
/// Who is on ground where they never walk leaves it on a way that lies so little longer on it than the shortest: times
/// that, and a share of the body.
constexpr double kLeaving = 1.5, kOfBody = 0.5;

/// Memory that is kept from one person to the next.
struct Scratch {
  RouteAhead ahead;
  RouteSight sight;
  RegionFan fan;
  RegionFan body;  ///< of the whole body, where the fan is of less
  std::vector<Interval> visible;
  ground::RegionWeights weights;
  ground::RegionWeights kept_off;  ///< 1, or infinity for ground that the body keeps off
};

/// A place of the stretch that attracts.
struct Attraction {
  Point at;
  std::size_t leg = 0;
};

class Miran {
 public:
  Miran(const FollowInput& input, std::span<const float> parameters, Scratch& scratch)
      : input_(input),
        crowd_(input.crowd),
        shortcut_(parameters[0]),
        sampling_(parameters[1]),
        disc_(parameters[2] >= 0.5f),
        touching_(parameters[3] >= 0.5f ? Touching::kDearest : Touching::kCheapest),
        scratch_(scratch),
        ahead_(scratch.ahead) {}

  void walk(std::uint32_t r) {
    if (crowd_.lost[r]) crowd_.lost[r] = 0;
    if (crowd_.route_count[r] == 0) {
      const Point goal{crowd_.goal_x[r], crowd_.goal_y[r]};
      crowd_.target_x[r] = crowd_.goal_x[r], crowd_.target_y[r] = crowd_.goal_y[r];
      return walkTowards(crowd_, r, goal, true, input_.dt);
    }
    const Point here{crowd_.x[r], crowd_.y[r]};
    knowGround(r);
    moveReference(r, here);
    lookAhead(r);
    Attraction to = before_;
    if (!attracted(r, here, to)) crowd_.lost[r] = 1;
    head(r, to);
  }

 private:
  std::uint32_t behind(std::uint32_t r) const { return std::min(input_.miran->behind[r], crowd_.route_start[r]); }
  Point wayPoint(std::uint32_t place) const { return wide(input_.routes.at(place)); }

  /// To the first of the nearest places between reference point and attraction point (section 6.3.1).
  void moveReference(std::uint32_t r, Point here) {
    const FollowInput::Miran& state = *input_.miran;
    const std::uint32_t start = crowd_.route_start[r], count = behind(r);
    Point a{state.reference_x[r], state.reference_y[r]};
    reference_ = a;
    double least = lengthSquared(here - a);
    std::uint32_t passed = 0;
    for (std::uint32_t i = 0; i <= count; ++i) {
      const Point b = i < count ? wayPoint(start - count + i) : Point{crowd_.target_x[r], crowd_.target_y[r]};
      const Point nearest = geometry::nearestOnSegment(here, a, b);
      if (const double squared = lengthSquared(here - nearest); squared < least)
        least = squared, reference_ = nearest, passed = i;
      a = b;
    }
    behind_ = count - passed;
  }

  /// The stretch of the route up to the shortcut parameter, and where on it the attraction point of before is.
  void lookAhead(std::uint32_t r) {
    const std::uint32_t first = crowd_.route_start[r] - behind_, end = crowd_.route_start[r] + crowd_.route_count[r];
    ahead_.begin(reference_);
    for (std::uint32_t i = first; i < end; ++i)
      if (!ahead_.add(wayPoint(i), input_.routes.layer(i), shortcut_)) break;
    const std::size_t leg = std::min<std::size_t>(behind_, ahead_.legs().size() - 1);
    before_ = {{crowd_.target_x[r], crowd_.target_y[r]}, leg};
    along_before_ = std::min(ahead_.startsAt(leg) + length(before_.at - ahead_.start(leg)), ahead_.legs()[leg].to);
  }

  /// False when nothing of the route can be seen.
  bool attracted(std::uint32_t r, Point here, Attraction& to) {
    if (!input_.map) {
      scratch_.visible.assign(1, {0, ahead_.length()});
      return pick(r, here, disc_ ? crowd_.radius[r] : kPoint, to);
    }
    const corridors::Located cell = input_.locate(r);
    if (!cell) {  // in a wall, or beyond the map: to the next way-point
      to = {ahead_.legs()[0].end, 0};
      return true;
    }
    const double room = input_.map->nearest(cell, here).distance;
    if (input_.memory && input_.memory->room) input_.memory->room[r] = static_cast<float>(room);
    const bool known = crowd_.route_state[r] != agents::RouteState::kStraight;  // else off the map when planning
    // Through places that are narrower than the body, and to goals beside walls, as a point. Whoever walks straight to
    // an attraction point still sees it, but for rounding: then what attracted before does so until it is reached.
    const double body = disc_ ? double{crowd_.radius[r]} : kPoint;
    for (const double part : {body, kPoint}) {
      const double fit = std::min(part, room);
      if (sees(r, cell, here, kFit * fit, to) || stillSees(cell, here, kRounded * fit)) return known;
    }
    return false;
  }

  bool sees(std::uint32_t r, corridors::Located cell, Point here, double body, Attraction& to) {
    const std::uint16_t layer = crowd_.layer[r];
    if (ahead_.length() <= kHere || alike_) {
      // The farthest place that can be seen: mostly that is the last one.
      const RouteAhead::Leg& last = ahead_.legs().back();
      const corridors::Sight sight = corridors::lookAlong(*input_.map, cell, here, last.end, body);
      if (sight.clear && (last.layer == sight.floor || last.layer == corridors::kAnyLayer)) {
        to = {last.end, ahead_.legs().size() - 1};
        return true;
      }
    }
    scratch_.sight.look(*input_.map, cell, here, layer, body, std::min(sampling_, kLookEvery), ahead_,
                        scratch_.visible);
    return pick(r, here, body, to);
  }

  bool stillSees(corridors::Located cell, Point here, double body) const {
    if (length(before_.at - here) <= kHere) return false;
    const corridors::Sight sight = corridors::lookAlong(*input_.map, cell, here, before_.at, body);
    const std::uint16_t layer = ahead_.legs()[before_.leg].layer;
    return sight.clear && (layer == sight.floor || layer == corridors::kAnyLayer);
  }

  void knowGround(std::uint32_t r) {
    weights_ = {};
    if (input_.regions && input_.regions->any(crowd_.layer[r])) weights_ = input_.weightsOf(r, scratch_.weights);
    alike_ = std::adjacent_find(weights_.begin(), weights_.end(), std::not_equal_to<>()) == weights_.end();
  }

  /// The best of the candidates (section 6.3.3). False when there are none.
  bool pick(std::uint32_t r, Point here, double body, Attraction& to) {
    const auto& visible = scratch_.visible;
    if (ahead_.length() <= kHere) {  // at the end of the route
      to = {ahead_.end(), ahead_.legs().size() - 1};
      return !visible.empty();
    }
    if (visible.empty() || visible.back().to <= kHere) return false;
    if (alike_) {
      to.leg = ahead_.legs().size() - 1;
      to.at = ahead_.at(visible.back().to, to.leg);
      return true;
    }
    scratch_.fan.spread(*input_.regions, *input_.miran->borders, crowd_.layer[r], weights_, here, body, touching_,
                        ahead_.boxWith(here));
    keepOff(r, here, body);
    most_never_ = HUGE_VAL;
    if (isWhereTheyNeverWalk()) leaveSoon(r);
    Best best{HUGE_VAL, 0, to};
    forCandidates([&](double along, std::size_t& leg) { consider(along, here, leg, best); });
    to = best.to;
    return true;
  }

  /// visit(m along the route, leg): from the last to the first.
  template <class Visit>
  void forCandidates(const Visit& visit) {
    const auto& visible = scratch_.visible;
    // What attracted before comes first: then most of the others need no look. Lemma 2 has it among the candidates.
    if (along_before_ > kHere && isVisible(along_before_)) visit(along_before_, before_.leg);
    std::size_t leg = ahead_.legs().size() - 1;
    for (std::size_t i = visible.size(); i-- > 0;) {
      const auto [from, end] = visible[i];
      if (end > kHere) visit(end, leg);
      const double whole = std::floor((end - from) / sampling_);
      for (double k = whole; k > 0; --k)
        if (const double along = from + k * sampling_; along > kHere && along < end) visit(along, leg);
      if (from > kHere) visit(from, leg);
    }
  }

  /// Does the ground where they stand, or what their body touches there, cost infinity?
  bool isWhereTheyNeverWalk() {
    RegionFan& fan = keeps_off_ ? scratch_.body : scratch_.fan;
    return fan.costAtBegin() >= RegionFan::kNever;
  }
  /// m on the way to a place on ground where they never walk: with that much more than all other ground costs together,
  /// the rest is lost in rounding.
  double neverTo(Point place) {
    RegionFan& fan = keeps_off_ ? scratch_.body : scratch_.fan;
    return fan.costTo(place) / RegionFan::kNever;
  }
  /// By weight alone who is beside the pavement would come back to it as far ahead as they look.
  void leaveSoon(std::uint32_t r) {
    double least = HUGE_VAL, nearest = neverTo(reference_);
    forCandidates([&](double along, std::size_t& leg) { least = std::min(least, neverTo(ahead_.at(along, leg))); });
    nearest = std::min(nearest, least);
    most_never_ = std::max(least, kLeaving * nearest + kOfBody * double{crowd_.radius[r]}) * (1 + kSame);
  }

  /// Ground where somebody never walks keeps off all of their body, whatever else they pay for.
  void keepOff(std::uint32_t r, Point here, double body) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    keeps_off_ = (touching_ == Touching::kCheapest || !disc_) &&
                 std::find(weights_.begin(), weights_.end(), kInfinite) != weights_.end();
    if (!keeps_off_) return;
    scratch_.kept_off.assign(weights_.begin(), weights_.end());
    for (float& weight : scratch_.kept_off)
      if (weight != kInfinite) weight = 1;
    const double whole = std::max(body, kFit * double{crowd_.radius[r]});
    scratch_.body.spread(*input_.regions, *input_.miran->borders, crowd_.layer[r], scratch_.kept_off, here, whole,
                         Touching::kDearest, ahead_.boxWith(here));
    keeps_off_ = !scratch_.body.isUniform();
  }

  struct Best {
    double weight, along;
    Attraction to;
  };
  void consider(double along, Point here, std::size_t& leg, Best& best) {
    const Point place = ahead_.at(along, leg);
    const auto isBetter = [&](double weight) {
      return weight < best.weight * (1 - kSame) || (weight <= best.weight * (1 + kSame) && along > best.along);
    };
    RegionFan& fan = scratch_.fan;
    const double distance = length(place - here), least = fan.isUniform() ? 1 : fan.least();
    if (!isBetter(least * distance / along)) return;
    double cost = fan.isUniform() ? distance : fan.costTo(place);
    if (keeps_off_) cost += std::max(0.0, scratch_.body.costTo(place) - distance);
    const double weight = cost / along;
    if (isBetter(weight) && (most_never_ == HUGE_VAL || neverTo(place) <= most_never_))
      best = {weight, along, {place, leg}};
  }
  bool isVisible(double along) const {
    return std::any_of(scratch_.visible.begin(), scratch_.visible.end(),
                       [&](const Interval& part) { return part.from <= along && along <= part.to; });
  }

  void head(std::uint32_t r, const Attraction& to) {
    const FollowInput::Miran& state = *input_.miran;
    const std::uint32_t first = crowd_.route_start[r] - behind_, end = crowd_.route_start[r] + crowd_.route_count[r];
    const auto passed = static_cast<std::uint32_t>(to.leg);
    const Vec2 reference = narrow(reference_), target = narrow(to.at);
    state.reference_x[r] = reference.x, state.reference_y[r] = reference.y, state.behind[r] = passed;
    crowd_.route_start[r] = first + passed, crowd_.route_count[r] = end - first - passed;
    crowd_.target_x[r] = target.x, crowd_.target_y[r] = target.y;
    const bool is_end = crowd_.route_count[r] == 1 && to.at == wayPoint(first + passed);
    walkTowards(crowd_, r, to.at, is_end, input_.dt);
  }

  /// m; sight over connections is looked for at least so often.
  static constexpr double kLookEvery = 0.5;

  const FollowInput& input_;
  agents::Crowd& crowd_;
  double shortcut_, sampling_;
  bool disc_;
  Touching touching_;
  Scratch& scratch_;
  RouteAhead& ahead_;
  // Of the person who is walking now.
  Point reference_;
  std::uint32_t behind_ = 0;  ///< way-points between the reference point and the attraction point of before
  Attraction before_;
  double along_before_ = 0;
  std::span<const float> weights_;  ///< of the ground
  bool alike_ = true;               ///< all of it is the same to them
  bool keeps_off_ = false;          ///< the scratch's body has more to say than its fan
  double most_never_ = 0;           ///< m on ground where they never walk that the way may take
};

}  // namespace

void followMiran(const FollowInput& input, std::span<const float> parameters, std::span<const std::uint32_t> rows) {
  thread_local Scratch scratch;
  Miran follow(input, parameters, scratch);
  for (const std::uint32_t r : rows) {
    if (input.crowd.activity[r] == agents::Activity::kWalking)
      follow.walk(r);
    else
      walkOn(input.crowd, r);
  }
}

}  // namespace throng::following
