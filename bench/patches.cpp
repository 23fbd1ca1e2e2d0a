#include "bench/patches.h"

#include <algorithm>
#include <chrono>

#include "throng/patch_city.h"

namespace throng::bench {
namespace {

template <class Work>
double microsecondsOf(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return 1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<double> timeGenerating(double density, std::size_t repetitions) {
  std::vector<double> times;
  for (std::uint64_t seed = 1; seed <= repetitions; ++seed) {
    const PatchDefinition patch = randomPatch(density, seed);
    times.push_back(microsecondsOf([&] { generateWalks(patch); }));
  }
  return times;
}

/// Frames of about 100,000 people, on all cores.
std::vector<double> timePlaying(std::size_t repetitions) {
  PatchMap map;
  map.patterns = 1;
  map.templates = {{"street", 1, 6, false, 0, 0, 2}};
  map.columns = map.rows = 83;
  map.cells.assign(std::size_t{83} * 83, 0);
  PatchLibrary city = makePatchCity(map);
  const PatchWorld world(std::move(city.patches), std::move(city.placed));
  FrameCopy frame;
  world.frameAt(0, frame);  // memory grows
  std::vector<double> times;
  for (std::size_t i = 0; i < repetitions; ++i)
    times.push_back(microsecondsOf([&] { world.frameAt(static_cast<double>(i) / 60, frame); }));
  return times;
}

}  // namespace

void addPatches(const Options& options, const std::function<bool(const std::string&)>& wanted, std::vector<Row>& rows) {
  const std::size_t repetitions = options.quick ? 10 : 50;
  if (wanted("patch/generate/0.1")) rows.push_back(rowOf("patch/generate/0.1", timeGenerating(0.1, repetitions), "µs"));
  if (wanted("patch/generate/0.35"))
    rows.push_back(rowOf("patch/generate/0.35", timeGenerating(0.35, repetitions), "µs"));
  if (wanted("patch/play/100000")) rows.push_back(rowOf("patch/play/100000", timePlaying(repetitions), "µs"));
}

}  // namespace throng::bench
