#include "metrics/journeys.h"

#include <algorithm>
#include <cmath>

#include "base/narrowing.h"
#include "metrics/spread.h"
#include "metrics/wrapping.h"

namespace throng::metrics {
namespace {

bool isOneOf(const std::vector<std::uint16_t>& populations, std::uint16_t population) {
  return std::find(populations.begin(), populations.end(), population) != populations.end();
}

}  // namespace

Journeys::Journeys(const MetricsSettings& settings)
    : slow_speed_(settings.slow_speed),
      stuck_time_(settings.stuck_time),
      stuck_distance_(settings.stuck_distance),
      wrap_(settings.wrap),
      standing_(settings.standing),
      endless_(settings.endless) {}

std::uint32_t Journeys::personPlace(std::uint32_t number) {
  if (number < kDense && number >= dense_.size())
    dense_.resize(std::max<std::size_t>(number + 1, 2 * dense_.size()), 0);
  std::uint32_t& place = number < kDense ? dense_[number] : sparse_[number];
  if (place == 0) {
    people_.emplace_back();
    place = static_cast<std::uint32_t>(people_.size());
  }
  return place - 1;
}

void Journeys::arrive(const Arrival& arrival) {
  Person& who = people_[personPlace(arrival.person)];
  if (who.arrival != kNever) return;
  who.arrival = arrival.time;
  ++arrivals_;
}

void Journeys::beginFrame(const Frame& frame) {
  last_time_ = time_;
  time_ = frame.time;
  ++frames_;
  const double spacing = stuck_time_ / kPerWindow;
  marking_ = marks_ == 0 || time_ >= mark_time_[(marks_ - 1) % kMarks] + spacing - kSameTime;
  if (marking_) mark_time_[marks_++ % kMarks] = time_;
}

void Journeys::restart(Person& who, const Frame& frame, std::size_t row, Point place) {
  if (who.first_seen == kNever) {
    who.first_seen = time_;
    who.standing = isOneOf(standing_, frame.population[row]), who.endless = isOneOf(endless_, frame.population[row]);
  }
  who.seen_since = time_;
  who.place = place;
  who.travelled = {};
  who.last_kinetic = -1;
  who.first_mark = marking_ ? marks_ - 1 : marks_;
  who.layer = frame.layer[row];
}

Move Journeys::advance(const Frame& frame, std::size_t row) {
  const Point place{frame.x[row], frame.y[row]};
  Move move;
  if (!std::isfinite(place.x) || !std::isfinite(place.y)) return move;
  const std::uint32_t at = personPlace(frame.person[row]);
  Person& who = people_[at];
  if (who.last_frame == frames_) return move;  // a second row of the same person says nothing new
  move.who = at;
  if (who.last_frame + 1 == frames_ && who.last_frame > 0 && who.layer == frame.layer[row]) {
    move.known = true;
    move.from = who.place;
    move.to = place;
    move.shift = imageShift(move.from, move.to, wrapOf(wrap_, who.layer));
    move.start = last_time_;
    move.duration = time_ - last_time_;
    const Point by = move.to - move.from + move.shift;
    move.speed = length(by) / move.duration;
    const bool stays = staysNow(frame, row, who);
    const bool stayed = who.stays && stays;
    who.travelled += by;
    who.place = place;
    move.travelled = who.travelled;
    move.on_way = !stayed && onWay(who, move);
    if (move.on_way) measure(who, move);
    if (stayed) who.staying += move.duration;
    who.stays = stays;
    if (stays) restart(who, frame, row, place);
  } else {
    if (who.last_frame + 1 == frames_ && who.last_frame > 0) {
      move.changed_layer = true;
      move.from_layer = who.layer;
      move.from = who.place, move.to = place;
      move.start = last_time_, move.duration = time_ - last_time_;
    }
    restart(who, frame, row, place);
  }
  who.last_frame = frames_;
  if (marking_) {
    who.marks[(marks_ - 1) % kMarks] = narrow(who.travelled);
  }
  return move;
}

bool Journeys::onWayAt(std::uint32_t person, std::uint16_t population, double time) const {
  if (isOneOf(standing_, population)) return false;
  if (isOneOf(endless_, population)) return true;
  std::uint32_t place = 0;
  if (person < kDense) {
    if (person < dense_.size()) place = dense_[person];
  } else if (const auto found = sparse_.find(person); found != sparse_.end()) {
    place = found->second;
  }
  return place > 0 && time < people_[place - 1].arrival - kSameTime;
}

/// Who walks for ever may stay a while between two ways. Recordings do not tell.
bool Journeys::staysNow(const Frame& frame, std::size_t row, const Person& who) {
  return who.endless && !frame.activity.empty() && frame.activity[row] == Activity::kStaying;
}

bool Journeys::onWay(const Person& who, const Move& move) const {
  // The interval in which somebody arrives still belongs to their way.
  return !who.standing && (who.endless || move.start < who.arrival - kSameTime);
}

void Journeys::measure(Person& who, const Move& move) const {
  who.distance += move.speed * move.duration;
  who.on_the_way += move.duration;
  if (move.speed < slow_speed_) who.slow += move.duration;
  const double kinetic = move.speed * move.speed / 2;
  if (who.last_kinetic >= 0) {
    who.energy += std::abs(kinetic - who.last_kinetic);
    ++who.energy_steps;
  }
  who.last_kinetic = kinetic;
}

bool Journeys::stuck(const Person& who) const {
  if (who.last_frame != frames_ || who.standing || who.stays || (who.arrival != kNever && !who.endless)) return false;
  const double then = time_ - stuck_time_;
  if (who.seen_since > then + kSameTime) return false;
  // The last known place at or before `then`, and the first one after it; between them, as the crow flies.
  const std::uint64_t oldest = std::max(who.first_mark, marks_ > kMarks ? marks_ - kMarks : 0);
  double before_time = who.seen_since, after_time = time_;
  Point before{}, after = who.travelled;
  for (std::uint64_t mark = oldest; mark < marks_; ++mark) {
    const double at = mark_time_[mark % kMarks];
    const Vec2 place = who.marks[mark % kMarks];
    if (at > then + kSameTime) {
      after_time = at;
      after = {place.x, place.y};
      break;
    }
    before_time = at;
    before = {place.x, place.y};
  }
  const double part =
      after_time > before_time ? std::clamp((then - before_time) / (after_time - before_time), 0.0, 1.0) : 0.0;
  const Point there = before + (after - before) * part;
  return length(who.travelled - there) < stuck_distance_;
}

void Journeys::report(MetricsReport& report) const {
  report.time = time_;
  report.frames = frames_;
  report.people = people_.size();
  report.arrivals = arrivals_;
  std::vector<double> travel_time, distance, speed, slow, staying, not_walking, energy;
  for (const Person& who : people_) {
    if (who.arrival != kNever && who.first_seen != kNever) travel_time.push_back(who.arrival - who.first_seen);
    if (who.on_the_way > 0) {
      distance.push_back(who.distance);
      speed.push_back(who.distance / who.on_the_way);
      slow.push_back(who.slow / who.on_the_way);
    }
    if (const double all = who.on_the_way + who.staying; all > 0) {
      staying.push_back(who.staying / all);
      not_walking.push_back((who.staying + who.slow) / all);
    }
    if (who.energy_steps > 0) energy.push_back(who.energy / who.energy_steps);
    report.stuck += stuck(who);
  }
  report.travel_time = spreadOf(std::move(travel_time));
  report.distance = spreadOf(std::move(distance));
  report.speed = spreadOf(std::move(speed));
  report.slow_share = meanOf(std::move(slow));
  report.staying_share = meanOf(std::move(staying));
  report.slow_or_staying_share = meanOf(std::move(not_walking));
  report.energy = meanOf(std::move(energy));
  report.deadlock = report.stuck > 0;
}

}  // namespace throng::metrics
