#include "draw/furniture.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace throng::draw {
namespace {

constexpr Colour kQuietInk = colour(0x5f5f5f);

// All in units (px on a page 1200 px wide).
constexpr double kMargin = 28;
constexpr double kTitleSize = 24, kCaptionSize = 17, kLabelSize = 16;
constexpr double kRow = 28;
constexpr double kGap = 18;       // between the world and its keys
constexpr double kMarkRoom = 22;  // from the left end of a legend entry to its words
constexpr double kEntryGap = 26;
constexpr double kBarLength = 300, kBarHeight = 13;
constexpr double kScaleShare = 0.2;  // of the panel's width, at most
constexpr std::size_t kMostRows = 4;
constexpr double kWidestLabel = 300;

TextStyle labelStyle(double unit, Anchor anchor = Anchor::kLeft) { return {kLabelSize * unit, kInk, false, anchor}; }

double roundOf(double value, std::initializer_list<double> steps, bool above) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  double best = above ? 10 * power : power;
  for (const double step : steps) {
    const double candidate = step * power;
    if (above && candidate >= value * (1 - 1e-9)) best = std::min(best, candidate);
    if (!above && candidate <= value * (1 + 1e-9)) best = std::max(best, candidate);
  }
  return best;
}

/// Labels cut to size, and the widths of the entries with them.
std::vector<double> widthsOf(std::vector<LegendEntry>& entries, double unit, double most) {
  std::vector<double> widths;
  for (LegendEntry& entry : entries) {
    entry.label = fitted(entry.label, labelStyle(unit), most);
    widths.push_back(kMarkRoom * unit + textWidth(entry.label, labelStyle(unit)));
  }
  return widths;
}

/// In one row when there is room for it, otherwise in columns of equal width; what does not fit in four rows is counted
/// in the last place, unless all of it is wanted. `y` is the top, and then the bottom.
void placeLegend(PageLayout& layout, const Furniture& furniture, double left, double right, double& y,
                 bool to_the_right) {
  std::vector<LegendEntry> entries = furniture.legend;
  if (entries.empty()) return;
  const double gap = kEntryGap * layout.unit, row = kRow * layout.unit;
  const double most = furniture.whole_legend ? right - left - kMarkRoom * layout.unit : kWidestLabel * layout.unit;
  std::vector<double> widths = widthsOf(entries, layout.unit, most);
  const double widest = *std::max_element(widths.begin(), widths.end());
  double total = std::accumulate(widths.begin(), widths.end(), gap * static_cast<double>(widths.size() - 1));
  auto columns = entries.size();
  if (total > right - left) {
    columns = static_cast<std::size_t>(std::max((right - left + gap) / (widest + gap), 1.0));
    total = static_cast<double>(columns) * (widest + gap) - gap;
    std::fill(widths.begin(), widths.end(), widest);
  }
  const std::size_t places = columns * kMostRows;
  if (entries.size() > places && !furniture.whole_legend) {
    entries[places - 1] = {LegendEntry::Mark::kSquare, colour(0xffffff, 0),
                           fmt::format("and {} more", entries.size() - places + 1)};
    entries.resize(places);
  }
  const double start = to_the_right ? std::max(left, right - total) : left;
  double x = start;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && i % columns == 0) {
      x = start;
      y += row;
    }
    layout.legend.push_back({entries[i], {x, y + row / 2}});
    x += widths[i] + gap;
  }
  y += row;
}

/// Keys below the world; places are relative to its bottom. Returns their height.
double placeKeys(PageLayout& layout, const Furniture& furniture) {
  const double u = layout.unit, left = kMargin * u, right = layout.width - kMargin * u;
  layout.scale_bar = {left, kRow * u / 2};
  layout.scale_bar_room = kScaleShare * (right - left);
  double y = 0;
  if (furniture.bar) {
    const double length = std::min(kBarLength * u, 0.4 * (right - left));
    const double top = (kRow - kBarHeight) * u / 2;
    const double overhang = 14 * u;  // of the last tick's words
    layout.bar = {{right - length - overhang, top}, {right - overhang, top + kBarHeight * u}};
    y = kRow * u + 18 * u;
    if (!furniture.legend.empty()) {
      y += 6 * u;
      placeLegend(layout, furniture, left, right, y, false);
    }
  } else {
    placeLegend(layout, furniture, left + layout.scale_bar_room + 120 * u, right, y, true);
    y = std::max(y, kRow * u);
  }
  return y;
}

void moveKeys(PageLayout& layout, double down) {
  layout.scale_bar.y += down;
  layout.bar.min.y += down;
  layout.bar.max.y += down;
  for (PlacedEntry& placed : layout.legend) placed.at.y += down;
}

/// The largest rectangle of the view's shape in the middle of the room.
Rectangle panelIn(const Rectangle& room, double aspect) {
  const Point size = room.max - room.min, centre = (room.min + room.max) / 2;
  const double width = std::min(size.x, size.y * aspect);
  const Point half{width / 2, width / aspect / 2};
  return {centre - half, centre + half};
}

