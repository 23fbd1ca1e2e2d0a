// Starts, goals, places and measurements of a scene.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/overloaded.h"
#include "draw/ground.h"

namespace throng::draw {
namespace {

constexpr Colour kMeasure = colour(0x2b2b2b);

bool isOn(const Scene& scene, const std::string& name, std::size_t layer) {
  return name.empty() ? layer == 0 : layer < scene.layers.size() && scene.layers[layer].name == name;
}

Path circlePath(Point centre, double radius) {
  constexpr int kSides = 96;
  Path path{{{{}, true}}};
  for (int i = 0; i < kSides; ++i) {
    const double angle = 2 * std::numbers::pi * i / kSides;
    path.parts[0].points.push_back(centre + Point{std::cos(angle), std::sin(angle)} * radius);
  }
  return path;
}

struct Brush {
  Canvas& canvas;
  const PageTransform& page;
  double unit;
};

void paintStart(const Brush& b, const Start& start, Colour c) {
  const Pen dashed{withAlpha(c, 0.8), 1.3 * b.unit, 4 * b.unit};
  std::visit(base::Overloaded{
                 [&](const StartPoints& at) {
                   for (const Point& p : at.points)
                     b.canvas.stroke(circlePath(b.page.toPage(p), 3 * b.unit), {withAlpha(c, 0.8), 1.2 * b.unit});
                 },
                 [&](const StartLine& along) { b.canvas.stroke(b.page.toPage(along.line), dashed); },
                 [&](const StartCircle& around) {
                   b.canvas.stroke(circlePath(b.page.toPage(around.centre), b.page.toPage(around.radius)), dashed);
                 },
                 [&](const auto& in) {
                   for (const Polygon& p : in.area) {
                     b.canvas.fill(b.page.toPage(p), withAlpha(c, 0.12));
                     b.canvas.stroke(b.page.toPage(p), dashed);
                   }
                 },
             },
             start.shape);
}

/// Diagonal lines across the box of an area, to be clipped to it.
Path hatching(const Path& area, double distance) {
  std::vector<Point> corners;
  for (const auto& part : area.parts) corners.insert(corners.end(), part.points.begin(), part.points.end());
  const auto box = boundsOf(corners);
  Path lines;
  if (!box) return lines;
  const double height = box->max.y - box->min.y;
  const double count = (box->max.x - box->min.x + height) / distance;
  for (int i = 1; i < std::min(count, 2000.0); ++i) {
    const double x = box->min.x + i * distance;
    lines.parts.push_back({{{x, box->min.y}, {x - height, box->max.y}}, false});
  }
  return lines;
}

void paintGoal(const Brush& b, const Goal& goal, Colour c) {
  if (const auto* in = std::get_if<GoalArea>(&goal.target)) {
    for (const Polygon& p : in->area) {
      const Path area = b.page.toPage(p);
      b.canvas.clip(area);
      b.canvas.stroke(hatching(area, 8 * b.unit), {withAlpha(c, 0.45), 1.2 * b.unit});
      b.canvas.unclip();
      b.canvas.stroke(area, {withAlpha(c, 0.9), 1.5 * b.unit});
    }
  } else if (const auto* to = std::get_if<GoalPoint>(&goal.target)) {
    const Point at = b.page.toPage(to->point);
    const double r = std::max(6 * b.unit, b.page.toPage(to->tolerance));
    b.canvas.stroke(circlePath(at, r), {withAlpha(c, 0.9), 1.5 * b.unit});
    b.canvas.disc(at, 2.2 * b.unit, withAlpha(c, 0.9));
  }
}

constexpr double kNameSize = 12.5;  // px on a page 1200 px wide

/// A measurement's name and the left end of its baseline.
struct PlacedName {
  Point at;
  const std::string& name;
};

std::vector<PlacedName> measurementNames(const PageTransform& page, const Scene& scene, std::size_t layer,
                                         double unit) {
  std::vector<PlacedName> names;
  for (const MeasurementArea& m : scene.areas) {
    if (!isOn(scene, m.layer, layer)) continue;
    std::vector<Point> corners;
    for (const Polygon& p : m.area) corners.insert(corners.end(), p.outer.begin(), p.outer.end());
    if (const auto box = boundsOf(corners))
      names.push_back({page.toPage(Point{box->min.x, box->max.y}) + Point{5 * unit, 15 * unit}, m.name});
  }
  for (const MeasurementLine& m : scene.lines) {
    if (!isOn(scene, m.layer, layer)) continue;
    const Point from = page.toPage(m.line.a), to = page.toPage(m.line.b);
    names.push_back({(from.y < to.y ? from : to) + Point{5 * unit, 14 * unit}, m.name});
  }
  return names;
}

void paintMeasurements(const Brush& b, const Scene& scene, std::size_t layer) {
  const Pen pen{withAlpha(kMeasure, 0.7), 1.3 * b.unit, 5 * b.unit};
  for (const MeasurementArea& m : scene.areas)
    for (const Polygon& p : m.area)
      if (isOn(scene, m.layer, layer)) b.canvas.stroke(b.page.toPage(p), pen);
  for (const MeasurementLine& m : scene.lines)
    if (isOn(scene, m.layer, layer)) b.canvas.stroke(linePath(b.page.toPage(m.line.a), b.page.toPage(m.line.b)), pen);
  const TextStyle style{kNameSize * b.unit, withAlpha(kMeasure, 0.85), false, Anchor::kLeft};
  for (const auto& [at, name] : measurementNames(b.page, scene, layer, b.unit)) b.canvas.text(at, name, style);
}

}  // namespace

std::vector<Rectangle> planNames(const PageTransform& page, const Scene& scene, std::size_t layer, double unit) {
  std::vector<Rectangle> boxes;
  const TextStyle style{kNameSize * unit, kMeasure};
  for (const auto& [at, name] : measurementNames(page, scene, layer, unit))
    boxes.push_back({at - Point{0, kNameSize * unit}, at + Point{textWidth(name, style), 0.3 * kNameSize * unit}});
  return boxes;
}

std::optional<Rectangle> planBounds(const Scene& scene, std::size_t layer) {
  std::vector<Point> points;
  const auto add = [&](const std::vector<Point>& more) { points.insert(points.end(), more.begin(), more.end()); };
  const auto addArea = [&](const std::vector<Polygon>& area) {
    for (const Polygon& p : area) add(p.outer);
  };
  const base::Overloaded addStart{
      [&](const StartPoints& at) { add(at.points); },
      [&](const StartLine& along) { add(along.line.points); },
      [&](const StartCircle& around) {
        const Point r{around.radius, around.radius};
        add({around.centre - r, around.centre + r});
      },
      [&](const auto& in) { addArea(in.area); },
  };
  for (const Population& population : scene.populations) {
    if (isOn(scene, population.layer, layer)) std::visit(addStart, population.start.shape);
    for (const Goal& goal : population.goals) {
      if (!isOn(scene, goal.layer.empty() ? population.layer : goal.layer, layer)) continue;
      if (const auto* in = std::get_if<GoalArea>(&goal.target)) addArea(in->area);
      if (const auto* to = std::get_if<GoalPoint>(&goal.target)) points.push_back(to->point);
    }
  }
  return boundsOf(points);
}

void paintPlan(Canvas& canvas, const PageTransform& page, const Scene& scene, std::size_t layer, double unit) {
  canvas.beginGroup("plan");
  const Brush brush{canvas, page, unit};
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    if (isOn(scene, population.layer, layer)) paintStart(brush, population.start, populationColour(i));
    for (const Goal& goal : population.goals)
      if (isOn(scene, goal.layer.empty() ? population.layer : goal.layer, layer))
        paintGoal(brush, goal, populationColour(i));
  }
  paintMeasurements(brush, scene, layer);
  canvas.endGroup();
}

/// A ring as large as the place, and its name on a light ground of its own.
void paintPlaces(Canvas& canvas, const PageTransform& page, const Scene& scene, std::size_t layer, double unit) {
  if (scene.places.empty()) return;
  const Brush b{canvas, page, unit};
  canvas.beginGroup("places");
  const TextStyle style{14 * b.unit, kMeasure, true, Anchor::kMiddle};
  for (const Place& place : scene.places) {
    if (!isOn(scene, place.layer, layer)) continue;
    const Point at = b.page.toPage(place.at);
    const double r = std::max(b.page.toPage(place.radius), 4 * b.unit);
    b.canvas.stroke(circlePath(at, r), {colour(0xffffff, 0.8), 3.5 * b.unit});
    b.canvas.stroke(circlePath(at, r), {kMeasure, 1.5 * b.unit});
    const double half = textWidth(place.name, style) / 2 + 5 * b.unit;
    const Point low = at - Point{0, r + 4 * b.unit};
    b.canvas.fill(rectanglePath({low - Point{half, 19 * b.unit}, low + Point{half, 0}}), colour(0xffffff, 0.8));
    b.canvas.text(low - Point{0, 5 * b.unit}, place.name, style);
  }
  canvas.endGroup();
}

}  // namespace throng::draw
