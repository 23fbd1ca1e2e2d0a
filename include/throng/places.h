// Made-up places: a city, a station, a village, a town in three dimensions … (docs/scene-generators.md).
#pragma once

#include <cstdint>
#include <string>

#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// A made-up place: a scene with one default profile, nobody yet and a run of 120 s. The same seed gives the same
/// place, to the last bit. A place in three dimensions has a mesh and places to go to, and no layers: sceneFromMesh()
/// finds them. `vertices` is for "hostile" only (0: its default). Throws InputError for an unknown name or a number
/// that is not allowed.
Scene generatePlace(const std::string& name, std::uint64_t seed, std::uint32_t vertices = 0);

}  // namespace throng
#pragma GCC visibility pop
