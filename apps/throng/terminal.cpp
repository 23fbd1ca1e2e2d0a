#include "terminal.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

#include "throng/text.h"

namespace throng::app {
namespace {

using Clock = std::chrono::steady_clock;

int output_error = 0;  ///< the first of standard output

std::atomic<bool> interrupt{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void onSignal(int signal) {
  interrupt = true;
  std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

}  // namespace

std::string withRemedy(const Error& error) {
  if (dynamic_cast<const FileExistsError*>(&error) == nullptr) return error.what();
  return fmt::format("{}; use --force to replace it, or choose another name", error.what());
}

void say(const std::string& text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && output_error == 0)
    output_error = errno != 0 ? errno : EIO;
}

void sayJson(const nlohmann::ordered_json& json) {
  const std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // DEL and the second set of control characters (C2 80 to C2 9F) are within strings, and the dump leaves them as they
  // are.
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0x7f) {
      shown += "\\u007f";
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
      shown += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      shown += text[i];
    }
  }
  say(shown + "\n");
}

void warn(const std::string& text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

void finishOutput() {
  errno = 0;
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno != 0 ? errno : EIO;
  const int error = std::exchange(output_error, 0);
  if (error != 0) throw FileError(fmt::format("standard output cannot be written: {}", std::strerror(error)));
}

void occupyStandardFiles() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The lowest free number is this one: those below it are open. Written to where it should be read, and the other
    // way round, it fails as a closed one does.
    if (::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

Progress::Progress(bool wanted)
    : on_(wanted && isatty(STDERR_FILENO) != 0), next_(Clock::now() + std::chrono::milliseconds(500)) {}

Progress::~Progress() { finish(); }

bool Progress::due() { return on_ && Clock::now() >= next_; }

void Progress::show(const std::string& line) {
  if (!on_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  const std::size_t padding = shown_ > line.size() ? shown_ - line.size() : 0;
  warn(fmt::format("\r{}{}", line, std::string(padding, ' ')));
  std::fflush(stderr);
  shown_ = line.size();
}

void Progress::finish() {
  if (shown_ == 0) return;
  warn(fmt::format("\r{}\r", std::string(shown_, ' ')));
  std::fflush(stderr);
  shown_ = 0;
}

Working::Working(std::string what, bool wanted) : what_(std::move(what)) {
  if (wanted && isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { show(); });
}

void Working::now(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Working::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  over_.notify_all();
  thread_.join();
}

void Working::show() {
  const auto start = Clock::now();
  Progress line;
  std::unique_lock lock(mutex_);
  for (auto next = start + std::chrono::seconds(1);; next += std::chrono::seconds(1)) {
    if (over_.wait_until(lock, next, [this] { return done_; })) return;
    line.show(fmt::format("{}: {} s", what_, std::chrono::duration_cast<std::chrono::seconds>(next - start).count()));
  }
}

std::string twoColumns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, printable(name).size());
  std::string text;
  for (const auto& [name, value] : rows)
    text += fmt::format("  {:<{}}  {}\n", printable(name), width, printable(value));
  return text;
}

std::string grouped(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

void catchInterrupts() {
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
}

bool interrupted() { return interrupt; }

}  // namespace throng::app
