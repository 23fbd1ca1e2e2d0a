// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, Table 4.2: how often the Steiner-point
// method finds the same way on a pruned scene as on the whole one.
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

#include "papers/paper.h"
#include "papers/random.h"
#include "papers/weighted_scenes.h"

namespace throng::papers {
namespace {

struct Pruned {
  const char* planner;
  double published[6];  // %: five scenes, and all
};
constexpr Pruned kPruned[] = {{"triangle-pruning", {99.7, 100, 98.0, 92.4, 82.0, 93.6}},
                              {"edge-pruning", {99.6, 100, 98.0, 93.9, 93.4, 96.8}},
                              {"vertex-pruning", {99.6, 100, 97.9, 96.9, 93.4, 97.3}}};
constexpr const char* kScenes[] = {"puddle", "bars", "high-low", "zigzag", "forest"};
constexpr double kEpsilon = 0.5, kCell = 1, kSame = 1e-4;  // costs as near as this are the same way
constexpr int kSide = 9, kForest = 9000;

/// All pairs of 9 × 9 places in the small scenes, 9,000 random pairs in the forest.
std::vector<RouteRequest> requestsIn(const WeightedScene& scene, bool forest, bool quick) {
  constexpr double kMargin = 1;  // m
  const Point low = scene.box.min + Point{kMargin, kMargin},
              size = scene.box.max - scene.box.min - Point{2, 2} * kMargin;
  std::uint64_t random = 2016;
  std::vector<RouteRequest> requests;
  if (forest) {
    for (int i = 0; i < (quick ? kForest / 20 : kForest); ++i) {
      const Point from{uniform(random), uniform(random)}, to{uniform(random), uniform(random)};
      requests.push_back(scene.request({low.x + from.x * size.x, low.y + from.y * size.y},
                                       {low.x + to.x * size.x, low.y + to.y * size.y}));
    }
    return requests;
  }
  std::vector<Point> places;
  double across[kSide], up[kSide];
  for (int i = 0; i < kSide; ++i)
    across[i] = low.x + size.x * uniform(random), up[i] = low.y + size.y * uniform(random);
  for (const double x : across)
    for (const double y : up) places.push_back({x, y});
  std::size_t count = 0;
  for (const Point from : places)
    for (const Point to : places)
      if (!quick || count++ % 20 == 0) requests.push_back(scene.request(from, to));
  return requests;
}

}  // namespace

Result jaklin42(const Options& options) {
  Result result;
  std::size_t all = 0, same_all[std::size(kPruned)] = {};
  for (std::size_t s = 0; s < std::size(kScenes); ++s) {
    if (options.progress) options.progress(kScenes[s]);
    const WeightedScene scene(kScenes[s]);
    const auto requests = requestsIn(scene, s + 1 == std::size(kScenes), options.quick);
    std::size_t same[std::size(kPruned)] = {};
    for (const RouteRequest& request : requests) {
      const double whole = scene.map.plan(by(request, "steiner", kEpsilon)).cost;
      for (std::size_t p = 0; p < std::size(kPruned); ++p) {
        const double cost = scene.map.plan(by(request, kPruned[p].planner, kEpsilon, kCell)).cost;
        same[p] += std::fabs(cost - whole) <= kSame * whole ? 1 : 0;
      }
    }
    all += requests.size();
    for (std::size_t p = 0; p < std::size(kPruned); ++p) {
      same_all[p] += same[p];
      Row found = observation(fmt::format("{}/{}", kPruned[p].planner, kScenes[s]),
                              100.0 * static_cast<double>(same[p]) / static_cast<double>(requests.size()), "%");
      found.published = kPruned[p].published[s];
      result.rows.push_back(found);
    }
  }
  for (std::size_t p = 0; p < std::size(kPruned); ++p)
    result.rows.push_back(row(fmt::format("{}/all", kPruned[p].planner),
                              100.0 * static_cast<double>(same_all[p]) / static_cast<double>(all), "%",
                              kPruned[p].published[5],
                              Target{Target::Comparison::kAtLeast, kPruned[p].published[5], "the published value"}));
  result.notes.push_back(fmt::format("{} queries, each by four planners. The shapes of the scenes are ours.", all));
  return result;
}

}  // namespace throng::papers
