#include "patches/tracks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace throng::patches {
namespace {

constexpr double kAround = 1.5;   ///< m around the area that is looked at
constexpr double kGap = 0.5;      ///< s out of sight after which somebody is another
constexpr double kStepOut = 0.3;  ///< m outside that do not count as having left
constexpr double kReach = 0.6;    ///< s from the border in which one who appears is taken to have crossed it
/// s before and after crossing that the line is fitted over; on the inner side a walk goes straight on for longer.
constexpr double kOuter = 0.16, kInner = 0.22;

/// m inside the nearest side; negative outside.
double depthOf(const std::vector<Side>& sides, Point p) {
  double least = std::numeric_limits<double>::infinity();
  for (const Side& side : sides) least = std::min(least, side.depth(p));
  return least;
}

/// Where the line through the crossing meets the side, and when.
Passage passageOf(const Track& track, const std::vector<Side>& sides, std::size_t s, double time, bool out) {
  const Side& side = sides[s];
  Passage passage{static_cast<std::uint32_t>(s), {}};
  for (int round = 0; round < 2; ++round) {
    const Line line = lineAt(track, time, time - (out ? kInner : kOuter), time + (out ? kOuter : kInner));
    const double across = dot(line.velocity, side.inward) * (out ? -1 : 1);
    PatchPoint& point = passage.point;
    point.speed = across, point.along = dot(line.velocity, side.tangent);
    point.time = time, point.position = dot(line.place - side.corner, side.tangent);
    if (across < 0.1) break;
    const double late = side.depth(line.place) / (out ? -across : across);
    if (std::abs(late) > kReach) break;
    point.time = time - late, point.position -= late * point.along;
    time = point.time;
  }
  keepToLimits(passage.point);
  return passage;
}

/// The side that a step from outside to inside crosses, and when.
std::pair<std::size_t, double> crossed(const Track& track, const std::vector<Side>& sides, std::size_t outside,
                                       std::size_t inside) {
  std::size_t side = 0;
  double latest = -1;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const double a = sides[s].depth(track.place[outside]), b = sides[s].depth(track.place[inside]);
    if (!(a < 0)) continue;
    const double share = b > a ? std::clamp(a / (a - b), 0.0, 1.0) : 1.0;
    if (share > latest) latest = share, side = s;
  }
  return {side, track.time[outside] + std::max(0.0, latest) * (track.time[inside] - track.time[outside])};
}

/// The side that somebody who appears (vanishes) just inside has crossed (will cross) on a straight line.
std::optional<Passage> guessed(const Track& track, const std::vector<Side>& sides, bool out) {
  const double time = out ? track.time.back() : track.time.front();
  if (track.time.size() < 2) return {};
  const Line line = lineAt(track, time, time - (out ? kInner : 0), time + (out ? 0 : kInner));
  double soonest = kReach;
  std::optional<std::size_t> side;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const double across = dot(line.velocity, sides[s].inward) * (out ? -1 : 1);
    const double wait = across > 0.1 ? std::max(0.0, sides[s].depth(line.place)) / across : kReach;
    if (wait < soonest) soonest = wait, side = s;
  }
  if (!side) return {};
  return passageOf(track, sides, *side, out ? time + soonest : time - soonest, out);
}

struct Run {
  std::size_t first = 0, last = 0;  ///< samples, all inside
  double depth = 0;
};

/// Samples inside, in runs. Short steps over the border do not end one.
std::vector<Run> runsOf(const Track& track, const std::vector<Side>& sides) {
  std::vector<Run> runs;
  double outside = 0;
  for (std::size_t i = 0; i < track.place.size(); ++i) {
    const double depth = depthOf(sides, track.place[i]);
    if (depth < 0) {
      outside = std::min(outside, depth);
      continue;
    }
    if (!runs.empty() && (runs.back().last + 1 == i || outside > -kStepOut)) {
      runs.back().last = i, runs.back().depth = std::max(runs.back().depth, depth);
    } else {
      runs.push_back({i, i, depth});
    }
    outside = 0;
  }
  return runs;
}

}  // namespace

