#include "import/walkable_surface_noding.h"

#include "geometry/noding.h"

namespace throng::import {
namespace {

constexpr double kStretch = 4;  // m; long lines are looked at in pieces

/// Ends of lines that a line passes at less than the length that tells places apart lie on it: it is led through them.
/// Rounding moves the ends of lines that lay on one line in the model by different amounts, depending on how the model
/// is turned; what was one line would have become many, with slivers between them that belong to nothing.
void settle(std::vector<PlanLine>& lines, const PlanGrid& grid, std::int32_t stretch, const base::Threads& threads) {
  const std::int32_t near = spots(kSamePlace, grid);
  std::vector<Spot> ends;
  for (const PlanLine& line : lines) ends.push_back(line.a), ends.push_back(line.b);
  base::sortUnique(ends);
  const geometry::WayPlaces<std::int32_t> ways(std::move(ends));
  constexpr int kRounds = 4;  // what is led through a place may now pass others
  for (int round = 0; round < kRounds; ++round) {
    const geometry::Chains chains = ways.chains(
        lines, near, stretch,
        [near](Spot a, Spot b, Spot p) { return p == a || p == b || geometry::passesNear(a, b, p, 4 * near); },
        threads);
    std::vector<PlanLine> led;
    led.reserve(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto chain = chains.of(i);
      for (std::size_t k = 1; k < chain.size(); ++k) {
        const Spot p = ways.places()[chain[k - 1]], q = ways.places()[chain[k]];
        led.push_back({std::min(p, q), std::max(p, q), lines[i].sheet, lines[i].cut});
      }
    }
    base::sortUnique(led);
    if (led == lines) return;
    lines = std::move(led);
  }
}

/// One of the lines that lie in one place.
struct Stretch {
  Spot a, b;
  std::uint32_t line = 0;  ///< first of the lines there
};

}  // namespace

PlanGraph noded(std::vector<PlanLine> lines, const PlanGrid& grid, const base::Threads& threads) {
  const std::int32_t stretch = spots(kStretch, grid);
  settle(lines, grid, stretch, threads);
  std::vector<Stretch> stretches;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    const PlanLine& line = lines[i];
    if (line.a == line.b || (!stretches.empty() && stretches.back().a == line.a && stretches.back().b == line.b))
      continue;
    stretches.push_back({line.a, line.b, i});
  }
  PlanGraph graph;
  graph.nodes = geometry::crossings(stretches, stretch, threads);
  for (const PlanLine& line : lines) graph.nodes.push_back(line.a), graph.nodes.push_back(line.b);
  base::sortUnique(graph.nodes);

  const geometry::WayPlaces<std::int32_t> ways(graph.nodes);
  const geometry::Chains chains = ways.chains(
      stretches, 0, stretch, [](Spot a, Spot b, Spot p) { return geometry::passesSquare(a, b, p); }, threads);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const auto chain = chains.of(i);
    const auto [a, b, first] = stretches[i];
    for (std::size_t k = 1; k < chain.size(); ++k) {
      const PlanGraph::Edge edge{std::min(chain[k - 1], chain[k]), std::max(chain[k - 1], chain[k])};
      graph.edges.push_back(edge);
      for (std::size_t line = first; line < lines.size() && lines[line].a == a && lines[line].b == b; ++line) {
        if (lines[line].sheet != kNone) graph.sheets.emplace_back(edge, lines[line].sheet);
        if (lines[line].cut != kNone) graph.cuts.emplace_back(edge, lines[line].cut);
      }
    }
  }
  base::sortUnique(graph.edges);
  base::sortUnique(graph.sheets);
  base::sortUnique(graph.cuts);
  return graph;
}

}  // namespace throng::import
