#include "draw/maps.h"

#include <algorithm>
#include <cairo/cairo.h>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace throng::draw {
namespace {

constexpr std::size_t kMostCells = 4096;  // on a side; 128 MiB a column of numbers

constexpr double kNoFloor = 1e-6;  // cells of floor in reach of the Gaussian, weighted with it

/// One bit of floor for each of several sample points per cell. Samples of polygons that touch never count twice, which
/// the soft edges of anti-aliasing would.
class SampleImage {
 public:
  SampleImage(const Grid& grid, int samples)
      : grid_(grid),
        samples_(samples),
        surface_(cairo_image_surface_create(CAIRO_FORMAT_A8, static_cast<int>(grid.columns) * samples,
                                            static_cast<int>(grid.rows) * samples),
                 cairo_surface_destroy),
        context_(cairo_create(surface_.get()), cairo_destroy) {
    cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_NONE);
    cairo_set_fill_rule(context_.get(), CAIRO_FILL_RULE_EVEN_ODD);
  }

  void fill(const Polygon& polygon, bool floor) {
    cairo_set_operator(context_.get(), floor ? CAIRO_OPERATOR_OVER : CAIRO_OPERATOR_CLEAR);
    trace(polygon.outer);
    for (const Ring& hole : polygon.holes) trace(hole);
    cairo_fill(context_.get());
  }

  void fillAll() { cairo_paint(context_.get()); }

  std::vector<double> shares() {
    if (cairo_status(context_.get()) != CAIRO_STATUS_SUCCESS)
      throw Error(std::string("drawing failed: ") + cairo_status_to_string(cairo_status(context_.get())));
    cairo_surface_flush(surface_.get());
    const unsigned char* const data = cairo_image_surface_get_data(surface_.get());
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface_.get()));
    const auto n = static_cast<std::size_t>(samples_);
    std::vector<double> result(grid_.size());
    for (std::size_t y = 0; y < grid_.rows * n; ++y)
      for (std::size_t x = 0; x < grid_.columns * n; ++x)
        result[y / n * grid_.columns + x / n] += data[y * stride + x] >= 128 ? 1 : 0;
    for (double& share : result) share /= static_cast<double>(n * n);
    return result;
  }

 private:
  void trace(const Ring& ring) {
    const double scale = samples_ / grid_.cell;
    cairo_new_sub_path(context_.get());
    for (const Point& p : ring) {
      const Point q = (p - grid_.origin) * scale;
      cairo_line_to(context_.get(), q.x, q.y);
    }
    cairo_close_path(context_.get());
  }

  const Grid& grid_;
  int samples_;
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context_;
};

std::vector<double> kernel(double sigma_cells) {
  const auto reach = static_cast<std::size_t>(std::ceil(3 * sigma_cells));
  std::vector<double> weights(reach + 1);
  for (std::size_t i = 0; i <= reach; ++i) {
    const double z = static_cast<double>(i) / sigma_cells;
    weights[i] = std::exp(-z * z / 2);
  }
  return weights;
}

/// Along rows (stride 1) or columns; nothing beyond the border.
std::vector<double> convolved(const std::vector<double>& in, std::size_t count, std::size_t stride, std::size_t lines,
                              std::size_t line_stride, const std::vector<double>& weights) {
  std::vector<double> out(in.size());
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t first = i < weights.size() ? 0 : i - (weights.size() - 1);
      const std::size_t last = std::min(count - 1, i + weights.size() - 1);
      double sum = 0;
      for (std::size_t j = first; j <= last; ++j)
        sum += weights[j < i ? i - j : j - i] * in[line * line_stride + j * stride];
      out[line * line_stride + i * stride] = sum;
    }
  }
  return out;
}

std::vector<double> blurred(const Grid& grid, const std::vector<double>& in, const std::vector<double>& weights) {
  return convolved(convolved(in, grid.columns, 1, grid.rows, grid.columns, weights), grid.rows, grid.columns,
                   grid.columns, 1, weights);
}

/// How much each cell gives and takes: s with s · G(floor · s) = 1, by Sinkhorn and Knopp's iteration in its symmetric
/// form (Knight, Ruiz and Uçar 2014). Near walls, where the Gaussian has less floor, s is larger.
std::vector<double> balance(const Grid& grid, const std::vector<double>& floor, const std::vector<double>& weights) {
  constexpr int kRounds = 12;
  std::vector<double> s(grid.size(), 1), product(grid.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < s.size(); ++i) product[i] = floor[i] * s[i];
    const std::vector<double> sum = blurred(grid, product, weights);
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = sum[i] > kNoFloor ? std::sqrt(s[i] / sum[i]) : 0;
  }
  return s;
}

