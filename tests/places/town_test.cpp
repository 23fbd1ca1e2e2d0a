// Made-up places in three dimensions: size and numbers, clean ground, and that a body gets everywhere and nowhere else,
// by an independent search over the triangles.
#include "places/town.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace throng::places {
namespace {

using town::Cell;
using town::Plan;

constexpr std::uint64_t kTownSeeds[] = {1, 2, 3};
constexpr double kStep = 0.3, kTall = 1.8, kBody = 0.25;  // m

struct Range {
  double low = 1e9, high = -1e9;
  void add(double v) { low = std::min(low, v), high = std::max(high, v); }
};

struct Bounds {
  Range x, y, z;
};

Bounds boundsOf(const Mesh& mesh) {
  Bounds b;
  for (const auto& v : mesh.vertices) b.x.add(v.x), b.y.add(v.y), b.z.add(v.z);
  return b;
}

Point3 cross(const Point3& a, const Point3& b, const Point3& c) {
  const Point3 u{b.x - a.x, b.y - a.y, b.z - a.z}, v{c.x - a.x, c.y - a.y, c.z - a.z};
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

/// Rise over run of a triangle's plane; huge for walls.
double slopeOf(const std::array<Point3, 3>& t) {
  const Point3 n = cross(t[0], t[1], t[2]);
  return std::sqrt(n.x * n.x + n.y * n.y) / std::max(std::abs(n.z), 1e-12);
}

/// Least distance in plan of p to the part of a triangle between two heights; huge when there is none.
double distanceInSlab(const std::array<Point3, 3>& t, Point p, double low, double high) {
  std::vector<Point3> part(t.begin(), t.end());
  for (const double sign : {1.0, -1.0}) {
    const double limit = sign > 0 ? low : -high;
    std::vector<Point3> kept;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Point3 a = part[i], b = part[(i + 1) % part.size()];
      const double da = sign * a.z - limit, db = sign * b.z - limit;
      if (da >= 0) kept.push_back(a);
      if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
        const double s = da / (da - db);
        kept.push_back({a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s, a.z + (b.z - a.z) * s});
      }
    }
    part = std::move(kept);
  }
  double least = 1e9;
  bool inside = part.size() > 2;
  double turn = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Point a = inPlan(part[i]), b = inPlan(part[(i + 1) % part.size()]), ab = b - a;
    const double share = dot(ab, ab) > 0 ? std::clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0) : 0;
    least = std::min(least, length(p - a - ab * share));
    const double side = det(ab, p - a);
    if (side * turn < 0) inside = false;
    if (side != 0) turn = side;
  }
  return inside && turn != 0 ? 0 : least;
}

/// Triangles by squares of 4 m.
class Ground {
 public:
  static constexpr double kSquare = 4;

  /// `only`: the parts that count; all of them when empty.
  explicit Ground(const Mesh& mesh, const std::set<std::string>& only = {}) : mesh_(mesh) {
    const Bounds b = boundsOf(mesh);
    wide_ = static_cast<int>(b.x.high / kSquare) + 1, deep_ = static_cast<int>(b.y.high / kSquare) + 1;
    squares_.resize(static_cast<std::size_t>(wide_ * deep_));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      if (!only.empty() && only.count(mesh.objects[mesh.object[t]]) == 0) continue;
      Range x, y;
      for (const auto& c : mesh.corners(t)) x.add(c.x), y.add(c.y);
      for (int j = row(y.low - kBody); j <= row(y.high + kBody); ++j) {
        for (int i = column(x.low - kBody); i <= column(x.high + kBody); ++i) {
          squares_[static_cast<std::size_t>(j * wide_ + i)].push_back(t);
        }
      }
    }
  }

  const std::vector<std::size_t>& near(Point p) const {
    return squares_[static_cast<std::size_t>(row(p.y) * wide_ + column(p.x))];
  }

  /// Heights of what is flat enough to stand on at p, from below; water is not.
  std::vector<double> floors(Point p) const {
    std::vector<double> found;
    for (const std::size_t t : near(p)) {
      const auto c = mesh_.corners(t);
      if (mesh_.materials[mesh_.material[t]].name == "water" || slopeOf(c) > 0.84) continue;
      const Point3 n = cross(c[0], c[1], c[2]);
      bool inside = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const Point a = inPlan(c[k]), b = inPlan(c[(k + 1) % 3]);
        if (det(b - a, p - a) * n.z < 0) inside = false;
      }
      if (inside) found.push_back(c[0].z - (n.x * (p.x - c[0].x) + n.y * (p.y - c[0].y)) / n.z);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  bool free(Point p, double floor) const {
    return std::all_of(near(p).begin(), near(p).end(), [&](std::size_t t) {
      return distanceInSlab(mesh_.corners(t), p, floor + kStep, floor + kTall) >= kBody;
    });
  }

 private:
  int column(double x) const { return std::clamp(static_cast<int>(x / kSquare), 0, wide_ - 1); }
  int row(double y) const { return std::clamp(static_cast<int>(y / kSquare), 0, deep_ - 1); }

  const Mesh& mesh_;
  int wide_ = 0, deep_ = 0;
  std::vector<std::vector<std::size_t>> squares_;
};

