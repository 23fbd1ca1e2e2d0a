#include "base/parallel.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#if defined(THRONG_TELL_THREAD_SANITIZER)
// Debian's libtbb is not instrumented (nor is this file, for the sake of the library's headers), so the thread
// sanitizer cannot see that a loop's end waits for its pieces. These two calls tell it of the fork and the join, and of
// nothing else: races between pieces are still found.
extern "C" void __tsan_acquire(void* addr);
extern "C" void __tsan_release(void* addr);
// What the library does with its own memory is its own affair.
extern "C" const char* __tsan_default_suppressions() { return "called_from_lib:libtbb.so"; }
#endif

namespace throng::base {
namespace {

void tellAcquire([[maybe_unused]] void* place) {
#if defined(THRONG_TELL_THREAD_SANITIZER)
  __tsan_acquire(place);
#endif
}

void tellRelease([[maybe_unused]] void* place) {
#if defined(THRONG_TELL_THREAD_SANITIZER)
  __tsan_release(place);
#endif
}

/// Tells it at the end of a scope, also when an exception ends it.
template <void (*tell)(void*)>
struct AtEnd {
  void* place;
  ~AtEnd() { tell(place); }
};

/// oneTBB makes no more threads than there are cores unless it is told to. Somebody who asks for seven on two cores (to
/// see that nothing depends on it) gets seven. Never lowered again: that would take threads from another set.
void allowThreads(int count) {
  using oneapi::tbb::global_control;
  static std::mutex mutex;
  static std::unique_ptr<global_control> control;
  static auto allowed = static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
  const std::lock_guard lock(mutex);
  if (static_cast<std::size_t>(count) <= allowed) return;
  allowed = static_cast<std::size_t>(count);
  control = std::make_unique<global_control>(global_control::max_allowed_parallelism, allowed);
}

}  // namespace

struct Threads::State {
  int count;
  oneapi::tbb::task_arena arena;
  explicit State(int n) : count(n), arena(n) { allowThreads(n); }
};

Threads::Threads(int count)
    : state_(std::make_unique<State>(count > 0 ? count : oneapi::tbb::this_task_arena::max_concurrency())) {}
Threads::~Threads() = default;
Threads::Threads(Threads&&) noexcept = default;
Threads& Threads::operator=(Threads&&) noexcept = default;

int Threads::count() const { return state_->count; }

void Threads::forEach(std::size_t n, std::size_t grain, PieceBody body) const {
  if (n == 0) return;
  const std::size_t pieces = (n + grain - 1) / grain;
  const auto piece = [&](std::size_t i) { body(i * grain, std::min(n, (i + 1) * grain)); };
  if (pieces == 1 || state_->count == 1) {
    for (std::size_t i = 0; i < pieces; ++i) piece(i);
    return;
  }
  char fork = 0;
  char join = 0;
  tellRelease(&fork);
  const AtEnd<tellAcquire> all_done{&join};
  state_->arena.execute([&] {
    oneapi::tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t i) {
      tellAcquire(&fork);
      const AtEnd<tellRelease> piece_done{&join};
      piece(i);
    });
  });
}

}  // namespace throng::base
