// What browsers send to the studio: any text is a request or a sentence; any bytes are a frame or nothing, after any
// other frame; any sequence of messages leaves a connection open or closes it with a reason; what edits leave of a
// document is JSON, and undoing them brings back every byte.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "throng/base.h"

#include "serve/connection.h"
#include "serve/document.h"
#include "serve/frame_codec.h"
#include "serve/protocol.h"

namespace {

using namespace throng::serve;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void readFrames(std::string_view bytes) {
  // The first part is a frame, the rest one that comes after it.
  const std::size_t cut = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.back()) % (bytes.size() + 1);
  DecodedFrame before;
  if (auto first = decodeFrame(bytes.substr(0, cut), {})) before = std::move(*first);
  const auto frame = decodeFrame(bytes.substr(cut), before);
  if (!frame) return;
  const bool sorted = std::is_sorted(frame->walkers.begin(), frame->walkers.end(),
                                     [](const Walker& a, const Walker& b) { return a.id < b.id; });
  require(sorted);
  const std::string again = encodeKeyFrame(frame->head, frame->box, frame->walkers);
  const auto same = decodeFrame(again, {});
  // Twice the same number is nobody that the writer would write.
  const bool unique =
      std::adjacent_find(frame->walkers.begin(), frame->walkers.end(),
                         [](const auto& a, const auto& b) { return a.id == b.id; }) == frame->walkers.end();
  require(!unique || (same && same->walkers == frame->walkers));
}

/// Lines are messages, one after the other.
void converse(std::string_view text) {
  Connection connection("token");
  auto now = Clock::time_point(std::chrono::hours(1));
  std::optional<Request> request;
  bool open = !connection.received(R"({"type":"hello","protocol":1,"token":"token"})", true, now, request);
  require(open && connection.welcome());
  const auto frame = std::make_shared<PublishedFrame>();
  frame->walkers.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) frame->walkers[i].id = i + 1;
  while (open && !text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    now += std::chrono::milliseconds(20);
    const auto closing = connection.received(text.substr(0, end), true, now, request);
    if (closing) require(!closing->reason.empty());
    open = !closing;
    text.remove_prefix(std::min(end + 1, text.size()));
    connection.offer(frame);
    for (int i = 0; i < 4; ++i)
      if (!connection.next()) break;
  }
}

/// Lines are edits of one document, one after the other.
void design(std::string_view text) {
  constexpr const char* kScene = R"json({
  "layers": [{"walkable": "POLYGON ((0 0, 9 0, 9 9, 0 0))", "obstacles": [], "doors": [{"name": "d"}]}],
  "places": [{"name": "a", "at": [1.50, 2e0]}, {"name": "b", "at": [3, 4]}],
  "run": {"duration": 60.0}
})json";
  Document document(kScene);
  std::size_t changes = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto parsed = parseRequest(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto* request = std::get_if<Request>(&parsed);
    const auto* message = request ? std::get_if<DesignMessage>(request) : nullptr;
    const auto* edit = message ? std::get_if<EditRequest>(message) : nullptr;
    if (!edit) continue;
    const std::string before = document.text();
    try {
      document.apply(*edit);
      ++changes;
    } catch (const throng::InputError&) {
      require(document.text() == before);
      continue;
    }
    require(nlohmann::json::accept(document.text()));
  }
  while (document.undo()) require(changes-- > 0);
  require(document.text() == kScene);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto parsed = parseRequest(bytes);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) require(!wrong->empty());
  if (const auto* request = std::get_if<Request>(&parsed))
    if (const auto* people = std::get_if<PeopleRequest>(request)) {
      try {
        ViewArea(people->area).contains({0, 0});
      } catch (const throng::InputError&) {
      }
    }
  readFrames(bytes);
  converse(bytes);
  design(bytes);
  return 0;
}
