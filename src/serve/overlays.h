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
  /// Answers with the shapes, or with a notice that says why there are none.
  void ask(ClientId client, const std::string& name);

 private:
  void work();
  Message make(const std::string& name);

  const Scene& scene_;
  Ready ready_;
  std::unique_ptr<NavigationMap> map_;
  std::unique_ptr<NavigationGraph> graph_;
  std::map<std::string, Message> made_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<ClientId, std::string>> asked_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace throng::serve
