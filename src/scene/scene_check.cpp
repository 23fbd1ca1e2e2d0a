#include "scene/scene_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/geometry_reader.h"
#include "scene/scene_reader.h"

namespace throng::scene {
namespace {

constexpr double kFastestArrivals = 1e5;  // people per s
constexpr double kRateTolerance = 1e-5;   // of recording rates: a share

std::vector<std::string_view> layerNames(const Scene& scene) {
  std::vector<std::string_view> names;
  for (const auto& layer : scene.layers) names.push_back(layer.name);
  return names;
}

void checkLayers(const Scene& scene, Findings& findings) {
  if (scene.layers.empty() && !findings.broken("/layers"))
    findings.error("/layers", "a scene needs at least one layer");
  constexpr std::size_t kMostLayers = 10'000;  // they are counted in 16 bits
  if (scene.layers.size() > kMostLayers)
    findings.error("/layers", fmt::format("found {} layers; allowed: at most {}", scene.layers.size(), kMostLayers));
  const Range range(findings);
  Names names("layer", true, findings);
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    const Layer& layer = scene.layers[i];
    const std::string here = at("/layers", i);
    names.add(here + "/name", layer.name);
    range.within(here + "/elevation", layer.elevation, -1e5, 1e5, "m");
    range.within(here + "/elevation", layer.slope.x, -10, 10, "m per m");
    range.within(here + "/elevation", layer.slope.y, -10, 10, "m per m");
    range.positive(here + "/wall_height", layer.wall_height, 1000, "m");
    if (!layer.wrap || findings.broken(here + "/wrap")) continue;
    const auto& [low, high] = *layer.wrap;
    bool fine = true;
    for (const double v : {low.x, low.y, high.x, high.y})
      fine &= range.within(here + "/wrap", v, -kFarthest, kFarthest, "m");
    if (fine && !(low.x < high.x && low.y < high.y)) {
      findings.error(
          here + "/wrap",
          fmt::format("found [{:g}, {:g}, {:g}, {:g}]; allowed: [xmin, ymin, xmax, ymax] with xmin < xmax and "
                      "ymin < ymax",
                      low.x, low.y, high.x, high.y));
    }
  }
}

void checkConnections(const Scene& scene, Findings& findings) {
  Names names("connection", false, findings);
  for (std::size_t i = 0; i < scene.connections.size(); ++i) {
    const Connection& connection = scene.connections[i];
    const std::string here = at("/connections", i);
    names.add(here + "/name", connection.name);
    checkLayerName(scene, here + "/from/layer", connection.from_layer, findings);
    checkLayerName(scene, here + "/to/layer", connection.to_layer, findings);
  }
}

void checkNumbers(const Population& population, const std::string& here, Findings& findings) {
  const Range range(findings);
  const int ways = (population.count > 0) + (population.rate != 0) + !population.schedule.empty();
  if (ways > 1) findings.error(here, "found several of \"count\", \"rate\" and \"schedule\"; allowed: one of them");
  if (population.count > kMostPeople) range.within(here + "/count", population.count, 0, kMostPeople, "people");
  if (population.rate != 0) range.positive(here + "/rate", population.rate, kFastestArrivals, "people per s");
  if (population.rate == 0 && population.rate_limit)
    findings.error(here + "/limit", "\"limit\" goes with \"rate\" only");
  if (population.rate_limit) range.within(here + "/limit", *population.rate_limit, 0, kMostPeople, "people");
  for (std::size_t i = 0; i < population.schedule.size(); ++i) {
    range.within(at((here + "/schedule").c_str(), i) + "/time", population.schedule[i].time, 0, kLongestRun, "s");
    range.within(at((here + "/schedule").c_str(), i) + "/count", population.schedule[i].count, 0, kMostPeople,
                 "people");
  }
  const auto* start = std::get_if<StartPoints>(&population.start.shape);
  if (start && population.count > start->points.size() && !findings.broken(here + "/start")) {
    const auto points = start->points.size();
    findings.error(here + "/count", fmt::format("found {} people for {} start point{}; every point is for one person",
                                                population.count, points, points == 1 ? "" : "s"));
  }
  if (ways == 0 && !findings.broken(here)) findings.warning(here, "nobody is in this population");
}

void checkStart(const Start& start, const std::string& here, Findings& findings) {
  const Range range(findings);
  if (const auto* grid = std::get_if<StartGrid>(&start.shape))
    range.within(here + "/spacing", grid->spacing, 0, 1000, "m");
  if (const auto* discs = std::get_if<StartPoissonDisc>(&start.shape))
    range.within(here + "/spacing", discs->spacing, 0, 1000, "m");
  range.within(here + "/jitter", start.jitter, 0, 1000, "m");
  const auto* points = std::get_if<StartPoints>(&start.shape);
  if (points && points->points.empty() && !findings.broken(here)) {
    findings.error(here + "/points", "found no point; allowed: at least one");
  }
  if (const auto* circle = std::get_if<StartCircle>(&start.shape)) {
    range.positive(here + "/circle/radius", circle->radius, kFarthest, "m");
    range.within(here + "/circle/phase", circle->phase, -1e5, 1e5, "rad");
  }
}

/// The layers that can be reached from each other through connections.
bool connected(const Scene& scene, int from, int to) {
  std::vector<int> reached = {from};
  for (std::size_t k = 0; k < reached.size(); ++k) {
    for (const auto& c : scene.connections) {
      const int a = layerIndex(scene, c.from_layer), b = layerIndex(scene, c.to_layer);
      for (const int next : {a == reached[k] ? b : -1, b == reached[k] ? a : -1}) {
        if (next >= 0 && std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
      }
    }
  }
  return std::find(reached.begin(), reached.end(), to) != reached.end();
}

void checkGoals(const Scene& scene, const Population& population, const std::string& here, Findings& findings) {
  const Range range(findings);
  std::string layer = population.layer;
  for (std::size_t i = 0; i < population.goals.size(); ++i) {
    const Goal& goal = population.goals[i];
    const std::string there = at((here + "/goals").c_str(), i);
    if (const auto* to = std::get_if<GoalPoint>(&goal.target))
      range.positive(there + "/tolerance", to->tolerance, 1000, "m");
    if (const auto* across = std::get_if<GoalOpposite>(&goal.target))
      range.positive(there + "/tolerance", across->tolerance, 1000, "m");
    if (const auto* ahead = std::get_if<GoalDirection>(&goal.target)) {
      const bool fine = range.within(there + "/direction", ahead->direction.x, -kFarthest, kFarthest, "m") &&
                        range.within(there + "/direction", ahead->direction.y, -kFarthest, kFarthest, "m");
      if (fine && !(length(ahead->direction) > 1e-9) && !findings.broken(there)) {
        findings.error(there + "/direction", "found a direction of no length; allowed: any other");
      }
      if (i + 1 < population.goals.size()) {
        findings.error(there, "people walk in a direction for ever, so no other goal may follow it");
      }
    }
    if (!goal.layer.empty()) checkLayerName(scene, there + "/layer", goal.layer, findings);
    const std::string& next = goal.layer.empty() ? population.layer : goal.layer;
    const int from = layerIndex(scene, layer), to = layerIndex(scene, next);
    if (from >= 0 && to >= 0 && !findings.broken("/connections") && !findings.unreadable("/layers") &&
        !connected(scene, from, to)) {
      findings.error(there + "/layer", fmt::format("no connection leads from layer {} to layer {}",
                                                   inQuotes(scene.layers[static_cast<std::size_t>(from)].name),
                                                   inQuotes(scene.layers[static_cast<std::size_t>(to)].name)));
    }
    layer = next;
  }
}

void checkFlow(const Scene& scene, const Population& population, const std::string& here, Findings& findings) {
  const Range range(findings);
  std::vector<std::string_view> names;
  for (const Place& place : scene.places) names.push_back(place.name);
  const auto known = [&](const std::string& key, const std::string& name) {
    if (findings.broken(here + key) || findings.broken("/places") || findings.broken("/generate")) return;
    if (std::find(names.begin(), names.end(), name) == names.end())
      findings.error(here + key, fmt::format("there is no place {}{}", inQuotes(name), suggestion(name, names)));
  };
  known("/from", population.flow->from);
  known("/to", population.flow->to);
  if (population.flow->from == population.flow->to && !findings.broken(here))
    findings.error(here + "/to",
                   fmt::format("found {} at both ends; allowed: two places", inQuotes(population.flow->to)));
  range.within(here + "/time", population.flow->time, 0, kLongestRun, "s");
  range.within(here + "/count", population.count, 0, kMostPeople, "people");
  const Distribution& lane = population.lane;
  const bool bounded = lane.kind == Distribution::Kind::kUniform || lane.kind == Distribution::Kind::kTruncatedNormal;
  for (const double side : {bounded ? lane.min : lane.mean, bounded ? lane.max : lane.mean})
    range.within(here + "/lane", side, 0, 1, "of the way from the left to the right");
  const bool anywhere = lane.kind == Distribution::Kind::kUniform && lane.min == 0 && lane.max == 1;
  if (population.flow->spread && !anywhere)
    findings.warning(here + "/lane",
                     "people who spread have no lane; which side they keep to is the \"side\" of their planner");
}

void checkPopulations(const Scene& scene, Findings& findings) {
  std::vector<std::string_view> profiles;
  for (const auto& profile : scene.profiles) profiles.push_back(profile.name);
  Names names("population", false, findings);
  double everybody = 0;
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const std::string here = at("/populations", i);
    names.add(here + "/name", population.name);
    const bool known = std::find(profiles.begin(), profiles.end(), population.profile) != profiles.end();
    if (!known && !findings.broken(here + "/profile") && !findings.unreadable("/profiles")) {
      findings.error(here + "/profile", fmt::format("there is no profile {}{}", inQuotes(population.profile),
                                                    suggestion(population.profile, profiles)));
    }
    if (!population.layer.empty()) checkLayerName(scene, here + "/layer", population.layer, findings);
    if (population.flow) {
      checkFlow(scene, population, here, findings);
    } else if (!population.district.empty()) {
      checkGoals(scene, population, here, findings);
    } else {
      checkStart(population.start, here + "/start", findings);
      checkNumbers(population, here, findings);
      checkGoals(scene, population, here, findings);
    }
    everybody += population.count;
    for (const auto& wave : population.schedule) everybody += wave.count;
  }
  if (everybody > kMostPeople && !findings.broken("/populations")) {
    findings.error("/populations", fmt::format("found {} people altogether; allowed: {}", everybody, kMostPeople));
  }
}

void checkMeasurements(const Scene& scene, Findings& findings) {
  Names lines("measurement line", true, findings), areas("measurement area", true, findings);
  for (std::size_t i = 0; i < scene.lines.size(); ++i) {
    const std::string here = at("/measurements/lines", i);
    lines.add(here + "/name", scene.lines[i].name);
    if (!scene.lines[i].layer.empty()) checkLayerName(scene, here + "/layer", scene.lines[i].layer, findings);
  }
  for (std::size_t i = 0; i < scene.areas.size(); ++i) {
    const std::string here = at("/measurements/areas", i);
    areas.add(here + "/name", scene.areas[i].name);
    if (!scene.areas[i].layer.empty()) checkLayerName(scene, here + "/layer", scene.areas[i].layer, findings);
  }
}

/// A run that waits for everybody to arrive must not wait for people who never do.
void checkThatItEnds(const Scene& scene, Findings& findings) {
  if (!scene.run.until_all_arrived || findings.broken("/run")) return;
  const auto never = [&](const std::string& where, const std::string& why, const std::string& remedy) {
    if (scene.run.duration)
      findings.warning(where, fmt::format("{}: the run lasts until its duration of {:g} s", why, *scene.run.duration));
    else
      findings.error(where, fmt::format("{}; {}", why, remedy));
  };
  const std::string duration = "give the run a \"duration\"";
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const std::string here = at("/populations", i);
    const bool anybody = population.count > 0 || population.rate > 0 || !population.schedule.empty();
    const bool ever = std::any_of(population.goals.begin(), population.goals.end(),
                                  [](const Goal& goal) { return std::holds_alternative<GoalDirection>(goal.target); });
    const bool roams = std::any_of(population.goals.begin(), population.goals.end(),
                                   [](const Goal& goal) { return std::holds_alternative<GoalDistrict>(goal.target); });
    if (!population.district.empty()) {
      never(here, "people of a district walk about for ever", duration);
    } else if (!anybody) {
      continue;
    } else if (population.flow) {
      never(here, "people of a flow never arrive for good", duration);
    } else if (ever) {
      never(here + "/goals", "people who walk in a direction never arrive", duration);
    } else if (roams) {
      never(here + "/goals", "people who go into a district walk about in it for as long as it leads them", duration);
    } else if (population.rate > 0 && !population.rate_limit) {
      never(here + "/rate", "people keep appearing", "give a \"limit\", or the run a \"duration\"");
    } else if (population.on_arrival == OnArrival::kGoBack && !population.goals.empty()) {
      never(here + "/on_arrival", "people who go back are always on the way", duration);
    }
  }
}

}  // namespace

