#include "corridors/corridor_middle.h"

#include <algorithm>
#include <cmath>

#include "base/narrowing.h"
#include "corridors/chain_walk.h"

namespace throng::corridors {
namespace {

constexpr double kSpacing = 0.1;      // m between points of the middle, at most
constexpr float kInBend = 1.18f;      // times the clearance of a corridor is that where it bends at right angles
constexpr float kAlong = 0.5f;        // cosine: who walks across a corridor is not on its way
constexpr float kStillAlong = -0.3f;  // the same for who was on its way before, where it is narrow
constexpr float kBesideMouth = 0.1f;  // and where it is not
constexpr float kToMouth = 0.6f;      // cosine: who walks so towards the mouth of a corridor comes in
constexpr float kBehindMouth = 1;     // m: of this beginning of a corridor the clearance is taken
constexpr float kLeastRoom = 0.05f;   // m to walls, for places to walk to

}  // namespace

CorridorMiddle::CorridorMiddle(const CorridorMap& map, float narrowest, float widest, float broadest)
    : arms_(map.chains().size()), chains_(map.chains().size()), of_arc_(map.halfEdges().size() / 2) {
  for (std::uint32_t c = 0; c < map.chains().size(); ++c) {
    const MapChain& chain = map.chains()[c];
    if (chain.first == kNone) continue;
    if (chain.arm)
      addArm(map, c);
    else if (chain.least_clearance <= std::max(widest, broadest)) {
      addChain(map, c);
      findCorridors(chains_[c], narrowest, chain.least_clearance <= widest ? widest : broadest);
      measureBeyond(chains_[c]);
    }
  }
}

void CorridorMiddle::addArm(const CorridorMap& map, std::uint32_t c) {
  const MapVertex &corner = map.vertex(map.chains()[c].a), &from = map.vertex(map.chains()[c].b);
  const Vec2 way = narrow(corner.at - from.at);
  const float size = length(way);
  if (!(size > 0)) return;
  // An arc of the corridor that goes on there; at a junction there are several.
  std::uint32_t h = from.edge, found = kNone;
  do {
    const std::uint32_t chain = map.edge(h).chain;
    if (!map.chains()[chain].arm) {
      if (found != kNone && map.edge(found).chain != chain) return;
      found = h;
    }
    h = map.edge(CorridorMap::twin(h)).next;
  } while (h != from.edge);
  if (found != kNone) arms_[c] = {found, from.at, way / size, static_cast<float>(from.clearance)};
}

void CorridorMiddle::addChain(const CorridorMap& map, std::uint32_t c) {
  const MapChain& chain = map.chains()[c];
  Range& range = chains_[c];
  range.begin = static_cast<std::uint32_t>(points_.size());
  const auto add = [&](std::uint32_t h, Point at) {
    points_.push_back({narrow(at), static_cast<float>(map.distanceTo(map.edge(h).site, at))});
  };
  for (std::uint32_t h = chain.first;; h = nextInChain(map, h)) {
    const Point from = map.origin(h).at, until = map.target(h).at;
    const int pieces = std::max(1, static_cast<int>(std::ceil(length(until - from) / kSpacing)));
    of_arc_[h >> 1] = static_cast<std::uint32_t>(points_.size());
    add(h, from);
    for (int i = 1; i < pieces; ++i) add(h, map.onArc(h, from + (until - from) * (static_cast<double>(i) / pieces)));
    if (h != chain.last) continue;
    add(h, until);
    break;
  }
  range.end = static_cast<std::uint32_t>(points_.size());
}

void CorridorMiddle::findCorridors(Range range, float narrowest, float widest) {
  for (std::uint32_t i = range.begin; i < range.end;) {
    std::uint32_t end = i;
    float least = kFar;
    // In a bend it goes on, although it is wider there.
    for (std::uint32_t k = i; k < range.end && points_[k].clearance <= (end > i ? kInBend * widest : widest); ++k)
      if (points_[k].clearance <= widest) end = k + 1, least = std::min(least, points_[k].clearance);
    if (end > i && least >= narrowest) {
      for (std::uint32_t k = i; k < end; ++k)
        points_[k].corridor = static_cast<std::uint32_t>(least_.size()), points_[k].beyond = 0;
      least_.push_back(least);
    }
    i = std::max(i + 1, end);
  }
}

/// From one end of the chain to the other and back.
void CorridorMiddle::measureBeyond(Range range) {
  const auto measure = [&](std::uint32_t i, std::uint32_t before) {
    MiddlePoint& point = points_[i];
    const float beyond = points_[before].beyond + length(point.at - points_[before].at);
    if (beyond < point.beyond) point.beyond = beyond, point.corridor = points_[before].corridor;
  };
  for (std::uint32_t i = range.begin + 1; i < range.end; ++i) measure(i, i - 1);
  for (std::uint32_t i = range.end - 1; i-- > range.begin;) measure(i, i + 1);
}

CorridorPlace CorridorMiddle::at(const CorridorMap& map, Located where, const Walker& walker) const {
  CorridorPlace place;
  std::uint32_t edge = where.cell;
  if (map.edge(edge).chain == kNone) return place;
  const Arm& arm = arms_[map.edge(edge).chain];
  place.in_bend = map.chains()[map.edge(edge).chain].arm;
  if (place.in_bend) edge = arm.edge;
  const std::uint32_t chain = edge == kNone ? kNone : map.edge(edge).chain;
  if (chain == kNone || chains_[chain].begin == chains_[chain].end) return place;
  const Range range = chains_[chain];

  Point middle = arm.from;
  Vec2 across = arm.out;  // to one side
  place.clearance = arm.clearance;
  if (!place.in_bend) {
    // The axis runs between the ways from its two nearest obstacles.
    const Retraction axis = map.retract(where, walker.at);
    const Point difference = normalized(axis.at - map.nearestOn(map.edge(edge).site, axis.at)) -
                             normalized(axis.at - map.nearestOn(map.edge(CorridorMap::twin(edge)).site, axis.at));
    middle = axis.at, across = narrow(normalized(difference)), place.clearance = static_cast<float>(axis.clearance);
    if (across == Vec2{0, 0}) return place;
  }
  place.point = nearestPoint(edge, range, narrow(middle));
  place.beyond = points_[place.point].beyond;
  const std::uint32_t corridor = points_[place.point].corridor;
  if (corridor == kNone) return place;
  Vec2 ahead = perpendicular(across);  // in the chain's direction
  const Vec2 chord = narrow(map.target(edge).at - map.origin(edge).at) * (map.edge(edge).forward ? 1.0f : -1.0f);
  if (dot(ahead, chord) < 0) ahead = ahead * -1.0f;

  const float cosine = dot(ahead, walker.wanted);
  const bool was_forward = (walker.before & 1u) != 0;
  const float still_along = place.in_bend ? -1 : place.beyond > 0 ? kBesideMouth : kStillAlong;
  const bool goes_on = walker.before >> 1 == corridor + 1 && (was_forward ? cosine : -cosine) >= still_along;
  if (!place.in_bend && comesIn(range, walker, place) && (!goes_on || place.forward == was_forward))
    place.comes_in = true;
  else if (goes_on)
    place.forward = was_forward;
  else if (std::abs(cosine) >= kAlong)
    place.forward = cosine > 0;
  else
    return place;
  place.corridor = corridor, place.chain = chain;
  place.ahead = place.forward ? ahead : ahead * -1.0f;
  place.aside = perpendicular(place.ahead) * (walker.keeps_right ? -1.0f : 1.0f);
  place.offset = dot(narrow(walker.at - middle), place.aside);
  return place;
}

/// Whoever is before a corridor and wants to walk to its mouth; then also which way and how wide it is there.
bool CorridorMiddle::comesIn(Range range, const Walker& walker, CorridorPlace& place) const {
  std::uint32_t i = place.point;
  if (!(place.beyond > 0 && place.beyond <= kBeforeMouth)) return false;
  const bool forward = i + 1 < range.end && points_[i + 1].beyond < place.beyond;
  const auto next = [&] { return forward ? i + 1 : i - 1; };
  while (points_[i].beyond > 0) {
    if (i == range.last(forward)) return false;
    i = next();
  }
  if (!(dot(walker.wanted, normalized(points_[i].at - narrow(walker.at))) > kToMouth)) return false;
  place.forward = forward, place.mouth = points_[i].clearance;
  for (float metres = 0; metres < kBehindMouth && i != range.last(forward); i = next()) {
    metres += length(points_[next()].at - points_[i].at);
    place.mouth = std::min(place.mouth, points_[next()].clearance);
  }
  return true;
}

/// From the first point of the arc on, as long as they come nearer.
std::uint32_t CorridorMiddle::nearestPoint(std::uint32_t edge, Range range, Vec2 at) const {
  std::uint32_t best = of_arc_[edge >> 1];
  float least = lengthSquared(points_[best].at - at);
  for (std::uint32_t i = best + 1; i < range.end; ++i) {
    const float squared = lengthSquared(points_[i].at - at);
    if (squared > least) break;
    least = squared, best = i;
  }
  return best;
}

bool CorridorMiddle::ahead(const CorridorPlace& place, float metres, float offset, float radius, Vec2& to) const {
  const Range range = chains_[place.chain];
  std::uint32_t i = place.point;
  while (metres > 0) {
    if (i == range.last(place.forward)) return false;
    const std::uint32_t next = place.forward ? i + 1 : i - 1;
    metres -= length(points_[next].at - points_[i].at);
    i = next;
  }
  const MiddlePoint& point = points_[i];
  const Vec2 before = points_[i > range.begin ? i - 1 : i].at, after = points_[i + 1 < range.end ? i + 1 : i].at;
  const Vec2 along = normalized(place.forward ? after - before : before - after);
  const Vec2 aside = perpendicular(along) * (dot(perpendicular(place.ahead), place.aside) > 0 ? 1.0f : -1.0f);
  // As far aside as there is room, and no nearer to the middle than it takes to leave the other half free.
  const float most = point.clearance - radius - kLeastRoom;
  const float least = std::min(0.5f * point.clearance, radius + 2 * kLeastRoom);
  to = point.at + aside * std::max(std::min(offset, most), least);
  return true;
}

std::size_t CorridorMiddle::memory() const {
  return least_.capacity() * sizeof(float) + arms_.capacity() * sizeof(Arm) + chains_.capacity() * sizeof(Range) +
         points_.capacity() * sizeof(MiddlePoint) + of_arc_.capacity() * sizeof(std::uint32_t);
}

}  // namespace throng::corridors
