// Floors above one another, doors and obstacles that change, stairs: each is in the picture, where and when it should.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <unordered_map>

#include "base/random.h"
#include "draw/film.h"
#include "draw/labels.h"
#include "draw/overlay.h"
#include "draw/picture.h"
#include "draw/svg_canvas.h"
#include "synthetic.h"

namespace throng::draw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr PictureKind kKinds[] = {PictureKind::kMoment, PictureKind::kTrajectories, PictureKind::kDensity,
                                  PictureKind::kSpeed};

class Floors : public Folder {
 protected:
  std::string run(const Scene& scene, MemoryFrames& source, DrawSettings settings) {
    settings.overwrite = true;
    drawRun(scene, source, path("a.svg"), settings);
    return bytes(path("a.svg"));
  }
};

/// What stands in a group of a picture, up to its end.
std::string group(const std::string& svg, const std::string& name, std::size_t from = 0) {
  const std::size_t begin = svg.find("<g id=\"" + name + "\">", from);
  if (begin == std::string::npos) return {};
  std::size_t at = begin;
  for (int depth = 0;;) {
    const std::size_t open = svg.find("<g", at), close = svg.find("</g>", at);
    if (open < close) {
      ++depth, at = open + 2;
    } else {
      --depth, at = close + 4;
    }
    if (depth == 0) return svg.substr(begin, at - begin);
  }
}