int whole(double v, bool even) {
  int n = static_cast<int>(std::ceil(v - 1e-6));
  n = std::max(n, 16);
  return even ? n + n % 2 : n;
}

void paintMark(Canvas& canvas, const LegendEntry& entry, Point at, double unit) {
  const Point centre = at + Point{7 * unit, 0};
  const auto ring = [&](double radius) {
    Path path{{{{}, true}}};
    for (int i = 0; i < 48; ++i) {
      const double angle = 2 * std::numbers::pi * i / 48;
      path.parts[0].points.push_back(centre + Point{std::cos(angle), std::sin(angle)} * radius);
    }
    return path;
  };
  switch (entry.mark) {
    case LegendEntry::Mark::kDisc:
      canvas.disc(centre, 6.5 * unit, entry.colour);
      break;
    case LegendEntry::Mark::kLine:
      canvas.stroke(linePath(at, at + Point{14 * unit, 0}), {entry.colour, 3 * unit});
      break;
    case LegendEntry::Mark::kSquare: {
      const Point half{7 * unit, 7 * unit};
      canvas.fill(rectanglePath({centre - half, centre + half}), entry.colour);
      if (entry.colour.alpha > 0)
        canvas.stroke(rectanglePath({centre - half, centre + half}), {colour(0x6f6c67, 0.6), unit});
      break;
    }
    case LegendEntry::Mark::kOpenDoor:
    case LegendEntry::Mark::kClosedDoor:
    case LegendEntry::Mark::kTurningDoor: {
      const Path line = linePath(at, at + Point{14 * unit, 0});
      const bool open = entry.mark == LegendEntry::Mark::kOpenDoor;
      if (entry.mark == LegendEntry::Mark::kTurningDoor) {
        canvas.stroke(line, {withAlpha(entry.colour, 0.35), 5 * unit});
        canvas.stroke(line, {entry.colour, 2 * unit, 4.6 * unit});
      } else {
        canvas.stroke(line, {entry.colour, (open ? 1.4 : 4.5) * unit, open ? 2.8 * unit : 0});
      }
      for (const Point post : line.parts[0].points) canvas.disc(post, 2.6 * unit, entry.colour);
      break;
    }
    case LegendEntry::Mark::kHatched: {
      const Rectangle box{centre - Point{7, 7} * unit, centre + Point{7, 7} * unit};
      for (const double k : {-0.5, 0.0, 0.5}) {
        const Point shift{k * 14 * unit, 0};
        canvas.clip(rectanglePath(box));
        canvas.stroke(linePath(Point{box.min.x, box.max.y} + shift, Point{box.max.x, box.min.y} + shift),
                      {entry.colour, 1.2 * unit});
        canvas.unclip();
      }
      canvas.stroke(rectanglePath(box), {entry.colour, 1.2 * unit, 3 * unit});
      break;
    }
    case LegendEntry::Mark::kDashed:
      canvas.stroke(linePath(at, at + Point{14 * unit, 0}), {entry.colour, 2 * unit, 3 * unit});
      break;
    case LegendEntry::Mark::kStart:
      canvas.stroke(ring(6.5 * unit), {entry.colour, 1.4 * unit, 3.2 * unit});
      break;
    case LegendEntry::Mark::kGoal:
      canvas.stroke(ring(6.5 * unit), {entry.colour, 1.5 * unit});
      canvas.disc(centre, 2.2 * unit, entry.colour);
      break;
  }
}

void paintScaleBar(Canvas& canvas, const PageLayout& layout, const PageTransform& page) {
  const double pixels_per_metre = page.toPage(1.0);
  const double panel_width = layout.panel.max.x - layout.panel.min.x;
  const double metres = roundBelow(std::min(layout.scale_bar_room, 0.5 * panel_width) / pixels_per_metre);
  const double u = layout.unit;
  const Point a = layout.scale_bar, b = a + Point{metres * pixels_per_metre, 0};
  canvas.beginGroup("scale-bar");
  canvas.stroke(linePath(a, b), {kInk, 4 * u});
  canvas.text(b + Point{9 * u, 0.36 * kLabelSize * u}, lengthText(metres), labelStyle(u));
  canvas.endGroup();
}

