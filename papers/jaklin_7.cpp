// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, chapter 7: MIRAN for a disc against MIRAN
// for a point. The thesis shows pictures (Figures 7.9 and 7.10) and no numbers; here the clearance that both keep is
// measured, and how often they are on ground that they should avoid.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/world.h"

#include "papers/paper.h"
#include "papers/places.h"
#include "papers/suburb.h"

namespace throng::papers {
namespace {

constexpr double kRadius = 0.25;  // m
/// As much of the body counts: routes keep its radius exactly, and are rounded.
constexpr double kFit = 0.98;

constexpr std::size_t kShown = 10;  // ways in a picture

ModelChoice miran(double disc, double touch) {
  return {"miran", {{"shortcut", 50}, {"sampling", 0.2}, {"disc", disc}, {"touch", touch}}};
}

struct Follower {
  const char* name;
  ModelChoice choice;
  Paint paint;
};
const Follower kFollowers[] = {
    {"disc", miran(1, 1), {0x1b7837, 1}},
    {"disc that pays as a point", miran(1, 0), {0xd08000, 1}},
    {"point", miran(0, 0), {0xb2182b, 1}},
    {"irm", {"irm", {}}, {0x2166ac, 1}},
};

struct Ways {
  std::vector<Point> from, to;
};

struct Walked {
  std::size_t steps = 0, near = 0, cutting = 0, on_avoided = 0, arrived = 0;
  double least = HUGE_VAL;  ///< m from walls, of the middle of the body
  std::vector<std::vector<Point>> tracks, routes;

  double share(std::size_t count) const { return 100.0 * static_cast<double>(count) / static_cast<double>(steps); }
};

double distance(Point p, Point a, Point b) {
  const Point way = b - a;
  const double squared = lengthSquared(way), share = squared > 0 ? dot(p - a, way) / squared : 0;
  return length(p - (a + way * std::clamp(share, 0.0, 1.0)));
}

double distance(const Segment& s, const Segment& t) {
  const auto side = [](const Segment& line, Point p) { return det(line.b - line.a, p - line.a) > 0; };
  if (side(s, t.a) != side(s, t.b) && side(t, s.a) != side(t, s.b)) return 0;
  return std::min({distance(s.a, t.a, t.b), distance(s.b, t.a, t.b), distance(t.a, s.a, s.b), distance(t.b, s.a, s.b)});
}

bool contains(const Polygon& polygon, Point p) {
  bool inside = false;
  const Ring& ring = polygon.outer;
  for (std::size_t i = 0, k = ring.size() - 1; i < ring.size(); k = i++)
    if ((ring[i].y > p.y) != (ring[k].y > p.y) &&
        p.x < (ring[k].x - ring[i].x) * (p.y - ring[i].y) / (ring[k].y - ring[i].y) + ring[i].x)
      inside = !inside;
  return inside;
}

/// What there is to keep off: walls, and ground that is dear; brute force.
class Surroundings {
 public:
  Surroundings(const Scene& scene, const std::vector<std::string>& avoided)
      : layer_(scene.layers[0]), avoided_(avoided) {
    for (const auto* polygons : {&layer_.walkable, &layer_.obstacles})
      for (const Polygon& polygon : *polygons)
        for (std::size_t i = 0; i < polygon.outer.size(); ++i)
          walls_.push_back({polygon.outer[i], polygon.outer[(i + 1) % polygon.outer.size()]});
  }
  double clearance(Point a, Point b) const {
    double least = HUGE_VAL;
    for (const Segment& wall : walls_) least = std::min(least, distance({a, b}, wall));
    return least;
  }
  /// Does a body touch ground that should be avoided? Of regions that overlap the last counts.
  bool touches(Point p) const {
    for (int k = 0; k < 24; ++k) {
      const double angle = 2 * M_PI * k / 24;
      const Point q = p + Point{std::cos(angle), std::sin(angle)} * (kFit * kRadius);
      for (std::size_t i = layer_.regions.size(); i-- > 0;) {
        const auto& area = layer_.regions[i].area;
        if (std::none_of(area.begin(), area.end(), [&](const Polygon& polygon) { return contains(polygon, q); }))
          continue;
        if (std::find(avoided_.begin(), avoided_.end(), layer_.regions[i].type) != avoided_.end()) return true;
        break;
      }
    }
    return false;
  }

