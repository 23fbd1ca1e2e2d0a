#include "import/walkable_surface_layers.h"

#include <cmath>
#include <numeric>
#include <queue>
#include <tuple>

namespace throng::import {
namespace {

/// Cells that hang together.
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

/// Cells of one plane that hang together: they go to the same layer, so that layers meet where the ground bends.
struct Patches {
  std::vector<std::uint32_t> of;     ///< per cell; kNone: left out
  std::vector<std::uint32_t> cells;  ///< by patch
  std::vector<std::uint32_t> first;  ///< per patch, into cells; one more at the end
  std::vector<double> area, height;  ///< m², m: of the lowest cell's centre

  Patches(const Cells& all, const std::vector<bool>& kept) : of(all.cells.size(), kNone) {
    for (std::uint32_t seed = 0; seed < of.size(); ++seed)
      if (kept[seed] && of[seed] == kNone) grow(all, seed);
    first.push_back(static_cast<std::uint32_t>(cells.size()));
  }

  std::size_t size() const { return area.size(); }

 private:
  void grow(const Cells& all, std::uint32_t seed) {
    constexpr double kSameSlope = 0.01, kNear = 0.01;  // m per m, m
    const auto id = static_cast<std::uint32_t>(area.size());
    const Plane& plane = all.faces->faces[all.cells[seed].face].plane;
    first.push_back(static_cast<std::uint32_t>(cells.size()));
    area.push_back(0), height.push_back(1e300);
    of[seed] = id, cells.push_back(seed);
    for (std::size_t k = first.back(); k < cells.size(); ++k) {
      const Cell& cell = all.cells[cells[k]];
      area[id] += all.area(cell);
      height[id] = std::min(height[id], all.heightAt(cell, all.centre(cell)));
      for (const std::uint32_t next : cell.link) {
        if (next == kNone || of[next] != kNone) continue;
        const Plane& other = all.faces->faces[all.cells[next].face].plane;
        const Point centre = all.centre(all.cells[next]);
        if (std::abs(other.dx - plane.dx) + std::abs(other.dy - plane.dy) > kSameSlope ||
            std::abs(other.at(centre) - plane.at(centre)) > kNear)
          continue;
        of[next] = id, cells.push_back(next);
      }
    }
  }
};

class Assignment {
 public:
  Assignment(const Cells& all, const Components& components, const Patches& patches, std::vector<std::uint32_t>& layer)
      : all_(all), components_(components), patches_(patches), layer_(layer), tried_(patches.size(), kNone) {}

  /// Returns the number of layers.
  std::uint32_t run() {
    std::vector<std::uint32_t> waiting(patches_.size());
    std::iota(waiting.begin(), waiting.end(), 0u);
    const auto component = [&](std::uint32_t p) { return components_.of[patches_.cells[patches_.first[p]]]; };
    std::sort(waiting.begin(), waiting.end(), [&](std::uint32_t p, std::uint32_t q) {
      const std::uint32_t c = component(p), d = component(q);
      return std::tuple(-components_.area[c], c, -patches_.area[p], p) <
             std::tuple(-components_.area[d], d, -patches_.area[q], q);
    });
    std::uint32_t layer = 0;
    for (; !waiting.empty(); ++layer) {
      for (const std::uint32_t seed : waiting)
        if (fits(seed, layer)) flood(seed, layer);
      std::erase_if(waiting, [&](std::uint32_t p) { return assigned(p); });
    }
    return layer;
  }

 private:
  bool assigned(std::uint32_t patch) const { return layer_[patches_.cells[patches_.first[patch]]] != kNone; }

  /// May a patch join a layer? Asked once: layers only grow.
  bool fits(std::uint32_t patch, std::uint32_t layer) {
    if (tried_[patch] == layer || assigned(patch)) return false;
    tried_[patch] = layer;
    for (std::uint32_t k = patches_.first[patch]; k < patches_.first[patch + 1]; ++k)
      if (!fitsCell(patches_.cells[k], layer)) return false;
    return true;
  }

  bool fitsCell(std::uint32_t id, std::uint32_t layer) const {
    const Cell& cell = all_.cells[id];
    const Triangulation& plan = *all_.plan;
    for (std::uint32_t o = all_.first[cell.triangle]; o < all_.first[cell.triangle + 1]; ++o)
      if (layer_[o] == layer) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t u = plan.triangles()[cell.triangle].n[i];
      if (u == kNone) continue;
      for (std::uint32_t o = all_.first[u]; o < all_.first[u + 1]; ++o) {
        if (layer_[o] != layer || o == cell.link[i]) continue;
        // What is connected over a side to another layer must have its own layer on one side only.
        if (cell.link[i] != kNone || all_.cells[o].link[plan.sideAcross(cell.triangle, i)] != kNone) return false;
        // Separate surfaces at different heights (a roof beside a street) are no floor in common.
        const Point middle = all_.middle(cell, i);
        if (components_.of[o] != components_.of[id] &&
            std::abs(all_.heightAt(cell, middle) - all_.heightAt(all_.cells[o], middle)) > all_.step)
          return false;
      }
    }
    return true;
  }

  /// Takes a patch and all that can be reached from it, the lowest first, as rising water would.
  void flood(std::uint32_t seed, std::uint32_t layer) {
    using Waiting = std::pair<double, std::uint32_t>;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> shore;
    shore.emplace(patches_.height[seed], seed);
    tried_[seed] = kNone;
    while (!shore.empty()) {
      const std::uint32_t patch = shore.top().second;
      shore.pop();
      if (!fits(patch, layer)) continue;
      for (std::uint32_t k = patches_.first[patch]; k < patches_.first[patch + 1]; ++k)
        layer_[patches_.cells[k]] = layer;
      for (std::uint32_t k = patches_.first[patch]; k < patches_.first[patch + 1]; ++k)
        for (const std::uint32_t next : all_.cells[patches_.cells[k]].link) {
          if (next == kNone || patches_.of[next] == patch) continue;
          const std::uint32_t other = patches_.of[next];
          if (tried_[other] != layer && !assigned(other)) shore.emplace(patches_.height[other], other);
        }
    }
  }

  const Cells& all_;
  const Components& components_;
  const Patches& patches_;
  std::vector<std::uint32_t>& layer_;
  std::vector<std::uint32_t> tried_;  ///< per patch: the last layer it was held against
};

}  // namespace

Layering::Layering(const Cells& cells, double least_area) : layer(cells.cells.size(), kNone) {
  const Components components(cells);
  std::vector<bool> kept(layer.size());
  for (std::size_t c = 0; c < layer.size(); ++c) kept[c] = components.area[components.of[c]] >= least_area;
  const Patches patches(cells, kept);
  layers = Assignment(cells, components, patches, layer).run();
  for (std::size_t c = 0; c < layer.size(); ++c) (kept[c] ? area : dropped_area) += cells.area(cells.cells[c]);
}

}  // namespace throng::import
