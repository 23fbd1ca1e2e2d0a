// A model as a picture, with light and shadows, from above or obliquely.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "draw/canvas.h"
#include "draw/mesh_light.h"
#include "draw/mesh_raster.h"

namespace throng::draw {

/// A model, drawn where the panel of a page is.
struct MeshImage {
  int left = 0, top = 0;  ///< px on the page
  Raster raster;          ///< transparent where there is nothing
  /// m, of each pixel: the nearest thing in it; kNoDepth where there is nothing.
  std::vector<float> depth;
  Screen screen;  ///< samples are the pixels of the raster
  Point3 sun;
  std::shared_ptr<const ShadowMap> shadows;  ///< none when nothing is seen

  float depthAt(int x, int y) const {
    return depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width) + static_cast<std::size_t>(x)];
  }
};

/// `page` maps the projection's plane (the plan itself, from above) to the page. The same bytes on any number of
/// threads.
MeshImage renderMesh(const Mesh& mesh, const Projection& projection, const PageTransform& page,
                     const base::Threads& threads);

}  // namespace throng::draw
