#include "scene/scene_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "base/math.h"

namespace throng::scene {
namespace {

/// The one of these keys that the object has; reports when it has none or several.
std::string oneOf(const Value& value, const std::vector<std::string_view>& keys, bool required = true) {
  std::vector<std::string_view> found;
  for (const auto key : keys) {
    if (value.json().contains(key)) found.push_back(key);
  }
  if (found.size() > 1) value.error(fmt::format("found {} together; allowed: one of them", listed(found)));
  if (found.empty() && required) value.error("one of these keys is missing: " + listed(keys));
  return found.size() == 1 ? std::string(found.front()) : std::string();
}

/// Reports keys that make no sense next to `chosen`.
void onlyWith(const Value& value, const char* key, const std::string& chosen,
              const std::vector<std::string_view>& owners) {
  const auto found = value.find(key);
  if (!found || chosen.empty() || std::find(owners.begin(), owners.end(), chosen) != owners.end()) return;
  found->error(fmt::format("{} does not go with {}; it goes with {}", inQuotes(key), inQuotes(chosen), listed(owners)));
}

std::uint32_t people(const Value& value) {
  return static_cast<std::uint32_t>(value.wholeNumber(kMostPeople).value_or(0));
}

}  // namespace

void SceneReader::read(const Value& file, SceneDraft& draft) const {
  Scene& scene = draft.scene;
  if (!file.isObject("scene")) return;
  if (const auto version = file.require("version")) {
    if (version->json() != 1) version->unexpected("1, the version of the format");
  }
  std::string schema;
  file.read("$schema", schema);
  file.read("name", scene.name);
  file.read("description", scene.description);
  ground(file, draft);
  if (const auto profiles = file.find("profiles")) {
    if (!profiles->json().is_object() || profiles->json().empty()) {
      profiles->unexpected("an object of at least one profile by name");
    } else {
      for (const auto& [name, unused] : profiles->json().items()) {
        scene.profiles.push_back(readProfile(*profiles->find(name), name));
      }
    }
  } else {
    scene.profiles.emplace_back();
  }
  if (const auto districts = file.find("districts")) {
    for (const auto& member : districts->members()) draft.districts.push_back(district(member));
  }
  if (const auto populations = file.find("populations")) {
    for (const auto& member : populations->members()) {
      Population& people = scene.populations.emplace_back(population(member));
      for (const DistrictChoice& choice : draft.districts)
        if (!people.district.empty() && choice.district.name == people.district) people.layer = choice.district.layer;
    }
  }
  if (const auto flows = file.find("flows")) {
    // Flows are populations of their own kind; what is found about them is said about the flow.
    for (const auto& member : flows->members()) {
      file.findings().rename(fmt::format("/populations/{}", scene.populations.size()), member.pointer());
      scene.populations.push_back(readFlow(member));
    }
  }
  if (const auto value = file.find("navigation_graph")) scene.navigation = readNavigationGraph(*value);
  if (const auto value = file.find("levels")) scene.levels = readLevels(*value);
  if (const auto events = file.find("events")) {
    for (const auto& member : events->members()) scene.events.push_back(event(member));
  }
  if (const auto value = file.find("measurements")) measurements(*value, scene);
  if (const auto run = file.require("run")) {
    scene.run = readRun(*run);
  } else {
    scene.run.duration = 1;  // that it is missing has been said; its length need not be
  }
}

/// Layers, connections and places, or the names of what they are made from.
void SceneReader::ground(const Value& file, SceneDraft& draft) const {
  Scene& scene = draft.scene;
  const auto generate = file.find("generate"), mesh_value = file.find("mesh");
  const auto layers = file.find("layers"), connections = file.find("connections");
  if (generate && (layers || connections)) {
    generate->error(fmt::format("\"generate\" makes the layers and connections, so {} may not be there too",
                                layers ? "\"layers\"" : "\"connections\""));
  } else if (generate) {
    draft.generate = readGenerator(*generate);
    file.findings().rename("/layers", generate->pointer());
    file.findings().rename("/connections", generate->pointer());
  }
  if (const auto places = file.find("places")) {
    for (const auto& member : places->members()) scene.places.push_back(place(member));
  }
  if (mesh_value) {
    draft.mesh = mesh(*mesh_value);
    for (const auto& found : {layers, connections})
      if (found) found->error("the layers and connections are found in the mesh");
  }
  if (layers) {
    draft.has_layers = true;
    const auto members = layers->members();
    for (std::size_t i = 0; i < members.size(); ++i) scene.layers.push_back(layer(members[i], i));
    if (members.empty() && layers->json().is_array()) layers->error("found no layer; leave the key out or give one");
  }
  if (connections) {
    for (const auto& member : connections->members()) scene.connections.push_back(connection(member));
  }
}

Layer SceneReader::layer(const Value& value, std::size_t index) const {
  Layer layer;
  if (!value.isObject("layer")) return layer;
  // One layer needs no name; of several, only the first may go without.
  if (index > 0) value.require("name");
  value.read("name", layer.name);
  if (const auto walkable = value.find("walkable")) layer.walkable = geometry_.polygons(*walkable);
  if (const auto obstacles = value.find("obstacles")) {
    auto shapes = geometry_.shapes(*obstacles, {.polygons = true, .lines = true, .may_be_empty = true});
    layer.obstacles = std::move(shapes.polygons);
    layer.walls = std::move(shapes.lines);
  }
  if (const auto openings = value.find("openings")) {
    layer.openings = geometry_.shapes(*openings, {.polygons = true, .lines = false, .may_be_empty = true}).polygons;
  }
  if (const auto regions = value.find("regions")) {
    for (const auto& member : regions->members()) layer.regions.push_back(region(member));
  }
  if (const auto height = value.find("elevation")) elevation(*height, layer);
  value.read("wall_height", layer.wall_height);
  if (const auto rectangle = value.find("wrap")) layer.wrap = wrap(*rectangle);
  if (const auto doors = value.find("doors")) {
    for (const auto& member : doors->members()) layer.doors.push_back(door(member));
  }
  return layer;
}

Door SceneReader::door(const Value& value) const {
  Door door;
  if (!value.isObject("door")) return door;
  if (const auto name = value.require("name")) door.name = name->string().value_or("");
  if (const auto line = value.require("line")) door.line = geometry_.segment(*line);
  if (const auto open = value.find("open")) {
    if (!open->json().is_boolean()) {
      open->unexpected("true or false");
    } else {
      door.open = open->json().get<bool>();
    }
  }
  return door;
}

std::vector<Polygon> SceneReader::area(const Value& owner, const char* key) const {
  const auto value = owner.require(key);
  return value ? geometry_.polygons(*value) : std::vector<Polygon>{};
}

Region SceneReader::region(const Value& value) const {
  Region region;
  if (!value.isObject("region")) return region;
  if (const auto type = value.require("type")) region.type = type->string().value_or("");
  region.area = area(value, "area");
  return region;
}

void SceneReader::elevation(const Value& value, Layer& layer) const {
  if (value.json().is_number()) {
    layer.elevation = value.json().get<double>();
    return;
  }
  if (!value.json().is_object()) {
    value.unexpected("a number or {\"height\": m, \"slope\": [x, y]}");
    return;
  }
  value.isObject("elevation");
  value.read("height", layer.elevation);
  if (const auto slope = value.find("slope")) layer.slope = slope->pair("a slope [x, y]").value_or(Point{});
}

std::optional<Rectangle> SceneReader::wrap(const Value& value) const {
  const auto& json = value.json();
  const bool numbers = json.is_array() && json.size() == 4 &&
                       std::all_of(json.begin(), json.end(), [](const auto& member) { return member.is_number(); });
  if (!numbers) {
    value.unexpected("a rectangle [xmin, ymin, xmax, ymax] of four numbers");
    return {};
  }
  const auto number = [&](std::size_t i) { return json[i].get<double>(); };
  return Rectangle{{number(0), number(1)}, {number(2), number(3)}};
}

Connection SceneReader::connection(const Value& value) const {
  Connection connection;
  if (!value.isObject("connection")) return connection;
  value.read("name", connection.name);
  border(value, "from", connection.from_layer, connection.from);
  border(value, "to", connection.to_layer, connection.to);
  return connection;
}

void SceneReader::border(const Value& owner, const char* key, std::string& layer, Segment& line) const {
  const auto value = owner.require(key);
  if (!value || !value->isObject("border")) return;
  if (const auto name = value->require("layer")) layer = name->string().value_or("");
  if (const auto shape = value->require("line")) line = geometry_.segment(*shape);
}

Population SceneReader::population(const Value& value) const {
  Population population;
  if (!value.isObject("population")) return population;
  value.read("name", population.name);
  value.read("profile", population.profile);
  value.read("layer", population.layer);
  value.read("district", population.district);
  if (value.find("district")) {
    for (const char* key : {"start", "count", "rate", "limit", "schedule", "layer"})
      if (const auto found = value.find(key))
        found->error(fmt::format("{} does not go with \"district\", whose patches say who is where", inQuotes(key)));
  } else {
    if (const auto begin = value.require("start")) population.start = start(*begin);
    numbers(value, population);
  }
  goalsOf(value, population);
  return population;
}

/// Where to, and what then.
void SceneReader::goalsOf(const Value& value, Population& population) const {
  const auto goals = oneOf(value, {"goal", "goals"}, false);
  if (goals == "goal") {
    population.goals.push_back(goal(*value.find("goal")));
    value.findings().rename(value.pointer() + "/goals/0", value.pointer() + "/goal");
  } else if (goals == "goals") {
    for (const auto& member : value.find("goals")->members()) population.goals.push_back(goal(member));
  }
  std::string arrival = "leave";
  value.read("on_arrival", arrival);
  const std::vector<std::string_view> arrivals = {"leave", "stay", "go_back"};
  const auto found = std::find(arrivals.begin(), arrivals.end(), arrival);
  if (found == arrivals.end()) {
    value.find("on_arrival")->error(fmt::format("found {}{}", inQuotes(arrival), suggestion(arrival, arrivals)));
  } else {
    population.on_arrival = static_cast<OnArrival>(found - arrivals.begin());
  }
}

/// How many people, and when.
void SceneReader::numbers(const Value& value, Population& population) const {
  const auto* start = std::get_if<StartPoints>(&population.start.shape);
  const bool points = start && !start->points.empty();
  const auto chosen =
      oneOf(value, {"count", "rate", "schedule"}, !points && !value.findings().broken(value.pointer() + "/start"));
  onlyWith(value, "limit", chosen.empty() ? "count" : chosen, {"rate"});
  if (chosen == "count") {
    population.count = people(*value.find("count"));
  } else if (chosen == "rate") {
    value.read("rate", population.rate);
    if (const auto limit = value.find("limit")) population.rate_limit = people(*limit);
  } else if (chosen == "schedule") {
    for (const auto& member : value.find("schedule")->members()) {
      Wave wave;
      if (member.isObject("wave")) {
        if (const auto time = member.require("time")) wave.time = time->number().value_or(0);
        if (const auto count = member.require("count")) wave.count = people(*count);
      }
      population.schedule.push_back(wave);
    }
  } else if (points) {
    population.count = static_cast<std::uint32_t>(std::min<std::size_t>(start->points.size(), kMostPeople));
  }
}

Start SceneReader::start(const Value& value) const {
  Start start;
  if (!value.isObject("start")) return start;
  const auto chosen = oneOf(value, {"points", "area", "line", "circle", "grid", "poisson_disc"});
  onlyWith(value, "spacing", chosen, {"grid", "poisson_disc"});
  double spacing = 0;
  value.read("spacing", spacing);
  value.read("jitter", start.jitter);
  if (chosen.empty()) return start;
  const Value place = *value.find(chosen);
  if (chosen == "points") {
    StartPoints at;
    for (const auto& member : place.members()) {
      if (const auto p = geometry_.point(member)) at.points.push_back(*p);
    }
    start.shape = std::move(at);
  } else if (chosen == "line") {
    start.shape = StartLine{geometry_.line(place)};
  } else if (chosen == "circle") {
    start.shape = circle(place);
  } else if (chosen == "area") {
    start.shape = StartArea{geometry_.polygons(place)};
  } else if (chosen == "grid") {
    start.shape = StartGrid{geometry_.polygons(place), spacing};
  } else {
    start.shape = StartPoissonDisc{geometry_.polygons(place), spacing};
  }
  return start;
}

StartCircle SceneReader::circle(const Value& value) const {
  StartCircle circle;
  if (!value.isObject("circle")) return circle;
  if (const auto centre = value.require("centre")) circle.centre = geometry_.point(*centre).value_or(Point{});
  if (const auto radius = value.require("radius")) circle.radius = radius->number().value_or(1);
  const auto phase = oneOf(value, {"phase", "phase_radians"}, false);
  if (phase == "phase") circle.phase = value.find("phase")->number().value_or(0) * (base::kPi / 180);
  if (phase == "phase_radians") value.read("phase_radians", circle.phase);
  return circle;
}

Goal SceneReader::goal(const Value& value) const {
  Goal goal;
  if (!value.isObject("goal")) return goal;
  value.read("layer", goal.layer);
  double tolerance = GoalPoint{}.tolerance;
  value.read("tolerance", tolerance);
  const auto chosen = oneOf(value, {"point", "area", "opposite", "direction", "district"});
  onlyWith(value, "tolerance", chosen, {"point", "opposite"});
  if (chosen == "point") {
    goal.target = GoalPoint{geometry_.point(*value.find(chosen)).value_or(Point{}), tolerance};
  } else if (chosen == "area") {
    goal.target = GoalArea{area(value, "area")};
  } else if (chosen == "opposite") {
    goal.target = GoalOpposite{geometry_.point(*value.find(chosen)).value_or(Point{}), tolerance};
  } else if (chosen == "direction") {
    goal.target = GoalDirection{value.find(chosen)->pair("a direction [x, y]").value_or(Point{1, 0})};
  } else if (chosen == "district") {
    onlyWith(value, "layer", chosen, {"point", "area", "opposite", "direction"});
    goal.target = GoalDistrict{value.find(chosen)->string().value_or("")};
  }
  return goal;
}

Event SceneReader::event(const Value& value) const {
  Event event;
  if (!value.isObject("event")) return event;
  if (const auto time = value.require("time")) event.time = time->number().value_or(0);
  const auto chosen = oneOf(value, {"open", "close", "insert", "remove"});
  if (chosen.empty()) return event;
  const Value what = *value.find(chosen);
  if (chosen == "insert") {
    event.change = insertion(what);
  } else if (chosen == "open") {
    event.change = OpenDoor{what.string().value_or("")};
  } else if (chosen == "close") {
    event.change = CloseDoor{what.string().value_or("")};
  } else {
    event.change = RemoveObstacle{what.string().value_or("")};
  }
  return event;
}

InsertObstacle SceneReader::insertion(const Value& value) const {
  InsertObstacle insertion;
  if (!value.isObject("insert")) return insertion;
  if (const auto name = value.require("name")) insertion.name = name->string().value_or("");
  value.read("layer", insertion.layer);
  const auto obstacle = value.require("obstacle");
  if (!obstacle) return insertion;
  auto polygons = geometry_.polygons(*obstacle);
  if (polygons.size() > 1) obstacle->error(fmt::format("found {} polygons; allowed: one", polygons.size()));
  if (!polygons.empty()) insertion.obstacle = std::move(polygons.front());
  return insertion;
}

void SceneReader::measurements(const Value& value, Scene& scene) const {
  if (!value.isObject("measurements")) return;
  if (const auto lines = value.find("lines")) {
    for (const auto& member : lines->members()) {
      MeasurementLine& line = scene.lines.emplace_back();
      if (!member.isObject("measurement_line")) continue;
      if (const auto name = member.require("name")) line.name = name->string().value_or("");
      if (const auto shape = member.require("line")) line.line = geometry_.segment(*shape);
      member.read("layer", line.layer);
    }
  }
  if (const auto areas = value.find("areas")) {
    for (const auto& member : areas->members()) {
      MeasurementArea& measured = scene.areas.emplace_back();
      if (!member.isObject("measurement_area")) continue;
      if (const auto name = member.require("name")) measured.name = name->string().value_or("");
      measured.area = area(member, "area");
      member.read("layer", measured.layer);
    }
  }
}

}  // namespace throng::scene
