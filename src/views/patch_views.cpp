#include "throng/patch_views.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace throng {
namespace {

constexpr double kPiece = 0.1;  ///< s of a walk in one colour
constexpr Paint kInput{0x2a9d3a}, kOutput{0xc0392b}, kObject{0x6b5b4d}, kEdge{0x444444, 0.7};
constexpr Paint kFull{0x3a78c2, 0.75}, kCrossed{0x2a9d3a, 0.9}, kClosed{0x333333};

/// Blue at 0.3 m/s, green at 1.3, red at 2.
Paint speedPaint(double speed) {
  const auto mix = [](std::uint32_t a, std::uint32_t b, double s) {
    std::uint32_t mixed = 0;
    for (const int shift : {16, 8, 0}) {
      const double from = a >> shift & 0xffu, to = b >> shift & 0xffu;
      mixed |= static_cast<std::uint32_t>(from + (to - from) * s + 0.5) << shift;
    }
    return mixed;
  };
  constexpr std::uint32_t kSlow = 0x2456d6, kLiked = 0x1fa34a, kFast = 0xd62728;
  const double s = std::clamp((speed - 0.3) / 1.7, 0.0, 1.0), liked = 1.0 / 1.7;
  return {s < liked ? mix(kSlow, kLiked, s / liked) : mix(kLiked, kFast, (s - liked) / (1 - liked))};
}

/// Where a place at a time of the period is on the page: on the plan, or in the prism.
struct Projection {
  Point origin;
  bool is_prism = false;
  double up = 0;  ///< m of page per s

  Point at(Point p, double t) const {
    if (!is_prism) return p;
    return {origin.x + p.x + 0.45 * p.y, origin.y + 0.4 * p.y + up * t};
  }
};

void drawWalks(const Patch& patch, const Projection& page, Overlay& overlay) {
  const double period = patch.definition.period;
  for (const PatchWalk& walk : patch.walks) {
    const auto pieces = static_cast<int>(std::ceil((walk.until - walk.from) / kPiece));
    for (int i = 0; i < pieces; ++i) {
      const double a = walk.from + (walk.until - walk.from) * i / pieces;
      const double b = walk.from + (walk.until - walk.from) * (i + 1) / pieces;
      const double lap = period * std::floor(a / period);
      const PatchState s = stateAt(walk, a), e = stateAt(walk, b);
      const double top = std::min(b - lap, period);
      overlay.lines.push_back({{page.at(s.position, a - lap), page.at(e.position, top)},
                               speedPaint(length((s.velocity + e.velocity) * 0.5)),
                               page.is_prism ? 1.6 : 2.2});
    }
  }
  for (const PatchResident& resident : patch.definition.residents)
    for (int i = 0; i * kPiece < period; ++i) {
      const double t = i * kPiece;
      const Point a = page.at(stateAt(resident, period, t).position, t),
                  b = page.at(stateAt(resident, period, t + kPiece).position, std::min(t + kPiece, period));
      overlay.lines.push_back({{a, b}, Paint{0x7a3fb0}, 2.5});
      if (!page.is_prism && i == 0) overlay.dots.push_back({a, Paint{0x7a3fb0}, 6});
    }
}

void drawEnds(const PatchDefinition& patch, const Projection& page, Overlay& overlay) {
  for (std::size_t s = 0; s < patch.sides.size(); ++s) {
    const Point a = patch.corners[s], along = normalized(patch.corners[(s + 1) % patch.corners.size()] - a);
    for (const bool out : {false, true})
      for (const PatchPoint& p : out ? patch.sides[s].outputs : patch.sides[s].inputs)
        overlay.dots.push_back({page.at(a + along * p.position, p.time), out ? kOutput : kInput, 4});
  }
}

}  // namespace

