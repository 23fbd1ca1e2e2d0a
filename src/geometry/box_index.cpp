#include "geometry/box_index.h"

#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace throng::geometry {

template <class N>
BoxIndex<N>::BoxIndex(std::vector<GridBox<N>> boxes) : boxes_(std::move(boxes)) {
  if (boxes_.empty()) return;
  // Squares are no smaller than a quarter of those that would hold two boxes each if all lay evenly.
  GridBox<N> all = boxes_.front();
  for (const GridBox<N>& b : boxes_) all.include(b);
  const double width = 1.0 + static_cast<double>(all.max.x) - static_cast<double>(all.min.x);
  const double height = 1.0 + static_cast<double>(all.max.y) - static_cast<double>(all.min.y);
  const double even = std::sqrt(2 * width * height / static_cast<double>(boxes_.size()));
  constexpr std::uint32_t kSmallest = 64, kLargestEven = std::is_same_v<N, std::int32_t> ? 1u << 15 : 1u << 28;
  const auto least = std::clamp(static_cast<std::uint32_t>(std::min(even / 4, 1e9)), kSmallest, kLargestEven);
  const auto shiftOf = [&](const GridBox<N>& b) {
    const auto extent = static_cast<std::uint32_t>(std::max(b.max.x - b.min.x, b.max.y - b.min.y));
    return std::bit_width(std::max(extent, least));
  };

  constexpr int kShifts = 33;
  std::array<std::vector<std::pair<std::uint64_t, std::uint32_t>>, kShifts> entries;
  for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
    const auto shift = static_cast<int>(shiftOf(boxes_[i]));
    const Square low = squareOf(boxes_[i].min, shift), high = squareOf(boxes_[i].max, shift);
    for (std::uint32_t row = low.row; row <= high.row; ++row)
      for (std::uint32_t column = low.column; column <= high.column; ++column)
        entries[static_cast<std::size_t>(shift)].emplace_back(key({row, column}), i);
  }
  for (int shift = 0; shift < kShifts; ++shift) {
    auto& list = entries[static_cast<std::size_t>(shift)];
    if (list.empty()) continue;
    std::sort(list.begin(), list.end());
    Level& level = levels_.emplace_back();
    level.shift = shift;
    level.keys.reserve(list.size()), level.items.reserve(list.size());
    for (const auto& [k, item] : list) level.keys.push_back(k), level.items.push_back(item);
    list = {};
  }
}

template class BoxIndex<std::int32_t>;
template class BoxIndex<std::int64_t>;

}  // namespace throng::geometry
