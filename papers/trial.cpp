#include "papers/trial.h"

#include <algorithm>

#include "throng/draw.h"
#include "throng/recording.h"

namespace throng::papers {
MetricsReport runTrial(const Trial& trial, std::uint64_t seed, int threads, const std::string& recording) {
  World world(trial.scene, {.threads = threads, .seed = seed});
  if (trial.populate) trial.populate(world, seed);
  Metrics metrics(metricsSettings(trial.scene));
  std::optional<Recorder> recorder;
  if (!recording.empty()) {
    recorder.emplace(recording, trial.scene,
                     RecorderSettings{.frames_per_second = 1 / trial.scene.run.dt, .overwrite = true});
  }
  metrics.observe(world.frame());
  if (recorder) recorder->record(world.frame());
  while (!world.finished()) {
    world.step();
    metrics.observe(world.frame(), world.arrivals());
    if (recorder) recorder->record(world.frame(), world.arrivals());
  }
  if (recorder) recorder->close();
  return metrics.report();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void drawTrajectories(const std::string& recording, const std::string& picture, const std::string& title) {
  Recording run(recording);
  DrawSettings settings;
  settings.kind = PictureKind::kTrajectories;
  settings.colour_by = run.populations().size() > 1 ? ColourBy::kPopulation : ColourBy::kTime;
  settings.title = title;
  settings.overwrite = true;
  drawRecording(run, picture, settings);
}

}  // namespace throng::papers
