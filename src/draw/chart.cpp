// Charts of two logarithmic axes, on which a law of growth is a straight line.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "throng/draw.h"

#include "draw/image_canvas.h"
#include "draw/output_file.h"
#include "draw/picture.h"
#include "draw/svg_canvas.h"

namespace throng {
namespace {

using draw::Anchor;
using draw::Canvas;

constexpr draw::Colour kInk = draw::colour(0x222222), kQuiet = draw::colour(0x5f5f5f), kGrid = draw::colour(0xdedbd5);

/// From a number to a place between two pixels.
struct Axis {
  double low = 1, high = 10;  // numbers
  double begin = 0, end = 1;  // px

  double place(double value) const { return begin + (end - begin) * std::log(value / low) / std::log(high / low); }
  /// 1, 2 and 5 times powers of ten.
  std::vector<double> ticks() const {
    std::vector<double> found;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
      for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= low * (1 - 1e-9) && step * power <= high * (1 + 1e-9)) found.push_back(step * power);
    return found;
  }
};

/// The 1, 2 or 5 times a power of ten at or beyond a number.
double tickBeyond(double value, bool above) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  double best = above ? 10 * power : power;
  for (const double step : {1.0, 2.0, 5.0}) {
    if (above && step * power >= value * (1 - 1e-9)) best = std::min(best, step * power);
    if (!above && step * power <= value * (1 + 1e-9)) best = std::max(best, step * power);
  }
  return best;
}

Axis axisOver(std::vector<double> values, double begin, double end) {
  for (const double value : values)
    if (!(std::isfinite(value) && value > 0))
      throw InputError(fmt::format("a chart with {:g}; its axes are logarithmic: allowed: more than 0", value));
  if (values.empty()) throw InputError("a chart without points");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  Axis axis{tickBeyond(*low, false), tickBeyond(*high, true), begin, end};
  if (!(axis.high > axis.low)) axis.high = 10 * axis.low;
  return axis;
}

void paintAxes(Canvas& canvas, const Chart& chart, const Axis& x, const Axis& y, double u) {
  canvas.beginGroup("axes");
  const draw::TextStyle below{15 * u, kInk, false, Anchor::kMiddle}, beside{15 * u, kInk, false, Anchor::kRight};
  for (const double tick : x.ticks()) {
    canvas.stroke(draw::linePath({x.place(tick), y.begin}, {x.place(tick), y.end}), {kGrid, u});
    canvas.text({x.place(tick), y.begin + 22 * u}, fmt::format("{:g}", tick), below);
  }
  for (const double tick : y.ticks()) {
    canvas.stroke(draw::linePath({x.begin, y.place(tick)}, {x.end, y.place(tick)}), {kGrid, u});
    canvas.text({x.begin - 10 * u, y.place(tick) + 5 * u}, fmt::format("{:g}", tick), beside);
  }
  canvas.stroke({{{{{x.begin, y.end}, {x.begin, y.begin}, {x.end, y.begin}}, false}}}, {kQuiet, 1.5 * u});
  canvas.text({x.end, y.begin + 46 * u}, chart.x_label, {16 * u, kQuiet, false, Anchor::kRight});
  canvas.text({x.begin, y.end - 14 * u}, chart.y_label, {16 * u, kQuiet});
  canvas.endGroup();
}

}  // namespace

void drawChart(const Chart& chart, const std::string& path, const DrawSettings& settings) {
  draw::checkSettings(settings);
  const std::string extension = draw::checkedExtension(path, {".png", ".svg"});
  WholeFile file(path, settings.overwrite);
  const int width = settings.width, height = settings.height.value_or(width * 5 / 8);
  const double u = width / 1200.0;
  std::vector<double> across, up;
  for (const Chart::Series& series : chart.series) {
    for (const Point p : series.points) {
      across.push_back(p.x);
      up.push_back(p.y);
    }
  }
  for (const Chart::Mark& mark : chart.marks) up.push_back(mark.value);
  const Axis x = axisOver(across, 90 * u, width - 200 * u), y = axisOver(up, height - 76 * u, 92 * u);
  std::unique_ptr<Canvas> canvas;
  if (extension == ".svg") {
    canvas = std::make_unique<draw::SvgCanvas>(width, height);
  } else {
    canvas = std::make_unique<draw::ImageCanvas>(width, height);
  }
  canvas->text({28 * u, 44 * u}, settings.title, {24 * u, kInk, true});
  paintAxes(*canvas, chart, x, y, u);
  canvas->beginGroup("marks");
  for (const Chart::Mark& mark : chart.marks) {
    canvas->stroke(draw::linePath({x.begin, y.place(mark.value)}, {x.end, y.place(mark.value)}),
                   {kQuiet, 1.5 * u, 6 * u});
    canvas->text({x.begin + 8 * u, y.place(mark.value) - 8 * u}, mark.label, {15 * u, kQuiet});
  }
  canvas->endGroup();
  canvas->beginGroup("series");
  // Names stand where the lines end, apart from one another, in the order of the ends.
  std::vector<std::pair<double, std::size_t>> names;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    draw::Path line{{{}}};
    const draw::Colour colour = draw::populationColour(i);
    for (const Point p : chart.series[i].points) line.parts[0].points.push_back({x.place(p.x), y.place(p.y)});
    if (line.parts[0].points.empty()) continue;
    canvas->stroke(line, {colour, 2.5 * u});
    for (const Point at : line.parts[0].points) canvas->disc(at, 5 * u, colour);
    names.push_back({line.parts[0].points.back().y, i});
  }
  std::sort(names.begin(), names.end());
  double free = 0;
  for (const auto& [at, i] : names) {
    const double place = std::max(at, free);
    free = place + 20 * u;
    canvas->text({x.end + 12 * u, place + 5 * u}, chart.series[i].name, {16 * u, draw::populationColour(i), true});
  }
  canvas->endGroup();
  file.write(canvas->file());
  file.keep();
}

}  // namespace throng
