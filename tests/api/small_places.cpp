#include "small_places.h"

#include <algorithm>
#include <cmath>

namespace throng::places_to_try {

double Dice::between(double from, double to) {
  // splitmix64
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return from + (to - from) * (static_cast<double>(z >> 11) * 0x1p-53);
}

int Dice::whole(int from, int to) { return std::min(to, from + static_cast<int>(between(0, 1) * (to - from + 1))); }

Drawing::Drawing(std::uint64_t seed) : dice(seed) {
  const double turn = dice.between(0, 2 * M_PI);
  cosine_ = std::cos(turn), sine_ = std::sin(turn);
  scale_ = dice.coin() ? 1 : dice.between(1, 1.25);
  mirrored_ = dice.coin();
  moved_ = {dice.between(-40, 40), dice.between(-40, 40)};
  scene.layers.resize(1);
  scene.profiles.resize(1);
  largest_ = dice.between(0.2, 0.3);
  scene.profiles[0].radius =
      dice.coin() ? Distribution::constant(largest_) : Distribution::uniform(std::max(0.2, largest_ - 0.05), largest_);
  scene.profiles[0].preferred_speed = dice.coin() ? Distribution::constant(1.3) : Distribution::uniform(1.0, 1.5);
  constexpr double kSteps[] = {0.1, 0.1, 0.05, 0.25};
  scene.run.dt = kSteps[dice.whole(0, 3)];
  scene.run.recording_rate = 2;
  scene.run.seed = seed;
  scene.run.until_all_arrived = true;
  scene.run.duration = 180;
  scene.run.patience = 180;
}

Point Drawing::at(Point p) const {
  const double x = scale_ * p.x, y = scale_ * (mirrored_ ? -p.y : p.y);
  return {moved_.x + x * cosine_ - y * sine_, moved_.y + y * cosine_ + x * sine_};
}

Polygon Drawing::polygon(std::vector<Point> corners) const {
  for (Point& corner : corners) corner = at(corner);
  if (mirrored_) std::reverse(corners.begin(), corners.end());
  return {corners, {}};
}

void Drawing::wallWithDoor(double x, double thick, double from, double to, double door_from, double door_to) {
  if (door_from > from) block(x - thick / 2, from, x + thick / 2, door_from);
  if (door_to < to) block(x - thick / 2, door_to, x + thick / 2, to);
}

Population& Drawing::walk(const std::vector<Point>& from, std::vector<Goal> to) {
  Population people;
  people.name = "people " + std::to_string(scene.populations.size());
  StartPoints start;
  for (const Point p : from) start.points.push_back(at(p));
  people.count = static_cast<std::uint32_t>(from.size());
  people.start.shape = start;
  people.goals = std::move(to);
  scene.populations.push_back(people);
  return scene.populations.back();
}

Population& Drawing::walk(int count, const Polygon& from, std::vector<Goal> to) {
  Population people;
  people.name = "people " + std::to_string(scene.populations.size());
  people.count = static_cast<std::uint32_t>(count);
  people.start.shape = StartArea{{from}};
  people.goals = std::move(to);
  scene.populations.push_back(people);
  return scene.populations.back();
}

namespace {

// Who meets whom, with room around.

void oncoming(Drawing& d) {
  d.walk({{-8, 0}}, {d.point({8, 0})});
  d.walk({{8, d.dice.coin() ? 0 : d.dice.between(-0.3, 0.3)}}, {d.point({-8, 0})});
}

void oncomingGroups(Drawing& d) {
  const int n = d.dice.whole(2, 10);
  for (const double way : {-1.0, 1.0}) {
    std::vector<Point> places;
    for (int i = 0; i < n; ++i) places.push_back({way * (6 + 0.7 * (i / 3)), 0.7 * (i % 3) - 0.7});
    for (const Point p : places) d.walk({p}, {d.point({-p.x, p.y}, 0.3)});
  }
}

void confusion(Drawing& d, int sides) {
  const int each = d.dice.whole(1, 5);
  for (int s = 0; s < sides; ++s) {
    const double angle = 2 * M_PI * s / sides;
    for (int i = 0; i < each; ++i) {
      const double r = 6 + 0.8 * i;
      d.walk({{r * std::cos(angle), r * std::sin(angle)}}, {d.point({-7 * std::cos(angle), -7 * std::sin(angle)})});
    }
  }
}
void threeWays(Drawing& d) { confusion(d, 3); }
void fourWays(Drawing& d) { confusion(d, 4); }

void crossroads(Drawing& d) {
  const double half = d.dice.between(0.9, 2.2), far = 9;
  d.floor(-far, -half, far, half), d.floor(-half, -far, half, far);
  const int each = d.dice.whole(2, 8);
  const double in = half - d.radius() - 0.05;
  d.walk(each, d.box(-far + 0.4, -in, -half - 1, in), {d.area(half + 2, -in, far - 0.4, in)});
  d.walk(each, d.box(half + 1, -in, far - 0.4, in), {d.area(-far + 0.4, -in, -half - 2, in)});
  d.walk(each, d.box(-in, -far + 0.4, in, -half - 1), {d.area(-in, half + 2, in, far - 0.4)});
  d.walk(each, d.box(-in, half + 1, in, far - 0.4), {d.area(-in, -far + 0.4, in, -half - 2)});
}

void cutAcross(Drawing& d) {
  const int n = d.dice.whole(8, 20);
  d.floor(-12, -6, 12, 6);
  d.walk(n, d.box(-11, -1.5, -3, 1.5), {d.area(8, -2, 11, 2)});
  d.walk({{0, -5}, {1, -5.2}}, {d.point({0, 5})});
}

void groupThroughGroup(Drawing& d) {
  d.floor(-10, -10, 10, 10);
  d.walk(15, d.box(-9, -2, -5, 2), {d.area(6, -2, 9, 2)});
  d.walk(15, d.box(-2, -9, 2, -5), {d.area(-2, 6, 2, 9)});
}

void circle(Drawing& d) {
  const int n = d.dice.whole(6, 24);
  Population people;
  people.count = static_cast<std::uint32_t>(n);
  people.start.shape = StartCircle{d.at({0, 0}), d.dice.between(4, 8), 0.3};
  people.goals = {{GoalOpposite{d.at({0, 0})}, {}}};
  d.scene.populations = {people};
}

void concentricCircles(Drawing& d) {
  for (const double radius : {4.0, 6.0}) {
    Population people;
    people.count = 8;
    people.start.shape = StartCircle{d.at({0, 0}), radius, 0};
    people.goals = {{GoalOpposite{d.at({0, 0})}, {}}};
    people.name = radius < 5 ? "inner" : "outer";
    d.scene.populations.push_back(people);
  }
}

void overtaking(Drawing& d) {
  const double half = d.dice.between(0.8, 2);
  d.floor(-12, -half, 18, half);
  const double in = half - d.radius() - 0.02;
  d.scene.profiles.push_back(d.scene.profiles[0]);
  d.scene.profiles[1].name = "slow";
  d.scene.profiles[1].preferred_speed = Distribution::constant(0.5);
  d.walk(d.dice.whole(1, 3), d.box(-6, -in, 0, in), {d.area(15, -in, 17.6, in)}).profile = "slow";
  d.walk(d.dice.whole(2, 6), d.box(-11.5, -in, -7, in), {d.area(15, -in, 17.6, in)});
}

// Corridors.

void hallway(Drawing& d, int one, int other, double width) {
  const double half = width / 2, in = half - d.radius() - 0.02;
  d.floor(-12, -half, 12, half);
  if (one > 0) d.walk(one, d.box(-11.5, -in, -4, in), {d.area(8, -in, 11.5, in)});
  if (other > 0) d.walk(other, d.box(4, -in, 11.5, in), {d.area(-11.5, -in, -8, in)});
}
void hallwayOneWay(Drawing& d) {
  const double width = d.dice.between(1.2, 4);
  const int left = d.dice.whole(5, 20);
  hallway(d, left, 0, width);
}
void hallwayTwoWay(Drawing& d) {
  const double width = d.dice.between(1.8, 4);
  const int right = d.dice.whole(4, 16), left = d.dice.whole(4, 16);
  hallway(d, left, right, width);
}
void hallwayOneAgainstMany(Drawing& d) {
  const double width = d.dice.between(1.6, 3);
  const int right = d.dice.whole(6, 14);
  hallway(d, 1, right, width);
}

/// Between two rooms.
void passage(Drawing& d, double width, double length, int one, int other) {
  const double half = width / 2, end = length / 2;
  d.floor(-end - 6, -3, -end, 3), d.floor(-end - 0.1, -half, end + 0.1, half), d.floor(end, -3, end + 6, 3);
  if (one > 0) d.walk(one, d.box(-end - 5.5, -2.5, -end - 0.8, 2.5), {d.area(end + 3, -2.5, end + 5.5, 2.5)});
  if (other > 0) d.walk(other, d.box(end + 0.8, -2.5, end + 5.5, 2.5), {d.area(-end - 5.5, -2.5, -end - 3, 2.5)});
}
void squeeze(Drawing& d) {
  const double length = d.dice.between(3, 9), width = d.dice.between(0.66, 1.1);
  passage(d, width, length, 1, 1);
}
void squeezeFew(Drawing& d) {
  const int right = d.dice.whole(2, 6), left = d.dice.whole(2, 6);
  const double length = d.dice.between(2, 7), width = d.dice.between(0.7, 1.3);
  passage(d, width, length, left, right);
}
void doorOneWay(Drawing& d) {
  const int left = d.dice.whole(10, 30);
  const double width = d.dice.between(0.8, 1.4);
  passage(d, width, 0.2, left, 0);
}
void doorTwoWay(Drawing& d) {
  const int right = d.dice.whole(5, 15), left = d.dice.whole(5, 15);
  const double width = d.dice.between(0.8, 1.4);
  passage(d, width, 0.2, left, right);
}
void passageTwoWay(Drawing& d) {
  const int right = d.dice.whole(5, 15), left = d.dice.whole(5, 15);
  const double length = d.dice.between(3, 12), width = d.dice.between(1.3, 2.4);
  passage(d, width, length, left, right);
}
void goalBehindTheDoor(Drawing& d) {
  const int left = d.dice.whole(4, 10);
  const double width = d.dice.between(0.9, 1.4);
  passage(d, width, 0.2, left, 0);
  d.scene.populations[0].goals = {d.point({0.8, 0}, 0.3)};
}

void doorBesideAWall(Drawing& d) {
  const double width = d.dice.between(0.8, 1.3);
  d.floor(-7, -3, 7, 3);
  d.wallWithDoor(0, 0.2, -3, 3, -3, -3 + width);
  d.walk(d.dice.whole(4, 10), d.box(-6.5, -2.5, -1, 2.5), {d.area(3, -2.5, 6.5, 2.5)});
  d.walk(d.dice.whole(4, 10), d.box(1, -2.5, 6.5, 2.5), {d.area(-6.5, -2.5, -3, 2.5)});
}

void doorsInARow(Drawing& d) {
  d.floor(-9, -3, 9, 3);
  for (const double x : {-3.0, 0.0, 3.0}) {
    const double y = d.dice.between(-2.4, 1.4), width = d.dice.between(0.9, 1.3);
    d.wallWithDoor(x, 0.2, -3, 3, y, y + width);
  }
  d.walk(d.dice.whole(3, 8), d.box(-8.6, -2.5, -4, 2.5), {d.area(5, -2.5, 8.6, 2.5)});
  d.walk(d.dice.whole(3, 8), d.box(4, -2.5, 8.6, 2.5), {d.area(-8.6, -2.5, -5, 2.5)});
}

void evacuation(Drawing& d, int doors) {
  d.floor(-6, -4, 10, 4);
  std::vector<double> edges{-4};
  for (int i = 0; i < doors; ++i) {
    const double y = doors == 1 ? d.dice.between(-3.5, 2) : -3.5 + 4 * i + d.dice.between(0, 1.5);
    edges.push_back(y), edges.push_back(y + d.dice.between(0.9, 1.4));
  }
  edges.push_back(4);
  for (std::size_t i = 0; i < edges.size(); i += 2) d.block(0, edges[i], 0.2, edges[i + 1]);
  d.walk(d.dice.whole(20, 40), d.box(-5.6, -3.6, -0.6, 3.6), {d.area(6, -3.6, 9.6, 3.6)});
}
void evacuationByOneDoor(Drawing& d) { evacuation(d, 1); }
void evacuationByTwoDoors(Drawing& d) { evacuation(d, 2); }

void corner(Drawing& d) {
  const double width = d.dice.between(1.2, 2.4), in = d.radius() + 0.03;
  d.floor(-10, 0, width, width), d.floor(0, -10, width, width);
  const int n = d.dice.whole(1, 6);
  d.walk(n, d.box(-9.5, in, -3, width - in), {d.area(in, -9.5, width - in, -7)});
  d.walk(n, d.box(in, -9.5, width - in, -3), {d.area(-9.5, in, -7, width - in)});
}

void surpriseBehindACorner(Drawing& d) {
  d.floor(-8, -8, 8, 8);
  d.block(-6, -6, -0.6, -0.6);
  d.walk({{-7.2, -0.2}, {-6.4, 0}}, {d.point({6, -0.3})});
  d.walk({{0, -7}, {-0.2, -6.2}}, {d.point({-0.2, 6})});
}

void curve(Drawing& d) {
  const double width = d.dice.between(1.6, 3), middle = 6, inner = middle - width / 2, outer = middle + width / 2;
  std::vector<Point> ring;
  constexpr int kParts = 14;
  const auto on = [](double r, int i) {
    const double a = 1.2 * M_PI * i / kParts;
    return Point{r * std::cos(a), r * std::sin(a)};
  };
  for (int i = 0; i <= kParts; ++i) ring.push_back(on(outer, i));
  for (int i = kParts; i >= 0; --i) ring.push_back(on(inner, i));
  d.scene.layers[0].walkable = {d.polygon(ring)};
  const auto part = [&](int from, int to) {
    const double in = d.radius() + 0.05;
    std::vector<Point> some;
    for (int i = from; i <= to; ++i) some.push_back(on(outer - in, i));
    for (int i = to; i >= from; --i) some.push_back(on(inner + in, i));
    return d.polygon(some);
  };
  const Polygon first = part(0, 3), last = part(kParts - 3, kParts);
  const int n = d.dice.whole(3, 8);
  d.walk(n, first, {{GoalArea{{last}}, {}}});
  d.walk(n, last, {{GoalArea{{first}}, {}}});
}

void junction(Drawing& d) {
  const double half = d.dice.between(0.8, 1.6), far = 9, in = half - d.radius() - 0.03;
  d.floor(-far, -half, far, half), d.floor(-half, -far, half, half);
  const Polygon ends[3] = {d.box(-far + 0.3, -in, -far + 4, in), d.box(far - 4, -in, far - 0.3, in),
                           d.box(-in, -far + 0.3, in, -far + 4)};
  const int n = d.dice.whole(2, 6);
  for (int i = 0; i < 3; ++i) d.walk(n, ends[i], {{GoalArea{{ends[(i + 1) % 3]}}, {}}});
}

void toAndFro(Drawing& d) {
  hallway(d, 4, 4, d.dice.between(1.4, 2.5));
  for (Population& people : d.scene.populations) people.goals.push_back(people.goals[0]);
  std::swap(d.scene.populations[0].goals[1], d.scene.populations[1].goals[1]);
}

void slalom(Drawing& d) {
  const double half = 2.5, gap = d.dice.between(1.1, 1.8);
  d.floor(-9, -half, 9, half);
  for (int i = 0; i < 5; ++i) {
    const double x = -5 + 2.5 * i;
    if (i % 2 == 0)
      d.block(x, -half, x + 0.2, half - gap);
    else
      d.block(x, -half + gap, x + 0.2, half);
  }
  const int n = d.dice.whole(2, 8);
  d.walk(n, d.box(-8.7, -2.1, -6, 2.1), {d.area(6.4, -2.1, 8.7, 2.1)});
  if (d.dice.coin()) d.walk(n, d.box(6, -2.1, 8.7, 2.1), {d.area(-8.7, -2.1, -6, 2.1)});
}

void between(Drawing& d) {
  // Obstacles with gaps hardly wider than a body.
  d.floor(-6, -3, 6, 3);
  const double gap = 2 * d.radius() + d.dice.between(0.03, 0.15);
  for (int i = 0; i < 4; ++i) d.block(-0.4, -3 + 1.6 * i, 0.4, -3 + 1.6 * (i + 1) - (i < 3 ? gap : 0.4));
  d.walk(d.dice.whole(3, 8), d.box(-5.5, -2.5, -1.5, 2.5), {d.area(3, -2.5, 5.5, 2.5)});
}

void pillars(Drawing& d) {
  d.floor(-7, -5, 7, 5);
  const double half = d.dice.between(0.2, 0.5);
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j) d.block(1.8 * i - half, 1.8 * j - half, 1.8 * i + half, 1.8 * j + half);
  const int n = d.dice.whole(4, 12);
  d.walk(n, d.box(-6.6, -4.5, -4.8, 4.5), {d.area(4.8, -4.5, 6.6, 4.5)});
  d.walk(n, d.box(4.8, -4.5, 6.6, 4.5), {d.area(-6.6, -4.5, -4.8, 4.5)});
}

void pillarInACrossing(Drawing& d) {
  d.floor(-9, -2.5, 9, 2.5), d.floor(-2.5, -9, 2.5, 9);
  d.block(-0.8, -0.8, 0.8, 0.8);
  const int n = d.dice.whole(3, 9);
  d.walk(n, d.box(-8.6, -2, -4, 2), {d.area(6, -2, 8.6, 2)});
  d.walk(n, d.box(4, -2, 8.6, 2), {d.area(-8.6, -2, -6, 2)});
  d.walk(n, d.box(-2, -8.6, 2, -4), {d.area(-2, 6, 2, 8.6)});
  d.walk(n, d.box(-2, 4, 2, 8.6), {d.area(-2, -8.6, 2, -6)});
}

// Dead ends.

void pockets(Drawing& d) {
  d.floor(-9, 0, 9, 2);
  const double width = d.dice.between(0.9, 1.6);
  for (int i = 0; i < 4; ++i) {
    const double x = -7 + 4 * i;
    d.floor(x, -3, x + width, 0.1);
    const double in = d.radius() + 0.02;
    d.walk(2, d.box(x + in, -2.9 + in, x + width - in, -0.5), {d.point({-7 + 4 * ((i + 2) % 4) + width / 2, -2.4})});
  }
}

void behindAU(Drawing& d) {
  d.floor(-8, -6, 10, 6);
  const double half = d.dice.between(0.7, 2);
  d.block(-2, half, 3, half + 0.2), d.block(-2, -half - 0.2, 3, -half), d.block(2.8, -half - 0.1, 3, half + 0.1);
  d.walk({{2.2, 0}, {1.4, 0.2}, {0.6, -0.2}}, {d.point({7, 0})});
  d.walk({{-6, 0}, {-6, 1}}, {d.point({7, 0.6})});
}

void swapInASmallRoom(Drawing& d) {
  const double size = d.dice.between(2.6, 4), in = size - 0.35;
  d.floor(0, 0, size, size);
  const std::vector<Point> places{{0.35, 0.35}, {in, in}, {0.35, in}, {in, 0.35}, {0.35, size / 2}, {in, size / 2}};
  for (std::size_t i = 0; i < places.size(); ++i)
    d.walk({places[i]}, {d.point(places[i ^ 1], 0.2)}).on_arrival = OnArrival::kStay;
}

void lift(Drawing& d) {
  const double door = d.dice.between(0.9, 1.3);
  d.floor(0, -0.9, 1.8, 0.9), d.floor(-5, -3, -0.2, 3), d.floor(-0.3, -door / 2, 0.1, door / 2);
  const int n = d.dice.whole(2, 5);
  d.walk(n, d.box(0.35, -0.55, 1.45, 0.55), {d.area(-4.6, -2.6, -3, 2.6)});
  d.walk(n, d.box(-2.5, -1.5, -0.6, 1.5), {d.area(0.5, -0.6, 1.5, 0.6)}).on_arrival = OnArrival::kStay;
}

// Buildings.

void office(Drawing& d) {
  const double corridor = d.dice.between(1.4, 2.2), depth = 3.5, wide = 3;
  d.floor(0, 0, 12, corridor);
  std::vector<Polygon> rooms;
  for (int i = 0; i < 8; ++i) {
    const double x = wide * (i % 4), y = i < 4 ? corridor + 0.15 : -depth - 0.15;
    d.floor(x + 0.1, y, x + wide - 0.1, y + depth);
    const double door = d.dice.between(0.85, 1.1), from = x + d.dice.between(0.2, wide - door - 0.2);
    d.floor(from, i < 4 ? corridor - 0.1 : -0.25, from + door, i < 4 ? corridor + 0.25 : 0.1);
    rooms.push_back(d.box(x + 0.5, y + 0.5, x + wide - 0.5, y + depth - 0.5));
  }
  const int n = d.dice.whole(1, 4), shift = d.dice.whole(1, 7);
  for (std::size_t i = 0; i < rooms.size(); ++i)
    d.walk(n, rooms[i], {{GoalArea{{rooms[(i + static_cast<std::size_t>(shift)) % rooms.size()]}}, {}}});
}

void aisles(Drawing& d) {
  d.floor(0, 0, 10, 8);
  const double aisle = d.dice.between(0.95, 1.4);
  double x = aisle;
  for (; x + 0.6 + aisle <= 10; x += 0.6 + aisle) d.block(x, 1.5, x + 0.6, 6.5);
  for (int i = 0; i < 16; ++i) {
    const auto place = [&] {
      const int k = d.dice.whole(0, 4);
      return Point{aisle / 2 + (0.6 + aisle) * k, d.dice.between(1.5, 6.5)};
    };
    const Point from = place(), to = place();
    if (from.x > 9.5 || to.x > 9.5) continue;
    bool taken = false;
    for (const Population& people : d.scene.populations)
      taken |= length(std::get<StartPoints>(people.start.shape).points[0] - d.at(from)) < 0.7;
    if (!taken) d.walk({from}, {d.point(to), d.point({9, 0.6})});
  }
}

/// A maze of square cells; every cell can be reached, and one in four of the other walls is open.
void maze(Drawing& d, int size, double cell, int people) {
  people = std::min(people, size * size);
  d.floor(0, 0, size * cell, size * cell);
  const auto n = static_cast<std::size_t>(size * size);
  std::vector<std::size_t> joined(n);
  for (std::size_t i = 0; i < n; ++i) joined[i] = i;
  struct Side {
    int cell;
    bool right;
  };
  std::vector<Side> sides;
  for (int i = 0; i < size * size; ++i) {
    if (i % size + 1 < size) sides.push_back({i, true});
    if (i / size + 1 < size) sides.push_back({i, false});
  }
  for (std::size_t i = sides.size(); i > 1; --i)
    std::swap(sides[i - 1], sides[static_cast<std::size_t>(d.dice.whole(0, static_cast<int>(i) - 1))]);
  for (const Side& side : sides) {
    const auto a = static_cast<std::size_t>(side.cell), b = a + (side.right ? 1 : static_cast<std::size_t>(size));
    const std::size_t of_a = joined[a], of_b = joined[b];
    if (of_a != of_b || d.dice.between(0, 1) < 0.25) {
      for (std::size_t& of : joined) of = of == of_b ? of_a : of;
      continue;
    }
    const double x = cell * (side.cell % size), y = cell * (side.cell / size);
    const Point from = side.right ? Point{x + cell, y} : Point{x, y + cell};
    d.scene.layers[0].walls.push_back({{d.at(from), d.at({x + cell, y + cell})}});
  }
  const auto middle = [&](int c) { return Point{cell * (c % size + 0.5), cell * (c / size + 0.5)}; };
  const int step = d.dice.whole(1, size * size - 1);
  for (int i = 0; i < people; ++i) {
    const int c = i * size * size / people;
    d.walk({middle(c)}, {d.point(middle((c + step) % (size * size)), 0.4)});
  }
}
void narrowMaze(Drawing& d) {
  const int people = d.dice.whole(4, 12);
  const double width = d.dice.between(1.2, 1.6);
  const int size = d.dice.whole(4, 6);
  maze(d, size, width, people);
}
void wideMaze(Drawing& d) {
  const int people = d.dice.whole(8, 20);
  const double width = d.dice.between(1.6, 2.2);
  const int size = d.dice.whole(4, 6);
  maze(d, size, width, people);
}

void stairs(Drawing& d) {
  const double width = d.dice.between(1.1, 2.2), long_ = 5;
  d.floor(-9, -3, 0, 3);
  Layer stair, upper;
  stair.name = "stair", upper.name = "upper";
  stair.walkable = {d.box(0, -width / 2, long_, width / 2)};
  const Point up = d.at({1, 0}) - d.at({0, 0});
  const double rise = 2.5 / (long_ * lengthSquared(up));
  stair.slope = {up.x * rise, up.y * rise};
  stair.elevation = -dot(stair.slope, d.at({0, 0}));
  upper.walkable = {d.box(long_, -3, long_ + 9, 3)};
  upper.elevation = 2.5;
  d.scene.layers.push_back(stair), d.scene.layers.push_back(upper);
  const auto line = [&](double x) { return Segment{d.at({x, -width / 2}), d.at({x, width / 2})}; };
  d.scene.connections = {{"foot", "ground", line(0), "stair", line(0)},
                         {"head", "stair", line(long_), "upper", line(long_)}};
  Goal above = d.area(long_ + 5, -2.5, long_ + 8.5, 2.5), below = d.area(-8.5, -2.5, -5, 2.5);
  above.layer = "upper", below.layer = "ground";
  d.walk(d.dice.whole(3, 10), d.box(-8, -2.5, -1, 2.5), {above});
  d.walk(d.dice.whole(3, 10), d.box(long_ + 1, -2.5, long_ + 8, 2.5), {below}).layer = "upper";
}

// Goals.

void oneGoal(Drawing& d) {
  d.floor(-8, -6, 8, 6);
  const OnArrival then = d.dice.coin() ? OnArrival::kStay : OnArrival::kLeave;
  const Goal goal = d.point({d.dice.between(-6, 6), d.dice.between(-4, 4)});
  d.walk(d.dice.whole(5, 25), d.box(-7.5, -5.5, 7.5, 5.5), {goal}).on_arrival = then;
}

void goalInACorner(Drawing& d) {
  d.floor(-6, -4, 6, 4);
  const double off = d.dice.between(0.05, 0.3);
  d.walk(d.dice.whole(3, 12), d.box(-5.5, -3.5, 2, 3.5), {d.point({6 - off, 4 - off})}).on_arrival =
      d.dice.coin() ? OnArrival::kStay : OnArrival::kLeave;
}

void goalsAlongAWall(Drawing& d) {
  d.floor(-6, -4, 6, 4);
  const int n = d.dice.whole(4, 8);
  for (int i = 0; i < n; ++i) {
    const double x = -5 + 10.0 * i / n;
    d.walk({{x, -3.5}}, {d.point({-5 + 10.0 * ((3 * i + 1) % n) / n, 4 - d.dice.between(0.05, 0.4)})}).on_arrival =
        OnArrival::kStay;
  }
}

void goalAtTheEndOfACorridor(Drawing& d) {
  const double width = d.dice.between(0.8, 1.5);
  d.floor(-6, -3, 0, 3), d.floor(-0.1, -width / 2, 5, width / 2);
  d.walk(d.dice.whole(3, 8), d.box(-5.5, -2.5, -1, 2.5), {d.point({4.5, 0}), d.point({-5, 0})});
}

void viaPoints(Drawing& d) {
  d.floor(-6, -4, 6, 4);
  d.block(-2, -1, 2, 1);
  d.walk(d.dice.whole(4, 10), d.box(-5.5, -3.5, -3, 3.5),
         {d.point({5.5, 3.5}, 0.3), d.point({5.5, -3.5}, 0.3), d.point({-5.5, 0}, 0.3)});
}

// Somebody in the way.

void standsInADoor(Drawing& d) {
  // At the side of it: there is room to pass.
  const double width = 4 * d.radius() + d.dice.between(0.15, 0.5);
  const int right = d.dice.coin() ? d.dice.whole(3, 8) : 0, left = d.dice.whole(4, 10);
  passage(d, width, 0.2, left, right);
  d.stand({0, -width / 2 + d.radius() + 0.01});
}

void staysInADoor(Drawing& d) {
  // In the middle of it: nobody passes who is not let through.
  const double width = d.dice.between(0.9, 1.3);
  const int right = d.dice.coin() ? d.dice.whole(2, 5) : 0, left = d.dice.whole(3, 6);
  passage(d, width, 0.2, left, right);
  d.walk({{-0.6, 0}}, {d.point({0, 0}, 0.2)}).on_arrival = OnArrival::kStay;
}

void staysInACorridor(Drawing& d) {
  const double width = d.dice.between(1.3, 2.4);
  const int right = d.dice.coin() ? d.dice.whole(3, 8) : 0, left = d.dice.whole(3, 8);
  hallway(d, left, right, width);
  d.walk({{-1, 0}}, {d.point({0, 0}, 0.2)}).on_arrival = OnArrival::kStay;
}

void standInARow(Drawing& d) {
  d.floor(-8, -3, 8, 3);
  const double pitch = 2 * d.radius() + d.dice.between(0.02, 0.1);
  const int gap = d.dice.whole(2, 7);
  double y = -3 + d.radius() + 0.01;
  for (int i = 0; y < 3 - d.radius(); ++i, y += pitch) {
    if (i == gap) y += 2 * d.radius() + 0.15;
    if (y < 3 - d.radius()) d.stand({0, y});
  }
  d.walk(d.dice.whole(2, 8), d.box(-7.5, -2.5, -1.5, 2.5), {d.area(4, -2.5, 7.5, 2.5)});
}

void standScattered(Drawing& d) {
  d.floor(-8, -3, 8, 3);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 4; ++j)
      d.stand({-3.5 + 1.4 * i + d.dice.between(-0.2, 0.2), -2.1 + 1.4 * j + d.dice.between(-0.2, 0.2)});
  const int n = d.dice.whole(2, 8);
  d.walk(n, d.box(-7.5, -2.5, -5, 2.5), {d.area(5, -2.5, 7.5, 2.5)});
  d.walk(n, d.box(5, -2.5, 7.5, 2.5), {d.area(-7.5, -2.5, -5, 2.5)});
}

