// Text from anywhere, shown to people.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace throng {

/// For a terminal: whatever could move its cursor, colour it, or turn the direction of writing is shown as an escape
/// (`\n`, `\x1b`, `\u202e`), and so are bytes that are not UTF-8 (`\xff`). Everything else stays.
std::string printable(std::string_view text);

}  // namespace throng
#pragma GCC visibility pop
