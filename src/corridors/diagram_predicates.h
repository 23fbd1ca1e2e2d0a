// How Boost.Polygon's Voronoi diagram decides, made faster for walls that are small beside where they are.
//
// The diagram computes the circle that touches three walls in floating point first, and once more with big integers
// when that may have lost too many digits. Its formulas have products of absolute coordinates in them, and its bounds
// are wide, so that most of the circles among the walls of a town are computed twice. Here a circle is computed around
// one of its own points with a bound on its absolute error, and moved to its place; only what is not as exact then as
// Boost's own would be is left to Boost.
#pragma once

#include <algorithm>
#include <boost/polygon/voronoi.hpp>
#include <cmath>
#include <cstdint>

#include "corridors/wide_integer.h"

namespace throng::corridors {

/// A number and a bound on its error.
struct Bounded {
  double value = 0, error = 0;

  static constexpr double kRounding = 0x1p-52;  // twice what one rounding is off at most: pays for the bounds' own
  /// A number that one rounding has made of the true one.
  static Bounded rounded(double number) { return {number, std::abs(number) * kRounding}; }

  friend Bounded operator+(Bounded a, Bounded b) { return of(a.value + b.value, a.error + b.error); }
  friend Bounded operator-(Bounded a, Bounded b) { return of(a.value - b.value, a.error + b.error); }
  friend Bounded operator*(Bounded a, Bounded b) {
    return of(a.value * b.value, std::abs(a.value) * b.error + (std::abs(b.value) + b.error) * a.error);
  }
  friend Bounded operator/(Bounded a, Bounded b) {
    const double least = std::abs(b.value) - b.error;  // not a number or not positive: no bound
    if (!(least > 0)) return {0, HUGE_VAL};
    const double quotient = a.value / b.value;
    return of(quotient, (a.error + std::abs(quotient) * b.error) / least);
  }
  Bounded operator-() const { return {-value, error}; }

 private:
  static Bounded of(double number, double bound) { return {number, bound + std::abs(number) * kRounding}; }
};
/// Of what cannot be negative.
inline Bounded squareRoot(Bounded a) {
  const double root = std::sqrt(std::max(a.value, 0.0));
  return {root, (root > 0 ? a.error / root : std::sqrt(a.error)) + root * Bounded::kRounding};
}

/// Coordinates given to the diagram may differ by 2^31 at most.
struct DiagramPredicates : boost::polygon::detail::voronoi_predicates<DiagramNumbers> {
  using Plain = boost::polygon::detail::voronoi_predicates<DiagramNumbers>;

  /// Makes the circle that touches three walls: points (p) and segments (s), whose right sides face the circle. The
  /// walls follow one another around the circle; the number says where among them the odd one is.
  template <class Site, class Circle>
  class NearCircle {
   public:
    void ppp(const Site& a, const Site& b, const Site& c, Circle& circle) {
      const Whole p = difference(b.point0(), a.point0()), q = difference(c.point0(), a.point0());
      const Bounded pp = squared(p), qq = squared(q), twice = Bounded{2, 0} * number(cross(p, q));
      const Bounded x = (pp * exact(q.y) - qq * exact(p.y)) / twice;
      const Bounded y = (qq * exact(p.x) - pp * exact(q.x)) / twice;
      if (set(a, x, y, squareRoot(x * x + y * y), circle)) return;
      plain_.ppp(a, b, c, circle);
    }

    /// With the point a as the origin and the centre at r u, |u| = 1: the segment gives r = n r u + d, the point q
    /// gives q r u = h = |q|^2 / 2. Without r, (d q + h n) u = h.
    void pps(const Site& a, const Site& b, const Site& s, int segment, Circle& circle) {
      const Whole q = difference(b.point0(), a.point0());
      const Line line(s, a);
      const Bounded h = Bounded{0.5, 0} * squared(q), qx = exact(q.x), qy = exact(q.y);
      const Bounded from_q = line.distanceTo(b);
      const Bounded wx = line.d * qx + h * line.nx, wy = line.d * qy + h * line.ny;
      const Bounded root = squareRoot(Bounded{2, 0} * h * line.d * from_q);
      const auto [ux, uy] = direction(wx, wy, h, segment == 2 ? root : -root);
      const Bounded r = better(line.d / (one() - line.nx * ux - line.ny * uy), h / (qx * ux + qy * uy));
      if (set(a, r * ux, r * uy, r, circle)) return;
      plain_.pps(a, b, s, segment, circle);
    }

