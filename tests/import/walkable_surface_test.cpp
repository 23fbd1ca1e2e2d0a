// The walkable surface of a mesh, against what one finds by asking every triangle at thousands of places.
#include "import/walkable_surface.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <set>

#include "base/random.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "import/surface_scenes.h"

namespace throng::import {
namespace {

WalkableSurface surfaceOf(const Mesh& mesh, double least_area = 0.5, int threads = 2, Walkability w = {}) {
  SurfaceOptions options;
  options.least_area = least_area;
  return walkableSurface(mesh, w, options, base::Threads(threads));
}

double groundArea(const Layer& layer) {
  double area = 0;
  for (const auto& t : layer.ground)
    area += geometry::signedArea({{t[0].x, t[0].y}, {t[1].x, t[1].y}, {t[2].x, t[2].y}});
  return area;
}

double wallLength(const Layer& layer) {
  double sum = 0;
  for (const Polyline& wall : layer.walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i) sum += length(wall.points[i] - wall.points[i - 1]);
  return sum;
}

/// Height of a layer's ground at a place; nothing where it has none.
std::optional<double> groundAt(const Layer& layer, Point p) {
  for (const auto& t : layer.ground) {
    if (std::max({t[0].x, t[1].x, t[2].x}) < p.x || std::min({t[0].x, t[1].x, t[2].x}) > p.x) continue;
    const Point a{t[0].x, t[0].y}, b{t[1].x, t[1].y}, c{t[2].x, t[2].y};
    const double area = det(b - a, c - a), u = det(p - a, c - a) / area, v = det(b - a, p - a) / area;
    if (u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9) return t[0].z + u * (t[1].z - t[0].z) + v * (t[2].z - t[0].z);
  }
  return std::nullopt;
}

const Layer& named(const WalkableSurface& s, const std::string& name) {
  return *std::find_if(s.layers.begin(), s.layers.end(), [&](const Layer& l) { return l.name == name; });
}

/// What holds of every surface.
void expectSound(const WalkableSurface& s) {
  std::set<std::string> names;
  double area = 0;
  for (const Layer& layer : s.layers) {
    EXPECT_TRUE(names.insert(layer.name).second) << layer.name;
    for (const Polygon& polygon : layer.walkable) {
      const auto problem = geometry::validity(polygon);
      EXPECT_FALSE(problem) << problem->message;
    }
    const double walkable = geometry::area(layer.walkable), merged = geometry::area(geometry::unionOf(layer.walkable));
    EXPECT_NEAR(merged, walkable, 1e-3 * walkable) << layer.name << " overlaps itself";
    EXPECT_NEAR(groundArea(layer), walkable, 1e-3 * walkable + 1e-3) << layer.name;
    area += groundArea(layer);
  }
  EXPECT_NEAR(s.statistics.area, area, 1e-6 * area);
  for (const Connection& c : s.connections) {
    EXPECT_EQ(c.from.a, c.to.a);
    EXPECT_EQ(c.from.b, c.to.b);
    const Layer &from = named(s, c.from_layer), &to = named(s, c.to_layer);
    if (length(c.from.b - c.from.a) < 0.05) continue;
    const Point middle = (c.from.a + c.from.b) * 0.5, n = perpendicular(normalized(c.from.b - c.from.a)) * 0.003;
    const bool left = geometry::contains(from.walkable, middle + n);
    EXPECT_NE(left, geometry::contains(from.walkable, middle - n)) << c.name;
    EXPECT_NE(left, geometry::contains(to.walkable, middle + n)) << c.name;
    EXPECT_EQ(left, geometry::contains(to.walkable, middle - n)) << c.name;
  }
}

/// Layers that can be reached from the first over connections.
std::size_t reached(const WalkableSurface& s) {
  std::set<std::string> there{s.layers.front().name};
  for (std::size_t i = 0; i < s.layers.size(); ++i)
    for (const Connection& c : s.connections)
      if (there.count(c.from_layer) + there.count(c.to_layer) == 1) there.insert({c.from_layer, c.to_layer});
  return there.size();
}

// --- by hand
// -----------------------------------------------------------------------------------------------------------

TEST(WalkableSurface, ABoxOnAPlaneIsAHole) {
  Mesh m;
  plate(m, 0, 0, 10, 10, 0);
  box(m, {4, 4, 0}, {6, 5, 1});
  const auto s = surfaceOf(m, 4);
  expectSound(s);
  ASSERT_EQ(s.layers.size(), 1u);
  ASSERT_EQ(s.layers[0].walkable.size(), 1u);
  EXPECT_EQ(s.layers[0].walkable[0].outer.size(), 4u);
  ASSERT_EQ(s.layers[0].walkable[0].holes.size(), 1u);
  EXPECT_EQ(s.layers[0].walkable[0].holes[0].size(), 4u);
  EXPECT_NEAR(geometry::area(s.layers[0].walkable), 98, 1e-2);
  EXPECT_NEAR(s.statistics.dropped_area, 2, 1e-2);
  EXPECT_TRUE(s.layers[0].walls.empty());
  EXPECT_EQ(s.layers[0].name, "ground");
}

TEST(WalkableSurface, AThinWallSeparates) {
  for (const double x : {5.0, 3.7}) {  // on the side that triangles of the floor share, and across them
    Mesh m;
    plate(m, 0, 0, 5, 10, 0);
    plate(m, 5, 0, 10, 10, 0);
    sheet(m, {x, 2}, {x, 8}, 0, 3);
    const auto s = surfaceOf(m);
    expectSound(s);
    ASSERT_EQ(s.layers.size(), 1u);
    EXPECT_NEAR(geometry::area(s.layers[0].walkable), 100, 1e-2);
    EXPECT_NEAR(wallLength(s.layers[0]), 6, 1e-2) << x;
    EXPECT_EQ(s.layers[0].walls.size(), 1u);
  }
}

TEST(WalkableSurface, AWallAcrossMakesTwoSurfaces) {
  Mesh m;
  plate(m, 0, 0, 10, 10, 0);
  sheet(m, {0, 4}, {10, 4}, 0.3, 3);  // begins exactly at step height
  EXPECT_NEAR(surfaceOf(m, 50).statistics.area, 60, 1e-2);
  Mesh low;
  plate(low, 0, 0, 10, 10, 0);
  sheet(low, {0, 4}, {10, 4}, 0, 0.3);  // stepped over
  sheet(low, {0, 6}, {10, 6}, 1.8, 3);  // passed below
  const auto s = surfaceOf(low, 50);
  EXPECT_NEAR(s.statistics.area, 100, 1e-2);
  EXPECT_TRUE(s.layers[0].walls.empty());
}

TEST(WalkableSurface, StairsLeadUp) {
  for (const double rise : {0.3, 0.31}) {
    Mesh m;
    plate(m, 0, 0, 4, 4, 0);
    for (int i = 1; i <= 10; ++i) {
      const double x = 4 + 0.3 * (i - 1);
      sheet(m, {x, 1}, {x, 3}, rise * (i - 1), rise * i);
      plate(m, x, 1, x + 0.3, 3, rise * i);
    }
    plate(m, 7, 0, 11, 4, 10 * rise);
    if (rise > 0.3) {
      EXPECT_THROW(surfaceOf(m, 20), InputError);
      continue;
    }
    const auto s = surfaceOf(m, 20);
    expectSound(s);
    ASSERT_EQ(s.layers.size(), 1u);
    EXPECT_NEAR(s.statistics.area, 16 + 6 + 16, 1e-2);
    EXPECT_TRUE(s.layers[0].walls.empty());
    EXPECT_NEAR(*groundAt(s.layers[0], {9, 2}), 3, 1e-6);
    EXPECT_NEAR(*groundAt(s.layers[0], {4.45, 2}), 0.6, 1e-6);
  }
}

TEST(WalkableSurface, ARampIsSteepOrNot) {
  for (const double height : {3.0, 4.5}) {
    Mesh m;
    plate(m, 0, 0, 5, 4, 0);
    ramp(m, 5, 10, 0, 4, 0, height);
    plate(m, 10, 0, 15, 4, height);
    const auto s = surfaceOf(m, 1);
    expectSound(s);
    ASSERT_EQ(s.layers.size(), 1u);
    EXPECT_NEAR(s.statistics.area, height < 4 ? 60 : 40, 1e-2);
    EXPECT_EQ(s.layers[0].walkable.size(), height < 4 ? 1u : 2u);
    EXPECT_NEAR(*groundAt(s.layers[0], {12, 2}), height, 1e-6);
  }
}

TEST(WalkableSurface, AKerbIsSteppedOverAndAQuayIsNot) {
  for (const double height : {0.15, 0.5}) {
    Mesh m;
    plate(m, 0, 0, 20, 10, 0);
    box(m, {0, 6, 0}, {20, 10, height});
    const auto s = surfaceOf(m, 1);
    expectSound(s);
    const bool kerb = height < 0.3;
    ASSERT_EQ(s.layers.size(), kerb ? 1u : 2u);  // separate surfaces at different heights do not share a layer
    EXPECT_NEAR(s.statistics.area, 200, 1e-2);
    EXPECT_NEAR(*groundAt(s.layers[kerb ? 0 : 1], {3, 8}), height, 1e-6);
    EXPECT_TRUE(s.layers[0].walls.empty());
    EXPECT_TRUE(s.connections.empty());
  }
}

TEST(WalkableSurface, AQuayReachedByARampHasAWall) {
  Mesh m;
  plate(m, 0, 0, 20, 10, 0);
  plate(m, 0, 10, 10, 14, 1);
  ramp(m, 10, 20, 10, 14, 1, 0);
  const auto s = surfaceOf(m, 1);
  expectSound(s);
  ASSERT_EQ(s.layers.size(), 1u);
  EXPECT_NEAR(s.statistics.area, 280, 1e-2);
  // Along the quay and the ramp down to where it is a step high.
  EXPECT_NEAR(wallLength(s.layers[0]), 17, 5e-3);
}

TEST(WalkableSurface, ABridgeIsASecondLayer) {
  const auto s = surfaceOf(bridge(), 4);
  expectSound(s);
  ASSERT_EQ(s.layers.size(), 2u);
  EXPECT_EQ(reached(s), 2u);
  ASSERT_EQ(s.connections.size(), 2u);
  for (const Connection& c : s.connections) EXPECT_NEAR(length(c.from.b - c.from.a), 3, 5e-3);
  EXPECT_NEAR(*groundAt(s.layers[0], {0, 0}), 0, 1e-9);
  EXPECT_NEAR(*groundAt(s.layers[1], {0, 0}), 3, 1e-9);
}

TEST(WalkableSurface, OnlyWhatHangsTogetherWithASeedIsKept) {
  Mesh m;
  plate(m, 0, 0, 20, 20, 0);
  box(m, {5, 5, 0}, {10, 10, 4});  // with a roof
  plate(m, 12, 12, 18, 18, 8);     // hangs in the air
  const base::Threads threads(1);
  const auto areaWith = [&](std::vector<SurfaceSeed> seeds) {
    SurfaceOptions options;
    options.seeds = std::move(seeds);
    double area = 0;
    for (const Layer& layer : walkableSurface(m, {}, options, threads).layers) area += geometry::area(layer.walkable);
    return area;
  };
  EXPECT_NEAR(areaWith({}), 400 + 25 + 36, 30);  // the floor in the box may or may not be there
  EXPECT_NEAR(areaWith({{{1, 1}, 0.0}}), 375, 1e-6);
  EXPECT_NEAR(areaWith({{{15, 15}, 7.9}}), 36, 1e-6);
  EXPECT_NEAR(areaWith({{{15, 15}, {}}}), 375 + 36, 1e-6);
  EXPECT_NEAR(areaWith({{{1, 1}, {}}, {{7, 7}, 4.0}}), 375 + 25, 1e-6);
}

TEST(WalkableSurface, ASpiralRampHasALayerPerTurn) {
  const auto s = surfaceOf(spiral(4), 4);
  expectSound(s);
  EXPECT_GE(s.layers.size(), 4u);
  EXPECT_LE(s.layers.size(), 5u);
  EXPECT_EQ(reached(s), s.layers.size());
  EXPECT_LE(s.connections.size(), 5u);
  for (const Connection& c : s.connections) EXPECT_NEAR(length(c.from.b - c.from.a), 2, 5e-3);
}

TEST(WalkableSurface, NobodyStandsUnderATableOrALowCeiling) {
  Mesh m;
  plate(m, 0, 0, 10, 10, 0);
  plate(m, 2, 2, 4, 3, 0.75);
  plate(m, 6, 0, 8, 10, 1.8);  // exactly a body high
  auto s = surfaceOf(m, 50);
  expectSound(s);
  EXPECT_NEAR(s.statistics.area, 98, 1e-2);
  Mesh slope;  // a ramp under a ceiling: as far as 1.8 m of height remain
  plate(slope, 0, 0, 5, 4, 0);
  ramp(slope, 5, 15, 0, 4, 0, 3);
  plate(slope, -1, -1, 16, 5, 3);
  s = surfaceOf(slope, 4);
  expectSound(s);
  EXPECT_NEAR(geometry::area(s.layers[1].walkable), 20 + 4 * 4, 2e-2);
}

TEST(WalkableSurface, CracksAndJunctionsClose) {
  Mesh m;
  plate(m, 0, 0, 5, 10, 0);
  plate(m, 5.0015, 0, 10, 3.3, 0);  // a crack, and corners beside a long side
  plate(m, 5.0015, 3.3005, 10, 7.1, 0.001);
  quad(m, {4.999, 7.1, 0}, {10, 7.101, 0}, {10, 10, 0}, {5.001, 10, 0});
  plate(m, 10.0007, 5, 12, 6, 0);
  const auto s = surfaceOf(m);
  expectSound(s);
  ASSERT_EQ(s.layers.size(), 1u);
  ASSERT_EQ(s.layers[0].walkable.size(), 1u);
  EXPECT_TRUE(s.layers[0].walkable[0].holes.empty());
  EXPECT_TRUE(s.layers[0].walls.empty());
  EXPECT_NEAR(s.statistics.area, 102, 0.05);
}

TEST(WalkableSurface, CopiesCountOnce) {
  Mesh m;
  plate(m, 0, 0, 10, 10, 0);
  plate(m, 0, 0, 10, 10, 0);
  plate(m, 3, 3, 12, 7, 0);
  plate(m, 5, 5, 6, 6, 0.01);  // a picture on the floor
  const auto s = surfaceOf(m);
  expectSound(s);
  ASSERT_EQ(s.layers.size(), 1u);
  EXPECT_NEAR(s.statistics.area, 108, 1e-2);
  EXPECT_TRUE(s.layers[0].walls.empty());
  ASSERT_EQ(s.layers[0].walkable.size(), 1u);
  EXPECT_EQ(s.layers[0].walkable[0].outer.size(), 8u);
  EXPECT_NEAR(*groundAt(s.layers[0], {5.5, 5.4}), 0.01, 1e-9);
}

TEST(WalkableSurface, HolesStayOpen) {
  Mesh m;
  plate(m, 0, 0, 10, 4, 0);
  plate(m, 0, 6, 10, 10, 0);
  plate(m, 0, 4, 4, 6, 0);
  plate(m, 6, 4, 10, 6, 0);
  const auto s = surfaceOf(m);
  expectSound(s);
  EXPECT_NEAR(s.statistics.area, 96, 1e-2);
  ASSERT_EQ(s.layers[0].walkable[0].holes.size(), 1u);
  EXPECT_EQ(s.layers[0].walkable[0].holes[0].size(), 4u);
}

TEST(WalkableSurface, NobodyWalksOnWater) {
  Mesh m;
  plate(m, 0, 0, 10, 10, 0);
  plate(m, 2, 2, 4, 4, 0);    // a pond drawn on the ground
  plate(m, 6, 6, 8, 8, 0.1);  // and one a hand's breadth above it
  m.materials = {{"stone", 0}, {"water", 0}};
  m.material = {0, 0, 1, 1, 1, 1};
  Walkability w;
  w.unwalkable_materials = {"water"};
  const auto s = surfaceOf(m, 0.5, 2, w);
  expectSound(s);
  EXPECT_NEAR(s.statistics.area, 92, 1e-2);
  EXPECT_EQ(s.layers[0].walkable[0].holes.size(), 2u);
}

TEST(WalkableSurface, MaterialsBecomeRegions) {
  // A lawn with a path across it and a bench on the path, and a bridge of wood over both.
  Mesh m;
  plate(m, 0, 0, 20, 4, 0);
  plate(m, 0, 6, 20, 10, 0);
  plate(m, 0, 4, 20, 6, 0);
  box(m, {9, 4.5, 0}, {11, 5.5, 1});
  const std::size_t on_the_ground = m.triangles.size();
  plate(m, 0, 2, 20, 8, 4);
  m.materials = {{"grass", 0}, {"gravel", 0}, {"wood", 0}};
  m.material.assign(m.triangles.size(), 2);
  for (std::size_t t = 0; t < on_the_ground; ++t) m.material[t] = t < 4 ? 0 : t < 6 ? 1 : 2;
  SurfaceOptions options;
  options.least_area = 3;
  options.regions = {{"grass", "lawn"}, {"wood", "deck"}};
  const WalkableSurface s = walkableSurface(m, {}, options, base::Threads(1));
  ASSERT_EQ(s.layers.size(), 2u);
  ASSERT_EQ(s.layers[0].regions.size(), 1u);
  EXPECT_EQ(s.layers[0].regions[0].type, "lawn");
  EXPECT_NEAR(geometry::area(s.layers[0].regions[0].area), 160, 1e-2);
  EXPECT_EQ(s.layers[0].regions[0].area.size(), 2u);
  EXPECT_TRUE(geometry::contains(s.layers[0].regions[0].area, {5, 2}));
  EXPECT_FALSE(geometry::contains(s.layers[0].regions[0].area, {5, 5}));
  ASSERT_EQ(s.layers[1].regions.size(), 1u);
  EXPECT_EQ(s.layers[1].regions[0].type, "deck");
  EXPECT_NEAR(geometry::area(s.layers[1].regions[0].area), 120, 1e-2);
  for (const Layer& layer : s.layers)
    for (const Region& region : layer.regions)
      for (const Polygon& polygon : region.area) EXPECT_FALSE(geometry::validity(polygon));
}

TEST(WalkableSurface, SaysWhatIsWrong) {
  Mesh m;
  EXPECT_THROW(surfaceOf(m), InputError);
  sheet(m, {0, 0}, {4, 0}, 0, 3);
  EXPECT_THROW(surfaceOf(m), InputError);  // no ground
  plate(m, 0, 0, 1, 1, 0);
  EXPECT_THROW(surfaceOf(m, 4), InputError);  // too little
  EXPECT_NO_THROW(surfaceOf(m, 0.5));
  Mesh bad = m;
  bad.vertices[2].x = std::nan("");
  EXPECT_THROW(surfaceOf(bad), InputError);
  bad = m, bad.triangles[0][1] = 1000;
  EXPECT_THROW(surfaceOf(bad), InputError);
  bad = m, bad.vertices[5].x = 3e6;
  EXPECT_THROW(surfaceOf(bad), InputError);  // wider than the grid
  Walkability w;
  w.step_height = 2;
  EXPECT_THROW(surfaceOf(m, 0.5, 1, w), InputError);
}

// --- against every triangle
// ----------------------------------------------------------------------------------------------

/// Asks all triangles, as they stand in the mesh.
class Asking {
 public:
  explicit Asking(const Mesh& mesh) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      Triangle t{mesh.corners(i), 0, false};
      const auto& [a, b, c] = t.at;
      const Point3 u{b.x - a.x, b.y - a.y, b.z - a.z}, v{c.x - a.x, c.y - a.y, c.z - a.z};
      const double nx = u.y * v.z - u.z * v.y, ny = u.z * v.x - u.x * v.z;
      t.up = u.x * v.y - u.y * v.x;
      const double size = std::sqrt(nx * nx + ny * ny + t.up * t.up);
      if (size < 1e-9) continue;
      t.flat = std::abs(t.up) >= std::cos(40 * base::kPi / 180) * size;
      (std::abs(t.up) < 1e-6 * size ? upright_ : triangles_).push_back(t);
    }
  }

