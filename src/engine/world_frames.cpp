#include "throng/world_frames.h"

#include <cmath>
#include <fmt/format.h>

#include "agents/frame_times.h"

namespace throng {

WorldFrames::WorldFrames(World& world, double frames_per_second)
    : world_(&world), frames_per_second_(frames_per_second), changes_(std::in_place) {
  if (!(frames_per_second >= 0) || !std::isfinite(frames_per_second))
    throw InputError(fmt::format("{} frames per second; allowed: a positive number, or 0 for a frame at every step.",
                                 frames_per_second));
}

double WorldFrames::framesPerSecond() const {
  return frames_per_second_ > 0 ? frames_per_second_ : 1 / world_->scene().run.dt;
}

bool WorldFrames::read(FrameCopy& frame, std::vector<Arrival>* arrivals) {
  for (;; begun_ = true) {
    if (begun_) {
      if (world_->finished()) return false;
      world_->step();
      if (arrivals) arrivals->insert(arrivals->end(), world_->arrivals().begin(), world_->arrivals().end());
    }
    if (frames_per_second_ == 0 || agents::isFrameTime(world_->time(), frames_per_second_)) break;
  }
  begun_ = true;
  steps_ = world_->steps();
  const Frame now = world_->frame();
  frame.assign(now);
  changes_->assign(now.changes.begin(), now.changes.end());
  return true;
}

bool WorldFrames::again(FrameCopy& frame) {
  if (world_->steps() != steps_) return false;
  frame.assign(world_->frame());
  return true;
}

}  // namespace throng
