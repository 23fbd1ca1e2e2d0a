// Yersin, "Real-time motion planning, navigation, and behavior for large crowds of virtual humans", PhD thesis, EPFL
// 2009, section 7.5.2 and Table 7.1: how long a patch takes, and how many humans are replayed how often.
#include <algorithm>
#include <fmt/format.h>
#include <sys/resource.h>

#include "throng/patch_city.h"
#include "throng/patch_street.h"

#include "papers/paper.h"
#include "papers/timing.h"

namespace throng::papers {
namespace {

Target atMost(double value) { return {Target::Comparison::kAtMost, value, "target"}; }
Target atLeast(double value) { return {Target::Comparison::kAtLeast, value, "target"}; }

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A patch of the published street: 750 walkers, 30 idle people and 80 objects in the 125 patches that are no
/// buildings.
PatchDefinition publishedPatch(std::uint64_t seed) {
  PatchDefinition patch = randomPatch(750 / 125.0 / 64, seed);
  if (seed % 25 < 16) patch.objects.push_back({"object", {{3.7, 4}, {4.3, 4}, {4.3, 4.5}, {3.7, 4.5}}});
  if (seed % 25 >= 19) patch.residents.push_back({"idle", {{5, 3}}, {0, 1}});
  return patch;
}

void timePatches(const Options& options, Result& result) {
  const int patches = options.quick ? 100 : 1000;
  std::vector<double> times;
  int retried = 0, unsolved = 0;
  for (int i = 1; i <= patches; ++i) {
    const PatchDefinition patch = publishedPatch(static_cast<std::uint64_t>(i));
    PatchResult found;
    times.push_back(1e3 * secondsOf([&] { found = generateWalks(patch); }));
    retried += found.attempts > 1, unsolved += !found.patch;
  }
  std::sort(times.begin(), times.end());
  result.rows.push_back(row("a patch/median", times[times.size() / 2], "ms", 60.0, atMost(2)));
  result.rows.push_back(observation("a patch/slowest of 100", times[times.size() * 99 / 100], "ms"));
  result.rows.push_back(observation("a patch/needed a retry", 100.0 * retried / patches, "%"));
  result.rows.push_back(row("a patch/unsolved", 100.0 * unsolved / patches, "%", std::nullopt, atMost(0)));
}

/// A square city in which everybody is seen.
PatchLibrary cityOf(std::uint32_t cells, int crossings) {
  PatchMap map;
  map.patterns = 2;
  map.templates = {{"street", 1, crossings, false, 0, 0, 4}};
  map.columns = map.rows = cells;
  map.cells.assign(std::size_t{cells} * cells, 0);
  return makePatchCity(map);
}

struct Replayed {
  double people = 0, frames_per_second = 0;
};
Replayed replay(const PatchWorld& world, int frames) {
  FrameCopy frame;
  world.frameAt(0, frame);  // memory grows
  std::vector<double> times;
  for (int i = 0; i < frames; ++i) times.push_back(secondsOf([&] { world.frameAt(i / 60.0, frame); }));
  std::sort(times.begin(), times.end());
  return {world.people(), 1 / times[times.size() / 2]};
}

}  // namespace

Result yersin71(const Options& options) {
  Result result;
  const int threads = options.threads > 0 ? options.threads : 2;
  if (options.progress) options.progress("an hour's walk down the endless street");
  {
    const double before = peakMegabytes();
    StreetSettings settings;
    settings.duration = options.quick ? 360 : 3600;
    settings.view = 60;
    EndlessStreet street(settings);
    FrameCopy frame;
    double slowest = 0;
    while (true) {
      bool more = true;
      slowest = std::max(slowest, secondsOf([&] { more = street.next(frame); }));
      if (!more) break;
    }
    result.rows.push_back(
        row("endless street/memory of the whole program", peakMegabytes(), "MB", std::nullopt, atMost(200)));
    result.rows.push_back(
        observation("endless street/patches made", static_cast<double>(street.patchesMade()), "patches"));
    result.rows.push_back(observation("endless street/slowest frame", 1e3 * slowest, "ms"));
    result.notes.push_back(
        fmt::format("the street was walked for {:g} s at 1.3 m/s; the program had {:.0f} MB before, and keeps {:.2f} "
                    "MB of patches and {:.3f} MB of who is who",
                    settings.duration, before, static_cast<double>(street.patchBytes()) / 1e6,
                    static_cast<double>(street.borderBytes()) / 1e6));
  }
  if (options.progress) options.progress("patches");
  timePatches(options, result);
  if (options.progress) options.progress("playback");
  {
    const PatchLibrary city = cityOf(61, 1);
    const Replayed measured =
        replay(PatchWorld(city.patches, city.placed, {.threads = threads}), options.quick ? 30 : 200);
    result.rows.push_back(
        row("replay of 3,721 patches/frame rate", measured.frames_per_second, "fps", 35.0, atLeast(35)));
    result.rows.push_back(row("replay of 3,721 patches/people", measured.people, "people", 3725.0,
                              Target{Target::Comparison::kAtLeast, 0, "as it comes out"}));
    result.rows.back().target = {Target::Comparison::kNothing, 0, ""};
  }
  {
    const PatchLibrary city = cityOf(options.quick ? 70 : 262, 6);
    const PatchWorld world(city.patches, city.placed, {.threads = threads});
    const Replayed measured = replay(world, options.quick ? 30 : 100);
    const double wanted = options.quick ? 70e3 : 1e6;
    result.rows.push_back(row("replay of a million/people", measured.people, "people", std::nullopt, atLeast(wanted)));
    result.rows.push_back(
        row("replay of a million/frame rate", measured.frames_per_second, "fps", std::nullopt, atLeast(60)));
    result.rows.push_back(
        observation("replay of a million/motion", world.bytesPerPersonSecond(), "bytes/person-second"));
    result.rows.push_back(observation("replay of a million/places",
                                      static_cast<double>(world.placeBytes()) / measured.people, "bytes/person"));
    // Nothing is kept of what was played: a frame of the far future takes no more than one of now.
    FrameCopy frame;
    std::vector<double> times;
    for (int i = 0; i < 20; ++i) times.push_back(secondsOf([&] { world.frameAt(1e8 + i / 60.0, frame); }));
    std::sort(times.begin(), times.end());
    result.rows.push_back(
        observation("replay of a million/frame rate after three years", 1 / times[times.size() / 2], "fps"));
    result.notes.push_back(
        fmt::format("{} different patches in {} places; frames are written in full: number, place, heading, radius "
                    "and the rest of {} columns; {} threads; median frames",
                    city.patches.size(), city.placed.size(), 10, threads));
  }
  result.notes.push_back("published on a dual core of 2.4 GHz; there too nothing was rendered");
  return result;
}

}  // namespace throng::papers
