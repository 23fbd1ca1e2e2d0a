// In narrow corridors that people walk both ways everybody keeps to their own half, whatever the steering model.
#pragma once

#include <vector>

#include "corridors/corridor_middle.h"
#include "steering/systems.h"

namespace throng::steering {

/// Two who meet in a corridor pass one another if each leaves the other half free. Two files side by side that meet two
/// others do not: nobody finds room in the file beside them, and nobody goes back. So as long as people go both ways
/// along a corridor, or have done so lately, everybody in it keeps to one half of it, also around bends: to the right
/// one, or to the left where the model's side preference is negative. Who is in the other half walks slowly until there
/// is room beside them, and goes back before somebody who comes. Who comes to the mouth of a corridor keeps the way
/// free for those who come out.
///
/// For all models the preferred velocity is changed. The model `throng` also takes the middle of the corridor for a
/// wall, and those who come on the other side of it for no danger (StepInput::line_x, way).
class KeepSide final : public step::System {
 public:
  explicit KeepSide(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "keep side"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;
  std::size_t memory() const override;

 private:
  /// When somebody last went along a corridor, against its chain's direction and in it.
  struct Walked {
    double time[2] = {kNever, kNever};  ///< s
    std::uint32_t person[2] = {0, 0};   ///< who it was

    static constexpr double kNever = -1e9;
    template <class Archive>
    friend void fields(Archive& f, Walked& walked) {
      for (int i = 0; i < 2; ++i) f(walked.time[i]), f(walked.person[i]);
    }
  };
  bool followMap(const step::StepContext& context);
  void findPlaces(step::StepContext& context);
  void notePassing(const step::StepContext& context);
  bool isTwoWay(const step::StepContext& context, std::uint32_t row) const;
  bool isInTheWay(const step::StepContext& context, std::uint32_t slot) const;
  void keep(step::StepContext& context, std::uint32_t slot) const;

  const Steering& steering_;
  float radius_ = 0;             ///< m, of the largest who do so; 0: nobody does
  std::uint64_t found_for_ = 0;  ///< revision of the walls, and one more
  corridors::CorridorMiddle middle_;
  std::vector<Walked> walked_, loaded_;         ///< by corridor
  std::uint64_t keeps_for_ = 0;                 ///< as `found_for_`, for which that of a snapshot is right
  base::Column<std::uint32_t>* way_ = nullptr;  ///< see CorridorPlace::way()
  // See StepInput.
  base::Column<float>*line_x_ = nullptr, *line_y_ = nullptr, *line_room_ = nullptr;
  base::Column<std::uint32_t>* line_way_ = nullptr;
  std::vector<corridors::CorridorPlace> places_;  ///< of one step, by row
};

}  // namespace throng::steering