Tracks readTracks(FrameSource& recording, const Ring& area, std::optional<std::uint16_t> layer, double from,
                  double until) {
  Point min = area.front(), max = area.front();
  for (const Point p : area)
    min = {std::min(min.x, p.x), std::min(min.y, p.y)}, max = {std::max(max.x, p.x), std::max(max.y, p.y)};
  min -= {kAround, kAround}, max += {kAround, kAround};
  Tracks read;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  read.seen = {{kFar, kFar}, {-kFar, -kFar}};
  std::unordered_map<std::uint32_t, std::size_t> now;
  FrameCopy frame;
  bool is_first = true;
  const double gap = std::max(kGap, 3.5 / recording.framesPerSecond());
  for (bool more = recording.at(from, frame); more; more = frame.time < until && recording.next(frame)) {
    if (is_first) read.begin = frame.time, is_first = false;
    read.end = frame.time;
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      const Point p{frame.x[i], frame.y[i]};
      if (layer && frame.layer[i] != *layer) continue;
      read.seen.min = {std::min(read.seen.min.x, p.x), std::min(read.seen.min.y, p.y)};
      read.seen.max = {std::max(read.seen.max.x, p.x), std::max(read.seen.max.y, p.y)};
      if (!(p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y)) continue;
      const auto [entry, is_new] = now.try_emplace(frame.person[i], read.tracks.size());
      if (is_new || frame.time - read.tracks[entry->second].time.back() > gap) {
        entry->second = read.tracks.size();
        read.tracks.push_back({frame.person[i], {}, {}, {}});
      }
      Track& track = read.tracks[entry->second];
      track.time.push_back(frame.time), track.place.push_back(p);
      track.heading.push_back({frame.heading_x[i], frame.heading_y[i]});
    }
  }
  return read;
}

Point placeAt(const Track& track, double time) {
  const auto after = std::lower_bound(track.time.begin(), track.time.end(), time);
  if (after == track.time.begin()) return track.place.front();
  if (after == track.time.end()) return track.place.back();
  const auto i = static_cast<std::size_t>(after - track.time.begin());
  const double share = (time - track.time[i - 1]) / (track.time[i] - track.time[i - 1]);
  return track.place[i - 1] * (1 - share) + track.place[i] * share;
}

Line lineAt(const Track& track, double time, double from, double until) {
  auto first = std::lower_bound(track.time.begin(), track.time.end(), from - 1e-9) - track.time.begin();
  auto end = std::upper_bound(track.time.begin(), track.time.end(), until + 1e-9) - track.time.begin();
  const auto all = static_cast<std::ptrdiff_t>(track.time.size());
  // Two at least make a line.
  while (end - first < 2 && (first > 0 || end < all)) {
    const auto i = static_cast<std::size_t>(first), j = static_cast<std::size_t>(end);
    if (end >= all || (first > 0 && time - track.time[i - 1] < track.time[j] - time)) {
      --first;
    } else {
      ++end;
    }
  }
  double n = 0, t = 0, tt = 0;
  Point x, tx;
  for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i) {
    const double u = track.time[i] - time;
    n += 1, t += u, tt += u * u;
    x += track.place[i], tx += track.place[i] * u;
  }
  const double spread = n * tt - t * t;
  const Point velocity = spread > 0 ? (tx * n - x * t) / spread : Point{};
  return {(x - velocity * t) / n, velocity};
}

void keepToLimits(PatchPoint& point) {
  point.speed = std::clamp(point.speed, kPatchSlowestAcross, kPatchFastest);
  const double most =
      std::min(point.speed, std::sqrt(std::max(0.0, kPatchFastest * kPatchFastest - point.speed * point.speed)));
  point.along = std::clamp(point.along, -most, most);
}

std::vector<Stay> staysIn(const Tracks& tracks, const std::vector<Side>& sides) {
  std::vector<Stay> stays;
  for (std::size_t t = 0; t < tracks.tracks.size(); ++t) {
    const Track& track = tracks.tracks[t];
    for (const Run& run : runsOf(track, sides)) {
      Stay stay{t, track.time[run.first], track.time[run.last], {}, {}, run.depth};
      if (run.first > 0) {
        const auto [side, time] = crossed(track, sides, run.first - 1, run.first);
        stay.in = passageOf(track, sides, side, time, false);
      } else {
        stay.in = guessed(track, sides, false);
      }
      if (run.last + 1 < track.time.size()) {
        const auto [side, time] = crossed(track, sides, run.last + 1, run.last);
        stay.out = passageOf(track, sides, side, time, true);
      } else {
        stay.out = guessed(track, sides, true);
      }
      if (stay.in) stay.begin = stay.in->point.time;
      if (stay.out) stay.end = stay.out->point.time;
      stays.push_back(stay);
    }
  }
  return stays;
}

}  // namespace throng::patches
