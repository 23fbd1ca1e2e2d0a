#include "serve/editing.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "throng/files.h"

#include "base/overloaded.h"
#include "engine/known_models.h"
#include "import/scene_loader.h"
#include "scene/json_text.h"
#include "scene/scene_file.h"
#include "serve/design_message.h"
#include "serve/library.h"

namespace throng::serve {
namespace {

/// Longer documents are for text editors: every change is sent to everybody who looks on.
constexpr std::size_t kLongestDocument = std::size_t{4} << 20;
constexpr std::size_t kMostTasks = 4096;

std::string baseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A rectangle to walk on, and nobody yet.
std::string emptyScene(double width, double depth) {
  return fmt::format(
      "{{\n  \"version\": 1,\n  \"name\": \"new scene\",\n  \"layers\": [{{\"walkable\": \"POLYGON ((0 0, {0} 0, {0} "
      "{1}, 0 "
      "{1}, 0 0))\"}}],\n  \"run\": {{\"duration\": 600}}\n}}\n",
      width, depth);
}

}  // namespace

DocumentFile documentFileOf(const Scene& scene, const std::string& path) {
  if (!path.ends_with(".json")) return {.text = import::toJson(scene), .path = {}, .folder = {}};
  const std::size_t slash = path.rfind('/');
  return {.text = readFile(path),
          .path = path,
          .folder = slash == std::string::npos ? "."
                    : slash == 0               ? "/"
                                               : path.substr(0, slash)};
}

Editing::Editing(std::shared_ptr<const Scene> scene, DocumentFile file, int threads, Send send)
    : document_(file.text),
      file_(std::move(file)),
      threads_(threads),
      send_(std::move(send)),
      posted_(std::move(scene)),
      thread_([this] { work(); }) {}

Editing::~Editing() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

// From other threads

void Editing::queue(ClientId client, Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (asked_.size() >= kMostTasks) return;
    asked_.emplace_back(client, std::move(task));
  }
  wake_.notify_all();
}

void Editing::ask(ClientId client, DesignMessage request) { queue(client, std::move(request)); }
void Editing::left(ClientId client) { queue(client, Left{}); }
void Editing::open(DocumentFile file) { queue(0, std::move(file)); }
void Editing::restart() { queue(0, Restart{}); }

void Editing::discard(std::shared_ptr<void> thing) {
  {
    const std::lock_guard lock(mutex_);
    old_.push_back(std::move(thing));
  }
  wake_.notify_all();
}

Editing::Outcome Editing::carryOut(World& world, std::shared_ptr<const Scene>& scene) {
  std::vector<Post> posts;
  {
    const std::lock_guard lock(mutex_);
    posts.swap(posts_);
  }
  Outcome outcome;
  for (Post& post : posts) {
    StandingShapes cleared;
    try {
      if (post.fresh) {
        if (!post.restart) {
          cleared = live_.clear(world);
          post.fresh->continueFrom(world);
        }
        live_ = {};
        std::swap(world, *post.fresh);
        discard(std::move(post.fresh));
        outcome.restarted |= post.restart;
      }
      live_.apply(world, post.live);
      if (post.scene) {
        scene = post.scene;
        outcome.scene = true;
        outcome.file = post.file;
      }
    } catch (const InputError& error) {
      if (post.fresh) live_.apply(world, {.come = cleared});
      queue(0, Failed{error.diagnostics()});
    }
  }
  return outcome;
}

// The worker's thread

void Editing::work() {
  for (;;) {
    std::deque<std::pair<ClientId, Task>> tasks;
    std::vector<std::shared_ptr<void>> old;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return ending_ || !asked_.empty() || !old_.empty(); });
      if (ending_) return;
      tasks.swap(asked_);
      old.swap(old_);
    }
    for (const auto& [client, task] : tasks) answer(client, task);
    try {
      carryOn();
    } catch (const std::exception& error) {  // no memory for another world, say: what runs goes on
      findings_ = {Diagnostic{.file = {}, .pointer = {}, .at = {}, .message = error.what()}};
      state_ = State::kDraft;
      anew_ = true;
      tellAll();
    }
  }
}

void Editing::post(Post post) {
  post.file = file_.path;
  const std::lock_guard lock(mutex_);
  posts_.push_back(std::move(post));
}

