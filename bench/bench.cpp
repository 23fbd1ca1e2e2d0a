#include "bench/bench.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <regex>
#include <span>

#include "throng/base.h"
#include "throng/models.h"
#include "throng/world.h"

#include "bench/city.h"
#include "bench/navigation.h"
#include "bench/opposing_flows.h"
#include "bench/patches.h"
#include "bench/stream.h"

namespace throng::bench {
namespace {

/// M agent-steps/s of others on this work, each measured as its authors build it.
struct Peer {
  const char* name;
  const char* model;
  std::size_t people;
  int threads;
  double low, high;                // 1e6 agent-steps/s
  std::optional<double> required;  // times `high`
};
const Peer kPeers[] = {
    {"RVO2", "orca", 1000, 1, 0.98, 0.98, {}},
    {"RVO2", "orca", 10000, 1, 0.80, 0.92, 5},
    {"RVO2", "orca", 50000, 1, 0.58, 0.87, 5},
    {"RVO2", "orca", 1000, 2, 1.73, 1.73, {}},
    {"RVO2", "orca", 10000, 2, 1.34, 1.44, 5},
    {"RVO2", "orca", 50000, 2, 0.87, 1.35, 5},
    // Its own scenes (bottleneck, corridor) and steps of 0.01 s: a step is a step, but the work is not the same.
    {"JuPedSim", "social-force", 10000, 1, 0.34, 0.78, 10},
    // The same flows, with about 22 neighbours each.
    {"UMANS", "moussaid", 10000, 1, 0.044, 0.044, 20},
    {"UMANS", "karamouzas", 10000, 1, 0.013, 0.013, 20},
};

/// Stands where the steering model does in the names of the rows: people with routes in a city, and ORCA.
constexpr std::string_view kCityCase = "corridor";
/// The same with ground that matters to them.
constexpr std::string_view kRegionsCase = "regions";
bool isInCity(std::string_view model) { return model == kCityCase || model == kRegionsCase; }
/// And for ORCA with Stream before it.
constexpr std::string_view kStreamCase = "orca-stream";
constexpr std::size_t kCityPeople = 10'000;       // unless the sizes are given
constexpr std::size_t kMostCityPeople = 100'000;  // more do not fit

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

double median(const std::vector<double>& sorted_values) {
  const std::size_t n = sorted_values.size();
  return n % 2 ? sorted_values[n / 2] : (sorted_values[n / 2 - 1] + sorted_values[n / 2]) / 2;
}

/// How much of one row is done, so that a slow model does not take longer than a fast one.
struct Amount {
  std::size_t warm_up = 0;  ///< steps before the clock starts
  std::int64_t steps = 0;   ///< in one repetition
  int repetitions = 0;      ///< 0: none fits
};

/// One model with one number of people on one number of threads. The world stays between repetitions and goes on
/// where it was.
struct Case {
  std::string model;
  std::size_t people;
  int threads;
  std::function<void(const std::string&)> progress;
  std::string number;  ///< "3 of 24"
  Amount amount;

  std::unique_ptr<World> world;
  double construction = 0;                   ///< s
  std::vector<SystemTime> systems_at_start;  ///< after warming up
  std::uint64_t steps_at_start = 0;
  std::vector<double> rates;  ///< agent-steps/s of each repetition

  std::string name() const { return fmt::format("step/{}/{}/{}", model, people, threads); }
  void tell(const std::string& what) const {
    if (progress) progress(fmt::format("row {}: {}, {}", number, name(), what));
  }

  Scene flows(std::size_t count) const {
    if (model != kStreamCase) return opposingFlows(count, model);
    Scene scene = opposingFlows(count, "orca");
    for (Profile& profile : scene.profiles) profile.stream.emplace();
    return scene;
  }

  /// s that a step will about take, as a small crowd tells.
  double estimate() const {
    constexpr std::size_t kSmall = 500;
    constexpr double kLongest = 0.2;  // s
    const std::size_t few = std::min(people, kSmall);
    World small(flows(few), WorldOptions{.threads = threads});
    small.step();  // memory grows
    const auto begin = Clock::now();
    int steps = 0;
    double taken = 0;
    for (; steps == 0 || (steps < 50 && taken < kLongest); ++steps) {
      small.step();
      taken = secondsSince(begin);
    }
    return taken / steps * static_cast<double>(people) / static_cast<double>(few);
  }

