// Doors, and what happens while the scene runs.
#include <algorithm>
#include <fmt/format.h>

#include "base/overloaded.h"
#include "geometry/predicates.h"
#include "scene/scene_check.h"

namespace throng::scene {
namespace {

/// A corner at which the ring turns the other way than the rest of it does, or nothing for a convex ring. The ring is
/// valid; corners on a straight side are allowed.
std::optional<Point> reflexCorner(const Ring& ring) {
  const int way = geometry::signedArea(ring) > 0 ? 1 : -1;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point before = ring[(i + ring.size() - 1) % ring.size()], after = ring[(i + 1) % ring.size()];
    if (geometry::orientation(before, ring[i], after) == -way) return ring[i];
  }
  return {};
}

class EventCheck {
 public:
  EventCheck(const Scene& scene, Findings& findings) : scene_(scene), findings_(findings) {
    for (const auto& layer : scene.layers) {
      for (const auto& door : layer.doors) doors_.push_back(door.name);
    }
    for (const auto& event : scene.events) {
      if (const auto* insertion = std::get_if<InsertObstacle>(&event.change)) inserted_.push_back(insertion->name);
    }
  }

  void all() {
    const Range range(findings_);
    for (std::size_t i = 0; i < scene_.events.size(); ++i) {
      const Event& event = scene_.events[i];
      const std::string here = at("/events", i);
      if (range.within(here + "/time", event.time, 0, kLongestRun, "s")) afterTheEnd(event, here);
      if (findings_.unreadable(here)) continue;
      std::visit(base::Overloaded{
                     [&](const OpenDoor& open) { door(open.door, here + "/open"); },
                     [&](const CloseDoor& close) { door(close.door, here + "/close"); },
                     [&](const InsertObstacle& what) { insertion(what, here + "/insert"); },
                     [&](const RemoveObstacle& what) { removal(what.name, event.time, here + "/remove"); },
                 },
                 event.change);
    }
  }

 private:
  void afterTheEnd(const Event& event, const std::string& here) {
    if (!scene_.run.duration || event.time <= *scene_.run.duration || findings_.broken("/run")) return;
    findings_.warning(here + "/time", fmt::format("the run is over at {:g} s, before this happens at {:g} s",
                                                  *scene_.run.duration, event.time));
  }

  void door(const std::string& name, const std::string& here) {
    if (findings_.broken(here) || std::find(doors_.begin(), doors_.end(), name) != doors_.end()) return;
    if (findings_.broken("/layers")) return;  // perhaps it is there
    findings_.error(here, fmt::format("there is no door {}{}", inQuotes(name),
                                      doors_.empty() ? "; the scene has none" : suggestion(name, doors_)));
  }

  void insertion(const InsertObstacle& what, const std::string& here) {
    names_.add(here + "/name", what.name);
    if (!what.layer.empty()) checkLayerName(scene_, here + "/layer", what.layer, findings_);
    if (findings_.broken(here + "/obstacle")) return;
    const std::vector<Ring>& holes = what.obstacle.holes;
    if (!holes.empty()) {
      findings_.error(here + "/obstacle", "found a polygon with a hole; allowed: a convex polygon without holes",
                      holes[0].empty() ? std::nullopt : std::optional(holes[0][0]));
    } else if (const auto corner = reflexCorner(what.obstacle.outer)) {
      findings_.error(here + "/obstacle",
                      "the obstacle is not convex: it has a reflex corner there; allowed: a convex polygon, or several "
                      "events that each insert a convex part",
                      *corner);
    }
  }

  void removal(const std::string& name, double time, const std::string& here) {
    if (findings_.broken(here)) return;
    if (std::find(inserted_.begin(), inserted_.end(), name) == inserted_.end()) {
      findings_.error(here, fmt::format("no event inserts an obstacle {}; only what was inserted can be removed{}",
                                        inQuotes(name), inserted_.empty() ? "" : suggestion(name, inserted_)));
      return;
    }
    const bool earlier = std::any_of(scene_.events.begin(), scene_.events.end(), [&](const Event& other) {
      const auto* insertion = std::get_if<InsertObstacle>(&other.change);
      return insertion && insertion->name == name && other.time < time;
    });
    if (!earlier) {
      findings_.error(here, fmt::format("the obstacle {} is not yet there at {:g} s; it can be removed after the time "
                                        "at which it is inserted",
                                        inQuotes(name), time));
    } else if (!removed_.insert(name).second) {
      findings_.error(here, fmt::format("the obstacle {} is removed twice", inQuotes(name)));
    }
  }

  const Scene& scene_;
  Findings& findings_;
  std::vector<std::string_view> doors_, inserted_;
  std::set<std::string> removed_;
  Names names_{"inserted obstacle", true, findings_};
};

}  // namespace

void checkDoors(const Scene& scene, Findings& findings) {
  Names names("door", true, findings);
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    for (std::size_t k = 0; k < scene.layers[i].doors.size(); ++k) {
      names.add(at((at("/layers", i) + "/doors").c_str(), k) + "/name", scene.layers[i].doors[k].name);
    }
  }
}

void checkEvents(const Scene& scene, Findings& findings) { EventCheck(scene, findings).all(); }

}  // namespace throng::scene