std::vector<Point> circlesIn(const std::string& svg) {
  std::vector<Point> found;
  const std::regex circle("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  for (auto i = std::sregex_iterator(svg.begin(), svg.end(), circle); i != std::sregex_iterator(); ++i)
    found.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
  return found;
}

/// Three storeys of 12 m by 8 m with a stair and a ramp between them.
Scene tower() {
  Scene scene = roomScene();
  scene.layers.resize(5, scene.layers[0]);
  const char* names[] = {"ground", "stair", "first floor", "ramp", "roof"};
  for (std::size_t i = 0; i < 5; ++i) scene.layers[i].name = names[i];
  scene.layers[0].walkable = {{{{0, 0}, {12, 0}, {12, 8}, {0, 8}}, {{{8, 2}, {8, 4}, {11, 4}, {11, 2}}}}};
  scene.layers[1].walkable = {box(8, 2, 11, 4)};
  scene.layers[1].slope = {1, 0};
  scene.layers[1].elevation = -8;
  scene.layers[2].walkable = {{{{0, 0}, {12, 0}, {12, 8}, {0, 8}}, {{{2, 5}, {2, 6}, {9, 6}, {9, 5}}}}};
  scene.layers[2].elevation = 3;
  scene.layers[3].walkable = {box(2, 5, 9, 6)};
  scene.layers[3].slope = {0.15, 0};
  scene.layers[3].elevation = 2.7;
  scene.layers[4].walkable = {box(0, 0, 12, 8)};
  scene.layers[4].elevation = 4;
  scene.connections = {{"a", "ground", {{8, 2}, {8, 4}}, "stair", {{8, 2}, {8, 4}}},
                       {"b", "stair", {{11, 2}, {11, 4}}, "first floor", {{11, 2}, {11, 4}}},
                       {"c", "first floor", {{2, 5}, {2, 6}}, "ramp", {{2, 5}, {2, 6}}},
                       {"d", "ramp", {{9, 5}, {9, 6}}, "roof", {{9, 5}, {9, 6}}}};
  return scene;
}

MemoryFrames oneOnEachFloor(double seconds = 2) {
  MemoryFrames source;
  for (int k = 0; k <= seconds * 10 + 0.5; ++k)
    source.add(frameOf(
        k * 0.1, {{1, 1 + 0.05 * k, 1, 0, 0}, {2, 9, 3, 0, 1}, {3, 1, 7, 0, 2}, {4, 5, 5.5, 0, 3}, {5, 6, 4, 0, 4}}));
  return source;
}

TEST_F(Floors, EveryKindOfPictureHasAllOfThemWithTheirNamesAndPeople) {
  MemoryFrames source = oneOnEachFloor();
  for (const PictureKind kind : kKinds) {
    const std::string svg = run(tower(), source, {.kind = kind, .cell = 0.25});
    for (const char* name : {"ground", "stair", "first floor", "ramp", "roof"}) EXPECT_THAT(svg, HasSubstr(name));
    EXPECT_THAT(svg, HasSubstr("5 people"));
    for (const char* panel : {"panel-1", "panel-2", "panel-3"}) {
      const std::string inside = group(svg, panel);
      ASSERT_FALSE(inside.empty()) << panel;
      const std::string what = group(inside, kind == PictureKind::kMoment         ? "people"
                                             : kind == PictureKind::kTrajectories ? "trajectories"
                                                                                  : "map");
      EXPECT_THAT(what, ::testing::AnyOf(HasSubstr("<circle"), HasSubstr("<rect"))) << panel;
      const std::string other = group(run(tower(), source, {.kind = kind, .layers = {"roof"}}), panel);
      EXPECT_EQ(other.empty(), std::string(panel) != "panel-1") << "one panel when one layer is asked for";
    }
    EXPECT_EQ(group(svg, "panel-4"), "");
  }
}

TEST_F(Floors, LayersAreChosenByName) {
  MemoryFrames source = oneOnEachFloor();
  const std::string svg = run(tower(), source, {.kind = PictureKind::kMoment, .layers = {"roof", "ground"}});
  EXPECT_THAT(svg, HasSubstr(">ground<"));
  EXPECT_THAT(svg, HasSubstr(">roof<"));
  EXPECT_THAT(svg, Not(HasSubstr(">first floor, ramp<")));
  EXPECT_THAT(svg, HasSubstr("2 people"));
  EXPECT_THAT(thrown<InputError>([&] {
                run(tower(), source, {.layers = {"roof", "attic"}});
              }),
              HasSubstr("no layer \"attic\"; allowed: ground, stair, first floor, ramp, roof"));
  drawStill(tower(), nullptr, path("s.svg"), {});
  for (const char* name : {">ground, stair<", ">first floor, ramp<", ">roof<"})
    EXPECT_THAT(bytes(path("s.svg")), HasSubstr(name));
}

TEST_F(Floors, StairsHaveTreadsRampsShadesAndBothAnArrow) {
  drawStill(tower(), nullptr, path("a.svg"), {});
  const std::string svg = bytes(path("a.svg"));
  const std::string stair = group(group(svg, "panel-1"), "slopes"), ramp = group(group(svg, "panel-2"), "slopes");
  // The stair's treads are one path of nine lines, 0.3 m apart on 3 m.
  const std::size_t first = stair.find("<path d=\"", stair.find("clip-path=\"url"));
  const std::string treads = stair.substr(first, stair.find('>', first) - first);
  EXPECT_EQ(std::count(treads.begin(), treads.end(), 'M'), 9) << treads;
  EXPECT_EQ(std::count(ramp.begin(), ramp.end(), 'Z'), 16 + 1) << "shades, and the clip";
  for (const std::string& arrow : {stair, ramp}) EXPECT_EQ(circlesIn(arrow).size(), 1u) << "the arrow's foot";
  EXPECT_EQ(circlesIn(group(group(svg, "panel-3"), "slopes")).size(), 0u);
  // A turned slope turns the arrow: its foot is at the low end.
  Scene turned = tower();
  turned.layers[1].slope = {-1, 0};
  drawStill(turned, nullptr, path("b.svg"), {});
  const std::string other = group(group(bytes(path("b.svg")), "panel-1"), "slopes");
  EXPECT_LT(circlesIn(stair)[0].x, circlesIn(other)[0].x);
}

TEST_F(Floors, WaysToOtherPanelsAreNamed) {
  drawStill(tower(), nullptr, path("a.svg"), {});
  const std::string svg = bytes(path("a.svg"));
  EXPECT_THAT(group(svg, "panel-1"), HasSubstr("↑ first floor"));
  EXPECT_THAT(group(svg, "panel-2"), HasSubstr("↓ stair"));
  EXPECT_THAT(group(svg, "panel-2"), HasSubstr("↑ roof"));
  EXPECT_THAT(group(svg, "panel-3"), HasSubstr("↓ ramp"));
  EXPECT_THAT(svg, HasSubstr("way to another layer"));
}

Scene doorScene() {
  Scene scene = roomScene();
  scene.layers[0].doors = {{"gate", {{5, 0}, {5, 5}}, true}};
  scene.events = {{1, CloseDoor{"gate"}},
                  {2, OpenDoor{"gate"}},
                  {1.5, InsertObstacle{"crate", "", box(7, 1, 8, 2)}},
                  {2.5, RemoveObstacle{"crate"}}};
  return scene;
}

TEST_F(Floors, DoorsAndObstaclesAreThereAtTheirTime) {
  MemoryFrames source = oneWalker(3);
  const auto moment = [&](double time) {
    return run(doorScene(), source, {.kind = PictureKind::kMoment, .time = time, .trail = 0});
  };
  for (const double time : {0.0, 0.9, 2.0, 3.0}) {
    EXPECT_THAT(group(moment(time), "doors"), HasSubstr("stroke-dasharray")) << time;
    EXPECT_THAT(moment(time), AllOf(HasSubstr(">open door<"), Not(HasSubstr(">closed door<"))));
  }
  for (const double time : {1.0, 1.5, 1.9}) {
    EXPECT_THAT(group(moment(time), "doors"), Not(HasSubstr("stroke-dasharray"))) << time;
    EXPECT_THAT(moment(time), AllOf(HasSubstr(">closed door<"), Not(HasSubstr(">open door<"))));
  }
  for (const double time : {0.0, 1.0, 1.4, 2.5, 3.0})
    EXPECT_THAT(group(moment(time), "inserted"), Not(HasSubstr("<path"))) << time;
  for (const double time : {1.5, 2.0, 2.4}) {
    EXPECT_THAT(group(moment(time), "inserted"), HasSubstr("<path")) << time;
    EXPECT_THAT(moment(time), HasSubstr(">inserted obstacle<"));
  }
  for (const PictureKind kind : {PictureKind::kTrajectories, PictureKind::kDensity, PictureKind::kSpeed}) {
    const std::string svg = run(doorScene(), source, {.kind = kind});
    EXPECT_THAT(svg, AllOf(HasSubstr(">closed 1–2 s<"), HasSubstr(">1.5–2.5 s<"), HasSubstr("there at times")));
    const std::string early = run(doorScene(), source, {.kind = kind, .to = 0.8});
    EXPECT_THAT(early, AllOf(HasSubstr(">open door<"), Not(HasSubstr("at times"))));
    EXPECT_THAT(group(early, "inserted"), Not(HasSubstr("<path")));
    const std::string late = run(doorScene(), source, {.kind = kind, .from = 1.8, .to = 2.2});
    EXPECT_THAT(late, AllOf(HasSubstr(">closed until 2 s<"), HasSubstr(">inserted obstacle<")));
  }
}

/// A program's own changes are shown, not what the scene had in mind.
TEST_F(Floors, WhatWasRecordedGoesBeforeWhatWasPlanned) {
  MemoryFrames source = oneWalker(3);
  source.setChanges({{0.5, Change::Kind::kCloseDoor, "gate", 0, {{5, 0}, {5, 5}}},
                     {1, Change::Kind::kInsertObstacle, "#1", 0, {{8, 1}, {8, 4}}}});
  drawRun(doorScene(), source, path("a.svg"), {.kind = PictureKind::kMoment, .time = 3});
  const std::string svg = bytes(path("a.svg"));
  EXPECT_THAT(svg, HasSubstr(">closed door<"));
  EXPECT_THAT(group(svg, "inserted"), HasSubstr("<path"));
}

/// Against playing the changes one after the other.
TEST(Timelines, AgreeWithWhatHappened) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    base::Random random(seed, 1);
    Scene scene = roomScene();
    for (const char* name : {"a", "b", "c"})
      scene.layers[0].doors.push_back({name, {{0, 0}, {1, 1}}, random.below(2) == 0});
    std::vector<Change> changes;
    double time = 0;
    for (int i = 0; i < 30; ++i) {
      time += static_cast<double>(random.below(3));
      const auto kind = static_cast<Change::Kind>(random.below(4));
      changes.push_back({time, kind, std::string(1, static_cast<char>('a' + random.below(3))), 0, {{0, 0}, {1, 0}}});
    }
    const Timeline timeline(scene, changes);
    for (double at = -0.5; at < time + 2; at += 0.5) {
      std::unordered_map<std::string, bool> open, there;
      for (const Door& door : scene.layers[0].doors) open[door.name] = door.open;
      for (const Change& change : changes) {
        if (change.time > at) continue;
        if (change.kind <= Change::Kind::kCloseDoor) {
          open[change.name] = change.kind == Change::Kind::kOpenDoor;
        } else {
          there[change.name] = change.kind == Change::Kind::kInsertObstacle;
        }
      }
      for (const TimedDoor& door : timeline.doors) EXPECT_EQ(door.openAt(at), open[door.name]) << seed << " " << at;
      for (const char* name : {"a", "b", "c"})
        EXPECT_EQ(std::count_if(timeline.obstacles.begin(), timeline.obstacles.end(),
                                [&](const TimedObstacle& o) { return o.name == name && o.thereAt(at); }),
                  there[name] ? 1 : 0);
    }
  }
}

