// All steering models side by side (docs/models/index.md): mean speed by density, flow through openings, a hundred
// people who cross a circle, and what a step costs. Everybody is measured in the same places by the same code; the
// models have their default parameters and nothing else helps them, but for Throng's own.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "throng/draw.h"
#include "throng/models.h"
#include "throng/world.h"

#include "papers/dense_scenes.h"
#include "papers/montage.h"
#include "papers/scenes.h"
#include "papers/trial.h"
#include "papers/validations.h"

namespace throng::papers {
namespace {

constexpr double kCircleMoment = 22;  // s: when people meet in the middle
constexpr double kCorridor = 4;       // m wide
constexpr double kDepth = 0.4;        // m, of openings

/// People/s, mean of Kretz 2006, Seyfried 2009 and Liddle 2009, as in `throng validate bottlenecks`.
constexpr Point kMeasuredDoors[] = {{0.8, 1.355}, {1.0, 1.86}, {1.2, 2.27}, {1.6, 2.84}, {2.0, 3.55}};

double weidmann(double density) { return 1.34 * (1 - std::exp(-1.913 * (1 / density - 1 / 5.4))); }

struct Findings {
  std::string model;
  std::vector<Point> speeds;                                 ///< people/m², m/s
  std::vector<Point> flows;                                  ///< m, people/s; 0: they jam
  double time = 0, slow = 0, overlap = 0, never_arrive = 0;  ///< of the circle: s, %, % of agent-steps, people
  double cost = 0;                                           ///< µs per person and step
  std::string recording;
};

std::vector<double> densitiesOf(const Options& options) {
  return options.quick ? std::vector<double>{0.5, 1, 2, 3, 4} : std::vector<double>{0.5, 1, 1.5, 2, 2.5, 3, 4, 5};
}
std::vector<double> widthsOf(const Options& options) {
  return options.quick ? std::vector<double>{0.8, 1.2, 2.0} : std::vector<double>{0.8, 1.0, 1.2, 1.6, 2.0};
}

template <class Experiment>
double mean(const Options& options, DenseRun run, const Experiment& experiment) {
  const int seeds = seedsOf(options, 3);
  double sum = 0;
  for (int i = 0; i < seeds; ++i) {
    run.seed = kFirstSeed + static_cast<std::uint64_t>(i), run.threads = 1;
    sum += experiment(run) / seeds;
  }
  return sum;
}

void crossTheCircle(const Options& options, Findings& found) {
  const Trial trial{circleScene(found.model), [](World& world, std::uint64_t) { walkFromTheStart(world); }};
  std::vector<double> times, slow, overlaps, missing;
  for (int i = 0; i < seedsOf(options, 3); ++i) {
    if (i == 0 && !options.pictures.empty())
      found.recording = (std::filesystem::path(options.pictures) / (found.model + ".sqlite")).string();
    const MetricsReport report =
        runTrial(trial, kFirstSeed + static_cast<std::uint64_t>(i), 1, i == 0 ? found.recording : std::string());
    const auto never = static_cast<double>(report.people - report.arrivals);
    times.push_back(never > 0 ? report.time : report.travel_time.max);
    slow.push_back(100 * report.slow_share), overlaps.push_back(100 * report.collision_share);
    missing.push_back(never);
  }
  found.time = median(times), found.slow = median(slow), found.overlap = median(overlaps);
  found.never_arrive = median(missing);
}

/// µs of one processor per person and step, of the whole step: two opposing flows in the open, 0.3 people/m². Time of
/// the processor and not of the clock, so that other work on the machine counts little; the quickest of five.
double costOf(const std::string& model) {
  constexpr double kLength = 100, kPeople = 1000;
  DenseRun run;
  run.model = model;
  Scene scene = crowdScene(run, 0.2);
  const Place place(0);
  const double width = kPeople / 0.3 / kLength;
  scene.layers[0].walkable = {place.box(-5, 0, kLength + 5, width)};
  scene.layers[0].wrap = Rectangle{{0, -1}, {kLength, width + 1}};
  const Polygon inside = place.box(0, 0.3, kLength, width - 0.3);
  scene.populations = {walkers(kPeople / 2, inside, {GoalDirection{{1, 0}}}),
                       walkers(kPeople / 2, inside, {GoalDirection{{-1, 0}}})};
  scene.run.duration = 1000;
  World world(scene, {.threads = 1});
  constexpr int kSteps = 4;
  for (int i = 0; i < 2 * kSteps; ++i) world.step();
  double least = 1e9;
  for (int again = 0; again < 5; ++again) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < kSteps; ++i) world.step();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, 1e6 * seconds / kSteps / kPeople);
  }
  return least;
}

