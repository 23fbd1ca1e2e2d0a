#include "throng/scene.h"

#include <algorithm>

#include "engine/known_models.h"
#include "import/scene_loader.h"

namespace throng {

SceneCheck checkScene(const std::string& path) { return import::checkScene(path, engine::knownModels()); }

SceneCheck checkSceneText(const std::string& json, const std::string& directory) {
  return import::checkSceneText(json, directory, engine::knownModels());
}

Scene loadScene(const std::string& path, std::vector<Diagnostic>* warnings) {
  SceneCheck check = checkScene(path);
  if (!check.scene) {
    std::erase_if(check.diagnostics, [](const Diagnostic& d) { return d.severity != Diagnostic::Severity::kError; });
    throw InputError(std::move(check.diagnostics));
  }
  if (warnings) *warnings = std::move(check.diagnostics);
  return std::move(*check.scene);
}

void locateInFile(const std::string& path, std::vector<Diagnostic>& findings) { scene::locateInFile(path, findings); }

std::string sceneToJson(const Scene& scene) { return import::toJson(scene); }

}  // namespace throng