/// Where a body gets from a place, on a raster of 1 m, floor by floor.
struct Walk {
  struct Spot {
    Point at;
    double z;
    bool reached = false;
  };
  std::vector<Spot> spots;
  int wide, deep;
  std::vector<std::vector<std::size_t>> at;  ///< spots of every square metre

  Walk(const Mesh& mesh, const Place& from) {
    const Ground ground(mesh);
    const Bounds b = boundsOf(mesh);
    wide = static_cast<int>(b.x.high), deep = static_cast<int>(b.y.high);
    at.resize(static_cast<std::size_t>(wide * deep));
    for (int j = 0; j < deep; ++j) {
      for (int i = 0; i < wide; ++i) {
        const Point p{i + 0.517, j + 0.483};
        for (const double z : ground.floors(p)) {
          if (!ground.free(p, z)) continue;
          at[static_cast<std::size_t>(j * wide + i)].push_back(spots.size());
          spots.push_back({p, z});
        }
      }
    }
    std::vector<std::size_t> open;
    const auto visit = [&](int i, int j, double z, double apart) {
      if (i < 0 || j < 0 || i >= wide || j >= deep) return;
      for (const std::size_t s : at[static_cast<std::size_t>(j * wide + i)]) {
        if (spots[s].reached || std::abs(spots[s].z - z) > apart) continue;
        spots[s].reached = true;
        open.push_back(s);
      }
    };
    visit(static_cast<int>(from.at.x), static_cast<int>(from.at.y), *from.z, 0.3);
    while (!open.empty()) {
      const Spot spot = spots[open.back()];
      open.pop_back();
      // Stairs climb half a metre on a metre.
      const int i = static_cast<int>(spot.at.x), j = static_cast<int>(spot.at.y);
      for (const auto& [di, dj] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) visit(i + di, j + dj, spot.z, 0.66);
    }
  }

  /// Has somebody been there, or a metre off?
  bool reaches(Point p, double z, double apart) const {
    for (int j = static_cast<int>(p.y) - 1; j <= static_cast<int>(p.y) + 1; ++j) {
      for (int i = static_cast<int>(p.x) - 1; i <= static_cast<int>(p.x) + 1; ++i) {
        for (const std::size_t s : at[static_cast<std::size_t>(j * wide + i)]) {
          if (spots[s].reached && std::abs(spots[s].z - z) < apart) return true;
        }
      }
    }
    return false;
  }
  bool reaches(const Place& place) const { return reaches(place.at, *place.z, 0.3); }
};

void expectSound(const Mesh& mesh) {
  ASSERT_EQ(mesh.material.size(), mesh.triangles.size());
  ASSERT_EQ(mesh.object.size(), mesh.triangles.size());
  for (const auto& v : mesh.vertices) {
    for (const double c : {v.x, v.y, v.z}) {
      ASSERT_TRUE(std::isfinite(c));
      ASSERT_EQ(c, std::floor(c * 1000 + 0.5) / 1000) << "not a whole millimetre";
    }
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = mesh.corners(t);
    const Point3 n = cross(c[0], c[1], c[2]);
    ASSERT_GT(n.x * n.x + n.y * n.y + n.z * n.z, 1e-16) << t;
    ASSERT_LT(mesh.material[t], mesh.materials.size());
    ASSERT_LT(mesh.object[t], mesh.objects.size());
  }
}

