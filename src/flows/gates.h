// Following a path of the navigation graph from gate to gate (YERSIN 2009, section 3.1.2; PETTRÉ 2008, section 4).
#pragma once

#include <cstdint>
#include <span>

#include "agents/crowd.h"
#include "corridors/corridor_map.h"
#include "graph/gate_paths.h"

namespace throng::flows {

/// What is kept of people on flows, in columns that only a world with a navigation graph has. Each number is one more
/// than the index it stands for; 0: not on a flow, or in no cylinder.
class FlowColumns {
 public:
  /// Makes the columns where they are not there yet.
  explicit FlowColumns(agents::Crowd& crowd)
      : path_(&crowd.attach<std::uint32_t>("flows.path")),
        vertex_(&crowd.attach<std::uint32_t>("flows.vertex")),
        leg_(&crowd.attach<std::uint32_t>("flows.leg")),
        slope_(&crowd.attach<float>(agents::kSlope)) {}

  base::Column<std::uint32_t>& path() const { return *path_; }      ///< in the world's GatePaths
  base::Column<std::uint32_t>& vertex() const { return *vertex_; }  ///< the cylinder somebody is in, or was in last
  base::Column<std::uint32_t>& leg() const { return *leg_; }        ///< the gate of the path that comes next (an index)
  base::Column<float>& slope() const { return *slope_; }

 private:
  base::Column<std::uint32_t>*path_, *vertex_, *leg_;
  base::Column<float>* slope_;
};

/// Writes target, preferred velocity, vertex and leg of people on flows. Whoever has crossed a gate goes on to the
/// next; whoever is in a cylinder reaches its gates on a straight line. Somebody who was pushed out of the cylinders
/// and does not see the way-point any more is marked as lost. `far_sighted`: people walk straight to the farthest of
/// the next few way-points that they can reach straight through the gates on the way, and so do not zigzag between
/// cylinders; otherwise from each way-point to the next.
void followGates(agents::Crowd& crowd, const FlowColumns& on, const graph::GatePaths& paths,
                 const corridors::CorridorMap* map, bool far_sighted, std::span<const std::uint32_t> rows);

}  // namespace throng::flows
