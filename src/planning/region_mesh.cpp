#include "planning/region_mesh.h"

#include <algorithm>
#include <cmath>

#include "base/lists.h"
#include "geometry/boxes.h"
#include "geometry/grown.h"
#include "geometry/noding.h"
#include "geometry/predicates.h"
#include "geometry/triangulation.h"
#include "planning/shrunk_border.h"

namespace throng::planning {
namespace {

using geometry::Triangulation;

enum LineKind : std::uint8_t {
  kFreeLeft = 1,   ///< a border: free space is on the left of the edge, from its lower to its higher number
  kFreeRight = 2,  ///< or on the right
  kTypes = 4,      ///< between two types of ground
  kPassage = 8,    ///< to another floor
};

/// Lines nearer to an end than so many quarters of the grid's spacing are led through it.
constexpr std::int64_t kQuarters = 4;
/// With so many there is no number left for what is near to those that the body keeps off.
constexpr std::size_t kMostTypes = 255;

Point centreOf(const std::array<Point, 3>& p) { return (p[0] + p[1] + p[2]) / 3.0; }

}  // namespace

class MeshBuilder {
  using CorridorMap = corridors::CorridorMap;
  using PlaceEdge = geometry::PlaceEdge;
  using Spot = Triangulation::Spot;

  /// To be noded. Borders have free space on their right.
  struct Line {
    Spot a, b;
    std::uint8_t kind = 0;
    std::uint32_t connection = 0;
    bool operator==(const Line&) const = default;
    auto operator<=>(const Line&) const = default;
  };

  struct KnownEdge {
    PlaceEdge ends;
    std::uint8_t kind = 0;
    std::uint32_t connection = 0;
  };

  /// One floor as it is triangulated.
  struct FloorParts {
    std::vector<Line> lines;
    std::vector<Spot> nodes;
    std::vector<KnownEdge> edges;  ///< by their ends
  };

 public:
  MeshBuilder(const CorridorMap& map, const ground::Regions* regions, std::span<const ground::RegionType> never,
              RegionMesh& mesh)
      : map_(map), regions_(regions), never_(never), mesh_(mesh), floors_(map.floors()) {}

  void run() {
    const std::vector<BorderLine> border = shrunkBorder(map_, mesh_.radius_);
    chooseGrid(border);
    for (const BorderLine& line : border) addLine(line.floor, line.a, line.b, kFreeRight);
    addRegions();
    addMargins();
    addBends();
    addPassages();
    for (FloorParts& floor : floors_) geometry::separate(floor.lines, kQuarters);
    sharePassages();
    for (std::uint16_t floor = 0; floor < floors_.size(); ++floor) triangulate(floor);
    joinFloors();
    numberEdges();
    listAround();
    findSlopes();
  }

 private:
  // --- lines on the grid ---------------------------------------------------------------------------------------------
  void chooseGrid(const std::vector<BorderLine>& border) {
    Rectangle box = geometry::kEmptyBox;
    for (const BorderLine& line : border) geometry::include(box, line.a), geometry::include(box, line.b);
    if (geometry::isEmpty(box)) box = {};
    mesh_.extent_ = box;
    window_ = geometry::grown(box, 1);
    centre_ = (box.min + box.max) * 0.5;
    const double half = std::max({window_.max.x - centre_.x, window_.max.y - centre_.y, 1.0});
    spacing_ = 0x1p-20;  // m
    while (half / spacing_ > 0x1p25) spacing_ *= 2;
  }

  Spot spotOf(Point p) const {
    const auto whole = [&](double x) { return static_cast<std::int32_t>(std::floor(x / spacing_ + 0.5)); };
    return {whole(p.x - centre_.x), whole(p.y - centre_.y)};
  }
  Point placeOf(Spot spot) const { return centre_ + Point{spot.x * spacing_, spot.y * spacing_}; }

  void addLine(std::uint16_t floor, Point a, Point b, std::uint8_t kind, std::uint32_t connection = 0) {
    const Line line{spotOf(a), spotOf(b), kind, connection};
    if (line.a != line.b) floors_[floor].lines.push_back(line);
  }