  void plan(const Options& options) {
    tell("looking how long a step takes");
    const double step = isInCity(model) ? 1e-6 * static_cast<double>(people) : estimate();
    const double all = options.quick ? options.seconds_per_row / 4 : options.seconds_per_row;
    const auto fit = [&](double seconds) { return static_cast<std::int64_t>(seconds / step); };
    const double work = options.quick ? 2e5 : 1e6;  // agent-steps a repetition
    const auto wanted =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(work / static_cast<double>(people)), 3, 1000);
    const std::int64_t repetitions = options.quick ? 3 : 7;
    const auto warm_up = std::clamp<std::int64_t>(10'000'000 / static_cast<std::int64_t>(people), 20, 100);
    amount.warm_up = static_cast<std::size_t>(std::clamp<std::int64_t>(fit(0.3 * all), 1, warm_up));
    amount.steps = std::clamp<std::int64_t>(fit(0.7 * all) / repetitions, 1, wanted);
    amount.repetitions = static_cast<int>(std::min(repetitions, fit(0.7 * all) / amount.steps));
  }

  void build() {
    tell("making the world");
    const auto start = Clock::now();
    const CityGround ground = model == kRegionsCase ? CityGround::kRegions : CityGround::kPlain;
    world = isInCity(model) ? cityWorld(people, threads, ground)
                            : std::make_unique<World>(flows(people), WorldOptions{.threads = threads});
    construction = secondsSince(start);
    // Lanes begin to form and buffers find their size.
    for (std::size_t i = 0; i < amount.warm_up; ++i) {
      world->step();
      tell(fmt::format("step {} of {} before the clock starts", i + 1, amount.warm_up));
    }
    systems_at_start.assign(world->systemTimes().begin(), world->systemTimes().end());
    steps_at_start = world->steps();
  }

  void time(benchmark::State& state) {
    if (!world) build();
    tell(fmt::format("repetition {} of {}", rates.size() + 1, amount.repetitions));
    for (auto _ : state) world->step();
  }
};

/// Keeps what each repetition took; prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::map<std::string, Case*> cases) : cases_(std::move(cases)) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      Case& timed = *cases_.at(run.run_name.function_name);
      timed.rates.push_back(static_cast<double>(timed.people) * static_cast<double>(run.iterations) /
                            run.real_accumulated_time);
    }
  }

 private:
  std::map<std::string, Case*> cases_;
};

Row rowOf(std::string name, const Case& of, const std::vector<double>& values, std::string unit) {
  Row row = bench::rowOf(std::move(name), values, std::move(unit));
  row.model = of.model;
  row.people = of.people;
  row.threads = of.threads;
  return row;
}

void addComparisons(const Case& of, double rate, std::vector<Row>& rows) {
  for (const Peer& peer : kPeers) {
    if (of.model != peer.model || of.people != peer.people || of.threads != peer.threads) continue;
    const double low = peer.low * 1e6, high = peer.high * 1e6;
    Row row =
        rowOf(fmt::format("times-{}/{}/{}/{}", peer.name, of.model, of.people, of.threads), of, {rate / high}, "times");
    row.repetitions = of.rates.size();
    row.highest = rate / low;
    row.landmark = Landmark{peer.name, low, high, peer.required};
    rows.push_back(row);
  }
}

void addSystems(const Case& of, std::vector<Row>& rows) {
  const double agent_steps =
      static_cast<double>(of.world->steps() - of.steps_at_start) * static_cast<double>(of.people);
  const auto now = of.world->systemTimes();
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double before = i < of.systems_at_start.size() ? of.systems_at_start[i].total : 0;
    rows.push_back(rowOf(fmt::format("system/{}/{}/{}/{}", of.model, of.people, of.threads, now[i].name), of,
                         {(now[i].total - before) / agent_steps * 1e9}, "ns/agent-step"));
  }
}

/// Some cases with one number of people, taking turns. Other worlds are not kept meanwhile: a million people are large.
void runTogether(std::span<const std::unique_ptr<Case>> cases, std::vector<Row>& rows,
                 std::vector<double>& constructions) {
  std::map<std::string, Case*> by_name;
  benchmark::ClearRegisteredBenchmarks();
  for (const auto& timed : cases) {
    Case* const it = timed.get();
    by_name[it->name()] = it;
    benchmark::RegisterBenchmark(it->name().c_str(), [it](benchmark::State& state) { it->time(state); })
        ->Iterations(it->amount.steps)
        ->Repetitions(it->amount.repetitions)
        ->UseRealTime();
  }
  Collector collector(std::move(by_name));
  benchmark::RunSpecifiedBenchmarks(&collector, "all");
  benchmark::ClearRegisteredBenchmarks();

  for (const auto& timed : cases) {
    if (timed->rates.empty()) continue;
    const Row rate = rowOf(timed->name(), *timed, timed->rates, "agent-steps/s");
    rows.push_back(rate);
    addComparisons(*timed, rate.value, rows);
    addSystems(*timed, rows);
    const double people = static_cast<double>(timed->people);
    rows.push_back(rowOf(fmt::format("memory/{}/{}/{}", timed->model, timed->people, timed->threads), *timed,
                         {static_cast<double>(timed->world->memory()) / people}, "bytes/agent"));
    if (!isInCity(timed->model)) constructions.push_back(timed->construction);
    timed->world.reset();
  }
}

