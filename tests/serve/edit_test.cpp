// The document that is designed: the reader of edits, changes that leave every other byte alone, undo and redo, and
// what a change means for a running world.
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "throng/world.h"

#include "engine/known_models.h"
#include "import/scene_loader.h"
#include "scene/json_text.h"
#include "serve/document.h"
#include "serve/edit_message.h"
#include "serve/live_change.h"
#include "serve/overlays.h"
#include "serve/plan_scene.h"
#include "serve/protocol.h"

namespace throng::serve {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> sceneFiles() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  return paths;
}

template <class T>
T designed(const std::string& text) {
  const auto parsed = parseRequest(text);
  const auto* request = std::get_if<Request>(&parsed);
  const auto* design = request ? std::get_if<DesignMessage>(request) : nullptr;
  if (!design || !std::holds_alternative<T>(*design)) {
    ADD_FAILURE() << text << " " << (request ? "" : std::get<std::string>(parsed));
    return {};
  }
  return std::get<T>(*design);
}

std::string whatIsWrong(const std::string& text) {
  const auto parsed = parseRequest(text);
  const auto* what = std::get_if<std::string>(&parsed);
  return what ? *what : "";
}

EditStep setStep(std::string at, Json value) { return {EditStep::Kind::kSet, std::move(at), std::move(value)}; }
EditStep insertStep(std::string at, Json value) { return {EditStep::Kind::kInsert, std::move(at), std::move(value)}; }
EditStep removeStep(std::string at) { return {EditStep::Kind::kRemove, std::move(at), {}}; }

TEST(EditMessage, IsRead) {
  const auto edit = designed<EditRequest>(
      R"({"type":"edit","label":"move","merge":"m","steps":[{"op":"set","at":"/a/0","value":{"z":1,"a":2}},
          {"op":"insert","at":"/b/-","value":null},{"op":"remove","at":"/c"}]})");
  ASSERT_EQ(edit.steps.size(), 3U);
  EXPECT_EQ(edit.steps[0].value.dump(), R"({"z":1,"a":2})");  // keys stay in their order
  EXPECT_EQ(edit.steps[2].kind, EditStep::Kind::kRemove);
  EXPECT_TRUE(designed<DesignRequest>(R"({"type":"design","on":true})").on);
  EXPECT_EQ(designed<SaveRequest>(R"({"type":"save","name":"my hall.json"})").name, "my hall.json");
  for (const char* name : {"Bahnhof S\u00fcd.json", "\u99c5.json", "a.b-c_(2) & d.json"})
    EXPECT_EQ(designed<SaveRequest>(std::string(R"({"type":"save","name":")") + name + "\"}").name, name);
  EXPECT_TRUE(designed<SaveRequest>(R"({"type":"save","replace":true})").replace);
  EXPECT_EQ(designed<DoorRequest>(R"({"type":"door","name":"east","open":false})").name, "east");
  EXPECT_EQ(designed<NewSceneRequest>(R"({"type":"new-scene","width":30,"depth":20})").depth, 20);
  designed<UndoRequest>(R"({"type":"undo"})");
  designed<RedoRequest>(R"({"type":"redo"})");
}

TEST(EditMessage, SaysWhatIsWrong) {
  EXPECT_EQ(whatIsWrong(R"({"type":"edit","label":"a"})"), "edit: \"steps\" is missing");
  EXPECT_EQ(whatIsWrong(R"({"type":"edit","label":"a","steps":[]})"), "edit: \"steps\" is a list of 1 to 256 steps");
  EXPECT_EQ(whatIsWrong(R"({"type":"edit","label":"a","steps":[{"op":"fly","at":""}]})"),
            "edit: \"op\" is \"set\", \"insert\" or \"remove\"");
  EXPECT_EQ(whatIsWrong(R"({"type":"edit","label":"a","steps":[{"op":"remove","at":"a"}]})"),
            "edit: \"at\" is a JSON pointer");
  EXPECT_EQ(whatIsWrong(R"({"type":"edit","label":"a","steps":[7]})"), "edit: a step is an object");
  EXPECT_EQ(whatIsWrong(R"({"type":"undo","twice":true})"), "undo: it has an entry that is not known");
  for (const char* name :
       {"../a.json", "/etc/a.json", "a/b.json", "a.txt", ".json", "..json", "a\\u0000.json", ".a.json",
        "a\\u0085b.json", "a\\nb.json", "a:b.json", "a..json", " a.json", "a\\\\b.json", "a\\u007f.json"})
    EXPECT_NE(whatIsWrong(std::string(R"({"type":"save","name":")") + name + "\"}"), "") << name;
  const std::string deep(200, '[');
  EXPECT_NE(whatIsWrong(R"({"type":"edit","label":"a","steps":[{"op":"set","at":"","value":)" + deep +
                        std::string(200, ']') + "}]}"),
            "");
}

