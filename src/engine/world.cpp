#include "throng/world.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "throng/files.h"

#include "base/narrowing.h"
#include "engine/extend.h"
#include "engine/file_errors.h"
#include "engine/known_models.h"
#include "engine/navigation_graph_state.h"
#include "engine/navigation_state.h"
#include "simulation/world.h"

namespace throng {
namespace {

void requireWithin(Limits limits, double value, const char* what, const char* unit) {
  if (!limits.contain(value))
    throw InputError(
        fmt::format("{} is {:g} {}; allowed: {:g} to {:g} {}.", what, value, unit, limits.least, limits.most, unit));
}

void requirePreferredSpeed(double speed) { requireWithin(kPreferredSpeedLimits, speed, "A preferred speed", "m/s"); }

void requireVelocity(Point velocity) {
  constexpr double kFastest = 1000;  // m/s; no person's limit, but that of a sensible number
  if (!(std::abs(velocity.x) <= kFastest && std::abs(velocity.y) <= kFastest))
    throw InputError(fmt::format("A velocity is ({:g}, {:g}) m/s; allowed: -{:g} to {:g} m/s in x and y.", velocity.x,
                                 velocity.y, kFastest, kFastest));
}

}  // namespace

struct World::State {
  simulation::World world;
  mutable std::vector<SystemTime> times;

