// throng import: from the three-dimensional model of a place to a scene.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/throng.h"

#include "outputs.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

namespace fs = std::filesystem;

constexpr double kRoom = 10;  // m²; smaller surfaces are the tops of things rather than storeys

struct ImportOptions {
  std::string model, output;
  std::string up = "auto", unit = "m";
  Walkability walkability;
  std::vector<std::string> places, flows, regions;
  bool force = false, json = false;
};

/// Everything that is said about an import.
struct Imported {
  Scene scene;
  std::string model_beside;  ///< a copy of the model in the scene's folder; empty: it is there already
  MeshRepairs repairs;
  Point3 least, most;
  std::vector<SeparateFloor> separate;  ///< large enough to be worth a word
  std::vector<std::string> closed;      ///< connections that no route goes over

  const Mesh& mesh() const { return *scene.mesh->mesh; }
  Point3 size() const { return {most.x - least.x, most.y - least.y, most.z - least.z}; }
};

double unitOf(const std::string& text) {
  const std::pair<const char*, double> names[] = {
      {"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
  for (const auto& [name, metres] : names)
    if (text == name) return metres;
  double value = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%lf%n", &value, &used) == 1 && static_cast<std::size_t>(used) == text.size() &&
      value >= 1e-6 && value <= 1e6)
    return value;
  throw InputError(fmt::format(
      "--unit {}: allowed: m, cm, mm, in, ft, or metres per unit of the file, from 1e-6 to 1e6, such as 0.01", text));
}

Place placeFrom(const std::string& text) {
  const auto fail = [&] {
    return InputError(fmt::format(
        "--place {}: allowed: a name and a place in m, such as station=12.5,3 or platform=12.5,3,-4 with its height",
        text));
  };
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) throw fail();
  Place place;
  place.name = text.substr(0, equals);
  if (place.name.find(',') != std::string::npos) throw fail();  // flows name places with commas between
  const std::string numbers = text.substr(equals + 1);
  double z = 0;
  int used = 0, used_with_z = 0;
  const int found = std::sscanf(numbers.c_str(), "%lf,%lf%n,%lf%n", &place.at.x, &place.at.y, &used, &z, &used_with_z);
  if (found < 2 || static_cast<std::size_t>(found == 3 ? used_with_z : used) != numbers.size()) throw fail();
  if (!std::isfinite(place.at.x) || !std::isfinite(place.at.y) || !std::isfinite(z)) throw fail();
  if (found == 3) place.z = z;
  return place;
}

Population flowFrom(const std::string& text, const std::vector<Place>& places) {
  const std::size_t first = text.find(','), last = text.rfind(',');
  Population population;
  long long count = 0;
  int used = 0;
  if (first == std::string::npos || first == last ||
      std::sscanf(text.c_str() + last + 1, "%lld%n", &count, &used) != 1 ||
      last + 1 + std::size_t(used) != text.size() || count < 1 || count > 10'000'000)
    throw InputError(fmt::format(
        "--flow {}: allowed: two places and how many people walk between them, such as station,market,500", text));
  population.count = static_cast<std::uint32_t>(count);
  population.flow = FlowEnds{text.substr(0, first), text.substr(first + 1, last - first - 1)};
  population.name = population.flow->from + " - " + population.flow->to;
  std::vector<std::string> names;
  for (const Place& place : places) names.push_back(place.name);
  for (const std::string& end : {population.flow->from, population.flow->to})
    if (std::find(names.begin(), names.end(), end) == names.end())
      throw InputError(fmt::format("--flow {}: there is no --place {}; there {}", text, end,
                                   names.empty() ? "is none" : fmt::format("are {}", fmt::join(names, ", "))));
  if (population.flow->from == population.flow->to)
    throw InputError(fmt::format("--flow {}: goes from {} to itself", text, population.flow->from));
  return population;
}

/// Types of regions by material.
std::map<std::string, std::string> regionsFrom(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> regions;
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError(
          fmt::format("--region {}: allowed: a material and the type of its regions, such as lawn=grass", text));
    if (!regions.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw InputError(fmt::format("--region {}: that material has a type already", text));
  }
  return regions;
}

