#include "serve/theatre.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "serve/messages.h"
#include "serve/open_scene.h"

namespace throng::serve {
namespace {

using nlohmann::json;

std::string listenName(const std::string& listen) {
  return listen == "0.0.0.0" || listen == "::"   ? "127.0.0.1"
         : listen.find(':') != std::string::npos ? "[" + listen + "]"
                                                 : listen;
}

/// "Reading city.json …", or that it is done.
std::string openingMessage(const std::string& name, bool done) {
  return dumped(json{{"type", "opening"}, {"name", name}, {"done", done}});
}

}  // namespace

Theatre::Theatre(const StudioSettings& settings)
    : settings_(settings), token_(makeToken()), library_(settings.folders, settings.cache, folder_.path()) {
  ServerSettings server{
      .address = settings.listen, .port = settings.port, .hosts = settings.hosts, .token = {}, .files = {}};
  const bool keep = settings.keep_address && !settings.cache.empty();
  if (keep) {
    if (const auto kept = readAddress(settings.cache)) {
      token_ = kept->token;
      if (server.port == 0) server.port = kept->port;
    }
  }
  server.token = token_;
  // Who listens on an address of the machine may be called by it; for all of them at once, --host says the names.
  if (settings.listen != "0.0.0.0" && settings.listen != "::") server.hosts.push_back(settings.listen);
  for (const StudioFile& file : settings.files) server.files.push_back({file.path, file.type, file.bytes});
  server_ = std::make_unique<Server>(server, *this);
  if (keep) keepAddress(settings.cache, {server_->port(), token_});
  workshop_ = std::make_unique<Workshop>(
      folder_.path(), [this](ClientId client, std::string words) { server_->send(client, message(std::move(words))); });
  server_->start();
}

Theatre::~Theatre() {
  server_->stop("the studio has ended");
  next_.reset();
  show_.reset();
  workshop_.reset();
  server_.reset();  // whose last connections still say that they go
}

std::string Theatre::address() const {
  return fmt::format("http://{}:{}/#{}", listenName(settings_.listen), server_->port(), token_);
}

std::shared_ptr<Show> Theatre::current() const {
  const std::lock_guard lock(mutex_);
  return show_;
}

void Theatre::broadcast(const std::string& words) { server_->broadcast(message(words)); }

void Theatre::joined(ClientId client) {
  std::shared_ptr<Show> show;
  {
    const std::lock_guard lock(mutex_);
    clients_.insert(client);
    show = show_;
  }
  if (show) return show->joined(client);
  server_->send(client,
                message(json{{"type", "hello"}, {"protocol", kProtocolVersion}, {"overlays", json::array()}}.dump()));
  server_->send(client, message(library_.message(true)));
}

void Theatre::left(ClientId client) {
  if (workshop_) workshop_->cancel(client);
  const std::lock_guard lock(mutex_);
  clients_.erase(client);
  if (show_) show_->left(client);
}

bool Theatre::asked(ClientId client, Request request) {
  if (std::holds_alternative<LibraryRequest>(request)) {
    server_->send(client, message(library_.message(current() == nullptr)));
    return true;
  }
  const auto* open = std::get_if<OpenRequest>(&request);
  if (open == nullptr && !std::holds_alternative<LeaveRequest>(request)) {
    const auto show = current();
    return show ? show->asked(client, std::move(request)) : true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (open != nullptr) wanted_ = *open;
    leave_ = open == nullptr;
  }
  wake_.notify_all();
  return true;
}

std::optional<Handout> Theatre::handout(std::string_view target) {
  const auto made = workshop_->find(target);
  if (!made) return {};
  return Handout{made->path, made->name, made->type};
}

std::variant<std::string, Refusal> Theatre::takes(std::string_view name, std::uint64_t size, std::uint32_t beside) {
  auto place = library_.take(name, size, beside);
  if (auto* why = std::get_if<std::string>(&place)) return Refusal{std::move(*why)};
  return std::get<Library::Place>(place).path;
}

std::string Theatre::taken(const std::string& path) { return json{{"entry", library_.taken(path)}}.dump(); }

void Theatre::show(const Scene& scene, const std::string& file) {
  StudioSettings settings = settings_;
  settings.file = file;
  change(std::make_shared<Show>(scene, settings, Stage{*server_, *workshop_, folder_.path()}));
  if (!file.empty()) library_.opened(file);
}

void Theatre::show(const std::vector<std::string>& recordings) {
  StudioSettings settings = settings_;
  settings.file = recordings.at(0);
  change(std::make_shared<Show>(recordings, settings, Stage{*server_, *workshop_, folder_.path()}));
  for (const std::string& path : recordings) library_.opened(path);
}

void Theatre::change(std::shared_ptr<Show> show) {
  const std::lock_guard lock(mutex_);
  next_ = std::move(show);
}

void Theatre::open(const OpenRequest& request) {
  const auto entry = library_.find(request.entry);
  if (!entry) return broadcast(noticeMessage("error", "There is no such entry any more."));
  const std::string name = std::filesystem::path(entry->path).filename().string();
  broadcast(openingMessage(name, false));
  try {
    if (entry->kind == FileKind::kRecording) {
      std::vector<std::string> recordings{entry->path};
      const auto beside = request.beside ? library_.find(*request.beside) : std::nullopt;
      if (beside && beside->kind == FileKind::kRecording) recordings.push_back(beside->path);
      show(recordings);
    } else {
      std::string file = entry->path;
      const Scene scene = openScene(file, entry->kind == FileKind::kModel);
      show(scene, file);
    }
  } catch (const Error& error) {
    broadcast(noticeMessage("error", fmt::format("{} cannot be opened. {}", name, error.what())));
  }
  broadcast(openingMessage(name, true));
}

bool Theatre::turn() {
  std::optional<OpenRequest> wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted = std::exchange(wanted_, std::nullopt);
  }
  if (wanted) open(*wanted);
  const std::lock_guard lock(mutex_);
  return next_ != nullptr || leave_;
}

void Theatre::run(const std::function<bool()>& stop) {
  bool first = true;
  while (!stop()) {
    turn();
    std::shared_ptr<Show> show;
    std::set<ClientId> clients;
    bool changed = false;
    {
      const std::lock_guard lock(mutex_);
      changed = next_ != nullptr || (leave_ && show_);
      leave_ = false;
      if (changed) show_ = std::exchange(next_, nullptr);
      show = show_;
      clients = clients_;
    }
    if (changed) server_->publish(nullptr);
    if (changed)
      for (const ClientId client : clients) joined(client);
    if (!show) {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, std::chrono::milliseconds(50), [&] { return wanted_.has_value() || next_ != nullptr; });
      first = false;
      continue;
    }
    try {
      show->run([&] { return stop() || turn(); });
    } catch (const Error& error) {
      if (first) throw;  // what the command line has asked for
      broadcast(noticeMessage("error", error.what()));
      const std::lock_guard lock(mutex_);
      leave_ = true;
    }
    first = false;
  }
  server_->stop("the studio has ended");
}

}  // namespace throng::serve
