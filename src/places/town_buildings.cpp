// The houses of "town": rows around courtyards, and a ring of houses that closes the town.
#include <algorithm>
#include <cmath>

#include "places/town.h"

namespace throng::places::town {
namespace {

using base::Random;

constexpr double kGroundFloor = 4, kStorey = 3;             // m
constexpr double kDoorHalf = 0.7, kDoorHeight = 2.4;        // m
constexpr double kWindowHalf = 0.58, kWindowHeight = 1.65;  // m
constexpr double kOffWall = 0.05;                           // m that windows stand off their wall
constexpr double kGateway = 3.6;                            // m of free height
// Nothing sticks out of a wall below this, so that streets have straight sides where people walk.
constexpr double kOverHeads = 2;  // m

/// A side of a building, over one edge of the lattice, seen from outside: from left (a) to right (b).
struct Side {
  Point a, b;
  Edge edge;
  bool reversed;  ///< b is the edge's first node
  int out_i, out_j;
};

std::vector<Side> outline(const Plan& plan, const Cells& c) {
  std::vector<Side> sides;
  const auto add = [&](const Edge& e, bool reversed, int out_i, int out_j) {
    const Point first = plan.onEdge(e, 0), second = plan.onEdge(e, 1);
    sides.push_back({reversed ? second : first, reversed ? first : second, e, reversed, out_i, out_j});
  };
  for (int i = c.i0; i < c.i1; ++i) add({i, c.j0, true}, false, i, c.j0 - 1);
  for (int j = c.j0; j < c.j1; ++j) add({c.i1, j, false}, false, c.i1, j);
  for (int i = c.i1; i-- > c.i0;) add({i, c.j1, true}, true, i, c.j1);
  for (int j = c.j1; j-- > c.j0;) add({c.i0, j, false}, true, c.i0 - 1, j);
  return sides;
}

class Builder {
 public:
  Builder(Town& town, const Building& house, const std::vector<double>& eaves)
      : town_(town), plan_(town.plan), mesh_(town.mesh), house_(house), eaves_(eaves) {}

  void build() {
    for (const auto& side : outline(plan_, house_.cells)) wallOf(side);
    if (house_.gateway) vault();
    switch (house_.roof) {
      case Building::Roof::kGableEast:
        gable(true);
        break;
      case Building::Roof::kGableNorth:
        gable(false);
        break;
      case Building::Roof::kHip:
        hip();
        break;
      case Building::Roof::kFlat:
        flat();
        break;
    }
  }

 private:
  double neighbourEaves(int i, int j) const {
    return eaves_.empty() ? 0 : eaves_[static_cast<std::size_t>(j * plan_.columns() + i)];
  }

  void wallOf(const Side& side) {
    if (!plan_.inside(side.out_i, side.out_j)) {
      mesh_.wall(side.a, side.b, house_.base, house_.eaves, house_.wall);
      return;
    }
    const Cell beside = plan_.cell(side.out_i, side.out_j);
    if (beside == Cell::kBuilt) {
      const double theirs = std::max(neighbourEaves(side.out_i, side.out_j), house_.base);
      if (theirs < house_.eaves) mesh_.wall(side.a, side.b, theirs, house_.eaves, house_.wall);
      return;
    }
    if (house_.gateway) {
      mesh_.wall(side.a, side.b, house_.street + kGateway, house_.eaves, house_.wall);
      windows(side, -1, house_.bay);
    } else if (beside == Cell::kCourt || beside == Cell::kWater) {
      mesh_.wall(side.a, side.b, house_.base, house_.eaves, house_.wall);
      if (beside == Cell::kCourt) windows(side, -1, 2.5 * house_.bay);
    } else {
      front(side);
    }
  }

