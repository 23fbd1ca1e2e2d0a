// People of one layer, or of all, in motion: frames read one after the other, who is who between them, and where
// everybody is between two of them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "throng/frame.h"
#include "throng/frame_source.h"
#include "throng/scene.h"

namespace throng::draw {

struct Person {
  std::uint32_t id = 0;
  std::uint16_t population = 0;
  std::uint16_t layer = 0;
  Point position;     ///< m
  Point heading;      ///< unit vector, or zero when not known
  double radius = 0;  ///< m
  double z = 0;       ///< m; of the ground under them
  double speed = -1;  ///< m/s since the frame before; negative when there was none
};

/// Instead of a layer's number.
inline constexpr std::size_t kAllLayers = std::numeric_limits<std::size_t>::max();

/// Whom to look at: the people of some layers, or of all.
struct LayerChoice {
  std::vector<bool> shown;                     ///< by the layer's number; empty: all
  std::vector<std::optional<Rectangle>> wrap;  ///< by the layer's number; none beyond the end

  LayerChoice() = default;
  /// One layer, or kAllLayers.
  LayerChoice(std::size_t layer, const std::optional<Rectangle>& wrap = {});
  bool has(std::size_t layer) const { return shown.empty() || (layer < shown.size() && shown[layer]); }
  const std::optional<Rectangle>& wrapOf(std::size_t layer) const;
};

/// The people of one layer, or of several, at one time.
struct Moment {
  double time = 0;
  std::vector<Person> people;
};

/// Keeps those on the layers chosen whose place is a number. Somebody without a radius gets 0.2 m.
Moment momentOf(const Frame& frame, const LayerChoice& layers);

/// From a to b, the short way round in a wrapped layer.
Point displacement(Point a, Point b, const std::optional<Rectangle>& wrap);
/// From where somebody was to where they are.
Point walked(const Person& before, const Person& now, const LayerChoice& layers);
/// True for somebody who came to another layer and to another place at once, as by a lift.
bool isElsewhere(const Person& before, const Person& now, double seconds);
/// p, brought back into the wrapped rectangle.
Point folded(Point p, const std::optional<Rectangle>& wrap);

/// Finds people again in the moment before.
class Matching {
 public:
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
  /// For everybody in `now` their row in `before`, or kNobody. Valid until the next call.
  const std::vector<std::size_t>& match(const Moment& before, const Moment& now);

 private:
  std::vector<std::size_t> rows_;
  std::unordered_map<std::uint32_t, std::size_t> row_of_;
};

/// Reads moments and fills in speeds.
class MomentReader {
 public:
  MomentReader(FrameSource& frames, LayerChoice layers);

  /// Reads the next moment; false at the end.
  bool next();
  const Moment& now() const { return now_; }
  /// The moment before now(); nobody in it at the first one.
  const Moment& before() const { return before_; }
  /// For everybody in now() their row in before().
  const std::vector<std::size_t>& rows() const { return *rows_; }
  const LayerChoice& layers() const { return layers_; }

 private:
  FrameSource& frames_;
  LayerChoice layers_;
  FrameCopy frame_;
  Moment before_, now_;
  Matching matching_;
  const std::vector<std::size_t>* rows_ = nullptr;
  bool begun_ = false;
};

/// What a first pass through a run finds out.
struct Survey {
  double first = 0, last = 0;         ///< s; of the run
  std::uint64_t frames = 0;           ///< of the run
  std::uint64_t frames_inside = 0;    ///< in the interval asked for, as is everything below
  std::optional<Rectangle> bounds;    ///< m; around everybody
  std::vector<std::uint64_t> people;  ///< by population; each person once
  double fast = 0;                    ///< m/s; 99 of 100 speeds are at most this

  std::uint64_t total() const;
};

/// Reads everything from the beginning; leaves the source at its end.
Survey survey(FrameSource& frames, const LayerChoice& layers, double from, double to);

/// Where somebody was.
struct Past {
  double time = 0;
  Point position;
  std::uint16_t layer = 0;
};

/// Moments at any times, one after the other, straight between the frames. Somebody who is not in the next frame is
/// there until the last frame they are in; somebody new appears with the first.
class Playback {
 public:
  /// `trail`: s of the past to remember.
  Playback(MomentReader& reader, double trail);

  /// `time` is not before that of the call before.
  const Moment& at(double time);
  /// Where entry i of the moment was in the frames of the last `trail` seconds (and the one before those), oldest
  /// first.
  const std::vector<Past>& past(std::size_t i) const;

 private:
  void advance();
  void interpolate(double time, double share);

  MomentReader& reader_;
  double trail_;
  bool more_ = false;
  Moment current_;                        ///< the last frame at or before the time asked for
  std::vector<std::vector<Past>> pasts_;  ///< by row of current_
  Moment moment_;
  std::vector<std::size_t> row_;  ///< of moment_ in current_
};

}  // namespace throng::draw
