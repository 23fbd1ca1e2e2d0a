#include "steering/local_way.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace throng::steering {
namespace {

constexpr std::uint32_t kNever = 0xffffffffu;
constexpr std::uint32_t kStraight = 5, kDiagonal = 7;  // what a step takes: 7/5 is nearly the root of 2
constexpr float kAround = 0.3f;                        // m: who touches something begins beside where they are

float distanceToPiece(Vec2 place, Vec2 from, Vec2 to) {
  const Vec2 way = to - from;
  const float whole = lengthSquared(way);
  const float t = whole > 0 ? std::clamp(dot(place - from, way) / whole, 0.0f, 1.0f) : 0.0f;
  return length(from + way * t - place);
}

}  // namespace

float distanceToLine(Vec2 place, std::span<const Vec2> line) {
  float least = length(place - line[0]);
  for (std::size_t i = 1; i < line.size(); ++i) least = std::min(least, distanceToPiece(place, line[i - 1], line[i]));
  return least;
}

void LocalWay::clear(Vec2 centre) {
  corner_ = {centre.x - kHalf, centre.y - kHalf};
  closed_.assign(static_cast<std::size_t>(kAcross) * kAcross, 0);
}

bool LocalWay::cellOf(Vec2 at, int& cell) const {
  const Vec2 from = at - corner_;
  if (!(from.x >= 0 && from.y >= 0 && from.x <= 2 * kHalf && from.y <= 2 * kHalf)) return false;
  cell = index(from.y) * kAcross + index(from.x);
  return true;
}

Vec2 LocalWay::middleOf(int cell) const {
  return {corner_.x + static_cast<float>(cell % kAcross) * kCell,
          corner_.y + static_cast<float>(cell / kAcross) * kCell};
}

void LocalWay::close(Vec2 at, float radius) {
  const auto side = [](float along) { return std::clamp(static_cast<int>(std::floor(along / kCell)), -1, kAcross); };
  const Vec2 from = at - corner_;
  const int left = std::max(0, side(from.x - radius)), right = std::min(kAcross - 1, side(from.x + radius) + 1);
  const int low = std::max(0, side(from.y - radius)), high = std::min(kAcross - 1, side(from.y + radius) + 1);
  for (int row = low; row <= high; ++row)
    for (int column = left; column <= right; ++column) {
      const int cell = row * kAcross + column;
      if (lengthSquared(middleOf(cell) - at) < radius * radius) closed_[static_cast<std::size_t>(cell)] = 1;
    }
}

void LocalWay::close(const ground::Walls& walls, float radius) {
  static thread_local std::vector<std::uint32_t> found;
  found.clear();
  const Vec2 centre{corner_.x + kHalf, corner_.y + kHalf};
  walls.grid.query(centre, 1.42f * kHalf + radius, found);
  for (const std::uint32_t i : found) {
    const Vec2 a = walls.a[i], b = walls.b[i];
    const auto side = [](float along) { return std::clamp(static_cast<int>(std::floor(along / kCell)), -1, kAcross); };
    const int left = std::max(0, side(std::min(a.x, b.x) - radius - corner_.x));
    const int right = std::min(kAcross - 1, side(std::max(a.x, b.x) + radius - corner_.x) + 1);
    const int low = std::max(0, side(std::min(a.y, b.y) - radius - corner_.y));
    const int high = std::min(kAcross - 1, side(std::max(a.y, b.y) + radius - corner_.y) + 1);
    for (int row = low; row <= high; ++row)
      for (int column = left; column <= right; ++column) {
        const int cell = row * kAcross + column;
        if (distanceToPiece(middleOf(cell), a, b) < radius) closed_[static_cast<std::size_t>(cell)] = 1;
      }
  }
}

bool LocalWay::isFree(Vec2 from, Vec2 to) const {
  const Vec2 way = to - from;
  const int pieces = std::max(1, static_cast<int>(std::ceil(length(way) / (0.5f * kCell))));
  for (int i = 1; i <= pieces; ++i) {
    int cell = 0;
    if (!cellOf(from + way * (static_cast<float>(i) / static_cast<float>(pieces)), cell)) return false;
    if (closed_[static_cast<std::size_t>(cell)]) return false;
  }
  return true;
}

