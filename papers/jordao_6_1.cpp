// Jordao, "Conception et animation interactive de foules pour de vastes environnements", PhD thesis, INSA de Rennes
// 2015, section 6.1: versions of crowd patches in random order, so that nobody sees the crowd repeat itself.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "throng/patch_city.h"

#include "papers/paper.h"

namespace throng::papers {
namespace {

constexpr double kCell = 0.5;        // m, of the picture that is compared
constexpr std::uint32_t kCells = 3;  // patches along each side of the city
constexpr double kSide = 8, kPeriod = 10;
constexpr double kSame = 0.999;  // correlation of what counts as the same frame

/// How many people are in each cell, less the mean: of all patches, or of the one in the middle.
std::vector<double> pictureOf(const PatchWorld& world, double time, bool middle = false) {
  FrameCopy frame;
  world.frameAt(time, frame);
  constexpr auto kBegin = static_cast<float>(kSide * (kCells / 2)), kEnd = static_cast<float>(kSide * (kCells / 2 + 1));
  const auto isIn = [&](float v) { return v >= kBegin && v < kEnd; };
  std::size_t people = 0;
  const auto side = static_cast<std::size_t>(kCells * kSide / kCell);
  std::vector<double> cells(side * side);
  for (std::size_t i = 0; i < frame.x.size(); ++i) {
    if (middle && !(isIn(frame.x[i]) && isIn(frame.y[i]))) continue;
    ++people;
    const auto at = [&](float v) { return std::min(side - 1, static_cast<std::size_t>(std::max(0.0, v / kCell))); };
    cells[at(frame.y[i]) * side + at(frame.x[i])] += 1;
  }
  const double mean = static_cast<double>(people) / static_cast<double>(cells.size());
  for (double& cell : cells) cell -= mean;
  return cells;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
  return ab / std::sqrt(aa * bb);
}

/// The same city with so many versions of every patch.
PatchLibrary cityOf(int versions) {
  PatchMap map;
  map.patterns = 1;
  map.templates = {{"place", 1, 4, false, 0, 0, 1}};
  map.columns = map.rows = kCells;
  map.cells.assign(std::size_t{kCells} * kCells, 0);
  PatchLibrary city = makePatchCity(map);
  addVersions(city, versions);
  return city;
}

}  // namespace

Result jordao61(const Options& options) {
  Result result;
  const int periods = options.quick ? 100 : 1000;
  for (const int versions : {1, 2, 4, 8}) {
    if (options.progress) options.progress(fmt::format("{} versions", versions));
    const PatchLibrary city = cityOf(versions);
    PatchWorldSettings settings;
    settings.versions = city.versions;
    const PatchWorld world(city.patches, city.placed, settings);
    // The autocorrelation at whole periods, in the middle of them, where versions differ most.
    const std::vector<double> first = pictureOf(world, 0.5 * kPeriod);
    const std::vector<double> first_alone = pictureOf(world, 0.5 * kPeriod, true);
    double sum = 0;
    int repeated = 0, repeated_alone = 0;
    for (int k = 1; k <= periods; ++k) {
      const double c = correlation(first, pictureOf(world, (k + 0.5) * kPeriod));
      sum += c;
      if (repeated == 0 && c > kSame) repeated = k;
      repeated_alone += correlation(first_alone, pictureOf(world, (k + 0.5) * kPeriod, true)) > kSame;
    }
    const std::string name = fmt::format("{} version{}", versions, versions == 1 ? "" : "s");
    result.rows.push_back(observation(name + "/autocorrelation at whole periods", sum / periods, ""));
    result.rows.push_back(
        row(name + "/no frame again for at least", (repeated > 0 ? repeated : periods) * kPeriod, "s", std::nullopt,
            versions < 4 ? Target{Target::Comparison::kNothing, 0, ""}
                         : Target{Target::Comparison::kAtLeast, periods * kPeriod, "as long as it was looked at"}));
    // Who looks at one patch only sees it again after as many periods as it has versions, on average.
    result.rows.push_back(row(name + "/one patch as it was, every", periods * kPeriod / std::max(1, repeated_alone),
                              "s", std::nullopt,
                              Target{Target::Comparison::kAtLeast, 0.7 * versions * kPeriod, "0.7 times n periods"}));
    const double patches = static_cast<double>(city.patches.size()) / static_cast<double>(city.placed.size());
    result.notes.push_back(fmt::format("{}: {:.1f} patches in the library per place", name, patches));
  }
  result.notes.push_back(
      fmt::format("{} by {} patches, {} periods; correlation of the number of people in cells of {:g} m with that of "
                  "the first period; a frame is the same again when it is over {:g}",
                  kCells, kCells, periods, kCell, kSame));
  result.notes.push_back(
      "with n versions and P patches in view, all of them are as they were with probability n^-P per period: on "
      "average "
      "after n^P periods");
  return result;
}

}  // namespace throng::papers