/// What the options say about places and flows, before any work is done.
Scene wishes(const ImportOptions& options) {
  Scene scene;
  for (const std::string& text : options.places) {
    scene.places.push_back(placeFrom(text));
    for (std::size_t i = 0; i + 1 < scene.places.size(); ++i)
      if (scene.places[i].name == scene.places.back().name)
        throw InputError(fmt::format("--place {}: there is one of that name already", text));
  }
  for (const std::string& text : options.flows) {
    scene.populations.push_back(flowFrom(text, scene.places));
    std::string& name = scene.populations.back().name;
    const auto taken = [&](const std::string& wanted) {
      return std::any_of(scene.populations.begin(), scene.populations.end() - 1,
                         [&](const Population& other) { return other.name == wanted; });
    };
    const std::string base = name;
    for (int i = 2; taken(name); ++i) name = fmt::format("{} {}", base, i);
  }
  return scene;
}

/// As a scene in `output` names the model: relative to its folder where that can be said.
std::string nameFrom(const std::string& output, const std::string& model) {
  std::error_code error;
  const fs::path from = fs::weakly_canonical(fs::absolute(output).parent_path(), error);
  const fs::path to = fs::weakly_canonical(fs::absolute(model), error);
  const fs::path relative = to.lexically_relative(from);
  return (relative.empty() ? to : relative).generic_string();
}

/// Not in the folder of the scene or below it.
bool isElsewhere(const std::string& name) { return name.rfind("..", 0) == 0 || fs::path(name).is_absolute(); }

/// Two places far from one another on the largest part that is connected, and a few people who walk between them: a
/// scene that runs, to begin with.
void suggestFlow(Scene& scene) {
  const NavigationGraph graph(scene);
  const auto& cylinders = graph.vertices();
  if (cylinders.empty()) return;
  const auto farthestFrom = [&](Point p) {
    const NavigationCylinder* best = &cylinders.front();
    double farthest = -1;
    for (const NavigationCylinder& c : cylinders) {
      // Wide places are better than far ones to turn round in.
      const double worth = length(c.centre - p) + 5 * std::min(c.radius, 4.0);
      if (c.component == 0 && worth > farthest) farthest = worth, best = &c;
    }
    return best;
  };
  constexpr double kLeast = 0.5, kMost = 4;  // m, radius of a place
  const auto place = [&](const char* name, const NavigationCylinder& c) {
    return Place{name, c.centre, c.z, {}, std::clamp(c.radius, kLeast, kMost)};
  };
  const auto* one = farthestFrom(cylinders.front().centre);
  const auto* other = farthestFrom(one->centre);
  if (one != other) {
    scene.places = {place("one end", *one), place("other end", *other)};
  } else {
    // One cylinder is all there is: from one side of it to the other.
    const double size = std::min(one->radius / 3, kMost);
    if (size < kLeast) return;
    NavigationCylinder west = *one, east = *one;
    west.centre.x -= one->radius - size, east.centre.x += one->radius - size;
    west.radius = east.radius = size;
    scene.places = {place("one end", west), place("other end", east)};
  }
  Population& flow = scene.populations.emplace_back();
  flow.name = "walkers";
  flow.flow = FlowEnds{"one end", "other end"};
  flow.count = 100;
}

bool inside(const Ring& ring, Point p) {
  bool odd = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Point a = ring[i], b = ring[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) odd = !odd;
  }
  return odd;
}

bool inside(const Layer& layer, Point p) {
  return std::any_of(layer.walkable.begin(), layer.walkable.end(), [&](const Polygon& polygon) {
    return inside(polygon.outer, p) &&
           std::none_of(polygon.holes.begin(), polygon.holes.end(), [&](const Ring& hole) { return inside(hole, p); });
  });
}

