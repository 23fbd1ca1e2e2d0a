// Doors that turn and obstacles that come and go, in every format that has room for them; and on which floor people
// are, in files that do not say.
#include <gtest/gtest.h>

#include "base/random.h"
#include "record/change_text.h"
#include "record/layer_finder.h"
#include "record/random_run.h"

namespace throng::record_test {
namespace {

/// Two storeys, a stair between them, a door, and events.
Scene building() {
  Scene scene = plainScene();
  scene.layers.resize(3, Layer{});
  scene.layers[1].name = "stair";
  scene.layers[1].walkable = {{{{60, 0}, {66, 0}, {66, 4}, {60, 4}}, {}}};
  scene.layers[1].slope = {0.5, 0};
  scene.layers[1].elevation = -30;
  scene.layers[2].name = "upper";
  scene.layers[2].walkable = {{{{66, -20}, {90, -20}, {90, 20}, {66, 20}}, {}}};
  scene.layers[2].elevation = 3;
  scene.layers[0].doors = {{"gate", {{10, -60}, {10, 60}}, false}};
  scene.connections = {{"foot", "ground", {{60, 0}, {60, 4}}, "stair", {{60, 0}, {60, 4}}},
                       {"top", "stair", {{66, 0}, {66, 4}}, "upper", {{66, 0}, {66, 4}}}};
  scene.events = {{2, OpenDoor{"gate"}},
                  {1, InsertObstacle{"crate", "upper", {{{70, 0}, {72, 0}, {72, 2}, {70, 2}}, {}}}}};
  return scene;
}

std::vector<Change> randomChanges(std::uint64_t seed, std::size_t count) {
  base::Random random(seed, 1);
  const std::vector<std::string> names{"north", "a door with words", "tab\tand\nline\\end ", "für alle", "#7", ""};
  std::vector<Change> changes;
  for (std::size_t i = 0; i < count; ++i) {
    Change change;
    change.time = static_cast<double>(i) * random.uniform(0.001, 0.01);
    change.kind = static_cast<Change::Kind>(random.below(4));
    change.name = names[random.below(names.size())];
    change.layer = static_cast<std::uint16_t>(random.below(3));
    const std::size_t corners = change.kind <= Change::Kind::kCloseDoor ? 2 : 2 + random.below(9);
    for (std::size_t k = 0; k < corners; ++k)
      change.shape.push_back({random.uniform(-1e3, 1e3), random.uniform(-1, 1)});
    changes.push_back(std::move(change));
  }
  return changes;
}

class Changes : public testing::TestWithParam<std::string> {};

/// The log grows from frame to frame, as a world's does.
void recordWith(const std::vector<Change>& changes, const std::string& path) {
  Recorder recorder(path, building(), {.frames_per_second = 10});
  const Story run = randomRun(4, 30, 20, true);
  for (std::size_t f = 0; f < run.moments.size(); ++f) {
    Frame frame = run.moments[f].frame.view();
    frame.time = static_cast<double>(f) / 10;
    frame.changes = std::span(changes).first(changes.size() * (f + 1) / run.moments.size());
    recorder.record(frame);
  }
  recorder.close();
}

TEST_P(Changes, ComeBackAsTheyWere) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Folder folder;
    const auto changes = randomChanges(seed, 5 * seed);
    recordWith(changes, folder / GetParam());
    Recording recording(folder / GetParam());
    if (GetParam() == "run.csv") {
      EXPECT_FALSE(recording.changes().has_value());
      continue;
    }
    ASSERT_TRUE(recording.changes().has_value());
    EXPECT_EQ(*recording.changes(), changes);
    readRun(recording);
    recording.rewind();
    EXPECT_EQ(*recording.changes(), changes) << "after a second pass";
    for (const char* name : {"copy.sqlite", "copy.txt", "copy.h5"}) {
      convertRecording(folder / GetParam(), folder / name);
      EXPECT_EQ(Recording(folder / name).changes(), recording.changes()) << name;
    }
  }
}

TEST_P(Changes, TheSceneComesBackWithItsFloorsDoorsAndEvents) {
  const Folder folder;
  recordWith({}, folder / GetParam());
  const Recording recording(folder / GetParam());
  ASSERT_EQ(recording.scene().has_value(), GetParam() != "run.csv");
  if (!recording.scene()) return;
  EXPECT_EQ(recording.scene()->layers.size(), 3u);
  EXPECT_EQ(recording.scene()->layers[2].name, "upper");
  ASSERT_EQ(recording.scene()->layers[0].doors.size(), 1u);
  EXPECT_FALSE(recording.scene()->layers[0].doors[0].open);
  EXPECT_EQ(recording.scene()->connections.size(), 2u);
  EXPECT_EQ(recording.scene()->events.size(), 2u);
  ASSERT_TRUE(recording.changes().has_value()) << "nothing has changed, and the file says so";
  EXPECT_TRUE(recording.changes()->empty());
}

