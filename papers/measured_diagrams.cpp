// Speed by density, beside trajectories of real people (docs/validation.md).
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "throng/world.h"

#include "papers/dense_scenes.h"
#include "papers/measured_crowds.h"
#include "papers/random.h"
#include "papers/validations.h"

namespace throng::papers {
namespace {

enum class Kind { kOneWay, kTwoWay, kSingleFile };

/// One run of an experiment as it was recorded.
struct Film {
  const char* file;
  std::int64_t first, last;  ///< frames between which the flow is steady
};

/// People of one kind in one place. Coordinates are turned so that everybody walks along x.
struct Experiment {
  const char* name;
  Kind kind;
  double width;       ///< m
  double bin;         ///< people per m² (per m in single file), of the rows
  FileFacts facts;    ///< of its files
  bool down = false;  ///< people walk towards -y
  Rectangle corridor = {}, area = {};
  std::vector<Film> films;
};

constexpr auto kEver = std::numeric_limits<std::int64_t>::max();

/// Places and steady frames of the 1.8 m corridor as the archive has them; of the others as the positions show them.
std::vector<Experiment> experiments() {
  const FileFacts film_in_cm{25, 0.01}, film_in_m{25, 1};
  return {
      {"one-way, 1.8 m",
       Kind::kOneWay,
       1.8,
       0.5,
       {16, 0.01},
       true,
       {{-4, 0}, {4, 1.8}},
       {{0, 0}, {2, 1.8}},
       {{"uni-directional/uo-050-180-180.txt", 211, 800},
        {"uni-directional/uo-060-180-180.txt", 243, 771},
        {"uni-directional/uo-070-180-180.txt", 203, 1113},
        {"uni-directional/uo-100-180-180.txt", 200, 790},
        {"uni-directional/uo-180-180-070.txt", 500, 1399},
        {"uni-directional/uo-180-180-120.txt", 300, 1099},
        {"uni-directional/uo-180-180-180.txt", 400, 1284}}},
      {"one-way, 5 m",
       Kind::kOneWay,
       5,
       0.25,
       film_in_m,
       false,
       {{-5.4, 0}, {4.6, 5}},
       {{-2, 0}, {1, 5}},
       {{"uni-directional/traj_UNI_CORR_500_01.txt", 300, 1700}}},
      {"two-way, 4 m",
       Kind::kTwoWay,
       4,
       0.25,
       film_in_cm,
       false,
       {{-5.5, 0}, {4.4, 4}},
       {{-2, 0}, {1, 4}},
       {{"bi-directional/bi_corr_400_b_03.txt", 420, 3000}}},
      {"single file",
       Kind::kSingleFile,
       0.7,
       0.25,
       film_in_m,
       false,
       {},
       {},
       {{"single_file/n34_cam2.csv", 0, kEver}, {"single_file/n56_cam1.csv", 0, kEver}}},
  };
}

std::vector<Sample> measuredSamples(const Experiment& experiment) {
  std::vector<Sample> samples;
  for (const Film& film : experiment.films) {
    Trajectories people = readTrajectories((experimentsFolder() / film.file).string(), experiment.facts);
    if (experiment.down)
      for (Sighting& seen : people.sightings) seen.at = {-seen.at.y, seen.at.x};
    const std::vector<Sample> found =
        experiment.kind == Kind::kSingleFile
            ? fileSamples(people)
            : voronoiSamples(people, {experiment.corridor, experiment.area, film.first, film.last});
    samples.insert(samples.end(), found.begin(), found.end());
  }
  return samples;
}

constexpr double kLength = 20;      // m, of the simulated corridors
constexpr double kTightest = 0.42;  // m from one to the next in single file: bodies do not fit in any closer

/// In rows across, evenly along the corridor and a little off that by chance: at random they would not find room.
std::vector<Point> rowsOfPeople(std::size_t count, double width, std::uint64_t seed) {
  constexpr double kAside = 0.45;  // m from one to the next in a row, at least
  const double room = width - 2 * (kRadius + 0.01);
  const auto most = static_cast<std::size_t>(room / kAside) + 1;
  // As many in a row as makes the distances along and across alike.
  const double wanted = std::sqrt(static_cast<double>(count) * room / kLength);
  const std::size_t across = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(wanted)), 1, most);
  const std::size_t rows = (count + across - 1) / across;
  const double along = kLength / static_cast<double>(rows);
  const double aside = across > 1 ? room / static_cast<double>(across - 1) : room;
  const auto spare = [](double gap) { return std::clamp((gap - 2 * kRadius - 0.02) / 2, 0.0, 0.3); };
  std::vector<Point> places;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<double>(i % rows), column = static_cast<double>(i / rows);
    const double x = (row + 0.5) * along + (2 * uniform(seed) - 1) * spare(along);
    double y = kRadius + 0.01 + (across > 1 ? column * aside : room / 2);
    y += (2 * uniform(seed) - 1) * (across > 1 ? spare(aside) : room / 2);
    places.push_back({x, std::clamp(y, kRadius + 0.01, width - kRadius - 0.01)});
  }
  return places;
}

