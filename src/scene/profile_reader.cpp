// Profiles and the settings of a run: the parts of a scene without geometry.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "scene/scene_reader.h"

namespace throng::scene {
namespace {

double required(const Value& owner, const char* key) {
  const auto value = owner.require(key);
  return value ? value->number().value_or(0) : 0;
}

void readModel(const Value& owner, const char* key, ModelChoice& to) {
  const auto value = owner.find(key);
  if (!value) return;
  if (value->json().is_string()) {
    to = {value->json().get<std::string>(), {}};
    return;
  }
  if (!value->json().is_object()) {
    value->unexpected("the name of a model, or {\"model\": name, parameter: value …}");
    return;
  }
  ModelChoice choice;
  if (const auto model = value->require("model")) choice.model = model->string().value_or("");
  for (const auto& [name, unused] : value->json().items()) {
    if (name == "model") continue;
    if (const auto number = value->find(name)->number()) choice.parameters[name] = *number;
  }
  to = std::move(choice);
}

void readStream(const Value& owner, std::optional<std::map<std::string, double>>& to) {
  const auto value = owner.find("stream");
  if (!value) return;
  if (value->json().is_boolean()) {
    if (value->json().get<bool>()) to.emplace();
    return;
  }
  if (!value->json().is_object()) {
    value->unexpected("true, false, or {parameter: value …}");
    return;
  }
  to.emplace();
  for (const auto& [name, unused] : value->json().items())
    if (const auto number = value->find(name)->number()) (*to)[name] = *number;
}

void readChoice(const Value& owner, const char* key, bool& to) {
  const auto value = owner.find(key);
  if (!value) return;
  if (value->json().is_boolean())
    to = value->json().get<bool>();
  else
    value->unexpected("true or false");
}

/// A number, "never", or what differs from person to person.
void readWeights(const Value& owner, std::map<std::string, Distribution>& to) {
  const auto weights = owner.find("region_weights");
  if (!weights) return;
  if (!weights->json().is_object()) {
    weights->unexpected("an object of region types and their weights");
    return;
  }
  for (const auto& [type, weight] : weights->json().items()) {
    if (weight == "never")
      to[type] = Distribution::constant(std::numeric_limits<double>::infinity());
    else if (weight.is_number() || weight.is_object())
      readDistribution(*weights, type.c_str(), to[type]);
    else
      weights->find(type)->unexpected("a number, \"never\", or what differs from person to person");
  }
}

void readSlopeCost(const Value& owner, SlopeCost& to) {
  const auto cost = owner.find("slope_cost");
  if (!cost || !cost->isObject("slope_cost")) return;
  cost->read("up", to.up);
  cost->read("down", to.down);
}

}  // namespace

void readDistribution(const Value& owner, const char* key, Distribution& to) {
  const auto value = owner.find(key);
  if (!value) return;
  if (value->json().is_number()) {
    to = Distribution::constant(value->json().get<double>());
    return;
  }
  if (!value->json().is_object()) {
    value->unexpected("a number, {\"uniform\": …}, {\"normal\": …} or {\"truncated\": …}");
    return;
  }
  value->isObject("distribution");
  if (value->json().size() != 1) {
    value->error("allowed: one of \"uniform\", \"normal\", \"truncated\"");
  } else if (const auto uniform = value->find("uniform")) {
    if (const auto range = uniform->pair("a range [min, max]")) to = Distribution::uniform(range->x, range->y);
  } else if (const auto normal = value->find("normal")) {
    if (normal->isObject("normal")) {
      to = Distribution::normal(required(*normal, "mean"), required(*normal, "deviation"));
    }
  } else if (const auto truncated = value->find("truncated")) {
    if (truncated->isObject("truncated")) {
      to = Distribution::truncatedNormal(required(*truncated, "mean"), required(*truncated, "deviation"),
                                         required(*truncated, "min"), required(*truncated, "max"));
    }
  }
}

Profile readProfile(const Value& value, const std::string& name) {
  Profile profile;
  profile.name = name;
  if (!value.isObject("profile")) return profile;
  readDistribution(value, "radius", profile.radius);
  readDistribution(value, "preferred_speed", profile.preferred_speed);
  value.read("max_speed_factor", profile.max_speed_factor);
  readWeights(value, profile.region_weights);
  readSlopeCost(value, profile.slope_cost);
  readModel(value, "planner", profile.planner);
  readModel(value, "follower", profile.follower);
  readModel(value, "steering", profile.steering);
  readStream(value, profile.stream);
  readChoice(value, "unstuck", profile.unstuck);
  readChoice(value, "give_way", profile.give_way);
  readChoice(value, "go_round", profile.go_round);
  readChoice(value, "avoid_congestion", profile.avoid_congestion);
  readChoice(value, "take_turns", profile.take_turns);
  readChoice(value, "harmonise_speed", profile.harmonise_speed);
  readChoice(value, "share_goals", profile.share_goals);
  return profile;
}

RunSettings readRun(const Value& value) {
  RunSettings run;
  if (!value.isObject("run")) return run;
  value.read("dt", run.dt);
  if (const auto seed = value.find("seed")) {
    run.seed = seed->wholeNumber(std::numeric_limits<std::uint64_t>::max()).value_or(run.seed);
  }
  if (const auto duration = value.find("duration")) run.duration = duration->number();
  if (const auto until = value.find("until")) {
    if (until->json() != "all_arrived") until->unexpected("\"all_arrived\"");
    run.until_all_arrived = true;
  }
  value.read("patience", run.patience);
  if (run.dt >= kShortestStep && run.dt <= kLongestStep)
    run.recording_rate = fittingRecordingRate(run.dt, run.recording_rate);
  value.read("recording_rate", run.recording_rate);
  return run;
}

}  // namespace throng::scene