  void front(const Side& side) {
    const double span = length(side.b - side.a), floor = house_.street + kGroundFloor;
    const double counter = house_.shop ? house_.street + 2.9 : floor;
    const auto lower = house_.shop ? town_.material.shop : house_.plinth;
    double door = -1;  // share of the way from a to b
    if (house_.doors && !has_door_ && span > 4) {
      has_door_ = true;
      door = house_.shop ? 0.25 : 0.5;
      const double half = kDoorHalf / span, from = side.reversed ? 1 - door - half : door - half;
      const double posts[] = {from, from + 2 * half};
      town_.plan.doorposts[side.edge] = {posts[0], posts[1]};
      Point p = plan_.onEdge(side.edge, posts[0]), q = plan_.onEdge(side.edge, posts[1]);
      if (side.reversed) std::swap(p, q);
      mesh_.wall(side.a, p, house_.base, counter, lower);
      mesh_.wall(p, q, house_.base, house_.street + kDoorHeight, town_.material.door);
      mesh_.wall(p, q, house_.street + kDoorHeight, counter, lower);
      mesh_.wall(q, side.b, house_.base, counter, lower);
    } else {
      mesh_.wall(side.a, side.b, house_.base, counter, lower);
    }
    if (house_.shop) {
      mesh_.wall(side.a, side.b, counter, floor, house_.plinth);
      awning(side);
    }
    mesh_.wall(side.a, side.b, floor, house_.eaves, house_.wall);
    windows(side, door, house_.bay);
  }

  void awning(const Side& side) {
    const Point along = normalized(side.b - side.a), out = -perpendicular(along);
    const double high = house_.street + 3.4, low = house_.street + 2.6;
    const Point a = side.a + along * 0.5, b = side.b - along * 0.5;
    mesh_.quad(above(a + out * 1.3, low), above(b + out * 1.3, low), above(b + out * 0.02, high),
               above(a + out * 0.02, high), house_.awning);
  }

  void windows(const Side& side, double door, double bay) {
    const double span = length(side.b - side.a);
    const int bays = static_cast<int>((span - 0.6) / bay);
    const Point along = normalized(side.b - side.a), out = -perpendicular(along) * kOffWall;
    const auto pane = [&](Point middle, double low, double high) {
      mesh_.wall(middle - along * kWindowHalf + out, middle + along * kWindowHalf + out, low, high,
                 town_.material.window);
    };
    for (int k = 0; k < bays; ++k) {
      const double share = (k + 0.5) / bays;
      const Point middle = side.a + (side.b - side.a) * share;
      if (!house_.shop && !house_.gateway && std::abs(share - door) * span > 1.5) {
        pane(middle, house_.street + kOverHeads, house_.street + 3.3);
      }
      for (int storey = 1; storey < house_.storeys; ++storey) {
        const double sill = house_.street + kGroundFloor + kStorey * (storey - 1) + 0.8;
        pane(middle, sill, sill + kWindowHeight);
      }
    }
  }

  /// Ceiling of a gateway.
  void vault() {
    const Cells& c = house_.cells;
    const double z = house_.street + kGateway;
    mesh_.quad(above(plan_.node(c.i0, c.j1), z), above(plan_.node(c.i1, c.j1), z), above(plan_.node(c.i1, c.j0), z),
               above(plan_.node(c.i0, c.j0), z), house_.plinth);
  }

  std::vector<Point3> chain(int i0, int j0, int i1, int j1, double z) const {
    std::vector<Point3> points;
    for (int i = i0, j = j0;; i += (i < i1) - (i > i1), j += (j < j1) - (j > j1)) {
      points.push_back(above(plan_.node(i, j), z));
      if (i == i1 && j == j1) return points;
    }
  }

  double depth(bool ridge_east) const {
    const Cells& c = house_.cells;
    const auto span = [&](int i, int j, int k, int l) { return length(plan_.node(i, j) - plan_.node(k, l)); };
    return ridge_east ? (span(c.i0, c.j0, c.i0, c.j1) + span(c.i1, c.j0, c.i1, c.j1)) / 2
                      : (span(c.i0, c.j0, c.i1, c.j0) + span(c.i0, c.j1, c.i1, c.j1)) / 2;
  }

  void gable(bool ridge_east) {
    const Cells& c = house_.cells;
    const double eaves = house_.eaves, top = eaves + house_.pitch * depth(ridge_east) / 2;
    auto right = ridge_east ? chain(c.i0, c.j0, c.i1, c.j0, eaves) : chain(c.i1, c.j0, c.i1, c.j1, eaves);
    auto left = ridge_east ? chain(c.i0, c.j1, c.i1, c.j1, eaves) : chain(c.i0, c.j0, c.i0, c.j1, eaves);
    std::vector<Point3> ridge;
    for (std::size_t k = 0; k < left.size(); ++k) {
      ridge.push_back(above((inPlan(left[k]) + inPlan(right[k])) / 2.0, top));
    }
    mesh_.strip(ridge, right, house_.roofing);
    mesh_.strip(left, ridge, house_.roofing);
    mesh_.triangle(left.front(), right.front(), ridge.front(), house_.wall);
    mesh_.triangle(right.back(), left.back(), ridge.back(), house_.wall);
    if (house_.chimney) chimney(inPlan(ridge.front()) * 0.75 + inPlan(ridge.back()) * 0.25, top);
  }

