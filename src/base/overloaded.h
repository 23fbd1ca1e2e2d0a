// Several functions as one, for std::visit.
#pragma once

namespace throng::base {

/// Calls the one of its functions that fits the argument best.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace throng::base