void Editing::notice(ClientId client, const char* severity, const std::string& text) {
  send_(client, {std::make_shared<const std::string>(noticeMessage(severity, text)), true});
}

/// One edits at a time; who wants to while nobody does holds the pen.
bool Editing::takePen(ClientId client) {
  if (pen_ == 0 && designers_.count(client) > 0) pen_ = client;
  if (pen_ == client) return true;
  notice(client, "warning",
         pen_ == 0 ? "Open the design tools first." : "Somebody else is changing the scene now. You see what they do.");
  return false;
}

void Editing::answer(ClientId client, const Task& task) {
  std::visit(base::Overloaded{[&](const DesignMessage& request) { answer(client, request); },
                              [&](const Left&) {
                                designers_.erase(client);
                                if (pen_ == client) pen_ = 0, tellAll();
                              },
                              [&](const DocumentFile& file) { replaceDocument(file); },
                              [&](const Failed& failed) {
                                findings_.insert(findings_.end(), failed.findings.begin(), failed.findings.end());
                                scene::locateInText(document_.text(), baseName(file_.path), findings_);
                                state_ = State::kDraft;
                                anew_ = true;
                                tellAll();
                              },
                              [&](const Restart&) { restart_ = anew_ = true; }},
             task);
}

void Editing::answer(ClientId client, const DesignMessage& request) {
  if (const auto* design = std::get_if<DesignRequest>(&request)) {
    if (design->on && document_.text().size() > kLongestDocument)
      return notice(client, "warning", "This scene's file is too long to be changed here; a text editor can do it.");
    if (design->on) {
      designers_.insert(client);
      if (pen_ == 0) pen_ = client;
      send_(client, modelsMessage());
      tellAll();
      if (!looked_ && !document_.changed() && findings_.empty()) {
        // What may be amiss of a scene that is valid is told. What takes long of it is remembered from now on, so that
        // the first change need not wait for it.
        findings_ = findingsOf(import::checkSceneText(document_.text(), file_.folder, engine::knownModels(), memory_));
        if (!findings_.empty()) tellAll();
      }
      looked_ = true;
      return;
    } else {
      designers_.erase(client);
      if (pen_ == client) pen_ = 0;
    }
    return tellAll();
  }
  // Who only looks on may open doors, while nobody designs.
  const bool door_only = std::holds_alternative<DoorRequest>(request) && pen_ == 0;
  if (!door_only && !takePen(client)) return;
  try {
    if (const auto* edit = std::get_if<EditRequest>(&request)) {
      document_.apply(*edit);
    } else if (std::holds_alternative<UndoRequest>(request) || std::holds_alternative<RedoRequest>(request)) {
      auto doors = std::holds_alternative<UndoRequest>(request) ? document_.undo() : document_.redo();
      if (doors) doors_.insert(doors_.end(), doors->begin(), doors->end());
    } else if (const auto* door = std::get_if<DoorRequest>(&request)) {
      answerDoor(*door);
    } else if (const auto* save_to = std::get_if<SaveRequest>(&request)) {
      save(client, *save_to);
      tellAll();
    } else if (const auto* empty = std::get_if<NewSceneRequest>(&request)) {
      replaceDocument({emptyScene(empty->width, empty->depth), {}, file_.folder, file_.passing});
    }
  } catch (const Error& error) {
    notice(client, "error", error.what());
    tellAll();
  }
}

void Editing::answerDoor(const DoorRequest& request) {
  scene::JsonProblem problem;
  const auto json = scene::parseJson(document_.text(), problem);
  const std::string pointer = json ? doorPointer(*json, request.name) : std::string();
  if (pointer.empty()) throw InputError(fmt::format("There is no door called \"{}\".", request.name));
  const auto& door = json->at(nlohmann::ordered_json::json_pointer(pointer));
  const bool open = !door.contains("open") || !door["open"].is_boolean() || door["open"].get<bool>();
  std::vector<EditStep> steps;
  if (open != request.open) steps.push_back({EditStep::Kind::kSet, pointer + "/open", request.open});
  document_.apply(fmt::format("{} the door {}", request.open ? "open" : "close", request.name), steps,
                  {request.name, request.open});
  doors_.push_back({request.name, request.open});
}

