// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, section 9.4.4, Table 9.2 and Figure 9.9:
// the same crowds with and without Stream. The thesis steers with Moussaïd's model; the others are run too, for
// deadlocks.
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>

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

/// `published`: of the thesis's own method; null for others. Without Stream nothing has to be reached: that it is
/// worse is what the thesis shows.
void addRows(Result& result, const std::string& name, const Published* published, StreamUse use,
             const StreamOutcome& outcome) {
  const double stuck = 100.0 * outcome.deadlocks / outcome.runs;
  if (use == StreamUse::kNone) {
    result.rows.push_back(observation(name + "/collisions", outcome.collisions, ""));
    if (published) result.rows.back().published = published->without;
    result.rows.push_back(observation(name + "/deadlocks", stuck, "% of runs"));
    if (published) result.rows.back().published = published->stuck_without;
    return;
  }
  if (published)
    result.rows.push_back(row(name + "/collisions", outcome.collisions, "", published->with,
                              {Target::Comparison::kAtMost, published->with, "the published value"}));
  result.rows.push_back(row(name + "/deadlocks", stuck, "% of runs",
                            published ? std::optional(published->stuck_with) : std::nullopt,
                            {Target::Comparison::kAtMost, 0, "nobody gets stuck"}));
}

}  // namespace

Result jaklin92(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  result.notes.push_back(outcomeHead());
  for (const StreamMethod& method : streamMethods()) {
    if (!options.takes(method.model)) continue;
    const bool theirs = std::string_view(method.model) == "moussaid";
    for (const Published& published : kPublished) {
      const StreamScenario& scenario = streamScenario(published.scenario);
      for (const StreamUse use : {StreamUse::kNone, StreamUse::kPublished, StreamUse::kSidePreference}) {
        const StreamOutcome outcome = runStream(scenario, method, use, options, result);
        result.notes.push_back(outcomeLine(scenario, method, use, outcome));
        const std::string name = fmt::format("{}/{}/{}", published.scenario, method.model, nameOf(use));
        addRows(result, name, theirs ? &published : nullptr, use, outcome);
      }
    }
  }
  for (const Published& published : kPublished) {
    result.notes.push_back(fmt::format(
        "{:<34}published: with Stream {:g} collisions, {:g} % of runs deadlock; without {:g}, {:g} %",
        published.scenario, published.with, published.stuck_with, published.without, published.stuck_without));
  }
  result.notes.push_back(outcomeTerms());
  return result;
}

}  // namespace throng::papers
