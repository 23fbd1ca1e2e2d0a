// Whether anybody still gets anywhere. People may move for ever without coming nearer to their goals (held up by
// others, pushed to and fro, before a door that is closed), so it is not movement that counts but what is left of their
// ways.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/base.h"

namespace throng::goals {

class Progress {
 public:
  struct Watched {
    AgentId id;
    float left = 0;  ///< m: the least that was left of somebody's way to their current goal
  };

  /// Since when nobody has come nearer to their goal.
  double since() const { return since_; }
  /// Something happened that changes people's ways, or brings people: what was known of them does not count any more.
  void begin(double time) {
    since_ = time;
    least_.clear();
  }
  /// Somebody got somewhere, or may yet.
  void made(double time) { since_ = time; }
  /// Somebody has a new goal.
  void forget(AgentId id, double time) {
    since_ = time;
    if (id.index() < least_.size()) least_[id.index()] = {};
  }
  /// So many m are left of somebody's way now.
  void observe(AgentId id, float left, double time);

  /// One look a second is enough. True when it is time for one.
  bool due(double time);

  // For snapshots.
  struct Times {
    double since = 0, next_look = 0;
  };
  Times times() const { return {since_, next_look_}; }
  const std::vector<Watched>& least() const { return least_; }
  void restore(Times times, std::vector<Watched> least) {
    since_ = times.since, next_look_ = times.next_look;
    least_ = std::move(least);
  }

 private:
  std::vector<Watched> least_;  ///< by AgentId::index()
  double since_ = 0, next_look_ = 0;
};

}  // namespace throng::goals
