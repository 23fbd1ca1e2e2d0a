// Linear steering: everybody walks their preferred velocity, blind to others. What YERSIN (lines 714-735, 800) uses in
// regions of no interest, and the floor that the cost of every other model is measured against.
#include "steering/linear.h"

namespace throng::steering {

void steerLinear(const StepInput& input, std::span<const float>, std::span<const std::uint32_t> slots,
                 VelocityOutput out) {
  const auto row = input.neighbours.row();
  for (const std::uint32_t slot : slots) {
    const std::uint32_t r = row[slot];
    out.vx[r] = input.crowd.preferred_vx[r];
    out.vy[r] = input.crowd.preferred_vy[r];
  }
}

}  // namespace throng::steering
