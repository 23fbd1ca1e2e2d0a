// A running hash of bytes (FNV-1a, 64 bits, eight bytes at a time): equal runs have equal hashes.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace throng::base {

class Hash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u, value_ ^= value_ >> 29; }
  /// Numbers with a fraction by their bits: a conversion to a whole number would lose what they differ in, and is
  /// undefined below zero.
  void add(std::floating_point auto number) { add(std::bit_cast<std::uint64_t>(static_cast<double>(number))); }
  template <class T>
  void add(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(static_cast<std::uint64_t>(values.size()));
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    std::size_t size = values.size_bytes();
    for (; size >= 8; bytes += 8, size -= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      add(word);
    }
    std::uint64_t rest = 0;
    if (size > 0) std::memcpy(&rest, bytes, size);  // data() of no values may be null
    add(rest);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace throng::base
