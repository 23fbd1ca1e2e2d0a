// A corridor map with what the scene calls its floors: what is asked by name is answered from this.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/shapes.h"

#include "corridors/corridor_map.h"

namespace throng::corridors {

/// A view of things that somebody else owns.
struct NamedMap {
  const CorridorMap& map;
  std::span<const std::string> layers;             ///< names
  std::span<const std::vector<Polygon>> walkable;  ///< by layer; empty: the whole plane

  /// Index of a layer by name, 0 for none. Throws InputError that lists them when there is none of that name.
  std::uint16_t layer(std::string_view name) const;
  /// The same by handle. Throws InputError when the map has no such layer.
  std::uint16_t layer(LayerId id) const;
};

/// Throws InputError that says what was to be a place.
void requireFinite(Point place, const char* what);

}  // namespace throng::corridors
