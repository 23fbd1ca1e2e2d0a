// The part of a step in which everybody who has goals of their own looks along their route.
#pragma once

#include <vector>

#include "following/followers.h"
#include "ground/region_borders.h"
#include "step/system.h"

namespace throng::following {

class FollowRoutes final : public step::System {
 public:
  /// Throws InputError for a profile with an unknown follower.
  explicit FollowRoutes(const Scene& scene);
  /// Does the follower of any profile need the corridor map?
  bool needsMap() const;

  std::string_view name() const override { return "follow"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  std::size_t memory() const override;

 private:
  /// What a profile chose.
  struct Choice {
    const Follower* follower;
    std::vector<float> parameters;
  };

  void attachReferences(step::StepContext& context);
  void beginRoutes(step::StepContext& context) const;
  void follow(step::StepContext& context, std::size_t profile, std::span<const std::uint32_t> rows) const;

  /// See FollowInput. Where there is no map there are none.
  base::Column<std::uint32_t>* cells_ = nullptr;
  base::Column<float>*from_x_ = nullptr, *from_y_ = nullptr, *free_ = nullptr, *room_ = nullptr;
  /// See FollowInput::Miran. None where nobody follows by it.
  base::Column<float>*reference_x_ = nullptr, *reference_y_ = nullptr;
  base::Column<std::uint32_t>* behind_ = nullptr;
  ground::RegionBorders borders_;
  std::uint64_t revision_ = 0;                               ///< of the walls that `free_` and `room_` know
  std::vector<Choice> choices_;                              ///< by profile
  std::vector<std::vector<std::uint32_t>> rows_by_profile_;  ///< scratch
  std::vector<std::uint32_t> all_rows_;                      ///< scratch: 0, 1, 2 …
};

/// Velocities that programs say people prefer, instead of those along their routes.
class FollowWishes final : public step::System {
 public:
  std::string_view name() const override { return "wishes"; }
  void run(step::StepContext& context) override;
};

}  // namespace throng::following
