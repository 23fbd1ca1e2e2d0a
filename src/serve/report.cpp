// A report of a run as one file that needs nothing else: figures, curves as SVG, pictures as PNG within the page.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "throng/draw.h"
#include "throng/files.h"
#include "throng/metrics.h"
#include "throng/recording.h"

#include "serve/figures.h"
#include "serve/workshop.h"

namespace throng::serve {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out.push_back(c);
  }
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned value = 0;
    for (std::size_t k = 0; k < 3; ++k)
      value = (value << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out.push_back(k <= bytes.size() - i || k < 2 ? kLetters[(value >> (18 - 6 * k)) & 63u] : '=');
  }
  return out;
}

/// 1, 2 or 5 times a power of ten: marks of an axis up to `most`, about four.
double markStep(double most) {
  const double rough = most / 4, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * 0.999) return factor * power;
  return 10 * power;
}

/// A curve over time.
std::string curveSvg(const std::string& title, const std::string& unit, const std::vector<Point>& points) {
  if (points.size() < 2) return {};
  constexpr double kWidth = 640, kHeight = 200, kLeft = 54, kRight = 12, kTop = 26, kBottom = 28;
  const double from = points.front().x, to = std::max(points.back().x, from + 1e-6);
  double most = 0;
  for (const Point p : points) most = std::max(most, p.y);
  if (!(most > 0)) most = 1;
  const double step = markStep(most), top = std::ceil(most / step - 1e-9) * step;
  const auto x = [&](double t) { return kLeft + (t - from) / (to - from) * (kWidth - kLeft - kRight); };
  const auto y = [&](double v) { return kHeight - kBottom - v / top * (kHeight - kTop - kBottom); };
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\"><text x=\"{3}\" y=\"15\" class=\"t\">{2}{4}</text>",
      kWidth, kHeight, escaped(title), kLeft, unit.empty() ? "" : ", " + escaped(unit));
  for (double v = 0; v <= top + step / 2; v += step)
    svg += fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"g\"/><text x=\"{}\" y=\"{:.1f}\" "
        "class=\"n\">{:g}</text>",
        kLeft, kWidth - kRight, y(v), y(v), kLeft - 6, y(v) + 4, v);
  const double time_step = markStep(to - from);
  for (double t = std::ceil(from / time_step) * time_step; t <= to + 1e-9; t += time_step)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" class=\"m\">{:g} s</text>", x(t), kHeight - 8, t);
  svg += "<polyline class=\"c\" points=\"";
  for (const Point p : points) svg += fmt::format("{:.1f},{:.1f} ", x(p.x), y(p.y));
  return svg + "\"/></svg>\n";
}

std::string row(const std::string& name, const std::string& value) {
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(name), escaped(value));
}

std::string spread(const Spread& s, const char* unit) {
  if (s.count == 0) return "–";
  return fmt::format("{:.2f} {} on average, {:.2f} median, {:.2f} to {:.2f}", s.mean, unit, s.median, s.min, s.max);
}

std::string figuresTable(const MetricsReport& r) {
  std::string out = "<table>\n";
  out += row("people", std::to_string(r.people));
  out += row("arrived",
             fmt::format("{} ({:.1f} %)", r.arrivals, r.people ? 100.0 * double(r.arrivals) / double(r.people) : 0.0));
  out += row("travel time", spread(r.travel_time, "s"));
  out += row("distance", spread(r.distance, "m"));
  out += row("speed", spread(r.speed, "m/s"));
  out += row("time below 0.5 m/s", fmt::format("{:.2f} %", 100 * r.slow_share));
  out += row("people who overlapped",
             r.collision_pairs == 0 ? "none"
                                    : fmt::format("{} pairs, {:.3f} % of all person-frames, {:.3f} m deep at most",
                                                  r.collision_pairs, 100 * r.collision_share, r.deepest_overlap));
  out += row("stuck at the end", r.deadlock ? fmt::format("{} people", r.stuck) : "nobody");
  for (const LineReport& line : r.lines)
    out += row("line " + line.name, fmt::format("{} forward, {} backward; {:.3f} people/s, {:.3f} people/(m s)",
                                                line.forward, line.backward, line.flow, line.specific_flow));
  for (const AreaReport& area : r.areas)
    out += row("area " + area.name, fmt::format("{:.3f} people/m² on average, {:.3f} at most; {:.2f} m/s",
                                                area.density.mean, area.density.max, area.speed.mean));
  return out + "</table>\n";
}

