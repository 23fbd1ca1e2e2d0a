// The corridor around a way along the medial axis, shrunk by the clearance that somebody wants to keep: a sequence of
// portals, straight lines that every route in the corridor crosses one after the other (Geraerts 2010).
#pragma once

#include <limits>
#include <vector>

#include "corridors/corridor_map.h"
#include "planning/medial_search.h"

namespace throng::planning {

/// Left and right as seen by who walks. The two ends lie on the straight lines from a place of the axis to the nearest
/// obstacles on either side.
struct Portal {
  Point left, right;
  Point axis;
  bool fixed = false;  ///< for the clearance of one end alone: nobody narrows it for keeping to one side
  std::uint32_t edge = corridors::kNone;  ///< of the way, where it is
};

/// How much of the corridor somebody uses. At a place of the axis with clearance d the portal's ends keep
///   min(clearance, radius + spread · (d − radius))
/// from the obstacles: with spread 1 min(clearance, d) as published, so that narrow corridors are walked in the middle;
/// with less there is room left and right of the middle everywhere.
struct CorridorUse {
  double radius = 0.25;    ///< m
  double clearance = 0.5;  ///< m; at least the radius
  double spread = 1;       ///< 0 … 1
  bool one_side = false;   ///< there are portals near both ends, for who wants to be on one side by then
  /// m from one portal to the next, at most, and where a street begins beside the way too; infinity: no more than
  /// keeping clear of walls takes.
  double step = std::numeric_limits<double>::infinity();

  double keptAt(double d) const {
    if (d <= radius) return d;
    const double kept = radius + spread * (d - radius);
    return kept < clearance ? kept : clearance;
  }
};

/// Portals of a way from `start` to `goal`, the places whose retractions the path begins and ends with. Straight lines
/// from one portal to the next keep what the portals keep (and within 0.2 % of it around corners).
void findPortals(const corridors::CorridorMap& map, const MedialPath& path, Point start, Point goal,
                 const CorridorUse& use, std::vector<Portal>& portals);

}  // namespace throng::planning
