// What a search still has to look at, cheapest first: a heap with four below each that knows where everybody is, so
// that whoever is found to be cheaper moves up instead of being listed twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace throng::planning {

template <class Cost>
struct OpenEntry {
  Cost least;  ///< of a way over it
  std::uint32_t node;

  /// Equal ones in the order of numbers, so that the same search gives the same way everywhere.
  bool before(const OpenEntry& other) const { return least != other.least ? least < other.least : node < other.node; }
};

/// A view of a list of entries; `place(node)` is a reference to where the node keeps its place in it.
template <class Cost, class Place>
class OpenHeap {
 public:
  static constexpr std::uint32_t kDone = 0xffffffffu;  ///< the place of who has been taken out
  using Entry = OpenEntry<Cost>;

  OpenHeap(std::vector<Entry>& entries, Place place) : entries_(entries), place_(place) {}

  bool empty() const { return entries_.empty(); }
  Cost least() const { return entries_.front().least; }
  void add(const Entry& entry) {
    entries_.push_back(entry);
    rise(static_cast<std::uint32_t>(entries_.size() - 1), entry);
  }
  /// Somebody who is in it, and cheaper now.
  void improve(const Entry& entry) { rise(place_(entry.node), entry); }
  std::uint32_t pop() {
    const std::uint32_t first = entries_.front().node;
    place_(first) = kDone;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    return first;
  }

 private:
  void put(std::uint32_t slot, const Entry& entry) {
    entries_[slot] = entry;
    place_(entry.node) = slot;
  }
  void rise(std::uint32_t slot, const Entry& entry) {
    while (slot > 0) {
      const std::uint32_t above = (slot - 1) / 4;
      if (!entry.before(entries_[above])) break;
      put(slot, entries_[above]);
      slot = above;
    }
    put(slot, entry);
  }
  void sink(const Entry& entry) {
    const auto size = static_cast<std::uint32_t>(entries_.size());
    std::uint32_t slot = 0;
    for (std::uint32_t best = 1; best < size; best = 4 * slot + 1) {
      const std::uint32_t end = std::min(best + 4, size);
      for (std::uint32_t k = best + 1; k < end; ++k)
        if (entries_[k].before(entries_[best])) best = k;
      if (!entries_[best].before(entry)) break;
      put(slot, entries_[best]);
      slot = best;
    }
    put(slot, entry);
  }

  std::vector<Entry>& entries_;
  Place place_;
};

}  // namespace throng::planning