    /// As above, with r = n r u + d of both segments: (d2 n1 - d1 n2) u = d2 - d1.
    void pss(const Site& a, const Site& s1, const Site& s2, int point, Circle& circle) {
      const Line one_line(s1, a), other(s2, a);
      const Bounded d1 = one_line.d, d2 = other.d;
      const Bounded wx = d2 * one_line.nx - d1 * other.nx, wy = d2 * one_line.ny - d1 * other.ny;
      const Bounded root = squareRoot(Bounded{2, 0} * d1 * d2 * oneMinusDot(one_line, other));
      const auto [ux, uy] = direction(wx, wy, d2 - d1, point == 2 ? -root : root);
      const Bounded r =
          better(d1 / (one() - one_line.nx * ux - one_line.ny * uy), d2 / (one() - other.nx * ux - other.ny * uy));
      if (set(a, r * ux, r * uy, r, circle)) return;
      plain_.pss(a, s1, s2, point, circle);
    }

    /// r = n r u + d of all three, with an end of the first as the origin: linear in the centre.
    void sss(const Site& s1, const Site& s2, const Site& s3, Circle& circle) {
      const Line a(s1, s1), b(s2, s1), c(s3, s1);
      const Bounded sine_ab = a.sineTo(b), sine_bc = b.sineTo(c), sine_ca = c.sineTo(a);
      const Bounded all = sine_ab + sine_bc + sine_ca;
      const Bounded x = (b.d * (a.ny - c.ny) + c.d * (b.ny - a.ny)) / all;
      const Bounded y = (b.d * (c.nx - a.nx) + c.d * (a.nx - b.nx)) / all;
      const Bounded r = (c.d * sine_ab + b.d * sine_ca) / all;
      if (set(s1, x, y, r, circle)) return;
      plain_.sss(s1, s2, s3, circle);
    }

   private:
    /// A difference of places: below 2^31, so that products of two, and sums of two such, are whole numbers too.
    struct Whole {
      std::int64_t x, y;
    };
    template <class P>
    static Whole difference(const P& p, const P& q) {
      return {std::int64_t{p.x()} - q.x(), std::int64_t{p.y()} - q.y()};
    }
    static std::int64_t cross(Whole a, Whole b) { return a.x * b.y - a.y * b.x; }
    static std::int64_t dot(Whole a, Whole b) { return a.x * b.x + a.y * b.y; }
    static Bounded exact(std::int64_t difference) { return {static_cast<double>(difference), 0}; }
    static Bounded number(std::int64_t value) { return Bounded::rounded(static_cast<double>(value)); }
    static Bounded squared(Whole a) { return number(dot(a, a)); }
    static Bounded one() { return {1, 0}; }

    /// The line of a segment as n p + d = (how far p is on its right), p measured from where `origin` begins.
    struct Line {
      Whole along;
      Bounded length, nx, ny, d;

      Line(const Site& s, const Site& origin)
          : along(difference(s.point1(), s.point0())),
            length(squareRoot(squared(along))),
            nx(exact(along.y) / length),
            ny(exact(-along.x) / length),
            d(from(s.point0(), origin.point0())),
            start_(s.point0()) {}
      Bounded distanceTo(const Site& point) const { return from(start_, point.point0()); }
      Bounded sineTo(const Line& other) const { return number(cross(along, other.along)) / (length * other.length); }

     private:
      template <class P>
      Bounded from(const P& start, const P& p) const {
        return number(cross(difference(p, start), along)) / length;
      }
      typename Site::point_type start_;
    };

    /// 1 - n1 n2, without taking one number from another that is nearly as large.
    static Bounded oneMinusDot(const Line& a, const Line& b) {
      const Bounded lengths = a.length * b.length, together = number(dot(a.along, b.along));
      if (together.value <= 0) return one() - together / lengths;
      const Bounded across = number(cross(a.along, b.along));
      return across * across / (lengths * (lengths + together));
    }
    struct Direction {
      Bounded x, y;
    };
    /// The u of length 1 with w u = h, on the side that the root's sign says; root^2 = w^2 - h^2.
    static Direction direction(Bounded wx, Bounded wy, Bounded h, Bounded root) {
      const Bounded ww = wx * wx + wy * wy;
      return {(wx * h - wy * root) / ww, (wy * h + wx * root) / ww};
    }
    static Bounded better(Bounded a, Bounded b) { return b.error < a.error ? b : a; }

    /// Places a circle if its numbers are as exact as Boost's own would be.
    static bool set(const Site& origin, Bounded x, Bounded y, Bounded r, Circle& circle) {
      const Bounded x0{static_cast<double>(origin.x0()), 0}, y0{static_cast<double>(origin.y0()), 0};
      const Bounded placed_x = x + x0, placed_y = y + y0, lower_x = placed_x + r;
      for (const Bounded& number : {placed_x, placed_y, lower_x})
        if (!(number.error <= kUlps * 0x1p-52 * std::abs(number.value))) return false;
      circle = Circle(placed_x.value, placed_y.value, lower_x.value);
      return true;
    }
    static constexpr double kUlps = 64;

    Plain::lazy_circle_formation_functor<Site, Circle> plain_;
  };

  template <class Site, class Circle>
  using circle_formation_predicate =
      Plain::circle_formation_predicate<Site, Circle, Plain::circle_existence_predicate<Site>,
                                        NearCircle<Site, Circle>>;
};

}  // namespace throng::corridors
