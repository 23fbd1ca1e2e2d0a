// Maps of templates: JSON, and an image of the netpbm family (P2, P3, P5, P6), which every image program writes.
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include "throng/files.h"
#include "throng/patch_city.h"

#include "patches/json_fields.h"
#include "scene/json_text.h"

namespace throng {
namespace {

using Json = nlohmann::ordered_json;

struct Image {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint32_t> pixels;  ///< 0xRRGGBB, from the top
};

class ImageReader {
 public:
  ImageReader(const std::string& bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  Image read() {
    const std::string magic = bytes_.substr(0, 2);
    if (magic != "P2" && magic != "P3" && magic != "P5" && magic != "P6")
      fail("begins with something else than P2, P3, P5 or P6; allowed: .ppm and .pgm images");
    at_ = 2;
    Image image;
    image.width = number(1, 4096, "width"), image.height = number(1, 4096, "height");
    const std::uint32_t most = number(1, 255, "largest value");
    const bool plain = magic[1] < '5';
    const std::size_t channels = magic == "P3" || magic == "P6" ? 3 : 1;
    const std::size_t count = std::size_t{image.width} * image.height;
    if (!plain) {
      ++at_;  // one white space
      if (bytes_.size() < at_ || bytes_.size() - at_ < count * channels)
        fail(fmt::format("ends too early: {} bytes of pixels must follow", count * channels));
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t colour = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        std::uint32_t value = colour & 0xffu;  // grey: three times the same
        if (c < channels) {
          value = plain ? number(0, most, "pixel")
                        : std::min<std::uint32_t>(static_cast<unsigned char>(bytes_[at_++]), most);
          value = value * 255 / most;
        }
        colour = colour << 8 | value;
      }
      image.pixels.push_back(colour);
    }
    return image;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(path_ + ": the image " + what); }

  std::uint32_t number(std::uint32_t least, std::uint32_t most, const char* what) {
    while (at_ < bytes_.size() &&
           (bytes_[at_] == '#' || std::string_view(" \t\r\n").find(bytes_[at_]) != std::string_view::npos)) {
      if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      if (at_ < bytes_.size()) ++at_;
    }
    std::uint32_t value = 0;
    const auto read = std::from_chars(bytes_.data() + at_, bytes_.data() + bytes_.size(), value);
    if (read.ec != std::errc{} || value < least || value > most)
      fail(fmt::format("has a wrong {} at byte {}; allowed: {} to {}", what, at_, least, most));
    at_ = static_cast<std::size_t>(read.ptr - bytes_.data());
    return value;
  }

  const std::string& bytes_;
  const std::string& path_;
  std::size_t at_ = 0;
};

PatchTemplate templateOf(patches::Reader& reader, const Json& json, const std::string& where) {
  PatchTemplate made;
  if (!reader.object(json, where, {"name", "colour", "crossings", "lanes", "objects", "residents", "versions"}))
    return made;
  reader.text(json, where, "name", made.name);
  std::string colour;
  reader.text(json, where, "colour", colour);
  const char* end = colour.data() + colour.size();
  if (colour.size() != 7 || colour[0] != '#' || std::from_chars(colour.data() + 1, end, made.colour, 16).ptr != end ||
      made.colour == 0)
    reader.error(where + "/colour", fmt::format("\"{}\"; allowed: #rrggbb, not black, which is for buildings", colour));
  const auto whole = [&](const char* key, int& to) {
    if (!json.contains(key)) return;
    if (json[key].is_number_integer() && json[key] >= 0 && json[key] <= 1000) {
      to = json[key].get<int>();
    } else {
      reader.error(where + "/" + key, "expected a whole number from 0 to 1000");
    }
  };
  whole("crossings", made.crossings), whole("objects", made.objects), whole("residents", made.residents);
  whole("versions", made.versions);
  if (json.contains("lanes")) {
    if (json["lanes"].is_boolean()) {
      made.lanes = json["lanes"].get<bool>();
    } else {
      reader.error(where + "/lanes", "expected true or false");
    }
  }
  return made;
}

}  // namespace

PatchMap loadPatchMap(const std::string& path) {
  const std::string text = readFile(path);
  scene::JsonProblem problem;
  const auto json = scene::parseJson(text, problem);
  if (!json)
    throw InputError(std::vector<Diagnostic>{
        {Diagnostic::Severity::kError, path, {}, {}, problem.message, problem.line, problem.column}});
  patches::Reader reader;
  PatchMap map;
  std::string image_name;
  if (reader.object(*json, "", {"version", "image", "side", "period", "seed", "patterns", "templates"})) {
    if (!json->contains("version") || (*json)["version"] != 1)
      reader.error("/version", "expected 1, the version of this format");
    if (!json->contains("image")) reader.error("", "\"image\" is missing");
    reader.text(*json, "", "image", image_name);
    reader.number(*json, "", "side", map.side), reader.number(*json, "", "period", map.period);
    double seed = 1, patterns = map.patterns;
    reader.number(*json, "", "seed", seed), reader.number(*json, "", "patterns", patterns);
    if (!(seed >= 0 && seed <= 9e15)) reader.error("/seed", "expected a whole number from 0 to 9e15");
    if (!(patterns >= 1 && patterns <= 100)) reader.error("/patterns", "expected a whole number from 1 to 100");
    if (reader.found.empty()) map.seed = static_cast<std::uint64_t>(seed), map.patterns = static_cast<int>(patterns);
    reader.list(*json, "", "templates", [&](const Json& value, const std::string& where) {
      map.templates.push_back(templateOf(reader, value, where));
    });
  }
  if (!reader.found.empty()) {
    scene::locate(text, reader.found);
    for (Diagnostic& finding : reader.found) finding.file = path;
    throw InputError(std::move(reader.found));
  }
  const std::string image_path = (std::filesystem::path(path).parent_path() / image_name).string();
  const std::string bytes = readFile(image_path);
  const Image image = ImageReader(bytes, image_path).read();
  map.columns = image.width, map.rows = image.height;
  for (std::uint32_t row = 0; row < map.rows; ++row)
    for (std::uint32_t column = 0; column < map.columns; ++column) {
      const std::uint32_t colour = image.pixels[std::size_t{map.rows - 1 - row} * map.columns + column];
      std::int32_t kind = -1;
      for (std::size_t t = 0; t < map.templates.size() && kind < 0; ++t)
        if (map.templates[t].colour == colour) kind = static_cast<std::int32_t>(t);
      if (kind < 0 && colour != 0)
        throw InputError(
            fmt::format("{}: the pixel at column {}, row {} from the top is #{:06x}; allowed: the colours of "
                        "templates, and black",
                        image_path, column, map.rows - 1 - row, colour));
      map.cells.push_back(kind);
    }
  return map;
}

}  // namespace throng