/// A corridor without ends, of the experiment's width, filmed at 10 frames/s once the flow has settled.
Trajectories film(const Experiment& experiment, const DenseRun& run, double density) {
  const bool two_way = experiment.kind == Kind::kTwoWay, file = experiment.kind == Kind::kSingleFile;
  const double settle = two_way ? 40 : 20, measured = 30;  // s
  const double width = experiment.width;
  Scene scene = crowdScene(run, two_way ? 0.2 : 0);
  const Place place(0);
  scene.layers[0].walkable = {place.box(-5, 0, kLength + 5, width)};
  scene.layers[0].wrap = Rectangle{{0, -1}, {kLength, width + 1}};
  const auto people = static_cast<std::uint32_t>(
      std::min(std::lround(density * kLength * (file ? 1 : width)), file ? std::lround(kLength / kTightest) : 10000));
  const Polygon inside = place.box(0, kRadius + 0.01, kLength, width - kRadius - 0.01);
  if (two_way) {
    scene.populations = {walkers(people / 2, inside, {GoalDirection{{1, 0}}}),
                         walkers(people - people / 2, inside, {GoalDirection{{-1, 0}}})};
  } else {
    scene.populations = {walkers(people, inside, {GoalDirection{{1, 0}}})};
    scene.populations[0].start.shape = StartPoints{rowsOfPeople(people, width, run.seed)};
  }
  scene.run.duration = settle + measured;
  World world(scene, {.threads = run.threads});
  Trajectories trajectories;
  trajectories.rate = 1 / run.dt, trajectories.length = kLength;
  while (!world.finished()) {
    world.step();
    if (world.time() < settle) continue;
    const Frame frame = world.frame();
    for (std::size_t i = 0; i < frame.size(); ++i)
      trajectories.sightings.push_back(
          {frame.person[i], static_cast<std::int64_t>(world.steps()), {frame.x[i], frame.y[i]}});
  }
  trajectories.sort();
  return trajectories;
}

/// At the middle of every measured band, all samples together, as the runs of an experiment are.
std::vector<Sample> simulatedSamples(const Experiment& experiment, std::span<const Band> bands, const DenseRun& run) {
  std::vector<Sample> samples;
  const double middle = kLength / 2, half = (experiment.area.max.x - experiment.area.min.x) / 2;
  const Watched watched{
      {{0, 0}, {kLength, experiment.width}}, {{middle - half, 0}, {middle + half, experiment.width}}, 0, kEver};
  for (const Band& band : bands) {
    const Trajectories people = film(experiment, run, (band.from + band.to) / 2);
    const std::vector<Sample> found =
        experiment.kind == Kind::kSingleFile ? fileSamples(people) : voronoiSamples(people, watched);
    samples.insert(samples.end(), found.begin(), found.end());
  }
  return samples;
}

