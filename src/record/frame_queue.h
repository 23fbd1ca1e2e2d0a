// Frames on their way to the writing thread, limited by their bytes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "throng/frame.h"

namespace throng::record {

/// A frame, or only arrivals after the last one.
struct QueuedFrame {
  static constexpr std::int64_t kNoFrame = -1;
  std::int64_t number = 0;
  FrameCopy frame;
  std::vector<Arrival> arrivals;
  std::vector<Change> changes;

  std::size_t bytes() const;
};

class FrameQueue {
 public:
  explicit FrameQueue(std::size_t limit) : limit_(limit) {}

  /// Waits until there is room; a frame larger than the limit waits until it is alone. False when nobody takes frames
  /// any more.
  bool push(QueuedFrame&& frame);
  /// Waits for a frame, at most until `deadline`; nothing when none came, or when the queue has ended and is empty. The
  /// frame counts as waiting until done() is called.
  std::optional<QueuedFrame> pop(std::chrono::steady_clock::time_point deadline);
  /// The frame popped last has been dealt with.
  void done();
  /// No more frames will be pushed.
  void end();
  /// No more frames will be popped: whoever waits to push one goes away.
  void abandon();

  /// Ended, and every frame has been popped.
  bool finished() const;
  /// The most bytes that were ever waiting.
  std::size_t peakBytes() const;

 private:
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable room_, news_;
  std::deque<QueuedFrame> frames_;
  std::size_t bytes_ = 0, popped_bytes_ = 0, peak_ = 0;
  bool ended_ = false, abandoned_ = false;
};

}  // namespace throng::record
