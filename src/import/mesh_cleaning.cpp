#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "import/mesh_reader.h"

namespace throng::import {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;
/// m. What is farther away is a mistake, and its squares would leave the range of numbers.
constexpr double kFarthestCoordinate = 1e12;
/// Height of a triangle over its longest side, in parts of that side, up to which it counts as a line: a hundredth of
/// what 32-bit coordinates resolve.
constexpr double kFlat = 1e-9;

bool isPlace(const Point3& p) {
  return std::abs(p.x) <= kFarthestCoordinate && std::abs(p.y) <= kFarthestCoordinate &&
         std::abs(p.z) <= kFarthestCoordinate;
}

Point3 minus(const Point3& a, const Point3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double squared(const Point3& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

bool hasNoArea(const std::array<Point3, 3>& t) {
  const Point3 u = minus(t[1], t[0]), v = minus(t[2], t[0]);
  const Point3 cross{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const double longest = std::max({squared(u), squared(v), squared(minus(t[2], t[1]))});
  return squared(cross) <= kFlat * kFlat * longest * longest;
}

std::uint64_t hashOf(const Point3& p) {
  std::uint64_t h = 0;
  for (const double value : {p.x, p.y, p.z}) {
    h = (h ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 29;
  }
  return h;
}

/// For every vertex the first one at the same place, and kNowhere for those that are no place.
std::vector<std::uint32_t> firstAtSamePlace(std::vector<Point3>& vertices, std::size_t& merged) {
  const std::size_t slots = std::bit_ceil(2 * vertices.size() + 1);
  std::vector<std::uint32_t> table(slots, kNowhere), first(vertices.size(), kNowhere);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    Point3& p = vertices[v];
    if (!isPlace(p)) continue;
    p = {p.x + 0.0, p.y + 0.0, p.z + 0.0};  // -0 is 0
    std::size_t slot = hashOf(p) & (slots - 1);
    while (table[slot] != kNowhere && !(vertices[table[slot]] == p)) slot = (slot + 1) & (slots - 1);
    if (table[slot] == kNowhere) {
      table[slot] = static_cast<std::uint32_t>(v);
    } else {
      ++merged;
    }
    first[v] = table[slot];
  }
  return first;
}

/// True for every triangle whose three corners an earlier one has too, in any order.
std::vector<bool> copies(const std::vector<Mesh::Corners>& triangles) {
  struct Key {
    Mesh::Corners corners;
    std::uint32_t triangle;
    bool operator<(const Key& b) const { return corners != b.corners ? corners < b.corners : triangle < b.triangle; }
  };
  std::vector<Key> keys(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    keys[t] = {triangles[t], static_cast<std::uint32_t>(t)};
    std::sort(keys[t].corners.begin(), keys[t].corners.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<bool> copy(triangles.size(), false);
  for (std::size_t k = 1; k < keys.size(); ++k) copy[keys[k].triangle] = keys[k].corners == keys[k - 1].corners;
  return copy;
}

std::size_t countOpenEdges(const std::vector<Mesh::Corners>& triangles) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * triangles.size());
  for (const Mesh::Corners& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [a, b] = std::minmax(t[i], t[(i + 1) % 3]);
      edges.push_back(std::uint64_t{a} << 32 | b);
    }
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    if (end == i + 1) ++open;
    i = end;
  }
  return open;
}

/// Keeps the triangles that `keep` says, with their materials and objects.
template <class Keep>
void filter(Mesh& mesh, const Keep& keep) {
  const bool with_material = !mesh.material.empty(), with_object = !mesh.object.empty();
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!keep(t)) continue;
    mesh.triangles[kept] = mesh.triangles[t];
    if (with_material) mesh.material[kept] = mesh.material[t];
    if (with_object) mesh.object[kept] = mesh.object[t];
    ++kept;
  }
  mesh.triangles.resize(kept);
  if (with_material) mesh.material.resize(kept);
  if (with_object) mesh.object.resize(kept);
}

void dropUnusedVertices(Mesh& mesh) {
  std::vector<std::uint32_t> place(mesh.vertices.size(), kNowhere);
  for (const Mesh::Corners& t : mesh.triangles)
    for (const std::uint32_t v : t) place[v] = 0;
  std::uint32_t next = 0;
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (place[v] == kNowhere) continue;
    mesh.vertices[next] = mesh.vertices[v];
    place[v] = next++;
  }
  mesh.vertices.resize(next);
  mesh.vertices.shrink_to_fit();
  for (Mesh::Corners& t : mesh.triangles)
    for (std::uint32_t& v : t) v = place[v];
}

}  // namespace

MeshRepairs clean(Mesh& mesh) {
  MeshRepairs repairs;
  repairs.read = mesh.triangles.size();
  // A list that does not have one entry per triangle says nothing about any.
  if (mesh.material.size() != mesh.triangles.size()) mesh.material.clear();
  if (mesh.object.size() != mesh.triangles.size()) mesh.object.clear();
  const std::vector<std::uint32_t> first = firstAtSamePlace(mesh.vertices, repairs.merged_vertices);
  filter(mesh, [&](std::size_t t) {
    Mesh::Corners& corners = mesh.triangles[t];
    bool finite = true;
    for (const std::uint32_t v : corners) {
      if (v >= first.size()) {
        ++repairs.out_of_range;
        return false;
      }
      finite = finite && first[v] != kNowhere;
    }
    if (!finite) {
      ++repairs.not_finite;
      return false;
    }
    for (std::uint32_t& v : corners) v = first[v];
    const bool degenerate = hasNoArea(mesh.corners(t));
    repairs.degenerate += degenerate ? 1 : 0;
    return !degenerate;
  });
  const std::vector<bool> copy = copies(mesh.triangles);
  repairs.duplicate = static_cast<std::size_t>(std::count(copy.begin(), copy.end(), true));
  filter(mesh, [&](std::size_t t) { return !copy[t]; });
  dropUnusedVertices(mesh);
  repairs.open_edges = countOpenEdges(mesh.triangles);
  return repairs;
}

}  // namespace throng::import
