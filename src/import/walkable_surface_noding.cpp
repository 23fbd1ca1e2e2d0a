#include "import/walkable_surface_noding.h"

#include <cmath>

namespace throng::import {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::size_t kGrain = 512;
constexpr double kStretch = 4;  // m; long lines are looked at in pieces

struct Segments {
  std::vector<Spot> a, b;
  std::vector<std::uint32_t> line;  ///< first of the lines there
  std::size_t size() const { return a.size(); }
};

std::int64_t floorDivide(Wide numerator, Wide denominator) {
  if (denominator < 0) numerator = -numerator, denominator = -denominator;
  const Wide quotient = numerator / denominator;
  return static_cast<std::int64_t>(numerator % denominator < 0 ? quotient - 1 : quotient);
}

/// The node of a crossing, rounded exactly. False unless both lines have the other's ends on different sides.
bool crossing(Spot a, Spot b, Spot c, Spot d, Spot& at) {
  const std::int64_t sc = cross(a, b, c), sd = cross(a, b, d);
  if (!((sc > 0 && sd < 0) || (sc < 0 && sd > 0))) return false;
  const std::int64_t sa = cross(c, d, a), sb = cross(c, d, b);
  if (!((sa > 0 && sb < 0) || (sa < 0 && sb > 0))) return false;
  const Wide whole = Wide{sa} - sb;
  const auto rounded = [&](std::int32_t p, std::int32_t q) {
    const Wide numerator = Wide{std::int64_t{q} - p} * sa;
    return static_cast<std::int32_t>(p + floorDivide(2 * numerator + whole, 2 * whole));
  };
  at = {rounded(a.x, b.x), rounded(a.y, b.y)};
  return true;
}

/// Does a line pass the square around a node, of which the left and lower sides are part? Ends are nodes, so that none
/// lies on the sides of a square.
bool passes(Spot a, Spot b, Spot node) {
  if (!SpotBox::around(a, b).overlaps({node, node})) return false;
  // Sides of the square's corners, in half spacings.
  const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
  const std::int64_t centre = 2 * cross(a, b, node);
  const std::int64_t corner[4] = {centre - dx + dy, centre - dx - dy, centre + dx + dy, centre + dx - dy};
  int left = 0, right = 0;
  for (const std::int64_t c : corner) left += c > 0, right += c < 0;
  // cross(a, b, p) with p = node + (-1, -1)/2 is the first.
  return (left > 0 && right > 0) || corner[0] == 0;
}

template <class T>
void sortUnique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

template <class T>
std::vector<T> joined(std::vector<std::vector<T>>& parts) {
  std::vector<T> all;
  for (auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    part = {};
  }
  return all;
}

/// Ends of lines that a line passes at less than the length that tells places apart lie on it: it is led through them.
/// Rounding moves the ends of lines that lay on one line in the model by different amounts, depending on how the model
/// is turned; what was one line would have become many, with slivers between them that belong to nothing.
class Settling {
 public:
  Settling(const std::vector<PlanLine>& lines, const PlanGrid& grid, std::int32_t stretch)
      : near_(spots(kSamePlace, grid)), stretch_(stretch) {
    for (const PlanLine& line : lines) ends_.push_back(line.a), ends_.push_back(line.b);
    sortUnique(ends_);
    std::vector<SpotBox> boxes;
    boxes.reserve(ends_.size());
    for (const Spot end : ends_) boxes.push_back({end, end});
    index_ = BoxIndex(std::move(boxes));
  }

  /// True when something has changed.
  bool settle(std::vector<PlanLine>& lines, const base::Threads& threads) const {
    std::vector<std::vector<PlanLine>> parts((lines.size() + kGrain - 1) / kGrain);
    threads.forEach(lines.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) lead(lines[i], parts[begin / kGrain]);
    });
    std::vector<PlanLine> led = joined(parts);
    sortUnique(led);
    const bool changed = led != lines;
    lines = std::move(led);
    return changed;
  }

 private:
  void lead(const PlanLine& line, std::vector<PlanLine>& out) const {
    const Spot a = line.a, b = line.b;
    const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y, whole = dx * dx + dy * dy;
    std::vector<std::pair<std::int64_t, Spot>> on_the_way{{0, a}, {whole, b}};
    if (a != b)
      forStretches(a, b, stretch_, [&](const SpotBox& box) {
        index_.query(box.widened(near_), [&](std::uint32_t k) {
          const Spot p = ends_[k];
          const std::int64_t along = dx * (std::int64_t{p.x} - a.x) + dy * (std::int64_t{p.y} - a.y);
          if (p == a || p == b || along <= 0 || along >= whole) return;
          const Wide beside = cross(a, b, p);
          if (beside * beside <= Wide{whole} * near_ * near_) on_the_way.emplace_back(along, p);
        });
      });
    sortUnique(on_the_way);
    for (std::size_t k = 1; k < on_the_way.size(); ++k) {
      const Spot p = on_the_way[k - 1].second, q = on_the_way[k].second;
      out.push_back({std::min(p, q), std::max(p, q), line.sheet, line.cut});
    }
  }

  std::int32_t near_, stretch_;
  std::vector<Spot> ends_;
  BoxIndex index_;
};

