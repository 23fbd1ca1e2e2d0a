#include "throng/import.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "base/parallel.h"
#include "import/mesh_reader.h"
#include "import/mesh_writer.h"
#include "import/walkable_surface.h"

namespace throng {

Mesh loadMesh(const std::string& path, const MeshOptions& options, MeshRepairs* repairs) {
  return import::readMesh(path, options, repairs);
}

void saveMesh(const Mesh& mesh, const std::string& path) { import::writeMesh(mesh, path); }

Scene sceneFromMesh(const Mesh& mesh, const SceneMesh& source, const std::function<void(double share)>& progress,
                    std::vector<SeparateFloor>* separate) {
  import::SurfaceOptions options;
  options.progress = progress;
  options.regions = source.regions;
  import::WalkableSurface surface = import::walkableSurface(mesh, source.walkability, options, base::Threads());
  Scene scene;
  scene.name = std::filesystem::path(source.file).stem().string();
  scene.layers = std::move(surface.layers);
  scene.connections = std::move(surface.connections);
  if (separate) *separate = std::move(surface.separate);
  scene.profiles.emplace_back();
  scene.run.duration = 120;
  scene.mesh = source;
  if (source.mesh.get() != &mesh) scene.mesh->mesh = std::make_shared<const Mesh>(mesh);
  scene.navigation.body_radius = source.walkability.body_radius;
  return scene;
}

}  // namespace throng
