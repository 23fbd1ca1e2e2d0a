#include "scene/shape_cleaning.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "geometry/predicates.h"
#include "scene/geometry_reader.h"

namespace throng::scene {
namespace {

/// Where what was found is said.
struct Told {
  Findings& findings;
  const std::string& pointer;

  void error(std::string message, std::optional<Point> at) const { findings.error(pointer, std::move(message), at); }
  void warning(std::string message, std::optional<Point> at) const {
    findings.warning(pointer, std::move(message), at);
  }
};

struct LessPoint {
  bool operator()(Point a, Point b) const { return a.x != b.x ? a.x < b.x : a.y < b.y; }
};

/// Removes points equal to the one before; also the last of a ring when it equals the first.
std::size_t removeRepeated(std::vector<Point>& points, bool ring, std::optional<Point>& first) {
  const std::size_t before = points.size();
  for (std::size_t i = 1; i < points.size() && !first; ++i) {
    if (points[i] == points[i - 1]) first = points[i];
  }
  points.erase(std::unique(points.begin(), points.end()), points.end());
  while (ring && points.size() > 1 && points.front() == points.back()) {
    if (!first) first = points.back();
    points.pop_back();
  }
  return before - points.size();
}

void removeRepeated(geometry::Shapes& shapes, const Told& told) {
  std::size_t removed = 0;
  std::optional<Point> first;
  for (auto& polygon : shapes.polygons) {
    removed += removeRepeated(polygon.outer, true, first);
    for (auto& hole : polygon.holes) removed += removeRepeated(hole, true, first);
  }
  for (auto& line : shapes.lines) removed += removeRepeated(line.points, false, first);
  if (removed > 0) told.warning(fmt::format("{} repeated point{} removed", removed, removed > 1 ? "s" : ""), first);
}

bool onOneLine(const Ring& ring) {
  const auto [low, high] = std::minmax_element(ring.begin(), ring.end(), LessPoint{});
  return ring.size() < 3 || std::all_of(ring.begin(), ring.end(), [low = *low, high = *high](Point p) {
           return geometry::orientation(low, high, p) == 0;
         });
}

/// What remains of a polygon without an inside: the line between its ends, or the way around it.
Polyline asLine(const Ring& ring) {
  if (onOneLine(ring)) {
    const auto [low, high] = std::minmax_element(ring.begin(), ring.end(), LessPoint{});
    return Polyline{{*low, *high}};
  }
  Polyline line{ring};
  line.points.push_back(ring.front());
  return line;
}

/// The parts of one polygon; nothing when it has no area.
std::vector<Polygon> validParts(Polygon polygon, const Told& told) {
  std::erase_if(polygon.holes, [&](const Ring& hole) {
    if (!onOneLine(hole)) return false;
    told.warning("a hole without area was left out", hole.empty() ? std::nullopt : std::optional(hole.front()));
    return true;
  });
  if (onOneLine(polygon.outer)) return {};
  const auto problem = geometry::validity(polygon);
  if (!problem) {
    if (std::abs(geometry::area({polygon})) < kLeastArea) return {};
    return {std::move(polygon)};
  }
  auto parts = geometry::repaired(polygon);
  std::erase_if(parts, [](const Polygon& part) { return geometry::area({part}) < kLeastArea; });
  if (!parts.empty()) {
    told.warning(fmt::format("the polygon is not valid ({}); it was repaired to {} polygon{} of {:.6g} m²",
                             problem->message, parts.size(), parts.size() > 1 ? "s" : "", geometry::area(parts)),
                 problem->at);
  }
  return parts;
}

/// The same for polygons that differ only in where their rings begin and which way they run.
std::vector<Ring> canonical(const Polygon& polygon) {
  std::vector<Ring> rings = {polygon.outer};
  rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
  for (auto& ring : rings) {
    if (geometry::signedArea(ring) < 0) std::reverse(ring.begin(), ring.end());
    std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end(), LessPoint{}), ring.end());
  }
  return rings;
}

bool lessRings(const std::vector<Ring>& a, const std::vector<Ring>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const Ring& p, const Ring& q) {
    return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end(), LessPoint{});
  });
}

void dropCopies(std::vector<Polygon>& polygons, const Told& told) {
  std::set<std::vector<Ring>, decltype(&lessRings)> seen(&lessRings);
  std::erase_if(polygons, [&](const Polygon& polygon) {
    if (seen.insert(canonical(polygon)).second) return false;
    told.warning("the same polygon stands there twice; the copy was dropped", polygon.outer.front());
    return true;
  });
}

bool fits(Point p) { return std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest; }

}  // namespace

std::optional<Point> firstOutOfRange(const geometry::Shapes& shapes) {
  std::optional<Point> found;
  const auto look = [&](const std::vector<Point>& points) {
    for (const Point p : points) {
      if (!found && !fits(p)) found = p;
    }
  };
  for (const auto& polygon : shapes.polygons) {
    look(polygon.outer);
    for (const auto& hole : polygon.holes) look(hole);
  }
  for (const auto& line : shapes.lines) look(line.points);
  look(shapes.points);
  return found;
}

std::string outOfRangeText(Point point) {
  return fmt::format("the coordinate ({:.6g}, {:.6g}) is out of range; allowed: {:g} to {:g} m", point.x, point.y,
                     -kFarthest, kFarthest);
}

bool clean(geometry::Shapes& shapes, bool lines_allowed, Findings& findings, const std::string& pointer) {
  const Told told{findings, pointer};
  if (const auto bad = firstOutOfRange(shapes)) {
    told.error(outOfRangeText(*bad), *bad);
    return false;
  }
  removeRepeated(shapes, told);
  bool fine = true;
  std::vector<Polygon> polygons;
  for (auto& polygon : shapes.polygons) {
    const Ring outer = polygon.outer;
    auto parts = validParts(std::move(polygon), told);
    const auto at = outer.empty() ? std::nullopt : std::optional(outer.front());
    if (parts.empty() && lines_allowed && outer.size() > 1) {
      told.warning("a polygon without width was made a wall line", at);
      shapes.lines.push_back(asLine(outer));
    } else if (parts.empty()) {
      told.error("a polygon has no area; allowed: at least three corners that do not lie on one line", at);
      fine = false;
    }
    std::move(parts.begin(), parts.end(), std::back_inserter(polygons));
  }
  shapes.polygons = std::move(polygons);
  dropCopies(shapes.polygons, told);
  for (const auto& line : shapes.lines) {
    if (line.points.size() >= 2) continue;
    told.error("a line has no length; allowed: at least two different points",
               line.points.empty() ? std::nullopt : std::optional(line.points.front()));
    fine = false;
  }
  return fine;
}

}  // namespace throng::scene
