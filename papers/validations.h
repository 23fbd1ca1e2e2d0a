// What the tables of `throng validate` have in common.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "papers/paper.h"

namespace throng::papers {

/// Parameters were chosen on seeds below 50000; rows are of seeds from here on.
inline constexpr std::uint64_t kFirstSeed = 140001;

inline int seedsOf(const Options& options, int usual) { return options.seeds.value_or(options.quick ? 1 : usual); }
inline void tell(const Options& options, const std::string& what) {
  if (options.progress) options.progress(what);
}
inline Target atMost(double value, std::string reason) {
  return {Target::Comparison::kAtMost, value, std::move(reason)};
}
inline Target atLeast(double value, std::string reason) {
  return {Target::Comparison::kAtLeast, value, std::move(reason)};
}
inline Target within(double least, double most, std::string reason) {
  return {Target::Comparison::kWithin, least, std::move(reason), most};
}

// The tables, one file each.
Result measuredDiagrams(const Options& options);
Result narrowExit(const Options& options);
Result crossing(const Options& options);
Result symmetry(const Options& options);
Result mazes(const Options& options);

}  // namespace throng::papers
