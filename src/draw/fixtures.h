// What is built into the floors of a panel: stairs and ramps, connections to other floors, doors, and obstacles that
// come and go.
#pragma once

#include <optional>
#include <vector>

#include "draw/labels.h"
#include "draw/panels.h"
#include "draw/timeline.h"

namespace throng::draw {

/// The time of a picture: one moment, or all of a span.
struct ShownTime {
  Span span;
  bool is_moment = false;

  static ShownTime at(double time) { return {{time, time}, true}; }
  static ShownTime during(double from, double to) { return {{from, to}, false}; }
};

/// Of what is there at that time, and looks different from everything else.
std::vector<LegendEntry> fixturesLegend(const Scene& scene, const Timeline& timeline, const std::vector<Panel>& panels,
                                        const ShownTime& time);

/// Slopes by what they are: treads across stairs, shades along ramps, and an arrow that points up. Words keep off them.
void paintSlopes(Canvas& canvas, const PageTransform& page, const Panel& panel, Labels& labels, double unit);
/// Where one goes on to another layer: a gap in the floor's border with dashes in it; with the other layer's name where
/// that is in another panel.
void paintConnections(Canvas& canvas, const PageTransform& page, const Panel& panel, Labels& labels, double unit);
/// Obstacles that come and go: at a moment those that stand, over a span hatched, with their times.
void paintInserted(Canvas& canvas, const PageTransform& page, const Panel& panel, const Timeline& timeline,
                   const ShownTime& time, Labels& labels, double unit);
/// Doors: closed a thick line, open a thin dashed one between its posts. Over a span in which it turns, both, with the
/// times when it is closed.
void paintDoors(Canvas& canvas, const PageTransform& page, const Panel& panel, const Timeline& timeline,
                const ShownTime& time, Labels& labels, double unit);

}  // namespace throng::draw
