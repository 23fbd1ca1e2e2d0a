// Between the 64-bit floats of geometry and the 32-bit floats in which people move.
#pragma once

#include "throng/base.h"

namespace throng {

inline Point wide(Vec2 v) { return {v.x, v.y}; }
inline Vec2 narrow(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

}  // namespace throng
