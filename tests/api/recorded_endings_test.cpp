// Runs that end anywhere, also between two frames: their recordings hold every arrival once and frames at true times,
// and measure the same as the run itself.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

#include "throng/throng.h"

#include "base/temporary_folder.h"

namespace throng {
namespace {

struct RecordedRun {
  std::map<std::uint32_t, double> arrivals;  ///< the first of everybody
  MetricsReport metrics;
  std::uint64_t steps = 0, frames = 0;
  double time = 0;
};

/// Runs the scene to its end, or until it is interrupted after so many steps.
RecordedRun record(World& world, const std::string& file, double rate, std::uint64_t most_steps) {
  RecordedRun run;
  Metrics metrics(metricsSettings(world.scene()));
  Recorder recorder(file, world.scene(), {.frames_per_second = rate, .overwrite = true});
  metrics.observe(world.frame());
  run.frames += recorder.observe(world.frame());
  while (!world.finished() && run.steps < most_steps) {
    world.step();
    ++run.steps;
    metrics.observe(world.frame(), world.arrivals());
    run.frames += recorder.observe(world.frame(), world.arrivals());
    for (const Arrival& arrival : world.arrivals()) run.arrivals.emplace(arrival.person, arrival.time);
  }
  recorder.close();
  run.metrics = metrics.report();
  run.time = world.time();
  return run;
}

/// Everything that must hold, whenever the run ended.
void check(const RecordedRun& run, const Scene& scene, const std::string& file, double begin) {
  Recording recording(file);
  const double rate = recording.framesPerSecond();
  ASSERT_NEAR(1 / (rate * scene.run.dt), std::round(1 / (rate * scene.run.dt)), 1e-9);
  EXPECT_EQ(recording.frameCount(), run.frames);
  Metrics metrics(metricsSettings(scene));
  FrameCopy frame;
  std::vector<Arrival> arrivals;
  std::map<std::uint32_t, double> recorded;
  double last = -1;
  while (recording.next(frame, &arrivals)) {
    const double step = (frame.time - begin) / scene.run.dt;
    EXPECT_NEAR(step, std::round(step), 1e-5) << "a frame between two steps";
    EXPECT_LE(frame.time, run.time + 1e-9);
    if (last >= 0) {
      EXPECT_NEAR(frame.time - last, 1 / rate, 1e-9);
    }
    last = frame.time;
    metrics.observe(frame.view(), arrivals);
    for (const Arrival& arrival : arrivals)
      EXPECT_TRUE(recorded.emplace(arrival.person, arrival.time).second) << "person " << arrival.person << " twice";
  }
  if (run.frames > 0) {
    EXPECT_LT(run.time - last, 1 / rate + 1e-9);
  }
  ASSERT_EQ(recorded.size(), run.arrivals.size());
  for (const auto& [person, time] : run.arrivals) EXPECT_EQ(recorded.at(person), time);
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.arrivals, run.metrics.arrivals);
  if (std::abs(rate * scene.run.dt - 1) > 1e-9 || begin > 0) return;
  EXPECT_EQ(report.people, run.metrics.people);
  EXPECT_EQ(report.travel_time.count, run.metrics.travel_time.count);
  EXPECT_NEAR(report.travel_time.mean, run.metrics.travel_time.mean, 1e-6);
  EXPECT_NEAR(report.distance.mean, run.metrics.distance.mean, 1e-4);
  EXPECT_EQ(report.collision_pairs, run.metrics.collision_pairs);
}

Scene shortScene(const std::string& name) {
  Scene scene = loadScene(std::string(THRONG_SOURCE_DIR "/scenes/") + name + ".json");
  // Small crowds near their goals: what matters here is how it ends.
  for (Population& population : scene.populations) {
    if (!std::holds_alternative<StartPoints>(population.start.shape))
      population.count = std::min(population.count, 12u);
    for (Goal& goal : population.goals) {
      if (auto* to = std::get_if<GoalPoint>(&goal.target)) to->tolerance = std::max(to->tolerance, 3.0);
      if (auto* across = std::get_if<GoalOpposite>(&goal.target)) across->tolerance = std::max(across->tolerance, 3.0);
    }
  }
  return scene;
}

TEST(RecordedEndings, EverySceneStepRateAndEnding) {
  const base::TemporaryFolder folder;
  const std::string file = folder / "endings.sqlite";
  const std::string names[] = {"circle", "crossing", "bottleneck", "group-swap", "pillars", "corridor", "counterflow"};
  const double steps[] = {0.1, 0.05, 0.03, 0.025, 0.07, 0.2, 0.5, 1.0 / 3};
  std::uint64_t random = 1, between_frames = 0;
  const auto below = [&](std::uint64_t n) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (random >> 33) % n;
  };
  for (const std::string& name : names) {
    const Scene original = shortScene(name);
    for (const double dt : steps) {
      Scene scene = original;
      scene.run.dt = dt;
      scene.run.seed = 1 + below(1000);
      // Any rate that fits, once in a while in a few digits.
      scene.run.recording_rate = 1 / (dt * static_cast<double>(1 + below(12)));
      if (below(2) == 0) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.6g", scene.run.recording_rate);
        scene.run.recording_rate = std::atof(digits);
      }
      const double rate = fittingRecordingRate(dt, scene.run.recording_rate);
      const std::uint64_t ending = below(3);
      scene.run.duration = ending == 0 ? 1 + static_cast<double>(below(2000)) / 100 : 20.0;
      const std::uint64_t most = ending == 1 ? 1 + below(120) : 1'000'000;
      SCOPED_TRACE(name + ", dt " + std::to_string(dt) + ", rate " + std::to_string(rate));
      World world(scene, {.threads = 1});
      const RecordedRun run = record(world, file, rate, most);
      check(run, scene, file, 0);
      between_frames += std::abs(run.time * rate - std::round(run.time * rate)) > 0.01;
      // And on from there, into another file.
      if (ending != 1) continue;
      World again(scene, {.threads = 1});
      again.restore(world.snapshot());
      EXPECT_EQ(again.time(), world.time());
      check(record(again, file, rate, 30), scene, file, run.time);
    }
  }
  EXPECT_GT(between_frames, 10u);
}

