#include "papers/paper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace throng::papers {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOndrej1Parameters =
    "circle: 100 people evenly on a circle of radius 25 m, each walks to the opposite place (straight line 38.5 s)\n"
    "group-swap: 50 + 50 people on grids of 5 x 10, 1.5 m apart, centres 40 m apart; each walks 40 m ahead (30.8 s)\n"
    "group-swap-200: 100 + 100 people on grids of 10 x 10, otherwise the same\n"
    "radius 0.25 m, preferred speed 1.3 m/s, at which everybody starts, start jitter 0.05 m, dt 0.1 s; arrived within\n"
    "0.5 m, then removed; all models that avoid, with their default parameters; medians of 5 seeds (--quick: 1), at "
    "most 300 s";

constexpr std::string_view kOndrej11Parameters =
    "256 x 48 pixels for each walker; preferred speed 1.3 m/s, dt 0.04 s, the models' default parameters;\n"
    "circle: 100 walkers on 25 m as in ondrej-1; with more of them the circle grows so that there are as many per m²,\n"
    "and rings inside it take those who do not find room on it; crossing: two corridors at right angles, half of the\n"
    "walkers in each, 1.5 m apart; vision-predictive walks each crowd (radius 0.25 m, dt 0.1 s); after 0.1, 0.3, 0.5, "
    "0.7\n"
    "and 0.9 of the time of the straight way, every model goes on from there with everybody's places and velocities "
    "(radius\n"
    "0.2 m, so that nobody is put where they touch): the median of 7 steps (--quick: 3, up to 500 walkers) after 1, "
    "and "
    "the\n"
    "mean of the five; 2 threads unless told otherwise";

constexpr std::string_view kJaklin615Parameters =
    "100 people of radius 0.25 m on ways of 40 m or more who avoid nobody, up to 300 steps of 0.1 s on one thread;\n"
    "what following takes per step and person, the mean over steps of the least time of 5 passes";

constexpr std::string_view kJaklin7Parameters =
    "car-puddle: one way round two parked cars; suburb, and the same turned by 0.7 rad: 40 ways of 30 m or more;\n"
    "shortcut 50 m, sampling 0.2 m, radius 0.25 m, 0.98 of which must be free; everybody alone, steps of 0.1 s";

constexpr std::string_view kJaklin9Parameters =
    "crossing-streams: 50 + 50 people, corridors of 6 m at right angles; hallway1: 200 one way, 10 m x 50 m;\n"
    "hallway2: 100 each way; merging-streams: 125 + 125 through a passage of 4 m; narrow-50, narrow-100: that many\n"
    "each way in a hallway of 3 m; radius 0.24 m, preferred speeds 0.85 to 2.05 m/s, dt 0.1 s; corridor planner,\n"
    "indicative route method, models with their default parameters; means over 50 runs (--quick: 4), each until "
    "everybody\n"
    "has arrived, nobody of those who are left gets 0.5 m from where they were for 60 s, or 1500 s have passed";

constexpr std::string_view kJaklin910Parameters =
    "military: generated, 200 m x 200 m, a quarter of the people from each side to random places at the opposite "
    "side;\n"
    "hallway-stress: 30 m wide, half of the people from each end; 1.5 people per m² at the start, radius 0.24 m,\n"
    "preferred speeds 0.85 to 2.05 m/s, dt 0.1 s; moussaid, as published, and orca, with Stream as published and with "
    "a side\n"
    "preference of 45°; means of 100 steps (--quick: 33) after 300 and 150 steps (100 and 50); one thread unless told "
    "otherwise";

constexpr std::string_view kJaklin112Parameters =
    "generated places with the numbers of obstacles and vertices of Table 11.1; one thread; medians of 15 "
    "constructions\n"
    "(--quick: 3) after one that is not counted, each followed by the bare Voronoi diagram (Boost.Polygon) of its "
    "walls;\n"
    "from the scene to the walkable space: checks and polygon booleans; from there to the map: cutting walls at one\n"
    "another, diagram, medial axis with nearest obstacles, search graph, point-location grid, joining of layers;\n"
    "hostile places: medians of 3 (--quick: 1)";

