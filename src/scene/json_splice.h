// Changes in the text of a scene file that leave every other byte of it as it is: order, numbers as they were written,
// spaces and line ends.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace throng::scene {

/// A piece of text that becomes another one, and back.
struct Splice {
  std::size_t at = 0;
  std::string before, after;

  std::size_t bytes() const { return before.size() + after.size(); }
};

void apply(std::string& text, const Splice& splice);
void takeBack(std::string& text, const Splice& splice);

// Of text that is JSON (json_text.h). `pointer` is a JSON pointer (RFC 6901). Each throws InputError, which points
// there, when it leads to nothing.

/// Another value. A key that its object does not have is added: in the file itself where it usually stands, else as the
/// last.
Splice setValue(std::string_view text, const std::string& pointer, const nlohmann::ordered_json& value);
/// A member of an array more, before the one that has this place now; "-" or one more than there are: as the last.
Splice insertValue(std::string_view text, const std::string& pointer, const nlohmann::ordered_json& value);
/// Without the member, or the key and its value.
Splice removeValue(std::string_view text, const std::string& pointer);

/// As it is written by hand: on one line where it has room, else a line for each member. `indent`: of its first line.
std::string written(const nlohmann::ordered_json& value, std::size_t indent, std::size_t column);

}  // namespace throng::scene
