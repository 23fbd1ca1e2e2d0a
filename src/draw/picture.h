// Pictures of scenes and runs, from frames of any source.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "throng/draw.h"

#include "draw/furniture.h"
#include "draw/ground.h"
#include "draw/mesh_picture.h"
#include "draw/motion.h"
#include "draw/people.h"

namespace throng::draw {

/// Throws InputError for sizes, times, rates and rectangles that cannot be.
void checkSettings(const DrawSettings& settings);

/// What is shown of a scene: one layer, or its model with all layers on it.
struct ShownLayer {
  const Scene& scene;
  std::size_t layer = 0;  ///< kAllLayers with a model
  Ground ground;          ///< of one layer; nothing with a model
  std::shared_ptr<const Mesh> mesh = nullptr;

  /// Numbers of the layers.
  std::vector<std::size_t> layers() const;
};
/// The model when no layer is named and the scene has one that can be seen. Throws InputError when there is no layer of
/// that name, or when an oblique picture is asked for and there is no model.
ShownLayer shownLayer(const Scene& scene, const DrawSettings& settings);
/// The layer of that number, without any model.
ShownLayer oneLayer(const Scene& scene, std::size_t layer);
/// The floors of all layers shown, as one.
Ground wholeGround(const ShownLayer& shown);

/// What to show: the rectangle asked for, or else the ground and the people (and the plan), with a margin on an endless
/// plane. Of a model seen obliquely, what the rectangle becomes on the picture's plane.
Rectangle viewOf(const ShownLayer& shown, const DrawSettings& settings, const std::optional<Rectangle>& people,
                 const std::optional<Rectangle>& plan = {});

/// A page's layout. Oblique pictures fill all the room there is: `view` grows.
PageLayout layoutFor(const Furniture& furniture, const DrawSettings& settings, Rectangle& view, bool even);

std::vector<LegendEntry> populationLegend(const Scene& scene, const std::vector<std::uint64_t>& people,
                                          LegendEntry::Mark mark);
/// Of colours by direction.
ColourBar directionBar();
/// "187 people", "1 person".
std::string peopleText(std::uint64_t count);
std::string titleOf(const Scene& scene, const DrawSettings& settings);
/// The first and last time to show, s. Throws InputError with the run's range when there is nothing between them.
std::pair<double, double> intervalOf(const Survey& survey, const DrawSettings& settings);
double endOf(const DrawSettings& settings);

/// A clip that keeps the world in its panel: exactly for a rectangle that was asked for, otherwise with a little room
/// for outlines.
Path worldClip(const PageLayout& layout, const DrawSettings& settings);
void paintFrame(Canvas& canvas, const PageLayout& layout, const DrawSettings& settings);

void drawStill(const Scene& scene, const Frame* people, const std::string& path, const DrawSettings& settings);
void drawRun(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
             const Overlay& overlay = {});

}  // namespace throng::draw
