// A world that runs, as a source of frames.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/frame_source.h"
#include "throng/world.h"

#pragma GCC visibility push(default)
namespace throng {

/// The frames of a world: first as it is now, then stepped by its scene's dt, until it is finished. It only goes
/// forwards. A world without an end goes on for as long as frames are read.
class WorldFrames final : public FrameSource {
 public:
  /// `frames_per_second` 0: every step. Else the moments that a Recorder of this rate would take: whole numbers of
  /// 1 / frames_per_second (see fittingRecordingRate()). The world is not owned, and may be changed between frames.
  /// Throws InputError for a rate that is none.
  explicit WorldFrames(World& world, double frames_per_second = 0);

  bool canGoBack() const override { return false; }
  double framesPerSecond() const override;
  const std::optional<std::vector<Change>>& changes() const override { return changes_; }

 private:
  bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override;
  bool again(FrameCopy& frame) override;

  World* world_;
  double frames_per_second_ = 0;
  bool begun_ = false;
  std::uint64_t steps_ = 0;  ///< of the world at the frame read last
  std::optional<std::vector<Change>> changes_;
};

}  // namespace throng
#pragma GCC visibility pop
