// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, section 9.4.3, Table 9.1 and Figure 9.8:
// collisions and deadlocks of avoidance methods with Stream.
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>

#include "papers/paper.h"
#include "papers/streams.h"

namespace throng::papers {
namespace {

constexpr std::array kNames = {"crossing-streams", "hallway1", "hallway2", "merging-streams", "narrow-50"};

/// Table 9.1, in the order of kNames.
const std::map<std::string_view, std::array<double, 5>> kPublished = {
    {"karamouzas-2010", {17.5, 5.9, 5.3, 95.7, 32.4}},
    {"moussaid", {111.9, 28.7, 16.6, 290.4, 170.3}},
    {"orca", {1970.9, 612.2, 138.6, 16555.8, 3876.7}},
};

}  // namespace

Result jaklin91(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  result.notes.push_back(outcomeHead());
  for (const StreamMethod& method : streamMethods()) {
    if (!options.takes(method.model)) continue;
    const auto published = kPublished.find(method.model);
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const StreamScenario& scenario = streamScenario(kNames[i]);
      const std::string name = fmt::format("{}/{}", kNames[i], method.model);
      for (const StreamUse use : {StreamUse::kPublished, StreamUse::kSidePreference}) {
        const StreamOutcome outcome = runStream(scenario, method, use, options, result);
        const std::string row_name = fmt::format("{}/{}", name, nameOf(use));
        if (published != kPublished.end()) {
          const double value = published->second[i];
          result.rows.push_back(row(row_name + "/collisions", outcome.collisions, "", value,
                                    {Target::Comparison::kAtMost, value, "the published value of the same method"}));
        }
        result.rows.push_back(row(row_name + "/deadlocks", 100.0 * outcome.deadlocks / outcome.runs, "% of runs",
                                  std::nullopt, {Target::Comparison::kAtMost, 0, "nobody gets stuck"}));
        result.notes.push_back(outcomeLine(scenario, method, use, outcome));
      }
    }
  }
  for (const StreamMethod& method : streamMethods())
    if (method.row) result.notes.push_back(fmt::format("{} stands for the thesis' {}", method.model, method.row));
  result.notes.push_back(outcomeTerms());
  return result;
}

}  // namespace throng::papers
