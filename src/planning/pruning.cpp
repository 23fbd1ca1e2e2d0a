#include "planning/pruning.h"

#include <algorithm>

#include "base/lists.h"
#include "geometry/predicates.h"

namespace throng::planning {
namespace {

class Choosing {
 public:
  Choosing(const RegionMesh& mesh, PruningScratch& scratch) : mesh_(mesh), s_(scratch) {}

  /// All triangles that the way over the grid meets. A leg over a connection meets those of both floors.
  template <class Visit>
  void forMet(const Visit& visit) {
    const auto& line = s_.grid_way.points;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Point a = line[i - 1], b = line[i];
      const Point low{std::min(a.x, b.x), std::min(a.y, b.y)}, high{std::max(a.x, b.x), std::max(a.y, b.y)};
      for (const std::uint16_t floor : floorsOf(i)) {
        s_.touched.clear();
        mesh_.near(low, high, floor, [&](std::uint32_t t) { s_.touched.push_back(t); });
        base::sortUnique(s_.touched);
        for (const std::uint32_t t : s_.touched)
          if (meets(mesh_.triangles()[t], a, b)) visit(t, a, b);
      }
    }
  }

  void chooseTriangles() {
    forMet([&](std::uint32_t t, Point, Point) {
      for (const std::uint32_t e : mesh_.triangles()[t].edge) s_.chosen[e] = 1;
    });
  }

  void chooseCrossed() {
    forMet([&](std::uint32_t t, Point a, Point b) {
      for (const std::uint32_t e : mesh_.triangles()[t].edge) {
        const Segment edge = mesh_.segment(e);
        if (geometry::segmentsIntersect(a, b, edge.a, edge.b)) s_.chosen[e] = 1;
      }
    });
  }

  /// Of a place in a triangle no edge is nearer than the triangle's own.
  void chooseNearestEdges(Point place, std::uint16_t floor) {
    double least = std::numeric_limits<double>::infinity();
    const auto measure = [&](const auto& use) {
      mesh_.near(place, place, floor, [&](std::uint32_t t) {
        if (!mesh_.contains(mesh_.triangles()[t], place)) return;
        for (const std::uint32_t e : mesh_.triangles()[t].edge) {
          const Segment edge = mesh_.segment(e);
          use(e, geometry::distanceToSegment(place, edge.a, edge.b));
        }
      });
    };
    measure([&](std::uint32_t, double d) { least = std::min(least, d); });
    measure([&](std::uint32_t e, double d) {
      if (d <= least + kAsNear) s_.chosen[e] = 1;
    });
  }

  /// All edges at the corners nearest to a bend.
  void chooseAround(Point bend, std::uint16_t floor, double cell) {
    for (double reach = cell; reach < 1e9; reach *= 2) {
      s_.touched.clear();
      const Point far{reach, reach};
      mesh_.near(bend - far, bend + far, floor, [&](std::uint32_t t) { s_.touched.push_back(t); });
      double least = std::numeric_limits<double>::infinity();
      for (const std::uint32_t t : s_.touched)
        for (const std::uint32_t c : mesh_.triangles()[t].corner)
          least = std::min(least, length(mesh_.corners()[c] - bend));
      if (least > reach) continue;
      for (const std::uint32_t t : s_.touched)
        for (const std::uint32_t c : mesh_.triangles()[t].corner)
          if (length(mesh_.corners()[c] - bend) <= least + kAsNear) chooseAt(c);
      return;
    }
  }

 private:
  static constexpr double kAsNear = 1e-6;  ///< m

  void chooseAt(std::uint32_t corner) {
    for (const std::uint32_t t : mesh_.around(corner))
      for (const std::uint32_t e : mesh_.triangles()[t].edge)
        if (mesh_.edges()[e].a == corner || mesh_.edges()[e].b == corner) s_.chosen[e] = 1;
  }

  bool meets(const RegionMesh::Triangle& t, Point a, Point b) const {
    if (mesh_.contains(t, a) || mesh_.contains(t, b)) return true;
    for (const std::uint32_t e : t.edge) {
      const Segment edge = mesh_.segment(e);
      if (geometry::segmentsIntersect(a, b, edge.a, edge.b)) return true;
    }
    return false;
  }

  /// Of the leg that ends at a point of the grid's way.
  std::vector<std::uint16_t> floorsOf(std::size_t i) const { return {floors[i - 1], floors[i]}; }

 public:
  std::vector<std::uint16_t> floors;  ///< by point of the grid's way

 private:
  const RegionMesh& mesh_;
  PruningScratch& s_;
};

}  // namespace

void searchPruned(const corridors::CorridorMap& map, const RegionMesh& mesh, const WeightGrid& grid, Pruning pruning,
                  double epsilon, const RegionQuery& query, PruningScratch& scratch, RegionWay& way) {
  way.points.clear(), way.cost = std::numeric_limits<double>::infinity(), way.explored = 0;
  searchGrid(map, mesh, grid, query, scratch.grid, scratch.grid_way, false);
  const auto search = [&](std::span<const std::uint8_t> chosen) {
    const SteinerPoints points(mesh, epsilon, chosen);
    const std::size_t before = way.explored;
    searchSteiner(mesh, points, query, scratch.steiner, way, chosen);
    way.explored += before;
    return way.cost < std::numeric_limits<double>::infinity();
  };
  if (scratch.grid_way.points.empty()) {
    // Cells are too coarse for some passage: there is nothing to prune by.
    search({});
    return;
  }
  scratch.chosen.assign(mesh.edges().size(), 0);
  Choosing choosing(mesh, scratch);
  const auto& line = scratch.grid_way.points;
  const auto& cells = scratch.grid.cells;
  // The points are the cells' centres, with the ends before and after them where these are elsewhere.
  const std::size_t skipped = line.front() == grid.centre(cells.front()) ? 0 : 1;
  choosing.floors.assign(line.size(), query.goal_layer);
  choosing.floors.front() = query.layer;
  for (std::size_t i = 0; i < cells.size() && i + skipped < line.size(); ++i)
    choosing.floors[i + skipped] = grid.floorOf(cells[i]);
  switch (pruning) {
    case Pruning::kTriangles:
      choosing.chooseTriangles();
      break;
    case Pruning::kEdges:
      for (std::size_t i = 0; i < line.size(); ++i) choosing.chooseNearestEdges(line[i], choosing.floors[i]);
      choosing.chooseCrossed();  // these are among them, says the thesis; with cells as large as triangles not all are
      break;
    case Pruning::kVertices:
      for (std::size_t i = 1; i + 1 < line.size(); ++i)
        if (det(line[i] - line[i - 1], line[i + 1] - line[i]) != 0)
          choosing.chooseAround(line[i], choosing.floors[i], grid.cell());
      choosing.chooseCrossed();
      break;
  }
  if (search(scratch.chosen)) return;
  choosing.chooseCrossed();
  if (!search(scratch.chosen)) search({});
}

}  // namespace throng::planning