PatchView viewPatch(const Patch& patch) {
  const PatchDefinition& d = patch.definition;
  PatchView view;
  Point min = d.corners[0], max = min;
  for (const Point p : d.corners)
    min = {std::min(min.x, p.x), std::min(min.y, p.y)}, max = {std::max(max.x, p.x), std::max(max.y, p.y)};
  // The prism stands beside the plan and is about as high.
  const double wide = max.x - min.x, high = max.y - min.y;
  const Projection plan{},
      prism{{max.x + 0.15 * wide - min.x - 0.45 * min.y, min.y - 0.4 * min.y}, true, 0.58 * high / d.period};
  Layer layer;
  layer.walkable.push_back({d.corners, {}});
  Ring base;
  for (const Point p : d.corners) base.push_back(prism.at(p, 0));
  layer.walkable.push_back({base, {}});
  for (const PatchObject& object : d.objects) {
    layer.obstacles.push_back({object.outline, {}});
    Ring foot;
    for (const Point p : object.outline) foot.push_back(prism.at(p, 0));
    view.overlay.areas.push_back({{{foot, {}}}, kObject});
    for (const Point p : object.outline)
      view.overlay.lines.push_back({{prism.at(p, 0), prism.at(p, d.period)}, {kObject.rgb, 0.5}, 1});
  }
  view.scene.name = d.name;
  view.scene.layers.push_back(std::move(layer));
  view.scene.profiles.emplace_back();
  for (std::size_t i = 0; i < d.corners.size(); ++i) {
    const Point a = d.corners[i], b = d.corners[(i + 1) % d.corners.size()];
    for (const double t : {0.0, d.period}) view.overlay.lines.push_back({{prism.at(a, t), prism.at(b, t)}, kEdge, 1});
    view.overlay.lines.push_back({{prism.at(a, 0), prism.at(a, d.period)}, kEdge, 1});
  }
  for (const Projection& page : {plan, prism}) drawWalks(patch, page, view.overlay), drawEnds(d, page, view.overlay);
  using Mark = Overlay::Key::Mark;
  view.overlay.keys = {{Mark::kLine, speedPaint(0.3), "0.3 m/s"},
                       {Mark::kLine, speedPaint(1.3), "1.3 m/s"},
                       {Mark::kLine, speedPaint(2), "2 m/s"},
                       {Mark::kDot, kInput, "input"},
                       {Mark::kDot, kOutput, "output"}};
  view.overlay.caption = fmt::format("{} walks, {:.2f} people/m², period {:g} s; right: time goes up",
                                     patch.walks.size(), density(patch), d.period);
  return view;
}

PatchView viewPatches(const PatchLibrary& library) {
  constexpr double kDense = 0.5;               // people/m², as dark as it gets
  constexpr std::size_t kMostWithWalks = 400;  // places
  PatchView view;
  view.scene.layers.emplace_back();
  view.scene.profiles.emplace_back();
  double people = 0, size = 0, densest = 0;
  for (const PlacedPatch& place : library.placed) {
    const Patch& patch = library.patches[place.patch];
    const PatchDefinition& d = patch.definition;
    const auto moved = [&](Ring ring) {
      for (Point& p : ring) p += place.at;
      return ring;
    };
    view.scene.layers[0].walkable.push_back({moved(d.corners), {}});
    for (const PatchObject& object : d.objects) view.overlay.areas.push_back({{{moved(object.outline), {}}}, kObject});
    const double dense = density(patch);
    people += dense * area(d), size += area(d), densest = std::max(densest, dense);
    view.overlay.areas.insert(
        view.overlay.areas.begin(),
        {{{moved(d.corners), {}}}, Paint{kFull.rgb, kFull.alpha * std::min(1.0, dense / kDense)}});
    for (std::size_t s = 0; s < d.corners.size(); ++s) {
      const bool is_open = !d.sides[s].inputs.empty() || !d.sides[s].outputs.empty();
      view.overlay.lines.push_back({{d.corners[s] + place.at, d.corners[(s + 1) % d.corners.size()] + place.at},
                                    is_open ? kCrossed : kClosed,
                                    is_open ? 1.2 : 2.0});
    }
    for (const PatchResident& resident : d.residents)
      view.overlay.dots.push_back({stateAt(resident, d.period, 0).position + place.at, Paint{0x7a3fb0}, 2});
    if (library.placed.size() <= kMostWithWalks) {
      Overlay walks;
      drawWalks({{{}, {}, d.period, {}, {}, {}}, patch.walks}, {}, walks);
      for (Overlay::Line& line : walks.lines) {
        for (Point& p : line.points) p += place.at;
        line.width = 0.6, line.paint.alpha = 0.7;
        view.overlay.lines.push_back(std::move(line));
      }
    }
  }
  using Mark = Overlay::Key::Mark;
  view.overlay.keys = {{Mark::kArea, kFull, fmt::format("{:g} people/m² and more", kDense)},
                       {Mark::kLine, kCrossed, "border that people cross"},
                       {Mark::kLine, kClosed, "border without people"}};
  view.overlay.caption = fmt::format("{} places, {:.0f} people, {:.2f} per m² on average and {:.2f} at most",
                                     library.placed.size(), people, size > 0 ? people / size : 0, densest);
  return view;
}

}  // namespace throng
