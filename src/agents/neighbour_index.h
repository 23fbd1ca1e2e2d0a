// Who is near: one index per step for everybody. A uniform grid per zone, filled by counting sort; people in cell
// order with the columns that kernels read of their neighbours copied into that order, so that a row of cells is one
// stretch of memory. In a wrapped layer, people near the border stand a second time beyond the opposite border, as
// ghosts.
//
// This is not geometry/uniform_grid.h: all zones share one list, all threads fill it at every step, and kernels read
// stretches of the copied columns.
//
// Every layer is a zone, and everybody stands in the zone of their layer. People who see across a connection between
// layers are at home in a zone of their own kind (see link_zones.h), and stand in their layer's zone as ghosts. A zone
// that is not wrapped holds everybody at most once.
//
// A "slot" is a place in cell order. Slots hold real people and ghosts; row(slot) is the person's row in either case.
// Cells of the first zone come first, then those of the second, and so on; within a cell people stand by row, ghosts
// after them, so the order is a function of the crowd alone and not of the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "throng/shapes.h"

#include "agents/crowd.h"
#include "agents/link_zones.h"
#include "base/column.h"
#include "base/parallel.h"

namespace throng::agents {

class NeighbourIndex {
 public:
  /// `range`: the largest distance that will be asked for; it decides how far beyond a wrapped border ghosts stand. Any
  /// range may be asked for, but ghosts are seen only this far. `wrap` per layer. A range beyond the width of a wrapped
  /// layer meets every person at most once on each of the eight sides.
  /// `links`: across which people see one another within `range`; 2k and 2k + 1 are the two directions of a connection.
  /// Those of wrapped layers are ignored. People at a link see their own layer, too, only as far as `range`.
  /// `rows`: only people in the first so many rows are there.
  void build(const Crowd& crowd, float range, std::span<const std::optional<Rectangle>> wrap,
             const base::Threads& threads, std::span<const Link> links = {},
             std::size_t rows = std::numeric_limits<std::size_t>::max());

  /// For models that look at nobody: only who is who, one slot for each of the first so many rows.
  void list(std::size_t rows);

  /// Slots in cell order, ghosts included.
  std::size_t slots() const { return row_.size(); }
  std::span<const float> x() const { return x_; }
  std::span<const float> y() const { return y_; }
  std::span<const float> vx() const { return vx_; }
  std::span<const float> vy() const { return vy_; }
  std::span<const float> radius() const { return radius_; }
  std::span<const std::uint32_t> row() const { return row_; }
  /// The slots of real people, in cell order.
  std::span<const std::uint32_t> people() const { return people_; }
  /// Where somebody's own slot is, and all whom they see. `crowd` is that of build.
  std::uint16_t zone(const Crowd& crowd, std::uint32_t row) const {
    return link_zones_.empty() ? crowd.layer[row] : link_zones_.home()[row];
  }

  /// The slot of the person in a row; kNobody for one that is not in the index. `crowd` is that of build.
  std::uint32_t slotOf(const Crowd& crowd, std::uint32_t row) const {
    if (row >= rows_) return kNobody;
    const std::uint32_t cell = cellAt(crowd.x[row], crowd.y[row], zone(crowd, row));
    for (std::uint32_t slot = cell_start_[cell]; slot < cell_start_[cell + 1]; ++slot)
      if (row_[slot] == row) return slot;
    return kNobody;
  }

  // The grid, for kernels that walk it themselves.
  struct Grid {
    float origin_x = 0, origin_y = 0, cell = 1, inverse_cell = 1;
    int columns = 0, rows = 0;
    std::uint32_t first_cell = 0;  ///< of this zone, in cellStart()
    bool own_ghosts = false;       ///< the layer is wrapped so tightly that somebody may meet their own ghost
  };
  const Grid& grid(std::uint16_t zone) const { return grids_[zone]; }
  std::size_t zones() const { return grids_.size(); }
  /// Slots of cell c are [cellStart()[c], cellStart()[c + 1]); cells of one grid row follow one another.
  std::span<const std::uint32_t> cellStart() const { return cell_start_; }
  /// Column (row) of the grid that holds x (y), clamped into the grid. Never decreases as x (y) grows.
  static int column(const Grid& grid, float x) {
    return cellAlong((x - grid.origin_x) * grid.inverse_cell, grid.columns);
  }
  static int gridRow(const Grid& grid, float y) {
    return cellAlong((y - grid.origin_y) * grid.inverse_cell, grid.rows);
  }
  /// The first slot of a zone, and one past the last.
  std::uint32_t zoneBegin(std::uint16_t zone) const { return cell_start_[grids_[zone].first_cell]; }
  std::uint32_t zoneEnd(std::uint16_t zone) const {
    const Grid& grid = grids_[zone];
    return cell_start_[grid.first_cell +
                       static_cast<std::uint32_t>(grid.columns) * static_cast<std::uint32_t>(grid.rows)];
  }

