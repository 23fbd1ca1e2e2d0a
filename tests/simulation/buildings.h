// Random buildings for tests: storeys above one another, joined by stairs of all kinds, and people who have to get from
// anywhere to anywhere. A building is a function of its seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/math.h"
#include "base/random.h"
#include "ground/walkable_space.h"
#include "scenes.h"

namespace throng::simulation {

struct BuildingOptions {
  int least_storeys = 2, most_storeys = 5;
  int people = 6;
  bool pillars = true;
};

struct Building {
  Scene scene;
  int storeys = 0;
  double steepest = 0;  ///< m per m, of all its stairs
};

/// Makes one building; see randomBuilding().
class BuildingMaker {
 public:
  BuildingMaker(std::uint64_t seed, const BuildingOptions& options) : random_(seed, 77), options_(options) {}

  Building make() {
    building_.storeys = whole(options_.least_storeys, options_.most_storeys);
    const double width = between(24, 50), depth = between(20, 40);
    double elevation = between(-5, 5);
    for (int i = 0; i < building_.storeys; ++i) {
      Storey storey;
      storey.elevation = elevation;
      // Storeys differ in size; every one holds the middle, where there is always room for a stair.
      storey.area = {{-width / 2 - between(0, 6), -depth / 2 - between(0, 6)},
                     {width / 2 + between(0, 6), depth / 2 + between(0, 6)}};
      storeys_.push_back(storey);
      elevation += between(2.6, 4.5);
    }
    tight_.resize(storeys_.size());
    angle_ = random_.uniform() < 0.3 ? 0 : between(0, 2 * base::kPi);
    shift_ = random_.uniform() < 0.3 ? Point{} : Point{between(-300, 300), between(-300, 300)};
    for (std::size_t i = 0; i + 1 < storeys_.size(); ++i) {
      const int wanted = whole(1, 3);
      int made = 0;
      for (int tries = 0; made < wanted && (tries < 200 || made == 0); ++tries) made += addStair(i);
    }
    if (options_.pillars)
      for (Storey& storey : storeys_)
        for (int k = whole(0, 6); k > 0; --k) addPillar(storey);
    write();
    addPeople();
    return std::move(building_);
  }

 private:
  struct Storey {
    double elevation = 0;
    Rectangle area;
    std::vector<Polygon> solid;    ///< what is no floor: stairs that begin here, holes over stairs that end here
    std::vector<Rectangle> taken;  ///< by stairs, with room to walk around them
  };
  /// A stair before it is turned: it goes up along `up` from `foot`, and `across` is to its left.
  struct Flight {
    Point foot, up, across;
    double width, length;
    Point at(double left, double ahead) const { return foot + across * left + up * ahead; }
    Polygon plan(double left0, double left1, double ahead0, double ahead1) const {
      return {{at(left0, ahead0), at(left1, ahead0), at(left1, ahead1), at(left0, ahead1)}, {}};
    }
  };

  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  int whole(int low, int high) { return low + static_cast<int>(random_.uniform() * (high - low + 1)); }

