// How fast the corridor map answers and changes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/bench.h"

namespace throng::bench {

/// Rows construction/city-plan, graph/city-plan, graph/rough-place, import/many-corners, insertion/city-plan,
/// visibility/city-plan, route/city-plan and route/small, of those whose names are wanted.
void addNavigation(const Options& options, const std::function<bool(const std::string&)>& wanted,
                   std::vector<Row>& rows);

}  // namespace throng::bench
