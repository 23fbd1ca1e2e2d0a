// Obstacles that come and go while people walk, and what becomes of the people in their way.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/math.h"
#include "base/narrowing.h"
#include "geometry/predicates.h"
#include "ground/wall_loops.h"
#include "planning/reachability.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

Rectangle boxOf(std::span<const Point> shape) {
  Rectangle box{shape[0], shape[0]};
  for (const Point p : shape) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

bool isConvex(std::span<const Point> shape) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int turn = geometry::orientation(shape[i], shape[(i + 1) % shape.size()], shape[(i + 2) % shape.size()]);
    left |= turn > 0, right |= turn < 0;
  }
  return !(left && right);
}

/// What of a convex shape lies where normal · p <= limit.
std::vector<Point> clipped(const std::vector<Point>& shape, Point normal, double limit) {
  std::vector<Point> kept;
  const bool line = shape.size() == 2;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Point a = shape[i], b = shape[(i + 1) % shape.size()];
    const double before = dot(normal, a) - limit, after = dot(normal, b) - limit;
    if (before <= 0) kept.push_back(a);
    if ((before < 0 && after > 0) || (before > 0 && after < 0)) {
      if (!(line && i == 1)) kept.push_back(a + (b - a) * (before / (before - after)));
    }
  }
  return kept;
}

/// What sticks out of a wrapped layer on one side comes in on the other: one piece for each time it does.
std::vector<std::vector<Point>> piecesOf(std::span<const Point> shape, const std::optional<Rectangle>& wrap) {
  const std::vector<Point> whole(shape.begin(), shape.end());
  if (!wrap || shape.empty() || !isConvex(shape)) return {whole};
  const Rectangle box = boxOf(shape);
  const Point size = wrap->max - wrap->min;
  if (box.min.x >= wrap->min.x && box.min.y >= wrap->min.y && box.max.x <= wrap->max.x && box.max.y <= wrap->max.y)
    return {whole};
  const auto repeat = [](double place, double from, double step) {
    constexpr double kMost = 8;  // more have covered everything
    return std::clamp(std::floor((place - from) / step), -kMost, kMost);
  };
  std::vector<std::vector<Point>> pieces;
  for (double i = repeat(box.min.x, wrap->min.x, size.x); i <= repeat(box.max.x, wrap->min.x, size.x); ++i)
    for (double k = repeat(box.min.y, wrap->min.y, size.y); k <= repeat(box.max.y, wrap->min.y, size.y); ++k) {
      std::vector<Point> piece;
      for (const Point p : shape) piece.push_back(p - Point{i * size.x, k * size.y});
      piece = clipped(piece, {1, 0}, wrap->max.x), piece = clipped(piece, {-1, 0}, -wrap->min.x);
      piece = clipped(piece, {0, 1}, wrap->max.y), piece = clipped(piece, {0, -1}, -wrap->min.y);
      constexpr double kThin = 1e-5;  // m, or m²
      const bool line = shape.size() == 2;
      if (line ? piece.size() != 2 || length(piece[1] - piece[0]) < kThin
               : piece.size() < 3 || std::abs(geometry::signedArea(piece)) < kThin)
        continue;
      pieces.push_back(std::move(piece));
    }
  if (pieces.empty()) pieces.push_back(whole);
  return pieces;
}

bool crosses(const ground::Walls& walls, Point from, Point to) {
  thread_local std::vector<std::uint32_t> near;
  near.clear();
  const Point middle = (from + to) * 0.5;
  const auto reach = static_cast<float>(length(to - from) * 0.5 + 0.01);
  walls.grid.query({static_cast<float>(middle.x), static_cast<float>(middle.y)}, reach, near);
  return std::any_of(near.begin(), near.end(), [&](std::uint32_t i) {
    return geometry::segmentsIntersect(from, to, wide(walls.a[i]), wide(walls.b[i]));
  });
}

double distanceTo(const ground::Walls& walls, Point place, double limit) {
  thread_local std::vector<std::uint32_t> near;
  near.clear();
  walls.grid.query({static_cast<float>(place.x), static_cast<float>(place.y)}, static_cast<float>(limit + 0.01), near);
  for (const std::uint32_t i : near)
    limit = std::min(limit, geometry::distanceToSegment(place, wide(walls.a[i]), wide(walls.b[i])));
  return limit;
}

bool isInside(const ground::Floor& floor, Point place) {
  return !floor.inserted.empty() && geometry::contains(floor.inserted, place);
}

/// Somebody who is put aside keeps a little more than their radius from walls.
constexpr double kAside = 1.01;

}  // namespace

