// throng patch: crowd patches, from an empty definition to a crowd that is played back.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "throng/draw.h"
#include "throng/files.h"
#include "throng/patch_cut.h"
#include "throng/patch_district.h"
#include "throng/patch_files.h"
#include "throng/patch_street.h"
#include "throng/patch_views.h"
#include "throng/recording.h"
#include "throng/text.h"

#include "outputs.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

struct Options {
  std::string from, output, generator = "optimised", pairing = "stable", cells = "convex", layer;
  std::string of_scene;  ///< an option that only scenes have, when one was given
  std::vector<double> area;
  std::optional<double> begin;
  std::uint64_t seed = 1;
  double side = 8, period = 10, density = 0.1, duration = 60, rate = 10;
  int attempts = 8, cut_attempts = 4, windows = 4, threads = 0, width = 1200, versions = 1, objects = 0, residents = 0;
  std::uint32_t patch = 0;
  StreetSettings street;
  bool force = false, json = false, all = false, outside = false;
};

bool isDefinition(const std::string& path) { return path.ends_with(".json"); }

void makeNew(const Options& o) {
  Outputs outputs(o.force);
  outputs.writes("--output", o.output);
  if (!(o.side >= 3 && o.side <= 100)) throw InputError(fmt::format("--side {:g}: allowed: 3 to 100 m", o.side));
  if (!(o.period >= 2 && o.period <= 1000))
    throw InputError(fmt::format("--period {:g}: allowed: 2 to 1000 s", o.period));
  if (!(o.density > 0 && o.density <= 1))
    throw InputError(fmt::format("--density {:g}: allowed: more than 0, up to 1 per m²", o.density));
  const PatchDefinition patch = randomPatch(o.density, o.seed, o.side, o.period);
  writeFile(o.output, patchDefinitionToJson(patch), o.force);
  std::size_t inputs = 0;
  for (const PatchPattern& side : patch.sides) inputs += side.inputs.size();
  if (o.json) return sayJson({{"output", o.output}, {"inputs", inputs}, {"area", area(patch)}});
  say(fmt::format("{}: {} inputs and as many outputs\n", printable(o.output), inputs));
}

void generate(const Options& o) {
  Outputs outputs(o.force);
  outputs.reads("the definition", o.from);
  outputs.writes("--output", o.output);
  PatchSettings settings;
  settings.generator = patchGenerator(o.generator), settings.pairing = patchPairing(o.pairing);
  settings.seed = o.seed, settings.attempts = o.attempts;
  Working working("looking for walks", !o.json);
  const PatchResult result = generateWalks(loadPatchDefinition(o.from), settings);
  working.finish();
  if (!result.patch) {
    warn(fmt::format("throng: {}: no walks were found in {} attempts; why each failed:\n", printable(o.from),
                     result.attempts));
    for (const std::string& reason : result.reasons) warn(fmt::format("  {}\n", printable(reason)));
    warn("Fewer people, another --seed, more --attempts or --generator optimised may help.\n");
    throw ExitCode{kNotReachable};
  }
  PatchLibrary library{{*result.patch}, {{0, {}}}, {}};
  if (o.versions != 1) addVersions(library, o.versions, o.seed);
  savePatches(o.output, library, o.force);
  if (o.json) {
    sayJson({{"output", o.output},
             {"walks", result.patch->walks.size()},
             {"density", density(*result.patch)},
             {"attempts", result.attempts}});
  } else {
    say(fmt::format("{}: {} walks, {:.3f} people/m², found in {} attempt{}\n", printable(o.output),
                    result.patch->walks.size(), density(*result.patch), result.attempts,
                    result.attempts == 1 ? "" : "s"));
  }
}

nlohmann::ordered_json figures(const char* key, const std::string& path, const PatchLibrary& library,
                               const PatchWorld& world) {
  return {
      {key, path}, {"patches", library.patches.size()}, {"places", library.placed.size()}, {"people", world.people()}};
}

void checkFile(const Options& o) {
  if (isDefinition(o.from)) {
    const PatchDefinition patch = loadPatchDefinition(o.from);
    if (o.json)
      return sayJson(
          {{"from", o.from}, {"sides", patch.sides.size()}, {"area", area(patch)}, {"period", patch.period}});
    say(fmt::format("{}: {} sides, {:.1f} m², period {:g} s: no errors\n", printable(o.from), patch.sides.size(),
                    area(patch), patch.period));
    return;
  }
  Working working("checking " + o.from, !o.json);
  const PatchLibrary library = loadPatches(o.from);
  const PatchWorld world(library.patches, library.placed);
  working.finish();
  if (o.json) return sayJson(figures("from", o.from, library, world));
  say(fmt::format("{}: {} patches in {} places, {:.1f} people: no errors\n", printable(o.from), library.patches.size(),
                  library.placed.size(), world.people()));
}