void standInAHalfCircle(Drawing& d) {
  // Open towards those who come: a trap of people, as a U is one of walls.
  d.floor(-9, -7, 9, 7);
  for (int i = 0; i <= 8; ++i) {
    const double a = M_PI * (i / 8.0 - 0.5);
    d.stand({1.7 * std::cos(a), 1.7 * std::sin(a)});
  }
  d.walk(d.dice.whole(1, 4), d.box(-8, -1.5, -3, 1.5), {d.area(6, -1.5, 8.5, 1.5)});
}

void standsBehindTheDoor(Drawing& d) {
  const int left = d.dice.whole(5, 15);
  const double width = d.dice.between(0.8, 1.2);
  passage(d, width, 0.2, left, 0);
  d.stand({0.1 + d.dice.between(0.5, 1), d.dice.between(-0.2, 0.2)});
}

// What changes on the way.

void obstaclesCome(Drawing& d) {
  d.floor(-9, -3, 9, 3);
  const int n = d.dice.whole(4, 10);
  d.walk(n, d.box(-8.5, -2.5, -4, 2.5), {d.area(6, -2.5, 8.5, 2.5)});
  d.walk(n, d.box(4, -2.5, 8.5, 2.5), {d.area(-8.5, -2.5, -6, 2.5)});
  for (int i = 0; i < 4; ++i) {
    const double x = d.dice.between(-3, 2), y = d.dice.between(-2.8, 1), size = d.dice.between(0.4, 1.2);
    d.scene.events.push_back(
        {1.5 + 1.5 * i, InsertObstacle{"box " + std::to_string(i), "", d.box(x, y, x + size, y + size)}});
  }
  d.scene.events.push_back({20, RemoveObstacle{"box 0"}});
}

