// Doors that open and close, obstacles that come and go: the first system of a step, and what programs call between
// steps.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "goals/goals.h"
#include "step/system.h"

namespace throng::simulation {

/// What it takes to change the walls of a world with people in it. The requests it makes are to be carried out.
class Changes {
 public:
  Changes(step::StepContext& context, goals::Goals& goals) : context_(context), goals_(goals) {}

  /// See World::insertObstacle, removeObstacle and setDoor.
  std::uint32_t insert(std::span<const Point> convex, std::uint16_t layer, std::string_view name);
  void remove(std::uint32_t obstacle);
  bool setDoor(std::string_view name, bool open);
  /// Doors that are closed at time 0.
  void closeDoors();

 private:
  step::StepContext& context_;
  goals::Goals& goals_;
};

/// The scene's events whose time has come, one after the other.
class HappenEvents final : public step::System {
 public:
  HappenEvents(const Scene& scene, Changes& changes);
  /// All that are due, at once.
  void passOver(step::StepContext& context) {
    while (isDue(context)) run(context);
  }
  /// Are there events to come?
  bool moreToCome() const { return next_ < events_.size(); }

  std::string_view name() const override { return "changes"; }
  void run(step::StepContext& context) override;
  bool again(const step::StepContext& context) const override { return isDue(context); }
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  bool isDue(const step::StepContext& context) const;
  void happen(const step::StepContext& context, const Event& event);

  Changes& changes_;
  std::vector<std::size_t> events_;  ///< indices into the scene's, in the order of times
  std::uint64_t next_ = 0, loaded_ = 0;
};

}  // namespace throng::simulation
