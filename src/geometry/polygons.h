// Reading, checking and cutting polygons, with GEOS behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// A parse or geometry error; `at` is the place where known.
struct ShapeError {
  std::string message;
  std::optional<Point> at;
  std::string pointer;  ///< GeoJSON: JSON pointer to the culprit within the text
};

/// What a piece of WKT or GeoJSON held, by dimension. Polygons are as written, valid or not; the repeated last point of
/// each ring is dropped.
struct Shapes {
  std::vector<Polygon> polygons;
  std::vector<Polyline> lines;
  std::vector<Point> points;
  std::vector<ShapeError> repairs;  ///< what was put right while reading: rings that were not closed, heights left out
};

/// Each returns shapes, or fills `error`. Never throws for what the text says. All coordinates are finite.
std::optional<Shapes> parseWkt(const std::string& text, ShapeError& error);
std::optional<Shapes> parseGeoJson(const std::string& text, ShapeError& error);

std::string toWkt(const std::vector<Polygon>& polygons);
std::string toWkt(const Polyline& line);

std::string toWkt(Point point);

/// Why a polygon is not valid (self-crossing, hole outside its shell …) and where; nothing when it is valid.
std::optional<ShapeError> validity(const Polygon& polygon);
/// The valid polygons nearest to what was meant (GEOS MakeValid, structure method).
std::vector<Polygon> repaired(const Polygon& polygon);

// What follows returns valid polygons with counter-clockwise outer rings and clockwise holes; input polygons that are
// not valid are repaired first.
std::vector<Polygon> unionOf(const std::vector<Polygon>& polygons);
/// The same, quicker, for tiles: polygons that meet along whole edges, from corner to corner.
std::vector<Polygon> unionOfTiles(const std::vector<Polygon>& tiles);
std::vector<Polygon> difference(const std::vector<Polygon>& from, const std::vector<Polygon>& take);
/// The same, quicker, for polygons that come from these functions: valid, and sharing no inner point among themselves.
std::vector<Polygon> differenceOfMerged(const std::vector<Polygon>& from, const std::vector<Polygon>& take);
std::vector<Polygon> intersection(const std::vector<Polygon>& a, const std::vector<Polygon>& b);
/// Pieces of the lines outside the polygons.
std::vector<Polyline> difference(const std::vector<Polyline>& from, const std::vector<Polygon>& take);
/// True when they share a point; the border belongs to a polygon.
bool intersects(const std::vector<Polygon>& a, const std::vector<Polygon>& b);
bool intersects(const std::vector<Polyline>& lines, const std::vector<Polygon>& polygons);

}  // namespace throng::geometry
