#include "throng/patch_district.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "base/math.h"
#include "base/random.h"
#include "geometry/boxes.h"
#include "geometry/convex_cells.h"
#include "geometry/convex_cut.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "ground/walkable_space.h"
#include "patches/district.h"
#include "patches/map_check.h"
#include "patches/small_obstacles.h"

namespace throng {
namespace patches {
namespace {

constexpr std::array<std::string_view, 2> kCells = {"squares", "convex"};
constexpr double kOnWall = 5e-3;      ///< m; walls of a floor are rounded to 32 bits
constexpr double kHair = 1e-6;        ///< m that objects keep from borders of cells that they are cut at
constexpr double kLeastPiece = 1e-4;  ///< m²; of an object

class SceneDistrict {
 public:
  SceneDistrict(const Scene& scene, const PatchDistrictSettings& settings)
      : settings_(settings), space_(scene), floor_(space_.floors()[space_.floor(settings.layer)]) {
    refuseMap(settings.map);
    if (settings.map.templates.empty()) throw InputError("a district of patches has no template; allowed: 1 and more");
    if (settings.direction && !(std::abs(*settings.direction) <= 360))
      throw InputError(fmt::format("cells turned by {:g} degrees; allowed: -360 to 360", *settings.direction));
    if (!floor_.bounded && settings.area.empty())
      throw InputError(fmt::format("the layer \"{}\" has no bounds; allowed: an area for the district", floor_.name));
    free_ = floor_.bounded ? floor_.free : geometry::difference(settings.area, floor_.solid);
    if (floor_.bounded && !settings.area.empty()) free_ = geometry::intersection(free_, settings.area);
    if (free_.empty()) throw InputError("there is no free space in the area of the district");
    sheets_ = floor_.lines.sheets;
    for (const Door& door : scene.layers[space_.floor(settings.layer)].doors)
      if (!door.open) sheets_.push_back(door.line);
    // What is free is what counts, also where small things of it become objects.
    free_area_ = geometry::area(free_);
    objects_ = takeSmallObstacles(free_, sheets_, kSmall * settings.map.side);
  }

  std::vector<DistrictCell> cells() const {
    const geometry::CellLattice lattice = latticeOf();
    const geometry::ConvexCells shapes = settings_.cells == PatchCells::kSquares
                                             ? geometry::squareCells(free_, sheets_, lattice)
                                             : geometry::convexCells(free_, sheets_, lattice);
    std::vector<std::uint32_t> number(shapes.cells.size(), DistrictCell::kNone);
    std::vector<std::uint32_t> kinds(shapes.cells.size());
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < shapes.cells.size(); ++i)
      if (const auto kind = kindAt(lattice, shapes.ring(i))) kinds[i] = *kind, number[i] = count++;
    std::vector<DistrictCell> cells;
    for (std::size_t i = 0; i < shapes.cells.size(); ++i)
      if (number[i] != DistrictCell::kNone) cells.push_back(cellOf(shapes, i, kinds[i], number));
    if (cells.empty())
      throw InputError(
          fmt::format("no cell of {:g} m fits into the free space; allowed: a smaller side", settings_.map.side));
    return cells;
  }
  double freeArea() const { return free_area_; }

 private:
  static constexpr double kSmall = 0.5;  ///< sides: what is smaller is an object in a patch

  geometry::CellLattice latticeOf() const {
    geometry::CellLattice lattice;
    lattice.side = settings_.map.side;
    if (settings_.direction) {
      double s, c;
      base::sinCos(*settings_.direction * base::kPi / 180, s, c);
      lattice.axis = {c, s};
      if (std::abs(s) < 1e-12) lattice.axis = {c > 0 ? 1.0 : -1.0, 0};
    } else if (settings_.map.columns == 0) {
      lattice.axis = geometry::mainDirection(free_);
    }
    if (settings_.origin) {
      lattice.origin = *settings_.origin;
      return lattice;
    }
    Rectangle box = geometry::kEmptyBox;
    for (const Polygon& polygon : free_)
      for (const Point p : polygon.outer) geometry::include(box, lattice.inSquares(p));
    lattice.origin = lattice.at(box.min.x, box.min.y);
    return lattice;
  }

