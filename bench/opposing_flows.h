// The comparison work: people of two directions, mixed over a field whose opposite borders are the same place.
#pragma once

#include <cstddef>
#include <string>

#include "throng/scene.h"

namespace throng::bench {

Scene opposingFlows(std::size_t people, const std::string& model);

}  // namespace throng::bench
