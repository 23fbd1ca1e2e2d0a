// Shapes to lay over the scene, worked out beside the simulation: it goes on meanwhile.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "throng/scene.h"

#include "serve/design_message.h"
#include "serve/server.h"

namespace throng {
class NavigationGraph;
class NavigationMap;
}  // namespace throng

namespace throng::serve {

class Overlays {
 public:
  using Ready = std::function<void(ClientId client, Message message)>;

  /// `ready` is called on the worker's thread.
  Overlays(const Scene& scene, Ready ready);
  ~Overlays();
  Overlays(const Overlays&) = delete;
  Overlays& operator=(const Overlays&) = delete;

  /// Names that this scene has something to show for.
  std::vector<std::string> names() const;
  /// Doors and obstacles that differ from the scene's: from now on the corridor map and routes are those of these
  /// walls.
  void stand(Walls walls);
  /// Answers with the shapes, or with a notice that says why there are none.
  void ask(ClientId client, const std::string& name);

 private:
  void work();
  Message make(const std::string& name);

  /// The corridor map becomes that of the walls of now.
  void rebuild(const Walls& walls);

  const Scene& scene_;
  Ready ready_;
  std::unique_ptr<NavigationMap> map_;
  Walls on_map_;  ///< and what was put on the map for them
  std::vector<ObstacleId> obstacles_;
  std::unique_ptr<NavigationGraph> graph_;
  std::map<std::string, Message> made_;
  std::mutex mutex_;
  Walls walls_;
  std::condition_variable wake_;
  std::deque<std::pair<ClientId, std::string>> asked_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace throng::serve
