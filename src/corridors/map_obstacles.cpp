// Obstacles that come and go while people walk.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/lists.h"
#include "corridors/map_builder.h"
#include "corridors/map_change.h"
#include "corridors/noding.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"

namespace throng::corridors {
namespace {

constexpr std::uint32_t kNewWall = 0x80000000u;  // tag of the obstacle's own sides

Diagnostic problem(Point at, std::string message) { return {.at = at, .message = std::move(message)}; }

/// Convex, counter-clockwise, without corners that say nothing; or the two ends of a wall.
std::vector<Point> convexShape(std::span<const Point> given, const IntegerGrid& grid) {
  std::vector<Point> shape;
  for (const Point p : given) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) throw InputError("An obstacle's coordinates must be numbers.");
    const Point rounded = grid.point(grid.round(p));
    if (shape.empty() || shape.back() != rounded) shape.push_back(rounded);
  }
  while (shape.size() > 1 && shape.front() == shape.back()) shape.pop_back();
  if (shape.size() < 2)
    throw InputError({problem(given.empty() ? Point{} : given[0], "An obstacle needs two corners or more.")});
  if (shape.size() == 2) return shape;
  double area = 0;
  for (std::size_t i = 0; i < shape.size(); ++i)
    area += det(shape[i] - shape[0], shape[(i + 1) % shape.size()] - shape[0]);
  if (area < 0) std::reverse(shape.begin(), shape.end());
  std::vector<Point> corners;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Point before = shape[(i + shape.size() - 1) % shape.size()], after = shape[(i + 1) % shape.size()];
    const int turn = geometry::orientation(before, shape[i], after);
    // Rounding to the grid may bend a straight side the wrong way by as much as the grid.
    const double dent = -det(shape[i] - before, after - before) / std::max(length(after - before), grid.resolution);
    if (turn < 0 && std::abs(dent) > 4 * grid.resolution)
      throw InputError({problem(shape[i], "The obstacle is not convex here; only convex obstacles can be inserted.")});
    if (turn > 0) corners.push_back(shape[i]);
  }
  // Going round more than once is not convex either, though every corner turns left.
  int turns = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point d = corners[(i + 1) % corners.size()] - corners[i];
    const Point e = corners[(i + 2) % corners.size()] - corners[(i + 1) % corners.size()];
    turns += (d.y < 0 || (d.y == 0 && d.x < 0)) && !(e.y < 0 || (e.y == 0 && e.x < 0));
  }
  if (corners.size() < 3)
    throw InputError({problem(shape[0], "The obstacle has no area; give two points for a wall.")});
  if (turns > 1) throw InputError({problem(shape[0], "The obstacle crosses itself.")});
  return corners;
}

bool strictlyInside(std::span<const Point> convex, Point p) {
  if (convex.size() < 3) return false;
  for (std::size_t i = 0; i < convex.size(); ++i)
    if (geometry::orientation(convex[i], convex[(i + 1) % convex.size()], p) <= 0) return false;
  return true;
}

/// Do a convex shape (or a segment) and a segment come nearer than `reach` to one another?
bool meets(std::span<const Point> convex, Point a, Point b, double reach = 0) {
  if (strictlyInside(convex, a)) return true;
  for (std::size_t i = 0; i < convex.size(); ++i) {
    const Point c = convex[i], d = convex[(i + 1) % convex.size()];
    if (geometry::segmentsIntersect(c, d, a, b)) return true;
    if (reach > 0 && geometry::distanceOfEnds({a, b}, {c, d}) < reach) return true;
  }
  return false;
}

/// Does the segment pass through a convex shape, or across a wall, and not along the border only?
bool passesThrough(std::span<const Point> shape, Point a, Point b) {
  constexpr double kInside = 1e-5;  // m
  if (shape.size() == 2)
    return geometry::orientation(a, b, shape[0]) * geometry::orientation(a, b, shape[1]) < 0 &&
           geometry::orientation(shape[0], shape[1], a) * geometry::orientation(shape[0], shape[1], b) < 0;
  double from = 0, to = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Point side = normalized(shape[(i + 1) % shape.size()] - shape[i]);
    const double start = det(side, a - shape[i]) - kInside, change = det(side, b - a);
    if (change > 0) from = std::max(from, -start / change);
    if (change < 0) to = std::min(to, -start / change);
    if (change == 0 && start < 0) return false;
  }
  return (to - from) * length(b - a) > kInside;
}

bool meet(std::span<const Point> s, std::span<const Point> t) {
  for (std::size_t i = 0; i < t.size(); ++i)
    if (meets(s, t[i], t[(i + 1) % t.size()])) return true;
  return strictlyInside(t, s[0]);
}

}  // namespace

