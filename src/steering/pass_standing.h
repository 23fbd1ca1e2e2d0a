// Whoever is held up by people who stand there finds the way between them, and where there is none they make way,
// whatever the steering model.
#pragma once

#include <vector>

#include "steering/local_way.h"
#include "steering/systems.h"

namespace throng::steering {

/// Routes lead around walls, and steering models look at those before them: neither knows the gap three metres aside in
/// a row of people who stand, or the way out of a half circle of them. Who gets on no more and has somebody standing in
/// their way looks for a way through, between them and the walls, and walks it. Where there is none, whoever stands
/// nearest in the way (in a doorway, in a narrow corridor) steps aside to the nearest place that is not in the way, and
/// stays there. Who only passes by asks for nothing.
class PassStanding final : public step::System {
 public:
  explicit PassStanding(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "pass standing"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext& context, std::uint32_t row) override;
  std::size_t memory() const override { return to_do_.capacity() + asking_.capacity() * sizeof(std::uint32_t); }

 private:
  enum ToDo : std::uint8_t { kNothing, kLook, kAsk };
  /// The next metres of somebody's route.
  struct Ahead {
    std::vector<Vec2> line;
  };

  void makeColumns(agents::Crowd& crowd);
  bool stands(const step::StepContext& context, std::uint32_t row) const;
  bool mustLook(const step::StepContext& context, std::uint32_t slot) const;
  void look(step::StepContext& context, std::uint32_t slot);
  void ask(step::StepContext& context, std::uint32_t slot);
  void head(step::StepContext& context, std::uint32_t row) const;
  void closeOthers(const step::StepContext& context, std::uint32_t slot, std::uint32_t besides, LocalWay& way) const;

  const Steering& steering_;
  const base::Column<float>* since_ = nullptr;              ///< s that somebody has not got on, see GetUnstuck
  base::Column<float>*left_ = nullptr, *next_ = nullptr;    ///< s of going that way; to the next look
  base::Column<float>*to_x_ = nullptr, *to_y_ = nullptr;    ///< m: where to walk to first
  base::Column<float>*end_x_ = nullptr, *end_y_ = nullptr;  ///< m: where who makes way will stand
  std::vector<std::uint8_t> to_do_;                         ///< by slot
  std::vector<std::uint32_t> asking_;                       ///< slots
};

}  // namespace throng::steering
