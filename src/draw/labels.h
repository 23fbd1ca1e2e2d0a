// Small words on a picture that keep out of one another's way.
#pragma once

#include <string>
#include <vector>

#include "draw/canvas.h"

namespace throng::draw {

class Labels {
 public:
  /// `panel` on the page: no word leaves it.
  Labels(const Rectangle& panel, double unit) : panel_(panel), unit_(unit) {}

  /// Beside a place on the page, at least `away` px from it, wherever there is room first: right, left, above, below,
  /// above to the right and so on. False, and nothing is written, when there is none.
  bool write(Canvas& canvas, Point place, double away, const std::string& words, Colour ink);
  /// No word is written here.
  void keepClear(const Rectangle& box) { clear_.push_back(box); }
  /// Words are written here only where there is no other room.
  void avoid(const Rectangle& box) { avoided_.push_back(box); }
  /// What was written so far.
  const std::vector<Rectangle>& boxes() const { return boxes_; }

 private:
  bool isFree(const Rectangle& box, bool strictly) const;

  Rectangle panel_;
  double unit_;
  std::vector<Rectangle> boxes_, clear_, avoided_;
};

}  // namespace throng::draw
