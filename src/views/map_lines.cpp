#include "views/map_lines.h"

#include <array>
#include <fmt/format.h>

#include "corridors/layer_cuts.h"

namespace throng::views {

using corridors::CorridorMap;

std::vector<Polyline> axisOf(const CorridorMap& map, std::uint16_t layer, double tolerance) {
  if (!(tolerance > 0)) throw InputError(fmt::format("A tolerance of {} m; allowed: more than 0.", tolerance));
  const corridors::LayerCuts cuts(map);
  std::vector<Polyline> lines;
  std::vector<Point> arc;
  std::vector<LayerPolyline> pieces;
  for (std::uint32_t h = 0; h < map.halfEdges().size(); h += 2) {
    if (map.edge(h).origin == corridors::kNone) continue;
    const bool is_whole = map.edge(h).crossing == corridors::kNone && map.edge(h + 1).crossing == corridors::kNone;
    if (is_whole && map.edge(h).floor != layer) continue;
    arc.clear();
    cuts.sampleArc(h, tolerance, arc);
    pieces.clear();
    if (is_whole) {
      lines.push_back({arc});
      continue;
    }
    cuts.addPieces(arc, map.floorAt(h, arc.front()), pieces);
    for (LayerPolyline& piece : pieces)
      if (piece.layer == layer) lines.push_back(std::move(piece.line));
  }
  return lines;
}

std::vector<Segment> spokesOf(const CorridorMap& map, std::uint16_t layer) {
  const corridors::LayerCuts cuts(map);
  std::vector<Segment> spokes;
  std::vector<LayerPolyline> pieces;
  for (std::uint32_t h = 0; h < map.halfEdges().size(); ++h) {
    const corridors::MapHalfEdge& edge = map.edge(h);
    if (edge.origin == corridors::kNone || (edge.crossing == corridors::kNone && edge.floor != layer)) continue;
    if (!edge.site.isCorner() && map.walls()[edge.site.index()].frame) continue;  // nothing stands there
    const std::array<Point, 2> line{map.origin(h).at, edge.foot};
    pieces.clear();
    cuts.addPieces(line, map.floorAt(h, line[0]), pieces);
    for (const LayerPolyline& piece : pieces)
      if (piece.layer == layer && piece.line.points.front() != piece.line.points.back())
        spokes.push_back({piece.line.points.front(), piece.line.points.back()});
  }
  return spokes;
}

std::vector<Segment> passagesOf(const CorridorMap& map, std::uint16_t layer) {
  std::vector<Segment> lines;
  for (const corridors::MapConnection& connection : map.connections())
    if (connection.open && (connection.left_floor == layer || connection.right_floor == layer))
      lines.push_back(connection.line);
  return lines;
}

}  // namespace throng::views
