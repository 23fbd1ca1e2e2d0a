// From cells in layers to what a scene says: polygons, walls, and lines where layers meet.
#pragma once

#include "throng/scene.h"

#include "import/walkable_surface_layers.h"

namespace throng::import {

struct LayerOutline {
  std::vector<Polygon> walkable;
  std::vector<Polyline> walls;
};

/// A straight line where one can step from one layer to another.
struct MeetingLine {
  std::uint32_t from = 0, to = 0;  ///< layers, from < to
  Segment line;
};

class Outlines {
 public:
  /// Regions of a layer that are no larger than `least_region` m² are taken out of `layering`.
  Outlines(const Cells& cells, Layering& layering, double least_region, const base::Threads& threads);

  const std::vector<LayerOutline>& layers() const { return layers_; }
  const std::vector<MeetingLine>& meetings() const { return meetings_; }

 private:
  /// A side within a layer that cannot be stepped over.
  struct WallEdge {
    std::uint32_t layer, a, b;
    auto operator<=>(const WallEdge&) const = default;
  };
  /// A corner of a ring and what the side that begins there is.
  struct RingCorner {
    std::uint32_t vertex, other;
  };
  using Chain = std::vector<std::uint32_t>;

  std::uint32_t acrossInLayer(std::uint32_t cell, std::size_t i) const;
  void findRegions();
  void dropSmallRegions(Layering& layering, double least_region);
  void findWalls();
  void findFixed();
  bool isFixed(std::uint32_t layer, std::uint32_t vertex) const;
  void draw();
  void drawRing(std::uint32_t cell, std::size_t side, std::vector<std::uint8_t>& done);
  void addRing(std::uint32_t layer, std::uint32_t region, const std::vector<RingCorner>& corners);
  void drawWalls();
  Chain straightened(Chain chain) const;
  Point point(std::uint32_t vertex) const { return cells_.faces->grid.point(cells_.plan->spot(vertex)); }
  std::vector<Point> findFaults(const base::Threads& threads) const;

  const Cells& cells_;
  std::vector<std::uint32_t>& layer_;  ///< per cell
  std::uint32_t layer_count_ = 0;
  std::vector<std::uint32_t> region_;          ///< per cell
  std::vector<WallEdge> walls_;                ///< ascending
  std::vector<std::uint64_t> fixed_in_layer_;  ///< layer and vertex where lines meet or become something else
  std::vector<bool> fixed_;                    ///< vertices that stay where they are in all layers
  double tolerance_ = 0;                       ///< m; what deviates less from a straight line is part of it
  struct RegionRings {
    std::vector<Ring> outer, holes;
    std::uint32_t layer = 0;
  };
  std::vector<RegionRings> rings_;  ///< per region
  std::vector<LayerOutline> layers_;
  std::vector<MeetingLine> meetings_;
};

}  // namespace throng::import
