// Definitions and libraries on disk: what is written is read again, and what is damaged is refused.
#include "throng/files.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "throng/patch_files.h"

#include "base/random.h"
#include "base/temporary_folder.h"
#include "patches/example_patches.h"
#include "patches/readers.h"

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
  Library() : path_(folder_ / "test.patches") {
    library_.patches = {*generateWalks(randomPatch(0.1, 1)).patch, *generateWalks(oneWalk()).patch};
    library_.placed = {{0, {0, 0}}, {1, {100, 0}}};
    addVersions(library_, 2);
  }
  base::TemporaryFolder folder_;
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

/// What the fuzzer does for hours (fuzz/), for a moment: numbers, lengths and bytes that nobody meant.
TEST(PatchFiles, WhateverTheBytesSayTheyAreReadOrRefused) {
  const Patch patch = *generateWalks(randomPatch(0.05, 2)).patch;
  PatchLibrary library{{patch}, {{0, {}}, {0, {8, 0}}}, {}};
  library.patches[0].definition.residents.push_back({"guard", {{0.5, 0.5}}});
  library.patches[0].definition.objects.push_back(box("bench", 0.2, 7.2, 0.5));
  library.placed.pop_back();
  const std::string sealed = bytesOf(library);
  const std::string good(base::unsealed(kLibraryKind, sealed).content);
  const std::string text = patchDefinitionToJson(patch.definition);
  const double kNumbers[] = {0,
                             -0.0,
                             1e-300,
                             -1,
                             1e300,
                             1e9,
                             std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN(),
                             0.5,
                             100000};
  int read = 0, refused = 0;
  const auto attempt = [&](const auto& reader) {
    try {
      reader();
      ++read;
    } catch (const InputError& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    }
  };
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    base::Random random(seed, 9);
    std::string bytes = good;
    const std::size_t at = random.below(bytes.size() - 8);
    if (seed % 2 == 0) {
      std::memcpy(bytes.data() + at, &kNumbers[random.below(std::size(kNumbers))], 8);
    } else {
      bytes[at] = static_cast<char>(random.below(256));
    }
    attempt([&] {
      const PatchLibrary found = libraryFrom(base::sealed(kLibraryKind, 0, bytes), "mutant");
      for (const Patch& one : found.patches) EXPECT_TRUE(check(one).empty());
    });
    if (seed % 4 != 0) continue;
    std::string json = text;
    const std::size_t place = json.find_first_of("0123456789", random.below(json.size() - 20));
    constexpr const char* kWords[] = {"-1", "1e999", "null", "[", "1e-320", "{}", "99999999999999999999", "\"a\""};
    json.replace(place, 1 + random.below(4), kWords[random.below(std::size(kWords))]);
    attempt([&] { EXPECT_TRUE(check(patchDefinitionFromJson(json)).empty()); });
  }
  EXPECT_GT(read, 50);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace throng::patches
