// Where people of "town" go: eight landmarks, each with a forecourt.
#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "places/town.h"

namespace throng::places::town {
namespace {

using base::Random;
using Roof = Building::Roof;

class Landmarks {
 public:
  explicit Landmarks(Town& town) : town_(town), plan_(town.plan), mesh_(town.mesh), m_(town.material) {}

  void build() {
    for (const auto& block : plan_.blocks) {
      c_ = block.cells;
      middle_ = (c_.i0 + c_.i1) / 2.0;
      if (block.use == Use::kHouses) continue;
      fill(c_, block.use == Use::kPark ? Cell::kLawn : Cell::kPlaza);
      switch (block.use) {
        case Use::kStation:
          station();
          break;
        case Use::kHotel:
          hotel();
          break;
        case Use::kChurch:
          church();
          break;
        case Use::kCircus:
          circus();
          break;
        case Use::kMarket:
          market();
          break;
        case Use::kTheatre:
          theatre();
          break;
        case Use::kUniversity:
          university();
          break;
        default:
          park();
          break;
      }
    }
  }

 private:
  void fill(const Cells& cells, Cell kind) {
    for (int j = cells.j0; j < cells.j1; ++j) {
      for (int i = cells.i0; i < cells.i1; ++i) plan_.cell(i, j) = kind;
    }
  }

  /// A part of a landmark; its walls are drawn by `raiseAll`, when all parts have their ground.
  Building& part(const Cells& cells, double height, Roof roof, std::uint32_t wall, std::uint32_t roofing) {
    Building b;
    b.cells = cells;
    b.base = 1e9, b.street = -1e9;
    for (int j = cells.j0; j <= cells.j1; ++j) {
      for (int i = cells.i0; i <= cells.i1; ++i) {
        b.base = std::min(b.base, plan_.z(i, j) - 0.5);
        b.street = std::max(b.street, town_.ground(i, j));
      }
    }
    b.eaves = b.street + height;
    b.storeys = static_cast<int>((height - 1.5) / 3);
    b.roof = roof, b.wall = wall, b.plinth = m_.stone, b.roofing = roofing;
    fill(cells, Cell::kBuilt);
    parts_.push_back(b);
    return parts_.back();
  }

  void raiseAll() {
    for (const auto& b : parts_) building(town_, b);
    parts_.clear();
  }

  /// How far p is from walls and from what stands around.
  double clearance(Point p) const {
    double least = 1e9;
    for (const auto& disc : town_.taken) least = std::min(least, length(disc.middle - p) - disc.radius);
    const auto near = [&](int i, int j, int k, int l) {
      least = std::min(least, geometry::distanceToSegment(p, plan_.node(i, j), plan_.node(k, l)));
    };
    for (int j = c_.j0 - 4; j < c_.j1 + 4; ++j) {
      for (int i = c_.i0 - 4; i < c_.i1 + 4; ++i) {
        if (!plan_.inside(i, j) || plan_.cell(i, j) != Cell::kBuilt) continue;
        near(i, j, i + 1, j), near(i, j, i, j + 1), near(i + 1, j, i + 1, j + 1), near(i, j + 1, i + 1, j + 1);
      }
    }
    return least;
  }

  /// Near (u, v), where there is most room.
  void place(const char* name, double u, double v, double radius) {
    Place p;
    double best = -1;
    for (int k = 0; k < 9 * 13; ++k) {
      const Point at = plan_.pointAt(u + 0.1 * (k % 9 - 4), v + 0.1 * (k / 9 - 6));
      const double room = std::min(clearance(at), radius + 1) - 0.001 * length(at - plan_.pointAt(u, v));
      if (room > best) best = room, p.at = toMillimetres(at);
    }
    p.name = name;
    p.z = std::floor((plan_.heightAt(p.at) + kKerb) * 1000 + 0.5) / 1000;
    p.radius = radius;
    town_.places.push_back(p);
    town_.taken.push_back({p.at, radius + 1});
  }

  Point along(double u, double v) const { return normalized(plan_.pointAt(u + 0.4, v) - plan_.pointAt(u - 0.4, v)); }
  double groundAt(Point p) const { return plan_.heightAt(p) + kKerb; }

