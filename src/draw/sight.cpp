// What one walker sees, as three images: how fast bearings change, when things are nearest, and what asks for a turn.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "throng/draw.h"

#include "draw/image_canvas.h"
#include "draw/output_file.h"

namespace throng {
namespace {

using draw::Colour;

// A camera of 150° by 80°: the image is tan 75° / tan 40° times as wide as high.
constexpr double kShape = 4.4477;
constexpr double kMargin = 24, kHead = 28;
constexpr double kRate = 0.5, kTime = 10, kDanger = 0.5;  // where the colours end: rad/s, s, rad/s

/// Red for the lowest, as in the paper; then over white to blue.
Colour fromRed(double share) {
  share = std::clamp(share, 0.0, 1.0);
  const Colour red = draw::colour(0xc0272d), middle = draw::colour(0xf3efe4), blue = draw::colour(0x2b5c9e);
  return share < 0.5 ? mixed(red, middle, 2 * share) : mixed(middle, blue, 2 * share - 1);
}

struct Panel {
  const std::vector<float>& values;
  std::string title;
  Colour (*colour)(float);
};

void paint(draw::ImageCanvas& canvas, const SeenImage& seen, const Panel& panel, double left, double top,
           double width) {
  const double height = width / kShape;
  canvas.text({left, top + 18}, panel.title, {15, draw::colour(0x333333)});
  top += kHead;
  canvas.fill(draw::rectanglePath({{left, top}, {left + width, top + height}}), draw::colour(0xd9d6cf));
  const double w = width / seen.columns, h = height / seen.rows;
  for (int r = 0; r < seen.rows; ++r) {
    for (int c = 0; c < seen.columns; ++c) {
      const float value = panel.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(seen.columns) +
                                       static_cast<std::size_t>(c)];
      if (std::isnan(value)) continue;
      canvas.cell({{left + c * w, top + r * h}, {left + (c + 1) * w, top + (r + 1) * h}}, panel.colour(value));
    }
  }
}

}  // namespace

void drawSight(const SeenImage& seen, const std::string& path, const DrawSettings& settings) {
  draw::checkedExtension(path, {".png"});
  WholeFile file(path, settings.overwrite);
  const double whole = settings.width - 2 * kMargin, half = (whole - kMargin) / 2;
  const double first = kMargin + (settings.title.empty() ? 0 : 36), second = first + kHead + half / kShape + 12;
  draw::ImageCanvas canvas(settings.width, static_cast<int>(second + kHead + whole / kShape + kMargin));
  if (!settings.title.empty()) canvas.text({kMargin, kMargin + 20}, settings.title, {22, draw::colour(0x222222), true});
  const auto rate = [](float v) { return fromRed(std::abs(v) / kRate); };
  const auto time = [](float v) { return v < 0 ? draw::colour(0xb7c4d6) : fromRed(v / kTime); };
  const auto danger = [](float v) {
    return v > 0 ? mixed(draw::colour(0xf6d9a8), draw::colour(0xb3131b), std::min(v / kDanger, 1.0))
                 : draw::colour(0x9aa9bd);
  };
  paint(canvas, seen, {seen.bearing_rate, fmt::format("bearing rate: 0 red, {:g} rad/s blue", kRate), rate}, kMargin,
        first, half);
  paint(canvas, seen,
        {seen.time, fmt::format("time to interaction: 0 red, {:g} s blue; pale: going away", kTime), time},
        2 * kMargin + half, first, half);
  paint(canvas, seen, {seen.danger, "both: what asks for a turn, the redder the more", danger}, kMargin, second, whole);
  file.write(canvas.file());
  file.keep();
}

}  // namespace throng
