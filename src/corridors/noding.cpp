#include "corridors/noding.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "throng/base.h"

#include "geometry/noding.h"
#include "geometry/uniform_grid.h"

namespace throng::corridors {
namespace {

using Place = IntegerGrid::Place;

/// What passes nearer to a corner than the spacing of the grid goes through it.
constexpr std::int64_t kNear = 3;  // quarters of the spacing

/// Counts how often rings go around the left or right of pieces: a ray up from the middle of each.
class Winding {
 public:
  explicit Winding(const std::vector<NodedWall>& walls) : walls_(walls) {
    low_ = walls.front().a.x, high_ = low_;
    for (const NodedWall& w : walls) high_ = std::max(high_, w.b.x);
    columns_ = static_cast<std::int64_t>(std::clamp<std::size_t>(walls.size() / 8, 1, 8192));
    lists_.fill(static_cast<std::size_t>(columns_), [&](const auto& put) {
      for (std::uint32_t i = 0; i < walls.size(); ++i)
        if (walls[i].weight != 0 && walls[i].a.x != walls[i].b.x)
          for (std::size_t c = column(walls[i].a.x), end = column(walls[i].b.x); c <= end; ++c) put(c, i);
    });
  }

  /// Around the left of a piece; of a vertical one around the right (which is the side of larger x).
  int around(std::uint32_t i) const {
    const NodedWall& wall = walls_[i];
    const Place middle{wall.a.x + wall.b.x, wall.a.y + wall.b.y};  // doubled
    int count = 0;
    for (const std::uint32_t k : lists_.of(column((wall.a.x + wall.b.x) / 2))) {
      const NodedWall& other = walls_[k];
      const Place a{2 * other.a.x, 2 * other.a.y}, b{2 * other.b.x, 2 * other.b.y};
      if (k != i && a.x <= middle.x && middle.x < b.x && cross(a, b, middle) < 0) count -= other.weight;
    }
    return count;
  }

 private:
  std::size_t column(std::int64_t x) const {
    return static_cast<std::size_t>((x - low_) * (columns_ - 1) / std::max<std::int64_t>(1, high_ - low_));
  }

  const std::vector<NodedWall>& walls_;
  std::int64_t low_ = 0, high_ = 0, columns_ = 1;
  geometry::CellLists lists_;  ///< walls by column
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

std::vector<DirectedWall> noded(std::vector<DirectedWall> walls, const IntegerGrid& grid, bool* split) {
  const auto separation = geometry::separate(walls, kNear);
  if (separation.stuck)
    throw InputError(
        {Diagnostic{.at = grid.point(*separation.stuck),
                    .message = "Walls cross here so closely that rounding them to the map's grid does not "
                               "take them apart; the corners of walls should be a micrometre apart or more."}});
  if (split) *split = separation.split;
  return walls;
}

}  // namespace throng::corridors