  void hip() {
    const Cells& c = house_.cells;
    const double eaves = house_.eaves, wide = depth(false), deep = depth(true);
    const bool east = wide > deep;
    const double top = eaves + house_.pitch * std::min(wide, deep) / 2;
    // The ridge keeps off the narrow sides by half the depth.
    const double off = std::min(0.5, std::min(wide, deep) / 2 / std::max(wide, deep));
    const Point sw = plan_.node(c.i0, c.j0), se = plan_.node(c.i1, c.j0), ne = plan_.node(c.i1, c.j1),
                nw = plan_.node(c.i0, c.j1);
    const Point first = east ? (sw + nw) / 2.0 : (sw + se) / 2.0, last = east ? (se + ne) / 2.0 : (nw + ne) / 2.0;
    const Point3 p = above(first + (last - first) * off, top), q = above(last + (first - last) * off, top);
    const auto south = chain(c.i0, c.j0, c.i1, c.j0, eaves), north = chain(c.i0, c.j1, c.i1, c.j1, eaves);
    const auto west = chain(c.i0, c.j0, c.i0, c.j1, eaves), right = chain(c.i1, c.j0, c.i1, c.j1, eaves);
    mesh_.strip(east ? std::vector<Point3>{p, q} : std::vector<Point3>{p}, south, house_.roofing);
    mesh_.strip(north, east ? std::vector<Point3>{p, q} : std::vector<Point3>{q}, house_.roofing);
    mesh_.strip(west, east ? std::vector<Point3>{p} : std::vector<Point3>{p, q}, house_.roofing);
    mesh_.strip(east ? std::vector<Point3>{q} : std::vector<Point3>{p, q}, right, house_.roofing);
    if (house_.chimney) chimney((first * 0.6 + last * 0.4), top);
  }

  void flat() {
    const Cells& c = house_.cells;
    for (int j = c.j0; j < c.j1; ++j) {
      for (int i = c.i0; i < c.i1; ++i) {
        mesh_.quad(above(plan_.node(i, j), house_.eaves), above(plan_.node(i + 1, j), house_.eaves),
                   above(plan_.node(i + 1, j + 1), house_.eaves), above(plan_.node(i, j + 1), house_.eaves),
                   house_.roofing);
      }
    }
    if (house_.chimney) {
      const Point middle = (plan_.node(c.i0, c.j0) + plan_.node(c.i1, c.j1)) / 2.0;
      mesh_.box(middle, normalized(plan_.node(c.i1, c.j0) - plan_.node(c.i0, c.j0)), 1.8, 1.3, house_.eaves,
                house_.eaves + 2.2, house_.wall, house_.roofing);
    }
  }

  void chimney(Point p, double ridge) {
    mesh_.box(p, {1, 0}, 0.45, 0.35, ridge - 1.6, ridge + 1.1, house_.plinth, town_.material.slate);
  }

  Town& town_;
  const Plan& plan_;
  MeshBuilder& mesh_;
  const Building& house_;
  const std::vector<double>& eaves_;
  bool has_door_ = false;
};

/// Lots of the town, and a house for each.
class Housing {
 public:
  explicit Housing(Town& town) : town_(town), plan_(town.plan), random_(town.plan.seed, 0x70b), eaves_(cellCount()) {}

  void build() {
    for (const auto& block : plan_.blocks) {
      if (block.use == Use::kHouses) around(block.cells);
    }
    for (const auto& lot : town_.lots) house(lot.cells, lot.ridge_east, false);
    border();
    for (const auto& b : houses_) {
      town_.mesh.object(b.shop ? "shops" : "houses");
      Builder(town_, b, eaves_).build();
    }
  }

 private:
  std::size_t cellCount() const { return static_cast<std::size_t>(plan_.columns() * plan_.rows()); }

