// One browser, without its socket: what it has been told, what it may be told next, and what it says. All of it runs on
// the network's thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/guard.h"
#include "serve/protocol.h"
#include "serve/published_frame.h"

namespace throng::serve {

/// Text (JSON) or bytes; shared by all who get the same.
struct Message {
  std::shared_ptr<const std::string> bytes;
  bool text = true;
};

/// Why a connection ends, in WebSocket's numbers.
struct Closing {
  enum Code : std::uint16_t { kGoingAway = 1001, kNotUnderstood = 1002, kNotAllowed = 1008, kTooMuch = 1013 };
  Code code;
  std::string reason;
};

class Connection {
 public:
  /// Frames that may be on the way at once: one is drawn while the next one travels.
  static constexpr std::uint32_t kUnacknowledged = 2;
  /// Of messages that wait to be written. Who lets more wait does not read.
  static constexpr std::size_t kMostWaiting = 256, kMostWaitingBytes = std::size_t{64} << 20;
  /// m around what the camera sees, so that turning it shows people at once.
  static constexpr double kMargin = 15;

  explicit Connection(std::string token) : token_(std::move(token)) {}

  /// True once the token was right.
  bool welcome() const { return welcome_; }
  /// A message came. What is not about this connection alone is left in `request`.
  std::optional<Closing> received(std::string_view message, bool text, Clock::time_point now,
                                  std::optional<Request>& request);
  /// Overwrites the frame that waits to be sent, if there is one.
  void offer(std::shared_ptr<const PublishedFrame> frame);
  /// False when too much waits already: the connection has to end.
  bool queue(Message message);
  /// What to write now: what was queued, in order, then the latest frame when there may be one.
  std::optional<Message> next();

 private:
  std::optional<Closing> greeted(const Request& request);
  std::string encode();

  std::string token_;
  bool welcome_ = false;
  Allowance allowance_{200, 400}, bytes_{4.0 * 1024 * 1024, 8.0 * 1024 * 1024};  ///< messages, and what is in them
  std::deque<Message> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::shared_ptr<const PublishedFrame> latest_;
  bool fresh_ = false;  ///< `latest_`, or what the camera sees, has changed since the last frame sent
  ViewArea view_;
  std::uint32_t sent_ = 0, acknowledged_ = 0;  ///< numbers of frames
  Box box_;
  std::vector<Walker> known_, seen_;  ///< whom the browser knows; whom it sees now
};

}  // namespace throng::serve
