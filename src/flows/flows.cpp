#include "flows/flows.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/narrowing.h"
#include "ground/slope.h"
#include "scene/scene_check.h"

namespace throng::flows {

void Flows::attach(step::StepContext& context) {
  const graph::NavigationGraph* graph = context.terrain.graph();
  if (!graph) {
    traffic_.reset(), columns_.reset();
    return;
  }
  if (!traffic_ || &traffic_->graph() != graph) traffic_ = std::make_unique<Traffic>(*graph);
  columns_.emplace(context.crowd);
}

FlowEnd Flows::end(const step::StepContext& context, const std::string& name) {
  const auto& places = context.scene.places;
  const auto place = std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.name == name; });
  if (place == places.end()) throw InputError(fmt::format("There is no place called \"{}\".", name));
  const int layer = scene::layerOf(context.scene, *place);
  if (layer < 0) throw InputError(fmt::format("The place \"{}\" lies where nobody can walk.", name));
  FlowEnd end;
  end.at = narrow(place->at);
  end.radius = static_cast<float>(place->radius);
  end.floor = static_cast<std::uint16_t>(layer);
  return end;
}

Minding Flows::minding(const step::StepContext& context, const Population& people) {
  const std::uint16_t profile = context.profileIndex(people.profile);
  const SlopeCost& slope = context.scene.profiles[profile].slope_cost;
  const std::span<const ground::Floor> floors = context.terrain.floors();
  const bool hilly = slope.any() && ground::anyHills(floors);
  return {profile, &context.terrain.regions(), context.weights.typical(profile),
          hilly ? floors : std::span<const ground::Floor>(), slope};
}

const Flow& Flows::add(const step::StepContext& context, std::uint16_t population) {
  const Population& people = context.scene.populations[population];
  const FlowEnds& ends = *people.flow;
  traffic_->add(population, ends, {end(context, ends.from), end(context, ends.to)}, minding(context, people));
  return *traffic_->of(population);
}

void Flows::take(step::StepContext& context, std::uint32_t r, const Flow& flow, const Traffic::Spot& spot, float lane) {
  agents::Crowd& crowd = context.crowd;
  base::Random own(crowd.random[r]);
  traffic_->take(crowd, *columns_, r, flow, spot, own);
  crowd.random[r] = own.state();
  crowd.preference[r] = lane;
  crowd.start_x[r] = spot.at.x, crowd.start_y[r] = spot.at.y;
  follow(context, true, std::span(&r, 1));
}

void Flows::follow(step::StepContext& context, bool far_sighted, std::span<const std::uint32_t> rows) const {
  // Who does not look far does not look for a way back either.
  followGates(context.crowd, *columns_, traffic_->paths(), far_sighted ? context.terrain.map() : nullptr, far_sighted,
              rows);
}

bool Flows::isObstructed(const step::StepContext& context, std::uint32_t r) const {
  const std::uint32_t path = columns_->path()[r], vertex = columns_->vertex()[r];
  if (!context.terrain.anyObstructed() || path == 0 || vertex == 0) return false;
  if (context.terrain.isObstructed(vertex - 1)) return true;
  const graph::GateLeg* gate = traffic_->paths().next(path - 1, columns_->leg()[r], vertex - 1);
  return gate != nullptr && context.terrain.isObstructed(gate->vertex);
}

void Flows::locate(const step::StepContext& context, std::uint32_t r) const {
  const agents::Crowd& crowd = context.crowd;
  const std::uint32_t vertex = traffic_->graph().locate({crowd.x[r], crowd.y[r]}, crowd.layer[r]);
  columns_->vertex()[r] = vertex == corridors::kNone ? 0 : vertex + 1;
}

std::vector<std::uint64_t> Flows::peopleOnPaths(const agents::Crowd& crowd, const Flow& flow) const {
  std::vector<std::uint64_t> people(flow.count, 0);
  for (std::size_t r = 0; r < crowd.size(); ++r) {
    const std::uint32_t path = columns_->path()[r];
    if (crowd.population[r] != flow.population || path == 0 || traffic_->paths().isField(path - 1)) continue;
    ++people[(path - 1 - flow.first_path) / 2];
  }
  return people;
}

Flows::Saved Flows::saved() const {
  Saved out;
  if (!traffic_) return out;
  for (const Flow& flow : traffic_->flows()) {
    out.flows.push_back(flow.population);
    out.quickest.push_back(flow.quickest);
  }
  out.density.assign(traffic_->density().begin(), traffic_->density().end());
  out.travel_times.assign(traffic_->allTravelTimes().begin(), traffic_->allTravelTimes().end());
  return out;
}

std::unique_ptr<Traffic> Flows::restored(const Saved& in, const step::Loading& loading) {
  const auto require = step::Loading::require;
  const agents::Crowd& crowd = loading.crowd;
  const auto* path = crowd.find<std::uint32_t>("flows.path");
  const auto* vertex = crowd.find<std::uint32_t>("flows.vertex");
  const auto* leg = crowd.find<std::uint32_t>("flows.leg");
  const char* kNobody = "its people refer to things that are not there";
  const auto guided = [&](std::size_t r) { return crowd.guide[r] == agents::Guide::kFlow; };
  if (!loading.graph) {
    require(in.flows.empty(), "a flow without a navigation graph");
    for (std::size_t r = 0; r < crowd.size(); ++r) require(!guided(r), kNobody);
    return nullptr;
  }
  auto traffic = std::make_unique<Traffic>(*loading.graph);
  for (const std::uint16_t p : in.flows) {
    require(p < loading.populations.size() && loading.populations[p].flow && !traffic->of(p),
            "a flow of no population");
    const FlowEnds& ends = *loading.populations[p].flow;
    traffic->add(p, ends, {end(loading.now, ends.from), end(loading.now, ends.to)},
                 minding(loading.now, loading.populations[p]));
  }
  const bool sound = std::all_of(in.travel_times.begin(), in.travel_times.end(), [](double t) { return t >= 0; });
  require(sound && traffic->setEstimates(in.travel_times, in.density, in.quickest), "travel times of other flows");
  require((path && vertex && leg) || crowd.size() == 0, kNobody);
  for (std::size_t r = 0; r < crowd.size(); ++r) {
    require((*vertex)[r] <= loading.graph->vertices().size() && guided(r) == ((*path)[r] > 0), kNobody);
    if (!guided(r)) continue;
    require((*vertex)[r] > 0 && (*path)[r] <= traffic->paths().size() && traffic->of(crowd.population[r]) &&
                (traffic->paths().isField((*path)[r] - 1) || (*leg)[r] <= traffic->paths().legs((*path)[r] - 1)),
            kNobody);
  }
  return traffic;
}

void Flows::restore(std::unique_ptr<Traffic> traffic, step::StepContext& context) {
  if (traffic) traffic_ = std::move(traffic);
  attach(context);
}

}  // namespace throng::flows