bool Range::within(const std::string& pointer, double value, double min, double max, std::string_view unit) const {
  if (value >= min && value <= max) return true;
  if (!findings_.broken(pointer)) {
    findings_.error(pointer, fmt::format("found {:g}; allowed: {:g} to {:g} {}", value, min, max, unit));
  }
  return false;
}

bool Range::positive(const std::string& pointer, double value, double max, std::string_view unit) const {
  if (value > 0 && value <= max) return true;
  if (!findings_.broken(pointer)) {
    findings_.error(pointer, fmt::format("found {:g}; allowed: more than 0, at most {:g} {}", value, max, unit));
  }
  return false;
}

void Names::add(const std::string& pointer, const std::string& name) {
  if (findings_.broken(pointer)) return;
  if (name.empty() && required_) findings_.error(pointer, fmt::format("the name of a {} may not be empty", what_));
  if (name.empty() || seen_.insert(name).second) return;
  findings_.error(pointer, fmt::format("there is another {} named {}; names must differ", what_, inQuotes(name)));
}

void checkLayerName(const Scene& scene, const std::string& pointer, const std::string& name, Findings& findings) {
  if (layerIndex(scene, name) >= 0 || findings.broken(pointer) || findings.broken("/generate")) return;
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    if (findings.broken(at("/layers", i) + "/name")) return;  // perhaps that one was meant
  }
  findings.error(pointer, fmt::format("there is no layer {}{}", inQuotes(name), suggestion(name, layerNames(scene))));
}