std::uint32_t World::insertObstacle(std::span<const Point> convex, std::uint16_t layer, std::string_view name) {
  needMap();
  const auto pieces = piecesOf(convex, space_.floors()[layer].wrap);
  std::vector<std::uint32_t> ids;
  try {
    for (const auto& piece : pieces) ids.push_back(map_->insert(piece, layer));
  } catch (...) {
    for (const std::uint32_t id : ids) map_->remove(id);
    throw;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    inserted_.push_back({std::string(name), ids[i], ids[0], layer, pieces[i]});
    logChange(inserted_.back(), true);
  }
  const ground::Walls before = space_.floors()[layer].walls;
  wallsChanged(layer);
  findObstructed();
  lookAgain();
  for (const auto& piece : pieces) pushOut(boxOf(piece), layer, before);
  for (const auto& piece : pieces) replanAround(piece, layer);
  changed();
  return ids[0];
}

void World::removeObstacle(std::uint32_t obstacle) {
  const auto there =
      std::find_if(inserted_.begin(), inserted_.end(), [&](const Inserted& i) { return i.whole == obstacle; });
  if (there == inserted_.end()) throw InputError(fmt::format("There is no obstacle {} in the world.", obstacle));
  const std::uint16_t layer = there->layer;
  for (const Inserted& piece : inserted_)
    if (piece.whole == obstacle) {
      logChange(piece, false);
      map_->remove(piece.id);
    }
  std::erase_if(inserted_, [&](const Inserted& i) { return i.whole == obstacle; });
  wallsChanged(layer);
  findObstructed();
  lookAgain();
  digOut(layer);
  replanTheStranded();
  changed();
}

void World::wallsChanged(std::uint16_t layer) {
  progress_.begin(clock_.time());
  ground::Walls walls = map_->wallsOf(layer);
  if (const auto& wrap = space_.floors()[layer].wrap) walls = ground::withImages(std::move(walls), *wrap);
  space_.setWalls(layer, std::move(walls));
  std::vector<Polygon> solid;
  for (const Inserted& there : inserted_)
    if (there.layer == layer && there.shape.size() > 2) solid.push_back({there.shape, {}});
  space_.setObstacles(layer, std::move(solid));
}

void World::restoreWalls(std::unique_ptr<corridors::CorridorMap> map, std::vector<Inserted> inserted) {
  std::vector<std::uint16_t> layers;
  for (const Inserted& there : inserted_) layers.push_back(there.layer);
  for (const Inserted& there : inserted) layers.push_back(there.layer);
  if (!map && map_ && map_->revision() > 0) {
    space_ = ground::WalkableSpace(scene_);
    map_.reset();
    needMap();
  }
  if (map) map_ = std::move(map);
  // A recording that goes on from here learns what is otherwise than it was.
  const auto isIn = [](const std::vector<Inserted>& list, const Inserted& thing) {
    return std::any_of(list.begin(), list.end(), [&](const Inserted& other) {
      return other.uniqueName() == thing.uniqueName() && other.shape == thing.shape;
    });
  };
  for (const Inserted& gone : inserted_)
    if (!isIn(inserted, gone)) logChange(gone, false);
  for (const Inserted& come : inserted)
    if (!isIn(inserted_, come)) logChange(come, true);
  inserted_ = std::move(inserted);
  for (const std::uint16_t layer : layers)
    if (map_ && map_->revision() > 0) wallsChanged(layer);
  findObstructed();
  findBuried();
}

/// Who stands where something has come is put beside it; who cannot be is buried. A body that it only touches gives
/// way where there is room for it close by. `before`: the walls without what has come.
void World::pushOut(const Rectangle& box, std::uint16_t layer, const ground::Walls& before) {
  const ground::Floor& floor = space_.floors()[layer];
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (crowd_.layer[r] != layer || isBuried(r)) continue;
    const Point here{crowd_.x[r], crowd_.y[r]};
    const double radius = crowd_.radius[r];
    // Across the border of a wrapped layer, what is on the other side is near.
    if (!floor.wrap && (here.x < box.min.x - radius || here.x > box.max.x + radius || here.y < box.min.y - radius ||
                        here.y > box.max.y + radius))
      continue;
    if (isInside(floor, here)) {
      if (!pushOut(r, before))
        buried_.insert(std::upper_bound(buried_.begin(), buried_.end(), crowd_.person[r]), crowd_.person[r]);
      continue;
    }
    constexpr double kGained = 1e-6;  // m
    const double room = distanceTo(floor.walls, here, radius);
    if (room >= radius || room >= distanceTo(before, here, radius) - kGained) continue;
    // Exactly on a new wall either side will do.
    const bool on_wall = room < kGained;
    const auto place = planning::nearestFree(*map_, here, layer, radius * kAside, [&](Point p) {
      return !crosses(before, here, p) && (on_wall || !crosses(floor.walls, here, p));
    });
    if (place.where && length(place.at - here) < 2 * radius) moveAside(r, place.at);
  }
}

/// To the nearest free place on the layer: where the whole body fits if there is such a place, and not through walls if
/// that can be helped. False: there is none.
bool World::pushOut(std::uint32_t r, const ground::Walls& before) {
  const Point here{crowd_.x[r], crowd_.y[r]};
  for (const bool through_walls : {false, true})
    for (const double share : {kAside, 0.5, 0.1}) {
      const auto place = planning::nearestFree(*map_, here, crowd_.layer[r], crowd_.radius[r] * share,
                                               [&](Point p) { return through_walls || !crosses(before, here, p); });
      if (!place.where) continue;
      moveAside(r, place.at);
      return true;
    }
  return false;
}

