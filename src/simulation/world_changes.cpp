// The world's walls: the map of them, and how they change while people walk.
#include <algorithm>
#include <fmt/format.h>

#include "geometry/predicates.h"
#include "ground/scene_places.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

std::vector<const Event*> eventsInOrder(const Scene& scene) {
  std::vector<const Event*> events;
  for (const Event& event : scene.events) events.push_back(&event);
  std::stable_sort(events.begin(), events.end(), [](const Event* s, const Event* t) { return s->time < t->time; });
  return events;
}

double distanceToShape(std::span<const Point> shape, Point a, Point b) {
  double least = INFINITY;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Point c = shape[i], d = shape[(i + 1) % shape.size()];
    if (geometry::segmentsIntersect(a, b, c, d)) return 0;
    least = std::min({least, geometry::distanceToSegment(a, c, d), geometry::distanceToSegment(b, c, d),
                      geometry::distanceToSegment(c, a, b), geometry::distanceToSegment(d, a, b)});
  }
  return least;
}

}  // namespace

void World::buildMap() {
  bool needed = !scene_.events.empty();
  for (const Layer& layer : scene_.layers) needed |= !layer.doors.empty();
  // Where there are no walls, everybody goes straight anyway.
  bool walls = false;
  for (const ground::Floor& floor : space_.floors()) walls |= floor.walls.size() > 0;
  for (const Kind& kind : kinds_) needed |= walls && (kind.planner->needs_map || kind.follower->needs_map);
  if (!needed) return;
  needMap();
  for (const Layer& layer : scene_.layers)
    for (const Door& door : layer.doors)
      if (!door.open) setDoor(door.name, false);
  changes_.clear();  // doors that are closed from the beginning are the scene's
}

/// Pieces of an obstacle across a wrapped border have names of their own.
std::string World::Inserted::uniqueName() const {
  return name.empty() ? fmt::format("#{}", id) : id == whole ? name : fmt::format("{} #{}", name, id);
}

bool World::isDoor(std::string_view name) const {
  for (const Layer& layer : scene_.layers)
    for (const Door& door : layer.doors)
      if (door.name == name) return true;
  return false;
}

/// Something that stands in the way from now on, or no longer; a door's line is a closed door.
void World::logChange(const Inserted& thing, bool came) {
  using enum Change::Kind;
  const Change::Kind kind =
      isDoor(thing.name) ? (came ? kCloseDoor : kOpenDoor) : (came ? kInsertObstacle : kRemoveObstacle);
  changes_.push_back({clock_.time(), kind, thing.uniqueName(), thing.layer, thing.shape});
}

/// Both directions of every connection whose lines are one place in plan, with the floors on either side of it.
void World::findLinks() {
  constexpr double kSamePlace = 2e-3, kLook = 0.01;  // m
  for (std::size_t i = 0; i + 1 < passages_.list().size(); i += 2) {
    const Passage& passage = passages_.list()[i];
    const Segment &from = passage.from, &to = passage.to;
    const auto near = [](Point p, Point q) { return length(p - q) < kSamePlace; };
    if (!(near(from.a, to.a) && near(from.b, to.b)) && !(near(from.a, to.b) && near(from.b, to.a))) continue;
    const Point left = (from.a + from.b) * 0.5 + perpendicular(normalized(from.b - from.a)) * kLook;
    const bool from_left = space_.floors()[passage.from_floor].contains(left);
    if (from_left == space_.floors()[passage.to_floor].contains(left)) continue;
    links_.push_back({passage.from_floor, passage.to_floor, from, from_left});
    links_.push_back({passage.to_floor, passage.from_floor, from, !from_left});
  }
}

void World::needMap() {
  if (!map_) map_ = std::make_unique<corridors::CorridorMap>(space_, scene_.connections, ground::placesOf(scene_));
}

void World::change() {
  if (next_event_ >= scene_.events.size()) return;
  const auto events = eventsInOrder(scene_);
  for (; next_event_ < events.size() && events[next_event_]->time <= clock_.due(); ++next_event_) {
    const Event& event = *events[next_event_];
    try {
      happen(event);
    } catch (const InputError& error) {
      std::vector<Diagnostic> findings = error.diagnostics();
      for (Diagnostic& finding : findings) finding.pointer = fmt::format("/events/{}", &event - scene_.events.data());
      throw InputError(std::move(findings));
    }
  }
}

void World::happen(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kOpenDoor:
    case Event::Kind::kCloseDoor:
      setDoor(event.name, event.kind == Event::Kind::kOpenDoor);
      break;
    case Event::Kind::kInsertObstacle:
      insertObstacle(event.obstacle.outer, space_.floor(event.layer), event.name);
      break;
    case Event::Kind::kRemoveObstacle:
      for (const Inserted& there : inserted_)
        if (there.name == event.name) {
          removeObstacle(there.whole);
          break;
        }
      break;
  }
}

