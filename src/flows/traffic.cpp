#include "flows/traffic.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/math.h"

namespace throng::flows {
namespace {

Vec2 midway(const graph::GateLeg& leg, float p) { return leg.left + (leg.right - leg.left) * p; }

}  // namespace

Traffic::Traffic(const graph::NavigationGraph& graph)
    : graph_(graph), paths_(graph_), density_(graph_.vertices().size(), 0.0f) {}

void Traffic::add(std::uint16_t population, const FlowEnds& ends, const std::array<FlowEnd, 2>& places,
                  const Minding& minding) {
  Flow flow;
  flow.population = population;
  flow.ends = places;
  for (std::size_t i = 0; i < 2; ++i) {
    const Point at{places[i].at.x, places[i].at.y};
    flow.ends[i].vertex = graph_.locate(at, places[i].floor, places[i].radius);
    if (flow.ends[i].vertex == corridors::kNone)
      throw InputError({Diagnostic{.at = at,
                                   .message = fmt::format("The place \"{}\" is not on the navigation graph: nobody of "
                                                          "its body radius, {:g} m, gets there.",
                                                          i == 0 ? ends.from : ends.to, graph_.bodyRadius())}});
  }
  const bool minds = minding.regions && (!minding.weights.empty() || !minding.hills.empty());
  if (minds && costs_.count(minding.profile) == 0)
    costs_[minding.profile] =
        planning::edgeCosts(graph_, *minding.regions, minding.weights, minding.hills, minding.slope);
  const std::span<const planning::FlowCost> costs =
      minds ? std::span<const planning::FlowCost>(costs_[minding.profile]) : std::span<const planning::FlowCost>();
  auto found = planning::findFlow(graph_, flow.ends[0].vertex, flow.ends[1].vertex, scratch_, ends.paths, costs);
  if (found.empty())
    throw InputError(fmt::format(
        "No way leads from \"{}\" to \"{}\" for a body radius of {:g} m{}.", ends.from, ends.to, graph_.bodyRadius(),
        !minding.weights.empty() ? " that keeps out of regions where its people never walk" : ""));
  flow.first_path = static_cast<std::uint32_t>(paths_.size());
  flow.count = static_cast<std::uint32_t>(found.size());
  for (const planning::FlowPath& path : found) {
    paths_.add(graph_, path.vertices, path.edges);
    const std::vector<std::uint32_t> vertices(path.vertices.rbegin(), path.vertices.rend());
    const std::vector<std::uint32_t> edges(path.edges.rbegin(), path.edges.rend());
    paths_.add(graph_, vertices, edges);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    // One per destination, however many flows lead there: a field is as large as the graph.
    const auto [known, added] =
        field_to_.try_emplace(std::pair(flow.ends[i].vertex, minds ? minding.profile + 1u : 0u), 0u);
    if (added) known->second = paths_.addField(graph_, planning::shortestPathTree(graph_, flow.ends[i].vertex, costs));
    flow.field[i] = known->second;
  }
  flow.first_time = times_.size();
  for (const planning::FlowPath& path : found) times_.push_back(planning::estimatedTravelTime(graph_, path, density_));
  if (flow_of_.size() <= population) flow_of_.resize(population + std::size_t{1}, 0);
  flows_.push_back(flow);
  found_.push_back(std::move(found));
  flow_of_[population] = static_cast<std::uint32_t>(flows_.size());
}

void Traffic::estimate(std::span<const std::uint32_t> vertex_of) {
  const auto vertices = graph_.vertices();
  people_.assign(vertices.size(), 0);
  for (const std::uint32_t vertex : vertex_of)
    if (vertex > 0) ++people_[vertex - 1];
  for (std::size_t v = 0; v < vertices.size(); ++v)
    density_[v] = static_cast<float>(people_[v] / (base::kPi * vertices[v].radius * vertices[v].radius));
  // Every edge once; thousands of paths then only add.
  planning::edgeTravelTimes(graph_, density_, seconds_);
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    Flow& flow = flows_[f];
    for (std::uint32_t k = 0; k < flow.count; ++k)
      times_[flow.first_time + k] = planning::estimatedTravelTime(found_[f][k], seconds_);
    // Of the same time, who minds the ground takes the path over what costs less.
    worth_.assign(travelTimes(flow).begin(), travelTimes(flow).end());
    for (std::uint32_t k = 0; k < flow.count; ++k) worth_[k] *= found_[f][k].factor;
    flow.quickest = planning::quickestPath(worth_);
  }
}

bool Traffic::setEstimates(std::span<const double> times, std::span<const float> density,
                           std::span<const std::uint32_t> quickest) {
  if (times.size() != times_.size() || density.size() != density_.size() || quickest.size() != flows_.size())
    return false;
  for (std::size_t f = 0; f < flows_.size(); ++f)
    if (quickest[f] >= flows_[f].count) return false;
  std::copy(times.begin(), times.end(), times_.begin());
  std::copy(density.begin(), density.end(), density_.begin());
  for (std::size_t f = 0; f < flows_.size(); ++f) flows_[f].quickest = quickest[f];
  return true;
}