std::vector<Spot> findNodes(const std::vector<PlanLine>& lines, const Segments& segments, std::int32_t stretch,
                            const base::Threads& threads) {
  std::vector<SpotBox> boxes;
  boxes.reserve(segments.size());
  for (std::size_t i = 0; i < segments.size(); ++i) boxes.push_back(SpotBox::around(segments.a[i], segments.b[i]));
  const BoxIndex index(std::move(boxes));
  std::vector<std::vector<Spot>> parts((segments.size() + kGrain - 1) / kGrain);
  threads.forEach(segments.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Spot>& found = parts[begin / kGrain];
    for (std::size_t i = begin; i < end; ++i) {
      const Spot a = segments.a[i], b = segments.b[i];
      forStretches(a, b, stretch, [&](const SpotBox& box) {
        index.query(box, [&](std::uint32_t j) {
          Spot at;
          if (j > i && crossing(a, b, segments.a[j], segments.b[j], at)) found.push_back(at);
        });
      });
    }
    sortUnique(found);
  });
  std::vector<Spot> nodes = joined(parts);
  for (const PlanLine& line : lines) nodes.push_back(line.a), nodes.push_back(line.b);
  sortUnique(nodes);
  return nodes;
}

}  // namespace

PlanGraph noded(std::vector<PlanLine> lines, const PlanGrid& grid, const base::Threads& threads) {
  const std::int32_t stretch = spots(kStretch, grid);
  constexpr int kRounds = 4;  // what is led through a place may now pass others
  const Settling settling(lines, grid, stretch);
  for (int round = 0; round < kRounds && settling.settle(lines, threads); ++round) {
  }
  Segments segments;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    const PlanLine& line = lines[i];
    if (line.a == line.b || (segments.size() > 0 && segments.a.back() == line.a && segments.b.back() == line.b))
      continue;
    segments.a.push_back(line.a), segments.b.push_back(line.b), segments.line.push_back(i);
  }
  PlanGraph graph;
  graph.nodes = findNodes(lines, segments, stretch, threads);

  std::vector<SpotBox> boxes;
  boxes.reserve(graph.nodes.size());
  for (const Spot node : graph.nodes) boxes.push_back({node, node});
  const BoxIndex index(std::move(boxes));
  std::vector<std::vector<PlanGraph::Edge>> parts((segments.size() + kGrain - 1) / kGrain);
  std::vector<std::vector<std::pair<PlanGraph::Edge, std::uint32_t>>> sheets(parts.size()), cuts(parts.size());
  threads.forEach(segments.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> on_the_way;
    for (std::size_t i = begin; i < end; ++i) {
      const Spot a = segments.a[i], b = segments.b[i];
      on_the_way.clear();
      forStretches(a, b, stretch, [&](const SpotBox& box) {
        index.query(box, [&](std::uint32_t node) {
          const Spot p = graph.nodes[node];
          if (!passes(a, b, p)) return;
          const std::int64_t along = (std::int64_t{b.x} - a.x) * (std::int64_t{p.x} - a.x) +
                                     (std::int64_t{b.y} - a.y) * (std::int64_t{p.y} - a.y);
          on_the_way.emplace_back(along, node);
        });
      });
      sortUnique(on_the_way);
      for (std::size_t k = 1; k < on_the_way.size(); ++k) {
        const std::uint32_t p = on_the_way[k - 1].second, q = on_the_way[k].second;
        const PlanGraph::Edge edge{std::min(p, q), std::max(p, q)};
        parts[begin / kGrain].push_back(edge);
        for (std::size_t line = segments.line[i]; line < lines.size() && lines[line].a == a && lines[line].b == b;
             ++line) {
          if (lines[line].sheet != kNone) sheets[begin / kGrain].emplace_back(edge, lines[line].sheet);
          if (lines[line].cut != kNone) cuts[begin / kGrain].emplace_back(edge, lines[line].cut);
        }
      }
    }
  });
  graph.edges = joined(parts);
  sortUnique(graph.edges);
  graph.sheets = joined(sheets);
  sortUnique(graph.sheets);
  graph.cuts = joined(cuts);
  sortUnique(graph.cuts);
  return graph;
}

}  // namespace throng::import
