#include "ground/regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "geometry/boxes.h"
#include "geometry/predicates.h"
#include "ground/wrapping.h"

namespace throng::ground {
namespace {

// A border that comes nearer to a line by less than this, in m per m along it, is followed by the line where it is
// within kOnBorder, not just crossed.
constexpr double kFollows = 0.1;
// m. What is shorter is between two roundings of one place.
constexpr double kNothing = 1e-9;
// m. So much of a region where somebody never walks is a touch, such as the end of a line on its border.
constexpr double kHair = 1e-3;

/// Far above the rounding of where a segment meets the cells of a layout.
double slackOf(const geometry::CellLayout<double>& layout, Point a, Point b) {
  return 1e-6 / layout.per_metre +
         1e-12 * (std::abs(a.x) + std::abs(a.y) + std::abs(b.x) + std::abs(b.y) + std::abs(layout.origin.x));
}

/// An edge seen from a line that starts at `a` along the unit vector `way`.
struct Seen {
  double left_u, left_v;    ///< m of its ends to the left of the line
  double along_u, along_v;  ///< and along it

  Seen(Point a, Point way, Point u, Point v)
      : left_u(det(way, u - a)), left_v(det(way, v - a)), along_u(dot(way, u - a)), along_v(dot(way, v - a)) {}

  bool within(double band) const { return std::min(left_u, left_v) <= band && std::max(left_u, left_v) >= -band; }
  bool isFollowed() const { return std::abs(left_v - left_u) <= kFollows * std::abs(along_v - along_u); }
  /// m along the line of the place that is so far to the left of it, or of the nearer end.
  double at(double left) const {
    const double t = left_u != left_v ? std::clamp((left - left_u) / (left_v - left_u), 0.0, 1.0) : 0;
    return along_u + t * (along_v - along_u);
  }
};

/// Where borders cut a line or are followed by it.
struct Cuts {
  std::vector<double> at;  ///< m along the line
  struct Followed {
    double from, to;
  };
  std::vector<Followed> followed;
  std::vector<std::uint32_t> seen;  ///< edges, each once

  bool follows(double place) const {
    return std::any_of(followed.begin(), followed.end(),
                       [&](const Followed& f) { return place > f.from && place < f.to; });
  }
};

void join(std::vector<Regions::Piece>& pieces, const Regions::Piece& piece) {
  if (!pieces.empty() && pieces.back().type == piece.type && pieces.back().other == piece.other)
    pieces.back().to = piece.to;
  else
    pieces.push_back(piece);
}

Point intoRectangle(Point p, const Rectangle& r) {
  const auto into = [](double v, double low, double high) {
    if (v >= low && v <= high) return v;
    const double size = high - low;
    return std::clamp(v - size * std::floor((v - low) / size), low, high);
  };
  return {into(p.x, r.min.x, r.max.x), into(p.y, r.min.y, r.max.y)};
}

}  // namespace

Regions::Regions(const Scene& scene) {
  constexpr std::size_t kMostTypes = std::numeric_limits<RegionType>::max();
  for (const Layer& from : scene.layers) {
    OfLayer& to = layers_.emplace_back();
    to.wrap = from.wrap;
    for (const Region& region : from.regions) {
      auto type = std::find(types_.begin() + 1, types_.end(), region.type) - types_.begin();
      std::vector<Polygon> area = region.area;
      if (from.wrap) wrapPolygons(*from.wrap, area);
      std::erase_if(area, [](const Polygon& polygon) { return polygon.outer.size() < 3; });
      if (area.empty()) continue;
      if (static_cast<std::size_t>(type) == types_.size()) types_.push_back(region.type);
      if (types_.size() > kMostTypes + 1)
        throw InputError(fmt::format("The scene has more than {0} types of regions; allowed: {0}.", kMostTypes));
      for (Polygon& polygon : area) {
        to.polygons.push_back(std::move(polygon));
        to.type.push_back(static_cast<RegionType>(type));
      }
    }
    index(to);
    to.parts = disjointParts(to.polygons, to.type);
  }
}

/// Cells are about as many as edges, and know what covers them whole: a place in most of them needs no further look.
void Regions::index(OfLayer& layer) {
  for (std::uint32_t p = 0; p < layer.polygons.size(); ++p) {
    const auto add = [&](const Ring& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        layer.edges.push_back({ring[i], ring[i + 1 < ring.size() ? i + 1 : 0], p});
        geometry::include(layer.box, ring[i]);
      }
    };
    add(layer.polygons[p].outer);
    for (const Ring& hole : layer.polygons[p].holes) add(hole);
    layer.index.emplace_back(std::vector<Polygon>{layer.polygons[p]});
  }
  if (layer.edges.empty()) return;

