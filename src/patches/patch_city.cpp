#include "throng/patch_city.h"

#include <fmt/format.h>

#include "base/random.h"
#include "patches/district.h"
#include "patches/map_check.h"

namespace throng {
using patches::Beyond;
using patches::DistrictCell;

void patches::refuseMap(const PatchMap& map) {
  const auto say = [](const std::string& what) { throw InputError("a map of patches: " + what); };
  if (map.cells.size() != std::size_t{map.columns} * map.rows)
    say(fmt::format("{} by {} cells, {} given; allowed: as many as columns times rows", map.columns, map.rows,
                    map.cells.size()));
  if (!(map.side >= 5 && map.side <= 100)) say(fmt::format("cells of {:g} m; allowed: 5 to 100", map.side));
  if (!(map.period >= 5 && map.period <= 100)) say(fmt::format("a period of {:g} s; allowed: 5 to 100", map.period));
  if (map.patterns < 1 || map.patterns > 100) say(fmt::format("{} patterns; allowed: 1 to 100", map.patterns));
  refuseTemplates(map.templates);
  for (const std::int32_t kind : map.cells)
    if (kind < kGroundCell || kind >= static_cast<std::int32_t>(map.templates.size()))
      say(fmt::format("a cell has template {}; allowed: -2 to {}", kind,
                      static_cast<std::int64_t>(map.templates.size()) - 1));
}

PatchLibrary makePatchCity(const PatchMap& map, PatchReport* report) {
  patches::refuseMap(map);
  std::vector<std::uint32_t> number(map.cells.size(), DistrictCell::kNone);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < map.cells.size(); ++i)
    if (map.cells[i] >= 0) number[i] = count++;
  if (count == 0) throw InputError("the map has no patches; allowed: at least one cell with a template");
  std::vector<DistrictCell> cells;
  for (std::int64_t row = 0; row < map.rows; ++row)
    for (std::int64_t column = 0; column < map.columns; ++column) {
      const std::int32_t kind = map.cells[static_cast<std::size_t>(row * map.columns + column)];
      if (kind < 0) continue;
      DistrictCell& cell = cells.emplace_back();
      cell.corners = {{0, 0}, {map.side, 0}, {map.side, map.side}, {0, map.side}};
      cell.at = {map.side * static_cast<double>(column), map.side * static_cast<double>(row)};
      cell.kind = static_cast<std::uint32_t>(kind);
      cell.luck = base::mix(base::mix(static_cast<std::uint64_t>(column)) ^ static_cast<std::uint64_t>(row));
      for (const auto& [dx, dy] : {std::pair(0, -1), std::pair(1, 0), std::pair(0, 1), std::pair(-1, 0)}) {
        const std::int64_t x = column + dx, y = row + dy;
        const bool is_inside = x >= 0 && y >= 0 && x < map.columns && y < map.rows;
        const std::uint32_t other =
            is_inside ? number[static_cast<std::size_t>(y * map.columns + x)] : DistrictCell::kNone;
        cell.neighbour.push_back(other);
        const bool is_ground = is_inside && map.cells[static_cast<std::size_t>(y * map.columns + x)] == kGroundCell;
        cell.beyond.push_back(other != DistrictCell::kNone ? Beyond::kPatch
                              : is_ground                  ? Beyond::kGround
                              : is_inside                  ? Beyond::kBuilding
                                                           : Beyond::kOutside);
      }
    }
  PatchReport unread;
  PatchReport& wanted = report ? *report : unread;
  wanted = {};
  PatchLibrary library = patches::makeDistrict(cells, map, patches::PointsFrom::kPatterns, base::Threads(), wanted);
  wanted.free_area = wanted.covered_area;
  return library;
}

}  // namespace throng
