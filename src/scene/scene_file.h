// Scenes from and to JSON (docs/scene-format.md), and the rules that every scene keeps, from whichever side it comes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/models.h"
#include "throng/scene.h"

#include "scene/findings.h"

namespace throng::scene {

/// The models that a scene may name; an empty table lets every name and parameter through.
struct KnownModels {
  std::span<const ModelInfo> planners, followers, steering;
  const ModelInfo* stream = nullptr;  ///< null as an empty table
};

/// "generate": the made-up place that a file asks for. Whether there is such a place is not known here.
struct GeneratorChoice {
  std::optional<std::string> name;  ///< nothing: there is no name, which has been said
  std::uint64_t seed = 1;
  bool has_vertices = false;              ///< the key is there
  std::optional<std::uint32_t> vertices;  ///< nothing: the key is not there, or has no number, which has been said
};

/// "mesh": the model that a file names, and what a body can walk on in it.
struct MeshChoice {
  SceneMesh mesh;    ///< without the mesh itself
  std::string path;  ///< of the model; empty: none is named, or none that may be read, which has been said
};

/// One of "districts": which patches are played where. Whether there are such patches is not known here.
struct DistrictChoice {
  PatchDistrict district;  ///< without the patches
  std::string path;     ///< of the library or the map; empty: a street, or none that may be read, which has been said
  std::string pointer;  ///< of the key that says which patches
};

/// What a scene file says. The made-up place, the patches and the model that it may name are only named here. Who knows
/// how to get them (import/scene_loader.h) takes the choices out, and puts what they bring into the scene before what
/// the file has of its own.
struct SceneDraft {
  Scene scene;  ///< without layers where the file has none
  std::optional<GeneratorChoice> generate;
  std::optional<MeshChoice> mesh;
  std::vector<DistrictChoice> districts;
  bool has_layers = false;  ///< the key is there
  Findings findings;
  std::string text;        ///< of the file; empty: it is no JSON
  bool is_object = false;  ///< so that there is something to check
};

/// Reads a scene file. A file that cannot be read is a finding like any other.
SceneDraft readScene(const std::string& path);
/// The same for text. Files named in it are looked for beneath `directory`; an empty one means that none may be named.
SceneDraft readSceneText(std::string text, const std::string& directory);
/// Checks the whole. Nothing is only named any more.
SceneCheck checkDraft(SceneDraft draft, const KnownModels& models);
/// Finds what is said about a scene in the file that it was read from.
void locateInFile(const std::string& path, std::vector<Diagnostic>& findings);
/// The same for its text. `file`: what it is called.
void locateInText(const std::string& text, const std::string& file, std::vector<Diagnostic>& findings);
/// The same rules for a scene built in code; pointers are those of its JSON. What a file would have repaired with a
/// warning (a polygon that crosses itself) is an error here.
std::vector<Diagnostic> validate(const Scene& scene, const KnownModels& models);
/// A layer as it is shown and recorded: the ground of districts is ground like any other.
Layer shown(Layer layer);
/// Reading this gives the same scene, to the last bit. Not written: places of the names of those that the scene's
/// generator makes.
std::string toJson(const Scene& scene, std::span<const Place> made = {});

}  // namespace throng::scene