/// m², in plan.
double areaOf(const Layer& layer) {
  const auto ringArea = [](const Ring& ring) {
    double twice = 0;
    for (std::size_t i = 0; i < ring.size(); ++i)
      twice += det(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
    return std::abs(twice) / 2;
  };
  double area = 0;
  for (const Polygon& polygon : layer.walkable) {
    area += ringArea(polygon.outer);
    for (const Ring& hole : polygon.holes) area -= ringArea(hole);
  }
  return area;
}

double areaOf(const Scene& scene) {
  double area = 0;
  for (const Layer& layer : scene.layers) area += areaOf(layer);
  return area;
}

void checkPlaces(const Imported& found) {
  std::vector<Diagnostic> wrong;
  for (const Place& place : found.scene.places)
    if (std::none_of(found.scene.layers.begin(), found.scene.layers.end(),
                     [&](const Layer& layer) { return inside(layer, place.at); }))
      wrong.push_back({.at = place.at,
                       .message = fmt::format("there is nothing to walk on at place {}; the model goes from ({:.2f}, "
                                              "{:.2f}) to ({:.2f}, {:.2f})",
                                              place.name, found.least.x, found.least.y, found.most.x, found.most.y)});
  if (!wrong.empty()) throw InputError(std::move(wrong));
}

/// The most frequent first: "paving (120), water (12) and 3 more".
std::string listed(const std::vector<std::uint32_t>& of, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::size_t>> counts(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) counts[i] = {0, i};
  for (const std::uint32_t i : of) ++counts[i].first;
  std::sort(counts.begin(), counts.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(counts.size(), 6); ++i)
    parts.push_back(fmt::format("{} ({})", names[counts[i].second], grouped(counts[i].first)));
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (counts.size() > parts.size()) text += fmt::format(" and {} more", counts.size() - parts.size());
  return text.empty() ? "none" : text;
}

std::vector<std::string> materialNames(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const Mesh::Material& material : mesh.materials) names.push_back(material.name);
  return names;
}

std::string repairsText(const MeshRepairs& r) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", grouped(count), what));
  };
  add(r.out_of_range, "with corners that are not there");
  add(r.not_finite, "with corners that are not finite");
  add(r.degenerate, "without area");
  add(r.duplicate, "that were there twice");
  return parts.empty() ? "nothing was wrong" : fmt::format("left out: {}", fmt::join(parts, ", "));
}

