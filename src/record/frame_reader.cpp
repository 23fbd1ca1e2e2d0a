#include "record/frame_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <set>

namespace throng::record {
namespace {

/// m; less than this from one frame to the next says nothing about where somebody is heading.
constexpr float kLeastMotion = 1e-3f;
constexpr double kSameTime = 1e-9;  // s; times are quotients of frame numbers
constexpr std::size_t kNear = 8;    // frames; reading on is no slower then

/// Rows in memory, by frame: for files that are ordered by person.
class SortedRows : public RowSource {
 public:
  explicit SortedRows(std::unique_ptr<RowSource> rows) : rows_(std::move(rows)) {
    rows_->rewind();
    for (Row row; rows_->next(row);) sorted_.push_back(row);
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const Row& a, const Row& b) { return a.frame < b.frame; });
  }
  const Facts& facts() const override { return rows_->facts(); }
  bool next(Row& row) override {
    if (next_ == sorted_.size()) return false;
    row = sorted_[next_++];
    return true;
  }
  void rewind() override { next_ = 0; }
  const char* placeName() const override { return rows_->placeName(); }

 private:
  std::unique_ptr<RowSource> rows_;
  std::vector<Row> sorted_;
  std::size_t next_ = 0;
};

/// Row of somebody in a frame in ascending order, looking on from `hint`; the frame's size when they are not there.
std::size_t find(const FrameCopy& frame, std::uint32_t person, std::size_t& hint) {
  while (hint < frame.person.size() && frame.person[hint] < person) ++hint;
  return hint < frame.person.size() && frame.person[hint] == person ? hint : frame.person.size();
}

template <class Sorted>
void merge(std::vector<std::int64_t>& frames, const Sorted& more) {
  std::vector<std::int64_t> all;
  std::set_union(frames.begin(), frames.end(), more.begin(), more.end(), std::back_inserter(all));
  frames = std::move(all);
}

}  // namespace

FrameReader::FrameReader(std::unique_ptr<RowSource> rows, std::string name)
    : rows_(std::move(rows)), name_(std::move(name)) {
  if (facts().frames && facts().arrivals) {
    frames_ = *facts().frames;
    arrivals_ = *facts().arrivals;
    person_count_ = facts().persons.size();
  } else {
    survey();
  }
  const double rate = facts().frames_per_second;
  if (!(rate > 0) || !std::isfinite(rate)) {
    badInput(name_, fmt::format("the frame rate is {}; it must be a positive number of frames per second", rate));
  }
  rewind();
}

/// One pass over the rows: which frames there are, who is in them, and when each person is seen last.
void FrameReader::survey() {
  std::unordered_map<std::uint32_t, std::int64_t> last_seen;
  std::set<std::int64_t> earlier;  // frames that were not there yet when later ones were
  bool in_order = true;
  rows_->rewind();
  for (Row row; rows_->next(row);) {
    check(row);
    if (frames_.empty() || row.frame > frames_.back()) {
      frames_.push_back(row.frame);
    } else if (row.frame < frames_.back()) {
      in_order = false;
      if (!std::binary_search(frames_.begin(), frames_.end(), row.frame)) earlier.insert(row.frame);
    }
    auto& last = last_seen[static_cast<std::uint32_t>(row.id)];
    last = std::max(last, row.frame);
  }
  merge(frames_, earlier);
  if (facts().frames) merge(frames_, *facts().frames);  // these may hold frames without anybody
  if (!in_order && !rows_->orderByFrame()) rows_ = std::make_unique<SortedRows>(std::move(rows_));
  person_count_ = last_seen.size();
  if (facts().arrivals) {
    arrivals_ = *facts().arrivals;
    return;
  }
  for (const auto& [person, last] : last_seen) {
    const auto after = std::upper_bound(frames_.begin(), frames_.end(), last);
    if (after != frames_.end()) {
      arrivals_.push_back({person, static_cast<double>(*after) / facts().frames_per_second});
    }
  }
  std::sort(arrivals_.begin(), arrivals_.end(), [](const Arrival& a, const Arrival& b) {
    return a.time != b.time ? a.time < b.time : a.person < b.person;
  });
}

void FrameReader::bad(const Row& row, const std::string& message) const {
  badInput(name_, fmt::format("{} {}: {}", rows_->placeName(), row.place, message));
}

void FrameReader::check(const Row& row) const {
  if (row.frame < 0) bad(row, fmt::format("the frame is {}; frames are numbered from 0", row.frame));
  if (row.id < 0 || row.id > std::numeric_limits<std::uint32_t>::max()) {
    bad(row, fmt::format("the person is {}; people are numbered from 0 to 4294967295", row.id));
  }
  const double limit = std::numeric_limits<float>::max();
  if (!(std::abs(row.x) <= limit && std::abs(row.y) <= limit && std::abs(row.z) <= limit)) {
    bad(row, fmt::format("the position ({}, {}, {}) is not a place", row.x, row.y, row.z));
  }
}

