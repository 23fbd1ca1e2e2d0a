// Which instruction sets the vector kernels are compiled for. Include before any Highway header.
//
// SSSE3 alone is rarer than the compile time it costs (such processors take the baseline), and the scalable vectors of
// SVE cannot be kept in arrays, which the kernels do.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
