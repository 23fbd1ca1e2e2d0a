#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "scene/scene_check.h"

namespace throng::scene {
namespace {

// Normal distributions reach everywhere; what is farther out than this many deviations (one in two million) is ignored.
constexpr double kReach = 5;

/// A quantity that everybody has, and what it may be.
struct Quantity {
  const char* name;
  Limits limits;
  const char* unit;
};

void checkDistribution(const Distribution& d, const Quantity& quantity, const std::string& here, Findings& findings) {
  if (findings.broken(here)) return;
  const Range range(findings);
  const auto [least, most] = quantity.limits;
  const auto allowed = [&, least = least, most = most](double value) {
    return range.within(here, value, least, most, quantity.unit);
  };
  switch (d.kind) {
    case Distribution::Kind::kConstant:
      allowed(d.mean);
      break;
    case Distribution::Kind::kUniform:
      if (allowed(d.min) && allowed(d.max) && d.min > d.max) {
        findings.error(here,
                       fmt::format("found a range from {:g} to {:g}; allowed: the smaller number first", d.min, d.max));
      }
      break;
    case Distribution::Kind::kNormal:
      if (!allowed(d.mean) || !range.within(here, d.deviation, 0, most, quantity.unit)) return;
      if (d.mean - kReach * d.deviation < least || d.mean + kReach * d.deviation > most) {
        findings.error(here,
                       fmt::format("a {0} of {1:g} ± {2:g} {3} would be less than {4:g} or more than {5:g} {3} for "
                                   "somebody; allowed: a deviation of at most {6:g}, or \"truncated\" with \"min\" and "
                                   "\"max\"",
                                   quantity.name, d.mean, d.deviation, quantity.unit, least, most,
                                   std::min(d.mean - least, most - d.mean) / kReach));
      }
      break;
    case Distribution::Kind::kTruncatedNormal:
      if (!allowed(d.min) || !allowed(d.max) || !range.within(here, d.deviation, 0, most, quantity.unit) ||
          !range.within(here, d.mean, -most, most, quantity.unit)) {
        return;
      }
      if (d.min > d.max) {
        findings.error(here, fmt::format("found min {:g} above max {:g}; allowed: min below max", d.min, d.max));
      } else if (d.min > d.mean + kReach * d.deviation || d.max < d.mean - kReach * d.deviation) {
        findings.error(here,
                       fmt::format("hardly any number around {:g} ± {:g} lies between {:g} and {:g}; allowed: a range "
                                   "within {:g} deviations of the mean",
                                   d.mean, d.deviation, d.min, d.max, kReach));
      }
      break;
  }
}

/// `owner` is for the message: "steering model 'orca'".
void checkParameters(const std::map<std::string, double>& given, const ModelInfo& model, const std::string& owner,
                     const std::string& here, Findings& findings) {
  for (const auto& [name, value] : given) {
    const std::string place = here + "/" + pointerPart(name);
    std::vector<std::string_view> parameters;
    const ModelParameter* parameter = nullptr;
    for (const auto& p : model.parameters) {
      parameters.push_back(p.name);
      if (p.name == name) parameter = &p;
    }
    if (!parameter) {
      findings.error(place, fmt::format("{} has no parameter {}{}", owner, inQuotes(name),
                                        parameters.empty() ? "; it has none" : suggestion(name, parameters)));
    } else {
      Range(findings).within(place, value, parameter->min, parameter->max,
                             parameter->unit == "1" ? "" : parameter->unit);
    }
  }
}

void checkModel(const ModelChoice& choice, std::span<const ModelInfo> table, const char* what, const std::string& here,
                Findings& findings) {
  if (table.empty() || findings.broken(here)) return;
  std::vector<std::string_view> names;
  const ModelInfo* model = nullptr;
  for (const auto& info : table) {
    names.push_back(info.name);
    if (info.name == choice.model) model = &info;
  }
  if (!model) {
    findings.error(here,
                   fmt::format("there is no {} {}{}", what, inQuotes(choice.model), suggestion(choice.model, names)));
    return;
  }
  checkParameters(choice.parameters, *model, fmt::format("{} {}", what, inQuotes(choice.model)), here, findings);
}

void checkWeights(const Scene& scene, const Profile& profile, const std::string& here, Findings& findings) {
  std::vector<std::string_view> types;
  for (const auto& layer : scene.layers) {
    for (const auto& region : layer.regions) types.push_back(region.type);
  }
  const std::set<std::string_view> distinct(types.begin(), types.end());
  types.assign(distinct.begin(), distinct.end());
  for (const auto& [type, weight] : profile.region_weights) {
    const std::string place = here + "/region_weights/" + pointerPart(type);
    const bool never = weight.kind == Distribution::Kind::kConstant && weight.mean > kRegionWeightLimits.most &&
                       std::isinf(weight.mean);
    if (!never) checkDistribution(weight, {"weight", kRegionWeightLimits, "per m"}, place, findings);
    if (distinct.count(type) == 0 && !findings.broken("/layers")) {
      findings.warning(place,
                       fmt::format("no region in this scene is of type {}{}", inQuotes(type), suggestion(type, types)));
    }
  }
}

}  // namespace

void checkProfiles(const Scene& scene, const KnownModels& models, Findings& findings) {
  if (scene.profiles.empty() && !findings.broken("/profiles")) {
    findings.error("/profiles", "a scene needs at least one profile");
  }
  std::set<std::string> names;
  for (const auto& profile : scene.profiles) {
    const std::string here = "/profiles/" + pointerPart(profile.name);
    if (!names.insert(profile.name).second) {
      findings.error(here, fmt::format("there is another profile named {}; names must differ", inQuotes(profile.name)));
    }
    if (profile.name.empty()) findings.error(here, "the name of a profile may not be empty");
    checkDistribution(profile.radius, {"radius", kRadiusLimits, "m"}, here + "/radius", findings);
    checkDistribution(profile.preferred_speed, {"speed", kPreferredSpeedLimits, "m/s"}, here + "/preferred_speed",
                      findings);
    Range(findings).within(here + "/max_speed_factor", profile.max_speed_factor, 1, 100, "times the preferred speed");
    checkWeights(scene, profile, here, findings);
    for (const auto& [key, cost] : {std::pair{"up", profile.slope_cost.up}, std::pair{"down", profile.slope_cost.down}})
      Range(findings).within(here + "/slope_cost/" + key, cost, kSlopeCostLimits.least, kSlopeCostLimits.most,
                             "per m of height");
    if (!profile.planner.model.empty() || !profile.planner.parameters.empty())
      checkModel(profile.planner, models.planners, "planner", here + "/planner", findings);
    checkModel(profile.follower, models.followers, "follower", here + "/follower", findings);
    checkModel(profile.steering, models.steering, "steering model", here + "/steering", findings);
    if (profile.stream && models.stream && !findings.broken(here + "/stream"))
      checkParameters(*profile.stream, *models.stream, "Stream", here + "/stream", findings);
  }
}

}  // namespace throng::scene