int layerIndex(const Scene& scene, const std::string& name) {
  if (name.empty()) return scene.layers.empty() ? -1 : 0;
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    if (scene.layers[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

std::string at(const char* list, std::size_t index) { return fmt::format("{}/{}", list, index); }

void checkRun(const Scene& scene, Findings& findings) {
  const Range range(findings);
  const RunSettings& run = scene.run;
  const bool step = range.within("/run/dt", run.dt, kShortestStep, kLongestStep, "s");
  if (run.duration) range.within("/run/duration", *run.duration, kShortestStep, kLongestRun, "s");
  range.within("/run/patience", run.patience, 1, kLongestRun, "s");
  if (!run.duration && !run.until_all_arrived && !findings.broken("/run/duration") && !findings.broken("/run/until")) {
    findings.error("/run", "when does the run end? Give \"duration\" (s), \"until\": \"all_arrived\", or both");
  }
  const double slowest = 1 / kLongestRun, fastest = 1 / kShortestStep;
  if (!range.within("/run/recording_rate", run.recording_rate, slowest, fastest, "frames per s") || !step) return;
  // Frames are taken between steps: the time from one to the next is a whole number of them. Rates that are written
  // with a few digits, such as 8.33333, are meant to fit.
  const double steps = 1 / (run.recording_rate * run.dt);
  if (steps > 0.5 && std::abs(steps - std::round(steps)) <= kRateTolerance * steps) return;
  const double more = std::max(1.0, std::floor(steps));
  std::string nearest = fmt::format("{:.6g}", 1 / (more * run.dt));
  if (steps > 1) nearest = fmt::format("{:.6g} and {}", 1 / ((more + 1) * run.dt), nearest);
  findings.error(
      "/run/recording_rate",
      fmt::format("found {:g} frames per s, which is one every {:.6g} steps of {:g} s; allowed: a whole number of "
                  "steps. The nearest: {}",
                  run.recording_rate, steps, run.dt, nearest));
}

void checkRules(const Scene& scene, const KnownModels& models, Findings& findings) {
  checkLayers(scene, findings);
  checkConnections(scene, findings);
  checkProfiles(scene, models, findings);
  checkPopulations(scene, findings);
  checkDistricts(scene, findings);
  checkMeasurements(scene, findings);
  checkDoors(scene, findings);
  checkRun(scene, findings);
  checkThatItEnds(scene, findings);
  checkShapes(scene, findings);
  checkEvents(scene, findings);
  checkPlaces(scene, findings);
  checkRegions(scene, findings);
  checkMeshScene(scene, findings);
}

}  // namespace throng::scene

namespace throng {

double fittingRecordingRate(double dt, double wanted) {
  const double steps = std::max(1.0, std::round(1 / (wanted * dt)));
  const double rate = 1 / (steps * dt);
  // What was wanted, when it is the same but for the last digits: 10 rather than 9.999999999999998.
  return std::abs(rate - wanted) <= 1e-12 * wanted ? wanted : rate;
}

}  // namespace throng
