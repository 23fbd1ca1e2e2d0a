// "itranarium": 80 m × 80 m, 20,646 triangles, the size and complexity of the environment Itranarium in YERSIN 2009,
// Table 3.2. A glasshouse with rooms, and gardens around it, full of things to walk around.
#include <algorithm>
#include <array>
#include <cmath>

#include "places/generate.h"
#include "places/mesh_builder.h"

namespace throng::places {
namespace {

using base::Random;

constexpr double kHallSide = 80;                                    // m
constexpr std::size_t kTriangles = 20646;                           // as published; met to within one thing
constexpr double kWest = 12, kEast = 56, kSouth = 26, kNorth = 70;  // m, of the glasshouse
constexpr double kWallHigh = 3.2, kWallHalf = 0.15;                 // m
constexpr double kGap = 1.3;                                        // m that things keep apart

using Profile = std::vector<std::array<double, 2>>;  // radius and height, from below

class Gardens {
 public:
  explicit Gardens(std::uint64_t seed) : random_(seed, 0x17a) {}

  Scene built() {
    place("entrance", {66, 12});
    place("palm room", {34, 48});
    ground();
    walls();
    glasshouse();
    scatter();
    return sceneOf(mesh_.take(), std::move(places_));
  }

 private:
  struct Disc {
    Point middle;
    double radius;
  };

  void place(const char* name, Point at) {
    Place p;
    p.name = name;
    p.at = at;
    p.z = 0;
    p.radius = 3;
    places_.push_back(p);
    taken_.push_back({at, 4});
  }

  static bool indoors(Point p) { return p.x > kWest && p.x < kEast && p.y > kSouth && p.y < kNorth; }

  void ground() {
    mesh_.object("ground");
    constexpr double kCell = 2;
    for (double y = 0; y < kHallSide; y += kCell) {
      for (double x = 0; x < kHallSide; x += kCell) {
        const Point middle{x + kCell / 2, y + kCell / 2};
        const bool path = std::abs(middle.x - 66) < 3 || std::abs(middle.y - 12) < 3;
        const auto material = indoors(middle) ? tiles_ : path ? gravel_ : lawn_;
        mesh_.quad(above({x, y}, 0), above({x + kCell, y}, 0), above({x + kCell, y + kCell}, 0),
                   above({x, y + kCell}, 0), material);
      }
    }
  }

  void wall(Point a, Point b, double high, std::uint32_t material) {
    mesh_.box((a + b) / 2.0, normalized(b - a), length(b - a) / 2, kWallHalf, 0, high, material, stone_);
    const double pieces = std::ceil(length(b - a));
    for (double k = 0; k <= pieces; ++k) taken_.push_back({a + (b - a) * (k / pieces), 0.6});
  }

  /// From a to b with doorways of 3 m at the given places.
  void wallWithDoors(Point a, Point b, const std::vector<double>& doors, double high, std::uint32_t material) {
    const Point along = normalized(b - a);
    double from = 0;
    for (const double door : doors) {
      wall(a + along * from, a + along * (door - 1.5), high, material);
      taken_.push_back({a + along * door, 2.5});
      from = door + 1.5;
    }
    wall(a + along * from, b, high, material);
  }

  void walls() {
    mesh_.object("garden wall");
    constexpr double kIn = kWallHalf;
    wall({0, kIn}, {kHallSide, kIn}, 2.5, brick_);
    wall({0, kHallSide - kIn}, {kHallSide, kHallSide - kIn}, 2.5, brick_);
    wall({kIn, 2 * kIn}, {kIn, kHallSide - 2 * kIn}, 2.5, brick_);
    wall({kHallSide - kIn, 2 * kIn}, {kHallSide - kIn, kHallSide - 2 * kIn}, 2.5, brick_);
  }

  /// Outer walls with doorways on all sides, rooms within, and ribs of a glass roof.
  void glasshouse() {
    mesh_.object("glasshouse");
    wallWithDoors({kWest, kSouth}, {kEast, kSouth}, {7, 22, 37}, kWallHigh, stone_);
    wallWithDoors({kWest, kNorth}, {kEast, kNorth}, {7, 22, 37}, kWallHigh, stone_);
    for (const double x : {kWest, kEast}) {
      wallWithDoors({x, kSouth + kWallHalf}, {x, kNorth - kWallHalf}, {9, 22, 35}, kWallHigh, stone_);
    }
    for (const double y : {41.0, 55.0}) {
      for (const double x : {kWest, 42.0}) wallWithDoors({x + 1, y}, {x + 13, y}, {6}, 2.6, brick_);
    }
    mesh_.object("roof");
    const auto rib = [&](Point a, Point b, double za, double zb) {
      const Point off = perpendicular(normalized(b - a)) * 0.12;
      for (const double s : {0.0, 0.25}) {
        mesh_.quad(above(a - off, za + s), above(b - off, zb + s), above(b + off, zb + s), above(a + off, za + s),
                   iron_);
      }
      mesh_.quad(above(a - off, za), above(b - off, zb), above(b - off, zb + 0.25), above(a - off, za + 0.25), iron_);
      mesh_.quad(above(a + off, za), above(b + off, zb), above(b + off, zb + 0.25), above(a + off, za + 0.25), iron_);
    };
    const double ridge = (kWest + kEast) / 2;
    for (double y = kSouth; y <= kNorth; y += 4) {
      rib({kWest, y}, {ridge, y}, kWallHigh, 11);
      rib({kEast, y}, {ridge, y}, kWallHigh, 11);
    }
    rib({ridge, kSouth}, {ridge, kNorth}, 11, 11);
    for (double y = kSouth + 6; y < kNorth; y += 8) {
      for (const double x : {27.0, 41.0}) {
        if (free({x, y}, 0.5))
          lathe({x, y}, {{0.35, 0}, {0.28, 0.4}, {0.28, 6.6}}, 8, iron_), taken_.push_back({{x, y}, 0.4});
      }
    }
  }

