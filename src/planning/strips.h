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
  struct Ends {
    double low, high;
  };
  std::vector<Ends> ends;             ///< of what is left of each portal
  std::vector<std::uint16_t> floors;  ///< by portal of the corridor
  std::vector<float> density;         ///< by portal of the corridor: people per m² from wall to wall
  /// What is alike to somebody at a portal.
  struct Alike {
    float least = 0, most = 0;  ///< weights from the one to the other count as the least
    double preference = 0.5;    ///< among those to whom just that is alike
  };
  std::vector<Alike> alike;  ///< by portal of the corridor
};

/// Strips hold only so many people who are at ease there: when more walk in a street than the cheapest strip holds,
/// some of them take the next one, and so on, until all are as full as one another. Who they are says `preference`.
inline constexpr double kStripHolds = 0.2;  // people per m²

/// Narrows portals to the strips that cost least. `scratch.floors` and `scratch.density` say where they are and how
/// many others walk there; empty: on floor 0, nobody.
void chooseStrips(const GroundRaster& raster, Point start, Point goal, const StripWalker& walker,
                  std::vector<Portal>& portals, StripScratch& scratch);

}  // namespace throng::planning
