#include "scene/json_reader.h"

#include <algorithm>
#include <fmt/format.h>

#include "scene/keys.h"

namespace throng::scene {

std::string described(const nlohmann::ordered_json& json) {
  switch (json.type()) {
    case nlohmann::ordered_json::value_t::object:
      return "an object";
    case nlohmann::ordered_json::value_t::array:
      return fmt::format("an array of {}", json.size());
    case nlohmann::ordered_json::value_t::string:
      return inQuotes(json.get_ref<const std::string&>());
    default:
      return json.dump();
  }
}

void Value::error(std::string message, std::optional<Point> at) const {
  findings_->error(pointer_, std::move(message), at);
}

void Value::warning(std::string message, std::optional<Point> at) const {
  findings_->warning(pointer_, std::move(message), at);
}

void Value::unexpected(const std::string& expected) const {
  error(fmt::format("expected {}, found {}", expected, described(*json_)));
}

std::optional<double> Value::number() const {
  if (json_->is_number()) return json_->get<double>();
  unexpected("a number");
  return {};
}

std::optional<std::uint64_t> Value::wholeNumber(std::uint64_t max) const {
  std::optional<std::uint64_t> value;
  if (json_->is_number_unsigned()) {
    value = json_->get<std::uint64_t>();
  } else if (json_->is_number_float()) {
    // 1e6 is a whole number too.
    const double number = json_->get<double>();
    if (number >= 0 && number <= 0x1p53 && number == static_cast<double>(static_cast<std::uint64_t>(number))) {
      value = static_cast<std::uint64_t>(number);
    }
  }
  if (value && *value <= max) return value;
  unexpected(fmt::format("a whole number from 0 to {}", max));
  return {};
}

std::optional<std::string> Value::string() const {
  if (json_->is_string()) return json_->get<std::string>();
  unexpected("a text");
  return {};
}

std::optional<Point> Value::pair(const char* meaning) const {
  if (json_->is_array() && json_->size() == 2 && (*json_)[0].is_number() && (*json_)[1].is_number()) {
    return Point{(*json_)[0].get<double>(), (*json_)[1].get<double>()};
  }
  unexpected(fmt::format("{} of two numbers", meaning));
  return {};
}

std::vector<Value> Value::members() const {
  std::vector<Value> values;
  if (!json_->is_array()) {
    unexpected("an array");
    return values;
  }
  values.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) {
    values.emplace_back((*json_)[i], pointer_ + "/" + std::to_string(i), *findings_);
  }
  return values;
}

bool Value::isObject(std::string_view kind) const {
  const auto keys = keysOf(kind);
  const std::vector<std::string_view> known(keys.begin(), keys.end());
  if (!json_->is_object()) {
    unexpected("an object with " + listed(known));
    return false;
  }
  for (const auto& [key, value] : json_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    findings_->error(pointer_ + "/" + pointerPart(key),
                     fmt::format("unknown key {}{}", inQuotes(key), suggestion(key, known)));
  }
  return true;
}

std::optional<Value> Value::find(const std::string& key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) return {};
  return Value(*found, pointer_ + "/" + pointerPart(key), *findings_);
}

std::optional<Value> Value::require(const std::string& key) const {
  auto value = find(key);
  if (!value) error(fmt::format("{} is missing", inQuotes(key)));
  return value;
}

void Value::read(const std::string& key, double& to) const {
  if (const auto value = find(key)) to = value->number().value_or(to);
}

void Value::read(const std::string& key, std::string& to) const {
  if (const auto value = find(key)) to = value->string().value_or(to);
}

}  // namespace throng::scene
