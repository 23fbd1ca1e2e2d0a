#include "record/layer_finder.h"

#include <cmath>
#include <limits>

namespace throng::record {

std::vector<Polygon> LayerFinder::areasOf(const Scene& scene) {
  std::vector<Polygon> areas;
  for (const Layer& layer : scene.layers) {
    for (const auto& [a, b, c] : layer.ground) areas.push_back({{{a.x, a.y}, {b.x, b.y}, {c.x, c.y}}, {}});
    if (layer.ground.empty()) areas.insert(areas.end(), layer.walkable.begin(), layer.walkable.end());
  }
  return areas;
}

LayerFinder::LayerFinder(const Scene& scene) : rows_(areasOf(scene)) {
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    const Layer& layer = scene.layers[i];
    const auto number = static_cast<std::uint16_t>(i);
    for (const auto& [a, b, c] : layer.ground) {
      const Point u{b.x - a.x, b.y - a.y}, v{c.x - a.x, c.y - a.y};
      const double twice = det(u, v), rise_u = b.z - a.z, rise_v = c.z - a.z;
      const Point gradient =
          twice == 0 ? Point{} : Point{(rise_u * v.y - rise_v * u.y) / twice, (rise_v * u.x - rise_u * v.x) / twice};
      pieces_.push_back({number, a.z - gradient.x * a.x - gradient.y * a.y, gradient});
    }
    if (!layer.ground.empty()) continue;
    const Piece plane{number, layer.elevation, layer.slope};
    pieces_.insert(pieces_.end(), layer.walkable.size(), plane);
    if (layer.walkable.empty()) endless_.push_back(plane);
  }
}

std::uint16_t LayerFinder::find(Point place, double z) const {
  std::uint16_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Piece& piece) {
    const double off = std::abs(z - piece.z - dot(piece.gradient, place));
    if (off < least) least = off, best = piece.layer;
  };
  std::vector<std::uint32_t> covering;
  rows_.covering(place, covering);
  for (const std::uint32_t i : covering) consider(pieces_[i]);
  for (const Piece& piece : endless_) consider(piece);
  if (covering.empty() && endless_.empty())
    for (const Piece& piece : pieces_) consider(piece);
  return best;
}

void LayerFinder::assign(FrameCopy& frame) const {
  for (std::size_t i = 0; i < frame.person.size(); ++i) frame.layer[i] = find({frame.x[i], frame.y[i]}, frame.z[i]);
}

}  // namespace throng::record
