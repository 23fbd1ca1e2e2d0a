// People of a model who decide one after another within a step, each knowing what those before chose. The order is that
// of time, and of people's numbers where times are equal, so it does not depend on threads or rows. Who looks at nobody
// that decides earlier need not wait: turns are cut into waves, and all of one wave can be taken at once with the same
// result as one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::steering {

/// Somebody who decides within this step.
struct Turn {
  float when;  ///< s, from the beginning of the step
  std::uint32_t person, slot, row;
  std::uint32_t group;  ///< which of those who are steered together
};

class Turns {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// Forgets all turns. `rows` of the crowd.
  void begin(std::size_t rows) {
    turns_.clear(), wave_begin_.clear();
    place_.assign(rows, kNone);
  }
  void add(const Turn& turn) { turns_.push_back(turn); }
  /// Puts them into order.
  void order();
  /// Cuts them into waves. `looks_at(turn, visit)` calls visit(row) for everybody whom the person will look at.
  template <class LooksAt>
  void cut(const LooksAt& looks_at) {
    wave_of_.resize(turns_.size());
    std::uint32_t waves = 0;
    for (std::uint32_t i = 0; i < turns_.size(); ++i) {
      std::uint32_t wave = 0;
      looks_at(turns_[i], [&](std::uint32_t row) {
        if (place_[row] < i) wave = std::max(wave, wave_of_[place_[row]] + 1);
      });
      wave_of_[i] = wave;
      waves = std::max(waves, wave + 1);
    }
    sortByWave(waves);
  }

  /// In order; after cut() by wave, and in order within each.
  std::span<const Turn> all() const { return turns_; }
  std::size_t waves() const { return wave_begin_.empty() ? 0 : wave_begin_.size() - 1; }
  std::span<const Turn> wave(std::size_t i) const {
    return all().subspan(wave_begin_[i], wave_begin_[i + 1] - wave_begin_[i]);
  }
  /// Does somebody decide before somebody else does, or who does not decide at all? False for oneself.
  bool before(std::uint32_t row, std::uint32_t other_row) const { return place_[row] < place_[other_row]; }

 private:
  void sortByWave(std::uint32_t waves);

  std::vector<Turn> turns_, sorted_;
  std::vector<std::uint32_t> place_;  ///< in the order, by row; kNone: does not decide now
  std::vector<std::uint32_t> wave_of_, wave_begin_;
};

}  // namespace throng::steering
