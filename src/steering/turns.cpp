#include "steering/turns.h"

#include <tuple>

namespace throng::steering {

void Turns::order() {
  std::sort(turns_.begin(), turns_.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.when, a.person, a.row) < std::tie(b.when, b.person, b.row);
  });
  for (std::uint32_t i = 0; i < turns_.size(); ++i) place_[turns_[i].row] = i;
}

void Turns::sortByWave(std::uint32_t waves) {
  wave_begin_.assign(waves + std::size_t{1}, 0);
  for (const std::uint32_t wave : wave_of_) ++wave_begin_[wave + 1];
  for (std::uint32_t w = 0; w < waves; ++w) wave_begin_[w + 1] += wave_begin_[w];
  sorted_.resize(turns_.size());
  // wave_begin_[w] is where the next of wave w goes; afterwards it is where w ends, which is where w + 1 begins.
  for (std::size_t i = 0; i < turns_.size(); ++i) sorted_[wave_begin_[wave_of_[i]]++] = turns_[i];
  for (std::uint32_t w = waves; w > 0; --w) wave_begin_[w] = wave_begin_[w - 1];
  wave_begin_[0] = 0;
  std::swap(turns_, sorted_);
}

}  // namespace throng::steering
