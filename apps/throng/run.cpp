// throng run: simulate a scene, record it, draw it, sum it up.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
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

struct RunOptions {
  std::string scene;
  std::string output, picture;
  std::string snapshot, restart;
  std::string steering;
  std::optional<bool> stream;
  std::vector<std::string> cameras;
  std::optional<double> budget;
  std::string graph;
  std::optional<std::uint64_t> seed;
  std::optional<double> duration, dt, rate;
  int threads = 0;
  bool no_record = false, no_picture = false, force = false, json = false, quiet = false, stages = false;
};

/// X,Y,Z,DX,DY,DZ and perhaps the field of view.
Camera cameraOf(const std::string& text) {
  std::vector<double> numbers;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    try {
      std::size_t used = 0;
      numbers.push_back(std::stod(text.substr(at, end - at), &used));
      if (used != end - at) throw std::invalid_argument(text);
    } catch (const std::logic_error&) {
      numbers.clear();
      break;
    }
    at = end + 1;
  }
  if (numbers.size() != 6 && numbers.size() != 7)
    throw InputError(fmt::format("--camera {}: allowed: X,Y,Z,DX,DY,DZ or X,Y,Z,DX,DY,DZ,FOV (m, degrees)", text));
  Camera camera{{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}, 60};
  if (numbers.size() == 7) camera.field_of_view = numbers[6];
  return camera;
}

Scene sceneFor(const RunOptions& options) {
  std::vector<Diagnostic> warnings;
  Working working("reading " + options.scene, !options.json && !options.quiet);
  Scene scene = loadScene(options.scene, &warnings);
  working.finish();
  printDiagnostics(warnings);
  if (options.seed) scene.run.seed = *options.seed;
  if (options.duration) scene.run.duration = *options.duration;
  if (options.dt) scene.run.dt = *options.dt;
  if (options.rate) scene.run.recording_rate = *options.rate;
  if (!options.steering.empty())
    for (Profile& profile : scene.profiles) profile.steering = {options.steering, {}};
  if (options.stream)
    for (Profile& profile : scene.profiles) {
      if (!*options.stream) profile.stream.reset();
      if (*options.stream && !profile.stream) profile.stream.emplace();
    }
  for (const std::string& camera : options.cameras) scene.levels.cameras.push_back(cameraOf(camera));
  if (options.budget) scene.levels.budget = *options.budget;
  return scene;
}

/// The scene's navigation graph from a file, which is written when it is not there.
std::unique_ptr<NavigationGraph> graphFor(const Scene& scene, const RunOptions& options) {
  if (options.graph.empty()) return {};
  if (fs::exists(options.graph)) return std::make_unique<NavigationGraph>(NavigationGraph::load(options.graph));
  auto graph = std::make_unique<NavigationGraph>(scene, options.threads);
  graph->save(options.graph);
  return graph;
}

void saveSnapshot(const World& world, const std::string& path, bool force) {
  if (!force && fs::exists(path)) throw FileError(path + ": exists already; use --force to replace it");
  const auto bytes = world.snapshot();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw FileError(path + ": cannot be written");
}

void restore(World& world, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path + ": cannot be read");
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  world.restore(std::as_bytes(std::span(bytes)));
}

/// Chooses file names before anything is simulated, so that a name that is taken is an error at once.
void chooseFiles(RunOptions& options, const std::string& name) {
  if (options.output.empty() && !options.no_record) options.output = freeName(name, ".sqlite");
  if (options.no_record) options.output.clear();
  if (options.picture.empty() && !options.no_picture && !options.output.empty()) {
    const fs::path beside = fs::path(options.output).replace_extension(".png");
    options.picture = fs::exists(beside) && !options.force ? freeName(name, ".png") : beside.string();
  }
  if (options.no_picture || options.output.empty()) options.picture.clear();
  for (const std::string& path : {options.output, options.picture}) {
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty()) fs::create_directories(folder);
  }
  if (!options.picture.empty() && !options.force && fs::exists(options.picture))
    throw FileError(options.picture + ": exists already; use --force to replace it");
}

