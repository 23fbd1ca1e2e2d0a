// Which pattern a border has, by the templates of the patches on both its sides (Yersin 2009, 7.4.3).
#pragma once

#include "throng/patch_templates.h"

namespace throng::patches {

/// Throws InputError for templates that no patch can be made from.
void refuseTemplates(const std::vector<PatchTemplate>& templates);

/// What is on the other side of a border.
enum class Beyond : std::uint8_t { kPatch, kBuilding, kOutside, kGround };

/// What a border is to have.
struct BorderWish {
  PatternType type{PatternType::Kind::kEmpty};  ///< as seen from the first patch
  std::optional<int> crossings;                 ///< by a rule
};

/// Between patches of two templates. `calmer` of the two decides where both or neither has a rule for the other.
BorderWish wishBetween(const PatchTemplate& first, const PatchTemplate& second, bool first_is_calmer);
/// To a building or to the outside, empty where there is no rule; or to ground, which is the outside, too, and open
/// where there is no rule.
BorderWish wishToward(const PatchTemplate& patch, Beyond beyond);

}  // namespace throng::patches