  /// What reaches beyond the window is cut off there: nobody gets there.
  void addRegionLine(std::uint16_t floor, Point a, Point b) {
    double from = 0, to = 1;
    const auto clip = [&](double start, double change, double low, double high) {
      if (change == 0) {
        if (start < low || start > high) to = -1;
        return;
      }
      const double s = (low - start) / change, t = (high - start) / change;
      from = std::max(from, std::min(s, t)), to = std::min(to, std::max(s, t));
    };
    const Point way = b - a;
    clip(a.x, way.x, window_.min.x, window_.max.x);
    clip(a.y, way.y, window_.min.y, window_.max.y);
    if (from < to) addLine(floor, from > 0 ? a + way * from : a, to < 1 ? a + way * to : b, kTypes);
  }

  void addRegions() {
    if (regions_ == nullptr) return;
    for (std::uint16_t floor = 0; floor < floors_.size(); ++floor)
      for (const ground::Regions::Part& part : regions_->parts(floor)) addRings(floor, part.area);
  }
  void addRings(std::uint16_t floor, const Polygon& area) {
    const auto add = [&](const Ring& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) addRegionLine(floor, ring[i], ring[(i + 1) % ring.size()]);
    };
    add(area.outer);
    for (const Ring& hole : area.holes) add(hole);
  }

  /// Around ground that the body keeps off.
  void addMargins() {
    if (regions_ == nullptr || never_.empty() || regions_->types().size() > kMostTypes) return;
    margins_.resize(floors_.size());
    constexpr double kRound = 1.005;  // of the radius: corners are cut by less
    for (std::uint16_t floor = 0; floor < floors_.size(); ++floor) {
      std::vector<Polygon> kept_off;
      for (const ground::Regions::Part& part : regions_->parts(floor))
        if (std::find(never_.begin(), never_.end(), part.type) != never_.end()) kept_off.push_back(part.area);
      margins_[floor] = geometry::grown(kept_off, mesh_.radius_ * kRound);
      for (const Polygon& margin : margins_[floor]) {
        mesh_.closed_ = static_cast<ground::RegionType>(regions_->types().size());
        addRings(floor, margin);
      }
    }
  }

  void addBends() {
    for (std::uint16_t floor = 0; floor < mesh_.hills_.size(); ++floor)
      for (const Segment& bend : mesh_.hills_[floor].ground.bends()) addRegionLine(floor, bend.a, bend.b);
  }

  void addPassages() {
    for (std::uint32_t k = 0; k < map_.connections().size(); ++k) {
      const corridors::MapConnection& connection = map_.connections()[k];
      if (!connection.open) continue;
      for (const Segment& part : connection.parts)
        for (const std::uint16_t floor : {connection.left_floor, connection.right_floor})
          addLine(floor, part.a, part.b, kPassage, k);
    }
  }

