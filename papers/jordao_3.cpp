// Jordao, "Conception et animation interactive de foules pour de vastes environnements", PhD thesis, INSA de Rennes
// 2015, section 3.3: four ways to find the walks of a crowd patch. The thesis compares them in words and pictures; here
// they are measured on the same random patches.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/patches.h"

#include "papers/paper.h"
#include "papers/timing.h"

namespace throng::papers {
namespace {

constexpr PatchGenerator kGenerators[] = {PatchGenerator::kStraight, PatchGenerator::kParticle, PatchGenerator::kOrca,
                                          PatchGenerator::kOptimised};

/// Root of the mean squared acceleration, m/s², which is constant between knots.
double roughness(const Patch& patch) {
  double sum = 0, count = 0;
  for (const PatchWalk& walk : patch.walks)
    for (std::size_t k = 0; k + 2 < walk.control.size(); ++k) {
      const Point a = (walk.control[k] - 2.0 * walk.control[k + 1] + walk.control[k + 2]) / (walk.step * walk.step);
      sum += lengthSquared(a), ++count;
    }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

struct Measured {
  int tried = 0, solved = 0, at_once = 0;
  std::vector<double> milliseconds;
  double roughness = 0;
};

Measured measure(PatchGenerator generator, double density, int patches, std::uint64_t first_seed,
                 const PatternRoom& room = {}) {
  Measured measured;
  for (int i = 0; i < patches; ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    const PatchDefinition patch = randomPatch(density, seed, 8, 10, room);
    if (!check(patch).empty()) continue;  // two points at a corner that do not know of each other
    ++measured.tried;
    PatchSettings settings;
    settings.generator = generator, settings.seed = seed;
    PatchResult result;
    measured.milliseconds.push_back(1e3 * secondsOf([&] { result = generateWalks(patch, settings); }));
    if (!result.patch) continue;
    ++measured.solved;
    measured.at_once += result.attempts == 1;
    measured.roughness += roughness(*result.patch);
  }
  if (measured.solved > 0) measured.roughness /= measured.solved;
  std::sort(measured.milliseconds.begin(), measured.milliseconds.end());
  return measured;
}

/// Points nearer to corners, where people of two sides get in each other's way before they can turn aside.
void nearCorners(const Options& options, int patches, std::uint64_t first_seed, Result& result) {
  const PatternRoom room{0.55, 0.6};
  for (const double density : {0.1, 0.2, 0.35, 0.6}) {
    if (options.progress) options.progress(fmt::format("near corners, {:g} people/m²", density));
    const Measured measured = measure(PatchGenerator::kOptimised, density, patches, first_seed, room);
    const std::string name = fmt::format("near corners/{:g}", density);
    result.rows.push_back(observation(name + "/solved", 100.0 * measured.solved / std::max(1, measured.tried), "%"));
    result.rows.push_back(
        observation(name + "/at the first attempt", 100.0 * measured.at_once / std::max(1, measured.tried), "%"));
  }
  result.notes.push_back(fmt::format(
      "near corners: {} patches per row, with points from {:g} m from corners on and room for {:g} s before "
      "and after crossing; all other rows: {:g} m and {:g} s",
      patches, room.corner, room.straight_on, PatternRoom{}.corner, PatternRoom{}.straight_on));
}

/// Patches with three to eight sides, of all sizes, with objects and residents in the middle.
void polygons(const Options& options, int patches, std::uint64_t first_seed, Result& result) {
  if (options.progress) options.progress("polygons");
  for (std::size_t sides = 3; sides <= 8; ++sides) {
    int tried = 0, solved = 0;
    for (int i = 0; i < patches; ++i) {
      const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
      const double across = 8 + 0.5 * static_cast<double>(seed % 13),
                   density = 0.03 * static_cast<double>(1 + seed % 7);
      std::vector<PatchObject> objects;
      std::vector<PatchResident> residents;
      if (seed % 3 == 0) objects.push_back({"bench", {{-0.8, 0.2}, {0.8, 0.2}, {0.8, 0.6}, {-0.8, 0.6}}});
      if (seed % 4 == 0) residents.push_back({"guard", {{0, -0.5}}});
      const PatchDefinition patch = randomPatch(randomConvexRing(sides, across, seed), density, seed, 10, {},
                                                std::move(objects), std::move(residents));
      if (!check(patch).empty()) continue;  // two points at a corner that do not know of each other
      ++tried;
      PatchSettings settings;
      settings.seed = seed;
      solved += generateWalks(patch, settings).patch.has_value();
    }
    result.rows.push_back(observation(fmt::format("{} sides/solved", sides), 100.0 * solved / std::max(1, tried), "%"));
  }
  result.notes.push_back(
      fmt::format("polygons: {} per number of sides, 8 to 14 m across, 0.03 to 0.21 people/m², every third with an "
                  "object and every fourth with a resident",
                  patches));
}

}  // namespace

Result jordao3(const Options& options) {
  constexpr std::uint64_t kUnseen = 60000;  // the optimisation was worked on with lower seeds
  Result result;
  const int patches = options.seeds.value_or(options.quick ? 10 : 200);
  Chart chart{"people per m²", "patches solved, %", {}, {}};
  for (const PatchGenerator generator : kGenerators) {
    const std::string name(nameOf(generator));
    chart.series.push_back({name, {}});
    for (const double density : {0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.6}) {
      if (options.progress) options.progress(fmt::format("{}, {:g} people/m²", name, density));
      const Measured measured = measure(generator, density, patches, kUnseen + options.first_seed);
      const double share = 100.0 * measured.solved / std::max(1, measured.tried);
      const std::string row_name = fmt::format("{}/{:g}", name, density);
      Target target{Target::Comparison::kNothing, 0, ""};
      if (generator == PatchGenerator::kOptimised && density == 0.35)
        target = {Target::Comparison::kAtLeast, 99, "target"};
      if (generator == PatchGenerator::kOptimised && density == 0.6)
        target = {Target::Comparison::kAtLeast, 90, "target"};
      result.rows.push_back(row(row_name + "/solved", share, "%", std::nullopt, target));
      result.rows.push_back(
          observation(row_name + "/at the first attempt", 100.0 * measured.at_once / std::max(1, measured.tried), "%"));
      result.rows.push_back(
          observation(row_name + "/time", measured.milliseconds[measured.milliseconds.size() / 2], "ms"));
      if (measured.solved > 0)
        result.rows.push_back(observation(row_name + "/acceleration", measured.roughness, "m/s²"));
      if (share > 0) chart.series.back().points.push_back({density, share});  // the axes are logarithmic
    }
    if (chart.series.back().points.empty()) chart.series.pop_back();
  }
  result.notes.push_back(
      fmt::format("{} random patches of 8 m and 10 s per row, up to 8 attempts each; time: median of all, solved or "
                  "not; acceleration: root "
                  "of the mean square, of those solved",
                  patches));
  constexpr std::uint64_t kOthers = 10000;  // what the optimisation was worked on with for points near corners
  nearCorners(options, std::max(1, patches / 4), kUnseen + kOthers + options.first_seed, result);
  polygons(options, options.quick ? 20 : 3 * patches, kUnseen + options.first_seed, result);
  if (!options.pictures.empty()) {
    std::filesystem::create_directories(options.pictures);
    DrawSettings settings;
    settings.overwrite = true, settings.width = 900;
    settings.title = "Random patches that are solved, by density";
    const auto path = (std::filesystem::path(options.pictures) / "success.png").string();
    drawChart(chart, path, settings);
    result.files.push_back(path);
  }
  return result;
}

}  // namespace throng::papers
