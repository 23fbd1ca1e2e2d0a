#include "import/polygon_triangles.h"

#include <cmath>
#include <cstddef>

namespace throng::import {
namespace {

/// Twice the area vector, by Newell's sum: stable for polygons that are not quite flat.
Point3 areaVector(std::span<const Point3> corners) {
  Point3 sum;
  const Point3 o = corners[0];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Point3 a{corners[i].x - o.x, corners[i].y - o.y, corners[i].z - o.z};
    const Point3 b{corners[i + 1].x - o.x, corners[i + 1].y - o.y, corners[i + 1].z - o.z};
    sum.x += a.y * b.z - a.z * b.y;
    sum.y += a.z * b.x - a.x * b.z;
    sum.z += a.x * b.y - a.y * b.x;
  }
  return sum;
}

/// Seen along the axis that the polygon faces most, counter-clockwise.
void flatten(std::span<const Point3> corners, std::vector<Point>& flat) {
  const Point3 n = areaVector(corners);
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  flat.clear();
  for (const Point3& p : corners) {
    if (z >= x && z >= y) {
      flat.push_back(n.z >= 0 ? Point{p.x, p.y} : Point{p.y, p.x});
    } else if (y >= x) {
      flat.push_back(n.y >= 0 ? Point{p.z, p.x} : Point{p.x, p.z});
    } else {
      flat.push_back(n.x >= 0 ? Point{p.y, p.z} : Point{p.z, p.y});
    }
  }
}

double turn(Point a, Point b, Point c) { return det(b - a, c - a); }

/// Whether the corner at `at` of the ring sticks out and no other corner lies in the triangle that it would take away.
bool isEar(const std::vector<Point>& flat, const std::vector<std::uint32_t>& ring, std::size_t at) {
  const std::size_t n = ring.size();
  const Point a = flat[ring[(at + n - 1) % n]], b = flat[ring[at]], c = flat[ring[(at + 1) % n]];
  if (!(turn(a, b, c) > 0)) return false;
  for (std::size_t k = 2; k + 1 < n; ++k) {
    const Point p = flat[ring[(at + k) % n]];
    if (p == a || p == b || p == c) continue;
    if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
  }
  return true;
}

}  // namespace

void cutIntoTriangles(std::span<const Point3> corners, PolygonScratch& scratch,
                      std::vector<std::array<std::uint32_t, 3>>& triangles) {
  triangles.clear();
  if (corners.size() < 3) return;
  flatten(corners, scratch.flat);
  auto& ring = scratch.ring;
  ring.clear();
  for (std::uint32_t i = 0; i < corners.size(); ++i) ring.push_back(i);
  // From the second corner on, so that what is convex becomes a fan around the first one, as most programs cut it.
  std::size_t at = 1, tried = 0;
  while (ring.size() > 3) {
    if (tried < ring.size() && !isEar(scratch.flat, ring, at)) {
      at = (at + 1) % ring.size();
      ++tried;
      continue;
    }
    const std::size_t n = ring.size();
    triangles.push_back({ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(at));
    at %= ring.size();
    tried = 0;
  }
  triangles.push_back({ring[0], ring[1], ring[2]});
}

}  // namespace throng::import
