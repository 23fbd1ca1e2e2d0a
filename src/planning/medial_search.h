// The shortest way along the medial axis for somebody of a given size: A* over the chains of the corridor map, from
// junction to junction (JAKLIN 2016, section 11.3.2; Geraerts 2010). What it costs is its length, or more where others
// are on it (crowding.h); the straight distance to the goal never overestimates that.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"

namespace throng::planning {

/// Half-edges in the order and direction of walking. The first and the last arc are walked in part: from `from.at`, and
/// up to `to.at`.
struct MedialPath {
  std::vector<std::uint32_t> edges;
  corridors::Retraction from, to;
  double length = 0;  ///< m, or what it costs
};

/// Room for searching; one per thread, for any map.
struct MedialScratch {
  struct Node {
    double cost = 0;           ///< from the start, m
    double rest = 0;           ///< m straight to the goal
    std::uint32_t via = 0;     ///< the end here of the chain that leads here, or how the start does
    std::uint32_t end = 0;     ///< of a chain that ends here, as MapChain::around has it
    std::uint32_t search = 0;  ///< the one that this is of
  };
  std::vector<Node> nodes;            ///< by vertex; those of an earlier search do not count
  std::vector<std::uint64_t> heap;    ///< what is open: the way over it at least, and the vertex, in one number
  std::vector<std::uint32_t> chains;  ///< first half-edges of the chains walked, last chain first
  std::uint32_t search = 0;
};

/// Coordinates of the map are rounded: a passage that is less than this narrower than somebody counts as wide enough,
/// m.
inline constexpr double kPassageTolerance = corridors::CorridorMap::kTolerance;

class WayCosts;
class ChainClimbs;
class AxisGrounds;

/// What chains cost besides their lengths: for rise and fall, and for the ground beside them.
struct AxisClimb {
  const ChainClimbs* chains = nullptr;   ///< null: the ground is level, or nobody minds
  double each = 0;                       ///< m of level ground that a metre of height is worth
  const AxisGrounds* grounds = nullptr;  ///< null: all ground is alike
  std::span<const float> rates = {};     ///< see AxisGrounds::ratesOf
  double least = 1;                      ///< what a metre costs at least; at most 1

  bool any() const { return chains != nullptr || grounds != nullptr; }
};

/// False when there is no way for `radius`. Somebody who stands where the axis is too narrow may leave to where it
/// widens; nobody may go to such a place. `costs`: null when nobody else counts. Ways that cost as much as `at_most`,
/// or more, are not looked for.
bool findMedialPath(const corridors::CorridorMap& map, const corridors::Retraction& from,
                    const corridors::Retraction& to, double radius, MedialScratch& scratch, MedialPath& path,
                    const WayCosts* costs = nullptr, double at_most = std::numeric_limits<double>::infinity(),
                    const AxisClimb& climb = {});

/// May somebody who needs `limit` go on an arc from a place of clearance d_from to one of clearance d_to, both on the
/// arc of h and in this order? From a place that is too narrow only to where it widens.
bool arcPasses(const corridors::CorridorMap& map, std::uint32_t h, Point from, double d_from, Point to, double d_to,
               double limit);

}  // namespace throng::planning
