#include "views/graph_views.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "graph/place_vertices.h"
#include "ground/region_weights.h"
#include "planning/flows.h"
#include "views/overlay_parts.h"

namespace throng::views {
namespace {

using graph::NavigationGraph;

constexpr Paint kGate{0xd62828}, kGraphEdge{0x3d4f63, 0.65}, kPlace{0x222222}, kCamera{0x111111};

/// The many that are connected are green, the next ones have the colours of populations.
Paint componentPaint(std::uint32_t component, double alpha) {
  Paint paint = component == 0 ? Paint{0x2f8f5b} : populationPaint(component - 1);
  paint.alpha = alpha;
  return paint;
}

void addPlaces(Overlay& overlay, const NavigationGraph& graph, const Scene& scene) {
  for (const Place& place : scene.places) {
    const std::uint32_t vertex = graph::vertexOf(graph, scene, place.name);
    const std::uint16_t layer = vertex == corridors::kNone ? std::uint16_t{0} : graph.vertices()[vertex].floor;
    overlay.lines.push_back({circleLine(place.at, place.radius), kPlace, 1.5, layer});
    overlay.labels.push_back({place.at, place.name, kPlace, layer});
  }
}

std::vector<Point> pointsOf(const NavigationGraph& graph, const planning::FlowPath& path) {
  std::vector<Point> points{graph.vertices()[path.vertices.front()].centre};
  for (const std::uint32_t edge : path.edges) {
    const Segment& gate = graph.edges()[edge].passage;
    points.push_back((gate.a + gate.b) * 0.5);
  }
  points.push_back(graph.vertices()[path.vertices.back()].centre);
  return points;
}

/// Where a camera stands, and its field of view.
void addCamera(Overlay& overlay, const Camera& camera, double reach) {
  const Point at{camera.position.x, camera.position.y};
  const Point ahead = normalized(Point{camera.direction.x, camera.direction.y});
  const double half = camera.field_of_view * std::numbers::pi / 360;
  const Point across{-ahead.y, ahead.x};
  const Point left = at + (ahead * std::cos(half) + across * std::sin(half)) * reach;
  const Point right = at + (ahead * std::cos(half) - across * std::sin(half)) * reach;
  overlay.lines.push_back({{left, at, right}, kCamera, 2.5, 0});
  overlay.dots.push_back({at, kCamera, 6, 0});
}

}  // namespace

void addNavigationGraph(Overlay& overlay, const NavigationGraph& graph) {
  const auto vertices = graph.vertices();
  std::uint32_t components = 0;
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    const std::uint32_t component = graph.component(v);
    const auto rim = circleLine(vertices[v].centre, vertices[v].radius);
    overlay.areas.push_back({{{rim, {}}}, componentPaint(component, 0.05), vertices[v].floor});
    overlay.lines.push_back({rim, componentPaint(component, 0.55), 0.6, vertices[v].floor});
    components = std::max(components, component + 1);
  }
  for (const graph::GraphEdge& e : graph.edges()) {
    const graph::GraphVertex &a = vertices[e.low], &b = vertices[e.high];
    const Point middle = (e.passage.a + e.passage.b) * 0.5;
    overlay.lines.push_back({{a.centre, middle}, kGraphEdge, 0.7, a.floor});
    overlay.lines.push_back({{middle, b.centre}, kGraphEdge, 0.7, b.floor});
  }
  for (const graph::GraphEdge& e : graph.edges())
    overlay.lines.push_back({{e.gate.a, e.gate.b}, kGate, 1.1, vertices[e.low].floor});
  overlay.keys.push_back({Mark::kLine, componentPaint(0, 1), "cylinders"});
  overlay.keys.push_back({Mark::kLine, kGate, "gates"});
  overlay.keys.push_back({Mark::kLine, kGraphEdge, "edges"});
  if (components > 1) overlay.keys.push_back({Mark::kLine, componentPaint(1, 1), "not connected with the rest"});
  addCaption(overlay,
             fmt::format("navigation graph: {} vertices, {} edges; samples every {:g} m, bodies of radius {:g} m",
                         vertices.size(), graph.edges().size(), graph.precision(), graph.bodyRadius()));
}

void addFlows(Overlay& overlay, const NavigationGraph& graph, const Scene& scene) {
  std::size_t paths = 0, flows = 0;
  planning::FlowScratch scratch;
  const ground::Regions regions(scene);
  const ground::WalkableSpace space(scene);
  const ground::PeoplesWeights weights(regions, scene.profiles, scene.run.seed);
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    if (!population.flow) continue;
    const std::uint32_t from = graph::vertexOf(graph, scene, population.flow->from);
    const std::uint32_t to = graph::vertexOf(graph, scene, population.flow->to);
    if (from == corridors::kNone || to == corridors::kNone) continue;
    const auto profile = std::find_if(scene.profiles.begin(), scene.profiles.end(),
                                      [&](const Profile& p) { return p.name == population.profile; });
    const std::span<const ground::Floor> hills = profile != scene.profiles.end() && profile->slope_cost.any()
                                                     ? std::span<const ground::Floor>(space.floors())
                                                     : std::span<const ground::Floor>();
    const std::vector<planning::FlowCost> costs = planning::edgeCosts(
        graph, regions, weights.typical(static_cast<std::uint16_t>(profile - scene.profiles.begin())), hills,
        profile != scene.profiles.end() ? profile->slope_cost : SlopeCost{});
    const auto found = planning::findFlow(graph, from, to, scratch, population.flow->paths, costs);
    Paint paint = populationPaint(i);
    paint.alpha = found.size() > 60 ? 0.12 : 0.35;
    for (const planning::FlowPath& path : found)
      overlay.lines.push_back({pointsOf(graph, path), paint, 1.6, graph.vertices()[from].floor});
    paint.alpha = 1;
    const std::string name = population.name.empty() ? fmt::format("flow {}", flows + 1) : population.name;
    overlay.keys.push_back({Mark::kLine, paint, fmt::format("{} ({} paths)", name, found.size())});
    paths += found.size();
    ++flows;
  }
  addPlaces(overlay, graph, scene);
  addCaption(overlay, fmt::format("{} flows, {} paths", flows, paths));
}

void addLevels(Overlay& overlay, const NavigationGraph& graph, std::span<const std::uint8_t> level,
               const LevelSettings& settings) {
  constexpr std::uint32_t kColours[] = {0x4575b4, 0x74add1, 0xabd9e9, 0xfdae61, 0xd73027, 0xa50026, 0x7f0000, 0x400000};
  const std::size_t top = settings.levels.size() - 1;
  const auto paintOf = [&](std::size_t of_level, double alpha) {
    // The highest is red, whatever their number.
    return Paint{kColours[top <= 4 ? 4 - (top - of_level) : of_level], alpha};
  };
  for (std::size_t v = 0; v < level.size(); ++v) {
    const graph::GraphVertex& cylinder = graph.vertices()[v];
    overlay.areas.push_back(
        {{{circleLine(cylinder.centre, cylinder.radius), {}}}, paintOf(level[v], 0.4), cylinder.floor});
  }
  for (const Camera& camera : settings.cameras) addCamera(overlay, camera, settings.far_distance);
  for (std::size_t l = top + 1; l-- > 0;)
    overlay.keys.push_back({Mark::kArea, paintOf(l, 0.7), fmt::format("level {}", l)});
  addCaption(overlay, "levels of simulation for " + counted(settings.cameras.size(), "camera"));
}

}  // namespace throng::views
