// Every number of the report, worked out by hand.
#include "throng/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "metrics/people.h"
#include "metrics/spread.h"

namespace throng {
namespace {

using metrics::frameOf;

std::vector<Polygon> box(double x0, double y0, double x1, double y1) {
  return {Polygon{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}};
}

TEST(Spread, ByHand) {
  const Spread spread = metrics::spreadOf({4, 1, 2, 3, 10});
  EXPECT_EQ(spread.count, 5u);
  EXPECT_DOUBLE_EQ(spread.mean, 4);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt((0 + 9 + 4 + 1 + 36) / 5.0));
  EXPECT_DOUBLE_EQ(spread.min, 1);
  EXPECT_DOUBLE_EQ(spread.median, 3);
  EXPECT_DOUBLE_EQ(spread.p95, 4 + 0.8 * 6);  // place 3.8 of 0…4
  EXPECT_DOUBLE_EQ(spread.max, 10);
  EXPECT_DOUBLE_EQ(metrics::spreadOf({1, 2}).median, 1.5);
  EXPECT_DOUBLE_EQ(metrics::spreadOf({7}).p95, 7);
  EXPECT_EQ(metrics::spreadOf({}).count, 0u);
}

/// A source that tells who arrived after its last frame when there is none any more.
TEST(Metrics, FromASourceOfFrames) {
  Metrics one_by_one, at_once;
  MemoryFrames frames(1), empty(1);
  const double x[] = {0, 1, 2, 2.5};
  for (int i = 0; i < 4; ++i) {
    const FrameCopy frame = frameOf(i, {{1, x[i], 7}, {2, -x[i], 3}});
    std::vector<Arrival> arrivals;
    if (i == 2) arrivals.push_back({1, 1.9});
    frames.add(frame, arrivals);
    if (i == 3) arrivals.push_back({2, 3.4});
    one_by_one.observe(frame.view(), arrivals);
  }
  class Late final : public FrameSource {
   public:
    explicit Late(MemoryFrames& source) : frames_(source) {}
    double framesPerSecond() const override { return 1; }

   private:
    bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override {
      if (frames_.next(frame, arrivals)) return true;
      if (arrivals) arrivals->push_back({2, 3.4});
      return false;
    }
    MemoryFrames& frames_;
  } late(frames);
  at_once.observe(late);
  const MetricsReport a = one_by_one.report(), b = at_once.report();
  EXPECT_EQ(b.frames, 4u);
  EXPECT_EQ(b.arrivals, 2u);
  EXPECT_EQ(a.travel_time.mean, b.travel_time.mean);
  EXPECT_EQ(a.distance.mean, b.distance.mean);
  EXPECT_EQ(a.speed.mean, b.speed.mean);
  Metrics none;
  none.observe(empty);
  EXPECT_EQ(none.report().frames, 0u);
}

TEST(Metrics, NothingSeen) {
  const MetricsReport report = Metrics().report();
  EXPECT_EQ(report.frames, 0u);
  EXPECT_EQ(report.people, 0u);
  EXPECT_EQ(report.collision_share, 0);
  EXPECT_FALSE(report.deadlock);
}

TEST(Metrics, OneWalk) {
  Metrics metrics;
  // 1 m/s, 1 m/s, 0.25 m/s, 0.25 m/s and gone at 4.5 s; first seen at 0.5 s.
  const double x[] = {0, 1, 2, 2.25, 2.5};
  for (int i = 0; i < 5; ++i) metrics.observe(frameOf(0.5 + i, {{1, x[i], 7}}).view());
  metrics.observe(frameOf(5.5, {}).view(), std::vector<Arrival>{{1, 5.2}});
  const MetricsReport report = metrics.report();
  EXPECT_DOUBLE_EQ(report.time, 5.5);
  EXPECT_EQ(report.frames, 6u);
  EXPECT_EQ(report.people, 1u);
  EXPECT_EQ(report.arrivals, 1u);
  EXPECT_EQ(report.travel_time.count, 1u);
  EXPECT_DOUBLE_EQ(report.travel_time.max, 4.7);
  EXPECT_DOUBLE_EQ(report.distance.mean, 2.5);
  EXPECT_DOUBLE_EQ(report.speed.mean, 2.5 / 4);
  EXPECT_DOUBLE_EQ(report.slow_share, 0.5);
  // v²/2: 0.5, 0.5, 0.03125, 0.03125: changes 0, 0.46875, 0.
  EXPECT_DOUBLE_EQ(report.energy, 0.46875 / 3);
}

TEST(Metrics, TimesAreReal) {
  // The same walk at 1 m/s seen at uneven times: no matter how often one looks.
  Metrics metrics;
  for (const double t : {0.0, 0.5, 0.75, 3.0, 10.0}) metrics.observe(frameOf(t, {{1, t, 0}}).view());
  const MetricsReport report = metrics.report();
  EXPECT_DOUBLE_EQ(report.distance.mean, 10);
  EXPECT_DOUBLE_EQ(report.speed.mean, 1);
  EXPECT_DOUBLE_EQ(report.energy, 0);
  EXPECT_DOUBLE_EQ(report.slow_share, 0);
}

TEST(Metrics, SlowShareIsAMeanOverPeopleOfTime) {
  Metrics metrics;
  // One is slow for 3 of 4 s, the other (seen for 2 s) never: mean of 3/4 and 0.
  metrics.observe(frameOf(0, {{1, 0, 0}}).view());
  metrics.observe(frameOf(3, {{1, 0.3, 0}}).view());
  metrics.observe(frameOf(4, {{2, 0, 5}, {1, 1.3, 0}}).view());
  metrics.observe(frameOf(6, {{2, 2, 5}}).view());
  EXPECT_DOUBLE_EQ(metrics.report().slow_share, 0.375);
}

TEST(Metrics, WhoHasArrivedAndStaysIsNeitherSlowNorStuck) {
  Metrics metrics;
  for (int t = 0; t <= 4; ++t) metrics.observe(frameOf(t, {{1, 1.0 * t, 0}}).view());
  metrics.observe(frameOf(5, {{1, 5.0, 0}}).view(), std::vector<Arrival>{{1, 5.0}});
  for (int t = 6; t <= 60; ++t) metrics.observe(frameOf(t, {{1, 5.0, 0}}).view(), std::vector<Arrival>{{1, 1.0 * t}});
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.arrivals, 1u);  // the first time counts
  EXPECT_DOUBLE_EQ(report.travel_time.mean, 5);
  EXPECT_DOUBLE_EQ(report.slow_share, 0);
  EXPECT_DOUBLE_EQ(report.distance.mean, 5);
  EXPECT_DOUBLE_EQ(report.speed.mean, 1);
  EXPECT_EQ(report.stuck, 0u);
}

