// The navigation graph (Pettré, Laumond and Thalmann 2005; Pettré et al. 2006; YERSIN 2009, section 3.1; PETTRÉ 2008,
// section 2): free space as vertical cylinders on its medial axis, joined by gates where two of them overlap.
//
// The ground of every floor is sampled at the nodes of one regular grid, so a column keeps all its altitudes.
// Neighbouring samples are linked when the ground between them is flat enough and nothing stands between them.
// Clearance is the exact distance to the nearest obstacle along the floors (the corridor map's), not a distance between
// samples. A person inside a cylinder reaches every gate of that cylinder on a straight line: cylinders are convex and
// free.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/scene.h"

#include "base/parallel.h"
#include "corridors/corridor_map.h"
#include "geometry/uniform_grid.h"
#include "ground/walkable_space.h"

namespace throng::graph {

struct GraphVertex {
  Point centre;
  double z = 0;       ///< m, of the ground at the centre
  double radius = 0;  ///< m: clearance at the centre; nothing stands nearer along the floor
  std::uint16_t floor = 0;
  std::uint32_t first = 0, count = 0;  ///< its half of the edges: incident()[first … first + count)
};

/// Gate between two cylinders. Its pseudo-orientation is by vertex number: a is on the left and b on the right of
/// somebody who goes from `low` to `high`.
struct GraphEdge {
  std::uint32_t low = 0, high = 0;  ///< vertices, low < high
  Segment gate;                     ///< the chord that both cylinders share: its full width
  /// Where a body of the graph's radius stays inside both cylinders: the chord of the two cylinders made smaller by
  /// that radius, parallel to the gate (on its line when they are of one size). Way-points lie on it. Same orientation
  /// as `gate`. A single point where there is room for no more than one body.
  Segment passage;
  float width = 0;   ///< m, of the gate
  float length = 0;  ///< m, between the two centres, by way of the gate's middle
};

struct GraphStatistics {
  std::size_t samples = 0, links = 0, border_samples = 0;
  double seconds = 0;  ///< 0 for a graph from a file
  double sampling = 0, linking = 0, clearance = 0, cylinders = 0, gates = 0, visibility = 0;  ///< s
  std::size_t peak_bytes = 0;  ///< of the samples while it was made
};

/// The four cardinal directions.
enum class Cardinal : std::uint8_t { kEast, kNorth, kWest, kSouth };

class NavigationGraph {
 public:
  NavigationGraph() = default;
  /// How it is made: quickly, or by looking at every sample and every cell each time, which gives the same graph.
  enum class Making : std::uint8_t { kQuick, kPlain };
  /// `walkability` gives slope, step and radius; `precision` the distance of samples.
  NavigationGraph(const ground::WalkableSpace& space, const corridors::CorridorMap& map, const Walkability& walkability,
                  double precision, const base::Threads& threads, Making making = Making::kQuick);
  /// From given parts: edges are put in order of (low, high), gates turned with them, vertices' halves of the edges and
  /// components found. `visible` has four lists per vertex, by Cardinal, or none at all.
  static NavigationGraph fromParts(std::vector<GraphVertex> vertices, std::vector<GraphEdge> edges,
                                   const std::vector<std::array<std::vector<std::uint32_t>, 4>>& visible = {});

  std::span<const GraphVertex> vertices() const { return vertices_; }
  std::span<const GraphEdge> edges() const { return edges_; }
  /// Edges of a vertex, ascending.
  std::span<const std::uint32_t> incident(std::uint32_t vertex) const {
    return std::span(incident_).subspan(vertices_[vertex].first, vertices_[vertex].count);
  }
  std::uint32_t across(std::uint32_t edge, std::uint32_t from) const {
    return edges_[edge].low == from ? edges_[edge].high : edges_[edge].low;
  }
  double bodyRadius() const { return body_radius_; }
  double precision() const { return precision_; }
  /// Connected component of a vertex; 0 is the one with the largest area.
  std::uint32_t component(std::uint32_t vertex) const { return component_[vertex]; }

  /// The vertex in whose cylinder somebody stands: of several, the one they are deepest in; when in none, the one whose
  /// rim is nearest within `reach` m. kNone when there is none. The floor may be another one than the cylinder's
  /// centre's when they are joined there.
  std::uint32_t locate(Point place, std::uint16_t floor, double reach = 2) const;
  /// Vertices whose centres can be seen from a vertex's centre, and lie in the quarter of the horizon around a
  /// direction; ascending. Not farther than kSightRange.
  std::span<const std::uint32_t> visible(std::uint32_t vertex, Cardinal direction) const;

  /// The floor of a place inside a vertex's cylinder: its centre's, or the one behind a connection.
  std::uint16_t floorIn(std::uint32_t vertex, Point place) const;

  static constexpr double kSightRange = 150;  // m

  const GraphStatistics& statistics() const { return statistics_; }
  std::size_t bytes() const;

  /// A hash of the ground it was made from, where somebody has set it; 0: not known. Kept in files.
  std::uint64_t scene() const { return scene_; }
  void setScene(std::uint64_t hash) { scene_ = hash; }
  /// A sealed archive (base/archive.h).
  std::string save() const;
  /// Throws InputError when it is no graph, or a damaged one.
  static NavigationGraph load(std::string_view bytes);

 private:
  friend class GraphBuilder;
  friend class GraphFile;

  /// A line on which people change floors.
  struct Passage {
    Segment line;
    std::uint16_t left_floor = 0, right_floor = 0;
  };
  /// Incident edges, squares and which passages each cylinder reaches over: what is not in files.
  void index();
  void indexCylinders();
  void indexPassages();

  std::vector<GraphVertex> vertices_;
  std::vector<GraphEdge> edges_;
  std::vector<std::uint32_t> incident_, component_;
  std::vector<std::uint32_t> visible_start_, visible_;  ///< four lists per vertex
  std::vector<Passage> passages_;
  std::vector<std::uint32_t> reaches_start_, reaches_;  ///< passages that a vertex's cylinder reaches over
  geometry::UniformGrid<double> squares_;               ///< which cylinders reach into which square
  double body_radius_ = 0.25, precision_ = 0.5;
  GraphStatistics statistics_;
  std::uint64_t scene_ = 0;
};

}  // namespace throng::graph
