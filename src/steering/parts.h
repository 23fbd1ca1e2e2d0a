// A step in parts, for models whose forces change faster than people decide. Bodies that push one another, and the
// repulsion of Helbing et al. 2000, change within hundredths of a second; a step of a tenth taken at once either blows
// up or, taken implicitly, damps so much that a crowd pours through a door at two thirds of the flow of short steps. So
// the step is cut into parts, after each of which everybody knows where everybody is. Who can push whom within the step
// is looked up once, before the first part.
//
// What people keep from step to step (StepInput::memory) is how much faster they are at the end of a step than on
// average in it: the world moves them by the average, and the next step begins with the velocity of the end.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/column.h"
#include "base/parallel.h"
#include "steering/models.h"

namespace throng::steering {

/// Who can push whom within a step, for one piece of work: pairs in the order of people, then of slots.
struct Pushers {
  base::Column<float> dx, dy;               ///< m, from the other to the person at the beginning of the step
  base::Column<float> reach;                ///< m, sum of the radii
  base::Column<std::uint32_t> self, other;  ///< crowd rows
  std::size_t count = 0;
  std::vector<std::uint32_t> end;         ///< of each person's pairs
  std::vector<float> wanted_x, wanted_y;  ///< m/s, of each person: decided for the whole step

  void clear() {
    count = 0;
    end.clear(), wanted_x.clear(), wanted_y.clear();
  }
  /// Room for `more` pairs after those there are, and one whole vector.
  void reserve(std::size_t more);
  /// After the last pair: rows for the rest of its vector.
  void pad();
  void add(float from_x, float from_y, float radii, std::uint32_t row, std::uint32_t other_row) {
    reserve(1);
    dx[count] = from_x, dy[count] = from_y, reach[count] = radii, self[count] = row, other[count] = other_row;
    ++count;
  }
};

/// Where everybody is within the step, by crowd row.
struct Within {
  const float *x, *y;    ///< m, from where they were at its beginning
  const float *vx, *vy;  ///< m/s
};

/// How a model takes a step in parts.
struct Parts {
  /// s: a step that is longer is cut into equal parts no longer than this. 0: it never is.
  float longest = 0;
  /// Looks up who can push whom, and what everybody in `slots` wants.
  std::function<void(const StepInput&, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     Pushers&)>
      begin;
  /// Velocities at the end of a part of `dt` s. Writes only vx and vy, by row.
  std::function<void(const StepInput&, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     float dt, Pushers&, const Within& now, VelocityOutput next)>
      walk;
};

/// Pairs farther apart than this, from edge to edge, at the beginning of a step cannot get nearer than `gap` within it.
inline float reachWithin(float gap, float dt) {
  constexpr float kClosing = 4;  // m/s, two who run into each other
  return gap + kClosing * dt;
}

/// People who are steered together.
struct Together {
  const Parts* parts;
  std::span<const float> parameters;
  std::span<const std::uint32_t> slots;
};

class StepInParts {
 public:
  /// Steers everybody of `people`, all at once; others walk straight on meanwhile. Writes velocities and memories.
  void run(const StepInput& input, std::span<const Together> people, const base::Threads& threads, VelocityOutput out);
  std::size_t memory() const;

 private:
  struct Piece {
    const Together* of;
    std::span<const std::uint32_t> slots;
    std::size_t pushers;
  };
  struct State {
    base::Column<float> x, y, vx, vy;
  };

  void cut(std::span<const Together> people);
  void onePart(const StepInput& input, bool others, float dt, const base::Threads& threads);

  State now_, next_;
  std::vector<Piece> pieces_;
  std::vector<Pushers> pushers_;
};

}  // namespace throng::steering
