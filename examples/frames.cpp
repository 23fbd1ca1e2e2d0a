// A world as a source of frames: measured, looked at backwards and drawn, without a recording in between:
//   frames scenes/crossing.json FOLDER
// writes FOLDER/stripes.png.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <throng/throng.h>

namespace {

void expect(bool holds, const char* what) {
  std::printf("%s: %s\n", holds ? "ok" : "WRONG", what);
  if (!holds) std::exit(EXIT_FAILURE);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: frames SCENE.json FOLDER\n");
    return 2;
  }
  try {
    throng::Scene scene = throng::loadScene(argv[1]);
    scene.run.duration = 30;
    const std::filesystem::path folder = argv[2];
    std::filesystem::create_directories(folder);
    const std::string picture = folder / "stripes.png";

    throng::World world(scene);
    throng::WorldFrames frames(world, 10);  // ten per second
    throng::MemoryFrames run(frames);       // until the world is finished
    std::printf("%zu frames, %.0f s\n", run.frames().size(), world.time());
    expect(world.finished() && run.frames().size() == 301, "reading the frames has stepped the world");

    throng::Metrics metrics(throng::metricsSettings(scene));
    metrics.observe(run);
    const throng::MetricsReport report = metrics.report();
    std::printf("%llu people, %.2f m/s\n", static_cast<unsigned long long>(report.people), report.speed.mean);
    expect(report.frames == 301 && report.speed.mean > 0.5, "they were measured");

    throng::FrameCopy frame;
    expect(run.at(20, frame) && run.at(5, frame) && std::abs(frame.time - 5) < 1e-6, "what is kept goes backwards");
    try {
      frames.at(5, frame);
      expect(false, "a world does not");
    } catch (const throng::InputError& error) {
      std::printf("    %s\n", error.what());
    }

    const throng::Pattern stripes[] = {throng::Pattern::kStripes};
    const throng::PatternView view = throng::viewPatterns(run, scene, stripes);
    std::printf("at %.1f s: %s\n", view.time, view.overlay.caption.c_str());
    throng::DrawSettings settings;
    settings.kind = throng::PictureKind::kMoment;
    settings.time = view.time;
    settings.width = 600;
    settings.overwrite = true;
    throng::drawFrames(scene, run, picture, settings, view.overlay);
    expect(std::filesystem::file_size(picture) > 1000, "and drawn, with the stripes where the streams cross");
    return EXIT_SUCCESS;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
