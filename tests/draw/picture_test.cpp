#include "draw/picture.h"

#include <cairo/cairo.h>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "draw/image_canvas.h"
#include "draw/overlay.h"
#include "synthetic.h"

namespace throng::draw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Pictures : public Folder {};

/// A PNG, read back.
class Png {
 public:
  explicit Png(const std::string& path)
      : surface_(cairo_image_surface_create_from_png(path.c_str()), cairo_surface_destroy) {}
  int width() const { return cairo_image_surface_get_width(surface_.get()); }
  int height() const { return cairo_image_surface_get_height(surface_.get()); }
  unsigned at(double x, double y) const {
    const auto stride = cairo_image_surface_get_stride(surface_.get());
    std::uint32_t value = 0;
    std::memcpy(&value, cairo_image_surface_get_data(surface_.get()) + std::lround(y) * stride + 4 * std::lround(x), 4);
    return value & 0xffffff;
  }
  unsigned at(Point p) const { return at(p.x, p.y); }

 private:
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
};

/// To the rounding of one step in 255.
void expectNear(unsigned found, Colour c) {
  EXPECT_NEAR((found >> 16) & 0xff, c.red * 255, 1);
  EXPECT_NEAR((found >> 8) & 0xff, c.green * 255, 1);
  EXPECT_NEAR(found & 0xff, c.blue * 255, 1);
}

/// 100 px per metre without words around: a room of 1.6 m fills a page of 160 px.
DrawSettings bare(PictureKind kind) {
  DrawSettings settings;
  settings.kind = kind;
  settings.width = 160;
  settings.height = 160;
  settings.view = Rectangle{{0, 0}, {1.6, 1.6}};
  settings.overwrite = true;
  return settings;
}

Scene squareScene() {
  Scene scene = roomScene();
  scene.layers[0].walkable = {box(0, 0, 1.2, 1.6)};
  scene.layers[0].obstacles = {box(0.9, 0, 1.1, 0.2)};
  return scene;
}

constexpr unsigned kFloor = 0xf5f3ee, kSolid = 0xbdbab4, kWhite = 0xffffff;

