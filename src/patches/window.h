// One period of a recording in an area, with who goes on as whom when it is over.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "throng/patch_cut.h"

#include "base/random.h"
#include "patches/spline_fit.h"
#include "patches/tracks.h"

namespace throng::patches {

/// A stretch of a track that is part of a chain.
struct ChainPart {
  std::size_t stay = 0, track = 0;
  double begin = 0, end = 0;  ///< s of the recording
  double shift = 0;           ///< s to add for the patch's time
};

/// What becomes one walk, or one resident: people who go on as one another, a period later each.
struct Chain {
  std::vector<ChainPart> parts;
  bool is_ring = false;    ///< a resident
  bool is_beyond = false;  ///< somebody in it is followed beyond the window
  Passage in, out;         ///< of a walk; their times are the patch's, not within the first period
};

struct Window {
  double from = 0, period = 0;  ///< s
  std::vector<Chain> chains;
  std::size_t people = 0;
  std::array<std::size_t, kLeftOutKinds> left_out{};
  double cost = 0;     ///< of the matching, m²: what promises little change
  double seconds = 0;  ///< that people were there, in all
};

/// `attempt` 0 has the matching that costs least; later ones vary it.
Window windowOf(const Tracks& tracks, const std::vector<Stay>& stays, const std::vector<Side>& sides, double from,
                double period, std::uint64_t seed, int attempt);

/// Where a chain was seen, by the patch's time, and where it jumps.
std::vector<Sighting> sightingsOf(const Tracks& tracks, const Chain& chain);
std::vector<Jump> jumpsOf(const Tracks& tracks, const Chain& chain, double period);

}  // namespace throng::patches
