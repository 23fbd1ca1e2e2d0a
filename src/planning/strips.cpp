#include "planning/strips.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::planning {
namespace {

/// What ground where somebody never walks counts where the corridor leaves them no choice.
constexpr float kLastResort = 1e4f;
constexpr double kSample = 0.75;  // m between looks at the ground on the way from strip to strip
/// Strips on the side that somebody does not keep to are this much dearer.
constexpr double kOtherSide = 0.03;
/// Of a strip's width: how far from its borders those keep who like most room, on their own side and the other.
constexpr double kOwn = 0.5, kOther = 0.3;
constexpr double kPortalsApart = 1.5;  // m between portals that count, at their farther ends
constexpr double kInset = 0.3;         // m from dearer ground

using Strip = StripScratch::Strip;

class Choosing {
 public:
  Choosing(const GroundRaster& raster, Point start, Point goal, const StripWalker& walker, std::vector<Portal>& portals,
           StripScratch& scratch)
      : raster_(raster), start_(start), goal_(goal), walker_(walker), portals_(portals), s_(scratch) {}

  void run() {
    s_.strips.clear(), s_.first.clear(), s_.portal.clear();
    for (std::uint32_t p = 0; p < portals_.size(); ++p) {
      const bool counts = !portals_[p].fixed && isApart(p);
      portals_[p].fixed = true;  // sides are chosen here
      if (!counts) continue;
      s_.portal.push_back(p);
      s_.first.push_back(static_cast<std::uint32_t>(s_.strips.size()));
      cut(p);
    }
    s_.first.push_back(static_cast<std::uint32_t>(s_.strips.size()));
    if (s_.portal.empty()) return;
    for (std::size_t k = 0; k < s_.portal.size(); ++k)
      for (std::uint32_t i = s_.first[k]; i < s_.first[k + 1]; ++i) reach(k, s_.strips[i]);
    listChosen();
    for (std::size_t k = 0; k < s_.portal.size(); ++k) narrow(k);
  }

 private:
  /// From the last that counts: the ground is not looked at twice in the same place.
  bool isApart(std::uint32_t p) const {
    if (s_.portal.empty()) return true;
    const Portal &last = portals_[s_.portal.back()], &portal = portals_[p];
    const double moved = std::max({lengthSquared(portal.axis - last.axis), lengthSquared(portal.left - last.left),
                                   lengthSquared(portal.right - last.right)});
    return moved > kPortalsApart * kPortalsApart;
  }

  struct Line {
    Point left, direction;
    double width;
  };
  Line lineOf(std::size_t k) const {
    const Portal& portal = portals_[s_.portal[k]];
    const Point across = portal.right - portal.left;
    const double width = length(across);
    return {portal.left, width > 1e-9 ? across / width : Point{}, width};
  }
  std::uint16_t floorOf(std::uint32_t p) const { return p < s_.floors.size() ? s_.floors[p] : std::uint16_t{0}; }
  bool spillsAt(std::uint32_t p) const { return p < s_.crowded.size() && s_.crowded[p] != 0; }

  float weightAt(Point place, std::uint32_t p) const {
    const ground::RegionType type = raster_.typeAt(place, floorOf(p));
    const float weight = type < walker_.weights.size() ? walker_.weights[type] : 1.0f;
    if (std::isinf(weight)) return kLastResort;
    return spillsAt(p) ? 1.0f : weight;
  }

  /// Appends the strips of a portal, from left to right.
  void cut(std::uint32_t p) {
    const Portal& portal = portals_[p];
    const Point across = portal.right - portal.left;
    const double width = length(across);
    const std::size_t first = s_.strips.size();
    const double samples = std::max(1.0, std::ceil(width / raster_.cell()));
    for (double i = 0; i < samples; ++i) {
      const float weight = weightAt(portal.left + across * ((i + 0.5) / samples), p);
      const double end = width * ((i + 1) / samples);
      if (s_.strips.size() > first && s_.strips.back().weight == weight)
        s_.strips.back().high = end;
      else
        s_.strips.push_back({width * (i / samples), end, weight, 0, 0, {}});
    }
  }