void FrameReader::rewind() {
  rows_->rewind();
  next_frame_ = next_arrival_ = given_ = 0;
  before_.clear();
  has_ahead_ = false;
  has_pending_ = rows_->next(pending_);
  if (has_pending_) check(pending_);
  if (!facts().headings) has_ahead_ = gather(ahead_);
}

void FrameReader::skipTo(double time) {
  // Where headings follow from motion, those of people who stand come from frames long past.
  if (!facts().headings) return;
  const double rate = facts().frames_per_second;
  const auto wanted = std::partition_point(frames_.begin(), frames_.end(), [&](std::int64_t frame) {
    return static_cast<double>(frame) / rate < time - kSameTime;
  });
  const auto at = static_cast<std::size_t>(wanted - frames_.begin());
  if (wanted == frames_.end() || at < next_frame_ + kNear || !rows_->rewindTo(*wanted)) return;
  next_frame_ = given_ = at;
  has_pending_ = rows_->next(pending_);
  if (has_pending_) check(pending_);
  const double before = static_cast<double>(frames_[at - 1]) / rate + 1e-3 / rate;
  while (next_arrival_ < arrivals_.size() && arrivals_[next_arrival_].time <= before) ++next_arrival_;
}

/// The next of the listed frames with all its rows, in ascending order of people.
bool FrameReader::gather(FrameCopy& frame) {
  frame.clear();
  if (next_frame_ == frames_.size()) {
    if (has_pending_) bad(pending_, fmt::format("frame {} follows after the last frame", pending_.frame));
    return false;
  }
  const std::int64_t number = frames_[next_frame_++];
  frame.index = static_cast<std::uint64_t>(number);
  frame.time = static_cast<double>(number) / facts().frames_per_second;
  while (has_pending_ && pending_.frame == number) {
    const auto person = static_cast<std::uint32_t>(pending_.id);
    frame.person.push_back(person);
    frame.x.push_back(static_cast<float>(pending_.x));
    frame.y.push_back(static_cast<float>(pending_.y));
    frame.z.push_back(static_cast<float>(pending_.z));
    frame.slope.push_back(0);
    frame.heading_x.push_back(pending_.heading_x);
    frame.heading_y.push_back(pending_.heading_y);
    const auto known = facts().persons.find(person);
    frame.radius.push_back(known == facts().persons.end() ? kDefaultRadius : known->second.radius);
    frame.population.push_back(known == facts().persons.end() ? pending_.population : known->second.population);
    frame.layer.push_back(0);
    has_pending_ = rows_->next(pending_);
    if (has_pending_) check(pending_);
  }
  if (has_pending_ && pending_.frame < number) {
    bad(pending_, fmt::format("frame {} follows frame {}; frames must be listed and in order", pending_.frame, number));
  }
  sortByPerson(frame);
  const auto twice = std::adjacent_find(frame.person.begin(), frame.person.end());
  if (twice != frame.person.end()) {
    badInput(name_, fmt::format("person {} is in frame {} twice", *twice, number));
  }
  rows_->complete(frame);
  return true;
}

/// Towards where they came from the frame before; those who have just appeared, towards where they are in the next.
void FrameReader::headFromMotion(FrameCopy& frame) const {
  std::size_t before_hint = 0, ahead_hint = 0;
  for (std::size_t i = 0; i < frame.person.size(); ++i) {
    Vec2 heading{1, 0};
    const Vec2 here{frame.x[i], frame.y[i]};
    const std::size_t before = find(before_, frame.person[i], before_hint);
    const std::size_t ahead = has_ahead_ ? find(ahead_, frame.person[i], ahead_hint) : ahead_.person.size();
    Vec2 motion;
    if (before < before_.person.size()) {
      heading = {before_.heading_x[before], before_.heading_y[before]};
      motion = here - Vec2{before_.x[before], before_.y[before]};
    } else if (ahead < ahead_.person.size()) {
      motion = Vec2{ahead_.x[ahead], ahead_.y[ahead]} - here;
    }
    const float distance = length(motion);
    if (distance > kLeastMotion && std::isfinite(distance)) heading = motion / distance;
    frame.heading_x[i] = heading.x;
    frame.heading_y[i] = heading.y;
  }
}

bool FrameReader::next(FrameCopy& frame, std::vector<Arrival>* arrivals) {
  if (arrivals != nullptr) arrivals->clear();
  if (facts().headings) {
    if (!gather(frame)) return false;
  } else {
    if (!has_ahead_) return false;
    std::swap(frame, ahead_);
    has_ahead_ = gather(ahead_);
    headFromMotion(frame);
    before_ = frame;
  }
  ++given_;
  // Times of arrival are sums of time steps, times of frames are quotients: allow for their rounding.
  const double until = frame.time + 1e-3 / facts().frames_per_second;
  const bool last = given_ == frames_.size();
  for (; next_arrival_ < arrivals_.size() && (last || arrivals_[next_arrival_].time <= until); ++next_arrival_) {
    if (arrivals != nullptr) arrivals->push_back(arrivals_[next_arrival_]);
  }
  return true;
}

}  // namespace throng::record
