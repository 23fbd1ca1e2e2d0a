// Districts: parts of a scene where people are played back from crowd patches. How the free space of a scene is filled
// with patches (Yersin 2009, 7.4.1, "top-down"), and how patches and simulated people share a scene (docs/patches.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/patch_city.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// What shape the cells of a district have.
enum class PatchCells {
  kSquares,  ///< that lie wholly in the free space
  kConvex,   ///< convex polygons of about the same size that follow walls
};

/// Which part of a scene is filled with patches, and how.
struct PatchDistrictSettings {
  PatchCells cells = PatchCells::kConvex;
  /// Side and period of cells, and the templates. With columns and rows, the template of a cell is that of the pixel
  /// that its middle lies in (-1: no cell); without, it is the first.
  PatchMap map;
  std::string layer;          ///< of the scene; empty: the first
  std::vector<Polygon> area;  ///< m; only where this is; empty: everywhere
  /// Degrees by which the rows of cells are turned; nothing: along most walls, or 0 where there is a map of templates.
  std::optional<double> direction;
  std::optional<Point> origin;  ///< m, a corner of the cells, and the lower left one of the map; nothing: of the bounds
  int threads = 0;              ///< 0: all cores
};

/// Cells in the free space of one layer, each a patch with walks, each border a pattern that both its patches have.
/// Sides along walls are empty. Small things in the way (up to half a cell's side) are objects in patches. People
/// stay in their cells' free space and nobody touches anybody, in patches side by side either. Throws InputError for
/// settings that are wrong, and when there is no room for a single cell.
PatchLibrary makePatchDistrict(const Scene& scene, const PatchDistrictSettings& settings,
                               PatchReport* report = nullptr);

/// What a file of `throng patch city` says: a map, and with it the scene it is for, if any.
struct PatchDistrictFile {
  std::string scene;  ///< file; empty: the map is a city of its own
  PatchDistrictSettings settings;
};
/// Throws FileError, or InputError with what is wrong and where.
PatchDistrictFile loadPatchDistrict(const std::string& path);

/// Names as files and the command line have them: "squares", "convex".
std::string_view nameOf(PatchCells cells);
/// Throws InputError that lists the names.
PatchCells patchCells(std::string_view name);

/// Adds a district to a scene: its patches, and the ground that they lie on to its layer, which is made where the scene
/// has none. Whoever is simulated does not walk there. Sides with points that adjoin ground to walk on become gates.
/// Throws InputError when the patches do not fit together or there is no such layer, and then nothing has changed.
void placeDistrict(Scene& scene, PatchDistrict district, PatchLibrary library);

/// Adds an endless street, which has to be the only district; `district.street` says what it is like.
void placeStreet(Scene& scene, PatchDistrict district);
/// Lays the ground of the scene's endless street anew, where it has one: as far as is seen in the run's duration.
void layStreet(Scene& scene);

}  // namespace throng
#pragma GCC visibility pop