TEST(Metrics, StuckAfterStuckTime) {
  Metrics metrics;
  const auto standStill = [&](int from, int to) {
    for (int t = from; t <= to; ++t) metrics.observe(frameOf(t * 0.1, {{1, 3, 3}, {2, 0.13 * t, 0}}).view());
  };
  standStill(0, 99);
  EXPECT_EQ(metrics.report().stuck, 0u);
  standStill(100, 100);
  EXPECT_EQ(metrics.report().stuck, 1u);
  EXPECT_TRUE(metrics.report().deadlock);
  standStill(101, 137);
  EXPECT_EQ(metrics.report().stuck, 1u);
  // Whoever leaves is not stuck at the end.
  metrics.observe(frameOf(13.8, {{2, 20, 0}}).view());
  EXPECT_FALSE(metrics.report().deadlock);
}

TEST(Metrics, StuckIsNetDisplacement) {
  const auto stuckAt = [](double speed, bool forth_and_back) {
    Metrics metrics;
    double x = 0;
    for (int t = 0; t <= 400; ++t) {
      metrics.observe(frameOf(t * 0.1, {{1, x, 0}}).view());
      x += forth_and_back && t % 2 ? -0.1 * speed : 0.1 * speed;
    }
    return metrics.report().stuck;
  };
  EXPECT_EQ(stuckAt(0.045, false), 1u);  // 0.45 m in 10 s
  EXPECT_EQ(stuckAt(0.055, false), 0u);
  EXPECT_EQ(stuckAt(1.3, true), 1u);  // trembles
}

