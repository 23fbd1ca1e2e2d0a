// What of a scene a run depends on, part by part, so that whoever goes on from a file can say what has changed since.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "throng/scene.h"

namespace throng::scene {

struct ScenePart {
  std::string name;  ///< as the key of the scene's file: "layers", "profiles", "run.dt"
  std::uint64_t hash = 0;
};

/// Everything that decides where people are at the next step. Left out: name, description, measurements, and of `run`
/// the duration, the ending and the recording rate. `populations` and `levels` stand for the scene's own, which a
/// program may have changed since. `seed`: the world's.
std::vector<ScenePart> partsOfRun(const Scene& scene, std::span<const Population> populations,
                                  const LevelSettings& levels, std::uint64_t seed);
/// What a navigation graph is made from: layers, connections, mesh and its settings.
std::uint64_t groundHash(const Scene& scene);
/// One hash of several parts.
std::uint64_t hashOf(std::span<const ScenePart> parts);

}  // namespace throng::scene
