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

TEST(Editing, TellsWhatCheckWarnsOfBeforeAnythingIsChanged) {
  json yard = json::parse(kYard);
  yard["populations"][0]["count"] = 0;
  const std::string text = yard.dump();
  SceneCheck check = import::checkSceneText(text, {}, engine::knownModels());
  ASSERT_TRUE(check.scene);
  ASSERT_EQ(check.diagnostics.size(), 1U);
  const std::string said = check.diagnostics[0].message;
  Mailbox mail;
  Editing editing(std::make_shared<const Scene>(std::move(*check.scene)), {text, {}, {}}, 1,
                  [&](ClientId client, Message message) { mail.take(client, message); });
  for (const ClientId client : {1, 2}) {  // whoever opens the tools
    editing.ask(client, DesignRequest{true});
    json findings = json::array();
    while (findings.empty()) {
      std::this_thread::yield();
      const json news = mail.last(client, "document");
      if (!news.is_null()) findings = news.at("findings");
    }
    EXPECT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].at("severity"), "warning");
    EXPECT_EQ(findings[0].at("message"), said);
    EXPECT_EQ(mail.last(client, "document").at("state"), "running");
  }
}

/// What the forms offer can be chosen: every model with every parameter where its slider begins. Everybody goes on.
TEST(Editing, EveryModelOfTheFormsRuns) {
  json yard = json::parse(kYard);
  yard["profiles"] = {{"default", {{"radius", 0.25}}}};
  const std::string text = yard.dump();
  SceneCheck check = import::checkSceneText(text, {}, engine::knownModels());
  ASSERT_TRUE(check.scene);
  auto scene = std::make_shared<const Scene>(std::move(*check.scene));
  World world(*scene, {.threads = 1});
  Mailbox mail;
  Editing editing(scene, {text, {}, {}}, 1, [&](ClientId client, Message message) { mail.take(client, message); });
  const auto goOn = [&] {
    std::shared_ptr<const Scene> next;
    editing.carryOut(world, next);
    std::this_thread::yield();
    return mail.last(1, "document");
  };
  editing.ask(1, DesignRequest{true});
  while (goOn().is_null()) {
  }
  const json models = mail.last(1, "models");
  std::uint64_t revision = mail.last(1, "document").at("revision").get<std::uint64_t>();
  const auto choose = [&](const std::string& what, const json& choice) {
    editing.ask(1, EditRequest{"another model", {}, {{EditStep::Kind::kSet, "/profiles/default/" + what, choice}}});
    ++revision;
    json news = goOn();
    while (news.at("revision") != revision || news.at("state") == "checking") news = goOn();
    goOn();
    for (int i = 0; i < 3; ++i) world.step();
    return news;
  };
  std::size_t tried = 0;
  for (const auto& [what, list] :
       {std::pair{"steering", "steering"}, {"planner", "planners"}, {"follower", "followers"}}) {
    for (const json& model : models.at(list)) {
      const std::string name = model.at("name").get<std::string>();
      json chosen{{"model", name}};
      for (const json& parameter : model.at("parameters")) {
        const double least = parameter.at("min").get<double>(), most = parameter.at("max").get<double>();
        const double value = parameter.at("value").get<double>();
        EXPECT_LE(least, value) << name << " " << parameter;
        EXPECT_LE(value, most) << name << " " << parameter;
        EXPECT_FALSE(parameter.at("help").get<std::string>().empty()) << name << " " << parameter;
        chosen[parameter.at("name").get<std::string>()] = value;
      }
      const json news = choose(what, chosen);
      EXPECT_EQ(news.at("state"), "running") << name << " " << news.at("findings");
      EXPECT_EQ(world.frame().person.size(), 5U) << name;
      ++tried;
    }
    choose(what, models.at(list)[0].at("name"));
  }
  EXPECT_GT(tried, 20U);
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
