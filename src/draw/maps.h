// Density and speed of a crowd on a grid (docs/pictures.md has the formulas).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "draw/ground.h"
#include "draw/motion.h"

namespace throng::draw {

/// Square cells, for one value each, rows from the bottom; corners at whole multiples of the cell size, so that two
/// views of a scene share their cells.
struct Grid {
  Point origin;  ///< m
  double cell = 0.5;
  std::size_t columns = 0, rows = 0;

  std::size_t size() const { return columns * rows; }
  /// Nothing outside.
  std::optional<std::size_t> cellAt(Point p) const;
  Rectangle place(std::size_t index) const;
};

/// Throws InputError when the cells are so small that there would be more than 4096 on a side.
Grid gridOver(const Rectangle& view, double cell);

/// For every cell the share of it that can be walked on, to about a hundredth.
std::vector<double> floorShares(const Grid& grid, const Ground& ground);

/// Spreads the mass of every cell over the floor around it by a Gaussian (standard deviation `sigma`, m; cut at three),
/// balanced so that the sum stays what it was and even mass stays even up to the walls. Mass with no floor in reach is
/// lost. Returns mass per cell.
std::vector<double> spread(const Grid& grid, const std::vector<double>& mass, const std::vector<double>& floor,
                           double sigma);

/// Sums over moments. Memory does not grow with them.
class MapSums {
 public:
  explicit MapSums(const Grid& grid);
  void add(const Moment& moment);

  /// People per m² of floor, mean over the moments; negative where there is no floor.
  std::vector<double> density(const std::vector<double>& floor, double sigma) const;
  /// m/s: mean over everybody who walked in the cell in any moment; negative where nobody did.
  std::vector<double> speed() const;
  const std::vector<double>& counts() const { return counts_; }

 private:
  Grid grid_;
  std::size_t moments_ = 0;
  std::vector<double> counts_;        ///< people, summed over moments
  std::vector<double> speeds_;        ///< m/s, summed
  std::vector<double> speed_counts_;  ///< how many speeds that is
};

/// Values below 0 are left blank, so that the floor shows.
void paintMap(Canvas& canvas, const PageTransform& page, const Grid& grid, const std::vector<double>& values,
              ColourMap map, double max);

}  // namespace throng::draw
