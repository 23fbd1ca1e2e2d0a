#include "record/hdf5_library.h"

#include <optional>

namespace throng::record {
namespace {

std::mutex library;
/// In a copy of the process there is one thread only, and the lock is held by whoever made the copy.
bool alone = false;
/// Bytes. A block of the longest rows has half of it.
constexpr std::uint64_t kMostMemory = std::uint64_t{4} << 30;

}  // namespace

base::ProcessOutcome tryInACopy(const std::function<std::string()>& action, unsigned cpu_seconds) {
  // Another thread may hold a lock of the C++ run time (of a sanitizer's, say) while the copy is made: such a copy
  // waits for ever. It is rare, and the next copy does not have to meet it again.
  constexpr int kTries = 2;
  base::ProcessOutcome outcome;
  for (int i = 0; i < kTries; ++i) {
    std::optional<base::ProcessCopy> copy;
    {
      const Hdf5Lock lock;  // the copy must find the library at rest
      copy.emplace(
          [&](const base::ProcessCopy::Report&) {
            alone = true;
            return action();
          },
          base::ProcessLimits{cpu_seconds, kMostMemory});
    }
    outcome = copy->wait();
    if (outcome.end != base::ProcessOutcome::End::kOutOfTime) break;
  }
  return outcome;
}

Hdf5Lock::Hdf5Lock() : lock_(library, std::defer_lock) {
  if (!alone) lock_.lock();
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Lock::~Hdf5Lock() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace throng::record
