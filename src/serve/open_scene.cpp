#include "serve/open_scene.h"

#include <filesystem>
#include <memory>

#include "throng/files.h"
#include "throng/import.h"

#include "engine/known_models.h"
#include "import/scene_loader.h"
#include "serve/plan_scene.h"

namespace throng::serve {
namespace {

namespace fs = std::filesystem;

Scene readScene(const std::string& file) {
  SceneCheck check = import::checkScene(file, engine::knownModels());
  if (check.scene) return std::move(*check.scene);
  std::erase_if(check.diagnostics, [](const Diagnostic& d) { return d.severity != Diagnostic::Severity::kError; });
  throw InputError(std::move(check.diagnostics));
}

}  // namespace

Scene openScene(std::string& file, bool is_model) {
  if (!is_model) return readScene(file);
  if (isPlan(file)) {
    const fs::path plan(file);
    const std::string text = planScene(plan.stem().string(), readFile(file), plan.extension() == ".geojson");
    std::error_code ignored;
    file = fs::path(plan).replace_extension(".json").string();
    // What is there already may have been designed on.
    if (!fs::exists(file, ignored)) writeFile(file, text, false);
    return readScene(file);
  }
  // Read by a copy of this process: nothing that is in the file can harm this one.
  const auto mesh = std::make_shared<const Mesh>(loadMesh(file));
  SceneMesh source;
  source.file = fs::path(file).filename().string();
  source.mesh = mesh;
  Scene scene = sceneFromMesh(*mesh, source);
  const std::string written = fs::path(file).replace_extension(".json").string();
  std::error_code error;
  if (!fs::exists(written, error)) {
    writeFile(written, import::toJson(scene), false);
    file = written;
  }
  return scene;
}

}  // namespace throng::serve
