#include "corridors/named_map.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace throng::corridors {

std::uint16_t NamedMap::layer(std::string_view name) const {
  if (name.empty()) return 0;
  const auto found = std::find(layers.begin(), layers.end(), name);
  if (found == layers.end())
    throw InputError(fmt::format("There is no layer \"{}\"; allowed: {}.", name, fmt::join(layers, ", ")));
  return static_cast<std::uint16_t>(found - layers.begin());
}

std::uint16_t NamedMap::layer(LayerId id) const {
  if (!id) return 0;
  if (id.index() >= layers.size())
    throw InputError(fmt::format("There is no layer {}; the map has {} of them.", id.index(), layers.size()));
  return static_cast<std::uint16_t>(id.index());
}

void requireFinite(Point place, const char* what) {
  if (!std::isfinite(place.x) || !std::isfinite(place.y))
    throw InputError(
        fmt::format("The {} ({}, {}) is nowhere; allowed: two finite numbers, in m.", what, place.x, place.y));
}

}  // namespace throng::corridors
