#include "metrics/stripes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

namespace throng::metrics {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRadiansPerDegree = kPi / 180;
/// m. Two people of one stream and of the other behind one another need more: shorter waves are how people keep apart.
constexpr double kShortestWave = 1.25;
/// m. Of a larger crossing only the middle is looked at: the finer waves that fit are no more stripes.
constexpr double kLargestRadius = 12;
/// Fewer people of a stream make no stripes.
constexpr int kFewest = 4;
/// Of a square wave's power, the share in its first harmonic, where sharp stripes of equal width have their peak.
constexpr double kSquareWave = 4 / (kPi * kPi);

/// Of the line through `on`, the longest piece that lies in the area.
std::optional<Segment> longestInside(const std::vector<Polygon>& area, Point on, Point along) {
  std::vector<double> cuts;
  const auto add = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      const double from = det(along, a - on), to = det(along, b - on);
      if ((from < 0) == (to < 0)) continue;
      const Point at = a + (b - a) * (from / (from - to));
      cuts.push_back(dot(along, at - on));
    }
  };
  for (const Polygon& polygon : area) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  std::sort(cuts.begin(), cuts.end());
  std::optional<Segment> longest;
  for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
    if (!longest || cuts[i + 1] - cuts[i] > length(longest->b - longest->a))
      longest = Segment{on + cuts[i] * along, on + cuts[i + 1] * along};
  return longest;
}

/// How far from the middle one of three values, evenly spaced, the top of their parabola is.
double peakOffset(double before, double at, double after) {
  const double curvature = before - 2 * at + after;
  return curvature < 0 ? std::clamp((before - after) / (2 * curvature), -0.5, 0.5) : 0;
}

}  // namespace

StripeWatch::StripeWatch(MeetingPlace place) : place_(std::move(place)) {
  Point low, high;
  bool any = false;
  for (const Polygon& polygon : place_.streams().area) {
    for (const Point at : polygon.outer) {
      low = any ? Point{std::min(low.x, at.x), std::min(low.y, at.y)} : at;
      high = any ? Point{std::max(high.x, at.x), std::max(high.y, at.y)} : at;
      any = true;
    }
  }
  middle_ = (low + high) / 2.0;
  radius_ = 0;
  for (const Polygon& polygon : place_.streams().area)
    for (const Point at : polygon.outer) radius_ = std::max(radius_, length(at - middle_));
  radius_ = std::min(radius_, kLargestRadius);
  // From one wave vector to the next, half a wave more fits across the window: peaks are wider than that.
  spacing_ = 2 * kPi / (4 * radius_);
  waves_ = static_cast<int>(std::ceil(2 * kPi / kShortestWave / spacing_)) + 1;
  const auto side = static_cast<std::size_t>(waves_);
  power_.assign((side + 1) * (2 * side + 1), 0.0);
  amplitude_.resize(power_.size());
  columns_.resize(side + 1);
  lines_.resize(2 * side + 1);
}

std::size_t StripeWatch::index(int column, int line) const {
  return static_cast<std::size_t>(column) * static_cast<std::size_t>(2 * waves_ + 1) +
         static_cast<std::size_t>(line + waves_);
}

std::optional<StripeWatch::Walker> StripeWatch::walker(std::uint32_t person, std::uint16_t population,
                                                       Point place) const {
  const int stream = place_.stream(population, place);
  const Point offset = place - middle_;
  const double distance = length(offset);
  if (stream == 0 || distance >= radius_) return std::nullopt;
  const double taper = std::cos(kPi / 2 * distance / radius_);
  return Walker{person, offset, taper * taper, static_cast<double>(stream)};
}

std::pair<double, double> StripeWatch::balanceOf(const std::vector<Walker>& people) {
  double weights = 0, balance = 0;
  for (const Walker& who : people) {
    weights += who.weight;
    balance += who.weight * who.stream;
  }
  return {weights > 0 ? balance / weights : 0, weights};
}

void StripeWatch::observe(std::uint32_t person, std::uint16_t population, Point place) {
  if (const auto who = walker(person, population, place)) people_.push_back(*who);
}

void StripeWatch::endLook() {
  // By number: sums must not depend on the order of rows.
  std::sort(people_.begin(), people_.end(), [](const Walker& a, const Walker& b) { return a.person < b.person; });
  const auto first = std::count_if(people_.begin(), people_.end(), [](const Walker& w) { return w.stream > 0; });
  const auto [balance, weights] = balanceOf(people_);
  double squares = 0;
  for (const Walker& who : people_) squares += who.weight * who.weight;
  const auto all = static_cast<std::ptrdiff_t>(people_.size());
  if (first >= kFewest && all - first >= kFewest && weights > 0) {
    // What one stream has more of everywhere is no wave.
    std::fill(amplitude_.begin(), amplitude_.end(), Complex{0, 0});
    double own = 0;
    for (const Walker& who : people_) {
      const double charge = who.weight * (who.stream - balance);
      own += charge * charge;
      addWaves(who, charge);
    }
    for (std::size_t i = 0; i < power_.size(); ++i)
      power_[i] += amplitude_[i].re * amplitude_[i].re + amplitude_[i].im * amplitude_[i].im - own;
    possible_ += (1 - balance * balance) * (weights * weights - squares);
    ++looks_;
  }
  people_.clear();
}

