// A plan, as well-known text or GeoJSON, as a scene that can be designed.
#pragma once

#include <string>
#include <string_view>

namespace throng::serve {

/// By its name.
bool isPlan(std::string_view file);
/// The text of a scene: people can walk on the plan's polygons, its lines are walls, nobody is there yet. Throws
/// InputError when there is no polygon in it.
std::string planScene(const std::string& name, const std::string& text, bool geojson);

}  // namespace throng::serve
