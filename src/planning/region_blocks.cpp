#include "planning/region_blocks.h"

#include <algorithm>
#include <cmath>

#include "base/lists.h"
#include "geometry/predicates.h"

namespace throng::planning {
namespace {

constexpr double kTile = 8;  // m: blocks are no larger, but for triangles that are
/// Ways that cost so much more than the least are known too, as a share and in m.
constexpr double kSlack = 0.1, kMore = 10;
constexpr float kFar = std::numeric_limits<float>::infinity();

std::int64_t tileOf(double x) { return static_cast<std::int64_t>(std::floor(x / kTile)); }

Point centreOf(const RegionMesh& mesh, const RegionMesh::Triangle& t) {
  const auto& c = mesh.corners();
  return (c[t.corner[0]] + c[t.corner[1]] + c[t.corner[2]]) / 3.0;
}

}  // namespace

RegionBlocks::RegionBlocks(const RegionMesh& mesh) {
  findBlocks(mesh);
  findGates(mesh);
}

void RegionBlocks::findBlocks(const RegionMesh& mesh) {
  const auto& triangles = mesh.triangles();
  block_.assign(triangles.size(), RegionMesh::kNone);
  std::vector<std::uint32_t> open;
  for (std::uint32_t first = 0; first < triangles.size(); ++first) {
    if (block_[first] != RegionMesh::kNone) continue;
    const auto number = static_cast<std::uint32_t>(types_.size());
    const RegionMesh::Triangle& of = triangles[first];
    const Point centre = centreOf(mesh, of);
    const std::int64_t x = tileOf(centre.x), y = tileOf(centre.y);
    types_.push_back(of.type);
    block_[first] = number;
    open.assign(1, first);
    while (!open.empty()) {
      const std::uint32_t t = open.back();
      open.pop_back();
      for (const std::uint32_t n : triangles[t].beyond) {
        if (n == RegionMesh::kNone || block_[n] != RegionMesh::kNone) continue;
        if (triangles[n].type != of.type || triangles[n].floor != of.floor) continue;
        const Point there = centreOf(mesh, triangles[n]);
        if (tileOf(there.x) != x || tileOf(there.y) != y) continue;
        block_[n] = number;
        open.push_back(n);
      }
    }
  }
}

/// Where two blocks touch there is one gate per tile.
void RegionBlocks::findGates(const RegionMesh& mesh) {
  struct Piece {
    std::uint32_t low, high;  ///< blocks
    std::int64_t x, y;
    Point at, a, b;  ///< the lower block is on the left
    double metres;
    std::uint16_t floor;
    bool sameGate(const Piece& o) const { return low == o.low && high == o.high && x == o.x && y == o.y; }
  };
  std::vector<Piece> pieces;
  for (std::uint32_t e = 0; e < mesh.edges().size(); ++e) {
    const RegionMesh::Edge& edge = mesh.edges()[e];
    if (!edge.crossable() || block_[edge.left] == block_[edge.right]) continue;
    const auto [low, high] = std::minmax(block_[edge.left], block_[edge.right]);
    const Segment line = mesh.segment(e);
    const double metres = length(line.b - line.a), count = std::max(1.0, std::ceil(metres / kTile));
    for (double k = 0; k < count; ++k) {
      const Point way = line.b - line.a, at = line.a + way * ((k + 0.5) / count);
      Point a = line.a + way * (k / count), b = line.a + way * ((k + 1) / count);
      if (block_[edge.left] != low) std::swap(a, b);
      pieces.push_back(
          {low, high, tileOf(at.x), tileOf(at.y), at, a, b, metres / count, mesh.triangles()[edge.left].floor});
    }
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& s, const Piece& t) {
    if (s.low != t.low) return s.low < t.low;
    if (s.high != t.high) return s.high < t.high;
    return s.x != t.x ? s.x < t.x : s.y < t.y;
  });
  for (std::size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
    Point sum, ahead;
    double metres = 0;
    for (end = begin; end < pieces.size() && pieces[begin].sameGate(pieces[end]); ++end)
      sum = sum + pieces[end].at * pieces[end].metres, metres += pieces[end].metres,
      ahead = ahead + (pieces[end].b - pieces[end].a);
    const Point mean = metres > 0 ? sum / metres : pieces[begin].at;
    std::size_t nearest = begin;
    for (std::size_t i = begin; i < end; ++i)
      if (lengthSquared(pieces[i].at - mean) < lengthSquared(pieces[nearest].at - mean)) nearest = i;
    const Piece& chosen = pieces[nearest];
    Point a = chosen.a, b = chosen.b;
    for (std::size_t i = begin; i < end; ++i) {
      if (dot(ahead, pieces[i].a - a) < 0) a = pieces[i].a;
      if (dot(ahead, pieces[i].b - b) > 0) b = pieces[i].b;
    }
    gates_.push_back({chosen.at, a, b, {chosen.low, chosen.high}});
    if (mesh.isHilly()) heights_.push_back(mesh.heightAt(chosen.at, chosen.floor));
  }
  first_gate_.assign(types_.size() + 1, 0);
  for (const Gate& gate : gates_)
    for (const std::uint32_t b : gate.block) ++first_gate_[b + 1];
  for (std::size_t b = 1; b < first_gate_.size(); ++b) first_gate_[b] += first_gate_[b - 1];
  gate_.resize(first_gate_.back());
  std::vector<std::uint32_t> next(first_gate_.begin(), first_gate_.end() - 1);
  for (std::uint32_t g = 0; g < gates_.size(); ++g)
    for (const std::uint32_t b : gates_[g].block) gate_[next[b]++] = g;
}

