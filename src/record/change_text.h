// A change of the world as one line of text, for formats that keep it so.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/frame.h"

namespace throng::record {

/// "close_door"
std::string_view kindText(Change::Kind kind);
std::optional<Change::Kind> kindOfText(std::string_view text);

/// WKT: a line or a polygon, with as many digits as restore every number.
std::string shapeText(const std::vector<Point>& shape);
/// Nothing when it is neither, or when a number is not finite.
std::optional<std::vector<Point>> shapeOfText(std::string_view text);

/// Time, kind, layer, shape and name with tabs between; without a line's end.
std::string changeText(const Change& change);
/// Nothing when it is not such a line.
std::optional<Change> changeOfText(std::string_view line);

}  // namespace throng::record