constexpr std::string_view kJaklin115Parameters =
    "random free positions, uniformly over all layers; 100 squares of 2 m x 2 m that touch nothing, one after the "
    "other\n"
    "into the same map, with the update of its point-location grid; visibility polygons of 1,000 positions, over\n"
    "connections too; indicative routes of 1,000 pairs with 0.5 m of clearance for people of radius 0.24 m;\n"
    "means over all squares, positions and pairs, of the middle time that each takes in 9 passes (--quick: 3) after "
    "one\n"
    "that is not counted; one thread;\n"
    "office: 10 rooms at a corridor, 30 m x 13 m; 1,000 pairs, 25 passes (--quick: 3)";

constexpr std::string_view kJaklin116Parameters =
    "city-plan, everybody starts at a random place and has a random goal at least 50 m away; 1.4 m/s, dt 0.1 s;\n"
    "corridor planner, indicative route method, default parameters; with avoidance: moussaid, as published, and orca,\n"
    "radius 0.24 m, 100,000 people (--quick: 10,000); without: linear, 1,000,000 people (100,000) of radius 0.05 m, "
    "for that many larger ones do "
    "not\n"
    "fit, and all that a radius does without avoidance is to keep walls away; 2 threads unless told otherwise;\n"
    "means of 30 steps (10) after the first one, in which everybody plans";

constexpr std::string_view kYersin32Parameters =
    "three generated places of the published size and about the published complexity: itranarium (80 x 80 m), "
    "planet-eight\n"
    "(175 x 90 m), town (630 x 430 m); bodies of radius 0.25 m and 1.8 m, steps of 0.3 m, slopes of 40 degrees; one "
    "flow in\n"
    "the first two, seven in the town; all paths of every flow, and way-points of 1,000, 10,000 and 35,000 "
    "pedestrians;\n"
    "beside it at most 50 paths per flow, which is ours; quickest of 3 (--quick: 1)";

constexpr std::string_view kPettreParameters =
    "town (630 x 430 m), seven flows of 5,000 people (--quick: 500) between eight places, at most 50 paths each; "
    "orca;\n"
    "radius 0.2 to 0.25 m, 1.3 +- 0.2 m/s; lowest level: a decision every 16 steps, no avoidance, linear steering;\n"
    "2 threads unless told otherwise; means of 150 steps of 0.1 s after 50, or of 300 steps of 0.01 s after 100";

constexpr std::string_view kYersin71Parameters =
    "patches of 8 m and 10 s; content of the published street: 6 walkers per patch, an object in 64 %, somebody idle "
    "in "
    "24 %;\n"
    "1,000 of them (--quick: 100); replay of 61 x 61 patches with one person per border, direction and period, and of\n"
    "262 x 262 with six (70 x 70); 2 threads unless told otherwise; an hour (6 min) at 1.3 m/s down the endless "
    "street,\n"
    "60 m seen before and behind";

constexpr std::string_view kJordao3Parameters =
    "random patches of 8 m and 10 s, 200 per density (--quick: 10), the same for all generators; stable matching; up "
    "to "
    "8\n"
    "attempts with other pairings; bodies of radius 0.25 m, 0.3 to 2 m/s; solved: no collision at any instant";

constexpr std::string_view kJordao61Parameters =
    "3 x 3 patches of 8 m and 10 s with walls around, four people per border, direction and period; 1, 2, 4 and 8 "
    "versions of\n"
    "every patch in random order; 1,000 periods (--quick: 100)";

constexpr std::string_view kJaklin41Parameters =
    "scenes/puddle, bars, high-low, zigzag and forest.json, one way each between the areas of its walkers; bodies of "
    "radius 0.25 m;\n"
    "grid cells of 1 m; each time the middle one of 9 (--quick: 3), on a map that has nothing ready";
constexpr std::string_view kJaklin42Parameters =
    "6,561 queries in each of the four small scenes (all pairs of 9 x 9 places), 9,000 in the forest; ε 0.5, grid "
    "cells "
    "of 1 m;\n"
    "the same way: costs within 0.01 %; --quick: one of 20";
constexpr std::string_view kJaklin43Parameters =
    "scenes/abstract-regions-16x16.json, 800 m x 800 m; 65 pairs of 20 places (--quick: 12), ε 0.3, 0.4 and 0.5; "
    "bodies "
    "of radius 0.25 m";

