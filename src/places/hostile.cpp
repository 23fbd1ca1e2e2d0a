// "hostile": whatever makes geometry code fail and still is a scene, on a square kilometre, with details of a
// millimetre and less. Every cell of a grid gets one kind of unpleasantness.
#include <algorithm>
#include <cmath>

#include "places/generate.h"

namespace throng::places {
namespace {

using base::Random;

constexpr double kHostileSide = 1000;  // m
constexpr double kMillimetre = 1e-3;   // m
constexpr double kMicrometre = 1e-6;   // m
constexpr double kUsualFeature = 42;   // vertices in a cell, on average: says how many cells there are
constexpr int kMostRepairs = 40;       // of each kind: each costs the reader a warning, of which it bears a thousand

class Hostile {
 public:
  Hostile(std::uint64_t seed, std::uint32_t vertices) : random_(seed, 0xbad), wanted_(vertices) {}

  Layer built() {
    layer_.walkable = {{box(0, 0, kHostileSide, kHostileSide), {}}};
    total_ = 4;
    const int cells = std::max(1, static_cast<int>(std::ceil(std::sqrt(wanted_ / kUsualFeature))));
    size_ = kHostileSide / cells;
    if (wanted_ > 2000) longWalls();
    std::vector<int> order(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random_.below(i + 1)]);
    for (std::size_t round = 0; total_ < wanted_; ++round) {
      const int cell = order[round % order.size()];
      const bool first = round < order.size();
      origin_ = Point{size_ * (cell % cells), size_ * (cell / cells)};
      // Cells that are used again get what may lie over other things.
      feature(first ? static_cast<int>(round % kKinds) : static_cast<int>(random_.below(kOverlapping)));
    }
    return std::move(layer_);
  }

 private:
  static constexpr int kOverlapping = 13, kKinds = 16;

  void feature(int kind) {
    switch (kind) {
      case 0:
        return slivers();
      case 1:
        return comb();
      case 2:
        return spiral();
      case 3:
        return star();
      case 4:
        return touching();
      case 5:
        return overlapping();
      case 6:
        return chain(0);
      case 7:
        return chain(kMicrometre);
      case 8:
        return junctions();
      case 9:
        return fan();
      case 10:
        return nearlyRound();
      case 11:
        return nested();
      case 12:
        return nearMisses();
      case 13:
        return repairs();
      default:
        return holes();
    }
  }

  Point at(double u, double v) const { return origin_ + Point{u, v} * size_; }
  Point anywhere() { return at(random_.uniform(0.1, 0.9), random_.uniform(0.1, 0.9)); }

  void solid(Ring ring, std::vector<Ring> holes = {}) {
    total_ += ring.size();
    for (const auto& hole : holes) total_ += hole.size();
    layer_.obstacles.push_back({std::move(ring), std::move(holes)});
  }
  void wall(std::vector<Point> points) {
    total_ += points.size();
    layer_.walls.push_back({std::move(points)});
  }
  void hole(Ring ring) {
    total_ += ring.size();
    std::reverse(ring.begin(), ring.end());
    layer_.walkable[0].holes.push_back(std::move(ring));
  }

  /// Eight walls through the whole place with many corners on one line; they cross one another and all else.
  void longWalls() {
    for (int i = 0; i < 8; ++i) {
      const double place = kHostileSide * (i / 2 + 0.5) / 4 + random_.uniform(-50, 50);
      std::vector<Point> points;
      for (int k = 0; k <= 40; ++k) {
        points.push_back(i % 2 ? Point{kHostileSide * k / 40, place} : Point{place, kHostileSide * k / 40});
      }
      wall(std::move(points));
    }
  }

  /// One millimetre wide, as long as the cell allows, crossing each other.
  void slivers() {
    for (int i = 0; i < 10; ++i) {
      const Point a = anywhere(), b = anywhere();
      const Point across = perpendicular(normalized(b - a)) * kMillimetre;
      if (i % 2) {
        solid({a, b, b + across, a + across});
      } else {
        solid({a, b, a + across});
      }
    }
  }

