#include "papers/measured_crowds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "throng/base.h"
#include "throng/files.h"

namespace throng::papers {
namespace {

[[noreturn]] void badLine(const std::string& path, int line, const std::string& what) {
  throw InputError({Diagnostic{.file = path, .message = what, .line = line}});
}

/// Words with blanks or commas between.
std::vector<std::string_view> words(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r,";
  std::vector<std::string_view> found;
  for (std::size_t begin = line.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, begin), line.size());
    found.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBetween, end);
  }
  return found;
}

template <class Number>
bool readNumber(std::string_view word, Number& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

Sighting sighting(const std::vector<std::string_view>& columns, double unit, const std::string& path, int line) {
  if (columns.size() < 4)
    badLine(path, line, fmt::format("has {} columns; it takes person, frame, x and y", columns.size()));
  Sighting seen;
  if (!readNumber(columns[0], seen.person))
    badLine(path, line, fmt::format("\"{}\" is no number of a person, 0 or more", columns[0]));
  if (!readNumber(columns[1], seen.frame) || seen.frame < 0)
    badLine(path, line, fmt::format("\"{}\" is no number of a frame, 0 or more", columns[1]));
  for (double* place : {&seen.at.x, &seen.at.y}) {
    const std::string_view word = columns[place == &seen.at.x ? 2 : 3];
    if (!readNumber(word, *place) || !std::isfinite(*place))
      badLine(path, line, fmt::format("\"{}\" is no coordinate: it takes a finite number", word));
    *place *= unit;
  }
  return seen;
}

/// Everybody's way by itself.
class Ways {
 public:
  explicit Ways(const Trajectories& people) : length_(people.length) {
    reach_ = static_cast<std::int64_t>(std::lround(kSpeedTime * people.rate));
    rate_ = people.rate;
    for (const Sighting& seen : people.sightings) ways_[seen.person].push_back(seen);
    for (auto& [person, way] : ways_) {
      double forwards = 0;
      for (std::size_t i = 1; i < way.size(); ++i) forwards += along(way[i - 1].at, way[i].at);
      forwards_[person] = forwards < 0 ? -1 : 1;
    }
  }

  /// 1: towards larger x; -1: towards smaller.
  double forwards(std::uint32_t person) const { return forwards_.at(person); }
  /// m/s forwards; nothing where they were not seen before and after.
  std::optional<double> speed(const Sighting& now) const {
    const Sighting* before = find(now.person, now.frame - reach_);
    const Sighting* after = find(now.person, now.frame + reach_);
    if (before == nullptr || after == nullptr) return std::nullopt;
    const double way = along(before->at, now.at) + along(now.at, after->at);
    return forwards(now.person) * way * rate_ / static_cast<double>(2 * reach_);
  }
  /// m along x, the shorter way round where the place begins again.
  double along(Point from, Point to) const {
    double x = to.x - from.x;
    if (length_ > 0) x -= length_ * std::round(x / length_);
    return x;
  }

 private:
  const Sighting* find(std::uint32_t person, std::int64_t frame) const {
    const std::vector<Sighting>& way = ways_.at(person);
    const auto found = std::lower_bound(way.begin(), way.end(), frame,
                                        [](const Sighting& seen, std::int64_t wanted) { return seen.frame < wanted; });
    return found != way.end() && found->frame == frame ? &*found : nullptr;
  }

  double length_ = 0, rate_ = 0;
  std::int64_t reach_ = 0;  // frames
  std::map<std::uint32_t, std::vector<Sighting>> ways_;
  std::map<std::uint32_t, double> forwards_;
};

/// What of a convex ring lies where dot(normal, p) <= limit.
Ring cut(const Ring& ring, Point normal, double limit) {
  Ring kept;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    const double da = dot(normal, a) - limit, db = dot(normal, b) - limit;
    if (da <= 0) kept.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) kept.push_back(a + (b - a) * (da / (da - db)));
  }
  return kept;
}

