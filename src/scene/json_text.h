// JSON text to a value, stricter than usual: no key twice in one object, no absurd nesting, and mistakes by line and
// column.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "throng/base.h"

namespace throng::scene {

struct JsonProblem {
  int line = 0, column = 0;
  std::string message;
};

/// The value, or the first mistake.
std::optional<nlohmann::ordered_json> parseJson(const std::string& text, JsonProblem& problem);

/// Fills line and column of the findings whose pointer leads to something in the text.
void locate(const std::string& text, std::vector<Diagnostic>& findings);

}  // namespace throng::scene
