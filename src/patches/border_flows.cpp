// Augmenting paths (Ford & Fulkerson 1956), the shortest first (Edmonds & Karp 1972), from cells where too many come to
// cells where too few do.
#include "patches/border_flows.h"

#include <algorithm>

namespace throng::patches {
namespace {

class Balance {
 public:
  Balance(std::vector<FlowBorder>& borders, std::uint32_t cells) : borders_(borders), excess_(cells), at_(cells) {
    for (std::uint32_t b = 0; b < borders.size(); ++b) {
      const FlowBorder& border = borders[b];
      at_[border.from].push_back(b);
      if (border.to != FlowBorder::kWorld) at_[border.to].push_back(b);
      excess_[border.from] += border.back - border.there;
      if (border.to != FlowBorder::kWorld) excess_[border.to] += border.there - border.back;
    }
  }

  void run() {
    // First without taking anybody from one-way borders, which is what their neighbours are to make up for.
    for (const bool from_one_way : {false, true})
      for (const bool forwards : {true, false})
        for (std::uint32_t c = 0; c < excess_.size(); ++c)
          while ((forwards ? excess_[c] > 0 : excess_[c] < 0) && push(c, forwards, from_one_way)) {
          }
  }

 private:
  /// May one more go from a cell over a border (forwards), or one more come over it to the cell?
  bool passes(const FlowBorder& border, std::uint32_t cell, bool forwards, bool from_one_way) const {
    const bool there = (border.from == cell) == forwards;
    const bool is_one_way = border.most_there == 0 || border.most_back == 0;
    const int now = there ? border.there : border.back, most = there ? border.most_there : border.most_back;
    const int against = there ? border.back : border.there;
    return now < most || (against > 0 && (from_one_way || !is_one_way));
  }
  void pass(FlowBorder& border, std::uint32_t cell, bool forwards) {
    const bool there = (border.from == cell) == forwards;
    int &now = there ? border.there : border.back, &against = there ? border.back : border.there;
    const int most = there ? border.most_there : border.most_back;
    // More people rather than fewer, where the border may have them.
    now < most ? ++now : --against;
  }

  /// Moves one person's way from a cell to the nearest one that lacks one, or to the world.
  bool push(std::uint32_t start, bool forwards, bool from_one_way) {
    constexpr std::uint32_t kNone = 0xffffffffu;
    std::vector<std::uint32_t> came_over(excess_.size(), kNone), queue{start};
    const auto other = [&](const FlowBorder& b, std::uint32_t cell) { return b.from == cell ? b.to : b.from; };
    std::uint32_t last = kNone, end = kNone;
    for (std::size_t head = 0; head < queue.size() && last == kNone; ++head) {
      const std::uint32_t cell = queue[head];
      for (const std::uint32_t b : at_[cell]) {
        if (!passes(borders_[b], cell, forwards, from_one_way)) continue;
        const std::uint32_t next = other(borders_[b], cell);
        if (next == FlowBorder::kWorld) {
          last = b, end = cell;
          break;
        }
        if (next == start || came_over[next] != kNone) continue;
        came_over[next] = b;
        if (forwards ? excess_[next] < 0 : excess_[next] > 0) {
          last = b, end = cell;
          excess_[next] += forwards ? 1 : -1;
          break;
        }
        queue.push_back(next);
      }
    }
    if (last == kNone) return false;
    pass(borders_[last], end, forwards);
    while (end != start) {
      const std::uint32_t b = came_over[end], before = other(borders_[b], end);
      pass(borders_[b], before, forwards);
      end = before;
    }
    excess_[start] += forwards ? -1 : 1;
    return true;
  }

  std::vector<FlowBorder>& borders_;
  std::vector<int> excess_;  ///< who come too many
  std::vector<std::vector<std::uint32_t>> at_;
};

}  // namespace

void balance(std::vector<FlowBorder>& borders, std::uint32_t cells) { Balance(borders, cells).run(); }

}  // namespace throng::patches
