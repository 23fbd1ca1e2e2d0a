// One patch of a library, laid out to be played: who is in it at a time of the period, and where. Single precision, in
// the patch's own coordinates; every number is reckoned in the same order by the vector kernel and by its slow twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "throng/patches.h"

namespace throng::patches {

/// Everybody in a patch at one time. The columns are longer than `size`, for whole vectors.
struct Present {
  std::size_t size = 0;
  std::vector<float> x, y, heading_x, heading_y;
  std::vector<std::uint32_t> slot;
  /// Whose walk, how many periods ago that person set out, and whether it is one who stays (1) or walks (0).
  std::vector<std::uint32_t> walk;
  std::vector<std::int32_t> lap;
  std::vector<std::uint16_t> resident;

  void reserve(std::size_t slots);
};

/// A walk that is longer than the period has a slot for each of those who are on it at once.
struct Slots {
  // By slot, padded to whole vectors with slots that are never there.
  std::vector<float> from, until;      ///< s of the period, between which somebody is there
  std::vector<float> shift, per_step;  ///< stretches walked at time t: t · per_step + shift
  std::vector<float> last;             ///< the last stretch
  std::vector<std::int32_t> first;     ///< control point of the walk
  std::vector<float> x, y;             ///< control points, m
  std::size_t count = 0;               ///< without the padding
};

class Player {
 public:
  explicit Player(const Patch& patch);

  /// `phase`: s since the period began.
  void play(float phase, Present& present) const;
  void playPlainly(float phase, Present& present) const;

  std::size_t slots() const { return slots_.count; }
  std::size_t bytes() const;

 private:
  void add(float from, float until, double first, double step, std::int32_t control, std::size_t stretches,
           std::uint32_t walk, std::int32_t lap, double lap_time);
  void tellWho(Present& present) const;

  Slots slots_;
  std::uint32_t walkers_ = 0;  ///< walks; residents come after them
  std::vector<std::uint32_t> walk_;
  std::vector<std::int32_t> lap_;
  std::vector<float> stand_x_, stand_y_;  ///< by slot: where one looks who does not move
};

}  // namespace throng::patches