bool apart(const Rectangle& a, const Rectangle& b) {
  return a.max.x <= b.min.x || b.max.x <= a.min.x || a.max.y <= b.min.y || b.max.y <= a.min.y;
}

/// Floors of random sizes above and beside one another.
Scene randomBuilding(base::Random& random) {
  Scene scene = roomScene();
  scene.layers.clear();
  const double wide = random.uniform(2, 80), deep = random.uniform(2, 80);
  for (std::size_t i = 0, n = 1 + random.below(14); i < n; ++i) {
    Layer& layer = scene.layers.emplace_back();
    layer.name = "level " + std::to_string(i);
    layer.elevation = 4 * static_cast<double>(i);
    const Point at{random.uniform(-wide, wide), random.uniform(-deep, deep)};
    layer.walkable = {box(at.x, at.y, at.x + wide * random.uniform(0.3, 2), at.y + deep * random.uniform(0.3, 2))};
    if (random.below(3) == 0) layer.slope = {random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6)};
    if (random.below(8) == 0) layer.walkable.clear();
    if (random.below(8) == 0) layer.wrap = Rectangle{{-wide, -deep}, {wide, deep}};
    if (i == 0) continue;
    const Segment line{at, at + Point{1, 0}};
    scene.connections.push_back({"c", scene.layers[i - 1].name, line, layer.name, line});
  }
  return scene;
}