void paintColourBar(Canvas& canvas, const PageLayout& layout, const ColourBar& bar) {
  const Rectangle& place = layout.bar;
  const double u = layout.unit, length = place.max.x - place.min.x;
  canvas.beginGroup("colour-bar");
  const int steps = std::clamp(static_cast<int>(length), 16, 256);
  for (int i = 0; i < steps; ++i) {
    const double a = place.min.x + length * i / steps, b = place.min.x + length * (i + 1) / steps;
    canvas.cell({{a, place.min.y}, {b, place.max.y}}, mapColour(bar.map, (i + 0.5) / steps));
  }
  canvas.stroke(rectanglePath(place), {kQuietInk, 0.8 * u});
  const TextStyle small{14 * u, kInk, false, Anchor::kMiddle};
  for (const double tick : ticks(bar.from, bar.to, 5)) {
    const double x = place.min.x + length * (bar.to > bar.from ? (tick - bar.from) / (bar.to - bar.from) : 0);
    canvas.stroke(linePath({x, place.max.y}, {x, place.max.y + 5 * u}), {kQuietInk, u});
    const bool is_end = bar.to - tick < 1e-9 * (bar.to - bar.from);
    canvas.text({x, place.max.y + 19 * u}, fmt::format("{}{:.6g}", is_end && bar.more_above ? "≥ " : "", tick), small);
  }
  canvas.text({place.min.x - 12 * u, (place.min.y + place.max.y) / 2 + 0.36 * kLabelSize * u}, bar.label,
              labelStyle(u, Anchor::kRight));
  canvas.endGroup();
}

}  // namespace

double roundBelow(double value) { return roundOf(value, {1, 2, 5}, false); }
double roundAbove(double value) { return roundOf(value, {1, 2, 2.5, 5}, true); }

double scaleEnd(double max) {
  if (!(max > 0)) return 1;
  const double step = roundAbove(max / 6);
  return std::ceil(max / step - 1e-9) * step;
}

std::vector<double> ticks(double from, double to, int count) {
  if (!(to > from)) return {from};
  const double step = roundAbove((to - from) / count);
  std::vector<double> result;
  const double first = std::ceil(from / step - 1e-9) + 0.0;  // plus zero: never minus zero, which would be written so
  for (double i = first; i * step <= to + 1e-9 * step; ++i) result.push_back(i * step);
  return result;
}

std::string lengthText(double metres) {
  return metres >= 1000 ? fmt::format("{:g} km", metres / 1000) : fmt::format("{:g} m", metres);
}

std::string countText(std::uint64_t count) {
  std::string digits = fmt::format("{}", count), result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && digits.size() > 4 && (digits.size() - i) % 3 == 0) result += "\u2009";
    result += digits[i];
  }
  return result;
}

PageLayout layoutPage(const Furniture& furniture, const DrawSettings& settings, const Rectangle& view, bool even) {
  PageLayout layout;
  layout.width = whole(settings.width, even);
  layout.unit = std::max(settings.width / 1200.0, 0.6);
  layout.furnished = settings.width >= 200 && settings.height.value_or(settings.width) >= 160;
  const double u = layout.unit, margin = layout.furnished ? kMargin * u : 0;
  const double aspect = (view.max.x - view.min.x) / (view.max.y - view.min.y);
  double above = margin;
  double below = margin;
  if (layout.furnished) {
    if (!furniture.title.empty()) above += 34 * u;
    if (!furniture.caption.empty()) above += 26 * u;
    layout.title = {margin, margin + 0.8 * kTitleSize * u};
    layout.caption = {margin, above - 7 * u};
    above += 10 * u;
    below += kGap * u + placeKeys(layout, furniture);
  }
  const double most = std::max(1.5 * layout.width - above - below, 16.0);
  const double wanted = std::clamp((layout.width - 2 * margin) / aspect, 8.0, most);
  layout.height = whole(settings.height ? *settings.height : std::min(above + wanted + below, 16384.0), even);
  const double bottom = std::max(layout.height - below, above + 8);
  layout.room = {{margin, above}, {layout.width - margin, bottom}};
  layout.panel = panelIn(layout.room, aspect);
  moveKeys(layout, bottom + kGap * u);
  return layout;
}

void paintFurniture(Canvas& canvas, const PageLayout& layout, const Furniture& furniture, const PageTransform& page) {
  if (!layout.furnished) return;
  const double u = layout.unit;
  const TextStyle title{kTitleSize * u, kInk, true, Anchor::kLeft};
  if (!furniture.title.empty())
    canvas.text(layout.title, fitted(furniture.title, title, layout.width - 2 * kMargin * u), title);
  paintScaleBar(canvas, layout, page);
  if (furniture.bar) paintColourBar(canvas, layout, *furniture.bar);
  if (layout.legend.empty()) return;
  canvas.beginGroup("legend");
  for (const PlacedEntry& placed : layout.legend) {
    paintMark(canvas, placed.entry, placed.at, u);
    canvas.text(placed.at + Point{kMarkRoom * u, 0.36 * kLabelSize * u}, placed.entry.label, labelStyle(u));
  }
  canvas.endGroup();
}

void paintCaption(Canvas& canvas, const PageLayout& layout, const std::string& caption) {
  if (!layout.furnished || caption.empty()) return;
  const TextStyle style{kCaptionSize * layout.unit, kQuietInk, false, Anchor::kLeft};
  canvas.text(layout.caption, fitted(caption, style, layout.width - 2 * kMargin * layout.unit), style);
}

}  // namespace throng::draw