TEST(Metrics, StuckAcrossAWrappedBorderIsNot) {
  MetricsSettings settings;
  settings.wrap = {Rectangle{{0, 0}, {13, 13}}};
  Metrics metrics(settings);
  // Once around the field in stuck_time: back at the same place, and not stuck.
  for (int t = 0; t <= 100; ++t) metrics.observe(frameOf(t * 0.1, {{1, std::fmod(0.13 * t, 13.0), 0}}).view());
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.stuck, 0u);
  EXPECT_NEAR(report.distance.mean, 13, 1e-4);
  EXPECT_NEAR(report.speed.max, 1.3, 1e-5);
}

TEST(Metrics, RowOrderDoesNotMatter) {
  base::Random random(5, 0);
  Metrics ordered, mixed;
  std::vector<metrics::Standing> people;
  for (std::uint32_t person = 1; person <= 60; ++person)
    people.push_back({person, random.uniform(0, 8), random.uniform(0, 8)});
  for (int t = 0; t < 40; ++t) {
    ordered.observe(frameOf(t * 0.1, people).view());
    auto other = people;
    metrics::shuffle(other, random);
    mixed.observe(frameOf(t * 0.1, other).view());
    for (auto& p : people) p.x += random.uniform(-0.1, 0.2), p.y += random.uniform(-0.1, 0.1);
  }
  const MetricsReport a = ordered.report(), b = mixed.report();
  EXPECT_EQ(a.distance.mean, b.distance.mean);
  EXPECT_EQ(a.slow_share, b.slow_share);
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.collision_pairs, b.collision_pairs);
  EXPECT_EQ(a.collision_agent_steps, b.collision_agent_steps);
  EXPECT_EQ(a.deepest_overlap, b.deepest_overlap);
  EXPECT_GT(a.collision_pairs, 0u);
}

TEST(Metrics, AGapIsNotWalked) {
  Metrics metrics;
  metrics.observe(frameOf(0, {{1, 0, 0}}).view());
  metrics.observe(frameOf(1, {{1, 1, 0}}).view());
  metrics.observe(frameOf(2, {}).view());
  metrics.observe(frameOf(3, {{1, 50, 0}}).view());
  metrics.observe(frameOf(4, {{1, 51, 0}}).view());
  // To a floor whose coordinates have nothing to do with these.
  metrics.observe(frameOf(5, {{1, 900, 0, 0.25, 1}}).view());
  metrics.observe(frameOf(6, {{1, 901, 0, 0.25, 1}}).view(), std::vector<Arrival>{{1, 6}});
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.people, 1u);
  EXPECT_DOUBLE_EQ(report.distance.mean, 3);
  EXPECT_DOUBLE_EQ(report.speed.mean, 1);
  EXPECT_DOUBLE_EQ(report.travel_time.mean, 6);
}

TEST(Metrics, LargeAndUnseenPersonNumbers) {
  Metrics metrics;
  metrics.observe(frameOf(0, {{4000000000u, 0, 0}, {0, 5, 5}}).view());
  metrics.observe(frameOf(1, {{0, 5, 6}, {4000000000u, 1, 0}, {4000000000u, 9, 9}}).view(),
                  std::vector<Arrival>{{77, 0.5}});
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.people, 3u);
  EXPECT_EQ(report.arrivals, 1u);
  EXPECT_EQ(report.travel_time.count, 0u);  // nobody knows when 77 began
  EXPECT_DOUBLE_EQ(report.distance.max, 1);
}

TEST(Metrics, CollisionShareIsOfAllAgentSteps) {
  Metrics metrics;
  metrics.observe(frameOf(0, {{1, 0, 0}, {2, 0.3, 0}, {3, 5, 5}}).view());
  metrics.observe(frameOf(1, {{1, 0, 0}, {2, 3, 0}, {3, 5, 5}, {4, 9, 9}, {5, 12, 9}}).view());
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.collision_pairs, 1u);
  EXPECT_EQ(report.collision_agent_steps, 2u);
  EXPECT_DOUBLE_EQ(report.collision_share, 0.25);
  EXPECT_NEAR(report.deepest_overlap, 0.2, 1e-6);
}