  /// Square, with a pointed roof.
  void tower(Point p, Point direction, double half, double low, double high, double spire, std::uint32_t roofing) {
    mesh_.box(p, direction, half, half, low, high, m_.stone, m_.stone);
    const Point u = direction * (half + 0.3), v = perpendicular(direction) * (half + 0.3);
    mesh_.cone({p - u - v, p + u - v, p + u + v, p - u + v}, high, high + spire, roofing);
    // Clocks.
    for (int side = 0; side < 4; ++side) {
      const Point out = side == 0   ? direction
                        : side == 1 ? perpendicular(direction)
                        : side == 2 ? -direction
                                    : -perpendicular(direction);
      const Point right = perpendicular(out), face = p + out * (half + 0.05);
      mesh_.wall(face - right * (half * 0.45), face + right * (half * 0.45), high - half * 1.3, high - half * 0.4,
                 m_.tent_white);
    }
  }

  void column(Point p, double half, double low, double high) {
    mesh_.box(p, {1, 0}, half, half, low - 0.3, high, m_.stone, m_.stone);
    town_.taken.push_back({p, half * 1.5});
  }

  /// A roof on columns along a line, `out` metres to its right; people walk under it.
  void portico(Point a, Point b, double out, double height, int columns, double floor) {
    const Point forward = normalized(b - a), right = -perpendicular(forward);
    const double low = floor + height, high = low + 0.7;
    const Point c = a + right * out, d = b + right * out, off = right * 0.02;
    mesh_.prism({a + off, c, d, b + off}, low, high, m_.stone, m_.roofs[0]);
    mesh_.quad(above(a + off, low), above(b + off, low), above(d, low), above(c, low), m_.stone);
    for (int k = 0; k < columns; ++k) {
      const Point p = c + (d - c) * ((k + 0.15) / (columns - 0.7)) - right * 0.5;
      column(p, 0.35, groundAt(p), low);
    }
  }

  void station() {
    mesh_.object("train station");
    const int front = c_.j0 + 2;
    part({c_.i0 + 4, c_.i1 - 4, c_.j0, front}, 14, Roof::kGableEast, m_.walls[0], m_.glass_roof).bay = 3.4;
    part({c_.i0, c_.i0 + 4, c_.j0, front}, 8.5, Roof::kHip, m_.walls[3], m_.slate);
    part({c_.i1 - 4, c_.i1, c_.j0, front}, 8.5, Roof::kHip, m_.walls[3], m_.slate);
    const Point at = plan_.pointAt(c_.i0 + 3.0, c_.j0 + 1.0);
    tower(at, along(c_.i0 + 3.0, c_.j0 + 1.0), 3, groundAt(at) + 8, groundAt(at) + 27, 6, m_.copper);
    raiseAll();
    portico(plan_.pointAt(middle_ + 1.3, front), plan_.pointAt(middle_ - 1.3, front), 3, 4.5, 6, frontZ(front));
    place("train station", middle_, c_.j0 + 3.2, 9);
  }

  void hotel() {
    mesh_.object("hotel");
    const int front = c_.j0 + 2;
    part({c_.i0 + 2, c_.i1 - 2, c_.j0, front}, 22, Roof::kHip, m_.walls[1], m_.copper).bay = 2.9;
    part({c_.i0, c_.i0 + 2, c_.j0, c_.j0 + 3}, 16, Roof::kHip, m_.walls[5], m_.slate);
    part({c_.i1 - 2, c_.i1, c_.j0, c_.j0 + 3}, 16, Roof::kHip, m_.walls[5], m_.slate);
    raiseAll();
    portico(plan_.pointAt(middle_ + 0.8, front), plan_.pointAt(middle_ - 0.8, front), 3, 4, 4, frontZ(front));
    place("hotel", middle_, c_.j0 + 3.2, 9);
  }

  double frontZ(int row) const {
    double z = -1e9;
    for (int i = c_.i0; i <= c_.i1; ++i) z = std::max(z, town_.ground(i, row));
    return z;
  }

  void church() {
    mesh_.object("church");
    const int south = c_.j0 + 2;
    part({c_.i0 + 3, c_.i1 - 3, south, c_.j1}, 13, Roof::kGableEast, m_.stone, m_.slate).bay = 5;
    parts_.back().pitch = 1.2;
    part({c_.i1 - 3, c_.i1 - 2, south, c_.j1}, 9, Roof::kHip, m_.stone, m_.slate).bay = 5;
    part({c_.i0 + 2, c_.i0 + 3, south, south + 1}, 30, Roof::kHip, m_.stone, m_.copper).bay = 4;
    parts_.back().pitch = 4.2;
    raiseAll();
    place("church", middle_, c_.j0 + 0.95, 9);
  }

