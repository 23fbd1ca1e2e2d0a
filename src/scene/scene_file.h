// Scenes from and to JSON (docs/scene-format.md), and the rules that every scene keeps, from whichever side it comes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "throng/models.h"
#include "throng/scene.h"

namespace throng::scene {

/// How meshes are read, and what of them can be walked on. Both throw InputError or FileError. Null: meshes are not
/// looked into, and a scene with one has the layers of an empty plane.
struct MeshTools {
  std::shared_ptr<const Mesh> (*read)(const std::string& path, const std::string& up, double unit) = nullptr;
  /// Only what is connected with one of the places, where there are some.
  GeneratedPlace (*walkable)(const Mesh& mesh, const Walkability& walkability,
                             const std::vector<Place>& places) = nullptr;
};

/// The models that a scene may name; an empty table lets every name and parameter through.
struct KnownModels {
  std::span<const ModelInfo> planners, followers, steering;
  const ModelInfo* stream = nullptr;  ///< null as an empty table
  MeshTools meshes;
};

/// Reads and validates a scene file. A file that cannot be read is a finding like any other.
SceneCheck check(const std::string& path, const KnownModels& models);
/// The same for text. Files named in it are looked for beneath `directory`; an empty one means that none may be named.
SceneCheck checkText(const std::string& text, const std::string& directory, const KnownModels& models);
/// Finds what is said about a scene in the file that it was read from.
void locateInFile(const std::string& path, std::vector<Diagnostic>& findings);
/// The same rules for a scene built in code; pointers are those of its JSON. What a file would have repaired with a
/// warning (a polygon that crosses itself) is an error here.
std::vector<Diagnostic> validate(const Scene& scene, const KnownModels& models);
/// checkText of this gives the same scene, to the last bit.
std::string toJson(const Scene& scene);

}  // namespace throng::scene
