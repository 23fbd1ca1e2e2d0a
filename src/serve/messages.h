// What is sent, out of what it says.
#pragma once

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "serve/connection.h"

namespace throng::serve {

inline std::string dumped(const nlohmann::json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
inline Message message(std::string text) { return {std::make_shared<const std::string>(std::move(text)), true}; }
inline Message message(const nlohmann::json& object) { return message(dumped(object)); }
/// Thousandths are enough to look at, or other parts of one.
inline double rounded(double value, double steps = 1000) { return std::round(value * steps) / steps; }

}  // namespace throng::serve
