// What stands around in "town": trees, lamps, benches.
#include <algorithm>
#include <cmath>

#include "places/town.h"

namespace throng::places::town {
namespace {

using base::Random;

class Furniture {
 public:
  explicit Furniture(Town& town) : town_(town), plan_(town.plan), random_(town.plan.seed, 0x70c) {}

  void build() {
    for (int j = 0; j < plan_.rows(); ++j) {
      for (int i = 0; i < plan_.columns(); ++i) at(i, j);
    }
  }

 private:
  void at(int i, int j) {
    switch (plan_.cell(i, j)) {
      case Cell::kPavement:
        pavement(i, j);
        break;
      case Cell::kPlaza:
        plaza(i, j);
        break;
      case Cell::kLawn:
        for (int k = 0; k < 2; ++k) tryTree(somewhere(i, j), 2.6);
        break;
      case Cell::kCourt:
        if (random_.below(2) == 0) tryTree(somewhere(i, j), 2.6);
        break;
      default:
        break;
    }
  }

  Point somewhere(int i, int j) {
    const double u = i + random_.uniform(0.15, 0.85), v = j + random_.uniform(0.15, 0.85);
    return plan_.pointAt(u, v);
  }

  void tryTree(Point p, double apart) {
    if (!town_.free(p, apart)) return;
    town_.mesh.object("trees");
    tree(town_, p, plan_.heightAt(p) + kKerb, random_);
    town_.taken.push_back({p, 0.3});
  }

  void tryLamp(Point p) {
    if (!town_.free(p, 2)) return;
    town_.mesh.object("lamps");
    lamp(town_, p, plan_.heightAt(p) + kKerb);
    town_.taken.push_back({p, 0.2});
  }

  void bench(Point p, Point along) {
    if (!town_.free(p, 2.5)) return;
    town_.mesh.object("benches");
    const double z = plan_.heightAt(p) + kKerb;
    town_.mesh.box(p, along, 0.9, 0.25, z - 0.2, z + 0.45, town_.material.wood, town_.material.wood);
    town_.taken.push_back({p, 1});
  }

  /// Along the kerb, where there is room to pass: trees in avenues and on quays, lamps elsewhere.
  void pavement(int i, int j) {
    const auto along = [&](int di, int dj) {
      return plan_.inside(i + di, j + dj) && plan_.cell(i + di, j + dj) == Cell::kRoad;
    };
    const bool canal = j == plan_.towpath_row - 1 || j == plan_.water_rows.j1;
    const Band column = plan_.column_bands[static_cast<std::size_t>(i)],
               row = plan_.row_bands[static_cast<std::size_t>(j)];
    if (j == plan_.towpath_row) {
      if (column != Band::kLots) return;
      bench(plan_.pointAt(i + 0.25, j + 0.5), normalized(plan_.node(i + 1, j) - plan_.node(i, j)));
      tryTree(plan_.pointAt(i + 0.7, j + 0.5), 3);
      return;
    }
    if (canal && column == Band::kLots) {
      const double v = j == plan_.water_rows.j1 ? 0.3 : 0.7;
      if ((i & 1) != 0) {
        tryTree(plan_.pointAt(i + 0.5, j + v), 3);
      } else {
        tryLamp(plan_.pointAt(i + 0.5, j + v));
      }
      return;
    }
    Point p;
    double wide = 0;
    if (column != Band::kLots && row == Band::kLots) {
      if (!along(-1, 0) && !along(1, 0)) return;
      p = plan_.pointAt(i + (along(1, 0) ? 0.82 : 0.18), j + 0.5);
      wide = length(plan_.node(i + 1, j) - plan_.node(i, j));
    } else if (column == Band::kLots && row != Band::kLots) {
      if (!along(0, -1) && !along(0, 1)) return;
      p = plan_.pointAt(i + 0.5, j + (along(0, 1) ? 0.82 : 0.18));
      wide = length(plan_.node(i, j + 1) - plan_.node(i, j));
    } else {
      return;
    }
    if (wide > 3.5) {
      tryTree(p, 4);
    } else if ((i + j) % 3 == 0) {
      tryLamp(p);
    }
  }

  void plaza(int i, int j) {
    const Point p = somewhere(i, j);
    switch (random_.below(4)) {
      case 0:
        return tryTree(p, 4);
      case 1:
        return tryLamp(p);
      case 2:
        return bench(p, normalized(plan_.node(i + 1, j) - plan_.node(i, j)));
      default:
        return;
    }
  }

  Town& town_;
  Plan& plan_;
  Random random_;
};

}  // namespace

bool Town::free(Point p, double radius) const {
  return std::none_of(taken.begin(), taken.end(),
                      [&](const Disc& d) { return length(d.middle - p) < d.radius + radius; });
}

void tree(Town& town, Point p, double z, base::Random& random) {
  const double crown = random.uniform(1.5, 2.5), tall = random.uniform(3.6, 5.4), phase = random.uniform(0, 2);
  const auto leaves = town.material.leaves[random.below(town.material.leaves.size())];
  const Ring trunk = roundRing(p, 0.2, 3, phase), wide = roundRing(p, crown, 5, phase),
             narrow = roundRing(p, crown * 0.72, 5, phase + 0.6);
  for (std::size_t k = 0; k < 3; ++k) {
    town.mesh.wall(trunk[k], trunk[(k + 1) % 3], z - 0.3, z + 2.9, town.material.trunk);
  }
  for (std::size_t k = 0; k < 5; ++k) {
    const std::size_t next = (k + 1) % 5;
    const Point3 a = above(wide[k], z + 3.3), b = above(wide[next], z + 3.3);
    const Point3 c = above(narrow[k], z + 2.6 + tall * 0.65), d = above(narrow[next], z + 2.6 + tall * 0.65);
    town.mesh.triangle(b, a, above(p, z + 2.4), leaves);
    town.mesh.triangle(a, b, c, leaves);
    town.mesh.triangle(b, d, c, leaves);
    town.mesh.triangle(c, d, above(p, z + 2.6 + tall), leaves);
  }
}

void lamp(Town& town, Point p, double z) {
  const Ring post = roundRing(p, 0.09, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    town.mesh.wall(post[k], post[(k + 1) % 3], z - 0.3, z + 4, town.material.lamp);
  }
  const Ring head = roundRing(p, 0.28, 4);
  town.mesh.cone(head, z + 4.2, z + 4.6, town.material.lamp);
  for (std::size_t k = 0; k < 4; ++k) {
    town.mesh.triangle(above(head[(k + 1) % 4], z + 4.2), above(head[k], z + 4.2), above(p, z + 3.8),
                       town.material.tent_white);
  }
}

void furniture(Town& town) { Furniture(town).build(); }

}  // namespace throng::places::town