  /// Both floors of a connection get the same places on it.
  void sharePassages() {
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; ++round) {
      bool same = true;
      for (std::uint32_t k = 0; k < map_.connections().size(); ++k) {
        const corridors::MapConnection& connection = map_.connections()[k];
        if (!connection.open) continue;
        std::vector<Spot> left = spotsOn(connection.left_floor, k), right = spotsOn(connection.right_floor, k);
        if (left == right) continue;
        same = false;
        left.insert(left.end(), right.begin(), right.end());
        base::sortUnique(left);
        for (const std::uint16_t floor : {connection.left_floor, connection.right_floor}) leadThrough(floor, k, left);
      }
      if (same) return;
    }
  }
  std::vector<Spot> spotsOn(std::uint16_t floor, std::uint32_t connection) const {
    std::vector<Spot> spots;
    for (const Line& line : floors_[floor].lines)
      if (line.kind == kPassage && line.connection == connection) spots.push_back(line.a), spots.push_back(line.b);
    base::sortUnique(spots);
    return spots;
  }
  void leadThrough(std::uint16_t floor, std::uint32_t connection, const std::vector<Spot>& spots) {
    std::vector<Line>& lines = floors_[floor].lines;
    std::vector<geometry::LineCut<Line>> cuts;
    for (std::uint32_t i = 0; i < lines.size(); ++i)
      if (lines[i].kind == kPassage && lines[i].connection == connection)
        for (const Spot spot : spots)
          if (geometry::passesNear(lines[i].a, lines[i].b, spot, 2 * kQuarters)) cuts.push_back({i, spot});
    lines = geometry::pieces(lines, cuts);
    geometry::separate(lines, kQuarters);
  }

  // --- triangles -----------------------------------------------------------------------------------------------------
  void collectEdges(FloorParts& floor) const {
    for (const Line& line : floor.lines) floor.nodes.push_back(line.a), floor.nodes.push_back(line.b);
    base::sortUnique(floor.nodes);
    const auto number = [&](Spot spot) {
      return static_cast<std::uint32_t>(std::lower_bound(floor.nodes.begin(), floor.nodes.end(), spot) -
                                        floor.nodes.begin());
    };
    for (const Line& line : floor.lines) {
      const std::uint32_t a = number(line.a), b = number(line.b);
      const bool turned = b < a;
      std::uint8_t kind = line.kind;
      if (kind == kFreeRight && turned) kind = kFreeLeft;
      floor.edges.push_back({turned ? PlaceEdge{b, a} : PlaceEdge{a, b}, kind, line.connection});
    }
    std::sort(floor.edges.begin(), floor.edges.end(), [](const KnownEdge& s, const KnownEdge& t) {
      return s.ends != t.ends ? s.ends < t.ends : s.kind < t.kind;
    });
    std::size_t kept = 0;
    for (const KnownEdge& edge : floor.edges) {
      if (kept > 0 && floor.edges[kept - 1].ends == edge.ends) {
        floor.edges[kept - 1].kind |= edge.kind;
        if (edge.kind == kPassage) floor.edges[kept - 1].connection = edge.connection;
      } else {
        floor.edges[kept++] = edge;
      }
    }
    floor.edges.resize(kept);
  }

  /// Null for a side that is no line of ours.
  const KnownEdge* known(const FloorParts& floor, std::uint32_t a, std::uint32_t b) const {
    const PlaceEdge ends = a < b ? PlaceEdge{a, b} : PlaceEdge{b, a};
    const auto there = std::lower_bound(floor.edges.begin(), floor.edges.end(), ends,
                                        [](const KnownEdge& e, const PlaceEdge& x) { return e.ends < x; });
    return there != floor.edges.end() && there->ends == ends ? &*there : nullptr;
  }

  void triangulate(std::uint16_t number) {
    FloorParts& floor = floors_[number];
    mesh_.first_.push_back(static_cast<std::uint32_t>(mesh_.triangles_.size()));
    collectEdges(floor);
    if (floor.nodes.size() < 3) return;
    std::vector<PlaceEdge> ends;
    for (const KnownEdge& edge : floor.edges) ends.push_back(edge.ends);
    const Triangulation cut(floor.nodes, ends);
    const std::vector<std::uint32_t> spaces = parts(cut, floor, kFreeLeft | kFreeRight | kPassage);
    const std::vector<std::uint8_t> free = findFree(cut, floor, number, spaces);
    const std::vector<std::uint32_t> grounds = parts(cut, floor, kFreeLeft | kFreeRight | kPassage | kTypes);
    const std::vector<ground::RegionType> types = findTypes(cut, number, grounds, spaces, free);

    const auto first_corner = static_cast<std::uint32_t>(mesh_.corners_.size());
    for (const Spot node : floor.nodes) mesh_.corners_.push_back(placeOf(node));
    std::vector<std::uint32_t> kept(cut.triangles().size(), RegionMesh::kNone);
    auto count = static_cast<std::uint32_t>(mesh_.triangles_.size());
    for (std::uint32_t t = 0; t < kept.size(); ++t)
      if (spaces[t] != RegionMesh::kNone && free[spaces[t]]) kept[t] = count++;
    for (std::uint32_t t = 0; t < kept.size(); ++t) {
      if (kept[t] == RegionMesh::kNone) continue;
      RegionMesh::Triangle triangle;
      triangle.floor = number;
      triangle.type = types[grounds[t]];
      const auto& v = cut.triangles()[t].v;
      for (std::size_t i = 0; i < 3; ++i) {
        triangle.corner[i] = first_corner + v[i];
        triangle.edge[i] = RegionMesh::kNone;
        const std::uint32_t n = cut.triangles()[t].n[i];
        const KnownEdge* edge = known(floor, v[i], v[(i + 1) % 3]);
        const bool open = !edge || edge->kind == kTypes;
        triangle.beyond[i] = open && n != Triangulation::kNone ? kept[n] : RegionMesh::kNone;
        if (edge && (edge->kind & kPassage) && !(edge->kind & (kFreeLeft | kFreeRight)))
          ends_.push_back({edge->connection, floor.nodes[edge->ends.a], floor.nodes[edge->ends.b], kept[t],
                           static_cast<std::uint32_t>(i)});
      }
      mesh_.triangles_.push_back(triangle);
    }
  }

  /// For every triangle the part of the floor that it belongs to, between lines of these kinds. kNone: outside of all.
  std::vector<std::uint32_t> parts(const Triangulation& cut, const FloorParts& floor, unsigned kinds) const {
    std::vector<std::uint32_t> part(cut.triangles().size(), RegionMesh::kNone), open;
    std::uint32_t count = 0;
    for (std::uint32_t t = 0; t < part.size(); ++t) {
      if (part[t] != RegionMesh::kNone || cut.outside(cut.triangles()[t])) continue;
      part[t] = count;
      open.assign(1, t);
      while (!open.empty()) {
        const auto& triangle = cut.triangles()[open.back()];
        open.pop_back();
        for (std::size_t i = 0; i < 3; ++i) {
          const std::uint32_t n = triangle.n[i];
          if (n == Triangulation::kNone || part[n] != RegionMesh::kNone || cut.outside(cut.triangles()[n])) continue;
          const KnownEdge* edge = known(floor, triangle.v[i], triangle.v[(i + 1) % 3]);
          if (edge && (edge->kind & kinds)) continue;
          part[n] = count;
          open.push_back(n);
        }
      }
      ++count;
    }
    return part;
  }

  std::array<Point, 3> placesOf(const Triangulation& cut, std::uint32_t t) const {
    const auto& v = cut.triangles()[t].v;
    return {placeOf(cut.spot(v[0])), placeOf(cut.spot(v[1])), placeOf(cut.spot(v[2]))};
  }

  static std::uint32_t countOf(const std::vector<std::uint32_t>& part) {
    std::uint32_t count = 0;
    for (const std::uint32_t p : part)
      if (p != RegionMesh::kNone) count = std::max(count, p + 1);
    return count;
  }

  /// The largest triangle of every part.
  std::vector<std::uint32_t> largest(const Triangulation& cut, const std::vector<std::uint32_t>& part) const {
    std::vector<std::uint32_t> best(countOf(part), RegionMesh::kNone);
    std::vector<std::int64_t> area(best.size(), -1);
    for (std::uint32_t t = 0; t < part.size(); ++t) {
      if (part[t] == RegionMesh::kNone) continue;
      const auto& v = cut.triangles()[t].v;
      const std::int64_t twice = geometry::cross(cut.spot(v[0]), cut.spot(v[1]), cut.spot(v[2]));
      if (twice > area[part[t]]) area[part[t]] = twice, best[part[t]] = t;
    }
    return best;
  }

  /// Parts that lie on the free side of the border around them.
  std::vector<std::uint8_t> findFree(const Triangulation& cut, const FloorParts& floor, std::uint16_t number,
                                     const std::vector<std::uint32_t>& part) const {
    std::vector<double> free_length(countOf(part)), solid_length(free_length.size());
    for (std::uint32_t t = 0; t < part.size(); ++t) {
      if (part[t] == RegionMesh::kNone) continue;
      const auto& v = cut.triangles()[t].v;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = v[i], b = v[(i + 1) % 3];
        const KnownEdge* edge = known(floor, a, b);
        if (!edge) continue;
        // The triangle is on the left of a→b.
        const unsigned mine = a < b ? kFreeLeft : kFreeRight, other = a < b ? kFreeRight : kFreeLeft;
        const double metres = length(placeOf(floor.nodes[b]) - placeOf(floor.nodes[a]));
        if (edge->kind & mine) free_length[part[t]] += metres;
        if (edge->kind & other) solid_length[part[t]] += metres;
      }
    }
    const std::vector<std::uint32_t> biggest = largest(cut, part);
    std::vector<std::uint8_t> free(free_length.size());
    for (std::size_t p = 0; p < free.size(); ++p) {
      if (free_length[p] + solid_length[p] > 0) {
        free[p] = free_length[p] > solid_length[p];
      } else {  // a floor that ends in nothing but connections
        free[p] = map_.clearance(centreOf(placesOf(cut, biggest[p])), number) >= mesh_.radius_;
      }
    }
    return free;
  }

  std::vector<ground::RegionType> findTypes(const Triangulation& cut, std::uint16_t number,
                                            const std::vector<std::uint32_t>& part,
                                            const std::vector<std::uint32_t>& space,
                                            const std::vector<std::uint8_t>& free) const {
    const std::vector<std::uint32_t> biggest = largest(cut, part);
    std::vector<ground::RegionType> types(biggest.size(), 0);
    if (regions_ == nullptr || regions_->parts(number).empty()) return types;
    const auto areas = regions_->parts(number);
    std::vector<Rectangle> boxes;
    for (const ground::Regions::Part& area : areas) boxes.push_back(geometry::boxOf(area.area.outer));
    const auto grid = geometry::UniformGrid<double>::ofBoxes(boxes);
    for (std::size_t p = 0; p < types.size(); ++p) {
      if (space[biggest[p]] == RegionMesh::kNone || !free[space[biggest[p]]]) continue;
      const Point centre = centreOf(placesOf(cut, biggest[p]));
      for (const std::uint32_t i : grid.at(centre))
        if (geometry::contains(areas[i].area, centre)) {
          types[p] = areas[i].type;
          break;
        }
      if (!margins_.empty() && std::find(never_.begin(), never_.end(), types[p]) == never_.end() &&
          geometry::contains(margins_[number], centre))
        types[p] = mesh_.closed_;
    }
    return types;
  }

  // --- the whole -----------------------------------------------------------------------------------------------------
  /// A side of a triangle on a connection.
  struct End {
    std::uint32_t connection;
    Spot a, b;
    std::uint32_t triangle, side;
    bool operator==(const End&) const = default;
    auto operator<=>(const End&) const = default;
  };

  std::uint32_t rootOf(std::uint32_t corner) {
    while (same_[corner] != corner) corner = same_[corner] = same_[same_[corner]];
    return corner;
  }

  void joinFloors() {
    std::sort(ends_.begin(), ends_.end());
    same_.resize(mesh_.corners_.size());
    for (std::uint32_t i = 0; i < same_.size(); ++i) same_[i] = i;
    for (std::size_t i = 0; i + 1 < ends_.size(); ++i) {
      const End &s = ends_[i], &t = ends_[i + 1];
      if (s.connection != t.connection || s.a != t.a || s.b != t.b) continue;
      RegionMesh::Triangle &u = mesh_.triangles_[s.triangle], &v = mesh_.triangles_[t.triangle];
      if (u.floor == v.floor) continue;
      const std::uint32_t u0 = u.corner[s.side], u1 = u.corner[(s.side + 1) % 3];
      const std::uint32_t v0 = v.corner[t.side], v1 = v.corner[(t.side + 1) % 3];
      // They go along it in opposite directions when they are on its two sides.
      if (!(mesh_.corners_[u0] == mesh_.corners_[v1] && mesh_.corners_[u1] == mesh_.corners_[v0])) continue;
      u.beyond[s.side] = t.triangle, v.beyond[t.side] = s.triangle;
      same_[rootOf(u0)] = rootOf(v1), same_[rootOf(u1)] = rootOf(v0);
    }
    // Only corners that some triangle has, each once.
    std::vector<std::uint32_t> number(same_.size(), RegionMesh::kNone);
    std::vector<Point> corners;
    for (RegionMesh::Triangle& triangle : mesh_.triangles_)
      for (std::uint32_t& corner : triangle.corner) {
        const std::uint32_t root = rootOf(corner);
        if (number[root] == RegionMesh::kNone) {
          number[root] = static_cast<std::uint32_t>(corners.size());
          corners.push_back(mesh_.corners_[root]);
        }
        corner = number[root];
      }
    mesh_.corners_ = std::move(corners);
  }

  void numberEdges() {
    auto& triangles = mesh_.triangles_;
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
      for (std::size_t i = 0; i < 3; ++i) {
        RegionMesh::Triangle& triangle = triangles[t];
        if (triangle.edge[i] != RegionMesh::kNone) continue;
        const auto e = static_cast<std::uint32_t>(mesh_.edges_.size());
        const std::uint32_t n = triangle.beyond[i];
        mesh_.edges_.push_back({triangle.corner[i], triangle.corner[(i + 1) % 3], t, n});
        triangle.edge[i] = e;
        if (n == RegionMesh::kNone) continue;
        for (std::size_t k = 0; k < 3; ++k)
          if (triangles[n].beyond[k] == t && triangles[n].corner[k] == triangle.corner[(i + 1) % 3] &&
              triangles[n].edge[k] == RegionMesh::kNone) {
            triangles[n].edge[k] = e;
            break;
          }
      }
  }

  void listAround() {
    auto& start = mesh_.around_start_;
    start.assign(mesh_.corners_.size() + 1, 0);
    for (const auto& t : mesh_.triangles_)
      for (const std::uint32_t c : t.corner) ++start[c + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    mesh_.around_.resize(start.back());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::uint32_t t = 0; t < mesh_.triangles_.size(); ++t)
      for (const std::uint32_t c : mesh_.triangles_[t].corner) mesh_.around_[next[c]++] = t;
    std::vector<Rectangle> boxes;
    for (std::uint16_t floor = 0; floor < floors_.size(); ++floor) {
      boxes.clear();
      for (std::uint32_t t = mesh_.first_[floor]; t < mesh_.triangles_.size(); ++t) {
        if (mesh_.triangles_[t].floor != floor) break;
        Rectangle box = geometry::kEmptyBox;
        for (const std::uint32_t c : mesh_.triangles_[t].corner) geometry::include(box, mesh_.corners_[c]);
        boxes.push_back(box);
      }
      mesh_.grids_.push_back(geometry::UniformGrid<double>::ofBoxes(boxes));
    }
  }

  void findSlopes() {
    if (mesh_.hills_.empty()) return;
    for (const RegionMesh::Triangle& t : mesh_.triangles_) {
      const Point centre =
          centreOf({mesh_.corners_[t.corner[0]], mesh_.corners_[t.corner[1]], mesh_.corners_[t.corner[2]]});
      mesh_.slopes_.push_back(wide(mesh_.hills_[t.floor].groundAt(narrow(centre)).gradient));
    }
  }

  const CorridorMap& map_;
  const ground::Regions* regions_;
  const std::span<const ground::RegionType> never_;
  std::vector<std::vector<Polygon>> margins_;  ///< by floor: around ground of those types
  RegionMesh& mesh_;
  std::vector<FloorParts> floors_;
  Rectangle window_{};
  Point centre_;
  double spacing_ = 0;
  std::vector<End> ends_;
  std::vector<std::uint32_t> same_;
};

