#include "throng/text.h"

#include <cstdint>
#include <fmt/format.h>

#include "base/utf8.h"

namespace throng {

namespace base {

Utf8Character firstCharacter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first >= 0xf8 || text.size() < length) return {};
  std::uint32_t code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms are not allowed
  if (code < kLeast[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, length};
}

}  // namespace base

namespace {

/// Control characters, line and paragraph separators, and marks that turn the direction of writing.
bool isControl(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const base::Utf8Character c = base::firstCharacter(text);
    if (c.length == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (!isControl(c.code)) {
      shown += text.substr(0, c.length);
    } else if (c.code == '\n') {
      shown += "\\n";
    } else {
      shown += c.code < 0x100 ? fmt::format("\\x{:02x}", c.code) : fmt::format("\\u{:04x}", c.code);
    }
    text.remove_prefix(c.length == 0 ? 1 : c.length);
  }
  return shown;
}

}  // namespace throng
