// Cities from maps: closed, connected, and files that say what is wrong with them.
#include "throng/patch_city.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "throng/files.h"

#include "base/temporary_folder.h"

namespace throng::patches {
namespace {

PatchMap smallMap() {
  PatchMap map;
  map.templates = {{"street", 0x808080, 3, true, 1, 0, 2}, {"place", 0xffcc00, 4, false, 1, 2, 2}};
  map.columns = 4, map.rows = 3;
  map.cells = {0, 0, -1, 0, 1, 1, 0, 0, -1, 1, 1, -1};
  return map;
}

TEST(PatchCity, IsClosedAndSeamless) {
  const PatchLibrary city = makePatchCity(smallMap());
  EXPECT_EQ(city.placed.size(), 9u);
  for (const Patch& patch : city.patches) EXPECT_TRUE(check(patch).empty());
  PatchWorld world(city.patches, city.placed);
  FrameCopy frame;
  world.frameAt(0, frame);
  const std::size_t everybody = frame.x.size();
  EXPECT_NEAR(static_cast<double>(everybody), world.people(), 1e-6) << "a closed world has always as many people";
  std::map<std::uint32_t, Point> before;
  for (int i = 0; i < 600; ++i) {
    world.frameAt(i * 0.05, frame);
    ASSERT_EQ(frame.x.size(), everybody);
    std::map<std::uint32_t, Point> now;
    for (std::size_t k = 0; k < frame.x.size(); ++k) now[frame.person[k]] = {frame.x[k], frame.y[k]};
    ASSERT_EQ(now.size(), everybody);
    for (const auto& [person, at] : before) EXPECT_LE(length(now.at(person) - at), 0.1 + 1e-4);
    for (auto a = now.begin(); i % 20 == 0 && a != now.end(); ++a)
      for (auto b = now.begin(); b != a; ++b) EXPECT_GT(length(a->second - b->second), 2 * kPatchRadius - 1e-4);
    before = now;
  }
}

TEST(PatchCity, PeopleCrossBordersToGroundAndToNothingElse) {
  PatchMap map;
  map.templates = {{"street", 0x808080, 3, false, 0, 0, 1}};
  map.columns = 3, map.rows = 1;
  map.cells = {kGroundCell, 0, 0};
  const PatchLibrary city = makePatchCity(map);
  ASSERT_EQ(city.placed.size(), 2u);
  constexpr std::size_t kWest = 3;
  for (const PlacedPatch& place : city.placed)
    for (std::size_t side = 0; side < 4; ++side) {
      const PatchPattern& pattern = city.patches[place.patch].definition.sides[side];
      const bool inner = place.at.x == 8 ? side == 1 : side == kWest, ground = place.at.x == 8 && side == kWest;
      EXPECT_EQ(pattern.inputs.size(), inner || ground ? 3u : 0u) << place.at.x << " " << side;
      EXPECT_EQ(pattern.outputs.size(), inner || ground ? 3u : 0u);
    }
  map.cells = {kGroundCell, kGroundCell, kBuildingCell};
  EXPECT_THROW(makePatchCity(map), InputError);
  map.cells = {-3, 0, 0};
  EXPECT_THROW(makePatchCity(map), InputError);
}

TEST(PatchCity, IsTheSameForTheSameSeed) {
  PatchMap map = smallMap();
  const PatchLibrary a = makePatchCity(map), b = makePatchCity(map);
  EXPECT_EQ(a.patches, b.patches);
  map.seed = 2;
  EXPECT_NE(makePatchCity(map).patches, a.patches);
}

TEST(PatchCity, MapsAreReadFromImages) {
  const base::TemporaryFolder folder;
  const std::string path = folder / "map.json";
  const std::string templates =
      R"("templates": [{"name": "street", "colour": "#808080", "crossings": 2}, {"name": "place", "colour": "#ffcc00"}])";
  writeFile(folder / "map.ppm", "P3 # a comment\n2 2 255\n128 128 128  0 0 0\n255 204 0 128 128 128\n", true);
  writeFile(path, R"({"version": 1, "image": "map.ppm", "seed": 7, )" + templates + "}", true);
  const PatchMap map = loadPatchMap(path);
  EXPECT_EQ(map.cells, (std::vector<std::int32_t>{1, 0, 0, -1}));
  EXPECT_EQ(map.seed, 7u);
  EXPECT_EQ(map.templates.at(0).crossings, 2);
  const auto said = [&] {
    try {
      loadPatchMap(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  writeFile(folder / "map.ppm", "P6 2 1 255\n" + std::string("\x80\x80\x80\x01\x02\x03", 6), true);
  EXPECT_THAT(said(), testing::HasSubstr("column 1, row 0 from the top is #010203"));
  writeFile(folder / "map.ppm", "P6 2 2 255\nxyz", true);
  EXPECT_THAT(said(), testing::HasSubstr("ends too early"));
  writeFile(folder / "map.ppm", "GIF", true);
  EXPECT_THAT(said(), testing::HasSubstr("P2, P3, P5 or P6"));
  writeFile(path, R"({"version": 1, "image": "map.ppm", "templates": [{"colour": "grey"}]})", true);
  EXPECT_THAT(said(), testing::HasSubstr("/templates/0/colour"));
  writeFile(path, R"({"version": 1, "image": "map.ppm", "ground": "white", "templates": []})", true);
  EXPECT_THAT(said(), testing::HasSubstr("/ground"));
}

TEST(PatchCity, WrongMapsAreRefused) {
  PatchMap map = smallMap();
  map.cells[0] = 5;
  EXPECT_THROW(makePatchCity(map), InputError);
  map = smallMap(), map.rows = 7;
  EXPECT_THROW(makePatchCity(map), InputError);
  map = smallMap(), map.templates[0].crossings = 31;
  EXPECT_THROW(makePatchCity(map), InputError);
}

}  // namespace
}  // namespace throng::patches
