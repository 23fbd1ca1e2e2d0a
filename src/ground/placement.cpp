#include "ground/placement.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/overloaded.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"
#include "ground/area_placement.h"
#include "ground/area_sampler.h"
#include "ground/occupancy.h"

namespace throng::ground {
namespace {

constexpr int kTriesForOne = 64;

/// Places the user computed to touch may overlap by what rounding to 32 bits moves them.
double touching(Point p) { return -4e-7 * (1 + std::abs(p.x) + std::abs(p.y)); }

const char* nameOf(const Start& start) {
  return std::visit(
      base::Overloaded{[](const StartPoints&) { return "points"; }, [](const StartArea&) { return "area"; },
                       [](const StartLine&) { return "line"; }, [](const StartCircle&) { return "circle"; },
                       [](const StartGrid&) { return "grid"; },
                       [](const StartPoissonDisc&) { return "Poisson-disc area"; }},
      start.shape);
}

/// Null for a start that has none.
const std::vector<Polygon>* areaOf(const Start& start) {
  return std::visit(
      [](const auto& shape) -> const std::vector<Polygon>* {
        if constexpr (requires { shape.area; })
          return &shape.area;
        else
          return nullptr;
      },
      start.shape);
}

/// m between centres, 0 where the start does not say it.
double spacingOf(const Start& start) {
  if (const auto* grid = std::get_if<StartGrid>(&start.shape)) return grid->spacing;
  if (const auto* discs = std::get_if<StartPoissonDisc>(&start.shape)) return discs->spacing;
  return 0;
}

AreaSampler samplerOf(const std::vector<Polygon>* area) { return AreaSampler(area ? *area : std::vector<Polygon>{}); }

double lengthOf(const Polyline& line) {
  double sum = 0;
  for (std::size_t i = 1; i < line.points.size(); ++i) sum += length(line.points[i] - line.points[i - 1]);
  return sum;
}

/// Walks along a line that has at least one point.
class LineWalker {
 public:
  explicit LineWalker(const Polyline& line) : points_(line.points) {}

  /// The place this far along; never less far than the time before.
  Point at(double distance) {
    for (; corner_ + 2 < points_.size() && distance > before_ + stepLength(); ++corner_) before_ += stepLength();
    if (corner_ + 1 >= points_.size() || !(stepLength() > 0)) return points_[corner_];
    const Point a = points_[corner_], b = points_[corner_ + 1];
    return a + (b - a) * std::min(1.0, (distance - before_) / stepLength());
  }

 private:
  double stepLength() const { return length(points_[corner_ + 1] - points_[corner_]); }

  const std::vector<Point>& points_;
  std::size_t corner_ = 0;
  double before_ = 0;  ///< length of the line up to the corner
};

Point onCircle(const StartCircle& circle, double angle) {
  double sine, cosine;
  base::sinCos(angle, sine, cosine);
  return circle.centre + Point{cosine, sine} * circle.radius;
}

/// Evenly along the line, with half a step before the first and after the last, so that a line from wall to wall works.
std::vector<Point> linePlaces(const StartLine& along, std::size_t people) {
  std::vector<Point> places;
  if (along.line.points.empty()) return places;
  const double step = lengthOf(along.line) / static_cast<double>(people);
  LineWalker walker(along.line);
  for (std::size_t k = 0; k < people; ++k) places.push_back(walker.at((static_cast<double>(k) + 0.5) * step));
  return places;
}

std::vector<Point> circlePlaces(const StartCircle& circle, std::size_t people) {
  std::vector<Point> places;
  for (std::size_t k = 0; k < people; ++k)
    places.push_back(
        onCircle(circle, circle.phase + 2 * base::kPi * static_cast<double>(k) / static_cast<double>(people)));
  return places;
}

/// One side of a grid: how many places, how far apart, and where the first one is.
struct GridSide {
  double count, step, first;