std::string described(const PatchCut& cut) {
  std::string text;
  for (std::size_t i = 0; i < kLeftOutKinds; ++i)
    if (cut.left_out[i] > 0)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", cut.left_out[i], nameOf(static_cast<LeftOut>(i)));
  return text.empty() ? "nobody" : text;
}

nlohmann::ordered_json figures(const std::string& output, const Patch& patch, const PatchCut& cut) {
  nlohmann::ordered_json left_out;
  for (std::size_t i = 0; i < kLeftOutKinds; ++i)
    left_out[std::string(nameOf(static_cast<LeftOut>(i)))] = cut.left_out[i];
  return {{"output", output},
          {"from", cut.from},
          {"period", patch.definition.period},
          {"people", cut.people},
          {"walks", patch.walks.size()},
          {"residents", patch.definition.residents.size()},
          {"density", density(patch)},
          {"joined", cut.joined},
          {"beyond", cut.beyond},
          {"crowded_pairs", cut.crowded},
          {"left_out", left_out},
          {"change", {{"mean", cut.mean_change}, {"95 %", cut.change_95}, {"most", cut.most_change}}},
          {"windows", cut.windows}};
}

/// Four numbers are opposite corners of a rectangle, more of them the corners of a polygon.
Ring areaOf(const std::vector<double>& n) {
  if (n.size() == 4) return {{n[0], n[1]}, {n[2], n[1]}, {n[2], n[3]}, {n[0], n[3]}};
  if (n.size() < 6 || n.size() % 2 != 0)
    throw InputError(
        fmt::format("--area has {} numbers; allowed: x0,y0,x1,y1 or x and y of every corner, from three on", n.size()));
  Ring ring;
  for (std::size_t i = 0; i < n.size(); i += 2) ring.push_back({n[i], n[i + 1]});
  return ring;
}

void fromRecording(const Options& o) {
  Outputs outputs(o.force);
  outputs.reads("the recording", o.from);
  outputs.writes("--output", o.output);
  PatchCutSettings settings;
  settings.area = areaOf(o.area), settings.from = o.begin, settings.period = o.period;
  settings.attempts = o.cut_attempts, settings.windows = o.windows, settings.seed = o.seed;
  settings.name = "from " + std::filesystem::path(o.from).filename().string();
  Working working("cutting a patch out of " + o.from, !o.json);
  Recording recording(o.from);
  const Scene scene = sceneOf(recording);
  if (!o.layer.empty()) {
    std::uint16_t index = 0;
    while (index < scene.layers.size() && scene.layers[index].name != o.layer) ++index;
    if (index == scene.layers.size()) {
      std::vector<std::string> names;
      for (const Layer& layer : scene.layers) names.push_back(layer.name);
      throw InputError(fmt::format("--layer {}: there is none; allowed: {}", o.layer, fmt::join(names, ", ")));
    }
    settings.layer = index;
  }
  settings.objects = patchObjects(scene, settings.layer.value_or(0), settings.area);
  const PatchCut cut = cutPatch(recording, settings);
  working.finish();
  if (!cut.patch) {
    warn(fmt::format("throng: {}: no patch can be cut out there; why each attempt failed:\n", printable(o.from)));
    for (const std::string& reason : cut.reasons) warn(fmt::format("  {}\n", printable(reason)));
    warn("A larger --area, another --from, a longer --period or more --attempts may help.\n");
    throw ExitCode{kNotReachable};
  }
  savePatches(o.output, {{*cut.patch}, {{0, {}}}, {}}, o.force);
  if (o.json) return sayJson(figures(o.output, *cut.patch, cut));
  say(twoColumns(
      {{"library", o.output},
       {"window", fmt::format("{:g} to {:g} s, of {} tried", cut.from, cut.from + o.period, cut.windows.size())},
       {"people", fmt::format("{}: {} walks, {} residents, {:.3f} people/m²", cut.people, cut.patch->walks.size(),
                              cut.patch->definition.residents.size(), density(*cut.patch))},
       {"go on as another", fmt::format("{}", cut.joined)},
       {"followed beyond", fmt::format("{}", cut.beyond)},
       {"left out", described(cut)},
       {"pairs too near", fmt::format("{} in the recording, 0 in the patch", cut.crowded)},
       {"moved", fmt::format("{:.3f} m on average, 95 % up to {:.3f} m, most {:.3f} m", cut.mean_change, cut.change_95,
                             cut.most_change)}}));
}

