#include "import/walkable_surface_faces.h"

#include <cmath>
#include <fmt/format.h>

#include "base/math.h"
#include "geometry/boxes.h"

namespace throng::import {
namespace {

void check(const Mesh& mesh, const Walkability& w) {
  const auto fail = [](const std::string& what) { throw InputError(what); };
  if (!(w.max_slope >= 0 && w.max_slope < 90))
    fail(fmt::format("max_slope is {} degrees; allowed: from 0 to less than 90", w.max_slope));
  if (!(w.step_height >= 0 && w.step_height < w.body_height))
    fail(fmt::format("step_height is {} m; allowed: from 0 to less than body_height, which is {} m", w.step_height,
                     w.body_height));
  if (!(w.body_height <= 1000)) fail(fmt::format("body_height is {} m; allowed: up to 1000", w.body_height));
  constexpr double kFarthest = 1e7;  // m
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Point3& v = mesh.vertices[i];
    if (!(std::abs(v.x) <= kFarthest && std::abs(v.y) <= kFarthest && std::abs(v.z) <= kFarthest))
      fail(fmt::format("vertex {} of the mesh lies at ({}, {}, {}); allowed: up to {:.0f} m from the origin", i, v.x,
                       v.y, v.z, kFarthest));
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const std::uint32_t corner : mesh.triangles[i])
      if (corner >= mesh.vertices.size())
        fail(fmt::format("triangle {} of the mesh has vertex {}; there are {}", i, corner, mesh.vertices.size()));
  if (!mesh.material.empty() && mesh.material.size() != mesh.triangles.size())
    fail(
        fmt::format("the mesh has materials for {} triangles; it has {}", mesh.material.size(), mesh.triangles.size()));
}

/// The plane through three places; nothing sensible for places on one line.
Plane planeThrough(const std::array<Point, 3>& p, const std::array<double, 3>& z) {
  const Point u = p[1] - p[0], v = p[2] - p[0];
  const double area = det(u, v), a = z[1] - z[0], b = z[2] - z[0];
  return {p[0], z[0], (a * v.y - b * u.y) / area, (b * u.x - a * v.x) / area};
}

/// Twice the area over the longest side, in spacings of the grid.
double widthOf(const std::array<Spot, 3>& c) {
  double longest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double dx = double(c[(i + 1) % 3].x) - c[i].x, dy = double(c[(i + 1) % 3].y) - c[i].y;
    longest = std::max(longest, dx * dx + dy * dy);
  }
  return longest > 0 ? std::abs(static_cast<double>(cross(c[0], c[1], c[2]))) / std::sqrt(longest) : 0;
}

}  // namespace

Upright::Upright(const Face& sheet, const PlanGrid& grid) : z(sheet.z) {
  double longest = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const Spot p = sheet.corner[i], q = sheet.corner[(i + 1) % 3];
    const double dx = double(q.x) - p.x, dy = double(q.y) - p.y;
    if (dx * dx + dy * dy <= longest) continue;
    longest = dx * dx + dy * dy;
    a = std::min(p, q), b = std::max(p, q);
  }
  from = grid.point(a);
  length = throng::length(grid.point(b) - from);
  along = normalized(grid.point(b) - from);
  for (std::size_t i = 0; i < 3; ++i) s[i] = dot(grid.point(sheet.corner[i]) - from, along);
}

std::pair<double, double> Upright::extentAt(double at) const {
  double low = 1e300, high = -1e300;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (at < std::min(s[i], s[j]) || at > std::max(s[i], s[j])) continue;
    const double there = s[i] == s[j] ? z[j] : z[i] + (z[j] - z[i]) * ((at - s[i]) / (s[j] - s[i]));
    low = std::min({low, there, s[i] == s[j] ? z[i] : there});
    high = std::max({high, there, s[i] == s[j] ? z[i] : there});
  }
  return {low, high};
}

void Faces::chooseGrid(const Mesh& mesh) {
  Rectangle all = geometry::kEmptyBox;
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) {
      const Point3& v = mesh.vertices[corner];
      geometry::include(all, Point{v.x, v.y});
    }
  if (mesh.triangles.empty()) throw InputError("the mesh has no triangles, so there is nothing to walk on");
  // Kept on whole numbers, so that coordinates that are multiples of the spacing stay what they are.
  grid.origin = {std::round((all.min.x + all.max.x) / 2), std::round((all.min.y + all.max.y) / 2)};
  const double reach = std::max(all.max.x - all.min.x, all.max.y - all.min.y) / 2 + 2;
  while (reach / grid.spacing > 0.99 * kReach) grid.spacing *= 2;
  constexpr double kCoarsest = 0x1p-8;  // m
  if (grid.spacing > kCoarsest)
    throw InputError(
        fmt::format("the mesh is {:.4g} m wide; allowed: up to {:.4g} m", 2 * reach, 2 * kCoarsest * kReach));
}

