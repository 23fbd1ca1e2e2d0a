#include "base/archive.h"

#include <cassert>
#include <span>

#include "base/hash.h"

namespace throng::base {
namespace {

/// The first byte is no text and the line ends show what a transfer as text has done, as in PNG.
constexpr std::string_view kMagic("\x89THRONG\r\n\x1a\n\0\0\0\0\0", 16);
constexpr std::size_t kNameBytes = 24;

/// In this order, for ever; what changes is the content.
struct Head {
  char magic[16];
  char kind[kNameBytes];
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t scene;
  std::uint64_t length;  ///< of the content
};
static_assert(sizeof(Head) == 64 && std::has_unique_object_representations_v<Head>);

/// Every step of the hash can be undone, so no change of a single word is missed; of larger damage, one in 2^64 is.
std::uint64_t checksum(std::string_view bytes) {
  Hash hash;
  hash.add(std::span(bytes));
  return hash.value();
}

}  // namespace

std::string sealed(const ArchiveKind& kind, std::uint64_t scene, std::string_view content) {
  assert(kind.name.size() <= kNameBytes);
  Head head{};
  std::memcpy(head.magic, kMagic.data(), kMagic.size());
  std::memcpy(head.kind, kind.name.data(), kind.name.size());
  head.version = kind.version;
  head.scene = scene;
  head.length = content.size();
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.reserve(sizeof head + content.size() + sizeof(std::uint64_t));
  bytes += content;
  const std::uint64_t sum = checksum(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

Unsealed unsealed(const ArchiveKind& kind, std::string_view bytes) {
  if (bytes.empty()) throw InputError(fmt::format("this is no {}: it is empty", kind.name));
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size()))
    throw InputError(fmt::format("this is no {}: it does not begin as one does", kind.name));
  const auto damaged = [&](const std::string& what) {
    throw InputError(fmt::format("this {} is damaged: {}", kind.name, what));
  };
  Head head;
  if (bytes.size() < sizeof head + sizeof(std::uint64_t))
    damaged(fmt::format("it has been cut short after {} bytes", bytes.size()));
  std::memcpy(&head, bytes.data(), sizeof head);
  const std::uint64_t there = bytes.size() - sizeof head - sizeof(std::uint64_t);
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  if (head.length > there) damaged(fmt::format("{} bytes of its content are missing", head.length - there));
  if (head.length < there) damaged(fmt::format("{} bytes follow its end", there - head.length));
  if (sum != checksum(bytes.substr(0, bytes.size() - sizeof sum)))
    damaged("its checksum is not that of its bytes; some of them have changed since it was written");
  const std::string_view found(head.kind, strnlen(head.kind, kNameBytes));
  if (found != kind.name) throw InputError(fmt::format("this is no {}, but a {}", kind.name, found));
  if (head.version != kind.version)
    throw InputError(fmt::format("this {} has format version {}; this program reads version {}", kind.name,
                                 head.version, kind.version));
  return {bytes.substr(sizeof head, static_cast<std::size_t>(head.length)), head.scene};
}

}  // namespace throng::base
