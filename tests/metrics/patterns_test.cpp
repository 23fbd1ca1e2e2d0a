// Lanes, stripes and circulation of crowds whose order is known.
#include <complex>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "throng/metrics.h"

#include "metrics/lanes.h"
#include "metrics/people.h"
#include "metrics/stripes.h"

namespace throng {
namespace {

using metrics::frameOf;
using metrics::Standing;
constexpr double kHalfTurn = std::numbers::pi;

std::vector<Polygon> boxOf(double x0, double y0, double x1, double y1) {
  return {Polygon{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}};
}

Point turned(Point p, double angle) {
  return {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle)};
}

/// Two frames half a second apart, and so on: everybody moves a little, so that all are on their way.
MetricsReport look(const MetricsSettings& settings, int looks, const std::function<std::vector<Standing>(int)>& crowd) {
  Metrics metrics(settings);
  for (int i = 0; i < looks; ++i) metrics.observe(frameOf(0.5 * i, crowd(i)).view());
  return metrics.report();
}

MetricsSettings counterflow(double angle) {
  MetricsSettings settings;
  std::vector<Polygon> area = boxOf(0, 0, 20, 6);
  for (Point& corner : area.front().outer) corner = turned(corner, angle);
  settings.streams = {{"both", {0}, {1}, turned({2, 0}, angle), turned({-1, 0}, angle), area, ""}};
  return settings;
}

TEST(Lanes, PerfectOnesInAnyDirection) {
  // Four lanes of 1.5 m: streams 0, 1, 0, 1.
  for (const double angle : {0.0, 0.7, 2.0, -1.1}) {
    base::Random random(3, 0);
    const MetricsReport report = look(counterflow(angle), 20, [&](int) {
      std::vector<Standing> people;
      for (std::uint32_t person = 1; person <= 120; ++person) {
        const std::uint64_t lane = random.below(4);
        const Point at =
            turned({random.uniform(0.1, 19.9), 1.5 * static_cast<double>(lane) + random.uniform(0.4, 1.1)}, angle);
        people.push_back({person, at.x, at.y, 0.25, 0, static_cast<std::uint16_t>(lane % 2)});
      }
      return people;
    });
    ASSERT_EQ(report.lanes.size(), 1u);
    EXPECT_TRUE(report.stripes.empty());
    EXPECT_EQ(report.lanes[0].lanes.count, 19u);  // nobody walks yet in the first
    EXPECT_DOUBLE_EQ(report.lanes[0].lanes.mean, 4) << angle;
    EXPECT_GT(report.lanes[0].purity.mean, 0.97);
    EXPECT_GT(report.lanes[0].order, 0.93);
  }
}

TEST(Lanes, TwoHalvesAreTwoLanesWhoeverIsAloneBesideThem) {
  const MetricsReport report = look(counterflow(0), 4, [](int i) {
    std::vector<Standing> people;
    // In one section each: ten a stream on their sides, in strips of their own; one stray in the other's side.
    for (std::uint32_t n = 0; n < 20; ++n)
      people.push_back({n + 1, 1 + 0.1 * n + 0.01 * i, n < 10 ? 0.3 + 0.2 * n : 3.3 + 0.2 * (n - 10), 0.25, 0,
                        static_cast<std::uint16_t>(n >= 10)});
    people.push_back({50, 5 + 0.01 * i, 5.9, 0.25, 0, 0});
    return people;
  });
  EXPECT_DOUBLE_EQ(report.lanes[0].lanes.mean, 2);
  EXPECT_DOUBLE_EQ(report.lanes[0].purity.mean, 1);
}

TEST(Lanes, AMixedCrowdHasPurityByChanceAndNoOrder) {
  base::Random random(4, 0);
  const MetricsReport report = look(counterflow(0), 400, [&](int) {
    std::vector<Standing> people;
    for (std::uint32_t person = 1; person <= 100; ++person)
      people.push_back({person, random.uniform(0, 20), random.uniform(0, 6), 0.25, 0,
                        static_cast<std::uint16_t>(random.below(3) == 0)});
    return people;
  });
  EXPECT_NEAR(report.lanes[0].order, 0, 0.02);
  EXPECT_GT(report.lanes[0].purity.mean, 0.66);  // two of three walk one way
  EXPECT_LT(report.lanes[0].purity.mean, 0.8);
}

TEST(Lanes, TooFewOrElsewhereAreNotJudged) {
  const MetricsReport report = look(counterflow(0), 5, [](int i) {
    std::vector<Standing> people;
    for (std::uint32_t n = 1; n <= 40; ++n)
      people.push_back({n, 0.2 * n + 0.01 * i, n > 2 ? 3.0 : 8.0, 0.25, static_cast<std::uint16_t>(n > 35),
                        static_cast<std::uint16_t>(n > 33)});
    return people;
  });
  EXPECT_EQ(report.lanes[0].lanes.count, 0u);  // two of the second stream, the others on another floor
  EXPECT_EQ(report.lanes[0].order, 0);
}

TEST(Lanes, CountByHand) {
  using metrics::laneCount;
  using metrics::Strip;
  EXPECT_EQ(laneCount({}), 0u);
  EXPECT_EQ(laneCount(std::vector<Strip>{{5, 0}, {4, 1}, {0, 3}}), 2u);
  EXPECT_EQ(laneCount(std::vector<Strip>{{5, 0}, {2, 2}, {4, 1}}), 1u);          // undecided between
  EXPECT_EQ(laneCount(std::vector<Strip>{{5, 0}, {1, 2}, {4, 1}}), 1u);          // ahead by one
  EXPECT_EQ(laneCount(std::vector<Strip>{{5, 0}, {1, 2}, {1, 2}, {4, 1}}), 3u);  // by one in each of two
  EXPECT_EQ(laneCount(std::vector<Strip>{{1, 0}, {0, 1}, {1, 0}}), 0u);
}

TEST(Lanes, ThoseOfACountAreThoseWithStrips) {
  using metrics::laneCount;
  using metrics::lanesOf;
  using metrics::Strip;
  base::Random random(8, 0);
  for (int round = 0; round < 500; ++round) {
    std::vector<Strip> strips(1 + random.below(12));
    for (Strip& strip : strips) {
      strip.first = static_cast<std::uint32_t>(random.below(4));
      strip.second = static_cast<std::uint32_t>(random.below(4));
    }
    const auto lanes = lanesOf(strips);
    ASSERT_EQ(lanes.size(), laneCount(strips));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      std::int64_t ahead = 0;
      for (std::size_t k = lanes[i].begin; k < lanes[i].end; ++k)
        ahead += std::int64_t{strips[k].first} - std::int64_t{strips[k].second};
      EXPECT_GE(lanes[i].first ? ahead : -ahead, 2);
      if (i > 0) {
        EXPECT_GE(lanes[i].begin, lanes[i - 1].end);
        EXPECT_NE(lanes[i].first, lanes[i - 1].first);
      }
    }
  }
}

