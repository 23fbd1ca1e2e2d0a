// Shapes in archives (base/archive.h).
#pragma once

#include "throng/shapes.h"

#include "base/archive.h"

namespace throng {

template <class Archive, class T>
void fields(Archive& f, BasicVec2<T>& p) {
  f(p.x), f(p.y);
}
template <class Archive>
void fields(Archive& f, Segment& s) {
  fields(f, s.a), fields(f, s.b);
}
template <class Archive>
void fields(Archive& f, Rectangle& r) {
  fields(f, r.min), fields(f, r.max);
}
template <class Archive>
void fields(Archive& f, Polygon& polygon) {
  f.list(polygon.outer, base::kFields);
  f.list(polygon.holes, [](auto& archive, Ring& hole) { archive.list(hole, base::kFields); });
}

}  // namespace throng
