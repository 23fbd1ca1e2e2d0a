// GeoJSON (RFC 7946) that has been parsed already.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "geometry/polygons.h"

namespace throng::geometry {

/// The shapes of a geometry, a Feature or a FeatureCollection; pointers in errors and repairs start at `value`.
std::optional<Shapes> readGeoJson(const nlohmann::ordered_json& value, ShapeError& error);

}  // namespace throng::geometry
