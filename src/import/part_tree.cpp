#include <algorithm>
#include <fmt/format.h>

#include "import/model_check.h"

namespace throng::import {
namespace {

constexpr std::uint64_t kMuch = std::uint64_t{1} << 62;

/// A part whose parts are looked at, and which of them comes next.
struct Visit {
  std::size_t part, next;
};

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kMuch); }

}  // namespace

std::size_t PartTree::add(std::string where, std::uint64_t corners) {
  parts_.push_back({std::move(where), std::min(corners, kMuch), {}});
  return parts_.size() - 1;
}

void PartTree::contains(std::size_t part, std::size_t other) { parts_[part].parts.push_back(other); }

void PartTree::fail(std::size_t part, const std::string& message) const {
  throw InputError({Diagnostic{.file = file_, .pointer = parts_[part].where, .message = message}});
}

void PartTree::add(std::size_t part, std::vector<Sum>& sums) const {
  Sum& of = sums[part];
  of = {1, parts_[part].corners, 1};
  for (const std::size_t other : parts_[part].parts) {
    of.nodes = sum(of.nodes, sums[other].nodes);
    of.corners = sum(of.corners, sums[other].corners);
    of.depth = std::max(of.depth, sums[other].depth + 1);
  }
  if (of.depth > kDeepestNodes)
    fail(part, fmt::format("parts are nested more than {} deep; that is the most that is allowed", kDeepestNodes));
  if (of.nodes > kMostNodes)
    fail(part,
         fmt::format("with all copies there are more than {} parts; that is the most that is allowed", kMostNodes));
  if (of.corners > kMostCorners)
    fail(part, fmt::format("with all copies, triangles have more than {} corners; that is the most that is allowed",
                           kMostCorners));
}

void PartTree::check() const {
  // Depth first, without recursion: every part after all that are in it.
  enum State : char { kNew, kOpen, kDone };
  std::vector<State> state(parts_.size(), kNew);
  std::vector<Sum> sums(parts_.size());
  std::vector<Visit> stack;
  for (std::size_t root = 0; root < parts_.size(); ++root) {
    if (state[root] == kNew) stack.push_back({root, 0}), state[root] = kOpen;
    while (!stack.empty()) {
      const std::size_t part = stack.back().part;
      if (stack.back().next == parts_[part].parts.size()) {
        add(part, sums);
        state[part] = kDone;
        stack.pop_back();
        continue;
      }
      const std::size_t other = parts_[part].parts[stack.back().next++];
      if (state[other] == kOpen) fail(other, "the part contains itself; allowed: parts in parts without a circle");
      if (state[other] == kNew) stack.push_back({other, 0}), state[other] = kOpen;
    }
  }
}

}  // namespace throng::import
