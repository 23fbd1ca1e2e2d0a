#include "draw/mesh_render.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

#include "base/math.h"
#include "draw/film.h"
#include "draw/image_canvas.h"
#include "draw/mesh_picture.h"
#include "draw/overlay.h"
#include "draw/picture.h"
#include "synthetic.h"

namespace throng::draw {
namespace {

/// Meshes made by hand.
struct Builder {
  Mesh mesh;
  explicit Builder(std::vector<unsigned> colours = {}) {
    for (const unsigned rgb : colours) mesh.materials.push_back({"", rgb});
  }
  Builder& triangle(Point3 a, Point3 b, Point3 c, std::uint32_t material = 0) {
    const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
    mesh.triangles.push_back({n, n + 1, n + 2});
    mesh.material.push_back(material);
    return *this;
  }
  Builder& quad(Point3 a, Point3 b, Point3 c, Point3 d, std::uint32_t material = 0) {
    return triangle(a, b, c, material).triangle(a, c, d, material);
  }
  Builder& slab(double x0, double y0, double x1, double y1, double z, std::uint32_t material = 0) {
    return quad({x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}, material);
  }
};

/// A generator with the same numbers everywhere.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double operator()(double from, double to) {
    return from + (to - from) * (static_cast<double>(engine_()) / 4294967296.0);
  }

 private:
  std::mt19937 engine_;
};

Mesh randomMesh(unsigned seed, int triangles, Point3 at, double size) {
  Numbers number(seed);
  const auto place = [&] { return at + Point3{number(-size, size), number(-size, size), number(-size, size) / 4}; };
  Builder builder;
  for (int i = 0; i < triangles; ++i) {
    const Point3 a = place();
    const double reach = i % 5 == 0 ? size : size / 5;
    const auto near = [&] { return a + Point3{number(-reach, reach), number(-reach, reach), number(-reach, reach)}; };
    builder.triangle(a, near(), near());
  }
  return builder.mesh;
}

Screen screenOn(const Projection& projection, double scale, int width, int height) {
  const Point middle = projection.plane(projection.centre);
  return {projection, scale, {width / 2.0 - middle.x * scale, height / 2.0 + middle.y * scale}, width, height};
}

/// Where a line of sight meets a triangle (Möller and Trumbore 1997), and how far that is from its edges, in shares of
/// its size.
struct RayHit {
  double depth = 0, margin = 0;
};
std::optional<RayHit> cast(const std::array<Point3, 3>& corners, const Point3& from, const Point3& towards) {
  const Point3 e1 = corners[1] - corners[0], e2 = corners[2] - corners[0], p = cross(towards, e2);
  const double det = dot(e1, p);
  if (std::abs(det) < 1e-12) return {};
  const Point3 s = from - corners[0], q = cross(s, e1);
  const double u = dot(s, p) / det, v = dot(towards, q) / det;
  const double margin = std::min({u, v, 1 - u - v});
  if (margin < -1e-6) return {};
  return RayHit{dot(e2, q) / det, margin};
}

/// Every sample against every triangle.
void expectSameAsRays(const Mesh& mesh, const Screen& screen, double tolerance) {
  const Rasteriser rasteriser(mesh, screen, 13, base::Threads(2));
  int compared = 0, near_edge = 0, empty = 0;
  double worst = 0;
  Samples samples;
  for (std::size_t band = 0; band < rasteriser.bandCount(); ++band) {
    rasteriser.draw(band, samples);
    for (int i = 0; i < samples.rows * samples.width; ++i) {
      const Point at{i % samples.width + 0.5, samples.first_row + i / samples.width + 0.5};
      const Point3 from = screen.place(at, 0);
      std::uint32_t best = kNoTriangle;
      double depth = -1e300, second = -1e300;
      bool is_clear = true;
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto hit = cast(mesh.corners(t), from, screen.projection.towards);
        if (!hit) continue;
        is_clear = is_clear && hit->margin > 1e-5;
        if (hit->depth > depth)
          second = depth, depth = hit->depth, best = t;
        else
          second = std::max(second, hit->depth);
      }
      is_clear = is_clear && depth - second > 2 * tolerance;
      near_edge += !is_clear && best != kNoTriangle;
      if (!is_clear && best != kNoTriangle) continue;
      const auto k = static_cast<std::size_t>(i);
      ASSERT_EQ(samples.triangle[k], best) << at.x << ", " << at.y;
      ++compared;
      if (best == kNoTriangle) {
        ++empty;
        EXPECT_EQ(samples.depth[k], kNoDepth);
      } else {
        worst = std::max(worst, std::abs(samples.depth[k] - depth));
      }
    }
  }
  std::printf("%d samples compared (%d empty), %d too near to an edge, depths differ by at most %.2g m\n", compared,
              empty, near_edge, worst);
  EXPECT_LT(worst, tolerance);
  EXPECT_GT(compared, 9 * near_edge);
}

