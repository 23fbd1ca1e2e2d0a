// How far it is to where people go: what they walk down, as water runs down a slope.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "throng/scene.h"
#include "throng/views.h"

#include "corridors/named_map.h"

namespace throng::views {

/// Goals of populations, as far as they are points or areas, and the ends of flows: what they are called, at most
/// `most`.
std::vector<std::string> destinations(const Scene& scene, std::size_t most);
/// m of the shortest way to a destination, in bands: squares of the floor from which it can be reached, for people of
/// that population's mean size. Of an area the way leads to a place in its middle. Throws InputError for a name that
/// destinations() does not have.
void addPotential(Overlay& overlay, const corridors::NamedMap& map, const Scene& scene, std::string_view destination);

}  // namespace throng::views
