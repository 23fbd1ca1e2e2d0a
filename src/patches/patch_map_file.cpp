// Maps of templates, and of districts: JSON, and an image of the netpbm family (P2, P3, P5, P6), which every image
// program writes.
#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include "throng/files.h"
#include "throng/patch_district.h"

#include "geometry/polygons.h"
#include "patches/json_fields.h"
#include "patches/readers.h"
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

/// #rrggbb, not black.
std::uint32_t colourOf(patches::Reader& reader, const std::string& where, const std::string& text) {
  std::uint32_t colour = 0;
  const char* end = text.data() + text.size();
  if (text.size() != 7 || text[0] != '#' || std::from_chars(text.data() + 1, end, colour, 16).ptr != end || colour == 0)
    reader.error(where, fmt::format("\"{}\"; allowed: #rrggbb, not black, which is for buildings", text));
  return colour;
}

void wholeNumber(patches::Reader& reader, const Json& json, const std::string& where, const char* key, int& to) {
  if (!json.contains(key)) return;
  if (json[key].is_number_integer() && json[key] >= 0 && json[key] <= 1000) {
    to = json[key].get<int>();
  } else {
    reader.error(where + "/" + key, "expected a whole number from 0 to 1000");
  }
}

void trueOrFalse(patches::Reader& reader, const Json& json, const std::string& where, const char* key, bool& to) {
  if (!json.contains(key)) return;
  if (json[key].is_boolean()) {
    to = json[key].get<bool>();
  } else {
    reader.error(where + "/" + key, "expected true or false");
  }
}

/// The types of patterns, as files name them.
struct NamedType {
  std::string_view name;
  PatternType type;
};
using Kind = PatternType::Kind;
constexpr std::array<NamedType, 8> kTypes = {{{"empty", {Kind::kEmpty}},
                                              {"in", {Kind::kOneWay}},
                                              {"out", {Kind::kOneWay, true}},
                                              {"space", {Kind::kSpace}},
                                              {"lanes", {Kind::kSpace, false, true}},
                                              {"door", {Kind::kSpace, false, false, 0.4, 0.6}},
                                              {"time", {Kind::kTime}},
                                              {"random", {Kind::kRandom}}}};

PatchBorderRule ruleOf(patches::Reader& reader, const Json& json, const std::string& where) {
  PatchBorderRule rule;
  if (!reader.object(json, where, {"to", "pattern", "from", "until", "crossings"})) return rule;
  reader.text(json, where, "to", rule.to);
  std::string type = "random";
  reader.text(json, where, "pattern", type);
  bool known = false;
  for (const NamedType& named : kTypes)
    if (named.name == type) rule.type = named.type, known = true;
  if (!known) {
    std::string names;
    for (const NamedType& named : kTypes) names += fmt::format("{}{}", names.empty() ? "" : ", ", named.name);
    reader.error(where + "/pattern", fmt::format("\"{}\"; allowed: {}", type, names));
  }
  const bool has_part = rule.type.kind == Kind::kSpace || rule.type.kind == Kind::kTime;
  for (const char* key : {"from", "until"})
    if (json.contains(key) && !has_part)
      reader.error(where + "/" + key, "only patterns that are limited in space or time have a part");
  reader.number(json, where, "from", rule.type.from), reader.number(json, where, "until", rule.type.to);
  if (json.contains("crossings")) wholeNumber(reader, json, where, "crossings", rule.crossings.emplace(0));
  return rule;
}

std::vector<Point> pointsOf(patches::Reader& reader, const Json& json, const std::string& where, const char* key) {
  std::vector<Point> points;
  reader.list(json, where, key,
              [&](const Json& value, const std::string& at) { points.push_back(reader.point(value, at)); });
  return points;
}

PatchGroup groupOf(patches::Reader& reader, const Json& json, const std::string& where) {
  PatchGroup group;
  if (!reader.object(json, where, {"name", "people"})) return group;
  reader.text(json, where, "name", group.name);
  reader.list(json, where, "people", [&](const Json& value, const std::string& at) {
    PatchResident& resident = group.people.emplace_back();
    resident.name = group.name;
    if (!reader.object(value, at, {"control", "facing"})) return;
    resident.control = pointsOf(reader, value, at, "control");
    if (value.contains("facing")) resident.facing = reader.point(value["facing"], at + "/facing");
  });
  if (group.people.empty()) reader.error(where + "/people", "nobody; allowed: one and more");
  return group;
}

/// `needs_colour`: there is an image.
PatchTemplate templateOf(patches::Reader& reader, const Json& json, const std::string& where, bool needs_colour) {
  PatchTemplate made;
  if (!reader.object(json, where,
                     {"name", "colour", "crossings", "density", "lanes", "borders", "objects", "allowed_objects",
                      "residents", "allowed_residents", "versions"}))
    return made;
  reader.text(json, where, "name", made.name);
  std::string colour;
  reader.text(json, where, "colour", colour);
  if (needs_colour || !colour.empty()) made.colour = colourOf(reader, where + "/colour", colour);
  for (const auto& [key, to] : {std::pair("crossings", &made.crossings), std::pair("objects", &made.objects),
                                std::pair("residents", &made.residents), std::pair("versions", &made.versions)})
    wholeNumber(reader, json, where, key, *to);
  if (json.contains("density")) reader.number(json, where, "density", made.density.emplace(0));
  trueOrFalse(reader, json, where, "lanes", made.lanes);
  reader.list(json, where, "borders",
              [&](const Json& value, const std::string& at) { made.borders.push_back(ruleOf(reader, value, at)); });
  reader.list(json, where, "allowed_objects", [&](const Json& value, const std::string& at) {
    PatchObject& object = made.allowed_objects.emplace_back();
    if (!reader.object(value, at, {"name", "outline"})) return;
    reader.text(value, at, "name", object.name);
    object.outline = pointsOf(reader, value, at, "outline");
  });
  reader.list(json, where, "allowed_residents", [&](const Json& value, const std::string& at) {
    made.allowed_residents.push_back(groupOf(reader, value, at));
  });
  return made;
}

