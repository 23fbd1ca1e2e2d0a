// The one noder: lines on an integer plane are made to meet at their ends only. Crossings are found exactly and rounded
// to the plane, and a line that passes a place too near to be told apart from it is led through that place (snap
// rounding: Hobby 1999, Guibas & Marimont 1998). There are two ways to the end: rounds of cuts until no line comes near
// another's end (separate), or chains through places that are known (WayPlaces), once.
//
// A line is anything with two ends `a` and `b` (GridPlace) that can be ordered; whatever else it holds is copied into
// its pieces.
#pragma once

#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "base/lists.h"
#include "base/parallel.h"
#include "geometry/box_index.h"

namespace throng::geometry {

template <class Line>
using PlaceOfLine = std::remove_cvref_t<decltype(std::declval<Line>().a)>;
template <class Line>
using NumberOfLine = std::remove_cvref_t<decltype(std::declval<Line>().a.x)>;

/// Does ab pass a place between its ends, no farther from it than so many quarters of the spacing? The ends themselves
/// are not between them. At most 2^24 quarters.
template <class N>
bool passesNear(GridPlace<N> a, GridPlace<N> b, GridPlace<N> place, std::int64_t quarters) {
  const GridProduct<N> at = along(a, b, place), whole = along(a, b, b);
  if (at <= 0 || at >= whole) return false;
  const Int128 beside = cross(a, b, place);
  constexpr Int128 kMost = Int128{1} << 56;  // no line is so long that so much were near; more would not fit below
  return beside < kMost && beside > -kMost && 16 * beside * beside <= Int128{whole} * quarters * quarters;
}

/// Does a line pass the square around a node, of which the left and lower sides are part? The line's ends are nodes, so
/// that none lies on the sides of a square.
template <class N>
bool passesSquare(GridPlace<N> a, GridPlace<N> b, GridPlace<N> node) {
  if (!GridBox<N>::around(a, b).overlaps({node, node})) return false;
  // Sides of the square's corners, in half spacings: cross(a, b, p) with p = node + (-1, -1)/2 is the first.
  const GridProduct<N> dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y, centre = 2 * cross(a, b, node);
  const GridProduct<N> corner[4] = {centre - dx + dy, centre - dx - dy, centre + dx + dy, centre + dx - dy};
  int left = 0, right = 0;
  for (const GridProduct<N> c : corner) left += c > 0, right += c < 0;
  return (left > 0 && right > 0) || corner[0] == 0;
}

/// visit(i, j) once for all pairs of lines whose boxes meet.
template <class Line, class Visit>
void forMeetingPairs(const std::vector<Line>& lines, const Visit& visit) {
  constexpr std::size_t kFew = 4096;  // a sweep over so few is quicker than an index of them
  using Box = GridBox<NumberOfLine<Line>>;
  std::vector<Box> boxes;
  boxes.reserve(lines.size());
  for (const Line& line : lines) boxes.push_back(Box::around(line.a, line.b));
  if (lines.size() > kFew) {
    const BoxIndex<NumberOfLine<Line>> index(std::move(boxes));
    for (std::uint32_t i = 0; i < lines.size(); ++i)
      index.query(index.box(i), [&](std::uint32_t j) {
        if (j < i) visit(i, j);
      });
    return;
  }
  // Along x, with those that the line of the sweep is in.
  std::vector<std::pair<Box, std::uint32_t>> coming, active;
  coming.reserve(lines.size());
  for (std::uint32_t i = 0; i < lines.size(); ++i) coming.emplace_back(boxes[i], i);
  std::sort(coming.begin(), coming.end(), [](const auto& s, const auto& t) { return s.first.min.x < t.first.min.x; });
  for (const auto& [box, i] : coming) {
    std::size_t kept = 0;
    for (const auto& other : active) {
      if (other.first.max.x < box.min.x) continue;
      active[kept++] = other;
      if (other.first.min.y <= box.max.y && box.min.y <= other.first.max.y) visit(i, other.second);
    }
    active.resize(kept);
    active.emplace_back(box, i);
  }
}

template <class Line>
struct LineCut {
  std::uint32_t line;
  PlaceOfLine<Line> at;
};

/// The pieces of lines between their cuts, each line's in their order along it.
template <class Line>
std::vector<Line> pieces(const std::vector<Line>& lines, std::vector<LineCut<Line>>& cuts) {
  const auto at = [&](const LineCut<Line>& cut) { return along(lines[cut.line].a, lines[cut.line].b, cut.at); };
  std::sort(cuts.begin(), cuts.end(), [&](const LineCut<Line>& s, const LineCut<Line>& t) {
    if (s.line != t.line) return s.line < t.line;
    const auto u = at(s), v = at(t);
    return u != v ? u < v : s.at < t.at;
  });
  std::vector<Line> result;
  result.reserve(lines.size() + cuts.size());
  std::size_t c = 0;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    Line piece = lines[i];
    const auto add = [&](PlaceOfLine<Line> to) {
      piece.b = to;
      if (piece.a != piece.b) result.push_back(piece);
      piece.a = to;
    };
    for (; c < cuts.size() && cuts[c].line == i; ++c) add(cuts[c].at);
    add(lines[i].b);
  }
  return result;
}

