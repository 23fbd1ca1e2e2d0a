// Metrics and diagnostics as people and as programs read them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "throng/base.h"
#include "throng/metrics.h"

namespace throng::app {

/// Rows of the summary table.
std::vector<std::pair<std::string, std::string>> summaryRows(const MetricsReport& report);
nlohmann::ordered_json toJson(const MetricsReport& report);
nlohmann::ordered_json toJson(const Diagnostic& diagnostic);
/// Each on a line of standard error.
void printDiagnostics(const std::vector<Diagnostic>& diagnostics);

}  // namespace throng::app
