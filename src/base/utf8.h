// UTF-8 (RFC 3629).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace throng::base {

struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  ///< bytes
};

/// The character that a text, which is not empty, begins with; of length 0 when it does not begin with one.
Utf8Character firstCharacter(std::string_view text);

}  // namespace throng::base
