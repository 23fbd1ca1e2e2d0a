// throng run: simulate a scene, record it, draw it, sum it up.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/throng.h"

#include "outputs.h"
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
  bool models_alone = false;
  std::optional<bool> stream;
  std::vector<std::string> cameras;
  std::optional<double> budget;
  std::string graph;
  std::optional<std::uint64_t> seed;
  std::optional<double> duration, dt, rate, patience;
  int threads = 0;
  bool no_record = false, no_picture = false, force = false, json = false, quiet = false, systems = false;
};

/// X,Y,Z,DX,DY,DZ and perhaps the field of view.
Camera cameraOf(const std::string& text) {
  std::vector<double> numbers;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    double number = 0;
    const auto read = std::from_chars(at, end, number);
    const bool more = read.ptr < end && *read.ptr == ',' && read.ptr + 1 < end;
    if (read.ec != std::errc{} || !std::isfinite(number) || (read.ptr < end && !more)) {
      numbers.clear();
      break;
    }
    numbers.push_back(number);
    at = more ? read.ptr + 1 : end;
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
  if (options.duration) layStreet(scene);  // as far as is seen
  if (options.dt) scene.run.dt = *options.dt;
  if (options.rate) {
    scene.run.recording_rate = *options.rate;
  } else if (options.dt && *options.dt >= kShortestStep && *options.dt <= kLongestStep) {
    scene.run.recording_rate = fittingRecordingRate(*options.dt, scene.run.recording_rate);
  }
  if (options.patience) scene.run.patience = *options.patience;
  if (!options.steering.empty())
    for (Profile& profile : scene.profiles) profile.steering = {options.steering, {}};
  if (options.models_alone)
    for (Profile& profile : scene.profiles) profile = withModelsAlone(profile);
  if (options.stream)
    for (Profile& profile : scene.profiles) {
      if (!*options.stream) profile.stream.reset();
      if (*options.stream && !profile.stream) profile.stream.emplace();
    }
  for (const std::string& camera : options.cameras) scene.levels.cameras.push_back(cameraOf(camera));
  if (options.budget) scene.levels.budget = *options.budget;
  return scene;
}

