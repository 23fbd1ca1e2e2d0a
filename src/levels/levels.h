// Levels of simulation (Pettré et al. 2006; PETTRÉ 2008, section 4; YERSIN 2009, section 4.2.1): how carefully the
// people in each cylinder of the navigation graph are simulated, by who looks from where.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/scene.h"

#include "graph/navigation_graph.h"

namespace throng::levels {

/// A level for every vertex of the graph: the highest that any camera gives it. As YERSIN's figure 4.3: the highest
/// level within near_distance all around a camera, also behind it and beyond walls; one less where it looks, however
/// far (another one less beyond far_distance); then less and less to the sides, up to twice the field of view; 0 behind
/// and where nothing can be seen. A camera lower than `kEyesAbove` above the ground of its vertex sees what the graph's
/// visibility says from that vertex; a higher one, and one that is over no cylinder, looks over everything. `scale`
/// multiplies both distances.
///
/// Directions are compared in plan, and in space for cameras that look down steeply; one without any horizontal part
/// looks all around.
///
/// `level` has the levels so far, or another size at first. A vertex rises at once and falls only when it is `kBeyond`
/// outside of the border (by distance or by angle), so that nobody flickers when a camera or the scale trembles.
void assignLevels(const graph::NavigationGraph& graph, const LevelSettings& settings, double scale,
                  std::vector<std::uint8_t>& level);
inline constexpr double kEyesAbove = 4;  // m
inline constexpr double kBeyond = 1.1;   // times a border's distance or angle

/// The cylinder a camera is over: of those around it in plan whose ground is not above it the highest ones (within
/// 1 m), of these the one it is deepest in; when it is in none, the same with cylinders whose rim is within 2 m. kNone
/// when there is none.
std::uint32_t vertexBelow(const graph::NavigationGraph& graph, Point3 camera);

/// Keeps a step within a budget by changing the distances. Time is the computer's, so runs with a budget differ from
/// one another.
class Budget {
 public:
  explicit Budget(double milliseconds = 0) : budget_(milliseconds) {}
  bool active() const { return budget_ > 0; }
  double milliseconds() const { return budget_; }
  /// What assignLevels takes now, in [kLeastScale, 1].
  double scale() const { return scale_; }
  /// After each step.
  void spent(double milliseconds);

 private:
  double budget_ = 0, scale_ = 1, mean_ = 0;
};
inline constexpr double kLeastScale = 0.02;

}  // namespace throng::levels
