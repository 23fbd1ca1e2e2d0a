#include "serve/sight_message.h"

#include <algorithm>
#include <cmath>

#include "serve/frame_codec.h"

namespace throng::serve {
namespace {

/// 0 … 250 for 0 … `most`; 255 for nothing.
std::uint8_t scaled(float value, double most) {
  if (std::isnan(value)) return 255;
  return static_cast<std::uint8_t>(std::lround(std::clamp(std::abs(value) / most, 0.0, 1.0) * 250));
}

}  // namespace

std::string sightMessage(std::uint32_t person, double time, const SeenImage& seen) {
  std::string out;
  out.reserve(24 + seen.time.size() * 3);
  ByteWriter writer(out);
  writer.number(static_cast<std::uint32_t>(MessageKind::kSight));
  writer.number(person);
  writer.number(time);
  writer.number(static_cast<std::uint32_t>(seen.columns));
  writer.number(static_cast<std::uint32_t>(seen.rows));
  for (std::size_t i = 0; i < seen.time.size(); ++i) {
    writer.number(scaled(seen.bearing_rate[i], kSeenRate));
    const bool going_away = seen.time[i] < 0;
    writer.number(going_away ? std::uint8_t{254} : scaled(seen.time[i], kSeenTime));
    writer.number(scaled(seen.danger[i], kSeenDanger));
  }
  return out;
}

}  // namespace throng::serve
