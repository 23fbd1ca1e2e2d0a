// Made-up places: streets, a station, a village, and one that is as unpleasant as a scene can be
// (docs/scene-generators.md). The same seed gives the same bytes everywhere.
#pragma once

#include "throng/scene.h"

#include "base/random.h"
#include "scene/json_reader.h"

namespace throng::scene {

// How many vertices "hostile" may be asked for.
inline constexpr std::uint32_t kFewestVertices = 100, kUsualVertices = 100'000, kMostVertices = 1'000'000;

std::vector<std::string_view> placeNames();

GeneratedPlace cityPlan(std::uint64_t seed);
GeneratedPlace station(std::uint64_t seed);
GeneratedPlace military(std::uint64_t seed);
/// As somebody might have drawn it: with copies, and with polygons that are not valid.
GeneratedPlace hostile(std::uint64_t seed, std::uint32_t vertices);
// In three dimensions: a mesh and places to go to instead of layers.
GeneratedPlace townPlace(std::uint64_t seed);
GeneratedPlace itranarium(std::uint64_t seed);
GeneratedPlace planetEight(std::uint64_t seed);

// What the places are built from.

/// Whole millimetres, so that files are easy to read.
Point toMillimetres(Point p);
/// Counter-clockwise.
Ring box(double min_x, double min_y, double max_x, double max_y);
Ring boxAround(Point centre, double width, double height);
/// A regular polygon, the first corner at angle `phase`.
Ring roundRing(Point centre, double radius, int corners, double phase = 0);
/// The unit vector at an angle, in radians.
Point unitAt(double angle);
/// `local` in a frame with this origin and x-axis (a unit vector).
Ring placed(const Ring& local, Point origin, Point along);

struct PlaceCount {
  std::size_t obstacles = 0;          ///< polygons and walls
  std::size_t obstacle_vertices = 0;  ///< of those
  std::size_t vertices = 0;           ///< of the walkable areas too
};
PlaceCount counted(const std::vector<Layer>& layers);

}  // namespace throng::scene
