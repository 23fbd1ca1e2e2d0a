#include "serve/server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "serve/library.h"

namespace throng::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using ErrorCode = beast::error_code;

constexpr std::size_t kMostConnections = 128;
constexpr auto kPatience = std::chrono::seconds(10);  ///< for a request, and for the token
constexpr auto kLongestWrite = std::chrono::seconds(30);
constexpr auto kFarewell =
    std::chrono::seconds(3);  ///< for browsers to hear that the studio ends, also on a busy machine
constexpr const char* kStream = "/stream";
constexpr const char* kTokenField = "X-Throng-Token";  // no page of another origin can send it unasked
constexpr std::size_t kMostTaking = 4;                 // files at once

using HttpRequest = http::request<http::string_body>;
using HttpResponse = http::response<http::string_body>;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

/// "my%20plan.json" → "my plan.json"; nothing for what is not well formed.
std::optional<std::string> percentDecoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    unsigned value = 0;
    const char* end = text.data() + std::min(i + 3, text.size());
    const auto read = std::from_chars(text.data() + i + 1, end, value, 16);
    if (read.ec != std::errc{} || read.ptr != text.data() + i + 3) return {};
    out.push_back(static_cast<char>(value));
    i += 2;
  }
  return out;
}

/// Of a file that is sent: "NAME", or "NAME?beside=N".
struct Asked {
  std::string name;
  std::uint32_t beside = 0;
};
std::optional<Asked> placeOf(std::string_view text) {
  constexpr std::string_view kBeside = "?beside=";
  Asked asked;
  const std::size_t query = text.find('?');
  if (query != std::string_view::npos) {
    const std::string_view number = text.substr(std::min(query + kBeside.size(), text.size()));
    const auto read = std::from_chars(number.data(), number.data() + number.size(), asked.beside);
    if (!text.substr(query).starts_with(kBeside) || read.ec != std::errc{} || asked.beside == 0 ||
        read.ptr != number.data() + number.size())
      return {};
  }
  auto name = percentDecoded(text.substr(0, query));
  if (!name) return {};
  asked.name = std::move(*name);
  return asked;
}

template <class Response>
void addSafety(Response& response, const std::string& host) {
  response.set(
      "Content-Security-Policy",
      "default-src 'self'; connect-src 'self' ws://" + host +
          "; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors "
          "'none'");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set(http::field::cache_control, "no-store");
}

/// What the server knows; used on its thread only, but for the settings.
struct Shared {
  ServerSettings settings;
  AllowedHosts allowed;
  Audience* audience = nullptr;
  std::map<ClientId, std::weak_ptr<class Client>> clients;  ///< those who know the token
  std::size_t connections = 0, taking = 0;
  ClientId next = 1;
  std::shared_ptr<const PublishedFrame> latest;
};