constexpr std::string_view kRegionsParameters =
    "2,000 queries in each of puddle, bars and high-low, 1,600 in zigzag, 600 in the forest, 300 in the large scene of "
    "tiles, 1,000 in 20 random rooms, 500 in the town of scenes/pavements.json (--quick: one of 20); SPM with ε 0.1; "
    "bodies of radius 0.25 m; weights drawn anew for every query where the profile has distributions";

constexpr std::string_view kTordeuxParameters =
    "single file: 24 people of radius 0.15 m, 1.2 m/s, T 1 s, doors too where rows say 0.3 m; otherwise radius 0.2 m "
    "and 1.34 +- 0.2 m/s; steps of 0.1 "
    "s";
constexpr std::string_view kXuParameters =
    "corridor of 26 m x 4 m without ends, 120 people each way, radius 0.18 m, 1.55 +- 0.18 m/s, steps of 0.05 s; 5 "
    "seeds "
    "(--quick: 1); the last 40 s of 100 s";
constexpr std::string_view kKaramouzas2014Parameters =
    "60 people of radius 0.2 m in 14 m x 14 m without ends who walk in four directions; 200 s (--quick: 60 s), 3 seeds "
    "(1)";
constexpr std::string_view kChraibiParameters =
    "single file: 24 people; shares: 80 people who leave a room of 10 m x 10 m by a door of 1.2 m; 1.34 m/s, steps of "
    "0.1 s in "
    "parts of 0.01 s";
constexpr std::string_view kSeitzParameters =
    "corridor of 20 m x 3 m without ends, radius 0.2 m, 1.34 m/s, steps of 0.1 s; strides: 40 people in it, steps of "
    "0.01 s";

constexpr std::string_view kModelsParameters =
    "every model by itself with its default parameters, Throng's own with all it has; corridors 4 m wide without "
    "ends;\n"
    "150 people out of a room 8 m wide through an opening 0.4 m deep, turned by 41°; radius 0.2 m, 1.34 m/s (± 0.2 "
    "at\n"
    "openings); circle as in ondrej-1; cost: processor time of a step of 1,000 people in two opposing flows, 0.3 per\n"
    "m², one thread; mean of 3 seeds (circle: median), with --quick 1 seed and fewer densities and widths";

