#include "views/potential.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "throng/base.h"
#include "throng/routes.h"
#include "throng/text.h"

#include "planning/route_request.h"
#include "views/likely_places.h"
#include "views/overlay_parts.h"

namespace throng::views {
namespace {

constexpr std::size_t kMostSquares = 12'000;  ///< of all floors
constexpr double kSmallestSquare = 0.25;      ///< m
constexpr std::size_t kBands = 12;

struct Destination {
  std::string name;
  std::string profile;
  std::optional<Point> at;     ///< of a place or a point
  const Goal* area = nullptr;  ///< otherwise
  std::string layer;
};

std::vector<Destination> allDestinations(const Scene& scene) {
  std::vector<Destination> all;
  const auto add = [&](Destination destination) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Destination& d) { return d.name == destination.name; });
    if (!known) all.push_back(std::move(destination));
  };
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const std::string who = population.name.empty() ? fmt::format("population {}", i + 1) : population.name;
    if (population.flow) {
      for (const std::string& end : {population.flow->from, population.flow->to})
        for (const Place& place : scene.places)
          if (place.name == end) add({place.name, population.profile, place.at, nullptr, place.layer});
      continue;
    }
    for (std::size_t g = 0; g < population.goals.size(); ++g) {
      const Goal& goal = population.goals[g];
      const std::string layer = goal.layer.empty() ? population.layer : goal.layer;
      const std::string name =
          population.goals.size() == 1 ? "goal of " + who : fmt::format("goal {} of {}", g + 1, who);
      if (const auto* point = std::get_if<GoalPoint>(&goal.target))
        add({name, population.profile, point->point, nullptr, layer});
      else if (std::holds_alternative<GoalArea>(goal.target))
        add({name, population.profile, {}, &goal, layer});
    }
  }
  return all;
}

/// In the middle of an area, or where that is not walkable anywhere in it.
std::optional<Point> placeIn(const corridors::NamedMap& map, const Goal& goal, std::uint16_t layer, double radius) {
  Point low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()}, high = low * -1;
  for (const Polygon& polygon : std::get<GoalArea>(goal.target).area)
    for (const Point& p : polygon.outer) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  const Point middle = (low + high) * 0.5;
  if (std::get<GoalArea>(goal.target).area.size() == 1 && map.map.clearance(middle, layer) >= radius) return middle;
  return LikelyPlaces(map.map, 1).goal(goal, {}, layer, radius);
}

struct Bounds {
  Point low, high;
};
/// Of what can be walked on; nothing for a plane without end.
std::optional<Bounds> boundsOf(const std::vector<Polygon>& walkable) {
  std::optional<Bounds> bounds;
  for (const Polygon& polygon : walkable)
    for (const Point& p : polygon.outer) {
      if (!bounds) bounds = Bounds{p, p};
      bounds->low = {std::min(bounds->low.x, p.x), std::min(bounds->low.y, p.y)};
      bounds->high = {std::max(bounds->high.x, p.x), std::max(bounds->high.y, p.y)};
    }
  return bounds;
}

/// Bright near by, dark far away.
Paint paintOf(std::size_t band) {
  static constexpr std::array<std::uint32_t, kBands> kRamp{0xfde725, 0xc2df23, 0x86d549, 0x52c569, 0x2ab07f, 0x1e9b8a,
                                                           0x25858e, 0x2d708e, 0x38588c, 0x433e85, 0x482173, 0x440154};
  return {kRamp[band], 0.75};
}

struct Square {
  std::uint16_t layer;
  double x, y, way;
};

void paintSquares(Overlay& overlay, const std::vector<Square>& squares, double size, double step) {
  std::array<std::vector<Overlay::Area>, kBands> areas;
  for (std::size_t i = 0; i < squares.size();) {
    const Square& first = squares[i];
    const auto bandOf = [&](const Square& s) { return std::min(static_cast<std::size_t>(s.way / step), kBands - 1); };
    const std::size_t band = bandOf(first);
    // Squares beside one another in a row are painted as one.
    std::size_t end = i + 1;
    while (end < squares.size() && squares[end].layer == first.layer && squares[end].y == first.y &&
           squares[end].x - squares[end - 1].x < 1.5 * size && bandOf(squares[end]) == band)
      ++end;
    const double h = size / 2, right = squares[end - 1].x + h;
    auto& of_band = areas[band];
    if (of_band.empty() || of_band.back().layer != first.layer)
      of_band.push_back({.pieces = {}, .paint = paintOf(band), .layer = first.layer});
    of_band.back().pieces.push_back(
        {.outer = {{first.x - h, first.y - h}, {right, first.y - h}, {right, first.y + h}, {first.x - h, first.y + h}},
         .holes = {}});
    i = end;
  }
  for (std::size_t band = 0; band < kBands; ++band) {
    if (areas[band].empty()) continue;
    for (Overlay::Area& area : areas[band]) overlay.areas.push_back(std::move(area));
    overlay.keys.push_back(
        {Mark::kArea, paintOf(band),
         fmt::format("{:g} to {:g} m", static_cast<double>(band) * step, static_cast<double>(band + 1) * step)});
  }
}

/// A number that is easily read, at least that much.
double roundStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(std::max(least, 0.01))));
  for (const double factor : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

}  // namespace

std::vector<std::string> destinations(const Scene& scene, std::size_t most) {
  std::vector<std::string> names;
  for (const Destination& destination : allDestinations(scene))
    if (names.size() < most) names.push_back(destination.name);
  return names;
}

void addPotential(Overlay& overlay, const corridors::NamedMap& map, const Scene& scene, std::string_view destination) {
  const std::vector<Destination> all = allDestinations(scene);
  const auto to = std::find_if(all.begin(), all.end(), [&](const Destination& d) { return d.name == destination; });
  if (to == all.end()) throw InputError(fmt::format("\"{}\" is nowhere that people go", printable(destination)));
  RouteRequest request;
  for (const Profile& profile : scene.profiles)
    if (profile.name == to->profile) request.radius = std::max(profile.radius.mean, 0.05);
  request.clearance = 0;
  const std::uint16_t goal_layer = map.layer(to->layer);
  request.to_layer = LayerId(goal_layer);
  const std::optional<Point> place = to->at ? to->at : placeIn(map, *to->area, goal_layer, request.radius);
  double extent = 0;
  for (const std::vector<Polygon>& walkable : map.walkable)
    if (const auto bounds = boundsOf(walkable))
      extent += (bounds->high.x - bounds->low.x) * (bounds->high.y - bounds->low.y);
  const double size = std::max(kSmallestSquare, std::sqrt(extent / static_cast<double>(kMostSquares)));
  std::vector<Square> squares;
  double farthest = 0;
  for (std::uint16_t layer = 0; place && layer < map.walkable.size(); ++layer) {
    const auto bounds = boundsOf(map.walkable[layer]);
    if (!bounds) continue;
    request.to = *place;
    request.from_layer = LayerId(layer);
    for (double y = bounds->low.y + size / 2; y < bounds->high.y; y += size)
      for (double x = bounds->low.x + size / 2; x < bounds->high.x; x += size) {
        if (map.map.clearance({x, y}, layer) < request.radius) continue;
        request.from = {x, y};
        const RouteResult route = planning::planRoute(map, request);
        if (!route.reachable) continue;
        squares.push_back({layer, x, y, route.length});
        farthest = std::max(farthest, route.length);
      }
  }
  paintSquares(overlay, squares, size, roundStep(farthest / static_cast<double>(kBands)));
  addCaption(overlay, fmt::format("way left to {}: {:.0f} m at most", to->name, farthest));
}

}  // namespace throng::views