void drawPicture(const RunOptions& options, const Scene& scene, const std::string& name) {
  Recording recording(options.output);
  DrawSettings settings;
  settings.overwrite = options.force;
  settings.title = name;
  if (scene.mesh) settings.scene = &scene;  // the recording does not hold the model
  drawRecording(recording, options.picture, settings);
}

/// How many people have which level at the end.
std::string levelsText(const World& world) {
  std::vector<std::size_t> people(world.scene().levels.levels.size());
  for (const std::uint8_t level : world.levels()) ++people[level];
  std::string text;
  for (std::size_t level = people.size(); level-- > 0;)
    text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", grouped(people[level]), level);
  return text;
}

void printSummary(const Simulated& run, const World& world, const RunOptions& options, const std::string& name) {
  fmt::print("{}: {:.1f} s simulated in {:.2f} s, {:.1f} times real time{}\n\n", name, run.simulated, run.seconds,
             run.seconds > 0 ? run.simulated / run.seconds : 0.0, run.interrupted ? " (interrupted)" : "");
  auto rows = summaryRows(run.metrics);
  if (run.unreachable > 0)
    rows.emplace_back("cannot reach goal", fmt::format("{} (see `throng plan`)", grouped(run.unreachable)));
  if (run.waiting > 0) rows.emplace_back("found no place yet", grouped(run.waiting));
  double stepping = 0;
  for (const StageTime& stage : world.stageTimes()) stepping += stage.total;
  rows.emplace_back("work",
                    fmt::format("{} steps, {} agent-steps, {:.2f} million a second on {} thread{}", grouped(run.steps),
                                grouped(run.agent_steps), stepping > 0 ? double(run.agent_steps) / stepping / 1e6 : 0.0,
                                world.threads(), world.threads() == 1 ? "" : "s"));
  if (world.gliding() > 0 || !world.scene().levels.cameras.empty()) rows.emplace_back("levels", levelsText(world));
  if (options.stages)
    for (const StageTime& stage : world.stageTimes())
      rows.emplace_back(
          "stage " + std::string(stage.name),
          fmt::format("{:.3f} s, {:.1f} %", stage.total, stepping > 0 ? 100 * stage.total / stepping : 0));
  if (!options.output.empty()) rows.emplace_back("recording", options.output);
  if (!options.picture.empty()) rows.emplace_back("picture", options.picture);
  if (!options.snapshot.empty()) rows.emplace_back("snapshot", options.snapshot);
  fmt::print("{}", twoColumns(rows));
}

nlohmann::ordered_json summaryJson(const Simulated& run, const World& world, const RunOptions& options,
                                   const std::string& name) {
  nlohmann::ordered_json json{{"scene", name},
                              {"seed", world.scene().run.seed},
                              {"simulated", run.simulated},
                              {"wall", run.seconds},
                              {"steps", run.steps},
                              {"agent_steps", run.agent_steps},
                              {"threads", world.threads()},
                              {"frames", run.frames},
                              {"waiting", run.waiting},
                              {"unreachable", run.unreachable},
                              {"interrupted", run.interrupted},
                              {"hash", fmt::format("{:016x}", world.hash())},
                              {"metrics", toJson(run.metrics)}};
  for (const StageTime& stage : world.stageTimes()) json["stages"][std::string(stage.name)] = stage.total;
  json["recording"] = options.output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.output);
  json["picture"] = options.picture.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.picture);
  return json;
}

