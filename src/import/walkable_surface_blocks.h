// Cells that go to a layer together, so that layers meet where that is simple: on a straight line from wall to wall.
#pragma once

#include "import/walkable_surface_cells.h"

namespace throng::import {

/// Straight lines across the surface with a wall at either end: the front edge of a stair's tread, a line across a
/// ramp where its slope changes. A surface that has to be cut is cut there, because routes can be planned over such a
/// line.
class Gates {
 public:
  explicit Gates(const Cells& cells);
  bool gate(std::uint32_t cell, std::size_t side) const { return gate_[cell] >> side & 1; }
  void remove(std::uint32_t cell, std::size_t side);

 private:
  struct Side {
    std::uint32_t cell;
    std::size_t side;
  };
  Spot spot(Side s, std::size_t end) const;
  Side around(Side s) const;
  bool atWall(std::uint32_t cell, std::size_t k) const;
  enum class Kind { kBend, kLine };
  void follow(std::uint32_t cell, std::size_t side, Kind kind);
  bool crossesGates() const;
  bool is(Side s, Kind kind) const;
  bool goesOn(Spot from, Spot to) const;

  const Cells& all_;
  std::vector<std::uint8_t> walled_;  ///< per cell: bit k: corner k is at a wall
  std::vector<std::uint8_t> gate_;    ///< per cell: bit i: side i is part of a gate
  std::vector<Side> chain_;
};

struct Blocks {
  Gates gates;
  std::vector<std::uint32_t> of;     ///< per cell; kNone: left out
  std::vector<std::uint32_t> cells;  ///< by block
  std::vector<std::uint32_t> first;  ///< per block, into cells; one more at the end
  std::vector<double> area, height;  ///< m², m: of the lowest cell's centre

  /// Of the cells that are kept.
  Blocks(const Cells& cells, const std::vector<bool>& kept);

  std::size_t size() const { return area.size(); }

 private:
  template <class MayCross>
  void grow(const Cells& all, std::uint32_t seed, const MayCross& may_cross);
  bool dropUselessGates(const Cells& all);
  bool aboveItself(const Cells& all, std::uint32_t block) const;
};

}  // namespace throng::import
