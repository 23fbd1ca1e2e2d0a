#include "scene/json_splice.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "throng/base.h"

#include "scene/findings.h"
#include "scene/keys.h"

namespace throng::scene {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 120;  // of a line
constexpr std::size_t kStep = 2;     // of indentation

[[noreturn]] void wrong(const std::string& pointer, std::string what) {
  throw InputError({Diagnostic{.file = {}, .pointer = pointer, .at = {}, .message = std::move(what)}});
}

std::vector<std::string> partsOf(const std::string& pointer) {
  std::vector<std::string> parts;
  if (pointer.empty()) return parts;
  if (pointer[0] != '/') wrong(pointer, "this is no JSON pointer: it begins with /");
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    std::string part;
    for (std::size_t i = begin; i < end; ++i) {
      if (pointer[i] == '~' && i + 1 < end && (pointer[i + 1] == '0' || pointer[i + 1] == '1'))
        part += pointer[++i] == '0' ? '~' : '/';
      else
        part += pointer[i];
    }
    parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

/// A value, and in an object the key before it: [begin, end).
struct Member {
  std::size_t begin = 0, value = 0, end = 0;
};

struct Container {
  bool array = false;
  std::size_t begin = 0, end = 0;  ///< with its brackets
  std::vector<Member> members;
};

/// Walks over text that is known to be JSON.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::size_t skipSpace(std::size_t at) const {
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\n' || text_[at] == '\t' || text_[at] == '\r')) ++at;
    return at;
  }
  std::size_t skipString(std::size_t at) const {
    for (++at; at < text_.size() && text_[at] != '"'; ++at)
      if (text_[at] == '\\') ++at;
    return std::min(at + 1, text_.size());
  }
  std::size_t skipValue(std::size_t at) const {
    std::size_t depth = 0;
    do {
      at = skipSpace(at);
      if (at >= text_.size()) return text_.size();
      const char c = text_[at];
      if (c == '"') {
        at = skipString(at);
      } else if (c == '{' || c == '[') {
        ++depth, ++at;
      } else if (c == '}' || c == ']') {
        --depth, ++at;
      } else if (c == ',' || c == ':') {
        ++at;
      } else {
        while (at < text_.size() && std::string_view(" \n\t\r,:{}[]\"").find(text_[at]) == std::string_view::npos) ++at;
      }
    } while (depth > 0);
    return at;
  }
  bool isContainer(std::size_t at) const { return at < text_.size() && (text_[at] == '{' || text_[at] == '['); }

  Container container(std::size_t begin) const {
    Container found;
    found.array = text_[begin] == '[';
    found.begin = begin;
    std::size_t at = skipSpace(begin + 1);
    while (at < text_.size() && text_[at] != '}' && text_[at] != ']') {
      Member member;
      member.begin = member.value = at;
      if (!found.array) {
        at = skipSpace(skipString(at));  // to the colon
        member.value = skipSpace(at + 1);
      }
      member.end = skipValue(member.value);
      found.members.push_back(member);
      at = skipSpace(member.end);
      if (at < text_.size() && text_[at] == ',') at = skipSpace(at + 1);
    }
    found.end = std::min(at + 1, text_.size());
    return found;
  }
  std::string key(const Member& member) const {
    const std::size_t end = skipString(member.begin);
    const json key = json::parse(text_.substr(member.begin, end - member.begin), nullptr, false);
    return key.is_string() ? key.get<std::string>() : std::string();
  }

  std::string_view text() const { return text_; }
  /// Spaces before the first word of the line of a place.
  std::size_t indentOf(std::size_t at) const {
    const std::size_t line = lineStart(at);
    std::size_t end = line;
    while (end < text_.size() && text_[end] == ' ') ++end;
    return end - line;
  }
  std::size_t columnOf(std::size_t at) const { return at - lineStart(at); }
  bool hasLineEnd(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin).find('\n') != std::string_view::npos;
  }

 private:
  std::size_t lineStart(std::size_t at) const {
    const std::size_t line = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    return line == std::string_view::npos ? 0 : line + 1;
  }

  std::string_view text_;
};

std::optional<std::size_t> number(const std::string& part) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size() || part.empty()) return std::nullopt;
  return value;
}

/// The member of that name or number; nothing when there is none.
std::optional<std::size_t> find(const Reader& reader, const Container& in, const std::string& part) {
  if (in.array) {
    const auto index = number(part);
    return index && *index < in.members.size() ? index : std::nullopt;
  }
  for (std::size_t i = 0; i < in.members.size(); ++i)
    if (reader.key(in.members[i]) == part) return i;
  return std::nullopt;
}

/// The object or array that holds what the pointer leads to.
Container holderOf(const Reader& reader, const std::string& pointer, const std::vector<std::string>& parts) {
  std::size_t at = reader.skipSpace(0);
  for (std::size_t i = 0;; ++i) {
    if (!reader.isContainer(at)) wrong(pointer, "there is nothing here: what it would be a part of has no parts");
    Container here = reader.container(at);
    if (i + 1 == parts.size()) return here;
    const auto next = find(reader, here, parts[i]);
    if (!next) wrong(pointer, fmt::format("there is nothing here: found no {}", inQuotes(parts[i])));
    at = here.members[*next].value;
  }
}

std::string quoted(const std::string& key) { return json(key).dump(-1, ' ', false, json::error_handler_t::replace); }

