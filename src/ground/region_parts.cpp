// Regions that overlap, cut into areas that do not.
#include <algorithm>

#include "throng/regions.h"

#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "geometry/uniform_grid.h"
#include "ground/regions.h"

namespace throng {

std::vector<RegionArea> regionAreas(const Scene& scene) {
  const ground::Regions regions(scene);
  std::vector<RegionArea> areas;
  for (std::size_t t = 1; t < regions.types().size(); ++t) areas.push_back({regions.types()[t], 0});
  for (std::size_t layer = 0; layer < scene.layers.size(); ++layer)
    for (const ground::Regions::Part& part : regions.parts(static_cast<std::uint16_t>(layer)))
      areas[part.type - std::size_t{1}].area += geometry::area({part.area});
  return areas;
}

namespace ground {

std::vector<Regions::Part> disjointParts(std::span<const Polygon> polygons, std::span<const RegionType> types) {
  std::vector<Rectangle> boxes;
  boxes.reserve(polygons.size());
  for (const Polygon& polygon : polygons) boxes.push_back(geometry::boxOf(polygon.outer));
  const auto grid = geometry::UniformGrid<double>::ofBoxes(boxes);

  // What later polygons of other types leave of each. Those of the same type are merged in the end.
  std::vector<std::vector<Polygon>> by_type;
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < polygons.size(); ++i) {
    std::vector<Polygon> above;
    near.clear();
    grid.query(boxes[i].min, boxes[i].max, near);
    for (const std::uint32_t j : near)
      if (j > i && types[j] != types[i] && geometry::overlap(boxes[i], boxes[j])) above.push_back(polygons[j]);
    by_type.resize(std::max<std::size_t>(by_type.size(), types[i] + std::size_t{1}));
    std::vector<Polygon>& to = by_type[types[i]];
    if (above.empty())
      to.push_back(polygons[i]);
    else
      for (Polygon& rest : geometry::difference({polygons[i]}, above)) to.push_back(std::move(rest));
  }
  std::vector<Regions::Part> parts;
  for (std::size_t type = 0; type < by_type.size(); ++type) {
    if (by_type[type].empty()) continue;
    for (Polygon& area : geometry::unionOf(by_type[type]))
      parts.push_back({static_cast<RegionType>(type), std::move(area)});
  }
  return parts;
}

}  // namespace ground
}  // namespace throng
