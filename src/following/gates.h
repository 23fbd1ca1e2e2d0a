// Following a path of the navigation graph from gate to gate (YERSIN 2009, section 3.1.2; PETTRÉ 2008, section 4).
#pragma once

#include <cstdint>
#include <span>

#include "agents/crowd.h"
#include "corridors/corridor_map.h"
#include "graph/gate_paths.h"

namespace throng::following {

/// Writes target, preferred velocity, vertex and leg of people on flows. Whoever has crossed a gate goes on to the
/// next; whoever is in a cylinder reaches its gates on a straight line. Somebody who was pushed out of the cylinders
/// and does not see the way-point any more is marked as lost. `far_sighted`: people walk straight to the farthest of
/// the next few way-points that they can reach straight through the gates on the way, and so do not zigzag between
/// cylinders; otherwise from each way-point to the next.
void followGates(agents::Crowd& crowd, const graph::GatePaths& paths, const corridors::CorridorMap* map,
                 bool far_sighted, std::span<const std::uint32_t> rows);

}  // namespace throng::following
