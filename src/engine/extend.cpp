#include "engine/extend.h"

#include <cmath>
#include <deque>
#include <fmt/format.h>

#include "base/narrowing.h"
#include "planning/planners.h"
#include "steering/models.h"

namespace throng {

struct StepView::State {
  step::StepContext& context;
};

struct SteeringView::State {
  const steering::StepInput& input;
  std::span<const std::uint32_t> slots;
  steering::VelocityOutput out;

  std::uint32_t row(std::size_t person) const { return input.neighbours.row()[slots[person]]; }
};

namespace {

using Found = agents::NeighbourIndex::Found;

/// Who is near a slot of the index.
void seenFrom(const agents::NeighbourIndex& index, const agents::Crowd& crowd, std::uint32_t slot, std::size_t count,
              float range, std::vector<SeenPerson>& seen) {
  thread_local std::vector<Found> found;
  const Vec2 here{index.x()[slot], index.y()[slot]};
  index.nearest(here, index.zone(crowd, index.row()[slot]), count, range, slot, found);
  seen.clear();
  for (const Found& f : found)
    seen.push_back({index.row()[f.slot],
                    Vec2{index.x()[f.slot], index.y()[f.slot]} - here,
                    {index.vx()[f.slot], index.vy()[f.slot]},
                    index.radius()[f.slot],
                    std::sqrt(f.distance_squared)});
}

/// The strings of models that programs have registered, which stay.
const ModelInfo& kept(ModelDescription description) {
  struct Kept {
    ModelDescription description;
    std::vector<ModelParameter> parameters;
    ModelInfo info;
  };
  static std::deque<Kept> all;
  for (const ModelDescription::Parameter& p : description.parameters)
    if (p.name.empty() || !(p.min <= p.value && p.value <= p.max))
      throw InputError(fmt::format(
          "The parameter \"{}\" of the model \"{}\" is {:g} by default; allowed: {:g} to {:g}, with a name.", p.name,
          description.name, p.value, p.min, p.max));
  Kept& kept = all.emplace_back(Kept{std::move(description), {}, {}});
  const ModelDescription& text = kept.description;
  for (const ModelDescription::Parameter& p : text.parameters)
    kept.parameters.push_back({p.name, p.unit, p.value, p.min, p.max, p.description});
  kept.info = {text.name, text.title, text.paper, kept.parameters};
  return kept.info;
}

/// A system of a program's own in the table.
class Adapted final : public step::System {
 public:
  explicit Adapted(std::unique_ptr<throng::System> system) : system_(std::move(system)), name_(system_->name()) {}

  std::string_view name() const override { return name_; }
  void run(step::StepContext& context) override {
    StepView::State state{context};
    StepView view(state);
    system_->run(view);
  }
  void save(const step::StepContext&, base::ArchiveWriter& writer) const override {
    std::string saved = system_->save();
    writer(saved);
  }
  void load(base::ArchiveReader& reader, const step::Loading&) override { reader(loaded_); }
  void accept(step::StepContext&) override { system_->load(loaded_); }