  const agents::Crowd& crowd() const { return world.crowd(); }
  std::uint32_t row(AgentId id) const {
    if (!crowd().contains(id))
      throw InputError("There is nobody with this id any more: they have left, or it belongs to another world.");
    return crowd().row(id);
  }
  /// Names, layer by layer.
  std::vector<std::string_view> doors() const {
    std::vector<std::string_view> names;
    for (const Layer& layer : world.scene().layers)
      for (const Door& door : layer.doors) names.push_back(door.name);
    return names;
  }
  std::string_view door(DoorId id) const {
    const auto names = doors();
    engine::requireDoor(id, names.size());
    return names[id.index()];
  }
  bool isDoor(const step::Inserted& there) const {
    const auto names = doors();
    return std::find(names.begin(), names.end(), there.name) != names.end();
  }
};

World::World(const Scene& scene, const WorldOptions& options) {
  std::unique_ptr<graph::NavigationGraph> graph;
  if (options.navigation_graph)
    graph = std::make_unique<graph::NavigationGraph>(options.navigation_graph->state_->graph);
  const std::uint64_t seed = options.seed != 0 ? options.seed : scene.run.seed;
  simulation::Kept kept{.graph = std::move(graph), .nobody = options.nobody};
  if (options.navigation_map) {
    const NavigationMap::State& given = *options.navigation_map->state_;
    if (given.scene != engine::mapHash(scene)) throw InputError("The navigation map was made from another scene.");
    kept.map = std::make_unique<corridors::CorridorMap>(given.map);
    for (const auto& door : given.doors)
      if (door.obstacle)
        kept.doors.push_back({door.name, *door.obstacle, *door.obstacle, door.layer, {door.line.a, door.line.b}});
    std::size_t closed = 0;
    for (const Layer& layer : scene.layers)
      for (const Door& door : layer.doors) {
        const auto same = [&](const step::Inserted& other) { return other.name == door.name; };
        closed += !door.open && std::any_of(kept.doors.begin(), kept.doors.end(), same);
        // Across a border that wraps, a door is a wall in pieces, which a map alone does not know.
        if (!door.open && layer.wrap) kept.map.reset();
      }
    if (kept.map && (closed != kept.doors.size() || kept.map->revision() != closed))
      throw InputError("The navigation map has changed: its doors and obstacles must be those of the scene at time 0.");
  }
  state_.reset(new State{simulation::World(engine::checked(scene), seed, options.threads, std::move(kept)), {}});
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() { state_->world.step(scene().run.dt); }
void World::step(double dt) { state_->world.step(dt); }
RunEnd World::ending() const { return state_->world.ending(); }
std::vector<NotArrived> World::notArrived() const { return state_->world.notArrived(); }
double World::time() const { return state_->world.time(); }
std::uint64_t World::steps() const { return state_->world.steps(); }
Frame World::frame() const {
  Frame frame = state_->crowd().frame(time(), steps());
  frame.group = state_->world.groups();
  frame.changes = state_->world.changes();
  return frame;
}
std::span<const AgentId> World::ids() const { return state_->crowd().id; }
std::span<const float> World::velocityX() const { return state_->crowd().vx; }
std::span<const float> World::velocityY() const { return state_->crowd().vy; }
std::span<const Arrival> World::arrivals() const { return state_->world.arrivals(); }
std::uint64_t World::waiting() const { return state_->world.waiting(); }
bool World::contains(AgentId id) const { return state_->crowd().contains(id); }
std::size_t World::row(AgentId id) const { return state_->row(id); }
std::size_t World::memory() const { return state_->world.memory(); }
const Scene& World::scene() const { return state_->world.scene(); }
int World::threads() const { return state_->world.context().threads.count(); }
std::uint64_t World::hash() const { return state_->world.hash(); }
std::vector<std::byte> World::snapshot() const { return state_->world.save(); }
void World::continueFrom(const World& before) { state_->world.continueFrom(before.state_->world); }
void World::restore(std::span<const std::byte> snapshot) { state_->world.load(snapshot); }

void World::saveSnapshot(const std::string& path, bool replace) const {
  const auto bytes = snapshot();
  writeFile(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, replace);
}

void World::loadSnapshot(const std::string& path) {
  const std::string bytes = readFile(path);
  engine::inFile(path, [&] { restore(std::as_bytes(std::span(bytes))); });
}

std::uint16_t World::addFlow(const std::string& name, const FlowEnds& ends, std::uint32_t count,
                             const std::string& profile, const Distribution& lane) {
  Population population;
  population.name = name;
  population.flow = ends;
  population.count = count;
  population.profile = profile.empty() ? scene().profiles.front().name : profile;
  population.lane = lane;
  return state_->world.addFlow(std::move(population));
}

void World::addPlace(const Place& place) {
  for (const Place& other : scene().places)
    if (other.name == place.name) throw InputError(fmt::format("There is a place called \"{}\" already.", place.name));
  state_->world.addPlace(place);
}

std::vector<World::FlowPathState> World::flowPaths(std::uint16_t population) const {
  std::vector<FlowPathState> states;
  const flows::Traffic* traffic = state_->world.flows().traffic();
  const flows::Flow* flow = traffic ? traffic->of(population) : nullptr;
  if (!flow) return states;
  const std::vector<std::uint64_t> people = state_->world.flows().peopleOnPaths(state_->crowd(), *flow);
  const auto found = traffic->found(*flow);
  for (std::uint32_t k = 0; k < flow->count; ++k) {
    FlowPathState& state = states.emplace_back();
    state.length = found[k].length;
    state.travel_time = traffic->travelTimes(*flow)[k];
    state.people = people[k];
    for (const std::uint32_t edge : found[k].edges) {
      const Segment& gate = traffic->graph().edges()[edge].passage;
      state.points.push_back((gate.a + gate.b) * 0.5);
    }
  }
  return states;
}

void World::setCameras(const std::vector<Camera>& cameras) {
  for (const Camera& camera : cameras) {
    const Point3 p = camera.position, d = camera.direction;
    for (const double v : {p.x, p.y, p.z, d.x, d.y, d.z})
      if (!(std::abs(v) <= 1e9)) throw InputError("A camera's position and direction must be finite.");
    if (!(camera.field_of_view >= 1 && camera.field_of_view <= 360))
      throw InputError("A camera's field of view must be 1 to 360 degrees.");
  }
  state_->world.setCameras(cameras);
}

void World::setBudget(double milliseconds) {
  if (!(milliseconds >= 0 && milliseconds <= 1e6)) throw InputError("A budget must be 0 to 1,000,000 ms.");
  state_->world.setBudget(milliseconds);
}

std::span<const std::uint8_t> World::levels() const { return state_->world.levels().levels(state_->crowd()); }
std::size_t World::atLowLevels() const { return state_->crowd().size() - state_->crowd().full(); }

AgentId World::add(const Person& person) {
  simulation::World& world = state_->world;
  simulation::NewPerson added{person.position,   world.context().profileIndex(person.profile),
                              person.population, world.space().floor(person.layer),
                              person.radius,     person.preferred_speed};
  if (!scene().populations.empty() && person.population >= scene().populations.size())
    throw InputError("A person's population must be one of the scene's.");
  if (person.radius) requireWithin(kRadiusLimits, *person.radius, "A person's radius", "m");
  if (person.preferred_speed) requirePreferredSpeed(*person.preferred_speed);
  const AgentId id = world.add(added, person.goals, person.on_arrival);
  world.setGroup(state_->row(id), person.group);
  return id;
}

void World::remove(AgentId id) {
  state_->row(id);
  state_->world.remove(id);
}

void World::setGoals(AgentId id, const std::vector<Goal>& goals) {
  state_->row(id);
  for (const Goal& goal : goals) {
    const auto* in = std::get_if<GoalArea>(&goal.target);
    if (in && (in->area.empty() || in->area.front().outer.size() < 3))
      throw InputError("A goal area must have at least one polygon of three points or more.");
    const auto* ahead = std::get_if<GoalDirection>(&goal.target);
    if (ahead && ahead->direction == Point{}) throw InputError("A goal direction must not be zero.");
  }
  state_->world.setGoals(id, goals);
}

void World::setPreferredSpeed(AgentId id, double speed) {
  state_->row(id);
  requirePreferredSpeed(speed);
  state_->world.setPreferredSpeed(id, speed);
}

std::uint32_t World::number(AgentId id) const { return state_->crowd().person[state_->row(id)]; }
AgentId World::find(std::uint32_t number) const { return state_->world.find(number); }

void World::setPosition(AgentId id, Point place, LayerId layer) {
  const std::uint32_t row = state_->row(id);
  state_->world.setPosition(id, place, layer ? state_->world.space().floor(layer) : state_->crowd().layer[row]);
}

void World::setVelocity(AgentId id, Point velocity) {
  state_->row(id);
  requireVelocity(velocity);
  state_->world.setVelocity(id, narrow(velocity));
}

void World::setPreferredVelocity(AgentId id, std::optional<Point> velocity) {
  state_->row(id);
  if (velocity) requireVelocity(*velocity);
  state_->world.setPreferredVelocity(id, velocity ? std::optional(narrow(*velocity)) : std::nullopt);
}

void World::setUserData(AgentId id, std::uint64_t data) { state_->world.setUserData(state_->row(id), data); }
std::uint64_t World::userData(AgentId id) const { return state_->world.userData(state_->row(id)); }

void World::setGroup(AgentId id, std::uint32_t group) { state_->world.setGroup(state_->row(id), group); }

std::vector<Point> World::route(AgentId id) const {
  state_->row(id);
  std::vector<Point> points;
  for (const Vec2 p : state_->world.route(id)) points.push_back({p.x, p.y});
  return points;
}

std::uint64_t World::unreachable() const { return state_->world.unreachable(); }

std::vector<Diagnostic> World::unreachableGoals() const {
  std::vector<Diagnostic> findings;
  for (const simulation::UnreachableGoal& goal : state_->world.unreachableGoals())
    findings.push_back(Diagnostic{
        .severity = Diagnostic::Severity::kWarning,
        .file = {},
        .pointer = goal.goal == simulation::UnreachableGoal::kFlow
                       ? fmt::format("/populations/{}", goal.population)
                       : fmt::format("/populations/{}/goals/{}", goal.population, goal.goal),
        .at = goal.at,
        .message = fmt::format("no way leads here for {} of {} {}{}: {}", goal.people, goal.looked_at,
                               goal.looked_at == 1 ? "person" : "people",
                               scene().run.until_all_arrived ? ", so the run ends without them" : "", goal.reason)});
  return findings;
}

ObstacleId World::insertObstacle(const Ring& convex, LayerId layer) {
  return ObstacleId(state_->world.insertObstacle(convex, state_->world.space().floor(layer)));
}

void World::removeObstacle(ObstacleId obstacle) {
  const auto inserted = state_->world.context().terrain.inserted();
  const auto it = [&](const step::Inserted& there) {
    return there.whole == obstacle.index() && !state_->isDoor(there);
  };
  if (!obstacle || std::none_of(inserted.begin(), inserted.end(), it))
    throw InputError("There is no such obstacle in the world: it was removed already, or never inserted.");
  state_->world.removeObstacle(obstacle.index());
}

void World::setDoor(DoorId door, bool open) { state_->world.setDoor(state_->door(door), open); }

bool World::isOpen(DoorId door) const { return state_->world.context().terrain.find(state_->door(door)) == nullptr; }

LayerId World::layer(std::string_view name) const { return LayerId(state_->world.space().floor(name)); }
DoorId World::door(std::string_view name) const { return engine::doorNamed(state_->doors(), name); }

ObstacleId World::obstacle(std::string_view name) const {
  const step::Inserted* there = state_->world.context().terrain.find(name);
  if (name.empty() || !there || state_->isDoor(*there))
    throw InputError(fmt::format("There is no obstacle called \"{}\" in the world now.", name));
  return ObstacleId(there->whole);
}

namespace {

std::vector<Neighbour> neighboursOf(const simulation::World& world, Vec2 place, std::uint16_t zone, std::size_t count,
                                    double range, std::uint32_t except_row) {
  if (!(range > 0) || !std::isfinite(range)) throw InputError("The range of a neighbour query must be positive.");
  const agents::NeighbourIndex& index = world.index(static_cast<float>(range));
  std::uint32_t except = agents::NeighbourIndex::kNobody;
  if (except_row != except) except = index.slotOf(world.crowd(), except_row);
  std::vector<agents::NeighbourIndex::Found> found;
  index.nearest(place, zone, count, static_cast<float>(range), except, found);
  std::vector<Neighbour> neighbours;
  for (const auto& f : found)
    neighbours.push_back({world.crowd().id[index.row()[f.slot]], std::sqrt(f.distance_squared)});
  return neighbours;
}

}  // namespace

std::vector<Neighbour> World::neighbours(AgentId id, std::size_t count, double range) const {
  const std::uint32_t r = state_->row(id);
  const auto& crowd = state_->crowd();
  if (!(range > 0) || !std::isfinite(range)) throw InputError("The range of a neighbour query must be positive.");
  const std::uint16_t zone = state_->world.index(static_cast<float>(range)).zone(crowd, r);
  return neighboursOf(state_->world, {crowd.x[r], crowd.y[r]}, zone, count, range, r);
}

std::vector<Neighbour> World::neighbours(Point place, std::size_t count, double range, LayerId layer) const {
  return neighboursOf(state_->world, {static_cast<float>(place.x), static_cast<float>(place.y)},
                      state_->world.space().floor(layer), count, range, agents::NeighbourIndex::kNobody);
}

SeenImage World::see(AgentId id) const { return state_->world.see(state_->row(id)); }

void World::addSystem(std::unique_ptr<System> system, std::string_view before) {
  state_->world.systems().insert(engine::adapted(std::move(system)), before);
}

std::span<const SystemTime> World::systemTimes() const {
  state_->times.clear();
  for (const auto& entry : state_->world.systems().table())
    state_->times.push_back({entry.system->name(), entry.last, entry.total});
  return state_->times;
}

}  // namespace throng
