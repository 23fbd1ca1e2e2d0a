// Fork-join loops over oneTBB. Work is cut into fixed pieces that do not depend on the number of threads, so whatever a
// body computes from its piece alone is the same on every machine.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace throng::base {

/// A set of worker threads; loops given to it use at most that many.
class Threads {
 public:
  /// 0: as many as there are cores.
  explicit Threads(int count = 0);
  ~Threads();
  Threads(Threads&&) noexcept;
  Threads& operator=(Threads&&) noexcept;

  int count() const;

  /// body(begin, end) for the pieces [0, grain), [grain, 2·grain) … of [0, n), in any order and at once.
  /// Returns when all are done. A piece that throws ends the loop and the exception comes out here.
  void forEach(std::size_t n, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng::base
