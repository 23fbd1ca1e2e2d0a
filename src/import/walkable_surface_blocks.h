// Cells that go to a layer together: what is left of the surfaces once they are cut.
#pragma once

#include "import/walkable_surface_chords.h"

namespace throng::import {

/// The sides of cells on cuts.
class Gates {
 public:
  Gates(const Cells& cells, const PlanGraph& graph, const std::vector<Cut>& cuts);
  bool gate(std::uint32_t cell, std::size_t side) const { return gate_[cell] >> side & 1; }

 private:
  /// A side of a cell on a cut that can be stepped over.
  struct Side {
    std::uint32_t cut;
    double along;  ///< m on the way of the cut
    std::uint32_t cell;
    std::size_t side;
    double from, to;  ///< m, heights at its ends
  };
  std::vector<Side> sidesOn(const PlanGraph& graph, const std::vector<Cut>& cuts) const;
  void mark(const Side& s);

  const Cells& all_;
  std::vector<std::uint8_t> gate_;  ///< per cell: bit i: side i is part of a gate
};

struct Blocks {
  Gates gates;
  std::vector<std::uint32_t> of;     ///< per cell; kNone: left out
  std::vector<std::uint32_t> cells;  ///< by block
  std::vector<std::uint32_t> first;  ///< per block, into cells; one more at the end
  std::vector<double> area, height;  ///< m², m: of the lowest cell's centre

  /// Of the cells that are kept.
  Blocks(const Cells& cells, const PlanGraph& graph, const std::vector<Cut>& cuts, const std::vector<bool>& kept);

  std::size_t size() const { return area.size(); }

 private:
  template <class MayCross>
  void grow(const Cells& all, std::uint32_t seed, const MayCross& may_cross);
  bool aboveItself(const Cells& all, std::uint32_t block) const;
};

}  // namespace throng::import
