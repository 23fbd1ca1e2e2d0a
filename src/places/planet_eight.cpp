// "planet-eight": 175 m × 90 m, 768 triangles, the size and complexity of the environment Planet Eight in YERSIN 2009,
// Table 3.2: one road in the shape of an 8 that crosses over itself.
#include <algorithm>
#include <array>
#include <cmath>

#include "places/generate.h"
#include "places/mesh_builder.h"

namespace throng::places {
namespace {

constexpr double kLength = 175, kWidth = 90;   // m
constexpr double kRoadHalf = 10;               // m
constexpr double kClimb = 4;                   // m above and below the middle height
constexpr double kSlab = 0.5, kParapet = 1.1;  // m
constexpr int kPieces = 64, kLanes = 3;        // 64 × (3 lanes, 1 underside, 2 parapets) × 2 triangles = 768

/// Gerono's lemniscate: the middle of the road and its left, as seen by who goes along it.
struct Frame {
  Point at, left;
  double z;
};

Frame frameAt(double angle, Point half, double turn) {
  const Point once = unitAt(angle), twice = unitAt(2 * angle), lift = unitAt(angle + turn);
  const Point along = normalized(Point{-half.x * once.y, 2 * half.y * twice.x});
  return {{half.x * once.x, half.y * twice.y}, perpendicular(along), kClimb * (1 + lift.y)};
}

/// Half sizes of the road's middle line, so that its outer edges just reach the size wanted.
Point middleLine(double turn) {
  Point half{kLength / 2 - kRoadHalf, kWidth / 2 - kRoadHalf};
  for (int round = 0; round < 40; ++round) {
    Point reach;
    for (int k = 0; k < kPieces; ++k) {
      const Frame f = frameAt(2 * base::kPi * k / kPieces, half, turn);
      for (const double side : {-kRoadHalf, kRoadHalf}) {
        const Point p = f.at + f.left * side;
        reach = {std::max(reach.x, std::abs(p.x)), std::max(reach.y, std::abs(p.y))};
      }
    }
    half += Point{kLength / 2 - reach.x, kWidth / 2 - reach.y};
  }
  return half;
}

}  // namespace

Scene planetEight(std::uint64_t seed) {
  base::Random random(seed, 0x8);
  const double turn = random.uniform(-0.15, 0.15);  // where along the road its highest point is
  MeshBuilder mesh;
  const auto road = mesh.material("road", 0xc3b291), edge = mesh.material("parapet", 0x8f7f6b),
             under = mesh.material("underside", 0x756a5e);
  mesh.object("road");
  const Point half = middleLine(turn), centre{kLength / 2, kWidth / 2};
  const auto at = [&](int piece, double lane, double lift) {  // lane: from the right edge, 0 … kLanes
    const Frame f = frameAt(2 * base::kPi * (piece % kPieces) / kPieces, half, turn);
    return above(centre + f.at + f.left * (kRoadHalf * (2 * lane / kLanes - 1)), f.z + lift);
  };
  for (int k = 0; k < kPieces; ++k) {
    mesh.object("road");
    for (int lane = 0; lane < kLanes; ++lane) {
      mesh.quad(at(k, lane, 0), at(k + 1, lane, 0), at(k + 1, lane + 1, 0), at(k, lane + 1, 0), road);
    }
    mesh.quad(at(k, kLanes, -kSlab), at(k + 1, kLanes, -kSlab), at(k + 1, 0, -kSlab), at(k, 0, -kSlab), under);
    mesh.object("parapets");
    mesh.quad(at(k, 0, -kSlab), at(k + 1, 0, -kSlab), at(k + 1, 0, kParapet), at(k, 0, kParapet), edge);
    mesh.quad(at(k + 1, kLanes, -kSlab), at(k, kLanes, -kSlab), at(k, kLanes, kParapet), at(k + 1, kLanes, kParapet),
              edge);
  }
  std::vector<Place> places;
  for (const bool east : {false, true}) {
    const Point3 p = at(east ? 0 : kPieces / 2, kLanes / 2.0, 0);
    Place end;
    end.name = east ? "east end" : "west end";
    end.at = toMillimetres(inPlan(p));
    end.z = std::floor(p.z * 1000 + 0.5) / 1000;
    end.radius = 7;
    places.push_back(end);
  }
  return sceneOf(mesh.take(), std::move(places));
}

}  // namespace throng::places