  void theatre() {
    mesh_.object("theatre");
    const int front = c_.j0 + 2;
    part({c_.i0, c_.i1, c_.j0, front}, 15, Roof::kFlat, m_.walls[2], m_.roofs[3]).bay = 3.6;
    raiseAll();
    // The stage's tower, and a portico with a gable.
    const Point stage = plan_.pointAt(middle_, c_.j0 + 0.8), way = along(middle_, c_.j0 + 0.8);
    const double roof = frontZ(front) + 15;
    mesh_.box(stage, way, 11, 7, roof - 1.5, roof + 7, m_.walls[2], m_.copper);
    const Point a = plan_.pointAt(middle_ + 1.4, front), b = plan_.pointAt(middle_ - 1.4, front);
    portico(a, b, 3.6, 8, 8, frontZ(front));
    const Point out = -perpendicular(normalized(b - a)) * 3.6;
    const double low = frontZ(front) + 8.7;
    const Point3 peak_out = above((a + b) / 2.0 + out, low + 3), peak = above((a + b) / 2.0, low + 3);
    mesh_.triangle(above(a + out, low), above(b + out, low), peak_out, m_.stone);
    mesh_.quad(above(a, low), above(a + out, low), peak_out, peak, m_.roofs[0]);
    mesh_.quad(above(b + out, low), above(b, low), peak, peak_out, m_.roofs[0]);
    place("theatre", middle_, c_.j0 + 3.3, 9);
  }

  void university() {
    mesh_.object("university");
    const int front = c_.j0 + 2;
    part({c_.i0 + 2, c_.i1 - 2, front, c_.j1}, 16, Roof::kHip, m_.walls[4], m_.slate).bay = 3.1;
    part({c_.i0, c_.i0 + 2, c_.j0 + 1, c_.j1}, 13, Roof::kHip, m_.walls[4], m_.slate).bay = 3.1;
    part({c_.i1 - 2, c_.i1, c_.j0 + 1, c_.j1}, 13, Roof::kHip, m_.walls[4], m_.slate).bay = 3.1;
    raiseAll();
    dome(plan_.pointAt(middle_, front + 1.0), 7.5, frontZ(front) + 16, frontZ(front) + 27);
    portico(plan_.pointAt(middle_ - 0.9, front), plan_.pointAt(middle_ + 0.9, front), 3, 7, 6, frontZ(front));
    place("university", middle_, c_.j0 + 0.75, 9);
  }

  void dome(Point p, double radius, double low, double spring) {
    constexpr int kCorners = 14;
    mesh_.prism(roundRing(p, radius, kCorners), low, spring, m_.stone, m_.stone);
    Ring ring = roundRing(p, radius + 0.3, kCorners);
    double z = spring;
    for (const double angle : {0.5, 1.0, 1.35}) {
      const Point up = unitAt(angle);
      const Ring next = roundRing(p, (radius + 0.3) * up.x, kCorners);
      const double next_z = spring + radius * up.y;
      for (std::size_t k = 0; k < kCorners; ++k) {
        const std::size_t l = (k + 1) % kCorners;
        mesh_.quad(above(ring[k], z), above(ring[l], z), above(next[l], next_z), above(next[k], next_z), m_.copper);
      }
      ring = next, z = next_z;
    }
    mesh_.cone(ring, z, z + 4, m_.copper);
  }

  void circus() {
    mesh_.object("circus");
    const Cells around{c_.i0 + 5, c_.i1 - 1, c_.j0, c_.j1};
    const Point p = middleOfCells(around);
    constexpr int kCorners = 24;
    constexpr double kRadius = 15;
    const Ring wall = roundRing(p, kRadius, kCorners), rim = roundRing(p, kRadius + 0.8, kCorners),
               ring = roundRing(p, 7, kCorners);
    const auto foot = hole(around, wall, m_.plaza);
    const double z = highest(foot);
    mesh_.object("circus");
    for (std::size_t k = 0; k < kCorners; ++k) {
      const std::size_t l = (k + 1) % kCorners;
      const auto cloth = k % 2 == 0 ? m_.tent_red : m_.tent_white;
      wallAlong(foot, k, z + 4.6, k % 2 == 0 ? m_.tent_white : m_.tent_red);
      mesh_.quad(above(rim[k], z + 4.2), above(rim[l], z + 4.2), above(ring[l], z + 10), above(ring[k], z + 10), cloth);
      mesh_.triangle(above(ring[k], z + 10), above(ring[l], z + 10), above(p, z + 15), cloth);
    }
    mesh_.box(p, {1, 0}, 0.15, 0.15, z + 14.5, z + 18, m_.lamp, m_.lamp);
    town_.taken.push_back({p, kRadius + 2});
    place("circus", c_.i0 + 2.6, c_.j0 + 2.0, 11);
    // Wagons.
    for (int k = 0; k < 4; ++k) {
      const double u = c_.i0 + 0.7 + 1.1 * k, v = k % 2 == 0 ? c_.j1 - 0.35 : c_.j0 + 0.35;
      const Point at = plan_.pointAt(u, v);
      if (!town_.free(at, 3)) continue;
      mesh_.box(at, along(u, v), 2.6, 1.1, groundAt(at) - 0.2, groundAt(at) + 2.9,
                m_.awnings[static_cast<std::size_t>(k) % m_.awnings.size()], m_.tent_white);
      town_.taken.push_back({at, 3});
    }
  }

