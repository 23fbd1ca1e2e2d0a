// Which type of ground is where: the weighted regions of a scene (JAKLIN 2016, chapters 3 to 8). Types are of the
// scene; what they cost is of each profile, and varies from person to person.
//
// Where regions of a layer overlap, the later one in its list counts. Every answer looks at the polygons as they are
// given, with exact predicates: there are neither gaps nor overlaps that rounding made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/scene.h"

#include "geometry/polygon_index.h"
#include "geometry/uniform_grid.h"

namespace throng::ground {

/// Index into Regions::types(); 0 is ground of no type, which costs 1.
using RegionType = std::uint8_t;

/// What each type costs somebody per metre, by RegionType; infinity: never. Empty: nothing matters.
using RegionWeights = std::vector<float>;

/// m: who is no farther than this from the border of two regions is on it, and pays for the cheaper one. It covers what
/// rounding to 32 bits does to a place within 4 km of the origin.
inline constexpr double kOnBorder = 2.5e-4;

/// Of two types the one that costs less; the first when it does not matter.
inline RegionType cheaper(RegionType a, RegionType b, std::span<const float> weights) {
  return !weights.empty() && weights[b] < weights[a] ? b : a;
}

class Regions {
 public:
  /// A part of a straight line in one region. Along the border of two, `other` is the type on the other (right) side;
  /// elsewhere it equals `type`. The cheaper one counts.
  struct Piece {
    double from, to;  ///< 0 … 1 along the line
    RegionType type, other;

    RegionType counting(std::span<const float> weights) const { return cheaper(type, other, weights); }
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  /// An area of one type.
  struct Part {
    RegionType type;
    Polygon area;
  };

  Regions() = default;
  /// Throws InputError when there are more than 255 types.
  explicit Regions(const Scene& scene);

  /// Is there any region, on any layer or on one?
  bool any() const { return types_.size() > 1; }
  bool any(std::uint16_t layer) const { return layer < layers_.size() && !layers_[layer].polygons.empty(); }
  /// Of all layers, in the order of appearance, after ground of no type, which has no name.
  const std::vector<std::string>& types() const { return types_; }
  /// Of a name; 0 for one that is nowhere.
  RegionType typeOf(std::string_view name) const;

  /// The type at a place. The border belongs to a region; where two of them have it, to the later one.
  RegionType typeAt(Point place, std::uint16_t layer) const;
  /// The same for somebody: the cheapest one of those within kOnBorder around the place.
  RegionType typeAt(Point place, std::uint16_t layer, std::span<const float> weights) const;

  /// Pieces of the line a→b in order, from 0 to 1; neighbours of equal types are joined. `pieces` is overwritten, and
  /// keeps its capacity.
  void crossed(Point a, Point b, std::uint16_t layer, std::vector<Piece>& pieces) const;

  /// Σ length · weight along the line; infinity when a part of more than a hair (1 mm) lies where somebody never walks.
  double cost(Point a, Point b, std::uint16_t layer, std::span<const float> weights) const;

  /// Disjoint polygons by type that cover all regions of a layer, merged by type; ground of no type is what they leave.
  /// Rounded where regions overlap. In a wrapped layer those within its rectangle.
  std::span<const Part> parts(std::uint16_t layer) const;

  std::size_t bytes() const;

 private:
  /// An edge of a polygon.
  struct Edge {
    Point a, b;
    std::uint32_t polygon;
  };
  struct OfLayer {
    std::vector<Polygon> polygons;  ///< of all regions, in the order of the list: the last that covers a place counts
    std::vector<RegionType> type;   ///< by polygon
    std::vector<geometry::PolygonIndex> index;  ///< by polygon
    std::vector<Edge> edges;                    ///< by polygon
    Rectangle box = geometry::kEmptyBox;        ///< around all
    geometry::CellLayout<double> layout;
    geometry::CellLists cells;     ///< edges that can be seen in a cell: of no polygon that is covered there
    std::vector<RegionType> base;  ///< by cell: the type where none of those polygons is
    std::vector<Part> parts;
    std::optional<Rectangle> wrap;
  };

  static void index(OfLayer& layer);
  static RegionType typeIn(const OfLayer& layer, Point place);
  /// Appends the pieces of a line that is `from` to `to` of a whole one.
  static void appendPieces(const OfLayer& layer, Point a, Point b, double from, double to, std::vector<Piece>& pieces);

  std::vector<std::string> types_{std::string()};
  std::vector<OfLayer> layers_;
};

/// Polygons of regions, later ones on top of earlier ones, as disjoint ones merged by type.
std::vector<Regions::Part> disjointParts(std::span<const Polygon> polygons, std::span<const RegionType> types);

}  // namespace throng::ground
