// The ground of "town": streets, kerbs, quays and quay walls, stairs, bridges.
#include <algorithm>
#include <cmath>

#include "places/town.h"

namespace throng::places::town {
namespace {

constexpr double kDeck = 0.4, kParapet = 1.0, kParapetWidth = 0.4;  // m

bool hasGround(Cell cell) { return cell != Cell::kBuilt; }

std::uint32_t groundMaterial(const Materials& material, Cell cell) {
  switch (cell) {
    case Cell::kRoad:
      return material.asphalt;
    case Cell::kLane:
      return material.cobbles;
    case Cell::kPlaza:
      return material.plaza;
    case Cell::kLawn:
      return material.lawn;
    case Cell::kPath:
      return material.gravel;
    case Cell::kCourt:
      return material.court;
    case Cell::kWater:
      return material.water;
    case Cell::kTowpath:
    case Cell::kTowRamp:
      return material.quay;
    default:
      return material.pavement;
  }
}

class Ground {
 public:
  explicit Ground(Town& town) : town_(town), plan_(town.plan), mesh_(town.mesh), material_(town.material) {}

  void build() {
    mesh_.object("ground");
    for (int j = 0; j < plan_.rows(); ++j) {
      for (int i = 0; i < plan_.columns(); ++i) surface(i, j);
    }
    mesh_.object("kerbs and quay walls");
    for (int j = 0; j < plan_.rows(); ++j) {
      for (int i = 0; i < plan_.columns(); ++i) {
        if (i + 1 < plan_.columns()) between(i, j, i + 1, j, {i + 1, j, false});
        if (j + 1 < plan_.rows()) between(i, j, i, j + 1, {i, j + 1, true});
      }
    }
    mesh_.object("stairs");
    for (const auto& cells : plan_.stairs) stairs(cells);
    towSteps();
    mesh_.object("bridges");
    for (const auto& strip : plan_.bridges) bridge(strip);
  }

 private:
  Point3 corner(int i, int j, int ni, int nj) const { return above(plan_.node(ni, nj), plan_.cornerZ(i, j, ni, nj)); }

  /// Appends one side of a cell with the doorposts on it, from one node up to the next.
  void side(int i, int j, const Edge& edge, bool forwards, std::vector<Point3>& into) const {
    const Point3 a = corner(i, j, edge.i, edge.j);
    const Point3 b = corner(i, j, edge.i + (edge.east ? 1 : 0), edge.j + (edge.east ? 0 : 1));
    std::vector<Point3> side = {a};
    if (const auto found = plan_.doorposts.find(edge); found != plan_.doorposts.end()) {
      for (const double share : found->second)
        side.push_back(above(plan_.onEdge(edge, share), a.z + (b.z - a.z) * share));
    }
    if (forwards) {
      into.insert(into.end(), side.begin(), side.end());
    } else {
      into.push_back(b);
      into.insert(into.end(), side.rbegin(), side.rend() - 1);
    }
  }

  void surface(int i, int j) {
    const Cell cell = plan_.cell(i, j);
    if (!hasGround(cell) || cell == Cell::kSteps || cell == Cell::kTowSteps || cell == Cell::kRound) return;
    std::vector<Point3> ring;
    side(i, j, {i, j, true}, true, ring);
    side(i, j, {i + 1, j, false}, true, ring);
    side(i, j, {i, j + 1, true}, false, ring);
    side(i, j, {i, j, false}, false, ring);
    const auto material = plan_.zebra(i, j) ? material_.zebra : groundMaterial(material_, cell);
    if (ring.size() == 4) {
      // The diagonal that bends less, so that slopes look smooth.
      if (std::abs(ring[0].z - ring[2].z) <= std::abs(ring[1].z - ring[3].z)) {
        mesh_.quad(ring[0], ring[1], ring[2], ring[3], material);
      } else {
        mesh_.quad(ring[1], ring[2], ring[3], ring[0], material);
      }
      return;
    }
    Point3 middle;
    for (int k = 0; k < 4; ++k) {
      const Point3 c = corner(i, j, i + (k & 1), j + (k >> 1));
      middle = {middle.x + c.x / 4, middle.y + c.y / 4, middle.z + c.z / 4};
    }
    for (std::size_t k = 0; k < ring.size(); ++k)
      mesh_.triangle(middle, ring[k], ring[(k + 1) % ring.size()], material);
  }

