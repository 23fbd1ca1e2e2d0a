// The keys that each object of a scene file may have: one list for the reader, for its suggestions, and for the test
// that scenes/scene.schema.json describes the same format.
#pragma once

#include <span>
#include <string_view>

namespace throng::scene {

struct ObjectKeys {
  std::string_view object;  ///< the name under $defs in the schema; "scene" is the file itself
  std::span<const std::string_view> keys;
};

/// Every object of the format but models, whose keys are "model" and that model's parameters.
std::span<const ObjectKeys> objectKeys();
/// The list of one of them; the name must be there.
std::span<const std::string_view> keysOf(std::string_view object);

}  // namespace throng::scene
