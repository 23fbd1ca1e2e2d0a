// Patches side by side, played back: a crowd without end that costs almost nothing (docs/patches.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "throng/frame_source.h"
#include "throng/patches.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// One patch at one place.
struct PlacedPatch {
  std::uint32_t patch = 0;  ///< which, of the library
  Point at;                 ///< m, where its origin lies
};

/// How patches are played.
struct PatchWorldSettings {
  double frames_per_second = 10;
  double duration = 60;             ///< s; next() ends there, frameAt() does not
  std::optional<Rectangle> region;  ///< m; only who is in it is seen; everybody when absent
  int threads = 0;                  ///< 0: all cores
  /// By patch of the library: others of the library that are versions of it (makeVersions()). Every place plays one of
  /// them per period, in an order that is random but the same for the same seed. Empty: always the same.
  std::vector<std::vector<std::uint32_t>> versions;
  std::uint64_t seed = 1;
};

/// A world of patches. Walks lead on from patch to patch: where two sides meet, one has to have the mirrored pattern of
/// the other, and whoever leaves through an output enters the neighbour through the input there, under the same number.
/// Through sides without a neighbour people leave for good, and others come.
///
/// A frame is a function of its time alone. It takes as long as there are people in the region, and memory
/// does not depend on how long the world is played.
class PatchWorld final : public FrameSource {
 public:
  /// Throws InputError when a patch has not walks for its points, an index is none of the library, patches overlap at
  /// a side or sides that meet do not fit: the message names the patches, the sides and the point.
  PatchWorld(std::vector<Patch> library, std::vector<PlacedPatch> placed, const PatchWorldSettings& settings = {});
  ~PatchWorld() override;
  PatchWorld(PatchWorld&&) noexcept;
  PatchWorld& operator=(PatchWorld&&) noexcept;

  /// Everybody in the region at any time (s), also before 0.
  void frameAt(double time, FrameCopy& frame) const;
  /// The same one by one and without vector instructions: slow, for tests.
  void frameAtPlainly(double time, FrameCopy& frame) const;
  void setRegion(std::optional<Rectangle> region);

  const std::vector<Patch>& library() const;
  const std::vector<PlacedPatch>& placed() const;
  double period() const;  ///< s
  /// On average over the period, in the whole world.
  double people() const;
  /// What is kept to play all patches of the library: bytes, and the same per person and second of their walks.
  std::size_t motionBytes() const;
  double bytesPerPersonSecond() const;
  /// What is kept per place: who goes where.
  std::size_t placeBytes() const;
  /// The ground, the objects and two populations: walkers and residents.
  Scene scene() const;

  double framesPerSecond() const override;

 private:
  bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override;
  void restart() override;
  void skipTo(double time) override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
#pragma GCC visibility pop