constexpr Table kTables[] = {
    {"ondrej-1", "circle and group-swap: maximum travel time and proportion of slow walkers",
     "Ondřej, Pettré, Olivier & Donikian, A synthetic-vision based steering approach for crowd simulation, SIGGRAPH "
     "2010, Table 1",
     kOndrej1Parameters, ondrej1},
    {"ondrej-11", "a step of synthetic vision, by the number of walkers",
     "Ondřej, Pettré, Olivier & Donikian, A synthetic-vision based steering approach for crowd simulation, SIGGRAPH "
     "2010, Figure 11",
     kOndrej11Parameters, ondrej11},
    {"yersin-3.2", "navigation graphs of three environments, and the paths of their flows",
     "Yersin, Real-time motion planning, navigation, and behavior for large crowds of virtual humans, PhD thesis, EPFL "
     "2009, Table 3.2",
     kYersin32Parameters, yersin32},
    {"yersin-7.1", "crowd patches: making one, replaying many",
     "Yersin, Real-time motion planning, navigation, and behavior for large crowds of virtual humans, PhD thesis, EPFL "
     "2009, section 7.5.2 and Table 7.1",
     kYersin71Parameters, yersin71},
    {"jordao-3", "crowd patches: four ways to find walks, by density",
     "Jordao, Conception et animation interactive de foules pour de vastes environnements, PhD thesis, INSA de Rennes "
     "2015, section 3.3",
     kJordao3Parameters, jordao3},
    {"jordao-6.1", "crowd patches: how long until a crowd repeats itself",
     "Jordao, Conception et animation interactive de foules pour de vastes environnements, PhD thesis, INSA de Rennes "
     "2015, section 6.1",
     kJordao61Parameters, jordao61},
    {"pettre", "seven flows of 5,000 people in a city, and a step at every level of simulation",
     "Pettré, Populate your game scene!, Motion in Games 2008, sections 4 and 5 and Figure 2", kPettreParameters,
     pettre},
    {"jaklin-4.1", "ways in weighted regions: Steiner points, vertex-based pruning, ours",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Table 4.1 and Figure 4.12",
     kJaklin41Parameters, jaklin41},
    {"jaklin-4.2", "how often pruned scenes have the same way",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Table 4.2", kJaklin42Parameters,
     jaklin42},
    {"jaklin-4.3", "vertex-based pruning in a large scene",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Tables 4.3 and 4.4", kJaklin43Parameters,
     jaklin43},
    {"regions", "our planner in weighted regions against SPM, ten thousand random queries",
     "Aleksandrov et al. 1998; scenes after Jaklin 2016, section 4.3.1, random rooms, and the town", kRegionsParameters,
     weightedQueries},
    {"jaklin-6.15", "a step of MIRAN, by shortcut parameter and sampling distance",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Table 6.1 and Figure 6.15",
     kJaklin615Parameters, jaklin615},
    {"jaklin-7", "MIRAN for a disc against MIRAN for a point",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, chapter 7, Figures 7.9 and 7.10",
     kJaklin7Parameters, jaklin7},
    {"jaklin-9.1", "collisions and deadlocks of avoidance methods with Stream",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Table 9.1 and Figure 9.8",
     kJaklin9Parameters, jaklin91},
    {"jaklin-9.2", "collisions and deadlocks with and without Stream",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Table 9.2 and Figure 9.9",
     kJaklin9Parameters, jaklin92},
    {"jaklin-9.10", "a step with Stream, by the number of people",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Figure 9.10", kJaklin910Parameters,
     jaklin910},
    {"jaklin-11.2", "construction of the explicit corridor map",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Tables 11.1 and 11.2",
     kJaklin112Parameters, jaklin112},
    {"jaklin-11.5", "insertion of obstacles, visibility polygons and indicative routes",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Table 11.5 and Figure 11.7",
     kJaklin115Parameters, jaklin115},
    {"jaklin-11.6", "a step of a crowd in a city, with and without avoidance",
     "Jaklin, On weighted regions and social crowds, PhD thesis, Utrecht 2016, Figure 11.6", kJaklin116Parameters,
     jaklin116},
    {"tordeux-2016", "collision-free speed: capacity of a file, no overlaps, doors",
     "Tordeux, Chraibi & Seyfried, Collision-free speed model for pedestrian dynamics, Traffic and Granular Flow '15, "
     "2016; "
     "doors: Kretz et al. 2006",
     kTordeuxParameters, tordeux2016},
    {"xu-2021", "anticipation: lanes where the collision-free speed model locks",
     "Xu, Chraibi & Seyfried, Anticipation in a velocity-based model for pedestrian dynamics, Transportation Research "
     "Part C 133, 2021",
     kXuParameters, xu2021},
    {"karamouzas-2014", "the energy of two people by the time to collision",
     "Karamouzas, Skinner & Guy, Universal power law governing pedestrian interactions, Phys. Rev. Lett. 113, 2014, "
     "Figure 2",
     kKaramouzas2014Parameters, karamouzas2014},
    {"chraibi-2010", "ellipses: speeds in file, overlaps and oscillations by the strength of the force",
     "Chraibi, Seyfried & Schadschneider, Generalized centrifugal-force model for pedestrian dynamics, Phys. Rev. E "
     "82, "
     "2010; speeds: Seyfried et al. 2005",
     kChraibiParameters, chraibi2010},
    {"seitz-2012", "optimal steps: strides and the fundamental diagram",
     "Seitz & Köster, Natural discretization of pedestrian movement in continuous space, Phys. Rev. E 86, 2012; "
     "speeds: "
     "Weidmann 1993; doors: Kretz et al. 2006",
     kSeitzParameters, seitz2012},
    {"models", "all steering models side by side: speed by density, openings, a circle, cost",
     "Weidmann 1993; Kretz et al. 2006; Seyfried et al. 2009; Liddle et al. 2009", kModelsParameters, modelsCompared},
};

/// Enough digits to see the difference, no more.
std::string number(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 1000) return fmt::format("{:.0f}", value);
  if (size >= 100) return fmt::format("{:.1f}", value);
  if (size >= 0.1) return fmt::format("{:.2f}", value);
  return fmt::format("{:.2g}", value);
}