std::size_t RegionBlocks::memory() const {
  return (block_.capacity() + first_gate_.capacity() + gate_.capacity()) * sizeof(std::uint32_t) +
         types_.capacity() * sizeof(ground::RegionType) + gates_.capacity() * sizeof(Gate) +
         heights_.capacity() * sizeof(double);
}

// --- searching -------------------------------------------------------------------------------------------------------

namespace {
struct PlaceInHeap {
  std::vector<BlockScratch::Node>& nodes;
  std::uint32_t& operator()(std::uint32_t node) const { return nodes[node].slot; }
};
using Heap = OpenHeap<float, PlaceInHeap>;

/// Where somebody goes through a gate who comes from a place, or is on the way there: over dear ground every metre to
/// the gate's middle would tell too much.
Point nearestOn(const RegionBlocks::Gate& gate, Point place) {
  return geometry::nearestOnSegment(place, gate.a, gate.b);
}
}  // namespace

void CostToGo::found(float cost) {
  if (!(cost < best_)) return;
  best_ = cost;
  bound_ = best_ * static_cast<float>(1 + kSlack) + static_cast<float>(kMore);
}

void CostToGo::reach(std::uint32_t gate, float cost, std::uint32_t through, Point root, float root_cost,
                     const Cone* cone, float least) {
  BlockScratch::Node& node = s_.nodes[gate];
  const bool known = node.search == s_.search;
  if (known && !(cost < node.cost)) return;
  const float all = cost + least * static_cast<float>(length(blocks_.gates()[gate].at - query_.from));
  if (all > bound_) return;
  Heap heap(s_.heap, PlaceInHeap{s_.nodes});
  const bool waits = known && node.slot != Heap::kDone;
  node.cost = cost, node.search = s_.search, node.through = through;
  node.root = root, node.root_cost = root_cost, node.narrow = cone != nullptr;
  if (cone != nullptr) node.left = cone->left, node.right = cone->right;
  if (waits)
    heap.improve({all, gate});
  else
    heap.add({all, gate});
}

/// What is seen through a gate from where it was reached.
CostToGo::Cone CostToGo::coneOf(const BlockScratch::Node& node, const RegionBlocks::Gate& gate,
                                std::uint32_t into) const {
  Cone cone;
  if (node.through == RegionMesh::kNone || weight(node.through) != weight(into)) return cone;
  cone.any = true, cone.root = node.root, cone.cost = node.root_cost;
  // The block that is left lies on the left of a→b when it is the first: who walks out of it has b on their left.
  const bool first = gate.block[0] == node.through;
  cone.left = first ? gate.a : gate.b, cone.right = first ? gate.b : gate.a;
  if (!node.narrow) return cone;
  if (det(node.left - node.root, cone.left - node.root) > 0) cone.left = node.left;
  if (det(node.right - node.root, cone.right - node.root) < 0) cone.right = node.right;
  return cone;
}

