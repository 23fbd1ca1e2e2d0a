#include "import/walkable_surface_outlines.h"

#include <cmath>
#include <optional>

#include "geometry/polygons.h"
#include "geometry/predicates.h"

namespace throng::import {
namespace {

constexpr double kStraight = 0.001;  // m

std::uint64_t key(std::uint32_t layer, std::uint32_t vertex) { return std::uint64_t{layer} << 32 | vertex; }

}  // namespace

Outlines::Outlines(const Cells& cells, Layering& layering, double least_region, const base::Threads& threads)
    : cells_(cells), layer_(layering.layer), layer_count_(layering.layers) {
  findRegions();
  dropSmallRegions(layering, least_region);
  findWalls();
  findFixed();
  // Where straightening would make lines cross that are a hair's breadth apart they stay as they are.
  constexpr int kAttempts = 8;
  constexpr double kAround = 0.5;  // m
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    tolerance_ = attempt == kAttempts ? 0 : std::max(kStraight, 2 * cells.faces->grid.spacing);
    draw();
    if (tolerance_ == 0) break;
    const std::vector<Point> faults = findFaults(threads);
    if (faults.empty()) break;
    for (std::uint32_t v = 0; v < fixed_.size(); ++v)
      for (const Point fault : faults)
        if (lengthSquared(point(v) - fault) < kAround * kAround) fixed_[v] = true;
  }
}

/// The cell of the same layer on the other side, whether it can be stepped to or not.
std::uint32_t Outlines::acrossInLayer(std::uint32_t cell, std::size_t i) const {
  const std::uint32_t u = cells_.plan->triangles()[cells_.cells[cell].triangle].n[i];
  if (u == kNone) return kNone;
  for (std::uint32_t o = cells_.first[u]; o < cells_.first[u + 1]; ++o)
    if (layer_[o] == layer_[cell]) return o;
  return kNone;
}

void Outlines::findRegions() {
  region_.assign(layer_.size(), kNone);
  std::vector<std::uint32_t> stack;
  for (std::uint32_t seed = 0; seed < layer_.size(); ++seed) {
    if (layer_[seed] == kNone || region_[seed] != kNone) continue;
    const auto id = static_cast<std::uint32_t>(rings_.size());
    rings_.emplace_back().layer = layer_[seed];
    region_[seed] = id, stack.assign(1, seed);
    while (!stack.empty()) {
      const std::uint32_t cell = stack.back();
      stack.pop_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t next = acrossInLayer(cell, i);
        if (next != kNone && region_[next] == kNone) region_[next] = id, stack.push_back(next);
      }
    }
  }
}

/// Also those that are all rim.
void Outlines::dropSmallRegions(Layering& layering, double least_region) {
  std::vector<double> area(rings_.size(), 0), border(rings_.size(), 0);
  for (std::uint32_t c = 0; c < layer_.size(); ++c) {
    if (region_[c] == kNone) continue;
    const Cell& cell = cells_.cells[c];
    area[region_[c]] += cells_.area(cell);
    for (std::size_t i = 0; i < 3; ++i)
      if (acrossInLayer(c, i) == kNone)
        border[region_[c]] += length(cells_.corner(cell, (i + 1) % 3) - cells_.corner(cell, i));
  }
  for (std::uint32_t c = 0; c < layer_.size(); ++c) {
    const std::uint32_t region = region_[c];
    if (region == kNone || (area[region] > least_region && 2 * area[region] > kThin * border[region])) continue;
    const double lost = cells_.area(cells_.cells[c]);
    layering.area -= lost, layering.dropped_area += lost;
    layer_[c] = kNone;
  }
}

/// Sides within a layer that cannot be stepped over.
void Outlines::findWalls() {
  for (std::uint32_t c = 0; c < layer_.size(); ++c) {
    if (layer_[c] == kNone) continue;
    const auto& v = cells_.plan->triangles()[cells_.cells[c].triangle].v;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t o = acrossInLayer(c, i);
      if (o == kNone || o < c || o == cells_.cells[c].link[i]) continue;
      walls_.push_back({layer_[c], std::min(v[i], v[(i + 1) % 3]), std::max(v[i], v[(i + 1) % 3])});
    }
  }
  std::sort(walls_.begin(), walls_.end());
}

