#include "views/overlay_parts.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace throng::views {

void addCaption(Overlay& overlay, const std::string& words) {
  overlay.caption += (overlay.caption.empty() ? "" : " · ") + words;
}

std::vector<Point> circleLine(Point centre, double radius) {
  constexpr int kCorners = 48;
  std::vector<Point> points;
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCorners;
    points.push_back(centre + Point{std::cos(angle), std::sin(angle)} * radius);
  }
  return points;
}

std::string counted(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

}  // namespace throng::views
