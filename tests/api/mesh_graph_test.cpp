// Navigation graphs of meshes held against the triangles themselves: whoever walks straight from the centre of a
// cylinder to its rim, or through a gate, meets nothing that stands in the way and nothing that is missing underfoot.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <random>

#include "throng/import.h"
#include "throng/navigation.h"
#include "throng/navigation_graph.h"
#include "throng/scene.h"

namespace throng {
namespace {

/// What a body meets at one place of the plan, from the triangles alone.
class Column {
 public:
  explicit Column(const Mesh& mesh) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) triangles_.push_back(mesh.corners(i));
  }

  /// Heights at which a vertical line at a place goes through a triangle.
  void at(Point p, std::vector<double>& heights) const {
    heights.clear();
    for (const auto& [a, b, c] : triangles_) {
      if (p.x < std::min({a.x, b.x, c.x}) || p.x > std::max({a.x, b.x, c.x}) || p.y < std::min({a.y, b.y, c.y}) ||
          p.y > std::max({a.y, b.y, c.y}))
        continue;
      const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      if (std::abs(area) < 1e-12) continue;
      const double u = ((p.x - a.x) * (c.y - a.y) - (p.y - a.y) * (c.x - a.x)) / area;
      const double v = ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / area;
      if (u >= 0 && v >= 0 && u + v <= 1) heights.push_back(a.z + u * (b.z - a.z) + v * (c.z - a.z));
    }
  }

 private:
  std::vector<std::array<Point3, 3>> triangles_;
};

/// Walks straight from a place at a height, one small step after another, and says where that was not possible.
std::optional<Point> stopped(const Column& column, const Walkability& w, Point from, double z, Point to) {
  std::vector<double> heights;
  const double distance = length(to - from);
  const int steps = static_cast<int>(distance / 0.1) + 1;
  for (int i = 0; i <= steps; ++i) {
    const Point p = from + (to - from) * (static_cast<double>(i) / steps);
    column.at(p, heights);
    double ground = -INFINITY;
    for (const double h : heights)
      if (h <= z + w.step_height + 1e-3) ground = std::max(ground, h);
    // 0.1 m farther on, the ground is a step lower at most, or as steep as may be.
    if (ground < z - w.step_height - 0.1) return p;
    for (const double h : heights)
      if (h > ground + w.step_height + 1e-3 && h < ground + w.body_height - 1e-3) return p;
    z = ground;
  }
  return {};
}

void expectFree(const Scene& scene, std::size_t most, const std::string& name) {
  const NavigationGraph graph(scene, 1);
  const Column column(*scene.mesh->mesh);
  const Walkability& w = scene.mesh->walkability;
  std::mt19937 random(7);
  std::vector<std::uint32_t> some(graph.vertices().size());
  for (std::uint32_t i = 0; i < some.size(); ++i) some[i] = i;
  std::shuffle(some.begin(), some.end(), random);
  some.resize(std::min(some.size(), most));
  std::size_t walks = 0;
  for (const std::uint32_t v : some) {
    const NavigationCylinder& c = graph.vertices()[v];
    for (int k = 0; k < 5; ++k) {
      const double angle = 2 * 3.14159265358979 * (k + (random() % 1000) / 1000.0) / 5;
      // Places of the plan that are 2 mm apart are one, and borders are straight to a millimetre.
      const Point rim = c.centre + Point{std::cos(angle), std::sin(angle)} * (c.radius - 4e-3);
      const auto at = stopped(column, w, c.centre, c.z, rim);
      ASSERT_FALSE(at) << name << ": vertex " << v << " at (" << c.centre.x << ", " << c.centre.y << ", " << c.z
                       << "), radius " << c.radius << ": no way on at (" << at->x << ", " << at->y << ")";
      ++walks;
    }
  }
  for (std::size_t i = 0; i < graph.edges().size(); i += 1 + graph.edges().size() / most) {
    const NavigationGate& gate = graph.edges()[i];
    const NavigationCylinder& c = graph.vertices()[gate.low];
    for (const Point end : {gate.passage.a, gate.passage.b}) {
      const auto at = stopped(column, w, c.centre, c.z, end);
      ASSERT_FALSE(at) << name << ": gate " << i << ": no way on at (" << at->x << ", " << at->y << ")";
      ++walks;
    }
  }
  std::printf("%s: %zu vertices, %zu edges, %zu straight walks without a hindrance\n", name.c_str(),
              graph.vertices().size(), graph.edges().size(), walks);
}

TEST(MeshGraph, CylindersOfGeneratedPlacesAreFree) {
  for (const char* name : {"itranarium", "planet-eight", "town"}) {
    const std::string text = std::string(R"({"version": 1, "generate": {"scene": ")") + name +
                             R"("}, "navigation_graph": {"precision": 1}, "run": {"duration": 1}})";
    const SceneCheck check = checkSceneText(text);
    ASSERT_TRUE(check.scene) << name;
    ASSERT_NO_FATAL_FAILURE(expectFree(*check.scene, 25, name));
  }
}

TEST(MeshGraph, CylindersOfSharedMeshesAreFree) {
  const char* given = std::getenv("THRONG_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(given ? given : THRONG_SOURCE_DIR "/../shared/data") / "meshes";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there are no meshes in " << folder;
  for (const char* name : {"nav_test.obj", "dungeon.obj"}) {
    SceneMesh source;
    source.file = name;
    const Mesh mesh = loadMesh((folder / name).string());
    ASSERT_NO_FATAL_FAILURE(expectFree(sceneFromMesh(mesh, source), 150, name));
  }
}

// What the graph covers is what can be walked on: places that are drawn at random on the ground of the largest part, as
// far from walls as a body is wide, lie in a cylinder or within a step of one.
TEST(MeshGraph, NothingWalkableIsLost) {
  const SceneCheck check = checkSceneText(
      R"({"version": 1, "generate": {"scene": "itranarium"}, "navigation_graph": {"precision": 0.5}, "run": {"duration": 1}})");
  ASSERT_TRUE(check.scene);
  const Scene& scene = *check.scene;
  const NavigationGraph graph(scene, 1);
  const NavigationMap map(scene);
  std::mt19937_64 random(3);
  std::size_t looked_at = 0;
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (std::uint16_t layer = 0; layer < scene.layers.size(); ++layer) {
    for (int i = 0; i < 3000; ++i) {
      const Point p{80 * uniform(), 80 * uniform()};
      if (map.clearance(p, LayerId(layer)) < scene.mesh->walkability.body_radius + 0.01) continue;
      ASSERT_TRUE(graph.locate(p, layer, 0.5)) << p.x << " " << p.y << " on " << scene.layers[layer].name;
      ++looked_at;
    }
  }
  EXPECT_GT(looked_at, 500u);
}

}  // namespace
}  // namespace throng
