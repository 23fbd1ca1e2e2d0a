// People of a recording, and when they are in a convex area.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/frame_source.h"

#include "patches/sides.h"

namespace throng::patches {

/// Somebody as long as they are in sight without a gap.
struct Track {
  std::uint32_t person = 0;
  std::vector<double> time;    ///< s
  std::vector<Point> place;    ///< m
  std::vector<Point> heading;  ///< unit vectors
};

/// Everybody who comes near an area (m around it), as long as frames last or until the first at or after `until` s.
struct Tracks {
  std::vector<Track> tracks;
  double begin = 0, end = 0;  ///< s, of the first and the last frame
  Rectangle seen;             ///< m, around everybody, wherever they are
};
Tracks readTracks(FrameSource& recording, const Ring& area, std::optional<std::uint16_t> layer, double from,
                  double until);

/// On a straight line between frames.
Point placeAt(const Track& track, double time);

/// How somebody goes at a moment, by the line that fits places between two times best (least squares).
struct Line {
  Point place, velocity;
};
Line lineAt(const Track& track, double time, double from, double until);

/// Where somebody came in or went out: on which side, and how.
struct Passage {
  std::uint32_t side = 0;
  PatchPoint point;  ///< its time is that of the recording
};

/// Somebody in the area, from passage to passage. One who appears or vanishes inside has none there.
struct Stay {
  std::size_t track = 0;
  double begin = 0, end = 0;  ///< s
  std::optional<Passage> in, out;
  double depth = 0;  ///< m from the border, at the most
};

/// All stays of a recording in the area whose sides are given. Who steps over the border for a moment, and less than a
/// body, has not left.
std::vector<Stay> staysIn(const Tracks& tracks, const std::vector<Side>& sides);

/// As near as the limits of patterns allow to a velocity: speed across and along.
void keepToLimits(PatchPoint& point);

}  // namespace throng::patches
