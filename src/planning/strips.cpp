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
/// Of a strip's width: how far from its borders those keep who like most room, on the side they keep to and the other.
constexpr double kHalf = 0.5, kOther = 0.3;
/// In company: how far from the border on their side those keep who like least room and most, on a strip that lies on
/// their own side of the street, where hardly anybody comes the other way; elsewhere half as far.
constexpr double kFirst = 0.15, kLast = 0.95;
constexpr double kLine = 0.8;          // m: how wide the line is that is left to them
constexpr double kCompany = 0.1;       // people per m²
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
    s_.alike.assign(portals_.size(), {0, 0, walker_.preference});
    for (const float weight : walker_.weights) cheapest_ = std::min(cheapest_, double{weight});
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
    s_.ends.resize(s_.portal.size());
    for (std::size_t k = 0; k < s_.portal.size(); ++k) narrow(k);
    for (std::size_t k = 0; k < s_.portal.size(); ++k) {
      Portal& portal = portals_[s_.portal[k]];
      const Line line = lineOf(k);
      portal.left = line.left + line.direction * s_.ends[k].low;
      portal.right = line.left + line.direction * s_.ends[k].high;
      portal.axis = portal.left + (portal.right - portal.left) * 0.5;
    }
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

  float weightAt(Point place, std::uint32_t p) const {
    const ground::RegionType type = raster_.typeAt(place, floorOf(p));
    const float weight = type < walker_.weights.size() ? walker_.weights[type] : 1.0f;
    if (std::isinf(weight)) return kLastResort;
    return alikeAt(p, weight);
  }
  float alikeAt(std::uint32_t p, float weight) const {
    const StripScratch::Alike& alike = s_.alike[p];
    return weight <= alike.most ? alike.least : weight;
  }
  float densityAt(std::uint32_t p) const { return p < s_.density.size() ? s_.density[p] : 0.0f; }

  /// Appends the strips of a portal, from left to right.
  void cut(std::uint32_t p) {
    const Portal& portal = portals_[p];
    const Point across = portal.right - portal.left;
    const double width = length(across);
    const double samples = std::max(1.0, std::ceil(width / raster_.cell()));
    const std::size_t first = s_.strips.size();
    for (double i = 0; i < samples; ++i)
      append(first, width * ((i + 1) / samples), weightAt(portal.left + across * ((i + 0.5) / samples), p));
    if (!(densityAt(p) > 0)) return;
    spillOver(p, first, width);
    // What is alike now is one strip.
    const std::size_t raw = s_.strips.size();
    for (std::size_t i = first; i < raw; ++i) append(raw, s_.strips[i].high, alikeAt(p, s_.strips[i].weight));
    s_.strips.erase(s_.strips.begin() + static_cast<std::ptrdiff_t>(first),
                    s_.strips.begin() + static_cast<std::ptrdiff_t>(raw));
  }
  /// A strip up to a place, or more of the last one, of those from `first` on.
  void append(std::size_t first, double end, float weight) {
    if (s_.strips.size() > first && s_.strips.back().weight == weight)
      s_.strips.back().high = end;
    else
      s_.strips.push_back({s_.strips.size() > first ? s_.strips.back().high : 0, end, weight, 0, 0, {}});
  }

  /// The cheapest ground holds those with the lowest preferences, and so on; who has no room on any is where all are.
  void spillOver(std::uint32_t p, std::size_t first, double width) {
    StripScratch::Alike& alike = s_.alike[p];
    const auto holds = [&](float weight) {  // the share of all who come that is at ease on what costs no more
      double metres = 0;
      for (std::size_t i = first; i < s_.strips.size(); ++i)
        if (s_.strips[i].weight <= weight) metres += s_.strips[i].high - s_.strips[i].low;
      return metres * kStripHolds / (width * double{densityAt(p)});
    };
    float least = kLastResort, most = 0;
    for (std::size_t i = first; i < s_.strips.size(); ++i)
      if (s_.strips[i].weight < kLastResort)
        least = std::min(least, s_.strips[i].weight), most = std::max(most, s_.strips[i].weight);
    if (least > most) return;
    alike.least = least;
    for (std::size_t i = first; i < s_.strips.size(); ++i)
      if (s_.strips[i].weight < most && holds(s_.strips[i].weight) > walker_.preference) most = s_.strips[i].weight;
    alike.most = most;
    if (!(most > least)) alike.preference = std::min(1.0, walker_.preference / std::min(1.0, holds(least)));
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
    // What the others cost at least is soon more than what the likeliest one costs.
    std::uint32_t likeliest = s_.first[k - 1];
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = s_.first[k - 1]; i < s_.first[k]; ++i) {
      const Strip& before = s_.strips[i];
      const double metres = length(nearest(line, strip, before.at) - before.at);
      const double about = before.cost + metres * double{before.weight + strip.weight} / 2;
      if (about < least) least = about, likeliest = i;
    }
    strip.cost = std::numeric_limits<double>::infinity();
    const auto from = [&](std::uint32_t i) {
      const Strip& before = s_.strips[i];
      const Point at = nearest(line, strip, before.at);
      if (before.cost + dearer * cheapest_ * length(at - before.at) >= strip.cost) return;
      const double cost = before.cost + dearer * costBetween(before.at, at, p);
      if (cost < strip.cost) strip.cost = cost, strip.before = i, strip.at = at;
    };
    from(likeliest);
    for (std::uint32_t i = s_.first[k - 1]; i < s_.first[k]; ++i)
      if (i != likeliest) from(i);
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

  /// Does the strip chosen at one portal go on at another, as a pavement does as a zebra crossing?
  bool goesOn(std::size_t k, std::size_t other) const {
    const Strip &here = s_.strips[s_.chosen[k]], &there = s_.strips[s_.chosen[other]];
    if (here.weight == there.weight) return true;
    const double shift = acrossTo(other) - acrossTo(k);  // as measured from the axis
    const double low = std::max(here.low, there.low - shift), high = std::min(here.high, there.high - shift);
    return high - low > 0.5 * std::max(here.high - here.low, there.high - there.low);
  }
  double acrossTo(std::size_t k) const {
    const Line line = lineOf(k);
    return dot(portals_[s_.portal[k]].axis - line.left, line.direction);
  }

  /// Who walks on along a strip has a line of their own on it; who only crosses it takes the short way.
  void narrow(std::size_t k) {
    const std::uint32_t i = s_.chosen[k];
    const Strip& strip = s_.strips[i];
    const bool goes_on = (k == 0 || goesOn(k, k - 1)) && (k + 1 == s_.portal.size() || goesOn(k, k + 1));
    double low = strip.low, high = strip.high;
    // Not with one foot on ground that is dearer: where squares end is not where the ground changes, either.
    const double inset = std::min(kInset, (high - low) / 3);
    if (i > s_.first[k] && s_.strips[i - 1].weight > strip.weight) low += inset;
    if (i + 1 < s_.first[k + 1] && s_.strips[i + 1].weight > strip.weight) high -= inset;
    if (goes_on) keepToOwnLine(k, strip, low, high);
    s_.ends[k] = {low, high};
  }

  /// The more room somebody likes the farther from the strip's borders, or from that on the side that they keep to.
  void keepToOwnLine(std::size_t k, const Strip& strip, double& low, double& high) const {
    const StripScratch::Alike& alike = s_.alike[s_.portal[k]];
    const double width = high - low, middle = alike.preference * width;
    // Who has spilled over is not held to the border.
    const double most = alike.most > alike.least ? width : walker_.most;
    const auto atMost = [&](double room) { return std::min(most, room); };
    double left = atMost((walker_.side > 0 ? kOther : kHalf) * middle);
    double right = atMost((walker_.side < 0 ? kOther : kHalf) * middle);
    // Where others walk, too, those who keep to one side are spread over it.
    const double axis = acrossTo(k);
    const bool own = walker_.side > 0 ? strip.low > axis : strip.high < axis;
    const double company = std::min(1.0, double{densityAt(s_.portal[k])} / kCompany) * std::fabs(walker_.side);
    const double room = atMost((kFirst + (kLast - kFirst) * alike.preference) * (own ? 1 : kHalf) * width);
    double &near = walker_.side > 0 ? right : left, &far = walker_.side > 0 ? left : right;
    near += company * (room - near);
    far += company * (std::max(0.0, width - near - kLine) - far);
    far = std::min(far, width - near);
    low += left, high -= right;
  }

  const GroundRaster& raster_;
  const Point start_, goal_;
  const StripWalker& walker_;
  std::vector<Portal>& portals_;
  StripScratch& s_;
  double cheapest_ = 1;  ///< of all ground
};

}  // namespace

void chooseStrips(const GroundRaster& raster, Point start, Point goal, const StripWalker& walker,
                  std::vector<Portal>& portals, StripScratch& scratch) {
  Choosing(raster, start, goal, walker, portals, scratch).run();
}

}  // namespace throng::planning
