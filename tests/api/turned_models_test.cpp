// Ordinary buildings, turned and written in every way, held against their triangles: what can be reached is the same
// however a model lies in its file, and nobody walks through a wall of the mesh or changes height by more than a step.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <unistd.h>
#include <unordered_map>

#include "throng/import.h"
#include "throng/navigation.h"
#include "throng/scene.h"

#include "import/building_models.h"

namespace throng {
namespace {

using import::Building;
using import::Flight;
using import::Opening;
using import::Pose;

using Corners = std::array<Point3, 3>;

/// Triangles by squares of the plan.
class Near {
 public:
  explicit Near(std::vector<Corners> triangles) : triangles_(std::move(triangles)) {
    for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
      const auto& [a, b, c] = triangles_[i];
      const auto [x0, x1] = std::minmax({a.x, b.x, c.x});
      const auto [y0, y1] = std::minmax({a.y, b.y, c.y});
      for (int x = whole(x0 - 0.01); x <= whole(x1 + 0.01); ++x)
        for (int y = whole(y0 - 0.01); y <= whole(y1 + 0.01); ++y) squares_[key(x, y)].push_back(i);
    }
  }
  template <class Visit>
  void at(Point p, const Visit& visit) const {
    const auto found = squares_.find(key(whole(p.x), whole(p.y)));
    if (found == squares_.end()) return;
    for (const std::uint32_t i : found->second) visit(triangles_[i]);
  }

 private:
  static int whole(double v) { return static_cast<int>(std::floor(v / 0.5)); }
  static std::uint64_t key(int x, int y) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32 | static_cast<std::uint32_t>(y);
  }
  std::vector<Corners> triangles_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> squares_;
};

std::optional<double> heightOf(const Corners& t, Point p, double slack) {
  const auto& [a, b, c] = t;
  const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (std::abs(area) < 1e-9) return {};
  const double u = ((p.x - a.x) * (c.y - a.y) - (p.y - a.y) * (c.x - a.x)) / area;
  const double v = ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / area;
  if (u < -slack || v < -slack || u + v > 1 + slack) return {};
  return a.z + u * (b.z - a.z) + v * (c.z - a.z);
}

/// Walks over the triangles of a mesh, without any layers.
class Walker {
 public:
  Walker(const Mesh& mesh, const Walkability& w) : near_(trianglesOf(mesh)), w_(w) {}

  /// Walks straight on from a height, and says what was wrong on the way.
  std::optional<std::string> walk(Point from, Point to, double& z) const {
    constexpr double kPace = 0.02;  // m
    const int paces = static_cast<int>(length(to - from) / kPace) + 1;
    Point here = from;
    for (int i = 1; i <= paces; ++i) {
      const Point there = from + (to - from) * (double(i) / paces);
      const double most = w_.step_height + 0.003 + length(there - here);
      const std::optional<double> next = ground(there, z, most);
      if (!next && i < paces && length(there - here) < 1.5 * kPace) continue;  // a crack between triangles
      if (!next) return fmt::format("no ground within a step at ({:.3f}, {:.3f}) from {:.3f} m", there.x, there.y, z);
      if (blocked(here, there, std::max(z, *next)))
        return fmt::format("something stands in the way at ({:.3f}, {:.3f}, {:.3f})", there.x, there.y, *next);
      here = there, z = *next;
    }
    return {};
  }

