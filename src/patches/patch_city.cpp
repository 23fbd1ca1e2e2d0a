#include "throng/patch_city.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "base/random.h"

namespace throng {
namespace {

constexpr int kTries = 40;      ///< seeds for a pattern or a patch
constexpr int kNoPattern = -1;  ///< a wall
constexpr std::array<const char*, 4> kSides = {"south", "east", "north", "west"};

/// A pattern is of a template and a direction; a patch of its template, its four patterns and its version.
using PatchKey = std::array<int, 6>;

class City {
 public:
  explicit City(const PatchMap& map) : map_(map) { refuse(); }

  PatchLibrary make() {
    PatchLibrary library;
    std::map<PatchKey, std::uint32_t> made;
    for (std::uint32_t row = 0; row < map_.rows; ++row)
      for (std::uint32_t column = 0; column < map_.columns; ++column) {
        const int kind = cell(column, row);
        if (kind < 0) continue;
        const PatchKey key = keyAt(column, row, kind);
        const auto [entry, is_new] = made.try_emplace(key, static_cast<std::uint32_t>(library.patches.size()));
        if (is_new) library.patches.push_back(patchOf(key, column, row));
        library.placed.push_back({entry->second, {map_.side * column, map_.side * row}});
      }
    if (library.placed.empty())
      throw InputError("the map has buildings only; allowed: at least one cell with a template");
    return library;
  }

 private:
  void refuse() const {
    const auto say = [](const std::string& what) { throw InputError("a map of patches: " + what); };
    if (map_.columns < 1 || map_.rows < 1 || map_.cells.size() != std::size_t{map_.columns} * map_.rows)
      say(fmt::format("{} by {} cells, {} given; allowed: as many as columns times rows", map_.columns, map_.rows,
                      map_.cells.size()));
    if (!(map_.side >= 5 && map_.side <= 100)) say(fmt::format("cells of {:g} m; allowed: 5 to 100", map_.side));
    if (!(map_.period >= 5 && map_.period <= 100))
      say(fmt::format("a period of {:g} s; allowed: 5 to 100", map_.period));
    if (map_.patterns < 1 || map_.patterns > 100) say(fmt::format("{} patterns; allowed: 1 to 100", map_.patterns));
    for (const PatchTemplate& t : map_.templates)
      if (t.crossings < 0 || t.crossings > 30 || t.objects < 0 || t.objects > 3 || t.residents < 0 || t.residents > 3 ||
          t.versions < 1 || t.versions > 1000)
        say(fmt::format(
            "template \"{}\" has {} crossings, {} objects, {} residents and {} versions; allowed: 0 to 30, 0 "
            "to 3, 0 to 3, 1 to 1000",
            t.name, t.crossings, t.objects, t.residents, t.versions));
    for (const std::int32_t kind : map_.cells)
      if (kind < -1 || kind >= static_cast<std::int32_t>(map_.templates.size()))
        say(fmt::format("a cell has template {}; allowed: -1 to {}", kind, map_.templates.size() - 1));
  }

  int cell(std::int64_t column, std::int64_t row) const {
    if (column < 0 || row < 0 || column >= map_.columns || row >= map_.rows) return -1;
    return map_.cells[static_cast<std::size_t>(row * map_.columns + column)];
  }
  std::uint64_t luck(std::uint64_t what, std::int64_t column, std::int64_t row) const {
    return base::mix(base::mix(base::mix(map_.seed ^ what) ^ static_cast<std::uint64_t>(column)) ^
                     static_cast<std::uint64_t>(row));
  }

  /// The pattern on the eastern (or northern) border of a cell.
  int patternAt(std::int64_t column, std::int64_t row, bool north) const {
    const int a = cell(column, row), b = north ? cell(column, row + 1) : cell(column + 1, row);
    if (a < 0 || b < 0) return kNoPattern;
    const auto of = [&](int k) { return map_.templates[static_cast<std::size_t>(k)].crossings; };
    const int quieter = of(a) < of(b) || (of(a) == of(b) && a < b) ? a : b;
    const auto variant =
        static_cast<int>(luck(north ? 'n' : 'e', column, row) % static_cast<std::uint64_t>(map_.patterns));
    return (quieter * map_.patterns + variant) * 2 + north;
  }
  PatchKey keyAt(std::int64_t column, std::int64_t row, int kind) const {
    const auto versions = static_cast<std::uint64_t>(map_.templates[static_cast<std::size_t>(kind)].versions);
    return {kind,
            patternAt(column, row - 1, true),
            patternAt(column, row, false),
            patternAt(column, row, true),
            patternAt(column - 1, row, false),
            static_cast<int>(luck('v', column, row) % versions)};
  }