  constexpr double kCellsPerEdge = 4, kMostCells = 1 << 20;
  const Point whole = layer.box.max - layer.box.min;
  const double cells = std::clamp(kCellsPerEdge * static_cast<double>(layer.edges.size()), 64.0, kMostCells);
  const double size = std::max({std::sqrt(whole.x * whole.y / cells), std::max(whole.x, whole.y) / cells, 1e-3});
  layer.layout.origin = layer.box.min;
  layer.layout.per_metre = 1 / size;
  layer.layout.columns = static_cast<int>(whole.x / size) + 1;
  layer.layout.rows = static_cast<int>(whole.y / size) + 1;
  const auto forCells = [&](const Edge& e, const auto& visit) {
    layer.layout.forCellsAlong(e.a, e.b, slackOf(layer.layout, e.a, e.b), visit);
  };

  // The last polygon that covers a cell whole, none of its edges passing: 0 is nothing, p + 1 polygon p.
  std::vector<std::uint32_t> covering(layer.layout.cells(), 0), passes(layer.layout.cells(), 0);
  for (std::uint32_t e = 0, p = 0; p < layer.polygons.size(); ++p) {
    for (; e < layer.edges.size() && layer.edges[e].polygon == p; ++e)
      forCells(layer.edges[e], [&](std::size_t cell) { passes[cell] = p + 1; });
    const Rectangle box = geometry::boxOf(layer.polygons[p].outer);
    const int left = layer.layout.column(box.min.x), right = layer.layout.column(box.max.x);
    for (int row = layer.layout.row(box.min.y), top = layer.layout.row(box.max.y); row <= top; ++row) {
      bool known = false, inside = false;  // of the cell before
      for (int column = left; column <= right; ++column) {
        const std::size_t cell = layer.layout.cell(column, row);
        if (passes[cell] == p + 1) {
          known = false;
          continue;
        }
        if (!known)
          inside = layer.index[p].contains(layer.layout.origin + Point{column + 0.5, row + 0.5} * size), known = true;
        if (inside) covering[cell] = p + 1;
      }
    }
  }
  layer.cells.fill(layer.layout.cells(), [&](const auto& put) {
    for (std::uint32_t e = 0; e < layer.edges.size(); ++e)
      forCells(layer.edges[e], [&](std::size_t cell) {
        if (layer.edges[e].polygon + 1 > covering[cell]) put(cell, e);
      });
  });
  layer.base.resize(layer.layout.cells());
  for (std::size_t c = 0; c < covering.size(); ++c) layer.base[c] = covering[c] ? layer.type[covering[c] - 1] : 0;
}

RegionType Regions::typeOf(std::string_view name) const {
  const auto found = std::find(types_.begin() + 1, types_.end(), name);
  return found == types_.end() ? RegionType{0} : static_cast<RegionType>(found - types_.begin());
}

RegionType Regions::typeIn(const OfLayer& layer, Point place) {
  if (!geometry::boxContains(layer.box, place)) return 0;
  const std::size_t cell = layer.layout.cellAt(place);
  const auto edges = layer.cells.of(cell);
  std::uint32_t asked = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = edges.size(); i-- > 0;) {
    const std::uint32_t polygon = layer.edges[edges[i]].polygon;
    if (polygon == asked) continue;
    asked = polygon;
    if (layer.index[polygon].contains(place)) return layer.type[polygon];
  }
  return layer.base[cell];
}

RegionType Regions::typeAt(Point place, std::uint16_t layer) const {
  if (!any(layer)) return 0;
  const OfLayer& of = layers_[layer];
  return typeIn(of, of.wrap ? intoRectangle(place, *of.wrap) : place);
}

RegionType Regions::typeAt(Point place, std::uint16_t layer, std::span<const float> weights) const {
  if (!any(layer)) return 0;
  if (weights.empty()) return typeAt(place, layer);
  // A corner of a region between two of these directions is narrower than 22.5 degrees.
  constexpr double kC1 = 0.9238795325112867, kS1 = 0.3826834323650898, kD = 0.7071067811865476;
  constexpr std::array<Point, 16> kAround = {
      Point{1, 0}, {kC1, kS1},   {kD, kD},   {kS1, kC1},   {0, 1},  {-kS1, kC1}, {-kD, kD}, {-kC1, kS1},
      {-1, 0},     {-kC1, -kS1}, {-kD, -kD}, {-kS1, -kC1}, {0, -1}, {kS1, -kC1}, {kD, -kD}, {kC1, -kS1}};
  RegionType best = typeAt(place + kAround[0] * kOnBorder, layer);
  for (std::size_t i = 1; i < kAround.size(); ++i)
    best = cheaper(best, typeAt(place + kAround[i] * kOnBorder, layer), weights);
  return best;
}

