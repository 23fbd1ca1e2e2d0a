#include "corridors/noding.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "throng/base.h"

namespace throng::corridors {
namespace {

using Place = IntegerGrid::Place;

// Coordinates are below 2^31, so that products need 65 bits.
__extension__ typedef __int128 Wide;

int orientation(Place a, Place b, Place c) {
  const Wide area = static_cast<Wide>(b.x - a.x) * (c.y - a.y) - static_cast<Wide>(b.y - a.y) * (c.x - a.x);
  return area > 0 ? 1 : area < 0 ? -1 : 0;
}

/// On the segment as far as the grid can tell, and not one of its ends. (What passes nearer to a corner than the
/// spacing of the grid goes through it, as in snap rounding by hot pixels; Hobby 1999.)
bool inside(const DirectedWall& s, Place p) {
  constexpr double kNear = 0.75;  // of the spacing
  if (p == s.a || p == s.b) return false;
  const double dx = static_cast<double>(s.b.x - s.a.x), dy = static_cast<double>(s.b.y - s.a.y);
  const double px = static_cast<double>(p.x - s.a.x), py = static_cast<double>(p.y - s.a.y);
  const double squared = dx * dx + dy * dy, along = dx * px + dy * py;
  if (!(along > 0 && along < squared)) return false;
  const Wide area = static_cast<Wide>(s.b.x - s.a.x) * (p.y - s.a.y) - static_cast<Wide>(s.b.y - s.a.y) * (p.x - s.a.x);
  const double off = static_cast<double>(area);
  return off * off < kNear * kNear * squared;
}

bool crossing(const DirectedWall& s, const DirectedWall& t) {
  return orientation(s.a, s.b, t.a) * orientation(s.a, s.b, t.b) < 0 &&
         orientation(t.a, t.b, s.a) * orientation(t.a, t.b, s.b) < 0;
}

Place crossingPoint(const DirectedWall& s, const DirectedWall& t) {
  const double sx = static_cast<double>(s.b.x - s.a.x), sy = static_cast<double>(s.b.y - s.a.y);
  const double tx = static_cast<double>(t.b.x - t.a.x), ty = static_cast<double>(t.b.y - t.a.y);
  const double dx = static_cast<double>(t.a.x - s.a.x), dy = static_cast<double>(t.a.y - s.a.y);
  const double share = std::clamp((dx * ty - dy * tx) / (sx * ty - sy * tx), 0.0, 1.0);
  return {s.a.x + std::llround(share * sx), s.a.y + std::llround(share * sy)};
}

/// visit(i, j) for all pairs of walls whose boxes meet: a sweep along x.
template <class Visit>
void forPairs(const std::vector<DirectedWall>& walls, const Visit& visit) {
  struct Box {
    std::int64_t x0, x1, y0, y1;
    std::uint32_t wall;
  };
  std::vector<Box> boxes, active;
  boxes.reserve(walls.size());
  for (std::uint32_t i = 0; i < walls.size(); ++i) {
    const auto& [a, b, tag] = walls[i];
    // One wider than they are: what passes near a corner counts.
    boxes.push_back({std::min(a.x, b.x), std::max(a.x, b.x) + 1, std::min(a.y, b.y), std::max(a.y, b.y) + 1, i});
  }
  std::sort(boxes.begin(), boxes.end(),
            [](const Box& s, const Box& t) { return std::tie(s.x0, s.wall) < std::tie(t.x0, t.wall); });
  for (const Box& box : boxes) {
    std::size_t kept = 0;
    for (const Box& other : active) {
      if (other.x1 < box.x0) continue;
      active[kept++] = other;
      if (other.y0 <= box.y1 && box.y0 <= other.y1) visit(box.wall, other.wall);
    }
    active.resize(kept);
    active.push_back(box);
  }
}

struct Cut {
  std::uint32_t wall;
  Place at;
};

void findCuts(const DirectedWall& s, const DirectedWall& t, std::uint32_t i, std::uint32_t j, std::vector<Cut>& cuts) {
  const std::size_t before = cuts.size();
  for (const Place p : {t.a, t.b})
    if (inside(s, p)) cuts.push_back({i, p});
  for (const Place p : {s.a, s.b})
    if (inside(t, p)) cuts.push_back({j, p});
  if (cuts.size() > before || !crossing(s, t)) return;
  const Place at = crossingPoint(s, t);
  cuts.push_back({i, at}), cuts.push_back({j, at});
}

/// Pieces of the walls between their cuts.
std::vector<DirectedWall> split(const std::vector<DirectedWall>& walls, std::vector<Cut>& cuts) {
  const auto along = [&](const Cut& cut) {
    const auto& [a, b, tag] = walls[cut.wall];
    return static_cast<Wide>(b.x - a.x) * (cut.at.x - a.x) + static_cast<Wide>(b.y - a.y) * (cut.at.y - a.y);
  };
  std::sort(cuts.begin(), cuts.end(), [&](const Cut& s, const Cut& t) {
    if (s.wall != t.wall) return s.wall < t.wall;
    const Wide u = along(s), v = along(t);
    return u != v ? u < v : s.at < t.at;
  });
  std::vector<DirectedWall> pieces;
  pieces.reserve(walls.size() + cuts.size());
  std::size_t c = 0;
  for (std::uint32_t i = 0; i < walls.size(); ++i) {
    Place from = walls[i].a;
    const auto add = [&](Place to) {
      if (to != from) pieces.push_back({from, to, walls[i].tag});
      from = to;
    };
    for (; c < cuts.size() && cuts[c].wall == i; ++c) add(cuts[c].at);
    add(walls[i].b);
  }
  return pieces;
}

void sortByEnds(std::vector<DirectedWall>& walls) {
  std::sort(walls.begin(), walls.end(), [](const DirectedWall& s, const DirectedWall& t) {
    return std::tie(s.a, s.b, s.tag) < std::tie(t.a, t.b, t.tag);
  });
}

/// Counts how often rings go around the left or right of pieces: a ray up from the middle of each.
class Winding {
 public:
  explicit Winding(const std::vector<NodedWall>& walls) : walls_(walls) {
    low_ = walls.front().a.x, high_ = low_;
    for (const NodedWall& w : walls) high_ = std::max(high_, w.b.x);
    columns_ = static_cast<std::int64_t>(std::clamp<std::size_t>(walls.size() / 8, 1, 8192));
    first_.assign(static_cast<std::size_t>(columns_) + 1, 0);
    for (const int pass : {0, 1}) {
      for (std::uint32_t i = 0; i < walls.size(); ++i)
        if (walls[i].weight != 0 && walls[i].a.x != walls[i].b.x)
          for (std::size_t c = column(walls[i].a.x), end = column(walls[i].b.x); c <= end; ++c)
            pass == 0 ? void(++first_[c + 1]) : void(list_[next_[c]++] = i);
      if (pass == 1) break;
      for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
      next_ = first_;
      list_.resize(first_.back());
    }
  }

