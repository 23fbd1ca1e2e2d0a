// Meshes put together from rectangles and boxes, and what the tests of surfaces have in common.
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "throng/mesh.h"

namespace throng::import {

inline void quad(Mesh& m, Point3 a, Point3 b, Point3 c, Point3 d) {
  const auto n = static_cast<std::uint32_t>(m.vertices.size());
  m.vertices.insert(m.vertices.end(), {a, b, c, d});
  m.triangles.push_back({n, n + 1, n + 2});
  m.triangles.push_back({n, n + 2, n + 3});
}

inline void plate(Mesh& m, double x0, double y0, double x1, double y1, double z) {
  quad(m, {x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z});
}

/// An upright rectangle on a line.
inline void sheet(Mesh& m, Point a, Point b, double z0, double z1) {
  quad(m, {a.x, a.y, z0}, {b.x, b.y, z0}, {b.x, b.y, z1}, {a.x, a.y, z1});
}

inline void box(Mesh& m, Point3 low, Point3 high) {
  plate(m, low.x, low.y, high.x, high.y, low.z);
  plate(m, low.x, low.y, high.x, high.y, high.z);
  sheet(m, {low.x, low.y}, {high.x, low.y}, low.z, high.z);
  sheet(m, {high.x, low.y}, {high.x, high.y}, low.z, high.z);
  sheet(m, {high.x, high.y}, {low.x, high.y}, low.z, high.z);
  sheet(m, {low.x, high.y}, {low.x, low.y}, low.z, high.z);
}

/// From x0 at height z0 to x1 at height z1.
inline void ramp(Mesh& m, double x0, double x1, double y0, double y1, double z0, double z1) {
  quad(m, {x0, y0, z0}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z0});
}

/// A street with a bridge over it: thin ramps up to a deck at 3 m, 0.2 m thick.
inline Mesh bridge() {
  Mesh m;
  plate(m, -20, -10, 20, 10, 0);
  ramp(m, -14, -4, -1.5, 1.5, 0, 3);
  box(m, {-4, -1.5, 2.8}, {4, 1.5, 3});
  ramp(m, 4, 14, -1.5, 1.5, 3, 0);
  return m;
}

/// A ramp that winds up around the origin, between 3 and 5 m from it, 3 m per turn.
inline Mesh spiral(int turns) {
  Mesh m;
  constexpr int kParts = 24;
  const auto at = [](int i, double radius) {
    const double angle = 2 * 3.14159265358979323846 * i / kParts;
    return Point3{radius * std::cos(angle), radius * std::sin(angle), 3.0 * i / kParts};
  };
  for (int i = 0; i < turns * kParts; ++i) quad(m, at(i, 3), at(i, 5), at(i + 1, 5), at(i + 1, 3));
  return m;
}

inline std::filesystem::path dataFolder() {
  if (const char* given = std::getenv("THRONG_DATA")) return given;
  return std::filesystem::path(THRONG_SOURCE_DIR).parent_path() / "shared" / "data";
}

/// Corners and faces of an OBJ file whose y points up; empty when there is no such file.
inline Mesh readObj(const std::filesystem::path& path) {
  Mesh m;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "v") {
      double x, y, z;
      in >> x >> y >> z;
      m.vertices.push_back({x, -z, y});
    } else if (word == "f") {
      std::vector<std::uint32_t> corners;
      while (in >> word) corners.push_back(static_cast<std::uint32_t>(std::stoul(word)) - 1);
      for (std::size_t i = 2; i < corners.size(); ++i) m.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    }
  }
  return m;
}

}  // namespace throng::import
