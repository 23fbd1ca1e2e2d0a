#include "geometry/geojson.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace throng::geometry {
namespace {

using json = nlohmann::ordered_json;

constexpr int kDeepest = 16;  ///< collections within collections

class GeoJsonReader {
 public:
  std::optional<Shapes> read(const json& value, ShapeError& error) {
    if (geometry(value, "", 0)) return std::move(shapes_);
    error = std::move(error_);
    return std::nullopt;
  }

 private:
  bool fail(const std::string& pointer, const std::string& message) {
    if (error_.message.empty()) error_ = {"GeoJSON: " + message, last_, pointer};
    return false;
  }

  bool array(const json& value, const std::string& pointer, const char* of) {
    if (value.is_array()) return true;
    return fail(pointer, fmt::format("expected an array of {}, found {}", of, value.type_name()));
  }

  bool point(const json& value, const std::string& pointer, Point& p) {
    if (!value.is_array() || value.size() < 2 || !value[0].is_number() || !value[1].is_number()) {
      return fail(pointer, "expected a position [x, y] of two numbers");
    }
    p = {value[0].get<double>(), value[1].get<double>()};
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return fail(pointer, "expected finite numbers");
    if (value.size() > 2 && !heights_) {
      heights_ = true;
      shapes_.repairs.push_back({"heights (a third number) were left out", p, pointer});
    }
    last_ = p;
    return true;
  }

  bool points(const json& value, const std::string& pointer, std::vector<Point>& list) {
    if (!array(value, pointer, "positions")) return false;
    list.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!point(value[i], pointer + "/" + std::to_string(i), list.emplace_back())) return false;
    }
    return true;
  }

  bool polygon(const json& value, const std::string& pointer) {
    if (!array(value, pointer, "rings")) return false;
    if (value.empty()) return true;
    Polygon polygon;
    for (std::size_t i = 0; i < value.size(); ++i) {
      Ring ring;
      const std::string place = pointer + "/" + std::to_string(i);
      if (!points(value[i], place, ring)) return false;
      if (ring.size() > 1 && ring.front() == ring.back()) {
        ring.pop_back();
      } else if (!ring.empty()) {
        shapes_.repairs.push_back(
            {"a ring is not closed; its first point was repeated at the end", ring.back(), place});
      }
      if (i == 0) {
        polygon.outer = std::move(ring);
      } else {
        polygon.holes.push_back(std::move(ring));
      }
    }
    shapes_.polygons.push_back(std::move(polygon));
    return true;
  }

  bool line(const json& value, const std::string& pointer) {
    if (value.is_array() && value.empty()) return true;
    return points(value, pointer, shapes_.lines.emplace_back().points);
  }

  bool singlePoint(const json& value, const std::string& pointer) {
    return point(value, pointer, shapes_.points.emplace_back());
  }

  template <class Member>
  bool members(const json& owner, const char* key, const std::string& pointer, const Member& member) {
    const auto list = owner.find(key);
    const std::string place = pointer + "/" + key;
    if (list == owner.end()) return fail(pointer, fmt::format("\"{}\" is missing", key));
    if (!array(*list, place, "members")) return false;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (!member((*list)[i], place + "/" + std::to_string(i))) return false;
    }
    return true;
  }

  bool geometry(const json& value, const std::string& pointer, int depth) {
    if (!value.is_object()) return fail(pointer, fmt::format("expected an object, found {}", value.type_name()));
    if (depth > kDeepest) return fail(pointer, fmt::format("more than {} collections within one another", kDeepest));
    const auto type = value.find("type");
    if (type == value.end() || !type->is_string()) return fail(pointer, "\"type\" is missing");
    const auto& name = type->get_ref<const std::string&>();
    const auto nested = [&](const json& member, const std::string& place) {
      return geometry(member, place, depth + 1);
    };
    if (name == "FeatureCollection") return members(value, "features", pointer, nested);
    if (name == "GeometryCollection") return members(value, "geometries", pointer, nested);
    if (name == "Feature") {
      const auto inner = value.find("geometry");
      if (inner == value.end()) return fail(pointer, "\"geometry\" is missing");
      return inner->is_null() || nested(*inner, pointer + "/geometry");  // RFC 7946, 3.2: a feature without a place
    }
    return coordinates(value, name, pointer);
  }

  bool coordinates(const json& value, const std::string& type, const std::string& pointer) {
    const auto found = value.find("coordinates");
    const std::string place = pointer + "/coordinates";
    const auto each_line = [&](const json& member, const std::string& at) { return line(member, at); };
    const auto each_polygon = [&](const json& member, const std::string& at) { return polygon(member, at); };
    const auto each_point = [&](const json& member, const std::string& at) { return singlePoint(member, at); };
    if (type == "MultiLineString") return members(value, "coordinates", pointer, each_line);
    if (type == "MultiPolygon") return members(value, "coordinates", pointer, each_polygon);
    if (type == "MultiPoint") return members(value, "coordinates", pointer, each_point);
    if (type != "Point" && type != "LineString" && type != "Polygon") {
      return fail(
          pointer + "/type",
          fmt::format("\"{}\" is no geometry that can be used; allowed: Point, LineString, Polygon, MultiPoint, "
                      "MultiLineString, MultiPolygon, GeometryCollection, Feature, FeatureCollection",
                      type.substr(0, 40)));
    }
    if (found == value.end()) return fail(pointer, "\"coordinates\" is missing");
    if (type == "Point") return singlePoint(*found, place);
    if (type == "LineString") return line(*found, place);
    return polygon(*found, place);
  }

  std::optional<Point> last_;
  bool heights_ = false;
  Shapes shapes_;
  ShapeError error_;
};

}  // namespace

std::optional<Shapes> readGeoJson(const json& value, ShapeError& error) { return GeoJsonReader().read(value, error); }

std::optional<Shapes> parseGeoJson(const std::string& text, ShapeError& error) {
  try {
    return readGeoJson(json::parse(text), error);
  } catch (const json::exception& problem) {
    error = {std::string("GeoJSON: ") + problem.what(), {}, {}};
    return std::nullopt;
  }
}

}  // namespace throng::geometry