TEST(EditMessage, NothingThatAnybodyWritesDoesHarm) {
  std::mt19937 random(7);
  const std::string good =
      R"({"type":"edit","label":"move","merge":"m","steps":[{"op":"set","at":"/a/0","value":{"z":[1,2]}},{"op":"remove","at":"/c"}]})";
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (unsigned k = 0; k < 1 + random() % 4; ++k) {
      if (random() % 3 == 0) text.erase(random() % text.size(), 1 + random() % 8);
      if (text.empty()) text = "{";
      text[random() % text.size()] = R"({}[]",:\0129aeopst/-)"[random() % 19];
    }
    const auto parsed = parseRequest(text);
    if (const auto* what = std::get_if<std::string>(&parsed)) {
      EXPECT_FALSE(what->empty());
    }
  }
}

/// Every place in a document, and whether it is a member of a list.
void places(const Json& json, const std::string& pointer, std::vector<std::pair<std::string, bool>>& found) {
  if (!json.is_structured()) return;  // items() of a number are that number
  for (const auto& [key, member] : json.items()) {
    std::string part = key;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (part[i] == '~' || part[i] == '/') part.replace(i, 1, part[i] == '~' ? "~0" : "~1"), ++i;
    const std::string place = pointer + "/" + part;
    found.emplace_back(place, json.is_array());
    places(member, place, found);
  }
}

EditStep anyStep(const Json& json, std::mt19937& random) {
  std::vector<std::pair<std::string, bool>> all;
  places(json, "", all);
  if (all.empty()) return setStep("/added", 1);
  const auto [pointer, in_list] = all[random() % all.size()];
  const std::vector<Json> values{1.5,
                                 "a \"word\" ü",
                                 Json::array(),
                                 Json{{"b", {1, 2, {{"c", nullptr}}}}, {"a", true}},
                                 Json::array({std::string(130, 'x'), 2}),
                                 nullptr};
  const Json& value = values[random() % values.size()];
  switch (random() % 4) {
    case 0:
      return removeStep(pointer);
    case 1:
      if (in_list) return insertStep(pointer, value);
      return setStep(pointer + " 2", value);
    case 2:
      return in_list ? insertStep(pointer.substr(0, pointer.rfind('/')) + "/-", value) : setStep("/new~1key", value);
    default:
      return setStep(pointer, value);
  }
}

/// The same done to the value instead of the text.
void carryOut(Json& json, const EditStep& step) {
  const Json::json_pointer at(step.at);
  Json& owner = json.at(at.parent_pointer());
  if (step.kind == EditStep::Kind::kRemove) {
    if (owner.is_array())
      owner.erase(std::stoul(at.back()));
    else
      owner.erase(at.back());
  } else if (step.kind == EditStep::Kind::kInsert) {
    const std::size_t i = at.back() == "-" ? owner.size() : std::stoul(at.back());
    owner.insert(owner.begin() + static_cast<std::ptrdiff_t>(i), step.value);
  } else if (owner.is_array()) {
    owner[std::stoul(at.back())] = step.value;
  } else {
    owner[at.back()] = step.value;
  }
}

