// Lists that are sets, and lists that several threads have made.
#pragma once

#include <algorithm>
#include <vector>

namespace throng::base {

/// In order, each once.
template <class T>
void sortUnique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The parts one after the other; they are emptied one by one, so that memory is not held twice.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>>& parts) {
  std::vector<T> all;
  for (auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    part = {};
  }
  return all;
}

}  // namespace throng::base
