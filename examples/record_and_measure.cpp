// Records a run to SQLite, reads it back, measures it and draws it:
//   record_and_measure scenes/crossing.json FOLDER
// writes FOLDER/run.sqlite and FOLDER/trajectories.png.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <throng/throng.h>

namespace {

throng::MetricsReport simulate(const throng::Scene& scene, const std::string& file) {
  throng::World world(scene);
  throng::Metrics metrics(throng::metricsSettings(scene));
  throng::Recorder recorder(file, scene, {.frames_per_second = 1 / scene.run.dt, .overwrite = true});
  metrics.observe(world.frame());
  recorder.record(world.frame());
  while (!world.finished()) {
    world.step();
    metrics.observe(world.frame(), world.arrivals());
    recorder.record(world.frame(), world.arrivals());
  }
  recorder.close();  // throws when the disk is full; the destructor could not say so
  return metrics.report();
}

throng::MetricsReport measure(throng::Recording& recording) {
  throng::Metrics metrics(throng::metricsSettings(recording.scene().value()));
  throng::FrameCopy frame;
  std::vector<throng::Arrival> arrivals;
  while (recording.next(frame, &arrivals)) metrics.observe(frame.view(), arrivals);
  return metrics.report();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: record_and_measure SCENE.json FOLDER\n");
    return 2;
  }
  try {
    const throng::Scene scene = throng::loadScene(argv[1]);
    const std::filesystem::path folder = argv[2];
    std::filesystem::create_directories(folder);
    const std::string file = folder / "run.sqlite";
    const std::string picture = folder / "trajectories.png";

    const throng::MetricsReport live = simulate(scene, file);

    throng::Recording recording(file);
    std::printf("%s: %llu frames of %llu people at %.0f per second\n", file.c_str(),
                static_cast<unsigned long long>(recording.frameCount()),
                static_cast<unsigned long long>(recording.personCount()), recording.framesPerSecond());
    const throng::MetricsReport read = measure(recording);
    std::printf("              live      recorded\n");
    std::printf("arrivals      %-9llu %llu\n", static_cast<unsigned long long>(live.arrivals),
                static_cast<unsigned long long>(read.arrivals));
    std::printf("travel time   %-9.3f %.3f s\n", live.travel_time.mean, read.travel_time.mean);
    std::printf("mean speed    %-9.4f %.4f m/s\n", live.speed.mean, read.speed.mean);

    recording.rewind();
    throng::drawRecording(recording, picture,
                          {.kind = throng::PictureKind::kTrajectories, .width = 800, .overwrite = true});
    std::printf("%s: %ju bytes\n", picture.c_str(), static_cast<std::uintmax_t>(std::filesystem::file_size(picture)));

    // Every step was recorded, so both must have measured the same run.
    const bool same = live.people == read.people && live.arrivals == read.arrivals &&
                      std::abs(live.travel_time.mean - read.travel_time.mean) < 1e-6 &&
                      std::abs(live.speed.mean - read.speed.mean) < 1e-4;
    return same && std::filesystem::file_size(picture) > 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