/// Which storeys cannot be reached, and why: "floor 3 (120.0 m² at 3.0 m): nothing leads there; and 2 more".
std::string separateText(const Imported& found) {
  std::vector<std::string> parts;
  constexpr std::size_t kMost = 3;
  for (const SeparateFloor& s : found.separate) {
    if (parts.size() == kMost) break;
    parts.push_back(fmt::format("{} ({:.1f} m² at {:.1f} m): {}", s.layer, s.area, s.height, s.reason));
  }
  if (found.separate.size() > kMost) parts.push_back(fmt::format("and {} more", found.separate.size() - kMost));
  for (const std::string& name : found.closed)
    parts.push_back(fmt::format("{} is closed: walls stand too close to it", name));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string regionsText(const Scene& scene) {
  std::vector<std::string> parts;
  for (const RegionArea& region : regionAreas(scene))
    parts.push_back(fmt::format("{} ({:.1f} m²)", printable(region.type), region.area));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A size that no place has is mostly a wrong unit or axis.
std::string hintAboutSize(const Imported& found) {
  const Point3 size = found.size();
  const double wide = std::max(size.x, size.y);
  if (wide > 20'000 || wide < 3)
    return fmt::format("The model is {:.4g} m wide. If that is not so, say its unit with --unit.", wide);
  if (size.z > 2 * wide) return "The model is higher than wide. If it lies on its side, say what is up with --up.";
  return "";
}

void print(const Imported& found, const ImportOptions& options) {
  const Mesh& mesh = found.mesh();
  const Scene& scene = found.scene;
  const Point3 size = found.size();
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back(
      "read", fmt::format("{} triangles, {} vertices", grouped(found.repairs.read), grouped(mesh.vertices.size())));
  rows.emplace_back("repaired", repairsText(found.repairs));
  rows.emplace_back("size", fmt::format("{:.2f} x {:.2f} m, {:.2f} m high, from ({:.2f}, {:.2f}, {:.2f})", size.x,
                                        size.y, size.z, found.least.x, found.least.y, found.least.z));
  rows.emplace_back("materials", listed(mesh.material, materialNames(mesh)));
  rows.emplace_back("objects", listed(mesh.object, mesh.objects));
  rows.emplace_back("walkable", fmt::format("{:.1f} m² in plan on {} layer{}, {} connection{}", areaOf(scene),
                                            scene.layers.size(), scene.layers.size() == 1 ? "" : "s",
                                            scene.connections.size(), scene.connections.size() == 1 ? "" : "s"));
  if (const std::string text = separateText(found); !text.empty()) rows.emplace_back("not connected", text);
  if (const std::string text = regionsText(scene); !text.empty()) rows.emplace_back("regions", text);
  for (const Population& p : scene.populations)
    rows.emplace_back("flow", fmt::format("{} people between {} and {}", grouped(p.count), p.flow->from, p.flow->to));
  rows.emplace_back("scene", options.output);
  say(printable(options.model) + "\n\n" + twoColumns(rows));
  if (const std::string hint = hintAboutSize(found); !hint.empty()) say("\n" + hint + "\n");
  if (scene.populations.empty())
    say("\nNobody walks there: no two places are connected. Name some, and flows between them, with\n"
        "  --force --place here=X,Y --place there=X,Y --flow here,there,200\n"
        "or add \"places\" and \"flows\" to the scene (docs/import.md).\n");
}

nlohmann::ordered_json importedJson(const Imported& found, const ImportOptions& options) {
  using Json = nlohmann::ordered_json;
  const Mesh& mesh = found.mesh();
  const MeshRepairs& r = found.repairs;
  Json regions = Json::object();
  for (const RegionArea& region : regionAreas(found.scene)) regions[region.type] = region.area;
  Json layers = Json::array(), materials = Json::array(), separate = Json::array();
  for (const SeparateFloor& s : found.separate)
    separate.push_back({{"layer", s.layer}, {"area", s.area}, {"height", s.height}, {"reason", s.reason}});
  for (const Layer& layer : found.scene.layers) layers.push_back({{"name", layer.name}, {"area", areaOf(layer)}});
  for (const Mesh::Material& m : mesh.materials)
    materials.push_back({{"name", m.name}, {"colour", fmt::format("#{:06x}", m.rgb)}});
  return {{"model", options.model},
          {"scene", options.output},
          {"triangles", mesh.triangles.size()},
          {"vertices", mesh.vertices.size()},
          {"repairs",
           {{"read", r.read},
            {"out_of_range", r.out_of_range},
            {"not_finite", r.not_finite},
            {"degenerate", r.degenerate},
            {"duplicate", r.duplicate},
            {"merged_vertices", r.merged_vertices},
            {"open_edges", r.open_edges}}},
          {"min", {found.least.x, found.least.y, found.least.z}},
          {"max", {found.most.x, found.most.y, found.most.z}},
          {"materials", materials},
          {"objects", mesh.objects},
          {"layers", layers},
          {"connections", found.scene.connections.size()},
          {"not_connected", separate},
          {"closed_connections", found.closed},
          {"area", areaOf(found.scene)},
          {"regions", regions},
          {"places", found.scene.places.size()},
          {"flows", found.scene.populations.size()}};
}

Imported load(const ImportOptions& options) {
  Scene wanted = wishes(options);
  SceneMesh source;
  source.up = options.up;
  source.unit = unitOf(options.unit);
  source.walkability = options.walkability;
  source.regions = regionsFrom(options.regions);
  source.file = nameFrom(options.output, options.model);
  Progress progress(!options.json);
  const auto show = [&](const char* what) {
    return [&progress, what](double share) {
      if (progress.due()) progress.show(fmt::format("{}: {:.0f} %", what, 100 * share));
    };
  };
  Imported found;
  auto mesh =
      std::make_shared<const Mesh>(loadMesh(options.model, {source.up, source.unit, show("reading")}, &found.repairs));
  found.least = found.most = mesh->vertices.at(0);
  for (const Point3& p : mesh->vertices) {
    found.least = {std::min(found.least.x, p.x), std::min(found.least.y, p.y), std::min(found.least.z, p.z)};
    found.most = {std::max(found.most.x, p.x), std::max(found.most.y, p.y), std::max(found.most.z, p.z)};
  }
  const auto requireMaterial = [names = materialNames(*mesh)](const char* option, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(fmt::format("{} {}: the model has no such material; it has {}", option, name,
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  };
  for (const std::string& name : options.walkability.unwalkable_materials) requireMaterial("--unwalkable", name);
  for (const auto& [name, type] : source.regions) requireMaterial("--region", name);
  // A scene names files in its own folder only; a model that lies elsewhere is put beside it, repaired.
  if (isElsewhere(source.file)) {
    const fs::path beside = fs::path(options.output).replace_extension(".glb");
    found.model_beside = beside.string();
    source.file = beside.filename().string();
    source.up = "auto";
    source.unit = 1;
  }
  source.mesh = mesh;
  found.scene = sceneFromMesh(*mesh, source, show("finding where people can walk"), &found.separate);
  std::erase_if(found.separate, [](const SeparateFloor& s) { return s.area < kRoom; });
  if (!found.scene.connections.empty()) found.closed = NavigationMap(found.scene).closedConnections();
  found.scene.places = std::move(wanted.places);
  found.scene.populations = std::move(wanted.populations);
  progress.finish();
  if (found.scene.places.empty()) {
    const Working working("looking for two ends", !options.json);
    suggestFlow(found.scene);
  }
  for (Population& population : found.scene.populations) population.profile = found.scene.profiles.at(0).name;
  return found;
}

void run(const ImportOptions& options) {
  Outputs outputs(options.force);
  outputs.reads("the model", options.model);
  outputs.writes("--output", options.output);
  if (isElsewhere(nameFrom(options.output, options.model)))
    outputs.writes("the model beside the scene", fs::path(options.output).replace_extension(".glb").string());
  Imported found = load(options);
  checkPlaces(found);
  // Both files, or none: the scene is on the disk before the model takes its place.
  WholeFile file(options.output, options.force);
  file.write(sceneToJson(found.scene));
  if (!found.model_beside.empty()) saveMesh(found.mesh(), found.model_beside);
  file.keep();
  if (options.json) {
    sayJson(importedJson(found, options));
  } else {
    print(found, options);
  }
}

}  // namespace

void addImport(CLI::App& app) {
  auto options = std::make_shared<ImportOptions>();
  Walkability& walk = options->walkability;
  CLI::App* verb = app.add_subcommand("import", "Make a scene from the three-dimensional model of a place");
  verb->footer(
      "Reads OBJ, glTF (.gltf, .glb), COLLADA (.dae) and PLY, repairs what is broken, finds where people can walk,\n"
      "and writes a scene that names the model (docs/import.md). Places are in m, x east, y north, z up, as the scene\n"
      "has them; run it without places first to see how far the model reaches.\n"
      "Examples:\n"
      "  throng import scenes/models/footbridge.obj -o bridge.json --unwalkable water\n"
      "  throng import scenes/models/footbridge.obj -o bridge.json --force --unwalkable water \\\n"
      "      --place west=4,6 --place east=36,24 --flow west,east,100\n"
      "  throng import mall.glb -o mall.json --unit cm --up z --max-slope 35 --step-height 0.2");
  verb->add_option("model", options->model, "Model: .obj, .gltf, .glb, .dae or .ply")->required();
  verb->add_option("-o,--output", options->output, "Scene file to write")->required();
  verb->add_option("--up", options->up, "Axis of the file that points up; auto: as is usual for its format")
      ->check(CLI::IsMember({"auto", "x", "y", "z"}))
      ->capture_default_str();
  verb->add_option("--unit", options->unit, "Unit of the file: m, cm, mm, in, ft, or metres per unit")
      ->capture_default_str();
  verb->add_option("--max-slope", walk.max_slope, "Steeper ground is a wall, degrees")
      ->check(CLI::Range(0.0, 89.0))
      ->capture_default_str();
  verb->add_option("--step-height", walk.step_height, "Lower things are stepped over, m")
      ->check(CLI::Range(0.0, 2.0))
      ->capture_default_str();
  verb->add_option("--body-height", walk.body_height, "Free space that a body needs above the ground, m")
      ->check(CLI::Range(0.1, 10.0))
      ->capture_default_str();
  verb->add_option("--body-radius", walk.body_radius, "Of the navigation graph: half of the narrowest passage, m")
      ->check(CLI::Range(0.01, 10.0))
      ->capture_default_str();
  verb->add_option("--unwalkable", walk.unwalkable_materials,
                   "Material that is nothing to walk on; may be given several times")
      ->allow_extra_args(false);
  verb->add_option("--region", options->regions,
                   "Ground of a material becomes regions of a type: MATERIAL=TYPE; several times")
      ->allow_extra_args(false);
  verb->add_option("--place", options->places, "A place that people go to: NAME=X,Y or NAME=X,Y,Z; several times")
      ->allow_extra_args(false);
  verb->add_option("--flow", options->flows, "People who walk back and forth: FROM,TO,COUNT; several times")
      ->allow_extra_args(false);
  verb->add_flag("--force,--overwrite", options->force, "Replace an existing file");
  verb->add_flag("--json", options->json, "Print the result as JSON");
  verb->callback([options] { run(*options); });
}

}  // namespace throng::app
