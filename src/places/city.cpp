// "city-plan": 184 obstacles with 2,098 vertices on 500 m × 500 m, the numbers of the environment City in JAKLIN 2016,
// Table 11.1. A square is cut by avenues, a diagonal boulevard, streets and alleys into convex lots; one quarter has
// streets of its own direction. Every lot carries one building inside it, so that nothing overlaps and every way is
// open at both ends.
#include <algorithm>
#include <cmath>

#include "geometry/convex_cut.h"
#include "geometry/predicates.h"
#include "places/generate.h"

namespace throng::places {
namespace {

using base::Random;

constexpr double kSide = 500;           // m
constexpr double kLargestBlock = 6000;  // m²: what is larger is cut by a street
constexpr double kThinnest = 8;         // m: no building is thinner, by its lot
constexpr std::size_t kObstacles = 184, kVertices = 2098;
constexpr int kFewestCorners = 8, kMostCorners = 32;  // of what is round

/// Convex ground between ways.
struct Lot {
  Ring ring;
  Point along;  ///< the direction of its streets
};

struct Round {
  Point centre;
  double radius;
  double phase;
  int corners = kFewestCorners;
};

/// The least distance of two parallel lines with the convex ring between them.
double widthOf(const Ring& ring) {
  double least = kSide;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], normal = perpendicular(normalized(ring[(i + 1) % ring.size()] - a));
    double across = 0;
    for (const Point p : ring) across = std::max(across, dot(p - a, normal));
    least = std::min(least, across);
  }
  return least;
}

struct Extent {
  double low, high;
  double size() const { return high - low; }
};

Extent extentOf(const Ring& ring, Point direction) {
  Extent extent{dot(ring[0], direction), dot(ring[0], direction)};
  for (const Point p : ring) {
    extent.low = std::min(extent.low, dot(p, direction));
    extent.high = std::max(extent.high, dot(p, direction));
  }
  return extent;
}

/// A street along dot(p, normal) = middle.
struct Street {
  Point normal;
  double middle, width;
};

/// What remains of a lot on both sides of a street; what is too thin to build on becomes open ground.
void cut(const Lot& lot, const Street& street, std::vector<Lot>& into) {
  const Ring parts[] = {geometry::cutConvex(lot.ring, street.normal, street.middle - street.width / 2),
                        geometry::cutConvex(lot.ring, -street.normal, -street.middle - street.width / 2)};
  for (const auto& ring : parts) {
    if (ring.size() >= 3 && widthOf(ring) >= kThinnest) into.push_back({ring, lot.along});
  }
}

/// Across the longer way of the lot, about in the middle.
Street streetThrough(const Lot& lot, double width, Random& random) {
  const Extent u = extentOf(lot.ring, lot.along), v = extentOf(lot.ring, perpendicular(lot.along));
  const Extent& longer = u.size() >= v.size() ? u : v;
  return {u.size() >= v.size() ? lot.along : perpendicular(lot.along),
          longer.low + longer.size() * random.uniform(0.4, 0.6), width};
}

std::size_t largest(const std::vector<Lot>& lots) {
  const auto less = [](const Lot& a, const Lot& b) {
    return geometry::signedArea(a.ring) < geometry::signedArea(b.ring);
  };
  return static_cast<std::size_t>(std::max_element(lots.begin(), lots.end(), less) - lots.begin());
}

void cutLargest(std::vector<Lot>& lots, double width, Random& random) {
  const auto i = largest(lots);
  const Lot lot = std::move(lots[i]);
  lots.erase(lots.begin() + static_cast<std::ptrdiff_t>(i));
  cut(lot, streetThrough(lot, width, random), lots);
}

