#include "agents/neighbour_index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace throng::agents {
namespace {

// Below this many people one thread builds the index faster than several agree on who does what.
constexpr std::size_t kParallelPeople = 16384;
// Slots per piece when the columns are copied.
constexpr std::size_t kCopyGrain = 8192;
// People per cell that the grid aims for where the range allows: fewer, and grid rows become too short for whole
// vectors of candidates; more, and too many candidates are too far away.
constexpr double kPeoplePerCell = 8;
// The grid has at most this many cells per person (and a few more), however far apart people stand.
constexpr double kCellsPerPerson = 4;
constexpr double kSpareCells = 64;

}  // namespace

void NeighbourIndex::build(const Crowd& crowd, float range, std::span<const std::optional<Rectangle>> wrap,
                           const base::Threads& threads, std::span<const Link> links, std::size_t rows) {
  const std::size_t n = rows_ = std::min(crowd.size(), rows);
  listed_ = false;
  const std::size_t pieces = n >= kParallelPeople ? static_cast<std::size_t>(threads.count()) : 1;
  std::size_t layers = std::max<std::size_t>(1, wrap.size());
  for (const std::uint16_t layer : std::span(crowd.layer).first(n))
    layers = std::max<std::size_t>(layers, layer + std::size_t{1});
  for (const Link& link : links)
    layers = std::max<std::size_t>(layers, std::max(link.layer, link.other) + std::size_t{1});

  measure(crowd, threads, pieces, layers);
  addGhosts(crowd, range, wrap);
  if (link_zones_.build(crowd, n, range, layers, wrap, links, threads)) addLinkZones(crowd);
  layOut(range, wrap);
  sortIntoCells(crowd, threads, pieces);
  copyColumns(crowd, threads);
}

// The bounding box of the people of each layer.
void NeighbourIndex::measure(const Crowd& crowd, const base::Threads& threads, std::size_t pieces, std::size_t layers) {
  constexpr float kFar = std::numeric_limits<float>::max();
  const std::size_t n = rows_;
  const std::size_t grain = (n + pieces - 1) / std::max<std::size_t>(1, pieces);
  boxes_.assign(pieces * layers, {kFar, kFar, -kFar, -kFar, 0});
  const auto measurePiece = [&](std::size_t begin, std::size_t end) {
    Box* boxes = &boxes_[begin / grain * layers];
    if (layers == 1) {
      // Several running minima side by side, so that one does not wait for the last.
      constexpr std::size_t kAbreast = 8;
      float min_x[kAbreast], min_y[kAbreast], max_x[kAbreast], max_y[kAbreast];
      std::fill_n(min_x, kAbreast, kFar), std::fill_n(min_y, kAbreast, kFar);
      std::fill_n(max_x, kAbreast, -kFar), std::fill_n(max_y, kAbreast, -kFar);
      const float* x = crowd.x.data();
      const float* y = crowd.y.data();
      std::size_t i = begin;
      for (; i + kAbreast <= end; i += kAbreast) {
        for (std::size_t k = 0; k < kAbreast; ++k) {
          min_x[k] = x[i + k] < min_x[k] ? x[i + k] : min_x[k];
          max_x[k] = x[i + k] > max_x[k] ? x[i + k] : max_x[k];
          min_y[k] = y[i + k] < min_y[k] ? y[i + k] : min_y[k];
          max_y[k] = y[i + k] > max_y[k] ? y[i + k] : max_y[k];
        }
      }
      for (; i < end; ++i) {
        min_x[0] = std::min(min_x[0], x[i]), max_x[0] = std::max(max_x[0], x[i]);
        min_y[0] = std::min(min_y[0], y[i]), max_y[0] = std::max(max_y[0], y[i]);
      }
      boxes[0] = {*std::min_element(min_x, min_x + kAbreast), *std::min_element(min_y, min_y + kAbreast),
                  *std::max_element(max_x, max_x + kAbreast), *std::max_element(max_y, max_y + kAbreast), end - begin};
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      Box& box = boxes[crowd.layer[i]];
      box.min_x = std::min(box.min_x, crowd.x[i]), box.max_x = std::max(box.max_x, crowd.x[i]);
      box.min_y = std::min(box.min_y, crowd.y[i]), box.max_y = std::max(box.max_y, crowd.y[i]);
      ++box.people;
    }
  };
  if (n > 0) threads.forEach(n, grain, measurePiece);
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    for (std::size_t layer = 0; layer < layers; ++layer) {
      Box& all = boxes_[layer];
      const Box& part = boxes_[piece * layers + layer];
      all.min_x = std::min(all.min_x, part.min_x), all.max_x = std::max(all.max_x, part.max_x);
      all.min_y = std::min(all.min_y, part.min_y), all.max_y = std::max(all.max_y, part.max_y);
      all.people += part.people;
    }
  }
  boxes_.resize(layers);
}

