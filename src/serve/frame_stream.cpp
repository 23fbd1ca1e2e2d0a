#include <memory>

#include "throng/studio.h"

#include "serve/connection.h"

namespace throng {

struct FrameStream::State {
  serve::Box box;
  serve::ViewArea view;
  std::vector<serve::Walker> known, seen;
  std::uint32_t sent = 0;
};

FrameStream::FrameStream() : state_(std::make_unique<State>()) {}
FrameStream::~FrameStream() = default;
FrameStream::FrameStream(FrameStream&&) noexcept = default;
FrameStream& FrameStream::operator=(FrameStream&&) noexcept = default;

void FrameStream::setView(std::span<const Point> corners) { state_->view = serve::ViewArea(corners); }

std::string FrameStream::next(const Frame& frame, std::span<const std::uint8_t> levels) {
  State& s = *state_;
  const serve::Box box = serve::boxFor(frame, s.box);
  const serve::PublishedFrame published = serve::publish(frame, levels, box);
  s.view.select(published, serve::Connection::kMargin, s.seen);
  const serve::FrameHead head{++s.sent, published.time, static_cast<std::uint32_t>(published.walkers.size())};
  const bool key = s.sent == 1 || !(box == s.box);
  s.box = box;
  std::string bytes = key ? serve::encodeKeyFrame(head, box, s.seen) : serve::encodeDeltaFrame(head, s.known, s.seen);
  s.known.swap(s.seen);
  return bytes;
}

}  // namespace throng