Findings measure(const Options& options, const std::string& model) {
  Findings found;
  found.model = model;
  DenseRun run;
  run.model = model;
  for (const double density : densitiesOf(options)) {
    tell(options, fmt::format("{}: corridor, {:g} people/m²", model, density));
    found.speeds.push_back(
        {density, mean(options, run, [&](const DenseRun& r) { return oneWayCorridor(r, kCorridor, density).speed; })});
  }
  run.turned = 41;
  for (const double width : widthsOf(options)) {
    tell(options, fmt::format("{}: opening of {:g} m", model, width));
    found.flows.push_back(
        {width, mean(options, run, [&](const DenseRun& r) { return bottleneck(r, width, kDepth).flow; })});
  }
  tell(options, model + ": circle");
  crossTheCircle(options, found);
  return found;
}

/// Several models at once on the options' threads; costs after that, one after the other.
std::vector<Findings> measureAll(const Options& asked) {
  std::vector<std::string> models = asked.models;
  if (models.empty())
    for (const ModelInfo& model : steeringModels()) models.emplace_back(model.name);
  std::vector<Findings> all(models.size());
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  Options options = asked;
  options.progress = [&](const std::string& what) {
    const std::lock_guard lock(telling);
    tell(asked, what);
  };
  const auto work = [&] {
    // The last ones first: they take longest.
    for (std::size_t i = next++; i < all.size(); i = next++) {
      const std::size_t k = all.size() - 1 - i;
      all[k] = measure(options, models[k]);
    }
  };
  const unsigned threads =
      options.threads > 0 ? static_cast<unsigned>(options.threads) : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  for (Findings& found : all) {
    tell(options, found.model + ": cost");
    found.cost = costOf(found.model);
  }
  return all;
}

// Pictures

constexpr Paint kInk{0x222222, 1}, kQuiet{0x8a8a8a, 1}, kOurs{0x1f6fb4, 1}, kMeasured{0xc0392b, 1};

/// A chart in a panel of its own: lines over a plane that reaches from -13 to 13 m.
class PanelChart {
 public:
  PanelChart(Overlay& overlay, std::uint16_t layer, double most_x, double most_y)
      : overlay_(overlay), layer_(layer), most_x_(most_x), most_y_(most_y) {}

  Point place(Point value) const {
    return {kLeft + (kRight - kLeft) * value.x / most_x_,
            kBottom + (kTop - kBottom) * std::min(value.y / most_y_, 1.0)};
  }
  void axes(const std::vector<double>& x, const std::vector<double>& y, const std::string& x_label,
            const std::string& y_label) {
    overlay_.lines.push_back({{place({0, most_y_}), place({0, 0}), place({most_x_, 0})}, kQuiet, 1.2, layer_});
    for (const double tick : x)
      overlay_.labels.push_back({place({tick, 0}) - Point{0, 1.9}, fmt::format("{:g}", tick), kInk, layer_});
    for (const double tick : y) {
      overlay_.lines.push_back({{place({0, tick}), place({most_x_, tick})}, {kQuiet.rgb, 0.25}, 0.8, layer_});
      overlay_.labels.push_back({place({0, tick}) - Point{1.2, 0.5}, fmt::format("{:g}", tick), kInk, layer_});
    }
    overlay_.labels.push_back({{(kLeft + kRight) / 2, kBottom - 3.2}, x_label, kQuiet, layer_});
    overlay_.labels.push_back({{kLeft + 2.5, kTop + 0.7}, y_label, kQuiet, layer_});
  }
  void line(const std::vector<Point>& values, Paint paint, bool dots) {
    std::vector<Point> points;
    for (const Point& value : values) points.push_back(place(value));
    overlay_.lines.push_back({points, paint, 1.8, layer_});
    for (std::size_t i = 0; dots && i < points.size(); ++i) overlay_.dots.push_back({points[i], paint, 3, layer_});
  }

 private:
  static constexpr double kLeft = -10.5, kRight = 12, kBottom = -9.3, kTop = 10.5;
  Overlay& overlay_;
  std::uint16_t layer_;
  double most_x_, most_y_;
};

std::string circleText(const Findings& found) {
  return found.never_arrive > 0 ? fmt::format("{:g} never arrive", found.never_arrive)
                                : fmt::format("{:.1f} s, {:.2g} % slow", found.time, found.slow);
}

