// Setting out by turns: who has come to an end of a journey that repeats waits there while the way on carries no more
// people than are on it. How many may set out is said by who knows ways (flows::SetOutByTurns); who waits, and where,
// is known here.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "throng/scene.h"

#include "agents/crowd.h"
#include "ground/walkable_space.h"
#include "step/context.h"

namespace throng::goals {

class Turns {
 public:
  /// One end of a journey, from which people go on to its next goal.
  struct Gate {
    std::uint32_t journey = 0;
    std::int32_t goal = 0;              ///< that is here
    std::uint16_t layer = 0;            ///< its floor
    std::vector<Polygon> surroundings;  ///< around it, where people wait
    std::uint32_t room = 0;             ///< people for whom there is place to wait
    double may_go = 0;                  ///< people who may set out now; whole ones do
    std::uint32_t waiting = 0;          ///< people
    Point middle;                       ///< of the place,
    double kept_free = 0;               ///< and m around it where nobody waits, if there is other ground
  };

  void attach(agents::Crowd& crowd);
  void setGates(std::vector<Gate> gates) { gates_ = std::move(gates); }
  std::span<Gate> gates() { return gates_; }
  std::span<const Gate> gates() const { return gates_; }

  /// Somebody has come to a goal of theirs. True when they have to wait before they go on: then they walk to a place of
  /// their own in its surroundings, so that nobody stands where others come and go.
  bool waits(step::StepContext& context, std::uint32_t row);
  bool isWaiting(std::uint32_t row) const { return ticket_ && (*ticket_)[row] > 0; }
  /// Has somebody who waits come to their place, or does not get there?
  bool isAtPlace(const step::StepContext& context, std::uint32_t row) const;
  /// Those whose turn it is now, who came first first. They wait no more.
  void next(const agents::Crowd& crowd, std::vector<std::uint32_t>& rows);
  void forget(std::uint32_t row);
  /// How many wait at every gate.
  void count(const agents::Crowd& crowd);

  // For snapshots.
  std::uint32_t lastTicket() const { return last_; }
  void setLastTicket(std::uint32_t last) { last_ = last; }

 private:
  const Gate* gateOf(const agents::Crowd& crowd, std::uint32_t row) const;
  Gate* gateOf(const agents::Crowd& crowd, std::uint32_t row) {
    return const_cast<Gate*>(std::as_const(*this).gateOf(crowd, row));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }

  std::vector<Gate> gates_;
  std::uint32_t last_ = 0;                         ///< ticket given out
  base::Column<std::uint32_t>* ticket_ = nullptr;  ///< 0: does not wait
  base::Column<float>* held_up_ = nullptr;         ///< s that somebody on the way to their place has hardly moved
};

}  // namespace throng::goals
