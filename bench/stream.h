// How long it takes to make a frame for a browser of the studio.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/bench.h"

namespace throng::bench {

/// Rows stream/frame/100000 and stream/key/100000, of those whose names are wanted.
void addStream(const Options& options, const std::function<bool(const std::string&)>& wanted, std::vector<Row>& rows);

}  // namespace throng::bench
