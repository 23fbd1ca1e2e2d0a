// How fast walks of crowd patches are found and played.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/bench.h"

namespace throng::bench {

/// Rows patch/generate/0.1, patch/generate/0.35 (people per m²) and patch/play/100000, of those whose names are wanted.
void addPatches(const Options& options, const std::function<bool(const std::string&)>& wanted, std::vector<Row>& rows);

}  // namespace throng::bench