  /// The up to `count` nearest slots nearer than `range` to a place, nearest first, ties by slot; not slot `except`,
  /// and not the same person's ghosts. A layer as zone finds the people of that layer; a person's zone finds whom that
  /// person sees. Appends to nothing: `found` is cleared first and keeps its capacity.
  struct Found {
    float distance_squared;
    std::uint32_t slot;
  };
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  void nearest(Vec2 place, std::uint16_t zone, std::size_t count, float range, std::uint32_t except,
               std::vector<Found>& found) const;

  /// How many of the first of `slots` (ascending, at most `lanes`, at least one) stand close enough together that one
  /// walk over the grid for all of them pays. The first is in `zone`, and so are all of those.
  std::size_t batch(std::span<const std::uint32_t> slots, std::uint16_t zone, std::size_t lanes) const;

  std::size_t memory() const;

 private:
  static int cellAlong(float cells, int count) {
    // Clamped as floats, since what is far outside the grid would not fit an int; and without branches, since nobody
    // can guess them.
    return std::min(static_cast<int>(std::min(std::max(0.0f, cells), static_cast<float>(count))), count - 1);
  }

  struct Box {
    float min_x, min_y, max_x, max_y;
    std::size_t people;
  };
  /// Of a wrapped layer; infinitely far away in others.
  struct Border {
    float min_x = -std::numeric_limits<float>::infinity(), min_y = min_x;
    float max_x = std::numeric_limits<float>::infinity(), max_y = max_x;
  };
  struct Ghosts {
    std::vector<float> x, y;
    std::vector<std::uint32_t> row;
    std::vector<std::uint16_t> zone;
    void add(float at_x, float at_y, std::uint32_t of_row, std::uint16_t in_zone, Box& box);
  };

  void measure(const Crowd& crowd, const base::Threads& threads, std::size_t pieces, std::size_t layers);
  void addGhosts(const Crowd& crowd, float range, std::span<const std::optional<Rectangle>> wrap);
  void addGhostsOf(std::uint32_t row, Vec2 place, std::uint16_t layer, float range);
  void addLinkZones(const Crowd& crowd);
  void layOut(float range, std::span<const std::optional<Rectangle>> wrap);
  void sortIntoCells(const Crowd& crowd, const base::Threads& threads, std::size_t pieces);
  void copyColumns(const Crowd& crowd, const base::Threads& threads);
  std::uint32_t cellAt(float x, float y, std::uint16_t zone) const {
    const Grid& g = grids_[zone];
    return g.first_cell + static_cast<std::uint32_t>(gridRow(g, y)) * static_cast<std::uint32_t>(g.columns) +
           static_cast<std::uint32_t>(column(g, x));
  }

  std::size_t rows_ = 0;  ///< of the crowd, that are in the index
  bool listed_ = false;   ///< slots are rows
  std::vector<Grid> grids_;
  base::Column<float> x_, y_, vx_, vy_, radius_;
  base::Column<std::uint32_t> row_, people_;
  std::vector<std::uint32_t> cell_start_;
  LinkZones link_zones_;
  // Scratch of build, kept for its capacity.
  std::vector<Box> boxes_;       ///< per zone; while measuring, per piece and layer
  std::vector<Border> borders_;  ///< per layer
  Ghosts ghosts_;
  base::Column<std::uint32_t> cell_of_;   ///< per person by row, then per ghost
  base::Column<std::uint32_t> order_;     ///< per slot: row, or number of people + ghost
  std::vector<std::uint32_t> next_slot_;  ///< per piece and cell
};

}  // namespace throng::agents
