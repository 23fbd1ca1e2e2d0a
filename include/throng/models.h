// Which planners, followers and steering models there are, and their parameters.
#pragma once

#include <span>
#include <string_view>

#pragma GCC visibility push(default)
namespace throng {

/// A number that a model can be given.
struct ModelParameter {
  std::string_view name;
  std::string_view unit;         ///< "s", "m", "m/s", "1" …
  double value = 0;              ///< the default
  double min = 0, max = 0;       ///< allowed, both inclusive
  std::string_view description;  ///< one sentence
};

/// A planner, follower or steering model as a user meets it.
struct ModelInfo {
  std::string_view name;
  std::string_view title;  ///< a few words
  std::string_view paper;  ///< the publication it follows
  std::span<const ModelParameter> parameters;
};

std::span<const ModelInfo> planners();
std::span<const ModelInfo> followers();
std::span<const ModelInfo> steeringModels();
/// The layer that any steering model can have before it: Profile::stream.
const ModelInfo& streamLayer();

}  // namespace throng
#pragma GCC visibility pop