// The property that all of designing rests on: whatever is done, undoing it gives the same bytes, doing it again the
// same as before, and the text always says what the changes of its value say.
TEST(Document, UndoneIsWhatItWas) {
  std::mt19937 random(11);
  for (const auto& path : sceneFiles()) {
    if (path.filename() == "scene.schema.json") continue;
    const std::string text = textOf(path);
    Document document(text);
    EXPECT_FALSE(document.changed());
    std::vector<std::string> after{text};
    for (int i = 0; i < 60; ++i) {
      scene::JsonProblem problem;
      Json value = *scene::parseJson(document.text(), problem);
      const EditStep step = anyStep(value, random);
      document.apply({"any", {}, {step}});
      const auto now = scene::parseJson(document.text(), problem);
      ASSERT_TRUE(now) << path << problem.message << "\n" << step.at << "\n" << document.text();
      carryOut(value, step);
      // Keys of the file itself that are added take their usual place.
      ASSERT_EQ(nlohmann::json(*now), nlohmann::json(value)) << step.at;
      after.push_back(document.text());
    }
    for (int i = 60; i > 0; --i) {
      ASSERT_EQ(document.text(), after[static_cast<std::size_t>(i)]);
      ASSERT_TRUE(document.undo());
    }
    EXPECT_EQ(document.text(), text) << path;
    EXPECT_FALSE(document.changed());
    EXPECT_FALSE(document.undo());
    for (int i = 1; i <= 60; ++i) {
      ASSERT_TRUE(document.redo());
      ASSERT_EQ(document.text(), after[static_cast<std::size_t>(i)]);
    }
    EXPECT_FALSE(document.redo());
  }
}

TEST(Document, ChangesNothingElse) {
  const std::string text =
      "{\n  \"version\": 1,\n  \"places\": [\n    {\"name\": \"a\", \"at\": [1.50, 2e0]},\n    {\"name\": \"b\", "
      "\"at\": [3, 4]}\n  ],\n"
      "  \"run\": {\"duration\": 60.0}\n}\n";
  Document document(text);
  document.apply({"", {}, {insertStep("/places/-", Json{{"name", "c"}, {"at", {5, 6}}})}});
  EXPECT_NE(document.text().find(
                "[1.50, 2e0]},\n    {\"name\": \"b\", \"at\": [3, 4]},\n    {\"name\": \"c\", \"at\": [5, 6]}\n  ]"),
            std::string::npos)
      << document.text();
  // A key of the file stands where it usually does: flows before the run.
  document.apply({"", {}, {setStep("/flows", Json::array({Json{{"name", "f"}}}))}});
  EXPECT_NE(document.text().find("  ],\n  \"flows\": [{\"name\": \"f\"}],\n  \"run\": {\"duration\": 60.0}\n"),
            std::string::npos)
      << document.text();
  document.apply({"", {}, {removeStep("/places/1"), setStep("/places/0/at/0", 7.25)}});
  EXPECT_NE(document.text().find("[7.25, 2e0]"), std::string::npos);
  EXPECT_EQ(document.text().find("\"b\""), std::string::npos);
}

TEST(Document, AllStepsOrNone) {
  const std::string text = R"({"a": [1, 2], "b": {}})";
  Document document(text);
  const auto refuses = [&](const std::vector<EditStep>& steps, const char* why) {
    try {
      document.apply({"", {}, steps});
      ADD_FAILURE() << why;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
    EXPECT_EQ(document.text(), text);
    EXPECT_EQ(document.undoLabel(), nullptr);
  };
  refuses({removeStep("/a/0"), removeStep("/c")}, "there is nothing here");
  refuses({setStep("/a/7", 1)}, "the list has 2 members");
  refuses({insertStep("/b/0", 1)}, "this is no list");
  refuses({setStep("/c/d", 1)}, "found no \"c\"");
  refuses({removeStep("")}, "the whole file cannot be removed");
}

TEST(Document, SlidersAreOneStep) {
  Document document(R"({"a": 1})");
  for (int i = 2; i < 200; ++i) document.apply({"slide", "a", {setStep("/a", i)}});
  document.apply({"other", {}, {setStep("/b", 1)}});
  document.undo();
  EXPECT_EQ(document.text(), R"({"a": 199})");
  document.undo();
  EXPECT_EQ(document.text(), R"({"a": 1})");
}

TEST(PlanScene, IsAScene) {
  const auto check = [](const std::string& text) { return import::checkSceneText(text, "", engine::knownModels()); };
  const std::string walls =
      planScene("hall", "GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0)), LINESTRING (3 3, 6 3))", false);
  const SceneCheck hall = check(walls);
  ASSERT_TRUE(hall.scene) << walls;
  EXPECT_EQ(hall.scene->layers[0].walls.size(), 1U);
  const SceneCheck map = check(planScene(
      "map", R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[5,0],[5,5],[0,0]]]}})", true));
  EXPECT_TRUE(map.scene);
  EXPECT_THROW(planScene("x", "LINESTRING (0 0, 1 1)", false), InputError);
  EXPECT_THROW(planScene("x", "nonsense", false), InputError);
  EXPECT_THROW(planScene("x", "{}", true), InputError);
}