  static Rectangle boundsOf(const Polygon& polygon, double margin) {
    Rectangle box{polygon.outer[0], polygon.outer[0]};
    for (const Point p : polygon.outer) {
      box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
      box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
    return {box.min - Point{margin, margin}, box.max + Point{margin, margin}};
  }
  static bool meet(const Rectangle& r, const Rectangle& s) {
    return r.min.x < s.max.x && s.min.x < r.max.x && r.min.y < s.max.y && s.min.y < r.max.y;
  }
  static bool within(const Rectangle& inner, const Rectangle& outer) {
    return inner.min.x >= outer.min.x && inner.min.y >= outer.min.y && inner.max.x <= outer.max.x &&
           inner.max.y <= outer.max.y;
  }
  static bool fits(const Storey& storey, const Rectangle& box) {
    return within(box, storey.area) && std::none_of(storey.taken.begin(), storey.taken.end(),
                                                    [&](const Rectangle& other) { return meet(box, other); });
  }

  Point turned(Point p) const {
    Point d;
    base::sinCos(angle_, d.y, d.x);
    return Point{p.x * d.x - p.y * d.y, p.x * d.y + p.y * d.x} + shift_;
  }
  Polygon turned(Polygon polygon) const {
    for (Point& p : polygon.outer) p = turned(p);
    return polygon;
  }

  bool addStair(std::size_t below) {
    const double rise = storeys_[below + 1].elevation - storeys_[below].elevation;
    const double slope = between(0.35, 0.75), width = between(1.4, 4);
    constexpr Point kDirections[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    Flight flight;
    flight.up = kDirections[whole(0, 3)];
    flight.across = perpendicular(flight.up);
    flight.foot = {between(-20, 20), between(-16, 16)};
    flight.width = width;
    flight.length = rise / slope;
    // As in a stairwell: right above the stair of the storey below, leading the same way.
    const auto& ending = tight_[below];
    if (!ending.empty() && random_.uniform() < 0.3) {
      const Flight& other = ending[static_cast<std::size_t>(whole(0, static_cast<int>(ending.size()) - 1))];
      return rise / other.length < 0.9 && addStackedStair(below, Flight(other), rise);
    }
    return random_.uniform() < 0.3 ? addTurningStair(below, flight, rise) : addStraightStair(below, flight, rise);
  }

  bool addStackedStair(std::size_t below, const Flight& flight, double rise) {
    const Polygon whole_plan = flight.plan(0, flight.width, 0, flight.length);
    const Rectangle box = boundsOf(whole_plan, kRoom);
    if (!fits(storeys_[below + 1], box)) return false;
    // On the storey where both meet the place is already taken, by the stair that ends there.
    storeys_[below].solid.push_back(whole_plan);
    storeys_[below + 1].solid.push_back(whole_plan);
    storeys_[below + 1].taken.push_back(box);
    join(below, flight, rise, true);
    return true;
  }

  bool addStraightStair(std::size_t below, const Flight& flight, double rise) {
    const double slope = rise / flight.length;
    // Below: solid as far as one cannot stand upright under it, or all of it. Above: a hole, wider than the stair or
    // not.
    const double solid = random_.uniform() < 0.5 ? flight.length : std::min(flight.length, 2.2 / slope);
    const bool tight = random_.uniform() < 0.4;
    const double left = tight ? 0 : between(0, 2), right = tight ? 0 : between(0, 2), back = tight ? 0 : between(0, 2);
    const Polygon under = flight.plan(0, flight.width, 0, solid);
    const Polygon hole = flight.plan(-right, flight.width + left, -back, flight.length);
    const Rectangle box_under = boundsOf(under, kRoom), box_hole = boundsOf(hole, kRoom);
    if (!fits(storeys_[below], box_under) || !fits(storeys_[below + 1], box_hole)) return false;
    storeys_[below].solid.push_back(under);
    storeys_[below].taken.push_back(box_under);
    storeys_[below + 1].solid.push_back(hole);
    storeys_[below + 1].taken.push_back(box_hole);
    join(below, flight, rise, tight);
    return true;
  }

  void join(std::size_t below, const Flight& flight, double rise, bool tight) {
    const std::string name = addFlight(flight, storeys_[below].elevation, rise);
    connect(storeyName(below), name, flight.at(0, 0), flight.at(flight.width, 0));
    connect(name, storeyName(below + 1), flight.at(0, flight.length), flight.at(flight.width, flight.length));
    if (tight) tight_[below + 1].push_back(flight);
  }

  /// Up one flight to a landing, and back on a second one beside it.
  bool addTurningStair(std::size_t below, Flight flight, double rise) {
    const double landing = between(1.2, 3), w = flight.width;
    flight.length /= 2;
    const Polygon plan = flight.plan(0, 2 * w, 0, flight.length + landing);
    const Rectangle box = boundsOf(plan, kRoom);
    if (!fits(storeys_[below], box) || !fits(storeys_[below + 1], box)) return false;
    for (const std::size_t i : {below, below + 1}) {
      storeys_[i].solid.push_back(plan);
      storeys_[i].taken.push_back(box);
    }
    const double bottom = storeys_[below].elevation;
    const std::string first = addFlight(flight, bottom, rise / 2);
    Flight second = flight;
    second.foot = flight.at(2 * w, flight.length), second.up = flight.up * -1.0, second.across = flight.across * -1.0;
    const std::string back = addFlight(second, bottom + rise / 2, rise / 2);
    Layer middle;
    middle.name = "landing" + std::to_string(stairs_++);
    middle.elevation = bottom + rise / 2;
    middle.walkable = {turned(flight.plan(0, 2 * w, flight.length, flight.length + landing))};
    building_.scene.layers.push_back(middle);
    connect(storeyName(below), first, flight.at(0, 0), flight.at(w, 0));
    connect(first, middle.name, flight.at(0, flight.length), flight.at(w, flight.length));
    connect(middle.name, back, flight.at(w, flight.length), flight.at(2 * w, flight.length));
    connect(back, storeyName(below + 1), flight.at(w, 0), flight.at(2 * w, 0));
    return true;
  }

  std::string addFlight(const Flight& flight, double bottom, double rise) {
    Layer layer;
    layer.name = "stair" + std::to_string(stairs_++);
    layer.walkable = {turned(flight.plan(0, flight.width, 0, flight.length))};
    const Point foot = turned(flight.foot), up = normalized(turned(flight.at(0, 1)) - foot);
    const double slope = rise / flight.length;
    building_.steepest = std::max(building_.steepest, slope);
    layer.slope = up * slope;
    layer.elevation = bottom - dot(layer.slope, foot);
    building_.scene.layers.push_back(layer);
    return layer.name;
  }

  static std::string storeyName(std::size_t i) { return "storey" + std::to_string(i); }

  /// Drawn in either direction on either layer.
  void connect(const std::string& from, const std::string& to, Point a, Point b) {
    a = turned(a), b = turned(b);
    Connection connection;
    connection.from_layer = from, connection.to_layer = to;
    connection.from = random_.uniform() < 0.5 ? Segment{a, b} : Segment{b, a};
    connection.to = random_.uniform() < 0.5 ? Segment{a, b} : Segment{b, a};
    if (random_.uniform() < 0.5)
      std::swap(connection.from_layer, connection.to_layer), std::swap(connection.from, connection.to);
    building_.scene.connections.push_back(connection);
  }

  void addPillar(Storey& storey) {
    const Point at{between(-18, 18), between(-14, 14)}, size{between(0.3, 3), between(0.3, 3)};
    const Polygon pillar = box(at.x, at.y, at.x + size.x, at.y + size.y);
    const Rectangle around = boundsOf(pillar, 1);
    if (!fits(storey, around)) return;
    storey.solid.push_back(pillar);
    storey.taken.push_back(around);
  }

  void write() {
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < storeys_.size(); ++i) {
      Layer layer;
      layer.name = storeyName(i);
      layer.elevation = storeys_[i].elevation;
      const Rectangle& r = storeys_[i].area;
      layer.walkable = {turned(box(r.min.x, r.min.y, r.max.x, r.max.y))};
      for (const Polygon& solid : storeys_[i].solid) layer.obstacles.push_back(turned(solid));
      layers.push_back(layer);
    }
    // Stairs and storeys in any order.
    auto& all = building_.scene.layers;
    all.insert(random_.uniform() < 0.5 ? all.begin() : all.end(), layers.begin(), layers.end());
    building_.scene.profiles.emplace_back();
    building_.scene.profiles[0].radius = Distribution::uniform(0.2, 0.3);
    building_.scene.profiles[0].preferred_speed = Distribution::uniform(1.1, 1.5);
  }

  /// Somewhere on a storey with room around it and away from where people leave the floor.
  Point somewhere(const ground::Floor& floor, std::size_t storey) {
    constexpr double kClear = 1.1;  // m
    for (;;) {
      const Rectangle& r = storeys_[storey].area;
      const Point p = turned({between(r.min.x, r.max.x), between(r.min.y, r.max.y)});
      if (floor.contains(p) && floor.clearance(p, 2 * kClear) >= kClear && !nearConnection(p)) return p;
    }
  }
  bool nearConnection(Point p) const {
    return std::any_of(building_.scene.connections.begin(), building_.scene.connections.end(),
                       [&](const Connection& c) {
                         return length(p - (c.from.a + c.from.b) * 0.5) < length(c.from.b - c.from.a) * 0.5 + 1.5;
                       });
  }

  void addPeople() {
    const ground::WalkableSpace space(building_.scene);
    std::vector<std::pair<std::string, Point>> used;
    const auto isNew = [&](const std::string& layer, Point p) {
      return std::none_of(used.begin(), used.end(),
                          [&](const auto& u) { return u.first == layer && length(u.second - p) < 1.5; });
    };
    for (int i = 0; i < options_.people; ++i) {
      const auto from = static_cast<std::size_t>(whole(0, building_.storeys - 1));
      auto to = static_cast<std::size_t>(whole(0, building_.storeys - 1));
      if (i == 0 && to == from) to = from > 0 ? from - 1 : 1;
      const auto floorOf = [&](std::size_t s) -> const ground::Floor& {
        return space.floors()[space.floor(storeyName(s))];
      };
      Point start = somewhere(floorOf(from), from);
      while (!isNew(storeyName(from), start)) start = somewhere(floorOf(from), from);
      used.emplace_back(storeyName(from), start);
      // Right above or below oneself, where that is free, or anywhere.
      Point goal = start;
      const bool stacked = random_.uniform() < 0.4 && to != from && floorOf(to).contains(goal) &&
                           floorOf(to).clearance(goal, 2) >= 1.1 && isNew(storeyName(to), goal);
      if (!stacked) goal = somewhere(floorOf(to), to);
      while (!isNew(storeyName(to), goal)) goal = somewhere(floorOf(to), to);
      used.emplace_back(storeyName(to), goal);
      Population person = atPoints({start}, {toPoint(goal)}, "p" + std::to_string(i));
      person.layer = storeyName(from);
      person.goals[0].layer = storeyName(to);
      person.on_arrival = OnArrival::kStay;
      building_.scene.populations.push_back(person);
    }
    building_.scene.run.duration = 1000;
  }

  static constexpr double kRoom = 1.6;  // m around a stair: people pass one another there

  base::Random random_;
  BuildingOptions options_;
  Building building_;
  std::vector<Storey> storeys_;
  std::vector<std::vector<Flight>> tight_;  ///< by storey on which they end: straight stairs in a hole of their size
  double angle_ = 0;
  Point shift_;
  int stairs_ = 0;
};

inline Building randomBuilding(std::uint64_t seed, const BuildingOptions& options = {}) {
  return BuildingMaker(seed, options).make();
}

}  // namespace throng::simulation
