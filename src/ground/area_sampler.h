// Places at random in polygons, each as likely as any other.
#pragma once

#include <vector>

#include "throng/scene.h"

#include "base/random.h"
#include "geometry/polygon_index.h"

namespace throng::ground {

/// A place as it will be stored: rounded to 32-bit floats. Volatile because g++ 12.2 with -O2 takes the conversion of
/// two neighbouring numbers to float and back for nothing (seen when it makes a vector of them) and does not round.
inline Point stored(Point p) {
  const volatile float x = static_cast<float>(p.x), y = static_cast<float>(p.y);
  return {x, y};
}

/// Polygons cut into trapezoids between the heights of their corners, so that a place is drawn and not searched for,
/// however thin the polygons are. They may overlap.
class AreaSampler {
 public:
  explicit AreaSampler(const std::vector<Polygon>& area);

  bool empty() const { return trapezoids_.empty(); }
  /// In m²; where polygons overlap it counts as often as they do.
  double area() const { return empty() ? 0 : trapezoids_.back().area_up_to_here; }
  const Rectangle& bounds() const { return bounds_; }
  bool contains(Point place) const { return index_.contains(place); }
  /// A place in the area, rounded. Not to be asked when empty.
  Point sample(base::Random& random) const;

 private:
  struct Trapezoid {
    double y0, y1;         ///< bottom and top
    double left0, right0;  ///< x at the bottom
    double left1, right1;  ///< x at the top
    double area_up_to_here;
  };
  void cut(const Polygon& polygon);

  std::vector<Trapezoid> trapezoids_;
  geometry::PolygonIndex index_;
  Rectangle bounds_;
};

}  // namespace throng::ground
