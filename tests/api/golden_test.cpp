// One golden hash per shipped scene and steering model: the same on any number of threads, with vector and with scalar
// kernels, today and tomorrow. A change that is meant to change what people do changes golden_hashes.txt with it: run
// this test with THRONG_WRITE_GOLDEN=FILE to write a new one.
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

std::map<std::string, std::uint64_t> golden() {
  std::map<std::string, std::uint64_t> table;
  std::ifstream file(THRONG_SOURCE_DIR "/tests/api/golden_hashes.txt");
  std::string name, model, hash;
  while (file >> name >> model >> hash) table[name + " " + model] = std::strtoull(hash.c_str(), nullptr, 16);
  return table;
}

std::uint64_t hashOf(const Scene& scene, int threads) {
  World world(scene, {.threads = threads});
  for (int i = 0; i < kSteps; ++i) world.step();
  return world.hash();
}

TEST(Golden, EverySceneAndModelOnOneTwoAndSevenThreads) {
  const auto expected = golden();
  const char* write = std::getenv("THRONG_WRITE_GOLDEN");
  std::ostringstream text;
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/scenes")) {
    const auto path = entry.path();
    if (path.extension() != ".json" || path.stem().extension() == ".schema") continue;
    Scene scene = loadScene(path.string());
    for (const ModelInfo& model : steeringModels()) {
      for (Profile& profile : scene.profiles) profile.steering = {std::string(model.name), {}};
      const std::string key = path.stem().string() + " " + std::string(model.name);
      const std::uint64_t hash = hashOf(scene, 1);
      char hex[17];
      std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
      text << key << ' ' << hex << '\n';
      EXPECT_EQ(hash, hashOf(scene, 2)) << key;
      EXPECT_EQ(hash, hashOf(scene, 7)) << key;
      if (!write) {
        const auto found = expected.find(key);
        ASSERT_NE(found, expected.end()) << key << " has no golden hash; it is " << hex;
        EXPECT_EQ(found->second, hash) << key << " is now " << hex;
      }
      ++checked;
    }
  }
  EXPECT_GE(checked, 7 * steeringModels().size());
  if (write) std::ofstream(write) << text.str();
}

}  // namespace
}  // namespace throng
