#include "views/palette.h"

#include <gtest/gtest.h>
#include <set>

#include "throng/views.h"

namespace throng::views {
namespace {

TEST(Palette, ManyPopulationsHaveColoursOfTheirOwn) {
  EXPECT_EQ(populationPaint(0).rgb, 0x0072b2u);
  EXPECT_EQ(populationPaint(1).rgb, 0xd55e00u);
  EXPECT_EQ(populationPaint(11).rgb, 0x995b7du) << "the fourth, with a quarter of black";
  std::set<std::uint32_t> all;
  for (std::size_t i = 0; i < 24; ++i) {
    all.insert(populationPaint(i).rgb);
    EXPECT_EQ(populationPaint(i).alpha, 1);
  }
  EXPECT_EQ(all.size(), 24u);
  EXPECT_EQ(populationPaint(24).rgb, populationPaint(0).rgb);
}

}  // namespace
}  // namespace throng::views