/// A place of one's own at the end, so that people do not all turn on one spot.
void Traffic::aim(agents::Crowd& crowd, std::uint32_t row, const FlowEnd& end, base::Random& random) const {
  Point in_disc;
  do {
    in_disc = {2 * random.uniform() - 1, 2 * random.uniform() - 1};
  } while (dot(in_disc, in_disc) > 1);
  const double reach = 0.7 * end.radius;
  crowd.goal_x[row] = end.at.x + static_cast<float>(in_disc.x * reach);
  crowd.goal_y[row] = end.at.y + static_cast<float>(in_disc.y * reach);
  crowd.goal_layer[row] = end.floor;
}

void Traffic::setOut(agents::Crowd& crowd, const FlowColumns& on, std::uint32_t row, base::Random& random) {
  const Flow& flow = *of(crowd.population[row]);
  crowd.returning[row] = !crowd.returning[row];
  const std::uint32_t path = flow.first_path + 2 * flow.quickest + crowd.returning[row];
  on.path()[row] = path + 1;
  on.leg()[row] = 0;
  on.vertex()[row] = paths_.firstVertex(path) + 1;
  aim(crowd, row, flow.ends[crowd.returning[row] ? 0 : 1], random);
}

Traffic::Spot Traffic::anywhere(const Flow& flow, float lane, base::Random& random) const {
  Spot spot;
  const auto k = static_cast<std::uint32_t>(random.uniform() * flow.count);
  spot.returning = random.uniform() < 0.5;
  spot.path = flow.first_path + 2 * std::min(k, flow.count - 1) + (spot.returning ? 1 : 0);
  // Anywhere on the line of this lane's way-points, by length.
  Vec2 at = flow.ends[spot.returning ? 1 : 0].at;
  std::uint32_t vertex = paths_.firstVertex(spot.path);
  float length_all = 0;
  for (std::uint32_t leg = 0; leg < paths_.legs(spot.path); ++leg) {
    const Vec2 next = midway(*paths_.next(spot.path, leg, 0), lane);
    length_all += length(next - at);
    at = next;
  }
  float left = static_cast<float>(random.uniform()) * length_all;
  at = flow.ends[spot.returning ? 1 : 0].at;
  spot.at = at;
  for (std::uint32_t leg = 0; leg < paths_.legs(spot.path); ++leg) {
    const graph::GateLeg& gate = *paths_.next(spot.path, leg, 0);
    const Vec2 next = midway(gate, lane);
    const float part = length(next - at);
    spot.leg = leg;
    spot.vertex = vertex;
    if (left <= part || leg + 1 == paths_.legs(spot.path)) {
      spot.at = part > 0 ? at + (next - at) * std::min(1.0f, left / part) : at;
      break;
    }
    left -= part;
    at = next;
    vertex = gate.vertex;
  }
  if (paths_.legs(spot.path) == 0) spot.vertex = vertex;
  const graph::Cylinder& cylinder = paths_.cylinder(spot.vertex);
  spot.floor = cylinder.floor;
  spot.z = cylinder.z;
  return spot;
}

void Traffic::take(agents::Crowd& crowd, const FlowColumns& on, std::uint32_t row, const Flow& flow, const Spot& spot,
                   base::Random& random) const {
  crowd.guide[row] = agents::Guide::kFlow;
  crowd.returning[row] = spot.returning;
  on.path()[row] = spot.path + 1;
  on.leg()[row] = spot.leg;
  on.vertex()[row] = spot.vertex + 1;
  crowd.activity[row] = agents::Activity::kWalking;
  crowd.route_state[row] = agents::RouteState::kReaches;
  aim(crowd, row, flow.ends[spot.returning ? 0 : 1], random);
}

bool Traffic::arrived(const agents::Crowd& crowd, std::uint32_t row) const {
  const Flow& flow = *of(crowd.population[row]);
  const FlowEnd& end = flow.ends[crowd.returning[row] ? 0 : 1];
  if (lengthSquared(Vec2{crowd.x[row], crowd.y[row]} - end.at) > end.radius * end.radius) return false;
  // Above or below the place is not there.
  constexpr float kSameStorey = 2;  // m
  return crowd.layer[row] == end.floor || std::abs(crowd.z[row] - paths_.cylinder(end.vertex).z) < kSameStorey;
}

void Traffic::findAgain(const agents::Crowd& crowd, const FlowColumns& on, std::uint32_t row) const {
  constexpr double kReach = 3;  // m
  const std::uint32_t vertex = graph_.locate({crowd.x[row], crowd.y[row]}, crowd.layer[row], kReach);
  if (vertex == corridors::kNone) return;
  const Flow& flow = *of(crowd.population[row]);
  on.path()[row] = flow.field[crowd.returning[row] ? 0 : 1] + 1;
  on.vertex()[row] = vertex + 1;
  on.leg()[row] = 0;
}

std::size_t Traffic::bytes() const {
  std::size_t bytes = paths_.bytes() + density_.capacity() * sizeof(float) + seconds_.capacity() * sizeof(double);
  for (const auto& paths : found_)
    for (const auto& path : paths) bytes += (path.vertices.capacity() + path.edges.capacity()) * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace throng::flows