/// A browser on the WebSocket.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(tcp::socket socket, Shared& shared)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        shared_(shared),
        id_(shared.next++),
        connection_(shared.settings.token) {
    ++shared_.connections;
  }
  ~Client() {
    --shared_.connections;
    if (shared_.clients.erase(id_) > 0) shared_.audience->left(id_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void accept(HttpRequest request) {
    websocket::stream_base::timeout timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.handshake_timeout = kPatience;
    timeout.idle_timeout = std::chrono::seconds(60);
    timeout.keep_alive_pings = true;
    socket_.set_option(timeout);
    socket_.set_option(websocket::stream_base::decorator(
        [](websocket::response_type& response) { response.set(http::field::server, "throng"); }));
    socket_.read_message_max(kLongestMessage);
    socket_.auto_fragment(false);
    request_ = std::move(request);  // has to live until it is answered
    socket_.async_accept(request_, [self = shared_from_this()](ErrorCode error) {
      if (error) return;
      self->watch();
      self->read();
    });
  }

  void offer(std::shared_ptr<const PublishedFrame> frame) {
    connection_.offer(std::move(frame));
    write();
  }
  void send(Message message) {
    if (closing_) return;
    if (!connection_.queue(std::move(message))) return close({Closing::kTooMuch, "this browser reads too slowly"});
    write();
  }
  void close(const Closing& why) {
    if (std::exchange(closing_, true)) return;
    websocket::close_reason reason(static_cast<websocket::close_code>(why.code));
    reason.reason = beast::string_view(why.reason.data(), std::min<std::size_t>(why.reason.size(), 120));
    socket_.async_close(reason, [self = shared_from_this()](ErrorCode) {});
    closed_by_ = Clock::now() + std::chrono::seconds(5);
  }
  void drop() {
    ErrorCode ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

 private:
  /// Once a second: whoever does not say who they are, does not read or does not let go is cut off.
  void watch() {
    timer_.expires_after(std::chrono::seconds(1));
    timer_.async_wait([weak = weak_from_this()](ErrorCode error) {
      const auto self = weak.lock();
      if (error || !self) return;
      const auto now = Clock::now();
      if (!self->connection_.welcome() && now - self->since_ > kPatience)
        self->close({Closing::kNotAllowed, "no token came"});
      const bool stuck = self->writing_ && now - self->write_since_ > kLongestWrite;
      if (stuck || (self->closing_ && now > self->closed_by_)) return self->drop();
      self->watch();
    });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->drop();
      self->received();
      self->buffer_.clear();
      if (!self->closing_) self->read();
    });
  }

  void received() {
    const bool knew = connection_.welcome();
    std::optional<Request> request;
    const auto data = buffer_.cdata();
    const std::string_view text(static_cast<const char*>(data.data()), data.size());
    if (const auto why = connection_.received(text, socket_.got_text(), Clock::now(), request)) return close(*why);
    if (!knew) {
      socket_.read_message_max(kLongestEdit);
      shared_.clients[id_] = weak_from_this();
      shared_.audience->joined(id_);
      // After what it is greeted with, which waits to be sent.
      asio::post(socket_.get_executor(), [self = shared_from_this()] {
        if (self->shared_.latest) self->offer(self->shared_.latest);
      });
    } else if (request && !shared_.audience->asked(id_, std::move(*request))) {
      return close({Closing::kTooMuch, "the simulation has too much to do"});
    }
    write();
  }

  void write() {
    if (writing_ || closing_) return;
    std::optional<Message> message = connection_.next();
    if (!message) return;
    writing_ = true;
    write_since_ = Clock::now();
    socket_.text(message->text);
    const auto bytes = message->bytes;
    socket_.async_write(asio::buffer(*bytes), [self = shared_from_this(), bytes](ErrorCode error, std::size_t) {
      self->writing_ = false;
      if (error) return self->drop();
      self->write();
    });
  }

  websocket::stream<beast::tcp_stream> socket_;
  asio::steady_timer timer_;
  Shared& shared_;
  ClientId id_;
  Connection connection_;
  HttpRequest request_;
  beast::flat_buffer buffer_;
  bool writing_ = false, closing_ = false;
  Clock::time_point since_ = Clock::now(), write_since_{}, closed_by_{};
};

