#include "import/walkable_surface_layers.h"

#include <cmath>
#include <set>
#include <tuple>

#include "import/walkable_surface_blocks.h"

namespace throng::import {
namespace {

/// Cells that are connected.
struct Components {
  std::vector<std::uint32_t> of;  ///< per cell
  std::vector<double> area;       ///< m²

  explicit Components(const Cells& all) : of(all.cells.size(), kNone) {
    std::vector<std::uint32_t> stack;
    for (std::uint32_t seed = 0; seed < of.size(); ++seed) {
      if (of[seed] != kNone) continue;
      const auto id = static_cast<std::uint32_t>(area.size());
      area.push_back(0);
      of[seed] = id, stack.assign(1, seed);
      while (!stack.empty()) {
        const Cell& cell = all.cells[stack.back()];
        stack.pop_back();
        area[id] += all.area(cell);
        for (const std::uint32_t next : cell.link)
          if (next != kNone && of[next] == kNone) of[next] = id, stack.push_back(next);
      }
    }
  }
};

/// Pairs of blocks that were met already. Under hundreds of storeys every pair is met in thousands of cells.
class MetPairs {
 public:
  /// True the first time.
  bool insert(std::uint32_t a, std::uint32_t b) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = slots_[find(std::uint64_t{a} << 32 | b)];
    if (slot != kFree) return false;
    slot = std::uint64_t{a} << 32 | b;
    ++used_;
    return true;
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  std::size_t find(std::uint64_t pair) const {
    std::size_t at = (pair * 0x9e3779b97f4a7c15ULL >> 20) & (slots_.size() - 1);
    while (slots_[at] != kFree && slots_[at] != pair) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<std::uint64_t> old(slots_.empty() ? 1024 : 2 * slots_.size(), kFree);
    old.swap(slots_);
    for (const std::uint64_t pair : old)
      if (pair != kFree) slots_[find(pair)] = pair;
  }

  std::vector<std::uint64_t> slots_;
  std::size_t used_ = 0;
};

/// Blocks put together to clusters that do not lie above themselves, the widest passages first, so that what has to be
/// cut is cut at narrow places (as Kruskal 1956 puts a tree together). Then clusters get the lowest layer that is free.
class Assignment {
 public:
  Assignment(const Cells& all, const Components& components, const Blocks& blocks)
      : all_(all), components_(components), blocks_(blocks), clusters_(blocks.size()) {
    for (std::uint32_t c = 0; c < all.cells.size(); ++c)
      if (blocks.of[c] != kNone) findConflicts(c);
  }

  /// Fills the layers of the cells and returns the number of layers.
  std::uint32_t run(std::vector<std::uint32_t>& layer) {
    for (const Passage& p : passages()) clusters_.join(p.a, p.b);
    std::vector<double> area(blocks_.size(), 0);
    std::vector<std::uint32_t> order;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      area[clusters_.rootOf(b)] += blocks_.area[b];
      if (clusters_.rootOf(b) == b) order.push_back(b);
    }
    const auto rank = [&](std::uint32_t b) {
      const std::uint32_t component = components_.of[blocks_.cells[blocks_.first[b]]];
      constexpr double kAlike = 0.1;  // m²; of storeys of one size the lower comes first
      const auto whole = [](double square_metres) { return -std::llround(square_metres / kAlike); };
      return std::tuple(whole(components_.area[component]), component, whole(area[b]), blocks_.height[b], b);
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t p, std::uint32_t q) { return rank(p) < rank(q); });
    std::vector<std::uint32_t> layer_of(blocks_.size(), kNone);
    std::uint32_t layers = 0;
    std::set<std::uint32_t> taken;
    for (const std::uint32_t b : order) {
      taken.clear();
      for (const std::uint32_t other : clusters_.against(b))
        if (layer_of[other] != kNone) taken.insert(layer_of[other]);
      layer_of[b] = 0;
      for (auto k = taken.begin(); k != taken.end() && *k == layer_of[b]; ++k) ++layer_of[b];
      layers = std::max(layers, layer_of[b] + 1);
    }
    for (std::uint32_t c = 0; c < layer.size(); ++c)
      if (blocks_.of[c] != kNone) layer[c] = layer_of[clusters_.rootOf(blocks_.of[c])];
    return layers;
  }

 private:
  /// Where one can step from block to block.
  struct Passage {
    std::uint32_t a, b;
    double width;  ///< m
  };

  void oppose(std::uint32_t c, std::uint32_t d) {
    const std::uint32_t a = blocks_.of[c], b = blocks_.of[d];
    if (a != b && b != kNone && met_.insert(std::min(a, b), std::max(a, b))) clusters_.oppose(a, b);
  }

