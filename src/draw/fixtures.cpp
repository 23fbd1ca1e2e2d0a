#include "draw/fixtures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "geometry/predicates.h"

namespace throng::draw {
namespace {

constexpr Colour kFloor = colour(0xf5f3ee), kDoor = colour(0x8a4f1d), kWay = colour(0x1f6f8b);
constexpr Colour kTread = colour(0x6f6c67, 0.7), kArrow = colour(0x4f4b45), kTimeInk = colour(0x333333);
constexpr Colour kInserted = colour(0x9c8f7f), kInsertedLine = colour(0x5c4f40);

/// m per m; people walk up anything flatter without steps (about 1 in 8 for wheels, 1 in 4 for feet).
constexpr double kSteepestRamp = 0.25, kFlat = 0.01;
constexpr double kTreadDepth = 0.3;   // m, of an ordinary stair
constexpr double kRiser = 0.17;       // m
constexpr double kTreadsApart = 4.5;  // px on a page 1200 px wide, at least
constexpr int kShades = 16;

/// Of the panel, by a slope that words keep off.
constexpr double kMostCovered = 0.25;

double shareOf(const Rectangle& part, const Rectangle& whole) {
  const Point a = part.max - part.min, b = whole.max - whole.min;
  return a.x * a.y / (b.x * b.y);
}

Point middle(const Segment& s) { return (s.a + s.b) / 2; }

/// Least and most of direction · place over a floor.
Span extentOf(const std::vector<Polygon>& floor, Point direction) {
  Span extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Polygon& polygon : floor)
    for (const Point p : polygon.outer) {
      extent.from = std::min(extent.from, dot(p, direction));
      extent.to = std::max(extent.to, dot(p, direction));
    }
  return extent;
}

/// Lines across the slope, `step` m apart.
Path treads(const PageTransform& page, const std::vector<Polygon>& floor, Point up, double step) {
  const Point across = perpendicular(up);
  const Span along = extentOf(floor, up), width = extentOf(floor, across);
  Path lines;
  for (double at = along.from + step; at < along.to - 0.2 * step && lines.parts.size() < 5000; at += step)
    lines.parts.push_back(
        {{page.toPage(up * at + across * width.from), page.toPage(up * at + across * width.to)}, false});
  return lines;
}

/// Lines of equal height over ground made of triangles, where it is as steep as a stair.
Path contours(const PageTransform& page, const Layer& layer, double unit) {
  Path lines;
  for (const auto& corners : layer.ground) {
    const Point u{corners[1].x - corners[0].x, corners[1].y - corners[0].y};
    const Point v{corners[2].x - corners[0].x, corners[2].y - corners[0].y};
    const double twice = det(u, v);
    if (twice == 0) continue;
    const double rise_u = corners[1].z - corners[0].z, rise_v = corners[2].z - corners[0].z;
    const Point gradient{(rise_u * v.y - rise_v * u.y) / twice, (rise_v * u.x - rise_u * v.x) / twice};
    const double steep = length(gradient);
    if (steep < kSteepestRamp || steep > 20) continue;
    double riser = kRiser;
    while (page.toPage(riser / steep) < kTreadsApart * unit) riser *= 2;
    const auto [low, high] = std::minmax({corners[0].z, corners[1].z, corners[2].z});
    for (double z = std::ceil(low / riser) * riser; z <= high && lines.parts.size() < 200000; z += riser) {
      std::vector<Point> ends;
      for (int i = 0; i < 3; ++i) {
        const Point3 &a = corners[static_cast<std::size_t>(i)], &b = corners[static_cast<std::size_t>((i + 1) % 3)];
        if ((a.z < z) == (b.z < z)) continue;
        const double share = (z - a.z) / (b.z - a.z);
        ends.push_back(page.toPage(Point{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share}));
      }
      if (ends.size() == 2) lines.parts.push_back({ends, false});
    }
  }
  return lines;
}

/// From a dot at the foot to a point at the top.
void paintArrow(Canvas& canvas, Point foot, Point top, double unit) {
  const double size = length(top - foot);
  if (size < 14 * unit) return;
  const Point along = (top - foot) / size, across = perpendicular(along);
  const double head = std::min(11 * unit, 0.4 * size);
  canvas.stroke(linePath(foot, top), {kArrow, 1.8 * unit});
  canvas.stroke(
      {{{{top - along * head + across * (0.45 * head), top, top - along * head - across * (0.45 * head)}, false}}},
      {kArrow, 1.8 * unit});
  canvas.disc(foot, 2.8 * unit, kArrow);
}

void paintSlope(Canvas& canvas, const PageTransform& page, const Layer& layer, const Ground& ground, double unit) {
  const double steep = length(layer.slope);
  const Point up = layer.slope / steep;
  const Span along = extentOf(ground.floor, up), width = extentOf(ground.floor, perpendicular(up));
  canvas.clip(floorClip(page, ground));
  if (steep >= kSteepestRamp) {
    double step = kTreadDepth;
    while (page.toPage(step) < kTreadsApart * unit) step *= 2;
    canvas.stroke(treads(page, ground.floor, up, step), {kTread, unit});
  } else {
    for (int i = 0; i < kShades; ++i) {
      const double from = along.from + (along.to - along.from) * i / kShades;
      const double to = along.from + (along.to - along.from) * (i + 1) / kShades;
      const Point left = perpendicular(up) * width.from, right = perpendicular(up) * width.to;
      canvas.fill(page.toPage(Ring{up * from + left, up * to + left, up * to + right, up * from + right}),
                  withAlpha(kArrow, 0.03 + 0.3 * i / kShades));
    }
  }
  canvas.unclip();
  const Point centre = perpendicular(up) * ((width.from + width.to) / 2);
  const double room = along.to - along.from;
  const Point foot = centre + up * (along.from + 0.15 * room), top = centre + up * (along.to - 0.15 * room);
  if (geometry::contains(ground.floor, (foot + top) / 2)) paintArrow(canvas, page.toPage(foot), page.toPage(top), unit);
}

const Layer* layerNamed(const Scene& scene, const std::string& name) {
  for (const Layer& layer : scene.layers)
    if (layer.name == name) return &layer;
  return nullptr;
}

/// Of the middle of a layer, m.
double heightOf(const Layer& layer) {
  if (!layer.ground.empty()) {
    double sum = 0;
    for (const auto& corners : layer.ground) sum += (corners[0].z + corners[1].z + corners[2].z) / 3;
    return sum / static_cast<double>(layer.ground.size());
  }
  const auto box = geometry::bounds(layer.walkable);
  return layer.elevation + (box ? dot(layer.slope, (box->min + box->max) / 2) : 0);
}

void paintEnd(Canvas& canvas, const PageTransform& page, const Panel& panel, const Segment& line, const Layer& here,
              const Layer& there, Labels& labels, double unit) {
  const Point a = page.toPage(line.a), b = page.toPage(line.b);
  canvas.stroke(linePath(a, b), {kFloor, 4 * unit});
  canvas.stroke(linePath(a, b), {kWay, 2 * unit, 3 * unit});
  const Scene& scene = panel.layers[0].scene;
  if (panel.shows(static_cast<std::size_t>(&there - scene.layers.data()))) return;
  const double rise = heightOf(there) - heightOf(here);
  const char* arrow = rise > 0.05 ? "↑ " : rise < -0.05 ? "↓ " : "→ ";
  labels.write(canvas, page.toPage(middle(line)), 7 * unit, arrow + there.name, kWay);
}

/// Diagonal lines across a shape's box; to be clipped to it.
Path hatching(const std::vector<Point>& shape, double distance) {
  const Rectangle box = *boundsOf(shape);
  const double height = box.max.y - box.min.y;
  Path lines;
  for (int i = 1; i < std::min((box.max.x - box.min.x + height) / distance, 2000.0); ++i) {
    const double x = box.min.x + i * distance;
    lines.parts.push_back({{{x, box.min.y}, {x - height, box.max.y}}, false});
  }
  return lines;
}

bool isSeen(const TimedObstacle& obstacle, const ShownTime& time) {
  return time.is_moment ? obstacle.thereAt(time.span.from) : obstacle.thereDuring(time.span);
}

void paintPosts(Canvas& canvas, Point a, Point b, double unit) {
  for (const Point post : {a, b}) canvas.disc(post, 2.6 * unit, kDoor);
}

}  // namespace

