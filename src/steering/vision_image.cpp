#include "steering/vision_image.h"

#include <limits>

#include "steering/vision.h"
#include "steering/vision_predictive.h"
#include "steering/vision_reference.h"

namespace throng::steering {

float Eyes::range() const { return visionRange(parameters_); }

SeenImage Eyes::see(const StepInput& input, std::uint32_t slot) const {
  using namespace vision;
  const Sight sight(parameters_);
  Camera camera;
  camera.fit(sight);
  View view;
  Image image;
  lookReference(input, sight, slot, view);
  renderFast(sight, camera, view, image);
  const Threshold own = thresholdOf(parameters_, input.crowd.person[input.neighbours.row()[slot]]);
  SeenImage seen{sight.columns, sight.rows, {}, {}, {}};
  for (std::size_t row = 0; row < static_cast<std::size_t>(sight.rows); ++row) {
    for (std::size_t column = 0; column < static_cast<std::size_t>(sight.columns); ++column) {
      const float nearness = image.nearness[row * image.stride + column], f = camera.f[row], s = camera.s[column];
      constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
      float rate = kNothing, time = kNothing, danger = kNothing;
      if (nearness > 0) {
        const auto i = static_cast<std::size_t>(image.number[row * image.stride + column]);
        const float ahead = (f * view.ux[i] + s * view.uy[i]) * nearness, squared = f * f + s * s;
        rate = (f * view.uy[i] - s * view.ux[i]) * nearness / squared;
        time = squared / -ahead;
        Stimulus stimulus;
        perceivePixel(own, nearness, f, s, view.ux[i], view.uy[i], stimulus);
        danger = stimulus.phi_minus - stimulus.phi_plus;  // one of them is 0
      }
      seen.bearing_rate.push_back(rate), seen.time.push_back(time), seen.danger.push_back(danger);
    }
  }
  return seen;
}

Eyes eyesOf(std::string_view model, std::span<const float> parameters) {
  if (model == "vision") return Eyes({parameters.begin(), parameters.end()});
  std::vector<float> values;
  for (const ModelParameter& parameter : visionParameters()) {
    float value = static_cast<float>(parameter.value);
    if (model == "vision-predictive") {
      for (std::size_t i = 0; i < visionPredictiveParameters().size(); ++i)
        if (visionPredictiveParameters()[i].name == parameter.name) value = parameters[i];
    }
    values.push_back(value);
  }
  return Eyes(std::move(values));
}

}  // namespace throng::steering
