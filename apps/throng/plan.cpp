// throng plan: a route for one person, how long it is, and what it looks like.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "throng/throng.h"

#include "command_line.h"
#include "outputs.h"
#include "report.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

namespace fs = std::filesystem;

struct PlanOptions {
  std::string scene, from, to, output;
  std::string from_layer, to_layer;
  RouteRequest request;
  std::optional<double> radius;
  std::vector<std::string> profiles, planners;
  DrawSettings settings;
  std::vector<double> view;
  bool no_picture = false, json = false;
};

/// Everything that is said about a route.
struct Plan {
  RouteResult route;
  double straight = 0;  ///< m, in plan, from the start to where the route ends
  double speed = 0;     ///< m/s
  NavigationStatistics map;
  std::string picture;

  double walkingTime() const { return speed > 0 ? route.length / speed : 0; }
  double detour() const { return straight > 0 ? route.length / straight : 1; }
};

std::string placeText(Point place, const std::string& layer, bool with_layer) {
  return fmt::format("({:g}, {:g}){}", std::round(place.x * 1000) / 1000, std::round(place.y * 1000) / 1000,
                     with_layer ? " on " + layer : "");
}

void print(const Plan& plan, const PlanOptions& options, const NavigationMap& map) {
  const RouteResult& route = plan.route;
  const bool layered = map.layers().size() > 1;
  std::vector<std::pair<std::string, std::string>> rows;
  if (!route.reachable) say(printable(route.reason) + "\n\n");
  if (!route.points.empty()) {
    std::vector<std::string> way;
    for (const RoutePoint& point : route.points)
      if (way.empty() || way.back() != map.layers()[point.layer]) way.push_back(map.layers()[point.layer]);
    rows.emplace_back(route.reachable ? "to" : "to the nearest place",
                      placeText(route.end, map.layers()[route.end_layer.index()], layered));
    rows.emplace_back("length", fmt::format("{:.2f} m, {} points", route.length, route.points.size()));
    if (way.size() > 1) rows.emplace_back("layers", fmt::format("{}", fmt::join(way, " > ")));
    rows.emplace_back("walking time", fmt::format("{:.1f} s at {:.2f} m/s", plan.walkingTime(), plan.speed));
    rows.emplace_back("straight line",
                      fmt::format("{:.2f} m; the route is {:.3f} times as long", plan.straight, plan.detour()));
    rows.emplace_back("least clearance",
                      fmt::format("{:.3f} m, for a radius of {:g} m", route.least_clearance, options.request.radius));
    rows.emplace_back("corridor", fmt::format("{} cells, {:.2f} m wide at its narrowest, {:.2f} m along its middle",
                                              grouped(route.corridor_cells), route.narrowest_width, route.axis_length));
  }
  rows.emplace_back("time", fmt::format("{:.0f} µs for the route, {:.1f} ms for the map ({} cells)",
                                        1e6 * route.seconds, 1e3 * plan.map.build_seconds, grouped(plan.map.cells)));
  if (!plan.picture.empty()) rows.emplace_back("picture", plan.picture);
  say(twoColumns(rows));
}

nlohmann::ordered_json planJson(const Plan& plan, const PlanOptions& options, const NavigationMap& map) {
  using Json = nlohmann::ordered_json;
  const RouteResult& route = plan.route;
  Json points = Json::array();
  for (const RoutePoint& p : route.points)
    points.push_back({{"x", p.at.x}, {"y", p.at.y}, {"layer", map.layers()[p.layer]}});
  Json parts;
  for (const auto& part : plan.map.parts) parts[std::string(part.name)] = part.seconds;
  return {{"scene", options.scene},
          {"reachable", route.reachable},
          {"reason", route.reason},
          {"end", {{"x", route.end.x}, {"y", route.end.y}, {"layer", map.layers()[route.end_layer.index()]}}},
          {"length", route.length},
          {"walking_time", plan.walkingTime()},
          {"speed", plan.speed},
          {"straight_line", plan.straight},
          {"detour", plan.detour()},
          {"radius", options.request.radius},
          {"least_clearance", route.least_clearance},
          {"corridor",
           {{"cells", route.corridor_cells},
            {"narrowest_width", route.narrowest_width},
            {"axis_length", route.axis_length}}},
          {"points", points},
          {"query_seconds", route.seconds},
          {"map",
           {{"walls", plan.map.walls},
            {"vertices", plan.map.vertices},
            {"edges", plan.map.edges},
            {"annotations", plan.map.annotations},
            {"cells", plan.map.cells},
            {"bytes", plan.map.bytes},
            {"build_seconds", plan.map.build_seconds},
            {"parts", parts}}},
          {"picture", plan.picture.empty() ? Json() : Json(plan.picture)}};
}

