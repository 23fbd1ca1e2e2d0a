// Frames that are read more than once.
#pragma once

#include <limits>
#include <optional>

#include "throng/frame_source.h"

namespace throng::agents {

/// The source itself where it can go back, or else all that it has left, kept in memory: for whoever looks through a
/// run before showing it.
class Reread {
 public:
  /// Of a source that only goes forwards, nothing after the first frame at or after `until` (s) is read.
  explicit Reread(FrameSource& source, double until = std::numeric_limits<double>::infinity()) : source_(source) {
    if (!source.canGoBack()) kept_.emplace(source, until);
  }
  FrameSource& frames() { return kept_ ? *kept_ : source_; }

 private:
  FrameSource& source_;
  std::optional<MemoryFrames> kept_;
};

}  // namespace throng::agents
