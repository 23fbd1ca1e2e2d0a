// Embree as an oracle of what walkers see: the same scenes as triangles, traced by somebody else's code. Built where
// Embree is installed (Debian: libembree-dev); steering/vision_test.cpp has an oracle of our own everywhere.
#include <cmath>
#include <cstdio>
#include <embree3/rtcore.h>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "base/random.h"
#include "small_world.h"
#include "steering/vision.h"
#include "steering/vision_reference.h"

namespace throng::steering::vision {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr unsigned kSides = 512;  // of a cone

/// Triangles in the walker's frame, eyes at the origin.
class Traced {
 public:
  Traced() : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {}
  ~Traced() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

  void addCone(float x, float y, float eye, float height, float radius) {
    const unsigned tip = add(x, y, height - eye);
    for (unsigned i = 0; i < kSides; ++i) {
      const double angle = 2 * M_PI * i / kSides;
      add(x + radius * static_cast<float>(std::cos(angle)), y + radius * static_cast<float>(std::sin(angle)), -eye);
      corners_.insert(corners_.end(), {tip, tip + 1 + i, tip + 1 + (i + 1) % kSides});
    }
  }
  void addWall(Vec2 a, Vec2 b, float eye, float top) {
    const unsigned first = add(a.x, a.y, -eye);
    add(b.x, b.y, -eye), add(b.x, b.y, top - eye), add(a.x, a.y, top - eye);
    corners_.insert(corners_.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
  }
  void commit() {
    RTCGeometry mesh = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    fill(mesh, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, points_);
    fill(mesh, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, corners_);
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene_, mesh);
    rtcReleaseGeometry(mesh);
    rtcCommitScene(scene_);
  }
  /// In units of the direction; infinite where nothing is hit.
  float trace(float x, float y, float z) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit ray{};
    ray.ray.dir_x = x, ray.ray.dir_y = y, ray.ray.dir_z = z;
    ray.ray.tfar = kInfinity;
    ray.ray.mask = ~0u;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &ray);
    return ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kInfinity : ray.ray.tfar;
  }

 private:
  unsigned add(float x, float y, float z) {
    points_.insert(points_.end(), {x, y, z});
    return static_cast<unsigned>(points_.size() / 3 - 1);
  }
  template <class T>
  static void fill(RTCGeometry mesh, RTCBufferType type, RTCFormat format, const std::vector<T>& values) {
    void* to = rtcSetNewGeometryBuffer(mesh, type, 0, format, 3 * sizeof(T), values.size() / 3);
    std::copy(values.begin(), values.end(), static_cast<T*>(to));
  }
  RTCDevice device_;
  RTCScene scene_;
  std::vector<float> points_;
  std::vector<unsigned> corners_;
};

SmallWorld crowdedWorld(std::uint64_t seed) {
  base::Random random(seed);
  SmallWorld world;
  const auto size = static_cast<float>(random.uniform(6, 20));
  const auto within = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  world.floors[0].wall_height = within(0.5, 3);
  for (int i = 0; i < 4; ++i) {
    const float x = within(0, size), y = within(0, size), w = within(0.2, 3), h = within(0.2, 3);
    world.addRing({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}});
  }
  for (int i = 0; i < 60; ++i) {
    const Vec2 place{within(0, size), within(0, size)};
    world.add(place, {within(-1.5, 1.5), within(-1.5, 1.5)});
  }
  return world;
}

TEST(VisionAndEmbree, ShowTheSame) {
  const std::vector<float> parameters = defaults(visionParameters());
  const Sight sight(parameters);
  Camera camera;
  camera.fit(sight);
  View view;
  Image image;
  std::size_t pixels = 0, filled = 0, different = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SmallWorld world = crowdedWorld(seed);
    world.buildIndex(visionRange(parameters));
    const std::uint32_t slot = world.neighbours.people()[seed];
    lookReference(world.input(0.1f), sight, slot, view);
    renderFast(sight, camera, view, image);
    Traced traced;
    const float height = sight.radius / sight.slope;
    for (std::size_t i = 0; i < view.x.size(); ++i)
      traced.addCone(view.x[i], view.y[i], sight.eye, height, sight.radius);
    for (const SeenWall& wall : view.walls)
      traced.addWall({wall.ax, wall.ay}, {wall.ax + wall.ex, wall.ay + wall.ey}, sight.eye, view.wall_top);
    traced.commit();
    for (std::size_t r = 0; r < static_cast<std::size_t>(camera.rows); ++r) {
      for (std::size_t c = 0; c < static_cast<std::size_t>(camera.columns); ++c, ++pixels) {
        const float t = traced.trace(camera.f[r], camera.s[c], -camera.d[r]);
        const float nearness = image.nearness[r * image.stride + c];
        const bool hit = t < kInfinity;
        filled += hit;
        different += hit != (nearness > 0) || (hit && std::abs(1.0f / nearness - t) > 1e-3f * t + 1e-3f);
      }
    }
  }
  std::printf("%zu of %zu pixels differ, %zu show something\n", different, pixels, filled);
  EXPECT_GT(filled, pixels / 10);
  // Outlines, where a cone of triangles is a hair thinner.
  EXPECT_LT(different, pixels / 1000);
}

}  // namespace
}  // namespace throng::steering::vision
