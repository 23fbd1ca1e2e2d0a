// What people see of a verb while it works and when it ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "throng/base.h"

namespace throng::app {

/// To standard output. What cannot be written there is told at the end, by finishOutput().
void say(const std::string& text);
/// The same, as a program reads it: bytes that are not UTF-8 are replaced, control characters escaped.
void sayJson(const nlohmann::ordered_json& json);
/// To standard error; a warning that nobody can read is no reason to stop.
void warn(const std::string& text);
/// What an error says, with the option that helps where there is one.
std::string withRemedy(const Error& error);
/// Throws FileError when something that was said could not be written: the disk is full, say.
void finishOutput();
/// Standard input, output and error that somebody has closed would be given to the next file that is opened. They
/// become ones that can be neither read nor written.
void occupyStandardFiles();

/// One line on the terminal (standard error) that is written over as work goes on. Silent in a pipe, and for whatever
/// takes less than half a second.
class Progress {
 public:
  explicit Progress(bool wanted = true);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// True when a new line is due: at most ten times a second.
  bool due();
  void show(const std::string& line);
  /// Takes the line away.
  void finish();

 private:
  bool on_;
  std::size_t shown_ = 0;
  std::chrono::steady_clock::time_point next_;
};

/// Says on the terminal what is being done and for how long, from the first second on, while something works that does
/// not say itself how far it is.
class Working {
 public:
  explicit Working(std::string what, bool wanted = true);
  ~Working() { finish(); }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

  /// Another thing from here on; the time goes on.
  void now(std::string what);
  /// Takes the line away.
  void finish();

 private:
  void show();

  std::mutex mutex_;
  std::condition_variable over_;
  std::string what_;
  bool done_ = false;
  std::thread thread_;  ///< none in a pipe
};

/// Names on the left, values on the right, in aligned columns; both as a terminal can show them.
std::string twoColumns(const std::vector<std::pair<std::string, std::string>>& rows);

/// 12345678 → "12,345,678".
std::string grouped(unsigned long long value);

/// Ctrl-C and SIGTERM ask for an orderly end from here on.
void catchInterrupts();
bool interrupted();

}  // namespace throng::app
