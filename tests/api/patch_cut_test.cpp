// Patches out of runs of scenes and out of what cameras saw.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "throng/throng.h"

namespace throng {
namespace {

void expectGood(const PatchCut& cut, double left_out, double change) {
  ASSERT_TRUE(cut.patch) << (cut.reasons.empty() ? "" : cut.reasons.front());
  const auto found = check(*cut.patch);
  EXPECT_TRUE(found.empty()) << found.front().text();
  // Who only touches a corner of the area is no walk.
  const std::size_t left = cut.leftOut() - cut.left_out[static_cast<std::size_t>(LeftOut::kEdge)];
  EXPECT_LE(static_cast<double>(left), left_out * static_cast<double>(cut.people));
  EXPECT_LE(cut.mean_change, change);
  EXPECT_GT(cut.mean_change, 0);
  // Played, it is the same after a period, with everybody at their place.
  const PatchWorld world({*cut.patch}, {{0, {}}});
  const double period = cut.patch->definition.period;
  FrameCopy now, later;
  for (double t = 0.25; t < period; t += 0.5) {
    world.frameAt(t, now), world.frameAt(t + 7 * period, later);
    ASSERT_EQ(now.x.size(), later.x.size());
    for (std::size_t i = 0; i < now.x.size(); ++i) {
      EXPECT_NEAR(now.x[i], later.x[i], 1e-5);
      EXPECT_NEAR(now.y[i], later.y[i], 1e-5);
    }
  }
}

struct Recorded {
  const char* scene;
  Ring area;
  double from;  ///< s
  double left_out, change;
};
const Recorded kPlaces[] = {
    {"corridor", {{15, 0}, {25, 0}, {25, 5}, {15, 5}}, 20, 0.05, 0.1},
    {"corridor", {{20, 0.5}, {26, 0.5}, {28, 2.5}, {26, 4.5}, {20, 4.5}, {18, 2.5}}, 17, 0.15, 0.1},
    {"counterflow", {{16, 0}, {24, 0}, {24, 6}, {16, 6}}, 40, 0.2, 0.15},
    {"crossing", {{-14, -3}, {-8, -1}, {-9, 3}, {-14, 2}}, 14, 0.2, 0.2},
};

TEST(CutPatch, OfSimulatedCrowds) {
  for (const Recorded& place : kPlaces)
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      Scene scene = loadScene(std::string(THRONG_SOURCE_DIR "/scenes/") + place.scene + ".json");
      scene.run.seed = seed, scene.run.duration = place.from + 25;
      PatchCutSettings settings;
      settings.area = place.area, settings.from = place.from, settings.attempts = 1;
      settings.objects = patchObjects(scene, 0, place.area);
      World world(scene, {.threads = 1});
      WorldFrames frames(world, 10);
      const PatchCut cut = cutPatch(frames, settings);
      expectGood(cut, place.left_out, place.change);
      if (HasFailure()) FAIL() << place.scene << " " << seed;
    }
}

TEST(CutPatch, OfMeasuredCrowds) {
  const char* variable = std::getenv("THRONG_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(variable ? variable : THRONG_SOURCE_DIR "/../shared/data") / "experiments";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no experiments in " << folder << "; THRONG_DATA names the folder of the data";
  Recording two_way((folder / "bi-directional/bi_corr_400_b_03.txt").string());
  PatchCutSettings settings;
  settings.area = {{-4, 0}, {4, 0}, {4, 4}, {-4, 4}}, settings.from = 56.26, settings.attempts = 1;
  const PatchCut crowd = cutPatch(two_way, settings);
  expectGood(crowd, 0.1, 0.12);
  EXPECT_GT(crowd.crowded, 20u);
  EXPECT_GT(density(*crowd.patch), 0.9);
  Recording one_way((folder / "uni-directional/traj_UNI_CORR_500_01.txt").string());
  settings.area = {{-3, 0}, {3, 0}, {3, 5}, {-3, 5}}, settings.from = {}, settings.period = 8;
  expectGood(cutPatch(one_way, settings), 0, 0.06);
}

}  // namespace
}  // namespace throng
