// docs/models.md and what the program knows are the same: every model with its parameters, units, defaults and limits.
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "throng/throng.h"

namespace throng {
namespace {

std::string page() {
  std::ifstream file(THRONG_SOURCE_DIR "/docs/models.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// From a heading to the next of the same rank or above.
std::string section(const std::string& text, const std::string& heading) {
  const std::size_t begin = text.find("\n" + heading + "\n");
  if (begin == std::string::npos) return {};
  std::size_t end = text.find("\n## ", begin + 1);
  if (heading.starts_with("### ")) end = std::min(end, text.find("\n### ", begin + 1));
  return text.substr(begin, end - begin);
}

void expectParameters(const std::string& text, const ModelInfo& model) {
  for (const ModelParameter& p : model.parameters) {
    const std::string row =
        fmt::format("| `{}` | {} | {} | {} … {} | {} |", p.name, p.unit, p.value, p.min, p.max, p.description);
    EXPECT_NE(text.find(row), std::string::npos) << model.name << " has no row\n" << row;
  }
}

void expectModels(const std::string& chapter, std::span<const ModelInfo> models) {
  for (const ModelInfo& model : models) {
    const std::string text = section(chapter, fmt::format("### `{}`", model.name));
    EXPECT_FALSE(text.empty()) << model.name << " has no section";
    expectParameters(text, model);
  }
}

TEST(ModelsPage, HasEveryModelWithItsParameters) {
  const std::string text = page();
  expectModels(section(text, "## Planners"), planners());
  expectModels(section(text, "## Followers"), followers());
  expectModels(section(text, "## Steering models"), steeringModels());
  expectParameters(section(text, "## Stream"), streamLayer());
}

}  // namespace
}  // namespace throng
