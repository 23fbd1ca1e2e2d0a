// Cities of crowd patches from a map of templates (Yersin 2009, 7.4 and 7.5.1; docs/patches.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "throng/patch_files.h"
#include "throng/patch_templates.h"

#pragma GCC visibility push(default)
namespace throng {

/// A cell of a map where nobody is played: a building, or ground that adjoins the patches.
inline constexpr std::int32_t kBuildingCell = -1, kGroundCell = -2;

/// Which template is used where: one cell is one square patch.
struct PatchMap {
  double side = 8;     ///< m
  double period = 10;  ///< s
  std::uint64_t seed = 1;
  int patterns = 4;  ///< different ones per kind of border
  std::vector<PatchTemplate> templates;
  std::uint32_t columns = 0, rows = 0;
  std::vector<std::int32_t> cells;  ///< by row from the south, then from the west: a template, or one of those
};

/// A patch that has fewer people than was asked for.
struct ThinnedPatch {
  std::size_t place = 0;  ///< in PatchLibrary::placed
  int wanted = 0;         ///< walks per period
  int got = 0;
  std::string reason;  ///< why there are no more
};

/// How a library came out.
struct PatchReport {
  double free_area = 0;     ///< m², where people could walk
  double covered_area = 0;  ///< m², in cells
  double asked = 0;         ///< people at a time, in all
  double reached = 0;
  std::size_t retried = 0;  ///< patches that got other patterns on their borders before walks were found
  std::vector<ThinnedPatch> thinned;
};

/// Makes all patches that the map needs, each once, and puts them in their places. Borders are what the rules of the
/// templates say (docs/patches.md); between two templates it is the rule that names the other, else that of the quieter
/// one. Over a border to ground people come and go. A patch for which no walks are found gets other patterns, and then
/// fewer people; `report` says where and why. Throws InputError for a map that is none.
PatchLibrary makePatchCity(const PatchMap& map, PatchReport* report = nullptr);

/// Reads a map: JSON that describes the templates and names an image (.ppm, .pgm), in which one pixel is one patch and
/// black is a building. Throws FileError, or InputError with what is wrong and where.
PatchMap loadPatchMap(const std::string& path);

}  // namespace throng
#pragma GCC visibility pop
