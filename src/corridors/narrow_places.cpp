#include "corridors/narrow_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "corridors/chain_walk.h"

namespace throng::corridors {
namespace {

/// A point of the axis with its clearance.
struct AxisPoint {
  Point at;
  double clearance;
  std::uint16_t floor;
};

/// Where the clearance passes the limit between two points of the axis. Arcs are short against what people see of them,
/// so the clearance may as well change evenly.
Point passing(const AxisPoint& a, const AxisPoint& b, double limit) {
  const double t = (limit - a.clearance) / (b.clearance - a.clearance);
  return a.at + (b.at - a.at) * t;
}

/// An arc in pieces, so that the clearance changes evenly enough on each.
void addArc(const CorridorMap& map, std::uint32_t h, std::vector<AxisPoint>& to) {
  constexpr double kPiece = 0.1;  // m
  constexpr int kMost = 64;
  const double least = map.edge(h).least_clearance;
  const auto add = [&](Point from, Point until, double clearance_until) {
    const int pieces = std::clamp(static_cast<int>(length(until - from) / kPiece), 1, kMost);
    for (int i = 1; i < pieces; ++i) {
      const Point at = from + (until - from) * (static_cast<double>(i) / pieces);
      // On the chord of a parabola, which is nearer to the wall than the arc.
      to.push_back({at, std::max(least, map.distanceTo(map.edge(h).site, at)), map.floorAt(h, at)});
    }
    to.push_back({until, clearance_until, map.floorAt(h, until)});
  };
  const MapVertex &from = map.origin(h), &until = map.target(h);
  const Point narrowest = map.narrowest(h);
  if (least < std::min(from.clearance, until.clearance)) {
    add(from.at, narrowest, least);
    add(narrowest, until.at, until.clearance);
  } else {
    add(from.at, until.at, until.clearance);
  }
}

Vec2 direction(Vec2 from, Vec2 to) {
  const float distance = length(to - from);
  return distance > 0 ? (to - from) / distance : Vec2{1, 0};
}

/// Its ends are where it begins to be wider than at its narrowest, not where it is wide.
NarrowPlace made(std::span<const AxisPoint> axis) {
  constexpr double kMargin = 0.1;  // m
  NarrowPlace place;
  double least = axis.front().clearance;
  for (const AxisPoint& p : axis) least = std::min(least, p.clearance);
  const auto within = [&](const AxisPoint& p) { return p.clearance <= least + kMargin; };
  std::size_t first = 0, last = axis.size() - 1;
  while (!within(axis[first])) ++first;
  while (!within(axis[last])) --last;
  const auto add = [&](Point p, std::uint16_t floor) {
    const Vec2 at = narrow(p);
    if (place.axis.empty() || length(at - place.axis.back()) > 1e-3f)
      place.axis.push_back(at), place.floors.push_back(floor);
  };
  if (first > 0) add(passing(axis[first - 1], axis[first], least + kMargin), axis[first].floor);
  for (std::size_t i = first; i <= last; ++i) add(axis[i].at, axis[i].floor);
  if (last + 1 < axis.size()) add(passing(axis[last + 1], axis[last], least + kMargin), axis[last].floor);
  if (place.axis.size() < 2) return place;
  for (std::size_t i = 1; i < place.axis.size(); ++i) place.length += length(place.axis[i] - place.axis[i - 1]);
  const std::size_t end = place.axis.size() - 1;
  // The mean direction of a piece: the axis may bend where it becomes wider.
  const float piece = std::min(1.0f, 0.5f * place.length);
  std::size_t from = 0, to = end;
  while (from < end && length(place.axis[from] - place.axis[0]) < piece) ++from;
  while (to > 0 && length(place.axis[to] - place.axis[end]) < piece) --to;
  place.ends[0] = {place.axis[0], direction(place.axis[from], place.axis[0]), place.floors[0], axis.front().floor};
  place.ends[1] = {place.axis[end], direction(place.axis[to], place.axis[end]), place.floors[end], axis.back().floor};
  place.clearance = static_cast<float>(least);
  return place;
}

}  // namespace

NarrowPlace::Along NarrowPlace::along(Vec2 place) const {
  Along best;
  float nearest = std::numeric_limits<float>::max(), before = 0;
  for (std::size_t i = 1; i < axis.size(); ++i) {
    const Vec2 way = axis[i] - axis[i - 1];
    const float whole = lengthSquared(way);
    const float t = std::clamp(dot(place - axis[i - 1], way) / whole, 0.0f, 1.0f);
    const float off = lengthSquared(axis[i - 1] + way * t - place), piece = throng::length(way);
    if (off < nearest) nearest = off, best = {before + t * piece, 0, way / piece, floors[i - 1], floors[i]};
    before += piece;
  }
  best.off = std::sqrt(nearest);
  return best;
}

std::vector<NarrowPlace> narrowPlaces(const CorridorMap& map, double least, double limit) {
  std::vector<NarrowPlace> places;
  std::vector<AxisPoint> points;
  std::vector<AxisPoint> axis;
  for (const MapChain& chain : map.chains()) {
    if (chain.first == kNone || chain.arm || chain.least_clearance >= limit || chain.least_clearance < least) continue;
    points.clear();
    points.push_back({map.origin(chain.first).at, map.origin(chain.first).clearance,
                      map.floorAt(chain.first, map.origin(chain.first).at)});
    for (std::uint32_t h = chain.first;; h = nextInChain(map, h)) {
      addArc(map, h, points);
      if (h == chain.last) break;
    }
    bool wide = points.front().clearance >= limit;  // a wide place has been on the way
    axis.clear();
    for (std::size_t i = 1; i < points.size(); ++i) {
      const AxisPoint &before = points[i - 1], &now = points[i];
      const bool was_narrow = before.clearance < limit, is_narrow = now.clearance < limit;
      if (!was_narrow && is_narrow) axis.assign(1, {passing(before, now, limit), limit, before.floor});
      if (is_narrow) axis.push_back(now);
      if (was_narrow && !is_narrow) {
        axis.push_back({passing(before, now, limit), limit, now.floor});
        if (wide) {
          NarrowPlace place = made(axis);
          if (place.axis.size() >= 2) places.push_back(std::move(place));
        }
      }
      wide |= !is_narrow;
    }
  }
  return places;
}

std::vector<float> crossingClearances(const CorridorMap& map, float limit) {
  const std::span<const MapChain> chains = map.chains();
  struct End {
    std::uint32_t vertex, chain;
  };
  std::vector<End> ends;
  for (std::uint32_t c = 0; c < chains.size(); ++c)
    if (chains[c].first != kNone && !chains[c].arm) ends.push_back({chains[c].a, c}), ends.push_back({chains[c].b, c});
  std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.vertex < b.vertex; });
  std::vector<float> clearances(chains.size(), limit);
  for (std::size_t i = 0, next = 0; i < ends.size(); i = next) {
    while (next < ends.size() && ends[next].vertex == ends[i].vertex) ++next;
    if (next - i < 3) continue;
    const auto clearance = static_cast<float>(map.vertex(ends[i].vertex).clearance);
    for (std::size_t k = i; k < next; ++k) clearances[ends[k].chain] = std::min(clearances[ends[k].chain], clearance);
  }
  return clearances;
}

}  // namespace throng::corridors
