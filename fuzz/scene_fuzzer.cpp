// Any text is a scene or a list of findings; an accepted scene keeps the rules and survives being written and read.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "import/scene_loader.h"

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

bool hasError(const std::vector<throng::Diagnostic>& diagnostics) {
  for (const auto& d : diagnostics) {
    if (d.severity == throng::Diagnostic::Severity::kError) return true;
  }
  return false;
}

/// Nothing for a place in three dimensions: to find where people can walk in it takes longer than all the rest.
std::optional<throng::SceneCheck> checked(const std::string& text) {
  auto draft = throng::scene::readSceneText(text, "");  // no folder: the fuzzer reads no files
  throng::import::makePlace(draft);
  if (draft.scene.mesh) return {};
  throng::import::findLayers(draft);
  // Patches take long to make; what is said about districts does not need them.
  for (auto& choice : draft.districts) draft.scene.districts.push_back(std::move(choice.district));
  draft.districts.clear();
  return throng::scene::checkDraft(std::move(draft), {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto check = checked(text);
  if (!check) return 0;
  for (const auto& d : check->diagnostics) require(!d.text().empty(), "a finding says nothing");
  require(check->scene.has_value() != hasError(check->diagnostics), "a scene together with an error, or neither");
  if (!check->scene) return 0;
  require(!hasError(throng::scene::validate(*check->scene, {})), "an accepted scene breaks the rules");
  const std::string written = throng::import::toJson(*check->scene);
  const auto again = checked(written);
  require(again && again->scene, "a written scene is refused");
  require(throng::import::toJson(*again->scene) == written, "a written scene reads as another");
  return 0;
}