TEST(Lanes, LieWhereTheirPeopleAre) {
  for (const double angle : {0.0, 0.7, -1.1}) {
    base::Random random(5, 0);
    Metrics metrics(counterflow(angle));
    // Lanes of 1.2 m, which are two strips each.
    const auto crowd = [&] {
      std::vector<Standing> people;
      for (std::uint32_t person = 1; person <= 150; ++person) {
        const auto lane = static_cast<std::uint16_t>(random.below(5));
        const Point at = turned({random.uniform(0.1, 19.9), 1.2 * lane + random.uniform(0.05, 1.15)}, angle);
        people.push_back({person, at.x, at.y, 0.25, 0, static_cast<std::uint16_t>(lane % 2)});
      }
      // One of the second stream in the first lane, and one who has arrived.
      const Point wrong = turned({3, 0.5}, angle), done = turned({4, 0.5}, angle);
      people.push_back({151, wrong.x, wrong.y, 0.25, 0, 1});
      people.push_back({152, done.x, done.y, 0.25, 0, 1});
      return people;
    };
    metrics.observe(frameOf(0, crowd()).view());
    const FrameCopy frame = frameOf(0.5, crowd());
    const std::vector<Arrival> arrivals{{152, 0.2}};
    metrics.observe(frame.view(), arrivals);
    const Patterns patterns = metrics.patterns(frame.view());
    EXPECT_TRUE(patterns.stripes.empty());
    ASSERT_EQ(patterns.lanes.size(), 10u) << angle;  // five in each of two sections
    std::uint32_t people = 0;
    for (std::size_t i = 0; i < 10; ++i) {
      const LaneShape& lane = patterns.lanes[i];
      const double low = 1.2 * static_cast<double>(i % 5);
      EXPECT_EQ(lane.section, i / 5);
      EXPECT_EQ(lane.first, i % 5 % 2 == 0);
      EXPECT_EQ(lane.against, i == 0 ? 1u : 0u);
      people += lane.people;
      ASSERT_EQ(lane.corners.size(), 4u);
      const Point corner = turned(lane.corners[0], -angle), far = turned(lane.corners[2], -angle);
      EXPECT_NEAR(corner.x, i < 5 ? 0 : 10, 1e-9);
      EXPECT_NEAR(corner.y, low, 1e-9);
      EXPECT_NEAR(far.x, i < 5 ? 10 : 20, 1e-9);
      EXPECT_NEAR(far.y, low + 1.2, 1e-9);
    }
    EXPECT_EQ(people, 151u);
  }
}