void Editing::save(ClientId client, const SaveRequest& request) {
  std::string path = file_.path;
  if (path.empty()) {
    if (file_.folder.empty()) throw InputError("This scene was made by a program: there is no folder to save it in.");
    if (request.name.empty()) throw InputError("This scene has no file yet: say how it shall be called.");
    path = file_.folder + "/" + request.name;
  } else if (leadsOut(path)) {
    throw InputError(fmt::format(
        "{} is a link that leads out of its folder: open the file that it leads to, and save that.", baseName(path)));
  } else if (!request.replace && readFile(path) != document_.saved()) {
    throw InputError(fmt::format(
        "{} has been changed by somebody else since it was opened here; saving again replaces it.", baseName(path)));
  }
  writeFile(path, document_.text(), !file_.path.empty());
  file_.path = path;
  document_.markSaved();
  notice(client, "info",
         fmt::format("Saved {}{}.{}", baseName(path),
                     file_.passing ? " until the studio ends; what your browser downloads now stays" : "",
                     state_ == State::kDraft ? " It has mistakes that are marked." : ""));
}

void Editing::replaceDocument(DocumentFile file) {
  document_ = Document(file.text);
  if (file.path.empty()) document_.neverSaved();
  file_ = std::move(file);
  checked_ = 0;
  looked_ = true;  // it is checked at once
  restart_ = anew_ = true;
}

std::vector<Diagnostic> Editing::findingsOf(const SceneCheck& check) const {
  std::vector<Diagnostic> findings = check.diagnostics;
  for (Diagnostic& finding : findings) finding.file = baseName(file_.path);
  return findings;
}

void Editing::carryOn() {
  if (document_.revision() != checked_) {
    checked_ = document_.revision();
    state_ = State::kChecking;
    tellAll();
    SceneCheck check = import::checkSceneText(document_.text(), file_.folder, engine::knownModels(), memory_);
    findings_ = findingsOf(check);
    state_ = check.scene ? State::kRunning : State::kDraft;
    if (check.scene) {
      auto next = std::make_shared<const Scene>(std::move(*check.scene));
      LiveChange live = anew_ ? LiveChange{.anew = true} : liveChange(*posted_, *next, standing_);
      const bool anew = std::exchange(live.anew, false);
      for (const auto& [key, shape] : live.come) standing_.insert(key);
      for (const std::string& key : live.go) standing_.erase(key);
      anew_ = anew;
      if (anew)
        post({.scene = nullptr, .live = std::move(live), .fresh = nullptr, .file = {}});
      else
        post({.scene = next, .live = std::move(live), .fresh = nullptr, .file = {}});
      posted_ = std::move(next);
    }
    tellAll();
  }
  // While there are mistakes, what runs is the scene before them.
  if ((anew_ && state_ == State::kRunning) || (restart_ && state_ == State::kDraft)) {
    // People of patches are where the patches say, and so begin again.
    const bool from_beginning = restart_ || !posted_->districts.empty();
    Post next{.scene = posted_, .live = {}, .fresh = nullptr, .restart = from_beginning, .file = {}};
    try {
      next.fresh = std::make_unique<World>(*posted_, WorldOptions{.threads = threads_, .nobody = !from_beginning});
      post(std::move(next));
      standing_.clear();
      anew_ = restart_ = false;
    } catch (const InputError& error) {
      answer(0, Failed{error.diagnostics()});
    }
  }
  if (!doors_.empty())
    post({.scene = nullptr, .live = {.doors = std::exchange(doors_, {})}, .fresh = nullptr, .file = {}});
}

void Editing::tellAll() {
  for (const ClientId client : designers_) send_(client, documentMessage(client));
}

Message Editing::documentMessage(ClientId client) const {
  return documentNews({.text = document_.text(),
                       .revision = document_.revision(),
                       .file = baseName(file_.path),
                       .can_save = !file_.folder.empty(),
                       .passing = file_.passing,
                       .changed = document_.changed(),
                       .undo = document_.undoLabel(),
                       .redo = document_.redoLabel(),
                       .pen = pen_ == 0        ? "nobody"
                              : pen_ == client ? "you"
                                               : "somebody",
                       // What was changed since it was checked is not what runs, nor known to be wrong.
                       .state = document_.revision() != checked_ || state_ == State::kChecking ? "checking"
                                : state_ == State::kRunning                                    ? "running"
                                                                                               : "draft",
                       .findings = findings_});
}

}  // namespace throng::serve
