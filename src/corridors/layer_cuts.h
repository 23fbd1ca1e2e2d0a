// Lines and cells of the corridor map that reach over connections, cut there: each piece lies on one layer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/routes.h"

#include "corridors/corridor_map.h"

namespace throng::corridors {

class LayerCuts {
 public:
  explicit LayerCuts(const CorridorMap& map) : map_(map) {}

  /// The same line, with a point more wherever it crosses a connection. `layer` is that of its first point.
  void cutLine(std::span<const Point> line, std::uint16_t layer, std::vector<RoutePoint>& points) const;
  /// One polyline per stretch on a layer.
  void addPieces(std::span<const Point> line, std::uint16_t layer, std::vector<LayerPolyline>& pieces) const;
  /// The polygon of a cell (up to the chord of its arc).
  void addCell(std::uint32_t half_edge, std::vector<LayerPolygon>& pieces) const;
  /// What a corridor has besides its cells: where the axis branches, a triangle from the branching point to the nearest
  /// points of the arcs before and after it. It lies in the free disc around that point.
  void addBranches(std::span<const std::uint32_t> corridor, std::vector<LayerPolygon>& pieces) const;
  /// The arc of a half-edge from its origin to its target; parabolas as lines that are at most `tolerance` (m) off.
  void sampleArc(std::uint32_t half_edge, double tolerance, std::vector<Point>& points) const;

 private:
  void addRing(std::uint32_t half_edge, Ring ring, std::vector<LayerPolygon>& pieces) const;
  struct Crossing {
    double along;
    const MapConnection* connection;
    bool to_right;
  };
  void findCrossings(Point from, Point to, std::uint16_t layer, std::vector<Crossing>& crossings) const;

  const CorridorMap& map_;
};

}  // namespace throng::corridors