void draw(const Plan& plan, const PlanOptions& options, const Scene& scene, const NavigationMap& map) {
  Overlay overlay;
  addRoute(overlay, map, options.request, plan.route);
  overlay.caption = plan.route.reachable
                        ? fmt::format("{:.1f} m, {:.0f} s at {:.2f} m/s, at least {:.2f} m from walls",
                                      plan.route.length, plan.walkingTime(), plan.speed, plan.route.least_clearance)
                        : "not reachable: " + plan.route.reason.substr(0, plan.route.reason.find(". ") + 1);
  drawOverlay(scene, overlay, plan.picture, options.settings);
}

/// The route of one profile by one planner.
struct Compared {
  std::string profile, planner;
  double radius = 0;  ///< m
  double speed = 0;   ///< m/s
  RouteResult route;
};

/// Of people in the middle of what a profile allows.
Compared comparedRoute(const PlanOptions& options, const Profile& profile, const std::string& planner,
                       const NavigationMap& map) {
  RouteRequest request = options.request;
  request.radius = options.radius.value_or(profile.radius.mean);
  for (const auto& [type, weight] : profile.region_weights) request.region_weights[type] = weight.mean;
  request.slope_cost = profile.slope_cost;
  const bool own = planner.empty();
  const std::string usual = profile.region_weights.empty() ? "corridor" : "regions";
  request.planner = !own ? planner : profile.planner.model.empty() ? usual : profile.planner.model;
  if (own && request.planner != "corridor") request.parameters = profile.planner.parameters;
  map.plan(request);  // the first one makes room in memory
  return {profile.name, request.planner, request.radius, profile.preferred_speed.mean, map.plan(request)};
}

std::vector<Compared> compareRoutes(const PlanOptions& options, const Scene& scene, const NavigationMap& map) {
  std::vector<std::string> names = options.profiles, planners = options.planners;
  if (names.empty()) names.push_back(scene.profiles.at(0).name);
  if (planners.empty()) planners.emplace_back();
  std::vector<Compared> routes;
  for (const std::string& name : names) {
    const auto known = std::find_if(scene.profiles.begin(), scene.profiles.end(),
                                    [&](const Profile& profile) { return profile.name == name; });
    if (known == scene.profiles.end()) {
      std::vector<std::string> all;
      for (const Profile& profile : scene.profiles) all.push_back(profile.name);
      throw InputError(fmt::format("--profile {}: there is no such profile in the scene; there are {}.", name,
                                   fmt::join(all, ", ")));
    }
    for (const std::string& planner : planners) routes.push_back(comparedRoute(options, *known, planner, map));
  }
  return routes;
}

void drawCompared(const std::vector<Compared>& routes, const PlanOptions& options, const Scene& scene,
                  const std::string& picture) {
  Overlay overlay;
  addRegions(overlay, scene, options.profiles.size() == 1 ? options.profiles[0] : std::string());
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const Paint paint = populationPaint(i);
    const auto& points = routes[i].route.points;
    // Lines that lie on one another are told apart by their dashes.
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      Overlay::Line line;
      line.layer = points[k].layer, line.paint = paint, line.width = 3, line.dash = i == 0 ? 0 : 4.0 + 3.0 * double(i);
      line.points = {points[k].at};
      for (; k + 1 < points.size() && points[k].layer == line.layer; ++k) line.points.push_back(points[k + 1].at);
      --k;
      overlay.lines.push_back(line);
    }
    for (const RoutePoint& point : points) overlay.layers.push_back(point.layer);
    overlay.keys.push_back(
        {Overlay::Key::Mark::kLine, paint,
         fmt::format("{}, {}: {:.1f} m, {}", printable(routes[i].profile), routes[i].planner, routes[i].route.length,
                     std::isfinite(routes[i].route.cost) ? fmt::format("cost {:.1f}", routes[i].route.cost)
                                                         : "over ground where they never walk")});
  }
  const std::uint16_t from =
      options.request.from_layer ? static_cast<std::uint16_t>(options.request.from_layer.index()) : 0;
  const std::uint16_t to =
      options.request.to_layer ? static_cast<std::uint16_t>(options.request.to_layer.index()) : from;
  const Paint end{0x222222, 1};
  overlay.dots.push_back({options.request.from, end, 6, from});
  overlay.labels.push_back({options.request.from, "start", end, from});
  overlay.dots.push_back({options.request.to, end, 6, to});
  overlay.labels.push_back({options.request.to, "goal", end, to});
  overlay.layers.insert(overlay.layers.end(), {from, to});
  std::sort(overlay.layers.begin(), overlay.layers.end());
  overlay.layers.erase(std::unique(overlay.layers.begin(), overlay.layers.end()), overlay.layers.end());
  drawOverlay(scene, overlay, picture, options.settings);
}

