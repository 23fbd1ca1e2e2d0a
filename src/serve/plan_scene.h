// A plan, as well-known text or GeoJSON, or the file of a model, as a scene that can be designed.
#pragma once

#include <string>
#include <string_view>

namespace throng::serve {

/// By its name.
bool isPlan(std::string_view file);
/// The text of a scene: people can walk on the plan's polygons, its lines are walls, nobody is there yet. Throws
/// InputError when there is no polygon in it.
std::string planScene(const std::string& name, const std::string& text, bool geojson);
/// The text of a scene whose layers are found in a model; nobody is there yet.
std::string modelScene(const std::string& name, const std::string& file);

}  // namespace throng::serve
