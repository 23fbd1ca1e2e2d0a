// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, section 9.4.4, Table 9.2 and Figure 9.9:
// the same crowds with and without Stream. The thesis steers with Moussaïd's model; every other model is run too, and
// compared with the same numbers.
#include <filesystem>
#include <fmt/format.h>

#include "papers/paper.h"
#include "papers/streams.h"

namespace throng::papers {
namespace {

struct Published {
  const char* scenario;
  double with, without;              // collisions
  double stuck_with, stuck_without;  // % of runs
};

constexpr Published kPublished[] = {
    {"crossing-streams", 111.9, 34.7, 0, 0}, {"hallway1", 28.7, 10.5, 0, 80},
    {"hallway2", 16.6, 13.0, 0, 80},         {"merging-streams", 290.4, 677.9, 0, 0},
    {"narrow-50", 170.3, 15799.2, 0, 98},    {"narrow-100", 4787.3, 43070.9, 30, 100},
};

}  // namespace

Result jaklin92(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  for (const StreamMethod& method : streamMethods()) {
    for (const Published& published : kPublished) {
      const StreamScenario& scenario = streamScenario(published.scenario);
      const StreamOutcome with = runStream(scenario, method, true, options, result);
      const StreamOutcome without = runStream(scenario, method, false, options, result);
      const std::string name = fmt::format("{}/{}", published.scenario, method.model);
      result.rows.push_back(row(name + "/collisions with Stream", with.collisions, "", published.with,
                                {Target::Comparison::kAtMost, published.with, "the published value"}));
      result.rows.push_back(row(name + "/deadlocks with Stream", 100.0 * with.deadlocks / with.runs, "% of runs",
                                published.stuck_with, {Target::Comparison::kAtMost, 0, "nobody gets stuck"}));
      result.notes.push_back(describe(name + " with Stream", with));
      result.notes.push_back(describe(name + " without", without) +
                             fmt::format("; published: {:g} collisions, {:g} % of runs deadlock", published.without,
                                         published.stuck_without));
    }
  }
  result.notes.push_back(
      "A collision is a person who is more than 1 % of the two radii inside somebody else, in one step; a deadlock is "
      "a "
      "run in which somebody does not arrive.");
  return result;
}

}  // namespace throng::papers