/// m/s: simulated mean in a measured band; nothing where no simulated moment was as dense as that.
std::optional<double> meanIn(const Band& band, std::span<const Sample> samples) {
  double sum = 0;
  std::size_t count = 0;
  for (const Sample& sample : samples)
    if (sample.density >= band.from && sample.density < band.to) sum += sample.speed, ++count;
  return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

/// How near the simulated means come to the measured ones.
struct Fit {
  int missed = 0;      ///< bands in which the simulated mean is not between the slowest and the fastest 5 %
  double squares = 0;  ///< (m/s)², sum over bands

  bool betterThan(const Fit& other) const {
    return missed != other.missed ? missed < other.missed : squares < other.squares;
  }
};

Fit fitOf(std::span<const Band> bands, std::span<const Sample> samples) {
  Fit fit;
  for (const Band& band : bands) {
    const std::optional<double> speed = meanIn(band, samples);
    fit.missed += speed && *speed >= band.low && *speed <= band.high ? 0 : 1;
    fit.squares += std::pow(speed.value_or(0) - band.mean, 2);
  }
  return fit;
}

/// s: that with which most bands are met, and of these the one nearest to the measured means.
double chosenTimeGap(const Options& options, const Experiment& experiment, std::span<const Band> bands) {
  std::vector<double> gaps{0.2, 0.3, 0.4, 0.5, 0.57, 0.65, 0.75, 0.85, 1.0, 1.2, 1.5};
  if (options.quick) gaps = {0.4, 0.57, 0.75, 1.0};
  double best = 0;
  Fit least;
  for (const double gap : gaps) {
    tell(options, fmt::format("{}, choosing the time gap: {} s", experiment.name, gap));
    DenseRun run;
    run.seed = 1, run.threads = options.threads, run.time_gap = gap;
    const Fit fit = fitOf(bands, simulatedSamples(experiment, bands, run));
    if (best == 0 || fit.betterThan(least)) least = fit, best = gap;
  }
  return best;
}

/// Of the seeds of the rows, with this time gap or the model's own.
std::vector<Sample> samplesOfRows(const Options& options, const Experiment& experiment, std::span<const Band> bands,
                                  std::optional<double> time_gap) {
  std::vector<Sample> samples;
  for (int i = 0; i < seedsOf(options, 2); ++i) {
    tell(options, fmt::format("{}, seed {}", experiment.name, i + 1));
    DenseRun run;
    run.seed = kFirstSeed + static_cast<std::uint64_t>(i), run.threads = options.threads, run.time_gap = time_gap;
    const std::vector<Sample> found = simulatedSamples(experiment, bands, run);
    samples.insert(samples.end(), found.begin(), found.end());
  }
  return samples;
}

void addRows(const Options& options, const Experiment& experiment, Result& result) {
  constexpr std::size_t kLeastSamples = 30;
  const std::vector<Band> bands = bandsOf(measuredSamples(experiment), experiment.bin, kLeastSamples);
  const double gap = chosenTimeGap(options, experiment, bands);
  result.rows.push_back(observation(fmt::format("{}/time gap chosen", experiment.name), gap, "s"));
  const std::vector<Sample> samples = samplesOfRows(options, experiment, bands, gap);
  const Fit fit = fitOf(bands, samples), usual = fitOf(bands, samplesOfRows(options, experiment, bands, std::nullopt));
  const auto count = static_cast<int>(bands.size());
  const auto off = [&](const Fit& one) { return std::sqrt(one.squares / count); };
  result.notes.push_back(
      fmt::format("{}: {} of {} met and {:.2f} m/s off the measured means (root mean square); with the default time "
                  "gap {} and {:.2f}",
                  experiment.name, count - fit.missed, count, off(fit), count - usual.missed, off(usual)));
  const char* unit = experiment.kind == Kind::kSingleFile ? "m" : "m²";
  for (const Band& band : bands) {
    const std::string name = fmt::format("{}/{} to {} per {}", experiment.name, band.from, band.to, unit);
    const std::optional<double> speed = meanIn(band, samples);
    result.rows.push_back(row(name, speed.value_or(0), "m/s", band.mean,
                              within(band.low, band.high, "between the slowest and the fastest 5 % measured")));
    if (speed) continue;
    result.rows.back().met = false;
    result.notes.push_back(name + ": no simulated moment was as dense as that");
  }
}

}  // namespace

Result measuredDiagrams(const Options& options) {
  Result result;
  if (!std::filesystem::exists(experimentsFolder())) {
    result.notes.push_back(fmt::format("skipped: data not found at {}; THRONG_DATA names the folder with experiments/",
                                       experimentsFolder().string()));
    return result;
  }
  for (const Experiment& experiment : experiments()) addRows(options, experiment, result);
  result.notes.push_back("left out: single_file/00_01a.h5, whose 46 people stand in a crowd and leave it side by side");
  return result;
}

}  // namespace throng::papers