  Asking() = default;
  /// Only what is near a place.
  Asking near(Point p) const {
    Asking few;
    const auto copy = [&](const std::vector<Triangle>& from, std::vector<Triangle>& to) {
      for (const Triangle& t : from) {
        const auto [x0, x1] = std::minmax({t.at[0].x, t.at[1].x, t.at[2].x});
        const auto [y0, y1] = std::minmax({t.at[0].y, t.at[1].y, t.at[2].y});
        if (x0 < p.x + 0.5 && x1 > p.x - 0.5 && y0 < p.y + 0.5 && y1 > p.y - 0.5) to.push_back(t);
      }
    };
    copy(triangles_, few.triangles_), copy(upright_, few.upright_);
    return few;
  }

  /// Heights at which somebody may stand, ascending.
  std::vector<double> standing(Point p) const {
    std::vector<std::pair<double, bool>> all;
    for (const Triangle& t : triangles_) {
      const Point a{t.at[0].x, t.at[0].y}, b{t.at[1].x, t.at[1].y}, c{t.at[2].x, t.at[2].y};
      const double u = det(p - a, c - a) / t.up, v = det(b - a, p - a) / t.up;
      if (u < 0 || v < 0 || u + v > 1) continue;
      all.emplace_back(t.at[0].z + u * (t.at[1].z - t.at[0].z) + v * (t.at[2].z - t.at[0].z), t.flat);
    }
    std::vector<double> heights;
    for (const auto& [z, flat] : all) {
      const bool in_the_way = std::any_of(all.begin(), all.end(), [&, h = z](const auto& o) {
        return (o.first > h + kStep && o.first < h + kBody) || (o.second && o.first > h + 1e-9 && o.first <= h + kStep);
      });
      if (flat && !in_the_way) heights.push_back(z);
    }
    std::sort(heights.begin(), heights.end());
    heights.erase(std::unique(heights.begin(), heights.end(), [](double s, double t) { return t - s < 1e-6; }),
                  heights.end());
    return heights;
  }

