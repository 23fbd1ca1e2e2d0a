// Samples of the ground for the navigation graph (YERSIN 2009, section 3.1.1; PETTRÉ 2008, section 2, steps 1 to 3):
// the nodes of one regular grid on every floor, which of them are joined, and how far the nearest obstacle is.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "throng/mesh.h"

#include "base/parallel.h"
#include "corridors/corridor_map.h"
#include "ground/walkable_space.h"

namespace throng::graph {

/// Are two floors the same at a place: one floor, or the place is on the line of a connection between them? The map
/// names either of them there.
bool sameFloor(const corridors::CorridorMap& map, std::uint16_t a, std::uint16_t b, Point place);

class NavigationGrid {
 public:
  /// More nodes than this, on all floors together, are refused.
  static constexpr double kMostNodes = 5e7;

  /// Finds the samples: every node (i·step, j·step) that is on free ground, once for every floor it is on. Throws
  /// InputError when there would be too many.
  NavigationGrid(const ground::WalkableSpace& space, const corridors::CorridorMap& map, const Walkability& walkability,
                 double step, const base::Threads& threads);
  /// Exact distances to the nearest obstacles, along the floors.
  void measure(const corridors::CorridorMap& map, const base::Threads& threads);
  /// Joins neighbours with nothing between them, on the same floor or over a connection. After measure().
  void link(const corridors::CorridorMap& map, const base::Threads& threads);

  std::size_t size() const { return node_.size(); }
  Point place(std::uint32_t sample) const {
    const FloorNodes& f = floors_[floor_[sample]];
    return {static_cast<double>(f.first_column + node_[sample] % f.columns) * step_,
            static_cast<double>(f.first_row + node_[sample] / f.columns) * step_};
  }
  std::uint16_t floor(std::uint32_t sample) const { return floor_[sample]; }
  /// The corridor map's cell.
  corridors::Located cell(std::uint32_t sample) const { return {cell_[sample]}; }
  float z(std::uint32_t sample) const { return z_[sample]; }
  /// m, rounded down.
  float clearance(std::uint32_t sample) const { return clearance_[sample]; }
  /// Neighbours to the east, north, west and south that nothing stands before; kNone where there is none.
  const std::array<std::uint32_t, 4>& free(std::uint32_t sample) const { return neighbours_[sample]; }
  /// Is the ground to such a neighbour flat enough, too? Then they are linked.
  bool linked(std::uint32_t sample, unsigned direction) const {
    return neighbours_[sample][direction] != corridors::kNone && (steep_[sample] >> direction & 1u) == 0;
  }
  /// Floors that are too steep as a whole.
  bool tooSteep(std::uint16_t floor) const { return steep_floor_[floor]; }
  /// The sample of a node on a floor, or kNone.
  std::uint32_t at(std::uint16_t floor, std::int64_t column, std::int64_t row) const {
    const FloorNodes& f = floors_[floor];
    const std::int64_t c = column - f.first_column, r = row - f.first_row;
    if (c < 0 || r < 0 || c >= f.columns || r >= f.rows) return corridors::kNone;
    return f.sample[static_cast<std::size_t>(r * f.columns + c)];
  }
  double step() const { return step_; }

  std::size_t links() const { return links_; }
  /// Samples with fewer than four links.
  std::size_t borderSamples() const { return border_; }
  std::size_t bytes() const;

 private:
  struct FloorNodes {
    std::int64_t first_column = 0, first_row = 0, columns = 0, rows = 0;
    std::vector<std::uint32_t> sample;  ///< by node, row after row
  };
  void placeNodes(const corridors::CorridorMap& map);
  void dropTwins(const corridors::CorridorMap& map);
  void joinForward(const corridors::CorridorMap& map, std::uint32_t sample, bool flat);
  std::uint32_t sampleNear(const corridors::CorridorMap& map, std::uint16_t floor, std::int64_t column,
                           std::int64_t row) const;

  double step_;
  double rise_ = 0;  ///< m that neighbours' heights may differ by
  std::vector<FloorNodes> floors_;
  std::vector<bool> steep_floor_;
  std::vector<std::uint32_t> node_, cell_;
  std::vector<std::uint16_t> floor_;
  std::vector<float> z_, clearance_;
  std::vector<std::array<std::uint32_t, 4>> neighbours_;
  std::vector<std::uint8_t> steep_;  ///< one bit per direction
  std::size_t links_ = 0, border_ = 0;
};

}  // namespace throng::graph