INSTANTIATE_TEST_SUITE_P(Formats, Changes, testing::Values("run.sqlite", "run.txt", "run.h5", "run.csv"),
                         [](const auto& name) { return name.param.substr(4); });

TEST(Changes, HdfKeepsTheFirstOfVeryMany) {
  const Folder folder;
  const auto changes = randomChanges(3, 3000);
  recordWith(changes, folder / "run.h5");
  const Recording recording(folder / "run.h5");
  ASSERT_TRUE(recording.changes().has_value());
  const std::size_t kept = recording.changes()->size();
  EXPECT_GT(kept, 100u);
  ASSERT_LT(kept, changes.size());
  EXPECT_EQ(*recording.changes(), std::vector<Change>(changes.begin(), changes.begin() + static_cast<long>(kept)));
  EXPECT_EQ(recording.frameCount(), 30u);
}

TEST(Changes, LinesThatAreNoChangesAreNone) {
  const std::string good = record::changeText(randomChanges(1, 1)[0]);
  ASSERT_TRUE(record::changeOfText(good).has_value());
  for (std::size_t cut = 0; cut < good.find_last_of('\t'); ++cut)
    EXPECT_FALSE(record::changeOfText(good.substr(0, cut)).has_value()) << good.substr(0, cut);
  for (const char* bad :
       {"", "1\tslam_door\t0\tLINESTRING (0 0, 1 1)\ta", "nan\topen_door\t0\tLINESTRING (0 0, 1 1)\ta",
        "1\topen_door\t70000\tLINESTRING (0 0, 1 1)\ta", "1\topen_door\t0\tPOINT (0 0)\ta",
        "1\topen_door\t0\tLINESTRING (0 inf, 1 1)\ta", "1\topen_door\t0\tPOLYGON ((0 0, 1 1))\ta",
        "1\topen_door\t0\tLINESTRING (0 0, 1 1)\ta\\zz"})
    EXPECT_FALSE(record::changeOfText(bad).has_value()) << bad;
}

/// Floors at random heights above one another, some of them sloped and some made of triangles.
TEST(LayerFinder, FindsTheFloorThatPeopleStandOn) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    base::Random random(seed, 2);
    Scene scene;
    double height = random.uniform(-20, 20);
    for (std::size_t i = 0; i < 1 + random.below(8); ++i) {
      Layer& layer = scene.layers.emplace_back();
      const Point low{random.uniform(-30, 0), random.uniform(-30, 0)},
          high{random.uniform(1, 30), random.uniform(1, 30)};
      layer.walkable = {{{low, {high.x, low.y}, high, {low.x, high.y}}, {}}};
      if (random.below(4) == 0) layer.walkable.clear();
      if (random.below(3) == 0) layer.slope = {random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02)};
      layer.elevation = height;
      height += random.uniform(6.5, 9);  // more than two slopes can make up for
      if (layer.walkable.empty() || random.below(2) == 0) continue;
      const auto at = [&](Point p) { return Point3{p.x, p.y, layer.elevation + dot(layer.slope, p)}; };
      layer.ground = {{at(low), at({high.x, low.y}), at(high)}, {at(low), at(high), at({low.x, high.y})}};
      layer.elevation = 1e6, layer.slope = {};  // say nothing
    }
    const record::LayerFinder finder(scene);
    for (int k = 0; k < 200; ++k) {
      const std::size_t i = random.below(scene.layers.size());
      const Layer& layer = scene.layers[i];
      Point p{random.uniform(-30, 30), random.uniform(-30, 30)};
      double z = layer.elevation + dot(layer.slope, p);
      if (!layer.walkable.empty()) {
        const Point a = layer.walkable[0].outer[0], b = layer.walkable[0].outer[2];
        const double u = random.uniform(0.01, 0.99), v = random.uniform(0.01, 0.99);
        p = {a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * v};
        z = layer.elevation + dot(layer.slope, p);
        if (!layer.ground.empty()) {
          const auto& [p0, p1, p2] = layer.ground[0];  // both triangles lie in one plane
          z = p0.z + (p1.z - p0.z) * u + (p2.z - p1.z) * v;
        }
      }
      ASSERT_EQ(finder.find(p, z + random.uniform(-0.3, 0.3)), i) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace throng::record_test