/// Mass per cell and unit of floor share; the mass is this times the share.
std::vector<double> spreadPerFloor(const Grid& grid, const std::vector<double>& mass, const std::vector<double>& floor,
                                   double sigma) {
  const std::vector<double> weights = kernel(sigma / grid.cell);
  const std::vector<double> s = balance(grid, floor, weights);
  std::vector<double> given(grid.size());
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = floor[i] * s[i];
  given = blurred(grid, given, weights);  // 1 / s, but for what the iteration left: with it the sum stays exact
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = s[i] > 0 ? mass[i] / given[i] : 0;
  std::vector<double> result = blurred(grid, given, weights);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] *= s[i];
  return result;
}

}  // namespace

std::optional<std::size_t> Grid::cellAt(Point p) const {
  const double x = std::floor((p.x - origin.x) / cell), y = std::floor((p.y - origin.y) / cell);
  if (!(x >= 0 && y >= 0 && x < static_cast<double>(columns) && y < static_cast<double>(rows))) return {};
  return static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x);
}

Rectangle Grid::place(std::size_t index) const {
  // Neighbours get the very same number for the line between them.
  const auto corner = [this](std::size_t column, std::size_t row) {
    return origin + Point{static_cast<double>(column) * cell, static_cast<double>(row) * cell};
  };
  const std::size_t column = index % columns, row = index / columns;
  return {corner(column, row), corner(column + 1, row + 1)};
}

Grid gridOver(const Rectangle& view, double cell) {
  const auto below = [cell](double v) { return std::floor(v / cell + 1e-9); };
  const auto above = [cell](double v) { return std::ceil(v / cell - 1e-9); };
  const double columns = above(view.max.x) - below(view.min.x), rows = above(view.max.y) - below(view.min.y);
  const double most = std::max(columns, rows);
  if (most > static_cast<double>(kMostCells))
    throw InputError(fmt::format(
        "map cells of {:g} m are too small for a view of {:g} m by {:g} m: at most {} cells on a side are allowed, so "
        "at least {:.3g} m",
        cell, view.max.x - view.min.x, view.max.y - view.min.y, kMostCells,
        cell * most / static_cast<double>(kMostCells)));
  return {{below(view.min.x) * cell, below(view.min.y) * cell},
          cell,
          static_cast<std::size_t>(std::max(columns, 1.0)),
          static_cast<std::size_t>(std::max(rows, 1.0))};
}

std::vector<double> floorShares(const Grid& grid, const Ground& ground) {
  const auto side = static_cast<int>(std::max(grid.columns, grid.rows));
  SampleImage image(grid, std::clamp(16384 / side, 1, 10));
  if (ground.floor.empty()) image.fillAll();
  for (const Polygon& p : ground.floor) image.fill(p, true);
  for (const Polygon& p : ground.solids) image.fill(p, false);
  return image.shares();
}

std::vector<double> spread(const Grid& grid, const std::vector<double>& mass, const std::vector<double>& floor,
                           double sigma) {
  std::vector<double> result = spreadPerFloor(grid, mass, floor, sigma);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] *= floor[i];
  return result;
}

MapSums::MapSums(const Grid& grid)
    : grid_(grid), counts_(grid.size()), speeds_(grid.size()), speed_counts_(grid.size()) {}

void MapSums::add(const Moment& moment) {
  ++moments_;
  for (const Person& p : moment.people) {
    const auto cell = grid_.cellAt(p.position);
    if (!cell) continue;
    counts_[*cell] += 1;
    if (p.speed < 0) continue;
    speeds_[*cell] += p.speed;
    speed_counts_[*cell] += 1;
  }
}

std::vector<double> MapSums::density(const std::vector<double>& floor, double sigma) const {
  std::vector<double> result = spreadPerFloor(grid_, counts_, floor, sigma);
  const double samples = static_cast<double>(std::max<std::size_t>(moments_, 1)) * grid_.cell * grid_.cell;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = floor[i] > 0 ? result[i] / samples : -1;
  return result;
}

std::vector<double> MapSums::speed() const {
  std::vector<double> result(grid_.size(), -1);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (speed_counts_[i] > 0) result[i] = speeds_[i] / speed_counts_[i];
  return result;
}

void paintMap(Canvas& canvas, const PageTransform& page, const Grid& grid, const std::vector<double>& values,
              ColourMap map, double max) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) continue;
    const Rectangle place = grid.place(i);
    const Point a = page.toPage(place.min), b = page.toPage(place.max);
    canvas.cell({{a.x, b.y}, {b.x, a.y}}, mapColour(map, max > 0 ? values[i] / max : 0));
  }
}

}  // namespace throng::draw
