#include "draw/mesh_picture.h"

#include <algorithm>
#include <cmath>

#include "geometry/boxes.h"

namespace throng::draw {
namespace {

constexpr double kHeadroom = 2.2;  // m; what is higher above somebody's feet covers them

/// Heights of the model's corners over a part of the plan, or of all of them where there is none.
std::pair<double, double> heightsIn(const Mesh& mesh, const Rectangle& part, const Box& box) {
  double low = box.max.z, high = box.min.z;
  for (const Point3& p : mesh.vertices) {
    if (!(p.x >= part.min.x && p.x <= part.max.x && p.y >= part.min.y && p.y <= part.max.y)) continue;
    low = std::min(low, std::max(p.z, box.min.z));
    high = std::max(high, std::min(p.z, box.max.z));
  }
  return low <= high ? std::pair{low, high} : std::pair{box.min.z, box.max.z};
}

}  // namespace

Projection projectionOf(const Mesh& mesh, const DrawSettings& settings) {
  const Box box = boundsOf(mesh).value_or(Box{});
  const Point3 centre = (box.min + box.max) * 0.5;
  return settings.oblique ? obliquely(*settings.oblique, centre) : fromAbove(centre);
}

Rectangle modelView(const Mesh& mesh, const DrawSettings& settings) {
  const Box box = boundsOf(mesh).value_or(Box{});
  const Rectangle part = settings.view.value_or(Rectangle{{box.min.x, box.min.y}, {box.max.x, box.max.y}});
  if (!settings.oblique) return part;
  const Projection projection = projectionOf(mesh, settings);
  const auto [low, high] = heightsIn(mesh, part, box);
  Rectangle view = geometry::kEmptyBox;
  for (const double x : {part.min.x, part.max.x})
    for (const double y : {part.min.y, part.max.y})
      for (const double z : {low, high}) {
        geometry::include(view, projection.plane({x, y, z}));
      }
  return view;
}

Model::Model(const Mesh& mesh, const DrawSettings& settings, const PageTransform& page, double unit)
    : image_(renderMesh(mesh, projectionOf(mesh, settings), page, base::Threads())) {
  if (settings.oblique) figures_.emplace(image_, unit);
}

void Model::paint(Canvas& canvas) const {
  canvas.beginGroup("model");
  canvas.image({static_cast<double>(image_.left), static_cast<double>(image_.top)}, image_.raster);
  canvas.endGroup();
}

void Model::paint(Canvas& canvas, const Moment& moment, const Colouring& colouring) {
  picture_ = image_.raster;
  figures_->paint(picture_, moment, colouring);
  canvas.beginGroup("model");
  canvas.image({static_cast<double>(image_.left), static_cast<double>(image_.top)}, picture_);
  canvas.endGroup();
}

bool Model::covers(const Person& person) const {
  const Point3 feet{person.position.x, person.position.y, person.z};
  const Point at = image_.screen.toScreen(feet);
  if (!(at.x >= 0 && at.y >= 0 && at.x < image_.raster.width && at.y < image_.raster.height)) return false;
  const double above = image_.depthAt(static_cast<int>(at.x), static_cast<int>(at.y));
  return above > image_.screen.projection.depth(feet) + kHeadroom;
}

}  // namespace throng::draw
