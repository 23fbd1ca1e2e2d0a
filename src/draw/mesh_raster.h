// Triangles onto a grid of samples, without perspective: which triangle is seen at each sample, and how near it is.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "throng/draw.h"
#include "throng/mesh.h"

#include "base/parallel.h"

namespace throng::draw {

inline Point3 operator+(const Point3& a, const Point3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point3 operator-(const Point3& a, const Point3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point3 operator*(const Point3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(const Point3& a, const Point3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point3 cross(const Point3& a, const Point3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Point3& a) { return std::sqrt(dot(a, a)); }

struct Box {
  Point3 min, max;
};
/// Around all triangles whose corners are numbers; nothing when there is none.
std::optional<Box> boundsOf(const Mesh& mesh);

/// A parallel projection: unit vectors to the right, up on the picture, and towards the viewer.
struct Projection {
  Point3 right{1, 0, 0}, up{0, 1, 0}, towards{0, 0, 1};
  Point3 centre;  ///< depths are counted from here, so that they stay small far from the origin

  /// m on the picture's plane.
  Point plane(const Point3& p) const { return {dot(right, p), dot(up, p)}; }
  /// m; larger is nearer.
  double depth(const Point3& p) const { return dot(towards, p - centre); }
  /// The place with this plane() and depth().
  Point3 place(Point on_plane, double depth_there) const {
    const Point middle = plane(centre);
    return centre + right * (on_plane.x - middle.x) + up * (on_plane.y - middle.y) + towards * depth_there;
  }
};
/// A unit vector to where the angles point: 0 is east, 90 north; elevation above the horizon. Degrees.
Point3 directionOf(double azimuth, double elevation);
Projection fromAbove(const Point3& centre);
Projection obliquely(const Oblique& view, const Point3& centre);

/// From places to samples: x to the right, y down; sample (i, j) is at (i + 0.5, j + 0.5).
struct Screen {
  Projection projection;
  double scale = 1;  ///< samples per m
  Point origin;      ///< where plane() is (0, 0)
  int width = 0, height = 0;

  Point toScreen(const Point3& p) const {
    const Point at = projection.plane(p);
    return {origin.x + at.x * scale, origin.y - at.y * scale};
  }
  Point3 place(Point at, double depth) const {
    return projection.place({(at.x - origin.x) / scale, (origin.y - at.y) / scale}, depth);
  }
};

inline constexpr float kNoDepth = -std::numeric_limits<float>::infinity();
inline constexpr std::uint32_t kNoTriangle = std::numeric_limits<std::uint32_t>::max();

/// Rows of samples.
struct Samples {
  int first_row = 0, rows = 0, width = 0;
  std::vector<float> depth;             ///< m; kNoDepth where there is nothing
  std::vector<std::uint32_t> triangle;  ///< kNoTriangle where there is nothing
};

/// The triangles of a mesh on a screen, sorted into bands of rows that can be drawn independently. The nearest triangle
/// wins, among equally near ones the first. Triangles that share an edge leave no gap and share no sample. Triangles
/// with corners that are not numbers, or that do not exist, are left out.
class Rasteriser {
 public:
  Rasteriser(const Mesh& mesh, const Screen& screen, int band_rows, const base::Threads& threads);

  std::size_t bandCount() const { return band_begin_.size() - 1; }
  /// Fills `samples` with band `band`.
  void draw(std::size_t band, Samples& samples) const;

 private:
  struct Corner {
    double x, y;
  };
  /// Corners from the top down, those of one height from left to right: an edge has the same ends, in the same order,
  /// for both its triangles.
  struct Piece {
    Corner corner[3];
    double depth, depth_x, depth_y;  ///< at corner 0, and per sample
    float nearest, farthest;
    std::uint32_t triangle;
  };
  bool project(std::size_t triangle, Piece& piece) const;
  static void drawPiece(const Piece& piece, Samples& samples);

  const Mesh& mesh_;
  Screen screen_;
  int band_rows_;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> band_begin_;
  std::vector<std::uint32_t> band_pieces_;
};

}  // namespace throng::draw
