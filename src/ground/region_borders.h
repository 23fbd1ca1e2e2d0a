// Where one type of ground ends and another begins: the borders of regions as straight lines with a type on either
// side, for those who ask what a body touches and not only what lies under one place (JAKLIN 2016, section 7.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/uniform_grid.h"
#include "ground/regions.h"

namespace throng::ground {

class RegionBorders {
 public:
  /// Lines meet at their ends only, to within kSpacing.
  struct Line {
    Point a, b;
    RegionType left, right;  ///< of a→b; never the same
  };
  static constexpr double kSpacing = 1e-5;  ///< m, between places that lines may end at

  RegionBorders() = default;
  RegionBorders(const Regions& regions, std::size_t layers);

  std::span<const Line> lines(std::uint16_t layer) const {
    return layer < layers_.size() ? std::span<const Line>(layers_[layer].lines) : std::span<const Line>();
  }
  /// visit(line) for all lines of a layer that may meet a box, by number; some more than once.
  template <class Visit>
  void visit(std::uint16_t layer, const Rectangle& box, const Visit& visit) const {
    if (layer < layers_.size()) layers_[layer].grid.visit(box.min, box.max, visit);
  }
  std::size_t bytes() const;

 private:
  struct OfLayer {
    std::vector<Line> lines;
    geometry::UniformGrid<double> grid;
  };
  std::vector<OfLayer> layers_;
};

}  // namespace throng::ground
