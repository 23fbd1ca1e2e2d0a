// What can be stood on while people walk: the one owner of walls, doors and obstacles. What comes or goes is told to
// the walkable space, to the corridor map and to the navigation graph in one call, so that they never differ.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/frame.h"
#include "throng/scene.h"

#include "base/parallel.h"
#include "corridors/corridor_map.h"
#include "graph/navigation_graph.h"
#include "ground/regions.h"
#include "ground/walkable_space.h"

namespace throng::step {

/// Something that stands in the way and was not there at first: a closed door, an obstacle, or a piece of one.
struct Inserted {
  std::string name;  ///< of a door or of an event's obstacle; empty: a program's
  std::uint32_t id = 0;
  std::uint32_t whole = 0;  ///< the id it goes by: across a wrapped border an obstacle is in several pieces
  std::uint16_t layer = 0;
  std::vector<Point> shape;

  /// A name that it shares with nothing that is there.
  std::string uniqueName() const;

  template <class Archive>
  friend void fields(Archive& f, Inserted& there) {
    f(there.name), f(there.id), f(there.whole), f(there.layer);
    f.list(there.shape, [](auto& archive, Point& p) { archive(p.x), archive(p.y); });
  }
};

class Terrain {
 public:
  /// The scene must stay where it is.
  explicit Terrain(const Scene& scene);

  const ground::WalkableSpace& space() const { return space_; }
  std::span<const ground::Floor> floors() const { return space_.floors(); }
  /// Of no type anywhere where it costs nobody anything.
  const ground::Regions& regions() const { return regions_; }
  /// Null when nobody needs one and nothing ever changes.
  const corridors::CorridorMap* map() const { return map_.get(); }
  /// Null when there are neither flows nor cameras, and none was given.
  const graph::NavigationGraph* graph() const { return graph_.get(); }
  std::span<const Inserted> inserted() const { return inserted_; }
  /// Doors and obstacles, since the beginning. For recordings; nothing in a step reads them.
  std::span<const Change> changes() const { return changes_; }

  /// From the scene, when it is first needed.
  void needMap();
  /// From the walls of now, when it is first needed.
  void needGraph(const base::Threads& threads);
  /// Those of the scene, made before. Throws InputError when they were made from another one.
  /// `doors`: those that are closed, as they are on the map.
  void give(std::unique_ptr<corridors::CorridorMap> map, std::vector<Inserted> doors);
  void give(std::unique_ptr<graph::NavigationGraph> graph);
  /// What is there now is the scene's, and no change of it: doors that are closed at time 0, a graph made for its
  /// flows.
  void isTheScenes() { changes_.clear(), graph_made_later_ = false; }

  /// A convex obstacle or, with two points, a wall that stands from now on. Across the border of a wrapped layer it
  /// comes in on the other side, in several pieces. Returns its id. Throws InputError when it is not convex, and then
  /// nothing has changed.
  std::uint32_t insert(std::span<const Point> convex, std::uint16_t layer, std::string_view name, double time);
  /// Throws InputError when there is none of this id. Returns its layer.
  std::uint16_t remove(std::uint32_t obstacle, double time);
  /// Null when nothing of that name has been inserted.
  const Inserted* find(std::string_view name) const;

  /// Does something inserted stand in a cylinder of the graph? Whoever walks from cylinder to cylinder knows nothing of
  /// it.
  bool isObstructed(std::uint32_t vertex) const { return !obstructed_.empty() && obstructed_[vertex]; }
  bool anyObstructed() const { return !obstructed_.empty(); }
  /// Counts up whenever walls change.
  std::uint64_t revision() const { return revision_; }

  // For snapshots. The map and the graph are in them only where the scene does not give the same ones.
  bool graphMadeLater() const { return graph_made_later_; }
  void restore(std::unique_ptr<corridors::CorridorMap> map, bool has_map, std::unique_ptr<graph::NavigationGraph> graph,
               std::vector<Inserted> inserted, double time);

 private:
  bool isDoor(std::string_view name) const;
  void logChange(const Inserted& thing, bool came, double time);
  void wallsChanged(std::uint16_t layer);
  void findObstructed();

  const Scene& scene_;
  ground::WalkableSpace space_;
  ground::Regions regions_;
  std::unique_ptr<corridors::CorridorMap> map_;
  std::unique_ptr<graph::NavigationGraph> graph_;
  bool graph_made_later_ = false;  ///< from the walls of then, not of the start
  std::vector<Inserted> inserted_;
  std::vector<Change> changes_;
  std::vector<std::uint8_t> obstructed_;  ///< by vertex of the graph; empty: none is
  std::uint64_t revision_ = 0;
};

}  // namespace throng::step
