#include "corridors/wide_integer.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace throng::corridors {
namespace {

/// A number of up to 64·n bits, as both kinds: ours and Boost.Polygon's own, from the same products and sums.
struct Both {
  WideInteger ours;
  boost::polygon::detail::extended_int<64> theirs;
};

Both randomNumber(base::Random& random, int products) {
  const auto part = [&] {
    // Small, large, and all ones: where carries go far.
    const auto kind = random.below(4);
    const auto bits = static_cast<std::int64_t>(random.bits() >> (kind == 0 ? 40 : kind == 1 ? 1 : 33));
    return kind == 3 ? std::int64_t{0x7fffffffffffffff} : random.below(2) ? bits : -bits;
  };
  Both number{WideInteger(part()), boost::polygon::detail::extended_int<64>()};
  number.ours = WideInteger(0), number.theirs = 0;
  for (int i = 0; i < products; ++i) {
    const std::int64_t a = part(), b = part();
    number.ours = number.ours * WideInteger(a) + WideInteger(b);
    number.theirs =
        number.theirs * boost::polygon::detail::extended_int<64>(a) + boost::polygon::detail::extended_int<64>(b);
    if (i == 0)
      number.ours = WideInteger(a) * WideInteger(b),
      number.theirs = boost::polygon::detail::extended_int<64>(a) * boost::polygon::detail::extended_int<64>(b);
  }
  return number;
}

void expectSame(const Both& number) {
  const double theirs = number.theirs.d(), ours = number.ours.approximate();
  ASSERT_NEAR(ours / (theirs == 0 ? 1 : theirs), theirs == 0 ? ours : 1.0, 1e-15);
  ASSERT_EQ(number.ours > WideInteger(0), number.theirs.is_pos());
  ASSERT_EQ(number.ours < WideInteger(0), number.theirs.is_neg());
}

TEST(WideInteger, CalculatesAsBoostPolygonDoes) {
  base::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const Both a = randomNumber(random, 1 + static_cast<int>(random.below(6)));
    const Both b = random.below(8) == 0 ? a : randomNumber(random, 1 + static_cast<int>(random.below(6)));
    expectSame({a.ours + b.ours, a.theirs + b.theirs});
    expectSame({a.ours - b.ours, a.theirs - b.theirs});
    expectSame({a.ours * b.ours, a.theirs * b.theirs});
    expectSame({-a.ours, -a.theirs});
    ASSERT_EQ(a.ours < b.ours, a.theirs < b.theirs);
    ASSERT_EQ(a.ours == b.ours, a.theirs == b.theirs);
    // What is added can be taken away, to the last bit.
    ASSERT_EQ((a.ours + b.ours) - b.ours, a.ours);
    ASSERT_EQ(a.ours * (b.ours + WideInteger(1)) - a.ours * b.ours, a.ours);
  }
}

}  // namespace
}  // namespace throng::corridors
