#include "serve/published_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace throng::serve {
namespace {

/// Rows in the order of their ids: counted by 11 bits at a time, which for a hundred thousand people takes a tenth of
/// what comparing them takes.
std::vector<std::uint32_t> byId(std::span<const std::uint32_t> ids) {
  std::vector<std::uint32_t> rows(ids.size()), next(ids.size());
  std::iota(rows.begin(), rows.end(), 0u);
  if (std::is_sorted(ids.begin(), ids.end())) return rows;
  const std::uint32_t most = *std::max_element(ids.begin(), ids.end());
  for (unsigned shift = 0; shift < 32 && (most >> shift) != 0; shift += 11) {
    std::array<std::uint32_t, 2049> begin{};
    for (const std::uint32_t id : ids) ++begin[((id >> shift) & 2047u) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const std::uint32_t row : rows) next[begin[(ids[row] >> shift) & 2047u]++] = row;
    rows.swap(next);
  }
  return rows;
}

/// One over the steps of the box: dividing takes longer.
struct Steps {
  explicit Steps(const Box& box) : places(1 / box.step), heights(1 / box.height_step) {}
  static std::uint32_t whole(double steps, std::uint32_t most) {
    // Half a step up and cut off: no call of the C library.
    return static_cast<std::uint32_t>(std::clamp(steps + 0.5, 0.0, double(most) + 0.5));
  }
  double places, heights;
};

}  // namespace

std::uint8_t headingByte(float x, float y) {
  // The arctangent of the smaller over the larger, within 0.0005 rad, and the eighth of the turn that it lies in.
  const float ax = std::abs(x), ay = std::abs(y);
  const float most = std::max(ax, ay), least = std::min(ax, ay);
  const float a = most > 0 ? least / most : 0, s = a * a;
  float turn = (((-0.0464964749F * s + 0.15931422F) * s - 0.327622764F) * s * a + a) / (2 * std::numbers::pi_v<float>);
  if (ay > ax) turn = 0.25F - turn;
  if (x < 0) turn = 0.5F - turn;
  if (y < 0) turn = 1 - turn;
  return static_cast<std::uint8_t>(static_cast<unsigned>(turn * 256 + 0.5F) & 255u);
}

std::uint8_t exactHeadingByte(float x, float y) {
  const float turn = std::atan2(y, x) / (2 * std::numbers::pi_v<float>);
  return static_cast<std::uint8_t>(std::lround((turn < 0 ? turn + 1 : turn) * 256) & 255);
}

PublishedFrame publish(const Frame& frame, std::span<const std::uint8_t> levels, const Box& box) {
  PublishedFrame published{.time = frame.time, .box = box, .walkers = {}};
  published.walkers.reserve(frame.size());
  const Steps steps(box);
  for (const std::uint32_t row : byId(frame.person)) {
    Walker w;
    w.id = frame.person[row];
    w.x = Steps::whole((frame.x[row] - box.x) * steps.places, Box::kMost);
    w.y = Steps::whole((frame.y[row] - box.y) * steps.places, Box::kMost);
    w.z = static_cast<std::uint16_t>(Steps::whole((frame.z[row] - box.z) * steps.heights, Box::kMostHeight));
    w.heading = headingByte(frame.heading_x[row], frame.heading_y[row]);
    if (!frame.velocity_x.empty()) {
      const float vx = frame.velocity_x[row], vy = frame.velocity_y[row];
      w.speed = static_cast<std::uint8_t>(std::min(255.0F, std::sqrt(vx * vx + vy * vy) * 32 + 0.5F));
    }
    const unsigned activity = frame.activity.empty() ? 0 : static_cast<unsigned>(frame.activity[row]);
    const unsigned level = row < levels.size() ? std::min<unsigned>(levels[row], 15) : 0;
    w.state = static_cast<std::uint8_t>(activity | (level << 2));
    w.population = static_cast<std::uint8_t>(std::min<unsigned>(frame.population[row], 255));
    published.walkers.push_back(w);
  }
  return published;
}

Box boxFor(const Frame& frame, const Box& box) {
  const double inf = std::numeric_limits<double>::infinity();
  Point min{inf, inf}, max{-inf, -inf};
  double lowest = inf, highest = -inf;
  bool all = true;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const double x = frame.x[i], y = frame.y[i], z = frame.z[i];
    all = all && box.contains(x, y, z);
    min = {std::min(min.x, x), std::min(min.y, y)};
    max = {std::max(max.x, x), std::max(max.y, y)};
    lowest = std::min(lowest, z);
    highest = std::max(highest, z);
  }
  return all ? box : Box::around(min, max, lowest, highest);
}

ViewArea::ViewArea(std::span<const Point> corners) {
  const std::size_t n = corners.size();
  if (n == 0) return;
  if (n < 3 || n > kMostCorners) throw InputError("a view has 3 to 16 corners");
  double area = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point a = corners[i];
    if (!(std::abs(a.x) <= 1e7 && std::abs(a.y) <= 1e7)) throw InputError("a view lies within 10,000 km");
    area += det(a - corners[0], corners[(i + 1) % n] - corners[0]);
  }
  const double sign = area < 0 ? -1 : 1;
  for (std::size_t i = 0; i < n; ++i) {
    const Point a = corners[i], along = corners[(i + 1) % n] - a;
    const double l = length(along);
    if (l < 1e-9) continue;
    const Side side{sign * along.y / l, -sign * along.x / l, sign * det(a, along) / l};
    for (const Point p : corners)
      if (side.x * p.x + side.y * p.y > side.limit + 1e-6 * (1 + std::abs(side.limit)))
        throw InputError("a view is convex");
    sides_.push_back(side);
  }
}

bool ViewArea::contains(Point p) const {
  return std::all_of(sides_.begin(), sides_.end(),
                     [&](const Side& side) { return side.x * p.x + side.y * p.y <= side.limit; });
}

void ViewArea::select(const PublishedFrame& frame, double margin, std::vector<Walker>& seen) const {
  seen.clear();
  if (sides_.empty()) {
    seen = frame.walkers;
    return;
  }
  // In whole numbers of the box, so that nobody's place has to be worked out.
  const Box& box = frame.box;
  std::vector<Side> sides;
  sides.reserve(sides_.size());
  for (const Side& s : sides_)
    sides.push_back({s.x * box.step, s.y * box.step, s.limit + margin - s.x * box.x - s.y * box.y});
  for (const Walker& w : frame.walkers) {
    bool inside = true;
    for (const Side& s : sides) inside = inside && s.x * w.x + s.y * w.y <= s.limit;
    if (inside) seen.push_back(w);
  }
}

}  // namespace throng::serve
