// What is shown: a scene that runs, or recordings that are played; its clock, what viewers ask for, and what they are
// told.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "throng/studio.h"

#include "serve/editing.h"
#include "serve/overlays.h"
#include "serve/play.h"
#include "serve/server.h"
#include "serve/survey.h"
#include "serve/tape.h"
#include "serve/workshop.h"

namespace throng::serve {

/// What a show is given by the theatre that it is in, and outlives it.
struct Stage {
  Server& server;
  Workshop& workshop;
  std::string folder;  ///< for what is recorded
};

class Show {
 public:
  /// A scene that runs.
  Show(const Scene& scene, const StudioSettings& settings, const Stage& stage);
  /// One recording, or two beside one another. Throws InputError when they cannot be read.
  Show(const std::vector<std::string>& recordings, const StudioSettings& settings, const Stage& stage);
  ~Show();
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  /// Until `stop` says so; it is asked at least twenty times a second. Throws InputError when the scene cannot be
  /// simulated.
  void run(const std::function<bool()>& stop);

  // On the server's thread.
  void joined(ClientId client);
  void left(ClientId client);
  bool asked(ClientId client, Request request);

 private:
  static constexpr std::size_t kMostAsked = 4096;

  void prepare();
  // Designing (show_design.cpp).
  /// From the scene that runs now. `tell`: it is another one than before.
  void useScene(const std::shared_ptr<const Scene>& scene, bool tell);
  /// What is being designed comes to the world, and what it is now to everybody.
  void carryOutEdits(Play& play);
  void tellWalls(Play& play);
  void tellRecordedWalls(Play& play);
  void answerAll(Play& play);
  void answer(Play& play, ClientId client, const Request& request);
  /// What is not about the clock; false when it was something else.
  bool answerWatching(Play& play, ClientId client, const Request& request);
  void setClock(const Play& play);
  /// As many steps as are due, for at most a twentieth of a second.
  void advance(Play& play);
  void step(Play& play);
  void publishFrame(Play& play);
  void publishStatus(Play& play);
  void publishPeople(Play& play);
  void publishFigures(Play& play);
  void publishTimeline(Play& play);
  void publishSurvey(std::size_t run, const Survey::Found& found);
  void sendCurves(ClientId client);
  std::vector<std::string> lineNames() const;
  void record(Play& play, ClientId client, bool on);
  /// A film, a report or a copy of what was recorded.
  void make(Play& play, Work work);
  std::string statusText(const std::string& phase, const Play* play);
  void waitUntil(Clock::time_point due);

  /// What is worked out of a scene beside the simulation, and the scene itself.
  struct Shown {
    Shown(std::shared_ptr<const Scene> of, const Overlays::Ready& ready)
        : scene(std::move(of)), overlays(*scene, ready) {}
    std::shared_ptr<const Scene> scene;
    Overlays overlays;
  };

  Scene scene_;
  StudioSettings settings_;
  Stage stage_;
  Server* server_;
  std::vector<std::string> recordings_;
  std::function<std::unique_ptr<Play>()> begin_;
  Message hello_, scene_message_;
  std::optional<Message> mesh_;
  std::shared_ptr<const Mesh> shown_mesh_;
  Box box_;

  // Shared with the server's thread.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<ClientId, Request>> asked_;
  std::map<ClientId, std::uint32_t> follows_;  ///< whom each viewer wants news of
  std::map<ClientId, std::uint32_t> sees_;     ///< through whose eyes each viewer looks
  std::size_t viewers_ = 0;
  Message status_, timeline_, walls_;
  std::shared_ptr<Shown> shown_;
  std::map<std::size_t, std::string> curves_text_;  ///< by run, as far as they are known

  // The simulation's own.
  Tape tape_;
  Curves curves_{1};
  bool playing_ = true, over_ = false, moved_ = true;
  double speed_ = 1, factor_ = 0, step_ms_ = 0;
  Clock::time_point next_step_{}, next_frame_{}, next_status_{}, next_figures_{}, measured_{};
  double measured_time_ = 0;
  bool changed_ = false;           ///< the world does not begin any more as the play knows it
  std::size_t walls_changed_ = 0;  ///< one more than there were changes of the world when they were told last

  std::unique_ptr<Editing> editing_;              ///< null for recordings
  std::vector<std::unique_ptr<Survey>> surveys_;  ///< of recordings
};

}  // namespace throng::serve
