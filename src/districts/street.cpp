#include "districts/street.h"

#include <algorithm>

#include "patches/district_street.h"

namespace throng::districts {

Street::Street(const PatchStreet& about, Point at) : about_(about), at_(at), street_(patches::settingsOf(about)) {}

const std::vector<Street::Person>& Street::seen(double time, double dt) {
  if (time == time_) return seen_;
  const double from = cameraAt(time) - about_.view, to = cameraAt(time) + about_.view;
  constexpr double kFarther = 3;  // m: nobody walks farther in a step
  street_.frameAt(time, from, to, now_);
  street_.frameAt(time - dt, from - kFarther, to + kFarther, before_);
  were_.clear();
  for (std::size_t i = 0; i < before_.person.size(); ++i) were_.emplace_back(before_.person[i], i);
  std::sort(were_.begin(), were_.end());
  seen_.clear();
  for (std::size_t i = 0; i < now_.person.size(); ++i) {
    Person person;
    person.number = now_.person[i];
    person.state.position = Point{now_.x[i], now_.y[i]} + at_;
    person.heading = {now_.heading_x[i], now_.heading_y[i]};
    person.is_resident = now_.population[i] != 0;
    const auto was = std::lower_bound(were_.begin(), were_.end(), std::pair(person.number, std::size_t{0}));
    if (was != were_.end() && was->first == person.number)
      person.state.velocity =
          (Point{now_.x[i], now_.y[i]} - Point{before_.x[was->second], before_.y[was->second]}) / dt;
    seen_.push_back(person);
  }
  std::sort(seen_.begin(), seen_.end(), [](const Person& a, const Person& b) { return a.number < b.number; });
  time_ = time;
  return seen_;
}

}  // namespace throng::districts
