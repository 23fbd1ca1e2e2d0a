// The scenes that ship: their floors build, and everybody who is there at the start has a place.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <gtest/gtest.h>

#include "ground/placement.h"
#include "ground/walkable_space.h"
#include "import/scene_loader.h"

namespace throng::api {
namespace {

using ground::Disc;
using ground::Floor;
using ground::WalkableSpace;

std::vector<std::string> sceneFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(THRONG_SOURCE_DIR) / "scenes"))
    if (entry.path().extension() == ".json" && entry.path().filename() != "scene.schema.json")
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

class ShippedScene : public testing::TestWithParam<std::string> {};

TEST_P(ShippedScene, HasAPlaceForEverybodyAndForThoseWhoCome) {
  const SceneCheck check = import::checkScene(GetParam(), {});
  for (const Diagnostic& finding : check.diagnostics) ADD_FAILURE() << finding.text();
  ASSERT_TRUE(check.scene);
  const Scene& scene = *check.scene;
  const WalkableSpace space(scene);
  std::vector<std::vector<Disc>> taken(space.floors().size());
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    if (population.flow) continue;  // placed along its paths
    const auto profile = std::find_if(scene.profiles.begin(), scene.profiles.end(),
                                      [&](const Profile& p) { return p.name == population.profile; });
    ASSERT_NE(profile, scene.profiles.end());
    const std::uint16_t layer = space.floor(population.layer);
    const Floor& floor = space.floors()[layer];
    base::Random random(scene.run.seed, i);
    const std::vector<double> radii(population.count, profile->radius.mean);
    std::string problem;
    const auto places = place(population.start, radii, floor, taken[layer], random, problem);
    EXPECT_EQ(places.size(), population.count) << population.name << ": " << problem;
    for (const Point& p : places) taken[layer].push_back({p, profile->radius.mean});
    if (population.rate > 0 || !population.schedule.empty()) {
      EXPECT_TRUE(placeOne(population.start, profile->radius.mean, floor, taken[layer], random)) << population.name;
    }
    for (const Goal& goal : population.goals) {
      const Floor& goal_floor = space.floors()[space.floor(goal.layer.empty() ? population.layer : goal.layer)];
      if (const auto* to = std::get_if<GoalPoint>(&goal.target)) {
        EXPECT_GE(goal_floor.clearance(to->point, 1), profile->radius.mean) << population.name;
      } else if (const auto* in = std::get_if<GoalArea>(&goal.target)) {
        const auto own = samplePlace(in->area, profile->radius.mean, goal_floor, random);
        ASSERT_TRUE(own) << population.name;
        EXPECT_GE(goal_floor.clearance(*own, 1), profile->radius.mean) << population.name;
      }
    }
  }
}

std::string stem(const testing::TestParamInfo<std::string>& scene) {
  std::string name = std::filesystem::path(scene.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Scenes, ShippedScene, testing::ValuesIn(sceneFiles()), stem);

}  // namespace
}  // namespace throng::api