// What a change means for a running world

Scene sceneOf(const std::string& text) {
  SceneCheck check = import::checkSceneText(text, "", engine::knownModels());
  for (const Diagnostic& d : check.diagnostics)
    if (d.severity == Diagnostic::Severity::kError) ADD_FAILURE() << d.text();
  return std::move(check.scene).value();
}

const char* kHall = R"json({"version": 1,
  "layers": [{"walkable": "POLYGON ((0 0, 30 0, 30 10, 0 10, 0 0))", "obstacles": ["POLYGON ((4 4, 5 4, 5 5, 4 5, 4 4))"],
              "doors": [{"name": "d", "line": [[15, 0], [15, 10]]}]}],
  "places": [{"name": "a", "at": [2, 8]}, {"name": "b", "at": [28, 8]}],
  "populations": [{"name": "p", "count": 5, "start": {"area": "POLYGON ((1 1, 9 1, 9 3, 1 3, 1 1))"}, "goal": {"point": [28, 2]}}],
  "run": {"duration": 60}})json";

LiveChange changeOf(const std::vector<EditStep>& steps, std::string from = kHall) {
  Document document(from);
  document.apply({"", {}, steps});
  return liveChange(sceneOf(from), sceneOf(document.text()), {});
}

TEST(LiveChange, KnowsWhatCanBeDoneWhilePeopleWalk) {
  const auto obstacle =
      changeOf({insertStep("/layers/0/obstacles/-", "POLYGON ((10 1, 12 1, 12 4, 11 2, 10 4, 10 1))")});
  EXPECT_FALSE(obstacle.anew);
  ASSERT_EQ(obstacle.come.size(), 1U);
  EXPECT_GT(obstacle.come.begin()->second.pieces.size(), 1U);  // it has a dent: convex pieces
  const auto wall = changeOf({insertStep("/layers/0/obstacles/-", "LINESTRING (20 0, 20 5, 22 5)")});
  EXPECT_FALSE(wall.anew);
  EXPECT_EQ(wall.come.begin()->second.pieces.size(), 2U);
  EXPECT_TRUE(changeOf({removeStep("/layers/0/obstacles/0")}).anew);  // it was there from the beginning
  EXPECT_TRUE(changeOf({setStep("/layers/0/walkable", "POLYGON ((0 0, 31 0, 31 10, 0 10, 0 0))")}).anew);
  EXPECT_TRUE(changeOf({setStep("/populations/0/count", 9)}).anew);
  EXPECT_FALSE(changeOf({setStep("/name", "other")}).anew);
  EXPECT_FALSE(
      changeOf({setStep("/measurements", Json{{"lines", {{{"name", "l"}, {"line", {{1, 1}, {2, 2}}}}}}})}).anew);
  const auto door = changeOf({setStep("/layers/0/doors/0/open", false)});
  EXPECT_FALSE(door.anew);
  ASSERT_EQ(door.doors.size(), 1U);
  EXPECT_FALSE(door.doors[0].open);
  const auto flow =
      changeOf({setStep("/flows", Json::array({Json{{"name", "f"}, {"from", "a"}, {"to", "b"}, {"count", 10}}}))});
  EXPECT_FALSE(flow.anew);
  EXPECT_EQ(flow.flows.size(), 1U);
}

TEST(LiveChange, NeedsAnotherWorldForObstaclesOnlyWherePeopleFollowTheGraph) {
  for (const bool spread : {false, true}) {
    Json hall = Json::parse(kHall);
    hall["flows"] = Json::array({{{"name", "f"}, {"from", "a"}, {"to", "b"}, {"count", 10}}});
    if (spread) hall["flows"][0]["choice"] = "spread";
    const LiveChange change =
        changeOf({insertStep("/layers/0/obstacles/-", "POLYGON ((10 1, 12 1, 12 4, 10 4, 10 1))")}, hall.dump());
    EXPECT_EQ(change.anew, !spread);
    EXPECT_EQ(change.come.size(), 1U);  // it stands there at once in either case
  }
}