// Images of the people of wrapped layers that stand within `range` outside the wrapping rectangle.
void NeighbourIndex::addGhosts(const Crowd& crowd, float range, std::span<const std::optional<Rectangle>> wrap) {
  ghosts_.x.clear(), ghosts_.y.clear(), ghosts_.row.clear(), ghosts_.zone.clear();
  borders_.clear();
  bool wrapped = false;
  for (std::size_t layer = 0; layer < boxes_.size(); ++layer) {
    borders_.emplace_back();
    if (layer >= wrap.size() || !wrap[layer]) continue;
    const Rectangle& r = *wrap[layer];
    borders_.back() = {static_cast<float>(r.min.x), static_cast<float>(r.min.y), static_cast<float>(r.max.x),
                       static_cast<float>(r.max.y)};
    wrapped = true;
  }
  if (!wrapped) return;
  for (std::size_t i = 0; i < rows_; ++i) {
    const Border& border = borders_[crowd.layer[i]];
    const float x = crowd.x[i], y = crowd.y[i];
    // The common case: in the middle. In a layer that is not wrapped everybody is.
    if (x - border.min_x > range && border.max_x - x > range && y - border.min_y > range && border.max_y - y > range) {
      continue;
    }
    addGhostsOf(static_cast<std::uint32_t>(i), {x, y}, crowd.layer[i], range);
  }
}

void NeighbourIndex::addGhostsOf(std::uint32_t row, Vec2 place, std::uint16_t layer, float range) {
  const Border& border = borders_[layer];
  const float width = border.max_x - border.min_x, height = border.max_y - border.min_y;
  for (int j = -1; j <= 1; ++j) {
    const float y = place.y + static_cast<float>(j) * height;
    if (y < border.min_y - range || y > border.max_y + range) continue;
    for (int i = -1; i <= 1; ++i) {
      const float x = place.x + static_cast<float>(i) * width;
      if ((i == 0 && j == 0) || x < border.min_x - range || x > border.max_x + range) continue;
      ghosts_.add(x, y, row, layer, boxes_[layer]);
    }
  }
}

void NeighbourIndex::Ghosts::add(float at_x, float at_y, std::uint32_t of_row, std::uint16_t in_zone, Box& box) {
  x.push_back(at_x), y.push_back(at_y), row.push_back(of_row), zone.push_back(in_zone);
  box.min_x = std::min(box.min_x, at_x), box.max_x = std::max(box.max_x, at_x);
  box.min_y = std::min(box.min_y, at_y), box.max_y = std::max(box.max_y, at_y);
}

// Boxes of the zones of people at links, and the ghosts of everybody who stands in more than one zone. The boxes of
// layers know all of their people already.
void NeighbourIndex::addLinkZones(const Crowd& crowd) {
  constexpr float kFar = std::numeric_limits<float>::max();
  const std::size_t layers = boxes_.size();
  boxes_.resize(layers + link_zones_.zones(), {kFar, kFar, -kFar, -kFar, 0});
  for (const LinkZones::Image& image : link_zones_.images()) {
    const float x = crowd.x[image.row], y = crowd.y[image.row];
    ghosts_.add(x, y, image.row, image.zone, boxes_[image.zone]);
    if (image.zone >= layers) {
      ++boxes_[image.zone].people;
      continue;
    }
    // Somebody at home in a zone of links has exactly one ghost in a layer.
    Box& home = boxes_[link_zones_.home()[image.row]];
    home.min_x = std::min(home.min_x, x), home.max_x = std::max(home.max_x, x);
    home.min_y = std::min(home.min_y, y), home.max_y = std::max(home.max_y, y);
    ++home.people;
  }
}