/// Diagram, openings and circle of one model.
void drawModel(const Options& options, const Findings& found, Result& result) {
  Scene scene;
  Overlay overlay;
  for (const std::string& name : {std::string("mean speed, corridor"), std::string("flow through an opening"),
                                  fmt::format("circle: {}", circleText(found))})
    scene.layers.emplace_back().name = name;
  double most = 6;  // people/s, of the vertical axis
  for (const Point& at : found.flows) most = std::max(most, 6 * std::ceil(at.y / 6));
  PanelChart speed(overlay, 0, 5, 1.5), flow(overlay, 1, 2.2, most);
  std::vector<Point> curve;
  for (double density = 0.3; density <= 5.01; density += 0.1) curve.push_back({density, weidmann(density)});
  speed.axes({1, 2, 3, 4, 5}, {0, 0.5, 1, 1.5}, "people per m²", "m/s");
  speed.line(curve, kMeasured, false);
  speed.line(found.speeds, kOurs, true);
  flow.axes({0.5, 1, 1.5, 2}, {0, most / 3, 2 * most / 3, most}, "width in m", "people/s");
  flow.line({std::begin(kMeasuredDoors), std::end(kMeasuredDoors)}, kMeasured, false);
  flow.line(found.flows, kOurs, true);
  addMoment(overlay, found.recording, 2, kCircleMoment);
  overlay.caption = "blue: the model; red: people, as measured; circle: everybody after 22 s";
  DrawSettings settings;
  settings.view = Rectangle{{-13, -13}, {13, 13}};
  settings.width = 640;
  settings.title = found.model;
  settings.overwrite = true;
  const std::string path = (std::filesystem::path(options.pictures) / (found.model + ".png")).string();
  drawOverlay(scene, overlay, path, settings);
  result.files.push_back(path);
}

void drawAll(const Options& options, const std::vector<Findings>& all, Result& result) {
  Montage montage;
  for (const Findings& found : all) {
    if (!std::filesystem::exists(found.recording)) continue;
    montage.panels.push_back({found.model, found.recording});
  }
  montage.view = {{-13, -13}, {13, 13}};
  montage.time = kCircleMoment;
  montage.width = 700;
  montage.title = "a hundred people who cross a circle";
  montage.caption = fmt::format("everybody after {:g} s", kCircleMoment);
  const std::string path = (std::filesystem::path(options.pictures) / "circle.png").string();
  drawMontage(montage, path);
  result.files.push_back(path);
}

/// In Markdown.
void addTable(const std::vector<Findings>& all, Result& result) {
  std::string head = "| model |", rule = "|---|";
  const auto column = [&](const std::string& name) { head += " " + name + " |", rule += "---|"; };
  for (const Point& at : all.front().speeds) column(fmt::format("{:g}/m²", at.x));
  for (const Point& at : all.front().flows) column(fmt::format("{:g} m", at.x));
  for (const char* name : {"circle: time", "slow %", "overlap %", "µs"}) column(name);
  result.notes.push_back(head), result.notes.push_back(rule);
  std::string people = "| *people, as measured* |";
  for (const Point& at : all.front().speeds) people += fmt::format(" {:.2f} |", weidmann(at.x));
  for (const Point& at : all.front().flows)
    for (const Point& door : kMeasuredDoors)
      if (door.x == at.x) people += fmt::format(" {:.2f} |", door.y);
  result.notes.push_back(people + " | | | |");
  for (const Findings& found : all) {
    std::string line = fmt::format("| [`{0}`]({0}.md) |", found.model);
    for (const Point& at : found.speeds) line += fmt::format(" {:.2f} |", at.y);
    for (const Point& at : found.flows) line += at.y > 0 ? fmt::format(" {:.2f} |", at.y) : " jam |";
    line += found.never_arrive > 0 ? fmt::format(" {:g} never |", found.never_arrive)
                                   : fmt::format(" {:.1f} |", found.time);
    result.notes.push_back(line + fmt::format(" {:.2f} | {:.2f} | {:.2g} |", found.slow, found.overlap, found.cost));
  }
}

}  // namespace

Result modelsCompared(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  const std::vector<Findings> all = measureAll(options);
  for (const Findings& found : all) {
    for (const Point& at : found.speeds) {
      result.rows.push_back(observation(fmt::format("{}/speed at {:g} per m²", found.model, at.x), at.y, "m/s"));
      result.rows.back().published = weidmann(at.x);
    }
    for (const Point& at : found.flows) {
      result.rows.push_back(observation(fmt::format("{}/flow through {:g} m", found.model, at.x), at.y, "1/s"));
      for (const Point& door : kMeasuredDoors)
        if (door.x == at.x) result.rows.back().published = door.y;
    }
    result.rows.push_back(observation(fmt::format("{}/circle, time", found.model), found.time, "s"));
    result.rows.push_back(observation(fmt::format("{}/circle, slow", found.model), found.slow, "%"));
    result.rows.push_back(
        observation(fmt::format("{}/circle, overlap", found.model), found.overlap, "% of agent-steps"));
    result.rows.push_back(observation(fmt::format("{}/cost of a step", found.model), found.cost, "µs per person"));
    if (!options.pictures.empty()) drawModel(options, found, result);
  }
  if (!options.pictures.empty() && options.models.empty()) drawAll(options, all, result);
  for (const Findings& found : all)
    if (!found.recording.empty()) std::filesystem::remove(found.recording);
  addTable(all, result);
  return result;
}

}  // namespace throng::papers
