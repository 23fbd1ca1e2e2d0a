#include "import/polygon_triangles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace throng::import {
namespace {

/// Twice the area vector, by Newell's sum: stable for polygons that are not quite flat.
Point3 areaVector(std::span<const Point3> corners) {
  Point3 sum;
  const Point3 o = corners[0];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Point3 a{corners[i].x - o.x, corners[i].y - o.y, corners[i].z - o.z};
    const Point3 b{corners[i + 1].x - o.x, corners[i + 1].y - o.y, corners[i + 1].z - o.z};
    sum.x += a.y * b.z - a.z * b.y;
    sum.y += a.z * b.x - a.x * b.z;
    sum.z += a.x * b.y - a.y * b.x;
  }
  return sum;
}

/// Seen along the axis that the polygon faces most, counter-clockwise.
void flatten(std::span<const Point3> corners, std::vector<Point>& flat) {
  const Point3 n = areaVector(corners);
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  flat.clear();
  for (const Point3& p : corners) {
    if (z >= x && z >= y) {
      flat.push_back(n.z >= 0 ? Point{p.x, p.y} : Point{p.y, p.x});
    } else if (y >= x) {
      flat.push_back(n.y >= 0 ? Point{p.z, p.x} : Point{p.x, p.z});
    } else {
      flat.push_back(n.x >= 0 ? Point{p.y, p.z} : Point{p.z, p.y});
    }
  }
}

double turn(Point a, Point b, Point c) { return det(b - a, c - a); }

/// A triangle in plan, its border part of it.
struct Ear {
  Point a, b, c;

  Point low() const { return {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})}; }
  Point high() const { return {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})}; }
  /// Another corner of the polygon at one of its own corners is none that lies in it.
  bool contains(Point p) const {
    if (p == a || p == b || p == c) return false;
    const Point from = low(), to = high();
    if (p.x < from.x || p.x > to.x || p.y < from.y || p.y > to.y) return false;
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
  }
};

/// The corners that are left, in a ring, each asked.
class AskAll {
 public:
  AskAll(const PolygonScratch& scratch) : scratch_(scratch) {}
  void remove(std::uint32_t) {}
  bool anyIn(const Ear& ear, std::uint32_t start) const {
    for (std::uint32_t k = scratch_.next[start]; k != start; k = scratch_.next[k])
      if (ear.contains(scratch_.flat[k])) return true;
    return false;
  }

 private:
  const PolygonScratch& scratch_;
};

/// The corners that are left, in a tree of boxes: halves along the longer side, down to a handful. What is removed is
/// counted out on its way to the root, so that empty boxes are not opened.
class AskTree {
 public:
  explicit AskTree(const std::vector<Point>& flat) : flat_(flat), order_(flat.size()), place_(flat.size()) {
    leaves_ = std::bit_ceil((flat.size() + kHandful - 1) / kHandful);
    boxes_.resize(2 * leaves_);
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    build(1, 0, leaves_);
    const Point size = boxes_[1].high - boxes_[1].low;
    rounding_ = 1e-12 * lengthSquared(size);
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  }

  void remove(std::uint32_t corner) {
    const std::uint32_t place = place_[corner];
    order_[place] = kGone;
    for (std::size_t box = leaves_ + place / kHandful; box > 0; box /= 2) --boxes_[box].left;
  }

  bool anyIn(const Ear& ear, std::uint32_t) const {
    const Point low = ear.low(), high = ear.high();
    std::array<std::size_t, 80> stack;  // one box of every depth is left to be opened
    std::size_t n = 0;
    stack[n++] = 1;
    while (n > 0) {
      const std::size_t at = stack[--n];
      const Box& box = boxes_[at];
      if (box.left == 0 || box.low.x > high.x || box.low.y > high.y || box.high.x < low.x || box.high.y < low.y ||
          isBeside(box, ear.a, ear.b) || isBeside(box, ear.b, ear.c) || isBeside(box, ear.c, ear.a))
        continue;
      // Thousands of corners may be at one place, which is none that counts when it is the triangle's own.
      if (box.low == box.high && !ear.contains(box.low)) continue;
      if (at < leaves_) {
        stack[n++] = 2 * at;
        stack[n++] = 2 * at + 1;
        continue;
      }
      const std::size_t begin = (at - leaves_) * kHandful, end = std::min(begin + kHandful, order_.size());
      for (std::size_t i = begin; i < end; ++i)
        if (order_[i] != kGone && ear.contains(flat_[order_[i]])) return true;
    }
    return false;
  }

 private:
  struct Box {
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    std::uint32_t left = 0;
  };
  static constexpr std::size_t kHandful = 8;
  static constexpr std::uint32_t kGone = 0xffffffff;