  const PatchPattern& pattern(int number) {
    const auto found = patterns_.find(number);
    if (found != patterns_.end()) return found->second;
    const PatchTemplate& kind = map_.templates[static_cast<std::size_t>(number / 2 / map_.patterns)];
    const auto wanted = static_cast<std::size_t>(kind.crossings);
    PatternType type;
    if (kind.lanes) type = {PatternType::Kind::kSpace, false, true};
    base::Random random(map_.seed, 0x706174u + static_cast<std::uint64_t>(number));
    for (int attempt = 0; attempt < kTries; ++attempt) {
      PatchPattern made = makePattern(type, map_.side, map_.period, wanted, wanted, random.bits());
      // As many in as out on every border: so walls may be anywhere, and inputs and outputs of a patch are equal.
      if (made.inputs.size() != wanted || made.outputs.size() != wanted) continue;
      made.name = fmt::format("{} {}", kind.name, number);
      return patterns_.emplace(number, std::move(made)).first->second;
    }
    throw InputError(
        fmt::format("template \"{}\": {} people per direction do not find room on a border of {:g} m in {:g} "
                    "s; allowed: fewer crossings",
                    kind.name, kind.crossings, map_.side, map_.period));
  }

  /// What stands in the middle of a patch, apart from each other and from the borders.
  void furnish(PatchDefinition& patch, const PatchTemplate& kind, base::Random& random) const {
    std::vector<Point> taken;
    const auto place = [&] {
      Point p;
      bool free = false;
      for (int attempt = 0; attempt < kTries && !free; ++attempt) {
        p = {random.uniform(0.3, 0.7) * map_.side, random.uniform(0.3, 0.7) * map_.side};
        free = true;
        for (const Point q : taken) free = free && length(p - q) > 1.3;
      }
      if (free) taken.push_back(p);
      return free;
    };
    for (int i = 0; i < kind.objects && place(); ++i) {
      const Point p = taken.back(), half{random.uniform(0.15, 0.35), random.uniform(0.15, 0.35)};
      patch.objects.push_back(
          {"object", {p - half, {p.x + half.x, p.y - half.y}, p + half, {p.x - half.x, p.y + half.y}}});
    }
    for (int i = 0; i < kind.residents && place(); ++i)
      patch.residents.push_back({"resident", {taken.back()}, {random.uniform(-1, 1), random.uniform(0.1, 1)}});
  }

  Patch patchOf(const PatchKey& key, std::uint32_t column, std::uint32_t row) {
    const PatchTemplate& kind = map_.templates[static_cast<std::size_t>(key[0])];
    std::uint64_t seed = map_.seed;
    for (const int part : key) seed = base::mix(seed ^ static_cast<std::uint64_t>(part + 2));
    std::string reason;
    for (int attempt = 0; attempt < kTries; ++attempt, ++seed) {
      PatchDefinition patch;
      patch.name = fmt::format("{} {}", kind.name, fmt::join(key, "."));
      patch.corners = {{0, 0}, {map_.side, 0}, {map_.side, map_.side}, {0, map_.side}};
      patch.period = map_.period;
      for (std::size_t s = 0; s < 4; ++s) {
        const int number = key[s + 1];
        if (number == kNoPattern) {
          patch.sides.push_back({kSides[s], map_.side, map_.period, {}, {}});
        } else {
          patch.sides.push_back(s == 0 || s == 3 ? mirrored(pattern(number)) : pattern(number));
        }
      }
      base::Random random(seed);
      furnish(patch, kind, random);
      PatchSettings how;
      how.seed = seed, how.attempts = 2;
      PatchResult result = generateWalks(patch, how);
      if (result.patch) return std::move(*result.patch);
      reason = result.reasons.front();
    }
    throw InputError(
        fmt::format("the patch of template \"{}\" at column {}, row {} cannot be made: {}; allowed: fewer "
                    "crossings, objects or residents",
                    kind.name, column, row, reason));
  }

  const PatchMap& map_;
  std::map<int, PatchPattern> patterns_;
};

}  // namespace

PatchLibrary makePatchCity(const PatchMap& map) { return City(map).make(); }

}  // namespace throng