 private:
  static std::vector<Corners> trianglesOf(const Mesh& mesh) {
    std::vector<Corners> list;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) list.push_back(mesh.corners(i));
    return list;
  }

  /// The uppermost within a step.
  std::optional<double> ground(Point p, double z, double most) const {
    std::optional<double> best;
    near_.at(p, [&](const Corners& t) {
      const auto h = heightOf(t, p, 1e-6);
      if (h && std::abs(*h - z) <= most && (!best || *h > *best)) best = h;
    });
    return best;
  }

  /// Does a triangle meet the upright rectangle over the way between the heights of a step and of a body?
  bool blocked(Point p, Point q, double z) const {
    const Point along = normalized(q - p), across = perpendicular(along);
    const double far = length(q - p), low = z + w_.step_height + 0.02, high = z + w_.body_height - 0.02;
    bool met = false;
    near_.at(q, [&](const Corners& t) {
      // The triangle cut with the plane of the rectangle: a line from one side to another.
      std::array<std::pair<double, double>, 3> ends;  // m along, m of height
      std::size_t n = 0;
      for (std::size_t i = 0; i < 3 && n < 3; ++i) {
        const Point3 &a = t[i], &b = t[(i + 1) % 3];
        const double da = dot(across, Point{a.x, a.y} - p), db = dot(across, Point{b.x, b.y} - p);
        if ((da < 0) == (db < 0)) continue;
        const double share = da / (da - db);
        const Point at = Point{a.x, a.y} + Point{b.x - a.x, b.y - a.y} * share;
        ends[n++] = {dot(along, at - p), a.z + (b.z - a.z) * share};
      }
      if (n < 2) return;
      auto [s, t0] = ends[0];
      auto [e, t1] = ends[1];
      double from = 0, to = 1;  // the part of the line that is in the rectangle
      const auto clip = [&](double at_start, double at_end) {
        if (at_start < 0 && at_end < 0) from = 2;
        if (at_start < 0 && at_end >= 0) from = std::max(from, at_start / (at_start - at_end));
        if (at_end < 0 && at_start >= 0) to = std::min(to, at_start / (at_start - at_end));
      };
      clip(s, e), clip(far - s, far - e), clip(t0 - low, t1 - low), clip(high - t0, high - t1);
      met = met || from <= to;
    });
    return met;
  }

  Near near_;
  Walkability w_;
};

/// A building as it was found to be.
struct Found {
  Scene scene;
  double area = 0;
  std::map<long, double> storeys;          ///< m² of level ground, by height in dm
  std::vector<SeparateFloor> separate;     ///< what is not connected, and why
  std::vector<std::vector<bool>> reaches;  ///< per stand and stand
  std::vector<std::string> faults;
};

double areaOf(const Scene& scene) {
  double sum = 0;
  for (const Layer& layer : scene.layers)
    for (const Corners& t : layer.ground)
      sum += std::abs((t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x)) / 2;
  return sum;
}

/// Where the ground is level, and how much of it there is. Into how many layers it is cut may differ.
std::map<long, double> storeysOf(const Scene& scene) {
  std::map<long, double> storeys;
  for (const Layer& layer : scene.layers)
    for (const Corners& t : layer.ground) {
      const double ux = t[1].x - t[0].x, uy = t[1].y - t[0].y, vx = t[2].x - t[0].x, vy = t[2].y - t[0].y;
      const double twice = ux * vy - uy * vx, uz = t[1].z - t[0].z, vz = t[2].z - t[0].z;
      const double rise = std::hypot(uz * vy - vz * uy, vz * ux - uz * vx);
      if (rise < 0.01 * std::abs(twice)) storeys[std::lround(10 * t[0].z)] += std::abs(twice) / 2;
    }
  std::erase_if(storeys, [](const auto& storey) { return storey.second < 1; });  // treads, and slivers of slopes
  return storeys;
}

class Inspection {
 public:
  Inspection(const Building& building, const Pose& pose)
      : building_(building), pose_(pose), mesh_(readBack(building, pose)), walker_(mesh_, {}) {}

  Found run(int walks) {
    found_.scene = sceneFromMesh(mesh_, {}, {}, &found_.separate);
    found_.area = areaOf(found_.scene);
    found_.storeys = storeysOf(found_.scene);
    for (const Layer& layer : found_.scene.layers) grounds_.emplace_back(layer.ground);
    const NavigationMap map(found_.scene);
    reach(map);
    wander(map, walks);
    return std::move(found_);
  }

