// The model of a scene behind a picture: from above under everything else, or obliquely with figures on it.
#pragma once

#include <optional>

#include "throng/draw.h"

#include "draw/mesh_people.h"
#include "draw/mesh_render.h"

namespace throng::draw {

/// From above, or as the settings ask.
Projection projectionOf(const Mesh& mesh, const DrawSettings& settings);
/// On the plane of that projection: around the part that the settings ask for, or around everything. The mesh has at
/// least one triangle.
Rectangle modelView(const Mesh& mesh, const DrawSettings& settings);

class Model {
 public:
  /// `page` maps the projection's plane.
  Model(const Mesh& mesh, const DrawSettings& settings, const PageTransform& page, double unit);
  // The figures look at the image.
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const MeshImage& image() const { return image_; }
  void paint(Canvas& canvas) const;
  /// With figures. Oblique pictures only.
  void paint(Canvas& canvas, const Moment& moment, const Colouring& colouring);
  /// From above: true for somebody under a roof, a bridge or an arcade.
  bool covers(const Person& person) const;

 private:
  MeshImage image_;
  std::optional<Figures> figures_;
  Raster picture_;
};

}  // namespace throng::draw