TEST(Lanes, ExpectedMajorityAgainstAllDraws) {
  // All subsets, one by one.
  for (std::uint32_t first = 0; first <= 6; ++first) {
    for (std::uint32_t second = first == 0; second <= 5; ++second) {
      const std::uint32_t all = first + second;
      std::vector<double> sum(all + 1, 0), count(all + 1, 0);
      for (std::uint32_t subset = 0; subset < 1u << all; ++subset) {
        std::uint32_t mine = 0, drawn = 0;
        for (std::uint32_t i = 0; i < all; ++i)
          if (subset >> i & 1) ++drawn, mine += i < first;
        sum[drawn] += std::max(mine, drawn - mine);
        ++count[drawn];
      }
      for (std::uint32_t drawn = 0; drawn <= all; ++drawn)
        EXPECT_NEAR(metrics::expectedMajority(first, second, drawn), sum[drawn] / count[drawn], 1e-12);
    }
  }
  EXPECT_NEAR(metrics::expectedMajority(50000, 50000, 20000), 10000 + std::sqrt(2 / kHalfTurn) * std::sqrt(4000), 0.1);
}

Streams crossing(double angle_between) {
  return {"cross", {0}, {1}, {1, 0}, turned({1, 0}, angle_between), boxOf(-4, -4, 4, 4), ""};
}

/// People evenly about, whose stream follows from where they are: stripes along `degrees`, that move.
std::vector<Standing> stripes(base::Random& random, double degrees, double wavelength, double phase) {
  const Point across = turned({0, 1}, degrees * kHalfTurn / 180);
  std::vector<Standing> people;
  for (std::uint32_t person = 1; person <= 80; ++person) {
    const Point at{random.uniform(-4, 4), random.uniform(-4, 4)};
    const bool second = std::sin(2 * kHalfTurn * dot(across, at) / wavelength + phase) < 0;
    people.push_back({person, at.x, at.y, 0.25, 0, second});
  }
  return people;
}

TEST(Stripes, AngleWavelengthAndStrength) {
  base::Random random(5, 0);
  // The first stream walks east, the second to its left: away from it is clockwise.
  for (const double degrees : {-45.0, 45.0, -30.0, -60.0, -75.0, 10.0}) {
    const double reported = -degrees;
    for (const double wavelength : {2.0, 3.0, 4.0}) {
      MetricsSettings settings;
      settings.streams = {crossing(kHalfTurn / 2)};
      const MetricsReport report =
          look(settings, 60, [&](int i) { return stripes(random, degrees, wavelength, 0.8 * i); });
      ASSERT_EQ(report.stripes.size(), 1u);
      const StripeReport& found = report.stripes[0];
      EXPECT_EQ(found.looks, 59u);
      EXPECT_NEAR(found.angle_degrees, reported, 4) << wavelength;
      EXPECT_NEAR(found.wavelength, wavelength, 0.2) << degrees;
      EXPECT_GT(found.strength, 0.75) << degrees << ' ' << wavelength;
      EXPECT_NEAR(found.expected_degrees, 45, 1e-9);
    }
  }
}

