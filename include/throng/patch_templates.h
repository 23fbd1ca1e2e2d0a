// What patches of one kind have in them (Yersin 2009, 7.4.2 and 7.4.3; docs/patches.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "throng/patches.h"

#pragma GCC visibility push(default)
namespace throng {

/// Which pattern a border has, by what is on its other side.
struct PatchBorderRule {
  /// The name of a template, or one of these: "same", "others" (any other template), "building" (a wall, or no patch)
  /// and "outside" (the end of the district where there is no wall). The first rule that fits is used.
  std::string to = "others";
  /// As seen from this template: `out` leads out of its patches.
  PatternType type;
  /// People per period and direction; nothing: as many as the template has elsewhere, and 1 to buildings.
  std::optional<int> crossings;
};

/// People who stay, together: three who talk, somebody who walks up and down. Places are m from the group's middle; the
/// group is turned as a whole.
struct PatchGroup {
  std::string name;
  std::vector<PatchResident> people;
};

/// What patches of one kind have in them.
struct PatchTemplate {
  std::string name;
  std::uint32_t colour = 0;  ///< 0xRRGGBB, in the image of the map; 0 is for buildings
  int crossings = 3;         ///< people per period who cross each border in each direction
  bool lanes = false;        ///< who comes and who goes keep to their own side, where no rule says otherwise
  int objects = 0;           ///< things in the way, 0 to 8, as far as there is room
  int residents = 0;         ///< people who stay, or groups of them, 0 to 8, as far as there is room
  int versions = 4;          ///< different patches between the same patterns
  /// People per m², residents counted: then `crossings` follow from the lengths of borders.
  std::optional<double> density;
  std::vector<PatchBorderRule> borders;       ///< where none fits, borders to patches are random and others empty
  std::vector<PatchObject> allowed_objects;   ///< outlines around their middles, turned at random; empty: boxes
  std::vector<PatchGroup> allowed_residents;  ///< empty: people who stand
};

}  // namespace throng
#pragma GCC visibility pop
