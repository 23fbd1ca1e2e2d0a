// Puts a mesh together from simple pieces. Every corner is rounded to whole millimetres and shared by all who use it,
// so that pieces that meet have no cracks between them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "throng/mesh.h"

namespace throng::places {

class MeshBuilder {
 public:
  /// The number of a material; the same name gives the same number.
  std::uint32_t material(const std::string& name, std::uint32_t rgb);
  /// What follows belongs to this part.
  void object(const std::string& name);
  std::size_t size() const { return mesh_.triangles.size(); }

  /// Left out when it has no area.
  void triangle(Point3 a, Point3 b, Point3 c, std::uint32_t material);
  /// Corners in turn.
  void quad(Point3 a, Point3 b, Point3 c, Point3 d, std::uint32_t material);
  /// The surface between two lines that run the same way, seen from the side where `right` is to the right.
  void strip(const std::vector<Point3>& left, const std::vector<Point3>& right, std::uint32_t material);
  /// A wall above the line from a to b, outside to its right.
  void wall(Point a, Point b, double low, double high, std::uint32_t material);
  /// Flat, of a ring that is star-shaped around its middle.
  void fan(const Ring& ring, double z, std::uint32_t material, bool up = true);
  /// Walls of a counter-clockwise ring, and a lid.
  void prism(const Ring& ring, double low, double high, std::uint32_t sides, std::uint32_t lid);
  /// From a counter-clockwise ring to a point above its middle.
  void cone(const Ring& ring, double low, double high, std::uint32_t material);
  void box(Point middle, Point along, double half_length, double half_width, double low, double high,
           std::uint32_t sides, std::uint32_t lid);

  Mesh take() { return std::move(mesh_); }

 private:
  struct Place {
    std::int64_t x, y, z;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& p) const;
  };
  std::uint32_t vertex(const Place& place);

  Mesh mesh_;
  std::uint32_t object_ = 0;
  std::unordered_map<Place, std::uint32_t, PlaceHash> known_;
};

inline Point3 above(Point p, double z) { return {p.x, p.y, z}; }
inline Point inPlan(const Point3& p) { return {p.x, p.y}; }

}  // namespace throng::places
