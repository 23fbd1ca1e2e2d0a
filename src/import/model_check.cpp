#include "import/model_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <sstream>
#include <vector>

namespace throng::import {
namespace {

[[noreturn]] void failAt(const Model& model, std::size_t line, const std::string& message) {
  throw InputError(
      {Diagnostic{.file = model.name, .message = message, .line = static_cast<int>(line), .column = line > 0 ? 1 : 0}});
}

/// Lines of a text, one after the other, without what ends them.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::string_view nextWord(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string shortened(std::string_view text) {
  return text.size() > 60 ? std::string(text.substr(0, 57)) + "..." : std::string(text);
}

// PLY: the header says which elements follow, how many, and what each has.

struct PlyProperty {
  std::size_t size = 0;        ///< bytes of a number
  std::size_t count_size = 0;  ///< of the number that says how long a list is; 0: no list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
  std::size_t line = 0;
};

struct PlyHeader {
  bool binary = false, big_endian = false;
  std::vector<PlyElement> elements;
};

std::size_t plySize(std::string_view type) {
  struct Known {
    const char* name;
    std::size_t size;
  };
  constexpr Known known[] = {{"char", 1},  {"uchar", 1},  {"int8", 1},    {"uint8", 1},   {"short", 2},   {"ushort", 2},
                             {"int16", 2}, {"uint16", 2}, {"int", 4},     {"uint", 4},    {"int32", 4},   {"uint32", 4},
                             {"float", 4}, {"double", 8}, {"float32", 4}, {"float64", 8}, {"double64", 8}};
  for (const Known& k : known)
    if (type == k.name) return k.size;
  return 0;
}

/// assimp never ends on a header that does not, and makes room for as many things as it announces.
PlyHeader plyHeader(const Model& model, Lines& lines) {
  constexpr std::size_t kMostLines = 1000;
  PlyHeader header;
  std::string_view line;
  while (lines.number() < kMostLines && lines.next(line)) {
    if (line == "end_header") return header;
    std::string_view words = line;
    const std::string_view word = nextWord(words);
    if (word == "format") {
      const std::string_view format = nextWord(words);
      header.binary = format.rfind("binary", 0) == 0;
      header.big_endian = format == "binary_big_endian";
    } else if (word == "element") {
      const std::string_view what = nextWord(words), count = nextWord(words);
      const auto announced = whole<std::uint64_t>(count);
      if (!announced || *announced > model.bytes.size())
        failAt(model, lines.number(),
               fmt::format("\"{}\" in a file of {} bytes; allowed: a name and how many of them follow", shortened(line),
                           model.bytes.size()));
      header.elements.push_back({std::string(what), *announced, {}, lines.number()});
    } else if (word == "property" && !header.elements.empty()) {
      std::string_view type = nextWord(words);
      PlyProperty property;
      if (type == "list") {
        property.count_size = std::max<std::size_t>(plySize(nextWord(words)), 1);
        type = nextWord(words);
      }
      property.size = plySize(type);
      if (property.size == 0)
        failAt(model, lines.number(),
               fmt::format("\"{}\"; allowed: a type such as float or list uchar int, and a name", shortened(line)));
      header.elements.back().properties.push_back(property);
    }
  }
  failAt(model, 0, fmt::format("no .ply mesh: there is no line \"end_header\" among the first {}", kMostLines));
}

/// One element of a text: its lists are no longer than the file.
void checkPlyLine(const Model& model, const PlyElement& element, Lines& lines) {
  std::string_view line;
  do {
    if (!lines.next(line)) return;
  } while (line.find_first_not_of(" \t") == std::string_view::npos || line.rfind("comment", 0) == 0);
  for (const PlyProperty& property : element.properties) {
    const std::string_view word = nextWord(line);
    if (property.count_size == 0) continue;
    const auto numbers = whole<std::uint64_t>(word);
    if (!numbers || *numbers > line.size())
      failAt(model, lines.number(),
             fmt::format("a list of \"{}\" numbers; there are no more than {}", shortened(word), line.size() / 2));
    for (std::uint64_t n = 0; n < *numbers; ++n) nextWord(line);
  }
}

/// Whether everything that is announced is there, with lists as long as they say.
void checkPlyData(const Model& model, const PlyHeader& header, std::string_view data) {
  std::size_t at = 0;
  const auto fail = [&](const PlyElement& element, std::uint64_t number) {
    failAt(model, element.line,
           fmt::format("{} {} of {} does not fit into the {} bytes behind the header", element.name, number + 1,
                       element.count, data.size()));
  };
  for (const PlyElement& element : header.elements)
    for (std::uint64_t i = 0; i < element.count; ++i)
      for (const PlyProperty& property : element.properties) {
        std::uint64_t numbers = 1;
        if (property.count_size > 0) {
          if (property.count_size > data.size() - at) fail(element, i);
          numbers = 0;
          for (std::size_t b = 0; b < property.count_size; ++b) {
            const std::size_t place = header.big_endian ? b : property.count_size - 1 - b;
            numbers = numbers << 8 | static_cast<unsigned char>(data[at + place]);
          }
          at += property.count_size;
        }
        if (numbers > (data.size() - at) / property.size) fail(element, i);
        at += numbers * property.size;
      }
}

}  // namespace

void checkPly(const Model& model) {
  Lines lines(model.bytes);
  const PlyHeader header = plyHeader(model, lines);
  if (header.binary) {
    checkPlyData(model, header, lines.rest());
    return;
  }
  // In text, what an element has takes a digit and a space at least.
  std::uint64_t numbers = 0;
  for (const PlyElement& element : header.elements) numbers += element.count * element.properties.size();
  if (numbers > lines.rest().size())
    failAt(model, 0,
           fmt::format("the header announces {} numbers, in a file of {} bytes", numbers, model.bytes.size()));
  for (const PlyElement& element : header.elements)
    for (std::uint64_t i = 0; i < element.count; ++i) checkPlyLine(model, element, lines);
}

void checkObj(const Model& model) {
  // A face may name vertices that follow it, so these are counted first.
  std::int64_t vertices = 0;
  std::string_view line;
  for (Lines lines(model.bytes); lines.next(line);) {
    const std::string_view word = nextWord(line);
    if (word == "v") ++vertices;
  }
  bool continued = false, face = false;
  for (Lines lines(model.bytes); lines.next(line);) {
    if (!continued) face = nextWord(line) == "f";
    continued = !line.empty() && line.back() == '\\';
    if (continued) line.remove_suffix(1);
    if (!face) continue;
    for (std::string_view word = nextWord(line); !word.empty(); word = nextWord(line)) {
      if (word[0] == '#') break;
      std::string_view text = word.substr(0, word.find('/'));
      if (!text.empty() && text[0] == '+') text.remove_prefix(1);
      // What is no number is left to the reader, which skips it.
      if (text.empty() || text.find_first_not_of("-0123456789") != std::string_view::npos) break;
      const auto index = whole<std::int64_t>(text);
      if (!index || *index > vertices || *index < -vertices)
        failAt(model, lines.number(),
               fmt::format("a face names vertex {}; the file has {}", shortened(text), vertices));
    }
  }
}

void checkModel(const Model& model, const SizeOfFile& size_of) {
  if (model.ending == ".ply") checkPly(model);
  if (model.ending == ".obj") checkObj(model);
  if (model.ending == ".dae") checkCollada(model);
  if (model.ending == ".gltf" || model.ending == ".glb") checkGltf(model, size_of);
}

}  // namespace throng::import
