// Ondřej, Pettré, Olivier & Donikian, "A synthetic-vision based steering approach for crowd simulation", SIGGRAPH 2010,
// section 5 and Table 1: two scenes in which the models differ, and the two numbers that tell them apart. The paper
// gives neither radii, speeds nor distances; ours stand in the table's parameters, so a travel time is comparable
// between our rows and only roughly with the paper's.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "throng/models.h"

#include "papers/paper.h"
#include "papers/scenes.h"
#include "papers/trial.h"

namespace throng::papers {
namespace {

struct Published {
  double travel_time;  // s
  double slow;         // %
};

/// Our model and the row of Table 1 it stands for.
struct Contestant {
  const char* model;
  const char* row;
  Published circle, swap;
};

constexpr Contestant kContestants[] = {
    {"orca", "RVO", {63, 13.0}, {59, 4.7}},
    {"social-force", "Helbing's", {90, 30.4}, {71, 11.0}},
};

struct Outcome {
  double travel_time = 0, slow = 0, overlapping = 0;  // s, %, %
  double deepest = 0;                                 // m
  double never_arrived = 0;                           // people
};

Outcome measure(const Trial& trial, std::uint64_t seed, const Options& options, const std::string& recording) {
  const MetricsReport report = runTrial(trial, seed, options.threads, recording);
  const std::uint64_t missing = report.people - report.arrivals;
  // Whoever never arrives has travelled for as long as the run lasted, at least.
  const double longest = missing > 0 ? report.time : report.travel_time.max;
  return {longest, 100 * report.slow_share, 100 * report.collision_share, report.deepest_overlap,
          static_cast<double>(missing)};
}

Outcome medians(const std::vector<Outcome>& outcomes) {
  const auto of = [&](double Outcome::*field) {
    std::vector<double> values;
    for (const Outcome& outcome : outcomes) values.push_back(outcome.*field);
    return median(std::move(values));
  };
  return {of(&Outcome::travel_time), of(&Outcome::slow), of(&Outcome::overlapping), of(&Outcome::deepest),
          of(&Outcome::never_arrived)};
}

bool exists(std::string_view model) {
  const auto models = steeringModels();
  return std::any_of(models.begin(), models.end(), [&](const ModelInfo& info) { return info.name == model; });
}

void addRows(Result& result, const std::string& name, const Outcome& ours, const Published& published) {
  const auto at_most = [](double value) {
    return Target{Target::Comparison::kAtMost, value, "the published value of the same model"};
  };
  result.rows.push_back(
      row(name + "/max travel time", ours.travel_time, "s", published.travel_time, at_most(published.travel_time)));
  result.rows.push_back(row(name + "/slow walkers", ours.slow, "%", published.slow, at_most(published.slow)));
}

void runScene(const Options& options, const std::string& scene_name, const Contestant& contestant, Result& result) {
  const bool circle = scene_name == "circle";
  const Trial trial =
      circle ? Trial{circleScene(contestant.model), {}} : Trial{groupSwapScene(contestant.model), addSwappers};
  const std::string name = scene_name + "/" + contestant.model;
  const int seeds = options.seeds.value_or(options.quick ? 1 : 5);
  std::vector<Outcome> outcomes;
  for (int seed = 1; seed <= seeds; ++seed) {
    if (options.progress) options.progress(fmt::format("{}, seed {} of {}", name, seed, seeds));
    std::string recording;
    if (seed == 1 && !options.pictures.empty())
      recording = (std::filesystem::path(options.pictures) / fmt::format("{}-{}.sqlite", scene_name, contestant.model))
                      .string();
    outcomes.push_back(measure(trial, static_cast<std::uint64_t>(seed), options, recording));
    if (recording.empty()) continue;
    const std::string picture = std::filesystem::path(recording).replace_extension(".png").string();
    drawTrajectories(recording, picture, fmt::format("{}, {}", scene_name, contestant.model));
    result.files.push_back(picture);
    result.files.push_back(recording);
  }
  const Outcome ours = medians(outcomes);
  addRows(result, name, ours, circle ? contestant.circle : contestant.swap);
  const double straight = (circle ? kCircleDistance : kSwapDistance) / kPreferredSpeed;
  result.notes.push_back(fmt::format(
      "{} stands for the paper's {}: {:.2f} times the straight line's {:.1f} s, {:.2f} % of "
      "agent-steps overlap, deepest {:.3f} m, {:g} never arrive",
      name, contestant.row, ours.travel_time / straight, straight, ours.overlapping, ours.deepest, ours.never_arrived));
}

}  // namespace

Result ondrej1(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  for (const char* scene : {"circle", "group-swap"})
    for (const Contestant& contestant : kContestants)
      if (exists(contestant.model)) runScene(options, scene, contestant, result);
  result.notes.push_back(
      "An agent-step overlaps when somebody is more than 1 % of the two radii inside somebody else.");
  return result;
}

}  // namespace throng::papers