  /// What a profile gives when it is turned around an axis, closed at the top.
  void lathe(Point p, const Profile& profile, int corners, std::uint32_t material) {
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
      const Ring low = roundRing(p, profile[k][0], corners), high = roundRing(p, profile[k + 1][0], corners);
      for (std::size_t i = 0; i < low.size(); ++i) {
        const std::size_t j = (i + 1) % low.size();
        mesh_.quad(above(low[i], profile[k][1]), above(low[j], profile[k][1]), above(high[j], profile[k + 1][1]),
                   above(high[i], profile[k + 1][1]), material);
      }
    }
    mesh_.fan(roundRing(p, profile.back()[0], corners), profile.back()[1], material);
  }

  bool free(Point p, double radius) const {
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const Disc& d) { return length(d.middle - p) < d.radius + radius; });
  }

  /// Trees, statues, vases, benches and tables at random, until the triangles are spent.
  void scatter() {
    while (mesh_.size() + 40 < kTriangles) {
      const Point p = toMillimetres({random_.uniform(2, kHallSide - 2), random_.uniform(2, kHallSide - 2)});
      const auto kind = random_.below(5);
      const bool inside = indoors(p), path = !inside && (std::abs(p.x - 66) < 3 || std::abs(p.y - 12) < 3);
      constexpr double kRadii[] = {0.4, 0.6, 0.5, 1.0, 1.1};
      if (path || !free(p, kRadii[kind] + kGap)) continue;
      taken_.push_back({p, kRadii[kind]});
      switch (kind) {
        case 0:
          plant(p, inside);
          break;
        case 1:
          statue(p);
          break;
        case 2:
          vase(p);
          break;
        case 3:
          bench(p);
          break;
        default:
          bed(p);
          break;
      }
    }
  }

  void plant(Point p, bool palm) {
    mesh_.object("plants");
    const double tall = random_.uniform(2.2, 3);
    const int corners = 8;
    lathe(p, {{0.25, 0}, {0.18, tall}}, 6, wood_);
    if (palm) {
      for (int k = 0; k < 9; ++k) {
        const Point out = unitAt(2 * base::kPi * k / 9), side = perpendicular(out) * 0.25;
        const Point mid = p + out * 0.9, tip = p + out * 1.8;
        mesh_.quad(above(p - side * 0.3, tall), above(mid - side, tall + 0.7), above(mid + side, tall + 0.7),
                   above(p + side * 0.3, tall), leaves_);
        mesh_.triangle(above(mid - side, tall + 0.7), above(tip, tall - 0.1), above(mid + side, tall + 0.7), leaves_);
      }
    } else {
      lathe(p, {{0.3, tall - 0.1}, {1.3, tall + 0.6}, {1.5, tall + 1.6}, {0.9, tall + 2.8}, {0.2, tall + 3.4}}, corners,
            leaves_);
    }
  }

  void statue(Point p) {
    mesh_.object("statues");
    mesh_.box(p, unitAt(random_.uniform(0, 3)), 0.45, 0.45, 0, 1.1, stone_, stone_);
    lathe(p, {{0.3, 1.1}, {0.22, 1.6}, {0.3, 2.1}, {0.12, 2.4}, {0.17, 2.6}, {0.05, 2.8}}, 8, bronze_);
  }

  void vase(Point p) {
    mesh_.object("vases");
    lathe(p, {{0.25, 0}, {0.18, 0.2}, {0.45, 0.7}, {0.5, 1}, {0.38, 1.15}}, 10, brick_);
  }

  void bench(Point p) {
    mesh_.object("benches");
    const Point along = random_.below(2) == 0 ? Point{1, 0} : Point{0, 1};
    mesh_.box(p, along, 0.9, 0.25, 0, 0.45, wood_, wood_);
    mesh_.box(p + perpendicular(along) * 0.29, along, 0.9, 0.04, 0, 0.9, wood_, wood_);
  }

  void bed(Point p) {
    mesh_.object("flower beds");
    lathe(p, {{1, 0}, {1, 0.4}, {0.85, 0.5}, {0.3, 0.95}}, 9, random_.below(2) == 0 ? flowers_ : leaves_);
  }

  Random random_;
  MeshBuilder mesh_;
  std::vector<Place> places_;
  std::vector<Disc> taken_;
  std::uint32_t lawn_ = mesh_.material("lawn", 0x8aa763), gravel_ = mesh_.material("gravel", 0xd6c7a4),
                tiles_ = mesh_.material("tiles", 0xcfc8bb), stone_ = mesh_.material("stone", 0xd8d0c0),
                brick_ = mesh_.material("brick", 0xb07457), iron_ = mesh_.material("iron", 0x5e7a78),
                wood_ = mesh_.material("wood", 0x80603f), leaves_ = mesh_.material("leaves", 0x55823f),
                flowers_ = mesh_.material("flowers", 0xc46a83), bronze_ = mesh_.material("bronze", 0x5b6b58);
};

}  // namespace

Scene itranarium(std::uint64_t seed) { return Gardens(seed).built(); }

}  // namespace throng::places