bool isThere(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

/// The scene's navigation graph from a file, which is written when it is not there.
std::unique_ptr<NavigationGraph> graphFor(const Scene& scene, const RunOptions& options) {
  if (options.graph.empty()) return {};
  if (isThere(options.graph)) return std::make_unique<NavigationGraph>(NavigationGraph::load(options.graph));
  auto graph = std::make_unique<NavigationGraph>(scene, options.threads);
  graph->save(options.graph);
  return graph;
}

void chooseNames(RunOptions& options, const std::string& name) {
  if (options.output.empty() && !options.no_record) options.output = freeName(name, ".sqlite");
  if (options.no_record) options.output.clear();
  if (options.picture.empty() && !options.no_picture && !options.output.empty()) {
    const fs::path beside = fs::path(options.output).replace_extension(".png");
    options.picture = isThere(beside.string()) && !options.force ? freeName(name, ".png") : beside.string();
  }
  if (options.no_picture || options.output.empty()) options.picture.clear();
}

/// Looks at every file before anything is simulated, so that what cannot be written, or would replace something, is an
/// error at once.
void checkFiles(const RunOptions& options) {
  if (!options.output.empty()) recordingFormat(options.output);
  if (!options.picture.empty()) checkPictureName(options.picture);
  Outputs outputs(options.force);
  outputs.reads("the scene", options.scene);
  outputs.reads("--restart", options.restart);
  if (isThere(options.graph)) outputs.reads("--graph", options.graph);
  outputs.writes("--output", options.output);
  outputs.writes("--picture", options.picture);
  outputs.writes("--save", options.snapshot);
  if (!isThere(options.graph)) outputs.writes("--graph", options.graph);
}

/// Frames are of whole numbers of 1 / rate. A run that goes on with other steps than before may never meet one.
void requireFrames(const World& world, double rate) {
  const double dt = world.scene().run.dt, frames = world.time() * rate;
  const double steps = (std::ceil(frames - 1e-6) - frames) / (rate * dt);
  if (std::abs(steps - std::round(steps)) < 1e-4) return;
  throw InputError(fmt::format(
      "The snapshot is of {:g} s, from which steps of {:g} s never lead to a multiple of {:g} s, when frames "
      "are recorded; use the --dt of the run before, another --recording-rate, or --no-record.",
      world.time(), dt, 1 / rate));
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

std::string endName(const Simulated& run) {
  switch (run.ending) {
    case RunEnd::kDuration:
      return "duration";
    case RunEnd::kAllArrived:
      return "all_arrived";
    case RunEnd::kNoProgress:
      return "no_progress";
    case RunEnd::kNotYet:
      break;
  }
  return "interrupted";
}

std::string endText(const Simulated& run, const Scene& scene) {
  switch (run.ending) {
    case RunEnd::kDuration:
      return fmt::format("at its duration of {:g} s", *scene.run.duration);
    case RunEnd::kAllArrived:
      return "because everybody has arrived";
    case RunEnd::kNoProgress:
      return "because nobody who is left gets any nearer to their goal, and nothing more is to come";
    case RunEnd::kNotYet:
      break;
  }
  return "by the user";
}

struct Missing {
  std::string population;
  std::uint64_t people = 0, unreachable = 0;
  std::vector<std::uint32_t> first;  ///< numbers of the first few
};

std::vector<Missing> missingByPopulation(const Simulated& run, const Scene& scene) {
  constexpr std::size_t kFew = 10;
  std::map<std::uint16_t, Missing> by_population;
  for (const NotArrived& person : run.not_arrived) {
    Missing& missing = by_population[person.population];
    ++missing.people;
    missing.unreachable += person.unreachable;
    if (missing.first.size() < kFew) missing.first.push_back(person.person);
  }
  std::vector<Missing> list;
  for (auto& [number, missing] : by_population) {
    const bool named = number < scene.populations.size() && !scene.populations[number].name.empty();
    missing.population = named ? scene.populations[number].name : fmt::format("population {}", number);
    list.push_back(std::move(missing));
  }
  return list;
}

std::string notArrivedText(const Simulated& run, const Scene& scene) {
  std::string text;
  for (const Missing& missing : missingByPopulation(run, scene))
    text += fmt::format("{}{} of {} ({}{}{}{})", text.empty() ? "" : "; ", grouped(missing.people), missing.population,
                        missing.unreachable == missing.people ? "no way leads to their goal"
                        : missing.unreachable > 0 ? fmt::format("no way leads to the goal of {}", missing.unreachable)
                                                  : "held up or still on the way",
                        missing.first.size() == 1 ? ": person " : ": people ", fmt::join(missing.first, ", "),
                        missing.people > missing.first.size() ? " …" : "");
  return text;
}

nlohmann::ordered_json notArrivedJson(const Simulated& run, const Scene& scene) {
  auto list = nlohmann::ordered_json::array();
  for (const Missing& missing : missingByPopulation(run, scene))
    list.push_back({{"population", missing.population},
                    {"people", missing.people},
                    {"unreachable", missing.unreachable},
                    {"first", missing.first}});
  return list;
}

void printSummary(const Simulated& run, const World& world, const RunOptions& options, const std::string& name) {
  say(fmt::format("{}: {:.1f} s simulated in {:.2f} s, {:.1f} times real time{}\n\n", printable(name), run.simulated,
                  run.seconds, run.seconds > 0 ? run.simulated / run.seconds : 0.0,
                  run.interrupted ? " (interrupted)" : ""));
  auto rows = summaryRows(run.metrics);
  rows.emplace_back("ended", endText(run, world.scene()));
  if (!run.not_arrived.empty() && world.scene().run.until_all_arrived)
    rows.emplace_back("did not arrive", notArrivedText(run, world.scene()));
  if (run.unreachable > 0)
    rows.emplace_back("cannot reach goal", fmt::format("{} (see `throng plan`)", grouped(run.unreachable)));
  if (run.waiting > 0) rows.emplace_back("found no place yet", grouped(run.waiting));
  double stepping = 0;
  for (const SystemTime& system : world.systemTimes()) stepping += system.total;
  rows.emplace_back("work",
                    fmt::format("{} steps, {} agent-steps, {:.2f} million a second on {} thread{}", grouped(run.steps),
                                grouped(run.agent_steps), stepping > 0 ? double(run.agent_steps) / stepping / 1e6 : 0.0,
                                world.threads(), world.threads() == 1 ? "" : "s"));
  if (world.atLowLevels() > 0 || !world.scene().levels.cameras.empty()) rows.emplace_back("levels", levelsText(world));
  if (options.systems)
    for (const SystemTime& system : world.systemTimes())
      rows.emplace_back(
          "system " + std::string(system.name),
          fmt::format("{:.3f} s, {:.1f} %", system.total, stepping > 0 ? 100 * system.total / stepping : 0));
  if (!options.output.empty()) rows.emplace_back("recording", options.output);
  if (!options.picture.empty()) rows.emplace_back("picture", options.picture);
  if (!options.snapshot.empty()) rows.emplace_back("snapshot", options.snapshot);
  say(twoColumns(rows));
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
                              {"ended", endName(run)},
                              {"not_arrived", notArrivedJson(run, world.scene())},
                              {"hash", fmt::format("{:016x}", world.hash())},
                              {"metrics", toJson(run.metrics)}};
  for (const SystemTime& system : world.systemTimes()) json["systems"][std::string(system.name)] = system.total;
  json["recording"] = options.output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.output);
  json["picture"] = options.picture.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.picture);
  return json;
}