void printCompared(const std::vector<Compared>& routes, const std::string& picture) {
  say(fmt::format("{:<16} {:<17} {:>9} {:>10} {:>9} {:>9}\n", "profile", "planner", "length", "cost", "walking",
                  "time"));
  for (const Compared& c : routes) {
    if (!c.route.reachable) say(printable(c.route.reason) + "\n");
    say(fmt::format("{:<16} {:<17} {:>7.2f} m {:>10.2f} {:>7.1f} s {:>6.0f} µs\n", printable(c.profile), c.planner,
                    c.route.length, c.route.cost, c.speed > 0 ? c.route.length / c.speed : 0, 1e6 * c.route.seconds));
  }
  if (!picture.empty()) say("picture: " + picture + "\n");
}

nlohmann::ordered_json comparedJson(const std::vector<Compared>& routes, const PlanOptions& options,
                                    const NavigationMap& map, const std::string& picture) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Compared& c : routes) {
    Json points = Json::array();
    for (const RoutePoint& p : c.route.points)
      points.push_back({{"x", p.at.x}, {"y", p.at.y}, {"layer", map.layers()[p.layer]}});
    // A way where they never walk has no number.
    const Json cost = std::isfinite(c.route.cost) ? Json(c.route.cost) : Json();
    all.push_back({{"profile", c.profile},
                   {"planner", c.planner},
                   {"reachable", c.route.reachable},
                   {"reason", c.route.reason},
                   {"length", c.route.length},
                   {"cost", cost},
                   {"radius", c.radius},
                   {"least_clearance", c.route.least_clearance},
                   {"explored", c.route.explored},
                   {"build_seconds", c.route.build_seconds},
                   {"query_seconds", c.route.seconds},
                   {"points", points}});
  }
  return {{"scene", options.scene}, {"routes", all}, {"picture", picture.empty() ? Json() : Json(picture)}};
}

void runCompared(const PlanOptions& options, const Scene& scene, const NavigationMap& map, const std::string& picture) {
  const std::vector<Compared> routes = compareRoutes(options, scene, map);
  if (!picture.empty()) drawCompared(routes, options, scene, picture);
  if (options.json)
    sayJson(comparedJson(routes, options, map, picture));
  else
    printCompared(routes, picture);
  if (!std::all_of(routes.begin(), routes.end(), [](const Compared& c) { return c.route.reachable; }))
    throw ExitCode{kNotReachable};
}

std::string pictureName(const PlanOptions& options) {
  std::string path = options.output;
  if (path.empty()) path = freeName(fs::path(options.scene).stem().string() + "-plan", ".png");
  checkPictureName(path);
  Outputs outputs(options.settings.overwrite);
  outputs.reads("the scene", options.scene);
  outputs.writes("--output", path);
  return path;
}

