// A run that is being recorded because somebody in the studio has asked for it.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "throng/recording.h"
#include "throng/world.h"

namespace throng::serve {

class Tape {
 public:
  /// Recordings go into this folder.
  explicit Tape(std::string folder) : folder_(std::move(folder)) {}

  bool running() const { return recorder_.has_value(); }
  /// Begins with the world as it is. Throws FileError.
  void start(const World& world);
  /// After every step.
  void observe(const World& world);
  /// The file of what was recorded last, complete; empty when nothing was. Throws FileError.
  std::string stop();
  /// What was recorded last, when it is not running.
  const std::string& last() const { return last_; }
  double from() const { return from_; }
  double to() const { return to_; }

 private:
  static constexpr std::size_t kMostKept = 4;  ///< films of those before the last may still be under way

  const std::string folder_;
  std::deque<std::string> kept_;
  std::optional<Recorder> recorder_;
  std::string path_, last_;
  int count_ = 0;
  double from_ = 0, to_ = 0;  ///< s
};

}  // namespace throng::serve
