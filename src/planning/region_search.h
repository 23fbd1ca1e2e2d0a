// Our own way through weighted regions, in two parts. A search over few points on the edges of the triangulation finds
// which triangles to go through; then the line through them is drawn tight: on ground of one type by the funnel
// algorithm, where types meet by Snell's law of refraction, and around corners of the triangulation on the other side
// where that is cheaper (docs/planning.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planning/indicative_route.h"
#include "planning/open_heap.h"
#include "planning/region_blocks.h"
#include "planning/region_mesh.h"
#include "planning/steiner.h"

namespace throng::planning {

/// Triangles to go through, and where.
struct TriangleWay {
  std::vector<std::uint32_t> triangles;  ///< from that of the start to that of the goal
  std::vector<std::uint32_t> edges;      ///< one less: crossed one after the other
  std::vector<Point> at;                 ///< where, one per edge

  void clear() { triangles.clear(), edges.clear(), at.clear(); }
};

/// Room for drawing a line tight.
struct TightenScratch {
  std::vector<Portal> portals;
  FunnelScratch funnel;
  std::vector<Point> line;  ///< of one stretch
  struct Border {
    std::uint32_t crossing = 0;  ///< the edge, by its place in the way
    Point a, b;                  ///< its ends
    Point at;
    Point before, after;  ///< bends next to it, where there are some
    bool bends_before = false, bends_after = false;
    double weight = 0;  ///< of the stretch that ends here
    Point slope;        ///< and what its height costs per m
  };
  std::vector<Border> borders;
  std::vector<Point> points;
  std::vector<std::uint32_t> crossings;  ///< by point: how many edges are crossed before or at it
};

struct RegionScratch {
  struct Node {
    float cost = 0;
    float rest = 0;  ///< to the goal, about
    std::uint32_t label = 0;
    std::uint32_t search = 0;
    std::uint32_t slot = 0;  ///< in the heap
    // Straight from another point, through ground of one type and between two corners.
    std::uint32_t root = 0;
    float root_cost = 0;
    std::uint32_t left = 0, right = 0;  ///< kNone: from the edge before
  };
  /// How a point was reached. Kept when it is reached more cheaply later: what others saw through its edge stays so.
  struct Label {
    std::uint32_t node, before;
    std::uint32_t through;  ///< a triangle; kNone: along the edge
  };
  std::vector<Node> nodes;
  std::vector<Label> labels;  ///< of the last search
  std::uint32_t search = 0;
  std::vector<OpenEntry<float>> heap;
  std::vector<std::uint32_t> from, to;
  /// Edges near the start or the goal have more points, of this search only.
  struct MorePoints {
    std::uint32_t search = 0;
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<MorePoints> more;       ///< by edge
  std::vector<Point> places;          ///< of those points, edge by edge
  std::vector<std::uint32_t> edges;   ///< where they lie
  std::vector<double> along;          ///< m along one edge
  std::vector<std::uint32_t> around;  ///< triangles near a place
  BlockScratch blocks;
  std::vector<double> weights;  ///< by type
  TriangleWay way, piece, best;
  /// A point of a line, with the edges of the way that it lies on.
  struct Bend {
    Point at;
    std::uint32_t corner;       ///< of the triangulation, or kNone
    std::uint32_t first, last;  ///< of the way's edges
  };
  std::vector<Bend> bends;
  TightenScratch tighten;
  std::vector<Point> line, drawn;
};

/// Few points on every edge that can be crossed: what the search goes over.
SteinerPoints fewPoints(const RegionMesh& mesh);

/// The cheapest way over those points, and then drawn tight. `blocks`: where to look; null: everywhere, which takes
/// much longer and is hardly ever cheaper.
void searchRegions(const RegionMesh& mesh, const SteinerPoints& points, const RegionBlocks* blocks,
                   const RegionQuery& query, RegionScratch& scratch, RegionWay& way);

/// The cheapest line through the triangles of a way, in this order. Returns what it costs.
double tighten(const RegionMesh& mesh, Point from, Point to, std::span<const double> weights, TriangleWay& way,
               TightenScratch& scratch, std::vector<Point>& line, double climb = 0);

/// Tries for every bend of the scratch's way, which `line` goes, whether it is cheaper on the other side of the corner.
/// True when it was so for one; the line is then no longer the way's.
bool flipCorners(const RegionMesh& mesh, std::span<const double> weights, const std::vector<Point>& line,
                 RegionScratch& scratch, double climb = 0);

}  // namespace throng::planning
