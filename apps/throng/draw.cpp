// throng draw: pictures and films of scenes and recordings.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/throng.h"

#include "command_line.h"
#include "outputs.h"
#include "report.h"
#include "simulate.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

namespace fs = std::filesystem;

struct DrawOptions {
  std::string source, output;
  std::string scene;  ///< of a recording
  std::vector<std::string> show;
  std::vector<double> view;
  std::vector<double> angles;  ///< of --oblique
  std::vector<std::string> places;
  std::string profile;  ///< of --show regions
  int routes = 6;
  std::optional<std::uint32_t> seer;
  double at = 0;
  DrawSettings settings;
  bool coloured = false;  ///< --colour-by was given
  bool json = false;
};

const std::map<std::string, PictureKind> kKinds{{"moment", PictureKind::kMoment},
                                                {"trajectories", PictureKind::kTrajectories},
                                                {"density", PictureKind::kDensity},
                                                {"speed", PictureKind::kSpeed}};
const std::map<std::string, ColourBy> kColours{{"population", ColourBy::kPopulation},
                                               {"speed", ColourBy::kSpeed},
                                               {"time", ColourBy::kTime},
                                               {"direction", ColourBy::kDirection}};

std::vector<std::string> names(const auto& choices) {
  std::vector<std::string> list;
  for (const auto& [name, value] : choices) list.push_back(name);
  return list;
}

/// What is drawn over a scene from its corridor map or navigation graph; several may be named.
const std::vector<std::string> kMapViews{"clearance",        "corridor-map", "flows",  "levels",
                                         "navigation-graph", "regions",      "routes", "visibility"};

bool isMapView(const std::string& show) {
  return std::find(kMapViews.begin(), kMapViews.end(), show) != kMapViews.end();
}

/// What emerges in a run; several may be named.
const std::vector<std::pair<std::string, Pattern>> kPatterns{
    {"lanes", Pattern::kLanes}, {"stripes", Pattern::kStripes}, {"circulation", Pattern::kCirculation}};

bool isPattern(const std::string& show) {
  return std::any_of(kPatterns.begin(), kPatterns.end(), [&](const auto& pattern) { return pattern.first == show; });
}

bool isScene(const std::string& path) { return fs::path(path).extension() == ".json"; }
bool isFilm(const std::string& path) { return fs::path(path).extension() == ".mp4"; }

