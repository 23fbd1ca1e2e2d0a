#include "draw/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "geometry/boxes.h"

namespace throng::draw {
namespace {

constexpr double kUnknownRadius = 0.2;  // m; that of a slim adult, for files that do not say
constexpr double kTimeTolerance = 1e-9;

template <class T>
T entry(std::span<const T> column, std::size_t i) {
  return i < column.size() ? column[i] : T{};
}

double shortWay(double d, double period) { return period > 0 ? d - period * std::round(d / period) : d; }

double into(double v, double min, double max) {
  const double period = max - min;
  return period > 0 ? v - period * std::floor((v - min) / period) : v;
}

void grow(std::optional<Rectangle>& bounds, const Person& p) {
  if (!bounds) bounds = geometry::kEmptyBox;
  geometry::include(*bounds, geometry::grown({p.position, p.position}, p.radius));
}

/// Counts speeds in bins of 1 cm/s, so that a share of them can be found without keeping them.
class SpeedCounts {
 public:
  void add(double speed) { ++bins_[std::min(static_cast<std::size_t>(speed * 100), bins_.size() - 1)]; }
  double quantile(double share) const {
    const auto all = std::accumulate(bins_.begin(), bins_.end(), std::uint64_t{0});
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      sum += bins_[i];
      if (sum > 0 && static_cast<double>(sum) >= share * static_cast<double>(all))
        return static_cast<double>(i + 1) / 100;
    }
    return 0;
  }

 private:
  std::array<std::uint64_t, 3000> bins_{};
};

}  // namespace

LayerChoice::LayerChoice(std::size_t layer, const std::optional<Rectangle>& the_wrap) {
  if (layer == kAllLayers) return;
  shown.resize(layer + 1);
  shown[layer] = true;
  wrap.resize(layer + 1, the_wrap);
}

const std::optional<Rectangle>& LayerChoice::wrapOf(std::size_t layer) const {
  static const std::optional<Rectangle> kNone;
  return layer < wrap.size() ? wrap[layer] : kNone;
}

Moment momentOf(const Frame& frame, const LayerChoice& layers) {
  Moment moment{frame.time, {}};
  moment.people.reserve(frame.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (!layers.has(entry(frame.layer, i))) continue;
    Person p;
    p.layer = entry(frame.layer, i);
    p.id = frame.person[i];
    p.population = entry(frame.population, i);
    p.position = {entry(frame.x, i), entry(frame.y, i)};
    p.heading = {entry(frame.heading_x, i), entry(frame.heading_y, i)};
    const double z = entry(frame.z, i);
    p.z = std::isfinite(z) ? z : 0;
    const double radius = entry(frame.radius, i);
    p.radius = radius > 0 && std::isfinite(radius) ? radius : kUnknownRadius;
    if (!std::isfinite(p.position.x) || !std::isfinite(p.position.y)) continue;
    p.heading = std::isfinite(p.heading.x) && std::isfinite(p.heading.y) ? normalized(p.heading) : Point{};
    moment.people.push_back(p);
  }
  return moment;
}

Point displacement(Point a, Point b, const std::optional<Rectangle>& wrap) {
  const Point d = b - a;
  if (!wrap) return d;
  return {shortWay(d.x, wrap->max.x - wrap->min.x), shortWay(d.y, wrap->max.y - wrap->min.y)};
}

Point walked(const Person& before, const Person& now, const LayerChoice& layers) {
  const bool stays = before.layer == now.layer;
  return displacement(before.position, now.position, stays ? layers.wrapOf(now.layer) : std::nullopt);
}

bool isElsewhere(const Person& before, const Person& now, double seconds) {
  constexpr double kFastest = 15, kReach = 0.5;  // m/s; m from one side of a connection to the other
  return before.layer != now.layer && length(now.position - before.position) > kFastest * seconds + kReach;
}

Point folded(Point p, const std::optional<Rectangle>& wrap) {
  if (!wrap) return p;
  return {into(p.x, wrap->min.x, wrap->max.x), into(p.y, wrap->min.y, wrap->max.y)};
}

const std::vector<std::size_t>& Matching::match(const Moment& before, const Moment& now) {
  rows_.assign(now.people.size(), kNobody);
  // Frames mostly list people by number: then one walk along both finds everybody.
  const auto byId = [](const Person& a, const Person& b) { return a.id < b.id; };
  if (std::is_sorted(before.people.begin(), before.people.end(), byId) &&
      std::is_sorted(now.people.begin(), now.people.end(), byId)) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < now.people.size(); ++i) {
      while (row < before.people.size() && before.people[row].id < now.people[i].id) ++row;
      if (row < before.people.size() && before.people[row].id == now.people[i].id) rows_[i] = row;
    }
    return rows_;
  }
  row_of_.clear();
  for (std::size_t i = 0; i < before.people.size(); ++i) row_of_.emplace(before.people[i].id, i);
  for (std::size_t i = 0; i < now.people.size(); ++i) {
    const auto found = row_of_.find(now.people[i].id);
    if (found != row_of_.end()) rows_[i] = found->second;
  }
  return rows_;
}

