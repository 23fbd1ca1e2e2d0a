// On which layer somebody is, from where they are: for files that do not say.
#pragma once

#include <vector>

#include "throng/frame.h"
#include "throng/scene.h"

#include "geometry/edge_rows.h"

namespace throng::record {

class LayerFinder {
 public:
  explicit LayerFinder(const Scene& scene);

  /// The layer whose ground there is nearest in height; beside all of them, the one nearest in height.
  std::uint16_t find(Point place, double z) const;
  void assign(FrameCopy& frame) const;

 private:
  /// A piece of a layer's ground that is a plane: its height is z + gradient · place.
  struct Piece {
    std::uint16_t layer = 0;
    double z = 0;
    Point gradient;
  };
  std::vector<Piece> pieces_;   ///< those with borders, in the order of the rows' polygons
  std::vector<Piece> endless_;  ///< layers without borders
  geometry::EdgeRows rows_;

  static std::vector<Polygon> areasOf(const Scene& scene);
};

}  // namespace throng::record