/// A recording that is gone when the drawing is done.
class ScratchRecording {
 public:
  explicit ScratchRecording(const Scene& scene) {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "throng-XXXXXX").string();
    if (error || !mkdtemp(name.data()))
      throw FileError("there is no folder for temporary files; TMPDIR must name one that can be written");
    folder_ = name;
    World world(scene);
    Recorder recorder(path(), scene,
                      {.frames_per_second = fittingRecordingRate(scene.run.dt, scene.run.recording_rate)});
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

/// At the time asked for or, when there is none, when people meet.
void drawPatterns(Recording& recording, const DrawOptions& options) {
  if (!recording.scene()) throw InputError("the recording does not hold its scene, which says where people want to go");
  std::vector<Pattern> patterns;
  for (const auto& [name, pattern] : kPatterns)
    if (std::find(options.show.begin(), options.show.end(), name) != options.show.end()) patterns.push_back(pattern);
  DrawSettings settings = options.settings;
  settings.kind = PictureKind::kMoment;
  if (!options.coloured) settings.colour_by = ColourBy::kDirection;
  const PatternView view = viewPatterns(recording, *recording.scene(), patterns, settings.time);
  settings.time = view.time;
  drawRecording(recording, options.output, settings, view.overlay);
}

/// `scene`: the one that the recording was made from, where it is known.
void drawFrom(const std::string& recording_path, DrawOptions options, const Scene* scene) {
  Recording recording(recording_path);
  options.settings.scene = scene;
  if (!options.show.empty() && isPattern(options.show[0])) return drawPatterns(recording, options);
  if (!isFilm(options.output)) {
    const Working working("drawing " + recording_path);
    return drawRecording(recording, options.output, options.settings);
  }
  catchInterrupts();
  Progress progress;
  drawFilm(recording, options.output, options.settings, [&](double share) {
    if (progress.due()) progress.show(fmt::format("film: {:.0f} %", 100 * share));
    return !interrupted();
  });
  if (interrupted()) throw ExitCode{kInterrupted};
}

/// What person `seer` sees at a time.
void drawSightOf(const Scene& scene, const DrawOptions& options) {
  World world(scene);
  while (world.time() < options.at - 1e-9 && !world.finished()) world.step();
  const Frame people = world.frame();
  const auto found = std::find(people.person.begin(), people.person.end(), *options.seer);
  if (found == people.person.end())
    throw InputError(fmt::format("--vision {}: nobody of that number is there at {:g} s ({} people are)", *options.seer,
                                 world.time(), people.size()));
  DrawSettings settings = options.settings;
  if (settings.title.empty())
    settings.title = fmt::format("{}: what person {} sees at {:g} s", scene.name, *options.seer, world.time());
  drawSight(world.see(world.ids()[static_cast<std::size_t>(found - people.person.begin())]), options.output, settings);
}

void drawMap(const Scene& scene, const DrawOptions& options) {
  std::vector<Point> places;
  for (const std::string& place : options.places) places.push_back(placeOf(place, "--place"));
  const NavigationMap map(scene, places);
  for (const std::string& name : map.closedConnections())
    warn(fmt::format("warning: no route goes over connection \"{}\": see docs/corridor-map.md\n", printable(name)));
  const auto shows = [&](const char* what) {
    return std::find(options.show.begin(), options.show.end(), what) != options.show.end();
  };
  Overlay overlay;
  if (shows("clearance")) addClearance(overlay, map);
  if (shows("regions")) addRegions(overlay, scene, options.profile);
  if (shows("visibility"))
    addVisibility(overlay, map, scene, places,
                  options.settings.layers.empty() ? LayerId{} : map.layer(options.settings.layers[0]));
  if (shows("corridor-map")) addCorridorMap(overlay, map);
  if (shows("navigation-graph") || shows("flows") || shows("levels")) {
    const NavigationGraph graph(scene);
    if (shows("levels")) addLevels(overlay, graph, scene);
    if (shows("navigation-graph")) addNavigationGraph(overlay, graph);
    if (shows("flows")) addFlows(overlay, graph, scene);
  }
  if (shows("routes")) addRoutes(overlay, map, scene, options.routes);
  drawOverlay(scene, overlay, options.output, options.settings);
}

/// True for views of the corridor map, which need no run. Throws InputError for a mixture.
bool wantsMap(const DrawOptions& options) {
  if (std::all_of(options.show.begin(), options.show.end(), isPattern)) {
    if (!options.show.empty() && isFilm(options.output))
      throw InputError(options.output + ": no film of lanes, stripes and circulation; allowed: .png, .svg");
    return false;
  }
  const auto count = std::count_if(options.show.begin(), options.show.end(), isMapView);
  if (count == 0 && options.show.size() > 1)
    throw InputError(fmt::format("--show {}: allowed: one of these, or several of {}; or several of {}",
                                 fmt::join(options.show, ","), fmt::join(kMapViews, ", "),
                                 fmt::join(names(kPatterns), ", ")));
  if (count == 0) return false;
  if (static_cast<std::size_t>(count) != options.show.size())
    throw InputError(fmt::format("--show {}: pictures of a run and of the corridor map cannot be mixed",
                                 fmt::join(options.show, ",")));
  if (!isScene(options.source))
    throw InputError(fmt::format("--show {} draws a scene (.json), not a recording", fmt::join(options.show, ",")));
  if (isFilm(options.output)) throw InputError(options.output + ": no film of a corridor map; allowed: .png, .svg");
  return true;
}

Scene loadWithWarnings(const std::string& path) {
  std::vector<Diagnostic> warnings;
  Working working("reading " + path);
  Scene scene = loadScene(path, &warnings);
  working.finish();
  printDiagnostics(warnings);
  return scene;
}

void draw(DrawOptions options) {
  checkPictureName(options.output, true);
  if (options.seer && fs::path(options.output).extension() != ".png")
    throw InputError(options.output + ": what somebody sees is drawn as .png only");
  Outputs outputs(options.settings.overwrite);
  outputs.reads("the source", options.source);
  outputs.reads("--scene", options.scene);
  outputs.writes("--output", options.output, false);
  if (!options.view.empty())
    options.settings.view = Rectangle{{options.view[0], options.view[1]}, {options.view[2], options.view[3]}};
  if (options.settings.oblique) {
    if (!options.angles.empty()) options.settings.oblique->azimuth = options.angles[0];
    if (options.angles.size() > 1) options.settings.oblique->elevation = options.angles[1];
    options.settings.kind = PictureKind::kMoment;
  }
  const bool of_map = wantsMap(options);
  if (!options.profile.empty() && std::find(options.show.begin(), options.show.end(), "regions") == options.show.end())
    throw InputError("--profile is for --show regions");
  if (!options.show.empty() && kKinds.count(options.show[0])) options.settings.kind = kKinds.at(options.show[0]);

  if (options.seer && !isScene(options.source))
    throw InputError("--vision needs a scene (.json): a recording does not say how people see");
  if (!isScene(options.source)) {
    std::optional<Scene> scene;
    if (!options.scene.empty()) scene = loadWithWarnings(options.scene);
    drawFrom(options.source, options, scene ? &*scene : nullptr);
  } else {
    if (!options.scene.empty()) throw InputError("--scene is for recordings; " + options.source + " is a scene itself");
    const Scene scene = loadWithWarnings(options.source);
    if (options.seer) {
      drawSightOf(scene, options);
    } else if (of_map) {
      const Working working("drawing " + options.source);
      drawMap(scene, options);
    } else if (options.show.empty() && !isFilm(options.output)) {
      const Working working("drawing " + options.source);
      const World world(scene);
      const Frame people = world.frame();
      drawScene(scene, &people, options.output, options.settings);
    } else {
      const ScratchRecording run(scene);
      drawFrom(run.path(), options, &scene);
    }
  }
  if (options.json) {
    std::error_code unknown;  // of a pipe
    const std::uint64_t bytes =
        fs::is_regular_file(options.output, unknown) ? fs::file_size(options.output, unknown) : 0;
    sayJson({{"picture", options.output}, {"bytes", bytes}});
  } else {
    say(printable(options.output) + "\n");
  }
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

void addDraw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  DrawSettings& settings = options->settings;
  CLI::App* verb = app.add_subcommand("draw", "Draw a scene or a recording: PNG, SVG or an MP4 film");
  verb->footer(
      "A scene is drawn as it is, with everybody at the start; with --show or as a film it is simulated first.\n"
      "Views of where people can walk (clearance, corridor-map, flows, levels, navigation-graph, regions, routes, "
      "visibility; "
      "several of "
      "them,\n"
      "with commas) need no run. All layers are shown unless --layer names some. What emerges (lanes, stripes, "
      "circulation) is shown at "
      "--time,\n"
      "or when most people meet.\n"
      "Examples:\n"
      "  throng draw scenes/crossing.json -o crossing.svg\n"
      "  throng draw out/crossing.sqlite -o speed.png --colour-by speed\n"
      "  throng draw out/crossing.sqlite -o moment.png --show moment --time 20\n"
      "  throng draw out/crossing.sqlite -o density.png --show density --cell 0.5\n"
      "  throng draw out/crossing.sqlite -o crossing.mp4 --film-speed 2\n"
      "  throng draw scenes/counterflow.json -o lanes.png --show lanes --time 60\n"
      "  throng draw scenes/crossing.json -o stripes.png --show stripes\n"
      "  throng draw scenes/city-plan.json -o map.png --show corridor-map\n"
      "  throng draw scenes/station.json -o station.svg --show clearance,routes\n"
      "  throng draw scenes/city-plan.json -o graph.png --show navigation-graph --view 150,150,300,260\n"
      "  throng draw scenes/puddle.json -o puddle.png --show regions --profile default\n"
      "  throng draw scenes/circle.json -o seen.png --vision 1 --at 12\n"
      "  throng draw out/city.sqlite -o city.mp4 --scene scenes/city.json --oblique 45,35 --height 800");
  verb->add_option("source", options->source, "Scene (.json) or recording (.sqlite, .txt, .h5, .csv)")->required();
  verb->add_option("-o,--output", options->output, "Picture (.png, .svg) or film (.mp4)")->required();
  verb->add_option("--show", options->show, "What to draw (default: trajectories)")
      ->delimiter(',')
      ->check(CLI::IsMember(joined(joined(names(kKinds), kMapViews), names(kPatterns))));
  verb->add_option("--place", options->places, "visibility: look from X,Y on --layer; may be given several times");
  verb->add_option("--profile", options->profile, "regions: what they cost people of this profile");
  verb->add_option("--vision", options->seer, "Draw what the person of this number sees (1, 2, 3 …), see --at");
  verb->add_option("--at", options->at, "--vision: when, in s from the start")->check(CLI::Range(0.0, 1e6));
  verb->add_option("--routes", options->routes, "routes: how many of each population")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  verb->add_option_function<std::string>(
          "--colour-by,--color-by",
          [options](const std::string& by) {
            options->settings.colour_by = kColours.at(by);
            options->coloured = true;
          },
          "Colour of people and trajectories (default: population; for what emerges: direction)")
      ->check(CLI::IsMember(names(kColours)));
  verb->add_option("--time", settings.time,
                   "moment: seconds; the last frame when not given (what emerges: when people meet)");
  verb->add_option("--from", settings.from, "Begin at this time, s");
  verb->add_option("--to", settings.to, "End at this time, s");
  verb->add_option("--view", options->view, "Part of the scene: xmin,ymin,xmax,ymax in m")->delimiter(',')->expected(4);
  const CLI::Option* oblique =
      verb->add_option("--oblique", options->angles,
                       "Scenes with a mesh, a moment or film: look along AZIMUTH (0 east, 90 north) from ELEVATION "
                       "above the horizon, in degrees (45,35 when not given)")
          ->delimiter(',')
          ->expected(0, 2);
  verb->add_option("--scene", options->scene,
                   "The scene of a recording, for what the file lacks: its mesh, or layers, doors and events (.json)");
  verb->add_option("--width", settings.width, "Pixels")->check(CLI::Range(16, 16384))->capture_default_str();
  verb->add_option("--height", settings.height, "Pixels; follows the scene when not given")
      ->check(CLI::Range(16, 16384));
  verb->add_option("--cell", settings.cell, "density, speed: size of a map cell, m")->capture_default_str();
  verb->add_option("--trail", settings.trail, "moment, film: seconds of trail behind people")->capture_default_str();
  verb->add_option("--layer", settings.layers, "Which layer; may be given several times (default: all of them)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_flag("--axes", settings.axes, "Ticks in m around every floor");
  verb->add_option("--title", settings.title, "Title over the picture");
  verb->add_option("--film-rate", settings.film_rate, "Pictures per second of film")->capture_default_str();
  verb->add_option("--film-speed", settings.film_speed, "Simulated seconds per second of film")->capture_default_str();
  verb->add_flag("--force", settings.overwrite, "Replace an existing file");
  verb->add_flag("--json", options->json, "Print the result as JSON");
  verb->callback([options, oblique] {
    if (oblique->count() > 0) options->settings.oblique.emplace();
    draw(*options);
  });
}

}  // namespace throng::app
