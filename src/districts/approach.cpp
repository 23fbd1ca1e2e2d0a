#include "districts/approach.h"

#include <algorithm>

namespace throng::districts {

PatchState Approach::at(double time) const {
  const double h = end - begin, u = (time - begin) / h, v = 1 - u;
  const Point p = from.position * (v * v * (1 + 2 * u)) + to.position * (u * u * (3 - 2 * u)) +
                  (from.velocity * (u * v * v) - to.velocity * (u * u * v)) * h;
  const Point d = (to.position - from.position) * (6 * u * v / h) + from.velocity * (v * (1 - 3 * u)) +
                  to.velocity * (u * (3 * u - 2));
  return {p, d};
}

double Approach::acceleration() const {
  const double h = end - begin;
  const Point way = (to.position - from.position) * (6 / (h * h));
  const Point first = way - (from.velocity * 2.0 + to.velocity) * (2 / h);
  const Point last = (from.velocity + to.velocity * 2.0) * (2 / h) - way;
  return std::max(length(first), length(last));
}

}  // namespace throng::districts
