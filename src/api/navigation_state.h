// What is behind NavigationMap.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/navigation.h"

#include "corridors/corridor_map.h"
#include "planning/planners.h"

namespace throng {
namespace api {
/// Throws InputError that says what was to be a place.
void requireFinite(Point place, const char* what);
/// Of everything in a scene that its map depends on; never 0.
std::uint64_t mapHash(const Scene& scene);
}  // namespace api

struct NavigationMap::State {
  struct MapDoor {
    std::string name;
    std::uint16_t layer = 0;
    Segment line;
    std::optional<std::uint32_t> obstacle;  ///< the wall that stands for it while it is closed
  };

  corridors::CorridorMap map;
  std::uint64_t scene = 0;  ///< hash of what it was made from; 0: not known
  std::vector<std::string> layers;
  std::vector<std::vector<Polygon>> walkable;  ///< by layer; empty: the whole plane
  std::vector<std::string> connections;        ///< names, in the map's order
  std::vector<MapDoor> doors;

  /// Index of a layer by name. Throws InputError that lists them when there is none of that name.
  std::uint16_t layer(std::string_view name) const;
  /// Checked. Throws InputError for what makes no sense.
  planning::RouteQuery query(const RouteRequest& request) const;
  /// A sentence about a goal that cannot be reached, and one about where the route ends instead.
  std::string whyNot(const planning::RouteQuery& query, Point end, std::uint16_t end_layer) const;
  std::string save() const;
  static State load(std::string_view bytes);
};

}  // namespace throng