void play(const Options& o) {
  Outputs outputs(o.force);
  outputs.reads("the library", o.from);
  recordingFormat(o.output);
  outputs.writes("--output", o.output);
  PatchLibrary library = loadPatches(o.from);
  PatchWorld world(std::move(library.patches), std::move(library.placed),
                   {.frames_per_second = o.rate,
                    .duration = o.duration,
                    .region = {},
                    .threads = o.threads,
                    .versions = std::move(library.versions)});
  RecorderSettings settings;
  settings.frames_per_second = o.rate, settings.overwrite = o.force;
  Working working("playing " + o.from, !o.json);
  Recorder recorder(o.output, world.scene(), settings);
  const std::uint64_t frames = recorder.observe(world);
  recorder.close();
  working.finish();
  if (o.json) {
    sayJson({{"output", o.output},
             {"frames", frames},
             {"people", world.people()},
             {"bytes_per_person_second", world.bytesPerPersonSecond()}});
  } else {
    say(fmt::format("{}: {} frames, {:.1f} people on average\n", printable(o.output), grouped(frames), world.people()));
  }
}

/// A map has templates; a scene does not.
bool isMap(const std::string& path) {
  const auto json = nlohmann::json::parse(readFile(path), nullptr, false, true);
  return json.is_object() && json.contains("templates");
}

PatchDistrictFile districtOf(const Options& o) {
  if (isMap(o.from)) {
    if (!o.of_scene.empty())
      throw InputError(
          fmt::format("{}: allowed with a scene only; the map {} says it itself", o.of_scene, printable(o.from)));
    return loadPatchDistrict(o.from);
  }
  PatchDistrictFile file;
  file.scene = o.from;
  PatchDistrictSettings& settings = file.settings;
  settings.cells = patchCells(o.cells), settings.layer = o.layer;
  PatchTemplate all;
  all.name = "everywhere", all.density = o.density;
  all.objects = o.objects, all.residents = o.residents;
  if (o.outside) all.borders = {{"outside", {}, {}}};
  settings.map.side = o.side, settings.map.period = o.period, settings.map.seed = o.seed;
  settings.map.templates = {all};
  return file;
}

nlohmann::ordered_json jsonOf(const PatchReport& report) {
  auto thinned = nlohmann::ordered_json::array();
  for (const ThinnedPatch& patch : report.thinned)
    thinned.push_back({{"place", patch.place}, {"wanted", patch.wanted}, {"got", patch.got}, {"reason", patch.reason}});
  return {{"free_area", report.free_area},
          {"coverage", report.covered_area / report.free_area},
          {"density_asked", report.asked / report.covered_area},
          {"density_reached", report.reached / report.covered_area},
          {"retried", report.retried},
          {"thinned", thinned}};
}

void sayReport(const PatchReport& report, const PatchLibrary& library) {
  say(fmt::format("{:.1f} % of {:.0f} m² of free space; {:.3f} people/m² asked for, {:.3f} reached\n",
                  100 * report.covered_area / report.free_area, report.free_area, report.asked / report.covered_area,
                  report.reached / report.covered_area));
  if (report.retried > 0) say(fmt::format("{} got other patterns before walks were found\n", report.retried));
  if (report.thinned.empty()) return;
  int wanted = 0, got = 0;
  for (const ThinnedPatch& patch : report.thinned) wanted += patch.wanted, got += patch.got;
  say(fmt::format("{} were thinned: {} of {} walks; the first of them:\n", report.thinned.size(), got, wanted));
  constexpr std::size_t kMost = 5;
  for (std::size_t i = 0; i < std::min(kMost, report.thinned.size()); ++i) {
    const ThinnedPatch& patch = report.thinned[i];
    const Point at = library.placed[patch.place].at;
    say(fmt::format("  at ({:.1f}, {:.1f}): {} of {}: {}\n", at.x, at.y, patch.got, patch.wanted,
                    printable(patch.reason)));
  }
}

