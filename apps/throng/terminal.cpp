#include "terminal.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace throng::app {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interrupt{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void onSignal(int signal) {
  interrupt = true;
  std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

}  // namespace

Progress::Progress(bool wanted)
    : on_(wanted && isatty(STDERR_FILENO) != 0), next_(Clock::now() + std::chrono::milliseconds(500)) {}

Progress::~Progress() { finish(); }

bool Progress::due() { return on_ && Clock::now() >= next_; }

void Progress::show(const std::string& line) {
  if (!on_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  const std::size_t padding = shown_ > line.size() ? shown_ - line.size() : 0;
  fmt::print(stderr, "\r{}{}", line, std::string(padding, ' '));
  std::fflush(stderr);
  shown_ = line.size();
}

void Progress::finish() {
  if (shown_ == 0) return;
  fmt::print(stderr, "\r{}\r", std::string(shown_, ' '));
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
  for (const auto& [name, value] : rows) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, value] : rows) text += fmt::format("  {:<{}}  {}\n", name, width, value);
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