TEST(Walls, StandOnTheGroundBeneathThem) {
  Scene scene = sceneOf(kHall);
  EXPECT_FALSE(
      wallsOf({{5, Change::Kind::kInsertObstacle, "crate", 0, {{2, 2}, {4, 2}, {4, 4}}}}, scene).obstacles[0].z);
  scene.layers[0].ground = {{{{0, 0, 1}, {30, 0, 4}, {0, 30, 1}}}};  // 0.1 m up for each to the east
  const Walls walls = wallsOf({{5, Change::Kind::kInsertObstacle, "crate", 0, {{2, 2}, {4, 2}, {4, 4}}},
                               {6, Change::Kind::kInsertObstacle, "far", 0, {{52, 2}, {54, 2}, {54, 4}}}},
                              scene);
  ASSERT_TRUE(walls.obstacles[0].z);
  EXPECT_NEAR(*walls.obstacles[0].z, 1.2, 1e-9);
  EXPECT_FALSE(walls.obstacles[1].z);
}

/// The corridor map and routes that are laid over the scene follow doors and obstacles, and those of the scene come
/// back.
TEST(Overlays, FollowDoorsAndObstacles) {
  const Scene scene = sceneOf(kHall);
  std::mutex mutex;
  std::condition_variable came;
  std::vector<std::string> answers;
  Overlays overlays(scene, [&](ClientId, const Message& message) {
    const std::lock_guard lock(mutex);
    answers.push_back(*message.bytes);
    came.notify_all();
  });
  const auto ask = [&](const std::string& name, Walls walls) {
    overlays.stand(std::move(walls));
    std::unique_lock lock(mutex);
    const std::size_t before = answers.size();
    overlays.ask(1, name);
    came.wait(lock, [&] { return answers.size() > before; });
    return answers.back();
  };
  const Walls open{{{"d", true}}, {}}, closed{{{"d", false}}, {}};
  Walls crate = open;
  crate.obstacles.push_back({"crate", 0, {{20, 1}, {22, 1}, {22, 9}, {20, 9}}});
  for (const char* name : {"corridor map", "routes"}) {
    const std::string first = ask(name, open);
    const std::string shut = ask(name, closed), blocked = ask(name, crate);
    EXPECT_NE(first, shut) << name;
    EXPECT_NE(first, blocked) << name;
    EXPECT_NE(shut, blocked) << name;
    EXPECT_EQ(first, ask(name, open)) << name;
  }
  EXPECT_EQ(ask("gates", open), ask("gates", closed));  // what flows go by is made once
}

TEST(LiveChange, BringsAWorldToTheChangedScene) {
  const Scene before = sceneOf(kHall);
  World world(before, {.threads = 1});
  for (int i = 0; i < 20; ++i) world.step();
  Document document(kHall);
  document.apply(
      {"",
       {},
       {insertStep("/layers/0/obstacles/-", "POLYGON ((14 0, 16 0, 16 9, 14 9, 14 0))"),
        setStep("/places", Json::array({Json{{"name", "a"}, {"at", {2, 8}}}, Json{{"name", "b"}, {"at", {28, 8}}},
                                        Json{{"name", "c"}, {"at", {2, 2}}}}))}});
  document.apply(
      {"", {}, {setStep("/flows", Json::array({Json{{"name", "f"}, {"from", "a"}, {"to", "b"}, {"count", 10}}}))}});
  LiveWorld live;
  LiveChange change = liveChange(before, sceneOf(document.text()), {});
  EXPECT_TRUE(change.anew);  // flows know obstacles from the graph only
  EXPECT_EQ(change.come.size(), 1U);
  live.apply(world, change);
  EXPECT_THROW(world.add({.position = {15, 5}}), InputError);
  EXPECT_EQ(live.clear(world).size(), 1U);
  EXPECT_NO_THROW(world.remove(world.add({.position = {15, 5}})));
}

}  // namespace
}  // namespace throng::serve
