// Who crosses a line, and when: by hand, and against an independent count in whole numbers.
#include "metrics/crossings.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "base/random.h"
#include "people.h"

namespace throng::metrics {
namespace {

const Segment kLine{{0, 0}, {10, 0}};  // its left is above

TEST(Crossing, DirectionAndExtent) {
  EXPECT_EQ(crossing(kLine, {5, 1}, {5, -1}), 1);
  EXPECT_EQ(crossing(kLine, {5, -1}, {5, 1}), -1);
  EXPECT_EQ(crossing(kLine, {5, 2}, {5, 1}), 0);
  EXPECT_EQ(crossing(kLine, {11, 1}, {11, -1}), 0);
  EXPECT_EQ(crossing(kLine, {9, 2}, {13, -2}), 0);  // meets the line's extension at 11
  EXPECT_EQ(crossing(kLine, {8, 2}, {11, -1}), 0);  // at its end b, which does not belong to it
  EXPECT_EQ(crossing(kLine, {-1, 1}, {1, -1}), 1);  // at its end a, which does
  EXPECT_EQ(crossing(kLine, {1, -1}, {-1, 1}), -1);
  EXPECT_EQ(crossing(kLine, {2, 0}, {8, 0}), 0);  // along it
  EXPECT_EQ(crossing(kLine, {5, 1}, {5, 1}), 0);
}

TEST(Crossing, StoppingOnTheLineCountsOnce) {
  EXPECT_EQ(crossing(kLine, {5, 1}, {5, 0}) + crossing(kLine, {5, 0}, {5, -1}), 1);
  EXPECT_EQ(crossing(kLine, {5, -1}, {5, 0}) + crossing(kLine, {5, 0}, {5, 1}), -1);
  EXPECT_EQ(crossing(kLine, {5, -1}, {5, 0}) + crossing(kLine, {5, 0}, {6, -1}), 0);
  // Step onto it, walk along it, step off on the other side.
  EXPECT_EQ(crossing(kLine, {5, 1}, {5, 0}) + crossing(kLine, {5, 0}, {7, 0}) + crossing(kLine, {7, 0}, {7, -3}), 1);
}

/// Solves for the place of the crossing in whole numbers. A place on the line is on its right, and the line is [a, b).
int wholeNumberCrossing(std::int64_t ax, std::int64_t ay, std::int64_t bx, std::int64_t by, std::int64_t px,
                        std::int64_t py, std::int64_t qx, std::int64_t qy) {
  const auto height = [&](std::int64_t x, std::int64_t y) { return (bx - ax) * (y - ay) - (by - ay) * (x - ax); };
  const std::int64_t hp = height(px, py), hq = height(qx, qy);
  if ((hp > 0) == (hq > 0)) return 0;
  // Where: p + (q - p) * hp / (hp - hq), as a multiple of 1/(hp - hq); along a→b in units of |ab|².
  const std::int64_t d = hp - hq;
  std::int64_t along = (px - ax) * (bx - ax) + (py - ay) * (by - ay);
  along = along * d + hp * ((qx - px) * (bx - ax) + (qy - py) * (by - ay));
  std::int64_t whole = ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)) * d;
  if (d < 0) along = -along, whole = -whole;
  if (along < 0 || along >= whole) return 0;
  return hp > 0 ? 1 : -1;
}