void city(const Options& o) {
  Outputs outputs(o.force);
  outputs.reads("the map", o.from);
  outputs.writes("--output", o.output);
  Working working("making patches", !o.json);
  const PatchDistrictFile file = districtOf(o);
  PatchReport report;
  PatchLibrary library = file.scene.empty() ? makePatchCity(file.settings.map, &report)
                                            : makePatchDistrict(loadScene(file.scene), file.settings, &report);
  if (o.versions != 1) addVersions(library, o.versions);
  working.finish();
  const PatchWorld world(library.patches, library.placed);
  savePatches(o.output, library, o.force);
  if (o.json) {
    nlohmann::ordered_json json = figures("output", o.output, library, world);
    json.update(jsonOf(report));
    return sayJson(json);
  }
  say(fmt::format("{}: {} patches in {} places, {:.1f} people\n", printable(o.output), library.patches.size(),
                  library.placed.size(), world.people()));
  sayReport(report, library);
}

void street(const Options& o) {
  Outputs outputs(o.force);
  recordingFormat(o.output);
  outputs.writes("--output", o.output);
  StreetSettings settings = o.street;
  settings.seed = o.seed, settings.duration = o.duration, settings.frames_per_second = o.rate;
  EndlessStreet street(settings);
  const double end = settings.camera + settings.camera_speed * settings.duration;
  RecorderSettings recording;
  recording.frames_per_second = o.rate, recording.overwrite = o.force;
  Working working("walking down the street", !o.json);
  Recorder recorder(
      o.output,
      street.scene(std::min(settings.camera, end) - settings.view, std::max(settings.camera, end) + settings.view),
      recording);
  const std::uint64_t frames = recorder.observe(street);
  recorder.close();
  working.finish();
  if (o.json)
    return sayJson({{"output", o.output},
                    {"frames", frames},
                    {"patches_made", street.patchesMade()},
                    {"bytes", street.patchBytes() + street.borderBytes()}});
  say(fmt::format("{}: {} frames, {} patches made, {} bytes kept of them\n", printable(o.output), grouped(frames),
                  grouped(street.patchesMade()), grouped(street.patchBytes() + street.borderBytes())));
}

void draw(const Options& o) {
  Outputs outputs(o.force);
  outputs.reads("the library", o.from);
  checkPictureName(o.output);
  outputs.writes("--output", o.output);
  Working working("drawing " + o.from);
  const PatchLibrary library = loadPatches(o.from);
  if (o.patch >= library.patches.size())
    throw InputError(fmt::format("--patch {}: allowed: 0 to {}", o.patch, library.patches.size() - 1));
  const PatchView view = o.all ? viewPatches(library) : viewPatch(library.patches[o.patch]);
  DrawSettings settings;
  settings.width = o.width, settings.overwrite = o.force;
  settings.title = o.all ? std::filesystem::path(o.from).stem().string() : view.scene.name;
  drawOverlay(view.scene, view.overlay, o.output, settings);
  working.finish();
  say(fmt::format("{}\n", printable(o.output)));
}

}  // namespace