TEST_F(Floors, PanelsLieApartAndEverybodyIsInTheirs) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    base::Random random(seed, 5);
    const Scene scene = randomBuilding(random);
    std::vector<Walker> walkers;
    for (std::uint32_t id = 1; id <= 40; ++id) {
      const std::size_t layer = random.below(scene.layers.size());
      Walker walker{id, random.uniform(-30, 30), random.uniform(-30, 30), 0, static_cast<std::uint16_t>(layer)};
      if (!scene.layers[layer].walkable.empty()) {
        const Ring& ring = scene.layers[layer].walkable[0].outer;
        walker.x = ring[0].x + (ring[2].x - ring[0].x) * random.uniform(0, 1);
        walker.y = ring[0].y + (ring[2].y - ring[0].y) * random.uniform(0, 1);
      }
      walkers.push_back(walker);
    }
    MemoryFrames source = framesOf({frameOf(0, walkers), frameOf(0.1, walkers)});
    DrawSettings settings{.kind = kKinds[random.below(4)], .width = 200 + static_cast<int>(random.below(1800))};
    if (random.below(3) == 0) settings.height = 160 + static_cast<int>(random.below(1500));
    settings.axes = random.below(2) == 0;
    settings.cell = 2;
    std::vector<Panel> panels = panelsFor(scene, settings);
    const Survey found = survey(source, choiceOf(panels), 0, 1);
    ASSERT_EQ(found.total(), 40u);
    Rectangle view = viewOf(panels, settings, found.bounds);
    const PageLayout layout = layoutPanels(panels, {"title", "caption"}, settings, view, false);
    std::size_t shown = 0;
    for (const Panel& panel : panels) {
      shown += panel.layers.size();
      ASSERT_GE(panel.place.min.x, -1e-6) << "seed " << seed;
      ASSERT_GE(panel.place.min.y, -1e-6);
      ASSERT_LE(panel.place.max.x, layout.width + 1e-6);
      ASSERT_LE(panel.place.max.y, layout.height + 1e-6);
      const PageTransform page(view, panel.place);
      EXPECT_NEAR(page.toPage(1.0), PageTransform(view, panels[0].place).toPage(1.0), 1e-9) << "one scale for all";
      for (const Panel& other : panels)
        ASSERT_TRUE(&other == &panel || apart(panel.place, other.place)) << "seed " << seed;
      for (const Walker& walker : walkers) {
        if (!panel.shows(walker.layer)) continue;
        const Point at = page.toPage(Point{walker.x, walker.y});
        ASSERT_TRUE(at.x >= panel.place.min.x - 1e-6 && at.x <= panel.place.max.x + 1e-6 &&
                    at.y >= panel.place.min.y - 1e-6 && at.y <= panel.place.max.y + 1e-6)
            << "seed " << seed;
      }
    }
    EXPECT_EQ(shown, scene.layers.size()) << "every layer is in one panel";
    const std::string svg = run(scene, source, settings);
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    if (settings.kind != PictureKind::kMoment) continue;
    std::size_t people = 0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const std::string inside = group(group(svg, panelGroup(i)), "people");
      people += static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n'));
    }
    EXPECT_GE(people, 40u) << "seed " << seed;
  }
}

