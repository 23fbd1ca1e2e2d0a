// Patches and simulated people in one world (docs/patches.md). Whoever is on a walk of a patch is a person like all
// others: one row of the crowd, so that everybody sees them and every frame holds them. Only what moves them is
// another: the walk. At a gate the guide changes, and nothing else does.
//
// A chain of walks that begins at a gate is walked by those who come in there. Nobody comes: nobody is on it. So who is
// on which walk is all that there is to remember, and it is in columns of the crowd.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "districts/approach.h"
#include "districts/district.h"
#include "districts/street.h"
#include "goals/goals.h"
#include "step/system.h"

namespace throng::districts {

/// What somebody has to do with a district.
enum class Stage : std::uint8_t {
  kNone,
  kPlayed,    ///< on a walk, or staying in a patch
  kBooked,    ///< simulated, on the way to the place and time of an input
  kEntering,  ///< on the curve that leads to it
  kLeaving,   ///< straight on over the border, until there is room around the body
  kReleased,  ///< simulated, and gentle for a moment
  kOnStreet,  ///< of an endless street
};
inline constexpr auto kLastStage = Stage::kOnStreet;

class Districts {
 public:
  /// Throws InputError when there is no room before a gate.
  Districts(step::StepContext& context, goals::Goals& goals);

  bool any() const { return !districts_.empty() || street_; }
  const std::vector<District>& all() const { return districts_; }
  void attach(step::StepContext& context);

  /// Somebody of a district's population who is there at the beginning of a step.
  struct Newcomer {
    std::uint32_t part = 0;  ///< over all districts
    std::int64_t round = 0;
    PatchState state;
    Point heading;
    std::uint16_t layer = 0;
    std::optional<std::uint32_t> number;
    bool stands = false;
  };
  /// At time 0, and those who come from nowhere during a step that begins now.
  std::vector<Newcomer> atStart(const Population& population);
  std::vector<Newcomer> during(const step::StepContext& context, const Population& population);
  /// The goals that they have when they come out: without any, to go in again.
  static std::vector<Goal> goalsOf(const Population& population);
  /// Puts somebody who has just joined the crowd on their walk.
  void take(step::StepContext& context, std::uint32_t row, const Newcomer& newcomer);

  // The parts of a step.
  void setsOut(step::StepContext& context, std::uint32_t row);
  /// Who is bound for a district lines up for an input; who is in place, in time and fast enough goes in.
  void enter(step::StepContext& context);
  /// Who has come out changes their velocity gently at first.
  void settle(step::StepContext& context);
  /// Moves everybody who is on a walk, or between the world and a walk.
  void play(step::StepContext& context);

  // For snapshots; everything else is in columns.
  const std::vector<std::uint32_t>& bound() const { return bound_; }
  void restore(std::vector<std::uint32_t> bound) { bound_ = std::move(bound); }
  void requireSound(const step::Loading& loading, const std::vector<std::uint32_t>& bound) const;
  std::size_t memory() const;

 private:
  struct Columns {
    base::Column<std::uint8_t>* stage = nullptr;
    base::Column<std::uint32_t>* part = nullptr;     ///< kPlayed … kLeaving
    base::Column<std::uint64_t>* round = nullptr;    ///< in which they set out, or will
    base::Column<std::uint32_t>* gate = nullptr;     ///< 1 + that they are bound for, over all districts
    base::Column<std::uint32_t>* refused = nullptr;  ///< gates to which no way led
    base::Column<std::uint32_t>* left = nullptr;     ///< 1 + the gate that they came out of last
    base::Column<float>*x = nullptr, *y = nullptr, *vx = nullptr, *vy = nullptr;  ///< kEntering: where it began
    base::Column<std::uint64_t>* since = nullptr;  ///< kEntering, kReleased: s, the bits of a double
  };
  /// A district, and one of its parts.
  struct Where {
    const District& district;
    std::uint32_t part = 0;
  };
  /// A gate by its number over all districts.
  struct GateAt {
    const District* district = nullptr;
    const Gate* gate = nullptr;
    std::uint32_t first_part = 0;
  };
  using Slot = std::pair<std::uint32_t, std::int64_t>;  ///< part and round
  enum class Event : std::uint8_t { kNone, kGone, kCameOut };

  Stage stage(std::uint32_t row) const { return static_cast<Stage>((*on_.stage)[row]); }
  void setStage(std::uint32_t row, Stage stage) { (*on_.stage)[row] = static_cast<std::uint8_t>(stage); }
  Where where(std::uint32_t part) const;
  std::int64_t round(std::uint32_t row) const { return static_cast<std::int64_t>((*on_.round)[row]); }
  double since(std::uint32_t row) const;
  std::optional<std::size_t> named(const std::string& name) const;

  Newcomer newcomer(std::size_t district, std::uint32_t part, std::int64_t round, double time) const;
  const GatePoint& inputOf(std::uint32_t row) const;
  Approach approachOf(const agents::Crowd& crowd, std::uint32_t row) const;
  PatchState onWalk(std::uint32_t part, std::int64_t round, double time) const;
  Point expected(const step::StepContext& context, std::uint32_t row, double time) const;

  // Ways in.
  void chooseGate(step::StepContext& context, std::uint32_t row);
  bool findSlot(const step::StepContext& context, std::uint32_t row);
  bool isTaken(const Slot& slot) const;
  Point waitingPlace(const step::StepContext& context, std::uint32_t row, std::uint32_t gate) const;
  bool isTime(const step::StepContext& context, std::uint32_t row) const;
  void lineUp(step::StepContext& context, std::uint32_t row);
  bool goIn(step::StepContext& context, std::uint32_t row);
  bool isFree(const step::StepContext& context, std::uint32_t row, const Approach& way) const;

  // On walks.
  Event playOne(step::StepContext& context, std::uint32_t row);
  Event playWalk(step::StepContext& context, std::uint32_t row);
  Event playExit(step::StepContext& context, std::uint32_t row);
  void put(step::StepContext& context, std::uint32_t row, const PatchState& state, Point facing) const;
  void comeOut(step::StepContext& context, std::uint32_t row);
  void playStreet(step::StepContext& context);

  goals::Goals& goals_;
  std::vector<District> districts_;
  std::vector<std::uint32_t> first_part_;  ///< by district; one more at the end
  std::vector<std::string> names_;
  std::vector<GateAt> gates_;
  std::vector<std::uint32_t> first_gate_;  ///< by district; one more at the end
  std::optional<Street> street_;
  std::uint16_t street_layer_ = 0;
  Columns on_;
  std::vector<std::uint32_t> bound_;  ///< by gate: how many are on the way to it
  std::vector<Slot> taken_;           ///< scratch: of this step
  std::vector<Event> events_;         ///< scratch, by row
  std::vector<std::uint32_t> order_;  ///< scratch
};

}  // namespace throng::districts
