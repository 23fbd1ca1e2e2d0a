#include "metrics/circulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/spread.h"

namespace throng::metrics {

CirculationWatch::CirculationWatch(Circle circle, std::uint16_t layer) : circle_(std::move(circle)), layer_(layer) {}

void CirculationWatch::observe(std::uint16_t population, const Move& move) {
  const auto& ours = circle_.populations;
  if (!move.on_way || std::find(ours.begin(), ours.end(), population) == ours.end()) return;
  if (move.who >= people_.size()) people_.resize(std::max<std::size_t>(move.who + 1, 2 * people_.size()));
  Person& who = people_[move.who];
  const Point step = move.to + move.shift - move.from;
  // Seen from the middle of the move: its lever does not depend on the direction in which it is walked.
  const Point arm = move.from + step / 2.0 - circle_.centre;
  const double around = det(arm, step);
  who.around += around;
  who.either += std::abs(around);
  who.possible += length(arm) * length(step);
}

CirculationReport CirculationWatch::report() const {
  CirculationReport report;
  report.name = circle_.name;
  std::vector<double> sides, around, possible;
  for (const Person& who : people_) {
    if (!(who.possible > 0)) continue;
    sides.push_back(who.either > 0 ? who.around / who.either : 0);
    around.push_back(who.around);
    possible.push_back(who.possible);
  }
  report.people = sides.size();
  report.circulation = meanOf(std::move(sides));
  const double all = meanOf(std::move(possible));
  if (all > 0) report.rotation = meanOf(std::move(around)) / all;
  return report;
}

}  // namespace throng::metrics
