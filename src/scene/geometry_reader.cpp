#include "scene/geometry_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "base/output_target.h"
#include "geometry/geojson.h"
#include "scene/json_text.h"
#include "scene/shape_cleaning.h"

namespace throng::scene {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = 256u << 20;
constexpr int kDeepestArrays = 8;  ///< arrays within arrays

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

void append(geometry::Shapes& to, geometry::Shapes&& from, const Value& value, const std::string& prefix) {
  append(to.polygons, std::move(from.polygons));
  append(to.lines, std::move(from.lines));
  append(to.points, std::move(from.points));
  for (const auto& repair : from.repairs) {
    value.findings().warning(value.pointer() + repair.pointer, prefix + repair.message, repair.at);
  }
}

/// [[x, y], [x, y], …]; too few or too many points are refused with the right words later.
bool isListOfPoints(const nlohmann::ordered_json& json) {
  return json.is_array() && !json.empty() && std::all_of(json.begin(), json.end(), [](const auto& p) {
           return p.is_array() && p.size() == 2 && p[0].is_number() && p[1].is_number();
         });
}

Polyline listOfPoints(const Value& value) {
  geometry::Shapes shapes;
  Polyline& line = shapes.lines.emplace_back();
  for (const auto& p : value.json()) line.points.push_back({p[0].get<double>(), p[1].get<double>()});
  return clean(shapes, true, value.findings(), value.pointer()) ? shapes.lines.front() : Polyline{};
}

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string contents(const geometry::Shapes& shapes) {
  std::string text;
  const auto add = [&](std::size_t n, const char* what) {
    if (n > 0) text += (text.empty() ? "" : " and ") + counted(n, what);
  };
  add(shapes.polygons.size(), "polygon");
  add(shapes.lines.size(), "line");
  add(shapes.points.size(), "point");
  return text.empty() ? "nothing (an empty geometry)" : text;
}

}  // namespace

std::optional<std::string> readFile(const std::string& path, std::string& problem) {
  std::error_code code;
  const auto status = fs::status(path, code);
  if (!fs::exists(status)) {
    problem = "there is no such file";
  } else if (!fs::is_regular_file(status)) {
    problem = "that is not a file";
  } else if (fs::file_size(path, code) > kLargestFile) {
    problem = "the file is larger than 256 MB";
  } else {
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (stream.is_open() && !stream.bad()) return text;
    problem = fmt::format("the file cannot be read: {}", std::strerror(errno));
  }
  return {};
}

geometry::Shapes GeometryReader::shapes(const Value& value, Wanted wanted) const {
  geometry::Shapes shapes;
  if (!collect(value, 0, shapes)) return {};
  const char* allowed = wanted.polygons && wanted.lines ? "polygons and lines" : wanted.polygons ? "polygons" : "lines";
  const bool nothing = shapes.polygons.empty() && shapes.lines.empty() && shapes.points.empty();
  if (nothing && wanted.may_be_empty && value.json().is_array() && value.json().empty()) return {};
  if (nothing || !shapes.points.empty() || (!shapes.lines.empty() && !wanted.lines) ||
      (!shapes.polygons.empty() && !wanted.polygons)) {
    std::optional<Point> at;
    if (!shapes.points.empty()) at = shapes.points.front();
    value.error(fmt::format("found {}; allowed: {}", contents(shapes), allowed), at);
    return {};
  }
  const bool fine = clean(shapes, wanted.polygons && wanted.lines, value.findings(), value.pointer());
  return fine ? std::move(shapes) : geometry::Shapes{};
}

Polyline GeometryReader::line(const Value& value) const {
  if (isListOfPoints(value.json())) return listOfPoints(value);
  auto found = shapes(value, {.polygons = false, .lines = true}).lines;
  if (found.size() > 1) value.error(fmt::format("found {} lines; allowed: one", found.size()));
  return found.empty() ? Polyline{} : std::move(found.front());
}

Segment GeometryReader::segment(const Value& value) const {
  const auto points = line(value).points;
  if (points.size() > 2) {
    value.error(fmt::format("found a line of {} points; allowed: a straight line of two points", points.size()),
                points[1]);
  }
  return points.size() < 2 ? Segment{} : Segment{points[0], points[1]};
}

