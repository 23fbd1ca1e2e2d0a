// Pictures of scenes and runs, from frames of any source.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "throng/draw.h"

#include "draw/fixtures.h"
#include "draw/furniture.h"
#include "draw/ground.h"
#include "draw/mesh_picture.h"
#include "draw/motion.h"
#include "draw/panels.h"
#include "draw/people.h"

namespace throng::draw {

/// Throws InputError for sizes, times, rates and rectangles that cannot be.
void checkSettings(const DrawSettings& settings);

/// What to show: the rectangle asked for, or else the ground and the people (and the plan), with a margin on an endless
/// plane. Of a model seen obliquely, what the rectangle becomes on the picture's plane.
Rectangle viewOf(const ShownLayer& shown, const DrawSettings& settings, const std::optional<Rectangle>& people,
                 const std::optional<Rectangle>& plan = {});
/// The same for all panels: what lies above one another has the same place in each.
Rectangle viewOf(const std::vector<Panel>& panels, const DrawSettings& settings,
                 const std::optional<Rectangle>& people);

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

/// Each type once, in all panels.
void addRegions(Furniture& furniture, const std::vector<Panel>& panels);
/// A name for the group of a panel's parts, by its number.
std::string panelGroup(std::size_t panel);
/// Floors with what is built into them: everything that never changes. `over`, where there is something, is painted
/// between the floor and what stands on it.
void paintGround(Canvas& canvas, const PageTransform& page, const Panel& panel, Labels& labels, double unit,
                 const std::function<void()>& over = {});

/// What changes in a run: as was recorded or, where that is not known, as the scene has in mind.
Timeline timelineOf(const Scene& scene, const FrameSource& frames);

void drawStill(const Scene& scene, const Frame* people, const std::string& path, const DrawSettings& settings);
/// Throws InputError for settings and names that drawRun cannot have; returns the name's ending.
std::string checkRun(const DrawSettings& settings, const std::string& path);
void drawRun(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
             const Overlay& overlay = {});

}  // namespace throng::draw
