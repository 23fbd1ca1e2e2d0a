// throng paper: tables of publications, repeated and compared.
#include "papers/paper.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "throng/base.h"
#include "throng/files.h"
#include "throng/models.h"

#include "outputs.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

/// Tables of one kind.
struct Kind {
  const char* verb;
  std::span<const papers::Table> (*tables)();
};

struct PaperOptions {
  Kind kind;
  std::vector<std::string> names;
  papers::Options run;
  std::string json, out;
  bool list = false, no_pictures = false, force = false;
};

void list(const Kind& kind) {
  for (const papers::Table& table : kind.tables()) {
    say(fmt::format("{:<20}{}\n", table.name, table.title));
    if (!table.source.empty()) say(fmt::format("{:<20}{}\n", "", table.source));
  }
}

std::vector<const papers::Table*> chosen(const Kind& kind, const std::vector<std::string>& names) {
  std::vector<const papers::Table*> tables;
  if (names.empty())
    for (const papers::Table& table : kind.tables()) tables.push_back(&table);
  for (const std::string& name : names) {
    const std::size_t before = tables.size();
    std::string known;
    for (const papers::Table& table : kind.tables()) {
      if (table.name == name) tables.push_back(&table);
      known += fmt::format("{}{}", known.empty() ? "" : ", ", table.name);
    }
    if (tables.size() == before) throw InputError(fmt::format("there is no table \"{}\"; there are: {}", name, known));
  }
  return tables;
}

std::string pictureFolder(const PaperOptions& options, const papers::Table& table, bool several) {
  const std::filesystem::path out = options.out.empty() ? "out/" + std::string(options.kind.verb) : options.out;
  return (options.out.empty() || several ? out / table.name : out).string();
}

void paper(PaperOptions options) {
  if (options.list) return list(options.kind);
  const std::vector<const papers::Table*> tables = chosen(options.kind, options.names);
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

CLI::App* addTables(CLI::App& app, const Kind& kind, const char* help, const char* footer,
                    const std::shared_ptr<PaperOptions>& options) {
  options->kind = kind;
  CLI::App* verb = app.add_subcommand(kind.verb, help);
  verb->footer(footer);
  verb->add_option("name", options->names, "Tables; all of them when none is named");
  verb->add_flag("--list", options->list, "Say which tables there are");
  verb->add_flag("--quick", options->run.quick, "Fewer repetitions of the same experiment");
  verb->add_option("--seeds", options->run.seeds, "Repetitions, in place of the table's own number")
      ->check(CLI::Range(1, 10000));
  verb->add_option("--json", options->json, "Write the rows to this file, too");
  verb->add_flag("--force", options->force, "Replace an existing file of --json");
  verb->add_option("--threads", options->run.threads, "Threads; 0 for all cores. The result does not depend on it")
      ->check(CLI::Range(0, 1024));
  verb->callback([options] { paper(*options); });
  return verb;
}

}  // namespace

void addPaper(CLI::App& app) {
  auto options = std::make_shared<PaperOptions>();
  CLI::App* verb = addTables(
      app, {"paper", papers::tables}, "Repeat tables of publications and compare",
      "Runs the publication's experiment and prints the published value, ours and what must be reached; exit code 0 "
      "when\n"
      "every row is met, 1 otherwise (docs/papers.md).\n"
      "Examples:\n"
      "  throng paper --list\n"
      "  throng paper ondrej-1 --quick --json ondrej-1.json",
      options);
  verb->add_option("--first-seed", options->run.first_seed, "ondrej-1: seed of the first repetition; the next follow")
      ->capture_default_str();
  std::vector<std::string> models;
  for (const ModelInfo& model : steeringModels()) models.emplace_back(model.name);
  verb->add_option("--model", options->run.models,
                   "models, ondrej-1, jaklin-9.1 and 9.2: this one alone; may be given several times")
      ->check(CLI::IsMember(models));
  verb->add_option(
      "--out", options->out,
      "Folder for pictures and recordings (default out/paper/NAME); with several tables, one in it for each");
  verb->add_flag("--no-pictures", options->no_pictures, "Write neither pictures nor recordings");
}

void addValidate(CLI::App& app) {
  auto options = std::make_shared<PaperOptions>();
  options->no_pictures = true;
  addTables(app, {"validate", papers::validations}, "Compare the model throng with measurements of people",
            "Corridors, openings, counterflow, doors: what comes out, what was measured, and what must be reached; "
            "exit code 0\n"
            "when every row is met, 1 otherwise (docs/validation.md).\n"
            "Examples:\n"
            "  throng validate --list\n"
            "  throng validate bottlenecks --quick --json bottlenecks.json",
            options);
}

}  // namespace throng::app
