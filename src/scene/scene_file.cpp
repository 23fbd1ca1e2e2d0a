#include "scene/scene_file.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "scene/json_text.h"
#include "scene/scene_check.h"
#include "scene/scene_reader.h"

namespace throng::scene {
namespace {

void inReadingOrder(std::vector<Diagnostic>& findings) {
  const auto key = [](const Diagnostic& d) { return std::tuple(d.line == 0, d.line, d.column); };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

SceneCheck checked(const std::string& text, const std::string& directory, const std::string& file,
                   const KnownModels& models) {
  Findings findings(file);
  SceneCheck result;
  JsonProblem problem;
  const auto json = parseJson(text, problem);
  if (!json) {
    findings.syntaxError(problem.line, problem.column, problem.message);
  } else {
    const GeometryReader geometry(directory);
    Scene scene = SceneReader(geometry, models.meshes).read(Value(*json, "", findings));
    if (json->is_object()) checkRules(scene, models, findings);
    locate(text, findings.list());
    inReadingOrder(findings.list());
    if (!findings.failed()) result.scene = std::move(scene);
  }
  result.diagnostics = findings.take();
  return result;
}

}  // namespace

SceneCheck check(const std::string& path, const KnownModels& models) {
  std::string problem;
  const auto text = readFile(path, problem);
  if (!text) {
    Findings findings(path);
    findings.error("", problem);
    return {std::nullopt, findings.take()};
  }
  const auto folder = std::filesystem::path(path).parent_path().string();
  return checked(*text, folder.empty() ? "." : folder, path, models);
}

SceneCheck checkText(const std::string& text, const std::string& directory, const KnownModels& models) {
  return checked(text, directory, "", models);
}

std::vector<Diagnostic> validate(const Scene& scene, const KnownModels& models) {
  Findings findings;
  checkRules(scene, models, findings);
  return findings.take();
}

}  // namespace throng::scene
