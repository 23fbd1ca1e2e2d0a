// The world's navigation flows: how they are made, and how their people join.
#include <algorithm>
#include <fmt/format.h>

#include "following/gates.h"
#include "ground/occupancy.h"
#include "scene/scene_check.h"
#include "scene/scene_parts.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// So many places are tried for everybody. Where a flow has more people than room they overlap at first, and those who
/// avoid others sort it out.
constexpr int kTries = 40, kGiveUp = 100;

double largestRadius(const Distribution& radius) {
  switch (radius.kind) {
    case Distribution::Kind::kConstant:
      return radius.mean;
    case Distribution::Kind::kNormal:
      return radius.mean + 6 * radius.deviation;
    default:
      return radius.max;
  }
}

}  // namespace

void World::buildTraffic(std::unique_ptr<graph::NavigationGraph> graph) {
  budget_ = levels::Budget(scene_.levels.budget);
  if (graph) {
    if (graph->scene() != 0 && graph->scene() != scene::groundHash(scene_))
      throw InputError(
          "The navigation graph was made from another scene: its layers, connections, mesh and "
          "navigation_graph must be those of this one.");
    for (const graph::GraphVertex& vertex : graph->vertices())
      if (vertex.floor >= space_.floors().size() || !space_.floors()[vertex.floor].contains(vertex.centre))
        throw InputError(
            {Diagnostic{.at = vertex.centre, .message = "The navigation graph was made from another scene."}});
    traffic_ = std::make_unique<Traffic>(std::move(*graph));
  }
  const bool flows = std::any_of(scene_.populations.begin(), scene_.populations.end(),
                                 [](const Population& population) { return population.flow.has_value(); });
  if (flows || hasLevels()) needTraffic();
}

void World::needTraffic() {
  needMap();
  if (traffic_) return;
  graph_made_later_ = true;
  Walkability walkability;
  walkability.body_radius = scene_.navigation.body_radius;
  if (scene_.mesh) walkability = scene_.mesh->walkability;
  traffic_ = std::make_unique<Traffic>(
      graph::NavigationGraph(space_, *map_, walkability, scene_.navigation.precision, threads_));
}

FlowEnd World::flowEnd(const std::string& name) const {
  const auto place = std::find_if(scene_.places.begin(), scene_.places.end(),
                                  [&](const Place& candidate) { return candidate.name == name; });
  if (place == scene_.places.end()) throw InputError(fmt::format("There is no place called \"{}\".", name));
  const int layer = scene::layerOf(scene_, *place);
  if (layer < 0) throw InputError(fmt::format("The place \"{}\" lies where nobody can walk.", name));
  FlowEnd end;
  end.at = {static_cast<float>(place->at.x), static_cast<float>(place->at.y)};
  end.radius = static_cast<float>(place->radius);
  end.floor = static_cast<std::uint16_t>(layer);
  return end;
}

void World::insertFlow(std::size_t index) {
  const Population& population = scene_.populations[index];
  const std::uint16_t profile = profileIndex(population.profile);
  const auto number = static_cast<std::uint16_t>(index);
  try {
    traffic_->add(number, *population.flow, {flowEnd(population.flow->from), flowEnd(population.flow->to)});
  } catch (const InputError& error) {
    std::vector<Diagnostic> findings = error.diagnostics();
    for (Diagnostic& finding : findings) finding.pointer = fmt::format("/populations/{}", index);
    throw InputError(std::move(findings));
  }
  const Flow& flow = *traffic_->of(number);

  std::vector<std::vector<ground::Disc>> taken(space_.floors().size());
  double largest = largestRadius(scene_.profiles[profile].radius);
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    taken[crowd_.layer[r]].push_back({{crowd_.x[r], crowd_.y[r]}, crowd_.radius[r]});
    largest = std::max(largest, static_cast<double>(crowd_.radius[r]));
  }
  std::vector<ground::Occupancy> floors;
  for (std::size_t f = 0; f < taken.size(); ++f)
    floors.emplace_back(space_.floors()[f], taken[f], largest, population.count);

  int in_vain = 0;  // people in a row for whom no place was found
  for (std::uint32_t k = 0; k < population.count; ++k) {
    base::Random random(seed_, next_person_);
    const double radius = draw(scene_.profiles[profile].radius, random, kRadiusLimits);
    const auto lane = static_cast<float>(draw(population.lane, random, {0, 1}));
    Traffic::Spot spot;
    bool free = false;
    // Where there is no room any more, looking for it takes long and finds nothing.
    for (int i = 0; i < (in_vain < kGiveUp ? kTries : 1) && !free; ++i) {
      spot = traffic_->anywhere(flow, lane, random);
      free = floors[spot.floor].isFree({spot.at.x, spot.at.y}, radius, ground::kMargin);
    }
    in_vain = free ? 0 : in_vain + 1;
    const Point at{spot.at.x, spot.at.y};
    floors[spot.floor].add(at, radius);
    const AgentId id = join({at, profile, number, spot.floor, radius, {}}, static_cast<std::uint32_t>(index), random);
    const std::uint32_t r = crowd_.row(id);
    base::Random own(crowd_.random[r]);
    traffic_->take(crowd_, r, flow, spot, own);
    crowd_.random[r] = own.state();
    crowd_.preference[r] = lane;
    crowd_.start_x[r] = spot.at.x, crowd_.start_y[r] = spot.at.y;
    following::followGates(crowd_, traffic_->paths(), map_.get(), true, std::span(&r, 1));
    const Vec2 way = normalized(Vec2{crowd_.preferred_vx[r], crowd_.preferred_vy[r]});
    if (way != Vec2{}) crowd_.heading_x[r] = way.x, crowd_.heading_y[r] = way.y;
  }
}

std::uint16_t World::addFlow(Population population) {
  if (!population.flow) throw InputError("This population is no flow: it has no two ends.");
  profileIndex(population.profile);
  needTraffic();
  const std::size_t index = scene_.populations.size();
  population.flow->time = clock_.time();
  scene_.populations.push_back(std::move(population));
  try {
    // Journeys of populations come first, in their order; one that was made for a program's person keeps its place.
    journeys_.insert(journeys_.begin() + static_cast<std::ptrdiff_t>(index), {{}, OnArrival::kStay, 1});
    for (std::uint32_t& journey : crowd_.journey) journey += journey >= index;
    for (std::uint32_t& journey : free_journeys_) journey += journey >= index;
    sources_.push_back({base::Random(seed_, kPopulationStream + index), 0});
    insertFlow(index);
  } catch (...) {
    sources_.resize(index);
    journeys_.erase(journeys_.begin() + static_cast<std::ptrdiff_t>(index));
    for (std::uint32_t& journey : crowd_.journey) journey -= journey > index;
    for (std::uint32_t& journey : free_journeys_) journey -= journey > index;
    scene_.populations.pop_back();
    throw;
  }
  changed();
  return static_cast<std::uint16_t>(index);
}

}  // namespace throng::simulation