  double costBetween(Point a, Point b, std::uint32_t p) const {
    const Point way = b - a;
    const double metres = length(way), samples = std::clamp(std::ceil(metres / kSample), 1.0, 64.0);
    double sum = 0;
    for (double i = 0; i < samples; ++i) sum += double{weightAt(a + way * ((i + 0.5) / samples), p)};
    return metres * sum / samples;
  }

  /// Not on the border of two strips, where going along the dear one would seem to cost what the cheap one does.
  Point nearest(const Line& line, const Strip& strip, Point from) const {
    const double inset = std::min(kInset, (strip.high - strip.low) / 3);
    const double across = dot(from - line.left, line.direction);
    return line.left + line.direction * std::clamp(across, strip.low + inset, strip.high - inset);
  }

  void reach(std::size_t k, Strip& strip) const {
    const Line line = lineOf(k);
    const std::uint32_t p = s_.portal[k];
    const double axis = dot(portals_[p].axis - line.left, line.direction);
    const bool left = (strip.low + strip.high) / 2 < axis;
    const double dearer =
        walker_.side != 0 && left == (walker_.side > 0) ? 1 + kOtherSide * std::fabs(walker_.side) : 1;
    if (k == 0) {
      strip.at = nearest(line, strip, start_);
      strip.cost = dearer * costBetween(start_, strip.at, p);
      return;
    }
    strip.cost = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = s_.first[k - 1]; i < s_.first[k]; ++i) {
      const Strip& before = s_.strips[i];
      const Point at = nearest(line, strip, before.at);
      const double cost = before.cost + dearer * costBetween(before.at, at, p);
      if (cost < strip.cost) strip.cost = cost, strip.before = i, strip.at = at;
    }
  }

  void listChosen() {
    const std::size_t n = s_.portal.size();
    std::uint32_t best = s_.first[n - 1];
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = s_.first[n - 1]; i < s_.first[n]; ++i) {
      const double cost = s_.strips[i].cost + costBetween(s_.strips[i].at, goal_, s_.portal[n - 1]);
      if (cost < least) least = cost, best = i;
    }
    s_.chosen.resize(n);
    for (std::size_t k = n; k-- > 0;) s_.chosen[k] = best, best = s_.strips[best].before;
  }

  /// Who walks on along a strip has a line of their own on it; who only crosses it takes the short way.
  void narrow(std::size_t k) {
    Portal& portal = portals_[s_.portal[k]];
    const Line line = lineOf(k);
    const Strip& strip = s_.strips[s_.chosen[k]];
    const auto sameAs = [&](std::size_t other) { return s_.strips[s_.chosen[other]].weight == strip.weight; };
    const bool goes_on = (k == 0 || sameAs(k - 1)) && (k + 1 == s_.portal.size() || sameAs(k + 1));
    double low = strip.low, high = strip.high;
    // Not with one foot on ground that is dearer: where squares end is not where the ground changes, either.
    const std::uint32_t i = s_.chosen[k];
    const double inset = std::min(kInset, (high - low) / 3);
    if (i > s_.first[k] && s_.strips[i - 1].weight > strip.weight) low += inset;
    if (i + 1 < s_.first[k + 1] && s_.strips[i + 1].weight > strip.weight) high -= inset;
    if (goes_on) {
      // The more room somebody likes the farther from the strip's borders, and most of all from that on their side.
      const double width = high - low, room = walker_.preference * width;
      const double right = walker_.side < 0 ? kOther : kOwn, left = walker_.side > 0 ? kOther : kOwn;
      high -= std::min(walker_.most, right * room), low += std::min(walker_.most, left * room);
    }
    portal.left = line.left + line.direction * low, portal.right = line.left + line.direction * high;
    portal.axis = portal.left + (portal.right - portal.left) * 0.5;
  }

  const GroundRaster& raster_;
  const Point start_, goal_;
  const StripWalker& walker_;
  std::vector<Portal>& portals_;
  StripScratch& s_;
};

}  // namespace

void chooseStrips(const GroundRaster& raster, Point start, Point goal, const StripWalker& walker,
                  std::vector<Portal>& portals, StripScratch& scratch) {
  Choosing(raster, start, goal, walker, portals, scratch).run();
}

}  // namespace throng::planning
