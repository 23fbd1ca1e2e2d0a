// How long this thread has worked, s: what a piece of work takes does not depend on who else uses the processor.
#pragma once

#include <chrono>
#include <ctime>

namespace throng::base {

/// Processor time of the calling thread; time on the clock where the system does not tell. Differences count.
inline double threadSeconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace throng::base
