// Ordinary buildings as meshes, for tests: stairs and ramps in openings of many shapes, car parks, half storeys, rails.
// Each knows places that can be reached from one another, and what becomes of it when it is turned, mirrored, written
// in another unit or with another axis up.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "throng/mesh.h"
#include "throng/scene.h"

#include "import/surface_scenes.h"

namespace throng::import {

struct Building {
  struct Stand {
    std::string name;
    Point3 at;
    int part = 0;  ///< who stands in the same part can reach one another, nobody else can
  };
  std::string name;
  Mesh mesh;
  std::vector<Stand> stands;
};

/// Rectangles in plan.
struct Extent {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// A slab with rectangular openings, as triangles between all their lines; thick downwards, or a sheet.
inline void slab(Mesh& m, Extent all, double z, double thick, const std::vector<Extent>& openings = {}) {
  std::vector<double> xs{all.x0, all.x1}, ys{all.y0, all.y1};
  for (const Extent& o : openings) xs.insert(xs.end(), {o.x0, o.x1}), ys.insert(ys.end(), {o.y0, o.y1});
  for (auto* list : {&xs, &ys}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const auto open = [&](double x, double y) {
    for (const Extent& o : openings)
      if (x > o.x0 && x < o.x1 && y > o.y0 && y < o.y1) return true;
    return x < all.x0 || x > all.x1 || y < all.y0 || y > all.y1;
  };
  for (std::size_t i = 0; i + 1 < xs.size(); ++i)
    for (std::size_t j = 0; j + 1 < ys.size(); ++j) {
      if (open((xs[i] + xs[i + 1]) / 2, (ys[j] + ys[j + 1]) / 2)) continue;
      plate(m, xs[i], ys[j], xs[i + 1], ys[j + 1], z);
      if (thick > 0) plate(m, xs[i], ys[j], xs[i + 1], ys[j + 1], z - thick);
    }
  if (!(thick > 0)) return;
  const auto rim = [&](const Extent& e) {
    sheet(m, {e.x0, e.y0}, {e.x1, e.y0}, z - thick, z), sheet(m, {e.x1, e.y0}, {e.x1, e.y1}, z - thick, z);
    sheet(m, {e.x1, e.y1}, {e.x0, e.y1}, z - thick, z), sheet(m, {e.x0, e.y1}, {e.x0, e.y0}, z - thick, z);
  };
  rim(all);
  for (const Extent& o : openings) rim(o);
}

/// A wall beside a slope: from `a` to `b` in plan, feet at za and zb, as high as `high`; thick to the left of a → b, or
/// a sheet.
inline void guard(Mesh& m, Point a, Point b, double za, double zb, double high, double thick) {
  const Point n = perpendicular(normalized(b - a)) * thick;
  const auto side = [&](Point p, Point q) {
    quad(m, {p.x, p.y, za}, {q.x, q.y, zb}, {q.x, q.y, zb + high}, {p.x, p.y, za + high});
  };
  side(a, b);
  if (!(thick > 0)) return;
  const Point c = a + n, d = b + n;
  side(c, d);
  quad(m, {a.x, a.y, za + high}, {b.x, b.y, zb + high}, {d.x, d.y, zb + high}, {c.x, c.y, za + high});
  quad(m, {a.x, a.y, za}, {b.x, b.y, zb}, {d.x, d.y, zb}, {c.x, c.y, za});
  sheet(m, a, c, za, za + high), sheet(m, b, d, zb, zb + high);
}

enum class Flight { kSmooth, kSlab, kBlocks, kTreads, kOpenTreads };
inline constexpr Flight kFlights[] = {Flight::kSmooth, Flight::kSlab, Flight::kBlocks, Flight::kTreads,
                                      Flight::kOpenTreads};

/// A flight up from (x0, z0) to (x1, z1) between y0 and y1. With steps, the last tread is a step below z1.
inline void flight(Mesh& m, Flight kind, double x0, double x1, double y0, double y1, double z0, double z1) {
  if (kind == Flight::kSmooth || kind == Flight::kSlab) {
    ramp(m, x0, x1, y0, y1, z0, z1);
    if (kind == Flight::kSmooth) return;
    const double low = 0.2;
    ramp(m, x0, x1, y0, y1, z0 - low, z1 - low);
    for (const double y : {y0, y1}) quad(m, {x0, y, z0 - low}, {x1, y, z1 - low}, {x1, y, z1}, {x0, y, z0});
    for (const auto& [x, z] : {std::pair(x0, z0), std::pair(x1, z1)}) sheet(m, {x, y0}, {x, y1}, z - low, z);
    return;
  }
  const int steps = static_cast<int>(std::ceil((z1 - z0) / 0.19));
  const double rise = (z1 - z0) / steps, going = (x1 - x0) / (steps - 1);
  for (int i = 1; i < steps; ++i) {
    const double x = x0 + going * (i - 1), z = z0 + rise * i;
    if (kind == Flight::kBlocks) box(m, {x, y0, z0}, {x + going, y1, z});
    if (kind == Flight::kOpenTreads) box(m, {x, y0, z - 0.04}, {x + going, y1, z});
    if (kind == Flight::kTreads) plate(m, x, y0, x + going, y1, z), sheet(m, {x, y0}, {x, y1}, z - rise, z);
  }
  if (kind == Flight::kTreads) sheet(m, {x1, y0}, {x1, y1}, z1 - rise, z1);
}

enum class Opening { kFlush, kWide, kLong, kNarrow, kAtWall, kAtWallWide, kWideAndLong };
inline constexpr Opening kOpenings[] = {Opening::kFlush,  Opening::kWide,       Opening::kLong,       Opening::kNarrow,
                                        Opening::kAtWall, Opening::kAtWallWide, Opening::kWideAndLong};

/// Two storeys, 3 m apart, and a stair in an opening of the upper one.
inline Building stairwell(Flight kind, Opening opening, double width, double thick) {
  Building b;
  b.name = "stairwell " + std::to_string(int(kind)) + "/" + std::to_string(int(opening)) + "/" + std::to_string(width) +
           "/" + std::to_string(thick);
  const double x0 = 4, x1 = 9, z = 3;
  const bool at_wall = opening == Opening::kAtWall || opening == Opening::kAtWallWide;
  const double y0 = at_wall ? 0 : 2, y1 = y0 + width, deep = y1 + 4;
  Extent hole{x0, y0, x1, y1};
  if (opening == Opening::kWide || opening == Opening::kWideAndLong) hole.y0 -= 0.7, hole.y1 += 0.45;
  if (opening == Opening::kAtWallWide) hole.y1 += 0.6;
  if (opening == Opening::kLong || opening == Opening::kWideAndLong) hole.x0 -= 1.3;
  if (opening == Opening::kNarrow) hole.y0 += 0.2 * width, hole.y1 -= 0.15 * width;
  slab(b.mesh, {0, 0, 14, deep}, 0, 0);
  slab(b.mesh, {0, 0, 14, deep}, z, thick, {hole});
  flight(b.mesh, kind, x0, x1, y0, y1, 0, z);
  if (at_wall) sheet(b.mesh, {0, 0}, {14, 0}, 0, 6);
  b.stands = {{"below", {1.5, deep - 1.5, 0}, 0},
              {"beyond", {12.5, deep - 1.5, 0}, 0},
              {"above", {12.5, deep - 1.5, z}, 0},
              {"above, at the foot", {1.5, deep - 1.5, z}, 0}};
  return b;
}

/// Storeys that ramps lead up to, side by side on alternating sides of one wall line, with guard walls 1 m high along
/// the ramps and around their openings.
inline Building carPark(int storeys, double guard_thick, bool shared_line) {
  Building b;
  b.name = "car park " + std::to_string(storeys) + "/" + std::to_string(guard_thick) + (shared_line ? "/shared" : "");
  const double high = 2.8, x0 = 8, x1 = 24, wide = 3.5, deep = 20;
  for (int s = 0; s < storeys; ++s) {
    const double z = high * s;
    const bool odd = s % 2 == 1;  // the ramp from the storey below to this one
    const double y0 = shared_line ? (odd ? 6 : 6 + wide) : (odd ? 4 : 11), y1 = y0 + wide;
    if (s == 0) {
      slab(b.mesh, {0, 0, 32, deep}, 0, 0);
    } else {
      slab(b.mesh, {0, 0, 32, deep}, z, 0.3, {{x0, y0, x1, y1}});
      ramp(b.mesh, x0, x1, y0, y1, z - high, z);
      // Beside the ramp, and around the opening but at its upper end.
      guard(b.mesh, {x0, y0}, {x1, y0}, z - high, z, 1, -guard_thick);
      guard(b.mesh, {x0, y1}, {x1, y1}, z - high, z, 1, guard_thick);
      guard(b.mesh, {x0, y0}, {x1, y0}, z, z, 1, -guard_thick);
      guard(b.mesh, {x0, y1}, {x1, y1}, z, z, 1, guard_thick);
      guard(b.mesh, {x0, y0}, {x0, y1}, z, z, 1, guard_thick);
    }
    b.stands.push_back({"storey " + std::to_string(s) + " west", {3, 17, z}, 0});
    b.stands.push_back({"storey " + std::to_string(s) + " east", {29, 3, z}, 0});
  }
  return b;
}

/// A winding ramp between two storeys, with walls at both sides.
inline Building windingRamp(double inner, double outer, int turns, int parts, bool guarded) {
  Building b;
  b.name = "winding ramp " + std::to_string(inner) + "/" + std::to_string(outer) + "/" + std::to_string(turns) +
           (guarded ? "/guarded" : "");
  const double high = 3;
  const auto at = [&](int i, double radius, double up) {
    const double angle = 2 * 3.14159265358979323846 * i / parts;
    return Point3{radius * std::cos(angle), radius * std::sin(angle), high * i / parts + up};
  };
  for (int i = 0; i < turns * parts; ++i) {
    quad(b.mesh, at(i, inner, 0), at(i, outer, 0), at(i + 1, outer, 0), at(i + 1, inner, 0));
    if (!guarded) continue;
    quad(b.mesh, at(i, inner, 0), at(i + 1, inner, 0), at(i + 1, inner, 1), at(i, inner, 1));
    quad(b.mesh, at(i, outer, 0), at(i + 1, outer, 0), at(i + 1, outer, 1), at(i, outer, 1));
  }
  const double top = high * turns;
  slab(b.mesh, {inner, -8, outer, 0}, 0, 0);   // on to the south at the foot
  slab(b.mesh, {inner, 0, outer, 8}, top, 0);  // and to the north at the top
  const double middle = (inner + outer) / 2;
  b.stands = {{"foot", {middle, -6, 0}, 0}, {"top", {middle, 6, top}, 0}};
  return b;
}

/// Half storeys 1.7 m apart on either side of a wall line, with short flights between.
inline Building splitLevels(int halves, Flight kind) {
  Building b;
  b.name = "split levels " + std::to_string(halves) + "/" + std::to_string(int(kind));
  const double rise = 1.7, length = 2.6;
  for (int i = 0; i < halves; ++i) {
    const double z = rise * i;
    const bool west = i % 2 == 0;
    slab(b.mesh, west ? Extent{0, 0, 10, 12} : Extent{10 + length, 0, 22, 12}, z, i == 0 ? 0 : 0.25);
    b.stands.push_back({"half " + std::to_string(i), {west ? 3.0 : 19.0, 6, z}, 0});
    if (i + 1 == halves) break;
    // From west to east on the south side, back on the north side.
    Mesh up;
    const double y0 = west ? 2.0 : 8.0;
    flight(up, kind, 0, length, y0, y0 + 1.6, z, z + rise);
    for (Point3& p : up.vertices) p.x = west ? 10 + p.x : 10 + length - p.x;
    const auto n = static_cast<std::uint32_t>(b.mesh.vertices.size());
    b.mesh.vertices.insert(b.mesh.vertices.end(), up.vertices.begin(), up.vertices.end());
    for (const auto& t : up.triangles) b.mesh.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  return b;
}

/// A gallery over part of a hall, with rails, a stair to it and the hall going on below.
inline Building mezzanine(Flight kind, bool rails) {
  Building b;
  b.name = "mezzanine " + std::to_string(int(kind)) + (rails ? "/rails" : "");
  slab(b.mesh, {0, 0, 20, 12}, 0, 0);
  slab(b.mesh, {12, 0, 20, 12}, 2.7, 0.2);
  flight(b.mesh, kind, 7.2, 12, 3, 5, 0, 2.7);
  if (rails) {
    guard(b.mesh, {12, 0}, {12, 3}, 2.7, 2.7, 1, 0);
    guard(b.mesh, {12, 5}, {12, 12}, 2.7, 2.7, 1, 0);
    for (const double y : {3.0, 5.0}) guard(b.mesh, {7.2, y}, {12, y}, 0, 2.7, 1, 0);
  }
  b.stands = {{"hall", {3, 9, 0}, 0}, {"below the gallery", {18, 9, 0}, 0}, {"gallery", {18, 9, 2.7}, 0}};
  return b;
}

/// One floor with rooms between thin walls, a rail that floats at hip height, and a room without a door.
inline Building thinWalls(double thick) {
  Building b;
  b.name = "thin walls " + std::to_string(thick);
  slab(b.mesh, {0, 0, 18, 12}, 0, 0);
  const auto wall = [&](Point p, Point q) {
    if (thick > 0)
      guard(b.mesh, p, q, 0, 0, 2.6, thick);
    else
      sheet(b.mesh, p, q, 0, 2.6);
  };
  wall({6, 0}, {6, 5}), wall({6, 6.2}, {6, 12});   // a door
  wall({12, 0}, {12, 12});                         // none
  wall({0, 6}, {3.1, 6}), wall({4.2, 6}, {6, 6});  // a door
  box(b.mesh, {8.5, 3, 0.9}, {8.55, 9, 1.0});      // a rail
  b.stands = {{"south-west", {2, 2, 0}, 0},
              {"north-west", {2, 10, 0}, 0},
              {"middle", {7.2, 6, 0}, 0},
              {"behind the rail", {10.5, 6, 0}, 0},
              {"walled up", {15, 6, 0}, 1}};
  return b;
}

/// Two storeys that something is meant to connect and does not.
enum class Gap { kNothing, kHighStep, kSteep, kWall };
inline constexpr Gap kGaps[] = {Gap::kNothing, Gap::kHighStep, Gap::kSteep, Gap::kWall};

inline Building unconnected(Gap gap) {
  Building b;
  b.name = "unconnected " + std::to_string(int(gap));
  const double z = 3, top = gap == Gap::kHighStep ? 2.4 : z, x0 = gap == Gap::kSteep ? 8 : 4;
  slab(b.mesh, {0, 0, 10, 8}, 0, 0);
  slab(b.mesh, {10, 0, 22, 8}, z, 0.2);
  if (gap != Gap::kNothing) ramp(b.mesh, x0, 10, 3, 5, 0, top);
  if (gap == Gap::kWall) sheet(b.mesh, {10, 0}, {10, 8}, z - 0.2, z + 2.5);
  b.stands = {{"below", {1.5, 6.5, 0}, 0}, {"above", {18, 4, z}, 1}};
  return b;
}

/// How a model comes to be in a file: turned about the vertical, mirrored, in a unit, with some axis up.
struct Pose {
  double degrees = 0;
  bool mirrored = false;
  double unit = 1;  ///< m
  char up = 'z';    ///< axis of the file
  Point moved{};    ///< m, before it is turned

  Point3 operator()(Point3 p) const {
    const double angle = degrees * 3.14159265358979323846 / 180;
    // Quarter turns as modelling programs write them: without noise in the last digit.
    const double c = degrees == 90 ? 0 : std::cos(angle), s = degrees == 90 ? 1 : std::sin(angle);
    const double x = (mirrored ? -p.x : p.x) + moved.x, y = p.y + moved.y;
    return {c * x - s * y, s * x + c * y, p.z};
  }
  /// The text of an OBJ file.
  std::string file(const Mesh& mesh) const {
    std::string text;
    char line[128];
    for (const Point3& vertex : mesh.vertices) {
      const Point3 m = (*this)(vertex);
      const double x = m.x / unit, y = m.y / unit, z = m.z / unit;
      const Point3 p = up == 'z' ? Point3{x, y, z} : up == 'y' ? Point3{x, z, -y} : Point3{z, -x, -y};
      std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", p.x, p.y, p.z);
      text += line;
    }
    for (const auto& t : mesh.triangles) {
      std::snprintf(line, sizeof line, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
      text += line;
    }
    return text;
  }
};

}  // namespace throng::import
