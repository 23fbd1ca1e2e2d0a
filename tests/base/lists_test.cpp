#include "base/lists.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <set>

namespace throng::base {
namespace {

TEST(Lists, SortedAndEachOnce) {
  EXPECT_TRUE(rc::check([](std::vector<std::int8_t> list) {
    const std::set<std::int8_t> expected(list.begin(), list.end());
    sortUnique(list);
    RC_ASSERT(list == std::vector<std::int8_t>(expected.begin(), expected.end()));
  }));
}

TEST(Lists, PartsAreJoinedInTheirOrder) {
  std::vector<std::vector<int>> parts = {{3, 1}, {}, {2}};
  EXPECT_EQ(joined(parts), (std::vector<int>{3, 1, 2}));
  for (const auto& part : parts) EXPECT_TRUE(part.empty());
}

}  // namespace
}  // namespace throng::base
