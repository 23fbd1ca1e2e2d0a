// Frames one after the other, wherever they come from: a world that runs, a recording, memory. Metrics, recorders and
// pictures read any of them.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "throng/frame.h"

#pragma GCC visibility push(default)
namespace throng {

/// Frames in order of time. Every source goes forwards; those that can also go back.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  /// Reads the next frame, and who arrived up to it since the one before. False at the end; `arrivals` are then those
  /// who arrived after the last frame and were not told with it.
  bool next(FrameCopy& frame, std::vector<Arrival>* arrivals = nullptr);
  /// Reads the first frame at or after a time (s); next() goes on from there. False when all frames are earlier. Throws
  /// InputError when that lies before the frame read last and the source cannot go back.
  bool at(double time, FrameCopy& frame);
  /// Begins again with the first frame. Throws InputError when the source cannot go back.
  void rewind();

  /// False for what only goes forwards, such as a world that runs.
  virtual bool canGoBack() const { return true; }
  /// As they are meant to be; frames may be missing.
  virtual double framesPerSecond() const = 0;
  /// Doors and obstacles that have changed, at least up to the frame read last; nothing when that is not known.
  virtual const std::optional<std::vector<Change>>& changes() const;

 protected:
  FrameSource() = default;
  FrameSource(const FrameSource&) = default;
  FrameSource(FrameSource&&) noexcept = default;
  FrameSource& operator=(const FrameSource&) = default;
  FrameSource& operator=(FrameSource&&) noexcept = default;

  /// What next() does; `arrivals` is empty, or null.
  virtual bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) = 0;
  /// What rewind() does where canGoBack().
  virtual void restart() {}
  /// Lets read() go on with the first frame at or after a time (s), where that takes less than reading those before. It
  /// may also do nothing.
  virtual void skipTo(double /*time*/) {}
  /// Gives the frame read last once more, where that is at hand.
  virtual bool again(FrameCopy&) { return false; }

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();
  double before_ = kNever, last_ = kNever;  ///< s, of the last two frames read
};

/// Frames that are kept in memory: about 50 bytes per person and frame.
class MemoryFrames final : public FrameSource {
 public:
  explicit MemoryFrames(double frames_per_second = 10);
  /// Everything that a source has left, up to the first frame at or after a time (s).
  explicit MemoryFrames(FrameSource& source, double until = std::numeric_limits<double>::infinity());

  /// Throws InputError unless the frame is later than the one before.
  void add(FrameCopy frame, std::vector<Arrival> arrivals = {});
  void setChanges(std::vector<Change> changes) { changes_ = std::move(changes); }
  std::span<const FrameCopy> frames() const { return frames_; }

  double framesPerSecond() const override { return frames_per_second_; }
  const std::optional<std::vector<Change>>& changes() const override { return changes_; }

 private:
  bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override;
  void restart() override { next_ = 0; }
  bool again(FrameCopy& frame) override;

  double frames_per_second_ = 10;
  std::vector<FrameCopy> frames_;
  std::vector<std::vector<Arrival>> arrivals_;  ///< by frame
  std::vector<Arrival> late_;                   ///< after the last frame
  std::optional<std::vector<Change>> changes_;
  std::size_t next_ = 0;
};

}  // namespace throng
#pragma GCC visibility pop
