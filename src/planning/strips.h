// Which strip of a street somebody walks on who minds the ground: the pavement on this side or the other, the road, the
// zebra crossing between. For a corridor whose portals are near one another: each is cut where the ground changes, and
// of the pieces one is chosen per portal, so that the whole costs least (a shortest way over pieces, from portal to
// portal). What is left of the portals is what the route is drawn through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planning/corridor.h"
#include "planning/ground_raster.h"

namespace throng::planning {

/// Who walks, and what minds them.
struct StripWalker {
  std::span<const float> weights;  ///< by type of ground
  double side = 0;                 ///< -1 (left) … 1 (right): of two strips that cost the same the one on this side
  double preference = 0.5;         ///< in [0, 1): where on the strip
  double most = 2.5;               ///< m: how far from the strip's border, at most
  bool spills = false;             ///< where it is crowded all ground where they may walk is alike to them
};

/// Room for choosing; one per thread.
struct StripScratch {
  struct Strip {
    double low, high;  ///< m from the portal's left end
    float weight;
    double cost;
    std::uint32_t before;  ///< strip of the portal before
    Point at;              ///< where they are on it
  };
  std::vector<Strip> strips;
  std::vector<std::uint32_t> first;   ///< by portal that counts, and one more
  std::vector<std::uint32_t> portal;  ///< their numbers
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint16_t> floors;  ///< by portal of the corridor
  std::vector<std::uint8_t> crowded;  ///< by portal of the corridor: where people spill over
};

/// Narrows portals to the strips that cost least. `scratch.floors` and `scratch.crowded` say where they are; empty: on
/// floor 0, nobody there.
void chooseStrips(const GroundRaster& raster, Point start, Point goal, const StripWalker& walker,
                  std::vector<Portal>& portals, StripScratch& scratch);

}  // namespace throng::planning