// One grid per zone: cells no larger than the range, smaller where people stand densely, larger where there would be
// too many.
void NeighbourIndex::layOut(float range, std::span<const std::optional<Rectangle>> wrap) {
  grids_.resize(boxes_.size());
  std::uint32_t first_cell = 0;
  for (std::size_t zone = 0; zone < boxes_.size(); ++zone) {
    const Box& box = boxes_[zone];
    Grid& grid = grids_[zone];
    grid = Grid{};
    grid.first_cell = first_cell;
    grid.columns = grid.rows = 1;
    if (box.people > 0) {
      const double width = double{box.max_x} - box.min_x, height = double{box.max_y} - box.min_y;
      const auto people = static_cast<double>(box.people);
      double cell = std::sqrt(width * height / people * kPeoplePerCell);
      if (range > 0) cell = std::min(cell, static_cast<double>(range));
      // People on one line (or spot) have no area; the loop below makes what is left large enough.
      cell = std::max(cell, std::max(1e-3, 1e-6 * std::max(width, height)));
      const double most = kCellsPerPerson * people + kSpareCells;
      while ((std::floor(width / cell) + 1) * (std::floor(height / cell) + 1) > most) cell *= 1.25;
      grid.origin_x = box.min_x;
      grid.origin_y = box.min_y;
      grid.cell = static_cast<float>(cell);
      grid.inverse_cell = 1.0f / grid.cell;
      grid.columns = static_cast<int>(width / cell) + 1;
      grid.rows = static_cast<int>(height / cell) + 1;
    }
    if (zone < wrap.size() && wrap[zone]) {
      const Rectangle& r = *wrap[zone];
      grid.own_ghosts = r.max.x - r.min.x <= range * 1.001 || r.max.y - r.min.y <= range * 1.001;
    }
    first_cell += static_cast<std::uint32_t>(grid.columns) * static_cast<std::uint32_t>(grid.rows);
  }
  cell_start_.resize(first_cell + std::size_t{1});
}

// Counting sort. Each piece of the crowd counts and places its own people; ghosts are a last piece by themselves, so
// that where the crowd is cut does not show in the order.
void NeighbourIndex::sortIntoCells(const Crowd& crowd, const base::Threads& threads, std::size_t pieces) {
  const std::size_t n = rows_;
  const std::size_t ghosts = ghosts_.row.size();
  const std::size_t cells = cell_start_.size() - 1;
  const std::size_t grain = (n + pieces - 1) / std::max<std::size_t>(1, pieces);
  cell_of_.resize(n + ghosts);
  order_.resize(n + ghosts);
  next_slot_.assign((pieces + 1) * cells, 0);
  const std::uint16_t* zone = link_zones_.empty() ? crowd.layer.data() : link_zones_.home().data();

  if (n > 0) {
    threads.forEach(n, grain, [&](std::size_t begin, std::size_t end) {
      std::uint32_t* count = &next_slot_[begin / grain * cells];
      if (grids_.size() == 1) {
        for (std::size_t i = begin; i < end; ++i) cell_of_[i] = cellAt(crowd.x[i], crowd.y[i], 0);
      } else {
        for (std::size_t i = begin; i < end; ++i) cell_of_[i] = cellAt(crowd.x[i], crowd.y[i], zone[i]);
      }
      for (std::size_t i = begin; i < end; ++i) ++count[cell_of_[i]];
    });
  }
  for (std::size_t g = 0; g < ghosts; ++g) {
    cell_of_[n + g] = cellAt(ghosts_.x[g], ghosts_.y[g], ghosts_.zone[g]);
    ++next_slot_[pieces * cells + cell_of_[n + g]];
  }

  std::uint32_t slot = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    cell_start_[cell] = slot;
    for (std::size_t piece = 0; piece <= pieces; ++piece) {
      std::uint32_t& next = next_slot_[piece * cells + cell];
      const std::uint32_t count = next;
      next = slot;
      slot += count;
    }
  }
  cell_start_[cells] = slot;

  if (n > 0) {
    threads.forEach(n, grain, [&](std::size_t begin, std::size_t end) {
      std::uint32_t* next = &next_slot_[begin / grain * cells];
      for (std::size_t i = begin; i < end; ++i) order_[next[cell_of_[i]]++] = static_cast<std::uint32_t>(i);
    });
  }
  for (std::size_t e = n; e < n + ghosts; ++e) {
    order_[next_slot_[pieces * cells + cell_of_[e]]++] = static_cast<std::uint32_t>(e);
  }
}

void NeighbourIndex::copyColumns(const Crowd& crowd, const base::Threads& threads) {
  const std::size_t n = rows_;
  const std::size_t slots = order_.size();
  for (auto* column : {&x_, &y_, &vx_, &vy_, &radius_}) column->resize(slots);
  row_.resize(slots);
  threads.forEach(slots, kCopyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::uint32_t entry = order_[s];
      const bool real = entry < n;
      const std::uint32_t row = real ? entry : ghosts_.row[entry - n];
      row_[s] = row;
      x_[s] = real ? crowd.x[row] : ghosts_.x[entry - n];
      y_[s] = real ? crowd.y[row] : ghosts_.y[entry - n];
      vx_[s] = crowd.vx[row];
      vy_[s] = crowd.vy[row];
      radius_[s] = crowd.radius[row];
    }
  });
  people_.resize(n + 1);  // one more: the loop writes before it knows whether it counts
  std::size_t count = 0;
  for (std::size_t s = 0; s < slots; ++s) {
    people_[count] = static_cast<std::uint32_t>(s);
    count += order_[s] < n;
  }
  people_.resize(n);
}

