// The widest way between any two places, and where it is narrowest. Of all ways along the medial axis, those on a
// maximum spanning tree (by clearance) are the widest: the tree is made once, and every question then takes a few steps
// in it, whoever asks and however large they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "corridors/corridor_map.h"
#include "planning/medial_search.h"

namespace throng::planning {

class WidestWays {
 public:
  /// The map must stay as it is.
  explicit WidestWays(const corridors::CorridorMap& map);

  struct Way {
    double radius = 0;  ///< m: of the largest disc that gets through
    Point narrowest;    ///< where it only just does
  };
  /// Nothing when not even a point gets from the one place to the other.
  std::optional<Way> between(const corridors::Retraction& from, const corridors::Retraction& to) const;

  /// What findMedialPath() answers, without searching where that is not needed.
  bool reaches(const corridors::Retraction& from, const corridors::Retraction& to, double radius,
               MedialScratch& scratch) const;

 private:
  /// How a vertex hangs in the tree of those that were joined: a few steps lead to the root. What is nearer to the root
  /// was joined later, by a narrower arc.
  struct Link {
    std::uint32_t parent = corridors::kNone;
    std::uint32_t edge = corridors::kNone;    ///< the arc that joined both
    std::uint32_t order = ~std::uint32_t{0};  ///< of joining
  };
  /// The arc that decides how wide the way between two vertices is: itself kNone when they are one, nothing when there
  /// is no way.
  std::optional<std::uint32_t> narrowestArc(std::uint32_t u, std::uint32_t v) const;

  const corridors::CorridorMap& map_;
  std::vector<Link> links_;  ///< by vertex
};

}  // namespace throng::planning
