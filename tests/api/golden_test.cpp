// One golden hash per shipped scene and steering model: the same on any number of threads, with vector and with scalar
// kernels, today and tomorrow. A change that is meant to change what people do changes golden_hashes.txt with it: run
// this test with THRONG_WRITE_GOLDEN=FILE to write a new one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "throng/throng.h"

namespace throng {
namespace {

constexpr int kSteps = 120;
// The vision models run in two small scenes, and those that render an image per walker and step not for long.
constexpr int kRenderedSteps = 15;

bool looksAround(std::string_view model) { return model.substr(0, 6) == "vision"; }
bool renders(std::string_view model) { return looksAround(model) && model != "vision-points"; }
/// Those who look around take long: in small scenes only.
bool walksIn(std::string_view model, const std::string& scene) {
  return scene == "doors" || !looksAround(model) || (scene == "corridor" && !renders(model));
}

std::map<std::string, std::uint64_t> golden() {
  std::map<std::string, std::uint64_t> table;
  std::ifstream file(THRONG_SOURCE_DIR "/tests/api/golden_hashes.txt");
  std::string name, model, hash;
  while (file >> name >> model >> hash) table[name + " " + model] = std::strtoull(hash.c_str(), nullptr, 16);
  return table;
}

std::uint64_t hashOf(const Scene& scene, int steps, int threads) {
  World world(scene, {.threads = threads});
  for (int i = 0; i < steps; ++i) world.step();
  return world.hash();
}

TEST(Golden, EverySceneAndModelOnOneAndMoreThreads) {
  const auto expected = golden();
  const char* write = std::getenv("THRONG_WRITE_GOLDEN");
  std::ostringstream text;
  std::map<std::string, int> checked;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/scenes")) {
    const auto path = entry.path();
    if (path.extension() != ".json" || path.stem().extension() == ".schema") continue;
    Scene scene = loadScene(path.string());
    // The town stands for flows and heights; its people walk as its own profile says.
    const bool town = path.stem() == "city";
    const bool pavements = path.stem() == "pavements";  // everybody there plans at some length
    for (Population& population : scene.populations)
      population.count = town ? population.count * 3 / 50 : pavements ? 10 : population.count;
    // Where everybody is played, models have nothing to do.
    const bool played = !scene.districts.empty() && scene.populations.size() == 1;
    // Scenes about the ground are about routes.
    const bool ground = !town && std::any_of(scene.profiles.begin(), scene.profiles.end(),
                                             [](const Profile& p) { return !p.region_weights.empty(); });
    for (const ModelInfo& model : steeringModels()) {
      if (ground && model.name != "throng") continue;
      if (played && model.name != "orca") continue;
      if (!walksIn(model.name, path.stem().string()) || (town && model.name != "orca")) continue;
      // The published models do what was published; our own goes with all that people do whatever the model.
      for (Profile& profile : scene.profiles) {
        const bool goes_round = profile.go_round, avoids_congestion = path.stem() == "exits";
        if (model.name != "throng") {
          profile = withModelsAlone(profile);
          profile.go_round = goes_round, profile.avoid_congestion = avoids_congestion;
        }
        profile.steering = {std::string(model.name), {}};
      }
      const int steps = renders(model.name) ? kRenderedSteps : kSteps;
      const std::string key = path.stem().string() + " " + std::string(model.name);
      const std::uint64_t hash = hashOf(scene, steps, 1);
      char hex[17];
      std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
      text << key << ' ' << hex << '\n';
      // On two threads here and on seven there: each model gets both.
      const int threads = ++checked[std::string(model.name)] % 2 == 0 ? 2 : 7;
      EXPECT_EQ(hash, hashOf(scene, steps, threads)) << key << " on " << threads << " threads";
      if (!write) {
        const auto found = expected.find(key);
        ASSERT_NE(found, expected.end()) << key << " has no golden hash; it is " << hex;
        EXPECT_EQ(found->second, hash) << key << " is now " << hex;
      }
    }
  }
  for (const ModelInfo& model : steeringModels())
    EXPECT_GE(checked[std::string(model.name)], renders(model.name)       ? 1
                                                : looksAround(model.name) ? 2
                                                                          : 7)
        << model.name;
  if (write) std::ofstream(write) << text.str();
}

}  // namespace
}  // namespace throng
