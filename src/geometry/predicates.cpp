#include "geometry/predicates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "geometry/boxes.h"

namespace throng::geometry {
namespace {

__extension__ using Wide = unsigned __int128;

// A sum of products of doubles without any rounding: one fixed-point number wide enough for every finite product, in
// the manner of Kulisch's long accumulator (Kulisch & Miranker 1981). The lowest bit is worth 2^-2148, twice the lowest
// bit of a double; the largest product is below 2^2048; the rest is room for carries and the sign (two's complement).
class ExactSum {
 public:
  /// Adds sign · a · b; sign is +1 or -1.
  void addProduct(double a, double b, int sign) {
    const Parts pa = parts(a), pb = parts(b);
    if (pa.mantissa == 0 || pb.mantissa == 0) return;
    const auto product = static_cast<Wide>(pa.mantissa) * pb.mantissa;  // at most 106 bits
    const int shift = pa.exponent + pb.exponent + kOffset;
    const int word = shift / 64, bit = shift % 64;
    const auto low = static_cast<std::uint64_t>(product), high = static_cast<std::uint64_t>(product >> 64);
    const std::array<std::uint64_t, 3> limbs = {low << bit, (high << bit) | (bit ? low >> (64 - bit) : 0),
                                                bit ? high >> (64 - bit) : 0};
    if ((pa.negative != pb.negative) != (sign < 0)) {
      subtract(word, limbs);
    } else {
      add(word, limbs);
    }
  }

  int sign() const {
    if (words_.back() >> 63) return -1;
    return std::any_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w != 0; }) ? 1 : 0;
  }

 private:
  static constexpr int kOffset = 2 * 1074;
  static constexpr std::size_t kWords = 67;

  /// value = ± mantissa · 2^exponent, exponent >= -1074.
  struct Parts {
    std::uint64_t mantissa;
    int exponent;
    bool negative;
  };

  static Parts parts(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto fraction = bits & 0x000fffffffffffffu;
    const int biased = static_cast<int>((bits >> 52) & 0x7ff);
    const bool negative = (bits >> 63) != 0;
    if (biased == 0) return {fraction, -1074, negative};
    return {fraction | 0x0010000000000000u, biased - 1075, negative};
  }

  void add(int word, const std::array<std::uint64_t, 3>& limbs) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0, w = static_cast<std::size_t>(word); w < kWords && (i < 3 || carry); ++i, ++w) {
      const auto sum = static_cast<Wide>(words_[w]) + (i < 3 ? limbs[i] : 0) + carry;
      words_[w] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
  }

  void subtract(int word, const std::array<std::uint64_t, 3>& limbs) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0, w = static_cast<std::size_t>(word); w < kWords && (i < 3 || borrow); ++i, ++w) {
      const auto difference = static_cast<Wide>(words_[w]) - (i < 3 ? limbs[i] : 0) - borrow;
      words_[w] = static_cast<std::uint64_t>(difference);
      borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
    }
  }

  std::array<std::uint64_t, kWords> words_{};
};

int signOf(double value) { return (value > 0) - (value < 0); }

/// a × b + b × c + c × a, without rounding.
int exactOrientation(Point a, Point b, Point c) {
  ExactSum sum;
  const std::array<Point, 3> p = {a, b, c};
  for (std::size_t i = 0; i < 3; ++i) {
    const Point from = p[i], to = p[(i + 1) % 3];
    sum.addProduct(from.x, to.y, +1);
    sum.addProduct(from.y, to.x, -1);
  }
  return sum.sign();
}

bool inBox(Point a, Point b, Point p) {
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

enum class Side { kOutside, kBorder, kInside };

/// Where p lies by the even-odd rule.
Side locate(const Ring& ring, Point p) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const RayHit hit = rayHit(ring[j], ring[i], p);
    if (hit == RayHit::kBorder) return Side::kBorder;
    inside ^= hit == RayHit::kCrosses;
  }
  return inside ? Side::kInside : Side::kOutside;
}

}  // namespace

int orientation(Point a, Point b, Point c) {
  // Signs of differences are exact (gradual underflow), and so are the signs of their products.
  const double acx = a.x - c.x, bcx = b.x - c.x, acy = a.y - c.y, bcy = b.y - c.y;
  const int left_sign = signOf(acx) * signOf(bcy), right_sign = signOf(acy) * signOf(bcx);
  if (left_sign != right_sign) return left_sign > right_sign ? 1 : -1;
  if (left_sign == 0) return 0;
  const double left = acx * bcy, right = acy * bcx;
  const double det = left - right;
  // Shewchuk (1997), the error bound of the first stage; it holds away from underflow and overflow.
  const double magnitude = std::abs(left) + std::abs(right);
  if (magnitude > 1e-280 && magnitude < 1e300 && std::abs(det) > 3.4e-16 * magnitude) return det > 0 ? 1 : -1;
  return exactOrientation(a, b, c);
}

bool segmentsIntersect(Point a, Point b, Point c, Point d) {
  const int abc = orientation(a, b, c), abd = orientation(a, b, d);
  const int cda = orientation(c, d, a), cdb = orientation(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && inBox(a, b, c)) || (abd == 0 && inBox(a, b, d)) || (cda == 0 && inBox(c, d, a)) ||
         (cdb == 0 && inBox(c, d, b));
}

double distanceOfEnds(const Segment& s, const Segment& t) {
  return std::min({distanceToSegment(s.a, t.a, t.b), distanceToSegment(s.b, t.a, t.b), distanceToSegment(t.a, s.a, s.b),
                   distanceToSegment(t.b, s.a, s.b)});
}

double distanceBetween(const Segment& s, const Segment& t) {
  return segmentsIntersect(s.a, s.b, t.a, t.b) ? 0 : distanceOfEnds(s, t);
}

bool contains(const Ring& ring, Point p) { return !ring.empty() && locate(ring, p) != Side::kOutside; }

bool contains(const Polygon& polygon, Point p) {
  if (!contains(polygon.outer, p)) return false;
  return std::none_of(polygon.holes.begin(), polygon.holes.end(),
                      [p](const Ring& hole) { return !hole.empty() && locate(hole, p) == Side::kInside; });
}

bool strictlyContains(const Polygon& polygon, Point p) {
  if (polygon.outer.empty() || locate(polygon.outer, p) != Side::kInside) return false;
  return std::all_of(polygon.holes.begin(), polygon.holes.end(),
                     [p](const Ring& hole) { return hole.empty() || locate(hole, p) == Side::kOutside; });
}

bool contains(const std::vector<Polygon>& polygons, Point p) {
  return std::any_of(polygons.begin(), polygons.end(), [p](const Polygon& polygon) { return contains(polygon, p); });
}

double signedArea(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 2; i < ring.size(); ++i) twice += det(ring[i - 1] - ring[0], ring[i] - ring[0]);
  return twice / 2;
}

double area(const std::vector<Polygon>& polygons) {
  double sum = 0;
  for (const auto& polygon : polygons) {
    sum += std::abs(signedArea(polygon.outer));
    for (const auto& hole : polygon.holes) sum -= std::abs(signedArea(hole));
  }
  return sum;
}

std::optional<Rectangle> bounds(const std::vector<Polygon>& polygons) {
  Rectangle box = kEmptyBox;
  for (const auto& polygon : polygons) include(box, boxOf(polygon.outer));
  return isEmpty(box) ? std::nullopt : std::optional(box);
}

}  // namespace throng::geometry