  /// Where somebody comes to who walks straight on from a height, if nothing stops them.
  std::optional<double> walk(Point from, Point to, double height) const {
    constexpr int kParts = 24;
    Point here = from;
    for (int i = 1; i <= kParts; ++i) {
      const Point there = from + (to - from) * (double(i) / kParts);
      std::optional<double> next;
      for (const double z : standing(there))
        if (std::abs(z - height) <= kStep) next = z;
      if (!next || sheetBetween(here, there, height) || sheetBetween(here, there, *next)) return std::nullopt;
      here = there, height = *next;
    }
    return height;
  }

 private:
  static constexpr double kStep = 0.3001, kBody = 1.7999;
  struct Triangle {
    std::array<Point3, 3> at;
    double up;
    bool flat;
  };

  bool sheetBetween(Point p, Point q, double height) const {
    for (const Triangle& t : upright_) {
      double low = 1e9, high = -1e9;  // where the line crosses the three sides
      for (std::size_t i = 0; i < 3; ++i) {
        const Point3 &a = t.at[i], &b = t.at[(i + 1) % 3];
        const Point side{b.x - a.x, b.y - a.y}, start = p - Point{a.x, a.y};
        const double across = det(side, q - p);
        if (across == 0) continue;
        const double along = det(start, q - p) / across, on_line = det(start, side) / across;
        if (along < 0 || along > 1 || on_line < 0 || on_line > 1) continue;
        low = std::min(low, a.z + along * (b.z - a.z)), high = std::max(high, a.z + along * (b.z - a.z));
      }
      if (high > height + kStep && low < height + kBody) return true;
    }
    return false;
  }

