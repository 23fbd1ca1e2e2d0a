// Levels of simulation of people (PETTRÉ 2008, section 4; YERSIN 2009, section 4.2.1): who decides how often, who
// avoids others, and how people change from one level to another without anybody noticing.
//
// Simulated in full is everybody who avoids others, those whom they might meet, and those who do not walk on a flow.
// The others go straight on from decision to decision, inside the cylinders of the navigation graph, where nothing
// stands. They cost a few nanoseconds a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flows/flows.h"
#include "levels/levels.h"
#include "step/context.h"
#include "step/system.h"

namespace throng::levels {

class PeopleLevels {
 public:
  explicit PeopleLevels(flows::Flows& flows) : flows_(flows) {}

  /// When cameras have come or gone, and after a snapshot was loaded.
  void attach(step::StepContext& context);
  void camerasChanged() { changed_ = true; }
  /// ms that a step may take; 0: no limit.
  void setBudget(double milliseconds) { budget_ = Budget(milliseconds); }
  const Budget& budget() const { return budget_; }
  void spent(double milliseconds) {
    if (budget_.active()) budget_.spent(milliseconds);
  }
  /// All 0 without cameras.
  std::span<const std::uint8_t> levels(const agents::Crowd& crowd) const;

  /// Now and then: everybody's level, and who is simulated in full.
  void assign(step::StepContext& context);
  /// Decisions of those at low levels whose time has come.
  void decide(step::StepContext& context);
  /// Next velocities of those who are simulated in full but avoid nobody.
  void walkStraight(step::StepContext& context) const;

  /// Somebody was put somewhere by a program: they decide at once, and nothing of their velocity goes on.
  void startAfresh(std::uint32_t row);

  // For the system that moves people.
  /// One straight step for those at low levels: the rows full() + begin … full() + end of a piece of work.
  static constexpr std::size_t kPiece = 512;
  void moveLow(step::StepContext& context, std::size_t begin, std::size_t end) const;
  /// Does somebody's velocity change gently, after a change of level?
  bool isSettling(std::uint32_t row) const { return settling_ && (*settling_)[row]; }
  /// The velocity (m/s) that comes of it in this step, which is one less to go.
  Vec2 settled(const agents::Crowd& crowd, std::uint32_t row, Vec2 velocity, float dt);

  // For snapshots.
  struct Saved {
    bool changed = false, look_again = false;
    std::vector<std::uint8_t> vertex_level;

    template <class Archive>
    void fields(Archive& f) {
      f(changed), f(look_again);
      f.list(vertex_level, base::kFields);
    }
  };
  Saved saved(const step::StepContext& context) const;
  static void requireSound(const Saved& saved, const step::Loading& loading);
  void restore(Saved saved, step::StepContext& context);

 private:
  struct Decision {
    std::uint32_t row = 0;
    Vec2 velocity;
  };

  bool wantsFull(const step::StepContext& context, std::uint32_t row) const;
  void setLevel(std::uint32_t row, std::uint8_t level, double dt);
  void lookAgain(step::StepContext& context);
  Vec2 straightVelocity(const step::StepContext& context, std::uint32_t row, float elapsed) const;

  flows::Flows& flows_;
  Budget budget_;
  std::vector<std::uint8_t> vertex_level_;
  bool changed_ = false;             ///< cameras are others than at the last look
  std::uint64_t seen_revision_ = 0;  ///< of the terrain, at the last look
  base::Column<std::uint8_t>*level_ = nullptr, *wait_ = nullptr, *settling_ = nullptr;
  std::vector<std::vector<Decision>> decisions_;  ///< of this step, by piece of work
  std::vector<std::uint8_t> wanted_;              ///< scratch, by row
  mutable std::vector<std::uint8_t> zeros_;
};

}  // namespace throng::levels