TEST(Rasteriser, SeesTheSameTrianglesAsRays) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Mesh mesh = randomMesh(seed, 120, {}, 10);
    expectSameAsRays(mesh, screenOn(fromAbove({}), 5.3, 110, 90), 1e-4);
    expectSameAsRays(mesh, screenOn(obliquely({37.0 * seed, 30}, {}), 4.1, 100, 95), 1e-4);
  }
}

TEST(Rasteriser, SeesFarFromTheOrigin) {
  const Point3 far{3.5e6, -5.4e6, 2000};
  expectSameAsRays(randomMesh(7, 100, far, 10), screenOn(fromAbove(far), 5, 90, 90), 1e-4);
  expectSameAsRays(randomMesh(8, 100, far, 10), screenOn(obliquely({200, 40}, far), 5, 90, 90), 1e-4);
}

/// A floor of many triangles has neither gaps nor samples that two of them would own.
TEST(Rasteriser, NeighboursShareNoSampleAndLeaveNoGap) {
  Numbers number(5);
  constexpr int kSide = 12;
  std::vector<Point3> grid;
  for (int j = 0; j <= kSide; ++j)
    for (int i = 0; i <= kSide; ++i) grid.push_back({i + number(-0.3, 0.3), j + number(-0.3, 0.3), 0});
  const Screen screen = screenOn(fromAbove({6, 6, 0}), 17, 120, 120);  // well inside the floor
  std::vector<int> owners(static_cast<std::size_t>(screen.width * screen.height));
  Samples samples;
  const base::Threads threads(1);
  for (int j = 0; j < kSide; ++j)
    for (int i = 0; i < kSide; ++i) {
      const auto at = [&](int dx, int dy) { return grid[static_cast<std::size_t>((j + dy) * (kSide + 1) + i + dx)]; };
      for (const auto& [a, b, c] :
           {std::array{at(0, 0), at(1, 0), at(1, 1)}, std::array{at(0, 0), at(0, 1), at(1, 1)}}) {
        const Mesh mesh = Builder().triangle(a, b, c).mesh;
        Rasteriser(mesh, screen, screen.height, threads).draw(0, samples);
        for (std::size_t k = 0; k < owners.size(); ++k) owners[k] += samples.triangle[k] != kNoTriangle;
      }
    }
  for (const int count : owners) ASSERT_EQ(count, 1);
}

TEST(Rasteriser, LeavesOutWhatIsNoTriangle) {
  Mesh mesh = Builder().slab(-1, -1, 1, 1, 0).mesh;
  mesh.vertices.push_back({std::nan(""), 0, 9});
  mesh.triangles.push_back({0, 1, 6});
  mesh.triangles.push_back({0, 1, 99});
  mesh.triangles.push_back({0, 0, 0});
  ASSERT_TRUE(boundsOf(mesh));
  EXPECT_EQ(boundsOf(mesh)->max.z, 0);
  const MeshImage image =
      renderMesh(mesh, fromAbove({}), PageTransform({{-1, -1}, {1, 1}}, {{0, 0}, {20, 20}}), base::Threads(1));
  for (const float depth : image.depth) EXPECT_EQ(depth, 0);
}

TEST(MeshImages, AnEmptyMeshIsTransparent) {
  EXPECT_FALSE(boundsOf(Mesh{}));
  const MeshImage image =
      renderMesh({}, fromAbove({}), PageTransform({{0, 0}, {4, 3}}, {{10, 20}, {50, 50}}), base::Threads(1));
  EXPECT_EQ(image.raster.width, 40);
  EXPECT_EQ(image.raster.height, 30);
  for (const std::uint32_t pixel : image.raster.pixels) EXPECT_EQ(pixel, 0u);
}

TEST(MeshImages, TheSameBytesOnAnyNumberOfThreads) {
  const Mesh mesh = randomMesh(3, 400, {}, 10);
  const PageTransform page({{-10, -10}, {10, 10}}, {{0, 0}, {230, 230}});
  for (const Projection& projection : {fromAbove({}), obliquely({}, {})}) {
    const MeshImage one = renderMesh(mesh, projection, page, base::Threads(1));
    const MeshImage four = renderMesh(mesh, projection, page, base::Threads(4));
    EXPECT_EQ(one.raster.pixels, four.raster.pixels);
    EXPECT_EQ(one.depth, four.depth);
  }
}

