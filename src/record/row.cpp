#include "record/row.h"

#include <algorithm>
#include <numeric>

namespace throng::record {

void badInput(const std::string& file, const std::string& message, std::uint64_t line) {
  Diagnostic diagnostic{.file = file, .message = message};
  if (line > 0) diagnostic.line = static_cast<int>(std::min<std::uint64_t>(line, 2147483647u)), diagnostic.column = 1;
  throw InputError({diagnostic});
}

void sortByPerson(FrameCopy& frame) {
  if (std::is_sorted(frame.person.begin(), frame.person.end())) return;
  std::vector<std::uint32_t> order(frame.person.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return frame.person[a] < frame.person[b]; });
  const auto reorder = [&order](auto& column) {
    auto sorted = column;
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[order[i]];
    column.swap(sorted);
  };
  reorder(frame.person);
  for (auto* column : {&frame.x, &frame.y, &frame.z, &frame.slope, &frame.heading_x, &frame.heading_y, &frame.radius}) {
    reorder(*column);
  }
  reorder(frame.population);
  reorder(frame.layer);
}

}  // namespace throng::record