RegionMesh::RegionMesh(const corridors::CorridorMap& map, const ground::Regions* regions, double radius,
                       std::span<const ground::Floor> hills, std::span<const ground::RegionType> never)
    : radius_(radius), hills_(hills) {
  MeshBuilder(map, regions != nullptr && regions->any() ? regions : nullptr, never, *this).run();
}

bool RegionMesh::contains(const Triangle& t, Point place) const {
  for (std::size_t i = 0; i < 3; ++i)
    if (geometry::orientation(corners_[t.corner[i]], corners_[t.corner[(i + 1) % 3]], place) < 0) return false;
  return true;
}

std::uint32_t RegionMesh::locate(Point place, std::uint16_t floor) const {
  if (floor >= grids_.size() || grids_[floor].empty()) return kNone;
  for (const std::uint32_t item : grids_[floor].at(place))
    if (contains(triangles_[first_[floor] + item], place)) return first_[floor] + item;
  return kNone;
}

std::size_t RegionMesh::memory() const {
  std::size_t bytes = corners_.capacity() * sizeof(Point) + triangles_.capacity() * sizeof(Triangle) +
                      edges_.capacity() * sizeof(Edge) +
                      (around_.capacity() + around_start_.capacity()) * sizeof(std::uint32_t);
  for (const auto& grid : grids_) bytes += grid.bytes();
  return bytes;
}

}  // namespace throng::planning
