#include "draw/timeline.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace throng::draw {
namespace {

constexpr double kSameTime = 1e-9;  // s

std::string secondsText(double time) { return fmt::format("{:g}", std::round(time * 10) / 10); }

TimedDoor* doorNamed(std::vector<TimedDoor>& doors, const std::string& name) {
  const auto found = std::find_if(doors.begin(), doors.end(), [&](const TimedDoor& door) { return door.name == name; });
  return found == doors.end() ? nullptr : &*found;
}

void turn(std::vector<TimedDoor>& doors, const Change& change) {
  const bool opens = change.kind == Change::Kind::kOpenDoor;
  TimedDoor* door = doorNamed(doors, change.name);
  if (!door) {
    // Of a scene that is not known: it was the other way before.
    if (change.shape.size() < 2) return;
    doors.push_back({change.name, change.layer, {change.shape[0], change.shape[1]}, !opens, {}});
    door = &doors.back();
  }
  if (door->openAt(change.time) != opens) door->turns.push_back(change.time);
}

}  // namespace

std::string spanText(const Span& span, const Span& shown) {
  const bool begins = span.from > shown.from + kSameTime, ends = span.to <= shown.to + kSameTime;
  if (begins && ends) return fmt::format("{}–{} s", secondsText(span.from), secondsText(span.to));
  if (begins) return fmt::format("from {} s", secondsText(span.from));
  return ends ? fmt::format("until {} s", secondsText(span.to)) : std::string();
}

bool TimedDoor::openAt(double time) const {
  const auto passed = std::count_if(turns.begin(), turns.end(), [&](double t) { return t <= time + kSameTime; });
  return open_at_first == (passed % 2 == 0);
}

std::optional<bool> TimedDoor::openDuring(const Span& shown) const {
  for (const double t : turns)
    if (t > shown.from + kSameTime && t <= shown.to + kSameTime) return std::nullopt;
  return openAt(shown.from);
}

std::vector<Span> TimedDoor::closed() const {
  std::vector<Span> spans;
  bool is_open = open_at_first;
  if (!is_open) spans.emplace_back();
  for (const double t : turns) {
    if (is_open) {
      spans.push_back({t, std::numeric_limits<double>::infinity()});
    } else {
      spans.back().to = t;
    }
    is_open = !is_open;
  }
  return spans;
}

Timeline::Timeline(const Scene& scene, const std::vector<Change>& changes) {
  for (std::size_t i = 0; i < scene.layers.size(); ++i)
    for (const Door& door : scene.layers[i].doors) doors.push_back({door.name, i, door.line, door.open, {}});
  std::vector<const Change*> in_order;
  for (const Change& change : changes) in_order.push_back(&change);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const Change* a, const Change* b) { return a->time < b->time; });
  for (const Change* change : in_order) {
    const auto stands = [&](const TimedObstacle& obstacle) {
      return obstacle.name == change->name && std::isinf(obstacle.there.to);
    };
    const auto there = std::find_if(obstacles.begin(), obstacles.end(), stands);
    switch (change->kind) {
      case Change::Kind::kOpenDoor:
      case Change::Kind::kCloseDoor:
        turn(doors, *change);
        break;
      case Change::Kind::kInsertObstacle:
        if (there == obstacles.end() && change->shape.size() >= 2)
          obstacles.push_back(
              {change->name, change->layer, change->shape, {change->time, std::numeric_limits<double>::infinity()}});
        break;
      case Change::Kind::kRemoveObstacle:
        if (there != obstacles.end()) there->there.to = change->time;
        break;
    }
  }
}

}  // namespace throng::draw
