// The middle of narrow corridors, along which people of both directions pass one another: the medial axis of the
// corridor map as a line that can be followed.
#pragma once

#include <cstdint>
#include <vector>

#include "corridors/corridor_map.h"

namespace throng::corridors {

/// Where somebody is in a corridor: beside which place of its middle, and which way they go along it.
struct CorridorPlace {
  std::uint32_t corridor = kNone;  ///< kNone: in none, or across it
  std::uint32_t chain = kNone;     ///< of the map, of which it is a part
  bool forward = false;            ///< in the chain's direction
  bool in_bend = false;            ///< in the outer corner of a bend
  bool comes_in = false;           ///< is before its mouth, and on the way into it
  std::uint32_t point = 0;         ///< the nearest of the middle
  float clearance = 0;             ///< m, from the middle there to the nearest obstacles
  float beyond = 0;                ///< m along the middle to where the corridor is narrow; 0 in it
  float mouth = 0;                 ///< m: clearance behind the mouth, for who comes in
  Vec2 ahead{0, 0};                ///< unit vector, along the middle
  Vec2 aside{0, 0};                ///< unit vector, across it to the side that they keep to
  float offset = 0;                ///< m that they are on that side

  /// The way they are on, as a number: the other direction's differs in the last bit. 0: on none.
  std::uint32_t way() const { return corridor == kNone ? 0 : 2 * (corridor + 1) + (forward ? 1 : 0); }
};

/// A corridor is a part of a chain of the medial axis that is no wider than the widest, and nowhere narrower than the
/// narrowest. The arms of the axis that run into the corners of a bend belong to the corridor that bends there.
class CorridorMiddle {
 public:
  CorridorMiddle() = default;
  /// `narrowest`, `widest`: m from the middle to the walls. Chains that are nowhere so narrow have corridors, too,
  /// where they are no wider than `broadest`.
  CorridorMiddle(const CorridorMap& map, float narrowest, float widest, float broadest = 0);

  /// How many there are.
  std::size_t corridors() const { return least_.size(); }
  /// m: of a corridor.
  float leastClearance(std::uint32_t corridor) const { return least_[corridor]; }
  /// Who asks where they are.
  struct Walker {
    Point at;
    Vec2 wanted;               ///< unit vector
    bool keeps_right = true;   ///< or left
    std::uint32_t before = 0;  ///< the way they were on; they stay on it in bends, where what they want leads across
  };
  /// `where`: the walker's cell of the map.
  CorridorPlace at(const CorridorMap& map, Located where, const Walker& walker) const;
  /// Where somebody of that radius will be so many metres ahead, at that offset (m) where the corridor is wide enough
  /// for it; false when it ends before.
  bool ahead(const CorridorPlace& place, float metres, float offset, float radius, Vec2& to) const;
  std::size_t memory() const;

  /// m before the mouth of a corridor within which people are on the way in.
  static constexpr float kBeforeMouth = 1.5f;

 private:
  struct Arm {
    std::uint32_t edge = kNone;  ///< of the corridor, where the arm leaves it; kNone: at a junction, or of none
    Point from;                  ///< that place
    Vec2 out;                    ///< unit vector, from there to the corner
    float clearance = 0;         ///< m, there
  };
  struct MiddlePoint {
    Vec2 at;
    float clearance = 0;             ///< m
    float beyond = kFar;             ///< see CorridorPlace
    std::uint32_t corridor = kNone;  ///< the nearest
  };
  struct Range {
    std::uint32_t begin = 0, end = 0;

    std::uint32_t last(bool forward) const { return forward ? end - 1 : begin; }
  };
  static constexpr float kFar = 1e6f;

  void addArm(const CorridorMap& map, std::uint32_t chain);
  void addChain(const CorridorMap& map, std::uint32_t chain);
  void findCorridors(Range range, float narrowest, float widest);
  void measureBeyond(Range range);
  std::uint32_t nearestPoint(std::uint32_t edge, Range range, Vec2 at) const;
  bool comesIn(Range range, const Walker& walker, CorridorPlace& place) const;

  std::vector<Arm> arms_;      ///< by chain
  std::vector<Range> chains_;  ///< of points, by chain; empty where there is no corridor on it
  std::vector<float> least_;   ///< m: the least clearance, by corridor
  std::vector<MiddlePoint> points_;
  std::vector<std::uint32_t> of_arc_;  ///< the first point of an arc, by half of the half-edge's number
};

}  // namespace throng::corridors