  void market() {
    mesh_.object("town hall");
    const int hall = c_.j1 - 2;
    part({c_.i0 + 3, c_.i1 - 3, hall, c_.j1}, 16, Roof::kHip, m_.walls[6], m_.roofs[1]).bay = 3;
    const Point at = plan_.pointAt(middle_, hall + 1.0);
    tower(at, along(middle_, hall + 1.0), 3.2, frontZ(hall) + 16, frontZ(hall) + 36, 11, m_.copper);
    raiseAll();
    portico(plan_.pointAt(middle_ - 1.2, hall), plan_.pointAt(middle_ + 1.2, hall), 3, 5, 6, frontZ(hall));
    // Houses at both ends, with arcades before them.
    for (const int i : {c_.i0, c_.i1 - 1}) {
      const bool west = i == c_.i0;
      for (int j = c_.j0; j < c_.j1; ++j) {
        fill({i, i + 1, j, j + 1}, Cell::kBuilt);
        town_.lots.push_back({{i, i + 1, j, j + 1}, false});
      }
      const int front = west ? i + 1 : i;
      for (int j = c_.j0; j < hall; ++j) {
        const Point a = plan_.node(front, west ? j : j + 1), b = plan_.node(front, west ? j + 1 : j);
        portico(a, b, 4, 3.8, 4, std::max(town_.ground(front, j), town_.ground(front, j + 1)));
      }
    }
    mesh_.object("market square");
    for (const double side : {-1.0, 1.0}) fountain(plan_.pointAt(middle_ + side * 2.6, c_.j0 + 1.0));
    place("market square", middle_, c_.j0 + 0.85, 10);
    for (int k = 0; k < 6; ++k)
      stall(middle_ + (k < 3 ? -3.3 : 3.3) + (k % 3 - 1) * 0.1, c_.j0 + 0.3 + 0.7 * (k % 3),
            static_cast<std::size_t>(k));
  }

  void stall(double u, double v, std::size_t colour) {
    const Point p = plan_.pointAt(u, v);
    if (!town_.free(p, 2.2)) return;
    const double z = groundAt(p);
    const Point way = along(u, v);
    mesh_.box(p, way, 1.4, 0.8, z - 0.2, z + 0.9, m_.wood, m_.wood);
    const Point a = way * 1.7, b = perpendicular(way) * 1.2;
    mesh_.cone({p - a - b, p + a - b, p + a + b, p - a + b}, z + 2.4, z + 3.2, m_.awnings[colour % m_.awnings.size()]);
    town_.taken.push_back({p, 2});
  }

  void fountain(Point p) {
    const double z = groundAt(p);
    constexpr int kCorners = 10;
    const Ring rim = roundRing(p, 2.6, kCorners), inner = roundRing(p, 2.2, kCorners);
    for (std::size_t k = 0; k < kCorners; ++k) {
      const std::size_t l = (k + 1) % kCorners;
      mesh_.wall(rim[k], rim[l], z - 0.3, z + 0.6, m_.stone);
      mesh_.quad(above(rim[k], z + 0.6), above(rim[l], z + 0.6), above(inner[l], z + 0.6), above(inner[k], z + 0.6),
                 m_.stone);
      mesh_.wall(inner[l], inner[k], z + 0.4, z + 0.6, m_.stone);
    }
    mesh_.fan(inner, z + 0.4, m_.water);
    mesh_.box(p, {1, 0}, 0.35, 0.35, z + 0.4, z + 2.1, m_.stone, m_.stone);
    mesh_.cone(roundRing(p, 0.5, 5), z + 2.1, z + 3.6, m_.bronze);
    town_.taken.push_back({p, 3.2});
  }