/// A browser that asks for files, until it asks for the WebSocket.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(tcp::socket socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) { ++shared_.connections; }
  ~Visitor() { --shared_.connections; }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(8 * 1024);
    parser_->body_limit(Library::kLargestUpload);
    stream_.expires_after(kPatience);
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (!error) return self->answer();
      const bool about_http = error.category() == http::make_error_code(http::error::end_of_stream).category();
      if (about_http && error != http::error::end_of_stream)
        self->refuse(http::status::bad_request, "this request is not understood");
    });
  }

 private:
  void answer() {
    const HttpRequest& asked = parser_->get();
    if (asked.method() == http::verb::put) return take();
    // Nothing else has a body; one that is there is not read.
    if (parser_->chunked() || parser_->content_length().value_or(0) > 0)
      return refuse(http::status::bad_request, "this request has a body");
    HttpRequest request = parser_->release();
    keep_alive_ = request.keep_alive();
    const std::string_view host = view(request[http::field::host]), target = view(request.target());
    if (request.count(http::field::host) != 1 || !shared_.allowed.host(host))
      return refuse(http::status::forbidden, "this server is not called that (see --host)");
    host_ = host;
    if (websocket::is_upgrade(request)) {
      if (target != kStream) return refuse(http::status::not_found, "there is no such stream");
      if (request.count(http::field::origin) != 1 || !shared_.allowed.origin(view(request[http::field::origin])))
        return refuse(http::status::forbidden, "only the studio's own page may connect");
      stream_.expires_never();
      return std::make_shared<Client>(stream_.release_socket(), shared_)->accept(std::move(request));
    }
    // A page of somebody else's may not even read the files.
    const auto origin = request.find(http::field::origin);
    if (origin != request.end() && !shared_.allowed.origin(view(origin->value())))
      return refuse(http::status::forbidden, "only the studio's own page may ask");
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse(http::status::method_not_allowed, "only GET and HEAD");
    for (const PageFile& file : shared_.settings.files)
      if (target == file.path)
        return reply(http::status::ok, file.type, file.bytes, request.method() == http::verb::head);
    if (target.starts_with("/made/") && request.method() == http::verb::get) {
      if (!knowsToken(request)) return refuse(http::status::forbidden, "the token is not that of this studio");
      if (const auto found = shared_.audience->handout(target)) return handOut(*found);
    }
    refuse(http::status::not_found, "there is no such file");
  }

  bool knowsToken(const HttpRequest& request) const {
    return request.count(kTokenField) == 1 && sameToken(view(request[kTokenField]), shared_.settings.token);
  }

  /// PUT /files/NAME or /files/NAME?beside=N: a file that is dropped into the page. All is checked before a byte of it
  /// is read.
  void take() {
    const HttpRequest& request = parser_->get();
    const std::string_view host = view(request[http::field::host]), target = view(request.target());
    constexpr std::string_view kPlace = "/files/";
    if (request.count(http::field::host) != 1 || !shared_.allowed.host(host))
      return refuse(http::status::forbidden, "this server is not called that (see --host)");
    host_ = host;
    if (request.count(http::field::origin) != 1 || !shared_.allowed.origin(view(request[http::field::origin])))
      return refuse(http::status::forbidden, "only the studio's own page may send files");
    if (!knowsToken(request)) return refuse(http::status::forbidden, "the token is not that of this studio");
    const auto size = parser_->content_length();
    const auto asked = target.starts_with(kPlace) ? placeOf(target.substr(kPlace.size())) : std::nullopt;
    if (!asked || !size) return refuse(http::status::bad_request, "a file comes with its name and its size");
    if (shared_.taking >= kMostTaking) return refuse(http::status::service_unavailable, "too many files at once");
    auto place = shared_.audience->takes(asked->name, *size, asked->beside);
    if (const auto* refusal = std::get_if<Refusal>(&place)) return refuse(http::status::forbidden, refusal->why);
    taken_ = std::get<std::string>(place);
    upload_.emplace(std::move(*parser_));
    ErrorCode error;
    upload_->get().body().open(taken_.c_str(), beast::file_mode::write_new, error);
    if (error) return refuse(http::status::internal_server_error, "the file cannot be written: " + error.message());
    ++shared_.taking;
    takeMore();
  }

  void takeMore() {
    stream_.expires_after(kLongestWrite);
    http::async_read_some(stream_, buffer_, *upload_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (!error && !self->upload_->is_done()) return self->takeMore();
      --self->shared_.taking;
      self->upload_->get().body().close();
      if (error) {
        std::remove(self->taken_.c_str());
        return self->refuse(http::status::bad_request, "the file did not come in full: " + error.message());
      }
      self->answer_ = self->shared_.audience->taken(self->taken_);
      self->keep_alive_ = false;
      self->reply(http::status::ok, "application/json", self->answer_, false);
    });
  }

  void handOut(const Handout& file) {
    ErrorCode error;
    http::file_body::value_type body;
    body.open(file.path.c_str(), beast::file_mode::scan, error);
    if (error) return refuse(http::status::not_found, "the file is gone");
    file_.emplace(http::status::ok, 11);
    file_->set(http::field::server, "throng");
    file_->set(http::field::content_type, file.type);
    file_->set(http::field::content_disposition, fmt::format("attachment; filename=\"{}\"", file.name));
    addSafety(*file_, host_);
    file_->keep_alive(false);
    const std::uint64_t size = body.size();
    file_->body() = std::move(body);
    file_->content_length(size);
    file_serializer_.emplace(*file_);
    giveMore();
  }

  void giveMore() {
    stream_.expires_after(kLongestWrite);
    http::async_write_some(stream_, *file_serializer_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (!error && !self->file_serializer_->is_done()) return self->giveMore();
      ErrorCode ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  void refuse(http::status status, std::string_view why) {
    keep_alive_ = false;
    answer_ = fmt::format("throng studio: {}\n", why);
    reply(status, "text/plain; charset=utf-8", answer_, false);
  }

  void reply(http::status status, std::string_view type, std::string_view bytes, bool head) {
    response_ = HttpResponse(status, 11);
    response_.set(http::field::server, "throng");
    response_.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    addSafety(response_, host_);
    response_.keep_alive(keep_alive_);
    if (!head) response_.body() = bytes;
    response_.content_length(bytes.size());
    stream_.expires_after(kLongestWrite);
    serializer_.emplace(response_);
    if (head) serializer_->split(true);
    const auto then = [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (!error && self->keep_alive_) return self->read();
      ErrorCode ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    };
    if (head)
      http::async_write_header(stream_, *serializer_, then);
    else
      http::async_write(stream_, *serializer_, then);
  }

  beast::tcp_stream stream_;
  Shared& shared_;
  beast::flat_buffer buffer_{16 * 1024};
  std::optional<http::request_parser<http::string_body>> parser_;
  HttpResponse response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::optional<http::request_parser<http::file_body>> upload_;
  std::optional<http::response<http::file_body>> file_;
  std::optional<http::response_serializer<http::file_body>> file_serializer_;
  std::string taken_, answer_;
  std::string host_ = "127.0.0.1";
  bool keep_alive_ = false;
};

}  // namespace

