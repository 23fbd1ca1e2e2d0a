// The grids against looking at everything.
#include "geometry/uniform_grid.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <rapidcheck.h>

#include "geometry/hashed_cells.h"

namespace throng::geometry {
namespace {

/// Of all sizes, points too; on a lattice, so that borders meet.
rc::Gen<Rectangle> someBox() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(-400, 400), rc::gen::inRange(-400, 400),
                                     rc::gen::element(0, 1, 2, 5, 40, 300), rc::gen::element(0, 1, 2, 5, 40, 300)),
                      [](const std::tuple<int, int, int, int>& t) {
                        const auto [x, y, w, h] = t;
                        return Rectangle{{x / 8.0, y / 8.0}, {(x + w) / 8.0, (y + h) / 8.0}};
                      });
}

rc::Gen<std::vector<Rectangle>> someBoxes() { return rc::gen::container<std::vector<Rectangle>>(someBox()); }

template <class T>
BasicVec2<T> as(Point p) {
  return {static_cast<T>(p.x), static_cast<T>(p.y)};
}

template <class T>
void expectWhatOverlaps(const std::vector<Rectangle>& boxes, const Rectangle& asked) {
  const auto grid = UniformGrid<T>::ofBoxes(boxes);
  RC_ASSERT(grid.empty() == boxes.empty());
  std::vector<std::uint32_t> found = {77}, visited;
  grid.query(as<T>(asked.min), as<T>(asked.max), found);
  RC_ASSERT(found[0] == 77u);  // appended behind what was there
  found.erase(found.begin());
  RC_ASSERT(std::is_sorted(found.begin(), found.end()));
  RC_ASSERT(std::adjacent_find(found.begin(), found.end()) == found.end());
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    if (overlap(boxes[i], asked)) RC_ASSERT(std::binary_search(found.begin(), found.end(), i));
  grid.visit(as<T>(asked.min), as<T>(asked.max), [&](std::uint32_t i) { visited.push_back(i); });
  std::sort(visited.begin(), visited.end());
  visited.erase(std::unique(visited.begin(), visited.end()), visited.end());
  RC_ASSERT(visited == found);
  RC_ASSERT(grid.nothingIn(as<T>(asked.min), as<T>(asked.max)) == found.empty());
  if (boxes.empty()) return;
  const auto at = grid.at(as<T>(asked.min));
  RC_ASSERT(std::is_sorted(at.begin(), at.end()));
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    if (boxContains(boxes[i], asked.min)) RC_ASSERT(std::binary_search(at.begin(), at.end(), i));
}

TEST(UniformGrid, FindsEveryBoxThatBruteForceFinds) {
  EXPECT_TRUE(rc::check("double", [] { expectWhatOverlaps<double>(*someBoxes(), *someBox()); }));
  EXPECT_TRUE(rc::check("float", [] { expectWhatOverlaps<float>(*someBoxes(), *someBox()); }));
}

TEST(UniformGrid, OfManyBoxesLooksAtFewAndTakesLittleMemory) {
  std::vector<Rectangle> boxes;
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x) boxes.push_back({{x * 3.0, y * 3.0}, {x * 3.0 + 1, y * 3.0 + 1}});
  boxes.push_back({{0, 0}, {300, 300}});
  const auto grid = UniformGrid<double>::ofBoxes(boxes);
  std::vector<std::uint32_t> found;
  grid.query({150, 150}, {151, 151}, found);
  EXPECT_LT(found.size(), 20u);
  EXPECT_LT(grid.bytes(), boxes.size() * 64);
  // In a row, where cells would be far smaller than the boxes, and all in one place.
  std::vector<Rectangle> row, pile(1000, Rectangle{{0, 0}, {1000, 1000}});
  for (int x = 0; x < 1000; ++x) row.push_back({{x * 1.0, 0}, {x * 1.0, 0}});
  EXPECT_LT(UniformGrid<double>::ofBoxes(row).bytes(), row.size() * 64);
  EXPECT_LT(UniformGrid<double>::ofBoxes(pile).bytes(), pile.size() * 256);
}

