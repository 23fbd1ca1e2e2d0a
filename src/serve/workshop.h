// What takes long is made here, one thing after the other, beside the simulation: films and reports of a recording.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "throng/draw.h"

#include "serve/server.h"

namespace throng::serve {

/// What to make of a recording.
struct Work {
  enum class Kind { kFilm, kReport, kCopy };
  Kind kind = Kind::kFilm;
  ClientId client = 0;
  std::string recording;  ///< path
  std::string name;       ///< of the scene, for the file's name
  DrawSettings settings;  ///< of a film
};

/// A file that can be fetched.
struct Made {
  std::string path, name, type;
};

class Workshop {
 public:
  static constexpr std::size_t kMostWaiting = 16, kMostMade = 64;

  /// `tell` is called on the workshop's thread; files go into `folder`.
  Workshop(std::string folder, std::function<void(ClientId, std::string)> tell);
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  /// Answers with `work` messages: how far it is, then where it can be fetched or what was wrong.
  void ask(Work work);
  /// Gives up what this viewer has asked for; also when they have gone.
  void cancel(ClientId client);
  /// The file that is fetched as "/made/NUMBER".
  std::optional<Made> find(std::string_view target) const;

 private:
  void run();
  void make(const Work& work, std::uint32_t number);
  void tell(const Work& work, std::uint32_t number, const char* state, double share, const std::string& more = {});
  bool unwanted(ClientId client) const;

  const std::string folder_;
  std::function<void(ClientId, std::string)> tell_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> waiting_;
  std::optional<ClientId> working_for_;
  bool given_up_ = false, ending_ = false;
  std::map<std::uint32_t, Made> made_;
  std::uint32_t last_ = 0;
  std::thread thread_;
};

/// A report of a recording as one file of HTML: figures, curves and pictures. `progress` gets the share done and may
/// return false to stop; the text is then empty. Pictures are drawn into `folder` on the way.
std::string reportHtml(const std::string& recording, const std::string& folder,
                       const std::function<bool(double)>& progress = {});

}  // namespace throng::serve
