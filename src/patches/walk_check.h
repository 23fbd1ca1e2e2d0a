// What may be wrong with walks, as the generators need it: with the walks that are involved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "patches/contact.h"

namespace throng::patches {

/// No walk: a resident or an object is the other party, or there is none.
inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

struct Fault {
  std::uint32_t walk = 0, other = kNobody;
  double time = 0;  ///< s, of the first walk
  double amount = 0;
  Point at;
  std::string what;
  double other_time = 0;           ///< s, of the other walk
  std::uint32_t object = kNobody;  ///< that is touched
};

/// Faults of walks, none when the patch may be used. `most`: where to stop.
std::vector<Fault> faults(const PatchDefinition& patch, const std::vector<PatchWalk>& walks, std::size_t most);

/// In a sentence: the first fault, and how many more there are.
std::string reasonOf(const std::vector<Fault>& faults);

}  // namespace throng::patches
