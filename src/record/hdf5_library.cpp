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
  return copy->wait();
}

Hdf5Lock::Hdf5Lock() : lock_(library, std::defer_lock) {
  if (!alone) lock_.lock();
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Lock::~Hdf5Lock() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace throng::record