  std::vector<Triangle> triangles_, upright_;
};

/// All that a layer draws: borders and walls.
std::vector<Segment> linesOf(const Layer& layer) {
  std::vector<Segment> lines;
  const auto ring = [&](const Ring& r) {
    for (std::size_t i = 0; i < r.size(); ++i) lines.push_back({r[i], r[(i + 1) % r.size()]});
  };
  for (const Polygon& polygon : layer.walkable) {
    ring(polygon.outer);
    std::for_each(polygon.holes.begin(), polygon.holes.end(), ring);
  }
  for (const Polyline& wall : layer.walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i) lines.push_back({wall.points[i - 1], wall.points[i]});
  return lines;
}

bool nearLine(const std::vector<Segment>& lines, Point p, double distance) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const Segment& l) { return geometry::distanceToSegment(p, l.a, l.b) < distance; });
}

struct Compared {
  int places = 0, walks = 0, stopped = 0;
  int needless = 0;  ///< met a line that stops nobody: where layers meet, or past a corner between two paces
};

/// The same heights at random places, and walls wherever somebody who walks a little way is stopped.
Compared compare(const Mesh& mesh, const WalkableSurface& s, std::uint64_t seed, int count) {
  const Asking all_asking(mesh);
  base::Random random(seed);
  Rectangle all{{1e9, 1e9}, {-1e9, -1e9}};
  for (const Point3& v : mesh.vertices) {
    all.min = {std::min(all.min.x, v.x), std::min(all.min.y, v.y)};
    all.max = {std::max(all.max.x, v.x), std::max(all.max.y, v.y)};
  }
  std::vector<std::vector<Segment>> lines;
  for (const Layer& layer : s.layers) lines.push_back(linesOf(layer));
  constexpr double kBeside = 0.005;  // m
  Compared done;
  for (int i = 0; i < count; ++i) {
    const Point p{random.uniform(all.min.x, all.max.x), random.uniform(all.min.y, all.max.y)};
    const Point q = p + Point{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)};
    if (std::any_of(lines.begin(), lines.end(), [&](const auto& l) { return nearLine(l, p, kBeside); })) continue;
    const Asking asking = all_asking.near(p);
    std::vector<double> heights;
    for (std::size_t k = 0; k < s.layers.size(); ++k) {
      if (!geometry::contains(s.layers[k].walkable, p)) continue;
      const auto height = groundAt(s.layers[k], p);
      if (!height) ADD_FAILURE() << fmt::format("no ground at ({}, {}) of {}", p.x, p.y, s.layers[k].name);
      heights.push_back(height.value_or(-1e9));
      if (nearLine(lines[k], q, kBeside) || !geometry::contains(s.layers[k].walkable, q)) continue;
      const bool wall = std::any_of(lines[k].begin(), lines[k].end(),
                                    [&](const Segment& l) { return geometry::segmentsIntersect(p, q, l.a, l.b); });
      const auto end = asking.walk(p, q, heights.back());
      const bool same = end && std::abs(*end - groundAt(s.layers[k], q).value_or(-1e9)) < 0.003;
      ++done.walks, done.stopped += wall, done.needless += wall && same;
      // Who is stopped meets a line. Who is not meets one at most because layers meet there.
      EXPECT_TRUE(same || wall) << fmt::format("({}, {}) to ({}, {}) on {}", p.x, p.y, q.x, q.y, s.layers[k].name);
    }
    std::sort(heights.begin(), heights.end());
    const std::vector<double> expected = asking.standing(p);
    bool equal = heights.size() == expected.size();
    for (std::size_t k = 0; equal && k < heights.size(); ++k) equal = std::abs(heights[k] - expected[k]) < 0.003;
    EXPECT_TRUE(equal) << fmt::format("at ({}, {}): {} instead of {} heights", p.x, p.y, heights.size(),
                                      expected.size());
    ++done.places;
  }
  return done;
}

