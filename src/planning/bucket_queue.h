// What a search over many cells still has to look at, roughly cheapest first: lists of those that cost about the same
// (Dial 1969). Putting one in and taking one out is a few instructions, whatever waits; a search may so meet a cell
// again that has become cheaper, and leaves it once more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace throng::planning {

template <class Entry>
class BucketQueue {
 public:
  /// Empty, for costs from `first`; those in one bucket differ by less than `width`, more than 0.
  void begin(float first, float width) {
    if (buckets_.empty()) buckets_.resize(kBuckets);
    if (waiting_ > 0)
      for (auto& bucket : buckets_) bucket.clear();
    later_.clear();
    first_ = first, width_ = width, per_width_ = 1 / width;
    here_ = 0, waiting_ = 0;
  }
  void add(float least, const Entry& entry) {
    const float bucket = (least - first_) * per_width_;
    if (!(bucket < static_cast<float>(kBuckets))) {
      later_.push_back({least, entry});
      return;
    }
    buckets_[std::max(here_, bucket > 0 ? static_cast<std::size_t>(bucket) : 0)].push_back(entry);
    ++waiting_;
  }
  /// Takes one of the cheapest out; false when there is none, or they all cost at least as much as `limit`.
  bool pop(float limit, Entry& entry) {
    if (waiting_ == 0) {
      if (later_.empty()) return false;
      startAgain();
    }
    while (buckets_[here_].empty()) ++here_;
    if (!(first_ + width_ * static_cast<float>(here_) < limit)) return false;
    entry = buckets_[here_].back();
    buckets_[here_].pop_back();
    --waiting_;
    return true;
  }

 private:
  static constexpr std::size_t kBuckets = 1 << 12;
  struct Later {
    float least;
    Entry entry;
  };

  /// From the least of those that cost more than the last bucket held.
  void startAgain() {
    first_ = std::numeric_limits<float>::infinity();
    for (const Later& later : later_) first_ = std::min(first_, later.least);
    here_ = 0;
    again_.swap(later_);
    later_.clear();
    for (const Later& later : again_) add(later.least, later.entry);
    again_.clear();
  }

  std::vector<std::vector<Entry>> buckets_;
  std::vector<Later> later_, again_;
  std::size_t here_ = 0, waiting_ = 0;
  float first_ = 0, width_ = 1, per_width_ = 1;
};

}  // namespace throng::planning