void doorCloses(Drawing& d) {
  d.floor(-7, -5, 7, 5);
  const double width = d.dice.between(1.0, 1.4);
  d.block(-0.1, -5, 0.1, -3), d.block(-0.1, -3 + width, 0.1, 3 - width), d.block(-0.1, 3, 0.1, 5);
  d.scene.layers[0].doors = {{"low", {d.at({0, -3}), d.at({0, -3 + width})}, true},
                             {"high", {d.at({0, 3 - width}), d.at({0, 3})}, false}};
  d.scene.events = {{2, CloseDoor{"low"}}, {8, OpenDoor{"high"}}};
  d.walk(d.dice.whole(6, 16), d.box(-6.5, -4.5, -2, 1), {d.area(3, -4.5, 6.5, 4.5)});
}

}  // namespace

const std::vector<SmallPlace>& smallPlaces() {
  static const std::vector<SmallPlace> kPlaces{
      {"oncoming", oncoming},
      {"oncoming groups", oncomingGroups},
      {"three ways", threeWays},
      {"four ways", fourWays},
      {"crossroads", crossroads},
      {"cut across", cutAcross},
      {"group through group", groupThroughGroup},
      {"circle", circle},
      {"concentric circles", concentricCircles},
      {"overtaking", overtaking},
      {"hallway one way", hallwayOneWay},
      {"hallway two-way", hallwayTwoWay},
      {"hallway one against many", hallwayOneAgainstMany},
      {"squeeze", squeeze},
      {"squeeze of a few", squeezeFew},
      {"door one way", doorOneWay},
      {"door two-way", doorTwoWay},
      {"passage two-way", passageTwoWay},
      {"goal behind the door", goalBehindTheDoor},
      {"door beside a wall", doorBesideAWall},
      {"doors in a row", doorsInARow},
      {"evacuation by one door", evacuationByOneDoor},
      {"evacuation by two doors", evacuationByTwoDoors},
      {"corner", corner},
      {"surprise behind a corner", surpriseBehindACorner},
      {"curve", curve},
      {"junction", junction},
      {"to and fro", toAndFro},
      {"slalom", slalom},
      {"between", between},
      {"pillars", pillars},
      {"pillar in a crossing", pillarInACrossing},
      {"pockets", pockets},
      {"behind a U", behindAU},
      {"swap in a small room", swapInASmallRoom},
      {"lift", lift},
      {"office", office},
      {"aisles", aisles},
      {"narrow maze", narrowMaze},
      {"wide maze", wideMaze},
      {"stairs", stairs},
      {"one goal", oneGoal},
      {"goal in a corner", goalInACorner},
      {"goals along a wall", goalsAlongAWall},
      {"goal at the end of a corridor", goalAtTheEndOfACorridor},
      {"via points", viaPoints},
      {"stands in a door", standsInADoor},
      {"stays in a door", staysInADoor},
      {"stays in a corridor", staysInACorridor},
      {"stand in a row", standInARow},
      {"stand scattered", standScattered},
      {"stand in a half circle", standInAHalfCircle},
      {"stands behind the door", standsBehindTheDoor},
      {"obstacles come", obstaclesCome},
      {"door closes", doorCloses},
  };
  return kPlaces;
}

Scene drawn(const SmallPlace& place, std::uint64_t seed, const std::string& model) {
  std::uint64_t own = seed;
  for (const char* c = place.name; *c != 0; ++c) own = own * 31 + static_cast<unsigned char>(*c);
  Drawing drawing(own);
  place.draw(drawing);
  for (Profile& profile : drawing.scene.profiles) profile.steering.model = model;
  return drawing.scene;
}

}  // namespace throng::places_to_try