/// A body can stand anywhere in a place.
void expectClear(const Ground& ground, const Place& place) {
  for (double y = -place.radius; y <= place.radius; y += 0.4) {
    for (double x = -place.radius; x <= place.radius; x += 0.4) {
      const Point p = place.at + Point{x, y};
      if (x * x + y * y > place.radius * place.radius) continue;
      const auto floors = ground.floors(p);
      const bool free = std::any_of(floors.begin(), floors.end(),
                                    [&](double z) { return std::abs(z - *place.z) < 1.5 && ground.free(p, z); });
      EXPECT_TRUE(free) << place.name << " " << p.x << " " << p.y;
    }
  }
}

TEST(Town, HasSizePlacesAndSoundTriangles) {
  for (const auto seed : kTownSeeds) {
    SCOPED_TRACE(seed);
    const Scene place = generatePlace("town", seed);
    ASSERT_TRUE(place.mesh);
    EXPECT_TRUE(place.layers.empty());
    const Mesh& mesh = *place.mesh->mesh;
    expectSound(mesh);
    EXPECT_GT(mesh.triangles.size(), 36'000u);
    EXPECT_LT(mesh.triangles.size(), 100'000u);
    const Bounds b = boundsOf(mesh);
    EXPECT_EQ(b.x.low, 0);
    EXPECT_EQ(b.x.high, 630);
    EXPECT_EQ(b.y.low, 0);
    EXPECT_EQ(b.y.high, 430);
    EXPECT_GT(b.z.low, -5);
    EXPECT_LT(b.z.high, 70);
    std::set<std::string> names;
    const Ground ground(mesh);
    ASSERT_EQ(place.places.size(), 8u);
    for (const auto& p : place.places) {
      names.insert(p.name);
      EXPECT_GE(p.radius, 8);
      EXPECT_LE(p.radius, 12);
      expectClear(ground, p);
    }
    EXPECT_EQ(names.size(), 8u);
  }
}

TEST(Town, IsTheSameForTheSameSeedOnly) {
  const auto one = generatePlace("town", 1).mesh->mesh, again = generatePlace("town", 1).mesh->mesh,
             other = generatePlace("town", 2).mesh->mesh;
  EXPECT_TRUE(one->vertices == again->vertices && one->triangles == again->triangles &&
              one->material == again->material && one->object == again->object);
  EXPECT_FALSE(one->vertices == other->vertices);
}

TEST(Town, HasOneGroundEverywhereOutsideHouses) {
  for (const auto seed : kTownSeeds) {
    SCOPED_TRACE(seed);
    town::Town town(seed);
    town::landmarks(town);
    town::houses(town);
    town::ground(town);
    const Plan& plan = town.plan;
    const Mesh mesh = town.mesh.take();
    const Ground ground(mesh, {"ground", "stairs"});
    base::Random random(seed);
    for (int j = 0; j < plan.rows(); ++j) {
      for (int i = 0; i < plan.columns(); ++i) {
        const Cell cell = plan.cell(i, j);
        for (int k = 0; k < 4; ++k) {
          const double u = i + random.uniform(0.01, 0.99), v = j + random.uniform(0.01, 0.99);
          const Point p = plan.pointAt(u, v);
          if (cell == Cell::kWater) continue;
          Range z;
          for (int n = 0; n < 4; ++n) z.add(plan.cornerZ(i, j, i + (n & 1), j + (n >> 1)));
          if (cell == Cell::kTowSteps) z.high = town::kKerb;
          if (cell == Cell::kRound) z.low -= 0.5, z.high += 0.5;
          const auto floors = ground.floors(p);
          const auto here = std::count_if(floors.begin(), floors.end(),
                                          [&](double f) { return f > z.low - 0.01 && f < z.high + 0.01; });
          if (cell == Cell::kRound && here == 0) continue;  // in the hole
          EXPECT_EQ(here, cell == Cell::kBuilt ? 0 : 1) << p.x << " " << p.y << " cell " << static_cast<int>(cell);
        }
      }
    }
  }
}

TEST(Town, HasGentleStreetsAndStairs) {
  const std::set<std::string> streets = {"asphalt", "pavement", "cobbles", "plaza", "quay", "lawn", "gravel"};
  for (const auto seed : kTownSeeds) {
    SCOPED_TRACE(seed);
    const auto mesh = generatePlace("town", seed).mesh->mesh;
    double steepest = 0, highest = 0;
    std::size_t risers = 0;
    for (std::size_t t = 0; t < mesh->triangles.size(); ++t) {
      const auto c = mesh->corners(t);
      const std::string &object = mesh->objects[mesh->object[t]], &material = mesh->materials[mesh->material[t]].name;
      Range z;
      for (const auto& corner : c) z.add(corner.z);
      if (object == "ground" && streets.count(material) != 0) steepest = std::max(steepest, slopeOf(c));
      if (object == "stairs" && material == "steps" && slopeOf(c) > 10) {
        ++risers;
        highest = std::max(highest, z.high - z.low);
      }
    }
    EXPECT_LE(steepest, 0.102);
    EXPECT_GT(risers, 2u * 30);
    EXPECT_LE(highest, 0.18);
  }
}

TEST(Town, LetsABodyWalkEverywhereAndNotOut) {
  const Scene place = generatePlace("town", 1);
  const Walk walk(*place.mesh->mesh, place.places[0]);
  for (const auto& p : place.places) EXPECT_TRUE(walk.reaches(p)) << p.name;
  town::Town town(1);
  town::landmarks(town);
  const Plan& plan = town.plan;
  for (int j = 0; j < plan.rows(); ++j) {
    for (int i = 0; i < plan.columns(); ++i) {
      const Cell cell = plan.cell(i, j);
      if (cell == Cell::kBuilt || cell == Cell::kWater || cell == Cell::kRound) continue;
      const double z = (plan.cornerZ(i, j, i, j) + plan.cornerZ(i, j, i + 1, j + 1)) / 2;
      const Point p = plan.pointAt(i + 0.5, j + 0.5);
      const double apart = cell == Cell::kSteps || cell == Cell::kTowSteps ? 2 : 0.7;
      EXPECT_TRUE(walk.reaches(p, z, apart)) << p.x << " " << p.y << " cell " << static_cast<int>(cell);
    }
  }
  std::size_t reached = 0, under = 0;
  const Walk::Spot* last = nullptr;
  for (const auto& s : walk.spots) {
    if (!s.reached) continue;
    ++reached;
    EXPECT_TRUE(s.at.x > 10 && s.at.x < 620 && s.at.y > 10 && s.at.y < 420) << s.at.x << " " << s.at.y;
    // Stairs reach their upper end before the hillside does; nobody is on a roof.
    EXPECT_LT(s.z, plan.heightAt(s.at) + 2.5) << s.at.x << " " << s.at.y;
    if (last && last->at == s.at) ++under;
    last = &s;
  }
  EXPECT_GT(reached, 110'000u);
  EXPECT_GT(under, 50u) << "the towpath under the bridge";
}

TEST(PlanetEight, IsAnEightOfThePublishedSize) {
  const Scene place = generatePlace("planet-eight", 1);
  const Mesh& mesh = *place.mesh->mesh;
  expectSound(mesh);
  EXPECT_EQ(mesh.triangles.size(), 768u);
  const Bounds b = boundsOf(mesh);
  EXPECT_NEAR(b.x.high - b.x.low, 175, 0.01);
  EXPECT_NEAR(b.y.high - b.y.low, 90, 0.01);
  const auto floors = Ground(mesh).floors({87.6, 45.1});
  ASSERT_EQ(floors.size(), 4u) << "two roads with their undersides";
  EXPECT_GT(floors[2] - floors[1], kTall + 1);
  ASSERT_EQ(place.places.size(), 2u);
  EXPECT_TRUE(Walk(mesh, place.places[0]).reaches(place.places[1]));
}

TEST(Itranarium, HasThePublishedSizeAndManyWays) {
  for (const auto seed : kTownSeeds) {
    SCOPED_TRACE(seed);
    const Scene place = generatePlace("itranarium", seed);
    const Mesh& mesh = *place.mesh->mesh;
    expectSound(mesh);
    EXPECT_NEAR(static_cast<double>(mesh.triangles.size()), 20646, 206);
    const Bounds b = boundsOf(mesh);
    EXPECT_EQ(b.x.low, 0);
    EXPECT_EQ(b.x.high, 80);
    EXPECT_EQ(b.y.low, 0);
    EXPECT_EQ(b.y.high, 80);
    ASSERT_EQ(place.places.size(), 2u);
    const Ground ground(mesh);
    for (const auto& p : place.places) expectClear(ground, p);
    const Walk walk(mesh, place.places[0]);
    EXPECT_TRUE(walk.reaches(place.places[1]));
    EXPECT_GT(std::count_if(walk.spots.begin(), walk.spots.end(), [](const auto& s) { return s.reached; }), 3000);
  }
}

}  // namespace
}  // namespace throng::places
