// The slow twin of the vision kernel: a ray per pixel, tried on everything.
#include "steering/vision_reference.h"

#include "steering/vision.h"

namespace throng::steering {
namespace vision {

void lookReference(const StepInput& input, const Sight& sight, std::uint32_t slot, View& view) {
  const std::uint16_t zone = input.neighbours.zone(input.crowd, input.neighbours.row()[slot]);
  view.begin(input, slot);
  for (std::uint32_t other = input.neighbours.zoneBegin(zone); other < input.neighbours.zoneEnd(zone); ++other)
    view.addPerson(input, sight, other);
  view.finish(input, sight);
}

void renderReference(const Sight& sight, const Camera& camera, const View& view, Image& image) {
  image.fit(camera);
  for (std::size_t row = 0; row < static_cast<std::size_t>(camera.rows); ++row) {
    for (std::size_t column = 0; column < static_cast<std::size_t>(camera.columns); ++column) {
      const float f = camera.f[row], d = camera.d[row], s = camera.s[column];
      float nearest = 0;
      std::uint32_t number = 0;
      for (const SeenWall& wall : view.walls) {
        const float nearness = wallNearness(wall, f, s, d, sight.eye, sight.eye - view.wall_top);
        if (nearness > nearest) nearest = nearness, number = view.wallNumber();
      }
      for (std::uint32_t i = 0; i < view.x.size(); ++i) {
        const float nearness = coneNearness(camera.base[row], f * view.x[i] + camera.lift[row], s, d, view.y[i],
                                            view.c[i], view.per_c[i], sight.eye);
        if (nearness > nearest) nearest = nearness, number = i;
      }
      image.nearness[row * image.stride + column] = nearest;
      image.number[row * image.stride + column] = static_cast<std::int32_t>(number);
    }
  }
}

Stimulus perceiveReference(const Camera& camera, const View& view, const Image& image, const Threshold& own) {
  Stimulus stimulus;
  for (std::size_t row = 0; row < static_cast<std::size_t>(camera.rows); ++row) {
    for (std::size_t column = 0; column < static_cast<std::size_t>(camera.columns); ++column) {
      const float nearness = image.nearness[row * image.stride + column];
      if (!(nearness > 0)) continue;
      const auto i = static_cast<std::size_t>(image.number[row * image.stride + column]);
      perceivePixel(own, nearness, camera.f[row], camera.s[column], view.ux[i], view.uy[i], stimulus);
    }
  }
  return stimulus;
}

}  // namespace vision

void steerVisionReference(const StepInput& input, std::span<const float> parameters,
                          std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace vision;
  const Sight sight(parameters);
  Camera camera;
  camera.fit(sight);
  View view;
  Image image;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    lookReference(input, sight, slot, view);
    renderReference(sight, camera, view, image);
    walk(input, sight, view, row,
         perceiveReference(camera, view, image, thresholdOf(parameters, input.crowd.person[row])), out);
  }
}

void steerVisionPointsReference(const StepInput& input, std::span<const float> parameters,
                                std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace vision;
  const Sight sight(parameters);
  View view;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    lookReference(input, sight, slot, view);
    addWallPoints(view);
    const Threshold own = thresholdOf(parameters, input.crowd.person[row]);
    Stimulus stimulus;
    for (std::size_t i = 0; i < view.x.size(); ++i)
      perceivePoint(own, view.x[i], view.y[i], view.ux[i], view.uy[i], stimulus);
    walk(input, sight, view, row, stimulus, out);
  }
}

}  // namespace throng::steering