  /// A wall where the ground of two cells that meet is not equally high.
  void between(int i, int j, int other_i, int other_j, const Edge& edge) {
    const Cell first = plan_.cell(i, j), second = plan_.cell(other_i, other_j);
    if (!hasGround(first) || !hasGround(second)) return;
    const int ni = edge.i + (edge.east ? 1 : 0), nj = edge.j + (edge.east ? 0 : 1);
    // Flights end where the ground begins; their sides are walls.
    const auto at_end = [&](Cell a, Cell b) {
      return (a == Cell::kSteps && edge.east) || (a == Cell::kTowSteps && !edge.east) || (a == Cell::kSteps && b == a);
    };
    if (at_end(first, second) || at_end(second, first)) return;
    const Point3 a = corner(i, j, edge.i, edge.j), b = corner(i, j, ni, nj);
    const Point3 c = corner(other_i, other_j, edge.i, edge.j), d = corner(other_i, other_j, ni, nj);
    if (a.z == c.z && b.z == d.z) return;
    const bool deep = std::max(std::abs(a.z - c.z), std::abs(b.z - d.z)) > 0.2;
    const auto material = deep ? material_.quay : material_.kerb;
    // Towards the lower of the two.
    if ((a.z + b.z > c.z + d.z) == edge.east) {
      mesh_.quad(b, a, c, d, material);
    } else {
      mesh_.quad(a, b, d, c, material);
    }
  }

  void stairs(const Cells& cells) {
    std::vector<Point3> bottom, top;
    for (int i = cells.i0; i <= cells.i1; ++i) {
      bottom.push_back(above(plan_.node(i, cells.j0), town_.ground(i, cells.j0)));
      top.push_back(above(plan_.node(i, cells.j1), town_.ground(i, cells.j1)));
    }
    flight(mesh_, bottom, top, material_.steps);
  }

  void towSteps() {
    const int i = plan_.tow_first, j = plan_.towpath_row;
    const std::vector<Point3> bottom = {above(plan_.node(i + 1, j), kTowpathZ),
                                        above(plan_.node(i + 1, j + 1), kTowpathZ)};
    const std::vector<Point3> top = {above(plan_.node(i, j), town_.ground(i, j)),
                                     above(plan_.node(i, j + 1), town_.ground(i, j + 1))};
    flight(mesh_, bottom, top, material_.steps);
    // The side towards the water, as a wall with a sloping top a little above the steps.
    const Point3 low = bottom[1], high = top[1];
    mesh_.quad({low.x, low.y, kWaterZ}, {low.x, low.y, kTowpathZ + 0.5}, {high.x, high.y, high.z + 0.5},
               {high.x, high.y, kWaterZ}, material_.quay);
  }

  void bridge(const Strip& strip) {
    const int south = plan_.bridgeSouth(strip.first), north = plan_.water_rows.j1;
    const auto top = [&](int i, int j) { return above(plan_.node(i, j), plan_.deckZ(i, j, south)); };
    const auto under = [&](int i, int j) {
      // An arch over the water: low at its ends; over the towpath as thin as the deck allows.
      const double rise = j == plan_.water_rows.j0 + 1 || j == plan_.water_rows.j1 - 1 ? 0.0 : 0.9;
      const bool over_path = j < plan_.water_rows.j0 || (j == plan_.water_rows.j0 && south < j);
      return above(plan_.node(i, j), plan_.deckZ(i, j, south) - kDeck - (over_path ? 0 : rise));
    };
    for (int j = south; j < north; ++j) {
      for (int i = strip.first; i < strip.last; ++i) {
        mesh_.quad(top(i, j), top(i + 1, j), top(i + 1, j + 1), top(i, j + 1), material_.deck);
        mesh_.quad(under(i, j + 1), under(i + 1, j + 1), under(i + 1, j), under(i, j), material_.parapet);
      }
      for (const int i : {strip.first, strip.last}) {
        mesh_.quad(under(i, j), top(i, j), top(i, j + 1), under(i, j + 1), material_.parapet);
        parapet(top(i, j), top(i, j + 1), i == strip.first ? 1 : -1);
      }
    }
    if (south < plan_.water_rows.j0) pier(strip);
  }

  /// On the edge of the deck; `inwards` says on which side of it the deck is: 1 to the right of the way north.
  void parapet(Point3 a, Point3 b, int inwards) {
    const Point in = perpendicular(normalized(inPlan(b) - inPlan(a))) * (-kParapetWidth * inwards);
    const auto lifted = [](Point3 p, double z) { return Point3{p.x, p.y, p.z + z}; };
    const Point3 c = above(inPlan(a) + in, a.z), d = above(inPlan(b) + in, b.z);
    mesh_.quad(a, b, lifted(b, kParapet), lifted(a, kParapet), material_.parapet);
    mesh_.quad(c, d, lifted(d, kParapet), lifted(c, kParapet), material_.parapet);
    mesh_.quad(lifted(a, kParapet), lifted(b, kParapet), lifted(d, kParapet), lifted(c, kParapet), material_.stone);
    mesh_.quad(a, c, lifted(c, kParapet), lifted(a, kParapet), material_.parapet);
    mesh_.quad(b, d, lifted(d, kParapet), lifted(b, kParapet), material_.parapet);
  }

