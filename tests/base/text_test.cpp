#include "throng/text.h"

#include <gtest/gtest.h>

#include "throng/base.h"

#include "base/random.h"

namespace throng {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "plain", "Jülich, 3 m², 45°", "日本語", "€ 𝄞", "a\\b"}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable("two\nlines\tand\r"), "two\\nlines\\x09and\\x0d");
  EXPECT_EQ(printable("\x7f\xc2\x9b"
                      "2J"),
            "\\x7f\\x9b2J");  // DEL, CSI in one character
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6"),
            "a\\u202eb\\u2066");  // writing from right to left
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
}

TEST(Printable, ShowsBytesThatAreNoText) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // longer than needed
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // cut
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, AnyBytesBecomeTextWithoutControls) {
  base::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    for (std::uint64_t n = random.below(12); n > 0; --n) bytes += static_cast<char>(random.bits());
    const std::string shown = printable(bytes);
    for (const char c : shown) ASSERT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
    ASSERT_EQ(printable(shown), shown);  // nothing is left to escape
  }
}

TEST(Diagnostics, AreShownOnOneLine) {
  const Diagnostic finding{Diagnostic::Severity::kError, "a\x1b.json", "/layers/\xff", {}, "the name \"x\ny\"", 0, 0};
  EXPECT_EQ(finding.text(), "a\\x1b.json:/layers/\\xff: error: the name \"x\\ny\"");
}

}  // namespace
}  // namespace throng