/// Cells by the colours of an image, from its lowest row on. `ground`: the colour of ground, if any.
void paint(PatchMap& map, const std::string& bytes, const std::string& image_path, std::uint32_t ground) {
  const Image image = ImageReader(bytes, image_path).read();
  map.columns = image.width, map.rows = image.height;
  for (std::uint32_t row = 0; row < map.rows; ++row)
    for (std::uint32_t column = 0; column < map.columns; ++column) {
      const std::uint32_t colour = image.pixels[std::size_t{map.rows - 1 - row} * map.columns + column];
      std::int32_t kind = kBuildingCell;
      for (std::size_t t = 0; t < map.templates.size() && kind < 0; ++t)
        if (map.templates[t].colour == colour) kind = static_cast<std::int32_t>(t);
      if (kind < 0 && colour == ground && ground != 0) kind = kGroundCell;
      if (kind == kBuildingCell && colour != 0)
        throw InputError(
            fmt::format("{}: the pixel at column {}, row {} from the top is #{:06x}; allowed: the colours of "
                        "templates, that of ground, and black",
                        image_path, column, map.rows - 1 - row, colour));
      map.cells.push_back(kind);
    }
}

/// What only maps with a scene have.
void readDistrict(patches::Reader& reader, const Json& json, PatchDistrictSettings& settings) {
  std::string cells(nameOf(settings.cells));
  reader.text(json, "", "cells", cells), reader.text(json, "", "layer", settings.layer);
  try {
    settings.cells = patchCells(cells);
  } catch (const InputError& error) {
    reader.error("/cells", error.what());
  }
  if (json.contains("direction")) reader.number(json, "", "direction", settings.direction.emplace(0));
  if (json.contains("origin")) settings.origin = reader.point(json["origin"], "/origin");
  if (!json.contains("area")) return;
  std::string wkt;
  reader.text(json, "", "area", wkt);
  geometry::ShapeError wrong;
  const auto shapes = geometry::parseWkt(wkt, wrong);
  if (!shapes || shapes->polygons.empty()) {
    reader.error("/area", shapes ? "no polygon in it; allowed: POLYGON or MULTIPOLYGON" : wrong.message);
  } else {
    settings.area = shapes->polygons;
  }
}

}  // namespace

PatchDistrictFile patches::districtFrom(const std::string& text, const std::string& path,
                                        const std::function<std::string(const std::string& image_name)>& image_bytes) {
  scene::JsonProblem problem;
  const auto json = scene::parseJson(text, problem);
  if (!json)
    throw InputError(std::vector<Diagnostic>{
        {Diagnostic::Severity::kError, path, {}, {}, problem.message, problem.line, problem.column}});
  patches::Reader reader;
  PatchDistrictFile file;
  PatchMap& map = file.settings.map;
  std::string image_name;
  std::uint32_t ground = 0;
  if (reader.object(*json, "",
                    {"version", "image", "scene", "cells", "layer", "area", "direction", "origin", "side", "period",
                     "seed", "patterns", "ground", "templates"})) {
    if (!json->contains("version") || (*json)["version"] != 1)
      reader.error("/version", "expected 1, the version of this format");
    reader.text(*json, "", "image", image_name), reader.text(*json, "", "scene", file.scene);
    if (image_name.empty() && file.scene.empty()) reader.error("", "\"image\" or \"scene\" is missing");
    for (const char* key : {"cells", "layer", "area", "direction", "origin"})
      if (file.scene.empty() && json->contains(key))
        reader.error(std::string("/") + key, "only a map with a \"scene\" has this");
    readDistrict(reader, *json, file.settings);
    if (json->contains("ground")) {
      std::string colour;
      reader.text(*json, "", "ground", colour);
      ground = colourOf(reader, "/ground", colour);
    }
    reader.number(*json, "", "side", map.side), reader.number(*json, "", "period", map.period);
    double seed = 1, patterns = map.patterns;
    reader.number(*json, "", "seed", seed), reader.number(*json, "", "patterns", patterns);
    if (!(seed >= 0 && seed <= 9e15)) reader.error("/seed", "expected a whole number from 0 to 9e15");
    if (!(patterns >= 1 && patterns <= 100)) reader.error("/patterns", "expected a whole number from 1 to 100");
    if (reader.found.empty()) map.seed = static_cast<std::uint64_t>(seed), map.patterns = static_cast<int>(patterns);
    reader.list(*json, "", "templates", [&](const Json& value, const std::string& where) {
      map.templates.push_back(templateOf(reader, value, where, !image_name.empty()));
    });
  }
  if (!reader.found.empty()) {
    scene::locate(text, reader.found);
    for (Diagnostic& finding : reader.found) finding.file = path;
    throw InputError(std::move(reader.found));
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!image_name.empty()) paint(map, image_bytes(image_name), (folder / image_name).string(), ground);
  if (!file.scene.empty()) file.scene = (folder / file.scene).string();
  return file;
}

PatchDistrictFile loadPatchDistrict(const std::string& path) {
  return patches::districtFrom(readFile(path), path, [&](const std::string& name) {
    return readFile((std::filesystem::path(path).parent_path() / name).string());
  });
}

PatchMap loadPatchMap(const std::string& path) {
  PatchDistrictFile file = loadPatchDistrict(path);
  if (!file.scene.empty())
    throw InputError(fmt::format("{}: the map is for the scene {}; allowed: a map without one", path, file.scene));
  return std::move(file.settings.map);
}

}  // namespace throng
