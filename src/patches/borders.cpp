#include "patches/borders.h"

#include <algorithm>
#include <fmt/format.h>

namespace throng::patches {
namespace {

using Kind = PatternType::Kind;

constexpr std::string_view kSame = "same", kOthers = "others", kBuilding = "building", kOutside = "outside";

/// A rule for a template of this name, and whether it names it.
struct FoundRule {
  const PatchBorderRule* rule = nullptr;
  bool by_name = false;
};
FoundRule ruleFor(const PatchTemplate& own, const PatchTemplate& other) {
  const bool same = own.name == other.name;
  for (const PatchBorderRule& rule : own.borders)
    if (rule.to == other.name || (same && rule.to == kSame)) return {&rule, true};
  for (const PatchBorderRule& rule : own.borders)
    if (!same && rule.to == kOthers) return {&rule, false};
  return {};
}

/// The type as the patch on the other side sees it.
PatternType fromBehind(PatternType type) {
  type.out = !type.out;
  if (type.kind == Kind::kSpace) {
    const double from = type.from;
    type.from = 1 - type.to, type.to = 1 - from;
  }
  // Inputs come first in both directions: who comes in here goes out there, and places count from the other corner.
  return type;
}

void refuse(const PatchTemplate& t, const std::string& what) {
  throw InputError(fmt::format("template \"{}\": {}", t.name, what));
}

void refuseRule(const std::vector<PatchTemplate>& templates, const PatchTemplate& t, const PatchBorderRule& rule) {
  const bool is_word = rule.to == kSame || rule.to == kOthers || rule.to == kBuilding || rule.to == kOutside;
  const bool is_name =
      std::any_of(templates.begin(), templates.end(), [&](const auto& o) { return o.name == rule.to; });
  if (!is_word && !is_name)
    refuse(t, fmt::format("a border to \"{}\"; allowed: same, others, building, outside or the name of a template",
                          rule.to));
  if (!(rule.type.from >= 0 && rule.type.from < rule.type.to && rule.type.to <= 1))
    refuse(t, fmt::format("a border to \"{}\" has points from {:g} to {:g}; allowed: 0 to 1, in order", rule.to,
                          rule.type.from, rule.type.to));
  if (rule.crossings && (*rule.crossings < 0 || *rule.crossings > 100))
    refuse(t, fmt::format("a border to \"{}\" has {} crossings; allowed: 0 to 100", rule.to, *rule.crossings));
  if (rule.type.kind == Kind::kOneWay && (rule.to == kSame || rule.to == t.name))
    refuse(t, fmt::format("a one-way border to \"{}\" has no direction; allowed: to other templates, building or "
                          "outside",
                          rule.to));
}

}  // namespace

void refuseTemplates(const std::vector<PatchTemplate>& templates) {
  const auto between = [](const PatchTemplate& t, const char* what, int value, int least, int most) {
    if (value < least || value > most) refuse(t, fmt::format("{} {}; allowed: {} to {}", value, what, least, most));
  };
  for (const PatchTemplate& t : templates) {
    for (const std::string_view word : {kSame, kOthers, kBuilding, kOutside})
      if (t.name == word) refuse(t, "the name has a meaning in rules for borders; allowed: another name");
    between(t, "crossings", t.crossings, 0, 30), between(t, "objects", t.objects, 0, 8);
    between(t, "residents", t.residents, 0, 8), between(t, "versions", t.versions, 1, 1000);
    if (t.density && !(*t.density >= 0 && *t.density <= 1))
      refuse(t, fmt::format("a density of {:g} per m²; allowed: 0 to 1", *t.density));
    for (const PatchBorderRule& rule : t.borders) refuseRule(templates, t, rule);
    for (const PatchObject& object : t.allowed_objects) {
      // As a patch would see it, in a patch that has room for it.
      PatchDefinition around;
      around.corners = {{-50, -50}, {50, -50}, {50, 50}, {-50, 50}};
      around.sides.assign(4, {"border", 100, around.period, {}, {}});
      around.objects = {object};
      if (const auto found = check(around); !found.empty()) refuse(t, found.front().message);
    }
    for (const PatchGroup& group : t.allowed_residents) {
      PatchDefinition around;
      around.corners = {{-50, -50}, {50, -50}, {50, 50}, {-50, 50}};
      around.sides.assign(4, {"border", 100, around.period, {}, {}});
      around.residents = group.people;
      if (const auto found = check(around); !found.empty())
        refuse(t, fmt::format("group \"{}\": {}", group.name, found.front().message));
    }
  }
}

BorderWish wishBetween(const PatchTemplate& first, const PatchTemplate& second, bool first_is_calmer) {
  const FoundRule one = ruleFor(first, second), two = ruleFor(second, first);
  bool use_first = first_is_calmer;
  if (one.by_name != two.by_name) {
    use_first = one.by_name;
  } else if (!one.rule || !two.rule) {
    use_first = one.rule || (!two.rule && first_is_calmer);
  }
  const FoundRule& chosen = use_first ? one : two;
  if (!chosen.rule) {
    const bool lanes = (first_is_calmer ? first : second).lanes;
    return {lanes ? PatternType{Kind::kSpace, false, true} : PatternType{Kind::kRandom}, {}};
  }
  return {use_first ? chosen.rule->type : fromBehind(chosen.rule->type), chosen.rule->crossings};
}

BorderWish wishToward(const PatchTemplate& patch, Beyond beyond) {
  const std::string_view name = beyond == Beyond::kBuilding ? kBuilding : kOutside;
  for (const PatchBorderRule& rule : patch.borders)
    if (rule.to == name)
      return {rule.type, rule.crossings                ? rule.crossings
                         : beyond == Beyond::kBuilding ? std::optional(1)
                                                       : std::nullopt};
  if (beyond == Beyond::kGround)
    return {patch.lanes ? PatternType{Kind::kSpace, false, true} : PatternType{Kind::kRandom}, {}};
  return {};
}

}  // namespace throng::patches