/// People who go back and forth arrive again and again; what counts is when they first did.
TEST(RecordedEndings, TheFirstArrivalCounts) {
  const base::TemporaryFolder folder;
  const std::string file = folder / "first_arrival.sqlite";
  Scene scene;
  scene.layers.emplace_back();
  scene.profiles.emplace_back();
  Population walker;
  walker.count = 1;
  walker.start.shape = StartPoints{{{0, 0}}};
  walker.goals = {{GoalPoint{{5, 0}}}};
  walker.on_arrival = OnArrival::kGoBack;
  scene.populations = {walker};
  scene.run.duration = 40;
  World world(scene, {.threads = 1});
  const RecordedRun run = record(world, file, 10, 1'000'000);
  EXPECT_EQ(run.arrivals.size(), 1u);
  EXPECT_LT(run.arrivals.at(1), 6);
  check(run, scene, file, 0);
}

TEST(RecordedEndings, FittingRates) {
  EXPECT_EQ(fittingRecordingRate(0.1, 10), 10);
  EXPECT_EQ(fittingRecordingRate(0.05, 10), 10);
  EXPECT_EQ(fittingRecordingRate(0.1, 100), 10);
  EXPECT_NEAR(fittingRecordingRate(0.03, 8), 25 / 3.0, 1e-12);
  EXPECT_NEAR(fittingRecordingRate(0.03, 8.33333), 25 / 3.0, 1e-12);
  for (const double dt : {0.1, 0.05, 0.02, 0.01, 0.03, 0.07, 0.001, 0.5})
    for (const double wanted : {0.01, 0.3, 1.0, 8.0, 10.0, 24.0, 1000.0}) {
      const double rate = fittingRecordingRate(dt, wanted), steps = 1 / (rate * dt);
      EXPECT_NEAR(steps, std::round(steps), 1e-9 * steps);
      EXPECT_GE(steps, 1 - 1e-9);
    }
}

}  // namespace
}  // namespace throng