/// Two avenues each way, a boulevard from corner to corner, and a quarter whose streets run askew.
std::vector<Lot> quarters(Random& random) {
  const double rim = random.uniform(6, 8);
  std::vector<Lot> lots = {{box(rim, rim, kSide - rim, kSide - rim), {1, 0}}};
  std::vector<Street> avenues;
  for (const Point normal : {Point{1, 0}, Point{0, 1}}) {
    for (const double middle : {165.0, 335.0}) {
      avenues.push_back({normal, middle + random.uniform(-22, 22), random.uniform(12, 20)});
    }
  }
  const Point across = unitAt(random.uniform(2.1, 2.6));
  avenues.push_back({across, dot(across, Point{250, 250}) + random.uniform(-40, 40), random.uniform(13, 17)});
  for (const auto& avenue : avenues) {
    std::vector<Lot> rest;
    for (const auto& lot : lots) cut(lot, avenue, rest);
    lots = std::move(rest);
  }
  lots[largest(lots)].along = unitAt(random.uniform(0.3, 0.55));
  return lots;
}

/// Takes the lot out of the list whose middle is nearest to a place.
Lot taken(std::vector<Lot>& lots, Point near) {
  const auto nearer = [near](const Lot& a, const Lot& b) {
    return lengthSquared(middleOf(a.ring) - near) < lengthSquared(middleOf(b.ring) - near);
  };
  const auto found = std::min_element(lots.begin(), lots.end(), nearer);
  Lot lot = std::move(*found);
  lots.erase(found);
  return lot;
}

// ---- Footprints in [0, w] × [0, h] ----

Ring lShape(double w, double h, Random& random) {
  const double a = w * random.uniform(0.35, 0.6), b = h * random.uniform(0.35, 0.6);
  return {{0, 0}, {w, 0}, {w, b}, {a, b}, {a, h}, {0, h}};
}

Ring uShape(double w, double h, Random& random) {
  const double t = w * random.uniform(0.22, 0.34), b = h * random.uniform(0.3, 0.5);
  return {{0, 0}, {w, 0}, {w, h}, {w - t, h}, {w - t, b}, {t, b}, {t, h}, {0, h}};
}

Ring tShape(double w, double h, Random& random) {
  const double a = w * random.uniform(0.25, 0.35), c = w - w * random.uniform(0.25, 0.35);
  const double b = h * random.uniform(0.4, 0.6);
  return {{a, 0}, {c, 0}, {c, b}, {w, b}, {w, h}, {0, h}, {0, b}, {a, b}};
}

Ring cross(double w, double h, Random& random) {
  const double a = w * random.uniform(0.2, 0.33), b = h * random.uniform(0.2, 0.33);
  return {{a, 0},     {w - a, 0}, {w - a, b}, {w, b},     {w, h - b}, {w - a, h - b},
          {w - a, h}, {a, h},     {a, h - b}, {0, h - b}, {0, b},     {a, b}};
}

Ring octagon(double w, double h, Random& random) {
  const double c = std::min(w, h) * random.uniform(0.15, 0.3);
  return {{c, 0}, {w - c, 0}, {w, c}, {w, h - c}, {w - c, h}, {c, h}, {0, h - c}, {0, c}};
}

/// Three wings on a main building.
Ring eShape(double w, double h, Random& random) {
  const double b = h * random.uniform(0.3, 0.45), t = w * random.uniform(0.17, 0.23), gap = (w - 3 * t) / 2;
  return {{0, 0},           {w, 0},       {w, h},       {w - t, h}, {w - t, b}, {w - t - gap, b},
          {w - t - gap, h}, {t + gap, h}, {t + gap, b}, {t, b},     {t, h},     {0, h}};
}

/// A courtyard with a gateway to the street.
Ring courtyard(double w, double h, Random& random) {
  const double t = std::min(w, h) * random.uniform(0.22, 0.3), c = w * random.uniform(0.45, 0.55);
  const double p = random.uniform(1.5, 2.5);
  return {{0, 0},     {w, 0}, {w, h},     {c + p, h},     {c + p, h - t}, {w - t, h - t},
          {w - t, t}, {t, t}, {t, h - t}, {c - p, h - t}, {c - p, h},     {0, h}};
}

/// Set back from the street in steps.
Ring steps(double w, double h, Random& random) {
  const double x = w * random.uniform(0.28, 0.36), y = h * random.uniform(0.28, 0.36);
  return {{0, 0},         {w, 0}, {w, h - 2 * y}, {w - x, h - 2 * y}, {w - x, h - y}, {w - 2 * x, h - y},
          {w - 2 * x, h}, {0, h}};
}

