// Models by name. The built-in ones and those of programs get in by the same way.
#pragma once

#include <deque>
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>

#include "throng/base.h"

namespace throng::base {

/// `Entry` has an `info` with a name. Entries stay where they are.
template <class Entry>
class Registry {
 public:
  Registry(std::string_view what, std::initializer_list<Entry> entries) : what_(what) {
    for (const Entry& entry : entries) add(entry);
  }

  /// Throws InputError when it has no name, or that of another one.
  void add(Entry entry) {
    if (entry.info.name.empty()) throw InputError(fmt::format("A {} must have a name.", what_));
    if (find(entry.info.name))
      throw InputError(fmt::format("There is a {} called \"{}\" already.", what_, entry.info.name));
    entries_.push_back(std::move(entry));
  }
  const std::deque<Entry>& entries() const { return entries_; }
  /// Null for an unknown name.
  const Entry* find(std::string_view name) const {
    for (const Entry& entry : entries_)
      if (entry.info.name == name) return &entry;
    return nullptr;
  }

 private:
  std::string_view what_;
  std::deque<Entry> entries_;
};

}  // namespace throng::base