  /// The template of a cell; nothing where the map wants none.
  std::optional<std::uint32_t> kindAt(const geometry::CellLattice& lattice, const Ring& ring) const {
    const PatchMap& map = settings_.map;
    if (map.columns == 0) return 0;
    Point middle;
    for (const Point p : ring) middle += p / static_cast<double>(ring.size());
    const Point at = lattice.inSquares(middle);
    if (!(at.x >= 0 && at.y >= 0 && at.x < map.columns && at.y < map.rows)) return {};
    const std::int32_t kind = map.cells[static_cast<std::size_t>(at.y) * map.columns + static_cast<std::size_t>(at.x)];
    if (kind < 0) return {};
    return static_cast<std::uint32_t>(kind);
  }

  DistrictCell cellOf(const geometry::ConvexCells& shapes, std::size_t i, std::uint32_t kind,
                      const std::vector<std::uint32_t>& number) const {
    DistrictCell cell;
    const Ring ring = shapes.ring(i);
    cell.at = ring[0], cell.kind = kind;
    for (const Point p : ring) cell.corners.push_back(p - cell.at);
    cell.luck = base::mix(base::mix(static_cast<std::uint64_t>(std::llround(cell.at.x * 1024))) ^
                          static_cast<std::uint64_t>(std::llround(cell.at.y * 1024)));
    for (std::size_t s = 0; s < ring.size(); ++s) {
      const geometry::ConvexCell::Side& side = shapes.cells[i].sides[s];
      const std::uint32_t other =
          side.neighbour == geometry::ConvexCell::kNone ? DistrictCell::kNone : number[side.neighbour];
      cell.neighbour.push_back(other);
      cell.beyond.push_back(other != DistrictCell::kNone && !side.wall                     ? Beyond::kPatch
                            : side.wall && isOutside(ring[s], ring[(s + 1) % ring.size()]) ? Beyond::kOutside
                                                                                           : Beyond::kBuilding);
    }
    const Rectangle box = geometry::boxOf(ring);
    for (const PatchObject& object : objects_) {
      if (!geometry::overlap(box, geometry::boxOf(object.outline))) continue;
      std::vector<Point> part = object.outline;
      for (std::size_t s = 0; s < ring.size() && part.size() >= 3; ++s) {
        const Point outward = -perpendicular(normalized(ring[(s + 1) % ring.size()] - ring[s]));
        part = geometry::cutConvex(part, outward, dot(outward, ring[s]) - kHair);
      }
      part = withoutShortSides(part);
      if (part.size() < 3 || geometry::signedArea(part) < kLeastPiece) continue;
      for (Point& p : part) p -= cell.at;
      cell.objects.push_back({object.name, std::move(part)});
    }
    return cell;
  }

  /// Does the district end here, though there is no wall?
  bool isOutside(Point a, Point b) const {
    return std::all_of(std::begin(kShares), std::end(kShares),
                       [&](double share) { return floor_.clearance(a + (b - a) * share, 2 * kOnWall) > kOnWall; });
  }
  static constexpr double kShares[] = {0.25, 0.5, 0.75};

  const PatchDistrictSettings& settings_;
  ground::WalkableSpace space_;
  const ground::Floor& floor_;
  std::vector<Polygon> free_;
  std::vector<Segment> sheets_;
  std::vector<PatchObject> objects_;
  double free_area_ = 0;
};

}  // namespace
}  // namespace patches

PatchLibrary makePatchDistrict(const Scene& scene, const PatchDistrictSettings& settings, PatchReport* report) {
  const patches::SceneDistrict district(scene, settings);
  const std::vector<patches::DistrictCell> cells = district.cells();
  PatchReport unread;
  PatchReport& wanted = report ? *report : unread;
  wanted = {};
  wanted.free_area = district.freeArea();
  return patches::makeDistrict(cells, settings.map, patches::PointsFrom::kChains, base::Threads(settings.threads),
                               wanted);
}

std::string_view nameOf(PatchCells cells) { return patches::kCells[static_cast<std::size_t>(cells)]; }

PatchCells patchCells(std::string_view name) {
  for (std::size_t i = 0; i < patches::kCells.size(); ++i)
    if (patches::kCells[i] == name) return static_cast<PatchCells>(i);
  throw InputError(fmt::format("there are no cells \"{}\"; allowed: {}", name, fmt::join(patches::kCells, ", ")));
}

}  // namespace throng
