// The scene while it is designed: its document, who may change it, whether it is valid, and what becomes of the running
// world. All of it on a thread of its own: neither the simulation nor the server waits for a check or for a new world.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "throng/scene.h"
#include "throng/world.h"

#include "import/scene_loader.h"
#include "serve/document.h"
#include "serve/live_change.h"
#include "serve/server.h"

namespace throng::serve {

/// Where a document comes from and goes to.
struct DocumentFile {
  std::string text;
  std::string path;      ///< of the scene file; empty: it has none yet
  std::string folder;    ///< in which the files that it names lie, and where it may be saved; empty: nowhere
  bool passing = false;  ///< the folder goes when the studio ends: what was sent by a browser lies there
};

/// Of a scene that was read from a file: its text as it stands there. Of another one what it would be written as,
/// which belongs nowhere.
DocumentFile documentFileOf(const Scene& scene, const std::string& path);

class Editing {
 public:
  using Send = std::function<void(ClientId client, Message message)>;

  /// `scene` is what the document says, and runs already. `send` is called on the thread that does the work.
  Editing(std::shared_ptr<const Scene> scene, DocumentFile file, int threads, Send send);
  ~Editing();
  Editing(const Editing&) = delete;
  Editing& operator=(const Editing&) = delete;

  // From any thread, returning at once.
  void ask(ClientId client, DesignMessage request);
  void left(ClientId client);
  /// Another document instead, which has no unsaved changes unless it has no file. It begins at time 0.
  void open(DocumentFile file);
  /// The world as it is at time 0 by what the document says now; carryOut() brings it.
  void restart();
  /// Throws away what may take a while to end.
  void discard(std::shared_ptr<void> thing);

  // On the simulation's thread.
  struct Outcome {
    bool scene = false;      ///< another one runs
    bool restarted = false;  ///< from time 0
    std::string file;        ///< of the scene
  };
  /// What is to be done to the world. Costs no more than that: checks and new worlds were made before.
  Outcome carryOut(World& world, std::shared_ptr<const Scene>& scene);

 private:
  struct Left {};
  struct Failed {
    std::vector<Diagnostic> findings;
  };
  struct Restart {};
  using Task = std::variant<DesignMessage, Left, DocumentFile, Failed, Restart>;
  /// Something that the world's own thread is to do.
  struct Post {
    std::shared_ptr<const Scene> scene;  ///< null: it stays
    LiveChange live;
    std::unique_ptr<World> fresh;  ///< to go on in, or to begin with
    bool restart = false;
    std::string file;
  };
  enum class State { kRunning, kChecking, kDraft };

  void work();
  void answer(ClientId client, const Task& task);
  void answer(ClientId client, const DesignMessage& request);
  void answerDoor(const DoorRequest& request);
  void save(ClientId client, const SaveRequest& request);
  void replaceDocument(DocumentFile file);
  /// Checks the document and brings it to the world, where that is possible.
  void carryOn();
  std::vector<Diagnostic> findingsOf(const SceneCheck& check) const;
  void post(Post post);
  void queue(ClientId client, Task task);
  bool takePen(ClientId client);
  void tellAll();
  Message documentMessage(ClientId client) const;
  void notice(ClientId client, const char* severity, const std::string& text);

  // The worker's own.
  Document document_;
  DocumentFile file_;
  int threads_;
  Send send_;
  std::shared_ptr<const Scene> posted_;  ///< what runs, or will when everything posted is carried out
  import::SceneMemory memory_;
  std::set<std::string> standing_;  ///< what was put into the world since it was made
  std::set<ClientId> designers_;
  ClientId pen_ = 0;  ///< who edits; 0: nobody
  std::uint64_t checked_ = 1;
  bool looked_ = false;  ///< for what may be amiss of the scene as it was opened
  std::vector<Diagnostic> findings_;
  std::vector<Document::DoorMove> doors_;  ///< to be moved with the next change
  State state_ = State::kRunning;
  bool anew_ = false;     ///< the next change needs a world of its own
  bool restart_ = false;  ///< and it begins at time 0

  // Shared.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<ClientId, Task>> asked_;
  std::vector<Post> posts_;
  std::vector<std::shared_ptr<void>> old_;  ///< to be thrown away where nobody waits for it
  bool ending_ = false;

  // The simulation's thread's own.
  LiveWorld live_;

  std::thread thread_;
};

}  // namespace throng::serve
