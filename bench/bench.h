// How fast is a step, and how fast does the corridor map answer? (docs/benchmarks.md)
//
// The work of a step is the one that others were measured with: two opposing flows on a wrapped field, 0.3 people per
// m², radius 0.25 m, 1.3 m/s, steps of 0.1 s, up to 10 neighbours within 5 m, time horizon 5 s.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace throng::bench {

struct Options {
  std::string filter;  ///< regular expression on names such as step/MODEL/PEOPLE/THREADS and route/PLACE; empty: all
  bool quick = false;  ///< about ten seconds: small crowds, few repetitions
  std::vector<int> threads{1, 2};
  std::vector<std::size_t> sizes;  ///< people; empty: 1,000 to 1,000,000 (quick: 1,000 and 10,000)
  /// s of stepping for one row of step/…: slow models make fewer steps, and are left out where a step takes longer.
  double seconds_per_row = 8;
  std::function<void(const std::string&)> progress;  ///< told what is being timed, from time to time
};

/// A figure of another program, measured elsewhere on the same kind of machine (2 cores with AVX-512).
struct Landmark {
  std::string peer;                ///< whose, and doing what
  double low = 0, high = 0;        ///< agent-steps/s: the ends of what was measured
  std::optional<double> required;  ///< how many times `high` is asked of us
};

struct Row {
  std::string name;  ///< step/orca/10000/1, system/orca/10000/1/steer, …
  double value = 0;  ///< median over the repetitions
  std::string unit;
  std::string model;       ///< empty where it does not matter
  std::size_t people = 0;  ///< 0 where there are none
  int threads = 0;
  std::size_t repetitions = 1;
  double lowest = 0, highest = 0;    ///< of the repetitions
  std::optional<Landmark> landmark;  ///< rows that compare: `value` is how many times landmark->high we do
};

/// Median and ends of what was measured; the rest is empty.
Row rowOf(std::string name, std::vector<double> values, std::string unit);

struct Report {
  std::vector<Row> rows;
  std::vector<std::string> left_out;  ///< sentences: which rows, and why
};

/// Throws InputError for a filter that is no regular expression or fits nothing, and for sizes or threads out of range.
Report run(const Options& options);

std::string text(const Report& report);
std::string json(const Report& report);

}  // namespace throng::bench
