// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, Table 4.1: the Steiner-point method (SPM)
// and vertex-based pruning (VBP) in five scenes, and our own planner. Figure 4.12 shows the same as pictures.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/navigation_views.h"

#include "papers/paper.h"
#include "papers/timing.h"
#include "papers/weighted_scenes.h"

namespace throng::papers {
namespace {

/// Construction and query together, ms, for ε of 0.1 to 0.5; 0 where the printed table is not legible in the copy used.
struct PublishedScene {
  const char* name;
  double spm[5], vbp[5];
};
constexpr PublishedScene kScenes[] = {
    {"puddle", {50134.2, 2972.4, 626.4, 258.9, 168.8}, {18474.4, 1095.2, 286.2, 165.6, 125.7}},
    {"bars", {7056.5, 0, 0, 0, 121.2}, {5330.1, 0, 0, 137.4, 132.0}},
    {"high-low", {127669.1, 7956.8, 1426.7, 494.8, 255.3}, {117777.1, 7305.2, 1352.3, 482.5, 255.6}},
    {"zigzag", {441005.7, 28423.8, 0, 1531.8, 698.6}, {305671.8, 19455.3, 0, 1216.3, 577.7}},
    {"forest", {164466.1, 9765.8, 1829.0, 614.0, 306.8}, {17081.8, 1076.4, 359.7, 248.1, 226.8}},
};
constexpr double kLimit = 100;     // ms
constexpr double kSameCost = 0.1;  // %
constexpr double kCell = 1;        // m, of the grid, as published

struct Measured {
  double milliseconds = 0;  ///< the triangulation, points, grid and the search
  RouteResult route;
};

/// The least of several times, each on a map that has nothing ready: who else uses the machine only adds to them.
Measured measure(const WeightedScene& scene, const RouteRequest& request, int repetitions) {
  Measured measured;
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const NavigationMap map = scene.fresh();
    measured.route = map.plan(request);
    times.push_back(1e3 * (measured.route.build_seconds + measured.route.seconds));
  }
  measured.milliseconds = *std::min_element(times.begin(), times.end());
  return measured;
}

void addRows(Result& result, const std::string& name, const Measured& measured, double published, double least_cost) {
  const auto total = published > 0 ? std::optional<double>(published) : std::nullopt;
  result.rows.push_back(row(name + "/construct and query", measured.milliseconds, "ms", total,
                            Target{Target::Comparison::kAtMost, kLimit, "the project's target"}));
  if (least_cost > 0)
    result.rows.push_back(row(name + "/cost above SPM's", 100 * (measured.route.cost / least_cost - 1), "%", {},
                              Target{Target::Comparison::kAtMost, kSameCost, "the same cost, or lower"}));
  result.rows.push_back(observation(name + "/cost", measured.route.cost, "m"));
  result.rows.push_back(observation(name + "/nodes", static_cast<double>(measured.route.explored), ""));
}

void drawRoutes(const WeightedScene& scene, const std::vector<std::pair<std::string, RouteResult>>& routes,
                const Options& options, Result& result) {
  constexpr std::uint32_t kColours[] = {0x1b7837, 0xd73027, 0x4393c3, 0xf46d43, 0x111111};
  Overlay overlay;
  addRegions(overlay, scene.scene, scene.scene.profiles.at(0).name);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const Paint paint{kColours[i % std::size(kColours)], 0.95};
    Overlay::Line line;
    for (const RoutePoint& p : routes[i].second.points) line.points.push_back(p.at);
    line.paint = paint, line.width = 2.4, line.dash = i + 1 == routes.size() ? 4 : 0;
    overlay.lines.push_back(line);
    overlay.keys.push_back(
        {Overlay::Key::Mark::kLine, paint, fmt::format("{}: {:.1f}", routes[i].first, routes[i].second.cost)});
  }
  DrawSettings settings;
  settings.title = scene.name + ": cheapest ways, with their costs";
  settings.overwrite = true;
  const std::string path = (std::filesystem::path(options.pictures) / ("jaklin-4.12-" + scene.name + ".png")).string();
  drawOverlay(scene.scene, overlay, path, settings);
  result.files.push_back(path);
}

}  // namespace

Result jaklin41(const Options& options) {
  Result result;
  const int repetitions = options.quick ? 3 : 9;
  for (const PublishedScene& published : kScenes) {
    if (options.progress) options.progress(published.name);
    const WeightedScene scene(published.name);
    const RouteRequest request = scene.usualRequest();
    std::vector<std::pair<std::string, RouteResult>> drawn;
    double finest = 0;
    for (int i = 0; i < 5; ++i) {
      const double epsilon = 0.1 * (i + 1);
      const std::string name = fmt::format("{}/{:.1f}", published.name, epsilon);
      const Measured spm = measure(scene, by(request, "steiner", epsilon), repetitions);
      addRows(result, name + "/SPM", spm, published.spm[i], 0);
      if (i == 0) finest = spm.route.cost;
      const Measured vbp = measure(scene, by(request, "vertex-pruning", epsilon, kCell), repetitions);
      addRows(result, name + "/VBP", vbp, published.vbp[i], spm.route.cost);
      if (i != 0 && i != 4) continue;  // more would hide one another
      drawn.emplace_back(fmt::format("SPM, ε {:.1f}", epsilon), spm.route);
      drawn.emplace_back(fmt::format("VBP, ε {:.1f}", epsilon), vbp.route);
    }
    const Measured ours = measure(scene, by(request, "regions"), repetitions);
    addRows(result, fmt::format("{}/ours", published.name), ours, 0, finest);
    drawn.emplace_back("ours", ours.route);
    if (!options.pictures.empty()) drawRoutes(scene, drawn, options, result);
  }
  result.notes.push_back(
      "Times include the triangulation of the scene for a body of 0.25 m. Shapes and query points are ours, after the "
      "descriptions: costs and nodes are not comparable with the published ones, and those are left out.");
  return result;
}

}  // namespace throng::papers
