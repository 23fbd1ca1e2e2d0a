// What the fuzzer does for hours (fuzz/), for two seconds and without clang: its corpus, the shipped scenes, and seeded
// mutations of both. Whatever the text, the answer is a scene or findings; a scene that is accepted keeps the rules and
// survives being written and read again.
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/polygons.h"
#include "import/scene_loader.h"
#include "scene/scenes_for_tests.h"

namespace throng::import {
namespace {

using base::Random;
using scene::fileText;

std::vector<std::string> corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/fuzz/corpus/" + folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> contents;
  for (const auto& path : paths) contents.push_back(fileText(path));
  return contents;
}

/// The properties that every text must have.
void judge(const std::string& text, int& accepted) {
  const auto check = checkSceneText(text, "", {});
  bool error = false;
  for (const auto& d : check.diagnostics) {
    error |= d.severity == Diagnostic::Severity::kError;
    ASSERT_FALSE(d.message.empty());
    ASSERT_FALSE(d.text().empty());
  }
  ASSERT_NE(check.scene.has_value(), error) << text;
  if (!check.scene) return;
  ++accepted;
  for (const auto& d : scene::validate(*check.scene, {}))
    ASSERT_EQ(d.severity, Diagnostic::Severity::kWarning) << d.text() << text;
  const std::string written = toJson(*check.scene);
  const auto again = checkSceneText(written, "", {});
  ASSERT_TRUE(again.scene) << scene::texts(again.diagnostics) << text << written;
  ASSERT_EQ(toJson(*again.scene), written) << text;
}

std::string mutated(Random& random, const std::vector<std::string>& seeds) {
  std::string text = seeds[random.below(seeds.size())];
  const auto changes = 1 + random.below(4);
  for (std::uint64_t i = 0; i < changes && !text.empty(); ++i) {
    const auto at = static_cast<std::size_t>(random.below(text.size()));
    const auto size = static_cast<std::size_t>(1 + random.below(20));
    switch (random.below(6)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, text.substr(random.below(text.size()), size));
        break;
      case 3: {
        const std::string& other = seeds[random.below(seeds.size())];
        if (!other.empty()) text.insert(at, other.substr(random.below(other.size()), size));
        break;
      }
      case 4:
        text.insert(at, std::to_string(static_cast<std::int64_t>(random.bits())));
        break;
      default: {
        // A digit becomes another: the likeliest to stay a scene.
        const auto digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + random.below(10));
      }
    }
  }
  return text;
}

TEST(Mutations, TheCorpusOfTheFuzzer) {
  int accepted = 0;
  const auto seeds = corpus("scene");
  EXPECT_GE(seeds.size(), 5u);
  for (const auto& text : seeds) judge(text, accepted);
  for (const auto& text : corpus("geometry")) {
    geometry::ShapeError error;
    geometry::parseWkt(text, error);
    geometry::parseGeoJson(text, error);
  }
  EXPECT_GE(accepted, 1);
}

TEST(Mutations, NeverCrashAndKeepTheRules) {
  auto seeds = corpus("scene");
  for (const auto& path : scene::shippedScenes()) {
    auto text = fileText(path);
    // A whole city or street for every mutation would take too long; the corpus has a small place.
    const bool generated =
        text.find("\"generate\"") != std::string::npos || text.find("\"street\"") != std::string::npos;
    if (text.size() < 20000 && !generated) seeds.push_back(std::move(text));
  }
  seeds.push_back(scene::smallScene().dump(1));
  Random random(41);
  int tried = 0, accepted = 0;
  for (; tried < 4000; ++tried) {
    judge(mutated(random, seeds), accepted);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(accepted, 0);
  std::printf("%d mutations, %d still scenes\n", tried, accepted);
}

}  // namespace
}  // namespace throng::import
