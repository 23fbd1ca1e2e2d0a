// The readers of crowd patches, from memory: whatever the bytes, what they describe or an InputError. The first byte
// says which file they are: a definition, a map of templates with its image, or the content of a library, which is
// sealed here, since no fuzzer would hit upon its checksum.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "throng/patch_files.h"

#include "patches/readers.h"

namespace {

using namespace throng;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void definition(const std::string& text) {
  const PatchDefinition patch = patchDefinitionFromJson(text, "fuzz");
  require(check(patch).empty(), "an accepted definition breaks the rules");
  const std::string written = patchDefinitionToJson(patch);
  require(patchDefinitionToJson(patchDefinitionFromJson(written)) == written, "a written definition reads as another");
}

/// The JSON, a zero byte, the image.
void map(const std::string& bytes) {
  const std::size_t end = bytes.find('\0');
  const std::string image = end == std::string::npos ? "" : bytes.substr(end + 1);
  const PatchMap read =
      patches::districtFrom(bytes.substr(0, end), "fuzz", [&](const std::string&) { return image; }).settings.map;
  require(read.cells.size() == std::size_t{read.columns} * read.rows, "a map has other cells than rows and columns");
  for (const std::int32_t cell : read.cells)
    require(cell >= kGroundCell && cell < static_cast<std::int32_t>(read.templates.size()), "a cell of no template");
}

void library(const std::string& content) {
  const PatchLibrary read = patches::libraryFrom(base::sealed(patches::kLibraryKind, 0, content), "fuzz");
  for (const Patch& patch : read.patches) require(check(patch).empty(), "an accepted patch breaks the rules");
  const std::string written = patches::bytesOf(read);
  require(patches::bytesOf(patches::libraryFrom(written, "again")) == written, "a written library reads as another");
  const PatchWorld world(read.patches, read.placed, {.threads = 1, .versions = read.versions});
  FrameCopy frame;
  if (!read.placed.empty()) world.frameAt(3, frame);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 3) {
      case 0:
        definition(rest);
        break;
      case 1:
        map(rest);
        break;
      default:
        library(rest);
    }
  } catch (const InputError& error) {
    require(!error.diagnostics().empty() || error.what()[0] != '\0', "an error says nothing");
  }
  return 0;
}