void Regions::crossed(Point a, Point b, std::uint16_t layer, std::vector<Piece>& pieces) const {
  pieces.clear();
  if (!any(layer)) {
    pieces.push_back({0, 1, 0, 0});
    return;
  }
  const OfLayer& of = layers_[layer];
  if (!of.wrap || (geometry::boxContains(*of.wrap, a) && geometry::boxContains(*of.wrap, b)))
    return appendPieces(of, a, b, 0, 1, pieces);
  // From one copy of the rectangle to the next.
  const Point way = b - a, size = of.wrap->max - of.wrap->min;
  std::vector<double> borders{0, 1};
  const auto cut = [&](double start, double change, double low, double step) {
    if (change == 0) return;
    const double first = std::ceil((std::min(start, start + change) - low) / step);
    for (double k = first; low + k * step <= std::max(start, start + change); ++k) {
      const double t = (low + k * step - start) / change;
      if (t > 0 && t < 1) borders.push_back(t);
    }
  };
  cut(a.x, way.x, of.wrap->min.x, size.x), cut(a.y, way.y, of.wrap->min.y, size.y);
  std::sort(borders.begin(), borders.end());
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    if (!(borders[i] < borders[i + 1])) continue;
    const Point middle = a + way * ((borders[i] + borders[i + 1]) / 2);
    const Point by = intoRectangle(middle, *of.wrap) - middle;
    appendPieces(of, a + way * borders[i] + by, a + way * borders[i + 1] + by, borders[i], borders[i + 1], pieces);
  }
}

void Regions::appendPieces(const OfLayer& layer, Point a, Point b, double from, double to, std::vector<Piece>& pieces) {
  const double whole = length(b - a);
  if (!(whole > 0)) {
    const RegionType type = typeIn(layer, a);
    return join(pieces, {from, to, type, type});
  }
  const Point way = (b - a) / whole;
  thread_local Cuts cuts;
  cuts.at.assign({0, whole}), cuts.followed.clear(), cuts.seen.clear();
  if (geometry::overlap(geometry::boxOf(Segment{a, b}), geometry::grown(layer.box, kOnBorder)))
    layer.layout.forCellsAlong(a, b, slackOf(layer.layout, a, b) + kOnBorder, [&](std::size_t cell) {
      for (const std::uint32_t e : layer.cells.of(cell)) cuts.seen.push_back(e);
    });
  std::sort(cuts.seen.begin(), cuts.seen.end());
  cuts.seen.erase(std::unique(cuts.seen.begin(), cuts.seen.end()), cuts.seen.end());
  const auto cut = [&](double at) {
    if (at > 0 && at < whole) cuts.at.push_back(at);
  };
  for (const std::uint32_t e : cuts.seen) {
    const Edge& edge = layer.edges[e];
    const Seen seen(a, way, edge.a, edge.b);
    if (!seen.within(kOnBorder)) continue;
    if (!seen.isFollowed()) {
      if (seen.within(0)) cut(seen.at(0));
      continue;
    }
    const bool level = seen.left_u == seen.left_v;
    const double p = level ? seen.along_u : seen.at(-kOnBorder), q = level ? seen.along_v : seen.at(kOnBorder);
    cut(p), cut(q), cuts.followed.push_back({std::min(p, q), std::max(p, q)});
  }
  std::sort(cuts.at.begin(), cuts.at.end());

  const Point aside = perpendicular(way) * kOnBorder;
  const double scale = (to - from) / whole;
  double begin = 0;
  for (std::size_t i = 1; i < cuts.at.size(); ++i) {
    const double end = cuts.at[i];
    const bool last = i + 1 == cuts.at.size();
    if (!last && end - begin < kNothing) continue;
    const double middle = (begin + end) / 2;
    const Point there = a + way * middle;
    Piece piece{from + begin * scale, last ? to : from + end * scale, 0, 0};
    if (cuts.follows(middle))
      piece.type = typeIn(layer, there + aside), piece.other = typeIn(layer, there - aside);
    else
      piece.type = piece.other = typeIn(layer, there);
    join(pieces, piece);
    begin = end;
  }
}

double Regions::cost(Point a, Point b, std::uint16_t layer, std::span<const float> weights) const {
  const double whole = length(b - a);
  if (weights.empty() || !any(layer)) return whole;
  thread_local std::vector<Piece> pieces;
  crossed(a, b, layer, pieces);
  double sum = 0;
  for (const Piece& piece : pieces) {
    const double part = (piece.to - piece.from) * whole;
    const auto weight = static_cast<double>(weights[piece.counting(weights)]);
    if (std::isinf(weight) && part > kHair) return std::numeric_limits<double>::infinity();
    sum += part * (std::isinf(weight) ? 1 : weight);
  }
  return sum;
}

std::span<const Regions::Part> Regions::parts(std::uint16_t layer) const {
  if (!any(layer)) return {};
  return layers_[layer].parts;
}

std::size_t Regions::bytes() const {
  std::size_t sum = 0;
  for (const OfLayer& layer : layers_)
    sum += layer.edges.capacity() * (sizeof(Edge) + 3 * sizeof(Point)) + layer.cells.bytes() + layer.base.capacity();
  return sum;
}

}  // namespace throng::ground
