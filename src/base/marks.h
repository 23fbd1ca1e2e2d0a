// Which of many things have been met already, for searches that begin again and again: forgetting all of them costs
// nothing, and nothing is allocated once warm.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::base {

class Marks {
 public:
  /// Nothing is marked, of things 0 … count - 1.
  void clear(std::size_t count) {
    if (mark_.size() < count) mark_.resize(count, 0);
    if (++now_ == 0) std::fill(mark_.begin(), mark_.end(), 0), now_ = 1;
  }
  /// Marks a thing; true when it was not.
  bool add(std::size_t thing) {
    if (mark_[thing] == now_) return false;
    mark_[thing] = now_;
    return true;
  }

 private:
  std::vector<std::uint32_t> mark_;  ///< when each was marked last
  std::uint32_t now_ = 0;
};

}  // namespace throng::base