/// Bays towards the street.
Ring bays(double w, double h, Random& random) {
  const int n = 2 + static_cast<int>(random.below(3));
  const double depth = h * random.uniform(0.1, 0.18), pitch = w / n;
  Ring ring = {{0, 0}, {w, 0}};
  for (int i = n; i-- > 0;) {
    ring.push_back({(i + 0.8) * pitch, h - depth});
    ring.push_back({(i + 0.8) * pitch, h});
    ring.push_back({(i + 0.2) * pitch, h});
    ring.push_back({(i + 0.2) * pitch, h - depth});
  }
  ring.insert(ring.begin() + 2, {w, h - depth});
  ring.push_back({0, h - depth});
  return ring;
}

/// A building on a rectangle; from smaller lots the simpler ones.
Ring footprint(double w, double h, Random& random) {
  using Shape = Ring (*)(double, double, Random&);
  static constexpr Shape kShapes[] = {octagon, lShape, tShape, lShape,    steps,  uShape,
                                      bays,    cross,  uShape, courtyard, eShape, courtyard};
  const bool small = std::min(w, h) < 16;
  Ring ring = kShapes[random.below(small ? 5 : std::size(kShapes))](w, h, random);
  // Any side may be the front.
  if (random.below(2)) {
    for (auto& p : ring) p.x = w - p.x;
    std::reverse(ring.begin(), ring.end());
  }
  if (random.below(2)) {
    for (auto& p : ring) p.y = h - p.y;
    std::reverse(ring.begin(), ring.end());
  }
  return ring;
}

/// A building on a lot that is no rectangle: all of it, with a yard cut into the longest side where there is room.
Ring askew(const Lot& lot, Random& random) {
  std::size_t at = 0;
  double longest = 0;
  for (std::size_t i = 0; i < lot.ring.size(); ++i) {
    const double side = length(lot.ring[(i + 1) % lot.ring.size()] - lot.ring[i]);
    if (side > longest) longest = side, at = i;
  }
  const double width = widthOf(lot.ring);
  Ring ring = lot.ring;
  if (width < 13 || longest < 16 || random.below(4) == 0) return ring;
  const Point a = ring[at], along = normalized(ring[(at + 1) % ring.size()] - a);
  const double half = std::min(9.0, longest * random.uniform(0.08, 0.14)), deep = width * random.uniform(0.15, 0.25);
  const Point middle = a + along * (longest * random.uniform(0.45, 0.55)), inward = perpendicular(along) * deep;
  const Ring yard = {middle - along * half, middle - along * half + inward, middle + along * half + inward,
                     middle + along * half};
  ring.insert(ring.begin() + static_cast<std::ptrdiff_t>(at) + 1, yard.begin(), yard.end());
  return ring;
}

bool isRectangle(const Ring& ring) {
  if (ring.size() != 4) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    const Point a = ring[(i + 1) % 4] - ring[i], b = ring[(i + 2) % 4] - ring[(i + 1) % 4];
    if (std::abs(dot(a, b)) > 1e-6 * length(a) * length(b)) return false;
  }
  return true;
}

class City {
 public:
  explicit City(std::uint64_t seed) : random_(seed, 0xc1), trees_(seed, 0xc2) {}

  Layer built() {
    auto lots = quarters(random_);
    while (geometry::signedArea(lots[largest(lots)].ring) > kLargestBlock) {
      cutLargest(lots, random_.uniform(6, 10), random_);
    }
    // Where a busy place is, and where people take a walk.
    const Lot market = taken(lots, {250, 250});
    park(taken(lots, middleOf(lots[largest(lots)].ring)));
    square(market);
    while (lots.size() + rings_.size() + rounds_.size() < kObstacles) {
      cutLargest(lots, random_.uniform(2.5, 4), random_);
    }
    for (const auto& lot : lots) building(lot);
    spendCorners();
    return layer();
  }