TEST(Metrics, LinesAndAreasOfTheirLayer) {
  Scene scene;
  scene.layers.resize(2);
  scene.layers[1].name = "upstairs";
  scene.lines = {{"below", {{2, -5}, {2, 5}}, ""}, {"above", {{2, -5}, {2, 5}}, "upstairs"}};
  scene.areas = {{"hall", box(0, -1, 4, 1), "ground"}, {"gallery", box(0, -1, 4, 1), "upstairs"}};
  scene.populations.resize(2);
  scene.populations[0].goals.resize(1);
  const MetricsSettings settings = metricsSettings(scene);
  EXPECT_EQ(settings.lines.size(), 2u);
  EXPECT_EQ(settings.standing, std::vector<std::uint16_t>{1});
  Metrics metrics(settings);
  // Two walk below, at 1 and 2 m/s; one stands above.
  for (int t = 0; t <= 3; ++t)
    metrics.observe(frameOf(t, {{1, 0.5 + t, 0}, {2, 0.5 + 2 * t, 0.5}, {3, 1, 0, 0.25, 1, 1}}).view());
  const MetricsReport report = metrics.report();
  ASSERT_EQ(report.lines.size(), 2u);
  EXPECT_EQ(report.lines[0].forward, 2u);
  EXPECT_EQ(report.lines[0].backward, 0u);
  EXPECT_DOUBLE_EQ(report.lines[0].flow, 1 / 0.75);  // at 0.75 s and 1.5 s
  EXPECT_DOUBLE_EQ(report.lines[0].specific_flow, 1 / 0.75 / 10);
  EXPECT_EQ(report.lines[1].forward + report.lines[1].backward, 0u);
  ASSERT_EQ(report.areas.size(), 2u);
  // Inside the hall (8 m²): both, both, one (the other is at 4.5), one.
  EXPECT_EQ(report.areas[0].density.count, 4u);
  EXPECT_DOUBLE_EQ(report.areas[0].density.mean, (2 + 2 + 1 + 1) / 8.0 / 4);
  EXPECT_DOUBLE_EQ(report.areas[0].density.max, 0.25);
  // No speed in the first frame; then 1.5, 1, 1.
  EXPECT_EQ(report.areas[0].speed.count, 3u);
  EXPECT_DOUBLE_EQ(report.areas[0].speed.mean, 3.5 / 3);
  EXPECT_DOUBLE_EQ(report.areas[1].density.mean, 1 / 8.0);
  EXPECT_DOUBLE_EQ(report.areas[1].speed.mean, 0);
  // Who has nowhere to go is not slow.
  EXPECT_DOUBLE_EQ(report.slow_share, 0);
  EXPECT_EQ(report.distance.count, 2u);
}

TEST(Metrics, WhoHasNowhereToGoIsNotStuck) {
  for (const bool standing : {true, false}) {
    MetricsSettings settings;
    if (standing) settings.standing = {0};
    Metrics metrics(settings);
    for (int t = 0; t <= 20; ++t) metrics.observe(frameOf(t, {{1, 3, 3}}).view());
    EXPECT_EQ(metrics.report().stuck, standing ? 0u : 1u);
  }
}

// People of flows arrive again and again. What they do after the first time counts like what they did before.
TEST(Metrics, WhoWalksOnAfterArrivingCanStillBeSlowAndStuck) {
  Scene scene;
  scene.populations.resize(3);
  scene.populations[0].flow.emplace();
  scene.populations[1].goals.resize(1), scene.populations[1].on_arrival = OnArrival::kGoBack;
  scene.populations[2].goals.resize(1);
  const MetricsSettings settings = metricsSettings(scene);
  EXPECT_EQ(settings.endless, (std::vector<std::uint16_t>{0, 1}));
  Metrics metrics(settings);
  // All three walk for 5 s, arrive, and stand for 15 s.
  for (int t = 0; t <= 20; ++t) {
    const double x = std::min(t, 5);
    const std::vector<Arrival> arrivals =
        t == 5 ? std::vector<Arrival>{{1, 5.0}, {2, 5.0}, {3, 5.0}} : std::vector<Arrival>{};
    metrics.observe(frameOf(t, {{1, x, 0, 0.25, 0, 0}, {2, x, 2, 0.25, 0, 1}, {3, x, 4, 0.25, 0, 2}}).view(), arrivals);
  }
  EXPECT_EQ(metrics.report().arrivals, 3u);
  EXPECT_EQ(metrics.report().stuck, 2u);
  EXPECT_NEAR(metrics.report().slow_share, (0.75 + 0.75 + 0) / 3, 1e-12);
}

