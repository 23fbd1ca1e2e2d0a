// The medial axis in stretches, which is how people see a way when they ask how crowded it is: pieces of a chain with
// one narrowest place each (a door, the gap beside a pillar, the end of a funnel), before which they queue.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "corridors/route.h"
#include "planning/medial_search.h"

namespace throng::planning {

struct Stretch {
  std::uint32_t chain = corridors::kNone;
  double begin = 0, end = 0;  ///< m along the chain
  double narrow = 0;          ///< m along the chain: the narrowest place
  Point at;                   ///< there
  Point ahead;                ///< unit vector through it, in the chain's direction
  double width = 0;           ///< m there, from obstacle to obstacle
  double area = 0;            ///< m² of its cells
  std::uint16_t floor = 0;    ///< at its narrowest place
  bool several_floors = false;
};

/// A stretch and in which direction: twice its number, and one more against its chain's direction.
using DirectedStretch = std::uint32_t;

class Stretches {
 public:
  Stretches() = default;
  explicit Stretches(const corridors::CorridorMap& map);

  std::span<const Stretch> all() const { return stretches_; }
  const Stretch& operator[](std::uint32_t s) const { return stretches_[s]; }
  /// The first stretch of a chain, and the first of the next.
  std::uint32_t firstOf(std::uint32_t chain) const { return first_of_chain_[chain]; }
  std::uint32_t endOf(std::uint32_t chain) const { return first_of_chain_[chain + 1]; }
  /// Of a half-edge; kNone on arms, which lead nowhere.
  std::uint32_t of(std::uint32_t h) const { return of_arc_[h >> 1]; }
  /// Of the map that they are of.
  std::uint64_t stamp() const { return stamp_; }

  /// Those whose narrowest places a way passes, in order.
  void listWay(const corridors::CorridorMap& map, const MedialPath& path, std::vector<DirectedStretch>& way) const;
  /// The same of a route from a place, wherever it lies beside the axis.
  void listAlong(const corridors::CorridorMap& map, Point from, std::uint16_t floor, const corridors::Route& route,
                 std::vector<DirectedStretch>& way) const;
  /// For every stretch of the map as it was before: the same one now, or kNone.
  std::vector<std::uint32_t> sameAs(const Stretches& before) const;
  std::size_t memory() const;

 private:
  void cut(const corridors::CorridorMap& map, std::uint32_t chain);
  void close(const corridors::CorridorMap& map, std::span<const std::uint32_t> arcs, std::uint32_t narrowest);

  std::vector<Stretch> stretches_;
  std::vector<std::uint32_t> first_of_chain_;  ///< one more than there are chains
  std::vector<std::uint32_t> of_arc_;          ///< by half of the half-edge's number
  std::vector<std::uint32_t> arcs_;            ///< scratch: the forward half-edges of a chain
  std::uint64_t stamp_ = 0;
};

}  // namespace throng::planning