Ring corners(const Rectangle& r) { return {r.min, {r.max.x, r.min.y}, r.max, {r.min.x, r.max.y}}; }

Ring cutTo(Ring ring, const Rectangle& r) {
  ring = cut(ring, {1, 0}, r.max.x);
  ring = cut(ring, {-1, 0}, -r.min.x);
  ring = cut(ring, {0, 1}, r.max.y);
  return cut(ring, {0, -1}, -r.min.y);
}

double areaOf(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) twice += det(ring[i], ring[(i + 1) % ring.size()]);
  return twice / 2;
}

/// The part of the corridor that is nearer to `self` than to anybody else of the frame.
Ring voronoiCell(std::span<const Sighting> frame, std::size_t self, const Rectangle& corridor) {
  const Point at = frame[self].at;
  std::vector<std::pair<double, std::size_t>> others;  // nearest first: far ones then cut nothing any more
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (i != self) others.push_back({length(frame[i].at - at), i});
  std::sort(others.begin(), others.end());
  Ring cell = corners(corridor);
  for (const auto& [distance, i] : others) {
    double farthest = 0;
    for (const Point& corner : cell) farthest = std::max(farthest, length(corner - at));
    if (distance > 2 * farthest) break;
    const Point other = frame[i].at, away = other - at;
    if (distance > 0) cell = cut(cell, away, dot(away, (at + other) / 2));
  }
  return cell;
}

/// Calls with the sightings of a frame, and no more often than every kSampleTime.
template <class Look>
void everyMoment(const Trajectories& people, std::int64_t first, std::int64_t last, const Look& look) {
  const auto apart = static_cast<std::int64_t>(std::ceil(kSampleTime * people.rate - 1e-9));
  const std::span<const Sighting> all = people.sightings;
  std::optional<std::int64_t> before;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const std::int64_t frame = all[begin].frame;
    for (end = begin; end < all.size() && all[end].frame == frame;) ++end;
    if (frame < first || frame > last || (before && frame - *before < apart)) continue;
    before = frame;
    look(all.subspan(begin, end - begin));
  }
}

/// Of sorted values, linear between the two nearest.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

void Trajectories::sort() {
  std::sort(sightings.begin(), sightings.end(), [](const Sighting& a, const Sighting& b) {
    return a.frame != b.frame ? a.frame < b.frame : a.person < b.person;
  });
}

std::filesystem::path experimentsFolder() {
  const char* given = std::getenv("THRONG_DATA");
  const std::filesystem::path data =
      given != nullptr ? given : std::filesystem::path(THRONG_SOURCE_DIR).parent_path() / "shared" / "data";
  return data / "experiments";
}

Trajectories readTrajectories(const std::string& path, const FileFacts& facts) {
  const std::string text = readFile(path);
  Trajectories people;
  people.rate = facts.rate;
  std::string_view rest = text;
  bool begun = false;
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::vector<std::string_view> columns = words(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (columns.empty() || columns[0][0] == '#') continue;
    const bool names = !begun && std::isalpha(static_cast<unsigned char>(columns[0][0]));
    begun = true;
    if (!names) people.sightings.push_back(sighting(columns, facts.unit, path, line));
  }
  if (people.sightings.empty()) throw InputError(fmt::format("{}: nobody is in it", path));
  people.sort();
  for (std::size_t i = 1; i < people.sightings.size(); ++i) {
    const Sighting &a = people.sightings[i - 1], &b = people.sightings[i];
    if (a.frame == b.frame && a.person == b.person)
      throw InputError(fmt::format("{}: person {} is in frame {} twice", path, a.person, a.frame));
  }
  return people;
}

