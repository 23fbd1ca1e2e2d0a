// docs/models and what the program knows are the same: every model with its parameters, units, defaults and limits.
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "throng/throng.h"

namespace throng {
namespace {

/// A page of docs/models, empty when there is none.
std::string page(const std::string& name) {
  std::ifstream file(fmt::format("{}/docs/models/{}.md", THRONG_SOURCE_DIR, name));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// From a heading of the second rank to the next.
std::string section(const std::string& text, const std::string& heading) {
  const std::size_t begin = text.find("\n" + heading + "\n");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
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
    const std::string text = section(chapter, fmt::format("## `{}`", model.name));
    EXPECT_FALSE(text.empty()) << model.name << " has no section";
    expectParameters(text, model);
  }
}

TEST(ModelsPages, HaveEveryModelWithItsParameters) {
  expectModels(page("planners"), planners());
  expectModels(page("followers"), followers());
  for (const ModelInfo& model : steeringModels()) expectParameters(page(std::string(model.name)), model);
  expectParameters(page("stream"), streamLayer());
}

}  // namespace
}  // namespace throng
