// The parts of the vision kernel's slow twin, for tests and for pictures of what somebody sees.
#pragma once

#include <cstdint>

#include "steering/vision_view.h"

namespace throng::steering::vision {

/// What every pixel shows: how near along its ray (coneNearness), 0 for nothing, and which number of the view.
struct Image {
  base::Column<float> nearness;
  base::Column<std::int32_t> number;
  base::Column<float> shown;  ///< scratch of the kernel
  std::size_t stride = 0;     ///< pixels per row, padding included

  void fit(const Camera& camera) {
    constexpr std::size_t kLanes = base::kVectorBytes / sizeof(float);
    stride = (static_cast<std::size_t>(camera.columns) + 2 * kLanes - 1) / kLanes * kLanes;
    nearness.resize(stride * static_cast<std::size_t>(camera.rows));
    number.resize(nearness.size());
  }
};

void lookReference(const StepInput& input, const Sight& sight, std::uint32_t slot, View& view);
void renderReference(const Sight& sight, const Camera& camera, const View& view, Image& image);
Stimulus perceiveReference(const Camera& camera, const View& view, const Image& image, const Threshold& own);

/// The kernel's own rendering of the same view, with the instruction set that it would take.
void renderFast(const Sight& sight, const Camera& camera, const View& view, Image& image);

}  // namespace throng::steering::vision
