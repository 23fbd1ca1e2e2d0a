// Our planner in weighted regions against the Steiner-point method with ε 0.1: ten thousand random queries in the
// scenes of Jaklin 2016, section 4.3.1, in random rooms, in large tiles and in the town.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

#include "papers/paper.h"
#include "papers/random.h"
#include "papers/timing.h"
#include "papers/weighted_scenes.h"

namespace throng::papers {
namespace {

constexpr double kEpsilon = 0.1, kRoom = 0.3, kApart = 2;  // m, m
constexpr double kMean = 0.5, kWorst = 3;                  // %: the project's targets

struct Place {
  const char* name;
  int scenes, queries;  ///< queries in each scene
};
constexpr Place kPlaces[] = {{"puddle", 1, 2000}, {"bars", 1, 2000},    {"high-low", 1, 2000},
                             {"zigzag", 1, 1600}, {"forest", 1, 600},   {"abstract-regions-16x16", 1, 300},
                             {"rooms", 20, 50},   {"pavements", 1, 500}};

Polygon regular(Point at, double size, int corners, double turn) {
  Polygon polygon;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 2 * 3.14159265358979 * i / corners;
    polygon.outer.push_back(at + Point{std::cos(angle), std::sin(angle)} * size);
  }
  return polygon;
}

/// 40 m × 30 m, with things that stand about and ground of four types.
Scene roomScene(std::uint64_t seed) {
  std::uint64_t random = seed * 7919;
  const auto between = [&](double low, double high) { return low + (high - low) * uniform(random); };
  Scene scene;
  scene.name = "room";
  scene.layers.resize(1);
  scene.profiles.resize(1);
  scene.run.duration = 1;
  Layer& layer = scene.layers[0];
  layer.walkable = {Polygon{{{0, 0}, {40, 0}, {40, 30}, {0, 30}}, {}}};
  const auto some = [&](double low, double high) {
    const Point at{between(0, 40), between(0, 30)};
    const double size = between(low, high), turn = between(0, 3);
    return regular(at, size, 3 + static_cast<int>(uniform(random) * 6), turn);
  };
  for (int i = 0; i < 12; ++i) layer.obstacles.push_back(some(0.2, 3));
  for (int i = 0; i < 9; ++i) layer.regions.push_back({std::string(1, static_cast<char>('a' + i % 4)), {some(1.6, 8)}});
  for (const char* type : {"a", "b", "c", "d"})
    scene.profiles[0].region_weights[type] = Distribution::uniform(0.5, uniform(random) < 0.3 ? 20 : 4);
  return scene;
}

struct Compared {
  std::vector<double> above;         ///< % above SPM's
  std::vector<double> ours, theirs;  ///< ms
  int other = 0;                     ///< queries that only one of the two answers

  void add(const Compared& more) {
    const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(above, more.above), append(ours, more.ours), append(theirs, more.theirs);
    other += more.other;
  }
};

void compare(const WeightedScene& scene, int queries, std::uint64_t seed, Compared& compared) {
  std::uint64_t random = seed;
  const Point size = scene.box.max - scene.box.min;
  const auto layers = scene.map.layers().size();
  const auto somewhere = [&](LayerId& layer) {
    for (;;) {
      layer = LayerId(static_cast<std::size_t>(uniform(random) * static_cast<double>(layers)));
      const Point share{uniform(random), uniform(random)};
      const Point place{scene.box.min.x + share.x * size.x, scene.box.min.y + share.y * size.y};
      if (scene.map.clearance(place, layer) > kRoom) return place;
    }
  };
  for (int done = 0; done < queries;) {
    LayerId from_layer, to_layer;
    const Point from = somewhere(from_layer), to = somewhere(to_layer);
    if (length(to - from) < kApart) continue;
    RouteRequest request = scene.request(from, to);
    request.from_layer = from_layer, request.to_layer = to_layer;
    for (auto& [type, weight] : request.region_weights) {
      const Distribution& of = scene.scene.profiles[0].region_weights.at(type);
      if (of.kind == Distribution::Kind::kUniform) weight = of.min + (of.max - of.min) * uniform(random);
    }
    const RouteResult spm = scene.map.plan(by(request, "steiner", kEpsilon));
    if (spm.points.empty()) continue;
    const RouteResult ours = scene.map.plan(by(request, "regions"));
    ++done;
    if (ours.reachable != spm.reachable) ++compared.other;
    if (!ours.reachable || !spm.reachable) continue;
    compared.above.push_back(100 * (ours.cost / spm.cost - 1));
    compared.ours.push_back(1e3 * ours.seconds), compared.theirs.push_back(1e3 * spm.seconds);
  }
}

void addRows(Result& result, const std::string& name, const Compared& compared, bool counts) {
  const auto target = [&](double most) {
    return counts ? Target{Target::Comparison::kAtMost, most, "the project's target"}
                  : Target{Target::Comparison::kNothing, 0, ""};
  };
  const Spread above = spreadOf(compared.above);
  const auto few = std::count_if(compared.above.begin(), compared.above.end(), [](double a) { return a > kWorst; });
  result.rows.push_back(row(name + "/cost above SPM's, mean", above.mean, "%", {}, target(kMean)));
  const double worst = *std::max_element(compared.above.begin(), compared.above.end());
  result.rows.push_back(row(name + "/cost above SPM's, worst", worst, "%", {}, target(kWorst)));
  result.rows.push_back(observation(name + "/queries more than 3 % above", static_cast<double>(few), ""));
  result.rows.push_back(observation(name + "/ours, mean", spreadOf(compared.ours).mean, "ms"));
  result.rows.push_back(observation(name + "/SPM, mean", spreadOf(compared.theirs).mean, "ms"));
}

}  // namespace

Result weightedQueries(const Options& options) {
  Result result;
  Compared all;
  for (const Place& place : kPlaces) {
    if (options.progress) options.progress(place.name);
    Compared compared;
    const int scenes = options.quick ? std::max(1, place.scenes / 4) : place.scenes;
    const int queries = options.quick ? std::max(10, place.queries / 20) : place.queries;
    for (int i = 0; i < scenes; ++i) {
      const auto seed = options.first_seed * 1000 + static_cast<std::uint64_t>(i);
      if (place.scenes > 1)
        compare(WeightedScene("room", roomScene(seed)), queries, seed, compared);
      else
        compare(WeightedScene(place.name), queries, seed, compared);
    }
    addRows(result, place.name, compared, false);
    all.add(compared);
  }
  addRows(result, "all", all, true);
  result.rows.push_back(row("all/reached by one of the two only", all.other, "", {},
                            Target{Target::Comparison::kAtMost, 0, "the same answer"}));
  result.notes.push_back(
      fmt::format("{} queries; weights are drawn from the distributions of the first profile.", all.above.size()));
  return result;
}

}  // namespace throng::papers
