#include "corridors/medial_axis.h"

#include <algorithm>
#include <cmath>

#include "corridors/diagram_predicates.h"
#include "geometry/predicates.h"

namespace throng::corridors {
namespace {

using Diagram = boost::polygon::voronoi_diagram<double>;
using Edge = Diagram::edge_type;

template <class Builder>
void insert(std::span<const AxisWall> walls, const IntegerGrid& grid, Builder& builder) {
  for (const AxisWall& wall : walls) {
    const auto a = grid.round(wall.from), b = grid.round(wall.to);
    builder.insert_segment(static_cast<std::int32_t>(a.x), static_cast<std::int32_t>(a.y),
                           static_cast<std::int32_t>(b.x), static_cast<std::int32_t>(b.y));
  }
}

constexpr double kCorner = 1e-2;  // of the resolution; a vertex this near to a corner is in it

/// Is the gap at a corner that is wider than half a turn, if there is one, free? At most one gap is. `ends` are the
/// other ends of the walls that meet there.
struct CornerGap {
  Point at;
  struct Arm {
    Point to;
    bool left_free, right_free;  ///< of the way out from the corner
  };
  std::vector<Arm> arms;

  bool free() const {
    for (std::size_t i = 0; i < arms.size(); ++i) {
      bool widest = true;  // counter-clockwise from arm i there is no other within half a turn
      for (std::size_t j = 0; j < arms.size() && widest; ++j)
        widest = j == i || geometry::orientation(at, arms[i].to, arms[j].to) < 0;
      if (widest && arms[i].left_free) return true;
    }
    return false;
  }
};

class Extraction {
 public:
  Extraction(std::span<const AxisWall> walls, const IntegerGrid& grid) : walls_(walls), grid_(grid) {}

  MedialAxis run() {
    boost::polygon::voronoi_builder<std::int32_t, DiagramNumbers, DiagramPredicates> builder;
    insert(walls_, grid_, builder);
    builder.construct(&diagram_);
    number();
    link();
    return std::move(axis_);
  }

 private:
  bool isCorner(const Edge& e) const { return e.cell()->contains_point(); }
  const AxisWall& wallOf(const Edge& e) const { return walls_[e.cell()->source_index()]; }
  std::uint32_t cornerOf(const Edge& e) const {
    const bool start = e.cell()->source_category() == boost::polygon::SOURCE_CATEGORY_SEGMENT_START_POINT;
    return start ? wallOf(e).a : wallOf(e).b;
  }
  Point cornerPlace(const Edge& e) const {
    const bool start = e.cell()->source_category() == boost::polygon::SOURCE_CATEGORY_SEGMENT_START_POINT;
    return start ? wallOf(e).from : wallOf(e).to;
  }
  Point place(const Diagram::vertex_type& v) const {
    return {grid_.origin.x + v.x() * grid_.resolution, grid_.origin.y + v.y() * grid_.resolution};
  }
  double distance(const Edge& e, Point p) const {
    return isCorner(e) ? length(p - cornerPlace(e)) : geometry::distanceToSegment(p, wallOf(e).from, wallOf(e).to);
  }

  /// Twice the signed area that the arc's farther end spans with the wall on its side.
  double sideOfWall(const Edge& e) const {
    const AxisWall& wall = wallOf(e);
    double farthest = 0;
    for (const auto* v : {e.vertex0(), e.vertex1()}) {
      if (!v) continue;
      const double side = det(wall.to - wall.from, place(*v) - wall.from);
      if (std::abs(side) > std::abs(farthest)) farthest = side;
    }
    return farthest;
  }

  bool cornerIsFree(const Edge& e) {
    if (gap_of_corner_.empty()) findGaps();
    const std::uint32_t corner = cornerOf(e);
    const auto at = std::lower_bound(gap_of_corner_.begin(), gap_of_corner_.end(), std::pair(corner, false),
                                     [](const auto& x, const auto& y) { return x.first < y.first; });
    return at->second;
  }

