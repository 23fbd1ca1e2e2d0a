#pragma once

#include <vector>

#include "throng/metrics.h"

namespace throng::metrics {

/// Mean, deviation (of these values, divided by their number), and quantiles with linear interpolation between the two
/// nearest values. The order of the values does not matter, not even to the last bit.
Spread spreadOf(std::vector<double> values);

/// Mean of the values, whatever their order; 0 of none.
double meanOf(std::vector<double> values);

}  // namespace throng::metrics