TEST(Crossing, SameAsInWholeNumbers) {
  base::Random random(11, 0);
  int crossed = 0, touching = 0;
  for (int i = 0; i < 200000; ++i) {
    // Few different coordinates, so that every coincidence comes up.
    std::int64_t c[8];
    for (std::int64_t& value : c) value = static_cast<std::int64_t>(random.below(i % 2 ? 7 : 40));
    if (c[0] == c[2] && c[1] == c[3]) continue;
    const auto point = [&](int k) { return Point{static_cast<double>(c[k]), static_cast<double>(c[k + 1])}; };
    const int expected = wholeNumberCrossing(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
    ASSERT_EQ(crossing({point(0), point(2)}, point(4), point(6)), expected)
        << c[0] << ' ' << c[1] << ' ' << c[2] << ' ' << c[3] << ' ' << c[4] << ' ' << c[5] << ' ' << c[6] << ' '
        << c[7];
    crossed += std::abs(expected);
    touching += (c[2] - c[0]) * (c[7] - c[1]) == (c[3] - c[1]) * (c[6] - c[0]);
  }
  EXPECT_GT(crossed, 30000);
  EXPECT_GT(touching, 5000);
}

TEST(Crossing, AClosedWalkCrossesAsOftenForwardAsBackward) {
  base::Random random(12, 0);
  for (int walk = 0; walk < 500; ++walk) {
    const Segment line{{-1000, 3}, {1000, 3}};
    const Point start{static_cast<double>(random.below(9)), static_cast<double>(random.below(7))};
    Point at = start;
    int sum = 0;
    for (int i = 0; i < 50; ++i) {
      const Point next =
          i == 49 ? start : Point{static_cast<double>(random.below(9)), static_cast<double>(random.below(7))};
      sum += crossing(line, at, next);
      at = next;
    }
    ASSERT_EQ(sum, 0);
  }
}

Move moveOf(double start, Point from, Point to, Point shift = {}) {
  return {true, from, to, shift, start, 1.0, length(to - from + shift)};
}

TEST(CrossingCounter, FlowBetweenTheFirstAndTheLastCrossing) {
  CrossingCounter counter({"door", kLine, ""}, 0);
  counter.observe(moveOf(0, {5, 1}, {5, -3}), 0);    // at 0.25 s
  counter.observe(moveOf(2, {6, -1}, {6, 1}), 0);    // at 2.5 s
  counter.observe(moveOf(4, {20, 1}, {20, -1}), 0);  // beside it
  counter.observe(moveOf(4, {2, 3}, {2, -1}), 0);    // at 4.75 s
  const LineReport report = counter.report();
  EXPECT_EQ(report.name, "door");
  EXPECT_EQ(report.forward, 2u);
  EXPECT_EQ(report.backward, 1u);
  EXPECT_DOUBLE_EQ(report.flow, 2 / 4.5);
  EXPECT_DOUBLE_EQ(report.specific_flow, 2 / 4.5 / 10);
}

TEST(CrossingCounter, NoFlowFromOneCrossing) {
  CrossingCounter counter({"", kLine, ""}, 0);
  counter.observe(moveOf(0, {5, 1}, {5, -1}), 0);
  EXPECT_EQ(counter.report().forward, 1u);
  EXPECT_EQ(counter.report().flow, 0);
}

TEST(CrossingCounter, BothSidesOfAWrappedBorder) {
  // The field is [0, 20] x [0, 20]; somebody walks from x = 19.5 to 0.5 through the border.
  for (const double x : {19.8, 0.2}) {
    CrossingCounter counter({"", {{x, 0}, {x, 20}}, ""}, 0);
    counter.observe(moveOf(0, {19.5, 5}, {0.5, 5}, {20, 0}), 0);
    EXPECT_EQ(counter.report().forward + counter.report().backward, 1u) << x;
    EXPECT_EQ(counter.report().forward, 1u) << x;  // the left of an upward line is where they come from
  }
  CrossingCounter middle({"", {{10, 0}, {10, 20}}, ""}, 0);
  middle.observe(moveOf(0, {19.5, 5}, {0.5, 5}, {20, 0}), 0);
  EXPECT_EQ(middle.report().forward + middle.report().backward, 0u);
  // Through the corner: out at the right (19.5, 19.7) → (20.2, 20.4) is (0.2, 0.4).
  CrossingCounter corner({"", {{0.1, 0}, {0.1, 20}}, ""}, 0);
  corner.observe(moveOf(0, {19.5, 19.7}, {0.2, 0.4}, {20, 20}), 0);
  EXPECT_EQ(corner.report().forward, 1u);
}

/// Two layers that meet at x = 10, somewhere along a connection; a line in all places and on either layer.
MetricsSettings twoLayers(Segment from, Segment to) {
  MetricsSettings settings;
  settings.layers = {"hall", "stair"};
  settings.connections = {{"top", "hall", from, "stair", to}};
  return settings;
}

LineReport counted(const MetricsSettings& settings, const std::vector<std::pair<Point, std::uint16_t>>& way) {
  Metrics metrics(settings);
  double time = 0;
  for (const auto& [at, layer] : way) {
    Standing person;
    person.x = at.x, person.y = at.y, person.layer = layer;
    metrics.observe(frameOf(time, {person}).view());
    time += 0.5;
  }
  return metrics.report().lines[0];
}

TEST(LinesOnConnections, CountWhoPassesOnWhicheverLayerTheyAreGiven) {
  base::Random random(3, 3);
  const Segment up{{10, 0}, {10, 4}}, down{{10, 4}, {10, 0}};
  for (int trial = 0; trial < 400; ++trial) {
    MetricsSettings settings = twoLayers(random.below(2) ? up : down, random.below(2) ? up : down);
    // On the connection, just before it, just behind it; as long as it, and longer on the hall's side.
    const double x = random.below(2) ? 10.0 : 9.5 + random.uniform();
    MeasurementLine line{"line", {{x, 0}, {x, 4}}, x < 10 ? "hall" : "stair"};
    if (x == 10) line.layer = random.below(2) ? "hall" : "stair";
    settings.lines = {line};
    // There and back, with stops on the line itself.
    std::vector<std::pair<Point, std::uint16_t>> way;
    int crossings = 0;
    bool beyond = false;
    for (int i = 0; i < 60; ++i) {
      const double at = random.below(4) == 0 ? 10.0 : 8 + 4 * random.uniform();
      // On the line one may be on either layer.
      const auto layer = static_cast<std::uint16_t>(at == 10 ? random.below(2) : at > 10);
      way.push_back({{static_cast<float>(at), static_cast<float>(0.5 + 3 * random.uniform())}, layer});
      const bool now = static_cast<float>(at) >= x;  // a place on an upward line is on its right
      crossings += i > 0 && now != beyond;
      beyond = now;
    }
    const LineReport report = counted(settings, way);
    ASSERT_EQ(report.forward + report.backward, static_cast<std::uint64_t>(crossings))
        << "trial " << trial << ", line at " << x << " on " << line.layer;
    ASSERT_LE(report.forward > report.backward ? report.forward - report.backward : report.backward - report.forward,
              1u);
  }
}

TEST(LinesOnConnections, OfOtherLayersCountNobody) {
  // Above the connection, on a storey that has nothing to do with it.
  MetricsSettings settings = twoLayers({{10, 0}, {10, 4}}, {{10, 0}, {10, 4}});
  settings.layers.push_back("attic");
  settings.lines = {{"line", {{10, 0}, {10, 4}}, "attic"}};
  EXPECT_EQ(counted(settings, {{{9, 2}, 0}, {{11, 2}, 1}, {{9, 2}, 0}}).forward, 0u);
}

TEST(LinesOnConnections, AreCrossedOnceWhenAFrameSkipsALayer) {
  // Hall, stair and upper floor, and frames so far apart that nobody is seen on the stair.
  MetricsSettings settings = twoLayers({{10, 0}, {10, 4}}, {{10, 0}, {10, 4}});
  settings.layers.push_back("upper");
  settings.connections.push_back({"end", "stair", {{11, 0}, {11, 4}}, "upper", {{11, 0}, {11, 4}}});
  for (const char* layer : {"hall", "stair"}) {
    settings.lines = {{"foot", {{10, 0}, {10, 4}}, layer}};
    EXPECT_EQ(counted(settings, {{{9, 2}, 0}, {{12, 2}, 2}}).forward, 1u) << layer;
    EXPECT_EQ(counted(settings, {{{12, 2}, 2}, {{9, 2}, 0}}).backward, 1u) << layer;
  }
  settings.lines = {{"middle", {{10.5, 0}, {10.5, 4}}, "stair"}};
  EXPECT_EQ(counted(settings, {{{9, 2}, 0}, {{12, 2}, 2}}).forward, 1u);
}

}  // namespace
}  // namespace throng::metrics
