// At doors too narrow for two to pass one another, and at others when it is crowded, people let those of one side
// through at a time, whatever the steering model.
#pragma once

#include <array>
#include <vector>

#include "corridors/narrow_places.h"
#include "geometry/uniform_grid.h"
#include "steering/systems.h"

namespace throng::steering {

/// m that two need to pass one another, beside their bodies.
inline constexpr float kPassing = 0.15f;

/// A narrow place (corridors/narrow_places.h) belongs to one direction as long as people of both want to pass: to those
/// who are in it, or are nearest. The others wait beside it, where they are not in the way of those who come out. When
/// nobody follows, or it has been one side's for long enough, it is the other side's turn. So do doors at which two can
/// pass when crowds on both sides hold one another up. Real people do the same at
/// narrow doors, in turns of a few; Kleinmeier et al. 2020 let people pass who are blocked one by one.
class GiveWay final : public step::System {
 public:
  explicit GiveWay(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "give way"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;
  std::size_t memory() const override;

 private:
  /// Whose turn it is at a narrow place.
  struct Turn {
    std::uint8_t whose = 0;    ///< 0: nobody's; 1, 2: of those who come in at the first, the second end
    std::uint8_t closing = 0;  ///< nobody comes in any more; those inside come out
    float since = 0;           ///< s, that it has been theirs

    template <class Archive>
    friend void fields(Archive& f, Turn& turn) {
      f(turn.whose), f(turn.closing), f(turn.since);
    }
  };
  /// What somebody has to do with a narrow place.
  struct Near {
    std::uint32_t place = corridors::kNone;
    std::uint8_t end = 0;  ///< by which they come in, or have come in
    bool inside = false;
    float distance = 0;  ///< m to that end
  };
  /// How many of each side are at a narrow place.
  struct Demand {
    std::uint32_t inside[2] = {0, 0}, waiting[2] = {0, 0};
    std::uint32_t next[2] = {0, 0};  ///< of those who wait, who could come in at once
    std::uint32_t held[2] = {0, 0};  ///< of all, who hardly get on
    float nearest[2] = {0, 0};       ///< m
  };

  /// Can two not pass one another there?
  bool isForOne(const corridors::NarrowPlace& place) const { return place.clearance < 2 * radius_ + kPassing; }
  std::vector<corridors::NarrowPlace> placesOn(const corridors::CorridorMap& map) const;
  void findPlaces(const step::StepContext& context);
  void findRoom(const step::StepContext& context);
  Near nearOf(const agents::Crowd& crowd, std::uint32_t row) const;
  void decide(Turn& turn, const Demand& demand, const corridors::NarrowPlace& place, float dt) const;
  void goBack(agents::Crowd& crowd, std::uint32_t row, const Near& near) const;
  void wait(step::StepContext& context, std::uint32_t row, const Near& near) const;

  const Steering& steering_;
  float radius_ = 0;             ///< m, of the largest who give way; 0: nobody does
  std::uint64_t found_for_ = 0;  ///< revision of the walls, and one more
  std::vector<corridors::NarrowPlace> places_;
  std::vector<std::array<bool, 4>> room_;  ///< to wait: right and left of the first end, of the second
  geometry::UniformGrid<float> grid_;
  std::vector<Turn> turns_, loaded_;
  bool keeps_turns_ = false;  ///< those of a snapshot are in use
  // Of one step.
  std::vector<Near> near_;
  std::vector<Demand> demand_;
};

}  // namespace throng::steering
