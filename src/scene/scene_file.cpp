#include "scene/scene_file.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <tuple>
#include <utility>

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

/// Where the file says what stands at `pointer` in the scene: flows are populations there, after the others, and a
/// single goal is a list of one.
std::string asWritten(const nlohmann::ordered_json& file, const std::string& pointer) {
  constexpr std::string_view kPopulations = "/populations/";
  if (pointer.rfind(kPopulations, 0) != 0) return pointer;
  const std::size_t slash = std::min(pointer.find('/', kPopulations.size()), pointer.size());
  const std::size_t number = std::strtoull(pointer.c_str() + kPopulations.size(), nullptr, 10);
  std::string rest = pointer.substr(slash);
  const auto populations = file.find("populations");
  const std::size_t listed = populations != file.end() && populations->is_array() ? populations->size() : 0;
  if (number >= listed) return "/flows/" + std::to_string(number - listed) + rest;
  constexpr std::string_view kOnlyGoal = "/goals/0";
  if (rest.rfind(kOnlyGoal, 0) == 0 && (*populations)[number].contains("goal"))
    rest.replace(0, kOnlyGoal.size(), "/goal");
  return pointer.substr(0, slash) + rest;
}

SceneDraft draftOf(std::string text, const std::string& directory, const std::string& file) {
  SceneDraft draft;
  draft.findings = Findings(file);
  JsonProblem problem;
  const auto json = parseJson(text, problem);
  if (!json) {
    draft.findings.syntaxError(problem.line, problem.column, problem.message);
    return draft;
  }
  const GeometryReader geometry(directory);
  SceneReader(geometry).read(Value(*json, "", draft.findings), draft);
  draft.is_object = json->is_object();
  draft.text = std::move(text);
  return draft;
}

}  // namespace

SceneDraft readScene(const std::string& path) {
  std::string problem;
  auto text = readFile(path, problem);
  if (!text) {
    SceneDraft nothing;
    nothing.findings = Findings(path);
    nothing.findings.error("", problem);
    return nothing;
  }
  const auto folder = std::filesystem::path(path).parent_path().string();
  return draftOf(std::move(*text), folder.empty() ? "." : folder, path);
}

SceneDraft readSceneText(std::string text, const std::string& directory) {
  return draftOf(std::move(text), directory, "");
}

SceneCheck checkDraft(SceneDraft draft, const KnownModels& models) {
  assert(!draft.generate && !draft.mesh && draft.districts.empty());
  SceneCheck result;
  Findings& findings = draft.findings;
  if (!draft.text.empty()) {
    if (draft.scene.layers.empty() && !draft.has_layers) draft.scene.layers.emplace_back();
    if (draft.is_object) checkRules(draft.scene, models, findings);
    locate(draft.text, findings.list());
    inReadingOrder(findings.list());
    if (!findings.failed()) result.scene = std::move(draft.scene);
  }
  result.diagnostics = findings.take();
  return result;
}

void locateInFile(const std::string& path, std::vector<Diagnostic>& findings) {
  std::string unreadable;
  const auto text = findings.empty() ? std::nullopt : readFile(path, unreadable);
  locateInText(text.value_or(""), path, findings);
}

void locateInText(const std::string& text, const std::string& file, std::vector<Diagnostic>& findings) {
  JsonProblem problem;
  const auto json = parseJson(text, problem);
  for (Diagnostic& finding : findings) {
    if (finding.file.empty()) finding.file = file;
    if (json) finding.pointer = asWritten(*json, finding.pointer);
  }
  if (json) locate(text, findings);
}

std::vector<Diagnostic> validate(const Scene& scene, const KnownModels& models) {
  Findings findings;
  checkRules(scene, models, findings);
  return findings.take();
}

}  // namespace throng::scene
