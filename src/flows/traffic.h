// The navigation flows of a world: their paths, which of them is the quickest now, and who goes where on them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "throng/scene.h"

#include "agents/crowd.h"
#include "base/random.h"
#include "flows/gates.h"
#include "graph/gate_paths.h"
#include "graph/navigation_graph.h"
#include "ground/regions.h"
#include "ground/walkable_space.h"
#include "planning/flows.h"

namespace throng::flows {

/// One of the two places that a flow joins.
struct FlowEnd {
  Vec2 at;
  float radius = 0;
  std::uint16_t floor = 0;
  std::uint32_t vertex = 0;
};

struct Flow {
  std::uint16_t population = 0;
  std::array<FlowEnd, 2> ends;           ///< from, to
  std::uint32_t first_path = 0;          ///< in the paths: 2k there and 2k + 1 back, for path k
  std::uint32_t count = 0;               ///< of paths
  std::array<std::uint32_t, 2> field{};  ///< to each end, for people who have lost their path
  std::uint32_t quickest = 0;
  std::size_t first_time = 0;  ///< in the travel times
};

/// What ground costs the people of a flow.
struct Minding {
  std::uint16_t profile = 0;
  const ground::Regions* regions = nullptr;   ///< null: no ground is of any type
  std::span<const float> weights = {};        ///< by ground::RegionType; empty: all ground is alike
  std::span<const ground::Floor> hills = {};  ///< floors, where their slopes matter
  SlopeCost slope = {};
};

class Traffic {
 public:
  /// The graph must stay where it is.
  explicit Traffic(const graph::NavigationGraph& graph);

  const graph::NavigationGraph& graph() const { return graph_; }
  const graph::GatePaths& paths() const { return paths_; }
  std::span<const Flow> flows() const { return flows_; }
  /// The flow of a population; null when it is none.
  const Flow* of(std::uint16_t population) const {
    return population < flow_of_.size() && flow_of_[population] > 0 ? &flows_[flow_of_[population] - 1] : nullptr;
  }
  /// Paths of a flow, as they were found.
  std::span<const planning::FlowPath> found(const Flow& flow) const { return found_[&flow - flows_.data()]; }
  /// s, of each of a flow's paths, as estimated last.
  std::span<const double> travelTimes(const Flow& flow) const {
    return std::span(times_).subspan(flow.first_time, flow.count);
  }

  /// Throws InputError when a place is not on the graph or no way leads from the one to the other.
  void add(std::uint16_t population, const FlowEnds& ends, const std::array<FlowEnd, 2>& places,
           const Minding& minding = {});

  /// How many people are in each cylinder, and from that how long every path takes now (PETTRÉ 2008, section 4).
  /// `vertices`: one more than that of each person; 0: in none.
  void estimate(std::span<const std::uint32_t> vertices);
  std::span<const float> density() const { return density_; }

  /// Sets out from the end where somebody is, on the path that is the quickest now; kept until the other end.
  void setOut(agents::Crowd& crowd, const FlowColumns& on, std::uint32_t row, base::Random& random);
  /// Somewhere on the way, for people who are there from the beginning.
  struct Spot {
    Vec2 at;
    float z = 0;
    std::uint16_t floor = 0;
    std::uint32_t path = 0, leg = 0, vertex = 0;
    bool returning = false;
  };
  Spot anywhere(const Flow& flow, float lane, base::Random& random) const;
  void take(agents::Crowd& crowd, const FlowColumns& on, std::uint32_t row, const Flow& flow, const Spot& spot,
            base::Random& random) const;
  bool arrived(const agents::Crowd& crowd, std::uint32_t row) const;
  /// Back on the way for somebody who cannot reach their way-point: by the field of their destination.
  void findAgain(const agents::Crowd& crowd, const FlowColumns& on, std::uint32_t row) const;

  /// The estimates of all paths, for going on from a snapshot.
  std::span<const double> allTravelTimes() const { return times_; }
  /// What people know: times of all paths, the density of every cylinder, the quickest path of every flow. False when
  /// there are not as many of them.
  bool setEstimates(std::span<const double> times, std::span<const float> density,
                    std::span<const std::uint32_t> quickest);

  std::size_t bytes() const;

 private:
  void aim(agents::Crowd& crowd, std::uint32_t row, const FlowEnd& end, base::Random& random) const;

  const graph::NavigationGraph& graph_;
  graph::GatePaths paths_;
  planning::FlowScratch scratch_;
  std::vector<Flow> flows_;
  std::vector<std::vector<planning::FlowPath>> found_;
  std::vector<std::uint32_t> flow_of_;  ///< by population: one more than the flow's index
  /// By vertex, and one more than the profile of people to whom not all ground is alike; 0: of all others.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> field_to_;
  std::map<std::uint16_t, std::vector<planning::FlowCost>> costs_;  ///< of the edges, by profile of those
  std::vector<double> times_;
  std::vector<float> density_;
  std::vector<std::uint32_t> people_;  ///< scratch: in each cylinder
  std::vector<double> seconds_;        ///< over each edge, by the density there
  std::vector<double> worth_;          ///< scratch: of a flow's paths
};

}  // namespace throng::flows
