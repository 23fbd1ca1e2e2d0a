// The lines in plan where the answer to "may somebody stand here" changes.
#pragma once

#include "throng/mesh.h"

#include "base/parallel.h"
#include "import/walkable_surface_faces.h"

namespace throng::import {

/// From a to b, a no later than b; a point when they are the same.
struct PlanLine {
  Spot a, b;
  std::uint32_t sheet = kNone;  ///< the face that stands upright on it
  std::uint32_t cut = kNone;    ///< that it is part of
  bool operator==(const PlanLine&) const = default;
  auto operator<=>(const PlanLine&) const = default;
};

/// Borders of all ground; of whatever lies in the way of a body on it, or on it within a step; and where planes are a
/// step or a body above one another. More lines than needed do no harm. Sorted, each once.
std::vector<PlanLine> planLines(const Faces& faces, const Walkability& walkability, const base::Threads& threads);

}  // namespace throng::import
