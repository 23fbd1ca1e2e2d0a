#include "corridors/sight_triangles.h"

namespace throng::corridors {

void SightTriangles::use(const CorridorMap& map) {
  edges_ = map.halfEdges().data();
  if (stamp_ == map.stamp()) return;
  stamp_ = map.stamp();
  triangles_.clear();
  of_arc_.assign(map.halfEdges().size(), kNone);
  of_vertex_.assign(map.halfEdges().size(), kNone);
}

Behind SightTriangles::find(Behind behind) {
  // Over arcs and vertices whose tiles have no area.
  for (std::size_t left = of_arc_.size(); left > 0; --left) {
    const std::uint32_t h = behind.index(), twin = CorridorMap::twin(h);
    if (behind.kind() == Behind::kArc) {
      if (!edges_[h].site.isCorner() || !edges_[twin].site.isCorner()) return makeArc(h);
      behind = Behind::of(Behind::kVertex, h);
      continue;
    }
    if (behind.kind() != Behind::kVertex) return behind;
    const std::uint32_t next = edges_[h].next;
    if (next == twin) return Behind::of(Behind::kWall, h);  // a dead end, which has no width
    if (edges_[CorridorMap::twin(next)].next != twin) return makeVertex(h);
    behind = Behind::of(Behind::kArc, next);
  }
  return Behind::of(Behind::kWall, behind.index());
}

/// One triangle for each side that is a wall, the right one first.
Behind SightTriangles::makeArc(std::uint32_t h) {
  const std::uint32_t twin = CorridorMap::twin(h);
  if (of_arc_[h] != kNone) return Behind::of(Behind::kTriangle, of_arc_[h]);
  const auto first = of_arc_[h] = static_cast<std::uint32_t>(triangles_.size());
  const bool left_wall = !edges_[h].site.isCorner();
  const Behind beyond = Behind::of(Behind::kVertex, h);
  if (!edges_[twin].site.isCorner())
    triangles_.push_back({edges_[twin].foot, Behind::of(Behind::kWall, twin),
                          left_wall ? Behind::of(Behind::kTriangle, first + 1) : beyond});
  if (left_wall) triangles_.push_back({edges_[edges_[h].next].foot, beyond, Behind::of(Behind::kWall, h)});
  return Behind::of(Behind::kTriangle, first);
}

/// A fan around the right end of the side it is seen from; the leftmost triangle first.
Behind SightTriangles::makeVertex(std::uint32_t h) {
  const std::uint32_t back = CorridorMap::twin(h);
  if (of_vertex_[h] != kNone) return Behind::of(Behind::kTriangle, of_vertex_[h]);
  of_vertex_[h] = static_cast<std::uint32_t>(triangles_.size());
  std::uint32_t arc = edges_[h].next;
  for (std::uint32_t next = edges_[CorridorMap::twin(arc)].next; next != back;) {
    const std::uint32_t after = edges_[CorridorMap::twin(next)].next;
    const Behind right = after == back
                             ? Behind::of(Behind::kArc, next)
                             : Behind::of(Behind::kTriangle, static_cast<std::uint32_t>(triangles_.size()) + 1);
    triangles_.push_back({edges_[next].foot, right, Behind::of(Behind::kArc, arc)});
    arc = next;
    next = after;
  }
  return Behind::of(Behind::kTriangle, of_vertex_[h]);
}

}  // namespace throng::corridors
