#include "planning/region_blocks.h"

#include <algorithm>
#include <cmath>

#include "base/lists.h"
#include "geometry/predicates.h"

namespace throng::planning {
namespace {

constexpr double kTile = 12;  // m: blocks are no larger, but for triangles that are
/// Ways that cost so much more than the least are known too, as a share and in m.
constexpr double kSlack = 0.04, kMore = 4;
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

/// The part of a gate that is seen from a place between two others, all on lines that lead away from there.
void clip(Point from, Point c, Point d, Point& a, Point& b) {
  if (det(c - from, d - from) < 0) std::swap(c, d);  // c on the right now
  const Point line = b - a;
  double low = 0, high = 1;
  const auto keep = [&](Point ray, double side) {  // det(ray, p - from) * side >= 0
    const double at_a = side * det(ray, a - from), change = side * det(ray, line);
    if (at_a >= 0 && at_a + change >= 0) return;
    if (change == 0) return;
    const double t = -at_a / change;
    if (change > 0)
      low = std::max(low, t);
    else
      high = std::min(high, t);
  };
  keep(c - from, 1), keep(d - from, -1);
  low = std::clamp(low, 0.0, 1.0), high = std::clamp(high, low, 1.0);
  b = a + line * high, a = a + line * low;
}

/// Along a line, from its begin: where a place lies beside it, and how far.
struct Beside {
  double foot, height;
  Beside(const BlockScratch::Node& line, Point place)
      : foot(dot(line.along, place - line.begin)), height(std::fabs(det(line.along, place - line.begin))) {}
};

/// m to a gate's part; over dear ground every metre to the gate's middle would tell too much.
double distanceTo(const BlockScratch::Node& line, const Beside& of) {
  const double beyond = of.foot - std::clamp(of.foot, 0.0, line.length);
  return std::sqrt(of.height * of.height + beyond * beyond);
}
}  // namespace

void CostToGo::found(float cost) {
  if (!(cost < best_)) return;
  best_ = cost;
  bound_ = best_ * static_cast<float>(1 + kSlack) + static_cast<float>(kMore);
}

void CostToGo::reach(std::uint32_t g, float cost, std::uint32_t through, Point root, float root_cost,
                     const Node* from) {
  const std::uint32_t number = nodeAt(g, through);
  Node& node = s_.nodes[number];
  const bool known = node.search == s_.search;
  if (known && (!(cost < node.cost) || node.slot == Heap::kDone)) return;
  const RegionBlocks::Gate& gate = blocks_.gates()[g];
  const float all = cost + cheapest_ * static_cast<float>(length(gate.at - query_.from));
  if (all > bound_) return;
  Point a = gate.a, b = gate.b;
  if (from != nullptr) clip(root, from->begin, from->begin + from->along * from->length, a, b);
  Node next = node;
  next.length = length(b - a);
  next.begin = a, next.along = next.length > 0 ? (b - a) / next.length : Point{1, 0};
  next.root = root, next.root_cost = root_cost;
  const float w = weight(through);
  next.least = root_cost + w * static_cast<float>(distanceTo(next, Beside(next, root)));
  // Who would rather turn back wherever they come to the gate does not go on through it.
  if (const Node& back = s_.nodes[number ^ 1u]; back.search == s_.search && next.least >= back.most) return;
  next.most = root_cost +
              w * static_cast<float>(std::sqrt(std::max(lengthSquared(gate.a - root), lengthSquared(gate.b - root))));
  next.cost = cost, next.search = s_.search, next.through = through;
  Heap heap(s_.heap, PlaceInHeap{s_.nodes});
  node = next;
  if (known)
    heap.improve({all, number});
  else
    heap.add({all, number});
}

/// Straight where the ground is the same on both sides, and refracted as by Snell's law where it is not.
CostToGo::Passage CostToGo::passage(const Node& node, float w, Point place) const {
  const double near = static_cast<double>(w), far = static_cast<double>(weight(node.through));
  const Beside here(node, place), root(node, node.root);
  const double both = here.height + root.height;
  double t = both > 0 ? (here.foot * root.height + root.foot * here.height) / both : here.foot;
  const bool inside = t >= 0 && t <= node.length;
  const double low = std::max(0.0, std::min(here.foot, root.foot));
  const double high = std::min(node.length, std::max(here.foot, root.foot));
  // Beyond both ends of the part everything is nearest to the same end of it.
  const auto within = [&](double at) {
    return low <= high ? std::clamp(at, low, high) : std::clamp(at, 0.0, node.length);
  };
  t = within(t);
  constexpr int kRounds = 2;
  for (int round = 0; near != far && low < high && round < kRounds; ++round) {
    const double u = t - here.foot, v = t - root.foot;
    const double p = std::sqrt(here.height * here.height + u * u), q = std::sqrt(root.height * root.height + v * v);
    if (!(p > 0) || !(q > 0)) break;
    const double slope = near * u / p + far * v / q;
    const double bend = near * here.height * here.height / (p * p * p) + far * root.height * root.height / (q * q * q);
    if (!(bend > 0)) break;
    t = within(t - slope / bend);
  }
  const double u = t - here.foot, v = t - root.foot;
  const double rest = far * std::sqrt(root.height * root.height + v * v) + static_cast<double>(node.root_cost);
  const double cost = near * std::sqrt(here.height * here.height + u * u) + rest;
  return {static_cast<float>(cost), static_cast<float>(rest), node.begin + node.along * t, inside && near == far};
}

/// What any way from a place through a gate costs at least.
float CostToGo::leastFrom(const Node& node, float w, Point place) const {
  return w * static_cast<float>(distanceTo(node, Beside(node, place))) + node.least;
}

void CostToGo::leave(std::uint32_t number) {
  const Node node = s_.nodes[number];
  if (const Node& back = s_.nodes[number ^ 1u]; back.search == s_.search && node.least >= back.most) return;
  const std::uint32_t g = number / 2, into = blocks_.gates()[g].block[1 - number % 2];
  const float w = weight(into);
  if (w == kFar) return;
  if (isStart(into)) found(passage(node, w, query_.from).cost);
  for (const std::uint32_t q : blocks_.gatesOf(into)) {
    if (q == g) continue;
    const Point place = blocks_.gates()[q].at;
    const Node& other = s_.nodes[nodeAt(q, into)];
    if (other.search == s_.search && leastFrom(node, w, place) >= other.cost) continue;
    const Passage way = passage(node, w, place);
    if (way.straight)
      reach(q, way.cost, into, node.root, node.root_cost, &node);
    else
      reach(q, way.cost, into, way.at, way.rest, nullptr);
  }
}

/// On hills ways go through the middles of gates, of which the heights are known.
void CostToGo::leaveOnHills(std::uint32_t number) {
  const Node node = s_.nodes[number];
  const std::uint32_t g = number / 2, into = blocks_.gates()[g].block[1 - number % 2];
  const RegionBlocks::Gate& gate = blocks_.gates()[g];
  const float w = weight(into);
  if (w == kFar) return;
  if (isStart(into)) found(node.cost + between(w, gate.at, query_.from, 0));
  for (const std::uint32_t q : blocks_.gatesOf(into)) {
    if (q == g) continue;
    const double up = std::fabs(blocks_.height(q) - blocks_.height(g));
    reach(q, node.cost + between(w, gate.at, blocks_.gates()[q].at, up), into, gate.at, node.cost, nullptr);
  }
}

bool CostToGo::find(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to) {
  if (++s_.search == 0) {
    s_.nodes.clear();
    s_.search = 1;
  }
  if (s_.nodes.size() < 2 * blocks_.gates().size()) s_.nodes.resize(2 * blocks_.gates().size());
  s_.heap.clear(), s_.goals.clear();
  cheapest_ = static_cast<float>(leastWeight(query_.weights));
  const bool hilly = query_.climb > 0;
  const double goal_height = hilly ? mesh_.heightAt(query_.to, query_.goal_layer) : 0;
  const double start_height = hilly ? mesh_.heightAt(query_.from, query_.layer) : 0;
  best_ = bound_ = kFar;
  s_.starts.clear();
  for (const std::uint32_t t : to) s_.goals.push_back(blocks_.of(t));
  for (const std::uint32_t t : from) s_.starts.push_back(blocks_.of(t));
  base::sortUnique(s_.goals), base::sortUnique(s_.starts);
  for (const std::uint32_t b : s_.goals) {
    if (isStart(b)) found(between(weight(b), query_.from, query_.to, std::fabs(start_height - goal_height)));
    for (const std::uint32_t g : blocks_.gatesOf(b)) {
      const RegionBlocks::Gate& gate = blocks_.gates()[g];
      const Point at = hilly ? geometry::nearestOnSegment(query_.to, gate.a, gate.b) : gate.at;
      const double up = hilly ? std::fabs(blocks_.height(g) - goal_height) : 0;
      reach(g, between(weight(b), at, query_.to, up), b, query_.to, 0, nullptr);
    }
  }
  Heap heap(s_.heap, PlaceInHeap{s_.nodes});
  while (!heap.empty() && heap.least() <= bound_) {
    const std::uint32_t next = heap.pop();
    hilly ? leaveOnHills(next) : leave(next);
  }
  return best_ < kFar;
}

float CostToGo::fromBlock(Point place, std::uint32_t block) const {
  const float w = weight(block);
  if (w == kFar) return kFar;
  float best = kFar;
  if (std::binary_search(s_.goals.begin(), s_.goals.end(), block)) best = between(w, place, query_.to, 0);
  for (const std::uint32_t g : blocks_.gatesOf(block)) {
    const Node& node = s_.nodes[nodeAt(g, block) ^ 1u];
    if (node.search != s_.search) continue;
    if (query_.climb > 0) {
      best = std::min(best, node.cost + w * static_cast<float>(distanceTo(node, Beside(node, place))));
    } else if (leastFrom(node, w, place) < best) {
      best = std::min(best, passage(node, w, place).cost);
    }
  }
  return best;
}

float CostToGo::from(Point place, std::uint32_t left, std::uint32_t right) const {
  const std::uint32_t a = blocks_.of(left), b = blocks_.of(right);
  const float from_a = fromBlock(place, a);
  return a == b ? from_a : std::min(from_a, fromBlock(place, b));
}

}  // namespace throng::planning
