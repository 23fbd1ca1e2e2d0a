// Geometry in a scene file: WKT, GeoJSON, a file, or an array of those; cleaned, with a word about whatever was
// changed.
#pragma once

#include <string>
#include <vector>

#include "geometry/polygons.h"
#include "scene/json_reader.h"

namespace throng::scene {

/// Coordinates farther from the origin than this are refused, in m: at 1000 km a 32-bit float resolves 6 cm.
inline constexpr double kFarthest = 1e6;
/// Polygons of less area than this have no inside, in m².
inline constexpr double kLeastArea = 1e-9;

class GeometryReader {
 public:
  /// Files named in the scene lie beneath `directory`; an empty one means that none may be named.
  explicit GeometryReader(std::string directory) : directory_(std::move(directory)) {}

  struct Wanted {
    bool polygons = true;
    bool lines = false;
    bool may_be_empty = false;  ///< an array of nothing is allowed
  };

  /// Cleaned shapes; nothing after errors have been reported.
  geometry::Shapes shapes(const Value& value, Wanted wanted) const;
  std::vector<Polygon> polygons(const Value& value) const { return shapes(value, {}).polygons; }
  /// One line, also as [[x, y], [x, y], …].
  Polyline line(const Value& value) const;
  /// One straight line: two points, also as [[x, y], [x, y]].
  Segment segment(const Value& value) const;
  /// [x, y] or "POINT (x y)".
  std::optional<Point> point(const Value& value) const;
  /// Where a file named in the scene is; nothing, after an error at `value`, when it may not be named.
  std::optional<std::string> filePath(const Value& value, const std::string& name) const;

 private:
  bool collect(const Value& value, int depth, geometry::Shapes& into) const;
  bool collectFile(const Value& value, geometry::Shapes& into) const;
  bool collectText(const Value& value, geometry::Shapes& into) const;
  bool collectGeoJson(const Value& value, geometry::Shapes& into) const;
  std::optional<std::string> fileText(const Value& value, const std::string& name) const;

  std::string directory_;
};

/// Reads a file of at most 256 MB; fills `problem` with a sentence when that is not possible.
std::optional<std::string> readFile(const std::string& path, std::string& problem);

}  // namespace throng::scene
