// Several browsers that change the scene, each from its own thread, while the world goes on on another.
#include "serve/editing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "throng/world.h"

#include "engine/known_models.h"
#include "import/scene_loader.h"

namespace throng::serve {
namespace {

using nlohmann::json;

constexpr int kPillars = 12;

const char* kYard = R"json({"version": 1,
  "layers": [{"walkable": "POLYGON ((0 0, 40 0, 40 10, 0 10, 0 0))", "obstacles": [],
              "doors": [{"name": "gate", "line": [[20, 0], [20, 10]]}]}],
  "populations": [{"name": "p", "count": 5, "start": {"area": "POLYGON ((1 1, 9 1, 9 3, 1 3, 1 1))"},
                   "goal": {"point": [38, 2]}}],
  "run": {"duration": 600}})json";

/// What browsers were told, last of each kind.
class Mailbox {
 public:
  void take(ClientId client, const Message& message) {
    json news = json::parse(*message.bytes);
    const std::string type = news.at("type").get<std::string>();
    const std::lock_guard lock(mutex_);
    if (type == "notice") ++notices_[client];
    last_[{client, type}] = std::move(news);
  }
  json last(ClientId client, const std::string& type) const {
    const std::lock_guard lock(mutex_);
    const auto found = last_.find({client, type});
    return found == last_.end() ? json() : found->second;
  }
  int notices(ClientId client) const {
    const std::lock_guard lock(mutex_);
    const auto found = notices_.find(client);
    return found == notices_.end() ? 0 : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<ClientId, std::string>, json> last_;
  std::map<ClientId, int> notices_;
};

/// Something stands there: nobody can.
bool taken(World& world, Point at) {
  try {
    world.remove(world.add({.position = at}));
    return false;
  } catch (const InputError&) {
    return true;
  }
}

TEST(Editing, BrowsersAskWhileTheWorldGoesOn) {
  SceneCheck check = import::checkSceneText(kYard, {}, engine::knownModels());
  ASSERT_TRUE(check.scene);
  auto scene = std::make_shared<const Scene>(std::move(*check.scene));
  World world(*scene, {.threads = 1});
  Mailbox mail;
  Editing editing(scene, {kYard, {}, {}}, 1, [&](ClientId client, Message message) { mail.take(client, message); });
  const auto goOn = [&] {
    std::shared_ptr<const Scene> next;
    const Editing::Outcome done = editing.carryOut(world, next);
    EXPECT_EQ(done.scene, next != nullptr);
    world.step();
    return done;
  };

  // The first who designs holds the pen.
  editing.ask(1, DesignRequest{true});
  while (mail.last(1, "document").is_null()) goOn();
  EXPECT_EQ(mail.last(1, "document").at("pen"), "you");
  std::thread first([&] {
    for (int i = 0; i < kPillars; ++i) {
      const int x = 12 + 2 * i;
      editing.ask(1, EditRequest{"add a pillar",
                                 {},
                                 {{EditStep::Kind::kInsert, "/layers/0/obstacles/-",
                                   fmt::format("POLYGON (({0} 7, {1} 7, {1} 8, {0} 8, {0} 7))", x, x + 1)}}});
    }
    editing.ask(1, UndoRequest{});
    editing.ask(1, DoorRequest{"gate", false});
  });
  std::thread second([&] {
    editing.ask(2, DesignRequest{true});
    for (int i = 0; i < kPillars; ++i)
      editing.ask(2, EditRequest{"empty it", {}, {{EditStep::Kind::kSet, "/populations", json::array()}}});
    editing.left(2);
    editing.ask(3, DesignRequest{true});
  });
  const double begin = world.time();
  const auto all_done = [&] {
    const json news = mail.last(1, "document");
    return mail.notices(2) == kPillars && !mail.last(3, "document").is_null() && news.at("state") == "running" &&
           news.at("revision") == kPillars + 3;
  };
  while (!all_done()) goOn();
  first.join(), second.join();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(goOn().restarted);
  EXPECT_GT(world.time(), begin);
  EXPECT_EQ(mail.last(3, "document").at("pen"), "somebody");
  for (int i = 0; i < kPillars; ++i) EXPECT_EQ(taken(world, {12.5 + 2 * i, 7.5}), i + 1 < kPillars) << i;
  EXPECT_FALSE(world.isOpen(world.door("gate")));

  editing.restart();
  while (!goOn().restarted) {
  }
  EXPECT_LT(world.time(), begin + 1);
  EXPECT_TRUE(taken(world, {12.5, 7.5}));
}

}  // namespace
}  // namespace throng::serve