  /// Between the towpath and the water, in the water.
  void pier(const Strip& strip) {
    const int j = plan_.water_rows.j0;
    for (int i = strip.first; i < strip.last; ++i) {
      const Point a = plan_.node(i, j), b = plan_.node(i + 1, j), off = perpendicular(normalized(b - a));
      const Ring ring = {a + off * 0.3, b + off * 0.3, b + off * 1.1, a + off * 1.1};
      for (std::size_t k = 0; k < 4; k += 2) mesh_.wall(ring[k], ring[k + 1], kWaterZ, -0.3, material_.quay);
    }
  }

  Town& town_;
  const Plan& plan_;
  MeshBuilder& mesh_;
  const Materials& material_;
};

}  // namespace

void flight(MeshBuilder& mesh, const std::vector<Point3>& bottom, const std::vector<Point3>& top,
            std::uint32_t material) {
  const double low = bottom.front().z, high = top.front().z;
  const int steps = static_cast<int>(std::ceil((high - low) / kRiser - 1e-6));
  const Point low_left = inPlan(bottom.front()), low_right = inPlan(bottom.back());
  const Point up_left = inPlan(top.front()) - low_left, up_right = inPlan(top.back()) - low_right;
  const double run = (steps - 1) * kTread, way = (length(up_left) + length(up_right)) / 2;
  const auto line = [&](int k, double z) {  // the edge of step k
    const double t = ((way - run) / 2 + k * kTread) / way;
    return std::vector<Point3>{above(low_left + up_left * t, z), above(low_right + up_right * t, z)};
  };
  const auto height = [&](int k) { return low + (high - low) * k / steps; };
  mesh.strip(line(0, low), bottom, material);
  for (int k = 0; k < steps; ++k) {
    const auto edge = line(k, height(k)), lip = line(k, height(k + 1));
    mesh.quad(edge[0], edge[1], lip[1], lip[0], material);
    if (k + 1 == steps) break;
    const auto next = line(k + 1, height(k + 1));
    mesh.quad(lip[0], lip[1], next[1], next[0], material);
  }
  mesh.strip(top, line(steps - 1, high), material);
}

void groundAround(Town& town, const Cells& cells, const std::vector<Point3>& hole, std::uint32_t material) {
  const Plan& plan = town.plan;
  std::vector<Point3> outer;
  const auto add = [&](int i, int j) { outer.push_back(above(plan.node(i, j), town.ground(i, j))); };
  for (int i = cells.i0; i < cells.i1; ++i) add(i, cells.j0);
  for (int j = cells.j0; j < cells.j1; ++j) add(cells.i1, j);
  for (int i = cells.i1; i > cells.i0; --i) add(i, cells.j1);
  for (int j = cells.j1; j > cells.j0; --j) add(cells.i0, j);
  // Both rings are star-shaped around the hole's middle: go around it once, always on to the corner that comes next.
  Point middle;
  for (const auto& p : hole) middle += inPlan(p) / static_cast<double>(hole.size());
  const auto turned = [&](Point p, double from) {  // grows with the angle, by 4 in a full turn
    const Point d = p - middle;
    const double t = d.y / (std::abs(d.x) + std::abs(d.y)), angle = d.x < 0 ? 2 - t : d.y < 0 ? 4 + t : t;
    return angle < from ? angle + 4 : angle;
  };
  const double start = turned(inPlan(outer[0]), 0);
  std::size_t first = 0;
  for (std::size_t k = 1; k < hole.size(); ++k) {
    if (turned(inPlan(hole[k]), start) < turned(inPlan(hole[first]), start)) first = k;
  }
  const auto in = [&](std::size_t k) { return hole[(first + k) % hole.size()]; };
  const auto out = [&](std::size_t k) { return outer[k % outer.size()]; };
  const auto angle_in = [&](std::size_t k) { return k == hole.size() ? 1e9 : turned(inPlan(in(k)), start); };
  const auto angle_out = [&](std::size_t k) { return k == outer.size() ? start + 4 : turned(inPlan(out(k)), start); };
  // The last corner of the hole comes before the first outer one.
  std::size_t i = 0, j = hole.size() - 1, done = 0;
  while (i < outer.size() || done < hole.size()) {
    const std::size_t next = (j + 1) % hole.size();
    if (done == hole.size() || (i < outer.size() && angle_out(i + 1) <= angle_in(done))) {
      town.mesh.triangle(out(i), out(i + 1), in(j), material);
      ++i;
    } else {
      town.mesh.triangle(out(i), in(next), in(j), material);
      j = next, ++done;
    }
  }
}

void ground(Town& town) { Ground(town).build(); }

}  // namespace throng::places::town
