// Where free space is too narrow for two to pass one another: doors, gates, short passages. From the corridor map,
// whose medial axis knows the clearance everywhere.
#pragma once

#include <vector>

#include "corridors/corridor_map.h"

namespace throng::corridors {

/// A part of the medial axis with less clearance than some limit, between two parts with more.
struct NarrowPlace {
  struct End {
    Vec2 at;
    Vec2 out;                             ///< direction, away from the narrow place
    std::uint16_t floor = 0, before = 0;  ///< there, and before it: a stair ends at a floor

    bool isOn(std::uint16_t layer) const { return layer == floor || layer == before; }
  };
  std::vector<Vec2> axis;             ///< from one end to the other
  std::vector<std::uint16_t> floors;  ///< at each point of it
  End ends[2];
  float length = 0;     ///< m, of the axis
  float clearance = 0;  ///< m, the least

  /// Where a place is along the axis, and how far from it, m.
  struct Along {
    float at = 0, off = 0;
    Vec2 direction;                          ///< of the axis there
    std::uint16_t floor = 0, floor_too = 0;  ///< at both ends of that piece of it

    bool isOn(std::uint16_t layer) const { return layer == floor || layer == floor_too; }
  };
  Along along(Vec2 place) const;
};

/// Those where discs of `least` pass and the clearance falls below `limit` (m), in the order of the map's chains. Where
/// the axis stays below the limit up to a junction, as in a maze of narrow corridors, there is no wider place to wait
/// in, and so it is none of these.
std::vector<NarrowPlace> narrowPlaces(const CorridorMap& map, double least, double limit);

/// By chain of the map: the clearance (m) of the narrower of the two crossings that it joins, at most `limit`. A
/// crossing is where three or more chains meet on which one can walk, and so no door, and no corridor from room to
/// room.
std::vector<float> crossingClearances(const CorridorMap& map, float limit);

}  // namespace throng::corridors
