#include "import/walkable_surface_gaps.h"

#include <cmath>
#include <fmt/format.h>

namespace throng::import {
namespace {

class Gaps {
 public:
  Gaps(const Cells& cells, const std::vector<std::uint32_t>& layer, const Walkability& w)
      : all_(cells), layer_(layer), w_(w), of_(layer.size(), kNone) {
    for (std::uint32_t seed = 0; seed < of_.size(); ++seed)
      if (layer_[seed] != kNone && of_[seed] == kNone) addSurface(seed);
  }

  std::vector<SeparateSurface> run() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t s = 0; s < area_.size(); ++s) order.push_back(s);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t s, std::uint32_t t) { return area_[s] > area_[t]; });
    std::vector<SeparateSurface> list;
    for (std::size_t k = 1; k < order.size(); ++k) {
      const std::uint32_t s = order[k];
      SeparateSurface found = describe(s);
      found.reason = reasonFor(s);
      list.push_back(std::move(found));
    }
    return list;
  }

 private:
  void addSurface(std::uint32_t seed) {
    const auto id = static_cast<std::uint32_t>(area_.size());
    std::vector<std::uint32_t>& cells = cells_.emplace_back(1, seed);
    double area = 0;
    of_[seed] = id;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const Cell& cell = all_.cells[cells[k]];
      area += all_.area(cell);
      for (const std::uint32_t next : cell.link)
        if (next != kNone && layer_[next] != kNone && of_[next] == kNone) of_[next] = id, cells.push_back(next);
    }
    area_.push_back(area);
  }

  SeparateSurface describe(std::uint32_t s) const {
    SeparateSurface found;
    found.area = area_[s];
    std::vector<std::pair<std::uint32_t, double>> shares;
    for (const std::uint32_t c : cells_[s]) {
      const double area = all_.area(all_.cells[c]);
      found.height += area / area_[s] * all_.heightAt(all_.cells[c], all_.centre(all_.cells[c]));
      shares.emplace_back(layer_[c], area);
    }
    std::sort(shares.begin(), shares.end());
    double most = -1, sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      sum = k > 0 && shares[k].first == shares[k - 1].first ? sum + shares[k].second : shares[k].second;
      if (sum > most) most = sum, found.layer = shares[k].first;
    }
    return found;
  }

  /// The least difference of height to another surface beside it, and whether steep ground begins at its border.
  std::string reasonFor(std::uint32_t s) const {
    double least = 1.5;  // m; what is higher is nothing that was meant to be stepped over
    Point at, steep_at;
    bool steep = false;
    for (const std::uint32_t c : cells_[s])
      for (std::size_t i = 0; i < 3; ++i) {
        const Cell& cell = all_.cells[c];
        const std::uint32_t u = all_.plan->triangles()[cell.triangle].n[i];
        if (u == kNone || cell.link[i] != kNone) continue;
        const Point middle = all_.middle(cell, i);
        const double height = all_.heightAt(cell, middle);
        for (std::uint32_t o = all_.first[u]; o < all_.first[u + 1]; ++o) {
          const double rise = std::abs(all_.heightAt(all_.cells[o], middle) - height);
          if (of_[o] != kNone && of_[o] != s && rise < least) least = rise, at = middle;
        }
        if (!steep && steepAt(all_.plan->triangles()[u], height)) steep = true, steep_at = middle;
      }
    if (least <= all_.step) return fmt::format("a wall stands in between at ({:.2f}, {:.2f})", at.x, at.y);
    if (steep)
      return fmt::format("what leads there is steeper than {} degrees at ({:.2f}, {:.2f})", w_.max_slope, steep_at.x,
                         steep_at.y);
    if (least < 1.5)
      return fmt::format(
          "the lowest step to it is {:.2f} m high at ({:.2f}, {:.2f}), and those up to {} m are walked over", least,
          at.x, at.y, w_.step_height);
    return "nothing leads there";
  }

  /// Does ground that is too steep go on at this height in a triangle of the plan?
  bool steepAt(const Triangulation::Triangle& t, double height) const {
    if (all_.plan->outside(t)) return false;
    std::array<Spot, 3> v{all_.plan->spot(t.v[0]), all_.plan->spot(t.v[1]), all_.plan->spot(t.v[2])};
    const Spot middle{(v[0].x / 3 + v[1].x / 3 + v[2].x / 3), (v[0].y / 3 + v[1].y / 3 + v[2].y / 3)};
    bool found = false;
    all_.faces->index.query(SpotBox{middle, middle}, [&](std::uint32_t id) {
      const Face& face = all_.faces->faces[id];
      if (face.kind != Face::Kind::kSolid) return;
      bool inside = true;
      for (std::size_t i = 0; i < 3; ++i)
        inside = inside && cross(face.corner[i], face.corner[(i + 1) % 3], middle) >= 0;
      constexpr double kWallSlope = 4;  // m per m: what is steeper is a wall, and was never meant to be walked on
      const double slope = std::hypot(face.plane.dx, face.plane.dy);
      found =
          found || (inside && slope < kWallSlope && face.low < height + all_.step && face.high > height - all_.step);
    });
    return found;
  }

  const Cells& all_;
  const std::vector<std::uint32_t>& layer_;
  const Walkability& w_;
  std::vector<std::uint32_t> of_;  ///< per cell: its surface
  std::vector<double> area_;
  std::vector<std::vector<std::uint32_t>> cells_;
};

}  // namespace

std::vector<SeparateSurface> separateSurfaces(const Cells& cells, const std::vector<std::uint32_t>& layer,
                                              const Walkability& walkability) {
  return Gaps(cells, layer, walkability).run();
}

}  // namespace throng::import