  void comb() {
    Ring ring = {at(0.1, 0.1), at(0.9, 0.1)};
    const int teeth = 11;
    for (int i = teeth; i-- > 0;) {
      const double u = 0.12 + 0.74 * i / (teeth - 1), width = random_.below(2) ? kMillimetre : 0.03;
      const double tip = random_.uniform(0.5, 0.9);
      ring.push_back(at(u, 0.15) + Point{width, 0});
      ring.push_back(at(u, tip) + Point{width, 0});
      ring.push_back(at(u, tip));
      ring.push_back(at(u, 0.15));
    }
    solid(std::move(ring));
  }

  void spiral() {
    const int steps = 24;
    Ring out, back;
    for (int i = 0; i <= steps; ++i) {
      const double turn = 3.0 * i / steps, radius = size_ * (0.05 + 0.38 * i / steps);
      const Point way = unitAt(2 * base::kPi * turn);
      out.push_back(at(0.5, 0.5) + way * radius);
      back.push_back(at(0.5, 0.5) + way * (radius - size_ * 0.01));
    }
    out.insert(out.end(), back.rbegin(), back.rend());
    solid(std::move(out));
  }

  /// Points that end in next to nothing around a middle of next to nothing.
  void star() {
    const int points = 19;
    const double phase = random_.uniform();
    Ring ring;
    for (int i = 0; i < 2 * points; ++i) {
      const double radius = i % 2 ? 5 * kMillimetre : size_ * random_.uniform(0.1, 0.45);
      ring.push_back(at(0.5, 0.5) + unitAt(phase + base::kPi * i / points) * radius);
    }
    solid(std::move(ring));
  }

  /// Boxes that share a corner, part of a side, or a whole side.
  void touching() {
    const double s = size_ / 8;
    const Point o = at(0.15, 0.15);
    const double places[][4] = {{0, 0, 1, 1}, {1, 1, 2, 2}, {2, 0, 3, 3}, {3, 1, 4, 2},
                                {4, 1, 5, 2}, {3, 2, 4, 4}, {0, 3, 2, 4}, {1, 4, 3, 5}};
    for (const auto& [x0, y0, x1, y1] : places) solid(box(o.x + x0 * s, o.y + y0 * s, o.x + x1 * s, o.y + y1 * s));
    solid({o + Point{5, 5} * s, o + Point{4, 4} * s, o + Point{5, 4} * s});
  }

  void overlapping() {
    for (int i = 0; i < 9; ++i) {
      const Ring local = boxAround({0, 0}, size_ * random_.uniform(0.05, 0.4), size_ * random_.uniform(0.001, 0.2));
      solid(placed(local, at(random_.uniform(0.3, 0.7), random_.uniform(0.3, 0.7)), unitAt(random_.uniform(0, 6))));
    }
    solid(roundRing(at(0.5, 0.5), size_ * 0.1, 6));
  }

  /// A box whose long sides have many corners on one line, or `off` from it to and fro.
  void chain(double off) {
    const int corners = 20;
    Ring ring;
    for (int i = 0; i <= corners; ++i) {
      ring.push_back(at(0.1 + 0.8 * i / corners, 0.4) + Point{0, i % 2 ? off : 0});
    }
    for (int i = corners; i >= 0; --i) {
      ring.push_back(at(0.1 + 0.8 * i / corners, 0.6) + Point{0, i % 2 ? off : 0});
    }
    solid(std::move(ring));
  }