TEST(Stripes, LieWhereTheirPeopleAre) {
  base::Random random(9, 0);
  MetricsSettings settings;
  settings.streams = {crossing(kHalfTurn / 2)};
  Metrics metrics(settings);
  const double wavelength = 2.5, phase = 1.1;
  const Point across = turned({0, 1}, -kHalfTurn / 4);
  for (int i = 0; i < 40; ++i) metrics.observe(frameOf(0.5 * i, stripes(random, -45, wavelength, 0.8 * i)).view());
  const FrameCopy frame = frameOf(20, stripes(random, -45, wavelength, phase));
  metrics.observe(frame.view());
  const Patterns patterns = metrics.patterns(frame.view());
  EXPECT_TRUE(patterns.lanes.empty());
  // Across the diagonal of 11.3 m: two every 2.5 m.
  EXPECT_GE(patterns.stripes.size(), 8u);
  EXPECT_LE(patterns.stripes.size(), 10u);
  for (const StripeShape& stripe : patterns.stripes) {
    const Point middle = (stripe.line.a + stripe.line.b) / 2.0;
    EXPECT_LE(std::max(std::abs(stripe.line.a.x), std::abs(stripe.line.a.y)), 4 + 1e-9);
    EXPECT_LE(std::max(std::abs(stripe.line.b.x), std::abs(stripe.line.b.y)), 4 + 1e-9);
    if (length(middle) > 3) continue;  // a small error of the angle grows outwards
    const double height = std::sin(2 * kHalfTurn * dot(across, middle) / wavelength + phase);
    EXPECT_GT(stripe.first ? height : -height, 0.6);
    EXPECT_GT(std::abs(dot(normalized(stripe.line.b - stripe.line.a), turned({1, 0}, -kHalfTurn / 4))), 0.99);
  }
}

TEST(Stripes, TheOtherStreamOnTheOtherSide) {
  base::Random random(6, 0);
  MetricsSettings settings;
  settings.streams = {crossing(-2 * kHalfTurn / 3)};  // to the right: away from it is anticlockwise
  const MetricsReport report = look(settings, 60, [&](int i) { return stripes(random, 30, 2.5, 0.8 * i); });
  EXPECT_NEAR(report.stripes[0].angle_degrees, 30, 4);
  EXPECT_NEAR(report.stripes[0].expected_degrees, 30, 1e-9);
}

TEST(Stripes, NoneInAMixedCrowdNorWhenEachWaitsOnItsSide) {
  base::Random random(7, 0);
  MetricsSettings settings;
  settings.streams = {crossing(kHalfTurn / 2)};
  const auto crowd = [&](double separation) {
    return look(settings, 100, [&](int) {
      std::vector<Standing> people;
      for (std::uint32_t person = 1; person <= 60; ++person) {
        const Point at{random.uniform(-4, 4), random.uniform(-4, 4)};
        const bool second = random.uniform(-4, 4) < separation * (at.x - at.y) / 2;
        people.push_back({person, at.x, at.y, 0.25, 0, second});
      }
      return people;
    });
  };
  EXPECT_LT(crowd(0).stripes[0].strength, 0.06);
  EXPECT_LT(crowd(1).stripes[0].strength, 0.12);
}

TEST(Stripes, SpectrumAgainstSinesAndCosines) {
  base::Random random(8, 0);
  metrics::StripeWatch watch(metrics::MeetingPlace(crossing(kHalfTurn / 2), 0));
  const double radius = 4 * std::numbers::sqrt2;
  EXPECT_NEAR(watch.spacing(), 2 * kHalfTurn / (4 * radius), 1e-12);
  struct Walker {
    Point at;
    double weight, stream;
  };
  std::vector<std::vector<Walker>> looks(3);
  for (auto& people : looks) {
    for (std::uint32_t person = 1; person <= 30; ++person) {
      const Point at{random.uniform(-5, 5), random.uniform(-5, 5)};
      const std::uint16_t population = static_cast<std::uint16_t>(random.below(3));
      watch.observe(person, population, at);
      if (population == 2 || std::abs(at.x) > 4 || std::abs(at.y) > 4) continue;
      people.push_back({at, (1 + std::cos(kHalfTurn * length(at) / radius)) / 2, population == 0 ? 1.0 : -1.0});
    }
    watch.endLook();
  }
  for (int column = -watch.waves(); column <= watch.waves(); column += 3) {
    for (int line = -watch.waves(); line <= watch.waves(); ++line) {
      double power = 0, possible = 0;
      for (const auto& people : looks) {
        double weights = 0, squares = 0, mean = 0, own = 0;
        for (const Walker& w : people) weights += w.weight, squares += w.weight * w.weight, mean += w.weight * w.stream;
        mean /= weights;
        std::complex<double> sum;
        for (const Walker& w : people) {
          const double charge = w.weight * (w.stream - mean);
          sum += charge * std::polar(1.0, watch.spacing() * (column * w.at.x + line * w.at.y));
          own += charge * charge;
        }
        power += std::norm(sum) - own;
        possible += (1 - mean * mean) * (weights * weights - squares);
      }
      EXPECT_NEAR(watch.power(column, line), power / possible, 1e-12) << column << ' ' << line;
    }
  }
}

