// Ondřej, Pettré, Olivier & Donikian, "A synthetic-vision based steering approach for crowd simulation", SIGGRAPH 2010,
// section 5 and Table 1: two scenes in which the models differ, and the two numbers that tell them apart. The paper
// gives neither radii, speeds nor distances; ours stand in the table's parameters, so a travel time is comparable
// between our rows and only roughly with the paper's.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "throng/models.h"

#include "papers/montage.h"
#include "papers/paper.h"
#include "papers/scenes.h"
#include "papers/trial.h"

namespace throng::papers {
namespace {

struct Published {
  std::string_view model, row;  // ours, and the row of Table 1 it stands for
  struct {
    double travel_time;  // s
    double slow;         // %
  } circle, swap;
};

constexpr Published kPublished[] = {
    {"vision", "our model", {53, 0.97}, {55, 0.74}},
    {"orca", "RVO", {63, 13.0}, {59, 4.7}},
    {"social-force", "Helbing's", {90, 30.4}, {71, 11.0}},
};

struct Place {
  const char* name;
  int deep;  // rows of a group; 0: the circle
  bool published;
};

constexpr Place kPlaces[] = {{"circle", 0, true}, {"group-swap", 5, true}, {"group-swap-200", 10, false}};

/// Nothing is to be learnt here from models that do not avoid anybody.
bool avoids(std::string_view model) { return model != "linear" && model != "seek"; }

struct Outcome {
  double travel_time = 0, slow = 0, overlapping = 0;  // s, %, %
  double deepest = 0;                                 // m
  double never_arrived = 0;                           // people
  double jerk = 0, reversals = 0;                     // m/s³, per person and minute
  double order = 0;                                   // 0 to 1: circulation in the circle, lanes in the swap
  double lanes = 0;
};

using Column = double Outcome::*;
constexpr Column kTravelTime = &Outcome::travel_time, kSlow = &Outcome::slow, kOverlapping = &Outcome::overlapping;

/// A model's medians, one for each place.
struct Contestant {
  std::string model;
  std::vector<Outcome> outcomes;
};

Outcome measure(const Trial& trial, std::uint64_t seed, const Options& options, const std::string& recording) {
  const MetricsReport report = runTrial(trial, seed, options.threads, recording);
  const std::uint64_t missing = report.people - report.arrivals;
  Outcome outcome;
  // Whoever never arrives has travelled for as long as the run lasted, at least.
  outcome.travel_time = missing > 0 ? report.time : report.travel_time.max;
  outcome.slow = 100 * report.slow_share;
  outcome.overlapping = 100 * report.collision_share;
  outcome.deepest = report.deepest_overlap;
  outcome.never_arrived = static_cast<double>(missing);
  outcome.jerk = report.jerk;
  outcome.reversals = report.heading_reversals;
  // Left or right is as good: seeds may differ in it.
  if (!report.circulations.empty()) outcome.order = std::abs(report.circulations[0].circulation);
  if (!report.lanes.empty()) {
    outcome.order = report.lanes[0].order;
    outcome.lanes = report.lanes[0].lanes.mean;
  }
  return outcome;
}

Outcome medians(const std::vector<Outcome>& outcomes) {
  Outcome middle;
  for (const Column column : {kTravelTime, kSlow, kOverlapping, &Outcome::deepest, &Outcome::never_arrived,
                              &Outcome::jerk, &Outcome::reversals, &Outcome::order, &Outcome::lanes}) {
    std::vector<double> values;
    for (const Outcome& outcome : outcomes) values.push_back(outcome.*column);
    middle.*column = median(std::move(values));
  }
  return middle;
}

Trial trialOf(const Place& place, const std::string& model) {
  if (place.deep == 0) return {circleScene(model), [](World& world, std::uint64_t) { walkFromTheStart(world); }};
  return {groupSwapScene(model, place.deep),
          [deep = place.deep](World& world, std::uint64_t seed) { addSwappers(world, seed, deep); }};
}

Outcome runPlace(const Options& options, const Place& place, const std::string& model, Result& result) {
  const Trial trial = trialOf(place, model);
  const int seeds = options.seeds.value_or(options.quick ? 1 : 5);
  std::vector<Outcome> outcomes;
  for (int i = 0; i < seeds; ++i) {
    if (options.progress) options.progress(fmt::format("{}, {}, seed {} of {}", place.name, model, i + 1, seeds));
    std::string recording;
    if (i == 0 && !options.pictures.empty())
      recording = (std::filesystem::path(options.pictures) / fmt::format("{}-{}.sqlite", place.name, model)).string();
    outcomes.push_back(measure(trial, options.first_seed + static_cast<std::uint64_t>(i), options, recording));
    if (recording.empty()) continue;
    const std::string picture = std::filesystem::path(recording).replace_extension(".png").string();
    drawTrajectories(recording, picture, fmt::format("{}, {}", place.name, model));
    result.files.push_back(picture);
    result.files.push_back(recording);
  }
  return medians(outcomes);
}

Target atMost(double value, const char* reason) { return {Target::Comparison::kAtMost, value, reason}; }

void addRows(Result& result, const Place& place, const std::string& model, const Outcome& ours) {
  const std::string name = fmt::format("{}/{}", place.name, model);
  const auto* known = std::find_if(std::begin(kPublished), std::end(kPublished),
                                   [&](const Published& published) { return published.model == model; });
  if (place.published && known != std::end(kPublished)) {
    const auto& values = place.deep == 0 ? known->circle : known->swap;
    const char* reason = "the published value of the same model";
    result.rows.push_back(
        row(name + "/max travel time", ours.travel_time, "s", values.travel_time, atMost(values.travel_time, reason)));
    result.rows.push_back(row(name + "/slow walkers", ours.slow, "%", values.slow, atMost(values.slow, reason)));
  } else {
    result.rows.push_back(observation(name + "/max travel time", ours.travel_time, "s"));
    result.rows.push_back(observation(name + "/slow walkers", ours.slow, "%"));
  }
  result.rows.push_back(observation(name + "/overlapping", ours.overlapping, "% of agent-steps"));
}

/// What the model of the paper must reach, and ours on the same eyes, each in rows of its own: to be ahead of all
/// others, and marks that none has reached.
void addMarks(Result& result, const std::vector<Contestant>& contestants, std::string_view model) {
  const auto found = std::find_if(contestants.begin(), contestants.end(),
                                  [&](const Contestant& contestant) { return contestant.model == model; });
  if (found == contestants.end()) return;
  for (std::size_t i = 0; i < std::size(kPlaces); ++i) {
    const std::string name = fmt::format("{}/{}", kPlaces[i].name, model);
    for (const auto& [column, what, unit] :
         {std::tuple{kTravelTime, "max travel time", "s"}, std::tuple{kSlow, "slow walkers", "%"}}) {
      double other = std::numeric_limits<double>::infinity();
      for (const Contestant& one : contestants)
        if (one.model != model) other = std::min(other, one.outcomes[i].*column);
      result.rows.push_back(row(fmt::format("{}/{} less the best other model's", name, what),
                                found->outcomes[i].*column - other, unit, std::nullopt,
                                atMost(0, "the best of all models in its column")));
    }
    if (kPlaces[i].deep != 0) continue;
    const char* reason = "no published model has all three";
    const Outcome& ours = found->outcomes[i];
    result.rows.push_back(row(name + "/at most 0.2 % slow", ours.slow, "%", std::nullopt, atMost(0.2, reason)));
    result.rows.push_back(row(name + "/within 48 s", ours.travel_time, "s", std::nullopt, atMost(48, reason)));
    result.rows.push_back(
        row(name + "/without an overlap", ours.overlapping, "% of agent-steps", std::nullopt, atMost(0, reason)));
  }
}

std::string timeText(const Outcome& outcome, const char* unit = "") {
  return outcome.never_arrived > 0 ? fmt::format("{:g} never arrive", outcome.never_arrived)
                                   : fmt::format("{:.1f}{}", outcome.travel_time, unit);
}

/// Lines of a table in Markdown; the first has the names of the columns.
void addTable(Result& result, std::vector<std::vector<std::string>> lines) {
  lines.insert(lines.begin() + 1, std::vector<std::string>{});
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  for (const auto& line : lines) {
    std::string text = "|";
    for (std::size_t i = 0; i < widths.size(); ++i)
      text += line.empty() ? std::string(widths[i] + 2, '-') + "|" : fmt::format(" {:<{}} |", line[i], widths[i]);
    result.notes.push_back(text);
  }
  result.notes.push_back("");
}

/// All models side by side: what to choose by, and the rest.
void addSideBySide(Result& result, const std::vector<Contestant>& contestants) {
  std::vector<std::vector<std::string>> first{{"model", "circle: time", "slow", "overlap", "jerk", "reversals",
                                               "swap: time", "slow", "swap of 200: time", "slow"}};
  std::vector<std::vector<std::string>> second{{"model", "circle: circulation", "deepest overlap", "swap: overlap",
                                                "jerk", "reversals", "lanes", "their order", "swap of 200: overlap"}};
  const auto two = [](double value) { return fmt::format("{:.2f}", value); };
  const auto one = [](double value) { return fmt::format("{:.1f}", value); };
  for (const Contestant& each : contestants) {
    const Outcome &circle = each.outcomes[0], &swap = each.outcomes[1], &large = each.outcomes[2];
    const std::string model = fmt::format("`{}`", each.model);
    first.push_back({model, timeText(circle), two(circle.slow), two(circle.overlapping), one(circle.jerk),
                     one(circle.reversals), timeText(swap), two(swap.slow), timeText(large), two(large.slow)});
    second.push_back({model, two(circle.order), two(circle.deepest), two(swap.overlapping), one(swap.jerk),
                      one(swap.reversals), one(swap.lanes), two(swap.order), two(large.overlapping)});
  }
  addTable(result, std::move(first));
  addTable(result, std::move(second));
}

/// All models side by side: everybody's ways, and everybody when they meet.
void addMontages(const Options& options, const Place& place, const std::vector<Contestant>& contestants,
                 std::size_t index, Result& result) {
  const std::filesystem::path folder = options.pictures;
  Montage montage;
  for (const Contestant& one : contestants) {
    const Outcome& outcome = one.outcomes[index];
    montage.panels.push_back({fmt::format("{} {}, {:.2g} %", one.model, timeText(outcome, " s"), outcome.slow),
                              (folder / fmt::format("{}-{}.sqlite", place.name, one.model)).string()});
  }
  const double wide = 28, high = place.deep == 0 ? 28 : 14;  // m
  montage.view = {{-wide, -high}, {wide, high}};
  montage.title = fmt::format("{}: all models", place.name);
  montage.caption = "time until the last has arrived; share of time below 0.5 m/s";
  const auto draw = [&](const std::string& name) {
    const std::string picture = (folder / (name + ".png")).string();
    drawMontage(montage, picture);
    result.files.push_back(picture);
  };
  draw(place.name);
  montage.time = place.deep == 0 ? 22 : 16.5;
  montage.view = place.deep == 0 ? Rectangle{{-12, -12}, {12, 12}} : Rectangle{{-15, -12}, {15, 12}};
  montage.caption += fmt::format("; everybody after {:g} s", *montage.time);
  draw(fmt::format("{}-meeting", place.name));
}

}  // namespace

Result ondrej1(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  std::vector<Contestant> contestants;
  for (const ModelInfo& info : steeringModels())
    if (avoids(info.name) && options.takes(info.name)) contestants.push_back({std::string(info.name), {}});
  for (const Place& place : kPlaces) {
    for (Contestant& one : contestants) {
      one.outcomes.push_back(runPlace(options, place, one.model, result));
      addRows(result, place, one.model, one.outcomes.back());
    }
    if (!options.pictures.empty())
      addMontages(options, place, contestants, static_cast<std::size_t>(&place - kPlaces), result);
  }
  if (options.models.empty()) {  // the best of all is only found among all
    addMarks(result, contestants, "vision");
    addMarks(result, contestants, "vision-predictive");
  }
  addSideBySide(result, contestants);
  result.notes.push_back(
      "time: s until the last has arrived; slow: % of time below 0.5 m/s; overlap: % of agent-steps in which somebody\n"
      "is more than 1 % of the two radii inside somebody else, deepest in m; jerk: m/s³; reversals of heading per "
      "person\n"
      "and minute; "
      "circulation: 1 if all pass the centre on the same side; lanes side by side, and their order: 0 as by chance, 1 "
      "pure.");
  for (const Published& published : kPublished)
    result.notes.push_back(fmt::format("{} stands for the paper's {}.", published.model, published.row));
  return result;
}

}  // namespace throng::papers