/// Uneven ground with boxes, sheets and ramps anywhere, standing, flying and through one another.
Mesh jumble(std::uint64_t seed) {
  base::Random random(seed);
  Mesh m;
  constexpr int kSide = 6;
  const double rough = random.uniform(0, 0.8);
  for (int y = 0; y <= kSide; ++y)
    for (int x = 0; x <= kSide; ++x) m.vertices.push_back({2.5 * x, 2.5 * y, random.uniform(-rough, rough)});
  for (std::uint32_t y = 0; y < kSide; ++y)
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const std::uint32_t a = y * (kSide + 1) + x, b = a + kSide + 1;
      m.triangles.push_back({a, a + 1, b + 1});
      m.triangles.push_back({a, b + 1, b});
    }
  const auto place = [&] { return Point{random.uniform(-1, 15), random.uniform(-1, 15)}; };
  for (int i = 0; i < 7; ++i) {
    const Point a = place();
    const double z = random.uniform(-1, 2.5);
    box(m, {a.x, a.y, z}, {a.x + random.uniform(0.05, 4), a.y + random.uniform(0.05, 4), z + random.uniform(0.05, 3)});
  }
  for (int i = 0; i < 4; ++i) {
    const double z = random.uniform(-1, 1.5);
    sheet(m, place(), place(), z, z + random.uniform(0.1, 3));
  }
  for (int i = 0; i < 3; ++i) {
    const Point a = place();
    ramp(m, a.x, a.x + random.uniform(2, 6), a.y, a.y + random.uniform(0.5, 3), random.uniform(-1, 1),
         random.uniform(0, 3));
  }
  for (int i = 0; i < 3; ++i) {  // and triangles anyhow
    const auto n = static_cast<std::uint32_t>(m.vertices.size());
    for (int k = 0; k < 3; ++k) m.vertices.push_back({place().x, place().y, random.uniform(-1, 3)});
    m.triangles.push_back({n, n + 1, n + 2});
  }
  return m;
}

