#include "serve/frame_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace throng::serve {
namespace {

static_assert(std::endian::native == std::endian::little);

/// How somebody of the frame before goes on.
enum Code : unsigned { kSame = 0, kMoved = 1, kChanged = 2, kGone = 3 };

constexpr std::size_t kHeadBytes = 24, kBoxBytes = 40;

void writeHead(ByteWriter& writer, MessageKind kind, const FrameHead& head, std::uint32_t count) {
  writer.number(static_cast<std::uint32_t>(kind));
  writer.number(head.sequence);
  writer.number(head.time);
  writer.number(head.people);
  writer.number(count);
}

/// 9 bytes: 48 bits of place, then heading, speed and state.
void writeState(std::string& out, const Walker& w) {
  const std::uint64_t place = std::uint64_t{w.x} | (std::uint64_t{w.y} << 18) | (std::uint64_t{w.z} << 36);
  std::array<char, 9> bytes;
  std::memcpy(bytes.data(), &place, 6);
  bytes[6] = static_cast<char>(w.heading);
  bytes[7] = static_cast<char>(w.speed);
  bytes[8] = static_cast<char>(w.state);
  out.append(bytes.data(), bytes.size());
}

void writeNew(std::string& out, const Walker& w, std::uint32_t& last) {
  ByteWriter(out).varint(w.id - last);
  last = w.id;
  writeState(out, w);
  out.push_back(static_cast<char>(w.population));
}

bool small(std::int64_t d) { return d >= -128 && d <= 127; }

Code codeFor(const Walker& before, const Walker& now) {
  if (before == now) return kSame;
  const bool near = small(std::int64_t{now.x} - before.x) && small(std::int64_t{now.y} - before.y);
  return near && now.z == before.z && now.state == before.state ? kMoved : kChanged;
}

/// Reads numbers until there are none left; then `failed` is set and zeros follow.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T number() {
    T value{};
    if (const char* from = take(sizeof(T))) std::memcpy(&value, from, sizeof(T));
    return value;
  }
  const char* take(std::size_t n) {
    if (failed || bytes_.size() < n) {
      failed = true;
      return nullptr;
    }
    const char* from = bytes_.data();
    bytes_.remove_prefix(n);
    return from;
  }
  std::uint32_t varint() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift == 28 && byte > 15) failed = true;
      if (failed) return 0;
      value |= std::uint32_t{byte & 127u} << shift;
      if (byte < 128) return value;
    }
    failed = true;
    return 0;
  }
  std::size_t left() const { return bytes_.size(); }

  bool failed = false;

 private:
  std::string_view bytes_;
};

void readState(ByteReader& reader, Walker& w) {
  const char* from = reader.take(9);
  if (from == nullptr) return;
  std::uint64_t place = 0;
  std::memcpy(&place, from, 6);
  w.x = static_cast<std::uint32_t>(place & Box::kMost);
  w.y = static_cast<std::uint32_t>((place >> 18) & Box::kMost);
  w.z = static_cast<std::uint16_t>((place >> 36) & Box::kMostHeight);
  w.heading = static_cast<std::uint8_t>(from[6]);
  w.speed = static_cast<std::uint8_t>(from[7]);
  w.state = static_cast<std::uint8_t>(from[8]);
}

bool readNew(ByteReader& reader, std::uint32_t& last, Walker& w) {
  const std::uint32_t gap = reader.varint();
  w.id = last + gap;
  if (gap == 0 || w.id < last) reader.failed = true;  // ids go up
  last = w.id;
  readState(reader, w);
  w.population = reader.number<std::uint8_t>();
  return !reader.failed;
}

bool readKey(ByteReader& reader, std::uint32_t count, DecodedFrame& frame) {
  frame.box.x = reader.number<double>();
  frame.box.y = reader.number<double>();
  frame.box.z = reader.number<double>();
  frame.box.step = reader.number<double>();
  frame.box.height_step = reader.number<double>();
  if (reader.failed || count > reader.left() / 11) return false;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Walker w;
    if (!readNew(reader, last, w)) return false;
    frame.walkers.push_back(w);
  }
  return true;
}

/// One of the frame before, after its code; false for somebody who is gone.
bool readKnown(ByteReader& reader, unsigned code, Walker& w) {
  if (code == kMoved) {
    w.x = (w.x + static_cast<std::uint32_t>(std::int32_t{reader.number<std::int8_t>()})) & Box::kMost;
    w.y = (w.y + static_cast<std::uint32_t>(std::int32_t{reader.number<std::int8_t>()})) & Box::kMost;
    w.heading = reader.number<std::uint8_t>();
    w.speed = reader.number<std::uint8_t>();
  } else if (code == kChanged) {
    readState(reader, w);
  }
  return code != kGone;
}

