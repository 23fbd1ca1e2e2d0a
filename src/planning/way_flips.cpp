// A line through triangles that bends at a corner of the triangulation where nothing stands may be shorter, or cheaper,
// on the corner's other side.
#include <algorithm>

#include "planning/region_search.h"

namespace throng::planning {
namespace {

constexpr std::uint32_t kNoCorner = RegionMesh::kNone;

class Flipping {
 public:
  Flipping(const RegionMesh& mesh, std::span<const double> weights, RegionScratch& scratch, double climb)
      : mesh_(mesh), weights_(weights), s_(scratch), climb_(climb) {}

  /// True when the way has changed.
  bool run(const std::vector<Point>& line) {
    findBends(line);
    // From the end on, so that the places of earlier bends in the way stay what they are.
    bool changed = false;
    std::uint32_t untouched = static_cast<std::uint32_t>(s_.way.edges.size());
    for (std::size_t k = s_.bends.size(); k-- > 1;) {
      if (k + 1 == s_.bends.size()) continue;
      const RegionScratch::Bend &before = s_.bends[k - 1], &bend = s_.bends[k], &after = s_.bends[k + 1];
      if (bend.corner == kNoCorner || bend.first > bend.last) continue;
      const std::uint32_t low = std::min(before.last + 1, bend.first);
      const std::uint32_t high = after.first > bend.last + 1 ? after.first : bend.last + 1;  // one after the last
      if (high > untouched) continue;
      if (tryFlip(before.at, after.at, bend, low, high)) changed = true, untouched = low;
    }
    return changed;
  }

 private:
  std::uint32_t endAt(std::uint32_t edge, Point place) const {
    const RegionMesh::Edge& e = mesh_.edges()[edge];
    if (mesh_.corners()[e.a] == place) return e.a;
    return mesh_.corners()[e.b] == place ? e.b : kNoCorner;
  }
  bool has(std::uint32_t edge, std::uint32_t corner) const {
    return mesh_.edges()[edge].a == corner || mesh_.edges()[edge].b == corner;
  }

  /// Every point of the line with the edges that it lies on. (first, last): last is one less than first where there are
  /// none, as at the start.
  void findBends(const std::vector<Point>& line) {
    const auto count = static_cast<std::uint32_t>(s_.way.edges.size());
    s_.bends.clear();
    s_.bends.push_back({line.front(), kNoCorner, 0, RegionMesh::kNone});
    std::uint32_t next = 0;
    for (std::size_t p = 1; p + 1 < line.size(); ++p) {
      // A corner of an edge, or a place on a border between two types.
      RegionScratch::Bend bend{line[p], kNoCorner, 0, 0};
      std::uint32_t i = next;
      for (; i < count; ++i) {
        bend.corner = endAt(s_.way.edges[i], line[p]);
        if (bend.corner != kNoCorner || s_.way.at[i] == line[p]) break;
      }
      if (i == count) continue;
      bend.first = bend.last = i;
      if (bend.corner != kNoCorner)
        while (bend.last + 1 < count && has(s_.way.edges[bend.last + 1], bend.corner)) ++bend.last;
      next = bend.corner != kNoCorner ? i : i + 1;
      s_.bends.push_back(bend);
    }
    s_.bends.push_back({line.back(), kNoCorner, count, count});
  }

  /// The triangles around a corner from one to another, the other way round. False when a wall is in between.
  bool goRound(std::uint32_t corner, std::uint32_t from, std::uint32_t to, std::uint32_t crossed, TriangleWay& piece) {
    constexpr int kMost = 64;
    std::uint32_t t = from, last = crossed;
    for (int steps = 0; t != to; ++steps) {
      const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
      std::uint32_t edge = RegionMesh::kNone;
      for (const std::uint32_t e : triangle.edge)
        if (e != last && has(e, corner)) edge = e;
      const RegionMesh::Edge& across = mesh_.edges()[edge];
      const std::uint32_t n = across.left == t ? across.right : across.left;
      if (n == RegionMesh::kNone || steps == kMost ||
          weights_[mesh_.triangles()[n].type] == std::numeric_limits<double>::infinity())
        return false;
      add(piece, edge, n, mesh_.corners()[corner]);
      t = n, last = edge;
    }
    return true;
  }

  /// Who goes over an edge and back has not gone over it.
  void add(TriangleWay& piece, std::uint32_t edge, std::uint32_t triangle, Point at) const {
    if (!piece.edges.empty() && piece.edges.back() == edge && piece.triangles[piece.triangles.size() - 2] == triangle) {
      piece.edges.pop_back(), piece.triangles.pop_back(), piece.at.pop_back();
      return;
    }
    piece.edges.push_back(edge), piece.triangles.push_back(triangle), piece.at.push_back(at);
  }

  bool tryFlip(Point from, Point to, const RegionScratch::Bend& bend, std::uint32_t low, std::uint32_t high) {
    const TriangleWay& way = s_.way;
    TriangleWay& other = s_.piece;
    other.clear();
    other.triangles.push_back(way.triangles[low]);
    for (std::uint32_t i = low; i < bend.first; ++i) add(other, way.edges[i], way.triangles[i + 1], way.at[i]);
    if (!goRound(bend.corner, way.triangles[bend.first], way.triangles[bend.last + 1], way.edges[bend.first], other))
      return false;
    for (std::uint32_t i = bend.last + 1; i < high; ++i) add(other, way.edges[i], way.triangles[i + 1], way.at[i]);

    TriangleWay& same = s_.best;
    same.clear();
    same.triangles.assign(way.triangles.begin() + low, way.triangles.begin() + high + 1);
    same.edges.assign(way.edges.begin() + low, way.edges.begin() + high);
    same.at.assign(way.at.begin() + low, way.at.begin() + high);
    constexpr double kWorthIt = 1 - 1e-7;
    const double now = tighten(mesh_, from, to, weights_, same, s_.tighten, s_.line, climb_);
    if (!(tighten(mesh_, from, to, weights_, other, s_.tighten, s_.line, climb_) < now * kWorthIt)) return false;
    replace(s_.way.triangles, low, high + 1, other.triangles);
    replace(s_.way.edges, low, high, other.edges);
    replace(s_.way.at, low, high, other.at);
    return true;
  }

  template <class T>
  static void replace(std::vector<T>& list, std::uint32_t low, std::uint32_t high, const std::vector<T>& by) {
    list.erase(list.begin() + low, list.begin() + high);
    list.insert(list.begin() + low, by.begin(), by.end());
  }

  const RegionMesh& mesh_;
  const std::span<const double> weights_;
  RegionScratch& s_;
  const double climb_;
};

}  // namespace

bool flipCorners(const RegionMesh& mesh, std::span<const double> weights, const std::vector<Point>& line,
                 RegionScratch& scratch, double climb) {
  return Flipping(mesh, weights, scratch, climb).run(line);
}

}  // namespace throng::planning
