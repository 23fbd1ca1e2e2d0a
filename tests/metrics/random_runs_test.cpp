// Whole random runs, people coming and going, against a twin that keeps the complete history and computes every number
// from its definition at the end.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "throng/metrics.h"

#include "metrics/people.h"

namespace throng {
namespace {

struct Sight {
  std::size_t frame;
  double time, x, y;
  std::uint16_t layer;
};

/// Everything everybody ever did.
struct History {
  MetricsSettings settings;
  std::vector<double> times;
  std::map<std::uint32_t, std::vector<Sight>> sights;
  std::map<std::uint32_t, double> arrivals;

  void observe(const Frame& f, const std::vector<Arrival>& arrived) {
    for (const Arrival& a : arrived) arrivals.emplace(a.person, a.time);
    for (std::size_t i = 0; i < f.size(); ++i)
      sights[f.person[i]].push_back({times.size(), f.time, double{f.x[i]}, double{f.y[i]}, f.layer[i]});
    times.push_back(f.time);
  }

  Point step(const Sight& a, const Sight& b) const {
    Point by{b.x - a.x, b.y - a.y};
    if (a.layer < settings.wrap.size() && settings.wrap[a.layer]) {
      const double w = settings.wrap[a.layer]->max.x - settings.wrap[a.layer]->min.x;
      const double h = settings.wrap[a.layer]->max.y - settings.wrap[a.layer]->min.y;
      while (by.x > w / 2) by.x -= w;
      while (by.x < -w / 2) by.x += w;
      while (by.y > h / 2) by.y -= h;
      while (by.y < -h / 2) by.y += h;
    }
    return by;
  }
  static bool follows(const Sight& a, const Sight& b) { return b.frame == a.frame + 1 && a.layer == b.layer; }

  MetricsReport report() const {
    MetricsReport r;
    std::uint64_t walkers = 0, energetic = 0;
    for (const auto& [person, seen] : sights) {
      double distance = 0, time = 0, slow = 0, energy = 0, last = -1;
      std::uint64_t changes = 0;
      const double arrival = arrivals.count(person) ? arrivals.at(person) : INFINITY;
      for (std::size_t i = 1; i < seen.size(); ++i) {
        if (!follows(seen[i - 1], seen[i])) {
          last = -1;
          continue;
        }
        if (seen[i - 1].time >= arrival - 1e-6) break;
        const double dt = seen[i].time - seen[i - 1].time, way = length(step(seen[i - 1], seen[i]));
        distance += way;
        time += dt;
        if (way / dt < settings.slow_speed) slow += dt;
        const double kinetic = way / dt * way / dt / 2;
        if (last >= 0) energy += std::abs(kinetic - last), ++changes;
        last = kinetic;
      }
      if (time > 0)
        ++walkers, r.distance.mean += distance, r.speed.mean += distance / time, r.slow_share += slow / time;
      if (changes > 0) ++energetic, r.energy += energy / static_cast<double>(changes);
      r.stuck += arrival == INFINITY && stuck(seen);
      if (arrival != INFINITY) r.travel_time.max = std::max(r.travel_time.max, arrival - seen.front().time);
    }
    r.distance.count = walkers;
    r.distance.mean /= static_cast<double>(walkers), r.speed.mean /= static_cast<double>(walkers);
    r.slow_share /= static_cast<double>(walkers), r.energy /= static_cast<double>(energetic);
    return r;
  }

