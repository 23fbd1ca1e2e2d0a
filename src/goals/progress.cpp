#include "goals/progress.h"

namespace throng::goals {
namespace {

/// m; less than this is no progress: people who are held up shuffle about.
constexpr float kNearer = 0.5f;
constexpr double kLookInterval = 1;  // s

}  // namespace

void Progress::observe(AgentId id, float left, double time) {
  if (id.index() >= least_.size()) least_.resize(id.index() + std::size_t{1});
  Watched& watched = least_[id.index()];
  if (watched.id == id && !(left < watched.left - kNearer)) return;
  watched = {id, left};
  since_ = time;
}

bool Progress::due(double time) {
  if (time < next_look_) return false;
  next_look_ = time + kLookInterval;
  return true;
}

}  // namespace throng::goals
