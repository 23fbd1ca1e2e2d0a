// Levels of simulation (Pettré et al. 2006; PETTRÉ 2008, section 4; YERSIN 2009, section 4.2.1): how carefully the
// people in each cylinder of the navigation graph are simulated, by who looks from where.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/scene.h"

#include "environment/navigation_graph.h"

namespace throng::scheduling {

/// A level for every vertex of the graph: the highest that any camera gives it. As YERSIN's figure 4.3: the highest
/// level within near_distance all around a camera, also behind it; one less where it looks, however far (another one
/// less beyond far_distance); then less and less to the sides; 0 behind and where nothing can be seen. A camera lower
/// than `kEyesAbove` above the ground of its vertex sees what the graph's visibility says from that vertex in the
/// cardinal directions its view reaches into; a higher one looks over everything. `scale` multiplies both distances.
void assignLevels(const environment::NavigationGraph& graph, const LevelSettings& settings, double scale,
                  std::vector<std::uint8_t>& level);
inline constexpr double kEyesAbove = 4;  // m

/// Keeps a step within a budget by changing the distances. Time is the computer's, so runs with a budget differ from
/// one another.
class Budget {
 public:
  explicit Budget(double milliseconds = 0) : budget_(milliseconds) {}
  bool active() const { return budget_ > 0; }
  /// What assignLevels takes now, in (0, 1].
  double scale() const { return scale_; }
  /// After each step.
  void spent(double milliseconds);

 private:
  double budget_ = 0, scale_ = 1, mean_ = 0;
};

}  // namespace throng::scheduling
