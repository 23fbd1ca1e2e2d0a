// The readers of PeTrack text and CSV, from memory: whatever the bytes, frames or an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "record/frame_reader.h"
#include "record/text_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool csv = (data[0] & 1) != 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    throng::record::FrameReader reader(throng::record::readTextFrom(text, csv, "fuzz"), "fuzz");
    throng::FrameCopy frame;
    std::vector<throng::Arrival> arrivals;
    std::uint64_t frames = 0;
    while (reader.next(frame, &arrivals)) ++frames;
    if (frames != reader.frameCount()) __builtin_trap();
  } catch (const throng::InputError&) {
  }
  return 0;
}
