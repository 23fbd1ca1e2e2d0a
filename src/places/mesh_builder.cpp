#include "places/mesh_builder.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "places/generate.h"

namespace throng::places {

std::size_t MeshBuilder::PlaceHash::operator()(const Place& p) const {
  const auto part = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
  return base::mix(part(p.x) * 0x9e3779b97f4a7c15u ^ base::mix(part(p.y) * 0xc2b2ae3d27d4eb4fu ^ part(p.z)));
}

std::uint32_t MeshBuilder::vertex(const Place& place) {
  const auto [found, added] = known_.try_emplace(place, static_cast<std::uint32_t>(mesh_.vertices.size()));
  if (added) {
    mesh_.vertices.push_back({static_cast<double>(place.x) / 1000, static_cast<double>(place.y) / 1000,
                              static_cast<double>(place.z) / 1000});
  }
  return found->second;
}

std::uint32_t MeshBuilder::material(const std::string& name, std::uint32_t rgb) {
  const auto same = [&](const Mesh::Material& m) { return m.name == name; };
  const auto found = std::find_if(mesh_.materials.begin(), mesh_.materials.end(), same);
  const auto number = static_cast<std::uint32_t>(found - mesh_.materials.begin());
  if (found == mesh_.materials.end()) mesh_.materials.push_back({name, rgb});
  return number;
}

void MeshBuilder::object(const std::string& name) {
  const auto found = std::find(mesh_.objects.begin(), mesh_.objects.end(), name);
  object_ = static_cast<std::uint32_t>(found - mesh_.objects.begin());
  if (found == mesh_.objects.end()) mesh_.objects.push_back(name);
}

void MeshBuilder::triangle(Point3 a, Point3 b, Point3 c, std::uint32_t material) {
  const auto whole = [](double v) { return static_cast<std::int64_t>(std::floor(v * 1000 + 0.5)); };
  const auto rounded = [&](const Point3& p) { return Place{whole(p.x), whole(p.y), whole(p.z)}; };
  const Place p = rounded(a), q = rounded(b), r = rounded(c);
  const Place u{q.x - p.x, q.y - p.y, q.z - p.z}, v{r.x - p.x, r.y - p.y, r.z - p.z};
  if (u.x * v.y == u.y * v.x && u.y * v.z == u.z * v.y && u.z * v.x == u.x * v.z) return;
  mesh_.triangles.push_back({vertex(p), vertex(q), vertex(r)});
  mesh_.material.push_back(material);
  mesh_.object.push_back(object_);
}

void MeshBuilder::quad(Point3 a, Point3 b, Point3 c, Point3 d, std::uint32_t material) {
  triangle(a, b, c, material);
  triangle(a, c, d, material);
}

void MeshBuilder::strip(const std::vector<Point3>& left, const std::vector<Point3>& right, std::uint32_t material) {
  // Always on along the line that has gone the shorter part of its way.
  std::size_t i = 0, j = 0;
  while (i + 1 < left.size() || j + 1 < right.size()) {
    const bool on_left =
        j + 1 == right.size() || (i + 1 < left.size() && (i + 1) * (right.size() - 1) <= (j + 1) * (left.size() - 1));
    if (on_left) {
      triangle(left[i], right[j], left[i + 1], material);
      ++i;
    } else {
      triangle(left[i], right[j], right[j + 1], material);
      ++j;
    }
  }
}

void MeshBuilder::wall(Point a, Point b, double low, double high, std::uint32_t material) {
  quad(above(a, low), above(b, low), above(b, high), above(a, high), material);
}

void MeshBuilder::fan(const Ring& ring, double z, std::uint32_t material, bool up) {
  const Point middle = middleOf(ring);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    triangle(above(middle, z), above(up ? a : b, z), above(up ? b : a, z), material);
  }
}

void MeshBuilder::prism(const Ring& ring, double low, double high, std::uint32_t sides, std::uint32_t lid) {
  for (std::size_t i = 0; i < ring.size(); ++i) wall(ring[i], ring[(i + 1) % ring.size()], low, high, sides);
  if (ring.size() == 4) {
    quad(above(ring[0], high), above(ring[1], high), above(ring[2], high), above(ring[3], high), lid);
  } else {
    for (std::size_t i = 2; i < ring.size(); ++i) {
      triangle(above(ring[0], high), above(ring[i - 1], high), above(ring[i], high), lid);
    }
  }
}

void MeshBuilder::cone(const Ring& ring, double low, double high, std::uint32_t material) {
  const Point3 top = above(middleOf(ring), high);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    triangle(above(ring[i], low), above(ring[(i + 1) % ring.size()], low), top, material);
  }
}

void MeshBuilder::box(Point middle, Point along, double half_length, double half_width, double low, double high,
                      std::uint32_t sides, std::uint32_t lid) {
  const Point u = along * half_length, v = perpendicular(along) * half_width;
  prism({middle - u - v, middle + u - v, middle + u + v, middle - u + v}, low, high, sides, lid);
}

}  // namespace throng::places
