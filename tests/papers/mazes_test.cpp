// Random mazes: every cell can be reached, by a way for every cell and more where walls are opened.
#include "papers/mazes.h"

#include <gtest/gtest.h>
#include <vector>

namespace throng::papers {
namespace {

/// Cells that can be reached from the first one.
std::size_t reached(const Maze& maze) {
  const int size = maze.size();
  std::vector<bool> seen(static_cast<std::size_t>(size * size));
  std::vector<std::pair<int, int>> next{{0, 0}};
  std::size_t count = 0;
  while (!next.empty()) {
    const auto [column, row] = next.back();
    next.pop_back();
    const auto cell = static_cast<std::size_t>(row * size + column);
    if (seen[cell]) continue;
    seen[cell] = true, ++count;
    if (column + 1 < size && maze.opensRight(column, row)) next.push_back({column + 1, row});
    if (column > 0 && maze.opensRight(column - 1, row)) next.push_back({column - 1, row});
    if (row + 1 < size && maze.opensUp(column, row)) next.push_back({column, row + 1});
    if (row > 0 && maze.opensUp(column, row - 1)) next.push_back({column, row - 1});
  }
  return count;
}

std::size_t passages(const Maze& maze) {
  std::size_t count = 0;
  for (int row = 0; row < maze.size(); ++row)
    for (int column = 0; column < maze.size(); ++column)
      count += (maze.opensRight(column, row) ? 1u : 0u) + (maze.opensUp(column, row) ? 1u : 0u);
  return count;
}

TEST(Mazes, HaveOneWayToEveryCell) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Maze maze(8, 0, seed);
    EXPECT_EQ(reached(maze), 64u);
    EXPECT_EQ(passages(maze), 63u);               // a tree
    EXPECT_EQ(maze.walls(1).size(), 112u - 63u);  // of 2 · 8 · 7 places between cells
  }
}

TEST(Mazes, HaveMoreWaysWhereWallsAreOpened) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Maze maze(8, 0.3, seed);
    EXPECT_EQ(reached(maze), 64u);
    EXPECT_GT(passages(maze), 63u);
    EXPECT_EQ(maze.walls(1).size(), 112u - passages(maze));
  }
  EXPECT_TRUE(Maze(8, 1, 1).walls(1).empty());
}

TEST(Mazes, AreThoseOfTheirSeed) {
  const auto corners = [](const Maze& maze) {
    std::vector<double> all;
    for (const Segment& wall : maze.walls(1.5)) all.insert(all.end(), {wall.a.x, wall.a.y, wall.b.x, wall.b.y});
    return all;
  };
  EXPECT_EQ(corners(Maze(8, 0.3, 7)), corners(Maze(8, 0.3, 7)));
  EXPECT_NE(corners(Maze(8, 0.3, 7)), corners(Maze(8, 0.3, 8)));
}

TEST(Mazes, WallsAreAsLongAsCells) {
  for (const Segment& wall : Maze(5, 0.2, 3).walls(1.2)) {
    EXPECT_NEAR(length(wall.b - wall.a), 1.2, 1e-12);
    EXPECT_LE(std::max(wall.b.x, wall.b.y), 6 + 1e-12);
  }
}

// All ways through these lead through two corridors, in which people of both directions would block one another for
// good if those who come did not wait outside until it is clear.
TEST(Mazes, WithFewCorridorsDoNotLock) {
  for (const std::uint64_t seed : {305u, 342u}) {
    DenseRun run;
    run.seed = seed, run.turned = 53, run.threads = 1;
    const MazeResult result = walkMaze(run, 1.2);
    EXPECT_EQ(result.arrived, result.people) << seed << ", " << result.last_arrival << " s";
    EXPECT_LT(result.last_arrival, 400) << seed;
  }
}

}  // namespace
}  // namespace throng::papers
