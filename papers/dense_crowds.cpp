#include "papers/dense_crowds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "throng/metrics.h"
#include "throng/scene.h"
#include "throng/world.h"

#include "papers/dense_scenes.h"

namespace throng::papers {
namespace {

/// % of people and moments that overlap somebody by more than 1 cm.
class Overlaps {
 public:
  void look(const Frame& frame) {
    constexpr double kCell = 1, kDeep = 0.01;  // m
    std::map<std::pair<int, int>, std::vector<std::size_t>> cells;
    for (std::size_t i = 0; i < frame.x.size(); ++i)
      cells[{static_cast<int>(std::floor(frame.x[i] / kCell)), static_cast<int>(std::floor(frame.y[i] / kCell))}]
          .push_back(i);
    for (const auto& [cell, here] : cells) {
      for (const std::size_t i : here) {
        bool deep = false;
        for (int dx = -1; dx <= 1 && !deep; ++dx)
          for (int dy = -1; dy <= 1 && !deep; ++dy) {
            const auto there = cells.find({cell.first + dx, cell.second + dy});
            if (there == cells.end()) continue;
            for (const std::size_t j : there->second)
              deep |= i != j && std::hypot(frame.x[i] - frame.x[j], frame.y[i] - frame.y[j]) <
                                    double{frame.radius[i]} + frame.radius[j] - kDeep;
          }
        overlapping_ += deep ? 1 : 0;
      }
    }
    all_ += frame.x.size();
  }
  double percent() const {
    return all_ > 0 ? 100.0 * static_cast<double>(overlapping_) / static_cast<double>(all_) : 0;
  }