/// Vertices where a line ends, branches or becomes another kind of line. Those on lines where layers meet stay in both
/// layers, so that both straighten the same stretches.
void Outlines::findFixed() {
  struct End {
    std::uint64_t where;
    std::uint32_t kind;  ///< 0: a border begins, 1: one ends, 2: a wall
    std::uint32_t other;
    auto operator<=>(const End&) const = default;
  };
  std::vector<End> ends;
  for (const WallEdge& w : walls_)
    ends.push_back({key(w.layer, w.a), 2, kNone}), ends.push_back({key(w.layer, w.b), 2, kNone});
  for (std::uint32_t c = 0; c < layer_.size(); ++c) {
    if (layer_[c] == kNone) continue;
    const Cell& cell = cells_.cells[c];
    const auto& v = cells_.plan->triangles()[cell.triangle].v;
    for (std::size_t i = 0; i < 3; ++i) {
      if (acrossInLayer(c, i) != kNone) continue;
      const std::uint32_t other = cell.link[i] == kNone ? kNone : layer_[cell.link[i]];
      ends.push_back({key(layer_[c], v[i]), 0, other});
      ends.push_back({key(layer_[c], v[(i + 1) % 3]), 1, other});
    }
  }
  std::sort(ends.begin(), ends.end());
  fixed_.assign(cells_.plan->vertices(), false);
  for (std::size_t k = 0, end = 0; k < ends.size(); k = end) {
    bool meeting = false;
    for (end = k; end < ends.size() && ends[end].where == ends[k].where; ++end) meeting |= ends[end].other != kNone;
    const bool border =
        end - k == 2 && ends[k].kind == 0 && ends[k + 1].kind == 1 && ends[k].other == ends[k + 1].other;
    const bool wall = end - k == 2 && ends[k].kind == 2 && ends[k + 1].kind == 2;
    if (border || wall) continue;
    fixed_in_layer_.push_back(ends[k].where);
    if (meeting) fixed_[static_cast<std::uint32_t>(ends[k].where)] = true;
  }
}

bool Outlines::isFixed(std::uint32_t layer, std::uint32_t vertex) const {
  return fixed_[vertex] || std::binary_search(fixed_in_layer_.begin(), fixed_in_layer_.end(), key(layer, vertex));
}

void Outlines::draw() {
  layers_.assign(layer_count_, {});
  meetings_.clear();
  for (RegionRings& region : rings_) region.outer.clear(), region.holes.clear();
  std::vector<std::uint8_t> done(layer_.size(), 0);
  for (std::uint32_t c = 0; c < layer_.size(); ++c)
    for (std::size_t i = 0; i < 3 && layer_[c] != kNone; ++i)
      if (!(done[c] >> i & 1) && acrossInLayer(c, i) == kNone) drawRing(c, i, done);
  for (RegionRings& region : rings_) {
    std::vector<Polygon> polygons;
    for (Ring& ring : region.outer) polygons.push_back({std::move(ring), {}});
    for (Ring& hole : region.holes)
      for (Polygon& polygon : polygons)
        // There is one outer ring but where the region is no wider than a point.
        if (polygons.size() == 1 || geometry::contains(polygon.outer, hole.front())) {
          polygon.holes.push_back(std::move(hole));
          break;
        }
    auto& walkable = layers_[region.layer].walkable;
    for (Polygon& polygon : polygons) walkable.push_back(std::move(polygon));
  }
  drawWalls();
}