bool readDelta(ByteReader& reader, std::uint32_t count, const DecodedFrame& before, DecodedFrame& frame) {
  frame.box = before.box;
  const std::size_t known = before.walkers.size();
  if (reader.number<std::uint32_t>() != known) return false;
  const auto added = reader.number<std::uint32_t>();
  const char* codes = reader.take((known + 3) / 4);
  if (codes == nullptr) return false;
  for (std::size_t i = 0; i < known; ++i) {
    Walker w = before.walkers[i];
    if (readKnown(reader, (static_cast<unsigned char>(codes[i / 4]) >> (2 * (i % 4))) & 3u, w))
      frame.walkers.push_back(w);
  }
  if (reader.failed || added > reader.left() / 11) return false;
  const std::size_t kept = frame.walkers.size();
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < added; ++i) {
    Walker w;
    if (!readNew(reader, last, w)) return false;
    frame.walkers.push_back(w);
  }
  const auto byId = [](const Walker& a, const Walker& b) { return a.id < b.id; };
  std::inplace_merge(frame.walkers.begin(), frame.walkers.begin() + static_cast<std::ptrdiff_t>(kept),
                     frame.walkers.end(), byId);
  return frame.walkers.size() == count;
}

}  // namespace

void ByteWriter::varint(std::uint32_t value) {
  for (; value > 127; value >>= 7) out_.push_back(static_cast<char>(128u | (value & 127u)));
  out_.push_back(static_cast<char>(value));
}

Box Box::around(Point min, Point max, double lowest, double highest) {
  Box box;
  // A half more than is needed at each side: people walk out of what a scene describes, and a new box costs a key
  // frame.
  const double extent = 2 * std::max(max.x - min.x, max.y - min.y), height = 2 * (highest - lowest);
  box.step = std::max(0.002, extent / kMost);
  box.height_step = std::max(0.01, height / kMostHeight);
  box.x = (min.x + max.x - box.step * kMost) / 2;
  box.y = (min.y + max.y - box.step * kMost) / 2;
  box.z = (lowest + highest - box.height_step * kMostHeight) / 2;
  return box;
}

bool Box::contains(double px, double py, double pz) const {
  return px >= x && py >= y && pz >= z && px <= x + step * kMost && py <= y + step * kMost &&
         pz <= z + height_step * kMostHeight;
}

std::string encodeKeyFrame(const FrameHead& head, const Box& box, std::span<const Walker> walkers) {
  std::string out;
  out.reserve(kHeadBytes + kBoxBytes + walkers.size() * 12);
  ByteWriter writer(out);
  writeHead(writer, MessageKind::kKeyFrame, head, static_cast<std::uint32_t>(walkers.size()));
  for (const double value : {box.x, box.y, box.z, box.step, box.height_step}) writer.number(value);
  std::uint32_t last = 0;
  for (const Walker& w : walkers) writeNew(out, w, last);
  return out;
}

std::string encodeDeltaFrame(const FrameHead& head, std::span<const Walker> before, std::span<const Walker> now) {
  std::string out, added;
  out.reserve(kHeadBytes + 8 + before.size() / 4 + before.size() * 5);
  ByteWriter writer(out);
  writeHead(writer, MessageKind::kDeltaFrame, head, static_cast<std::uint32_t>(now.size()));
  writer.number(static_cast<std::uint32_t>(before.size()));
  const std::size_t added_at = out.size();
  writer.number(std::uint32_t{0});
  const std::size_t codes = out.size();
  out.append((before.size() + 3) / 4, '\0');
  std::uint32_t newcomers = 0, last = 0;
  std::size_t j = 0;
  const auto addUpTo = [&](std::uint64_t id) {
    for (; j < now.size() && now[j].id < id; ++j, ++newcomers) writeNew(added, now[j], last);
  };
  for (std::size_t i = 0; i < before.size(); ++i) {
    addUpTo(before[i].id);
    Code code = kGone;
    if (j < now.size() && now[j].id == before[i].id) {
      const Walker& w = now[j++];
      code = codeFor(before[i], w);
      if (code == kMoved) {
        const std::array<char, 4> bytes{static_cast<char>(w.x - before[i].x), static_cast<char>(w.y - before[i].y),
                                        static_cast<char>(w.heading), static_cast<char>(w.speed)};
        out.append(bytes.data(), bytes.size());
      } else if (code == kChanged) {
        writeState(out, w);
      }
    }
    out[codes + i / 4] = static_cast<char>(static_cast<unsigned char>(out[codes + i / 4]) | (code << (2 * (i % 4))));
  }
  addUpTo(std::uint64_t{1} << 32);
  std::memcpy(out.data() + added_at, &newcomers, sizeof newcomers);
  out += added;
  return out;
}

std::optional<DecodedFrame> decodeFrame(std::string_view bytes, const DecodedFrame& before) {
  ByteReader reader(bytes);
  DecodedFrame frame;
  const auto kind = reader.number<std::uint32_t>();
  frame.head.sequence = reader.number<std::uint32_t>();
  frame.head.time = reader.number<double>();
  frame.head.people = reader.number<std::uint32_t>();
  const auto count = reader.number<std::uint32_t>();
  if (reader.failed) return {};
  const bool read = kind == static_cast<std::uint32_t>(MessageKind::kKeyFrame) ? readKey(reader, count, frame)
                    : kind == static_cast<std::uint32_t>(MessageKind::kDeltaFrame)
                        ? readDelta(reader, count, before, frame)
                        : false;
  if (!read || reader.failed || reader.left() > 0) return {};
  return frame;
}

}  // namespace throng::serve
