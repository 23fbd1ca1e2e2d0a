// What the ground costs along the medial axis, for those who mind it: for every place of a chain which types of ground
// lie beside it, between the walls on both sides. The cheapest of them says what a metre there costs at least, whatever
// side of the street somebody keeps to. By that the planner `strips` chooses streets, and people compare them with
// others that are less crowded; which strip of a street they walk on is strips.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "planning/ground_raster.h"

namespace throng::planning {

class AxisGrounds {
 public:
  AxisGrounds(const corridors::CorridorMap& map, const ground::Regions& regions);

  const GroundRaster& raster() const { return raster_; }
  /// What a metre costs somebody at least, by set of types; overwrites `rates`. Returns the least of them all, at
  /// most 1.
  double ratesOf(std::span<const float> weights, std::vector<float>& rates) const;
  /// Of a chain between two places of it, m along it, in either order.
  double cost(std::uint32_t chain, double from, double to, std::span<const float> rates) const;
  std::size_t memory() const;

 private:
  using Types = std::array<std::uint64_t, 4>;  ///< one bit for each

  /// Of a chain, up to a place of it: the types are the same.
  struct Piece {
    float end;          ///< m along the chain
    std::uint32_t set;  ///< of types
  };
  void addBeside(const corridors::CorridorMap& map, std::uint32_t h, std::vector<Types>& bins) const;

  GroundRaster raster_;
  std::vector<Types> sets_;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> first_;  ///< by chain, and one more
};

}  // namespace throng::planning
