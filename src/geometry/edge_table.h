// The edges of polygons in rows by y, so that a question about a place looks at the edges of one row only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/shapes.h"

#include "geometry/uniform_grid.h"

namespace throng::geometry {

class EdgeTable {
 public:
  struct Edge {
    Point a, b;
    std::uint32_t polygon;
  };
  /// In which order edges are numbered, and so stand in a row.
  enum class Order {
    kByPolygon,  ///< as they are given: outer ring, holes
    kByLeft,     ///< by their lower x
  };
  /// Rows are halved from so many, per edge, until edges are in at most so many rows on average. Fine rows hold few
  /// edges, but long edges are in many of them.
  struct Fineness {
    double rows_per_edge;
    std::size_t most_rows_of_edge;
  };

  EdgeTable() = default;
  EdgeTable(const std::vector<Polygon>& polygons, Order order, Fineness fineness);

  bool empty() const { return edges_.empty(); }
  const Edge& operator[](std::uint32_t edge) const { return edges_[edge]; }
  /// Is there an edge at this height? The only heights that row() is to be asked for.
  bool reaches(double y) const { return !edges_.empty() && y >= low_ && y <= high_; }
  /// The edges that touch the row of a height, ascending: all that are at this height, and others.
  std::span<const std::uint32_t> row(double y) const { return rows_.of(static_cast<std::size_t>(layout_.row(y))); }
  std::size_t rows() const { return rows_.cells(); }
  std::span<const std::uint32_t> rowAt(std::size_t index) const { return rows_.of(index); }

 private:
  std::vector<Edge> edges_;
  double low_ = 0, high_ = 0;  ///< y
  CellLayout<double> layout_;  ///< of one column
  CellLists rows_;
};

}  // namespace throng::geometry
