#include "base/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "base/random.h"

namespace throng::base {
namespace {

using testing::HasSubstr;

constexpr ArchiveKind kKind{"test archive", 3};

std::string refusal(const std::string& bytes, const ArchiveKind& kind = kKind) {
  try {
    unsealed(kind, bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Archive, EveryFlippedBitAndEveryCutIsRefused) {
  Random random(1);
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 300u}) {
    std::string content;
    for (std::size_t i = 0; i < size; ++i) content += static_cast<char>(random.bits());
    const std::string file = sealed(kKind, 42, content);
    EXPECT_EQ(unsealed(kKind, file).content, content);
    EXPECT_EQ(unsealed(kKind, file).scene, 42u);
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
      std::string bad = file;
      bad[bit / 8] ^= static_cast<char>(1 << bit % 8);
      ASSERT_NE(refusal(bad), "") << "bit " << bit << " of " << size << " bytes";
    }
    for (std::size_t cut = 0; cut < file.size(); ++cut) ASSERT_NE(refusal(file.substr(0, cut)), "") << cut;
    ASSERT_NE(refusal(file + '\0'), "");
    ASSERT_NE(refusal(file + file), "");
  }
}

TEST(Archive, SaysWhatWasFound) {
  const std::string file = sealed(kKind, 0, "some content");
  EXPECT_THAT(refusal(""), HasSubstr("this is no test archive: it is empty"));
  EXPECT_THAT(refusal("hello"), HasSubstr("this is no test archive: it does not begin as one does"));
  EXPECT_THAT(refusal(file.substr(0, 30)), HasSubstr("cut short after 30 bytes"));
  EXPECT_THAT(refusal(file.substr(0, file.size() - 4)), HasSubstr("4 bytes of its content are missing"));
  EXPECT_THAT(refusal(file + "xy"), HasSubstr("2 bytes follow its end"));
  std::string flipped = file;
  flipped[70] ^= 4;
  EXPECT_THAT(refusal(flipped), HasSubstr("checksum"));
  EXPECT_THAT(refusal(file, {"snapshot", 3}), HasSubstr("this is no snapshot, but a test archive"));
  EXPECT_THAT(refusal(file, {"test archive", 4}), HasSubstr("format version 3; this program reads version 4"));
}

struct Thing {
  std::string name;
  std::vector<double> numbers;
  std::uint16_t count = 0;
  bool good = false;
};

template <class Archive>
void fields(Archive& f, Thing& thing) {
  f(thing.name), f(thing.count), f(thing.good);
  f.list(thing.numbers, kFields);
}

TEST(Archive, GivesBackWhatWasWritten) {
  std::vector<Thing> things{{"", {}, 0, false},
                            {std::string("a\0b", 3), {1, -0.0, 1e-300, 0.1}, 65535, true},
                            {"ü", {std::numeric_limits<double>::infinity()}, 7, false}};
  std::vector<float> floats{1.5f, -2, 3};
  ArchiveWriter writer;
  const auto each = [](auto& archive, Thing& thing) { fields(archive, thing); };
  writer.list(things, each);
  writer.numbers(floats);
  std::vector<Thing> again;
  std::vector<float> floats_again;
  ArchiveReader reader(writer.bytes(), "test", false);
  reader.list(again, each);
  reader.numbers(floats_again);
  reader.expectEnd();
  ASSERT_EQ(again.size(), things.size());
  for (std::size_t i = 0; i < things.size(); ++i) {
    EXPECT_EQ(again[i].name, things[i].name);
    EXPECT_EQ(again[i].numbers, things[i].numbers);
    EXPECT_EQ(again[i].count, things[i].count);
    EXPECT_EQ(again[i].good, things[i].good);
  }
  EXPECT_EQ(floats_again, floats);
  ArchiveReader strict(writer.bytes(), "test", true);
  EXPECT_THROW(strict.list(again, each), InputError);  // infinity

  // However it is damaged behind the seal: no crash, and no more memory than the bytes justify.
  Random random(2);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = writer.bytes().substr(0, random.below(writer.bytes().size() + 1));
    for (int k = 0; k < 3 && !bad.empty(); ++k) bad[random.below(bad.size())] = static_cast<char>(random.bits());
    ArchiveReader damaged(bad, "test", false);
    try {
      damaged.list(again, each);
      damaged.numbers(floats_again);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("this test is damaged: byte "));
    }
    EXPECT_LE(again.size() + floats_again.size(), bad.size() + things.size() + floats.size());
  }
}

}  // namespace
}  // namespace throng::base
