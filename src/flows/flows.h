// The people of navigation flows: who is on which path, and where on it. Nobody outside of this module knows paths.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "flows/gates.h"
#include "flows/traffic.h"
#include "step/context.h"
#include "step/system.h"

namespace throng::flows {

class Flows {
 public:
  /// Null as long as there is no navigation graph.
  const Traffic* traffic() const { return traffic_.get(); }
  /// Of everybody; only where there is a graph.
  const FlowColumns& columns() const { return *columns_; }
  explicit operator bool() const { return traffic_ != nullptr; }

  /// When a graph has come, and after a snapshot was loaded.
  void attach(step::StepContext& context);

  /// Is the flow of a population there?
  bool has(std::size_t population) const { return traffic_ && traffic_->of(static_cast<std::uint16_t>(population)); }
  /// Throws InputError for a place that is not known or lies where nobody can walk.
  static FlowEnd end(const step::StepContext& context, const std::string& place);
  static Minding minding(const step::StepContext& context, const Population& people);
  /// A flow of a population between two of the scene's places. Throws InputError when they cannot be joined.
  const Flow& add(const step::StepContext& context, std::uint16_t population);
  /// Puts somebody on a flow.
  void take(step::StepContext& context, std::uint32_t row, const Flow& flow, const Traffic::Spot& spot, float lane);

  /// Back on the way for somebody who cannot reach their way-point.
  void findAgain(const agents::Crowd& crowd, std::uint32_t row) const { traffic_->findAgain(crowd, *columns_, row); }
  /// From the end where somebody is to the other one.
  void setOut(agents::Crowd& crowd, std::uint32_t row, base::Random& random) {
    traffic_->setOut(crowd, *columns_, row, random);
  }
  /// How long every path takes now.
  void estimate() { traffic_->estimate(columns_->vertex()); }
  /// Preferred velocities of people on flows.
  void follow(step::StepContext& context, bool far_sighted, std::span<const std::uint32_t> rows) const;
  /// Is the cylinder somebody of a flow is in, or the one they come to next, obstructed?
  bool isObstructed(const step::StepContext& context, std::uint32_t row) const;
  /// One more than the vertex of the cylinder somebody is in; 0: none.
  std::uint32_t vertex(std::uint32_t row) const { return columns_->vertex()[row]; }
  /// For those who are on no flow: the cylinder they are in now.
  void locate(const step::StepContext& context, std::uint32_t row) const;
  /// How many people are on each of a flow's paths; nobody of a flow that spreads.
  std::vector<std::uint64_t> peopleOnPaths(const agents::Crowd& crowd, const Flow& flow) const;

  // For snapshots.
  struct Saved {
    std::vector<std::uint16_t> flows;     ///< populations, in the order in which their flows came
    std::vector<std::uint32_t> quickest;  ///< path of every flow
    std::vector<double> travel_times;
    std::vector<float> density;  ///< of every cylinder, when the times were estimated

    template <class Archive>
    void fields(Archive& f) {
      f.list(flows, base::kFields), f.list(quickest, base::kFields);
      f.list(travel_times, base::kFields), f.list(density, base::kFields);
    }
  };
  Saved saved() const;
  /// Throws InputError when they do not fit the graph; null without one.
  static std::unique_ptr<Traffic> restored(const Saved& saved, const step::Loading& loading);
  void restore(std::unique_ptr<Traffic> traffic, step::StepContext& context);

 private:
  std::unique_ptr<Traffic> traffic_;
  std::optional<FlowColumns> columns_;
};

}  // namespace throng::flows