std::array<int, 3> partsOf(const MeshImage& image, int x, int y) {
  const std::uint32_t p = image.raster.pixels[static_cast<std::size_t>(y * image.raster.width + x)];
  return {static_cast<int>(p >> 16 & 0xff), static_cast<int>(p >> 8 & 0xff), static_cast<int>(p & 0xff)};
}

/// Level ground in the sun has about its own colour, and a roof throws a shadow away from the sun in the north-west.
TEST(MeshImages, ThereIsASunInTheNorthWest) {
  const Mesh mesh = Builder({0x9a8b70, 0x804040}).slab(0, 0, 40, 40, 0).slab(15, 15, 25, 25, 6, 1).mesh;
  const MeshImage image =
      renderMesh(mesh, fromAbove({}), PageTransform({{0, 0}, {40, 40}}, {{0, 0}, {200, 200}}), base::Threads(1));
  const auto lit = partsOf(image, 20, 20);                   // the north-western corner
  const auto shaded = partsOf(image, 5 * 27, 200 - 5 * 13);  // south-east of the roof
  const auto across = partsOf(image, 5 * 13, 200 - 5 * 27);  // north-west of it
  std::printf("in the sun %d %d %d, in the shadow %d %d %d\n", lit[0], lit[1], lit[2], shaded[0], shaded[1], shaded[2]);
  EXPECT_NEAR(lit[0], 0x9a, 12);
  EXPECT_NEAR(lit[1], 0x8b, 12);
  EXPECT_NEAR(lit[2], 0x70, 12);
  EXPECT_LT(shaded[0], 0.8 * lit[0]);
  EXPECT_GT(across[0], 0.9 * lit[0]);
  EXPECT_FLOAT_EQ(image.depthAt(100, 100), 6);
}

/// What is drawn over the model lies where the model is: a post of half a metre at the pixel that the page's transform
/// says.
TEST(MeshImages, ThePlanIsWhereThePageIs) {
  const Mesh mesh = Builder().slab(0, 0, 60, 30, 0).slab(41.25, 7.25, 41.75, 7.75, 3).mesh;
  const Rectangle view{{30, 2}, {50, 14}};
  const PageTransform page(view, {{28.4, 91.7}, {28.4 + 400, 91.7 + 240}});
  const MeshImage image = renderMesh(mesh, fromAbove({}), page, base::Threads(1));
  Point sum{};
  double count = 0;
  for (int y = 0; y < image.raster.height; ++y)
    for (int x = 0; x < image.raster.width; ++x)
      if (image.depthAt(x, y) > 2) sum = sum + Point{x + 0.5, y + 0.5}, ++count;
  ASSERT_GT(count, 0);
  const Point middle = sum / count + Point{1.0 * image.left, 1.0 * image.top}, expected = page.toPage(Point{41.5, 7.5});
  EXPECT_NEAR(middle.x, expected.x, 0.5);
  EXPECT_NEAR(middle.y, expected.y, 0.5);
  EXPECT_NEAR(count, 100, 21);  // 10 px along a side
}

TEST(MeshImages, ObliqueProjectionsKeepAngles) {
  const Projection north = obliquely({90, 30}, {});
  EXPECT_NEAR(north.right.x, 1, 1e-12);
  EXPECT_NEAR(north.up.z, std::cos(base::kPi / 6), 1e-12);
  EXPECT_NEAR(north.towards.y, -std::cos(base::kPi / 6), 1e-12);
  const Projection above = obliquely({90, 90}, {});
  EXPECT_NEAR(above.up.y, 1, 1e-12);
  EXPECT_NEAR(above.towards.z, 1, 1e-12);
  const Point3 p{3, -4, 5};
  const Projection any = obliquely({123, 41}, {1, 2, 3});
  EXPECT_NEAR(length(any.place(any.plane(p), any.depth(p)) - p), 0, 1e-12);
}