/// The nearest free cell, where somebody touches what is closed.
bool LocalWay::freeStart(Vec2 from, int& cell) const {
  if (!cellOf(from, cell)) return false;
  if (!closed_[static_cast<std::size_t>(cell)]) return true;
  constexpr int kCells = static_cast<int>(kAround / kCell);
  const int row = cell / kAcross, column = cell % kAcross;
  float nearest = kAround * kAround;
  bool found = false;
  for (int r = std::max(0, row - kCells); r <= std::min(kAcross - 1, row + kCells); ++r)
    for (int c = std::max(0, column - kCells); c <= std::min(kAcross - 1, column + kCells); ++c) {
      const int other = r * kAcross + c;
      const float squared = lengthSquared(middleOf(other) - from);
      if (!closed_[static_cast<std::size_t>(other)] && squared < nearest) nearest = squared, cell = other, found = true;
    }
  return found;
}

/// The first cell that is there, by A*; -1 where none can be reached.
template <class IsThere, class Estimate>
int LocalWay::search(int start, const IsThere& is_there, const Estimate& estimate) {
  steps_.assign(closed_.size(), kNever);
  before_.assign(closed_.size(), -1);
  queue_.clear();
  const auto add = [&](int cell, std::uint32_t steps, int from) {
    steps_[static_cast<std::size_t>(cell)] = steps, before_[static_cast<std::size_t>(cell)] = from;
    queue_.push_back(std::uint64_t{steps + estimate(cell)} << 32 | static_cast<std::uint32_t>(cell));
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  };
  add(start, 0, -1);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const auto cell = static_cast<int>(queue_.back() & 0xffffffffu);
    const auto total = static_cast<std::uint32_t>(queue_.back() >> 32);
    queue_.pop_back();
    const std::uint32_t steps = steps_[static_cast<std::size_t>(cell)];
    if (total > steps + estimate(cell)) continue;
    if (is_there(cell)) return cell;
    const int row = cell / kAcross, column = cell % kAcross;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int r = row + dy, c = column + dx;
        if ((dx == 0 && dy == 0) || r < 0 || c < 0 || r >= kAcross || c >= kAcross) continue;
        const int next = r * kAcross + c;
        const std::uint32_t there = steps + (dx != 0 && dy != 0 ? kDiagonal : kStraight);
        if (!closed_[static_cast<std::size_t>(next)] && there < steps_[static_cast<std::size_t>(next)])
          add(next, there, cell);
      }
  }
  return -1;
}

bool LocalWay::find(Vec2 from, Vec2 to, float within, Vec2& first) {
  int start = 0;
  if (!freeStart(from, start)) return false;
  const float near = std::max(within, kCell);
  const auto is_there = [&](int cell) { return lengthSquared(middleOf(cell) - to) <= near * near; };
  const auto estimate = [&](int cell) {
    const float left = std::max(0.0f, length(middleOf(cell) - to) - near);
    return static_cast<std::uint32_t>(left * (0.95f * static_cast<float>(kStraight) / kCell));
  };
  const int end = search(start, is_there, estimate);
  if (end < 0) return false;
  // The farthest place on it that is seen.
  first = middleOf(start);
  for (int cell = end; cell >= 0; cell = before_[static_cast<std::size_t>(cell)])
    if (isFree(middleOf(start), middleOf(cell))) {
      first = middleOf(cell);
      break;
    }
  return true;
}

bool LocalWay::findAside(Vec2 from, std::span<const Vec2> line, float away, Vec2& place) {
  int start = 0;
  if (!freeStart(from, start)) return false;
  const int end = search(
      start, [&](int cell) { return distanceToLine(middleOf(cell), line) >= away; }, [](int) { return 0u; });
  if (end < 0) return false;
  place = middleOf(end);
  return true;
}

}  // namespace throng::steering