MomentReader::MomentReader(FrameSource& frames, LayerChoice layers) : frames_(frames), layers_(std::move(layers)) {
  frames_.rewind();
}

bool MomentReader::next() {
  if (!frames_.next(frame_)) return false;
  std::swap(before_, now_);
  if (!begun_) before_ = {};
  begun_ = true;
  now_ = momentOf(frame_.view(), layers_);
  rows_ = &matching_.match(before_, now_);
  const double dt = now_.time - before_.time;
  for (std::size_t i = 0; i < now_.people.size(); ++i) {
    const std::size_t row = (*rows_)[i];
    if (row == Matching::kNobody || !(dt > 0) || isElsewhere(before_.people[row], now_.people[i], dt)) continue;
    now_.people[i].speed = length(walked(before_.people[row], now_.people[i], layers_)) / dt;
  }
  return true;
}

std::uint64_t Survey::total() const { return std::accumulate(people.begin(), people.end(), std::uint64_t{0}); }

Survey survey(FrameSource& frames, const LayerChoice& layers, double from, double to) {
  Survey result;
  std::unordered_set<std::uint32_t> seen;
  SpeedCounts speeds;
  MomentReader reader(frames, layers);
  while (reader.next()) {
    const Moment& now = reader.now();
    if (result.frames++ == 0) result.first = now.time;
    result.last = now.time;
    if (now.time < from - kTimeTolerance || now.time > to + kTimeTolerance) continue;
    ++result.frames_inside;
    for (const Person& p : now.people) {
      grow(result.bounds, p);
      if (p.speed >= 0) speeds.add(p.speed);
      if (!seen.insert(p.id).second) continue;
      if (result.people.size() <= p.population) result.people.resize(p.population + std::size_t{1});
      ++result.people[p.population];
    }
  }
  result.fast = speeds.quantile(0.99);
  return result;
}

Playback::Playback(MomentReader& reader, double trail) : reader_(reader), trail_(trail) {
  more_ = reader_.next();
  if (!more_) return;
  advance();
}

/// The frame that was read becomes the current one, and the one after it is read.
void Playback::advance() {
  const Moment& now = reader_.now();
  std::vector<std::vector<Past>> pasts(now.people.size());
  for (std::size_t i = 0; i < pasts.size(); ++i) {
    const std::size_t row = reader_.rows()[i];
    std::vector<Past>& past = pasts[i];
    if (trail_ > 0 && row < pasts_.size()) past = std::move(pasts_[row]);
    past.push_back({now.time, now.people[i].position, now.people[i].layer});
    // One point older than the trail stays: the trail's end lies between it and the next.
    const double oldest = now.time - trail_;
    const auto young = std::find_if(past.begin(), past.end(), [oldest](const Past& p) { return p.time > oldest; });
    if (young != past.begin()) past.erase(past.begin(), young - 1);
  }
  pasts_ = std::move(pasts);
  current_ = now;
  more_ = reader_.next();
}

const Moment& Playback::at(double time) {
  while (more_ && reader_.now().time <= time + kTimeTolerance) advance();
  const double gap = more_ ? reader_.now().time - current_.time : 0;
  if (!(gap > 0) || time <= current_.time + kTimeTolerance) {
    moment_ = current_;
    row_.resize(moment_.people.size());
    std::iota(row_.begin(), row_.end(), std::size_t{0});
  } else {
    interpolate(time, (time - current_.time) / gap);
  }
  return moment_;
}

void Playback::interpolate(double time, double share) {
  moment_.time = time;
  moment_.people.clear();
  row_.clear();
  for (std::size_t i = 0; i < reader_.now().people.size(); ++i) {
    const std::size_t row = reader_.rows()[i];
    if (row == Matching::kNobody) continue;
    const Person &a = current_.people[row], &b = reader_.now().people[i];
    if (isElsewhere(a, b, reader_.now().time - current_.time)) {
      moment_.people.push_back(a);
      row_.push_back(row);
      continue;
    }
    Person p = b;
    const auto& wrap = reader_.layers().wrapOf(b.layer);
    p.position = a.position + walked(a, b, reader_.layers()) * share;
    if (a.layer == b.layer) p.position = folded(p.position, wrap);
    p.z = a.z + (b.z - a.z) * share;
    p.heading = normalized(a.heading * (1 - share) + b.heading * share);
    moment_.people.push_back(p);
    row_.push_back(row);
  }
}

const std::vector<Past>& Playback::past(std::size_t i) const { return pasts_[row_[i]]; }

}  // namespace throng::draw
