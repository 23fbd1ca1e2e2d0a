// The studio's port: files over HTTP, then a WebSocket. One thread of its own serves all connections; nobody else ever
// waits for a browser. Boost.Beast stays in server.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "serve/connection.h"

namespace throng::serve {

using ClientId = std::uint64_t;

/// A file that is part of the page.
struct PageFile {
  std::string path;  ///< as the browser asks for it: "/studio.js"
  std::string type;  ///< "text/javascript"
  std::string_view bytes;
};

/// A file that can be fetched by whoever knows the token.
struct Handout {
  std::string path, name, type;
};
/// Why a file may not come.
struct Refusal {
  std::string why;
};

/// Whom the server tells. Called on its thread; must return at once.
class Audience {
 public:
  virtual ~Audience() = default;
  virtual void joined(ClientId client) = 0;
  virtual void left(ClientId client) = 0;
  /// False when it can take no more now; the connection is then closed.
  virtual bool asked(ClientId client, Request request) = 0;
  /// The file of an address such as "/made/3".
  virtual std::optional<Handout> handout(std::string_view target) {
    (void)target;
    return {};
  }
  /// The path under which to write a file of this name and size that is sent here, beside one that was sent before: its
  /// number, or 0.
  virtual std::variant<std::string, Refusal> takes(std::string_view name, std::uint64_t size, std::uint32_t beside) {
    (void)name, (void)size, (void)beside;
    return Refusal{"no files are taken here"};
  }
  /// It is there in full; what to answer, as JSON.
  virtual std::string taken(const std::string& path) {
    (void)path;
    return "{}";
  }
};

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;          ///< 0: any that is free
  std::vector<std::string> hosts;  ///< by which it may be called besides loopback's names
  std::string token;
  std::vector<PageFile> files;
};

class Server {
 public:
  /// Takes the port. Throws InputError when that is not possible.
  Server(const ServerSettings& settings, Audience& audience);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  void start();
  /// Tells everybody why, and ends within a second.
  void stop(const std::string& reason);

  // From any thread, returning at once.
  void publish(std::shared_ptr<const PublishedFrame> frame);
  void send(ClientId client, Message message);
  void broadcast(Message message);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng::serve