std::vector<LegendEntry> fixturesLegend(const Scene& scene, const Timeline& timeline, const std::vector<Panel>& panels,
                                        const ShownTime& time) {
  std::vector<LegendEntry> legend;
  bool open = false, closed = false, turns = false, comes = false, stays = false;
  for (const TimedDoor& door : timeline.doors) {
    if (!panelOf(panels, door.layer)) continue;
    const std::optional<bool> state = time.is_moment ? door.openAt(time.span.from) : door.openDuring(time.span);
    (state ? (*state ? open : closed) : turns) = true;
  }
  for (const TimedObstacle& obstacle : timeline.obstacles) {
    if (!panelOf(panels, obstacle.layer) || !isSeen(obstacle, time)) continue;
    (time.is_moment || spanText(obstacle.there, time.span).empty() ? stays : comes) = true;
  }
  if (open) legend.push_back({LegendEntry::Mark::kOpenDoor, kDoor, "open door"});
  if (closed) legend.push_back({LegendEntry::Mark::kClosedDoor, kDoor, "closed door"});
  if (turns) legend.push_back({LegendEntry::Mark::kTurningDoor, kDoor, "door, closed at times"});
  if (stays) legend.push_back({LegendEntry::Mark::kSquare, kInserted, "inserted obstacle"});
  if (comes) legend.push_back({LegendEntry::Mark::kHatched, kInsertedLine, "obstacle, there at times"});
  const bool joins = std::any_of(scene.connections.begin(), scene.connections.end(), [&](const Connection& c) {
    for (const std::string& name : {c.from_layer, c.to_layer}) {
      const Layer* layer = layerNamed(scene, name);
      if (layer && panelOf(panels, static_cast<std::size_t>(layer - scene.layers.data()))) return true;
    }
    return false;
  });
  if (joins && !panels[0].isModel()) legend.push_back({LegendEntry::Mark::kDashed, kWay, "way to another layer"});
  return legend;
}

