#include "throng/frame_source.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace throng {
namespace {

/// s; times are sums of steps or quotients of frame numbers, which round differently.
constexpr double kSameFrame = 1e-9;

}  // namespace

bool FrameSource::next(FrameCopy& frame, std::vector<Arrival>* arrivals) {
  if (arrivals) arrivals->clear();
  if (!read(frame, arrivals)) return false;
  before_ = std::exchange(last_, frame.time);
  return true;
}

bool FrameSource::at(double time, FrameCopy& frame) {
  if (std::isnan(time)) throw InputError("The time of a frame is not a number.");
  if (time <= last_ + kSameFrame) {
    if (time > before_ + kSameFrame && again(frame)) return true;
    if (!canGoBack())
      throw InputError(
          fmt::format("There is no going back to {:g} s: these frames only go forwards, and {:g} s was read already. "
                      "Record them, or keep them in memory, to go back.",
                      time, last_));
    rewind();
  }
  skipTo(time);
  while (next(frame))
    if (frame.time >= time - kSameFrame) return true;
  return false;
}

void FrameSource::rewind() {
  if (!canGoBack())
    throw InputError(
        "There is no going back to the beginning: these frames only go forwards. Record them, or keep them in memory, "
        "to go back.");
  restart();
  before_ = last_ = kNever;
}

const std::optional<std::vector<Change>>& FrameSource::changes() const {
  static const std::optional<std::vector<Change>> kUnknown;
  return kUnknown;
}

MemoryFrames::MemoryFrames(double frames_per_second) : frames_per_second_(frames_per_second) {
  if (!(frames_per_second > 0) || !std::isfinite(frames_per_second))
    throw InputError(fmt::format("{} frames per second; allowed: a positive number.", frames_per_second));
}

MemoryFrames::MemoryFrames(FrameSource& source, double until) : MemoryFrames(source.framesPerSecond()) {
  FrameCopy frame;
  std::vector<Arrival> arrivals;
  bool enough = false;
  while (!enough && source.next(frame, &arrivals)) {
    enough = frame.time >= until - kSameFrame;
    add(frame, arrivals);
  }
  if (!enough) late_ = std::move(arrivals);
  changes_ = source.changes();
}

void MemoryFrames::add(FrameCopy frame, std::vector<Arrival> arrivals) {
  if (!std::isfinite(frame.time) || (!frames_.empty() && !(frame.time > frames_.back().time)))
    throw InputError(fmt::format("A frame at {} s cannot follow {}; allowed: frames in order of time.", frame.time,
                                 frames_.empty() ? "nothing" : fmt::format("one at {} s", frames_.back().time)));
  frames_.push_back(std::move(frame));
  arrivals_.push_back(std::move(arrivals));
}

bool MemoryFrames::read(FrameCopy& frame, std::vector<Arrival>* arrivals) {
  const bool is_end = next_ == frames_.size();
  if (arrivals) *arrivals = is_end ? late_ : arrivals_[next_];
  if (is_end) return false;
  frame = frames_[next_++];
  return true;
}

bool MemoryFrames::again(FrameCopy& frame) {
  frame = frames_[next_ - 1];
  return true;
}

}  // namespace throng
