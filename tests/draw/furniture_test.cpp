#include "draw/furniture.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throng::draw {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Furniture, ScaleBarsAreRound) {
  EXPECT_DOUBLE_EQ(roundBelow(1), 1);
  EXPECT_DOUBLE_EQ(roundBelow(1.99), 1);
  EXPECT_DOUBLE_EQ(roundBelow(2), 2);
  EXPECT_DOUBLE_EQ(roundBelow(4.9), 2);
  EXPECT_DOUBLE_EQ(roundBelow(7), 5);
  EXPECT_DOUBLE_EQ(roundBelow(38), 20);
  EXPECT_NEAR(roundBelow(0.07), 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(roundBelow(9999), 5000);
}

TEST(Furniture, RoundNumbersBracketAnyValue) {
  for (double v = 1e-4; v < 1e6; v *= 1.037) {
    EXPECT_LE(roundBelow(v), v * (1 + 1e-9));
    EXPECT_GT(roundBelow(v) * 2.5, v * (1 - 1e-9));
    EXPECT_GE(roundAbove(v), v * (1 - 1e-9));
    EXPECT_GE(scaleEnd(v), v * (1 - 1e-8));
    EXPECT_LE(scaleEnd(v), v * 1.5);
  }
  EXPECT_DOUBLE_EQ(scaleEnd(0), 1);
}

TEST(Furniture, TicksAreRoundAndInside) {
  EXPECT_THAT(ticks(0, 4, 5), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(ticks(12.3, 41, 5), ElementsAre(20, 30, 40));
  EXPECT_THAT(ticks(0, 0.6, 5), ElementsAre(DoubleNear(0, 1e-12), DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12),
                                            DoubleNear(0.6, 1e-12)));
  EXPECT_FALSE(std::signbit(ticks(0, 4, 5)[0])) << "would be written -0";
  EXPECT_EQ(ticks(3, 3, 5).size(), 1u);
}

TEST(Furniture, Words) {
  EXPECT_EQ(lengthText(5), "5 m");
  EXPECT_EQ(lengthText(0.5), "0.5 m");
  EXPECT_EQ(lengthText(2000), "2 km");
  EXPECT_EQ(countText(1234), "1234");
  EXPECT_EQ(countText(1234567), "1\u2009234\u2009567");
}

TEST(Furniture, LongWordsEndInAnEllipsis) {
  const TextStyle style{16, {}, false, Anchor::kLeft};
  const std::string all = "fünf Fußgänger überqueren die Straße";
  const double width = textWidth(all, style);
  EXPECT_EQ(fitted(all, style, width), all);
  const std::string part = fitted(all, style, width / 2);
  EXPECT_LE(textWidth(part, style), width / 2);
  EXPECT_GT(textWidth(part, style), width / 4);
  EXPECT_THAT(part, HasSubstr("…"));
  EXPECT_EQ(printable(part), part) << "cut inside a letter";
  EXPECT_EQ(printable("a\x01\xff\xc3z"), "a\uFFFD\uFFFD\uFFFDz");
}

bool overlaps(const Rectangle& a, const Rectangle& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

TEST(Furniture, NothingOverlapsTheWorldOrLeavesThePage) {
  Furniture furniture{"A title", "a caption"};
  for (int i = 0; i < 40; ++i)
    furniture.legend.push_back({LegendEntry::Mark::kDisc, {}, "population " + std::to_string(i)});
  for (const bool with_bar : {false, true}) {
    if (with_bar) furniture.bar = ColourBar{ColourMap::kSpeed, 0, 2, "speed (m/s)", true};
    for (const int width : {240, 600, 1200, 4000})
      for (const double aspect : {0.05, 0.5, 1.0, 3.0, 20.0}) {
        const PageLayout page = layoutPage(furniture, {.width = width}, {{0, 0}, {10 * aspect, 10}}, true);
        const Rectangle& panel = page.panel;
        EXPECT_EQ(page.width % 2 + page.height % 2, 0);
        EXPECT_LE(page.height, 1.5 * page.width + 400);
        EXPECT_GE(panel.min.x, 0);
        EXPECT_LE(panel.max.x, page.width);
        EXPECT_LT(page.title.y, page.caption.y);
        EXPECT_LT(page.caption.y, panel.min.y);
        EXPECT_NEAR((panel.max.x - panel.min.x) / (panel.max.y - panel.min.y), aspect, 1e-9 * aspect);
        EXPECT_GT(page.scale_bar.y, panel.max.y);
        EXPECT_LT(page.scale_bar.y, page.height);
        EXPECT_FALSE(with_bar && overlaps(page.bar, panel));
        for (const PlacedEntry& entry : page.legend) {
          EXPECT_GT(entry.at.y, panel.max.y);
          EXPECT_LT(entry.at.y, page.height);
          EXPECT_GE(entry.at.x, 0);
        }
        EXPECT_EQ(page.legend.back().entry.label.rfind("and ", 0), 0u) << page.legend.back().entry.label;
      }
  }
}

// What several routes cost is what a picture of them is for: no entry is counted instead of shown, and none is cut.
TEST(Furniture, AllOfALegendIsShownWhereAllIsWanted) {
  Furniture furniture{"A title", "a caption"};
  for (int i = 0; i < 25; ++i)
    furniture.legend.push_back(
        {LegendEntry::Mark::kLine, {}, fmt::format("a profile of ours, vertex-pruning: {}.5 m, cost 1234.5", i)});
  for (const bool whole : {false, true}) {
    furniture.whole_legend = whole;
    for (const int width : {600, 1200, 2400}) {
      const PageLayout page = layoutPage(furniture, {.width = width}, {{0, 0}, {20, 10}}, true);
      bool all = page.legend.size() == furniture.legend.size();
      for (std::size_t i = 0; all && i < page.legend.size(); ++i)
        all = page.legend[i].entry.label == furniture.legend[i].label;
      EXPECT_EQ(all, whole) << width;
      for (const PlacedEntry& entry : page.legend) {
        EXPECT_GT(entry.at.y, page.panel.max.y);
        EXPECT_LT(entry.at.y, page.height);
      }
    }
  }
}

TEST(Furniture, TheHeightThatIsAskedForIsKept) {
  const PageLayout page = layoutPage({"title", ""}, {.width = 800, .height = 300}, {{0, 0}, {1, 1}}, false);
  EXPECT_EQ(page.width, 800);
  EXPECT_EQ(page.height, 300);
  EXPECT_FALSE(layoutPage({"title", ""}, {.width = 64}, {{0, 0}, {1, 1}}, false).furnished);
}

}  // namespace
}  // namespace throng::draw