TEST(Circulation, ARingThatTurnsAndPeopleWhoPass) {
  MetricsSettings settings;
  settings.circles = {{"ring", {10, 5}, {0}, ""}};
  for (const double sense : {1.0, -1.0}) {
    const MetricsReport ring = look(settings, 40, [&](int i) {
      std::vector<Standing> people;
      for (std::uint32_t n = 0; n < 12; ++n) {
        const double angle = sense * 0.1 * i + n;
        people.push_back({n + 1, 10 + 4 * std::cos(angle), 5 + 4 * std::sin(angle)});
      }
      return people;
    });
    ASSERT_EQ(ring.circulations.size(), 1u);
    EXPECT_EQ(ring.circulations[0].people, 12u);
    EXPECT_NEAR(ring.circulations[0].circulation, sense, 1e-9);
    EXPECT_NEAR(ring.circulations[0].rotation, sense, 1e-4);
  }
  // Straight past the centre, 1 m beside it: to the east with the centre on the left three times, on the right once.
  const MetricsReport pass = look(settings, 41, [](int i) {
    std::vector<Standing> people;
    for (std::uint32_t n = 0; n < 4; ++n) people.push_back({n + 1, 0.5 * i, n == 0 ? 6.0 : 4.0});
    people.push_back({9, 0.5 * i, 5, 0.25, 0, 1});  // of another population
    return people;
  });
  EXPECT_NEAR(pass.circulations[0].circulation, 0.5, 1e-9);
  // Mean of 1 m / distance over 10 m to each side: asinh(10) / 10 for each.
  double arms = 0;
  for (int i = 0; i < 40; ++i) arms += std::hypot(0.5 * i + 0.25 - 10, 1.0) / 40;
  EXPECT_NEAR(pass.circulations[0].rotation, 0.5 / arms, 1e-6);
}

TEST(Patterns, RowOrderDoesNotMatter) {
  base::Random random(9, 0);
  MetricsSettings settings;
  settings.streams = {crossing(kHalfTurn / 2), counterflow(0).streams[0]};
  settings.circles = {{"ring", {0, 0}, {0, 1}, ""}};
  Metrics ordered(settings), mixed(settings);
  for (int i = 0; i < 20; ++i) {
    std::vector<Standing> people = stripes(random, 20, 2, i);
    for (Standing& p : people)
      if (p.person % 2) p.x += 5, p.y += 4;
    ordered.observe(frameOf(0.1 * i, people).view());
    metrics::shuffle(people, random);
    mixed.observe(frameOf(0.1 * i, people).view());
  }
  const MetricsReport a = ordered.report(), b = mixed.report();
  EXPECT_GT(a.jerk, 0);
  EXPECT_EQ(a.jerk, b.jerk);
  EXPECT_EQ(a.heading_reversals, b.heading_reversals);
  EXPECT_EQ(a.stripes[0].looks, 3u);  // every half second, and nobody walks in the first
  EXPECT_EQ(a.stripes[0].angle_degrees, b.stripes[0].angle_degrees);
  EXPECT_EQ(a.stripes[0].strength, b.stripes[0].strength);
  EXPECT_EQ(a.lanes[0].lanes.count, 3u);
  EXPECT_EQ(a.lanes[0].order, b.lanes[0].order);
  EXPECT_NE(a.circulations[0].circulation, 0);
  EXPECT_EQ(a.circulations[0].circulation, b.circulations[0].circulation);
  EXPECT_EQ(a.circulations[0].rotation, b.circulations[0].rotation);
}

Population population(const char* name, Point from, Point to) {
  Population population;
  population.name = name;
  population.start.shape = StartArea{boxOf(from.x - 2, from.y - 2, from.x + 2, from.y + 2)};
  population.goals = {{GoalArea{boxOf(to.x - 2, to.y - 2, to.x + 2, to.y + 2)}}};
  return population;
}

