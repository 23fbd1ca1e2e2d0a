// The files that only this program reads: snapshots, navigation maps and navigation graphs (docs/file-formats.md).
// Numbers are little-endian, lists begin with their length (64 bits). One function that names the fields of a type
// serves both directions. Every file is sealed: what it is, in which version, from which scene, how long, and a
// checksum over all of it, so that a damaged or foreign file is refused before anything in it is believed.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "throng/base.h"

namespace throng::base {

static_assert(std::endian::native == std::endian::little, "archives are written as numbers lie in memory");

/// What a sealed file is. A kind's version changes whenever its content does.
struct ArchiveKind {
  std::string_view name;  ///< "navigation graph", for messages too; at most 24 bytes
  std::uint32_t version = 1;
};

/// `scene`: a hash of the scene that the content was made from, 0 where there is none.
std::string sealed(const ArchiveKind& kind, std::uint64_t scene, std::string_view content);

struct Unsealed {
  std::string_view content;  ///< of the bytes that were given
  std::uint64_t scene = 0;
};
/// Throws InputError that says what was found when the bytes are not a whole file of this kind and version.
Unsealed unsealed(const ArchiveKind& kind, std::string_view bytes);

/// Numbers, and enumerations as numbers.
template <class T>
concept ArchiveNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;
/// What may be written as it lies in memory: without padding, whose bytes would differ from run to run.
template <class T>
concept ArchiveBytes = std::is_trivially_copyable_v<T> &&
    (std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);

class ArchiveWriter {
 public:
  template <ArchiveNumber T>
  void operator()(T& value) {
    append(&value, sizeof(T));
  }
  void operator()(std::string& text) {
    std::uint64_t size = text.size();
    (*this)(size);
    append(text.data(), text.size());
  }
  template <class T, class Allocator, class Fields>
  void list(std::vector<T, Allocator>& values, const Fields& fields) {
    std::uint64_t size = values.size();
    (*this)(size);
    for (T& value : values) fields(*this, value);
  }
  /// The same as a list of numbers, at once.
  template <class Numbers>
  requires ArchiveBytes<typename Numbers::value_type>
  void numbers(const Numbers& values) {
    std::uint64_t size = values.size();
    (*this)(size);
    append(values.data(), values.size() * sizeof(typename Numbers::value_type));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  /// `kind`: what the bytes should be, for messages ("corridor map"). `finite`: every number must be.
  ArchiveReader(std::string_view bytes, std::string_view kind, bool finite)
      : bytes_(bytes), kind_(kind), finite_(finite) {}

  template <ArchiveNumber T>
  void operator()(T& value) {
    need(sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      const auto byte = static_cast<unsigned char>(bytes_[at_]);
      if (byte > 1) fail(fmt::format("{} where 0 (no) or 1 (yes) must be", byte));
      value = byte != 0;
    } else {
      std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    }
    if constexpr (std::is_floating_point_v<T>)
      if (finite_ && !std::isfinite(value)) fail("a number that is not finite");
    at_ += sizeof(T);
  }
  void operator()(std::string& text) {
    const std::size_t size = count(1);
    text.assign(bytes_.substr(at_, size));
    at_ += size;
  }
  template <class T, class Allocator, class Fields>
  void list(std::vector<T, Allocator>& values, const Fields& fields) {
    // An entry has a size of its own, so that a wrong length cannot ask for more memory than the file justifies.
    ArchiveWriter one;
    T empty{};
    fields(one, empty);
    values.resize(count(one.bytes().size()));
    for (T& value : values) fields(*this, value);
  }
  template <class Numbers>
  requires ArchiveBytes<typename Numbers::value_type>
  void numbers(Numbers& values) {
    using T = typename Numbers::value_type;
    const std::size_t size = count(sizeof(T));
    values.resize(size);
    if (size > 0) std::memcpy(static_cast<void*>(values.data()), bytes_.data() + at_, size * sizeof(T));
    at_ += size * sizeof(T);
  }
  std::size_t left() const { return bytes_.size() - at_; }
  void expectEnd() const {
    if (at_ != bytes_.size()) fail(fmt::format("{} bytes after its end", bytes_.size() - at_));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("this {} is damaged: byte {} of its content: {}", kind_, at_, what));
  }

 private:
  void need(std::size_t size) const {
    if (bytes_.size() - at_ < size)
      fail(fmt::format("{} more bytes must follow, there are {}", size, bytes_.size() - at_));
  }
  /// The length of a list whose entries take at least `least` bytes each.
  std::size_t count(std::size_t least) {
    std::uint64_t size = 0;
    (*this)(size);
    if (size > (bytes_.size() - at_) / least)
      fail(fmt::format("a list of {} entries, of {} bytes each at least, where {} bytes are left", size, least,
                       bytes_.size() - at_));
    return static_cast<std::size_t>(size);
  }

  std::string_view bytes_, kind_;
  bool finite_;
  std::size_t at_ = 0;
};

template <class Archive, ArchiveNumber T>
void fields(Archive& f, T& number) {
  f(number);
}
template <class Archive>
void fields(Archive& f, std::string& text) {
  f(text);
}

/// For lists: `f.list(points, kFields)`.
inline constexpr auto kFields = [](auto& archive, auto& value) { fields(archive, value); };

}  // namespace throng::base
