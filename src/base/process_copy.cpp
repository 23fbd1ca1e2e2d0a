#include "base/process_copy.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output_target.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THRONG_NO_MEMORY_LIMIT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define THRONG_NO_MEMORY_LIMIT 1
#endif
#endif

namespace throng::base {
namespace {

using Clock = std::chrono::steady_clock;

/// What comes through the pipe: this, and then `size` bytes.
struct Header {
  enum Kind : std::uint32_t { kProgress, kResult, kOutOfMemory };
  std::uint32_t kind = kProgress;
  std::uint32_t unused = 0;
  std::uint64_t size = 0;
};

/// In the copy: the pipe's end.
int to_parent = -1;

bool send(const void* bytes, std::size_t size) {
  return writeAll(to_parent, {static_cast<const char*>(bytes), size}) == 0;
}

bool send(Header::Kind kind, const void* bytes, std::size_t size) {
  const Header header{kind, 0, size};
  return send(&header, sizeof header) && send(bytes, size);
}

/// Libraries catch what `new` throws and go on with half of their data; this ends the copy before they can.
[[noreturn]] void outOfMemory() {
  send(Header::kOutOfMemory, nullptr, 0);
  ::_exit(0);
}

void lower(int resource, rlim_t to) {
  rlimit limit{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < to) to = limit.rlim_max;
  limit.rlim_cur = to;
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// Bytes of addresses that this process has. Without a limit of memory nobody asks.
[[maybe_unused]] std::uint64_t addressesInUse() {
  unsigned long long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void setLimits(const ProcessLimits& limits) {
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGPIPE}) std::signal(crash, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read what it says
  lower(RLIMIT_CORE, 0);
  lower(RLIMIT_CPU, limits.cpu_seconds);
#if !defined(THRONG_NO_MEMORY_LIMIT)
  const std::uint64_t used = addressesInUse();
  if (limits.memory > 0 && used > 0) lower(RLIMIT_AS, used + limits.memory);
#endif
  std::set_new_handler(outOfMemory);
}

[[noreturn]] void workAndLeave(const ProcessCopy::Work& work, const ProcessLimits& limits) noexcept {
  setLimits(limits);
  double last = 0;
  const auto report = [&last](double share) {
    if (share < last + 0.005) return;  // a pipe need not carry thousands
    last = share;
    send(Header::kProgress, &share, sizeof share);
  };
  const std::string said = work(report);
  ::_exit(send(Header::kResult, said.data(), said.size()) ? 0 : 1);
}

/// What has come through the pipe so far, taken apart message by message.
class Mailbox {
 public:
  explicit Mailbox(const ProcessCopy::Report& progress) : progress_(progress) {}

  void add(const char* bytes, std::size_t size) {
    text_.append(bytes, size);
    Header header;
    while (text_.size() >= sizeof header) {
      std::memcpy(&header, text_.data(), sizeof header);
      // The result may be long: it is looked at once, when it has all come.
      if (header.kind != Header::kProgress || text_.size() < sizeof header + header.size) return;
      double share = 0;
      if (header.size == sizeof share) std::memcpy(&share, text_.data() + sizeof header, sizeof share);
      if (progress_) progress_(share);
      text_.erase(0, sizeof header + header.size);
    }
  }

  /// True when the copy said how it ended.
  bool finish(ProcessOutcome& outcome) {
    Header header;
    if (text_.size() < sizeof header) return false;
    std::memcpy(&header, text_.data(), sizeof header);
    if (header.size != text_.size() - sizeof header) return false;
    if (header.kind == Header::kOutOfMemory) {
      outcome.end = ProcessOutcome::End::kOutOfMemory;
      return true;
    }
    if (header.kind != Header::kResult) return false;
    outcome.end = ProcessOutcome::End::kDone;
    text_.erase(0, sizeof header);
    outcome.said = std::move(text_);
    return true;
  }

 private:
  const ProcessCopy::Report& progress_;
  std::string text_;
};

/// The exit status of a process, once it has ended.
int statusOf(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

ProcessCopy::ProcessCopy(const Work& work, const ProcessLimits& limits) : limits_(limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[0]);
    to_parent = ends[1];
    workAndLeave(work, limits);
  }
  ::close(ends[1]);
  if (process_ < 0) {
    ::close(ends[0]);
  } else {
    from_copy_ = ends[0];
  }
}

ProcessCopy::~ProcessCopy() {
  if (process_ < 0) return;
  ::close(from_copy_);
  ::kill(process_, SIGKILL);
  statusOf(process_);
}

ProcessOutcome ProcessCopy::wait(const Report& progress) {
  ProcessOutcome outcome;
  if (process_ < 0) {
    outcome.end = ProcessOutcome::End::kNotStarted;
    outcome.problem = "could not be started: there is no room for another process";
    return outcome;
  }
  const auto deadline = Clock::now() + std::chrono::seconds(30 + 5 * std::uint64_t{limits_.cpu_seconds});
  Mailbox mailbox(progress);
  bool too_late = false;
  std::array<char, 1 << 16> bytes;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wanted{from_copy_, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000))) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && left > 0) continue;
    if (ready <= 0) {
      too_late = true;
      break;
    }
    const ssize_t got = ::read(from_copy_, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    mailbox.add(bytes.data(), static_cast<std::size_t>(got));
  }
  ::close(from_copy_);
  if (too_late) ::kill(process_, SIGKILL);
  const int status = statusOf(process_);
  process_ = -1;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (too_late || signal == SIGXCPU) {
    outcome.end = ProcessOutcome::End::kOutOfTime;
    outcome.problem = fmt::format("took longer than {} s", limits_.cpu_seconds);
  } else if (!mailbox.finish(outcome)) {
    outcome.end = ProcessOutcome::End::kCrashed;
    outcome.problem = signal != 0 ? fmt::format("crashed (signal {})", signal) : "crashed";
  } else if (outcome.end == ProcessOutcome::End::kOutOfMemory) {
    outcome.problem = fmt::format("used more than {} MB", limits_.memory >> 20);
  }
  return outcome;
}

}  // namespace throng::base
