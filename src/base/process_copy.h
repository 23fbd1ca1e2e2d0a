// Work that may crash, hang or ask for all memory, done by a copy of this process that can be lost. Libraries that read
// other people's files are such work: they trust what a damaged or hostile file says about itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace throng::base {

struct ProcessLimits {
  unsigned cpu_seconds = 10;
  std::uint64_t memory = 0;  ///< bytes on top of what this process has already; 0: no limit
};

/// How the work of a copy ended.
struct ProcessOutcome {
  enum class End { kDone, kOutOfMemory, kOutOfTime, kCrashed, kNotStarted };
  End end = End::kCrashed;
  std::string said;  ///< what the work returned; nothing unless it is done
  /// Why it is not done, to be put behind "the reader of this file": "used more than 512 MB", "crashed (signal 11)".
  std::string problem;
};

/// One thread of this process, copied (fork). The copy has all of its memory and none of its other threads, so it must
/// touch neither a lock that another thread may hold nor the threads of base/parallel.h.
///
/// The address sanitizer needs terabytes of addresses: where it is on, there is no limit of memory.
class ProcessCopy {
 public:
  using Report = std::function<void(double share)>;
  using Work = std::function<std::string(const Report& progress)>;

  /// Starts at once; `work` runs in the copy only, and an exception that leaves it is a crash. Whatever the copy needs
  /// at rest (a lock) may be held until the constructor returns.
  ProcessCopy(const Work& work, const ProcessLimits& limits);
  /// Ends the copy if nobody waited for it.
  ~ProcessCopy();
  ProcessCopy(const ProcessCopy&) = delete;
  ProcessCopy& operator=(const ProcessCopy&) = delete;

  /// Waits until the copy has ended; to be called once. `progress` gets what the work reports. A copy that neither
  /// works nor ends is killed: it gets five times its limit of the processor's time, and half a minute, by the clock.
  ProcessOutcome wait(const Report& progress = {});

 private:
  ProcessLimits limits_;
  int process_ = -1, from_copy_ = -1;
};

}  // namespace throng::base