  void park() {
    mesh_.object("park");
    const int across = c_.i0 + 5, up = c_.j0 + 4;
    fill({across, across + 1, c_.j0, c_.j1}, Cell::kPath);
    fill({c_.i0, c_.i1, up, up + 1}, Cell::kPath);
    // A walk around the lawns.
    fill({c_.i0 + 1, c_.i1 - 1, c_.j0 + 1, c_.j0 + 2}, Cell::kPath);
    fill({c_.i0 + 1, c_.i1 - 1, c_.j1 - 2, c_.j1 - 1}, Cell::kPath);
    fill({c_.i0 + 1, c_.i0 + 2, c_.j0 + 1, c_.j1 - 1}, Cell::kPath);
    fill({c_.i1 - 2, c_.i1 - 1, c_.j0 + 1, c_.j1 - 1}, Cell::kPath);
    pavilion({c_.i0 + 2, across, up + 1, up + 3});
    pond({across + 1, c_.i1 - 2, up + 1, up + 3});
    mesh_.object("park");
    place("park pavilion", across + 0.3, up + 0.3, 10);
    flowerBeds(up);
  }

  Point middleOfCells(const Cells& c) const {
    return toMillimetres(plan_.pointAt((c.i0 + c.i1) / 2.0, (c.j0 + c.j1) / 2.0));
  }

  /// The ground of cells, with a hole in it; gives its rim.
  std::vector<Point3> hole(const Cells& cells, const Ring& ring, std::uint32_t material) {
    std::vector<Point3> rim;
    for (const Point p : ring) rim.push_back(above(toMillimetres(p), groundAt(p)));
    fill(cells, Cell::kRound);
    mesh_.object("ground");
    groundAround(town_, cells, rim, material);
    return rim;
  }

  /// A wall from a rim down or up to a level.
  void wallAlong(const std::vector<Point3>& rim, std::size_t k, double level, std::uint32_t material) {
    const Point3 a = rim[k], b = rim[(k + 1) % rim.size()];
    mesh_.quad(a, b, above(inPlan(b), level), above(inPlan(a), level), material);
  }

  static double highest(const std::vector<Point3>& rim) {
    return std::max_element(rim.begin(), rim.end(), [](const Point3& a, const Point3& b) { return a.z < b.z; })->z;
  }
  static double lowest(const std::vector<Point3>& rim) {
    return std::min_element(rim.begin(), rim.end(), [](const Point3& a, const Point3& b) { return a.z < b.z; })->z;
  }

  void pond(const Cells& cells) {
    Ring bank;
    for (const Point q : roundRing({0, 0}, 0.37, 18)) {
      bank.push_back(plan_.pointAt((cells.i0 + cells.i1) / 2.0 + q.x * (cells.i1 - cells.i0),
                                   (cells.j0 + cells.j1) / 2.0 + q.y * (cells.j1 - cells.j0)));
    }
    const auto rim = hole(cells, bank, m_.lawn);
    const double z = lowest(rim) - 0.5;
    mesh_.object("pond");
    for (std::size_t k = 0; k < rim.size(); ++k) wallAlong(rim, k, z, m_.quay);
    mesh_.fan(bank, z, m_.water);
    town_.taken.push_back({middleOfCells(cells), 10.5});
  }

  /// A floor one step above the lawn, columns and a roof.
  void pavilion(const Cells& cells) {
    const Point p = middleOfCells(cells);
    const Ring floor = roundRing(p, 4.2, 8);
    const auto rim = hole(cells, floor, m_.lawn);
    const double z = highest(rim);
    mesh_.object("park pavilion");
    for (std::size_t k = 0; k < rim.size(); ++k) wallAlong(rim, k, z + 0.15, m_.stone);
    mesh_.fan(floor, z + 0.15, m_.plaza);
    for (const Point q : roundRing(p, 3.6, 8)) column(q, 0.15, z + 0.3, z + 3.6);
    mesh_.cone(roundRing(p, 5, 8), z + 3.6, z + 6.4, m_.copper);
    town_.taken.push_back({p, 5.5});
  }

  void flowerBeds(int up) {
    for (int k = 0; k < 6; ++k) {
      const double u = c_.i0 + 1.5 + 1.6 * k, v = up - 1.2;
      const Point p = plan_.pointAt(u, v);
      if (!town_.free(p, 2.5)) continue;
      mesh_.prism(roundRing(p, 1.8, 7), groundAt(p) - 0.2, groundAt(p) + 0.5, m_.quay, m_.flowers);
      town_.taken.push_back({p, 2.2});
    }
  }

  Town& town_;
  Plan& plan_;
  MeshBuilder& mesh_;
  const Materials& m_;
  Cells c_;            ///< of the landmark at hand
  double middle_ = 0;  ///< of these, west to east
  std::vector<Building> parts_;
};

}  // namespace

void landmarks(Town& town) { Landmarks(town).build(); }

}  // namespace throng::places::town