/// Everything with one number of people.
void runSize(std::vector<std::unique_ptr<Case>> cases, const Options& options, Report& report) {
  for (const auto& timed : cases) timed->plan(options);
  std::erase_if(cases, [&](const std::unique_ptr<Case>& timed) {
    if (timed->amount.repetitions > 0) return false;
    report.left_out.push_back(
        fmt::format("{} is left out: a step would take longer than the {:g} s that a row may take (--seconds).",
                    timed->name(), options.seconds_per_row));
    return true;
  });
  // Small worlds take turns, so that all of them meet the same weather; large ones would not fit into memory together.
  constexpr std::size_t kMostPeopleAtOnce = 2'000'000;
  std::vector<double> constructions;
  for (std::size_t i = 0; i < cases.size();) {
    const std::size_t together = std::max<std::size_t>(1, kMostPeopleAtOnce / cases[i]->people);
    const std::size_t count = std::min(together, cases.size() - i);
    runTogether(std::span(cases).subspan(i, count), report.rows, constructions);
    i += count;
  }
  if (constructions.empty()) return;
  const Case& first = *cases.front();
  Row construction = rowOf(fmt::format("construct/{}", first.people), first, constructions, "s");
  construction.model.clear();
  construction.threads = 0;
  report.rows.push_back(construction);
}

std::regex filterOf(const Options& options) {
  try {
    return std::regex(options.filter);
  } catch (const std::regex_error& error) {
    throw InputError(fmt::format("the filter \"{}\" is not a regular expression: {}", options.filter, error.what()));
  }
}

std::vector<std::size_t> sizesOf(const Options& options) {
  if (!options.sizes.empty()) return options.sizes;
  if (options.quick) return {1000, 10000};
  return {1000, 10000, 50000, 100000, 1000000};
}

/// Repetitions of everything take turns, in random order: the machine's speed wanders from minute to minute.
void initializeOnce() {
  static const bool done = [] {
    std::string program = "throng", interleave = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program.data(), interleave.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    return true;
  }();
  (void)done;
}

}  // namespace

Row rowOf(std::string name, std::vector<double> values, std::string unit) {
  const std::vector<double> ordered = sorted(std::move(values));
  Row row;
  row.name = std::move(name);
  row.unit = std::move(unit);
  row.value = median(ordered);
  row.repetitions = ordered.size();
  row.lowest = ordered.front();
  row.highest = ordered.back();
  return row;
}

Report run(const Options& options) {
  const std::regex filter = filterOf(options);
  for (const int threads : options.threads)
    if (threads < 1 || threads > 1024)
      throw InputError(fmt::format("{} threads were asked for; allowed are 1 to 1024", threads));
  if (!(options.seconds_per_row >= 0.1 && options.seconds_per_row <= 1e5))
    throw InputError(fmt::format("{} s for a row were asked for; allowed are 0.1 to 100000", options.seconds_per_row));
  const auto wanted = [&](const std::string& name) {
    return options.filter.empty() || std::regex_search(name, filter);
  };
  initializeOnce();
  std::vector<std::vector<std::unique_ptr<Case>>> sizes;
  std::size_t all = 0;
  for (const std::size_t people : sizesOf(options)) {
    if (people < 2 || people > 10'000'000)
      throw InputError(fmt::format("a crowd of {} was asked for; allowed are 2 to 10000000 people", people));
    std::vector<std::string_view> models;
    for (const ModelInfo& model : steeringModels()) models.push_back(model.name);
    models.push_back(kStreamCase);
    if (options.sizes.empty() ? people == kCityPeople : people <= kMostCityPeople)
      models.insert(models.end(), {kCityCase, kRegionsCase});
    auto& cases = sizes.emplace_back();
    for (const std::string_view model : models)
      for (const int threads : options.threads) {
        auto timed = std::make_unique<Case>();
        timed->model = model;
        timed->people = people;
        timed->threads = threads;
        timed->progress = options.progress;
        if (wanted(timed->name())) cases.push_back(std::move(timed));
      }
    all += cases.size();
  }
  std::size_t number = 0;
  for (auto& cases : sizes)
    for (auto& timed : cases) timed->number = fmt::format("{} of {}", ++number, all);
  Report report;
  for (auto& cases : sizes)
    if (!cases.empty()) runSize(std::move(cases), options, report);
  addNavigation(options, wanted, report.rows);
  addPatches(options, wanted, report.rows);
  addStream(options, wanted, report.rows);
  if (report.rows.empty() && report.left_out.empty())
    throw InputError(
        fmt::format("the filter \"{}\" fits none of the benchmarks, which are named like "
                    "step/orca/10000/1 or route/city-plan",
                    options.filter));
  return report;
}

}  // namespace throng::bench