  void findGaps() {
    struct End {
      std::uint32_t corner, wall;
      bool at_b;
    };
    std::vector<End> ends;
    for (std::uint32_t i = 0; i < walls_.size(); ++i) {
      ends.push_back({walls_[i].a, i, false});
      ends.push_back({walls_[i].b, i, true});
    }
    std::sort(ends.begin(), ends.end(),
              [](const End& x, const End& y) { return std::pair(x.corner, x.wall) < std::pair(y.corner, y.wall); });
    CornerGap gap;
    for (std::size_t i = 0; i < ends.size();) {
      gap.arms.clear();
      const std::uint32_t corner = ends[i].corner;
      for (; i < ends.size() && ends[i].corner == corner; ++i) {
        const AxisWall& w = walls_[ends[i].wall];
        gap.at = ends[i].at_b ? w.to : w.from;
        if (ends[i].at_b)
          gap.arms.push_back({w.from, w.right_free, w.left_free});
        else
          gap.arms.push_back({w.to, w.left_free, w.right_free});
      }
      // The end of a single wall is seen from both of its sides.
      const bool lone = gap.arms.size() == 1 && (gap.arms[0].left_free || gap.arms[0].right_free);
      gap_of_corner_.emplace_back(corner, lone || gap.free());
    }
  }

  /// Walls decide; only an arc between two corners asks them.
  bool isFree(const Edge& e) {
    for (const Edge* side : {&e, e.twin()})
      if (!isCorner(*side)) {
        const double on = sideOfWall(*side);
        return on > 0 ? wallOf(*side).left_free : on < 0 && wallOf(*side).right_free;
      }
    // A corner in a straight wall has no gap, but may have an arc without length.
    return cornerIsFree(e) || cornerIsFree(*e.twin());
  }

  /// Gives every arc in free space its two numbers.
  void number() {
    axis_.edges.reserve(diagram_.num_edges());
    for (const Edge& e : diagram_.edges()) {
      if (e.color() != 0) continue;
      e.color(1), e.twin()->color(1);
      if (!e.is_primary() || !isFree(e)) continue;
      const auto id = axis_.edges.size();
      e.color(id + 2), e.twin()->color(id + 3);
      axis_.edges.push_back({kNone, kNone, site(e)});
      axis_.edges.push_back({kNone, kNone, site(*e.twin())});
      numbered_.push_back(&e);
    }
  }

  Site site(const Edge& e) const {
    if (isCorner(e)) return Site::corner(cornerOf(e));
    return sideOfWall(e) > 0 ? wallOf(e).left : wallOf(e).right;
  }

  static std::uint32_t id(const Edge& e) { return static_cast<std::uint32_t>(e.color() - 2); }

  void link() {
    for (const Edge* e : numbered_)
      for (const Edge* h : {e, static_cast<const Edge*>(e->twin())}) {
        if (h->vertex0()) axis_.edges[id(*h)].origin = vertexAt(*h);
        if (!h->vertex1()) continue;
        // Free corners are ends of the axis. Elsewhere the contour goes on with the next arc around the vertex.
        if (inCorner(*h->twin())) {
          axis_.edges[id(*h)].next = id(*h) ^ 1u;
          continue;
        }
        const Edge* next = h->next();
        while (next->color() < 2) next = next->twin()->next();
        axis_.edges[id(*h)].next = id(*next);
      }
  }

  /// Walls are farther apart than this where they do not share a corner (see noding.h).
  bool inCorner(const Edge& h) const { return distance(h, place(*h.vertex0())) < kCorner * grid_.resolution; }

  std::uint32_t vertexAt(const Edge& h) {
    const auto& v = *h.vertex0();
    const bool corner = inCorner(h);
    if (!corner && v.color() != 0) return static_cast<std::uint32_t>(v.color() - 1);
    Point at = place(v);
    if (corner) {
      const AxisWall& wall = wallOf(h);
      at = length(at - wall.from) < length(at - wall.to) ? wall.from : wall.to;
    }
    // Where solids touch in a corner, each free side has an end of its own there.
    axis_.vertices.push_back({at, corner ? 0.0 : distance(h, at)});
    v.color(axis_.vertices.size());
    return static_cast<std::uint32_t>(axis_.vertices.size() - 1);
  }

  std::span<const AxisWall> walls_;
  IntegerGrid grid_;
  Diagram diagram_;
  MedialAxis axis_;
  std::vector<const Edge*> numbered_;
  std::vector<std::pair<std::uint32_t, bool>> gap_of_corner_;  ///< by corner
};

}  // namespace

IntegerGrid::Place IntegerGrid::round(Point p) const {
  return {std::llround((p.x - origin.x) / resolution), std::llround((p.y - origin.y) / resolution)};
}

MedialAxis medialAxis(std::span<const AxisWall> walls, const IntegerGrid& grid) {
  return Extraction(walls, grid).run();
}

std::size_t bareVoronoi(std::span<const AxisWall> walls, const IntegerGrid& grid) {
  boost::polygon::voronoi_builder<std::int32_t> builder;
  insert(walls, grid, builder);
  Diagram diagram;
  builder.construct(&diagram);
  return diagram.num_vertices();
}

}  // namespace throng::corridors