bool World::setDoor(std::string_view name, bool open) {
  const auto layers = static_cast<std::uint16_t>(scene_.layers.size());
  for (std::uint16_t i = 0; i < layers; ++i)
    for (const Door& door : scene_.layers[i].doors) {
      if (door.name != name) continue;
      const auto there =
          std::find_if(inserted_.begin(), inserted_.end(), [&](const Inserted& x) { return x.name == name; });
      if ((there == inserted_.end()) == open) return false;
      if (open) {
        removeObstacle(there->whole);
      } else {
        const Point line[] = {door.line.a, door.line.b};
        insertObstacle(line, i, name);
      }
      return true;
    }
  throw InputError(fmt::format("There is no door called \"{}\".", name));
}

/// Whose route leads through what has come plans anew; everybody else goes on.
void World::replanAround(std::span<const Point> shape, std::uint16_t layer) {
  Rectangle box{shape[0], shape[0]};
  for (const Point p : shape) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (crowd_.activity[r] != agents::Activity::kWalking || crowd_.route_count[r] == 0) continue;
    const double radius = crowd_.radius[r];
    Point a{crowd_.x[r], crowd_.y[r]};
    bool cut = false;
    for (std::uint32_t i = 0; i <= crowd_.route_count[r] && !cut; ++i) {
      const Vec2 next =
          i == 0 ? Vec2{crowd_.target_x[r], crowd_.target_y[r]} : routes_.at(crowd_.route_start[r] + i - 1);
      const Point b{next.x, next.y};
      const std::uint16_t leg_layer = routes_.layer(crowd_.route_start[r] + (i == 0 ? 0 : i - 1));
      // On the way to the attraction point somebody may still be on the layer before.
      const bool here = leg_layer == layer || leg_layer == corridors::kAnyLayer || (i == 0 && crowd_.layer[r] == layer);
      const bool near = here && std::min(a.x, b.x) < box.max.x + radius && std::max(a.x, b.x) > box.min.x - radius &&
                        std::min(a.y, b.y) < box.max.y + radius && std::max(a.y, b.y) > box.min.y - radius;
      cut = near && distanceToShape(shape, a, b) < radius;
      a = b;
    }
    if (cut) unplanned_.push_back(crowd_.id[r]);
  }
}

/// Whoever could not reach their goal may be able to now.
void World::replanTheStranded() {
  for (std::uint32_t r = 0; r < crowd_.size(); ++r)
    if (crowd_.activity[r] == agents::Activity::kWalking && crowd_.route_state[r] == agents::RouteState::kNearest)
      unplanned_.push_back(crowd_.id[r]);
}

/// Inside an obstacle; or at the nearest place to a goal that cannot be reached, and not on the last steps there: those
/// may yet lead to where somebody has arrived.
bool World::standsAtTheEnd(std::uint32_t r) const {
  constexpr float kThere = 0.5f;   // m
  constexpr float kStands = 0.1f;  // m/s
  if (isBuried(r)) return true;
  if (crowd_.vx[r] * crowd_.vx[r] + crowd_.vy[r] * crowd_.vy[r] > kStands * kStands) return false;
  if (crowd_.activity[r] != agents::Activity::kWalking || crowd_.route_state[r] != agents::RouteState::kNearest ||
      crowd_.route_count[r] != 1)
    return false;
  const Vec2 end = routes_.at(crowd_.route_start[r]);
  const std::uint16_t layer = routes_.layer(crowd_.route_start[r]);
  if (layer != corridors::kAnyLayer && layer != crowd_.layer[r]) return false;
  return lengthSquared(end - Vec2{crowd_.x[r], crowd_.y[r]}) < kThere * kThere;
}

std::size_t World::unreachable() const {
  std::size_t count = 0;
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    const bool nearest =
        crowd_.activity[r] == agents::Activity::kWalking && crowd_.route_state[r] == agents::RouteState::kNearest;
    count += nearest || (crowd_.activity[r] != agents::Activity::kStaying && isBuried(r));
  }
  return count;
}

std::vector<Vec2> World::route(AgentId id) const {
  const std::uint32_t r = crowd_.row(id);
  std::vector<Vec2> points{{crowd_.x[r], crowd_.y[r]}};
  if (crowd_.activity[r] != agents::Activity::kWalking) return points;
  points.push_back({crowd_.target_x[r], crowd_.target_y[r]});
  for (std::uint32_t i = 0; i < crowd_.route_count[r]; ++i) points.push_back(routes_.at(crowd_.route_start[r] + i));
  return points;
}

}  // namespace throng::simulation
