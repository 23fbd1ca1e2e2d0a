#include "planning/plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "geometry/archive_fields.h"
#include "planning/congestion.h"

namespace throng::planning {

PlanRoutes::PlanRoutes(const Scene& scene, Congestion& congestion) : congestion_(congestion) {
  congestion_.useMaps(region_maps_);
  for (const Profile& profile : scene.profiles) {
    const Planner* planner = &plannerOf(profile);
    choices_.push_back({planner, step::parameterValues(planner->info, profile.planner.parameters), profile.slope_cost});
  }
}

bool PlanRoutes::needsMap() const {
  return std::any_of(choices_.begin(), choices_.end(), [](const Choice& c) { return c.planner->needs_map; });
}

void PlanRoutes::run(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  auto& waiting = context.requests.routes;
  context.planned.clear();
  std::erase_if(waiting, [&](AgentId id) {
    return !crowd.contains(id) || crowd.activity[crowd.row(id)] != agents::Activity::kWalking ||
           context.isBuried(crowd.row(id));
  });
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    if (crowd.lost[r] && crowd.guide[r] == agents::Guide::kGoals && !context.isBuried(r)) {
      crowd.lost[r] = 0;
      waiting.push_back(crowd.id[r]);
    }
  constexpr std::size_t kAtOnce = 8192;  // people whose routes are held before they are stored
  for (std::size_t i = 0; i < waiting.size(); i += kAtOnce)
    planAll(context, std::span(waiting).subspan(i, std::min(kAtOnce, waiting.size() - i)));
  context.planned.swap(waiting);

  // Everybody's way-points together are at most what the store holds; clear it out when less than half is in use.
  if (context.routes.size() > 1024) {
    const std::span<const std::uint32_t> behind = crowd.wayPointsBehind();
    const auto live = std::accumulate(crowd.route_count.begin(), crowd.route_count.end(),
                                      std::accumulate(behind.begin(), behind.end(), std::uint64_t{0}));
    if (context.routes.size() > 2 * live) context.routes.compact(crowd.route_start, crowd.route_count, behind);
  }
}

/// In parallel; the routes are then stored in the order of people.
void PlanRoutes::planAll(step::StepContext& context, std::span<const AgentId> people) {
  constexpr std::size_t kPlansPerPiece = 16;
  agents::Crowd& crowd = context.crowd;
  if (planned_.size() < people.size()) planned_.resize(people.size()), outcomes_.resize(people.size());
  const Terrain terrain{context.terrain.floors(), context.terrain.map(), &context.terrain.regions(),
                        context.terrain.revision(), &region_maps_};
  const bool remember = congestion_.knows(context);
  if (remember && ways_.size() < people.size()) ways_.resize(people.size());
  context.threads.forEach(people.size(), kPlansPerPiece, [&](std::size_t begin, std::size_t end) {
    thread_local Scratch scratch;
    thread_local ground::RegionWeights weights;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t r = crowd.row(people[i]);
      const Choice& choice = choices_[crowd.profile[r]];
      const auto costs = congestion_.costsFor(context, r);
      const Request request{{crowd.x[r], crowd.y[r]},
                            {crowd.goal_x[r], crowd.goal_y[r]},
                            crowd.layer[r],
                            crowd.goal_layer[r],
                            crowd.radius[r],
                            crowd.preference[r],
                            costs ? &*costs : nullptr,
                            context.weights.of(crowd.profile[r], crowd.person[r], weights),
                            choice.slope};
      scratch.answer.corridor.clear(), scratch.passed.clear();
      outcomes_[i] = choice.planner->plan(request, terrain, choice.parameters, scratch, planned_[i]);
      if (!remember) continue;
      ways_[i].clear();
      if (!scratch.answer.corridor.empty())
        congestion_.listWay(context, scratch.path, ways_[i]);
      else
        ways_[i].swap(scratch.passed);
    }
  });
  for (std::size_t i = 0; i < people.size(); ++i) {
    const std::uint32_t r = crowd.row(people[i]);
    crowd.route_start[r] = context.routes.add(planned_[i]);
    crowd.route_count[r] = static_cast<std::uint32_t>(planned_[i].size());
    if (remember) congestion_.remember(context, r, ways_[i]);
    crowd.target_x[r] = crowd.x[r], crowd.target_y[r] = crowd.y[r];  // the route begins here
    crowd.route_state[r] = outcomes_[i] == Outcome::kReached   ? agents::RouteState::kReaches
                           : outcomes_[i] == Outcome::kNearest ? agents::RouteState::kNearest
                                                               : agents::RouteState::kStraight;
  }
}

template <class Archive>
void PlanRoutes::Saved::fields(Archive& f) {
  f.list(waiting, [](auto& archive, AgentId& id) { archive(id.value); });
  f.list(points, [](auto& archive, Vec2& p) { archive(p.x), archive(p.y); });
  f.list(layers, base::kFields);
}

void PlanRoutes::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  Saved saved{context.requests.routes, context.routes.points(), context.routes.layers()};
  saved.fields(writer);
}

void PlanRoutes::load(base::ArchiveReader& reader, const step::Loading& loading) {
  loaded_.fields(reader);
  step::Loading::require(loaded_.layers.size() == loaded_.points.size(), "a route without layers");
  const agents::Crowd& crowd = loading.crowd;
  for (std::size_t r = 0; r < crowd.size(); ++r)
    step::Loading::require(std::uint64_t{crowd.route_start[r]} + crowd.route_count[r] <= loaded_.points.size() &&
                               crowd.route_state[r] <= agents::RouteState::kStraight,
                           "its people refer to things that are not there");
}

void PlanRoutes::accept(step::StepContext& context) {
  context.requests.routes = std::move(loaded_.waiting);
  context.routes.assign(std::move(loaded_.points), std::move(loaded_.layers));
}

}  // namespace throng::planning
