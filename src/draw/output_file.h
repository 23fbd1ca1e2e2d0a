// Names of pictures and films; they are written whole or not at all (throng/files.h).
#pragma once

#include <string>
#include <vector>

#include "throng/files.h"

namespace throng::draw {

/// In lower case, with the dot; throws InputError that names the allowed ones when it is none of them.
std::string checkedExtension(const std::string& path, const std::vector<std::string>& allowed);

}  // namespace throng::draw