TEST(CellLists, HoldWhatWasPutIntoThemInThatOrder) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::uint8_t, std::uint32_t>>& puts, bool twice) {
    CellLists lists;
    const auto all = [&](const auto& put) {
      for (const auto& [cell, item] : puts) put(cell, item);
    };
    lists.fill(256, all);
    if (twice) lists.fill(256, all);
    std::map<std::size_t, std::vector<std::uint32_t>> expected;
    for (const auto& [cell, item] : puts) expected[cell].push_back(item);
    RC_ASSERT(lists.cells() == 256u);
    RC_ASSERT(lists.empty() == puts.empty());
    std::vector<std::uint32_t> joined;
    for (std::size_t c = 0; c < 256; ++c) {
      const auto list = lists.of(c);
      RC_ASSERT(std::vector<std::uint32_t>(list.begin(), list.end()) == expected[c]);
      if (c >= 10 && c <= 100) joined.insert(joined.end(), list.begin(), list.end());
    }
    const auto several = lists.of(10, 100);
    RC_ASSERT(std::vector<std::uint32_t>(several.begin(), several.end()) == joined);
  }));
}

TEST(CellLayout, WhatLiesOutsideBelongsToTheOutermostCells) {
  CellLayout<float> layout;
  layout.origin = {10, 20};
  layout.per_metre = 0.5f;
  layout.columns = 3, layout.rows = 2;
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(layout.cells(), 6u);
  EXPECT_EQ(layout.cellAt({10, 20}), 0u);
  EXPECT_EQ(layout.cellAt({15.9f, 23.9f}), 5u);
  EXPECT_EQ(layout.cellAt({12, 21}), 1u);
  EXPECT_EQ(layout.cellAt({-infinity, infinity}), 3u);
  EXPECT_EQ(layout.cellAt({3e38f, -3e38f}), 2u);
  EXPECT_EQ(layout.cellAt({nan, nan}), 0u);
  std::vector<std::size_t> cells;
  layout.forCells({13, 0}, {100, 100}, [&](std::size_t c) { cells.push_back(c); });
  EXPECT_EQ(cells, (std::vector<std::size_t>{1, 2, 4, 5}));
}

TEST(HashedCells, NeighboursInARowAreNeighboursInMemory) {
  EXPECT_TRUE(rc::check([](std::uint16_t things, std::int32_t column, std::int32_t row, std::uint16_t layer) {
    const HashedCells cells(things);
    RC_ASSERT(cells.buckets() >= 2u * things && cells.buckets() >= 16u);
    const std::size_t here = cells.bucket(column, row, layer);
    RC_ASSERT(here < cells.buckets());
    RC_ASSERT(cells.bucket(std::int64_t{column} + 1, row, layer) == (here + 1) % cells.buckets());
  }));
  EXPECT_EQ(HashedCells::number(-0.5, 2), -1);
  EXPECT_EQ(HashedCells::number(4, 2), 2);
  EXPECT_EQ(HashedCells::number(1e300, 2), HashedCells::number(1e200, 2));
}

TEST(Boxes, AroundPointsAndOneAnother) {
  EXPECT_TRUE(isEmpty(kEmptyBox));
  EXPECT_TRUE(isEmpty(boxOf(std::vector<Point>{})));
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::int16_t, std::int16_t>>& coordinates) {
    RC_PRE(!coordinates.empty());
    std::vector<Point> points;
    for (const auto& [x, y] : coordinates) points.push_back({double(x), double(y)});
    const Rectangle box = boxOf(points);
    RC_ASSERT(!isEmpty(box));
    const auto left = std::min_element(points.begin(), points.end(), [](Point p, Point q) { return p.x < q.x; });
    const auto top = std::max_element(points.begin(), points.end(), [](Point p, Point q) { return p.y < q.y; });
    RC_ASSERT(box.min.x == left->x && box.max.y == top->y);
    for (const Point p : points) RC_ASSERT(boxContains(box, p) && overlap(box, {p, p}));
    RC_ASSERT(!boxContains(box, box.max + Point{1, 0}) && boxContains(grown(box, 1), box.max + Point{1, 0}));
    Rectangle joined = kEmptyBox;
    for (const Point p : points) include(joined, boxOf(Segment{p, points[0]}));
    RC_ASSERT(joined.min == box.min && joined.max == box.max);
    RC_ASSERT(boxOf(cornersOf(box)).min == box.min && boxOf(cornersOf(box)).max == box.max);
  }));
}

}  // namespace
}  // namespace throng::geometry