 private:
  /// Through a file, with its unit and its axis said; one in m with z up is read as it is written.
  static Mesh readBack(const Building& building, const Pose& pose) {
    if (pose.unit == 1 && pose.up == 'z') {
      Mesh mesh = building.mesh;
      const auto rounded = [](double metres) { return static_cast<double>(static_cast<float>(metres)); };
      for (Point3& p : mesh.vertices) {
        p = pose(p);
        p = {rounded(p.x), rounded(p.y), rounded(p.z)};
      }
      return mesh;
    }
    const std::string path =
        (std::filesystem::path(testing::TempDir()) / fmt::format("posed-{}.obj", ::getpid())).string();
    {
      std::ofstream file(path);
      file << pose.file(building.mesh);
    }
    Mesh mesh = loadMesh(path, {std::string(1, pose.up), pose.unit, {}});
    std::filesystem::remove(path);
    return mesh;
  }

  void fault(std::string text) { found_.faults.push_back(std::move(text)); }

  std::optional<double> groundAt(std::size_t layer, Point p) const {
    std::optional<double> height;
    grounds_[layer].at(p, [&](const Corners& t) {
      if (const auto h = heightOf(t, p, 1e-6)) height = h;
    });
    return height;
  }

  std::optional<std::size_t> layerAt(Point3 p) const {
    for (std::size_t i = 0; i < grounds_.size(); ++i)
      if (const auto h = groundAt(i, {p.x, p.y}); h && std::abs(*h - p.z) < 0.1) return i;
    return {};
  }

  void reach(const NavigationMap& map) {
    const auto& stands = building_.stands;
    found_.reaches.assign(stands.size(), std::vector<bool>(stands.size(), false));
    for (std::size_t i = 0; i < stands.size(); ++i)
      for (std::size_t j = 0; j < stands.size(); ++j) {
        if (i == j) continue;
        const Point3 p = pose_(stands[i].at), q = pose_(stands[j].at);
        const auto from = layerAt(p), to = layerAt(q);
        if (!from || !to) {
          if (j == 0 || i == 0) fault(fmt::format("nobody can stand at {}", stands[from ? j : i].name));
          continue;
        }
        RouteRequest request;
        request.from = {p.x, p.y}, request.to = {q.x, q.y};
        request.from_layer = LayerId(*from), request.to_layer = LayerId(*to);
        const RouteResult route = map.plan(request);
        found_.reaches[i][j] = route.reachable;
        if (route.reachable != (stands[i].part == stands[j].part))
          fault(fmt::format("from {} to {}: {}", stands[i].name, stands[j].name,
                            route.reachable ? "there is a way" : route.reason));
        if (route.reachable) follow(route, p.z, q.z, stands[i].name + " to " + stands[j].name);
      }
  }

  void follow(const RouteResult& route, double z, double last, const std::string& what) {
    for (std::size_t k = 1; k < route.points.size(); ++k) {
      if (const auto wrong = walker_.walk(route.points[k - 1].at, route.points[k].at, z))
        return fault(fmt::format("from {}: {}", what, *wrong));
      const auto height = groundAt(route.points[k].layer, route.points[k].at);
      if (height && std::abs(*height - z) > 0.35)
        return fault(fmt::format("from {}: {:.2f} m high in the mesh, {:.2f} on layer {}", what, z, *height,
                                 route.points[k].layer));
    }
    if (std::abs(z - last) > 0.1) fault(fmt::format("from {}: ends at {} m", what, z));
  }

