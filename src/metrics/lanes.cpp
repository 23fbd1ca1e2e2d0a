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
std::uint64_t stripOf(std::uint64_t key) { return (key >> 1) & (kNumbers - 1); }

/// Calls visit(section's keys) for every section of sorted keys.
template <class Visit>
void eachSection(std::span<const std::uint64_t> people, const Visit& visit) {
  for (std::size_t begin = 0, end = 0; begin < people.size(); begin = end) {
    while (end < people.size() && sectionOf(people[end]) == sectionOf(people[begin])) ++end;
    visit(people.subspan(begin, end - begin));
  }
}

/// The strips of a section that have people in them; returns everybody.
Strip countStrips(std::span<const std::uint64_t> people, std::vector<Strip>& strips) {
  Strip all;
  strips.clear();
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (i == 0 || people[i] >> 1 != people[i - 1] >> 1) strips.push_back({0, 0, stripOf(people[i])});
    const bool second = people[i] & 1;
    ++(second ? all.second : all.first);
    ++(second ? strips.back().second : strips.back().first);
  }
  return all;
}

/// Calls visit(lane) for every lane of a row of strips. Two runs of one stream between which there is nothing but runs
/// that are too weak are one lane.
template <class Visit>
void eachLane(std::span<const Strip> strips, const Visit& visit) {
  Lane lane, run;
  bool any = false;
  int sense = 0;           // the run's stream
  std::int64_t ahead = 0;  // people by which the run's majority is ahead
  const auto endRun = [&] {
    if (ahead < 2) return;
    if (any && lane.first == run.first) {
      lane.end = run.end;
      return;
    }
    if (any) visit(lane);
    lane = run;
    any = true;
  };
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const std::int64_t more = std::int64_t{strips[i].first} - std::int64_t{strips[i].second};
    if (more == 0) continue;
    const int own = more > 0 ? 1 : -1;
    if (own != sense) {
      endRun();
      sense = own;
      ahead = 0;
      run = {i, i, own > 0};
    }
    run.end = i + 1;
    ahead += std::abs(more);
  }
  endRun();
  if (any) visit(lane);
}

}  // namespace

std::vector<Lane> lanesOf(std::span<const Strip> strips) {
  std::vector<Lane> lanes;
  eachLane(strips, [&](const Lane& lane) { lanes.push_back(lane); });
  return lanes;
}

std::uint32_t laneCount(std::span<const Strip> strips) {
  std::uint32_t lanes = 0;
  eachLane(strips, [&](const Lane&) { ++lanes; });
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

std::optional<std::uint64_t> LaneWatch::key(std::uint16_t population, Point place) const {
  const int stream = place_.stream(population, place);
  if (stream == 0) return std::nullopt;
  const std::uint64_t section = cell(dot(axis_, place) - origin_.x, section_length_, sections_);
  const std::uint64_t strip = cell(dot(perpendicular(axis_), place) - origin_.y, lane_width_, kNumbers);
  return section << 32 | strip << 1 | (stream < 0 ? 1u : 0u);
}

void LaneWatch::observe(std::uint16_t population, Point place) {
  if (const auto found = key(population, place)) people_.push_back(*found);
}

void LaneWatch::endLook() {
  std::sort(people_.begin(), people_.end());
  Look look;
  eachSection(people_, [&](std::span<const std::uint64_t> people) { lookAtSection(people, look); });
  people_.clear();
  if (look.sections == 0) return;
  lanes_.push_back(static_cast<double>(look.lanes) / static_cast<double>(look.sections));
  purity_.push_back(static_cast<double>(look.majority) / static_cast<double>(look.people));
  seen_ += look.people;
  majority_ += look.majority;
  chance_ += look.chance;
}

void LaneWatch::lookAtSection(std::span<const std::uint64_t> people, Look& look) {
  const Strip all = countStrips(people, strips_);
  if (all.first < kFewest || all.second < kFewest) return;
  ++look.sections;
  look.lanes += laneCount(strips_);
  look.people += people.size();
  for (const Strip& strip : strips_) {
    look.majority += std::max(strip.first, strip.second);
    look.chance += expectedMajority(all.first, all.second, strip.first + strip.second);
  }
}

void LaneWatch::addShapes(Walkers walkers, std::size_t streams, std::vector<LaneShape>& shapes) const {
  std::vector<std::uint64_t> people;
  for (const auto& [population, place] : walkers)
    if (const auto found = key(population, place)) people.push_back(*found);
  std::sort(people.begin(), people.end());
  eachSection(people, [&](std::span<const std::uint64_t> section) { addSectionShapes(section, streams, shapes); });
}

void LaneWatch::addSectionShapes(std::span<const std::uint64_t> people, std::size_t streams,
                                 std::vector<LaneShape>& shapes) const {
  std::vector<Strip> strips;
  const Strip all = countStrips(people, strips);
  if (all.first < kFewest || all.second < kFewest) return;
  const Point left = perpendicular(axis_);
  const auto section = static_cast<double>(sectionOf(people[0]));
  for (const Lane& lane : lanesOf(strips)) {
    LaneShape shape;
    shape.layer = layer();
    shape.streams = streams;
    shape.section = sectionOf(people[0]);
    shape.first = lane.first;
    for (std::size_t i = lane.begin; i < lane.end; ++i) {
      shape.people += strips[i].first + strips[i].second;
      shape.against += lane.first ? strips[i].second : strips[i].first;
    }
    const Point low{origin_.x + section * section_length_,
                    origin_.y + static_cast<double>(strips[lane.begin].place) * lane_width_};
    const Point high{low.x + section_length_,
                     origin_.y + static_cast<double>(strips[lane.end - 1].place + 1) * lane_width_};
    for (const Point at : {low, Point{high.x, low.y}, high, Point{low.x, high.y}})
      shape.corners.push_back(at.x * axis_ + at.y * left);
    shapes.push_back(std::move(shape));
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
