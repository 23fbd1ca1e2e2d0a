// throng paper: tables of publications, repeated and compared.
#include "papers/paper.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "throng/base.h"
#include "throng/files.h"

#include "outputs.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

struct PaperOptions {
  std::vector<std::string> names;
  papers::Options run;
  std::string json, out;
  bool list = false, no_pictures = false, force = false;
};

void list() {
  for (const papers::Table& table : papers::tables())
    say(fmt::format("{:<14}{}\n{:<14}{}\n", table.name, table.title, "", table.source));
}

std::vector<const papers::Table*> chosen(const std::vector<std::string>& names) {
  std::vector<const papers::Table*> tables;
  if (names.empty())
    for (const papers::Table& table : papers::tables()) tables.push_back(&table);
  for (const std::string& name : names) {
    const papers::Table* table = papers::findTable(name);
    if (!table) {
      std::string known;
      for (const papers::Table& each : papers::tables())
        known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
      throw InputError(fmt::format("there is no table \"{}\"; there are: {}", name, known));
    }
    tables.push_back(table);
  }
  return tables;
}

std::string pictureFolder(const PaperOptions& options, const papers::Table& table, bool several) {
  const std::filesystem::path out = options.out.empty() ? "out/paper" : options.out;
  return (options.out.empty() || several ? out / table.name : out).string();
}

void paper(PaperOptions options) {
  if (options.list) return list();
  const std::vector<const papers::Table*> tables = chosen(options.names);
  Outputs(options.force).writes("--json", options.json);
  if (!options.no_pictures)
    for (const papers::Table* table : tables) makeFolder(pictureFolder(options, *table, tables.size() > 1));
  std::vector<papers::Result> results;
  std::size_t rows = 0, met = 0;
  for (const papers::Table* table : tables) {
    if (!options.no_pictures) options.run.pictures = pictureFolder(options, *table, tables.size() > 1);
    Progress progress;
    options.run.progress = [&](const std::string& what) {
      if (progress.due()) progress.show(fmt::format("{}: {}", table->name, what));
    };
    results.push_back(table->run(options.run));
    progress.finish();
    say((results.size() > 1 ? "\n" : "") + papers::text(*table, results.back()));
    rows += papers::rowsWithTarget(results.back());
    met += papers::rowsMet(results.back());
  }
  if (!options.json.empty()) writeFile(options.json, papers::json(tables, results), options.force);
  if (tables.size() > 1) say(fmt::format("\n{} of {} rows met\n", met, rows));
  if (met < rows) throw ExitCode{1};
}

}  // namespace

void addPaper(CLI::App& app) {
  auto options = std::make_shared<PaperOptions>();
  CLI::App* verb = app.add_subcommand("paper", "Repeat tables of publications and compare");
  verb->footer(
      "Runs the publication's experiment and prints the published value, ours and what must be reached; exit code 0 "
      "when\n"
      "every row is met, 1 otherwise (docs/papers.md).\n"
      "Examples:\n"
      "  throng paper --list\n"
      "  throng paper ondrej-1 --quick --json ondrej-1.json");
  verb->add_option("name", options->names, "Tables; all of them when none is named");
  verb->add_flag("--list", options->list, "Say which tables there are");
  verb->add_flag("--quick", options->run.quick, "Fewer repetitions of the same experiment");
  verb->add_option("--seeds", options->run.seeds, "Repetitions, in place of the table's own number")
      ->check(CLI::Range(1, 10000));
  verb->add_option("--first-seed", options->run.first_seed, "ondrej-1: seed of the first repetition; the next follow")
      ->capture_default_str();
  verb->add_option("--json", options->json, "Write the rows to this file, too");
  verb->add_option(
      "--out", options->out,
      "Folder for pictures and recordings (default out/paper/NAME); with several tables, one in it for each");
  verb->add_flag("--force", options->force, "Replace an existing file of --json");
  verb->add_flag("--no-pictures", options->no_pictures, "Write neither pictures nor recordings");
  verb->add_option("--threads", options->run.threads, "Threads; 0 for all cores. The result does not depend on it")
      ->check(CLI::Range(0, 1024));
  verb->callback([options] { paper(*options); });
}

}  // namespace throng::app
