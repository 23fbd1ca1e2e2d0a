// The studio as a whole: its server, whoever looks on, and what is shown to them: the start page, or a show.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "throng/studio.h"

#include "serve/library.h"
#include "serve/server.h"
#include "serve/show.h"
#include "serve/workshop.h"

namespace throng::serve {

class Theatre final : public Audience {
 public:
  /// Takes the port and answers from then on. Throws InputError when that is not possible.
  explicit Theatre(const StudioSettings& settings);
  ~Theatre() override;
  Theatre(const Theatre&) = delete;
  Theatre& operator=(const Theatre&) = delete;

  std::string address() const;
  /// Shows a scene, or recordings beside one another. Throws InputError when that is not possible.
  void show(const Scene& scene, const std::string& file);
  void show(const std::vector<std::string>& recordings);
  /// Until `stop` says so. Throws InputError when what was shown first cannot be simulated.
  void run(const std::function<bool()>& stop);

  // On the server's thread.
  void joined(ClientId client) override;
  void left(ClientId client) override;
  bool asked(ClientId client, Request request) override;
  std::optional<Handout> handout(std::string_view target) override;
  std::variant<std::string, Refusal> takes(std::string_view name, std::uint64_t size, std::uint32_t beside) override;
  std::string taken(const std::string& path) override;

 private:
  std::shared_ptr<Show> current() const;
  /// What was asked for meanwhile: true when the show that runs has to end for it.
  bool turn();
  void open(const OpenRequest& request);
  void change(std::shared_ptr<Show> show);
  void broadcast(const std::string& text);

  StudioSettings settings_;
  PrivateFolder folder_;
  std::string token_;
  Library library_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Workshop> workshop_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::set<ClientId> clients_;
  std::shared_ptr<Show> show_, next_;
  std::optional<OpenRequest> wanted_;
  bool leave_ = false;
};

}  // namespace throng::serve