TEST(WalkableSurfaceProperty, AgreesWithEveryTriangleOfJumbles) {
  Compared sum;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(fmt::format("jumble {}", seed));
    const Mesh mesh = jumble(seed);
    const auto s = surfaceOf(mesh, 0);
    expectSound(s);
    const Compared done = compare(mesh, s, seed, 300);
    sum.places += done.places, sum.walks += done.walks, sum.stopped += done.stopped, sum.needless += done.needless;
  }
  fmt::print("{} places, {} walks of which {} met a line, {} for nothing\n", sum.places, sum.walks, sum.stopped,
             sum.needless);
  EXPECT_LT(sum.needless, 0.2 * sum.stopped);
  EXPECT_GT(sum.places, 6500);
  EXPECT_GT(sum.stopped, 90);
}

TEST(WalkableSurfaceProperty, AgreesWithEveryTriangleOfMeshes) {
  for (const char* name : {"nav_test.obj", "dungeon.obj"}) {
    SCOPED_TRACE(name);
    const Mesh mesh = readObj(dataFolder() / "meshes" / name);
    if (mesh.triangles.empty()) GTEST_SKIP() << "no mesh " << (dataFolder() / "meshes" / name);
    const auto s = surfaceOf(mesh, 0);
    expectSound(s);
    const Compared done = compare(mesh, s, 7, 1000);
    fmt::print("{}: {} triangles, {} layers, {} connections, {:.0f} m2; {} places, {} walks\n", name,
               mesh.triangles.size(), s.layers.size(), s.connections.size(), s.statistics.area, done.places,
               done.walks);
    EXPECT_GT(done.places, 900);
  }
}

TEST(WalkableSurfaceProperty, ThreadsChangeNothing) {
  const Mesh mesh = jumble(3);
  const auto one = surfaceOf(mesh, 0, 1), four = surfaceOf(mesh, 0, 4);
  ASSERT_EQ(one.layers.size(), four.layers.size());
  for (std::size_t i = 0; i < one.layers.size(); ++i) {
    EXPECT_EQ(one.layers[i].ground, four.layers[i].ground);
    EXPECT_EQ(geometry::toWkt(one.layers[i].walkable), geometry::toWkt(four.layers[i].walkable));
    EXPECT_EQ(one.layers[i].walls.size(), four.layers[i].walls.size());
  }
  ASSERT_EQ(one.connections.size(), four.connections.size());
  for (std::size_t i = 0; i < one.connections.size(); ++i)
    EXPECT_EQ(one.connections[i].from.a, four.connections[i].from.a);
}

}  // namespace
}  // namespace throng::import
