// throng bench: how fast a step is, by model, crowd and threads, and how fast the corridor map answers.
#include "bench/bench.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "throng/files.h"

#include "outputs.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {

void addBench(CLI::App& app) {
  struct Options {
    bench::Options bench;
    std::string json;
    bool force = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("bench", "Time the step, by model, people and threads, and the corridor map");
  verb->footer(
      "Steps: two opposing flows on a wrapped field, and a city whose people have routes (step/corridor,\n"
      "step/regions).\n"
      "Maps: construction/city-plan, graph/city-plan, graph/rough-place, import/many-corners, insertion/city-plan,\n"
      "visibility/city-plan, route/city-plan, route/small; the studio: stream/frame/100000, stream/key/100000.\n"
      "docs/benchmarks.md says how to read the numbers.\n"
      "Examples:\n"
      "  throng bench --quick\n"
      "  throng bench --filter step/orca --sizes 10000,50000 --threads 1,2 --json bench.json\n"
      "  throng bench --filter 'route|visibility'");
  verb->add_option("--filter", options->bench.filter,
                   "Only names (step/MODEL/PEOPLE/THREADS, route/PLACE …) that this regex is found in");
  verb->add_flag("--quick", options->bench.quick, "About ten seconds: small crowds, few repetitions");
  verb->add_option("--threads", options->bench.threads, "Numbers of threads, with commas (default 1,2)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  verb->add_option("--sizes", options->bench.sizes, "Numbers of people, with commas (default 1000 to 1000000)")
      ->delimiter(',')
      ->check(CLI::Range(2, 10000000));
  verb->add_option(
          "--seconds", options->bench.seconds_per_row,
          "Seconds of stepping for a row, at most: slow models make fewer steps (default 8; --quick: a quarter)")
      ->check(CLI::Range(0.1, 1e5));
  verb->add_option("--json", options->json, "Write the rows to this file, too");
  verb->add_flag("--force", options->force, "Replace an existing file");
  verb->callback([options] {
    Outputs(options->force).writes("--json", options->json);
    Progress progress;
    // Not on a terminal: a line every few seconds.
    const bool terminal = isatty(STDERR_FILENO) != 0;
    constexpr auto kInterval = std::chrono::seconds(5);
    auto next = std::chrono::steady_clock::now() + kInterval;
    options->bench.progress = [&](const std::string& what) {
      if (progress.due()) progress.show(what);
      if (terminal || std::chrono::steady_clock::now() < next) return;
      fmt::print(stderr, "{}\n", what);
      next = std::chrono::steady_clock::now() + kInterval;
    };
    const bench::Report report = bench::run(options->bench);
    progress.finish();
    say(bench::text(report));
    if (!options->json.empty()) writeFile(options->json, bench::json(report), options->force);
  });
}

}  // namespace throng::app
