#include "throng/models.h"

#include <vector>

#include "api/known_models.h"
#include "following/followers.h"
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

scene::KnownModels knownModels() { return {planners(), followers(), steeringModels(), &streamLayer()}; }

}  // namespace api
}  // namespace throng
