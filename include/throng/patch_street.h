// An endless pedestrian street of crowd patches, made where somebody looks (Yersin 2009, 7.5.1; docs/patches.md).
#pragma once

#include <cstdint>
#include <memory>

#include "throng/frame_source.h"
#include "throng/patches.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// What a street is like, and who looks at it.
struct StreetSettings {
  std::uint64_t seed = 1;
  int crossings = 4;          ///< people per period and direction, over every border
  int patterns = 10;          ///< different ones
  double period = 10;         ///< s
  double camera = 0;          ///< m along the street, at time 0
  double camera_speed = 1.3;  ///< m/s; negative: the other way
  double view = 60;           ///< m before and behind the camera that are seen
  double frames_per_second = 10;
  double duration = 60;           ///< s; next() ends there, frameAt() does not
  std::size_t memory = 8u << 20;  ///< bytes of patches that are kept; others are forgotten, and made again when needed
};

/// Squares of 8 m one after the other along x, with walls on both sides, for ever in both directions. What is where and
/// who is who depends on the seed and the place alone, not on what has been looked at before. Everybody walks
/// through: from one end of the street to the other.
class EndlessStreet final : public FrameSource {
 public:
  /// Throws InputError for settings that are out of range.
  explicit EndlessStreet(const StreetSettings& settings = {});
  ~EndlessStreet() override;
  EndlessStreet(EndlessStreet&&) noexcept;
  EndlessStreet& operator=(EndlessStreet&&) noexcept;

  /// Everybody from `from` to `to` m along the street at any time (s). The first look at a far place takes as long as
  /// it takes to make the patterns and patches in between: who comes from where depends on them.
  void frameAt(double time, double from, double to, FrameCopy& frame);
  /// The patch from 8·number to 8·(number + 1) m, in its own coordinates.
  const Patch& patch(std::int64_t number);

  std::size_t patchesMade() const;  ///< also those made again
  std::size_t patchBytes() const;   ///< of those that are kept now; within the budget unless one view needs more
  std::size_t borderBytes() const;  ///< of who is who within some kilometres; found again where it is needed
  /// The street from `from` to `to` m, for pictures and recordings; with a population of walkers and one of residents.
  Scene scene(double from, double to);

  double framesPerSecond() const override;

 private:
  bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override;
  void restart() override;
  void skipTo(double time) override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
#pragma GCC visibility pop
