// Scenes from their files, with all that the files name: the scene is read (scene/scene_file.h), made-up places are
// made, models are read and searched for ground to walk on, districts get their patches, and the whole is checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "throng/scene.h"

#include "import/walkable_surface.h"
#include "scene/scene_file.h"

namespace throng::import {

/// What takes long of a scene: the place that a generator made, the model that was read, and the ground in it. Who
/// checks a file again and again while it is edited keeps one; what the file still says in the same way is not worked
/// out anew.
struct SceneMemory {
  struct Made {
    scene::GeneratorChoice choice;
    Scene place;
  };
  struct Model {
    std::string path, up;
    double unit = 1;
    std::filesystem::file_time_type written;
    std::uintmax_t size = 0;
    std::shared_ptr<const Mesh> mesh;
  };
  std::optional<Made> made;
  std::optional<Model> model;
  SurfaceMemory ground;
};

/// Reads and validates a scene file. A file that cannot be read is a finding like any other.
SceneCheck checkScene(const std::string& path, const scene::KnownModels& models);
/// The same for text. Files named in it are looked for beneath `directory`; an empty one means that none may be named.
SceneCheck checkSceneText(std::string text, const std::string& directory, const scene::KnownModels& models);
SceneCheck checkSceneText(std::string text, const std::string& directory, const scene::KnownModels& models,
                          SceneMemory& memory);
/// The scene as JSON; checkSceneText() of it gives the same scene, to the last bit.
std::string toJson(const Scene& scene);

// The steps between reading and checking, in this order.

/// Makes the place that the file asks for, where it asks for one.
void makePlace(scene::SceneDraft& draft, SceneMemory* memory = nullptr);
/// Reads the model that the file names, and finds the layers in that model or in the one that a generator has made.
/// Where the scene has places, only what is connected with one of them is kept.
void findLayers(scene::SceneDraft& draft, SceneMemory* memory = nullptr);
/// Reads or makes the patches of districts, and lays their ground.
void placeDistricts(scene::SceneDraft& draft);

}  // namespace throng::import
