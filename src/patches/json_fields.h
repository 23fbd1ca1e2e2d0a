// Values of the JSON files of patches, with what is wrong with them by JSON pointer.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base.h"

#include "scene/json_reader.h"

namespace throng::patches {

/// Reads values and remembers what is wrong with them, and where.
class Reader {
 public:
  std::vector<Diagnostic> found;

  void error(const std::string& where, std::string what) {
    found.push_back({Diagnostic::Severity::kError, {}, where, {}, std::move(what)});
  }
  bool object(const nlohmann::ordered_json& json, const std::string& where,
              std::initializer_list<std::string_view> keys) {
    if (!json.is_object()) {
      error(where, fmt::format("expected an object, found {}", scene::described(json)));
      return false;
    }
    for (const auto& [key, value] : json.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        error(where + "/" + key, fmt::format("there is no key \"{}\" here; allowed: {}", key, fmt::join(keys, ", ")));
    return true;
  }
  void number(const nlohmann::ordered_json& json, const std::string& where, const char* key, double& to) {
    if (!json.contains(key)) return;
    if (const nlohmann::ordered_json& value = json[key]; value.is_number()) {
      to = value.get<double>();
    } else {
      error(where + "/" + key, fmt::format("expected a number, found {}", scene::described(value)));
    }
  }
  void text(const nlohmann::ordered_json& json, const std::string& where, const char* key, std::string& to) {
    if (!json.contains(key)) return;
    if (const nlohmann::ordered_json& value = json[key]; value.is_string()) {
      to = value.get<std::string>();
    } else {
      error(where + "/" + key, fmt::format("expected text, found {}", scene::described(value)));
    }
  }
  /// Members of an array, one by one.
  template <class Each>
  void list(const nlohmann::ordered_json& json, const std::string& where, const char* key, const Each& each) {
    if (!json.contains(key)) return;
    const nlohmann::ordered_json& value = json[key];
    if (!value.is_array())
      return error(where + "/" + key, fmt::format("expected an array, found {}", scene::described(value)));
    for (std::size_t i = 0; i < value.size(); ++i) each(value[i], fmt::format("{}/{}/{}", where, key, i));
  }
  Point point(const nlohmann::ordered_json& json, const std::string& where) {
    if (json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number())
      return {json[0].get<double>(), json[1].get<double>()};
    error(where, fmt::format("expected [x, y] in m, found {}", scene::described(json)));
    return {};
  }
};

}  // namespace throng::patches