void run(RunOptions options) {
  const Scene scene = sceneFor(options);
  const std::string name = scene.name.empty() ? fs::path(options.scene).stem().string() : scene.name;
  const std::unique_ptr<NavigationGraph> graph = graphFor(scene, options);
  Working working("making the map of " + options.scene, !options.json && !options.quiet);
  World world(scene, {.threads = options.threads, .navigation_graph = graph.get()});
  working.finish();
  if (!options.restart.empty()) restore(world, options.restart);
  if (!options.snapshot.empty() && !options.force && fs::exists(options.snapshot))
    throw FileError(options.snapshot + ": exists already; use --force to replace it");
  chooseFiles(options, name);
  std::unique_ptr<Recorder> recorder;
  if (!options.output.empty())
    recorder = std::make_unique<Recorder>(
        options.output, scene,
        RecorderSettings{.frames_per_second = scene.run.recording_rate, .overwrite = options.force});

  catchInterrupts();
  const Simulated result = simulate(world, recorder.get(), !options.quiet);
  recorder.reset();
  if (!options.snapshot.empty()) saveSnapshot(world, options.snapshot, options.force);
  if (!options.picture.empty()) drawPicture(options, scene, name);
  if (options.json) {
    fmt::print("{}\n", summaryJson(result, world, options, name).dump(2));
  } else if (!options.quiet) {
    printSummary(result, world, options, name);
  }
  if (result.interrupted) throw ExitCode{kInterrupted};
}

}  // namespace

void addRun(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "Simulate a scene, record it, draw it and sum it up");
  verb->footer(
      "Examples:\n"
      "  throng run scenes/circle.json\n"
      "  throng run scenes/counterflow.json --steering social-force --seed 7 -o counterflow.h5\n"
      "  throng run scenes/corridor.json --duration 30 --json --no-record\n"
      "Without -o the recording and its picture go to out/, under the first free name. An existing file is not\n"
      "overwritten without --force. Ctrl-C ends the run in good order.");
  verb->add_option("scene", options->scene, "Scene file (docs/scene-format.md)")->required();
  verb->add_option("-o,--output", options->output, "Recording: .sqlite, .txt, .h5 or .csv");
  verb->add_option("--picture", options->picture, "Picture of the trajectories: .png or .svg");
  verb->add_flag("--no-record", options->no_record, "Record and draw nothing");
  verb->add_flag("--no-picture", options->no_picture, "Draw nothing");
  verb->add_flag("--force", options->force, "Replace existing files");
  verb->add_option("--seed", options->seed, "Random seed, instead of the scene's");
  verb->add_option("--duration", options->duration, "Simulated seconds, instead of the scene's");
  verb->add_option("--dt", options->dt, "Time step in s, instead of the scene's");
  verb->add_option("--recording-rate", options->rate, "Frames per simulated second, instead of the scene's");
  verb->add_option("--steering", options->steering, "Steering model for everybody, with its default parameters");
  verb->add_flag_callback(
      "--stream", [options] { options->stream = true; }, "Everybody follows streams of people");
  verb->add_flag_callback(
      "--no-stream", [options] { options->stream = false; }, "Nobody follows streams of people");
  verb->add_option(
      "--camera", options->cameras,
      "Somebody looks from X,Y,Z along DX,DY,DZ, with a field of view of FOV degrees (60 when not given):\n"
      "who is not seen is simulated with less care (docs/levels.md); may be given several times");
  verb->add_option("--budget", options->budget, "Cameras: ms that a step may take; levels follow")
      ->check(CLI::Range(0.0, 1e6));
  verb->add_option("--graph", options->graph, "File that keeps the navigation graph from run to run");
  verb->add_option("--threads", options->threads, "Threads; 0 for all cores. The result does not depend on it")
      ->check(CLI::Range(0, 1024));
  verb->add_option("--save", options->snapshot, "Write a snapshot at the end, to go on from");
  verb->add_option("--restart", options->restart, "Go on from a snapshot of the same scene");
  verb->add_flag("--stages", options->stages, "Show the time that each stage of the step took");
  verb->add_flag("--json", options->json, "Print the summary as JSON");
  verb->add_flag("-q,--quiet", options->quiet, "No progress and no summary");
  verb->callback([options] { run(*options); });
}

}  // namespace throng::app
