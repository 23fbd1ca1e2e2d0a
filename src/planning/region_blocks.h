// A triangulation of weighted regions in blocks: triangles of one type of ground that lie together, some metres across,
// with few places on the borders between one block and the next. A search over those places tells in a fraction of the
// time of the real one about what each place of the ground still costs to a goal; the real search then looks at little
// that does not lie on the way (docs/planning.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "planning/open_heap.h"
#include "planning/region_mesh.h"
#include "planning/steiner.h"

namespace throng::planning {

/// Triangulations with fewer triangles are small: all of one may be looked at for every way.
inline constexpr std::size_t kFewTriangles = 2000;

class RegionBlocks {
 public:
  /// A place on the border between two blocks.
  struct Gate {
    Point at;
    Point a, b;              ///< its ends
    std::uint32_t block[2];  ///< the first is on the left of a→b
  };

  RegionBlocks() = default;
  explicit RegionBlocks(const RegionMesh& mesh);

  std::uint32_t size() const { return static_cast<std::uint32_t>(types_.size()); }
  std::uint32_t of(std::uint32_t triangle) const { return block_[triangle]; }
  ground::RegionType type(std::uint32_t block) const { return types_[block]; }
  const std::vector<Gate>& gates() const { return gates_; }
  /// m; 0 where slopes do not matter.
  double height(std::uint32_t gate) const { return heights_.empty() ? 0 : heights_[gate]; }
  std::span<const std::uint32_t> gatesOf(std::uint32_t block) const {
    return std::span(gate_).subspan(first_gate_[block], first_gate_[block + 1] - first_gate_[block]);
  }
  std::size_t memory() const;

 private:
  void findBlocks(const RegionMesh& mesh);
  void findGates(const RegionMesh& mesh);

  std::vector<std::uint32_t> block_;       ///< by triangle
  std::vector<ground::RegionType> types_;  ///< by block
  std::vector<Gate> gates_;
  std::vector<double> heights_;  ///< by gate
  std::vector<std::uint32_t> first_gate_, gate_;
};

/// Room for searching; one per thread, for any blocks.
struct BlockScratch {
  /// How one gets on from a gate: straight through the block behind it to a place, and from there to the goal.
  struct Node {
    float cost = 0;  ///< to the goal, from the middle of the gate
    std::uint32_t search = 0;
    std::uint32_t slot = 0;     ///< in the heap
    std::uint32_t through = 0;  ///< the block that was left here
    Point root;
    float root_cost = 0;        ///< to the goal, from that place
    float least = 0, most = 0;  ///< from any place of the gate
    // The part of the gate from which that place is in sight.
    Point begin, along;  ///< an end of it, and the direction, of unit length
    double length = 0;   ///< m
  };
  std::vector<Node> nodes;  ///< by gate, two each: on into the one block and into the other
  std::uint32_t search = 0;
  std::vector<OpenEntry<float>> heap;
  std::vector<std::uint32_t> goals, starts;  ///< blocks of both ends
};

/// About what it costs from anywhere to a goal.
class CostToGo {
 public:
  CostToGo(const RegionMesh& mesh, const RegionBlocks& blocks, const RegionQuery& query, BlockScratch& scratch)
      : mesh_(mesh), blocks_(blocks), query_(query), s_(scratch) {}

  /// From the goal to the start, and somewhat further, so that other ways that cost little more are known too.
  /// `from`, `to`: the triangles of both. False when there is no way.
  bool find(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to);
  /// From a place on the border of two triangles; infinity: not on any way that costs little.
  float from(Point place, std::uint32_t left, std::uint32_t right) const;

 private:
  using Node = BlockScratch::Node;
  /// Where a way from a place goes through a gate, and what it costs.
  struct Passage {
    float cost, rest;  ///< from the place, and from the gate
    Point at;
    bool straight;  ///< on to the gate's root, over ground of one type
  };

  void found(float cost);
  bool isStart(std::uint32_t block) const { return std::binary_search(s_.starts.begin(), s_.starts.end(), block); }
  float weight(std::uint32_t block) const { return query_.weights[blocks_.type(block)]; }
  float between(float w, Point a, Point b, double climbed) const {
    return w * static_cast<float>(length(b - a)) + static_cast<float>(query_.climb * climbed);
  }
  float fromBlock(Point place, std::uint32_t block) const;
  Passage passage(const Node& node, float w, Point place) const;
  float leastFrom(const Node& node, float w, Point place) const;
  std::uint32_t nodeAt(std::uint32_t gate, std::uint32_t through) const {
    return 2 * gate + (blocks_.gates()[gate].block[0] == through ? 0 : 1);
  }
  void leave(std::uint32_t node);
  void leaveOnHills(std::uint32_t node);
  /// `from`: the gate that one goes on through, where the root is seen straight through it; null: from this gate on.
  void reach(std::uint32_t gate, float cost, std::uint32_t through, Point root, float root_cost, const Node* from);

  const RegionMesh& mesh_;
  const RegionBlocks& blocks_;
  const RegionQuery& query_;
  BlockScratch& s_;
  float cheapest_ = 0;  ///< of all weights
  float best_ = 0, bound_ = 0;
};

}  // namespace throng::planning