/// Characters, not bytes: units and names may hold "≤" and "²".
std::size_t width(std::string_view cell) {
  return static_cast<std::size_t>(
      std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

using Cells = std::vector<std::string>;

std::string aligned(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Cells& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));
  std::string out;
  for (const Cells& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - width(line[i]), ' ');
      // Names to the left, numbers to the right.
      text += i == 0 ? line[i] + space : "  " + space + line[i];
    }
    out += text + "\n";
  }
  return out;
}

Json toJson(const Row& row) {
  Json out{{"name", row.name}, {"value", row.value}, {"unit", row.unit}, {"published", nullptr}};
  if (row.published) out["published"] = *row.published;
  out["target"] = row.target.text();
  out["target_reason"] = row.target.reason;
  out["met"] = row.met;
  if (!row.hasTarget()) out["target"] = out["met"] = nullptr;
  return out;
}

Json toJson(const Table& table, const Result& result) {
  Json out{{"name", table.name}, {"title", table.title}, {"source", table.source}, {"parameters", table.parameters}};
  out["rows"] = Json::array();
  for (const Row& row : result.rows) out["rows"].push_back(toJson(row));
  out["rows_met"] = rowsMet(result);
  out["notes"] = result.notes;
  out["files"] = result.files;
  return out;
}

}  // namespace

std::string Target::text() const {
  switch (comparison) {
    case Comparison::kAtMost:
      return "≤ " + number(value);
    case Comparison::kAtLeast:
      return "≥ " + number(value);
    case Comparison::kWithin:
      return number(value) + " to " + number(most);
    case Comparison::kNothing:
      break;
  }
  return "-";
}

bool meets(double value, const Target& target) {
  switch (target.comparison) {
    case Target::Comparison::kAtMost:
      return value <= target.value;
    case Target::Comparison::kAtLeast:
      return value >= target.value;
    case Target::Comparison::kWithin:
      return value >= target.value && value <= target.most;
    case Target::Comparison::kNothing:
      break;
  }
  return false;
}

Row row(std::string name, double value, std::string unit, std::optional<double> published, Target target) {
  const bool met = meets(value, target);
  return {std::move(name), value, std::move(unit), published, std::move(target), met};
}

Row observation(std::string name, double value, std::string unit) {
  return {std::move(name), value, std::move(unit), std::nullopt, {Target::Comparison::kNothing, 0, ""}, false};
}

std::span<const Table> tables() { return kTables; }

std::size_t rowsMet(const Result& result) {
  return static_cast<std::size_t>(
      std::count_if(result.rows.begin(), result.rows.end(), [](const Row& row) { return row.hasTarget() && row.met; }));
}

std::size_t rowsWithTarget(const Result& result) {
  return static_cast<std::size_t>(
      std::count_if(result.rows.begin(), result.rows.end(), [](const Row& row) { return row.hasTarget(); }));
}

std::string text(const Table& table, const Result& result) {
  std::string out = fmt::format("{}: {}\n{}\n{}\n\n", table.name, table.title, table.source, table.parameters);
  std::vector<Cells> lines{{"", "published", "ours", "unit", "ours/published", "must be", "met"}};
  for (const Row& row : result.rows) {
    const bool ratio = row.published && *row.published != 0;
    lines.push_back({row.name, row.published ? number(*row.published) : "-", number(row.value), row.unit,
                     ratio ? fmt::format("{:.2f}", row.value / *row.published) : "-", row.target.text(),
                     !row.hasTarget() ? "-"
                     : row.met        ? "yes"
                                      : "no"});
  }
  out += aligned(lines) + "\n";
  for (const std::string& note : result.notes) out += note + "\n";
  for (const std::string& file : result.files) out += "wrote " + file + "\n";
  return out + fmt::format("{} of {} rows met\n", rowsMet(result), rowsWithTarget(result));
}

std::string json(std::span<const Table* const> tables, std::span<const Result> results) {
  if (tables.size() == 1) return toJson(*tables[0], results[0]).dump(2) + "\n";
  // Several tables: their rows in one list, each under its table's name, and the tables in full.
  Json out{{"rows", Json::array()}, {"tables", Json::array()}};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (Row named : results[i].rows) {
      named.name = fmt::format("{}/{}", tables[i]->name, named.name);
      out["rows"].push_back(toJson(named));
    }
    out["tables"].push_back(toJson(*tables[i], results[i]));
  }
  return out.dump(2) + "\n";
}

}  // namespace throng::papers