void addPatch(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("patch", "Crowd patches: small periodic pieces of crowd that fit together");
  verb->footer(
      "A patch is a convex piece of ground where everybody walks the same way again after a period, and whose sides\n"
      "say who comes in and goes out, where and when: patches with the same sides fit together like dominoes.\n"
      "docs/patches.md explains them. From a definition to a crowd that is played back:\n"
      "  throng patch new -o plaza.json --density 0.2\n"
      "  throng patch generate plaza.json -o plaza.patches\n"
      "  throng patch check plaza.patches\n"
      "  throng patch draw plaza.patches -o plaza.png\n"
      "  throng patch play plaza.patches -o plaza.sqlite --duration 30\n"
      "From life, out of 10 s of a recording; and a city, from a map of templates:\n"
      "  throng patch from-recording walk.sqlite -o life.patches --area 0,0,8,8 --period 10\n"
      "  throng patch city scenes/patches/town.json -o town.patches\n"
      "Every part has its own --help. Exit code 0: done; 1: no walks were found, and why; 2: bad input.");
  verb->require_subcommand(1);
  const auto add = [&](const char* name, const char* about, const char* from, const char* output,
                       void (*work)(const Options&), bool prints_numbers = true) {
    CLI::App* part = verb->add_subcommand(name, about);
    if (from) part->add_option("from", options->from, from)->required();
    if (output) {
      part->add_option("-o,--output", options->output, output)->required();
      part->add_flag("--force", options->force, "Replace an existing file");
    }
    if (prints_numbers) part->add_flag("--json", options->json, "Print the result as JSON");
    part->callback([options, work] { work(*options); });
    return part;
  };
  CLI::App* make =
      add("new", "Make a square patch with random patterns", nullptr, "Definition to write (.json)", makeNew);
  make->add_option("--side", options->side, "Length of its sides, m")->capture_default_str();
  make->add_option("--period", options->period, "s after which everything repeats")->capture_default_str();
  make->add_option("--density", options->density, "People per m²")->capture_default_str();
  make->add_option("--seed", options->seed, "Which of all such patches")->capture_default_str();
  CLI::App* find =
      add("generate", "Find walks for a definition", "Definition (.json)", "Library to write (.patches)", generate);
  find->add_option("--generator", options->generator, "straight, particle, orca or optimised")->capture_default_str();
  find->add_option("--pairing", options->pairing, "random, in-order, stable or least")->capture_default_str();
  find->add_option("--seed", options->seed, "Of everything random")->capture_default_str();
  find->add_option("--attempts", options->attempts, "With other pairings each")->capture_default_str();
  find->add_option("--versions", options->versions, "To be played in random order")->capture_default_str();
  CLI::App* cut = add("from-recording", "Cut a patch out of a recording and bend its walks until they repeat",
                      "Recording", "Library to write (.patches)", fromRecording);
  cut->add_option("--area", options->area,
                  "m: x0,y0,x1,y1 of a rectangle, or x and y of all corners of a convex polygon")
      ->delimiter(',')
      ->required();
  cut->add_option("--from", options->begin,
                  "s of the recording, where the period begins; without it, the best is chosen");
  cut->add_option("--period", options->period, "s after which everything repeats")->capture_default_str();
  cut->add_option("--layer", options->layer, "Only people on this layer of the scene");
  cut->add_option("--windows", options->windows, "Beginnings that are tried without --from")->capture_default_str();
  cut->add_option("--attempts", options->cut_attempts, "Per window, with others matched each")->capture_default_str();
  cut->add_option("--seed", options->seed, "Of everything random")->capture_default_str();
  add("check", "What is wrong with a definition or a library", "Definition (.json) or library", nullptr, checkFile);
  CLI::App* town = add("city", "Make patches for a map of templates, or for the free space of a scene",
                       "Map of templates or scene (.json)", "Library to write (.patches)", city);
  town->add_option("--versions", options->versions, "Of every patch, to be played in random order")
      ->capture_default_str();
  const auto ofScene = [&](CLI::Option* option) {
    option->each([options, name = option->get_name()](const std::string&) { options->of_scene = name; });
    option->capture_default_str()->group("Of scenes; maps say it themselves");
  };
  ofScene(town->add_option("--cells", options->cells, "squares or convex"));
  ofScene(town->add_option("--layer", options->layer, "Which layer; the first when not given"));
  ofScene(town->add_option("--density", options->density, "People per m²"));
  ofScene(town->add_option("--side", options->side, "Of cells, about, m"));
  ofScene(town->add_option("--period", options->period, "s after which everything repeats"));
  ofScene(town->add_option("--seed", options->seed, "Of everything random"));
  ofScene(town->add_option("--objects", options->objects, "Things in the way, per cell"));
  ofScene(town->add_option("--residents", options->residents, "People who stay, per cell"));
  ofScene(town->add_flag("--outside", options->outside, "People come and go where there is no wall"));
  CLI::App* walk = add("street", "Walk down an endless street and record it", nullptr, "Recording to write", street);
  walk->add_option("--seed", options->seed, "Of everything random")->capture_default_str();
  walk->add_option("--crossings", options->street.crossings, "People per period and direction")->capture_default_str();
  walk->add_option("--camera", options->street.camera, "m along the street, at the beginning")->capture_default_str();
  walk->add_option("--speed", options->street.camera_speed, "Of the camera, m/s")->capture_default_str();
  walk->add_option("--view", options->street.view, "m before and behind the camera")->capture_default_str();
  walk->add_option("--duration", options->duration, "s")->capture_default_str();
  walk->add_option("--rate", options->rate, "Frames per second")->capture_default_str();
  CLI::App* player = add("play", "Play a library back and record it", "Library", "Recording to write", play);
  player->add_option("--duration", options->duration, "s")->capture_default_str();
  player->add_option("--rate", options->rate, "Frames per second")->capture_default_str();
  player->add_option("--threads", options->threads, "0: all cores")->capture_default_str();
  CLI::App* picture = add("draw", "Draw a patch: its plan, and the prism of space and time", "Library",
                          "Picture (.png, .svg)", draw, false);
  picture->add_option("--patch", options->patch, "Which patch of the library")->capture_default_str();
  picture->add_flag("--all", options->all, "All of them in their places, as a plan")->excludes("--patch");
  picture->add_option("--width", options->width, "Pixels")->check(CLI::Range(16, 16384))->capture_default_str();
}

}  // namespace throng::app