/// A wall from west to east, 4 m high, on a floor, seen from the south: who is behind it is hidden, who is in front is
/// seen whole.
class AtTheWall : public Folder {
 protected:
  static Scene scene() {
    Scene scene;
    scene.name = "wall";
    scene.layers.resize(2);
    scene.layers[0].walkable = {box(0, 0, 20, 20)};
    scene.layers[1].name = "above";
    scene.layers[1].walkable = {box(5, 5, 15, 15)};
    scene.populations.push_back({.name = "walkers"});
    scene.mesh = SceneMesh{};
    scene.mesh->mesh = std::make_shared<Mesh>(
        Builder({0xd0d0d0}).slab(0, 0, 20, 20, 0).quad({2, 10, 0}, {18, 10, 0}, {18, 10, 4}, {2, 10, 4}).mesh);
    return scene;
  }
  static constexpr int kSide = 300;
  /// Pixels that somebody at this place changes.
  static int changed(Point3 at, std::uint16_t layer = 0) {
    const Scene made = scene();
    const DrawSettings settings{.width = kSide, .oblique = Oblique{90, 35}};
    const Rectangle view = modelView(*made.mesh->mesh, settings);
    Model model(*made.mesh->mesh, settings, PageTransform(view, {{0, 0}, {kSide, kSide}}), 1);
    ImageCanvas without(kSide, kSide), with(kSide, kSide);
    model.paint(without, Moment{}, {});
    FrameCopy frame = frameOf(0, {{1, at.x, at.y, 0, layer}});
    frame.z[0] = static_cast<float>(at.z);
    model.paint(with, momentOf(frame.view(), kAllLayers), {});
    int count = 0;
    for (int i = 0; i < kSide * kSide; ++i)
      count += !(with.pixel(i % kSide, i / kSide) == without.pixel(i % kSide, i / kSide));
    return count;
  }
};

TEST_F(AtTheWall, WhoIsBehindIsHidden) {
  const int in_front = changed({10, 8, 0}), behind = changed({10, 10.6, 0}), above = changed({10, 10.6, 4}, 1);
  std::printf("px changed by somebody in front of the wall %d, behind it %d, as high as its top %d\n", in_front, behind,
              above);
  EXPECT_GT(in_front, 100);
  EXPECT_EQ(behind, 0);
  EXPECT_GT(above, 60);
}

TEST_F(AtTheWall, FiguresStandWhereTheyAre) {
  const Scene made = scene();
  const DrawSettings settings{.width = kSide, .oblique = Oblique{90, 35}};
  const Projection projection = projectionOf(*made.mesh->mesh, settings);
  const PageTransform page(modelView(*made.mesh->mesh, settings), {{0, 0}, {kSide, kSide}});
  Model model(*made.mesh->mesh, settings, page, 1);
  ImageCanvas canvas(kSide, kSide);
  model.paint(canvas, momentOf(frameOf(0, {{1, 12, 4}}).view(), 0), {});
  const Point chest = page.toPage(projection.plane({12, 4, 1}));
  const Colour seen = canvas.pixel(static_cast<int>(chest.x), static_cast<int>(chest.y));
  const Colour own = populationColour(0);
  EXPECT_NEAR(seen.red / seen.blue, own.red / own.blue, 0.05);
  EXPECT_NEAR(seen.green / seen.blue, own.green / own.blue, 0.05);
}

/// People of all layers are in one picture, faint under a roof.
TEST_F(AtTheWall, PlansShowAllLayersAndFaintlyWhoIsUnderARoof) {
  Scene made = scene();
  Builder builder({0xd0d0d0});
  builder.slab(0, 0, 20, 20, 0).slab(0, 12, 20, 20, 4);
  made.mesh->mesh = std::make_shared<Mesh>(builder.mesh);
  const std::vector<Walker> walkers{{1, 5, 5, 0, 0}, {2, 10, 16, 0, 0}, {3, 15, 16, 0, 1}};
  FrameCopy frame = frameOf(0, walkers);
  frame.z[2] = 4;
  const Frame people = frame.view();
  const DrawSettings settings{.width = 150};  // no words: the world alone
  drawStill(made, &people, path("plan.png"), settings);

  const ShownLayer shown = panelsFor(made, settings)[0].layers[0];
  EXPECT_EQ(shown.layer, kAllLayers);
  EXPECT_EQ(shown.layers(), (std::vector<std::size_t>{0, 1}));
  const Moment moment = momentOf(people, shown.layer);
  ASSERT_EQ(moment.people.size(), 3u);
  const PageTransform page(viewOf(shown, settings, {}), {{0, 0}, {150, 150}});
  const Model model(*shown.mesh, settings, page, 1);
  EXPECT_FALSE(model.covers(moment.people[0]));
  EXPECT_TRUE(model.covers(moment.people[1]));
  EXPECT_FALSE(model.covers(moment.people[2]));

  ImageCanvas canvas(150, 150);
  model.paint(canvas);
  const auto at = [&](const Walker& w) { return page.toPage(Point{w.x, w.y}); };
  const auto shade = [&](const Walker& w) {
    const Point p = at(w);
    const Colour c = canvas.pixel(static_cast<int>(p.x), static_cast<int>(p.y));
    return c.red;
  };
  std::array<double, 3> before{}, after{};
  for (std::size_t i = 0; i < 3; ++i) before[i] = shade(walkers[i]);
  paintPeople(canvas, page, moment, {}, 1, &model);
  for (std::size_t i = 0; i < 3; ++i) after[i] = before[i] - shade(walkers[i]);
  std::printf("red that somebody takes away: on the floor %.2f, under a roof %.2f, on it %.2f\n", after[0], after[1],
              after[2]);
  EXPECT_GT(after[0], 0.5);
  EXPECT_GT(after[1], 0.1);
  EXPECT_LT(after[1], 0.6 * after[0]);
  EXPECT_GT(after[2], 0.5);
}

