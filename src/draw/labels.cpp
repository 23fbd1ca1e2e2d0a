#include "draw/labels.h"

#include <algorithm>
#include <utility>

namespace throng::draw {
namespace {

constexpr double kSize = 13.5;  // px on a page 1200 px wide

}  // namespace

bool Labels::isFree(const Rectangle& box, bool strictly) const {
  if (box.min.x < panel_.min.x || box.min.y < panel_.min.y || box.max.x > panel_.max.x || box.max.y > panel_.max.y)
    return false;
  const auto meets = [&](const Rectangle& other) {
    return box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y && other.min.y < box.max.y;
  };
  const auto isApart = [&](const std::vector<Rectangle>& boxes) {
    return std::none_of(boxes.begin(), boxes.end(), meets);
  };
  return isApart(boxes_) && isApart(clear_) && (!strictly || isApart(avoided_));
}

bool Labels::write(Canvas& canvas, Point place, double away, const std::string& words, Colour ink) {
  if (words.empty()) return false;
  const TextStyle style{kSize * unit_, ink, false, Anchor::kMiddle};
  const Point half{textWidth(words, style) / 2 + 4 * unit_, 0.7 * kSize * unit_};
  constexpr std::pair<double, bool> kTries[] = {{1, true}, {2.2, true}, {1, false}};  // how far, and how strictly
  for (const auto& [step, strictly] : kTries) {
    const double x = half.x + step * away, y = half.y + step * away;
    for (const Point side : {Point{x, 0}, {-x, 0}, {0, -y}, {0, y}, {x, -y}, {x, y}, {-x, -y}, {-x, y}}) {
      const Point centre = place + side;
      const Rectangle box{centre - half, centre + half};
      if (!isFree(box, strictly)) continue;
      boxes_.push_back(box);
      canvas.fill(rectanglePath(box), colour(0xffffff, 0.75));
      canvas.text(centre + Point{0, 0.36 * kSize * unit_}, words, style);
      return true;
    }
  }
  return false;
}

}  // namespace throng::draw