  GridSide(double low, double high, double spacing, double tight) {
    const double wanted = spacing > 0 ? spacing : tight;
    const double width = high - low;
    count = std::floor(width / wanted + 1e-6) + 1;
    // As tight as possible, with a margin where the side has that much to spare.
    step = spacing > 0 || count < 2 ? wanted : std::min(wanted + kMargin, width / (count - 1));
    first = low + (width - (count - 1) * step) / 2;
  }
};

/// Row by row along x, from the lowest y, centred in the area's box; places outside the area are nobody's.
std::vector<Point> gridPlaces(const StartGrid& grid, const AreaSampler& area, std::size_t people, double largest) {
  constexpr double kMostVisited = 5e7;
  std::vector<Point> places;
  if (area.empty()) return places;
  const double tight = std::max(2 * largest, 1e-3);
  const Rectangle& box = area.bounds();
  const GridSide x(box.min.x, box.max.x, grid.spacing, tight), y(box.min.y, box.max.y, grid.spacing, tight);
  // A place on the border stays in the area whatever the last bits of its coordinates say.
  const auto held = [](double value, double low, double high) {
    return std::abs(value - low) < 1e-6 ? low : std::abs(value - high) < 1e-6 ? high : value;
  };
  double visited = 0;
  for (double row = 0; row < y.count && places.size() < people; ++row)
    for (double column = 0; column < x.count && places.size() < people; ++column) {
      if (++visited > kMostVisited) return places;
      const Point p{held(x.first + column * x.step, box.min.x, box.max.x),
                    held(y.first + row * y.step, box.min.y, box.max.y)};
      if (area.contains(p)) places.push_back(p);
    }
  return places;
}

/// Places that belong to people: the first one that is not free ends the search.
std::vector<Point> takePlaces(const char* name, const std::vector<Point>& places, std::span<const double> radii,
                              Occupancy& occupancy, std::string& problem) {
  std::vector<Point> found;
  for (std::size_t i = 0; i < std::min(places.size(), radii.size()); ++i) {
    const Point p = stored(places[i]);
    if (!occupancy.isFree(p, radii[i], touching(p))) {
      problem = fmt::format("place {} of the {} at ({:.3f}, {:.3f}) {}", i + 1, name, places[i].x, places[i].y,
                            occupancy.obstruction(p, radii[i]));
      return found;
    }
    occupancy.add(p, radii[i]);
    found.push_back(p);
  }
  return found;
}

std::string tooFew(const Start& start, std::size_t found, std::size_t people, const AreaSampler& area) {
  if (std::holds_alternative<StartPoints>(start.shape))
    return fmt::format("there are {} points for {} people", found, people);
  if (std::holds_alternative<StartLine>(start.shape)) return "the line has no points";
  if (std::holds_alternative<StartCircle>(start.shape)) return "";
  if (area.empty()) return fmt::format("the start {} has no extent", nameOf(start));
  const double least = spacingOf(start);
  const std::string spacing = least > 0 ? fmt::format(" with {:.3g} m between them", least) : "";
  return fmt::format("{} of {} people fit into the start {} of {:.1f} m²{}", found, people, nameOf(start), area.area(),
                     spacing);
}

/// Where a start may put people, so that others far away need not be looked at.
std::optional<Rectangle> reachOf(const Start& start) {
  using Box = std::optional<Rectangle>;
  const auto around = [](const std::vector<Point>& points) {
    return points.empty() ? std::nullopt : Box(geometry::boxOf(points));
  };
  return std::visit(base::Overloaded{[&](const StartPoints& at) { return around(at.points); },
                                     [&](const StartLine& along) { return around(along.line.points); },
                                     [](const StartCircle& circle) -> Box {
                                       const Point r{std::abs(circle.radius), std::abs(circle.radius)};
                                       return Rectangle{circle.centre - r, circle.centre + r};
                                     },
                                     [](const auto& in) -> Box { return geometry::bounds(in.area); }},
                    start.shape);
}

std::vector<Disc> nearby(std::span<const Disc> taken, const Rectangle& reach, double radius) {
  std::vector<Disc> near;
  for (const Disc& d : taken) {
    const double range = d.radius + radius + kMargin;
    if (d.centre.x >= reach.min.x - range && d.centre.x <= reach.max.x + range && d.centre.y >= reach.min.y - range &&
        d.centre.y <= reach.max.y + range)
      near.push_back(d);
  }
  return near;
}

}  // namespace

std::vector<Point> place(const Start& start, std::span<const double> radii, const Floor& floor,
                         std::span<const Disc> taken, base::Random& random, std::string& problem) {
  problem.clear();
  if (radii.empty()) return {};
  const double largest = *std::max_element(radii.begin(), radii.end());
  Occupancy occupancy(floor, taken, largest, radii.size());
  const std::vector<Polygon>* polygons = areaOf(start);
  const AreaSampler area = samplerOf(polygons);
  const auto first = occupancy.size();

  const auto take = [&](const std::vector<Point>& theirs) {
    return takePlaces(nameOf(start), theirs, radii, occupancy, problem);
  };
  std::vector<Point> places = std::visit(
      base::Overloaded{
          [&](const StartPoints& at) { return take(at.points); },
          [&](const StartArea&) { return placeInArea(area, radii, occupancy, random); },
          [&](const StartLine& along) { return take(linePlaces(along, radii.size())); },
          [&](const StartCircle& circle) { return take(circlePlaces(circle, radii.size())); },
          [&](const StartGrid& grid) { return take(gridPlaces(grid, area, radii.size(), largest)); },
          [&](const StartPoissonDisc& in) { return placePoissonDisc(area, in.spacing, radii, occupancy, random); },
      },
      start.shape);
  if (places.size() < radii.size() && problem.empty()) problem = tooFew(start, places.size(), radii.size(), area);
  // Everybody has a place before anybody is moved, so nobody is moved onto a place that somebody else will need.
  if (start.jitter > 0 && !std::holds_alternative<StartArea>(start.shape)) {
    jitter(first, start.jitter, polygons ? &area : nullptr, occupancy, random);
    for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = occupancy[first + i].centre;
  }
  return places;
}

std::optional<Point> placeOne(const Start& start, double radius, const Floor& floor, std::span<const Disc> taken,
                              base::Random& random) {
  const auto reach = reachOf(start);
  if (!reach) return std::nullopt;
  const std::vector<Disc> near =
      floor.wrap ? std::vector<Disc>(taken.begin(), taken.end()) : nearby(taken, *reach, radius);
  const Occupancy occupancy(floor, near, radius, 0);

  if (const auto* at = std::get_if<StartPoints>(&start.shape)) {
    std::vector<Point> points = at->points;
    for (std::size_t left = points.size(); left > 0; --left) {
      std::swap(points[left - 1], points[random.below(left)]);
      const Point p = stored(points[left - 1]);
      if (occupancy.isFree(p, radius, touching(p))) return p;
    }
    return std::nullopt;
  }
  const std::vector<Polygon>* polygons = areaOf(start);
  const AreaSampler area = samplerOf(polygons);
  if (polygons && area.empty()) return std::nullopt;
  const auto* along = std::get_if<StartLine>(&start.shape);
  const auto* circle = std::get_if<StartCircle>(&start.shape);
  const double line_length = along ? lengthOf(along->line) : 0;
  for (int t = 0; t < kTriesForOne; ++t) {
    const Point p = along    ? stored(LineWalker(along->line).at(random.uniform() * line_length))
                    : circle ? stored(onCircle(*circle, 2 * base::kPi * random.uniform()))
                             : area.sample(random);
    if (occupancy.isFree(p, radius, kMargin)) return p;
  }
  return std::nullopt;
}

std::optional<Point> samplePlace(const std::vector<Polygon>& area, double clearance, const Floor& floor,
                                 base::Random& random) {
  const AreaSampler sampler(area);
  if (sampler.empty()) return std::nullopt;
  std::optional<Point> best;
  double best_clearance = -1;
  for (int t = 0; t < kTriesForOne; ++t) {
    const Point p = sampler.sample(random);
    if (!floor.contains(p)) continue;
    const double here = floor.clearance(p, clearance);
    if (here > best_clearance) best = p, best_clearance = here;
    if (here >= clearance) break;
  }
  return best;
}

}  // namespace throng::ground
