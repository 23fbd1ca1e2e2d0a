#include <fmt/format.h>

#include "throng/base.h"
#include "throng/text.h"

namespace throng {
namespace {

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const auto& d : diagnostics) {
    if (!text.empty()) text += '\n';
    text += d.text();
  }
  return text;
}

}  // namespace

std::string Diagnostic::text() const {
  std::string where = printable(file);
  if (line > 0) where += fmt::format(":{}:{}", line, column);
  if (!pointer.empty()) where += (where.empty() ? "" : ":") + printable(pointer);
  if (at) where += fmt::format("{}at ({:.6g}, {:.6g})", where.empty() ? "" : " ", at->x, at->y);
  return fmt::format("{}{}{}: {}", where, where.empty() ? "" : ": ", severity == Severity::kError ? "error" : "warning",
                     printable(message));
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : Error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(const std::string& message)
    : InputError(std::vector<Diagnostic>(1, Diagnostic{.message = message})) {}

}  // namespace throng
