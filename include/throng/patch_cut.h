// Patches from life: a periodic patch that is cut out of a recording, simulated or measured (docs/patches.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/frame_source.h"
#include "throng/patches.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// What is cut out, and how long is looked for a way to do so.
struct PatchCutSettings {
  Ring area;                           ///< m, convex; either way round
  std::optional<double> from;          ///< s of the recording; several are tried when absent
  double period = 10;                  ///< s
  std::optional<std::uint16_t> layer;  ///< index; everybody when absent
  std::vector<PatchObject> objects;    ///< that stand in the area; see patchObjects()
  int windows = 4;                     ///< that are tried without `from`: those that promise the least change
  int attempts = 4;                    ///< per window, with others matched each
  std::uint64_t seed = 1;
  std::string name;
};

/// Why somebody who was in the window is not in the patch.
enum class LeftOut {
  kEdge,      ///< only touched the edge of the area, or crossed it in less time than a walk takes
  kNoEnd,     ///< appeared or vanished in the middle of the area, and nobody went on for them
  kCrossing,  ///< crossed the border where there is no room for another body
  kNoRoom,    ///< could not be bent so that nobody touches anybody, between 0.3 and 2 m/s
};
inline constexpr std::size_t kLeftOutKinds = 4;
/// As programs read it: "edge", "no end", "crossing", "no room".
std::string_view nameOf(LeftOut why);

/// What came of it.
struct PatchCut {
  std::optional<Patch> patch;  ///< in the recording's coordinates, time 0 at `from`; nothing when it is impossible
  double from = 0;             ///< s, the window's beginning
  std::size_t people = 0;      ///< who were in the area for some of the window
  std::size_t joined = 0;      ///< times that somebody goes on as somebody else when the period is over
  std::size_t beyond = 0;      ///< who were followed beyond the window, to where they came in or went out
  std::size_t crowded = 0;     ///< pairs who were nearer to each other in the recording than two bodies of a patch
  std::array<std::size_t, kLeftOutKinds> left_out{};
  double mean_change = 0, change_95 = 0, most_change = 0;  ///< m, between recorded and bent places at the same time
  std::vector<double> windows;       ///< s; the beginnings that were tried, the best promise first
  std::vector<std::string> reasons;  ///< when it is impossible: why each attempt failed, one sentence each

  std::size_t leftOut() const { return left_out[0] + left_out[1] + left_out[2] + left_out[3]; }
};

/// Cuts what happens in an area within one period out of a recording and bends it with least change, so that it
/// repeats: whoever is inside when the period ends goes on as somebody who is inside when it begins. What it gives has
/// passed check(). Throws InputError when the settings are wrong, the recording is shorter than the period, or nobody
/// is there.
PatchCut cutPatch(FrameSource& recording, const PatchCutSettings& settings);

/// What cannot be walked on in a convex area of a scene's layer, as convex pieces.
std::vector<PatchObject> patchObjects(const Scene& scene, std::uint16_t layer, const Ring& area);

}  // namespace throng
#pragma GCC visibility pop
