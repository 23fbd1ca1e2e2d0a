// What stands in an area of a scene, for patches that are cut out of it.
#include <fmt/format.h>

#include "throng/patch_cut.h"

#include "geometry/convex_pieces.h"
#include "geometry/polygons.h"
#include "ground/walkable_space.h"
#include "patches/definition_check.h"

namespace throng {
namespace {

constexpr double kInset = 1e-6;  ///< share by which the area is smaller here, so that nothing sticks out by rounding
constexpr double kThickness = 0.02;  ///< m, of walls that have none
constexpr double kSmallest = 1e-4;   ///< m²

/// A wall without thickness inside a convex area, as a thin box.
Polygon boxOf(const Segment& wall) {
  const Point along = normalized(wall.b - wall.a) * (0.5 * kThickness), aside = perpendicular(along);
  return {{wall.a - along - aside, wall.b + along - aside, wall.b + along + aside, wall.a - along + aside}, {}};
}

}  // namespace

std::vector<PatchObject> patchObjects(const Scene& scene, std::uint16_t layer, const Ring& area) {
  if (layer >= scene.layers.size())
    throw InputError(fmt::format("layer {}; allowed: 0 to {}", layer, scene.layers.size() - 1));
  patches::emptyPatch(area, 10);  // refuses what is not convex
  const ground::WalkableSpace space(scene);
  const ground::Floor& floor = space.floors()[layer];
  Point middle;
  for (const Point p : area) middle += p / static_cast<double>(area.size());
  Polygon within;
  for (const Point p : area) within.outer.push_back(middle + (p - middle) * (1 - kInset));
  std::vector<Polygon> blocked =
      floor.bounded ? geometry::difference({within}, floor.free) : geometry::intersection({within}, floor.solid);
  std::vector<Polygon> sheets;
  for (const Segment& sheet : floor.lines.sheets)
    if (length(sheet.b - sheet.a) > 0) sheets.push_back(boxOf(sheet));
  if (!sheets.empty())
    for (Polygon& box : geometry::intersection({within}, sheets)) blocked.push_back(std::move(box));
  std::vector<PatchObject> objects;
  for (Ring& piece : geometry::convexPieces(blocked, kSmallest))
    objects.push_back({fmt::format("object {}", objects.size()), std::move(piece)});
  return objects;
}

}  // namespace throng