  void findConflicts(std::uint32_t id) {
    const Cell& cell = all_.cells[id];
    const Triangulation& plan = *all_.plan;
    for (std::uint32_t o = id + 1; o < all_.first[cell.triangle + 1]; ++o) oppose(id, o);
    for (std::size_t i = 0; i < 3; ++i) {
      if (blocks_.gates.gate(id, i)) keepGateClear(id, i);
      const std::uint32_t u = plan.triangles()[cell.triangle].n[i];
      if (u == kNone || u < cell.triangle) continue;
      for (std::uint32_t o = all_.first[u]; o < all_.first[u + 1]; ++o) {
        if (o == cell.link[i] || blocks_.of[o] == kNone) continue;
        const Point middle = all_.middle(cell, i);
        // What is connected over a side to another layer must have its own layer on one side only; and separate
        // surfaces at different heights (a roof beside a street) are no floor in common.
        if (cell.link[i] != kNone || all_.cells[o].link[plan.sideAcross(cell.triangle, i)] != kNone ||
            (components_.of[o] != components_.of[id] &&
             std::abs(all_.heightAt(cell, middle) - all_.heightAt(all_.cells[o], middle)) > all_.step))
          oppose(id, o);
      }
    }
  }

  /// On either side of a cut there is one layer, and at its ends nothing else of it.
  void keepGateClear(std::uint32_t id, std::size_t i) {
    const Cell& cell = all_.cells[id];
    oppose(id, cell.link[i]);
    const auto& v = all_.plan->triangles()[cell.triangle].v;
    for (const std::uint32_t end : {v[i], v[(i + 1) % 3]})
      all_.plan->around(end, [&](std::uint32_t t) {
        for (std::uint32_t o = all_.first[t]; o < all_.first[t + 1]; ++o) oppose(id, o);
      });
  }

  /// From wide to narrow and from low to high.
  std::vector<Passage> passages() const {
    std::vector<Passage> list;
    for (std::uint32_t c = 0; c < all_.cells.size(); ++c)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t other = all_.cells[c].link[i];
        if (other == kNone || other < c || blocks_.of[c] == kNone || blocks_.of[c] == blocks_.of[other]) continue;
        const auto [a, b] = std::minmax(blocks_.of[c], blocks_.of[other]);
        const Point side = all_.corner(all_.cells[c], (i + 1) % 3) - all_.corner(all_.cells[c], i);
        list.push_back({a, b, length(side)});
      }
    std::stable_sort(list.begin(), list.end(),
                     [](const Passage& s, const Passage& t) { return std::tie(s.a, s.b) < std::tie(t.a, t.b); });
    std::size_t n = 0;
    for (const Passage& p : list) {
      if (n > 0 && list[n - 1].a == p.a && list[n - 1].b == p.b)
        list[n - 1].width += p.width;
      else
        list[n++] = p;
    }
    list.resize(n);
    const auto rank = [&](const Passage& p) {
      constexpr double kAlike = 0.05;  // m
      return std::tuple(-std::floor(p.width / kAlike), std::max(blocks_.height[p.a], blocks_.height[p.b]), p.a, p.b);
    };
    std::sort(list.begin(), list.end(), [&](const Passage& s, const Passage& t) { return rank(s) < rank(t); });
    return list;
  }

  const Cells& all_;
  const Components& components_;
  const Blocks& blocks_;
  MetPairs met_;
  Clusters clusters_;  ///< blocks against those they lie above, or must not be with
};

/// Per component: is one of the seeds there? All are wanted where there is none, or none of them is on any surface.
std::vector<bool> withSeeds(const Cells& all, const Components& components, const std::vector<SurfaceSeed>& seeds) {
  std::vector<bool> wanted(components.area.size(), false);
  bool some = false;
  for (const SurfaceSeed& seed : seeds) {
    std::uint32_t nearest = kNone;
    double least = INFINITY;
    for (std::uint32_t c = 0; c < all.cells.size(); ++c) {
      const Cell& cell = all.cells[c];
      bool inside = true;
      for (std::size_t i = 0; i < 3 && inside; ++i) {
        const Point a = all.corner(cell, i);
        inside = det(all.corner(cell, (i + 1) % 3) - a, seed.at - a) >= 0;
      }
      if (!inside) continue;
      some = true;
      const double off = seed.z ? std::abs(all.heightAt(cell, seed.at) - *seed.z) : 0;
      if (!seed.z) wanted[components.of[c]] = true;
      if (off < least) least = off, nearest = c;
    }
    if (nearest != kNone) wanted[components.of[nearest]] = true;
  }
  if (!some) wanted.assign(wanted.size(), true);
  return wanted;
}

}  // namespace

std::vector<bool> keptCells(const Cells& cells, double least_area, const std::vector<SurfaceSeed>& seeds) {
  const Components components(cells);
  const std::vector<bool> wanted = withSeeds(cells, components, seeds);
  std::vector<bool> kept(cells.cells.size());
  for (std::size_t c = 0; c < kept.size(); ++c)
    kept[c] = wanted[components.of[c]] && components.area[components.of[c]] >= least_area;
  return kept;
}

Layering::Layering(const Cells& cells, const PlanGraph& graph, const std::vector<Cut>& cuts,
                   const std::vector<bool>& kept)
    : layer(cells.cells.size(), kNone) {
  const Blocks blocks(cells, graph, cuts, kept);
  layers = Assignment(cells, Components(cells), blocks).run(layer);
  for (std::size_t c = 0; c < layer.size(); ++c) (kept[c] ? area : dropped_area) += cells.area(cells.cells[c]);
}

}  // namespace throng::import
