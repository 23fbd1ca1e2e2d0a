// The navigation graph of a scene: free space as cylinders, joined by gates where they overlap
// (docs/navigation-graph.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// How large a navigation graph is, and what making it took.
struct NavigationGraphStatistics {
  std::size_t samples = 0;         ///< of the ground
  std::size_t links = 0;           ///< between samples
  std::size_t border_samples = 0;  ///< with fewer than four links
  std::size_t vertices = 0, edges = 0, components = 0;
  std::size_t bytes = 0;       ///< that the graph takes
  std::size_t peak_bytes = 0;  ///< that the samples took while it was made
  double build_seconds = 0;    ///< 0 for a graph from a file
  /// What the parts of that took, in the order in which they happened, s.
  struct Part {
    std::string_view name;
    double seconds = 0;
  };
  std::vector<Part> parts;
};

/// A cylinder that nothing stands in.
struct NavigationCylinder {
  Point centre;
  double z = 0;                 ///< m, of the ground at the centre
  double radius = 0;            ///< m
  std::uint16_t layer = 0;      ///< of the centre; index in the scene's layers
  std::uint32_t component = 0;  ///< those of one number are connected; 0 has the largest area
};

/// Where two cylinders overlap.
struct NavigationGate {
  std::uint32_t low = 0, high = 0;  ///< vertices; low < high
  Segment gate;                     ///< the chord they share; a is on the left of who goes from low to high
  Segment passage;                  ///< where a body stays inside both
  double width = 0;                 ///< m, of the gate
  double length = 0;                ///< m, from centre to centre through the middle of the passage
};

/// One of the paths of a navigation flow: vertices[i] and vertices[i + 1] share edges[i].
struct NavigationPath {
  std::vector<std::uint32_t> vertices, edges;
  double length = 0;     ///< m, over the gates
  double narrowest = 0;  ///< m, width of its narrowest gate
};

/// The navigation graph of a scene. Everything const may be called from several threads at once.
class NavigationGraph {
 public:
  enum class Direction : std::uint8_t { kEast, kNorth, kWest, kSouth };

  /// From a scene's layers and connections, with its doors as they are at time 0, and the settings in
  /// `scene.navigation` (in scenes with a mesh, what people can walk on is what its walkability says). `threads` 0: as
  /// many as there are cores; the graph is the same with any number. Throws InputError.
  explicit NavigationGraph(const Scene& scene, int threads = 0);
  /// Reads what save() has written. Throws FileError or InputError.
  static NavigationGraph load(const std::string& path);
  void save(const std::string& path) const;
  ~NavigationGraph();
  NavigationGraph(const NavigationGraph& other);
  NavigationGraph& operator=(const NavigationGraph& other);
  NavigationGraph(NavigationGraph&&) noexcept;
  NavigationGraph& operator=(NavigationGraph&&) noexcept;

  NavigationGraphStatistics statistics() const;
  double precision() const;
  double bodyRadius() const;
  const std::vector<NavigationCylinder>& vertices() const;
  const std::vector<NavigationGate>& edges() const;

  /// The vertex in whose cylinder a place lies: of several, the one it is deepest in; when in none, the one whose rim
  /// is nearest within `reach` m. `layer`: index in the scene's layers.
  std::optional<std::uint32_t> locate(Point place, std::uint16_t layer = 0, double reach = 2) const;
  /// Vertices whose centres can be seen from a vertex's centre (not farther than 150 m) in a quarter of the horizon,
  /// ascending. Throws InputError for a vertex that is not there.
  std::span<const std::uint32_t> visible(std::uint32_t vertex, Direction direction) const;

  /// The paths of a navigation flow from one vertex to another (docs/flows.md), the shortest first; `most` 0: all there
  /// are. None when there is no way.
  std::vector<NavigationPath> flow(std::uint32_t from, std::uint32_t to, std::size_t most = 50) const;
  /// The same for several pairs at once, on all cores.
  std::vector<std::vector<NavigationPath>> flows(std::span<const std::pair<std::uint32_t, std::uint32_t>> ends,
                                                 std::size_t most = 50, int threads = 0) const;
  /// The vertex of a place of the scene that the graph was made from; nothing when no body gets there.
  std::optional<std::uint32_t> locate(const Scene& scene, const std::string& place) const;
  /// The level of simulation of every vertex (docs/levels.md).
  std::vector<std::uint8_t> levels(const LevelSettings& settings) const;

 private:
  friend class World;
  struct State;
  friend const State& stateOf(const NavigationGraph& graph);
  explicit NavigationGraph(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
#pragma GCC visibility pop
