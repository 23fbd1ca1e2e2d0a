// Paths over the navigation graph as people walk them: lists of gates, shared by everybody on the same path, and for
// every destination the next gate from any cylinder. Way-points are not stored: they follow from a gate and from where
// between its ends somebody walks (YERSIN 2009, section 3.1.2: WP = A + p·AB).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/base.h"

#include "graph/navigation_graph.h"

namespace throng::graph {

/// A gate as it is crossed.
struct GateLeg {
  Vec2 left, right;          ///< ends of the passage, for somebody who walks through
  std::uint32_t vertex = 0;  ///< of the cylinder behind it
};

/// A vertex of the graph in the floats that people move in.
struct Cylinder {
  Vec2 centre;
  float radius = 0, z = 0;
  std::uint16_t floor = 0;
};

class GatePaths {
 public:
  GatePaths() = default;
  explicit GatePaths(const NavigationGraph& graph);

  /// From vertices[0] over edges[0] to vertices[1] and so on. Returns the path's number.
  std::uint32_t add(const NavigationGraph& graph, std::span<const std::uint32_t> vertices,
                    std::span<const std::uint32_t> edges);
  /// The way to one place from everywhere: `next` is the edge to take at every vertex, kNone at the end. Returns its
  /// number, which is that of a path whose legs are chosen by vertex.
  std::uint32_t addField(const NavigationGraph& graph, std::span<const std::uint32_t> next);

  bool isField(std::uint32_t path) const { return paths_[path].field; }
  /// The gate that leads on; null when somebody in `vertex` has no more to cross.
  const GateLeg* next(std::uint32_t path, std::uint32_t leg, std::uint32_t vertex) const {
    const Path& p = paths_[path];
    if (p.field) return legs_[p.first + vertex].vertex == vertex ? nullptr : &legs_[p.first + vertex];
    return leg < p.count ? &legs_[p.first + leg] : nullptr;
  }
  std::uint32_t firstVertex(std::uint32_t path) const { return paths_[path].vertex; }
  std::uint32_t legs(std::uint32_t path) const { return paths_[path].count; }
  const Cylinder& cylinder(std::uint32_t vertex) const { return cylinders_[vertex]; }
  std::size_t size() const { return paths_.size(); }
  std::size_t bytes() const;

 private:
  struct Path {
    std::size_t first = 0;     ///< in legs_
    std::uint32_t count = 0;   ///< of a field: vertices of the graph
    std::uint32_t vertex = 0;  ///< where it begins
    bool field = false;
  };
  static GateLeg legOver(const GraphEdge& edge, bool upwards);

  std::vector<Cylinder> cylinders_;
  std::vector<Path> paths_;
  std::vector<GateLeg> legs_;
};

}  // namespace throng::graph
