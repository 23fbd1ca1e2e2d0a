// The rows as people and as programs read them.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/bench.h"

namespace throng::bench {
namespace {

using Json = nlohmann::ordered_json;

bool startsWith(const std::string& name, const char* kind) { return name.rfind(kind, 0) == 0; }

std::string stepLines(const std::vector<Row>& rows) {
  const bool any = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.people > 0; });
  if (!any) return "";
  std::string out = fmt::format("{:<28}{:>18}{:>12}{:>10}{:>10}\n", "step/model/people/threads", "M agent-steps/s",
                                "ms/step", "lowest", "highest");
  for (const Row& row : rows) {
    if (!startsWith(row.name, "step/")) continue;
    out += fmt::format("{:<28}{:>18.3f}{:>12.3f}{:>10.3f}{:>10.3f}\n", row.name, row.value / 1e6,
                       1e3 * static_cast<double>(row.people) / row.value, row.lowest / 1e6, row.highest / 1e6);
  }
  return out;
}

/// One line per case, one column per system.
std::string systemLines(const std::vector<Row>& rows) {
  std::vector<std::string> systems, cases;
  const auto remember = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  const auto split = [](const Row& row) {
    const std::size_t slash = row.name.rfind('/');
    return std::pair{row.name.substr(0, slash), row.name.substr(slash + 1)};
  };
  for (const Row& row : rows)
    if (startsWith(row.name, "system/")) remember(cases, split(row).first), remember(systems, split(row).second);
  if (cases.empty()) return "";
  std::string out = fmt::format("\n{:<28}", "ns per person and step");
  for (const std::string& system : systems) out += fmt::format("{:>12}", system);
  out += "\n";
  for (const std::string& name : cases) {
    out += fmt::format("{:<28}", name);
    for (const std::string& system : systems) {
      const auto found =
          std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name + "/" + system; });
      out += found == rows.end() ? fmt::format("{:>12}", "-") : fmt::format("{:>12.1f}", found->value);
    }
    out += "\n";
  }
  return out;
}

std::string otherLines(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows)
    if (startsWith(row.name, "memory/") || startsWith(row.name, "construct/"))
      out += fmt::format("{:<28}{:>18.{}f} {}\n", row.name, row.value, row.unit == "s" ? 3 : 0, row.unit);
  return out.empty() ? out : "\n" + out;
}

/// What takes so and so long and has no crowd in it.
std::string questionLines(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows)
    if (row.people == 0)
      out += fmt::format("{:<28}{:>18.2f} {:<2}{:>18.2f}{:>10.2f}\n", row.name, row.value, row.unit, row.lowest,
                         row.highest);
  return out.empty() ? out : fmt::format("\n{:<28}{:>18}{:>21}{:>10}\n", "the map", "", "lowest", "highest") + out;
}

std::string comparisonLines(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows) {
    if (!row.landmark) continue;
    const Landmark& mark = *row.landmark;
    out += fmt::format("{:<36}{:.2f} times its best {:.2f} M/s, {:.2f} times its {:.2f} M/s{}\n", row.name, row.value,
                       mark.high / 1e6, row.highest, mark.low / 1e6,
                       mark.required ? fmt::format("; {:g} wanted: {}", *mark.required,
                                                   row.value >= *mark.required ? "reached" : "not reached")
                                     : "");
  }
  if (out.empty()) return out;
  return "\nOthers' figures are landmarks: measured elsewhere, on this kind of machine (2 cores, AVX-512).\n" + out;
}

Json toJson(const Row& row) {
  Json out{{"name", row.name}, {"value", row.value}, {"unit", row.unit}};
  if (row.people > 0) out["people"] = row.people;
  if (!row.model.empty()) out["model"] = row.model;
  if (row.threads > 0) out["threads"] = row.threads;
  out["repetitions"] = row.repetitions;
  if (!row.landmark) {
    out["lowest"] = row.lowest;
    out["highest"] = row.highest;
    return out;
  }
  out["peer"] = row.landmark->peer;
  out["landmark_low"] = row.landmark->low;
  out["landmark_high"] = row.landmark->high;
  out["times_landmark_low"] = row.highest;
  out["times_landmark_high"] = row.value;
  out["landmark_measured"] = "elsewhere, on the same kind of machine";
  out["required"] = row.landmark->required ? Json(*row.landmark->required) : Json();
  return out;
}

}  // namespace

std::string text(const Report& report) {
  const std::vector<Row>& rows = report.rows;
  std::string out =
      stepLines(rows) + systemLines(rows) + otherLines(rows) + questionLines(rows) + comparisonLines(rows);
  if (!report.left_out.empty()) out += out.empty() ? "" : "\n";
  for (const std::string& sentence : report.left_out) out += sentence + "\n";
  return out;
}

std::string json(const Report& report) {
  Json out;
  out["work"] =
      "two opposing flows on a wrapped field, 0.3 people per m², radius 0.25 m, 1.3 m/s, dt 0.1 s, up to 10 neighbours "
      "within 5 m, time horizon 5 s; corridor: people with routes in the generated place city-plan, radius 0.24 m, 1.4 "
      "m/s, ORCA's default parameters; regions: the same on pavements, roads and lawns, planner regions, follower "
      "miran";
  out["rows"] = Json::array();
  for (const Row& row : report.rows) out["rows"].push_back(toJson(row));
  out["left_out"] = report.left_out;
  return out.dump(2) + "\n";
}

}  // namespace throng::bench