void World::moveAside(std::uint32_t r, Point place) {
  place = besideOthers(r, place);
  const Vec2 at{static_cast<float>(place.x), static_cast<float>(place.y)};
  crowd_.x[r] = at.x, crowd_.y[r] = at.y;
  crowd_.z[r] = space_.floors()[crowd_.layer[r]].height(at);
  crowd_.wait[r] = 0;
  if (crowd_.activity[r] != agents::Activity::kWalking) return;
  if (crowd_.path[r] > 0)
    crowd_.lost[r] = 1;
  else
    unplanned_.push_back(crowd_.id[r]);
}

/// A place close by where nobody stands, if there is one: those whom one obstacle puts aside should not all stand on
/// the same spot.
Point World::besideOthers(std::uint32_t row, Point place) const {
  const ground::Floor& floor = space_.floors()[crowd_.layer[row]];
  const double radius = crowd_.radius[row];
  const auto isFree = [&](Point p) {
    for (std::uint32_t r = 0; r < crowd_.size(); ++r)
      if (r != row && crowd_.layer[r] == crowd_.layer[row] &&
          length(p - Point{crowd_.x[r], crowd_.y[r]}) < radius + static_cast<double>(crowd_.radius[r]))
        return false;
    return true;
  };
  if (isFree(place)) return place;
  constexpr int kRings = 30, kFirstRing = 6;
  for (int ring = 1; ring <= kRings; ++ring)
    for (int i = 0; i < kFirstRing * ring; ++i) {
      double sine = 0, cosine = 0;
      base::sinCos(2 * base::kPi * i / (kFirstRing * ring), sine, cosine);
      const Point p = place + Point{cosine, sine} * (ring * radius);
      if (floor.contains(p) && floor.clearance(p, radius * kAside) >= radius * kAside && isFree(p) &&
          !crosses(floor.walls, place, p))
        return p;
    }
  return place;
}

void World::findBuried() {
  buried_.clear();
  for (std::uint32_t r = 0; r < crowd_.size(); ++r)
    if (isInside(space_.floors()[crowd_.layer[r]], {crowd_.x[r], crowd_.y[r]})) buried_.push_back(crowd_.person[r]);
  std::sort(buried_.begin(), buried_.end());
}

/// Something has gone: who was inside it walks on, or is put where there is room now.
void World::digOut(std::uint16_t layer) {
  if (buried_.empty()) return;
  std::vector<std::uint32_t> left;
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (!isBuried(r)) continue;
    const Point here{crowd_.x[r], crowd_.y[r]};
    const bool inside = isInside(space_.floors()[crowd_.layer[r]], here);
    if (crowd_.layer[r] != layer || (inside && !pushOut(r, {})))
      left.push_back(crowd_.person[r]);
    else if (!inside)
      moveAside(r, here);
  }
  std::sort(left.begin(), left.end());
  buried_ = std::move(left);
}

/// People who walk from cylinder to cylinder of the navigation graph know nothing of what was inserted: in cylinders in
/// which something stands they are simulated with care.
void World::findObstructed() {
  obstructed_.clear();
  if (!traffic_ || inserted_.empty()) return;
  const auto vertices = traffic_->graph().vertices();
  obstructed_.assign(vertices.size(), 0);
  for (const Inserted& there : inserted_)
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      const Point centre = vertices[v].centre;
      Point nearest = there.shape[0];
      if (there.shape.size() > 2 && geometry::contains(Polygon{there.shape, {}}, centre)) nearest = centre;
      for (std::size_t i = 0; i < there.shape.size(); ++i) {
        const Point p = geometry::nearestOnSegment(centre, there.shape[i], there.shape[(i + 1) % there.shape.size()]);
        if (nearest != centre && length(p - centre) < length(nearest - centre)) nearest = p;
      }
      if (length(nearest - centre) < vertices[v].radius && traffic_->graph().floorIn(v, nearest) == there.layer)
        obstructed_[v] = 1;
    }
}

/// Those at the low levels have decided where to walk without knowing what has come or gone.
void World::lookAgain() {
  if (!traffic_) return;
  for (auto r = static_cast<std::uint32_t>(careful_); r < crowd_.size(); ++r) crowd_.wait[r] = 0;
  levels_changed_ = true;
}

bool World::isObstructed(std::uint32_t r) const {
  if (obstructed_.empty() || crowd_.path[r] == 0 || crowd_.vertex[r] == 0) return false;
  if (obstructed_[crowd_.vertex[r] - 1]) return true;
  const graph::GateLeg* gate = traffic_->paths().next(crowd_.path[r] - 1, crowd_.leg[r], crowd_.vertex[r] - 1);
  return gate != nullptr && obstructed_[gate->vertex];
}

}  // namespace throng::simulation