std::uint32_t CorridorMap::newWall() {
  if (free_walls_.empty()) {
    walls_.emplace_back();
    return static_cast<std::uint32_t>(walls_.size() - 1);
  }
  const std::uint32_t id = free_walls_.back();
  free_walls_.pop_back();
  return id;
}

std::uint32_t CorridorMap::newCorner(Point at, std::uint16_t floor) {
  std::uint32_t id = static_cast<std::uint32_t>(corners_.size());
  if (free_corners_.empty()) {
    corners_.emplace_back();
  } else {
    id = free_corners_.back();
    free_corners_.pop_back();
  }
  corners_[id] = {at, floor, kNone, kNone};
  return id;
}

/// Puts walls into the list, under the numbers that were given out for them.
std::vector<std::uint32_t> CorridorMap::enlist(NumberedWalls added) {
  std::vector<std::uint32_t> ids;
  for (const auto& [id, wall] : added) {
    walls_[id] = wall;
    walls_[id].left_cell = walls_[id].right_cell = kNone;
    MapBuilder::attach(*this, id);
    ids.push_back(id);
  }
  return ids;
}

/// Takes walls that no cell knows out of the list again. Their numbers stay given out.
void CorridorMap::strike(std::span<const std::uint32_t> ids) {
  for (const std::uint32_t id : ids) {
    MapBuilder::detach(*this, id);
    walls_[id] = MapWall{};
  }
}

/// A change that reaches over connections: they are closed, and opened again when it is done. False when that cannot be
/// done in place; the walls and connections are what they should be after the change even then, only the cells are not.
bool CorridorMap::exchangeOver(std::vector<std::uint32_t> connections, std::span<const std::uint32_t> removed,
                               NumberedWalls added) {
  std::vector<std::uint32_t> changed, ids;
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> closed;
  const auto sound = [&](bool done) {
    changed.insert(changed.end(), changed_.begin(), changed_.end());
    return done && MapBuilder::changeIsSound(*this);
  };
  bool fine = true, replaced = false;
  while (fine && !replaced) {
    for (const std::uint32_t k : connections) {
      closed.emplace_back(k, std::vector<std::uint32_t>());
      fine = fine && sound(MapChange(*this).closeConnection(k, closed.back().second));
    }
    ids = enlist(added);
    if (!fine) break;
    MapChange change(*this);
    replaced = change.replace(removed, ids);
    if (replaced) {
      fine = sound(true);
    } else {
      // It may reach over a connection that was farther than one that is closed now.
      connections = change.connectionsReached();
      fine = !connections.empty();
      if (fine) strike(ids);
    }
  }
  for (auto& [k, walls] : closed) {
    if (fine && !walls.empty()) MapBuilder::joinCorners(*this, walls);
    fine = fine && sound(MapChange(*this).openConnection(k, walls));
    if (connections_[k].open) continue;
    // As it will be opened when the map is made anew.
    for (const std::uint32_t id : walls) connections_[k].closed.push_back(walls_[id]);
    strike(walls);
    free_walls_.insert(free_walls_.end(), walls.begin(), walls.end());
    connections_[k].open = true;
  }
  if (!replaced) dismiss(removed);
  keepAlive(changed);
  return fine;
}

/// Half-edges, each once, that are still there: the changed ones.
void CorridorMap::keepAlive(std::vector<std::uint32_t>& changed) {
  base::sortUnique(changed);
  std::erase_if(changed, [&](std::uint32_t h) { return h >= edges_.size() || edges_[h].origin == kNone; });
  changed_ = std::move(changed);
}

/// Takes walls out of the list, with their corners, and whatever the cells say.
void CorridorMap::dismiss(std::span<const std::uint32_t> removed) {
  for (const std::uint32_t id : removed) {
    MapBuilder::detach(*this, id);
    for (const std::uint32_t c : {walls_[id].a, walls_[id].b}) {
      if (corners_[c].wall != kNone) continue;
      MapBuilder::leaveRing(*this, c);
      free_corners_.push_back(c);
    }
    walls_[id] = MapWall{};
    free_walls_.push_back(id);
  }
}

void CorridorMap::exchange(std::span<const std::uint32_t> removed, NumberedWalls added) {
  if (removed.empty() && added.empty()) {
    changed_.clear();
    ++revision_;
    return;
  }
  std::vector<std::pair<std::uint32_t, MapWall>> was;
  for (const std::uint32_t id : removed) was.emplace_back(id, walls_[id]);
  std::vector<std::uint32_t> ids = enlist(added);
  MapChange change(*this);
  if (change.replace(removed, ids)) {
    if (MapBuilder::changeIsSound(*this)) return;
  } else if (const auto reached = change.connectionsReached(); !reached.empty()) {
    strike(ids);
    if (exchangeOver(reached, removed, added)) return;
  } else {
    dismiss(removed);
  }
  makeAnew(ids, was);
}

