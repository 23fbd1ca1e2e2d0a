// A scene as JSON that a person can read on: short things stay on one line.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/math.h"
#include "base/overloaded.h"
#include "geometry/polygons.h"
#include "scene/scene_file.h"
#include "scene/scene_parts.h"

namespace throng::scene {
namespace {

using json = nlohmann::ordered_json;

json pair(Point p) { return json::array({p.x, p.y}); }

json segment(const Segment& s) { return geometry::toWkt(Polyline{{s.a, s.b}}); }

json area(const std::vector<Polygon>& polygons) { return geometry::toWkt(polygons); }

void writeName(json& to, const char* key, const std::string& name) {
  if (!name.empty()) to[key] = name;
}

json written(const Layer& layer) {
  json to = {{"name", layer.name}};
  if (!layer.walkable.empty()) to["walkable"] = area(layer.walkable);
  if (!layer.obstacles.empty() || !layer.walls.empty()) {
    json obstacles = json::array();
    for (const auto& polygon : layer.obstacles) obstacles.push_back(area({polygon}));
    for (const auto& wall : layer.walls) obstacles.push_back(geometry::toWkt(wall));
    to["obstacles"] = std::move(obstacles);
  }
  if (!layer.openings.empty()) to["openings"] = area(layer.openings);
  for (const auto& region : layer.regions)
    to["regions"].push_back({{"type", region.type}, {"area", area(region.area)}});
  if (layer.slope != Point{}) {
    to["elevation"] = {{"height", layer.elevation}, {"slope", pair(layer.slope)}};
  } else if (layer.elevation != 0) {
    to["elevation"] = layer.elevation;
  }
  to["wall_height"] = layer.wall_height;
  if (layer.wrap) {
    to["wrap"] = json::array({layer.wrap->min.x, layer.wrap->min.y, layer.wrap->max.x, layer.wrap->max.y});
  }
  for (const auto& door : layer.doors) {
    to["doors"].push_back({{"name", door.name}, {"line", segment(door.line)}, {"open", door.open}});
  }
  return to;
}

json written(const Connection& connection) {
  json to = json::object();
  writeName(to, "name", connection.name);
  to["from"] = {{"layer", connection.from_layer}, {"line", segment(connection.from)}};
  to["to"] = {{"layer", connection.to_layer}, {"line", segment(connection.to)}};
  return to;
}

json written(const Distribution& d) {
  switch (d.kind) {
    case Distribution::Kind::kUniform:
      return {{"uniform", json::array({d.min, d.max})}};
    case Distribution::Kind::kNormal:
      return {{"normal", {{"mean", d.mean}, {"deviation", d.deviation}}}};
    case Distribution::Kind::kTruncatedNormal:
      return {{"truncated", {{"mean", d.mean}, {"deviation", d.deviation}, {"min", d.min}, {"max", d.max}}}};
    default:
      return d.mean;
  }
}

json written(const ModelChoice& choice) {
  if (choice.parameters.empty()) return choice.model;
  json to = {{"model", choice.model}};
  for (const auto& [name, value] : choice.parameters) to[name] = value;
  return to;
}

json written(const Profile& profile) {
  json to = {{"radius", written(profile.radius)},
             {"preferred_speed", written(profile.preferred_speed)},
             {"max_speed_factor", profile.max_speed_factor}};
  for (const auto& [type, weight] : profile.region_weights)
    to["region_weights"][type] = std::isinf(weight.mean) ? json("never") : written(weight);
  if (profile.slope_cost.any()) to["slope_cost"] = {{"up", profile.slope_cost.up}, {"down", profile.slope_cost.down}};
  if (!profile.planner.model.empty()) to["planner"] = written(profile.planner);
  to["follower"] = written(profile.follower);
  to["steering"] = written(profile.steering);
  if (profile.stream) to["stream"] = profile.stream->empty() ? json(true) : json(*profile.stream);
  to["unstuck"] = profile.unstuck;
  to["give_way"] = profile.give_way;
  to["go_round"] = profile.go_round;
  to["avoid_congestion"] = profile.avoid_congestion;
  to["take_turns"] = profile.take_turns;
  to["harmonise_speed"] = profile.harmonise_speed;
  to["share_goals"] = profile.share_goals;
  return to;
}

/// The angle in degrees where some number of degrees is read as this very angle, in radians where none is.
void writePhase(json& to, double phase) {
  if (phase == 0) return;
  const double degrees = phase / (base::kPi / 180);
  for (const double candidate : {degrees, std::nextafter(degrees, -INFINITY), std::nextafter(degrees, INFINITY)}) {
    if (candidate * (base::kPi / 180) != phase) continue;
    to["phase"] = candidate;
    return;
  }
  to["phase_radians"] = phase;
}

json written(const Start& start) {
  json to = json::object();
  const auto writeSpacing = [&](double spacing) {
    if (spacing != 0) to["spacing"] = spacing;
  };
  std::visit(base::Overloaded{
                 [&](const StartPoints& at) {
                   to["points"] = json::array();
                   for (const Point p : at.points) to["points"].push_back(pair(p));
                 },
                 [&](const StartArea& in) { to["area"] = area(in.area); },
                 [&](const StartLine& along) { to["line"] = geometry::toWkt(along.line); },
                 [&](const StartCircle& circle) {
                   to["circle"] = {{"centre", pair(circle.centre)}, {"radius", circle.radius}};
                   writePhase(to["circle"], circle.phase);
                 },
                 [&](const StartGrid& grid) {
                   to["grid"] = area(grid.area);
                   writeSpacing(grid.spacing);
                 },
                 [&](const StartPoissonDisc& discs) {
                   to["poisson_disc"] = area(discs.area);
                   writeSpacing(discs.spacing);
                 },
             },
             start.shape);
  if (start.jitter != 0) to["jitter"] = start.jitter;
  return to;
}

json written(const Goal& goal) {
  json to = json::object();
  std::visit(base::Overloaded{
                 [&](const GoalPoint& at) {
                   to["point"] = pair(at.point);
                   to["tolerance"] = at.tolerance;
                 },
                 [&](const GoalArea& in) { to["area"] = area(in.area); },
                 [&](const GoalOpposite& across) {
                   to["opposite"] = pair(across.centre);
                   to["tolerance"] = across.tolerance;
                 },
                 [&](const GoalDirection& ahead) { to["direction"] = pair(ahead.direction); },
                 [&](const GoalDistrict& into) { to["district"] = into.district; },
             },
             goal.target);
  writeName(to, "layer", goal.layer);
  return to;
}

json written(const Population& population) {
  json to = json::object();
  writeName(to, "name", population.name);
  to["profile"] = population.profile;
  if (population.district.empty()) writeName(to, "layer", population.layer);
  if (!population.district.empty()) {
    to["district"] = population.district;
  } else if (population.rate > 0) {
    to["rate"] = population.rate;
    if (population.rate_limit) to["limit"] = *population.rate_limit;
  } else if (!population.schedule.empty()) {
    for (const auto& wave : population.schedule) to["schedule"].push_back({{"time", wave.time}, {"count", wave.count}});
  } else {
    to["count"] = population.count;
  }
  if (population.district.empty()) to["start"] = written(population.start);
  for (const auto& goal : population.goals) to["goals"].push_back(written(goal));
  constexpr std::array kArrivals = {"leave", "stay", "go_back"};
  to["on_arrival"] = kArrivals.at(static_cast<std::size_t>(population.on_arrival));
  return to;
}

json written(const Event& event) {
  json to = {{"time", event.time}};
  std::visit(base::Overloaded{
                 [&](const OpenDoor& open) { to["open"] = open.door; },
                 [&](const CloseDoor& close) { to["close"] = close.door; },
                 [&](const InsertObstacle& insertion) {
                   to["insert"] = {{"name", insertion.name}};
                   writeName(to["insert"], "layer", insertion.layer);
                   to["insert"]["obstacle"] = area({insertion.obstacle});
                 },
                 [&](const RemoveObstacle& removal) { to["remove"] = removal.name; },
             },
             event.change);
  return to;
}

json written(const RunSettings& run) {
  json to = {{"dt", run.dt}, {"seed", run.seed}};
  if (run.duration) to["duration"] = *run.duration;
  if (run.until_all_arrived) to["until"] = "all_arrived";
  if (run.patience != RunSettings{}.patience) to["patience"] = run.patience;
  to["recording_rate"] = run.recording_rate;
  return to;
}

void writeMeasurements(const Scene& scene, json& file) {
  json to = json::object();
  for (const auto& line : scene.lines) {
    json entry = {{"name", line.name}, {"line", segment(line.line)}};
    writeName(entry, "layer", line.layer);
    to["lines"].push_back(std::move(entry));
  }
  for (const auto& measured : scene.areas) {
    json entry = {{"name", measured.name}, {"area", area(measured.area)}};
    writeName(entry, "layer", measured.layer);
    to["areas"].push_back(std::move(entry));
  }
  if (!to.empty()) file["measurements"] = std::move(to);
}

constexpr auto kTolerant = json::error_handler_t::replace;  // names that are not UTF-8 are no reason to fail

void print(const json& value, std::size_t indent, std::string& text) {
  constexpr std::size_t kWidth = 100;
  const std::string line = value.dump(-1, ' ', false, kTolerant);
  if (!value.is_structured() || value.empty() || (indent > 0 && line.size() + indent <= kWidth)) {
    text += line;
    return;
  }
  const std::string margin(indent + 2, ' ');
  text += value.is_array() ? "[" : "{";
  bool first = true;
  for (const auto& [key, member] : value.items()) {
    text += (first ? "\n" : ",\n") + margin;
    if (value.is_object()) text += json(key).dump(-1, ' ', false, kTolerant) + ": ";
    print(member, indent + 2, text);
    first = false;
  }
  text += "\n" + std::string(indent, ' ') + (value.is_array() ? "]" : "}");
}

json written(const Walkability& walkability) {
  json to = {{"max_slope", walkability.max_slope},
             {"step_height", walkability.step_height},
             {"body_height", walkability.body_height},
             {"body_radius", walkability.body_radius}};
  if (!walkability.unwalkable_materials.empty()) to["unwalkable_materials"] = walkability.unwalkable_materials;
  return to;
}

/// The mesh by its file or generator; its layers are found anew. A mesh that was made in code is not written: the
/// layers are.
bool writeMesh(const Scene& scene, json& file) {
  if (!scene.mesh || (scene.mesh->file.empty() && scene.mesh->generator.empty())) return false;
  json to = json::object();
  if (!scene.mesh->file.empty()) {
    to = {{"file", scene.mesh->file}, {"up", scene.mesh->up}, {"unit", scene.mesh->unit}};
  } else {
    file["generate"] = {{"scene", scene.mesh->generator}, {"seed", scene.mesh->seed}};
  }
  to["walkability"] = written(scene.mesh->walkability);
  for (const auto& [material, type] : scene.mesh->regions) to["regions"][material] = type;
  file["mesh"] = std::move(to);
  return true;
}

json triple(const Point3& p) { return json::array({p.x, p.y, p.z}); }

json written(const Place& place) {
  json to = {{"name", place.name}};
  to["at"] = place.z ? triple({place.at.x, place.at.y, *place.z}) : pair(place.at);
  writeName(to, "layer", place.layer);
  to["radius"] = place.radius;
  return to;
}

json writtenFlow(const Population& population) {
  json to = json::object();
  writeName(to, "name", population.name);
  to["from"] = population.flow->from;
  to["to"] = population.flow->to;
  to["count"] = population.count;
  to["profile"] = population.profile;
  to["paths"] = population.flow->paths;
  to["lane"] = written(population.lane);
  if (population.flow->spread) to["choice"] = "spread";
  if (population.flow->time > 0) to["time"] = population.flow->time;
  return to;
}

json written(const NavigationGraphSettings& settings) {
  return {{"precision", settings.precision}, {"body_radius", settings.body_radius}};
}

json written(const LevelSettings& settings) {
  json to = {
      {"near_distance", settings.near_distance}, {"far_distance", settings.far_distance}, {"budget", settings.budget}};
  for (const auto& level : settings.levels)
    to["levels"].push_back({{"every", level.every}, {"avoidance", level.avoidance}, {"seek", level.seek}});
  for (const auto& camera : settings.cameras)
    to["cameras"].push_back({{"position", triple(camera.position)},
                             {"direction", triple(camera.direction)},
                             {"field_of_view", camera.field_of_view}});
  return to;
}

json written(const PatchStreet& street) {
  return {{"seed", street.seed},     {"crossings", street.crossings}, {"patterns", street.patterns},
          {"period", street.period}, {"camera", street.camera},       {"speed", street.speed},
          {"view", street.view}};
}

json written(const PatchDistrict& district) {
  json to = {{"name", district.name}};
  writeName(to, "library", district.library);
  writeName(to, "map", district.map);
  if (district.street) to["street"] = written(*district.street);
  to["at"] = pair(district.at);
  writeName(to, "layer", district.layer);
  return to;
}

void writePlaces(const Scene& scene, std::span<const Place> made, json& file) {
  for (const auto& place : scene.places) {
    const auto same = [&](const Place& other) { return other.name == place.name; };
    if (std::none_of(made.begin(), made.end(), same)) file["places"].push_back(written(place));
  }
}

}  // namespace

std::string toJson(const Scene& scene, std::span<const Place> made) {
  json file = {{"version", 1}};
  writeName(file, "name", scene.name);
  writeName(file, "description", scene.description);
  if (!writeMesh(scene, file)) {
    for (const auto& layer : scene.layers) file["layers"].push_back(written(layer));
    for (const auto& connection : scene.connections) file["connections"].push_back(written(connection));
  }
  writePlaces(scene, made, file);
  for (const auto& district : scene.districts) file["districts"].push_back(written(district));
  for (const auto& profile : scene.profiles) file["profiles"][profile.name] = written(profile);
  for (const auto& population : scene.populations)
    if (!population.flow) file["populations"].push_back(written(population));
  for (const auto& population : scene.populations)
    if (population.flow) file["flows"].push_back(writtenFlow(population));
  for (const auto& event : scene.events) file["events"].push_back(written(event));
  writeMeasurements(scene, file);
  if (const json graph = written(scene.navigation); graph != written(NavigationGraphSettings{}))
    file["navigation_graph"] = graph;
  if (const json levels = written(scene.levels); levels != written(LevelSettings{})) file["levels"] = levels;
  file["run"] = written(scene.run);
  std::string text;
  print(file, 0, text);
  return text + "\n";
}

namespace {

/// What is written of things, one after the other. The text of numbers is that which gives them back to the last bit.
class PartHash {
 public:
  void add(const json& value) { addText(value.dump(-1, ' ', false, json::error_handler_t::replace)); }
  void addText(std::string_view text) { hash_.add(std::span(text)); }
  template <class T>
  void addList(std::span<const T> list) {
    for (const T& entry : list) add(written(entry));
  }
  template <class T>
  void addNumbers(const std::vector<T>& numbers) {
    hash_.add(std::span<const T>(numbers));
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  base::Hash hash_;
};

std::uint64_t hashOf(const SceneMesh& mesh) {
  PartHash hash;
  hash.add(written(mesh.walkability));
  if (!mesh.mesh) return hash.value();
  hash.addNumbers(mesh.mesh->vertices);
  hash.addNumbers(mesh.mesh->triangles);
  return hash.value();
}

std::vector<ScenePart> partsOfGround(const Scene& scene) {
  PartHash layers, connections, places, graph;
  for (const Layer& layer : scene.layers) {
    layers.add(written(layer));
    layers.addNumbers(layer.ground);
    if (!layer.played.empty()) layers.add(area(layer.played));
  }
  connections.addList(std::span(scene.connections));
  places.addList(std::span(scene.places));
  graph.add(written(scene.navigation));
  return {{"layers", layers.value()},
          {"connections", connections.value()},
          {"mesh", scene.mesh ? hashOf(*scene.mesh) : 0},
          {"places", places.value()},
          {"navigation_graph", graph.value()}};
}

}  // namespace

std::vector<ScenePart> partsOfRun(const Scene& scene, std::span<const Population> populations,
                                  const LevelSettings& levels, std::uint64_t seed) {
  PartHash profiles, people, flows, events, watched, step, districts;
  for (const Profile& profile : scene.profiles) profiles.addText(profile.name), profiles.add(written(profile));
  for (const Population& population : populations) {
    PartHash& part = population.flow ? flows : people;
    part.add(population.flow ? writtenFlow(population) : written(population));
    part.add(json(population.count));  // a program may ask for several ways of coming at once; a file cannot
    part.add(json(population.rate));
    for (const Wave& wave : population.schedule) part.add(json{wave.time, wave.count});
  }
  events.addList(std::span(scene.events));
  watched.add(written(levels));
  step.add(json(scene.run.dt));
  for (const PatchDistrict& district : scene.districts)
    districts.add(written(district)), districts.add(json(district.patches_hash));
  std::vector<ScenePart> parts = partsOfGround(scene);
  parts.insert(parts.end(), {{"profiles", profiles.value()},
                             {"populations", people.value()},
                             {"flows", flows.value()},
                             {"events", events.value()},
                             {"levels", watched.value()},
                             {"run.dt", step.value()},
                             {"run.seed", seed}});
  if (!scene.districts.empty()) parts.push_back({"districts", districts.value()});
  return parts;
}

std::uint64_t groundHash(const Scene& scene) {
  std::vector<ScenePart> parts = partsOfGround(scene);
  std::erase_if(parts, [](const ScenePart& part) { return part.name == "places"; });
  return hashOf(parts);
}

std::uint64_t hashOf(std::span<const ScenePart> parts) {
  PartHash hash;
  for (const ScenePart& part : parts) {
    hash.addText(part.name);
    hash.add(json(part.hash));
  }
  return hash.value();
}

}  // namespace throng::scene