 private:
  void building(const Lot& lot) {
    if (!isRectangle(lot.ring)) {
      rings_.push_back(askew(lot, random_));
      return;
    }
    const Point along = normalized(lot.ring[1] - lot.ring[0]);
    const double w = length(lot.ring[1] - lot.ring[0]), h = length(lot.ring[3] - lot.ring[0]);
    const bool tower = std::max(w, h) < 1.35 * std::min(w, h) && random_.below(10) == 0;
    if (tower) {
      rounds_.push_back({middleOf(lot.ring), std::min(w, h) * random_.uniform(0.4, 0.5), 0, 20});
    } else {
      rings_.push_back(placed(footprint(w, h, random_), lot.ring[0], along));
    }
  }

  /// Is a circle well within the lot, and apart from what is round already?
  bool free(const Lot& lot, const Round& round, double apart) const {
    for (std::size_t i = 0; i < lot.ring.size(); ++i) {
      const Point a = lot.ring[i], along = normalized(lot.ring[(i + 1) % lot.ring.size()] - a);
      if (det(along, round.centre - a) < round.radius + 1) return false;
    }
    return std::all_of(rounds_.begin(), rounds_.end(), [&](const Round& other) {
      return length(other.centre - round.centre) > other.radius + round.radius + apart;
    });
  }

  /// Up to `count` circles at random places of the lot; fewer when it is full.
  void scatter(const Lot& lot, int count, double least, double most, double apart) {
    const Extent x = extentOf(lot.ring, {1, 0}), y = extentOf(lot.ring, {0, 1});
    for (int tries = 0; count > 0 && tries < 5000; ++tries) {
      const Round round{{trees_.uniform(x.low, x.high), trees_.uniform(y.low, y.high)},
                        trees_.uniform(least, most),
                        trees_.uniform(0, 1)};
      if (!free(lot, round, apart)) continue;
      rounds_.push_back(round);
      --count;
    }
  }

  void park(const Lot& lot) {
    const double room = widthOf(lot.ring);
    rounds_.push_back({middleOf(lot.ring), room * 0.14, 0, kMostCorners});  // a pond
    scatter(lot, 1, 3, 3, 3);                                               // a pavilion
    scatter(lot, 5, 1.5, 2.2, 2);                                           // flower beds
    scatter(lot, 18, 0.4, 1, 2.5);                                          // trees
  }

  /// A fountain, with a ring of trees around it and two statues at its sides.
  void square(const Lot& lot) {
    const Point middle = middleOf(lot.ring);
    const double room = widthOf(lot.ring) / 2;
    rounds_.push_back({middle, room * 0.2, 0, 24});
    for (const double side : {-1.0, 1.0}) {
      const Point statue = middle + lot.along * (side * room * 0.42);
      rings_.push_back(placed(boxAround({0, 0}, 2, 2), statue, lot.along));
    }
    for (int i = 0; i < 8; ++i) {
      const Round tree{middle + unitAt(base::kPi * (i + 0.5) / 4) * (room * 0.72), 0.6, 0};
      if (free(lot, tree, 1)) rounds_.push_back(tree);
    }
  }

  /// Corners for what is round, one at a time in turn, until there are as many as wanted.
  void spendCorners() {
    std::size_t total = 0;
    for (const auto& ring : rings_) total += ring.size();
    for (auto& round : rounds_) round.corners = kFewestCorners, total += kFewestCorners;
    for (bool more = true; more && total < kVertices;) {
      more = false;
      for (auto& round : rounds_) {
        if (total == kVertices || round.corners == kMostCorners) continue;
        ++round.corners, ++total;
        more = true;
      }
    }
  }

  Layer layer() const {
    Layer layer;
    layer.name = "ground";
    layer.walkable = {{box(0, 0, kSide, kSide), {}}};
    layer.wall_height = 12;
    const auto add = [&](Ring ring) {
      for (auto& p : ring) p = toMillimetres(p);
      layer.obstacles.push_back({std::move(ring), {}});
    };
    for (const auto& ring : rings_) add(ring);
    for (const auto& round : rounds_) add(roundRing(round.centre, round.radius, round.corners, round.phase));
    return layer;
  }

  Random random_, trees_;
  std::vector<Ring> rings_;
  std::vector<Round> rounds_;
};

}  // namespace

Scene cityPlan(std::uint64_t seed) { return sceneOf({City(seed).built()}); }

}  // namespace throng::places