void run(PlanOptions options) {
  options.request.from = placeOf(options.from, "--from");
  options.request.to = placeOf(options.to, "--to");
  if (!options.view.empty())
    options.settings.view = Rectangle{{options.view[0], options.view[1]}, {options.view[2], options.view[3]}};
  std::vector<Diagnostic> warnings;
  Working working("reading " + options.scene, !options.json);
  const Scene scene = loadScene(options.scene, &warnings);
  working.finish();
  printDiagnostics(warnings);
  const std::string picture = options.no_picture ? "" : pictureName(options);
  const Profile& profile = scene.profiles.at(0);
  options.request.radius = options.radius.value_or(profile.radius.mean);
  const std::array<Point, 2> places{options.request.from, options.request.to};
  std::optional<Working> mapping(std::in_place, "making the map of " + options.scene, !options.json);
  const NavigationMap map(scene, places);
  mapping.reset();
  options.request.from_layer = map.layer(options.from_layer);
  if (!options.to_layer.empty()) options.request.to_layer = map.layer(options.to_layer);
  for (const std::string& name : map.closedConnections())
    warn(fmt::format("warning: no route goes over connection \"{}\": see docs/corridor-map.md\n", printable(name)));

  if (!options.profiles.empty() || !options.planners.empty()) return runCompared(options, scene, map, picture);
  Plan plan;
  map.plan(options.request);  // the first one makes room in memory
  plan.route = map.plan(options.request);
  plan.map = map.statistics();
  plan.speed = profile.preferred_speed.mean;
  plan.straight = length(plan.route.end - options.request.from);
  plan.picture = picture;
  if (!picture.empty()) draw(plan, options, scene, map);
  if (options.json) {
    sayJson(planJson(plan, options, map));
  } else {
    print(plan, options, map);
  }
  if (!plan.route.reachable) throw ExitCode{kNotReachable};
}

}  // namespace

void addPlan(CLI::App& app) {
  auto options = std::make_shared<PlanOptions>();
  RouteRequest& request = options->request;
  CLI::App* verb = app.add_subcommand("plan", "Find one route through a scene, measure it and draw it");
  verb->footer(
      "The route is a short one through the corridor map (docs/corridor-map.md) that keeps away from walls where "
      "there\n"
      "is room. When the goal cannot be reached, the program says why and plans to the nearest place that can.\n"
      "Examples:\n"
      "  throng plan scenes/city-plan.json --from 5,3 --to 450,497\n"
      "  throng plan scenes/city-plan.json --from 5,3 --to 450,497 --clearance 2 --side 1 -o right.svg\n"
      "  throng plan scenes/station.json --from 60,9 --to 140,24 --from-layer hall --to-layer platforms\n"
      "  throng plan scenes/puddle.json --from 5,36 --to 95,36 --profile walker --planner regions --planner corridor\n"
      "  throng plan scenes/doors.json --from 2,2 --to 38,14 --radius 1.2 --json --no-picture\n"
      "Exit code 0: there is a route; 1: the goal cannot be reached; 2: bad input.");
  verb->add_option("scene", options->scene, "Scene file (docs/scene-format.md)")->required();
  verb->add_option("--from", options->from, "Start: X,Y in m")->required();
  verb->add_option("--to", options->to, "Goal: X,Y in m")->required();
  verb->add_option("--from-layer", options->from_layer, "Layer of the start; the first when not given");
  verb->add_option("--to-layer", options->to_layer, "Layer of the goal; that of the start when not given");
  verb->add_option("--profile", options->profiles,
                   "A profile of the scene, with what ground costs its people; several: their routes side by side");
  verb->add_option(
      "--planner", options->planners,
      "A planner (docs/models/planners.md) instead of the profile's own; several: their routes side by side");
  verb->add_option("--radius", options->radius, "Radius of the person, m; that of the first profile when not given");
  verb->add_option("--clearance", request.clearance, "Distance to keep from walls where there is room, m")
      ->capture_default_str();
  verb->add_option("--side", request.side, "-1 keeps left, 0 neither, 1 keeps right")->capture_default_str();
  verb->add_option("-o,--output", options->output, "Picture (.png, .svg); out/NAME-plan.png when not given");
  verb->add_flag("--no-picture", options->no_picture, "Draw nothing");
  verb->add_option("--view", options->view, "Part of the scene: xmin,ymin,xmax,ymax in m")->delimiter(',')->expected(4);
  verb->add_option("--width", options->settings.width, "Pixels")->check(CLI::Range(16, 16384))->capture_default_str();
  verb->add_flag("--force", options->settings.overwrite, "Replace an existing file");
  verb->add_flag("--json", options->json, "Print the result as JSON");
  verb->callback([options] { run(*options); });
}

}  // namespace throng::app