  /// Net displacement over exactly the last stuck_time.
  bool stuck(const std::vector<Sight>& seen) const {
    if (seen.back().frame + 1 != times.size()) return false;
    const double then = times.back() - settings.stuck_time;
    Point net{};
    for (std::size_t i = seen.size() - 1;; --i) {
      if (seen[i].time <= then + 1e-6) return length(net) < settings.stuck_distance;
      if (i == 0 || !follows(seen[i - 1], seen[i])) return false;
      net += step(seen[i - 1], seen[i]);
    }
  }
};

struct Walker {
  std::uint32_t person;
  Point at, velocity;
  bool stands = false;
  std::uint16_t layer = 0;
};

void compareRun(std::uint64_t seed, MetricsReport& ours) {
  base::Random random(seed, 1);
  const double field = 30;
  MetricsSettings settings;
  settings.stuck_time = 4;
  settings.wrap = {Rectangle{{-field / 2, -field / 2}, {field / 2, field / 2}}};
  Metrics metrics(settings);
  History history{settings, {}, {}, {}};
  std::vector<Walker> walkers;
  std::uint32_t next = 1;
  // Frames 0.1 s apart, a few dropped as in a coarser recording; a mark of the stuck test every 0.5 s falls on a frame.
  for (int frame = 0; frame < 200; ++frame) {
    const double time = frame * 0.1;
    std::vector<Arrival> arrivals;
    while (walkers.size() < 60 || random.below(10) == 0) {
      const double speed = random.uniform(0, 1.5), angle = random.uniform(0, 6.28);
      walkers.push_back({next++,
                         {random.uniform(-15, 15), random.uniform(-15, 15)},
                         {speed * std::cos(angle), speed * std::sin(angle)},
                         random.below(8) == 0,
                         static_cast<std::uint16_t>(random.below(2))});
    }
    if (frame > 0 && random.below(2) == 0) {
      const std::size_t who = random.below(walkers.size());
      if (!walkers[who].stands || random.below(4) == 0) arrivals.push_back({walkers[who].person, time - 0.03});
      if (random.below(3) != 0) walkers.erase(walkers.begin() + static_cast<std::ptrdiff_t>(who));
    }
    std::vector<metrics::Standing> people;
    for (Walker& w : walkers) {
      if (!w.stands) w.at += w.velocity * 0.1;
      if (random.below(20) == 0) w.velocity *= random.uniform(0.3, 1.6);
      for (double* c : {&w.at.x, &w.at.y}) *c += *c > field / 2 ? -field : *c < -field / 2 ? field : 0;
      if (random.below(300) == 0) w.layer ^= 1;
      if (random.below(200) != 0) people.push_back({w.person, w.at.x, w.at.y, 0.25, w.layer});
    }
    metrics::shuffle(people, random);
    const FrameCopy copy = metrics::frameOf(time, people);
    metrics.observe(copy.view(), arrivals);
    history.observe(copy.view(), arrivals);
  }
  ours = metrics.report();
  const MetricsReport twin = history.report();
  std::size_t people = history.sights.size();  // and those who arrived before any frame showed them
  for (const auto& [person, time] : history.arrivals) people += history.sights.count(person) == 0;
  EXPECT_EQ(ours.people, people);
  EXPECT_EQ(ours.arrivals, history.arrivals.size());
  EXPECT_NEAR(ours.travel_time.max, twin.travel_time.max, 1e-9);
  EXPECT_EQ(ours.distance.count, twin.distance.count);
  EXPECT_NEAR(ours.distance.mean, twin.distance.mean, 1e-9);
  EXPECT_NEAR(ours.speed.mean, twin.speed.mean, 1e-9);
  EXPECT_NEAR(ours.slow_share, twin.slow_share, 1e-9);
  EXPECT_NEAR(ours.energy, twin.energy, 1e-9);
  EXPECT_EQ(ours.stuck, twin.stuck);
}

TEST(RandomRuns, SameAsFromTheWholeHistory) {
  std::uint64_t stuck = 0, arrivals = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    MetricsReport report;
    compareRun(seed, report);
    stuck += report.stuck;
    arrivals += report.arrivals;
    EXPECT_GT(report.slow_share, 0.1);
    EXPECT_GT(report.energy, 0);
  }
  EXPECT_GT(stuck, 50u);
  EXPECT_GT(arrivals, 1000u);
}

}  // namespace
}  // namespace throng