void CostToGo::leave(std::uint32_t g, float least) {
  const BlockScratch::Node node = s_.nodes[g];
  const RegionBlocks::Gate& gate = blocks_.gates()[g];
  const std::uint32_t into = gate.block[0] == node.through ? gate.block[1] : gate.block[0];
  const float w = weight(into);
  if (w == kFar) return;
  const Cone cone = coneOf(node, gate, into);
  if (isStart(into)) {
    found(cone.shows(query_.from) ? cone.cost + between(w, cone.root, query_.from, 0)
                                  : node.cost + between(w, gate.at, query_.from, 0));
  }
  for (const std::uint32_t q : blocks_.gatesOf(into)) {
    if (q == g) continue;
    const Point place = blocks_.gates()[q].at;
    const double up = query_.climb > 0 ? std::fabs(blocks_.height(q) - blocks_.height(g)) : 0;
    if (cone.shows(place) && !(query_.climb > 0))
      reach(q, cone.cost + between(w, cone.root, place, 0), into, cone.root, cone.cost, &cone, least);
    else
      reach(q, node.cost + between(w, gate.at, place, up), into, gate.at, node.cost, nullptr, least);
  }
}

bool CostToGo::find(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to) {
  if (++s_.search == 0) {
    s_.nodes.clear();
    s_.search = 1;
  }
  if (s_.nodes.size() < blocks_.gates().size()) s_.nodes.resize(blocks_.gates().size());
  s_.heap.clear(), s_.goals.clear();
  const auto least = static_cast<float>(leastWeight(query_.weights));
  const double goal_height = query_.climb > 0 ? mesh_.heightAt(query_.to, query_.goal_layer) : 0;
  const double start_height = query_.climb > 0 ? mesh_.heightAt(query_.from, query_.layer) : 0;
  best_ = bound_ = kFar;
  s_.starts.clear();
  for (const std::uint32_t t : to) s_.goals.push_back(blocks_.of(t));
  for (const std::uint32_t t : from) s_.starts.push_back(blocks_.of(t));
  base::sortUnique(s_.goals), base::sortUnique(s_.starts);
  for (const std::uint32_t b : s_.goals) {
    if (isStart(b)) found(between(weight(b), query_.from, query_.to, std::fabs(start_height - goal_height)));
    for (const std::uint32_t g : blocks_.gatesOf(b))
      reach(g,
            between(weight(b), nearestOn(blocks_.gates()[g], query_.to), query_.to,
                    std::fabs(blocks_.height(g) - goal_height)),
            b, query_.to, 0, nullptr, least);
  }
  Heap heap(s_.heap, PlaceInHeap{s_.nodes});
  while (!heap.empty() && heap.least() <= bound_) leave(heap.pop(), least);
  return best_ < kFar;
}

float CostToGo::fromBlock(Point place, std::uint32_t block) const {
  const float w = weight(block);
  if (w == kFar) return kFar;
  float best = kFar;
  if (std::binary_search(s_.goals.begin(), s_.goals.end(), block)) best = between(w, place, query_.to, 0);
  for (const std::uint32_t g : blocks_.gatesOf(block))
    if (s_.nodes[g].search == s_.search && s_.nodes[g].cost < best)
      best = std::min(best, s_.nodes[g].cost + between(w, place, nearestOn(blocks_.gates()[g], place), 0));
  return best;
}

float CostToGo::from(Point place, std::uint32_t left, std::uint32_t right) const {
  const std::uint32_t a = blocks_.of(left), b = blocks_.of(right);
  const float from_a = fromBlock(place, a);
  return a == b ? from_a : std::min(from_a, fromBlock(place, b));
}

}  // namespace throng::planning
