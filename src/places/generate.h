// Made-up places: streets, a station, a village, and one that is as unpleasant as a scene can be
// (docs/scene-generators.md). The same seed gives the same bytes everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/places.h"

#include "base/random.h"
#include "scene/findings.h"

namespace throng::places {

// How many vertices "hostile" may be asked for.
inline constexpr std::uint32_t kFewestVertices = 100, kUsualVertices = 100'000, kMostVertices = 1'000'000;

std::vector<std::string_view> placeNames();

// What is wrong with a wish, in words for whoever has it; nothing when it can be met.
std::optional<std::string> nameProblem(const std::string& name);
/// A name that is not known is no problem of the size.
std::optional<std::string> sizeProblem(const std::string& name, std::uint32_t vertices);

/// As generatePlace(), of a name and size without problems. What had to be repaired, which a file would be told too, is
/// said about `pointer`.
Scene made(const std::string& name, std::uint64_t seed, std::uint32_t vertices, scene::Findings& findings,
           const std::string& pointer);

Scene cityPlan(std::uint64_t seed);
Scene station(std::uint64_t seed);
Scene military(std::uint64_t seed);
Scene abstractRegions(std::uint64_t seed);
/// As somebody might have drawn it: with copies, and with polygons that are not valid.
Scene hostile(std::uint64_t seed, std::uint32_t vertices);
// In three dimensions: a mesh and places to go to instead of layers.
Scene townPlace(std::uint64_t seed);
Scene itranarium(std::uint64_t seed);
Scene planetEight(std::uint64_t seed);

// What the places are built from.

/// Everything but the place is as in every scene that nobody has changed yet: one profile, nobody there.
Scene sceneOf(std::vector<Layer> layers, std::vector<Connection> connections = {});
Scene sceneOf(Mesh mesh, std::vector<Place> places);
/// Whole millimetres, so that files are easy to read.
Point toMillimetres(Point p);
/// Counter-clockwise.
Ring box(double min_x, double min_y, double max_x, double max_y);
Ring boxAround(Point centre, double width, double height);
/// A regular polygon, the first corner at angle `phase`.
Ring roundRing(Point centre, double radius, int corners, double phase = 0);
/// Of the corners.
Point middleOf(const Ring& ring);
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

}  // namespace throng::places
