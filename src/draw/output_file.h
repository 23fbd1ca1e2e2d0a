// Names of pictures and films, and how they are written: whole or not at all.
#pragma once

#include <string>
#include <vector>

#include "throng/files.h"

namespace throng::draw {

/// In lower case, with the dot; throws InputError that names the allowed ones when it is none of them.
std::string checkedExtension(const std::string& path, const std::vector<std::string>& allowed);

using OutputFile = WholeFile;

}  // namespace throng::draw
