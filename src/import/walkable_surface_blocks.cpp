#include "import/walkable_surface_blocks.h"

#include <cmath>

namespace throng::import {
namespace {

constexpr double kNarrowest = 0.4, kStraight = 1e-3;  // m

bool alike(const Plane& s, const Plane& t, Point at) {
  constexpr double kSameSlope = 0.01, kNear = 0.01;  // m per m, m
  return std::abs(s.dx - t.dx) + std::abs(s.dy - t.dy) <= kSameSlope && std::abs(s.at(at) - t.at(at)) <= kNear;
}

}  // namespace

Gates::Gates(const Cells& cells) : all_(cells), walled_(cells.cells.size(), 0), gate_(cells.cells.size(), 0) {
  for (std::uint32_t c = 0; c < all_.cells.size(); ++c)
    for (std::size_t k = 0; k < 3; ++k)
      if (atWall(c, k)) walled_[c] = static_cast<std::uint8_t>(walled_[c] | 1u << k);
  // First where one plane of the ground ends and another begins; then on other lines of the plan, which has edges of
  // everything above and below, too, where they do not cross those.
  for (const Kind kind : {Kind::kBend, Kind::kLine})
    for (std::uint32_t c = 0; c < all_.cells.size(); ++c)
      for (std::size_t i = 0; i < 3; ++i)
        if (is({c, i}, kind) && (walled_[c] >> i & 1)) follow(c, i, kind);
}

Spot Gates::spot(Side s, std::size_t end) const {
  return all_.plan->spot(all_.plan->triangles()[all_.cells[s.cell].triangle].v[(s.side + end) % 3]);
}
/// The next side around the vertex where this one begins, clockwise; its cell is kNone behind a wall.
Gates::Side Gates::around(Side s) const {
  const Cell& cell = all_.cells[s.cell];
  if (cell.link[s.side] == kNone) return {kNone, 0};
  return {cell.link[s.side], (all_.plan->sideAcross(cell.triangle, s.side) + 1) % 3};
}

void Gates::remove(std::uint32_t cell, std::size_t side) {
  const Cell& c = all_.cells[cell];
  gate_[cell] = static_cast<std::uint8_t>(gate_[cell] & ~(1u << side));
  if (c.link[side] == kNone) return;
  std::uint8_t& other = gate_[c.link[side]];
  other = static_cast<std::uint8_t>(other & ~(1u << all_.plan->sideAcross(c.triangle, side)));
}

/// Is there a wall at corner k, on the surface of the cell?
bool Gates::atWall(std::uint32_t cell, std::size_t k) const {
  Side s = around({cell, k});
  while (s.cell != kNone && s.cell != cell) s = around(s);
  return s.cell == kNone;
}

/// From a wall along a side, and straight on while edges go on, to another wall.
void Gates::follow(std::uint32_t cell, std::size_t side, Kind kind) {
  chain_.assign(1, {cell, side});
  const Spot from = spot(chain_[0], 0);
  while (!(walled_[chain_.back().cell] >> (chain_.back().side + 1) % 3 & 1)) {
    const Side last = chain_.back();
    if (!is(last, kind)) return;
    const Side start{last.cell, (last.side + 1) % 3};
    Side s = start;
    while (!(is(s, kind) && goesOn(from, spot(s, 1)))) {
      s = around(s);
      if (s.cell == start.cell || s.cell == kNone) return;
    }
    chain_.push_back(s);
  }
  const Point length = all_.faces->grid.point(spot(chain_.back(), 1)) - all_.faces->grid.point(from);
  if (throng::length(length) < kNarrowest || (kind == Kind::kLine && crossesGates())) return;
  for (const Side s : chain_) {
    gate_[s.cell] = static_cast<std::uint8_t>(gate_[s.cell] | 1u << s.side);
    const Cell& c = all_.cells[s.cell];
    if (c.link[s.side] == kNone) continue;
    const std::size_t across = all_.plan->sideAcross(c.triangle, s.side);
    gate_[c.link[s.side]] = static_cast<std::uint8_t>(gate_[c.link[s.side]] | 1u << across);
  }
}

/// An edge of the plan that one can step over and, for a bend, at which one plane of the ground ends and another
/// begins.
bool Gates::is(Side s, Kind kind) const {
  const Cell& cell = all_.cells[s.cell];
  if (cell.link[s.side] == kNone || !(all_.plan->triangles()[cell.triangle].fixed >> s.side & 1)) return false;
  const Cell& other = all_.cells[cell.link[s.side]];
  const auto& faces = all_.faces->faces;
  return kind == Kind::kLine || !alike(faces[cell.face].plane, faces[other.face].plane, all_.middle(cell, s.side));
}

/// Is a gate met at a corner of the chain between its ends?
bool Gates::crossesGates() const {
  for (std::size_t k = 0; k + 1 < chain_.size(); ++k) {
    const Side start{chain_[k].cell, (chain_[k].side + 1) % 3};
    Side s = start;
    do {
      if (gate(s.cell, s.side)) return true;
      s = around(s);
    } while (s.cell != kNone && s.cell != start.cell);
  }
  return false;
}

/// Do all corners of the chain lie on the line to a place beyond them?
bool Gates::goesOn(Spot from, Spot to) const {
  const PlanGrid& grid = all_.faces->grid;
  const Point line = grid.point(to) - grid.point(from), along = normalized(line);
  double reached = 0;
  for (const Side s : chain_) {
    const Point corner = grid.point(spot(s, 1)) - grid.point(from);
    if (std::abs(det(along, corner)) > kStraight || dot(along, corner) <= reached) return false;
    reached = dot(along, corner);
  }
  return dot(along, line) > reached;
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

/// Gates from a block to a place above or below which the block itself goes on lead nowhere: it could be on neither
/// side of them alone. True when there were some.
bool Blocks::dropUselessGates(const Cells& all) {
  bool some = false;
  for (std::uint32_t c = 0; c < of.size(); ++c) {
    const Cell& cell = all.cells[c];
    for (std::size_t i = 0; i < 3 && of[c] != kNone; ++i) {
      const std::uint32_t link = cell.link[i];
      if (link == kNone || of[link] == of[c] || !gates.gate(c, i)) continue;
      const std::uint32_t u = all.cells[link].triangle;
      for (std::uint32_t o = all.first[u]; o < all.first[u + 1]; ++o)
        if (o != link && of[o] == of[c]) gates.remove(c, i), some = true;
    }
  }
  return some;
}

Blocks::Blocks(const Cells& all, const std::vector<bool>& kept) : gates(all) {
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    of.assign(all.cells.size(), kNone);
    for (std::uint32_t seed = 0; seed < of.size(); ++seed)
      if (kept[seed] && of[seed] == kNone)
        grow(all, seed, [&](std::uint32_t c, std::size_t i, std::uint32_t) { return !gates.gate(c, i); });
    cells.clear(), first.clear(), area.clear(), height.clear();
    if (!dropUselessGates(all)) break;
  }
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
