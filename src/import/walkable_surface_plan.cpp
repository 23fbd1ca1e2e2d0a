#include "import/walkable_surface_plan.h"

#include <bit>

namespace throng::import {

BoxIndex::BoxIndex(std::vector<SpotBox> boxes) : boxes_(std::move(boxes)) {
  if (boxes_.empty()) return;
  // Squares are no smaller than those that would hold two boxes each if all lay evenly.
  SpotBox all = boxes_.front();
  for (const SpotBox& b : boxes_)
    all = {{std::min(all.min.x, b.min.x), std::min(all.min.y, b.min.y)},
           {std::max(all.max.x, b.max.x), std::max(all.max.y, b.max.y)}};
  const double width = 1.0 + all.max.x - all.min.x, height = 1.0 + all.max.y - all.min.y;
  const double even = std::sqrt(2 * width * height / static_cast<double>(boxes_.size()));
  constexpr std::uint32_t kSmallest = 64, kLargestEven = 1 << 15;
  const auto least = std::clamp(static_cast<std::uint32_t>(std::min(even / 4, 1e9)), kSmallest, kLargestEven);
  const auto shiftOf = [&](const SpotBox& b) {
    const auto extent = static_cast<std::uint32_t>(std::max(b.max.x - b.min.x, b.max.y - b.min.y));
    return std::bit_width(std::max(extent, least));
  };

  constexpr int kShifts = 33;
  std::array<std::vector<std::pair<std::uint64_t, std::uint32_t>>, kShifts> entries;
  for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
    const int shift = shiftOf(boxes_[i]);
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

}  // namespace throng::import