 private:
  const Layer& layer_;
  std::vector<std::string> avoided_;
  std::vector<Segment> walls_;
};

/// `gap`: closed while routes are planned, so that they lead round it.
Walked walk(Scene scene, const Follower& follower, const Ways& ways, const std::vector<std::string>& avoided,
            const Ring& gap, const std::string& planner) {
  Profile& profile = scene.profiles[0];
  profile = withModelsAlone(profile);
  profile.radius = Distribution::constant(kRadius);
  profile.planner = {planner, {}};
  profile.follower = follower.choice;
  profile.steering = {"linear", {}};
  Population walkers;
  walkers.name = "walkers";
  for (std::size_t i = 0; i < ways.from.size(); ++i) {
    walkers.count = 1, walkers.name = fmt::format("walker {}", i + 1);
    walkers.start.shape = StartPoints{{ways.from[i]}};
    walkers.goals = {{GoalPoint{ways.to[i], 0.3}}};
    scene.populations.push_back(walkers);
  }
  const Surroundings around(scene, avoided);
  World world(scene, WorldOptions{.threads = 1, .seed = 1});
  if (!gap.empty()) {
    const ObstacleId closed = world.insertObstacle(gap);
    world.step();
    world.removeObstacle(closed);
  }
  const std::vector<AgentId> everybody(world.ids().begin(), world.ids().end());
  Walked walked;
  walked.tracks.resize(ways.from.size()), walked.routes.resize(ways.from.size());
  for (int i = 0; i < 4000 && !world.ids().empty(); ++i) {
    const Frame decided = world.frame();  // where everybody is when they choose what attracts them
    std::vector<Point> from(everybody.size());
    for (std::size_t k = 0; k < everybody.size(); ++k)
      if (world.contains(everybody[k]))
        from[k] = {decided.x[world.row(everybody[k])], decided.y[world.row(everybody[k])]};
    world.step();
    const Frame frame = world.frame();
    const std::vector<AgentId> ids(world.ids().begin(), world.ids().end());
    for (const AgentId id : ids) {
      const std::size_t row = world.row(id);
      const Point here{frame.x[row], frame.y[row]};
      const std::vector<Point> route = world.route(id);
      const auto number =
          static_cast<std::size_t>(std::find(everybody.begin(), everybody.end(), id) - everybody.begin());
      if (walked.routes[number].empty()) walked.routes[number] = route;
      walked.tracks[number].push_back(here);
      const double clearance = around.clearance(here, here);
      ++walked.steps;
      walked.least = std::min(walked.least, clearance);
      walked.near += clearance < kFit * kRadius;
      if (route.size() > 1) {
        const double room = around.clearance(from[number], from[number]);
        walked.cutting += around.clearance(from[number], route[1]) < kFit * std::min(kRadius, room) - 1e-4;
      }
      walked.on_avoided += around.touches(here);
    }
  }
  walked.arrived = ways.from.size() - world.ids().size();
  return walked;
}

void draw(const Scene& scene, const std::vector<Walked>& all, const Options& options, Result& result) {
  Overlay overlay;
  constexpr Paint kRoute{0x555555, 1};
  for (std::size_t k = 0; k < std::min(kShown, all[0].routes.size()); ++k)
    overlay.lines.push_back({all[0].routes[k], kRoute, 1.5, 0, 6});
  overlay.keys.push_back({Overlay::Key::Mark::kLine, kRoute, "indicative route"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < std::min(kShown, all[i].tracks.size()); ++k)
      overlay.lines.push_back({all[i].tracks[k], kFollowers[i].paint, 2});
    overlay.keys.push_back({Overlay::Key::Mark::kLine, kFollowers[i].paint, kFollowers[i].name});
  }
  DrawSettings settings;
  settings.title = fmt::format("{}: MIRAN for a disc, for a point, and the indicative route method", scene.name);
  settings.width = 1400;
  settings.overwrite = true;
  const auto path = std::filesystem::path(options.pictures) / fmt::format("{}.png", scene.name);
  drawOverlay(scene, overlay, path.string(), settings);
  result.files.push_back(path.string());
}

struct Experiment {
  Scene scene;
  Ways ways;
  std::vector<std::string> avoided;
  Ring gap;
  std::string planner;
};

void addRows(const std::string& name, const Walked& walked, std::size_t people, bool disc, bool puddle,
             Result& result) {
  const auto add = [&](const char* what, double value, const char* unit, std::optional<Target> target) {
    const std::string of = name + "/" + what;
    result.rows.push_back(target && disc ? row(of, value, unit, {}, *target) : observation(of, value, unit));
  };
  const Target none{Target::Comparison::kAtMost, 0, "the body keeps off walls"};
  add("steps nearer to walls than the body is wide", walked.share(walked.near), "%", none);
  add("steps with a way that cuts a corner", walked.share(walked.cutting), "%", none);
  add("least clearance", walked.least, "m",
      Target{Target::Comparison::kAtLeast, kFit * kRadius, "the radius, less 2 %"});
  add("steps on ground to avoid", walked.share(walked.on_avoided), "%",
      puddle ? std::optional(Target{Target::Comparison::kAtMost, 0, "the puddle is avoided"}) : std::nullopt);
  add("arrived", 100.0 * static_cast<double>(walked.arrived) / static_cast<double>(people), "%",
      Target{Target::Comparison::kAtLeast, 100, "everybody"});
}

void runExperiment(const Experiment& experiment, const Options& options, Result& result) {
  std::vector<Walked> all;
  for (const Follower& follower : kFollowers) {
    if (options.progress) options.progress(fmt::format("{}, {}", experiment.scene.name, follower.name));
    all.push_back(
        walk(experiment.scene, follower, experiment.ways, experiment.avoided, experiment.gap, experiment.planner));
    addRows(fmt::format("{}/{}", experiment.scene.name, follower.name), all.back(), experiment.ways.from.size(),
            std::string_view(follower.name) == "disc", !experiment.gap.empty(), result);
  }
  if (!options.pictures.empty()) draw(experiment.scene, all, options, result);
}

Experiment suburb(std::size_t people, double angle) {
  Experiment experiment{turned(suburbScene(), angle), {}, {"grass", "water"}, {}, regionPlanner()};
  experiment.scene.name = angle == 0 ? "suburb" : "suburb-turned";
  const NavigationMap map(experiment.scene);
  FreePositions positions(experiment.scene, 7);
  while (experiment.ways.from.size() < people) {
    const auto a = positions.draw(map, kRadius + 0.1), b = positions.draw(map, kRadius + 0.1);
    if (length(b->at - a->at) < 30) continue;
    experiment.ways.from.push_back(a->at), experiment.ways.to.push_back(b->at);
  }
  return experiment;
}

}  // namespace

Result jaklin7(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  runExperiment({carPuddleScene(),
                 {{{9.7, 4}}, {{9.7, 16}}},
                 {"puddle"},
                 {{8, 9.9}, {11.4, 9.9}, {11.4, 10.1}, {8, 10.1}},
                 "corridor"},
                options, result);
  const std::size_t people = options.quick ? 8 : 40;
  runExperiment(suburb(people, 0), options, result);
  runExperiment(suburb(people, 0.7), options, result);
  result.notes.push_back(fmt::format("suburb: routes planned with `{}`", regionPlanner()));
  return result;
}

}  // namespace throng::papers
