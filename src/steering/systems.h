// The parts of a step in which people see one another and choose a velocity.
#pragma once

#include <optional>
#include <vector>

#include "steering/models.h"
#include "steering/parts.h"
#include "step/system.h"

namespace throng::steering {

/// What the profiles of a scene chose, and whom of the people each model steers in this step.
class Steering {
 public:
  /// Throws InputError for a profile with an unknown model.
  explicit Steering(const Scene& scene);

  struct Choice {
    const Model* model;
    std::vector<float> parameters;
    std::vector<float> stream;  ///< parameters; empty: does not follow streams
    bool unstuck = false;       ///< see GetUnstuck
    bool give_way = false;      ///< see GiveWay, KeepClear, KeepSide
    bool keeps_right = true;    ///< see KeepSide
    bool go_round = false;      ///< see GoRound
  };
  std::span<const Choice> choices() const { return choices_; }
  bool anyStream() const;
  /// The farthest that anybody looks.
  float range() const { return range_; }
  /// The people of one profile who avoid others and decide now, as found last.
  std::span<const std::uint32_t> slotsOf(const step::StepContext& context, std::size_t profile) const;
  void listSlots(const step::StepContext& context);
  std::size_t memory() const;

  // Columns that only some models have.
  void attachMemory(agents::Crowd& crowd);
  void attachTimes(agents::Crowd& crowd);
  StepInput input(const step::StepContext& context) const;
  VelocityOutput output(agents::Crowd& crowd) const;
  base::Column<float>*walking_time = nullptr, *expected_time = nullptr;

 private:
  std::vector<Choice> choices_;  ///< by profile
  float range_ = 0;
  base::Column<float>*memory_x_ = nullptr, *memory_y_ = nullptr;
  std::vector<std::vector<std::uint32_t>> slots_by_profile_;
};

/// Now and then rows are put into the order of the neighbour index, so that neighbours in space are neighbours in
/// memory.
class OrderRows final : public step::System {
 public:
  explicit OrderRows(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "order"; }
  void run(step::StepContext& context) override;

 private:
  const Steering& steering_;
};

/// One index of everybody who is simulated in full, for the whole step.
class FindNeighbours final : public step::System {
 public:
  explicit FindNeighbours(Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "neighbours"; }
  void run(step::StepContext& context) override;
  std::size_t memory() const override { return steering_.memory(); }

 private:
  Steering& steering_;
};

/// What those who follow streams expect their way to take.
class ExpectTimes final : public step::System {
 public:
  explicit ExpectTimes(Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "expect"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext& context, std::uint32_t row) override;

 private:
  Steering& steering_;
};

/// Preferred velocities turned towards the stream of people around, where the profile asks for it.
class FollowStreams final : public step::System {
 public:
  explicit FollowStreams(Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "stream"; }
  void run(step::StepContext& context) override;

 private:
  Steering& steering_;
};

/// New velocities, by one batch kernel per profile.
class Steer final : public step::System {
 public:
  explicit Steer(Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "steer"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  std::size_t memory() const override { return prepared_.capacity() * sizeof(float) + in_parts_.memory(); }

 private:
  void takeTurns(const StepInput& input, const base::Threads& threads, VelocityOutput out);

  Steering& steering_;
  StepInParts in_parts_;
  std::vector<Together> together_;                       ///< who takes this step in parts
  std::vector<std::pair<const Model*, Group>> in_turn_;  ///< who decides one after another
  std::vector<Group> groups_;                            ///< of one such model
  base::Column<float> prepared_;                         ///< see Preparation; of one model at a time
};

}  // namespace throng::steering