/// Tags that open and close in order, attributes in quotes, no stray ampersands or brackets.
void expectWellFormed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = xml.find("?>") + 2;
  while ((at = xml.find_first_of("<&", at)) != std::string::npos) {
    if (xml[at] == '&') {
      const std::string name = xml.substr(at + 1, xml.find(';', at) - at - 1);
      ASSERT_TRUE(name == "amp" || name == "lt" || name == "gt" || name == "quot") << name;
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    ASSERT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  EXPECT_TRUE(open.empty());
}

TEST_F(Pictures, PixelsAreWhatStandsThere) {
  MemoryFrames source = framesOf({frameOf(0, {{1, 0.4, 1.2, 0}, {2, 0.4, 0.4, 1}})});
  DrawSettings settings = bare(PictureKind::kMoment);
  drawRun(squareScene(), source, path("a.png"), settings);
  const Png png(path("a.png"));
  ASSERT_EQ(png.width(), 160);
  ASSERT_EQ(png.height(), 160);
  expectNear(png.at(30, 40), populationColour(0));  // left of the centre; the tick points right
  expectNear(png.at(30, 120), populationColour(1));
  EXPECT_EQ(png.at(40 + 27, 40), kFloor);  // 2 cm outside the disc of 25 cm
  EXPECT_NE(png.at(40 + 23, 44), kFloor);
  EXPECT_EQ(png.at(100, 150), kSolid);
  EXPECT_EQ(png.at(100, 80), kFloor);
  EXPECT_EQ(png.at(140, 80), kWhite);
}

TEST_F(Pictures, TrajectoriesLieWherePeopleWalked) {
  MemoryFrames source;
  for (int k = 0; k <= 10; ++k) source.add(frameOf(k * 0.1, {{1, 0.2 + 0.06 * k, 1.205}}));
  DrawSettings settings = bare(PictureKind::kTrajectories);
  drawRun(squareScene(), source, path("a.png"), settings);
  const Png png(path("a.png"));
  EXPECT_NE(png.at(50, 39), kFloor);
  EXPECT_EQ(png.at(50, 30), kFloor);
  EXPECT_EQ(png.at(90, 39), kFloor);
  settings.to = 0.5;
  drawRun(squareScene(), source, path("a.png"), settings);
  EXPECT_EQ(Png(path("a.png")).at(65, 39), kFloor);
}

TEST_F(Pictures, NoLineGoesAcrossAWrappedLayer) {
  Scene scene = roomScene();
  scene.layers[0].walkable.clear();
  scene.layers[0].wrap = Rectangle{{0, 0}, {1.6, 1.6}};
  MemoryFrames source = framesOf({frameOf(0, {{1, 1.3, 0.805}}), frameOf(0.1, {{1, 1.5, 0.805}}),
                                  frameOf(0.2, {{1, 0.1, 0.805}}), frameOf(0.3, {{1, 0.3, 0.805}})});
  for (const ColourBy by : {ColourBy::kPopulation, ColourBy::kSpeed, ColourBy::kTime}) {
    DrawSettings settings = bare(PictureKind::kTrajectories);
    settings.colour_by = by;
    drawRun(scene, source, path("a.png"), settings);
    const Png png(path("a.png"));
    EXPECT_EQ(png.at(80, 79), kFloor);
    EXPECT_NE(png.at(140, 79), kFloor);
    EXPECT_NE(png.at(155, 79), kFloor) << "up to the right border";
    EXPECT_NE(png.at(5, 79), kFloor) << "and on from the left one";
    EXPECT_NE(png.at(20, 79), kFloor);
  }
  DrawSettings settings = bare(PictureKind::kMoment);
  drawRun(scene, source, path("b.png"), settings);
  EXPECT_EQ(Png(path("b.png")).at(100, 79), kFloor);
}

TEST_F(Pictures, MapsColourTheCellsOfTheFloorOnly) {
  MemoryFrames source;
  for (int k = 0; k < 5; ++k) source.add(frameOf(k * 0.1, {{1, 0.3 + 0.01 * k, 1.3}}));
  DrawSettings settings = bare(PictureKind::kSpeed);
  settings.cell = 0.2;
  drawRun(squareScene(), source, path("speed.png"), settings);
  const Png speed(path("speed.png"));
  expectNear(speed.at(30, 30), mapColour(ColourMap::kSpeed, 1));  // the only cell is the fastest
  EXPECT_EQ(speed.at(70, 30), kFloor);
  settings.kind = PictureKind::kDensity;
  drawRun(squareScene(), source, path("density.png"), settings);
  const Png density(path("density.png"));
  EXPECT_LT(toLab(colour(density.at(30, 30))).lightness, toLab(colour(density.at(30, 100))).lightness);
  EXPECT_EQ(density.at(140, 30), kWhite);
  EXPECT_EQ(density.at(100, 150), kSolid);
}

TEST_F(Pictures, AnOverlayIsDrawnOverItsLayer) {
  Overlay overlay;
  overlay.areas.push_back({{box(0.1, 0.1, 0.4, 0.4), box(0.4, 0.1, 0.6, 0.4)}, {0x00ff00}, 0});
  overlay.lines.push_back({{{0.2, 1}, {1, 1}}, {0xff0000}, 20, 0});
  overlay.lines.push_back({{{0.2, 1.2}, {1, 1.2}}, {0xff0000}, 20, 1});
  overlay.dots.push_back({{0.3, 1.4}, {0x0000ff}, 8, 0});
  drawOver(squareScene(), overlay, path("a.png"), bare(PictureKind::kMoment));
  const Png png(path("a.png"));
  EXPECT_EQ(png.at(20, 135), 0x00ff00u);
  EXPECT_EQ(png.at(40, 135), 0x00ff00u) << "no seam between the pieces of an area";
  EXPECT_EQ(png.at(60, 59), 0xff0000u);
  EXPECT_EQ(png.at(60, 39), kFloor) << "the line of another layer";
  EXPECT_EQ(png.at(30, 20), 0x0000ffu);

  Overlay field;
  field.field = Overlay::Field{[](Point p, std::uint16_t) { return p.x < 0.6 ? 1.0 : -1.0; }, "depth (m)"};
  for (const int width : {160, 161, 163, 167}) {
    DrawSettings settings = bare(PictureKind::kMoment);
    settings.width = settings.height.emplace(width);
    drawOver(squareScene(), field, path("b.png"), settings);
    const Png coloured(path("b.png"));
    for (int x = 2; x < 0.36 * width; ++x) expectNear(coloured.at(x, width / 2.0), mapColour(ColourMap::kSpeed, 1));
    EXPECT_EQ(coloured.at(0.45 * width, width / 2.0), kFloor) << "negative numbers leave the floor";
    EXPECT_EQ(coloured.at(0.9 * width, width / 2.0), kWhite) << "and outside of it there is none";
  }
}

TEST_F(Pictures, AnOverlayOfARunLiesUnderPeopleAndOverThem) {
  MemoryFrames source;
  for (const double time : {0.0, 1.0}) {
    FrameCopy frame = frameOf(time, {{1, 0.3, 0.3}, {2, 0.3, 1.3}});
    frame.heading_x[1] = 0;
    frame.heading_y[1] = -1;
    source.add(frame);
  }
  Overlay overlay;
  overlay.areas.push_back({{box(0.05, 0.05, 0.7, 0.55)}, {0x00ff00}, 0});
  overlay.lines.push_back({{{0.1, 0.3}, {0.6, 0.3}}, {0xff0000}, 20, 0});
  overlay.lines.push_back({{{0.1, 1.3}, {0.6, 1.3}}, {0xff0000}, 20, 1});
  DrawSettings settings = bare(PictureKind::kMoment);
  settings.colour_by = ColourBy::kDirection;
  drawRun(squareScene(), source, path("a.png"), settings, overlay);
  const Png png(path("a.png"));
  EXPECT_EQ(png.at(62, 128), 0x00ff00u) << "the area, beside the person";
  EXPECT_EQ(png.at(45, 130), 0xff0000u) << "the line, over the person";
  expectNear(png.at(20, 145), mapColour(ColourMap::kDirection, 0));    // to the east
  expectNear(png.at(42, 24), mapColour(ColourMap::kDirection, 0.75));  // to the south
  EXPECT_EQ(png.at(62, 59), kFloor);
  overlay.caption = "so many lanes";
  overlay.keys.push_back({Overlay::Key::Mark::kArea, {0x00ff00}, "lane"});
  for (const PictureKind kind : {PictureKind::kMoment, PictureKind::kTrajectories, PictureKind::kSpeed}) {
    drawRun(squareScene(), source, path("b.svg"), {.kind = kind, .overwrite = true}, overlay);
    EXPECT_THAT(bytes(path("b.svg")), AllOf(HasSubstr("so many lanes"), HasSubstr(">lane<"), HasSubstr("#ff0000")));
  }
}

TEST_F(Pictures, AChartHasItsLinesMarksAndNames) {
  Chart chart{"walkers", "ms", {{"fast", {{10, 0.5}, {100, 5}}}, {"slow", {{10, 50}, {100, 400}}}}, {{40, "enough"}}};
  drawChart(chart, path("a.svg"), {.title = "times"});
  const std::string svg = bytes(path("a.svg"));
  for (const char* words : {">times<", ">walkers<", ">ms<", ">fast<", ">slow<", ">enough<", ">20<", ">0.5<", ">500<"})
    EXPECT_THAT(svg, HasSubstr(words));
  drawChart(chart, path("a.png"), {.width = 300});
  EXPECT_GT(bytes(path("a.png")).size(), 1000u);
  chart.series[0].points[0].y = 0;
  EXPECT_THAT(thrown<InputError>([&] { drawChart(chart, path("b.svg")); }), HasSubstr("more than 0"));
  EXPECT_THAT(thrown<InputError>([&] { drawChart({}, path("b.svg")); }), HasSubstr("without points"));
}

TEST_F(Pictures, LayersAboveOneAnotherHavePanelsOfTheirOwn) {
  EXPECT_EQ(panelGrid(1, 3).columns, 1u);
  EXPECT_EQ(panelGrid(2, 2).columns, 1u);
  EXPECT_EQ(panelGrid(2, 0.4).columns, 2u);
  EXPECT_EQ(panelGrid(6, 1.5).columns, 2u);
  Scene scene = roomScene();
  scene.layers[0].name = "ground";
  scene.layers.resize(3, scene.layers[0]);
  scene.layers[1].name = "first floor";
  scene.layers[2].name = "garden";
  scene.layers[2].walkable = {box(10, 0, 14, 5)};
  Overlay overlay;
  overlay.labels.push_back({{12, 2}, "here & there", {0x222222}, 2});
  overlay.keys = {{Overlay::Key::Mark::kLine, {0xff0000}, "a way"}};
  overlay.caption = "something";
  drawOver(scene, overlay, path("a.svg"), {});
  const std::string svg = bytes(path("a.svg"));
  expectWellFormed(svg);
  for (const char* words : {">ground, garden<", ">first floor<", ">here &amp; there<", ">a way<", ">something<"})
    EXPECT_THAT(svg, HasSubstr(words));
  overlay.layers = {1};
  drawOver(scene, overlay, path("b.svg"), {});
  EXPECT_THAT(bytes(path("b.svg")), Not(HasSubstr("here &amp; there")));
  EXPECT_THAT(thrown<InputError>([&] { drawOver(scene, overlay, path("c.svg"), {.layers = {"roof"}}); }),
              HasSubstr("ground, first floor, garden"));
}

TEST_F(Pictures, TheSamePictureTwiceIsTheSameBytes) {
  MemoryFrames source = oneWalker(5);
  for (const PictureKind kind :
       {PictureKind::kMoment, PictureKind::kTrajectories, PictureKind::kDensity, PictureKind::kSpeed})
    for (const char* extension : {".png", ".svg"}) {
      DrawSettings settings{.kind = kind, .width = 400, .overwrite = true};
      drawRun(roomScene(), source, path(std::string("a") + extension), settings);
      drawRun(roomScene(), source, path(std::string("b") + extension), settings);
      EXPECT_FALSE(bytes(path(std::string("a") + extension)).empty());
      EXPECT_EQ(bytes(path(std::string("a") + extension)), bytes(path(std::string("b") + extension)));
    }
}

TEST_F(Pictures, SvgIsWellFormedAndHasItsWordsAsText) {
  MemoryFrames source = oneWalker(5);
  DrawSettings settings{.kind = PictureKind::kMoment, .title = "fish & <chips> \x02 \"quoted\"", .overwrite = true};
  for (const PictureKind kind :
       {PictureKind::kMoment, PictureKind::kTrajectories, PictureKind::kDensity, PictureKind::kSpeed}) {
    settings.kind = kind;
    drawRun(roomScene(), source, path("a.svg"), settings);
    const std::string svg = bytes(path("a.svg"));
    expectWellFormed(svg);
    EXPECT_THAT(svg, HasSubstr(">2 m</text>"));
    EXPECT_THAT(svg, HasSubstr("fish &amp; &lt;chips&gt;"));
    EXPECT_THAT(svg, HasSubstr("1 person"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
  }
  EXPECT_THAT(bytes(path("a.svg")), HasSubstr("speed (m/s)"));
}

TEST_F(Pictures, ScenesShowTheirPlan) {
  Scene scene = roomScene();
  scene.populations[0].start.shape = StartArea{{box(0.5, 0.5, 2, 2)}};
  scene.populations[0].goals = {{GoalArea{{box(8, 1, 9, 4)}}}, {GoalPoint{{5, 4}}}};
  scene.populations[0].count = 12;
  scene.layers[0].regions = {{"grass", {box(3, 0, 4, 5)}}};
  scene.lines = {{"gate", {{6, 0}, {6, 5}}, ""}};
  drawStill(scene, nullptr, path("a.svg"), {});
  const std::string svg = bytes(path("a.svg"));
  expectWellFormed(svg);
  for (const char* word : {"walkers (12)", ">start<", ">goal<", ">grass<", ">gate<"}) EXPECT_THAT(svg, HasSubstr(word));
  const FrameCopy people = frameOf(0, {{1, 1, 1}});
  const Frame view = people.view();
  drawStill(scene, &view, path("b.png"), {});
  EXPECT_EQ(Png(path("b.png")).width(), 1200);
  drawStill(Scene{}, nullptr, path("empty.png"), {});
}

TEST_F(Pictures, AnEndlessPlaneShowsEverybody) {
  Scene scene;
  scene.layers.emplace_back();
  MemoryFrames source = framesOf({frameOf(0, {{1, -30, 7}, {2, 40, -9}})});
  const ShownLayer shown = panelsFor(scene, {})[0].layers[0];
  const Rectangle view = viewOf(shown, {}, survey(source, 0, 0, 1).bounds);
  EXPECT_LT(view.min.x, -30.5);
  EXPECT_GT(view.max.x, 40.5);
  EXPECT_LT(view.min.y, -9.5);
  EXPECT_GT(view.max.y, 7.5);
}

TEST_F(Pictures, ExistingFilesAreKeptUnlessTold) {
  MemoryFrames source = oneWalker(1);
  std::ofstream(path("a.png")) << "mine";
  const std::string words = thrown<FileError>([&] { drawRun(roomScene(), source, path("a.png"), {}); });
  EXPECT_THAT(words, HasSubstr("exists already"));
  EXPECT_EQ(bytes(path("a.png")), "mine");
  drawRun(roomScene(), source, path("a.png"), {.overwrite = true});
  EXPECT_NE(bytes(path("a.png")), "mine");
  EXPECT_EQ(fileCount(), 1u);
  EXPECT_THAT(thrown<FileError>([&] { drawRun(roomScene(), source, path("no/a.png"), {}); }), HasSubstr("no folder"));
}

TEST_F(Pictures, BadSettingsAreNamedWithWhatIsAllowed) {
  MemoryFrames source = oneWalker(2);
  const auto words = [&](const DrawSettings& settings, const char* name = "a.png") {
    return thrown<InputError>([&] { drawRun(roomScene(), source, path(name), settings); });
  };
  EXPECT_THAT(words({}, "a.jpg"), HasSubstr(".png, .svg"));
  EXPECT_THAT(words({.width = 8}), HasSubstr("16 to 16384"));
  EXPECT_THAT(words({.height = 100000}), HasSubstr("16 to 16384"));
  EXPECT_THAT(words({.view = Rectangle{{1, 1}, {1, 2}}}), HasSubstr("empty"));
  EXPECT_THAT(words({.kind = PictureKind::kMoment, .time = 2.5}), HasSubstr("from 0 s to 2 s"));
  EXPECT_THAT(words({.from = 7}), HasSubstr("from 0 s to 2 s"));
  EXPECT_THAT(words({.from = 2, .to = 1}), HasSubstr("smaller first"));
  EXPECT_THAT(words({.cell = 0}), HasSubstr("more than 0"));
  EXPECT_THAT(words({.layers = {"attic"}}), HasSubstr("ground"));
  EXPECT_THAT(words({.kind = PictureKind::kMoment, .colour_by = ColourBy::kTime}), HasSubstr("allowed"));
  MemoryFrames nothing;
  EXPECT_THAT(thrown<InputError>([&] { drawRun(roomScene(), nothing, path("a.png"), {}); }), HasSubstr("no frames"));
  EXPECT_EQ(fileCount(), 0u);
}

}  // namespace
}  // namespace throng::draw
