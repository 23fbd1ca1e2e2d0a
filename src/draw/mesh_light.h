// Light on a model: a sun that throws shadows, and a sky.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "draw/colour_map.h"
#include "draw/mesh_raster.h"

namespace throng::draw {

/// Red, green and blue in proportion to light.
using Light = std::array<float, 3>;
Light toLight(unsigned rgb);
/// 0xRRGGBB of light up to 1, brighter light as white.
unsigned fromLight(const Light& light);

/// Towards the sun, a unit vector. It stands to the upper left of the picture, as on maps; in oblique pictures a little
/// behind the viewer, so that one of two walls that meet is in the sun.
Point3 sunOf(const Projection& projection);

/// What the sun sees of a model.
class ShadowMap {
 public:
  /// `lit`: where shadows are looked for. Whatever lies between there and the sun throws them.
  ShadowMap(const Mesh& mesh, const Point3& sun, const std::vector<Point3>& lit, int most_texels,
            const base::Threads& threads);

  const Screen& screen() const { return screen_; }
  double texel() const { return 1 / screen_.scale; }  ///< m
  /// The share of the sun that is seen, softly, at a place in texels, y down, and a depth in m.
  float sunlight(float x, float y, float depth) const;
  float sunlight(const Point3& p) const;

 private:
  Screen screen_;
  std::vector<float> depth_;
};

/// How much light falls on a surface with this normal from the sky and from the ground around it; the sun's share is
/// apart.
Light skyOn(const Point3& normal);
Light sunOn(const Point3& normal, const Point3& sun);

}  // namespace throng::draw
