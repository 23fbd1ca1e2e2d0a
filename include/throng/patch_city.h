// Cities of crowd patches from a map of templates (Yersin 2009, 7.4 and 7.5.1; docs/patches.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "throng/patch_files.h"

#pragma GCC visibility push(default)
namespace throng {

/// What patches of one kind have in them.
struct PatchTemplate {
  std::string name;
  std::uint32_t colour = 0;  ///< 0xRRGGBB, in the image of the map; 0 is for buildings
  int crossings = 3;         ///< people per period who cross each border in each direction
  bool lanes = false;        ///< who comes and who goes keep to their own side
  int objects = 0;           ///< things in the way, at most 3
  int residents = 0;         ///< people who stay, at most 3
  int versions = 4;          ///< different patches between the same patterns
};

/// Which template is used where: one cell is one square patch.
struct PatchMap {
  double side = 8;     ///< m
  double period = 10;  ///< s
  std::uint64_t seed = 1;
  int patterns = 4;  ///< different ones per template and direction of a border
  std::vector<PatchTemplate> templates;
  std::uint32_t columns = 0, rows = 0;
  std::vector<std::int32_t> cells;  ///< by row from the south, then from the west: a template, or -1 for a building
};

/// Makes all patches that the map needs, each once, and puts them in their places. Borders to buildings and to the
/// outside are empty; a border between two templates is crossed by as many as the quieter one has. Throws InputError
/// for a map that is none, and when a patch cannot be made, with its cell.
PatchLibrary makePatchCity(const PatchMap& map);

/// Reads a map: JSON that describes the templates and names an image (.ppm, .pgm), in which one pixel is one patch and
/// black is a building. Throws FileError, or InputError with what is wrong and where.
PatchMap loadPatchMap(const std::string& path);

}  // namespace throng
#pragma GCC visibility pop