/// Makes all cells from the walls. If they make no map, `was` comes back in the place of `ids` and the change is
/// refused.
void CorridorMap::makeAnew(std::span<const std::uint32_t> ids, NumberedWalls was) {
  CorridorMap anew;
  MapBuilder builder(anew);
  const bool sound = builder.rebuild(*this);
  if (!sound) {
    strike(ids);
    free_walls_.insert(free_walls_.end(), ids.begin(), ids.end());
    for (const auto& [id, wall] : was) {
      walls_[id] = wall;
      MapBuilder::attach(*this, id);
      std::erase(free_walls_, id), std::erase(free_corners_, wall.a), std::erase(free_corners_, wall.b);
    }
    anew = rebuilt();
  }
  anew.revision_ = revision_ + 1;
  anew.rebuilds_ = rebuilds_ + 1;
  for (std::uint32_t h = 0; h < anew.edges_.size(); ++h)
    if (anew.edges_[h].origin != kNone) anew.changed_.push_back(h);
  *this = std::move(anew);
  if (!sound)
    throw InputError({problem(builder.unsoundAt(),
                              "The obstacle comes too close to walls here to make a map of it; move "
                              "it by a millimetre.")});
}

void CorridorMap::put(Obstacle& obstacle) {
  const IntegerGrid grid = MapBuilder::gridOf(*this);
  const std::vector<Point>& shape = obstacle.shape;
  const Rectangle box = geometry::grown(geometry::boxOf(shape), 2 * resolution_);
  // Its own sides, and the walls that it meets.
  std::vector<DirectedWall> lines;
  for (std::size_t i = 0; i + (shape.size() == 2) < shape.size(); ++i)
    lines.push_back({grid.round(shape[i]), grid.round(shape[(i + 1) % shape.size()]), kNewWall});
  std::vector<std::uint32_t> met;
  for (std::uint32_t i = 0; i < walls_.size(); ++i) {
    const MapWall& wall = walls_[i];
    if (wall.a == kNone || wall.floor != obstacle.floor) continue;
    const Point a = corners_[wall.a].at, b = corners_[wall.b].at;
    if (!geometry::overlap(geometry::boxOf(Segment{a, b}), box) || !meets(shape, a, b, 2 * resolution_)) continue;
    met.push_back(i);
    lines.push_back({grid.round(a), grid.round(b), i});
  }
  if (!met.empty()) lines = noded(std::move(lines), grid);

  std::vector<std::uint32_t> removed;
  std::vector<std::pair<std::uint32_t, MapWall>> added;
  std::vector<std::pair<IntegerGrid::Place, std::uint32_t>> names;
  for (const std::uint32_t i : met)
    for (const std::uint32_t c : {walls_[i].a, walls_[i].b}) names.emplace_back(grid.round(corners_[c].at), c);
  const auto corner = [&](const IntegerGrid::Place& p) {
    for (const auto& [place, id] : names)
      if (place == p) return id;
    names.emplace_back(p, newCorner(grid.point(p), obstacle.floor));
    return names.back().second;
  };
  const auto isPiece = [&](const DirectedWall& line, IntegerGrid::Place a, IntegerGrid::Place b) {
    return (line.a == a && line.b == b) || (line.a == b && line.b == a);
  };
  const auto add = [&](const DirectedWall& line, MapWall wall) {
    wall.a = corner(line.a), wall.b = corner(line.b);
    added.emplace_back(kNone, wall);
  };

  for (const DirectedWall& line : lines) {
    const Point middle = (grid.point(line.a) + grid.point(line.b)) * 0.5;
    if (line.tag == kNewWall) {
      // Its own side: where it lies in free space, and on no wall (the wall is dealt with below).
      const bool on_wall = std::any_of(lines.begin(), lines.end(), [&](const DirectedWall& other) {
        return other.tag != kNewWall && isPiece(other, line.a, line.b);
      });
      const Located at = on_wall ? Located{} : locate(middle, obstacle.floor);
      if (!at) continue;
      MapWall wall;
      wall.floor = obstacle.floor;
      wall.right_free = true, wall.left_free = shape.size() == 2;
      add(line, wall);
      continue;
    }
    // A wall that was there: without what lies in the obstacle, and solid on the obstacle's side where it lies along
    // it.
    MapWall wall = walls_[line.tag];
    const bool whole = isPiece(line, grid.round(corners_[wall.a].at), grid.round(corners_[wall.b].at));
    bool keep = !strictlyInside(shape, middle), same = whole && keep;
    for (const DirectedWall& side : lines) {
      if (side.tag != kNewWall || shape.size() == 2 || !isPiece(side, line.a, line.b)) continue;
      bool& taken = side.a == line.a ? wall.left_free : wall.right_free;  // the obstacle is on the left of its sides
      same &= !taken;
      taken = false;
      keep &= wall.left_free || wall.right_free;
    }
    if (same) continue;
    if (removed.empty() || removed.back() != line.tag) removed.push_back(line.tag);
    if (keep) add(line, wall);
  }
  // The pieces of a wall do not come one after another.
  base::sortUnique(removed);
  obstacle.replaced.clear(), obstacle.added.clear();
  for (const std::uint32_t id : removed) obstacle.replaced.emplace_back(id, walls_[id]);
  for (auto& [id, wall] : added) obstacle.added.push_back(id = newWall());
  exchange(removed, added);
  // Kept for when the obstacle goes.
  for (const auto& [id, wall] : obstacle.replaced) {
    std::erase(free_walls_, id);
    std::erase(free_corners_, wall.a), std::erase(free_corners_, wall.b);
  }
}