std::string picture(const std::string& path, const std::string& what) {
  std::error_code error;
  std::string html =
      fmt::format("<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
                  escaped(what), base64(readFile(path)));
  std::filesystem::remove(path, error);
  return html;
}

constexpr const char* kStyle = R"(<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:980px;margin:2em auto;padding:0 1em;color:#1b2430;background:#fff}
h1{margin-bottom:0}.q{color:#5a6675}table{border-collapse:collapse}th{text-align:left;font-weight:500;padding:3px 18px 3px 0;vertical-align:top}
td{padding:3px 0}.curves{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:10px}svg{width:100%}
.t{font-weight:600;font-size:13px}.g{stroke:#dde3ea}.n,.m{font-size:11px;fill:#5a6675}.n{text-anchor:end}.m{text-anchor:middle}
.c{fill:none;stroke:#1f6feb;stroke-width:1.8}img{max-width:100%}figure{margin:1em 0}figcaption{color:#5a6675}
</style>)";

}  // namespace

std::string reportHtml(const std::string& path, const std::string& folder,
                       const std::function<bool(double)>& progress) {
  const auto goOn = [&](double share) { return !progress || progress(share); };
  Recording recording(path);
  const Scene scene = sceneOf(recording);
  Metrics metrics(metricsSettings(scene));
  Gauge gauge(scene);
  Curves curves(0.5);
  FrameCopy before, frame;
  std::vector<Arrival> arrivals;
  const double frames = double(std::max<std::uint64_t>(recording.frameCount(), 1));
  double share = 0;
  while (recording.next(frame, &arrivals)) {
    metrics.observe(frame.view(), arrivals);
    gauge.observe(frame.view(), arrivals.size());
    if (curves.due(frame.time)) {
      Figures figures = gauge.sample(frame.view());
      figures.speed = meanSpeed(before, frame);
      curves.add(std::move(figures));
    }
    std::swap(before, frame);
    share += 1 / frames;
    if (!goOn(0.6 * share)) return {};
  }
  const MetricsReport report = metrics.report();
  const std::string name = scene.name.empty() ? std::filesystem::path(path).stem().string() : scene.name;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\">\n"
      "<title>{0}: report of a run</title>{1}</head><body>\n<h1>{0}</h1>\n<p class=\"q\">{2}</p>\n"
      "<p class=\"q\">{3:.1f} s of a run, {4} frames, steering steps of {5:g} s, seed {6}. Made by "
      "Throng.</p>\n<h2>Figures</h2>\n",
      escaped(name), kStyle, escaped(scene.description), report.time, report.frames, scene.run.dt, scene.run.seed);
  html += figuresTable(report);
  html += "<h2>Curves</h2>\n<div class=\"curves\">\n";
  const auto curve = [&](const std::string& title, const char* unit, const auto& value) {
    std::vector<Point> points;
    for (const Figures& f : curves.all()) points.push_back({f.time, value(f)});
    html += curveSvg(title, unit, points);
  };
  curve("people", "", [](const Figures& f) { return double(f.people); });
  curve("arrived", "", [](const Figures& f) { return double(f.arrived); });
  curve("mean speed", "m/s", [](const Figures& f) { return f.speed; });
  curve("density around people", "people per m²", [](const Figures& f) { return f.density; });
  for (std::size_t i = 0; i < gauge.lines().size(); ++i)
    curve("flow over " + gauge.lines()[i], "people per s", [i](const Figures& f) { return f.flow[i]; });
  html += "</div>\n<h2>Pictures</h2>\n";
  const std::pair<PictureKind, const char*> kinds[] = {{PictureKind::kTrajectories, "where everybody walked"},
                                                       {PictureKind::kDensity, "how densely people stood, on average"},
                                                       {PictureKind::kSpeed, "how fast people walked, on average"}};
  double done = 0.6;
  for (const auto& [kind, what] : kinds) {
    if (!goOn(done)) return {};
    DrawSettings settings;
    settings.kind = kind;
    settings.width = 1000;
    settings.overwrite = true;
    const std::string file = fmt::format("{}/report-picture.png", folder);
    drawRecording(recording, file, settings);
    html += picture(file, what);
    done += 0.13;
  }
  return html + "</body></html>\n";
}

}  // namespace throng::serve
