// How walks lead on from patch to patch, and who is who: whoever goes around for ever has one number for ever.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/patch_world.h"

namespace throng::patches {

/// Walks that lead on into one another. In a ring that takes m periods to go around there are m people, who come by
/// again and again. A chain from one open side to another has a new person every period.
struct ChainPart {
  std::uint32_t base = 0;    ///< the first number of a ring, the chain's own one of an open chain
  std::int32_t periods = 0;  ///< of a ring; 0: an open chain
  std::int32_t offset = 0;   ///< periods since the chain's first walk began
};

/// Which walk leads on into which, by part.
struct WalkLinks {
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> next;   ///< part, or kNone
  std::vector<std::int32_t> laps;  ///< periods from the beginning of a walk to that of the next
  std::vector<char> has_previous;
};

struct Chains {
  std::vector<std::size_t> first;  ///< by place: its first part; one more at the end
  std::vector<ChainPart> parts;    ///< by place: walks, then residents
  std::uint32_t rings_end = 1;     ///< numbers from here on are those of open chains
  std::uint32_t open = 0;          ///< chains
  std::int32_t longest = 0;        ///< periods, of an open chain

  /// The number of the person who began a walk in period `set_out`.
  std::uint32_t person(const ChainPart& part, std::int64_t set_out) const {
    const std::int64_t key = set_out - part.offset;
    if (part.periods > 0) {
      // Divided in 32 bits, which takes a fraction of the time; longer than for ever it is divided in 64.
      const auto around = static_cast<std::int32_t>(key) == key ? static_cast<std::int32_t>(key) % part.periods
                                                                : static_cast<std::int32_t>(key % part.periods);
      return part.base + static_cast<std::uint32_t>(around < 0 ? around + part.periods : around);
    }
    // Those who are on their way at time 0 set out before it.
    return rings_end + part.base + open * static_cast<std::uint32_t>(key + longest);
  }
};

/// Throws InputError where sides that meet do not fit. `links`: what they were found from, where it is asked for.
Chains chainsOf(const std::vector<Patch>& library, const std::vector<PlacedPatch>& placed, WalkLinks* links = nullptr);

}  // namespace throng::patches