void paintSlopes(Canvas& canvas, const PageTransform& page, const Panel& panel, Labels& labels, double unit) {
  if (panel.isModel()) return;
  canvas.beginGroup("slopes");
  for (const ShownLayer& shown : panel.layers) {
    if (shown.layer >= shown.scene.layers.size()) continue;
    const Layer& layer = shown.scene.layers[shown.layer];
    if (!layer.ground.empty()) {
      const Path lines = contours(page, layer, unit);
      if (!lines.empty()) canvas.stroke(lines, {kTread, unit});
    } else if (length(layer.slope) > kFlat && !shown.ground.floor.empty()) {
      paintSlope(canvas, page, layer, shown.ground, unit);
      const Rectangle box = *boundsOf(shown.ground);
      const Rectangle covered{page.toPage(Point{box.min.x, box.max.y}), page.toPage(Point{box.max.x, box.min.y})};
      if (shareOf(covered, page.panel()) < kMostCovered) labels.avoid(covered);
    }
  }
  canvas.endGroup();
}

void paintConnections(Canvas& canvas, const PageTransform& page, const Panel& panel, Labels& labels, double unit) {
  const Scene& scene = panel.layers[0].scene;
  if (panel.isModel() || scene.connections.empty()) return;
  canvas.beginGroup("connections");
  for (const Connection& connection : scene.connections) {
    const Layer *from = layerNamed(scene, connection.from_layer), *to = layerNamed(scene, connection.to_layer);
    if (!from || !to) continue;
    const auto isHere = [&](const Layer* layer) {
      return panel.shows(static_cast<std::size_t>(layer - scene.layers.data()));
    };
    if (isHere(from)) paintEnd(canvas, page, panel, connection.from, *from, *to, labels, unit);
    if (isHere(to)) paintEnd(canvas, page, panel, connection.to, *to, *from, labels, unit);
  }
  canvas.endGroup();
}

void paintInserted(Canvas& canvas, const PageTransform& page, const Panel& panel, const Timeline& timeline,
                   const ShownTime& time, Labels& labels, double unit) {
  canvas.beginGroup("inserted");
  for (const TimedObstacle& obstacle : timeline.obstacles) {
    if (!panel.shows(obstacle.layer) || !isSeen(obstacle, time)) continue;
    std::vector<Point> shape;
    for (const Point p : obstacle.shape) shape.push_back(page.toPage(p));
    const bool is_wall = shape.size() < 3;
    const Path outline{{{shape, !is_wall}}};
    const std::string times = time.is_moment ? std::string() : spanText(obstacle.there, time.span);
    if (times.empty()) {
      if (!is_wall) canvas.fill(outline, kInserted);
      canvas.stroke(outline, {kInsertedLine, (is_wall ? 3 : 1.6) * unit});
      continue;
    }
    if (!is_wall) {
      canvas.fill(outline, withAlpha(kInserted, 0.25));
      canvas.clip(outline);
      canvas.stroke(hatching(shape, 6 * unit), {withAlpha(kInsertedLine, 0.8), 1.4 * unit});
      canvas.unclip();
    }
    canvas.stroke(outline, {kInsertedLine, (is_wall ? 3 : 1.6) * unit, 4 * unit});
    const Rectangle box = *boundsOf(shape);
    const double away = std::min(box.max.x - box.min.x, box.max.y - box.min.y) / 2 + 4 * unit;
    labels.write(canvas, (box.min + box.max) / 2, away, times, kTimeInk);
  }
  canvas.endGroup();
}

void paintDoors(Canvas& canvas, const PageTransform& page, const Panel& panel, const Timeline& timeline,
                const ShownTime& time, Labels& labels, double unit) {
  if (timeline.doors.empty()) return;
  canvas.beginGroup("doors");
  for (const TimedDoor& door : timeline.doors) {
    if (!panel.shows(door.layer)) continue;
    const Point a = page.toPage(door.line.a), b = page.toPage(door.line.b);
    const std::optional<bool> open = time.is_moment ? door.openAt(time.span.from) : door.openDuring(time.span);
    if (!open) {
      canvas.stroke(linePath(a, b), {withAlpha(kDoor, 0.35), 5 * unit});
      canvas.stroke(linePath(a, b), {kDoor, 2 * unit, 6 * unit});
      std::string times;
      for (const Span& span : door.closed()) {
        if (span.to <= time.span.from + 1e-9 || span.from > time.span.to) continue;
        times += (times.empty() ? "closed " : ", ") + spanText(span, time.span);
      }
      labels.write(canvas, (a + b) / 2, 8 * unit, times, kDoor);
    } else if (*open) {
      canvas.stroke(linePath(a, b), {kDoor, 1.4 * unit, 4 * unit});
    } else {
      canvas.stroke(linePath(a, b), {kDoor, 4.5 * unit});
    }
    paintPosts(canvas, a, b, unit);
  }
  canvas.endGroup();
}

}  // namespace throng::draw
