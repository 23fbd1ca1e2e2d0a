#include "metrics/lanes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/spread.h"

namespace throng::metrics {
namespace {

/// Fewer people of a stream in a section make no lanes.
constexpr std::uint32_t kFewest = 3;
constexpr std::uint64_t kNumbers = std::uint64_t{1} << 31;  ///< of sections and strips

std::uint64_t cell(double offset, double size, std::uint64_t count) {
  return static_cast<std::uint64_t>(std::clamp(std::floor(offset / size), 0.0, static_cast<double>(count - 1)));
}

std::uint64_t sectionOf(std::uint64_t key) { return key >> 32; }

}  // namespace

std::uint32_t laneCount(std::span<const Strip> strips) {
  std::uint32_t lanes = 0;
  int last = 0, run = 0;   // the last lane's stream; the run's stream
  std::int64_t ahead = 0;  // people by which the run's majority is ahead
  const auto endRun = [&] {
    if (ahead < 2 || run == last) return;
    ++lanes;
    last = run;
  };
  for (const Strip& strip : strips) {
    const std::int64_t more = std::int64_t{strip.first} - std::int64_t{strip.second};
    if (more == 0) continue;
    const int sense = more > 0 ? 1 : -1;
    if (sense != run) {
      endRun();
      run = sense;
      ahead = 0;
    }
    ahead += std::abs(more);
  }
  endRun();
  return lanes;
}

double expectedMajority(std::uint32_t first, std::uint32_t second, std::uint32_t drawn) {
  // Hypergeometric, by the ratio of one probability to the next, outwards from the likeliest so that nothing overflows.
  const double a = first, b = second, n = drawn;
  const double least = std::max(0.0, n - b), most = std::min(a, n);
  const double mode = std::clamp(std::floor((n + 1) * (a + 1) / (a + b + 2)), least, most);
  double weights = 0, sum = 0;
  const auto add = [&](double x, double weight) {
    weights += weight;
    sum += weight * std::max(x, n - x);
  };
  add(mode, 1);
  double weight = 1;
  for (double x = mode; x < most && weight > 1e-18; ++x) {
    weight *= (a - x) * (n - x) / ((x + 1) * (b - n + x + 1));
    add(x + 1, weight);
  }
  weight = 1;
  for (double x = mode; x > least && weight > 1e-18; --x) {
    weight *= x * (b - n + x) / ((a - x + 1) * (n - x + 1));
    add(x - 1, weight);
  }
  return sum / weights;
}

LaneWatch::LaneWatch(MeetingPlace place, double lane_width, double lane_length)
    : place_(std::move(place)), lane_width_(lane_width) {
  const Streams& streams = place_.streams();
  axis_ = normalized(normalized(streams.first_direction) - normalized(streams.second_direction));
  const Point left = perpendicular(axis_);
  const Point corner = streams.area.front().outer.front();
  Point low{dot(axis_, corner), dot(left, corner)};
  double high = low.x;
  for (const Polygon& polygon : streams.area) {
    for (const Point at : polygon.outer) {
      low = {std::min(low.x, dot(axis_, at)), std::min(low.y, dot(left, at))};
      high = std::max(high, dot(axis_, at));
    }
  }
  origin_ = low;
  const double sections = std::clamp(std::round((high - low.x) / lane_length), 1.0, static_cast<double>(kNumbers));
  sections_ = static_cast<std::uint64_t>(sections);
  section_length_ = (high - low.x) / sections;
}

void LaneWatch::observe(std::uint16_t population, Point place) {
  const int stream = place_.stream(population, place);
  if (stream == 0) return;
  const std::uint64_t section = cell(dot(axis_, place) - origin_.x, section_length_, sections_);
  const std::uint64_t strip = cell(dot(perpendicular(axis_), place) - origin_.y, lane_width_, kNumbers);
  people_.push_back(section << 32 | strip << 1 | (stream < 0 ? 1u : 0u));
}

void LaneWatch::endLook() {
  std::sort(people_.begin(), people_.end());
  Look look;
  for (std::size_t begin = 0, end = 0; begin < people_.size(); begin = end) {
    while (end < people_.size() && sectionOf(people_[end]) == sectionOf(people_[begin])) ++end;
    lookAtSection(std::span(people_).subspan(begin, end - begin), look);
  }
  people_.clear();
  if (look.sections == 0) return;
  lanes_.push_back(static_cast<double>(look.lanes) / static_cast<double>(look.sections));
  purity_.push_back(static_cast<double>(look.majority) / static_cast<double>(look.people));
  seen_ += look.people;
  majority_ += look.majority;
  chance_ += look.chance;
}

void LaneWatch::lookAtSection(std::span<const std::uint64_t> people, Look& look) {
  Strip all;
  strips_.clear();
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (i == 0 || people[i] >> 1 != people[i - 1] >> 1) strips_.emplace_back();
    const bool second = people[i] & 1;
    ++(second ? all.second : all.first);
    ++(second ? strips_.back().second : strips_.back().first);
  }
  if (all.first < kFewest || all.second < kFewest) return;
  ++look.sections;
  look.lanes += laneCount(strips_);
  look.people += people.size();
  for (const Strip& strip : strips_) {
    look.majority += std::max(strip.first, strip.second);
    look.chance += expectedMajority(all.first, all.second, strip.first + strip.second);
  }
}

LaneReport LaneWatch::report() const {
  LaneReport report;
  report.name = place_.streams().name;
  report.lanes = spreadOf(lanes_);
  report.purity = spreadOf(purity_);
  const double possible = static_cast<double>(seen_) - chance_;
  if (possible > 1e-9) report.order = (static_cast<double>(majority_) - chance_) / possible;
  return report;
}

}  // namespace throng::metrics
