#include "agents/link_zones.h"

#include <algorithm>
#include <cmath>

namespace throng::agents {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
// In place of a zone while homes are sought: near a link. So there are no more zones than this; people at yet other
// links would see their own layer only.
constexpr std::uint16_t kNear = 0xffff;
constexpr std::size_t kGrain = 8192;
// A coarse grid has at most this many cells along each side, fewer for few boxes.
constexpr double kMostCells = 48;
// Neighbours are compared with their range in 32-bit floats; a hair more loses none of them to rounding.
constexpr double kHair = 1.0001;

// Whoever is exactly on the line is on both sides of it.
bool isAt(const Link& link, Point p, double range) {
  const double dx = link.line.b.x - link.line.a.x, dy = link.line.b.y - link.line.a.y;
  const double px = p.x - link.line.a.x, py = p.y - link.line.a.y;
  const double side = dx * py - dy * px;
  if (link.left ? side < 0 : side > 0) return false;
  const double t = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  const double ex = px - t * dx, ey = py - t * dy;
  return ex * ex + ey * ey <= range * range;
}

}  // namespace

void BoxLookup::build(std::size_t layers, double cell) {
  grids_.assign(layers, {});
  for (const Item& item : items_) {
    Grid& grid = grids_[item.layer];
    geometry::include(grid.bounds, item.box);
    ++grid.items;
  }
  std::size_t cells = 0;
  for (Grid& grid : grids_) {
    grid.first_cell = cells;
    if (grid.items == 0) continue;
    grid.layout.origin = grid.bounds.min;
    grid.layout.columns = grid.layout.rows = 1;
    const double width = grid.bounds.max.x - grid.bounds.min.x, height = grid.bounds.max.y - grid.bounds.min.y;
    const double most = std::min(kMostCells, 4 * std::sqrt(static_cast<double>(grid.items)) + 4);
    const double size = std::max({cell, width / most, height / most});
    if (size > 0) {
      grid.layout.per_metre = 1 / size;
      grid.layout.columns = static_cast<int>(width / size) + 1;
      grid.layout.rows = static_cast<int>(height / size) + 1;
    }
    cells += grid.layout.cells();
  }
  lists_.fill(cells, [this](const auto& put) {
    for (const Item& item : items_) {
      const Grid& grid = grids_[item.layer];
      grid.layout.forCells(item.box.min, item.box.max, [&](std::size_t c) { put(grid.first_cell + c, item.id); });
    }
  });
}

std::span<const std::uint32_t> BoxLookup::near(std::uint16_t layer, Point place) const {
  const Grid& grid = grids_[layer];
  if (grid.items == 0 || !geometry::boxContains(grid.bounds, place)) return {};
  return lists_.of(grid.first_cell + grid.layout.cellAt(place));
}

std::size_t BoxLookup::memory() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return bytes(items_) + bytes(grids_) + lists_.bytes();
}

bool LinkZones::build(const Crowd& crowd, std::size_t rows, float range, std::size_t layers,
                      std::span<const std::optional<Rectangle>> wrap, std::span<const Link> links,
                      const base::Threads& threads) {
  home_.clear(), images_.clear(), zones_.clear(), zone_links_.clear(), near_.clear();
  usable_ = 0;
  if (links.empty() || !(range > 0)) return false;
  choose(links, range, layers, wrap);
  if (usable_ == 0) return false;
  findPeopleNear(crowd, rows, threads);
  findHomes(crowd, links, range, layers);
  findImages(crowd, links, range, layers);
  return true;
}

// The links that matter, each with the box of everybody whom people at it may see on their own layer.
void LinkZones::choose(std::span<const Link> links, float range, std::size_t layers,
                       std::span<const std::optional<Rectangle>> wrap) {
  const auto wrapped = [&](std::uint16_t layer) { return layer < wrap.size() && wrap[layer]; };
  link_lookup_.clear();
  for (std::uint32_t l = 0; l < links.size(); ++l) {
    const Link& link = links[l];
    const double dx = link.line.b.x - link.line.a.x, dy = link.line.b.y - link.line.a.y;
    if (link.layer == link.other || wrapped(link.layer) || wrapped(link.other) || !(dx * dx + dy * dy > 0)) continue;
    link_lookup_.add({link.layer, geometry::grown(geometry::boxOf(link.line), 2 * kHair * range), l});
    ++usable_;
  }
  if (usable_ > 0) link_lookup_.build(layers, range);
  first_zone_.assign(links.size(), kNone);
}

