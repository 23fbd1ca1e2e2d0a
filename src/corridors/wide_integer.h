// Whole numbers of up to 2048 bits, for the Voronoi diagram's exact decisions. Boost.Polygon's own have as many bits in
// pieces of 32, and copy all of them always; most numbers here have fewer than 300. These use pieces of 64 and copy
// what is used. Where walls are parallel or at right angles, half of the time of a diagram is such arithmetic.
#pragma once

#include <algorithm>
#include <boost/polygon/detail/voronoi_ctypes.hpp>
#include <cmath>
#include <cstdint>
#include <utility>

namespace throng::corridors {

class WideInteger {
 public:
  WideInteger() = default;
  WideInteger(std::int32_t value) : WideInteger(static_cast<std::int64_t>(value)) {}  // NOLINT: as numbers convert
  WideInteger(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    limb_[0] = value < 0 ? ~bits + 1 : bits;
    count_ = value > 0 ? 1 : value < 0 ? -1 : 0;
  }
  WideInteger(const WideInteger& other) : count_(other.count_) { std::copy_n(other.limb_, size(), limb_); }
  WideInteger& operator=(const WideInteger& other) {  // NOLINT(bugprone-unhandled-self-assignment): harmless
    count_ = other.count_;
    std::copy_n(other.limb_, size(), limb_);
    return *this;
  }

  WideInteger operator-() const {
    WideInteger result = *this;
    result.count_ = -count_;
    return result;
  }
  WideInteger operator+(const WideInteger& other) const { return sum(other, other.count_ < 0); }
  WideInteger operator-(const WideInteger& other) const { return sum(other, other.count_ > 0); }
  WideInteger operator*(const WideInteger& other) const {
    WideInteger result;
    const int n = size(), m = other.size();
    if (n == 0 || m == 0) return result;
    const bool negative = (count_ < 0) != (other.count_ < 0);
    // The first row needs no zeros to be added to.
    std::uint64_t high = 0;
    for (int j = 0; j < m; ++j) {
      const Twice product = static_cast<Twice>(limb_[0]) * other.limb_[j] + high;
      result.limb_[j] = static_cast<std::uint64_t>(product);
      high = static_cast<std::uint64_t>(product >> 64);
    }
    if (m < kLimbs) result.limb_[m] = high;
    for (int i = 1; i < n; ++i) {
      std::uint64_t carry = 0;
      for (int j = 0; j < m && i + j < kLimbs; ++j) {
        const Twice product = static_cast<Twice>(limb_[i]) * other.limb_[j] + result.limb_[i + j] + carry;
        result.limb_[i + j] = static_cast<std::uint64_t>(product);
        carry = static_cast<std::uint64_t>(product >> 64);
      }
      if (i + m < kLimbs) result.limb_[i + m] = carry;
    }
    result.trim(std::min(n + m, kLimbs), negative);
    return result;
  }

  bool operator==(const WideInteger& other) const {
    return count_ == other.count_ && std::equal(limb_, limb_ + size(), other.limb_);
  }
  bool operator!=(const WideInteger& other) const { return !(*this == other); }
  bool operator<(const WideInteger& other) const {
    if (count_ != other.count_) return count_ < other.count_;
    const int order = compare(other);
    return count_ < 0 ? order > 0 : order < 0;
  }
  bool operator>(const WideInteger& other) const { return other < *this; }
  bool operator<=(const WideInteger& other) const { return !(other < *this); }
  bool operator>=(const WideInteger& other) const { return !(*this < other); }

  /// Mantissa and exponent of two, as precise as a double.
  std::pair<double, int> scaled() const {
    const int n = size();
    if (n == 0) return {0, 0};
    double value = static_cast<double>(limb_[n - 1]);
    if (n > 1) value = value * 0x1p64 + static_cast<double>(limb_[n - 2]);
    return {count_ < 0 ? -value : value, n > 2 ? (n - 2) * 64 : 0};
  }
  double approximate() const {
    const auto [value, exponent] = scaled();
    return std::ldexp(value, exponent);
  }

 private:
  __extension__ typedef unsigned __int128 Twice;
  static constexpr int kLimbs = 32;

  int size() const { return count_ < 0 ? -count_ : count_; }
  /// Of the magnitudes: negative, zero or positive.
  int compare(const WideInteger& other) const {
    const int n = size(), m = other.size();
    if (n != m) return n < m ? -1 : 1;
    for (int i = n - 1; i >= 0; --i)
      if (limb_[i] != other.limb_[i]) return limb_[i] < other.limb_[i] ? -1 : 1;
    return 0;
  }
  void trim(int n, bool negative) {
    while (n > 0 && limb_[n - 1] == 0) --n;
    count_ = negative ? -n : n;
  }
  /// This and the other's magnitude with the given sign.
  WideInteger sum(const WideInteger& other, bool other_negative) const {
    if (other.count_ == 0) return *this;
    const bool negative = count_ < 0;
    WideInteger result;
    if (count_ == 0 || negative == other_negative) {
      const WideInteger &longer = size() >= other.size() ? *this : other, &shorter = &longer == this ? other : *this;
      const int n = longer.size(), m = shorter.size();
      std::uint64_t carry = 0;
      int i = 0;
      for (; i < m; ++i) {
        const Twice total = static_cast<Twice>(longer.limb_[i]) + shorter.limb_[i] + carry;
        result.limb_[i] = static_cast<std::uint64_t>(total);
        carry = static_cast<std::uint64_t>(total >> 64);
      }
      for (; i < n; ++i) {
        result.limb_[i] = longer.limb_[i] + carry;
        carry = carry != 0 && result.limb_[i] == 0 ? 1 : 0;
      }
      int size = n;
      if (carry != 0 && size < kLimbs) result.limb_[size++] = carry;
      result.trim(size, other_negative);
      return result;
    }
    const int order = compare(other);
    if (order == 0) return result;
    const WideInteger &large = order > 0 ? *this : other, &small = order > 0 ? other : *this;
    const int n = large.size(), m = small.size();
    std::uint64_t borrow = 0;
    int i = 0;
    for (; i < m; ++i) {
      const Twice take = static_cast<Twice>(small.limb_[i]) + borrow;
      borrow = large.limb_[i] < take ? 1 : 0;
      result.limb_[i] = static_cast<std::uint64_t>(large.limb_[i] - take);
    }
    for (; i < n; ++i) {
      result.limb_[i] = large.limb_[i] - borrow;
      borrow = borrow != 0 && large.limb_[i] == 0 ? 1 : 0;
    }
    result.trim(n, order > 0 ? negative : other_negative);
    return result;
  }

  std::uint64_t limb_[kLimbs];
  int count_ = 0;  ///< pieces in use, the least first; negative for a negative number
};

/// How Boost.Polygon's diagram calculates, with these numbers for its own.
struct DiagramNumbers : boost::polygon::detail::voronoi_ctype_traits<std::int32_t> {
  using big_int_type = WideInteger;
  // NOLINTNEXTLINE(readability-identifier-naming): as Boost names it
  struct to_fpt_converter_type : boost::polygon::detail::type_converter_fpt {
    using type_converter_fpt::operator();
    double operator()(const WideInteger& value) const { return value.approximate(); }
  };
  // NOLINTNEXTLINE(readability-identifier-naming): as Boost names it
  struct to_efpt_converter_type {
    efpt_type operator()(const WideInteger& value) const {
      const auto [mantissa, exponent] = value.scaled();
      return {mantissa, exponent};
    }
  };
};

}  // namespace throng::corridors
