// Text from anywhere, shown to people.
#pragma once

#include <string>
#include <string_view>

#include "throng/export.h"

namespace throng THRONG_API {

/// For a terminal: whatever could move its cursor, colour it, or turn the direction of writing is shown as an escape
/// (`\n`, `\x1b`, `\u202e`), and so are bytes that are not UTF-8 (`\xff`). Everything else stays.
std::string printable(std::string_view text);

}  // namespace THRONG_API