 private:
  std::size_t overlapping_ = 0, all_ = 0;
};

DenseResult corridor(const DenseRun& run, double width, double density, double length, double settle, double measured,
                     bool two_way) {
  Scene scene = crowdScene(run, two_way ? 0.2 : 0);
  const Place place(0);
  scene.layers[0].walkable = {place.box(-5, 0, length + 5, width)};
  scene.layers[0].wrap = Rectangle{{0, -1}, {length, width + 1}};
  const double edge = kRadius + 0.01;
  const Polygon inside = place.box(0, edge, length, width - edge);
  const auto people = static_cast<std::uint32_t>(std::lround(density * width * length / (two_way ? 2 : 1)));
  scene.populations.push_back(walkers(people, inside, {GoalDirection{{1, 0}}}));
  if (two_way) scene.populations.push_back(walkers(people, inside, {GoalDirection{{-1, 0}}}));
  scene.run.duration = settle + measured;
  World world(scene, {.threads = run.threads});
  DenseResult result;
  Overlaps overlaps;
  double speed = 0, lanes = 0;
  std::size_t speeds = 0, bands = 0;
  while (!world.finished()) {
    world.step();
    if (world.time() < settle) continue;
    const Frame frame = world.frame();
    for (std::size_t i = 0; i < frame.x.size(); ++i)
      speed += (frame.population[i] == 0 ? 1 : -1) * world.velocityX()[i], ++speeds;
    if (std::lround(world.time() / run.dt) % std::lround(1 / run.dt) != 0) continue;
    overlaps.look(frame);
    std::map<int, std::pair<int, int>> band;
    for (std::size_t i = 0; i < frame.x.size(); ++i) {
      auto& [one, other] = band[static_cast<int>(frame.y[i] / 0.3)];
      (frame.population[i] == 0 ? one : other) += 1;
    }
    for (const auto& [unused, n] : band)
      lanes += std::abs(n.first - n.second) / static_cast<double>(n.first + n.second), ++bands;
  }
  result.people = people * (two_way ? 2 : 1);
  result.speed = speed / static_cast<double>(speeds);
  result.lanes = lanes / static_cast<double>(bands);
  result.overlapping = overlaps.percent();
  return result;
}

}  // namespace

DenseResult oneWayCorridor(const DenseRun& run, double width, double density) {
  return corridor(run, width, density, 20, 20, 30, false);
}

DenseResult twoWayCorridor(const DenseRun& run, double width, double density) {
  return corridor(run, width, density, 26, 50, 50, true);
}

DenseResult bottleneck(const DenseRun& run, double width, double depth) {
  constexpr std::uint32_t kPeople = 150;
  const Place place(run.turned);
  Scene scene = crowdScene(run, 0.2);
  const double half = width / 2, end = depth + 12;
  scene.layers[0].walkable = {place.polygon({{-14, -4},
                                             {0, -4},
                                             {0, -half},
                                             {depth, -half},
                                             {depth, -4},
                                             {end, -4},
                                             {end, 4},
                                             {depth, 4},
                                             {depth, half},
                                             {0, half},
                                             {0, 4},
                                             {-14, 4}})};
  scene.populations = {
      walkers(kPeople, place.box(-11, -3.7, -2, 3.7), {GoalArea{{place.box(depth + 7, -3, depth + 10, 3)}}})};
  scene.run.until_all_arrived = true;
  scene.run.duration = 400;
  World world(scene, {.threads = run.threads});
  std::map<std::uint32_t, bool> passed;
  std::vector<double> times;
  Overlaps overlaps;
  double before = 0;
  std::size_t moments = 0;
  while (!world.finished()) {
    world.step();
    const Frame frame = world.frame();
    std::size_t in_front = 0;
    for (std::size_t i = 0; i < frame.x.size(); ++i) {
      const Point at = place.back(frame.x[i], frame.y[i]);
      if (at.x >= depth / 2 && !std::exchange(passed[frame.person[i]], true)) times.push_back(world.time());
      in_front += at.x > -1.1 && at.x < -0.1 && std::abs(at.y) < 0.5 ? 1 : 0;
    }
    if (times.size() > kPeople / 5 && times.size() < 7 * kPeople / 10)
      before += static_cast<double>(in_front), ++moments;
    if (std::lround(world.time() / run.dt) % std::lround(0.5 / run.dt) == 0) overlaps.look(frame);
  }
  DenseResult result;
  result.people = kPeople, result.arrived = times.size();
  if (times.size() > 7 * kPeople / 10)
    result.flow = (kPeople / 2) / (times[7 * kPeople / 10] - times[2 * kPeople / 10]);
  result.density = moments > 0 ? before / static_cast<double>(moments) : 0;
  result.last_arrival = times.empty() ? 0 : times.back();
  result.overlapping = overlaps.percent();
  return result;
}

DenseResult door(const DenseRun& run, double width, std::uint32_t from_left, std::uint32_t from_right) {
  const Place place(run.turned);
  Scene scene = crowdScene(run, 0.2);
  const double half = width / 2;
  scene.layers[0].walkable = {place.polygon({{-10, -5},
                                             {-0.1, -5},
                                             {-0.1, -half},
                                             {0.1, -half},
                                             {0.1, -5},
                                             {10, -5},
                                             {10, 5},
                                             {0.1, 5},
                                             {0.1, half},
                                             {-0.1, half},
                                             {-0.1, 5},
                                             {-10, 5}})};
  if (from_left > 0)
    scene.populations.push_back(walkers(from_left, place.box(-9, -4, -1.5, 4), {GoalArea{{place.box(4, -3, 9, 3)}}}));
  if (from_right > 0)
    scene.populations.push_back(walkers(from_right, place.box(1.5, -4, 9, 4), {GoalArea{{place.box(-9, -3, -4, 3)}}}));
  scene.run.until_all_arrived = true;
  scene.run.duration = 300;
  World world(scene, {.threads = run.threads});
  DenseResult result;
  result.people = from_left + from_right;
  Overlaps overlaps;
  while (!world.finished()) {
    world.step();
    result.arrived += world.arrivals().size();
    if (!world.arrivals().empty()) result.last_arrival = world.time();
    if (std::lround(world.time() / run.dt) % std::lround(0.5 / run.dt) == 0) overlaps.look(world.frame());
  }
  if (result.arrived < result.people) result.last_arrival = *scene.run.duration;
  result.overlapping = overlaps.percent();
  return result;
}

}  // namespace throng::papers
