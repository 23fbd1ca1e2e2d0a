// What is behind NavigationMap.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/navigation.h"

#include "corridors/named_map.h"
#include "ground/regions.h"
#include "planning/route_request.h"

namespace throng {
namespace engine {
/// Of everything in a scene that its map depends on; never 0.
std::uint64_t mapHash(const Scene& scene);
/// Throws InputError that lists the names when there is none of that name.
DoorId doorNamed(std::span<const std::string_view> doors, std::string_view name);
/// Throws InputError when there are fewer, or it is null.
void requireDoor(DoorId door, std::size_t doors);
}  // namespace engine

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
  ground::Regions regions;  ///< of a map from a scene
  std::shared_ptr<planning::RegionMaps> region_maps = std::make_shared<planning::RegionMaps>();

  /// Heights and slopes of the floors, of a map from a scene that is not level; shared with what is made from them.
  std::shared_ptr<const std::vector<ground::Floor>> hills;

  planning::GroundOfMap ground() const {
    return {&regions, region_maps.get(),
            hills ? std::span<const ground::Floor>(*hills) : std::span<const ground::Floor>()};
  }
  corridors::NamedMap named() const { return {map, layers, walkable}; }
  /// Index of a layer by name. Throws InputError that lists them when there is none of that name.
  std::uint16_t layer(std::string_view name) const { return named().layer(name); }
  MapDoor& door(DoorId id) {
    engine::requireDoor(id, doors.size());
    return doors[id.index()];
  }
  std::string save() const;
  static State load(std::string_view bytes);
};

/// For the functions of this module that show what a map holds.
const NavigationMap::State& stateOf(const NavigationMap& map);

}  // namespace throng