TEST(Patterns, StreamsOfAScene) {
  Scene scene;
  scene.layers.resize(1);
  scene.populations = {population("east", {-20, 0}, {20, 0}), population("north", {1, -20}, {1, 20})};
  scene.populations.resize(3);  // and some who stand about
  const MetricsSettings cross = metricsSettings(scene);
  ASSERT_EQ(cross.streams.size(), 1u);
  EXPECT_EQ(cross.streams[0].name, "east/north");
  EXPECT_EQ(cross.streams[0].second, std::vector<std::uint16_t>{1});
  EXPECT_THAT(cross.streams[0].area[0].outer,
              testing::UnorderedElementsAre(Point{-1, -2}, Point{3, -2}, Point{3, 2}, Point{-1, 2}));
  EXPECT_EQ(Metrics(cross).report().stripes.size(), 1u);

  // More of the same stream, and a third one: none any more.
  scene.populations[2] = population("also east", {-20, 1}, {20, 2});
  EXPECT_EQ(metricsSettings(scene).streams[0].name, "east+also east/north");
  scene.populations[2] = population("south-west", {10, 10}, {-10, -10});
  EXPECT_TRUE(metricsSettings(scene).streams.empty());

  scene.populations = {population("east", {-20, 0}, {20, 0}), population("west", {15, 1}, {-25, 1})};
  EXPECT_EQ(Metrics(metricsSettings(scene)).report().lanes.size(), 1u);
  const std::vector<Point> meet = metricsSettings(scene).streams[0].area[0].outer;
  EXPECT_THAT(meet, testing::UnorderedElementsAre(Point{-22, -6}, Point{17, -6}, Point{17, 7}, Point{-22, 7}));
  scene.populations[1].on_arrival = OnArrival::kGoBack;
  EXPECT_TRUE(metricsSettings(scene).streams.empty());
  // Side by side they do not meet; nor does one that ends before the other's way.
  scene.populations[1] = population("west", {20, 9}, {-20, 9});
  EXPECT_TRUE(metricsSettings(scene).streams.empty());
  scene.populations[1] = population("north", {0, 10}, {0, 20});
  EXPECT_TRUE(metricsSettings(scene).streams.empty());
}

TEST(Patterns, CirclesOfAScene) {
  Scene scene;
  scene.layers.resize(1);
  scene.populations = {population("a", {-20, 0}, {20, 0}), population("b", {0, 9}, {0, 20}),
                       population("c", {0, 9}, {0, 20})};
  for (const std::size_t i : {0, 2}) scene.populations[i].goals[0].target = GoalOpposite{{3, 4}};
  const MetricsSettings settings = metricsSettings(scene);
  EXPECT_TRUE(settings.streams.empty());
  ASSERT_EQ(settings.circles.size(), 1u);
  EXPECT_EQ(settings.circles[0].name, "a+c");
  EXPECT_EQ(settings.circles[0].centre, (Point{3, 4}));
  EXPECT_EQ(settings.circles[0].populations, (std::vector<std::uint16_t>{0, 2}));
}

TEST(Patterns, BadSettingsSayWhatIsAllowed) {
  const auto message = [](const MetricsSettings& settings) -> std::string {
    try {
      Metrics metrics(settings);
      return "accepted";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  using testing::HasSubstr;
  MetricsSettings settings;
  settings.streams = {crossing(0.3)};
  EXPECT_THAT(message(settings), HasSubstr("\"cross\" have directions 17.2° apart; they must be 30° apart or more"));
  settings.streams = {crossing(1)};
  EXPECT_EQ(message(settings), "accepted");
  settings.streams[0].second_direction = {};
  EXPECT_THAT(message(settings), HasSubstr("longer than 0"));
  settings.streams = {crossing(1)};
  settings.streams[0].area.clear();
  EXPECT_THAT(message(settings), HasSubstr("area of streams \"cross\" must enclose more than 0 m²"));
  settings = {};
  settings.lane_width = 0;
  EXPECT_THAT(message(settings), HasSubstr("lane_width is 0; it must be more than 0 m"));
  settings = {};
  settings.reversal_degrees = 180;
  EXPECT_THAT(message(settings), HasSubstr("reversal_degrees"));
  settings = {};
  settings.smooth_interval = -1;
  EXPECT_THAT(message(settings), HasSubstr("smooth_interval is -1; it must be 0 s or more"));
}

}  // namespace
}  // namespace throng
