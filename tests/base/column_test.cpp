#include "base/column.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace throng::base {
namespace {

template <class T>
bool aligned(const Column<T>& column) {
  return reinterpret_cast<std::uintptr_t>(column.data()) % kVectorBytes == 0;
}

TEST(Column, StartsAtAVectorBoundaryHoweverItGrew) {
  Column<float> floats;
  Column<std::uint16_t> shorts;
  Column<std::uint64_t> words;
  for (int i = 0; i < 3000; ++i) {
    floats.push_back(static_cast<float>(i));
    shorts.push_back(static_cast<std::uint16_t>(i));
    words.push_back(static_cast<std::uint64_t>(i));
    ASSERT_TRUE(aligned(floats) && aligned(shorts) && aligned(words)) << i;
  }
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(floats[i], static_cast<float>(i));
    ASSERT_EQ(shorts[i], i);
    ASSERT_EQ(words[i], static_cast<std::uint64_t>(i));
  }
}

// The address sanitizer turns this into a real check: the bytes after the last entry belong to the column.
TEST(Column, AWholeVectorMayBeReadAtTheLastRow) {
  for (std::size_t n = 1; n <= 70; ++n) {
    Column<float> column(n, 1.5f);
    column.shrink_to_fit();
    float lanes[kVectorBytes / sizeof(float)];
    const volatile float* from = column.data() + (n - 1);
    for (std::size_t lane = 0; lane < kVectorBytes / sizeof(float); ++lane) lanes[lane] = from[lane];
    ASSERT_EQ(lanes[0], 1.5f);
  }
}

TEST(Column, ResizingLeavesOldEntriesAndSetsNewOnesOnlyWhenToldTo) {
  Column<float> column(4, 2.f);
  column.resize(100);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(column[i], 2.f);
  column.resize(200, 7.f);
  for (int i = 100; i < 200; ++i) EXPECT_EQ(column[i], 7.f);
}

TEST(Column, CopiesAndMoves) {
  Column<int> a{1, 2, 3};
  Column<int> b = a;
  Column<int> c = std::move(a);
  EXPECT_EQ(b, c);
  EXPECT_NE(b.data(), c.data());
  EXPECT_TRUE(aligned(b) && aligned(c));
}

}  // namespace
}  // namespace throng::base
