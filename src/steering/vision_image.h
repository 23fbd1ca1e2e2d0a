// What somebody sees, as pictures show it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "throng/sight.h"

#include "steering/models.h"

namespace throng::steering {

/// How people steered by some model see.
class Eyes {
 public:
  explicit Eyes(std::vector<float> vision_parameters) : parameters_(std::move(vision_parameters)) {}
  float range() const;
  SeenImage see(const StepInput& input, std::uint32_t slot) const;

 private:
  std::vector<float> parameters_;  ///< of `vision`
};

/// Those of `vision` and `vision-predictive` with these parameters; of models that do not look, those of `vision` by
/// default.
Eyes eyesOf(std::string_view model, std::span<const float> parameters);

}  // namespace throng::steering
