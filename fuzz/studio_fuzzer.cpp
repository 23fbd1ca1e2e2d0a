// What browsers send to the studio: any text is a request or a sentence; any bytes are a frame or nothing.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "serve/frame_codec.h"
#include "serve/protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto parsed = throng::serve::parseRequest(bytes);
  if (const auto* wrong = std::get_if<std::string>(&parsed))
    if (wrong->empty()) __builtin_trap();
  const auto frame = throng::serve::decodeFrame(bytes, {});
  if (frame && throng::serve::encodeKeyFrame(frame->head, frame->box, frame->walkers).empty()) __builtin_trap();
  return 0;
}
