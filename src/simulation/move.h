// The only system that moves anybody: speed limit, movement along walls, connections between layers, wrapping. Time
// advances with it.
#pragma once

#include <vector>

#include "levels/people.h"
#include "simulation/passage.h"
#include "step/system.h"

namespace throng::simulation {

class Facing;

class Move final : public step::System {
 public:
  Move(const Scene& scene, const ground::WalkableSpace& space, levels::PeopleLevels& levels)
      : levels_(levels), passages_(makePassages(scene, space)) {}

  const Passages& passages() const { return passages_; }

  std::string_view name() const override { return "move"; }
  May may() const override { return {.move = true}; }
  void attach(step::StepContext& context) override { slope_ = &context.crowd.attach<float>(agents::kSlope); }
  void run(step::StepContext& context) override;

  struct Walk {
    Vec2 velocity;  ///< m/s
    float speed;
  };

 private:
  Walk wanted(const agents::Crowd& crowd, std::uint32_t row, float dt);
  void moveOnOneFloor(step::StepContext& context, const Facing& facing, std::uint32_t begin, std::uint32_t end,
                      std::vector<std::uint32_t>& near);
  void stand(agents::Crowd& crowd, std::uint32_t row, const ground::GroundAt& ground, float dt);
  void move(step::StepContext& context, const Facing& facing, std::uint32_t row, std::vector<std::uint32_t>& near);
  /// Can somebody take this step (m) without a wall in reach?
  bool hasRoom(std::uint32_t row, float radius, Vec2 motion);

  levels::PeopleLevels& levels_;
  Passages passages_;
  base::Column<float>* slope_ = nullptr;
  base::Column<float>* room_ = nullptr;  ///< agents::kRoom, where there is one
};

}  // namespace throng::simulation
