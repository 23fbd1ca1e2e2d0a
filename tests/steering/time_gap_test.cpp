#include "steering/time_gap.h"

#include "steering/time_gap_terms.h"
#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

TEST(ThrongModel, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerThrong, steerThrongReference, throngParameters(), throngRange);
}

}  // namespace
}  // namespace throng::steering
