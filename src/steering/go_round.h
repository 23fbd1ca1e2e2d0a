// Jams are walked round: who has people ahead who do not get on, and want to go elsewhere, passes them on the side
// where it is quicker, whatever the steering model.
#pragma once

#include <cstdint>

#include "steering/square_table.h"
#include "steering/systems.h"

namespace throng::steering {

/// How fast and where to people walk, by squares.
class WalkingSpeeds {
 public:
  void clear(std::size_t people);
  /// `wanted`: the direction in which somebody wants to go; none for who stands.
  void add(Vec2 at, std::uint16_t floor, Vec2 velocity, Vec2 wanted);
  /// After all were added.
  void finish();
  /// Does nobody stand in a crowd within some 16 m of a place?
  bool isCalm(Vec2 at, std::uint16_t floor) const { return blocks_.at(blockOf(at), floor).jams == 0; }
  /// s that somebody at `self` who walks at `free` m/s when they can, and wants to go in a direction, would take from
  /// one place straight to another as people walk there now.
  float timeAlong(Vec2 self, std::uint16_t floor, float free, Vec2 wanted, Vec2 from, Vec2 to) const;
  std::size_t memory() const { return squares_.memory() + blocks_.memory(); }

 private:
  struct Square {
    std::uint64_t key = 0;
    float people = 0;
    float speeds = 0;  ///< m/s, of all together
    Vec2 velocity{}, wanted{};
    Vec2 at{};  ///< of one of them
    std::uint16_t floor = 0;
  };
  /// Eight squares by eight.
  struct Block {
    std::uint64_t key = 0;
    std::uint32_t jams = 0;  ///< squares in it and in the blocks around it in which people stand
  };
  static Vec2 blockOf(Vec2 at) { return at / 8.0f; }

  SquareTable<Square> squares_;
  SquareTable<Block> blocks_;
};

/// Steering models look a few metres ahead in a crowd, routes lead around walls. What lies between, a knot of people
/// ten metres across beside which there is room, is for neither: people would walk into it one after the other, and
/// nobody would get out. So whoever has a jam on the next metres of their route compares going through it with going
/// past it on either side, by how fast people walk in the squares on the way (in the manner of the long range of Golas,
/// Narain & Lin 2014). Those who want to go the same way are followed, not passed: that is a queue.
class GoRound final : public step::System {
 public:
  explicit GoRound(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "go round"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext& context, std::uint32_t row) override;
  std::size_t memory() const override { return speeds_.memory(); }

 private:
  void look(step::StepContext& context);
  void decide(const step::StepContext& context, std::uint32_t row) const;
  void head(step::StepContext& context, std::uint32_t row) const;

  const Steering& steering_;
  base::Column<float>* side_ = nullptr;                   ///< m to the left of the route, past a jam; 0: no detour
  base::Column<float>*by_x_ = nullptr, *by_y_ = nullptr;  ///< m: the place by which the detour goes
  WalkingSpeeds speeds_;                                  ///< of the last look
};

}  // namespace throng::steering
