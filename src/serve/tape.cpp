#include "serve/tape.h"

#include <filesystem>
#include <fmt/format.h>

namespace throng::serve {

void Tape::start(const World& world) {
  if (recorder_) return;
  path_ = fmt::format("{}/run{}.sqlite", folder_, ++count_);
  RecorderSettings settings;
  settings.frames_per_second = world.scene().run.recording_rate;
  recorder_.emplace(path_, world.scene(), settings);
  from_ = to_ = world.time();
  recorder_->observe(world.frame());
}

void Tape::observe(const World& world) {
  if (!recorder_) return;
  if (world.time() <= to_) {  // from the beginning again: another run
    stop();
    return;
  }
  recorder_->observe(world.frame(), world.arrivals());
  to_ = world.time();
}

std::string Tape::stop() {
  if (!recorder_) return last_;
  auto recorder = std::move(*recorder_);
  recorder_.reset();
  recorder.close();
  kept_.push_back(path_);
  if (kept_.size() > kMostKept) {
    std::error_code ignored;
    std::filesystem::remove(kept_.front(), ignored);
    kept_.pop_front();
  }
  last_ = path_;
  return last_;
}

}  // namespace throng::serve