/// How separate() came to its end.
template <class Line>
struct Separation {
  bool split = false;                      ///< some line is in pieces
  std::optional<PlaceOfLine<Line>> stuck;  ///< where lines still come too near: rounding does not take them apart
};

/// Splits lines where they cross, touch, lie on one another or come nearer than so many quarters of the spacing to an
/// end, until they share nothing but ends. Pieces that lie on one another are all kept; lines without length are left
/// out. Sorted. Lines that need no split cost one look.
template <class Line>
Separation<Line> separate(std::vector<Line>& lines, std::int64_t quarters) {
  constexpr int kRounds = 64;  // a round moves lines by less than the spacing; two or three are the rule
  std::erase_if(lines, [](const Line& line) { return line.a == line.b; });
  std::sort(lines.begin(), lines.end());
  std::vector<LineCut<Line>> cuts;
  Separation<Line> result;
  for (int round = 0; round < kRounds; ++round) {
    cuts.clear();
    forMeetingPairs(lines, [&](std::uint32_t i, std::uint32_t j) {
      const Line &s = lines[i], &t = lines[j];
      const std::size_t before = cuts.size();
      for (const auto end : {t.a, t.b})
        if (passesNear(s.a, s.b, end, quarters)) cuts.push_back({i, end});
      for (const auto end : {s.a, s.b})
        if (passesNear(t.a, t.b, end, quarters)) cuts.push_back({j, end});
      if (cuts.size() > before) return;
      if (const auto at = crossing(s.a, s.b, t.a, t.b)) cuts.push_back({i, *at}), cuts.push_back({j, *at});
    });
    if (cuts.empty()) return result;
    lines = pieces(lines, cuts);
    std::sort(lines.begin(), lines.end());
    result.split = true;
  }
  result.stuck = cuts.front().at;
  return result;
}

/// piece(box) for the boxes of the stretches of a long line, which together are far smaller than the box of the line.
template <class N, class Piece>
void forStretches(GridPlace<N> a, GridPlace<N> b, N longest, const Piece& piece) {
  const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
  const bool slanted = std::min(std::abs(dx), std::abs(dy)) > longest;
  const std::int64_t n = slanted ? std::clamp<std::int64_t>(std::max(std::abs(dx), std::abs(dy)) / longest, 1, 256) : 1;
  const auto at = [&](std::int64_t i) {
    return GridPlace<N>{static_cast<N>(a.x + dx * i / n), static_cast<N>(a.y + dy * i / n)};
  };
  for (std::int64_t i = 0; i < n; ++i) piece(GridBox<N>::around(at(i), at(i + 1)).widened(2));
}

