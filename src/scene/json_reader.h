// A value in a scene file that knows where it stands: whatever is wrong with it is reported by its JSON pointer.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scene/findings.h"

namespace throng::scene {

class Value {
 public:
  Value(const nlohmann::ordered_json& json, std::string pointer, Findings& findings)
      : json_(&json), pointer_(std::move(pointer)), findings_(&findings) {}

  const nlohmann::ordered_json& json() const { return *json_; }
  const std::string& pointer() const { return pointer_; }
  Findings& findings() const { return *findings_; }

  void error(std::string message, std::optional<Point> at = {}) const;
  void warning(std::string message, std::optional<Point> at = {}) const;
  /// `expected <what>, found <this value>`.
  void unexpected(const std::string& expected) const;

  // Each is the value, or nothing after an error has been reported.
  std::optional<double> number() const;
  std::optional<std::uint64_t> wholeNumber(std::uint64_t max) const;
  std::optional<std::string> string() const;
  /// [x, y].
  std::optional<Point> pair(const char* meaning) const;
  /// The members of an array; none, after an error, when it is not one.
  std::vector<Value> members() const;

  /// True for an object all of whose keys are among those of keysOf(kind); reports what is not. An object with unknown
  /// keys is still read, so that all its mistakes are found at once.
  bool isObject(std::string_view kind) const;
  /// The member of that name, when there.
  std::optional<Value> find(const std::string& key) const;
  /// The same; reports that it is missing.
  std::optional<Value> require(const std::string& key) const;

  // Set `to` when there is a member of that name and it is right.
  void read(const std::string& key, double& to) const;
  void read(const std::string& key, std::string& to) const;

 private:
  const nlohmann::ordered_json* json_;
  std::string pointer_;
  Findings* findings_;
};

/// How a value is shown in a message: `"text"`, `12`, `an array of 3`, `an object`.
std::string described(const nlohmann::ordered_json& json);

}  // namespace throng::scene