/// Vertices on the grid. Those that are almost in one place in plan become one, the first of them: that closes cracks.
std::vector<Spot> Faces::places(const Mesh& mesh) const {
  const std::int32_t same = spots(kSamePlace, grid);
  std::vector<Spot> place(mesh.vertices.size());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(place.size());
  const auto squareOf = [&](Spot s, int dx, int dy) {
    const auto whole = [&](std::int32_t v) {
      return static_cast<std::uint64_t>((std::int64_t{v} + (std::int64_t{1} << 29)) / (2 * same));
    };
    return (whole(s.y) + static_cast<std::uint64_t>(dy)) << 32 | (whole(s.x) + static_cast<std::uint64_t>(dx));
  };
  for (std::uint32_t i = 0; i < place.size(); ++i) {
    place[i] = grid.round({mesh.vertices[i].x, mesh.vertices[i].y});
    order[i] = {squareOf(place[i], 0, 0), i};
  }
  std::sort(order.begin(), order.end());
  std::vector<Spot> result = place;
  std::vector<bool> kept(place.size(), false);
  for (std::uint32_t i = 0; i < place.size(); ++i) {
    std::uint32_t best = kNone;
    for (int dy = -1; dy <= 1 && best == kNone; ++dy)
      for (int dx = -1; dx <= 1 && best == kNone; ++dx) {
        const std::uint64_t square = squareOf(place[i], dx, dy);
        auto k = std::lower_bound(order.begin(), order.end(), std::pair(square, std::uint32_t{0}));
        for (; k != order.end() && k->first == square && k->second < i; ++k) {
          if (!kept[k->second]) continue;
          const std::int64_t x = place[k->second].x - place[i].x, y = place[k->second].y - place[i].y;
          if (x * x + y * y > std::int64_t{same} * same) continue;
          best = k->second;
          break;
        }
      }
    kept[i] = best == kNone;
    if (best != kNone) result[i] = place[best];
  }
  return result;
}

Face Faces::face(const Mesh& mesh, std::size_t triangle, const std::vector<Spot>& places, double least_up,
                 bool unwalkable) const {
  Face face;
  std::array<Point3, 3> at = mesh.corners(triangle);
  for (std::size_t i = 0; i < 3; ++i) face.corner[i] = places[mesh.triangles[triangle][i]];
  const Point3 u{at[1].x - at[0].x, at[1].y - at[0].y, at[1].z - at[0].z};
  const Point3 v{at[2].x - at[0].x, at[2].y - at[0].y, at[2].z - at[0].z};
  const double nx = u.y * v.z - u.z * v.y, ny = u.z * v.x - u.x * v.z, nz = u.x * v.y - u.y * v.x;
  const double size = std::sqrt(nx * nx + ny * ny + nz * nz);
  constexpr double kNoArea = 1e-10;  // m²
  if (!(size > kNoArea)) return face;
  const std::int64_t area = cross(face.corner[0], face.corner[1], face.corner[2]);
  if (area < 0) std::swap(face.corner[1], face.corner[2]), std::swap(at[1], at[2]);
  face.z = {at[0].z, at[1].z, at[2].z};
  face.low = std::min({at[0].z, at[1].z, at[2].z}), face.high = std::max({at[0].z, at[1].z, at[2].z});
  const bool flat = std::abs(nz) >= least_up * size;
  if (area == 0 || (!flat && widthOf(face.corner) < kThin / grid.spacing)) {
    face.kind = Face::Kind::kSheet;
    return face;
  }
  face.kind = !flat ? Face::Kind::kSolid : unwalkable ? Face::Kind::kUnwalkable : Face::Kind::kGround;
  // Through the corners as they are in plan now, so that neighbours meet at the same height; unless the rounding has
  // tilted a small triangle.
  face.plane = planeThrough({Point{at[0].x, at[0].y}, {at[1].x, at[1].y}, {at[2].x, at[2].y}}, face.z);
  const Plane rounded =
      planeThrough({grid.point(face.corner[0]), grid.point(face.corner[1]), grid.point(face.corner[2])}, face.z);
  constexpr double kTilt = 0.02;
  if (std::abs(rounded.dx - face.plane.dx) + std::abs(rounded.dy - face.plane.dy) < kTilt) face.plane = rounded;
  return face;
}

Faces::Faces(const Mesh& mesh, const Walkability& walkability) {
  check(mesh, walkability);
  chooseGrid(mesh);
  double sine, least_up;
  base::sinCos(walkability.max_slope * base::kPi / 180, sine, least_up);
  least_up -= 1e-6;
  std::vector<bool> unwalkable(mesh.materials.size(), false);
  for (std::size_t m = 0; m < mesh.materials.size(); ++m)
    unwalkable[m] = std::find(walkability.unwalkable_materials.begin(), walkability.unwalkable_materials.end(),
                              mesh.materials[m].name) != walkability.unwalkable_materials.end();
  const std::vector<Spot> plan = places(mesh);
  faces.reserve(mesh.triangles.size());
  std::vector<SpotBox> boxes;
  boxes.reserve(mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const bool forbidden =
        !mesh.material.empty() && mesh.material[i] < unwalkable.size() && unwalkable[mesh.material[i]];
    faces.push_back(face(mesh, i, plan, least_up, forbidden));
    boxes.push_back(faces.back().box());
    if (faces.back().kind == Face::Kind::kGround) ground.push_back(static_cast<std::uint32_t>(i));
  }
  index = BoxIndex(std::move(boxes));
}

}  // namespace throng::import
