// Fork-join loops over oneTBB. Work is cut into fixed pieces that do not depend on the number of threads, so whatever a
// body computes from its piece alone is the same on every machine.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace throng::base {

/// What a loop does with a piece of its work: a reference to a function object that outlives the loop. Making one costs
/// nothing, and it needs no memory of its own.
class PieceBody {
 public:
  template <class Body>
  requires(!std::is_same_v<std::remove_cvref_t<Body>, PieceBody>)
      PieceBody(const Body& body)  // NOLINT(google-explicit-constructor): loops are given lambdas
      : body_(&body), call_([](const void* object, std::size_t begin, std::size_t end) {
          (*static_cast<const Body*>(object))(begin, end);
        }) {}

  void operator()(std::size_t begin, std::size_t end) const { call_(body_, begin, end); }

 private:
  const void* body_;
  void (*call_)(const void*, std::size_t, std::size_t);
};

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
  void forEach(std::size_t n, std::size_t grain, PieceBody body) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng::base