/// Where lines cross, rounded; ascending. Lines longer than `stretch` are looked at in pieces.
template <class Line>
std::vector<PlaceOfLine<Line>> crossings(const std::vector<Line>& lines, NumberOfLine<Line> stretch,
                                         const base::Threads& threads) {
  using Box = GridBox<NumberOfLine<Line>>;
  constexpr std::size_t kGrain = 512;
  std::vector<Box> boxes;
  boxes.reserve(lines.size());
  for (const Line& line : lines) boxes.push_back(Box::around(line.a, line.b));
  const BoxIndex<NumberOfLine<Line>> index(std::move(boxes));
  std::vector<std::vector<PlaceOfLine<Line>>> parts((lines.size() + kGrain - 1) / kGrain);
  threads.forEach(lines.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    auto& found = parts[begin / kGrain];
    for (std::size_t i = begin; i < end; ++i)
      forStretches(lines[i].a, lines[i].b, stretch, [&](const Box& box) {
        index.query(box, [&](std::uint32_t j) {
          if (j <= i) return;
          if (const auto at = crossing(lines[i].a, lines[i].b, lines[j].a, lines[j].b)) found.push_back(*at);
        });
      });
    base::sortUnique(found);
  });
  auto all = base::joined(parts);
  base::sortUnique(all);
  return all;
}

/// Which places lines go through.
struct Chains {
  std::vector<std::size_t> start;     ///< per line, into places; one more at the end
  std::vector<std::uint32_t> places;  ///< in their order along each line

  std::span<const std::uint32_t> of(std::size_t line) const {
    return std::span(places).subspan(start[line], start[line + 1] - start[line]);
  }
};

/// Places that lines may be led through.
template <class N>
class WayPlaces {
 public:
  /// Ascending, each once.
  explicit WayPlaces(std::vector<GridPlace<N>> places) : places_(std::move(places)) {
    std::vector<GridBox<N>> boxes;
    boxes.reserve(places_.size());
    for (const GridPlace<N> place : places_) boxes.push_back({place, place});
    index_ = BoxIndex<N>(std::move(boxes));
  }

  const std::vector<GridPlace<N>>& places() const { return places_; }

  /// For every line the places that `passes(a, b, place)` accepts, which are no farther than `reach` from it. Lines
  /// longer than `stretch` are looked at in pieces.
  template <class Line, class Passes>
  Chains chains(const std::vector<Line>& lines, N reach, N stretch, const Passes& passes,
                const base::Threads& threads) const {
    constexpr std::size_t kGrain = 512;
    std::vector<std::vector<std::uint32_t>> parts((lines.size() + kGrain - 1) / kGrain);
    std::vector<std::size_t> count(lines.size());
    threads.forEach(lines.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      std::vector<std::pair<GridProduct<N>, std::uint32_t>> on_the_way;
      for (std::size_t i = begin; i < end; ++i) {
        const GridPlace<N> a = lines[i].a, b = lines[i].b;
        on_the_way.clear();
        forStretches(a, b, stretch, [&](const GridBox<N>& box) {
          index_.query(box.widened(reach), [&](std::uint32_t k) {
            if (passes(a, b, places_[k])) on_the_way.emplace_back(along(a, b, places_[k]), k);
          });
        });
        base::sortUnique(on_the_way);
        count[i] = on_the_way.size();
        for (const auto& [at, k] : on_the_way) parts[begin / kGrain].push_back(k);
      }
    });
    Chains result;
    result.start.reserve(lines.size() + 1);
    result.start.push_back(0);
    for (const std::size_t n : count) result.start.push_back(result.start.back() + n);
    result.places = base::joined(parts);
    return result;
  }

 private:
  std::vector<GridPlace<N>> places_;
  BoxIndex<N> index_;
};

}  // namespace throng::geometry