/// Adds a value to a line, if it has so much room.
bool onOneLine(const json& value, std::size_t room, std::string& line) {
  if (value.is_primitive() || value.empty()) {
    line += value.dump(-1, ' ', false, json::error_handler_t::replace);
    return line.size() <= room;
  }
  line += value.is_array() ? '[' : '{';
  bool first = true;
  for (const auto& [key, member] : value.items()) {
    if (!std::exchange(first, false)) line += ", ";
    if (value.is_object()) line += quoted(key) + ": ";
    if (line.size() > room || !onOneLine(member, room, line)) return false;
  }
  line += value.is_array() ? ']' : '}';
  return line.size() <= room;
}

/// After which member of the file itself a key usually stands; nothing: as the first.
std::optional<std::size_t> usualPlace(const Reader& reader, const Container& file, const std::string& key) {
  const auto order = keysOf("scene");
  const auto rank = [&](const std::string& name) {
    return std::find(order.begin(), order.end(), name) - order.begin();
  };
  std::optional<std::size_t> after;
  for (std::size_t i = 0; i < file.members.size(); ++i)
    if (rank(reader.key(file.members[i])) < rank(key)) after = i;
  return after;
}

/// What goes in between the members before and after `place` (an index), with the comma.
Splice putIn(const Reader& reader, const Container& in, std::size_t place, const std::string& key, const json& value) {
  const std::string name = key.empty() ? "" : quoted(key) + ": ";
  if (in.members.empty()) {
    const std::size_t outer = reader.indentOf(in.begin), inner = outer + kStep;
    const std::string one_line = name + written(value, outer, reader.columnOf(in.begin) + 1 + name.size());
    const std::string_view old = reader.text().substr(in.begin + 1, in.end - in.begin - 2);
    if (value.is_primitive()) return {in.begin + 1, std::string(old), one_line};
    return {in.begin + 1, std::string(old),
            fmt::format("\n{:{}}{}{}\n{:{}}", "", inner, name, written(value, inner, inner + name.size()), "", outer)};
  }
  const bool lines = reader.hasLineEnd(in.begin, in.members[0].begin);
  const std::size_t indent = lines ? reader.columnOf(in.members[0].begin) : reader.indentOf(in.members[0].begin);
  const std::string gap = lines ? fmt::format(",\n{:{}}", "", indent) : ", ";
  const bool last = place == in.members.size();
  const std::size_t at = last ? in.members.back().end : in.members[place].begin;
  const std::string text =
      name + written(value, indent, lines ? indent + name.size() : reader.columnOf(at) + 2 + name.size());
  return {at, "", last ? gap + text : text + gap};
}

}  // namespace

void apply(std::string& text, const Splice& splice) { text.replace(splice.at, splice.before.size(), splice.after); }
void takeBack(std::string& text, const Splice& splice) { text.replace(splice.at, splice.after.size(), splice.before); }

std::string written(const json& value, std::size_t indent, std::size_t column) {
  std::string text;
  if (onOneLine(value, column < kWidth ? kWidth - column : 0, text) || value.is_primitive() || value.empty())
    return text;
  text = value.is_array() ? "[" : "{";
  const std::size_t inner = indent + kStep;
  for (const auto& [key, member] : value.items()) {
    text += fmt::format("{}\n{:{}}", text.size() > 1 ? "," : "", "", inner);
    const std::string name = value.is_object() ? quoted(key) + ": " : "";
    text += name + written(member, inner, inner + name.size());
  }
  return text + fmt::format("\n{:{}}{}", "", indent, value.is_array() ? ']' : '}');
}

Splice setValue(std::string_view text, const std::string& pointer, const json& value) {
  const Reader reader(text);
  const auto parts = partsOf(pointer);
  if (parts.empty()) {
    const std::size_t begin = reader.skipSpace(0), end = reader.skipValue(begin);
    return {begin, std::string(text.substr(begin, end - begin)), written(value, 0, 0)};
  }
  const Container in = holderOf(reader, pointer, parts);
  if (const auto found = find(reader, in, parts.back())) {
    const Member& member = in.members[*found];
    return {member.value, std::string(text.substr(member.value, member.end - member.value)),
            written(value, reader.indentOf(member.value), reader.columnOf(member.value))};
  }
  if (in.array) wrong(pointer, fmt::format("there is nothing here: the list has {} members", in.members.size()));
  std::size_t place = in.members.size();
  if (parts.size() == 1) {
    const auto after = usualPlace(reader, in, parts.back());
    place = after ? *after + 1 : 0;
  }
  return putIn(reader, in, place, parts.back(), value);
}

Splice insertValue(std::string_view text, const std::string& pointer, const json& value) {
  const Reader reader(text);
  const auto parts = partsOf(pointer);
  if (parts.empty()) wrong(pointer, "this is the whole file, and no member of a list");
  const Container in = holderOf(reader, pointer, parts);
  if (!in.array) wrong(pointer, "this is no list");
  const auto index = parts.back() == "-" ? std::optional(in.members.size()) : number(parts.back());
  if (!index || *index > in.members.size())
    wrong(pointer, fmt::format("there is no such place in a list of {}", in.members.size()));
  return putIn(reader, in, *index, "", value);
}

Splice removeValue(std::string_view text, const std::string& pointer) {
  const Reader reader(text);
  const auto parts = partsOf(pointer);
  if (parts.empty()) wrong(pointer, "the whole file cannot be removed");
  const Container in = holderOf(reader, pointer, parts);
  const auto found = find(reader, in, parts.back());
  if (!found) wrong(pointer, "there is nothing here");
  std::size_t begin = in.members[*found].begin, end = in.members[*found].end;
  if (in.members.size() == 1)
    begin = in.begin + 1, end = in.end - 1;
  else if (*found + 1 < in.members.size())
    end = in.members[*found + 1].begin;
  else
    begin = in.members[*found - 1].end;
  return {begin, std::string(text.substr(begin, end - begin)), ""};
}

}  // namespace throng::scene
