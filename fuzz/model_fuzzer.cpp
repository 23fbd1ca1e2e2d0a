// The look at a model's structure before a library reads it: whatever the bytes, they pass or are an InputError. What
// assimp makes of those that pass is not tried here: it crashes, hangs and leaks on some, which is why it works in a
// copy of the process.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "import/model_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const endings[] = {".obj", ".gltf", ".glb", ".dae", ".ply"};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    throng::import::checkModel({"fuzz", endings[data[0] % 5], "", bytes},
                               [](const std::string&) { return std::optional<std::uint64_t>(100); });
  } catch (const throng::InputError&) {
  }
  return 0;
}
