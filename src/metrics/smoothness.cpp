#include "metrics/smoothness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "metrics/spread.h"

namespace throng::metrics {
namespace {

constexpr double kSameTime = 1e-6;  // s; recordings round times
/// A turn of more than this between two samples is an about-turn or a step back: neither left nor right.
constexpr double kAboutTurn = 150 * std::numbers::pi / 180;

}  // namespace

Point thirdDerivative(const std::array<double, 4>& time, const std::array<Point, 4>& place) {
  // 3! times the third divided difference.
  std::array<Point, 4> difference = place;
  for (std::size_t order = 1; order < 4; ++order)
    for (std::size_t i = 0; i + order < 4; ++i)
      difference[i] = (difference[i] - difference[i + 1]) / (time[i] - time[i + order]);
  return 6.0 * difference[0];
}

bool TurnCounter::walk(Point direction, double least_angle) {
  if (direction_ == Point{}) {
    direction_ = direction;
    return false;
  }
  double turn = std::atan2(det(direction_, direction), dot(direction_, direction));
  // Of an about-turn nobody can say which way it went: it counts as one back.
  if (sense_ != 0 && std::abs(turn) > kAboutTurn) turn = -sense_ * std::abs(turn);
  direction_ = direction;
  heading_ += turn;
  low_ = std::min(low_, heading_);
  high_ = std::max(high_, heading_);
  const bool left = sense_ <= 0 && heading_ - low_ >= least_angle;
  const bool right = sense_ >= 0 && high_ - heading_ >= least_angle;
  if (!left && !right) return false;
  const bool reversal = sense_ != 0;
  sense_ = left ? 1 : -1;
  low_ = high_ = heading_;
  return reversal;
}

Smoothness::Smoothness(const MetricsSettings& settings)
    : interval_(settings.smooth_interval),
      walking_speed_(settings.walking_speed),
      least_angle_(settings.reversal_degrees * std::numbers::pi / 180) {}

void Smoothness::beginFrame(double time) {
  sampling_ = samples_ == 0 || time >= times_[0] + interval_ - kSameTime;
  if (!sampling_) return;
  std::rotate(times_.begin(), times_.end() - 1, times_.end());
  times_[0] = time;
  ++samples_;
}

void Smoothness::observe(const Move& move) {
  if (move.who == Move::kNobody) return;
  if (move.who >= people_.size()) people_.resize(std::max<std::size_t>(move.who + 1, 2 * people_.size()));
  Person& who = people_[move.who];
  if (!move.on_way) {
    // Just come into view, or arrived: a new beginning. `travelled` is counted from here.
    who.samples = 0;
    who.turns.stand();
  }
  if (sampling_ && (move.on_way || !move.known)) sample(who, move.travelled);
}

void Smoothness::sample(Person& who, Point place) const {
  if (who.samples > 0) {
    const double time = times_[0] - times_[1];
    const Point stride = place - who.places[0];
    if (length(stride) >= walking_speed_ * time) {
      who.walked += time;
      who.reversals += who.turns.walk(stride, least_angle_);
    } else {
      who.turns.stand();
    }
  }
  if (who.samples == 3) {
    const std::array<Point, 4> places{place, who.places[0], who.places[1], who.places[2]};
    const double path = length(places[0] - places[1]) + length(places[1] - places[2]) + length(places[2] - places[3]);
    if (path >= walking_speed_ * (times_[0] - times_[3])) {
      who.squares += lengthSquared(thirdDerivative(times_, places));
      ++who.jerks;
    }
  }
  who.places = {place, who.places[0], who.places[1]};
  who.samples = static_cast<std::uint8_t>(std::min(who.samples + 1, 3));
}

void Smoothness::report(MetricsReport& report) const {
  std::vector<double> squares, walked;
  std::uint64_t jerks = 0, reversals = 0;
  for (const Person& who : people_) {
    squares.push_back(who.squares);
    walked.push_back(who.walked);
    jerks += who.jerks;
    reversals += who.reversals;
  }
  const auto people = static_cast<double>(people_.size());
  if (jerks > 0) report.jerk = std::sqrt(meanOf(std::move(squares)) * people / static_cast<double>(jerks));
  const double minutes = meanOf(std::move(walked)) * people / 60;
  if (minutes > 0) report.heading_reversals = static_cast<double>(reversals) / minutes;
}

}  // namespace throng::metrics
