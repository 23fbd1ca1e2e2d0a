// throng patch: crowd patches, from an empty definition to a crowd that is played back.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/draw.h"
#include "throng/files.h"
#include "throng/patch_city.h"
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
  std::string from, output, generator = "optimised", pairing = "stable";
  std::uint64_t seed = 1;
  double side = 8, period = 10, density = 0.1, duration = 60, rate = 10;
  int attempts = 8, threads = 0, width = 1200, versions = 1;
  std::uint32_t patch = 0;
  StreetSettings street;
  bool force = false, json = false;
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

void checkFile(const Options& o) {
  if (isDefinition(o.from)) {
    const PatchDefinition patch = loadPatchDefinition(o.from);
    say(fmt::format("{}: {} sides, {:.1f} m², period {:g} s: no errors\n", printable(o.from), patch.sides.size(),
                    area(patch), patch.period));
    return;
  }
  const PatchLibrary library = loadPatches(o.from);
  const PatchWorld world(library.patches, library.placed);
  say(fmt::format("{}: {} patches in {} places, {:.1f} people: no errors\n", printable(o.from), library.patches.size(),
                  library.placed.size(), world.people()));
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

void city(const Options& o) {
  Outputs outputs(o.force);
  outputs.reads("the map", o.from);
  outputs.writes("--output", o.output);
  Working working("making patches", !o.json);
  PatchLibrary library = makePatchCity(loadPatchMap(o.from));
  if (o.versions != 1) addVersions(library, o.versions);
  working.finish();
  savePatches(o.output, library, o.force);
  const PatchWorld world(library.patches, library.placed);
  say(fmt::format("{}: {} patches in {} places, {:.1f} people\n", printable(o.output), library.patches.size(),
                  library.placed.size(), world.people()));
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
  say(fmt::format("{}: {} frames, {} patches made, {} bytes kept of them\n", printable(o.output), grouped(frames),
                  grouped(street.patchesMade()), grouped(street.patchBytes() + street.borderBytes())));
}

void draw(const Options& o) {
  Outputs outputs(o.force);
  outputs.reads("the library", o.from);
  checkPictureName(o.output);
  outputs.writes("--output", o.output);
  const PatchLibrary library = loadPatches(o.from);
  if (o.patch >= library.patches.size())
    throw InputError(fmt::format("--patch {}: allowed: 0 to {}", o.patch, library.patches.size() - 1));
  const PatchView view = viewPatch(library.patches[o.patch]);
  DrawSettings settings;
  settings.width = o.width, settings.overwrite = o.force, settings.title = view.scene.name;
  drawOverlay(view.scene, view.overlay, o.output, settings);
  say(fmt::format("{}\n", printable(o.output)));
}

}  // namespace

void addPatch(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("patch", "Crowd patches: small periodic pieces of crowd that fit together");
  verb->footer(
      "docs/patches.md explains patches. Examples:\n"
      "  throng patch new -o plaza.json --density 0.2\n"
      "  throng patch generate plaza.json -o plaza.patches\n"
      "  throng patch check plaza.patches\n"
      "  throng patch draw plaza.patches -o plaza.png\n"
      "  throng patch play plaza.patches -o plaza.sqlite --duration 30\n"
      "Exit code 0: done; 1: no walks were found; 2: bad input.");
  verb->require_subcommand(1);
  const auto add = [&](const char* name, const char* about, const char* from, const char* output,
                       void (*work)(const Options&)) {
    CLI::App* part = verb->add_subcommand(name, about);
    if (from) part->add_option("from", options->from, from)->required();
    if (output) {
      part->add_option("-o,--output", options->output, output)->required();
      part->add_flag("--force", options->force, "Replace an existing file");
    }
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
  find->add_option("--pairing", options->pairing, "random, in-order or stable")->capture_default_str();
  find->add_option("--seed", options->seed, "Of everything random")->capture_default_str();
  find->add_option("--attempts", options->attempts, "With other pairings each")->capture_default_str();
  find->add_option("--versions", options->versions, "To be played in random order")->capture_default_str();
  find->add_flag("--json", options->json, "Print the result as JSON");
  add("check", "What is wrong with a definition or a library", "Definition (.json) or library", nullptr, checkFile);
  CLI::App* town =
      add("city", "Make a city of patches from a map of templates", "Map (.json)", "Library to write (.patches)", city);
  town->add_option("--versions", options->versions, "Of every patch, to be played in random order")
      ->capture_default_str();
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
  player->add_flag("--json", options->json, "Print the result as JSON");
  CLI::App* picture =
      add("draw", "Draw a patch: its plan, and the prism of space and time", "Library", "Picture (.png, .svg)", draw);
  picture->add_option("--patch", options->patch, "Which patch of the library")->capture_default_str();
  picture->add_option("--width", options->width, "Pixels")->check(CLI::Range(16, 16384))->capture_default_str();
}

}  // namespace throng::app