  void around(const Cells& c) {
    for (int j = c.j0 + 1; j < c.j1 - 1; ++j) {
      for (int i = c.i0 + 1; i < c.i1 - 1; ++i) plan_.cell(i, j) = Cell::kCourt;
    }
    // A way through the block, under the houses.
    const int gate = random_.below(5) < 2
                         ? c.i0 + 2 + static_cast<int>(random_.below(static_cast<std::uint64_t>(c.i1 - c.i0 - 4)))
                         : -1;
    quarter_ = static_cast<int>(random_.below(3));
    for (const int j : {c.j0, c.j1 - 1}) {
      for (int i = c.i0; i < c.i1;) {
        const bool corner = i == c.i0 || i == c.i1 - 1,
                   pair = !corner && i + 2 < c.i1 && i != gate && i + 1 != gate && random_.below(4) == 0;
        house({i, i + (pair ? 2 : 1), j, j + 1}, true, corner, i == gate);
        i += pair ? 2 : 1;
      }
    }
    for (const int i : {c.i0, c.i1 - 1}) {
      for (int j = c.j0 + 1; j < c.j1 - 1; ++j) house({i, i + 1, j, j + 1}, false, false);
    }
    if (gate >= 0) plan_.cell(gate, c.j0) = plan_.cell(gate, c.j1 - 1) = Cell::kCourt;
  }

  /// Rows of houses that close the town; one over every street that ends there.
  void border() {
    const auto lots = [](const std::vector<Strip>& strips) {
      std::vector<std::pair<int, int>> cut;
      for (const auto& s : strips) {
        for (int k = s.first; k < s.last; k = s.lots ? k + 1 : s.last) cut.emplace_back(k, s.lots ? k + 1 : s.last);
      }
      return cut;
    };
    const int right = plan_.columns(), top = plan_.rows();
    for (const auto& [first, last] : lots(plan_.column_strips)) {
      const bool corner = first == 0 || last == right;
      for (const int j : {0, top - 1}) house({first, last, j, j + 1}, true, corner);
    }
    for (const auto& [first, last] : lots(plan_.row_strips)) {
      if (first == 0 || last == top) continue;
      for (const int i : {0, right - 1}) house({i, i + 1, first, last}, false, false);
    }
  }

  void house(const Cells& c, bool ridge_east, bool corner, bool gateway = false) {
    Building b;
    b.cells = c;
    b.base = 1e9, b.street = -1e9;
    for (int j = c.j0; j <= c.j1; ++j) {
      for (int i = c.i0; i <= c.i1; ++i) {
        const bool canal = (i == 0 || i == plan_.columns()) && j >= plan_.towpath_row && j <= plan_.water_rows.j1;
        b.base = std::min(b.base, (canal ? kWaterZ : plan_.z(i, j)) - 0.5);
        b.street = std::max(b.street, plan_.z(i, j) + kKerb);
      }
    }
    const Materials& m = town_.material;
    const auto pick = [&](const std::vector<std::uint32_t>& from) { return from[random_.below(from.size())]; };
    b.storeys = 2 + quarter_ + static_cast<int>(random_.below(3));
    b.eaves = b.street + kGroundFloor + kStorey * (b.storeys - 1) + 0.4 + 0.2 * static_cast<double>(random_.below(3));
    b.wall = pick(m.walls), b.plinth = pick(m.plinths), b.roofing = pick(m.roofs), b.awning = pick(m.awnings);
    b.pitch = random_.uniform(0.7, 1.05);
    b.chimney = random_.below(2) == 0;
    b.bay = random_.uniform(2.9, 3.8);
    b.shop = !gateway && random_.below(5) == 0;
    b.gateway = gateway;
    b.roof = ridge_east ? Building::Roof::kGableEast : Building::Roof::kGableNorth;
    if (corner) b.roof = Building::Roof::kHip;
    if (random_.below(9) == 0) b.roof = Building::Roof::kFlat, b.roofing = m.slate;
    for (int j = c.j0; j < c.j1; ++j) {
      for (int i = c.i0; i < c.i1; ++i) eaves_[static_cast<std::size_t>(j * plan_.columns() + i)] = b.eaves;
    }
    houses_.push_back(b);
  }

  Town& town_;
  Plan& plan_;
  Random random_;
  std::vector<double> eaves_;  ///< of every cell, 0 where nothing is built
  std::vector<Building> houses_;
  int quarter_ = 1;  ///< how high the houses of a block are: 0 to 2
};

}  // namespace

void houses(Town& town) { Housing(town).build(); }

void building(Town& town, const Building& house) {
  static const std::vector<double> none;
  Builder(town, house, none).build();
}

}  // namespace throng::places::town