void NeighbourIndex::nearest(Vec2 place, std::uint16_t zone, std::size_t count, float range, std::uint32_t except,
                             std::vector<Found>& found) const {
  found.clear();
  if (count == 0 || !(range > 0) || zone >= grids_.size()) return;
  const Grid& grid = grids_[zone];
  const std::uint32_t except_row = except == kNobody ? kNobody : row_[except];
  const float range_squared = range * range;
  // A hair more than the range, since its ends are rounded.
  const float reach = range * 1.0001f + (std::abs(place.x) + std::abs(place.y)) * 2.4e-7f;
  const int first = column(grid, place.x - reach), last = column(grid, place.x + reach);
  // As one number: the bits of floats that are not negative are in their order.
  const auto nearer = [](const Found& a, const Found& b) {
    const auto number = [](const Found& f) {
      return std::uint64_t{std::bit_cast<std::uint32_t>(f.distance_squared)} << 32 | f.slot;
    };
    return number(a) < number(b);
  };
  for (int row = gridRow(grid, place.y - reach), end = gridRow(grid, place.y + reach); row <= end; ++row) {
    const std::uint32_t cell = grid.first_cell + static_cast<std::uint32_t>(row * grid.columns);
    for (std::uint32_t s = cell_start_[cell + static_cast<std::uint32_t>(first)];
         s < cell_start_[cell + static_cast<std::uint32_t>(last) + 1]; ++s) {
      const float dx = x_[s] - place.x, dy = y_[s] - place.y;
      const float squared = dx * dx + dy * dy;
      if (squared < range_squared && row_[s] != except_row) found.push_back({squared, s});
    }
  }
  if (found.size() > count) {
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(), nearer);
    found.resize(count);
  }
  std::sort(found.begin(), found.end(), nearer);
}

std::size_t NeighbourIndex::batch(std::span<const std::uint32_t> slots, std::uint16_t zone, std::size_t lanes) const {
  const Grid& grid = grids_[zone];
  std::size_t n = std::min(lanes, slots.size());
  const std::uint32_t end = zoneEnd(zone);
  while (slots[n - 1] >= end) --n;
  while (n > 1) {
    float min_x = x_[slots[0]], max_x = min_x;
    for (std::size_t i = 1; i < n; ++i) {
      const float x = x_[slots[i]];
      min_x = x < min_x ? x : min_x;
      max_x = x > max_x ? x : max_x;
    }
    const int first = column(grid, min_x), last = column(grid, max_x);
    // Slots ascend, so the first and the last have the lowest and the highest row.
    const int low = gridRow(grid, y_[slots[0]]), high = gridRow(grid, y_[slots[n - 1]]);
    if (low == high && last - first <= 1) break;
    // Everybody between them will be looked at: worth it for a few times as many as there are lanes.
    std::size_t between = 0;
    const std::size_t most = 4 * lanes + 32;
    for (int row = low; row <= high && between <= most; ++row) {
      const std::uint32_t cell = grid.first_cell + static_cast<std::uint32_t>(row * grid.columns);
      between += cell_start_[cell + static_cast<std::uint32_t>(last) + 1] -
                 cell_start_[cell + static_cast<std::uint32_t>(first)];
    }
    if (between <= most) break;
    if (low == high) {
      n = (n + 1) / 2;
    } else {
      while (gridRow(grid, y_[slots[n - 1]]) != low) --n;
    }
  }
  return n;
}

std::size_t NeighbourIndex::memory() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return bytes(grids_) + bytes(x_) + bytes(y_) + bytes(vx_) + bytes(vy_) + bytes(radius_) + bytes(row_) +
         bytes(people_) + bytes(cell_start_) + bytes(boxes_) + bytes(ghosts_.x) + bytes(ghosts_.y) +
         bytes(ghosts_.row) + bytes(ghosts_.zone) + link_zones_.memory() + bytes(borders_) + bytes(cell_of_) +
         bytes(order_) + bytes(next_slot_);
}

void NeighbourIndex::list(std::size_t rows) {
  rows_ = 0;  // nobody can be looked for
  if (!listed_) row_.clear(), people_.clear();
  listed_ = true;
  if (row_.size() > rows) row_.resize(rows), people_.resize(rows);
  for (std::size_t r = row_.size(); r < rows; ++r) {
    row_.push_back(static_cast<std::uint32_t>(r));
    people_.push_back(static_cast<std::uint32_t>(r));
  }
}

}  // namespace throng::agents