  /// All of a box is on the outer side of a side of the triangle, by more than what is lost in rounding.
  bool isBeside(const Box& box, Point a, Point b) const {
    const Point farthest{b.y > a.y ? box.low.x : box.high.x, b.x > a.x ? box.high.y : box.low.y};
    return turn(a, b, farthest) < -rounding_;
  }

  /// The box of the corners in some of the leaves, which are put into the order of the tree.
  void build(std::size_t at, std::size_t first_leaf, std::size_t end_leaf) {
    Box& box = boxes_[at];
    const std::size_t begin = std::min(first_leaf * kHandful, order_.size());
    const std::size_t end = std::min(end_leaf * kHandful, order_.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Point p = flat_[order_[i]];
      box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
      box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
    }
    box.left = static_cast<std::uint32_t>(end - begin);
    if (end_leaf - first_leaf == 1) return;
    const std::size_t middle_leaf = (first_leaf + end_leaf) / 2;
    const std::size_t middle = std::clamp(middle_leaf * kHandful, begin, end);
    const bool wide = box.high.x - box.low.x > box.high.y - box.low.y;
    const auto corner = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (middle < end)
      std::nth_element(corner(begin), corner(middle), corner(end), [&](std::uint32_t i, std::uint32_t j) {
        return wide ? flat_[i].x < flat_[j].x : flat_[i].y < flat_[j].y;
      });
    build(2 * at, first_leaf, middle_leaf);
    build(2 * at + 1, middle_leaf, end_leaf);
  }

  const std::vector<Point>& flat_;
  std::vector<std::uint32_t> order_, place_;
  std::vector<Box> boxes_;  ///< as a heap: those of box i are 2i and 2i + 1
  std::size_t leaves_ = 1;
  double rounding_ = 0;  ///< of areas
};

/// Cuts off one ear after the other, in the order that polygons of that size are gone round.
template <class Corners>
void cutEars(PolygonScratch& scratch, Corners& left, std::vector<std::array<std::uint32_t, 3>>& triangles) {
  auto& [flat, next, last] = scratch;
  const bool large = flat.size() > kLargePolygon;
  // From the second corner on, so that what is convex becomes a fan around the first one, as most programs cut it. In
  // large polygons every other corner is cut, else triangles would reach across all of it, and be long and thin.
  std::uint32_t at = 1;
  std::size_t corners = flat.size(), tried = 0;
  while (corners > 3) {
    const std::uint32_t p = last[at], q = next[at];
    const Ear ear{flat[p], flat[at], flat[q]};
    const double bend = turn(ear.a, ear.b, ear.c);
    const bool cut = tried >= corners || (bend > 0 && !left.anyIn(ear, at)) || (large && bend == 0);
    if (!cut) {
      at = q;
      ++tried;
      continue;
    }
    triangles.push_back({p, at, q});
    left.remove(at);
    next[p] = q, last[q] = p;
    --corners;
    at = large ? next[q] : q;
    // One that has no ear crosses itself. What is left of a large one is cut anyhow: looking again would take years.
    if (!large || tried < corners) tried = 0;
  }
  // Beginning with the earliest corner, as it always was.
  std::array<std::uint32_t, 3> rest{at, next[at], next[next[at]]};
  std::rotate(rest.begin(), std::min_element(rest.begin(), rest.end()), rest.end());
  triangles.push_back(rest);
}

/// The polygon in plan and its ring.
void prepare(std::span<const Point3> corners, PolygonScratch& scratch) {
  flatten(corners, scratch.flat);
  // Where no place is, no order is either. Such triangles are left out later, wherever they are.
  if (corners.size() > kLargePolygon)
    for (Point& p : scratch.flat)
      if (!std::isfinite(p.x) || !std::isfinite(p.y)) p = {};
  const auto n = static_cast<std::uint32_t>(corners.size());
  scratch.next.resize(n), scratch.last.resize(n);
  for (std::uint32_t i = 0; i < n; ++i)
    scratch.next[i] = i + 1 < n ? i + 1 : 0, scratch.last[i] = i > 0 ? i - 1 : n - 1;
}

}  // namespace

void cutIntoTriangles(std::span<const Point3> corners, PolygonScratch& scratch,
                      std::vector<std::array<std::uint32_t, 3>>& triangles) {
  if (corners.size() <= kLargePolygon) return cutIntoTrianglesSlowly(corners, scratch, triangles);
  triangles.clear();
  prepare(corners, scratch);
  AskTree left(scratch.flat);
  cutEars(scratch, left, triangles);
}

void cutIntoTrianglesSlowly(std::span<const Point3> corners, PolygonScratch& scratch,
                            std::vector<std::array<std::uint32_t, 3>>& triangles) {
  triangles.clear();
  if (corners.size() < 3) return;
  prepare(corners, scratch);
  AskAll left(scratch);
  cutEars(scratch, left, triangles);
}

}  // namespace throng::import
