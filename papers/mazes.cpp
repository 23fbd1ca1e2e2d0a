// Two streams through mazes, against one another (docs/validation.md).
#include "papers/mazes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "throng/world.h"

#include "papers/dense_scenes.h"
#include "papers/random.h"
#include "papers/validations.h"

namespace throng::papers {

Maze::Maze(int size, double opened, std::uint64_t seed) : size_(size) {
  const auto cells = static_cast<std::size_t>(size * size);
  right_.resize(cells), up_.resize(cells);
  constexpr std::array<std::array<int, 2>, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  const auto open = [&](int column, int row, const std::array<int, 2>& step) {
    const std::size_t lower = index(std::min(column, column + step[0]), std::min(row, row + step[1]));
    (step[0] != 0 ? right_ : up_)[lower] = true;
  };
  std::vector<bool> seen(cells);
  std::vector<std::array<int, 2>> way{{0, 0}};
  seen[0] = true;
  while (!way.empty()) {
    const auto [column, row] = way.back();
    std::vector<std::array<int, 2>> choices;
    for (const auto& step : kSteps) {
      const int c = column + step[0], r = row + step[1];
      if (c >= 0 && r >= 0 && c < size && r < size && !seen[index(c, r)]) choices.push_back(step);
    }
    if (choices.empty()) {
      way.pop_back();
      continue;
    }
    const auto& step = choices[static_cast<std::size_t>(uniform(seed) * static_cast<double>(choices.size()))];
    open(column, row, step);
    way.push_back({column + step[0], row + step[1]});
    seen[index(way.back()[0], way.back()[1])] = true;
  }
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      if (column + 1 < size && uniform(seed) < opened) open(column, row, {1, 0});
      if (row + 1 < size && uniform(seed) < opened) open(column, row, {0, 1});
    }
}

std::vector<Segment> Maze::walls(double cell) const {
  std::vector<Segment> walls;
  for (int row = 0; row < size_; ++row)
    for (int column = 0; column < size_; ++column) {
      const double x = column * cell, y = row * cell, right = x + cell, top = y + cell;
      if (column + 1 < size_ && !opensRight(column, row)) walls.push_back({{right, y}, {right, top}});
      if (row + 1 < size_ && !opensUp(column, row)) walls.push_back({{x, top}, {right, top}});
    }
  return walls;
}

namespace {

constexpr int kCells = 8;                // in each direction
constexpr double kOpened = 0.3;          // chance of the walls that the maze would not need to open
constexpr std::uint32_t kEachWay = 250;  // people
constexpr double kRate = 2;              // people/s each way
constexpr double kRoom = 6;              // m: depth of the rooms at both sides

constexpr double kProgress = 0.5, kStay = 30;  // m, s

/// Rooms at the left and right of the maze, to which it is open all along; people come in one and leave in the other.
Scene mazeScene(const DenseRun& run, double width) {
  const Place place(run.turned);
  Scene scene = crowdScene(run, 0.2);
  const double side = kCells * width;
  scene.layers[0].walkable = {place.box(-kRoom, 0, side + kRoom, side)};
  for (const Segment& wall : Maze(kCells, kOpened, run.seed).walls(width))
    scene.layers[0].walls.push_back({{place.at(wall.a.x, wall.a.y), place.at(wall.b.x, wall.b.y)}});
  const Polygon left = place.box(-kRoom + 0.3, 0.3, -1, side - 0.3);
  const Polygon right = place.box(side + 1, 0.3, side + kRoom - 0.3, side - 0.3);
  scene.populations = {walkers(0, left, {GoalArea{{right}}}), walkers(0, right, {GoalArea{{left}}})};
  for (Population& stream : scene.populations) stream.rate = kRate, stream.rate_limit = kEachWay;
  scene.run.until_all_arrived = true;
  scene.run.duration = 600;
  return scene;
}

}  // namespace

MazeResult walkMaze(const DenseRun& run, double width) {
  const Scene scene = mazeScene(run, width);
  World world(scene, {.threads = run.threads});
  MazeResult result;
  result.people = 2 * kEachWay;
  struct Stay {
    Point at;
    double since = 0, longest = 0;
  };
  std::map<std::uint32_t, Stay> stays;
  while (!world.finished()) {
    world.step();
    result.arrived += world.arrivals().size();
    result.last_arrival = world.time();
    const Frame frame = world.frame();
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const Point at{frame.x[i], frame.y[i]};
      Stay& stay = stays.try_emplace(frame.person[i], Stay{at, world.time(), 0}).first->second;
      if (length(at - stay.at) > kProgress) stay.at = at, stay.since = world.time();
      stay.longest = std::max(stay.longest, world.time() - stay.since);
    }
  }
  for (const auto& [person, stay] : stays) {
    result.longest_stay = std::max(result.longest_stay, stay.longest);
    result.stayed += stay.longest > kStay ? 1 : 0;
  }
  return result;
}

Result mazes(const Options& options) {
  Result result;
  const int seeds = seedsOf(options, 3);
  for (const double width : {1.2, 1.6, 2.0}) {
    MazeResult sum;
    for (int i = 0; i < seeds; ++i) {
      tell(options, fmt::format("corridors of {} m, seed {}", width, i + 1));
      DenseRun run;
      run.seed = kFirstSeed + static_cast<std::uint64_t>(i), run.threads = options.threads, run.turned = 29;
      const MazeResult one = walkMaze(run, width);
      sum.arrived += one.arrived, sum.people += one.people, sum.stayed += one.stayed;
      sum.last_arrival = std::max(sum.last_arrival, one.last_arrival);
      sum.longest_stay = std::max(sum.longest_stay, one.longest_stay);
    }
    const std::string name = fmt::format("corridors of {} m", width);
    const auto percent = [&](std::size_t part) {
      return 100.0 * static_cast<double>(part) / static_cast<double>(sum.people);
    };
    result.rows.push_back(
        row(name + "/arrived", percent(sum.arrived), "%", std::nullopt, atLeast(100, "everybody, of all runs")));
    result.rows.push_back(observation(name + "/last arrival", sum.last_arrival, "s"));
    result.rows.push_back(row(name + "/longest without progress", sum.longest_stay, "s", std::nullopt,
                              atMost(kStay, "nobody stays within 0.5 m for longer")));
    result.rows.push_back(observation(name + "/people for longer without progress", percent(sum.stayed), "%"));
  }
  return result;
}

}  // namespace throng::papers
