// The same report from a running world and from its recording; only times may be rounded.
#include <gtest/gtest.h>

#include "throng/throng.h"

#include "base/temporary_folder.h"

namespace throng {
namespace {

/// Measured live, and recorded at every step.
MetricsReport live(const Scene& scene, const std::string& file) {
  World world(scene);
  Metrics metrics(metricsSettings(scene));
  Recorder recorder(file, scene, {.frames_per_second = 1 / scene.run.dt, .overwrite = true});
  metrics.observe(world.frame());
  recorder.record(world.frame());
  while (!world.finished()) {
    world.step();
    metrics.observe(world.frame(), world.arrivals());
    recorder.record(world.frame(), world.arrivals());
  }
  recorder.close();
  return metrics.report();
}

MetricsReport recorded(const std::string& file) {
  Recording recording(file);
  Metrics metrics(metricsSettings(recording.scene().value()));
  FrameCopy frame;
  std::vector<Arrival> arrivals;
  while (recording.next(frame, &arrivals)) metrics.observe(frame.view(), arrivals);
  return metrics.report();
}

TEST(RecordedMetrics, SmoothnessLanesStripesAndCirculation) {
  const base::TemporaryFolder folder;
  const std::string file = folder / "metrics.sqlite";
  std::size_t lanes = 0, stripes = 0, circulations = 0;
  for (const char* name : {"counterflow", "crossing", "circle"}) {
    SCOPED_TRACE(name);
    Scene scene = loadScene(std::string(THRONG_SOURCE_DIR "/scenes/") + name + ".json");
    scene.run.duration = 25;
    const MetricsReport a = live(scene, file), b = recorded(file);
    EXPECT_GT(a.jerk, 0.1);
    EXPECT_GT(a.heading_reversals, 0.1);
    EXPECT_NEAR(a.jerk, b.jerk, 1e-6 * a.jerk);
    EXPECT_NEAR(a.heading_reversals, b.heading_reversals, 1e-9 * a.heading_reversals);
    ASSERT_EQ(a.lanes.size(), b.lanes.size());
    for (std::size_t i = 0; i < a.lanes.size(); ++i, ++lanes) {
      EXPECT_GT(a.lanes[i].lanes.count, 10u);
      EXPECT_EQ(a.lanes[i].lanes.mean, b.lanes[i].lanes.mean);
      EXPECT_EQ(a.lanes[i].purity.mean, b.lanes[i].purity.mean);
      EXPECT_EQ(a.lanes[i].order, b.lanes[i].order);
    }
    ASSERT_EQ(a.stripes.size(), b.stripes.size());
    for (std::size_t i = 0; i < a.stripes.size(); ++i, ++stripes) {
      EXPECT_GT(a.stripes[i].looks, 10u);
      EXPECT_EQ(a.stripes[i].angle_degrees, b.stripes[i].angle_degrees);
      EXPECT_EQ(a.stripes[i].strength, b.stripes[i].strength);
    }
    ASSERT_EQ(a.circulations.size(), b.circulations.size());
    for (std::size_t i = 0; i < a.circulations.size(); ++i, ++circulations) {
      EXPECT_EQ(a.circulations[i].people, 100u);
      EXPECT_EQ(a.circulations[i].circulation, b.circulations[i].circulation);
      EXPECT_EQ(a.circulations[i].rotation, b.circulations[i].rotation);
    }
  }
  EXPECT_EQ(lanes, 1u);
  EXPECT_EQ(stripes, 1u);
  EXPECT_EQ(circulations, 1u);
}

}  // namespace
}  // namespace throng
