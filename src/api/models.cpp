#include "throng/models.h"

#include <vector>

#include "api/known_models.h"
#include "base/parallel.h"
#include "following/followers.h"
#include "import/mesh_reader.h"
#include "import/walkable_surface.h"
#include "planning/planners.h"
#include "steering/models.h"
#include "steering/stream.h"

namespace throng {
namespace {

template <class Entry>
std::vector<ModelInfo> infos(std::span<const Entry> table) {
  std::vector<ModelInfo> list;
  for (const Entry& entry : table) list.push_back(entry.info);
  return list;
}

}  // namespace

std::span<const ModelInfo> planners() {
  static const auto list = infos(planning::planners());
  return list;
}

std::span<const ModelInfo> followers() {
  static const auto list = infos(following::followers());
  return list;
}

std::span<const ModelInfo> steeringModels() {
  static const auto list = infos(steering::models());
  return list;
}

const ModelInfo& streamLayer() { return steering::streamInfo(); }

namespace api {

namespace {

std::shared_ptr<const Mesh> readMesh(const std::string& path, const std::string& up, double unit) {
  import::MeshReaderOptions options;
  options.up = up;
  options.unit = unit;
  return std::make_shared<const Mesh>(import::readMesh(path, options));
}

GeneratedPlace walkableParts(const Mesh& mesh, const Walkability& walkability, const std::vector<Place>& places) {
  import::SurfaceOptions options;
  for (const Place& place : places) options.seeds.push_back({place.at, place.z});
  auto surface = import::walkableSurface(mesh, walkability, options, base::Threads());
  return {std::move(surface.layers), std::move(surface.connections), {}, {}};
}

}  // namespace

scene::KnownModels knownModels() {
  return {planners(), followers(), steeringModels(), &streamLayer(), {&readMesh, &walkableParts}};
}

}  // namespace api
}  // namespace throng
