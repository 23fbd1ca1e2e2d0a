// Crossings that are full are not entered: people wait before them until those in them have got on, whatever the
// steering model.
#pragma once

#include <cstdint>
#include <vector>

#include "steering/square_table.h"
#include "steering/systems.h"

namespace throng::steering {

/// How many people at a place walk among one another in different directions. They are counted in squares of 2 m.
/// People who all go the same way, or two opposite ways, are not in one another's way, however many; neither are those
/// who come together before a door, as all near one another go nearly the same way.
class MixedCrowd {
 public:
  void clear(std::size_t people) { squares_.clear(people); }
  /// `velocity`: the one they prefer; `is_held`: they hardly get on.
  void add(Vec2 at, std::uint16_t floor, Vec2 velocity, bool is_held = false);
  /// After all were added. Where around() is surely less than `least` it may be told as 0; true when it is not
  /// everywhere.
  bool finish(float least = 0);
  /// In the square of a place and the eight around it; 0 where nobody is.
  float around(Vec2 at, std::uint16_t floor) const { return squares_.at(at, floor).around; }
  /// The same, of each square the share of those who are held up.
  float heldAround(Vec2 at, std::uint16_t floor) const { return squares_.at(at, floor).held_around; }
  std::size_t memory() const { return squares_.memory(); }

 private:
  struct Square {
    std::uint64_t key = 0;
    float people = 0;
    float held = 0;  ///< of them; then that share of `mixed`
    float held_around = 0;
    float x = 0, y = 0;   ///< sum of their directions, the angle doubled: those who go opposite ways are alike
    float mixed = 0;      ///< how many of them are in the way of others
    float around = 0;     ///< the same with the eight squares around it
    bool counts = false;  ///< that is, where it is looked at
  };

  SquareTable<Square> squares_;
};

/// How many people are in nine squares of 2 m at most, quickly: squares far apart share a count, so that it is never
/// too low.
class RoughCrowd {
 public:
  /// Forgets everybody; there will be about so many.
  void clear(std::size_t people);
  void add(Vec2 at, std::uint16_t floor) {
    std::uint16_t& count = counts_[place(at.y, 0, high_) * wide_ + place(at.x, floor, wide_)];
    count = static_cast<std::uint16_t>(count + (count < kMost ? 1 : 0));
  }
  /// The most in any nine; kMost at least where it is more than that.
  std::uint32_t mostAround() const;
  std::size_t memory() const { return counts_.capacity() * sizeof(std::uint16_t); }

  static constexpr std::uint16_t kMost = 7000;  ///< nine of them are still a number of 16 bits

 private:
  static std::size_t place(float x, std::uint16_t floor, std::size_t size) {
    constexpr std::int64_t kFloors = 41;  // any number of squares
    return static_cast<std::size_t>(squareAlong(x) + kFloors * floor) & (size - 1);
  }

  std::size_t wide_ = 0, high_ = 0;  ///< powers of two
  std::vector<std::uint16_t> counts_;
};

/// Where streams cross and it is full, everybody waits for everybody: who comes in closes the gaps through which others
/// would get out. Drivers keep a crossing clear that they cannot leave, and so do people here: whoever comes to where
/// many walk among one another in different directions, and is not among them yet, waits outside. Where narrow
/// corridors cross it takes fewer: there nobody gets around anybody.
class KeepClear final : public step::System {
 public:
  explicit KeepClear(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "keep clear"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  std::size_t memory() const override {
    return rough_.memory() + crowd_.memory() + crossings_.capacity() * sizeof(float);
  }

 private:
  void findCrossings(const step::StepContext& context);
  bool isFull(const step::StepContext& context, std::uint32_t row, Vec2 wanted) const;
  float roomAhead(const step::StepContext& context, std::uint32_t row, Vec2 wanted) const;

  const Steering& steering_;
  float radius_ = 0;              ///< m, of the largest who do so; 0: nobody does
  std::uint64_t found_for_ = 0;   ///< revision of the walls, and one more
  std::vector<float> crossings_;  ///< m: corridors::crossingClearances(); empty: all are wide
  RoughCrowd rough_;
  MixedCrowd crowd_;  ///< of one step
};

}  // namespace throng::steering