struct Server::State {
  Shared shared;  ///< outlives the context, whose last handlers hold clients
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::thread thread;
  bool ending = false;

  void accept() {
    acceptor.async_accept([this](ErrorCode error, tcp::socket socket) {
      if (ending) return;
      if (error) {  // no more file handles, say: ask again in a moment
        pause.expires_after(std::chrono::milliseconds(100));
        return pause.async_wait([this](ErrorCode stopped) {
          if (!stopped && !ending) accept();
        });
      }
      if (shared.connections < kMostConnections) {
        ErrorCode ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Visitor>(std::move(socket), shared)->read();
      }
      accept();
    });
  }

  /// Stops when every browser has answered that it was told to go, or when there is no time left for those that do not.
  void stopWhenAllKnow(Clock::time_point until) {
    if (shared.clients.empty() || Clock::now() > until) return context.stop();
    pause.expires_after(std::chrono::milliseconds(10));
    pause.async_wait([this, until](ErrorCode) { stopWhenAllKnow(until); });
  }

  template <class Work>
  void forAll(const Work& work) {
    const auto clients = shared.clients;  // who leaves while others are told
    for (const auto& [id, weak] : clients)
      if (const auto client = weak.lock()) work(*client);
  }
};

Server::Server(const ServerSettings& settings, Audience& audience) : state_(std::make_unique<State>()) {
  ErrorCode error;
  const auto address = asio::ip::make_address(settings.address, error);
  if (error)
    throw InputError(fmt::format("{} is no address to listen on; 127.0.0.1 and 0.0.0.0 are", settings.address));
  const tcp::endpoint endpoint(address, settings.port);
  tcp::acceptor& acceptor = state_->acceptor;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(64, error);
  if (error)
    throw InputError(
        fmt::format("cannot listen on port {} of {}: {}. Another --port, or 0 for any that is free, may do",
                    settings.port, settings.address, error.message()));
  state_->shared.settings = settings;
  state_->shared.allowed = AllowedHosts(acceptor.local_endpoint().port(), settings.hosts);
  state_->shared.audience = &audience;
}

Server::~Server() { stop("the studio has ended"); }

std::uint16_t Server::port() const { return state_->acceptor.local_endpoint().port(); }

void Server::start() {
  state_->accept();
  state_->thread = std::thread([this] { state_->context.run(); });
}

void Server::stop(const std::string& reason) {
  if (!state_->thread.joinable()) return;
  asio::post(state_->context, [this, reason] {
    state_->ending = true;
    ErrorCode ignored;
    state_->acceptor.close(ignored);
    state_->forAll([&](Client& client) { client.close({Closing::kGoingAway, reason}); });
    state_->stopWhenAllKnow(Clock::now() + kFarewell);
  });
  state_->thread.join();
}

void Server::publish(std::shared_ptr<const PublishedFrame> frame) {
  asio::post(state_->context, [this, frame = std::move(frame)] {
    state_->shared.latest = frame;
    state_->forAll([&](Client& client) { client.offer(frame); });
  });
}

void Server::send(ClientId client, Message message) {
  asio::post(state_->context, [this, client, message = std::move(message)] {
    const auto found = state_->shared.clients.find(client);
    if (found == state_->shared.clients.end()) return;
    if (const auto there = found->second.lock()) there->send(message);
  });
}

void Server::broadcast(Message message) {
  asio::post(state_->context,
             [this, message = std::move(message)] { state_->forAll([&](Client& client) { client.send(message); }); });
}

}  // namespace throng::serve