 private:
  std::unique_ptr<throng::System> system_;
  std::string name_, loaded_;
};

}  // namespace

std::unique_ptr<step::System> engine::adapted(std::unique_ptr<System> system) {
  if (!system) throw InputError("There is no system here: a null pointer was given.");
  if (system->name().empty()) throw InputError("A system must have a name.");
  return std::make_unique<Adapted>(std::move(system));
}

double StepView::time() const { return state_.context.clock.time(); }
double StepView::dt() const { return state_.context.dt; }
std::uint64_t StepView::steps() const { return state_.context.clock.steps(); }
const Scene& StepView::scene() const { return state_.context.scene; }
Frame StepView::frame() const { return state_.context.crowd.frame(time(), steps()); }
std::span<const AgentId> StepView::ids() const { return state_.context.crowd.id; }
std::span<float> StepView::preferredVelocityX() { return state_.context.crowd.preferred_vx; }
std::span<float> StepView::preferredVelocityY() { return state_.context.crowd.preferred_vy; }
std::span<float> StepView::nextVelocityX() { return state_.context.crowd.next_vx; }
std::span<float> StepView::nextVelocityY() { return state_.context.crowd.next_vy; }

// Names of programs and of modules do not meet.
std::span<float> StepView::column(std::string_view name) {
  return state_.context.crowd.attach<float>(fmt::format("own.{}", name));
}
std::span<std::uint32_t> StepView::wholeColumn(std::string_view name) {
  return state_.context.crowd.attach<std::uint32_t>(fmt::format("own.whole.{}", name));
}

void StepView::neighbours(std::size_t row, std::size_t count, float range, std::vector<SeenPerson>& found) const {
  found.clear();
  const agents::NeighbourIndex& index = state_.context.neighbours;
  const std::uint32_t slot = index.slotOf(state_.context.crowd, static_cast<std::uint32_t>(row));
  if (slot != agents::NeighbourIndex::kNobody) seenFrom(index, state_.context.crowd, slot, count, range, found);
}

void StepView::forEach(std::size_t n, const std::function<void(std::size_t, std::size_t)>& body) const {
  constexpr std::size_t kPiece = 512;
  state_.context.threads.forEach(n, kPiece, body);
}

void StepView::setGoals(AgentId id, std::vector<Goal> goals) {
  state_.context.requests.goals.push_back({id, std::move(goals)});
}
void StepView::push(AgentId id, Point place) {
  const agents::Crowd& crowd = state_.context.crowd;
  if (!crowd.contains(id)) throw InputError("There is nobody with this id any more.");
  const std::uint32_t r = crowd.row(id);
  const ground::Floor& floor = state_.context.terrain.floors()[crowd.layer[r]];
  if (!std::isfinite(place.x) || !std::isfinite(place.y) || !floor.contains(place) ||
      floor.clearance(place, crowd.radius[r]) < crowd.radius[r])
    throw InputError({Diagnostic{.at = place, .message = "Nobody can be pushed here: the place is not free."}});
  state_.context.requests.pushes.push_back({id, place});
}
void StepView::leave(AgentId id) { state_.context.requests.leaving.push_back(id); }

float SteeringView::dt() const { return state_.input.dt; }
std::uint64_t SteeringView::step() const { return state_.input.step; }
std::size_t SteeringView::size() const { return state_.slots.size(); }
std::size_t SteeringView::row(std::size_t person) const { return state_.row(person); }
Vec2 SteeringView::position(std::size_t person) const {
  const std::uint32_t r = state_.row(person);
  return {state_.input.crowd.x[r], state_.input.crowd.y[r]};
}
Vec2 SteeringView::velocity(std::size_t person) const {
  const std::uint32_t r = state_.row(person);
  return {state_.input.crowd.vx[r], state_.input.crowd.vy[r]};
}
Vec2 SteeringView::preferredVelocity(std::size_t person) const {
  const std::uint32_t r = state_.row(person);
  return {state_.input.crowd.preferred_vx[r], state_.input.crowd.preferred_vy[r]};
}
Vec2 SteeringView::goal(std::size_t person) const {
  const std::uint32_t r = state_.row(person);
  return {state_.input.crowd.goal_x[r], state_.input.crowd.goal_y[r]};
}
float SteeringView::radius(std::size_t person) const { return state_.input.crowd.radius[state_.row(person)]; }
float SteeringView::preferredSpeed(std::size_t person) const {
  return state_.input.crowd.preferred_speed[state_.row(person)];
}
float SteeringView::maxSpeed(std::size_t person) const { return state_.input.crowd.max_speed[state_.row(person)]; }
std::uint32_t SteeringView::number(std::size_t person) const { return state_.input.crowd.person[state_.row(person)]; }

void SteeringView::neighbours(std::size_t person, std::size_t count, float range,
                              std::vector<SeenPerson>& found) const {
  seenFrom(state_.input.neighbours, state_.input.crowd, state_.slots[person], count, range, found);
}

void SteeringView::walls(std::size_t person, float range, std::vector<std::pair<Vec2, Vec2>>& found) const {
  thread_local std::vector<std::uint32_t> near;
  near.clear(), found.clear();
  const ground::Walls& walls = state_.input.floors[state_.input.crowd.layer[state_.row(person)]].walls;
  if (walls.size() == 0) return;
  walls.grid.query(position(person), range, near);
  for (const std::uint32_t i : near) found.emplace_back(walls.a[i], walls.b[i]);
}

void SteeringView::setVelocity(std::size_t person, Vec2 velocity) {
  const std::uint32_t r = state_.row(person);
  state_.out.vx[r] = velocity.x, state_.out.vy[r] = velocity.y;
}

void addSteeringModel(SteeringModel model) {
  if (!model.range || !model.steer)
    throw InputError(fmt::format("The steering model \"{}\" must have a range and steer.", model.description.name));
  if (steering::findModel(model.description.name))
    throw InputError(fmt::format("There is a steering model called \"{}\" already.", model.description.name));
  steering::models().add(
      {kept(std::move(model.description)),
       [steer = std::move(model.steer)](const steering::StepInput& input, std::span<const float> parameters,
                                        std::span<const std::uint32_t> slots, steering::VelocityOutput out) {
         SteeringView::State state{input, slots, out};
         SteeringView view(state);
         steer(view, parameters);
       },
       std::move(model.range)});
}

void addPlanner(PlannerModel planner) {
  if (!planner.plan) throw InputError(fmt::format("The planner \"{}\" must plan.", planner.description.name));
  if (planning::findPlanner(planner.description.name))
    throw InputError(fmt::format("There is a planner called \"{}\" already.", planner.description.name));
  planning::planners().add(
      {kept(std::move(planner.description)),
       [plan = std::move(planner.plan)](const planning::Request& request, const planning::Terrain& terrain,
                                        std::span<const float> parameters, planning::Scratch&,
                                        corridors::Route& route) {
         thread_local std::vector<PlannerModel::WayPoint> points;
         points.clear();
         const bool reached = plan({wide(request.from), wide(request.to), request.layer, request.goal_layer,
                                    static_cast<double>(request.radius), static_cast<double>(request.preference)},
                                   parameters, points);
         route.clear();
         for (const PlannerModel::WayPoint& point : points)
           if (point.layer < terrain.floors.size() && std::isfinite(point.at.x) && std::isfinite(point.at.y))
             route.push_back({narrow(point.at), point.layer});
         if (route.empty()) route.push_back({request.to, request.goal_layer});
         return reached ? planning::Outcome::kReached : planning::Outcome::kNearest;
       }});
}

}  // namespace throng
