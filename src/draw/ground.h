// The ground of one layer, ready to be painted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "throng/scene.h"

#include "draw/canvas.h"

namespace throng::draw {

struct Ground {
  std::vector<Polygon> floor;   ///< apart from one another; empty: the whole plane
  std::vector<Polygon> solids;  ///< obstacles, with openings cut out
  std::vector<Polyline> walls;  ///< with openings cut out
  std::vector<Region> regions;
  std::optional<Rectangle> wrap;
};

Ground groundOf(const Layer& layer);
/// The floor's when it has an end, the wrapped rectangle's, or else that of everything solid; nothing on an empty
/// plane.
std::optional<Rectangle> boundsOf(const Ground& ground);
std::optional<Rectangle> joined(const std::optional<Rectangle>& a, const std::optional<Rectangle>& b);
std::optional<Rectangle> boundsOf(const std::vector<Point>& points);

/// Region types of a layer in order of appearance, each once.
std::vector<std::string> regionTypes(const Ground& ground);

/// Floor with its outline and regions. `unit`: px; the width of thin lines follows it.
void paintFloor(Canvas& canvas, const PageTransform& page, const Ground& ground, double unit);
/// Obstacles and walls.
void paintSolids(Canvas& canvas, const PageTransform& page, const Ground& ground, double unit);
/// What to clip to so that a painting stays on the floor; the panel when the plane is the floor.
Path floorClip(const PageTransform& page, const Ground& ground);

/// The border of a wrapped layer.
Path wrapPath(const PageTransform& page, const Rectangle& wrap);

/// Starts, goals, measurement lines and areas of the populations on layer `layer`, quietly.
void paintPlan(Canvas& canvas, const PageTransform& page, const Scene& scene, std::size_t layer, double unit);
/// Where the names of measurements stand, for other words to keep off.
std::vector<Rectangle> planNames(const PageTransform& page, const Scene& scene, std::size_t layer, double unit);
/// The places on layer `layer`, with their names; those that name none are on the first.
void paintPlaces(Canvas& canvas, const PageTransform& page, const Scene& scene, std::size_t layer, double unit);
/// Around starts and goals, for scenes on an endless plane.
std::optional<Rectangle> planBounds(const Scene& scene, std::size_t layer);

}  // namespace throng::draw