TEST(PanelLabels, KeepOutOfOneAnothersWayAndInTheirPanel) {
  base::Random random(3, 1);
  for (int round = 0; round < 30; ++round) {
    SvgCanvas canvas(600, 400);
    const Rectangle panel{{20, 30}, {580, 390}};
    Labels labels(panel, 1);
    std::size_t written = 0;
    for (int i = 0; i < 60; ++i)
      written += labels.write(canvas, {random.uniform(0, 600), random.uniform(0, 400)}, 6, "from 12.5 s", {});
    ASSERT_EQ(labels.boxes().size(), written);
    EXPECT_GT(written, 10u);
    for (const Rectangle& a : labels.boxes()) {
      EXPECT_TRUE(a.min.x >= 20 && a.min.y >= 30 && a.max.x <= 580 && a.max.y <= 390);
      for (const Rectangle& b : labels.boxes()) ASSERT_TRUE(&a == &b || apart(a, b));
    }
  }
}

TEST_F(Floors, AxesHaveTicksInMetresAtTheirPlaces) {
  MemoryFrames source = oneWalker(1);
  DrawSettings settings{.kind = PictureKind::kMoment, .view = Rectangle{{100, -3}, {110, 2}}};
  EXPECT_EQ(group(run(roomScene(), source, settings), "axes"), "");
  settings.axes = true;
  const std::string axes = group(run(roomScene(), source, settings), "axes");
  for (const char* words : {">100<", ">110<", ">-3<", ">0<", ">2<", ">x (m)<", ">y (m)<"})
    EXPECT_THAT(axes, HasSubstr(words));
  // The numbers under the panel stand where their metres are.
  const std::regex tick("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*middle\"[^>]*>([-0-9.]+)<");
  std::vector<std::pair<double, double>> found;
  for (auto i = std::sregex_iterator(axes.begin(), axes.end(), tick); i != std::sregex_iterator(); ++i)
    found.push_back({std::stod((*i)[3]), std::stod((*i)[1])});
  ASSERT_GE(found.size(), 4u);
  const double scale = (found.back().second - found[0].second) / (found.back().first - found[0].first);
  for (const auto& [metres, x] : found) EXPECT_NEAR(x, found[0].second + scale * (metres - found[0].first), 0.03);
}

TEST_F(Floors, FilmsHaveAllOfThem) {
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
  MemoryFrames source = oneOnEachFloor(0.4);
  const auto size = [&](const std::string& name, const DrawSettings& settings) {
    drawFilmOf(tower(), source, path(name), settings, {});
    const std::string frame = path(name) + ".png";
    const std::string command = "ffmpeg -v error -i " + path(name) + " -frames:v 1 " + frame;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return bytes(frame).size();
  };
  const std::size_t all = size("all.mp4", {.width = 400});
  EXPECT_GT(all, size("one.mp4", {.width = 400, .layers = {"ground"}}));
}

}  // namespace
}  // namespace throng::draw
