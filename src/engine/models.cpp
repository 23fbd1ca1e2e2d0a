#include "throng/models.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "engine/known_models.h"
#include "following/followers.h"
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

namespace engine {

scene::KnownModels knownModels() { return {planners(), followers(), steeringModels(), &streamLayer()}; }

const Scene& checked(const Scene& scene) {
  auto diagnostics = scene::validate(scene, knownModels());
  std::erase_if(diagnostics, [](const Diagnostic& d) { return d.severity != Diagnostic::Severity::kError; });
  if (!diagnostics.empty()) throw InputError(std::move(diagnostics));
  return scene;
}

}  // namespace engine
}  // namespace throng
