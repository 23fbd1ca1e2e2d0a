#include "serve/open_scene.h"

#include <filesystem>
#include <fmt/format.h>

#include "throng/files.h"

#include "engine/known_models.h"
#include "import/scene_loader.h"
#include "serve/library.h"
#include "serve/plan_scene.h"

namespace throng::serve {
namespace {

namespace fs = std::filesystem;

Scene sceneOr(SceneCheck check) {
  if (check.scene) return std::move(*check.scene);
  std::erase_if(check.diagnostics, [](const Diagnostic& d) { return d.severity != Diagnostic::Severity::kError; });
  throw InputError(std::move(check.diagnostics));
}

}  // namespace

Scene openScene(std::string& file, bool is_model) {
  const fs::path given(file);
  const std::string scene_file = is_model ? fs::path(given).replace_extension(".json").string() : file;
  std::error_code ignored;
  // What is there already may have been designed on.
  if (!is_model || fs::exists(scene_file, ignored)) {
    if (is_model && leadsOut(scene_file))
      throw InputError(
          fmt::format("{} is a link that leads out of its folder", fs::path(scene_file).filename().string()));
    file = scene_file;
    return sceneOr(import::checkScene(scene_file, engine::knownModels()));
  }
  const std::string name = given.stem().string();
  const std::string text = isPlan(file) ? planScene(name, readFile(file), given.extension() == ".geojson")
                                        : modelScene(name, given.filename().string());
  // Models are read by a copy of this process: nothing that is in the file can harm this one.
  Scene scene = sceneOr(import::checkSceneText(text, given.parent_path().string(), engine::knownModels()));
  writeFile(scene_file, text, false);
  file = scene_file;
  return scene;
}

}  // namespace throng::serve