std::vector<Sample> voronoiSamples(const Trajectories& people, const Watched& watched) {
  const Ways ways(people);
  const double size = areaOf(corners(watched.area));
  std::vector<Sample> samples;
  everyMoment(people, watched.first, watched.last, [&](std::span<const Sighting> frame) {
    double density = 0, speed = 0, share = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const Ring cell = voronoiCell(frame, i, watched.corridor);
      const double inside = areaOf(cutTo(cell, watched.area));
      if (inside <= 0) continue;
      density += inside / areaOf(cell) / size;
      const std::optional<double> own = ways.speed(frame[i]);
      if (own) speed += *own * inside, share += inside;
    }
    if (share > 0) samples.push_back({density, speed / share});
  });
  return samples;
}

std::vector<Sample> fileSamples(const Trajectories& people) {
  const Ways ways(people);
  std::vector<Sample> samples;
  everyMoment(people, 0, std::numeric_limits<std::int64_t>::max(), [&](std::span<const Sighting> frame) {
    for (const Sighting& one : frame) {
      double headway = std::numeric_limits<double>::infinity();
      for (const Sighting& other : frame) {
        double ahead = ways.forwards(one.person) * (other.at.x - one.at.x);
        if (people.length > 0 && ahead < 0) ahead += people.length;
        if (ahead > 0 && other.person != one.person) headway = std::min(headway, ahead);
      }
      const std::optional<double> speed = ways.speed(one);
      if (speed && std::isfinite(headway)) samples.push_back({1 / headway, *speed});
    }
  });
  return samples;
}

std::vector<Band> bandsOf(std::span<const Sample> samples, double width, std::size_t least) {
  std::map<std::int64_t, std::vector<double>> speeds;
  for (const Sample& sample : samples)
    speeds[static_cast<std::int64_t>(std::floor(sample.density / width))].push_back(sample.speed);
  std::vector<Band> bands;
  for (auto& [number, values] : speeds) {
    if (values.size() < least) continue;
    std::sort(values.begin(), values.end());
    Band band;
    band.from = static_cast<double>(number) * width, band.to = static_cast<double>(number + 1) * width;
    band.samples = values.size();
    for (const double value : values) band.mean += value / static_cast<double>(values.size());
    band.low = quantile(values, 0.05), band.high = quantile(values, 0.95);
    bands.push_back(band);
  }
  return bands;
}

std::vector<double> passingTimes(const Trajectories& people, double y) {
  std::map<std::uint32_t, Sighting> before;
  std::map<std::uint32_t, double> passed;
  for (const Sighting& now : people.sightings) {
    const auto [last, first_time] = before.try_emplace(now.person, now);
    const double above = last->second.at.y - y, below = y - now.at.y;
    if (!first_time && above > 0 && below >= 0) {
      const double share = above / (above + below);
      const auto frames = static_cast<double>(now.frame - last->second.frame);
      passed.try_emplace(now.person, (static_cast<double>(last->second.frame) + share * frames) / people.rate);
    }
    last->second = now;
  }
  std::vector<double> times;
  for (const auto& [person, time] : passed) times.push_back(time);
  std::sort(times.begin(), times.end());
  return times;
}

double flowBetween(std::span<const double> passing, std::size_t from, std::size_t to) {
  if (from >= to || to >= passing.size() || passing[to] <= passing[from]) return 0;
  return static_cast<double>(to - from) / (passing[to] - passing[from]);
}

double meanDensity(const Trajectories& people, const Rectangle& area, double from, double to) {
  const auto first = static_cast<std::int64_t>(std::ceil(from * people.rate));
  const auto last = static_cast<std::int64_t>(std::floor(to * people.rate));
  std::size_t inside = 0;
  for (const Sighting& seen : people.sightings)
    inside += seen.frame >= first && seen.frame <= last && seen.at.x >= area.min.x && seen.at.x <= area.max.x &&
                      seen.at.y >= area.min.y && seen.at.y <= area.max.y
                  ? 1
                  : 0;
  const double frames = static_cast<double>(std::max<std::int64_t>(last - first + 1, 1));
  return static_cast<double>(inside) / frames / areaOf(corners(area));
}

}  // namespace throng::papers
