// Any text is a scene or a list of findings; an accepted scene keeps the rules and survives being written and read.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "scene/scene_file.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::scene;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto check = checkText(text, "", {});  // no folder: the fuzzer reads no files
  for (const auto& d : check.diagnostics) require(!d.text().empty(), "a finding says nothing");
  require(check.scene.has_value() != hasError(check.diagnostics), "a scene together with an error, or neither");
  if (!check.scene) return 0;
  require(!hasError(validate(*check.scene, {})), "an accepted scene breaks the rules");
  const std::string written = toJson(*check.scene);
  const auto again = checkText(written, "", {});
  require(again.scene.has_value(), "a written scene is refused");
  require(toJson(*again.scene) == written, "a written scene reads as another");
  return 0;
}
