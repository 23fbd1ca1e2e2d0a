// Lists of numbers to bytes and back, for files: little-endian, lists begin with their length (64 bits). One function
// that names the fields of a type serves both directions.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "throng/shapes.h"

namespace throng::environment {

template <class T>
using ArchiveBits = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

class ArchiveWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    const auto bits = std::bit_cast<ArchiveBits<T>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
  }
  template <class T, class Fields>
  void list(std::vector<T>& values, const Fields& fields) {
    std::uint64_t size = values.size();
    (*this)(size);
    for (T& value : values) fields(*this, value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ArchiveReader {
 public:
  /// `kind`: what the bytes should be, for messages ("corridor map"). `finite`: every number must be.
  ArchiveReader(std::string_view bytes, std::string_view kind, bool finite)
      : bytes_(bytes), kind_(kind), finite_(finite) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    need(sizeof(T));
    ArchiveBits<T> bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits = static_cast<ArchiveBits<T>>(bits | static_cast<ArchiveBits<T>>(static_cast<unsigned char>(bytes_[at_ + i]))
                                                    << (8 * i));
    if constexpr (std::is_same_v<T, bool>) {
      if (bits > 1) fail(fmt::format("{} where 0 (no) or 1 (yes) must be", bits));
      value = bits != 0;
    } else {
      value = std::bit_cast<T>(bits);
    }
    if constexpr (std::is_floating_point_v<T>)
      if (finite_ && !std::isfinite(value)) fail("a number that is not finite");
    at_ += sizeof(T);
  }
  template <class T, class Fields>
  void list(std::vector<T>& values, const Fields& fields) {
    // An entry has a size of its own, so that a wrong length cannot ask for more memory than the file justifies.
    ArchiveWriter one;
    T empty{};
    fields(one, empty);
    std::uint64_t size = 0;
    (*this)(size);
    if (size > (bytes_.size() - at_) / one.bytes().size())
      fail(fmt::format("a list of {} entries, of {} bytes each at least, where {} bytes are left", size,
                       one.bytes().size(), bytes_.size() - at_));
    values.resize(static_cast<std::size_t>(size));
    for (T& value : values) fields(*this, value);
  }
  std::string_view take(std::size_t size) {
    need(size);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  void expectEnd() const {
    if (at_ != bytes_.size()) fail(fmt::format("{} bytes after its end", bytes_.size() - at_));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("This is no {}, or a damaged one: byte {}: {}.", kind_, at_, what));
  }

 private:
  void need(std::size_t size) const {
    if (bytes_.size() - at_ < size)
      fail(fmt::format("{} more bytes must follow, there are {}", size, bytes_.size() - at_));
  }

  std::string_view bytes_, kind_;
  bool finite_;
  std::size_t at_ = 0;
};

template <class Archive>
void fields(Archive& f, Point& p) {
  f(p.x), f(p.y);
}
template <class Archive>
void fields(Archive& f, Segment& s) {
  fields(f, s.a), fields(f, s.b);
}
template <class Archive>
void fields(Archive& f, std::uint32_t& number) {
  f(number);
}

}  // namespace throng::environment
