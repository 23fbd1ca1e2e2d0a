// Patches on disk (docs/patches.md): definitions as JSON that people write, libraries of finished patches as sealed
// files.
#pragma once

#include <string>
#include <vector>

#include "throng/patch_world.h"
#include "throng/patches.h"

#pragma GCC visibility push(default)
namespace throng {

/// Finished patches, and where they lie.
struct PatchLibrary {
  std::vector<Patch> patches;
  std::vector<PlacedPatch> placed;
  std::vector<std::vector<std::uint32_t>> versions;  ///< as in PatchWorldSettings
};

/// Makes every patch of a library available in `count` versions (makeVersions()), itself counted, where so many are
/// found. Patches that are versions of others already are left alone.
void addVersions(PatchLibrary& library, int count, std::uint64_t seed = 1);

/// Reads a definition, or throws InputError with everything that is wrong with it, by file, line and JSON pointer.
PatchDefinition loadPatchDefinition(const std::string& path);
/// The same from text; `name` is for messages.
PatchDefinition patchDefinitionFromJson(const std::string& json, const std::string& name = "");
/// The definition as JSON; reading it gives the same definition.
std::string patchDefinitionToJson(const PatchDefinition& patch);

/// Writes a library. It has a version and a checksum, and is written whole or not at all.
void savePatches(const std::string& path, const PatchLibrary& library, bool overwrite = false);
/// Reads a library and checks every patch in it. Throws FileError, or InputError for a file that is damaged, is
/// something else, or has a patch that does not pass check().
PatchLibrary loadPatches(const std::string& path);

}  // namespace throng
#pragma GCC visibility pop
