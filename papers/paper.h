// Tables and figures of publications, repeated. A table is one file of this folder and one row of tables(); it runs the
// publication's experiment and compares what comes out with what was published (docs/papers.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace throng::papers {

/// What a value must reach.
struct Target {
  enum class Comparison { kAtMost, kAtLeast, kWithin, kNothing };
  Comparison comparison = Comparison::kAtMost;
  double value = 0;    ///< in the row's unit; the least for kWithin; no meaning for kNothing
  std::string reason;  ///< where it comes from, such as "the published value"
  double most = 0;     ///< for kWithin

  /// "≤ 63", "≥ 93.6", "0.31 to 0.72", "-".
  std::string text() const;
};

struct Row {
  std::string name;  ///< unique in its table, such as "circle/orca/max travel time"
  double value = 0;  ///< ours
  std::string unit;
  std::optional<double> published;  ///< nothing where the publication has no such value
  Target target;
  bool met = false;  ///< of no meaning where the target is kNothing

  bool hasTarget() const { return target.comparison != Target::Comparison::kNothing; }
};

/// The comparison of `value` with a numeric target.
bool meets(double value, const Target& target);
/// A row whose `met` follows from its target.
Row row(std::string name, double value, std::string unit, std::optional<double> published, Target target);
/// A row to look at, which must not reach anything.
Row observation(std::string name, double value, std::string unit);

struct Options {
  bool quick = false;                                ///< fewer repetitions of the same experiment
  std::optional<int> seeds;                          ///< repetitions, in place of the table's own number
  std::uint64_t first_seed = 1;                      ///< of the repetitions, where a table has them (ondrej-1)
  std::vector<std::string> models;                   ///< where a table has all of them: these alone; empty: all
  int threads = 0;                                   ///< 0: all cores
  std::string pictures;                              ///< folder to write pictures into; empty: none
  std::function<void(const std::string&)> progress;  ///< told what is being run

  /// Is this one of the models asked for?
  bool takes(std::string_view model) const {
    return models.empty() || std::find(models.begin(), models.end(), model) != models.end();
  }
};

struct Result {
  std::vector<Row> rows;
  std::vector<std::string> notes;  ///< what else is worth knowing: lines of text
  std::vector<std::string> files;  ///< pictures and recordings written
};

struct Table {
  std::string_view name;  ///< "ondrej-1"
  std::string_view title;
  std::string_view source;      ///< the publication, and where in it
  std::string_view parameters;  ///< of the experiment as run here, lines of text
  Result (*run)(const Options& options);
};

/// In the order in which the documentation lists them.
std::span<const Table> tables();
/// What `throng validate` runs: our own model against measurements.
std::span<const Table> validations();

std::size_t rowsMet(const Result& result);
/// Those that have something to reach.
std::size_t rowsWithTarget(const Result& result);
/// The table as text: name, published, ours, ratio, target, met; then the notes. Ends with "6 of 8 rows met".
std::string text(const Table& table, const Result& result);
/// An object with "rows": of a single table, or of all of them with the tables themselves beside.
std::string json(std::span<const Table* const> tables, std::span<const Result> results);

// The tables.
Result ondrej1(const Options& options);
Result ondrej11(const Options& options);
Result yersin32(const Options& options);
Result yersin71(const Options& options);
Result jordao3(const Options& options);
Result jordao61(const Options& options);
Result pettre(const Options& options);
Result jaklin41(const Options& options);
Result jaklin42(const Options& options);
Result jaklin43(const Options& options);
Result weightedQueries(const Options& options);
Result jaklin615(const Options& options);
Result jaklin7(const Options& options);
Result jaklin91(const Options& options);
Result jaklin92(const Options& options);
Result jaklin910(const Options& options);
Result jaklin112(const Options& options);
Result jaklin115(const Options& options);
Result jaklin116(const Options& options);
Result tordeux2016(const Options& options);
Result xu2021(const Options& options);
Result karamouzas2014(const Options& options);
Result chraibi2010(const Options& options);
Result seitz2012(const Options& options);
Result modelsCompared(const Options& options);

}  // namespace throng::papers