/// Follows the border of a layer from one side of a cell, keeping to the cells of the layer, until it closes. Where it
/// passes a vertex twice, what lies between becomes a ring of its own.
void Outlines::drawRing(std::uint32_t cell, std::size_t side, std::vector<std::uint8_t>& done) {
  const Triangulation& plan = *cells_.plan;
  const std::uint32_t layer = layer_[cell], region = region_[cell];
  std::vector<RingCorner> way;
  do {
    done[cell] = static_cast<std::uint8_t>(done[cell] | 1u << side);
    const std::uint32_t link = cells_.cells[cell].link[side];
    way.push_back({plan.triangles()[cells_.cells[cell].triangle].v[side], link == kNone ? kNone : layer_[link]});
    side = (side + 1) % 3;
    for (std::uint32_t next; (next = acrossInLayer(cell, side)) != kNone; cell = next)
      side = (plan.sideAcross(cells_.cells[cell].triangle, side) + 1) % 3;
  } while (!(done[cell] >> side & 1));

  std::vector<std::pair<std::uint32_t, std::size_t>> seen;  // vertex and its first place on the way
  for (std::size_t k = 0; k < way.size(); ++k) seen.emplace_back(way[k].vertex, k);
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end(), [](auto& s, auto& t) { return s.first == t.first; });
  if (twice == seen.end()) return addRing(layer, region, way);
  const auto idOf = [&](std::uint32_t vertex) {
    const auto found = std::lower_bound(seen.begin(), seen.end(), std::pair(vertex, std::size_t{0}));
    return static_cast<std::size_t>(found - seen.begin());
  };
  std::vector<RingCorner> open;
  std::vector<std::size_t> place(seen.size(), 0);  // per different vertex: one more than where it lies in `open`
  for (const RingCorner& corner : way) {
    const std::size_t id = idOf(corner.vertex);
    if (place[id] > 0) {
      const std::size_t from = place[id] - 1;
      addRing(layer, region, {open.begin() + static_cast<std::ptrdiff_t>(from), open.end()});
      for (std::size_t k = from; k < open.size(); ++k) place[idOf(open[k].vertex)] = 0;
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(from), open.end());
    }
    open.push_back(corner);
    place[id] = open.size();
  }
  addRing(layer, region, open);
}

void Outlines::addRing(std::uint32_t layer, std::uint32_t region, const std::vector<RingCorner>& corners) {
  const std::size_t n = corners.size();
  if (n < 3) return;
  std::vector<std::size_t> fixed;
  for (std::size_t k = 0; k < n; ++k)
    if (isFixed(layer, corners[k].vertex)) fixed.push_back(k);
  const auto less = [&](std::size_t s, std::size_t t) { return corners[s].vertex < corners[t].vertex; };
  if (fixed.empty()) {
    std::size_t first = 0;
    for (std::size_t k = 1; k < n; ++k)
      if (less(k, first)) first = k;
    fixed.push_back(first);
  }
  if (fixed.size() == 1) {
    const Point from = point(corners[fixed[0]].vertex);
    std::size_t farthest = fixed[0];
    double distance = -1;
    for (std::size_t k = 0; k < n; ++k) {
      const double d = lengthSquared(point(corners[k].vertex) - from);
      if (d > distance || (d == distance && less(k, farthest))) distance = d, farthest = k;
    }
    fixed.push_back(farthest);
    std::sort(fixed.begin(), fixed.end());
  }
  Ring ring;
  std::vector<MeetingLine> meetings;
  for (std::size_t f = 0; f < fixed.size(); ++f) {
    Chain chain;
    const std::size_t end = f + 1 < fixed.size() ? fixed[f + 1] : fixed[0] + n;
    for (std::size_t k = fixed[f]; k <= end; ++k) chain.push_back(corners[k % n].vertex);
    chain = straightened(std::move(chain));
    const std::uint32_t other = corners[fixed[f]].other;
    for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
      ring.push_back(point(chain[k]));
      if (other != kNone && layer < other) meetings.push_back({layer, other, {point(chain[k]), point(chain[k + 1])}});
    }
  }
  if (ring.size() < 3) return;
  const double area = geometry::signedArea(ring);
  if (area == 0) return;
  (area > 0 ? rings_[region].outer : rings_[region].holes).push_back(std::move(ring));
  meetings_.insert(meetings_.end(), meetings.begin(), meetings.end());
}

