#include "report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "terminal.h"

namespace throng::app {
namespace {

using Json = nlohmann::ordered_json;

Json spreadJson(const Spread& s) {
  return {{"count", s.count}, {"mean", s.mean}, {"deviation", s.deviation}, {"min", s.min}, {"median", s.median},
          {"p95", s.p95},     {"max", s.max}};
}

std::string spreadText(const Spread& s, const char* unit) {
  if (s.count == 0) return "-";
  return fmt::format("{:.2f} {} mean, {:.2f} median, {:.2f} to {:.2f}", s.mean, unit, s.median, s.min, s.max);
}

std::string lanesText(const LaneReport& lanes) {
  if (lanes.lanes.count == 0) return "-";
  return fmt::format("{:.1f} mean, {:.1f} % purity, order {:.3f}", lanes.lanes.mean, 100 * lanes.purity.mean,
                     lanes.order);
}

std::string stripesText(const StripeReport& stripes) {
  if (stripes.looks == 0) return "-";
  return fmt::format("at {:.0f}° ({:.0f}° expected), {:.1f} m apart, strength {:.3f}", stripes.angle_degrees,
                     stripes.expected_degrees, stripes.wavelength, stripes.strength);
}

/// What the streams and circles of the run did; each list is empty where the scene has none.
void addPatterns(Json& json, const MetricsReport& r) {
  Json lanes = Json::array(), stripes = Json::array(), circulations = Json::array();
  for (const LaneReport& l : r.lanes)
    lanes.push_back(
        {{"name", l.name}, {"lanes", spreadJson(l.lanes)}, {"purity", spreadJson(l.purity)}, {"order", l.order}});
  for (const StripeReport& s : r.stripes)
    stripes.push_back({{"name", s.name},
                       {"looks", s.looks},
                       {"angle_degrees", s.angle_degrees},
                       {"expected_degrees", s.expected_degrees},
                       {"wavelength", s.wavelength},
                       {"strength", s.strength}});
  for (const CirculationReport& c : r.circulations)
    circulations.push_back(
        {{"name", c.name}, {"people", c.people}, {"circulation", c.circulation}, {"rotation", c.rotation}});
  json["lanes"] = lanes;
  json["stripes"] = stripes;
  json["circulations"] = circulations;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> summaryRows(const MetricsReport& r) {
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("people", grouped(r.people));
  rows.emplace_back("arrived", fmt::format("{} ({:.1f} %)", grouped(r.arrivals),
                                           r.people ? 100.0 * double(r.arrivals) / double(r.people) : 0.0));
  rows.emplace_back("travel time", spreadText(r.travel_time, "s"));
  rows.emplace_back("distance", spreadText(r.distance, "m"));
  rows.emplace_back("speed", spreadText(r.speed, "m/s"));
  rows.emplace_back("time below 0.5 m/s", fmt::format("{:.2f} %", 100 * r.slow_share));
  if (r.staying_share > 0)
    rows.emplace_back("time staying at places", fmt::format("{:.2f} %; with the time below 0.5 m/s {:.2f} %",
                                                            100 * r.staying_share, 100 * r.slow_or_staying_share));
  rows.emplace_back("collisions",
                    r.collision_pairs == 0
                        ? "none"
                        : fmt::format("{} pairs, {:.3f} % of agent-steps, deepest {:.3f} m", grouped(r.collision_pairs),
                                      100 * r.collision_share, r.deepest_overlap));
  rows.emplace_back("energy", fmt::format("{:.4f} J/kg per frame", r.energy));
  rows.emplace_back("smoothness", fmt::format("{:.2f} m/s³ jerk, {:.2f} heading reversals per person and minute",
                                              r.jerk, r.heading_reversals));
  rows.emplace_back("stuck at the end", r.deadlock ? fmt::format("{} people: deadlock", grouped(r.stuck)) : "nobody");
  for (const LineReport& line : r.lines)
    rows.emplace_back("line " + line.name, fmt::format("{} forward, {} backward, {:.3f} people/s, {:.3f} people/(m s)",
                                                       line.forward, line.backward, line.flow, line.specific_flow));
  for (const AreaReport& area : r.areas)
    rows.emplace_back("area " + area.name, fmt::format("{:.3f} people/m² mean, {:.3f} max; {:.2f} m/s",
                                                       area.density.mean, area.density.max, area.speed.mean));
  for (const LaneReport& lanes : r.lanes) rows.emplace_back("lanes " + lanes.name, lanesText(lanes));
  for (const StripeReport& stripes : r.stripes) rows.emplace_back("stripes " + stripes.name, stripesText(stripes));
  for (const CirculationReport& circle : r.circulations)
    rows.emplace_back("circle " + circle.name,
                      fmt::format("circulation {:.3f}, rotation {:.3f}", circle.circulation, circle.rotation));
  return rows;
}

Json toJson(const MetricsReport& r) {
  Json lines = Json::array(), areas = Json::array();
  for (const LineReport& line : r.lines)
    lines.push_back({{"name", line.name},
                     {"forward", line.forward},
                     {"backward", line.backward},
                     {"flow", line.flow},
                     {"specific_flow", line.specific_flow}});
  for (const AreaReport& area : r.areas)
    areas.push_back({{"name", area.name}, {"density", spreadJson(area.density)}, {"speed", spreadJson(area.speed)}});
  Json json{{"time", r.time},
            {"frames", r.frames},
            {"people", r.people},
            {"arrivals", r.arrivals},
            {"travel_time", spreadJson(r.travel_time)},
            {"distance", spreadJson(r.distance)},
            {"speed", spreadJson(r.speed)},
            {"slow_share", r.slow_share},
            {"staying_share", r.staying_share},
            {"slow_or_staying_share", r.slow_or_staying_share},
            {"collision_pairs", r.collision_pairs},
            {"collision_agent_steps", r.collision_agent_steps},
            {"collision_share", r.collision_share},
            {"deepest_overlap", r.deepest_overlap},
            {"energy", r.energy},
            {"jerk", r.jerk},
            {"heading_reversals", r.heading_reversals},
            {"stuck", r.stuck},
            {"deadlock", r.deadlock},
            {"lines", lines},
            {"areas", areas}};
  addPatterns(json, r);
  return json;
}

Json toJson(const Diagnostic& d) {
  Json json{{"severity", d.severity == Diagnostic::Severity::kError ? "error" : "warning"},
            {"file", d.file},
            {"pointer", d.pointer},
            {"message", d.message}};
  if (d.line > 0) json["line"] = d.line, json["column"] = d.column;
  if (d.at) json["at"] = {d.at->x, d.at->y};
  return json;
}

void printDiagnostics(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& d : diagnostics) warn(d.text() + "\n");
}

}  // namespace throng::app
