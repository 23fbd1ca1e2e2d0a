#include "import/scene_loader.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "throng/patch_city.h"
#include "throng/patch_district.h"

#include "base/parallel.h"
#include "import/mesh_reader.h"
#include "import/walkable_surface.h"
#include "places/generate.h"
#include "scene/scene_check.h"

namespace throng::import {
namespace {

template <class T>
void putBefore(std::vector<T>& list, std::vector<T>&& more) {
  list.insert(list.begin(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What went wrong, without the words that findings get when they are printed.
std::string said(const std::exception& error) {
  const auto* input = dynamic_cast<const InputError*>(&error);
  if (!input || input->diagnostics().empty()) return error.what();
  const Diagnostic& first = input->diagnostics().front();
  std::string place = first.pointer;  // in the model
  if (first.line > 0) place = fmt::format("line {}", first.line);
  return place.empty() ? first.message : fmt::format("{}: {}", place, first.message);
}

std::shared_ptr<const Mesh> modelOf(const scene::MeshChoice& choice, SceneMemory* memory) {
  const auto read = [&] {
    return std::make_shared<const Mesh>(readMesh(choice.path, {.up = choice.mesh.up, .unit = choice.mesh.unit}));
  };
  if (!memory) return read();
  std::error_code no_time, no_size;
  SceneMemory::Model model{choice.path,
                           choice.mesh.up,
                           choice.mesh.unit,
                           std::filesystem::last_write_time(choice.path, no_time),
                           std::filesystem::file_size(choice.path, no_size),
                           nullptr};
  const auto& last = memory->model;
  if (last && !no_time && !no_size && last->path == model.path && last->up == model.up && last->unit == model.unit &&
      last->written == model.written && last->size == model.size)
    return last->mesh;
  model.mesh = read();
  memory->model = std::move(model);
  return memory->model->mesh;
}

/// The model that the file names becomes the scene's, or says what can be walked on in the one of the generator.
void useModel(const scene::MeshChoice& choice, Scene& scene, scene::Findings& findings, SceneMemory* memory) {
  SceneMesh given = choice.mesh;
  if (!choice.path.empty()) {
    try {
      given.mesh = modelOf(choice, memory);
    } catch (const std::exception& error) {
      findings.error("/mesh/file", said(error));
    }
  }
  if (scene.mesh) {
    if (!given.file.empty())
      findings.error("/mesh", "\"generate\" makes a mesh already; allowed: \"walkability\" and \"regions\" alone");
    if (given.walkability.unwalkable_materials.empty())
      given.walkability.unwalkable_materials = scene.mesh->walkability.unwalkable_materials;
    scene.mesh->walkability = given.walkability;
    if (!given.regions.empty()) scene.mesh->regions = given.regions;
  } else {
    if (given.file.empty() && !findings.broken("/mesh"))
      findings.error("/mesh", "found no \"file\"; allowed: a model to read, or a generator that makes one");
    scene.mesh = std::move(given);
  }
}

/// Materials that become regions and that the model does not have.
void checkMaterials(const SceneMesh& mesh, const std::string& here, scene::Findings& findings) {
  std::vector<std::string_view> names;
  for (const Mesh::Material& material : mesh.mesh->materials) names.push_back(material.name);
  for (const auto& [material, type] : mesh.regions)
    if (std::find(names.begin(), names.end(), material) == names.end())
      findings.warning(
          here + "/regions/" + scene::pointerPart(material),
          fmt::format("the model has no material {}{}", scene::inQuotes(material), scene::suggestion(material, names)));
}

/// As places::made(), which is asked only when the wish is another one than the last.
Scene madePlace(const scene::GeneratorChoice& choice, std::uint32_t vertices, scene::Findings& findings,
                SceneMemory* memory) {
  const auto same = [&](const scene::GeneratorChoice& last) {
    return last.name == choice.name && last.seed == choice.seed && last.vertices == choice.vertices;
  };
  if (memory && memory->made && same(memory->made->choice)) return memory->made->place;
  const std::size_t before = findings.list().size();
  Scene place = places::made(*choice.name, choice.seed, vertices, findings, "/generate");
  // What had to be repaired has to be said again.
  if (memory && findings.list().size() == before) memory->made = {choice, place};
  return place;
}

SceneCheck checked(scene::SceneDraft draft, const scene::KnownModels& models, SceneMemory* memory = nullptr) {
  makePlace(draft, memory);
  findLayers(draft, memory);
  placeDistricts(draft);
  return scene::checkDraft(std::move(draft), models);
}

}  // namespace

SceneCheck checkScene(const std::string& path, const scene::KnownModels& models) {
  return checked(scene::readScene(path), models);
}

SceneCheck checkSceneText(std::string text, const std::string& directory, const scene::KnownModels& models) {
  return checked(scene::readSceneText(std::move(text), directory), models);
}

SceneCheck checkSceneText(std::string text, const std::string& directory, const scene::KnownModels& models,
                          SceneMemory& memory) {
  return checked(scene::readSceneText(std::move(text), directory), models, &memory);
}

std::string toJson(const Scene& scene) {
  std::vector<Place> made;
  if (scene.mesh && scene.mesh->file.empty() && !scene.mesh->generator.empty())
    made = generatePlace(scene.mesh->generator, scene.mesh->seed).places;
  return scene::toJson(scene, made);
}

void makePlace(scene::SceneDraft& draft, SceneMemory* memory) {
  const auto choice = std::exchange(draft.generate, std::nullopt);
  if (!choice) return;
  scene::Findings& findings = draft.findings;
  const std::string name = choice->name.value_or("");
  const std::uint32_t vertices = choice->vertices.value_or(places::kUsualVertices);
  if (const auto problem = places::nameProblem(name); problem && choice->name)
    findings.error("/generate/scene", *problem);
  if (const auto problem = places::sizeProblem(name, vertices); problem && choice->has_vertices)
    findings.error("/generate/vertices", *problem);
  if (findings.broken("/generate")) return;
  Scene place = madePlace(*choice, vertices, findings, memory);
  Scene& scene = draft.scene;
  putBefore(scene.layers, std::move(place.layers));
  putBefore(scene.connections, std::move(place.connections));
  // What is found about the file's own places, which are counted after those made, is said where the file has them.
  for (std::size_t i = 0; i < scene.places.size() && !place.places.empty(); ++i)
    findings.rename(fmt::format("/places/{}", place.places.size() + i), fmt::format("/places/{}", i));
  putBefore(scene.places, std::move(place.places));
  scene.mesh = std::move(place.mesh);
}

void findLayers(scene::SceneDraft& draft, SceneMemory* memory) {
  const auto choice = std::exchange(draft.mesh, std::nullopt);
  Scene& scene = draft.scene;
  scene::Findings& findings = draft.findings;
  if (choice) useModel(*choice, scene, findings, memory);
  if (!scene.mesh) return;
  const std::string here = choice ? "/mesh" : "/generate";
  if (!choice) findings.rename("/mesh", here);
  scene::checkWalkability(scene.mesh->walkability, here + "/walkability", findings);
  if (!scene.mesh->mesh || findings.broken(here)) return;
  checkMaterials(*scene.mesh, here, findings);
  SurfaceOptions options;
  options.regions = scene.mesh->regions;
  for (const Place& place : scene.places) options.seeds.push_back({place.at, place.z});
  try {
    const SceneMesh& mesh = *scene.mesh;
    WalkableSurface found = memory ? memory->ground.surface(mesh.mesh, mesh.walkability, options, base::Threads())
                                   : walkableSurface(*mesh.mesh, mesh.walkability, options, base::Threads());
    if (!draft.has_layers) {  // a generator's, where there are any
      scene.layers.clear();
      scene.connections.clear();
    }
    putBefore(scene.layers, std::move(found.layers));
    putBefore(scene.connections, std::move(found.connections));
  } catch (const std::exception& error) {
    findings.error(here, said(error));
  }
}

void placeDistricts(scene::SceneDraft& draft) {
  const std::vector<scene::DistrictChoice> choices = std::exchange(draft.districts, {});
  scene::Findings& findings = draft.findings;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const scene::DistrictChoice& choice = choices[i];
    const PatchDistrict& district = choice.district;
    const bool sound = !findings.broken(fmt::format("/districts/{}", i));
    try {
      if (!sound) {
        draft.scene.districts.push_back(district);  // others are named by it
      } else if (district.street) {
        placeStreet(draft.scene, district);
      } else {
        placeDistrict(draft.scene, district,
                      district.map.empty() ? loadPatches(choice.path) : makePatchCity(loadPatchMap(choice.path)));
      }
    } catch (const std::exception& error) {
      findings.error(choice.pointer, said(error));
      draft.scene.districts.push_back(district);
    }
  }
}

}  // namespace throng::import