/// Without the vertices that lie on the line between others (Douglas & Peucker 1973); the same from both ends.
Outlines::Chain Outlines::straightened(Chain chain) const {
  const bool turned = chain.front() > chain.back();
  if (turned) std::reverse(chain.begin(), chain.end());
  std::vector<bool> keep(chain.size(), false);
  keep.front() = keep.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> spans{{0, chain.size() - 1}};
  const double tolerance = std::max(tolerance_, 1e-9);
  while (!spans.empty()) {
    const auto [from, to] = spans.back();
    spans.pop_back();
    double farthest = tolerance;
    std::size_t at = from;
    for (std::size_t k = from + 1; k < to; ++k) {
      const double d = geometry::distanceToSegment(point(chain[k]), point(chain[from]), point(chain[to]));
      if (d > farthest) farthest = d, at = k;
    }
    if (at == from) continue;
    keep[at] = true;
    spans.emplace_back(from, at), spans.emplace_back(at, to);
  }
  Chain result;
  for (std::size_t k = 0; k < chain.size(); ++k)
    if (keep[k]) result.push_back(chain[k]);
  if (turned) std::reverse(result.begin(), result.end());
  return result;
}

/// Edges of walls joined to lines between fixed vertices.
void Outlines::drawWalls() {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> at;  // layer and vertex, wall
  for (std::uint32_t w = 0; w < walls_.size(); ++w) {
    at.emplace_back(key(walls_[w].layer, walls_[w].a), w);
    at.emplace_back(key(walls_[w].layer, walls_[w].b), w);
  }
  std::sort(at.begin(), at.end());
  std::vector<bool> done(walls_.size(), false);
  const auto follow = [&](std::uint32_t wall, std::uint32_t from) {
    const std::uint32_t layer = walls_[wall].layer;
    Chain chain{from};
    for (std::uint32_t w = wall; w != kNone;) {
      done[w] = true;
      chain.push_back(walls_[w].a == chain.back() ? walls_[w].b : walls_[w].a);
      w = kNone;
      if (isFixed(layer, chain.back())) break;
      const std::uint64_t here = key(layer, chain.back());
      for (auto k = std::lower_bound(at.begin(), at.end(), std::pair(here, std::uint32_t{0}));
           k != at.end() && k->first == here; ++k)
        if (!done[k->second]) w = k->second;
    }
    if (chain.front() == chain.back()) {  // around: two lines
      const auto middle = chain.begin() + static_cast<std::ptrdiff_t>(chain.size() / 2);
      Chain back(middle, chain.end());
      chain.erase(middle + 1, chain.end());
      chain = straightened(std::move(chain)), back = straightened(std::move(back));
      chain.insert(chain.end(), back.begin() + 1, back.end());
    } else {
      chain = straightened(std::move(chain));
    }
    Polyline line;
    for (const std::uint32_t v : chain) line.points.push_back(point(v));
    layers_[layer].walls.push_back(std::move(line));
  };
  for (std::uint32_t w = 0; w < walls_.size(); ++w)
    for (const std::uint32_t v : {walls_[w].a, walls_[w].b})
      if (!done[w] && isFixed(walls_[w].layer, v)) follow(w, v);
  for (std::uint32_t w = 0; w < walls_.size(); ++w)
    if (!done[w]) follow(w, walls_[w].a);
}

/// Where polygons are not valid.
std::vector<Point> Outlines::findFaults(const base::Threads& threads) const {
  std::vector<const Polygon*> polygons;
  for (const LayerOutline& layer : layers_)
    for (const Polygon& polygon : layer.walkable) polygons.push_back(&polygon);
  std::vector<std::optional<Point>> fault(polygons.size());
  threads.forEach(polygons.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      if (const auto problem = geometry::validity(*polygons[k]))
        fault[k] = problem->at.value_or(polygons[k]->outer.front());
  });
  std::vector<Point> faults;
  for (const auto& f : fault)
    if (f) faults.push_back(*f);
  return faults;
}

}  // namespace throng::import
