// What it costs somebody to walk straight from where they are to one place or another, by the ground they cross or
// touch (JAKLIN 2016, sections 6.3.3 and 7.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/marks.h"
#include "ground/region_borders.h"
#include "ground/regions.h"

namespace throng::following {

/// What a body pays for that touches several types of ground at once.
enum class Touching : std::uint8_t {
  kDearest,  ///< a disc: the dominating weight
  kCheapest  ///< a point, which does so on borders only
};

class RegionFan {
 public:
  /// Ground where somebody never walks costs so much, per m: more than all else together, so that who stands on it
  /// leaves it by the shortest way.
  static constexpr double kNever = 1e12;

  /// Straight ways will be asked for that begin at `from` and stay in a box. A point is a disc of ground::kOnBorder.
  /// `weights`: of the person, by type; not empty.
  void spread(const ground::Regions& regions, const ground::RegionBorders& borders, std::uint16_t layer,
              std::span<const float> weights, Point from, double radius, Touching touching, const Rectangle& box);

  /// Σ length · weight on the way to a place.
  double costTo(Point place);
  /// What a metre costs where the ways begin.
  double costAtBegin();
  /// The least that any metre can cost.
  double least();
  /// Is all ground around the same? Then nothing need be asked to compare ways.
  bool isUniform() const { return lines_.empty(); }

 private:
  struct Line {
    Point a, b;     ///< from where the ways begin
    Point out;      ///< to its left, as long as the radius
    double counts;  ///< who touches it pays this
    double left, right;
  };
  /// m along a way between which a line is touched.
  struct Touch {
    double from, to;
    std::uint32_t line;
  };

  bool touches(const Line& line, Point along, double length, Touch& touch) const;
  /// The weight of the ground on which the centre is, before the first or after the last of some touches.
  double beside(std::span<const Touch> touches, double at, bool before, Point along) const;
  double sweep(double length, Point along);
  double weightAtBegin();

  std::vector<Line> lines_;
  std::vector<Touch> touches_;
  std::vector<std::uint32_t> active_;
  base::Marks met_;
  const ground::Regions* regions_ = nullptr;
  std::span<const float> weights_;
  Point from_;
  std::uint16_t layer_ = 0;
  double radius_ = 0;
  Touching touching_ = Touching::kDearest;
  double least_ = 1;   ///< on either side of the borders
  double begin_ = -1;  ///< weight where the ways begin; negative: not known
};

}  // namespace throng::following
