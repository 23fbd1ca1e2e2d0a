#include "draw/labels.h"

#include <algorithm>

namespace throng::draw {
namespace {

constexpr double kSize = 13.5;  // px on a page 1200 px wide

}  // namespace

bool Labels::isFree(const Rectangle& box) const {
  if (box.min.x < panel_.min.x || box.min.y < panel_.min.y || box.max.x > panel_.max.x || box.max.y > panel_.max.y)
    return false;
  const auto meets = [&](const Rectangle& other) {
    return box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y && other.min.y < box.max.y;
  };
  return std::none_of(boxes_.begin(), boxes_.end(), meets) && std::none_of(clear_.begin(), clear_.end(), meets);
}

bool Labels::write(Canvas& canvas, Point place, double away, const std::string& words, Colour ink) {
  if (words.empty()) return false;
  const TextStyle style{kSize * unit_, ink, false, Anchor::kMiddle};
  const Point half{textWidth(words, style) / 2 + 4 * unit_, 0.7 * kSize * unit_};
  for (const double step : {1.0, 2.2}) {
    const double x = half.x + step * away, y = half.y + step * away;
    for (const Point side : {Point{x, 0}, {-x, 0}, {0, -y}, {0, y}, {x, -y}, {x, y}, {-x, -y}, {-x, y}}) {
      const Point centre = place + side;
      const Rectangle box{centre - half, centre + half};
      if (!isFree(box)) continue;
      boxes_.push_back(box);
      canvas.fill(rectanglePath(box), colour(0xffffff, 0.75));
      canvas.text(centre + Point{0, 0.36 * kSize * unit_}, words, style);
      return true;
    }
  }
  return false;
}

}  // namespace throng::draw
