#include "import/walkable_surface_blocks.h"

#include <cmath>
#include <tuple>

namespace throng::import {
namespace {

bool alike(const Plane& s, const Plane& t, Point at) {
  constexpr double kSameSlope = 0.01, kNear = 0.01;  // m per m, m
  return std::abs(s.dx - t.dx) + std::abs(s.dy - t.dy) <= kSameSlope && std::abs(s.at(at) - t.at(at)) <= kNear;
}

}  // namespace

std::vector<Gates::Side> Gates::sidesOn(const PlanGraph& graph, const std::vector<Cut>& cuts) const {
  std::vector<Side> sides;
  const PlanGrid& grid = all_.faces->grid;
  for (std::uint32_t c = 0; c < all_.cells.size() && !cuts.empty(); ++c)
    for (std::size_t i = 0; i < 3; ++i) {
      const Cell& cell = all_.cells[c];
      const Triangulation::Triangle& t = all_.plan->triangles()[cell.triangle];
      if (cell.link[i] == kNone || cell.link[i] < c || !(t.fixed >> i & 1)) continue;
      const auto [low, high] = std::minmax(t.v[i], t.v[(i + 1) % 3]);
      const PlanGraph::Edge edge{low, high};
      auto k = std::lower_bound(graph.cuts.begin(), graph.cuts.end(), std::pair(edge, std::uint32_t{0}));
      for (; k != graph.cuts.end() && k->first == edge; ++k) {
        const Cut& cut = cuts[k->second];
        const Point start = grid.point(cut.a), along = normalized(grid.point(cut.b) - start);
        Point p = all_.corner(cell, i), q = all_.corner(cell, (i + 1) % 3);
        if (dot(along, q - p) < 0) std::swap(p, q);
        sides.push_back({k->second, dot(along, p - start), c, i, all_.heightAt(cell, p), all_.heightAt(cell, q)});
      }
    }
  std::sort(sides.begin(), sides.end(), [](const Side& s, const Side& t) {
    return std::tie(s.cut, s.along, s.cell, s.side) < std::tie(t.cut, t.along, t.cell, t.side);
  });
  return sides;
}

void Gates::mark(const Side& s) {
  const Cell& c = all_.cells[s.cell];
  gate_[s.cell] = static_cast<std::uint8_t>(gate_[s.cell] | 1u << s.side);
  std::uint8_t& other = gate_[c.link[s.side]];
  other = static_cast<std::uint8_t>(other | 1u << all_.plan->sideAcross(c.triangle, s.side));
}

/// Along each cut, on the surface that it was made for: other storeys may lie above and below it.
Gates::Gates(const Cells& cells, const PlanGraph& graph, const std::vector<Cut>& cuts)
    : all_(cells), gate_(cells.cells.size(), 0) {
  const std::vector<Side> sides = sidesOn(graph, cuts);
  for (std::size_t k = 0, end = 0; k < sides.size(); k = end) {
    const std::uint32_t cut = sides[k].cut;
    double height = cuts[cut].height;
    for (end = k; end < sides.size() && sides[end].cut == cut;) {
      const std::size_t begin = end;
      const Side* nearest = nullptr;
      for (; end < sides.size() && sides[end].cut == cut && sides[end].along == sides[begin].along; ++end)
        if (!nearest || std::abs(sides[end].from - height) < std::abs(nearest->from - height)) nearest = &sides[end];
      // Where the way of the cut crosses a step, it goes on a step higher or lower.
      if (std::abs(nearest->from - height) > 2 * all_.step + 0.01) continue;
      mark(*nearest);
      height = nearest->to;
    }
  }
}

template <class MayCross>
void Blocks::grow(const Cells& all, std::uint32_t seed, const MayCross& may_cross) {
  const auto id = static_cast<std::uint32_t>(area.size());
  first.push_back(static_cast<std::uint32_t>(cells.size()));
  area.push_back(0), height.push_back(1e300);
  of[seed] = id, cells.push_back(seed);
  for (std::size_t k = first.back(); k < cells.size(); ++k) {
    const std::uint32_t c = cells[k];
    const Cell& cell = all.cells[c];
    area[id] += all.area(cell);
    height[id] = std::min(height[id], all.heightAt(cell, all.centre(cell)));
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t next = cell.link[i];
      if (next == kNone || of[next] != kNone || !may_cross(c, i, next)) continue;
      of[next] = id, cells.push_back(next);
    }
  }
}

/// Two cells of the block one above the other, or a way out to a place above or below which the block goes on.
bool Blocks::aboveItself(const Cells& all, std::uint32_t block) const {
  const auto leaves = [&](std::uint32_t link) { return link != kNone && of[link] != block; };
  for (std::size_t k = first[block]; k < cells.size(); ++k) {
    const Cell& cell = all.cells[cells[k]];
    for (std::uint32_t o = all.first[cell.triangle]; o < all.first[cell.triangle + 1]; ++o)
      if (of[o] == block && o != cells[k]) return true;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t u = all.plan->triangles()[cell.triangle].n[i];
      if (u == kNone) continue;
      for (std::uint32_t o = all.first[u]; o < all.first[u + 1]; ++o)
        if (of[o] == block && o != cell.link[i] &&
            (leaves(cell.link[i]) || leaves(all.cells[o].link[all.plan->sideAcross(cell.triangle, i)])))
          return true;
    }
  }
  return false;
}

Blocks::Blocks(const Cells& all, const PlanGraph& graph, const std::vector<Cut>& cuts, const std::vector<bool>& kept)
    : gates(all, graph, cuts) {
  of.assign(all.cells.size(), kNone);
  for (std::uint32_t seed = 0; seed < of.size(); ++seed) {
    if (!kept[seed] || of[seed] != kNone) continue;
    grow(all, seed, [&](std::uint32_t c, std::size_t i, std::uint32_t) { return !gates.gate(c, i); });
    if (!aboveItself(all, static_cast<std::uint32_t>(area.size() - 1))) continue;
    // Nothing but planes is sure to be all right.
    const std::vector<std::uint32_t> whole(cells.begin() + first.back(), cells.end());
    for (const std::uint32_t c : whole) of[c] = kNone;
    cells.resize(first.back()), first.pop_back(), area.pop_back(), height.pop_back();
    for (const std::uint32_t c : whole) {
      if (of[c] != kNone) continue;
      const Plane& plane = all.faces->faces[all.cells[c].face].plane;
      grow(all, c, [&](std::uint32_t d, std::size_t i, std::uint32_t next) {
        return !gates.gate(d, i) &&
               alike(plane, all.faces->faces[all.cells[next].face].plane, all.centre(all.cells[next]));
      });
    }
  }
  first.push_back(static_cast<std::uint32_t>(cells.size()));
}

}  // namespace throng::import
