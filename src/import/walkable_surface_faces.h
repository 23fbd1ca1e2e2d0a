// The triangles of a mesh as walking sees them: ground, other things with an extent in plan, and upright sheets.
#pragma once

#include <vector>

#include "throng/mesh.h"

#include "import/walkable_surface_plan.h"

namespace throng::import {

/// Height over a place in plan.
struct Plane {
  Point origin;
  double z = 0, dx = 0, dy = 0;
  double at(Point p) const { return z + dx * (p.x - origin.x) + dy * (p.y - origin.y); }
};

struct Face {
  enum class Kind : std::uint8_t {
    kNothing,     ///< no triangle: all in one place or on one line
    kGround,      ///< flat enough to walk on
    kUnwalkable,  ///< flat enough, of a material nobody walks on
    kSolid,       ///< steep
    kSheet        ///< upright: nothing but a line in plan
  };
  std::array<Spot, 3> corner;  ///< in plan, counter-clockwise (a sheet's as they come)
  std::array<double, 3> z{};   ///< m, at the corners
  Plane plane;                 ///< a sheet has none
  double low = 0, high = 0;    ///< m, of the corners
  Kind kind = Kind::kNothing;

  bool flat() const { return kind == Kind::kGround || kind == Kind::kUnwalkable; }
  bool hasPlane() const { return flat() || kind == Kind::kSolid; }
  SpotBox box() const { return boxOf(corner); }
  /// Steep ground is steep enough that a hair's breadth aside it would be far above or below itself.
  double heightAt(Point p) const { return std::clamp(plane.at(p), low, high); }
};

/// The line a sheet is in plan, and how it stands on it.
struct Upright {
  Spot a, b;
  Point from, along;             ///< m; along is a unit vector
  double length = 0;             ///< m
  std::array<double, 3> s{}, z;  ///< of the corners: m along the line, m of height

  Upright(const Face& sheet, const PlanGrid& grid);
  /// Lowest and highest height at s metres along the line; the first is above the second where it has none.
  std::pair<double, double> extentAt(double at) const;
};

/// A length in whole numbers of the grid that stands for `metres`, at least one.
inline std::int32_t spots(double metres, const PlanGrid& grid) {
  return std::max(1, static_cast<std::int32_t>(metres / grid.spacing));
}

/// Lengths below which there is no telling what a modeller meant, m.
inline constexpr double kSamePlace = 0.002;  ///< corners nearer than this in plan are one
inline constexpr double kThin = 0.003;       ///< what is narrower than this in plan has no width
inline constexpr double kSameHeight = 1e-4;  ///< what exceeds a height by less does not exceed it

struct Faces {
  PlanGrid grid;
  std::vector<Face> faces;  ///< one for each triangle of the mesh
  BoxIndex index;
  std::vector<std::uint32_t> ground;  ///< faces that are ground

  /// Throws InputError for a mesh that makes no sense.
  Faces(const Mesh& mesh, const Walkability& walkability);

 private:
  void chooseGrid(const Mesh& mesh);
  std::vector<Spot> places(const Mesh& mesh) const;
  Face face(const Mesh& mesh, std::size_t triangle, const std::vector<Spot>& places, double least_up,
            bool unwalkable) const;
};

}  // namespace throng::import
