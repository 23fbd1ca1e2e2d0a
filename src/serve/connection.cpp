#include "serve/connection.h"

#include <utility>

namespace throng::serve {

std::optional<Closing> Connection::greeted(const Request& request) {
  const auto* hello = std::get_if<Hello>(&request);
  if (welcome_) {
    if (hello != nullptr) return Closing{Closing::kNotAllowed, "hello comes once"};
    return {};
  }
  if (hello == nullptr || !sameToken(hello->token, token_))
    return Closing{Closing::kNotAllowed, "the token is not that of this studio"};
  if (hello->protocol != kProtocolVersion) return Closing{Closing::kNotAllowed, "another version of the protocol"};
  welcome_ = true;
  return {};
}

std::optional<Closing> Connection::received(std::string_view message, bool text, Clock::time_point now,
                                            std::optional<Request>& request) {
  request.reset();
  if (!allowance_.take(now) || !bytes_.take(now, static_cast<double>(message.size())))
    return Closing{Closing::kNotAllowed, "too many messages"};
  if (!text) return Closing{Closing::kNotUnderstood, "messages are text"};
  auto parsed = parseRequest(message);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) {
    // A stranger learns nothing about what would be right.
    return welcome_ ? Closing{Closing::kNotUnderstood, *wrong}
                    : Closing{Closing::kNotAllowed, "the token is not that of this studio"};
  }
  Request& found = std::get<Request>(parsed);
  if (auto closing = greeted(found)) return closing;
  if (const auto* view = std::get_if<ViewRequest>(&found)) {
    try {
      view_ = ViewArea(view->area);
    } catch (const InputError& error) {
      return Closing{Closing::kNotUnderstood, error.what()};
    }
    fresh_ = latest_ != nullptr;
    return {};
  }
  if (const auto* ack = std::get_if<Acknowledge>(&found)) {
    if (ack->frame > sent_ || ack->frame < acknowledged_) return Closing{Closing::kNotUnderstood, "ack: no such frame"};
    acknowledged_ = ack->frame;
    return {};
  }
  request = std::move(found);
  return {};
}

void Connection::offer(std::shared_ptr<const PublishedFrame> frame) {
  latest_ = std::move(frame);
  fresh_ = latest_ != nullptr;
}

bool Connection::queue(Message message) {
  waiting_bytes_ += message.bytes->size();
  waiting_.push_back(std::move(message));
  return waiting_.size() <= kMostWaiting && (waiting_.size() == 1 || waiting_bytes_ <= kMostWaitingBytes);
}

std::optional<Message> Connection::next() {
  if (!waiting_.empty()) {
    Message message = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= message.bytes->size();
    return message;
  }
  if (!welcome_ || !fresh_ || sent_ - acknowledged_ >= kUnacknowledged) return {};
  return Message{std::make_shared<const std::string>(encode()), false};
}

std::string Connection::encode() {
  view_.select(*latest_, kMargin, seen_);
  const FrameHead head{++sent_, latest_->time, static_cast<std::uint32_t>(latest_->walkers.size())};
  std::string bytes;
  if (sent_ == 1 || !(box_ == latest_->box)) {
    box_ = latest_->box;
    bytes = encodeKeyFrame(head, box_, seen_);
  } else {
    bytes = encodeDeltaFrame(head, known_, seen_);
  }
  known_.swap(seen_);
  fresh_ = false;
  return bytes;
}

}  // namespace throng::serve