  /// Straight walks wherever the map sees no wall between two places.
  void wander(const NavigationMap& map, int walks) {
    std::mt19937 random(7);
    const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
    int wrong_walks = 0;
    for (std::size_t i = 0; i < found_.scene.layers.size(); ++i) {
      const Layer& layer = found_.scene.layers[i];
      std::vector<double> sums;
      for (const Corners& t : layer.ground)
        sums.push_back((sums.empty() ? 0 : sums.back()) + 0.02 +
                       std::abs((t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x)) / 2);
      for (int k = 0; k < walks; ++k) {
        const double pick = uniform(0, sums.back());
        const Corners& t =
            layer.ground[static_cast<std::size_t>(std::lower_bound(sums.begin(), sums.end(), pick) - sums.begin())];
        double u = uniform(0, 1), v = uniform(0, 1);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const Point p{t[0].x + u * (t[1].x - t[0].x) + v * (t[2].x - t[0].x),
                      t[0].y + u * (t[1].y - t[0].y) + v * (t[2].y - t[0].y)};
        const double angle = uniform(0, 6.283), far = uniform(0.1, 4);
        const Point q = p + Point{std::cos(angle), std::sin(angle)} * far;
        if (!map.visible(p, q, LayerId(i), 0.03)) continue;
        double z = t[0].z + u * (t[1].z - t[0].z) + v * (t[2].z - t[0].z);
        const double start = z;
        if (const auto wrong = walker_.walk(p, q, z); wrong && ++wrong_walks <= 3)
          fault(fmt::format("walking from ({:.3f}, {:.3f}, {:.3f}) on layer {} to ({:.3f}, {:.3f}): {}", p.x, p.y,
                            start, i, q.x, q.y, *wrong));
      }
    }
    if (wrong_walks > 3) fault(fmt::format("{} walks went wrong", wrong_walks));
  }

  const Building& building_;
  Pose pose_;
  Mesh mesh_;
  Walker walker_;
  Found found_;
  std::vector<Near> grounds_;
};

bool thorough() { return std::getenv("THRONG_THOROUGH") != nullptr; }

std::vector<Pose> poses() {
  std::vector<Pose> list;
  const std::vector<double> few{0, 1, 30, 37, 60}, many{0, 1, 7, 15, 30, 37, 45, 60, 90};
  for (const double degrees : thorough() ? many : few) list.push_back({degrees, false, 1, 'z', {}});
  list.push_back({22.21, true, 0.01, 'y', {3.1, -17.7}});
  list.push_back({143.77, false, 0.001, 'y', {-40.2, 9.13}});
  list.push_back({301.5, true, 0.0254, 'x', {120.4, 230.9}});
  if (!thorough()) return list;
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i)
    list.push_back({0.001 * (random() % 360000), random() % 2 == 0, 1, "xyz" [random() % 3], {
                      0.01 * (random() % 9999), 0.017 * (random() % 9999)
                    }});
  return list;
}

/// All ways that a building can lie in its file.
void expectSameInAllPoses(const Building& building, int walks, const std::vector<Pose>& all = poses()) {
  std::optional<Found> first;
  for (const Pose& pose : all) {
    SCOPED_TRACE(fmt::format("{}, turned by {}°{}, unit {} m, {} up", building.name, pose.degrees,
                             pose.mirrored ? ", mirrored" : "", pose.unit, pose.up));
    Found found = Inspection(building, pose).run(walks);
    EXPECT_THAT(found.faults, testing::IsEmpty());
    if (first) {
      EXPECT_NEAR(found.area, first->area, 1e-3 * first->area);
      EXPECT_EQ(found.reaches, first->reaches);
      ASSERT_EQ(found.storeys.size(), first->storeys.size());
      for (const auto& [height, area] : first->storeys) EXPECT_NEAR(found.storeys[height], area, 0.02 + 1e-3 * area);
    } else {
      first = std::move(found);
    }
  }
}

TEST(Buildings, StairsInOpeningsOfAllShapes) {
  for (const Opening opening : import::kOpenings)
    for (const Flight kind : import::kFlights)
      for (const double thick : {0.0, 0.2})
        if (thorough() || (thick > 0) == (kind != Flight::kSmooth))
          expectSameInAllPoses(import::stairwell(kind, opening, 1.8, thick), 40);
}

