#include "record/hdf5_library.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace throng::record {
namespace {

std::mutex library;
/// In a copy of the process there is one thread only, and the lock is held by whoever made the copy.
bool alone = false;

[[noreturn]] void actAndLeave(const std::function<std::string()>& action, unsigned cpu_seconds, int report) {
  alone = true;
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(crash, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  rlimit cpu{};
  ::getrlimit(RLIMIT_CPU, &cpu);
  cpu.rlim_cur = std::min<rlim_t>(cpu.rlim_max, static_cast<rlim_t>(used.ru_utime.tv_sec) + cpu_seconds);
  ::setrlimit(RLIMIT_CPU, &cpu);
  const std::string said = "k" + action();
  const bool told = ::write(report, said.data(), said.size()) == static_cast<ssize_t>(said.size());
  ::_exit(told ? 0 : 1);
}

}  // namespace

std::optional<std::string> tryInACopy(const std::function<std::string()>& action, unsigned cpu_seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "";
  pid_t copy = -1;
  {
    const Hdf5Lock lock;  // the copy must find the library at rest
    copy = ::fork();
    if (copy == 0) actAndLeave(action, cpu_seconds, ends[1]);
  }
  ::close(ends[1]);
  std::string said = copy < 0 ? "k" : "";  // no copy can be made: take the risk
  std::array<char, 512> bytes;
  while (copy > 0) {
    const ssize_t got = ::read(ends[0], bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    said.append(bytes.data(), static_cast<std::size_t>(got));
  }
  while (copy > 0 && ::waitpid(copy, nullptr, 0) < 0 && errno == EINTR) continue;
  ::close(ends[0]);
  if (said.empty()) return std::nullopt;
  return said.substr(1);
}

Hdf5Lock::Hdf5Lock() : lock_(library, std::defer_lock) {
  if (!alone) lock_.lock();
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Lock::~Hdf5Lock() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace throng::record
