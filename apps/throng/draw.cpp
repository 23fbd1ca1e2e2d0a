// throng draw: pictures and films of scenes and recordings.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/throng.h"

#include "report.h"
#include "simulate.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

namespace fs = std::filesystem;

struct DrawOptions {
  std::string source, output, show;
  std::vector<double> view;
  DrawSettings settings;
  bool json = false;
};

const std::map<std::string, PictureKind> kKinds{{"moment", PictureKind::kMoment},
                                                {"trajectories", PictureKind::kTrajectories},
                                                {"density", PictureKind::kDensity},
                                                {"speed", PictureKind::kSpeed}};
const std::map<std::string, ColourBy> kColours{
    {"population", ColourBy::kPopulation}, {"speed", ColourBy::kSpeed}, {"time", ColourBy::kTime}};

bool isScene(const std::string& path) { return fs::path(path).extension() == ".json"; }
bool isFilm(const std::string& path) { return fs::path(path).extension() == ".mp4"; }

/// A recording that is gone when the drawing is done.
class ScratchRecording {
 public:
  explicit ScratchRecording(const Scene& scene) {
    std::string name = (fs::temp_directory_path() / "throng-XXXXXX").string();
    if (!mkdtemp(name.data())) throw FileError(name + ": cannot be made");
    folder_ = name;
    World world(scene);
    Recorder recorder(path(), scene, {.frames_per_second = scene.run.recording_rate});
    catchInterrupts();
    if (simulate(world, &recorder, true).interrupted) throw ExitCode{kInterrupted};
  }
  ~ScratchRecording() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string path() const { return (folder_ / "run.sqlite").string(); }

 private:
  fs::path folder_;
};

void drawFrom(const std::string& recording_path, const DrawOptions& options) {
  Recording recording(recording_path);
  if (!isFilm(options.output)) return drawRecording(recording, options.output, options.settings);
  catchInterrupts();
  Progress progress;
  drawFilm(recording, options.output, options.settings, [&](double share) {
    if (progress.due()) progress.show(fmt::format("film: {:.0f} %", 100 * share));
    return !interrupted();
  });
  if (interrupted()) throw ExitCode{kInterrupted};
}

void draw(DrawOptions options) {
  if (!options.settings.overwrite && fs::exists(options.output))
    throw FileError(options.output + ": exists already; use --force to replace it");
  if (!options.view.empty())
    options.settings.view = Rectangle{{options.view[0], options.view[1]}, {options.view[2], options.view[3]}};
  if (!options.show.empty()) options.settings.kind = kKinds.at(options.show);

  if (!isScene(options.source)) {
    drawFrom(options.source, options);
  } else {
    std::vector<Diagnostic> warnings;
    const Scene scene = loadScene(options.source, &warnings);
    printDiagnostics(warnings);
    if (options.show.empty() && !isFilm(options.output)) {
      const World world(scene);
      const Frame people = world.frame();
      drawScene(scene, &people, options.output, options.settings);
    } else {
      const ScratchRecording run(scene);
      drawFrom(run.path(), options);
    }
  }
  if (options.json) {
    const nlohmann::ordered_json out{{"picture", options.output}, {"bytes", fs::file_size(options.output)}};
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}\n", options.output);
  }
}

std::vector<std::string> names(const auto& map) {
  std::vector<std::string> list;
  for (const auto& [name, value] : map) list.push_back(name);
  return list;
}

}  // namespace

void addDraw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  DrawSettings& settings = options->settings;
  CLI::App* verb = app.add_subcommand("draw", "Draw a scene or a recording: PNG, SVG or an MP4 film");
  verb->footer(
      "A scene is drawn as it is, with everybody at the start; with --show or as a film it is simulated first.\n"
      "Examples:\n"
      "  throng draw scenes/crossing.json -o crossing.svg\n"
      "  throng draw out/crossing.sqlite -o speed.png --colour-by speed\n"
      "  throng draw out/crossing.sqlite -o moment.png --show moment --time 20\n"
      "  throng draw out/crossing.sqlite -o density.png --show density --cell 0.5\n"
      "  throng draw out/crossing.sqlite -o crossing.mp4 --film-speed 2");
  verb->add_option("source", options->source, "Scene (.json) or recording (.sqlite, .txt, .h5, .csv)")->required();
  verb->add_option("-o,--output", options->output, "Picture (.png, .svg) or film (.mp4)")->required();
  verb->add_option("--show", options->show, "What to draw (default: trajectories)")
      ->check(CLI::IsMember(names(kKinds)));
  verb->add_option_function<std::string>(
          "--colour-by,--color-by", [&settings](const std::string& by) { settings.colour_by = kColours.at(by); },
          "Colour of people and trajectories (default: population)")
      ->check(CLI::IsMember(names(kColours)));
  verb->add_option("--time", settings.time, "moment: seconds; the last frame when not given");
  verb->add_option("--from", settings.from, "Begin at this time, s");
  verb->add_option("--to", settings.to, "End at this time, s");
  verb->add_option("--view", options->view, "Part of the scene: xmin,ymin,xmax,ymax in m")->delimiter(',')->expected(4);
  verb->add_option("--width", settings.width, "Pixels")->check(CLI::Range(16, 16384))->capture_default_str();
  verb->add_option("--height", settings.height, "Pixels; follows the scene when not given")
      ->check(CLI::Range(16, 16384));
  verb->add_option("--cell", settings.cell, "density, speed: size of a map cell, m")->capture_default_str();
  verb->add_option("--trail", settings.trail, "moment, film: seconds of trail behind people")->capture_default_str();
  verb->add_option("--layer", settings.layer, "Which layer; the first when not given");
  verb->add_option("--title", settings.title, "Title over the picture");
  verb->add_option("--film-rate", settings.film_rate, "Pictures per second of film")->capture_default_str();
  verb->add_option("--film-speed", settings.film_speed, "Simulated seconds per second of film")->capture_default_str();
  verb->add_flag("--force", settings.overwrite, "Replace an existing file");
  verb->add_flag("--json", options->json, "Print the result as JSON");
  verb->callback([options] { draw(*options); });
}

}  // namespace throng::app