  /// Walls that end on walls, cross walls, and lie on walls.
  void junctions() {
    const double u[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    for (const double v : u) wall({at(0.1, v), at(0.5, v), at(0.9, v)});
    for (const double v : {0.2, 0.4, 0.6}) wall({at(v, 0.1), at(v, 0.5)});
    wall({at(0.1, 0.1), at(0.9, 0.9)});
    wall({at(0.1, 0.9), at(0.9, 0.1)});
    wall({at(0.3, 0.5), at(0.7, 0.5)});
    wall({at(0.2, 0.3), at(0.5, 0.45), at(0.2, 0.6), at(0.2, 0.3)});
    solid(boxAround(at(0.7, 0.7), size_ * 0.1, size_ * 0.1));
  }

  /// Thin triangles with one corner in common.
  void fan() {
    const Point tip = at(0.1, 0.5);
    for (int i = 0; i < 14; ++i) {
      const double v = 0.1 + 0.8 * i / 13;
      solid({tip, at(0.9, v), at(0.9, v + random_.uniform(0.001, 0.05))});
    }
  }

  /// Many corners on one circle: their centre is the centre of many circles.
  void nearlyRound() {
    const double radius = random_.below(2) ? 5 * kMillimetre : size_ * 0.3;
    solid(roundRing(at(0.4, 0.4), radius, 21, random_.uniform()));
    solid(roundRing(at(0.8, 0.8), size_ * 0.05, 21));
  }

  /// A ring-shaped obstacle with something in its hole that nobody can reach; the hole touches the border at a corner.
  void nested() {
    solid(box(at(0.2, 0).x, at(0, 0.2).y, at(0.8, 0).x, at(0, 0.8).y),
          {{at(0.3, 0.7), at(0.7, 0.7), at(0.7, 0.3), at(0.3, 0.3)}});
    solid({at(0.4, 0.4), at(0.6, 0.4), at(0.5, 0.6)});
    const Ring outer = {at(0.05, 0.85), at(0.15, 0.85), at(0.15, 0.95), at(0.05, 0.95)};
    solid(outer, {{outer[0], at(0.1, 0.93), at(0.13, 0.9)}});
    wall({at(0.35, 0.35), at(0.65, 0.65)});
    for (int i = 0; i < 4; ++i) solid(boxAround(at(0.9, 0.2 + 0.2 * i), size_ * 0.05, kMillimetre));
  }

  /// A micrometre from touching: corners at sides, walls at walls, boxes at boxes.
  void nearMisses() {
    const double s = size_ * 0.1;
    for (int i = 0; i < 6; ++i) {
      const Point o = at(0.1 + 0.13 * i, 0.2);
      solid({o, o + Point{s, 0}, o + Point{s, s}, o + Point{0, s}});
      solid({o + Point{s / 2, s + kMicrometre}, o + Point{s, 2 * s}, o + Point{0, 2 * s}});
    }
    wall({at(0.1, 0.7), at(0.9, 0.7)});
    wall({at(0.5, 0.7) + Point{0, kMicrometre}, at(0.5, 0.9)});
    wall({at(0.1, 0.7) + Point{0, kMicrometre}, at(0.4, 0.7) + Point{0, kMicrometre}});
  }

  /// What the reader puts right with a warning: a copy, and a notch without width. A few are enough.
  void repairs() {
    if (repairs_++ >= kMostRepairs) return holes();
    const Ring square = boxAround(at(0.3, 0.3), size_ * 0.2, size_ * 0.2);
    solid(square);
    solid({square[2], square[3], square[0], square[1]});
    const Ring big = box(at(0.5, 0).x, at(0, 0.5).y, at(0.9, 0).x, at(0, 0.9).y);
    const Point foot = at(0.7, 0.5), head = at(0.7, 0.7);
    solid({big[0], foot, head, foot, big[1], big[2], big[3]});
  }

  /// Holes in the floor, some touching at a corner.
  void holes() {
    for (int i = 0; i < 9; ++i) {
      const Point o = at(0.1 + 0.28 * (i % 3), 0.1 + 0.28 * (i / 3));
      const double s = size_ * 0.2;
      switch (random_.below(4)) {
        case 0:
          hole({o, o + Point{s, 0}, o + Point{s, kMillimetre}});
          break;
        case 1:
          hole(roundRing(o + Point{s, s} * 0.5, s * 0.4, 5, random_.uniform()));
          break;
        case 2:
          hole({o, o + Point{s / 2, 0}, o + Point{s / 2, s / 2}, o + Point{0, s / 2}});
          hole({o + Point{s / 2, s / 2}, o + Point{s, s / 2}, o + Point{s, s}});
          break;
        default:
          hole({o, o + Point{s, 0}, o + Point{s, s}, o + Point{kMillimetre, kMillimetre}});
      }
    }
  }

  Random random_;
  std::uint32_t wanted_;
  Layer layer_;
  std::size_t total_ = 0;
  Point origin_;     ///< of the cell at hand
  double size_ = 0;  ///< of every cell, m
  int repairs_ = 0;
};

}  // namespace

Scene hostile(std::uint64_t seed, std::uint32_t vertices) { return sceneOf({Hostile(seed, vertices).built()}); }

}  // namespace throng::places