  /// Around the left of a piece; of a vertical one around the right (which is the side of larger x).
  int around(std::uint32_t i) const {
    const NodedWall& wall = walls_[i];
    const Place middle{wall.a.x + wall.b.x, wall.a.y + wall.b.y};  // doubled
    int count = 0;
    const std::size_t c = column((wall.a.x + wall.b.x) / 2);
    for (std::size_t k = first_[c]; k < first_[c + 1]; ++k) {
      const NodedWall& other = walls_[list_[k]];
      const Place a{2 * other.a.x, 2 * other.a.y}, b{2 * other.b.x, 2 * other.b.y};
      if (list_[k] != i && a.x <= middle.x && middle.x < b.x && orientation(a, b, middle) < 0) count -= other.weight;
    }
    return count;
  }

 private:
  std::size_t column(std::int64_t x) const {
    return static_cast<std::size_t>((x - low_) * (columns_ - 1) / std::max<std::int64_t>(1, high_ - low_));
  }

  const std::vector<NodedWall>& walls_;
  std::int64_t low_ = 0, high_ = 0, columns_ = 1;
  std::vector<std::size_t> first_, next_;
  std::vector<std::uint32_t> list_;
};

}  // namespace

std::vector<NodedWall> withFreeSides(const std::vector<DirectedWall>& pieces, std::uint32_t sheet, bool split) {
  std::vector<NodedWall> walls;
  walls.reserve(pieces.size());
  for (const DirectedWall& piece : pieces) {
    const bool turned = piece.b < piece.a;
    const int weight = piece.tag >= sheet ? 0 : turned ? -1 : 1;
    walls.push_back({turned ? piece.b : piece.a, turned ? piece.a : piece.b, weight, piece.tag});
  }
  std::sort(walls.begin(), walls.end(), [](const NodedWall& s, const NodedWall& t) {
    return std::tie(s.a, s.b, s.tag) < std::tie(t.a, t.b, t.tag);
  });
  std::size_t n = 0;
  bool plain = !split;  // every piece is one side of one ring, or a sheet that touches nothing between its ends
  for (const NodedWall& wall : walls) {
    if (n > 0 && walls[n - 1].a == wall.a && walls[n - 1].b == wall.b) {
      plain &= walls[n - 1].weight == 0 && wall.weight == 0;
      walls[n - 1].weight += wall.weight;
      walls[n - 1].tag = wall.tag;
    } else {
      walls[n++] = wall;
    }
  }
  walls.resize(n);
  if (walls.empty()) return walls;
  // Where every ring is as it was given, its sides are known; a sheet has to ask where it is.
  std::optional<Winding> winding;
  for (std::uint32_t i = 0; i < walls.size(); ++i) {
    NodedWall& wall = walls[i];
    if (plain && wall.weight != 0) {
      wall.left_free = wall.weight<0, wall.right_free = wall.weight> 0;
      continue;
    }
    if (!winding) winding.emplace(walls);
    const int around = winding->around(i);
    const bool vertical = wall.a.x == wall.b.x;
    const int left = vertical ? around + wall.weight : around, right = vertical ? around : around - wall.weight;
    wall.left_free = left < 0, wall.right_free = right < 0;
  }
  std::erase_if(walls, [](const NodedWall& w) {
    return (!w.left_free && !w.right_free) || (w.left_free && w.right_free && w.weight != 0);
  });
  return walls;
}

bool touchBetweenEnds(const DirectedWall& s, const DirectedWall& t) {
  return crossing(s, t) || inside(s, t.a) || inside(s, t.b) || inside(t, s.a) || inside(t, s.b);
}

std::vector<DirectedWall> noded(std::vector<DirectedWall> walls, const IntegerGrid& grid, bool* was_split) {
  constexpr int kRounds = 64;  // a round moves walls by less than the grid; two or three are the rule
  std::erase_if(walls, [](const DirectedWall& w) { return w.a == w.b; });
  sortByEnds(walls);
  if (was_split) *was_split = false;
  std::vector<Cut> cuts;
  for (int round = 0; round < kRounds; ++round) {
    cuts.clear();
    forPairs(walls, [&](std::uint32_t i, std::uint32_t j) { findCuts(walls[i], walls[j], i, j, cuts); });
    if (cuts.empty()) return walls;
    walls = split(walls, cuts);
    sortByEnds(walls);
    if (was_split) *was_split = true;
  }
  throw InputError(
      {Diagnostic{.at = grid.point(cuts.front().at),
                  .message = "Walls cross here so closely that rounding them to the map's grid does not "
                             "take them apart; the corners of walls should be a micrometre apart or more."}});
}

}  // namespace throng::corridors