TEST(Buildings, StairsOfAllWidths) {
  for (const double width : {0.8, 1.3, 3.1, 5.0})
    for (const Flight kind : {Flight::kSmooth, Flight::kBlocks})
      for (const Opening opening : {Opening::kFlush, Opening::kWide})
        expectSameInAllPoses(import::stairwell(kind, opening, width, 0.2), 40);
}

TEST(Buildings, CarParks) {
  for (const bool shared : {false, true})
    for (const double thick : {0.0, 0.12})
      for (const int storeys : {2, 3}) expectSameInAllPoses(import::carPark(storeys, thick, shared), 80);
}

TEST(Buildings, WindingRamps) {
  for (const bool guarded : {false, true})
    for (const int turns : {1, 3}) {
      expectSameInAllPoses(import::windingRamp(2, 4, turns, 24, guarded), 80);
      expectSameInAllPoses(import::windingRamp(5, 9, turns, 17, guarded), 80);
    }
}

TEST(Buildings, SplitLevels) {
  for (const Flight kind : import::kFlights)  // blocks leave no headroom below
    if (kind != Flight::kBlocks) expectSameInAllPoses(import::splitLevels(5, kind), 40);
}

TEST(Buildings, Mezzanines) {
  for (const Flight kind : import::kFlights)
    for (const bool rails : {false, true}) expectSameInAllPoses(import::mezzanine(kind, rails), 80);
}

TEST(Buildings, StoreysThatAreNotConnectedAreNamedWithTheReason) {
  using testing::HasSubstr;
  for (const import::Gap gap : import::kGaps)
    for (const Pose& pose : poses()) {
      const Building building = import::unconnected(gap);
      SCOPED_TRACE(fmt::format("{}, turned by {}°, {} up", building.name, pose.degrees, pose.up));
      const Found found = Inspection(building, pose).run(20);
      EXPECT_THAT(found.faults, testing::IsEmpty());
      const auto above = std::find_if(found.separate.begin(), found.separate.end(), [](const SeparateFloor& s) {
        return s.area > 50;  // m²; one of the two storeys: the other one is what it is not connected with
      });
      ASSERT_NE(above, found.separate.end());
      // The place that is named is the one that a person would point at: where the ramp begins or ends.
      const Point3 foot = pose(Point3{8, 4, 0}), head = pose(Point3{10, 4, 0});
      const auto named = [&](Point3 p, const std::string& reason) {
        double x = 0, y = 0;
        const auto at = reason.rfind('(');
        if (at == std::string::npos || std::sscanf(reason.c_str() + at, "(%lf, %lf)", &x, &y) != 2) return false;
        return std::hypot(x - p.x, y - p.y) < 1.5;
      };
      switch (gap) {
        case import::Gap::kNothing:
          EXPECT_EQ(above->reason, "nothing leads there");
          break;
        case import::Gap::kHighStep:
          EXPECT_THAT(above->reason, HasSubstr("the lowest step to it is 0.60 m high at "));
          EXPECT_TRUE(named(head, above->reason)) << above->reason;
          break;
        case import::Gap::kSteep:
          EXPECT_THAT(above->reason, HasSubstr("what leads there is steeper than 40 degrees at "));
          EXPECT_TRUE(named(foot, above->reason) || named(head, above->reason)) << above->reason;
          break;
        case import::Gap::kWall:
          EXPECT_THAT(above->reason, HasSubstr("a wall stands in between at "));
          EXPECT_TRUE(named(head, above->reason)) << above->reason;
          break;
      }
    }
}

TEST(Buildings, ThinWallsAndRails) {
  for (const double thick : {0.0, 0.02, 0.1}) expectSameInAllPoses(import::thinWalls(thick), 200);
}

}  // namespace
}  // namespace throng
