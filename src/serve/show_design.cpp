// The scene that is shown while somebody designs it: another scene runs, and everybody sees it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "serve/design_message.h"
#include "serve/messages.h"
#include "serve/scene_message.h"
#include "serve/show.h"

namespace throng::serve {

using nlohmann::json;

namespace {

/// Made twice, as a generator does.
bool isSame(const Mesh& a, const Mesh& b) {
  const auto alike = [](const Mesh::Material& s, const Mesh::Material& t) {
    return s.name == t.name && s.rgb == t.rgb;
  };
  return a.triangles == b.triangles && a.material == b.material &&
         std::equal(a.vertices.begin(), a.vertices.end(), b.vertices.begin(), b.vertices.end(),
                    [](Point3 p, Point3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }) &&
         std::equal(a.materials.begin(), a.materials.end(), b.materials.begin(), b.materials.end(), alike);
}

}  // namespace

void Show::useScene(const std::shared_ptr<const Scene>& scene, bool tell) {
  auto shown =
      std::make_shared<Shown>(scene, [this](ClientId client, Message news) { server_->send(client, std::move(news)); });
  const std::shared_ptr<const Mesh> mesh = scene->mesh ? scene->mesh->mesh : nullptr;
  const bool same_mesh = tell && (mesh == shown_mesh_ || (mesh && shown_mesh_ && isSame(*mesh, *shown_mesh_)));
  if (tell) scene_ = *scene;
  box_ = sceneBox(*scene);
  std::vector<std::string> overlays;
  {
    const std::lock_guard lock(mutex_);
    hello_ = message(json{{"type", "hello"}, {"protocol", kProtocolVersion}, {"overlays", shown->overlays.names()}});
    overlays = shown->overlays.names();
    scene_message_ = message(sceneMessage(*scene, settings_.file, overlays));
    if (!same_mesh) {
      auto bytes = meshMessage(*scene);
      mesh_.reset();
      if (bytes) mesh_ = Message{std::make_shared<const std::string>(std::move(*bytes)), false};
    }
    shown_mesh_ = mesh;
    shown_.swap(shown);
  }
  if (shown) editing_->discard(std::move(shown));
  if (!tell) return;
  server_->broadcast(message(sceneMessage(*scene, settings_.file, overlays, same_mesh)));
  if (mesh_ && !same_mesh) server_->broadcast(*mesh_);
}

void Show::carryOutEdits(Play& play) {
  if (!editing_ || play.world() == nullptr) return;
  std::shared_ptr<const Scene> scene;
  const Editing::Outcome done = editing_->carryOut(*play.world(), scene);
  if (!done.scene) return;
  settings_.file = done.file;
  if (tape_.running()) {
    try {
      tape_.stop();
    } catch (const Error& error) {
      server_->broadcast(message(noticeMessage("error", error.what())));
    }
    server_->broadcast(message(noticeMessage("info", "The recording ends here: the scene is another one now.")));
  }
  play.changed(*scene, done.restarted);
  changed_ = !done.restarted;
  if (done.restarted) {
    over_ = false;
    setClock(play);
  }
  walls_changed_ = 0;
  moved_ = true;
  next_status_ = {};
  useScene(scene, true);
}

void Show::tellWalls(Play& play) {
  if (play.world() == nullptr) return tellRecordedWalls(play);
  const std::size_t changes = play.world()->frame().changes.size() + 1;
  if (changes == walls_changed_) return;
  walls_changed_ = changes;
  Walls there = wallsOf(*play.world(), scene_);
  Message walls = wallsMessage(there);
  {
    const std::lock_guard lock(mutex_);
    walls_ = walls;
    shown_->overlays.stand(std::move(there));
  }
  server_->broadcast(std::move(walls));
}

}  // namespace throng::serve