void CorridorMap::take(Obstacle& obstacle) {
  const Obstacle was = obstacle;
  exchange(was.added, was.replaced);
}

std::uint32_t CorridorMap::insert(std::span<const Point> convex, std::uint16_t floor) {
  if (floor >= grids_.size())
    throw InputError(fmt::format("There is no floor {}; there are {}.", floor, grids_.size()));
  Obstacle obstacle;
  obstacle.shape = convexShape(convex, MapBuilder::gridOf(*this));
  obstacle.floor = floor;
  obstacle.order = next_order_++;
  for (const Point p : obstacle.shape)
    if (std::max(std::abs(p.x - origin_.x), std::abs(p.y - origin_.y)) / resolution_ > IntegerGrid::kReach)
      throw InputError(
          {problem(p, fmt::format("The obstacle leaves the map, which reaches {:.4g} m from ({:.6g}, {:.6g}).",
                                  IntegerGrid::kReach * resolution_, origin_.x, origin_.y))});
  for (const MapConnection& k : connections_)
    for (const Segment& part : k.parts)
      if ((k.left_floor == floor || k.right_floor == floor) && passesThrough(obstacle.shape, part.a, part.b))
        throw InputError({problem((part.a + part.b) * 0.5,
                                  "The obstacle lies across the connection of two floors here; "
                                  "insert what is on one floor only.")});
  std::size_t id = 0;
  while (id < obstacles_.size() && !obstacles_[id].shape.empty()) ++id;
  if (id == obstacles_.size()) obstacles_.emplace_back();
  put(obstacle);
  obstacles_[id] = std::move(obstacle);
  return static_cast<std::uint32_t>(id);
}

void CorridorMap::remove(std::uint32_t id) {
  if (!contains(id)) throw InputError(fmt::format("There is no obstacle {} on the map.", id));
  // What came later and touches it (or what touches that) was cut to fit: it is taken out first and put back after.
  std::vector<std::uint32_t> later{id};
  for (std::size_t i = 0; i < later.size(); ++i)
    for (std::uint32_t other = 0; other < obstacles_.size(); ++other) {
      const Obstacle &o = obstacles_[other], &p = obstacles_[later[i]];
      if (o.shape.empty() || o.floor != p.floor || o.order <= p.order) continue;
      if (std::find(later.begin(), later.end(), other) != later.end()) continue;
      const bool depends = std::any_of(o.replaced.begin(), o.replaced.end(), [&](const auto& wall) {
        return std::find(p.added.begin(), p.added.end(), wall.first) != p.added.end();
      });
      if (depends || meet(o.shape, p.shape)) later.push_back(other);
    }
  std::sort(later.begin(), later.end(),
            [&](std::uint32_t s, std::uint32_t t) { return obstacles_[s].order > obstacles_[t].order; });
  std::vector<std::uint32_t> changed;
  const auto note = [&] { changed.insert(changed.end(), changed_.begin(), changed_.end()); };
  for (const std::uint32_t other : later) take(obstacles_[other]), note();
  obstacles_[id] = Obstacle{};
  for (auto other = later.rbegin(); other != later.rend(); ++other) {
    if (*other == id) continue;
    Obstacle again = std::move(obstacles_[*other]);
    put(again), note();
    obstacles_[*other] = std::move(again);
  }
  keepAlive(changed);
}

}  // namespace throng::corridors
