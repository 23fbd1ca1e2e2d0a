// Everybody at one moment. The simulation, recordings and patch playback all produce frames, and every viewer, metric
// and writer reads only frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "throng/base.h"

#pragma GCC visibility push(default)
namespace throng {

/// A door that opened or closed, or an obstacle that came or went, while people walked.
struct Change {
  enum class Kind { kOpenDoor, kCloseDoor, kInsertObstacle, kRemoveObstacle };
  double time = 0;  ///< s since the beginning
  Kind kind = Kind::kOpenDoor;
  std::string name;         ///< the door's; the obstacle's, which no other obstacle has that is there at the same time
  std::uint16_t layer = 0;  ///< index into Scene::layers
  /// Both ends of a door or of a wall without thickness, or the corners of a convex obstacle.
  std::vector<Point> shape;

  friend bool operator==(const Change&, const Change&) = default;
};

/// What somebody is doing.
enum class Activity : std::uint8_t {
  kWalking,  ///< on the way to a goal
  kHeading,  ///< walking in one direction for ever
  kStaying,  ///< arrived, or has nowhere to go
};

/// A view of columns that somebody else owns: entry i of every span is the same person. Valid until the next step (or
/// the next frame read). Row order may change from frame to frame; `person` says who is who.
struct Frame {
  double time = 0;                              ///< s since the beginning
  std::uint64_t index = 0;                      ///< steps of the simulation, or frame number in a recording
  std::span<const std::uint32_t> person;        ///< 1, 2, 3 … in order of appearance, never reused
  std::span<const float> x, y, z;               ///< m
  std::span<const float> slope;                 ///< m of height per m in the heading's direction
  std::span<const float> heading_x, heading_y;  ///< unit vector: how the body stands
  std::span<const float> radius;                ///< m
  std::span<const std::uint16_t> population;    ///< index into Scene::populations
  std::span<const std::uint16_t> layer;         ///< index into Scene::layers
  /// Of a world's frames; those of a recording, which does not hold them, have none.
  std::span<const float> velocity_x = {}, velocity_y = {};  ///< m/s
  std::span<const Activity> activity = {};
  std::span<const std::uint32_t> group = {};  ///< see World::setGroup(); 0: alone; empty: all are
  /// Everything that has changed since the beginning, in the order in which it happened; a Recorder keeps it. Frames
  /// that are read from a recording have none: see Recording::changes().
  std::span<const Change> changes = {};

  std::size_t size() const { return person.size(); }
};

/// Somebody reached their last goal.
struct Arrival {
  std::uint32_t person = 0;
  double time = 0;
};

/// Somebody who is still on the way to a goal.
struct NotArrived {
  std::uint32_t person = 0;
  std::uint16_t population = 0;
  bool unreachable = false;  ///< no way leads to their goal; else they are held up by others, or still walking
  Point at;                  ///< m, where they are
};

/// A frame that owns its columns; it has no changes.
struct FrameCopy {
  double time = 0;
  std::uint64_t index = 0;
  std::vector<std::uint32_t> person;
  std::vector<float> x, y, z, slope, heading_x, heading_y, radius;
  std::vector<std::uint16_t> population, layer;

  FrameCopy() = default;
  explicit FrameCopy(const Frame& frame);
  void assign(const Frame& frame);
  void clear();
  void resize(std::size_t n);
  Frame view() const;
};

}  // namespace throng
#pragma GCC visibility pop
