// Systems of programs as the step knows them.
#pragma once

#include <memory>

#include "throng/extend.h"

#include "step/system.h"

namespace throng::engine {

std::unique_ptr<step::System> adapted(std::unique_ptr<System> system);

}  // namespace throng::engine