// Who waits at a place before they set out again is not on the way; a recording does not tell, and then they are.
TEST(Metrics, StayingBetweenTwoWaysIsTimeOfItsOwn) {
  for (const bool told : {true, false}) {
    MetricsSettings settings;
    settings.endless = {0};
    Metrics metrics(settings);
    // 5 s of walking at 1 m/s, 15 s of staying, 5 s of standing on the way.
    for (int t = 0; t <= 25; ++t) {
      const FrameCopy copy = frameOf(t, {{1, std::min(t, 5) * 1.0, 3}});
      Frame frame = copy.view();
      const Activity activity[] = {t >= 5 && t <= 20 ? Activity::kStaying : Activity::kWalking};
      if (told) frame.activity = activity;
      metrics.observe(frame);
      if (t == 20) {
        EXPECT_EQ(metrics.report().stuck, told ? 0u : 1u);
      }
    }
    const MetricsReport report = metrics.report();
    EXPECT_DOUBLE_EQ(report.staying_share, told ? 15.0 / 25 : 0);
    EXPECT_DOUBLE_EQ(report.slow_share, told ? 5.0 / 10 : 20.0 / 25);
    EXPECT_DOUBLE_EQ(report.slow_or_staying_share, 20.0 / 25);
  }
}

TEST(Metrics, ANumberThatIsNoneIsNowhere) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  MetricsSettings settings;
  settings.areas = {{"hall", box(0, 0, 4, 4), ""}};
  Metrics metrics(settings);
  metrics.observe(frameOf(0, {{1, 1, 1}}).view());
  metrics.observe(frameOf(1, {{1, nan, 1}}).view());
  metrics.observe(frameOf(2, {{1, 2, 1}}).view());
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.distance.count, 0u);
  EXPECT_DOUBLE_EQ(report.areas[0].density.min, 0);
}

TEST(Metrics, FramesMustComeInOrder) {
  Metrics metrics;
  metrics.observe(frameOf(1, {}).view());
  EXPECT_THROW(metrics.observe(frameOf(1, {}).view()), InputError);
  EXPECT_THROW(metrics.observe(frameOf(0.5, {}).view()), InputError);
  EXPECT_THROW(metrics.observe(frameOf(std::numeric_limits<double>::quiet_NaN(), {}).view()), InputError);
}

TEST(Metrics, BadSettingsSayWhatIsAllowed) {
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
  EXPECT_EQ(message(settings), "accepted");
  settings.stuck_time = 0;
  EXPECT_THAT(message(settings), HasSubstr("stuck_time is 0; it must be more than 0 s"));
  settings = {};
  settings.overlap_tolerance = 1.5;
  EXPECT_THAT(message(settings), HasSubstr("overlap_tolerance"));
  settings = {};
  settings.slow_speed = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message(settings), HasSubstr("slow_speed"));
  settings = {};
  settings.wrap = {std::nullopt, Rectangle{{1, 0}, {1, 5}}};
  EXPECT_THAT(message(settings), HasSubstr("width of a wrapped layer"));
  settings = {};
  settings.lines = {{"door", {{1, 1}, {1, 1}}, ""}};
  EXPECT_THAT(message(settings), HasSubstr("\"door\" must be longer than 0 m"));
  settings = {};
  settings.lines = {{"door", {{1, 1}, {2, 1}}, "attic"}};
  settings.layers = {"ground", "upstairs"};
  EXPECT_THAT(message(settings), HasSubstr("layer \"attic\"; the layers are: \"ground\", \"upstairs\""));
  settings = {};
  settings.areas = {{"hall", {}, ""}};
  EXPECT_THAT(message(settings), HasSubstr("\"hall\" must enclose more than 0 m²"));
}

}  // namespace
}  // namespace throng
