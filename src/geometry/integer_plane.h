// Places in whole numbers of some spacing, so that every decision about them is exact.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace throng::geometry {

__extension__ typedef __int128 Int128;

/// N is std::int32_t for coordinates up to 2^27 on either side of zero, whose products fit 64 bits, or std::int64_t for
/// coordinates up to 2^30.
template <class N>
struct GridPlace {
  N x = 0, y = 0;
  bool operator==(const GridPlace&) const = default;
  auto operator<=>(const GridPlace&) const = default;
};

/// Holds the product of two differences of coordinates.
template <class N>
using GridProduct = std::conditional_t<std::is_same_v<N, std::int32_t>, std::int64_t, Int128>;

/// Twice the area of abc: positive when c lies to the left of a→b.
template <class N>
constexpr GridProduct<N> cross(GridPlace<N> a, GridPlace<N> b, GridPlace<N> c) {
  using Product = GridProduct<N>;
  return static_cast<Product>(std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
         static_cast<Product>(std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

/// How far along a→b a place lies, times the length of ab.
template <class N>
constexpr GridProduct<N> along(GridPlace<N> a, GridPlace<N> b, GridPlace<N> place) {
  using Product = GridProduct<N>;
  return static_cast<Product>(std::int64_t{b.x} - a.x) * (std::int64_t{place.x} - a.x) +
         static_cast<Product>(std::int64_t{b.y} - a.y) * (std::int64_t{place.y} - a.y);
}

template <class N>
struct GridBox {
  GridPlace<N> min, max;

  static GridBox around(GridPlace<N> a, GridPlace<N> b) {
    return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
  }
  void include(const GridBox& o) {
    min = {std::min(min.x, o.min.x), std::min(min.y, o.min.y)};
    max = {std::max(max.x, o.max.x), std::max(max.y, o.max.y)};
  }
  GridBox widened(N by) const { return {{min.x - by, min.y - by}, {max.x + by, max.y + by}}; }
  bool overlaps(const GridBox& o) const {
    return min.x <= o.max.x && o.min.x <= max.x && min.y <= o.max.y && o.min.y <= max.y;
  }
};

/// The place nearest to where ab and cd cross, halves rounded up. Nothing unless each has the ends of the other on
/// different sides.
template <class N>
std::optional<GridPlace<N>> crossing(GridPlace<N> a, GridPlace<N> b, GridPlace<N> c, GridPlace<N> d) {
  const auto apart = [](auto s, auto t) { return (s > 0 && t < 0) || (s < 0 && t > 0); };
  if (!apart(cross(a, b, c), cross(a, b, d))) return {};
  const GridProduct<N> at_a = cross(c, d, a), at_b = cross(c, d, b);
  if (!apart(at_a, at_b)) return {};
  // p + (q - p) · at_a / whole, with both turned so that whole > 0.
  const int sign = at_a > 0 ? 1 : -1;
  const Int128 whole = (Int128{at_a} - at_b) * sign;
  const auto rounded = [&](N p, N q) {
    const Int128 numerator = 2 * (Int128{std::int64_t{q} - p} * at_a * sign) + whole, denominator = 2 * whole;
    const Int128 quotient = numerator / denominator;
    return static_cast<N>(p + static_cast<N>(numerator % denominator < 0 ? quotient - 1 : quotient));
  };
  return GridPlace<N>{rounded(a.x, b.x), rounded(a.y, b.y)};
}

}  // namespace throng::geometry