TEST_F(AtTheWall, PicturesOfAllKindsAreMade) {
  const Scene made = scene();
  MemoryFrames source;
  for (int k = 0; k <= 10; ++k) source.add(frameOf(k * 0.1, {{1, 5 + k * 0.1, 5}, {2, 9, 9 - k * 0.1, 0, 1}}));
  Overlay overlay;
  overlay.lines.push_back({{{1, 1}, {9, 9}}, {0xff0000, 1}});
  overlay.field = Overlay::Field{[](Point p, std::uint16_t) { return p.x; }, "x"};
  drawOver(made, overlay, path("over.png"), {.width = 300});
  drawRun(made, source, path("run.png"), {.width = 300});
  drawRun(made, source, path("density.png"), {.kind = PictureKind::kDensity, .width = 300});
  drawRun(made, source, path("moment.svg"), {.kind = PictureKind::kMoment, .width = 300});
  drawRun(made, source, path("oblique.png"), {.kind = PictureKind::kMoment, .width = 300, .oblique = Oblique{}});
  drawRun(made, source, path("oblique.svg"), {.kind = PictureKind::kMoment, .width = 300, .oblique = Oblique{}});
  drawRun(made, source, path("flat.svg"), {.kind = PictureKind::kMoment, .width = 300, .layers = {"above"}});
  const std::string svg = bytes(path("moment.svg"));
  EXPECT_NE(svg.find("<image "), std::string::npos);
  EXPECT_NE(svg.find("2 people"), std::string::npos);
  EXPECT_NE(svg.find("<circle"), std::string::npos);
  const std::string flat = bytes(path("flat.svg"));
  EXPECT_EQ(flat.find("<image "), std::string::npos);
  EXPECT_NE(flat.find("1 person"), std::string::npos);
}

TEST_F(AtTheWall, FilmsAreMade) {
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
  MemoryFrames source = oneWalker(0.4);
  drawFilmOf(scene(), source, path("plan.mp4"), {.width = 200}, {});
  drawFilmOf(scene(), source, path("oblique.mp4"), {.width = 200, .oblique = Oblique{}}, {});
  EXPECT_EQ(fileCount(), 2u);
}

TEST_F(AtTheWall, WhatCannotBeDrawnIsSaid) {
  MemoryFrames source = oneWalker(1);
  const auto said = [&](const Scene& what, const DrawSettings& settings) {
    return thrown<InputError>([&] { drawRun(what, source, path("no.png"), settings); });
  };
  const DrawSettings oblique{.kind = PictureKind::kMoment, .oblique = Oblique{}};
  EXPECT_NE(said(roomScene(), oblique).find("needs a scene with a mesh"), std::string::npos);
  EXPECT_NE(said(scene(), {.oblique = Oblique{}}).find("shows a moment"), std::string::npos);
  EXPECT_NE(said(scene(), {.oblique = Oblique{0, 91}}).find("allowed: 5 to 90"), std::string::npos);
  EXPECT_NE(said(scene(), {.kind = PictureKind::kMoment, .oblique = Oblique{}, .layers = {"above"}}).find("all layers"),
            std::string::npos);
  EXPECT_NE(
      thrown<InputError>([&] { drawOver(scene(), {}, path("no.png"), {.oblique = Oblique{}}); }).find("from above"),
      std::string::npos);
  Scene empty = roomScene();  // a mesh without triangles is none: the floor is drawn
  empty.mesh = SceneMesh{};
  empty.mesh->mesh = std::make_shared<Mesh>();
  drawRun(empty, source, path("flat.svg"), {.kind = PictureKind::kMoment, .width = 300});
  EXPECT_NE(bytes(path("flat.svg")).find("id=\"floor\""), std::string::npos);
  EXPECT_EQ(fileCount(), 1u);
}

}  // namespace
}  // namespace throng::draw
