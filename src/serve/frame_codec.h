// People as they travel to a browser: places in whole numbers of a box's steps, everybody at most 12 bytes, and after
// the first frame only what has changed. docs/studio-protocol.md has the layout byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base.h"

namespace throng::serve {

/// The first byte of a binary message.
enum class MessageKind : std::uint8_t { kKeyFrame = 1, kDeltaFrame = 2, kMesh = 3, kSight = 4 };

/// Whole numbers for places: x = origin.x + step · n with n of 18 bits, heights alike with 12.
struct Box {
  double x = 0, y = 0, z = 0;  ///< m, of number 0
  double step = 0.002;         ///< m
  double height_step = 0.01;   ///< m

  static constexpr std::uint32_t kMost = (1u << 18) - 1, kMostHeight = (1u << 12) - 1;

  /// One that holds these places, with room around them.
  static Box around(Point min, Point max, double lowest, double highest);
  bool contains(double px, double py, double pz) const;
  bool operator==(const Box&) const = default;
};

/// Somebody in whole numbers.
struct Walker {
  std::uint32_t id = 0;
  std::uint32_t x = 0, y = 0;   ///< 18 bits
  std::uint16_t z = 0;          ///< 12 bits
  std::uint8_t heading = 0;     ///< 256 to a full turn, counter-clockwise from x
  std::uint8_t speed = 0;       ///< of 1/32 m/s; 255: as fast or faster
  std::uint8_t state = 0;       ///< activity (2 bits) + 4 · level of simulation (4 bits)
  std::uint8_t population = 0;  ///< 255: that one or a later one

  bool operator==(const Walker&) const = default;
};

/// What every frame says of the world, besides people.
struct FrameHead {
  std::uint32_t sequence = 0;  ///< of the connection: what an acknowledgement names
  double time = 0;             ///< s
  std::uint32_t people = 0;    ///< in the whole world
  bool operator==(const FrameHead&) const = default;
};

/// Everybody of `walkers`, who are in the order of their ids.
std::string encodeKeyFrame(const FrameHead& head, const Box& box, std::span<const Walker> walkers);
/// What turns `before` into `now`, both in the order of ids and in the same box.
std::string encodeDeltaFrame(const FrameHead& head, std::span<const Walker> before, std::span<const Walker> now);

/// The reader's side: what a browser does with the same bytes.
struct DecodedFrame {
  FrameHead head;
  Box box;
  std::vector<Walker> walkers;
};
/// A frame after `before`, which is ignored for a key frame. Nothing for bytes that are no frame.
std::optional<DecodedFrame> decodeFrame(std::string_view bytes, const DecodedFrame& before);

/// Little-endian numbers, one after the other.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}
  template <class T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::array<char, sizeof(T)> bytes;
    __builtin_memcpy(bytes.data(), &value, sizeof(T));  // little-endian machines only, as all that Throng runs on
    out_.append(bytes.data(), bytes.size());
  }
  void varint(std::uint32_t value);

 private:
  std::string& out_;
};

}  // namespace throng::serve