void StripeWatch::addWaves(const Walker& who, double charge) {
  // Powers of e^(i k x) and e^(i k y): a wave vector costs one product instead of a sine and a cosine.
  const auto product = [](Complex a, Complex b) {
    return Complex{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  };
  const double x = spacing_ * who.offset.x, y = spacing_ * who.offset.y;
  const Complex right{std::cos(x), std::sin(x)}, up{std::cos(y), std::sin(y)};
  const auto centre = static_cast<std::size_t>(waves_);
  columns_[0] = {charge, 0};
  lines_[centre] = {1, 0};
  for (std::size_t i = 1; i <= centre; ++i) {
    columns_[i] = product(columns_[i - 1], right);
    lines_[centre + i] = product(lines_[centre + i - 1], up);
    lines_[centre - i] = {lines_[centre + i].re, -lines_[centre + i].im};
  }
  Complex* amplitude = amplitude_.data();
  for (const Complex column : columns_) {
    for (const Complex line : lines_) {
      amplitude->re += column.re * line.re - column.im * line.im;
      amplitude->im += column.re * line.im + column.im * line.re;
      ++amplitude;
    }
  }
}

double StripeWatch::power(int column, int line) const {
  if (!(possible_ > 0)) return 0;
  return (column < 0 ? power_[index(-column, -line)] : power_[index(column, line)]) / possible_;
}

StripeWatch::Peak StripeWatch::peak() const {
  // Waves longer than the window's radius are one stream waiting on its side of the crossing, the other on its own.
  const double longest = 2 * kPi / radius_, shortest = 2 * kPi / kShortestWave;
  double best = 0;
  int column = 0, line = 0;
  for (int m = 0; m < waves_; ++m) {
    for (int n = 1 - waves_; n < waves_; ++n) {
      const double wave = spacing_ * std::hypot(m, n);
      if (wave < longest - 1e-9 || wave > shortest + 1e-9 || power(m, n) <= best) continue;
      best = power(m, n);
      column = m;
      line = n;
    }
  }
  if (best <= 0) return {};
  const Point wave{column + peakOffset(power(column - 1, line), best, power(column + 1, line)),
                   line + peakOffset(power(column, line - 1), best, power(column, line + 1))};
  return {spacing_ * wave, best};
}

StripeReport StripeWatch::report() const {
  const Streams& streams = place_.streams();
  StripeReport report;
  report.name = streams.name;
  report.looks = looks_;
  report.expected_degrees = 90 - place_.angle() / kRadiansPerDegree / 2;
  const auto [wave, best] = peak();
  if (best <= 0) return report;
  const Point along = perpendicular(wave);
  const double away = det(streams.first_direction, streams.second_direction) > 0 ? -1 : 1;
  double angle =
      away * std::atan2(det(streams.first_direction, along), dot(streams.first_direction, along)) / kRadiansPerDegree;
  if (angle > 90) angle -= 180;
  if (angle <= -90) angle += 180;
  report.angle_degrees = angle;
  report.wavelength = 2 * kPi / length(wave);
  report.strength = std::min(best / kSquareWave, 1.0);
  return report;
}

void StripeWatch::addShapes(std::span<const std::pair<std::uint16_t, Point>> walkers, std::size_t streams,
                            std::vector<StripeShape>& shapes) const {
  const auto [wave, power] = peak();
  std::vector<Walker> people;
  for (const auto& [population, place] : walkers)
    if (const auto who = walker(0, population, place)) people.push_back(*who);
  const auto first = std::count_if(people.begin(), people.end(), [](const Walker& w) { return w.stream > 0; });
  const auto all = static_cast<std::ptrdiff_t>(people.size());
  if (power <= 0 || first < kFewest || all - first < kFewest) return;
  const double balance = balanceOf(people).first;
  Complex sum{0, 0};
  for (const Walker& who : people) {
    const double charge = who.weight * (who.stream - balance), phase = dot(wave, who.offset);
    sum.re += charge * std::cos(phase);
    sum.im += charge * std::sin(phase);
  }
  // Crests, where the first stream is, at multiples of a wavelength from this; troughs in the middle between them.
  const double size = length(wave), wavelength = 2 * kPi / size, crest = std::atan2(sum.im, sum.re) / size;
  const Point across = wave / size, along = perpendicular(across);
  const double reach = std::ceil((radius_ + std::abs(crest)) / wavelength);
  for (double n = -2 * reach; n <= 2 * reach; ++n) {
    const Point on = middle_ + (crest + n * wavelength / 2) * across;
    if (const auto piece = longestInside(place_.streams().area, on, along))
      shapes.push_back({*piece, layer(), streams, std::fmod(n, 2) == 0});
  }
}

}  // namespace throng::metrics
