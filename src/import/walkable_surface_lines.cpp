#include "import/walkable_surface_lines.h"

#include <cmath>

#include "base/lists.h"

namespace throng::import {
namespace {

/// The part of p + (q - p)·[from, to] that lies on the inner side of every side of a triangle moved out by `margin` m.
/// False when there is none.
bool clip(const std::array<Point, 3>& triangle, Point p, Point q, double margin, double& from, double& to) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Point a = triangle[i], side = normalized(triangle[(i + 1) % 3] - a);
    const double at_p = det(side, p - a) + margin, at_q = det(side, q - a) + margin;
    if (at_p < 0 && at_q < 0) return false;
    if (at_p < 0) from = std::max(from, at_p / (at_p - at_q));
    if (at_q < 0) to = std::min(to, at_p / (at_p - at_q));
  }
  return from <= to;
}

/// What matters about everything near one triangle of the ground.
class NearGround {
 public:
  NearGround(const Faces& faces, const Walkability& w, std::vector<PlanLine>& lines)
      : all_(faces),
        grid_(faces.grid),
        step_(w.step_height + kSameHeight),
        body_(w.body_height - kSameHeight),
        lines_(lines) {}

  void add(std::uint32_t id) {
    const Face& ground = all_.faces[id];
    for (std::size_t i = 0; i < 3; ++i) {
      corner_[i] = grid_.point(ground.corner[i]);
      line(ground.corner[i], ground.corner[(i + 1) % 3]);
    }
    const std::int32_t margin = spots(kSamePlace, grid_);
    all_.index.query(ground.box().widened(margin), [&](std::uint32_t other) {
      const Face& face = all_.faces[other];
      if (other == id || face.low > ground.high + body_ || face.high < ground.low - kSameHeight) return;
      if (face.kind == Face::Kind::kSheet)
        sheet(ground, face, other);
      else if (face.hasPlane())
        sloping(ground, face);
    });
  }

 private:
  void line(Spot a, Spot b, std::uint32_t sheet = kNone) {
    lines_.push_back({std::min(a, b), std::max(a, b), sheet, kNone});
  }
  void point(Point p) {
    const Spot s = grid_.round(p);
    line(s, s);
  }

  /// A face with an extent in plan.
  void sloping(const Face& ground, const Face& face) {
    std::array<Point, 3> p;
    std::array<double, 3> above;  // the ground, m
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = grid_.point(face.corner[i]);
      above[i] = face.plane.at(p[i]) - ground.plane.at(p[i]);
    }
    const double lowest = std::min({above[0], above[1], above[2]}), highest = std::max({above[0], above[1], above[2]});
    const bool counts = highest > (face.flat() ? -2 * kSameHeight : step_) && lowest < body_;
    if (!counts) return;
    if (face.kind == Face::Kind::kGround && lowest < step_ && highest > step_) steps(p, above);
    if (!insidesMeet(ground.corner, face.corner)) return;
    if (face.kind != Face::Kind::kGround)
      for (std::size_t i = 0; i < 3; ++i) line(face.corner[i], face.corner[(i + 1) % 3]);
    level(p, above, body_);
    if (face.flat()) level(p, above, face.kind == Face::Kind::kGround ? 0 : -kSameHeight);
    if (!face.flat()) level(p, above, step_);
  }

  /// Where the border of other ground rises to more than a step above this ground it can no longer be stepped over.
  /// From there a line leads across it, to where it can no longer be stepped over on the other side.
  void steps(const std::array<Point, 3>& p, const std::array<double, 3>& above) {
    std::array<Point, 2> ends;
    std::size_t n = 0;
    bool here = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      if ((above[i] > step_) == (above[j] > step_)) continue;
      const Point at = p[i] + (p[j] - p[i]) * ((step_ - above[i]) / (above[j] - above[i]));
      ends[n++] = at;
      double from = 0, to = 1;
      if (!clip(corner_, at, at, kSamePlace, from, to)) continue;
      here = true;
      point(at);
    }
    if (!here || n < 2 || length(ends[1] - ends[0]) < kSamePlace) return;
    // The other half of a rectangle is another triangle.
    const double size = std::max({length(p[1] - p[0]), length(p[2] - p[1]), length(p[0] - p[2])});
    const Point beyond = normalized(ends[1] - ends[0]) * size;
    line(grid_.round(ends[0]), grid_.round(ends[1]));
    line(grid_.round(ends[0] - beyond), grid_.round(ends[0]));
    line(grid_.round(ends[1]), grid_.round(ends[1] + beyond));
  }

  /// Where a face is `height` m above the ground.
  void level(const std::array<Point, 3>& p, const std::array<double, 3>& above, double height) {
    std::array<Point, 2> ends;
    std::size_t n = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      if ((above[i] > height) == (above[j] > height)) continue;
      ends[n++] = p[i] + (p[j] - p[i]) * ((height - above[i]) / (above[j] - above[i]));
    }
    double from = 0, to = 1;
    if (n < 2 || !clip(corner_, ends[0], ends[1], 0, from, to)) return;
    const Point along = ends[1] - ends[0];
    line(grid_.round(ends[0] + along * from), grid_.round(ends[0] + along * to));
  }

  /// A face that is a line in plan matters where it has some height between a step and a body above the ground.
  void sheet(const Face& ground, const Face& face, std::uint32_t id) {
    const Upright upright(face, grid_);
    if (upright.a == upright.b) return;
    const Point a = grid_.point(upright.a), b = grid_.point(upright.b);
    double from = 0, to = 1;
    if (!clip(corner_, a, b, kSamePlace, from, to)) return;
    from *= upright.length, to *= upright.length;
    // The face and the ground over the line, cut between step and body: from first to last along the line.
    double first = 1e300, last = -1e300;
    const auto take = [&](double s) { first = std::min(first, s), last = std::max(last, s); };
    std::array<double, 3> above;
    for (std::size_t i = 0; i < 3; ++i) above[i] = upright.z[i] - ground.plane.at(a + upright.along * upright.s[i]);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      if (above[i] >= step_ && above[i] <= body_) take(upright.s[i]);
      for (const double height : {step_, body_})
        if ((above[i] > height) != (above[j] > height))
          take(upright.s[i] + (upright.s[j] - upright.s[i]) * ((height - above[i]) / (above[j] - above[i])));
    }
    if (first > to || last < from) return;
    line(upright.a, upright.b, id);
    for (const double s : {first, last})
      if (s > from + kSamePlace && s < to - kSamePlace) point(a + upright.along * s);
  }

  const Faces& all_;
  const PlanGrid& grid_;
  double step_, body_;
  std::vector<PlanLine>& lines_;
  std::array<Point, 3> corner_;
};

}  // namespace

std::vector<PlanLine> planLines(const Faces& faces, const Walkability& walkability, const base::Threads& threads) {
  constexpr std::size_t kGrain = 256;
  std::vector<std::vector<PlanLine>> parts((faces.ground.size() + kGrain - 1) / kGrain);
  threads.forEach(faces.ground.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<PlanLine>& lines = parts[begin / kGrain];
    NearGround near(faces, walkability, lines);
    for (std::size_t i = begin; i < end; ++i) near.add(faces.ground[i]);
    base::sortUnique(lines);
  });
  std::vector<PlanLine> lines = base::joined(parts);
  base::sortUnique(lines);
  return lines;
}

}  // namespace throng::import
