// The running scene behind the server: the clock, what viewers ask for, and what they are told.
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
#include "throng/world.h"

#include "serve/editing.h"
#include "serve/overlays.h"
#include "serve/server.h"

namespace throng::serve {

class Show final : public Audience {
 public:
  Show(const Scene& scene, const StudioSettings& settings);
  ~Show() override;
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  std::string address() const;
  void run(const std::function<bool()>& stop);

  // On the server's thread.
  void joined(ClientId client) override;
  void left(ClientId client) override;
  bool asked(ClientId client, Request request) override;

 private:
  static constexpr std::size_t kMostAsked = 4096;

  void answerAll(World& world);
  void answer(World& world, ClientId client, const Request& request);
  /// As many steps as are due, for at most a twentieth of a second.
  void advance(World& world);
  void step(World& world);
  void publishFrame(World& world);
  void publishStatus(World& world);
  void publishPeople(World& world);
  std::string statusText(const std::string& phase, const World* world);
  void waitUntil(Clock::time_point due);
  /// What is being designed comes to the world, and what it is now to everybody.
  void carryOutEdits(World& world);
  void useScene(bool tell);
  void tellWalls(World& world);

  /// What is worked out of a scene beside the simulation, and the scene itself.
  struct Shown {
    Shown(std::shared_ptr<const Scene> s, const Overlays::Ready& ready)
        : scene(std::move(s)), overlays(*scene, ready) {}
    std::shared_ptr<const Scene> scene;
    Overlays overlays;
  };

  std::shared_ptr<const Scene> scene_;
  std::string file_;  ///< of the scene
  StudioSettings settings_;
  std::string token_;
  Message hello_, scene_message_;
  std::optional<Message> mesh_;
  std::shared_ptr<const Mesh> shown_mesh_;
  Box box_;

  // Shared with the server's thread.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<ClientId, Request>> asked_;
  std::map<ClientId, std::uint32_t> follows_;  ///< whom each viewer wants news of
  std::size_t viewers_ = 0;
  Message status_;
  Message walls_;
  std::shared_ptr<Shown> shown_;  ///< ends before the server that it answers through

  // The simulation's own.
  std::vector<std::byte> beginning_;  ///< of the scene that runs; empty: another one than at first
  std::size_t walls_changed_ = 0;     ///< of the world's changes those that have been told
  bool playing_ = true, over_ = false, moved_ = true;
  double speed_ = 1, factor_ = 0, step_ms_ = 0;
  Clock::time_point next_step_{}, next_frame_{}, next_status_{}, measured_{};
  double measured_time_ = 0;

  std::unique_ptr<Server> server_;
  std::unique_ptr<Editing> editing_;
};

}  // namespace throng::serve
