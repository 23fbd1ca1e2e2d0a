// Definitions and libraries on disk: what is written is read again, and what is damaged is refused.
#include "throng/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "throng/patch_files.h"

#include "base/random.h"
#include "patches/example_patches.h"

namespace throng::patches {
namespace {

std::string said(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PatchFiles, DefinitionsAreReadAsTheyWereWritten) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    PatchDefinition patch = randomPatch(0.1, seed);
    patch.objects.push_back(box("bench", 3, 3, 1));
    patch.residents.push_back({"guard", {{6, 6}}, {0, -1}});
    EXPECT_EQ(patchDefinitionFromJson(patchDefinitionToJson(patch)), patch);
  }
}

TEST(PatchFiles, DefinitionsSayWhatIsWrongAndWhere) {
  const auto read = [](const std::string& text) { return said([&] { patchDefinitionFromJson(text, "my.json"); }); };
  EXPECT_THAT(read("{"), testing::HasSubstr("my.json:"));
  EXPECT_THAT(read("[]"), testing::HasSubstr("expected an object, found an array of 0"));
  EXPECT_THAT(read(R"({"version": 2})"), testing::HasSubstr("/version"));
  EXPECT_THAT(read(R"({"version": 1, "cornerz": []})"), testing::HasSubstr("there is no key \"cornerz\" here"));
  EXPECT_THAT(read(R"({"version": 1, "corners": [[0, 0], [8, 0], "x"]})"), testing::HasSubstr("/corners/2"));
  std::string text = patchDefinitionToJson(oneWalk());
  text.replace(text.find("\"position\": 4"), 13, "\"position\": 9");
  EXPECT_THAT(read(text), testing::HasSubstr("output 0 of pattern \"east\" is at 9 m"));
}

class Library : public testing::Test {
 protected:
  Library() : path_(testing::TempDir() + "/test.patches") {
    library_.patches = {*generateWalks(randomPatch(0.1, 1)).patch, *generateWalks(oneWalk()).patch};
    library_.placed = {{0, {0, 0}}, {1, {100, 0}}};
    addVersions(library_, 2);
  }
  std::string path_;
  PatchLibrary library_;
};

TEST_F(Library, IsReadAsItWasWritten) {
  savePatches(path_, library_, true);
  const PatchLibrary read = loadPatches(path_);
  EXPECT_EQ(read.patches, library_.patches);
  EXPECT_EQ(read.placed.at(1).at, (Point{100, 0}));
  EXPECT_EQ(read.versions, library_.versions);
  EXPECT_THROW(savePatches(path_, library_), FileExistsError);
}

TEST_F(Library, DamagedOnesAreRefused) {
  savePatches(path_, library_, true);
  const std::string good = readFile(path_);
  base::Random random(1);
  for (int i = 0; i < 200; ++i) {
    std::string bad = good;
    if (i % 2 == 0) {
      bad[random.below(bad.size())] ^= static_cast<char>(1 << random.below(8));
    } else {
      bad.resize(random.below(bad.size()));
    }
    writeFile(path_, bad, true);
    EXPECT_NE(said([&] { loadPatches(path_); }), "") << i;
  }
  writeFile(path_, "something else", true);
  EXPECT_THAT(said([&] { loadPatches(path_); }), testing::HasSubstr("test.patches"));
}

TEST_F(Library, PatchesThatCollideAreRefused) {
  library_.patches[0].walks[0].control[4] += {1, 1};
  savePatches(path_, library_, true);
  EXPECT_THAT(said([&] { loadPatches(path_); }), testing::HasSubstr("/patches/0/walks/0"));
}

}  // namespace
}  // namespace throng::patches
