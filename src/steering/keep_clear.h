// Crossings that are full are not entered: people wait before them until those in them have got on, whatever the
// steering model.
#pragma once

#include <cstdint>

#include "steering/square_table.h"
#include "steering/systems.h"

namespace throng::steering {

/// How many people at a place walk among one another in different directions. They are counted in squares of 2 m.
/// People who all go the same way, or two opposite ways, are not in one another's way, however many; neither are those
/// who come together before a door, as all near one another go nearly the same way.
class MixedCrowd {
 public:
  void clear(std::size_t people) { squares_.clear(people); }
  void add(Vec2 at, std::uint16_t floor, Vec2 velocity);
  /// After all were added. Where around() is surely less than `least` it may be told as 0; true when it is not
  /// everywhere.
  bool finish(float least = 0);
  /// In the square of a place and the eight around it; 0 where nobody is.
  float around(Vec2 at, std::uint16_t floor) const { return squares_.at(at, floor).around; }
  std::size_t memory() const { return squares_.memory(); }

 private:
  struct Square {
    std::uint64_t key = 0;
    float people = 0;
    float x = 0, y = 0;   ///< sum of their directions, the angle doubled: those who go opposite ways are alike
    float mixed = 0;      ///< how many of them are in the way of others
    float around = 0;     ///< the same with the eight squares around it
    bool counts = false;  ///< that is, where it is looked at
  };

  SquareTable<Square> squares_;
};

/// Where streams cross and it is full, everybody waits for everybody: who comes in closes the gaps through which others
/// would get out. Drivers keep a crossing clear that they cannot leave, and so do people here: whoever comes to where
/// many walk among one another in different directions, and is not among them yet, waits outside.
class KeepClear final : public step::System {
 public:
  explicit KeepClear(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "keep clear"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  std::size_t memory() const override { return crowd_.memory(); }

 private:
  const Steering& steering_;
  bool any_ = false;
  MixedCrowd crowd_;  ///< of one step
};

}  // namespace throng::steering
