#include "throng/models.h"

#include <algorithm>
#include <mutex>
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

/// As many models as can be told of: what was told before must stay where it is when programs register more.
constexpr std::size_t kMost = 1024;

template <class Entry>
std::span<const ModelInfo> infos(const base::Registry<Entry>& registry, std::vector<ModelInfo>& list) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  list.reserve(kMost);
  for (std::size_t i = list.size(); i < std::min(kMost, registry.entries().size()); ++i)
    list.push_back(registry.entries()[i].info);
  return list;
}

}  // namespace

std::span<const ModelInfo> planners() {
  static std::vector<ModelInfo> list;
  return infos(planning::planners(), list);
}

std::span<const ModelInfo> followers() {
  static std::vector<ModelInfo> list;
  return infos(following::followers(), list);
}

std::span<const ModelInfo> steeringModels() {
  static std::vector<ModelInfo> list;
  return infos(steering::models(), list);
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