void LinkZones::findPeopleNear(const Crowd& crowd, std::size_t rows, const base::Threads& threads) {
  const std::size_t n = rows;
  home_.resize(n);
  if (n == 0) return;
  threads.forEach(n, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      home_[i] = link_lookup_.near(crowd.layer[i], {crowd.x[i], crowd.y[i]}).empty() ? crowd.layer[i] : kNear;
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    if (home_[i] == kNear) near_.push_back(static_cast<std::uint32_t>(i));
  }
}

void LinkZones::findHomes(const Crowd& crowd, std::span<const Link> links, float range, std::size_t layers) {
  for (const std::uint32_t row : near_) {
    const std::uint16_t layer = crowd.layer[row];
    const Point place{crowd.x[row], crowd.y[row]};
    at_.clear();
    for (const std::uint32_t l : link_lookup_.near(layer, place)) {
      if (isAt(links[l], place, range)) at_.push_back(l);
    }
    home_[row] = at_.empty() ? layer : zoneOf(layer, at_, layers);
    if (home_[row] == layer) continue;
    geometry::include(zones_[home_[row] - layers].box, place);
  }
}

// The zone of the people at exactly these links.
std::uint16_t LinkZones::zoneOf(std::uint16_t layer, std::span<const std::uint32_t> at, std::size_t layers) {
  for (std::uint32_t z = first_zone_[at[0]]; z != kNone; z = zones_[z].next) {
    const auto own = linksOf(zones_[z]);
    if (std::equal(own.begin(), own.end(), at.begin(), at.end())) return static_cast<std::uint16_t>(layers + z);
  }
  if (layers + zones_.size() >= kNear) return layer;
  const auto first = static_cast<std::uint32_t>(zone_links_.size());
  zone_links_.insert(zone_links_.end(), at.begin(), at.end());
  const auto zone = static_cast<std::uint32_t>(zones_.size());
  zones_.push_back(
      {layer, first, static_cast<std::uint32_t>(zone_links_.size()), first_zone_[at[0]], geometry::kEmptyBox});
  first_zone_[at[0]] = zone;
  return static_cast<std::uint16_t>(layers + zone);
}

// A zone must hold whoever is within range of the people at home in it, so within range of their box: all of their own
// layer, and those of others who are at the other side of one of the zone's links.
void LinkZones::findImages(const Crowd& crowd, std::span<const Link> links, float range, std::size_t layers) {
  zone_lookup_.clear();
  for (std::uint32_t z = 0; z < zones_.size(); ++z) {
    zones_[z].box = geometry::grown(zones_[z].box, kHair * range);
    zone_lookup_.add({zones_[z].layer, zones_[z].box, z});
    at_.clear();  // the other layers, each once
    for (const std::uint32_t l : linksOf(zones_[z])) {
      if (std::find(at_.begin(), at_.end(), links[l].other) != at_.end()) continue;
      at_.push_back(links[l].other);
      zone_lookup_.add({links[l].other, zones_[z].box, z});
    }
  }
  zone_lookup_.build(layers, range);
  for (const std::uint32_t row : near_) {
    const std::uint16_t layer = crowd.layer[row], home = home_[row];
    const Point place{crowd.x[row], crowd.y[row]};
    if (home != layer) images_.push_back({row, layer});
    for (const std::uint32_t z : zone_lookup_.near(layer, place)) {
      if (layers + z == home || !geometry::boxContains(zones_[z].box, place)) continue;
      if (zones_[z].layer == layer || (home != layer && sees(zones_[z], zones_[home - layers]))) {
        images_.push_back({row, static_cast<std::uint16_t>(layers + z)});
      }
    }
  }
}

bool LinkZones::sees(const Zone& zone, const Zone& other) const {
  const auto far_side = linksOf(other);
  for (const std::uint32_t l : linksOf(zone)) {
    if (std::find(far_side.begin(), far_side.end(), l ^ 1u) != far_side.end()) return true;
  }
  return false;
}

std::size_t LinkZones::memory() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return bytes(home_) + bytes(images_) + bytes(zones_) + bytes(zone_links_) + bytes(first_zone_) + bytes(near_) +
         bytes(at_) + link_lookup_.memory() + zone_lookup_.memory();
}

}  // namespace throng::agents