/// What is written after the run, each for itself: when one of them fails (the disk is full), the others and the
/// summary are not lost with it. Returns what failed.
std::vector<std::string> writeResults(RunOptions& options, const World& world, const Scene& scene,
                                      const std::string& name) {
  std::vector<std::string> failed;
  const auto attempt = [&](std::string& path, const auto& write) {
    if (path.empty()) return;
    try {
      write();
    } catch (const Error& error) {
      failed.push_back(withRemedy(error));
      path.clear();
    }
  };
  attempt(options.snapshot, [&] { world.saveSnapshot(options.snapshot, options.force); });
  attempt(options.picture, [&] { drawPicture(options, scene, name); });
  return failed;
}

void run(RunOptions options) {
  const Scene scene = sceneFor(options);
  const std::string name = scene.name.empty() ? fs::path(options.scene).stem().string() : scene.name;
  chooseNames(options, name);
  const FolderFor recordings(options.output), pictures(options.picture);
  checkFiles(options);
  const std::unique_ptr<NavigationGraph> graph = graphFor(scene, options);
  Working working("making the map of " + options.scene, !options.json && !options.quiet);
  World world(scene, {.threads = options.threads, .navigation_graph = graph.get()});
  working.finish();
  if (!options.restart.empty()) {
    world.loadSnapshot(options.restart);
  } else {
    std::vector<Diagnostic> unreachable = world.unreachableGoals();
    locateInFile(options.scene, unreachable);
    printDiagnostics(unreachable);
  }
  std::unique_ptr<Recorder> recorder;
  const double rate = fittingRecordingRate(scene.run.dt, scene.run.recording_rate);
  if (!options.output.empty()) requireFrames(world, rate);
  if (!options.output.empty())
    recorder = std::make_unique<Recorder>(options.output, scene,
                                          RecorderSettings{.frames_per_second = rate, .overwrite = options.force});

  catchInterrupts();
  const Simulated result = simulate(world, recorder.get(), !options.quiet);
  recorder.reset();
  if (result.frames == 0) options.picture.clear();  // it ended before its first frame
  const std::vector<std::string> failed = writeResults(options, world, scene, name);
  if (options.json) {
    sayJson(summaryJson(result, world, options, name));
  } else if (!options.quiet) {
    printSummary(result, world, options, name);
  }
  for (const std::string& why : failed) warn(fmt::format("throng: {}\n", printable(why)));
  if (!failed.empty()) throw ExitCode{kBadInput};
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
      "replaced without --force, and with it only when the new one is complete; until then a recording is written\n"
      "beside it, as NAME.part.sqlite. Ctrl-C ends the run in good order.");
  verb->add_option("scene", options->scene, "Scene file (docs/scene-format.md)")->required();
  auto* output = verb->add_option("-o,--output", options->output, "Recording: .sqlite, .txt, .h5 or .csv");
  auto* picture = verb->add_option("--picture", options->picture, "Picture of the trajectories: .png or .svg");
  verb->add_flag("--no-record", options->no_record, "Record and draw nothing")->excludes(output)->excludes(picture);
  verb->add_flag("--no-picture", options->no_picture, "Draw nothing")->excludes(picture);
  verb->add_flag("--force", options->force, "Replace existing files");
  verb->add_option("--seed", options->seed, "Random seed, instead of the scene's");
  verb->add_option("--duration", options->duration, "Simulated seconds, instead of the scene's");
  verb->add_option("--dt", options->dt, "Time step in s, instead of the scene's");
  verb->add_option("--patience", options->patience,
                   "Seconds without progress of anybody after which a run until all have arrived ends, instead of the "
                   "scene's");
  verb->add_option("--recording-rate", options->rate, "Frames per simulated second, instead of the scene's");
  verb->add_option("--steering", options->steering, "Steering model for everybody, with its default parameters");
  verb->add_flag("--models-alone", options->models_alone,
                 "Nobody gets unstuck, gives way, goes round jams, avoids congestion or shares goals: as models were "
                 "published");
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
  verb->add_flag("--systems", options->systems, "Show the time that each system of the step took");
  verb->add_flag("--json", options->json, "Print the summary as JSON");
  verb->add_flag("-q,--quiet", options->quiet, "No progress and no summary");
  verb->callback([options] { run(*options); });
}

}  // namespace throng::app