std::optional<Point> GeometryReader::point(const Value& value) const {
  std::optional<Point> place;
  if (value.json().is_string()) {
    geometry::Shapes found;
    if (!collectText(value, found)) return {};
    if (found.points.size() != 1 || !found.polygons.empty() || !found.lines.empty()) {
      value.error(fmt::format("found {}; allowed: one point", contents(found)));
      return {};
    }
    place = found.points.front();
  } else {
    place = value.pair("a point [x, y]");
  }
  if (place && firstOutOfRange({{}, {}, {*place}, {}})) {
    value.error(outOfRangeText(*place), *place);
    return {};
  }
  return place;
}

bool GeometryReader::collect(const Value& value, int depth, geometry::Shapes& into) const {
  if (value.json().is_string()) return collectText(value, into);
  if (value.json().is_object()) {
    return value.json().contains("file") ? collectFile(value, into) : collectGeoJson(value, into);
  }
  if (!value.json().is_array()) {
    value.unexpected("WKT text, a GeoJSON object, {\"file\": …} or an array of those");
    return false;
  }
  if (depth == kDeepestArrays) {
    value.error(fmt::format("more than {} arrays within one another", kDeepestArrays));
    return false;
  }
  bool fine = true;
  for (const auto& member : value.members()) fine &= collect(member, depth + 1, into);
  return fine;
}

bool GeometryReader::collectText(const Value& value, geometry::Shapes& into) const {
  geometry::ShapeError error;
  auto shapes = geometry::parseWkt(value.json().get_ref<const std::string&>(), error);
  if (!shapes) {
    value.error(error.message, error.at);
    return false;
  }
  append(into, std::move(*shapes), value, "");
  return true;
}

bool GeometryReader::collectGeoJson(const Value& value, geometry::Shapes& into) const {
  geometry::ShapeError error;
  auto shapes = geometry::readGeoJson(value.json(), error);
  if (!shapes) {
    value.findings().error(value.pointer() + error.pointer, error.message, error.at);
    return false;
  }
  append(into, std::move(*shapes), value, "");
  return true;
}

std::optional<std::string> GeometryReader::filePath(const Value& value, const std::string& name) const {
  const fs::path path(name);
  const auto refuse = [&](const std::string& why) {
    value.error(fmt::format("{}: {}", inQuotes(name), why));
    return std::nullopt;
  };
  if (directory_.empty()) return refuse("this scene may not name files");
  if (name.empty() || name.find('\0') != std::string::npos) return refuse("that is no name of a file");
  if (path.is_absolute()) return refuse("the path must be relative to the scene's folder");
  // Links are followed before looking, so that none leads out of the folder either.
  auto full = base::inFolder(directory_, (fs::path(directory_) / path).string());
  if (!full) return refuse("the file must lie in the scene's folder");
  return full;
}

std::optional<std::string> GeometryReader::fileText(const Value& value, const std::string& name) const {
  const auto path = filePath(value, name);
  if (!path) return {};
  std::string problem;
  auto text = readFile(*path, problem);
  if (!text) value.error(fmt::format("{}: {}", inQuotes(name), problem));
  return text;
}

bool GeometryReader::collectFile(const Value& value, geometry::Shapes& into) const {
  if (!value.isObject("file")) return false;
  const auto file = value.find("file");
  const auto name = file->string();
  if (!name) return false;
  const std::string extension = fs::path(*name).extension().string();
  if (extension != ".wkt" && extension != ".geojson" && extension != ".json") {
    file->error(fmt::format("{}: the file must end in .wkt, .geojson or .json", inQuotes(*name)));
    return false;
  }
  const auto text = fileText(*file, *name);
  if (!text) return false;
  geometry::ShapeError error;
  std::optional<geometry::Shapes> shapes;
  if (extension == ".wkt") {
    shapes = geometry::parseWkt(*text, error);
  } else {
    JsonProblem problem;
    const auto json = parseJson(*text, problem);
    if (json) {
      shapes = geometry::readGeoJson(*json, error);
    } else {
      error.message = fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.message);
    }
  }
  // Pointers within the other file would mislead, so they go into the text.
  const auto place = [](const std::string& pointer) { return pointer.empty() ? "" : " (at " + pointer + ")"; };
  if (!shapes) {
    file->error(fmt::format("{}: {}{}", inQuotes(*name), error.message, place(error.pointer)), error.at);
    return false;
  }
  for (auto& repair : shapes->repairs) repair.message += place(repair.pointer), repair.pointer.clear();
  append(into, std::move(*shapes), *file, inQuotes(*name) + ": ");
  return true;
}

}  // namespace throng::scene
