#include "throng/navigation_graph.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "throng/files.h"

#include "engine/file_errors.h"
#include "engine/known_models.h"
#include "engine/navigation_graph_state.h"
#include "graph/navigation_graph.h"
#include "graph/place_vertices.h"
#include "ground/scene_places.h"
#include "levels/levels.h"
#include "planning/flows.h"
#include "scene/scene_parts.h"

namespace throng {

namespace {

graph::NavigationGraph graphOf(const Scene& scene, int threads) {
  Scene ground;  // who walks there, and for how long, may be left open
  ground.layers = scene.layers;
  ground.connections = scene.connections;
  ground.mesh = scene.mesh;
  ground.profiles.emplace_back();
  ground.run.duration = 1;
  engine::checked(ground);
  const ground::WalkableSpace space(ground);
  std::vector<Point> places = ground::placesOf(scene);
  for (const Place& place : scene.places) places.push_back(place.at);
  corridors::CorridorMap map(space, scene.connections, places);
  for (std::uint16_t layer = 0; layer < scene.layers.size(); ++layer)
    for (const Door& door : scene.layers[layer].doors)
      if (!door.open) map.insert(std::array<Point, 2>{door.line.a, door.line.b}, layer);
  Walkability walkability;
  walkability.body_radius = scene.navigation.body_radius;
  if (scene.mesh) walkability = scene.mesh->walkability;
  graph::NavigationGraph graph(space, map, walkability, scene.navigation.precision, base::Threads(threads));
  graph.setScene(scene::groundHash(scene));
  return graph;
}

}  // namespace

const NavigationGraph::State& stateOf(const NavigationGraph& graph) { return *graph.state_; }

NavigationGraph::NavigationGraph(const Scene& scene, int threads)
    : state_(std::make_unique<State>(graphOf(scene, threads))) {}
NavigationGraph::NavigationGraph(std::unique_ptr<State> state) : state_(std::move(state)) {}
NavigationGraph::~NavigationGraph() = default;
NavigationGraph::NavigationGraph(const NavigationGraph& other) : state_(std::make_unique<State>(*other.state_)) {}
NavigationGraph& NavigationGraph::operator=(const NavigationGraph& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
NavigationGraph::NavigationGraph(NavigationGraph&&) noexcept = default;
NavigationGraph& NavigationGraph::operator=(NavigationGraph&&) noexcept = default;

NavigationGraph NavigationGraph::load(const std::string& path) {
  const std::string bytes = readFile(path);
  return engine::inFile(path,
                        [&] { return NavigationGraph(std::make_unique<State>(graph::NavigationGraph::load(bytes))); });
}

void NavigationGraph::save(const std::string& path) const { writeFile(path, state_->graph.save(), true); }

NavigationGraphStatistics NavigationGraph::statistics() const {
  const graph::GraphStatistics& s = state_->graph.statistics();
  NavigationGraphStatistics all;
  all.samples = s.samples, all.links = s.links, all.border_samples = s.border_samples;
  all.vertices = state_->vertices.size(), all.edges = state_->edges.size();
  for (const NavigationCylinder& v : state_->vertices)
    all.components = std::max<std::size_t>(all.components, v.component + 1);
  all.bytes = state_->graph.bytes(), all.peak_bytes = s.peak_bytes, all.build_seconds = s.seconds;
  all.parts = {{"sampling", s.sampling},   {"clearance", s.clearance}, {"linking", s.linking},
               {"cylinders", s.cylinders}, {"gates", s.gates},         {"visibility", s.visibility}};
  return all;
}

double NavigationGraph::precision() const { return state_->graph.precision(); }
double NavigationGraph::bodyRadius() const { return state_->graph.bodyRadius(); }
const std::vector<NavigationCylinder>& NavigationGraph::vertices() const { return state_->vertices; }
const std::vector<NavigationGate>& NavigationGraph::edges() const { return state_->edges; }

std::optional<std::uint32_t> NavigationGraph::locate(Point place, std::uint16_t layer, double reach) const {
  const std::uint32_t found = state_->graph.locate(place, layer, reach);
  return found == corridors::kNone ? std::nullopt : std::optional(found);
}

std::span<const std::uint32_t> NavigationGraph::visible(std::uint32_t vertex, Direction direction) const {
  if (vertex >= state_->vertices.size())
    throw InputError(fmt::format("There is no vertex {}; allowed: 0 to {}.", vertex,
                                 static_cast<std::int64_t>(state_->vertices.size()) - 1));
  return state_->graph.visible(vertex, static_cast<graph::Cardinal>(direction));
}

std::vector<NavigationPath> NavigationGraph::flow(std::uint32_t from, std::uint32_t to, std::size_t most) const {
  const std::pair<std::uint32_t, std::uint32_t> ends{from, to};
  return std::move(flows(std::span(&ends, 1), most, 1).front());
}

std::vector<std::vector<NavigationPath>> NavigationGraph::flows(
    std::span<const std::pair<std::uint32_t, std::uint32_t>> ends, std::size_t most, int threads) const {
  for (const auto& [from, to] : ends)
    if (std::max(from, to) >= state_->vertices.size())
      throw InputError(fmt::format("There is no vertex {}; allowed: 0 to {}.", std::max(from, to),
                                   static_cast<std::int64_t>(state_->vertices.size()) - 1));
  auto found = planning::findFlows(state_->graph, ends, base::Threads(threads), most);
  std::vector<std::vector<NavigationPath>> flows(found.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    for (planning::FlowPath& path : found[i])
      flows[i].push_back({std::move(path.vertices), std::move(path.edges), path.length, path.narrowest});
  return flows;
}

std::optional<std::uint32_t> NavigationGraph::locate(const Scene& scene, const std::string& name) const {
  const std::uint32_t found = graph::vertexOf(state_->graph, scene, name);
  return found == corridors::kNone ? std::nullopt : std::optional(found);
}

std::vector<std::uint8_t> NavigationGraph::levels(const LevelSettings& settings) const {
  std::vector<std::uint8_t> level;
  levels::assignLevels(state_->graph, settings, 1, level);
  return level;
}

}  // namespace throng
