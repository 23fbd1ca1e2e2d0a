#include "patches/district.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "base/math.h"
#include "base/random.h"
#include "geometry/convex_cells.h"
#include "patches/border_chains.h"
#include "patches/border_flows.h"
#include "patches/furnish.h"
#include "patches/generators.h"
#include "patches/pattern_points.h"

namespace throng::patches {
namespace {

constexpr double kTurningRoom = 0.6;  ///< of a square of cells: smaller ones are not entered to turn back
constexpr int kAnyNumber = 1000;      ///< of people over a border
constexpr double kLongWalk = 6;       ///< s in a patch
constexpr double kShortest = 2.2;     ///< m; shorter sides are empty
constexpr int kPatternSeeds = 6;      ///< for a pattern that does not find room for all
constexpr int kDensityRounds = 8;     ///< of counting people and correcting crossings
constexpr int kFurnishings = 3;       ///< ways to furnish a patch, per try
constexpr int kAttempts = 2;          ///< pairings per furnishing
constexpr int kOtherPatterns = 1;     ///< times that borders get other patterns before they get fewer people
constexpr int kBareFrom = 6;          ///< tries after which a patch is not furnished any more
constexpr double kFewer = 0.12;       ///< of a border's people, at least one

struct Border {
  std::uint32_t cell = 0, side = 0;                     ///< whose first corner it begins at
  std::uint32_t other = DistrictCell::kNone, back = 0;  ///< the cell on the other side, and its side
  double length = 0;
  BorderWish wish;
  double wanted = 0;      ///< people per period and direction
  int fits = kAnyNumber;  ///< per direction: no more found room, or walks
  int variant = 0;        ///< of the patterns of its kind
  int in = 0, out = 0;    ///< of the first cell
  PatchPattern pattern;   ///< as the first cell sees it
  bool is_old = true;     ///< the pattern is to be made
};

struct FoundPatch {
  std::uint32_t patch = DistrictCell::kNone;  ///< of the library
  std::string reason;
};

class District {
 public:
  District(const std::vector<DistrictCell>& cells, const PatchMap& map, PointsFrom points, const base::Threads& threads,
           PatchReport& report)
      : cells_(cells),
        map_(map),
        is_chained_(points == PointsFrom::kChains),
        threads_(threads),
        report_(report),
        states_(cells.size()) {
    for (std::uint32_t c = 0; c < cells.size(); ++c) {
      states_[c].borders.resize(cells[c].corners.size());
      shapes_.push_back(shapeOf(c));
      PatchDefinition& placed = placed_shapes_.emplace_back(shapes_.back());
      for (Point& p : placed.corners) p += cells[c].at;
      for (PatchObject& object : placed.objects)
        for (Point& p : object.outline) p += cells[c].at;
    }
    for (std::uint32_t c = 0; c < cells.size(); ++c)
      for (std::uint32_t s = 0; s < cells[c].corners.size(); ++s) addBorder(c, s);
  }

  PatchLibrary make() {
    wish();
    approachDensities();
    for (std::uint32_t c = 0; c < cells_.size(); ++c) ask(c);
    is_settled_ = true;
    solve();
    return finish();
  }

 private:
  struct State {
    std::vector<std::uint32_t> borders;
    double factor = 1;  ///< of crossings, for the density
    double asked = 0;   ///< people
    int wanted = 0;     ///< walks
    int tries = 0;      ///< that failed
    bool retried = false;
    std::string reason;
    FoundPatch found;
  };

  const PatchTemplate& kindOf(std::uint32_t c) const { return map_.templates[cells_[c].kind]; }
  PatchDefinition shapeOf(std::uint32_t c) const {
    PatchDefinition shape;
    shape.corners = cells_[c].corners, shape.period = map_.period, shape.objects = cells_[c].objects;
    for (std::size_t s = 0; s < shape.corners.size(); ++s)
      shape.sides.push_back(
          {"wall", length(shape.corners[(s + 1) % shape.corners.size()] - shape.corners[s]), map_.period, {}, {}});
    return shape;
  }

  void addBorder(std::uint32_t c, std::uint32_t s) {
    const DistrictCell& cell = cells_[c];
    const std::uint32_t other = cell.beyond[s] == Beyond::kPatch ? cell.neighbour[s] : DistrictCell::kNone;
    std::uint32_t back = 0;
    if (other != DistrictCell::kNone) {
      back = sideBehind(c, s, other);
      if (other < c) {
        states_[c].borders[s] = states_[other].borders[back];
        return;
      }
    }
    Border border;
    border.cell = c, border.side = s, border.other = other, border.back = back;
    border.length = shapes_[c].sides[s].length;
    const std::uint64_t luck = base::mix(base::mix(map_.seed ^ cell.luck) ^ (s + 1));
    border.variant = static_cast<int>(luck % static_cast<std::uint64_t>(map_.patterns));
    states_[c].borders[s] = static_cast<std::uint32_t>(borders_.size());
    borders_.push_back(std::move(border));
  }

  /// What a cell is to have, and why it cannot where that is clear before anybody has walked.
  void ask(std::uint32_t c) {
    State& state = states_[c];
    const double planned = secondsIn(c) / map_.period + kindOf(c).residents;
    const int inputs = inputsOf(c);
    int wished = 0;
    for (std::size_t s = 0; s < state.borders.size(); ++s) {
      const Border& border = borders_[state.borders[s]];
      const PatternType& type = border.wish.type;
      const bool comes_in = type.kind != PatternType::Kind::kOneWay || type.out != (border.cell == c);
      if (isOpen(border) && comes_in) wished += wantedOf(border);
    }
    state.wanted = std::max(inputs, wished), state.asked = planned;
    const bool is_full = std::any_of(state.borders.begin(), state.borders.end(),
                                     [&](std::uint32_t b) { return borders_[b].fits < kAnyNumber; });
    if (kindOf(c).density) {
      state.asked = *kindOf(c).density * area(shapes_[c]);
      state.wanted = inputs;
      // Not as dense as it should be, and not because of rounding.
      if (planned > 0.9 * state.asked || (inputs > 0 && !is_full)) return;
      state.wanted = static_cast<int>(
          std::ceil(inputs > 0 ? inputs * state.asked / planned : state.asked * map_.period / kLongWalk));
    } else if (inputs > 0) {
      state.asked *= static_cast<double>(state.wanted) / inputs;
    }
    state.reason = is_full      ? "its open sides have no room for more people"
                   : inputs > 0 ? "who comes over a one-way border does not get back"
                                : "no side of it leads anywhere, or it is a dead end too small to turn in";
  }

  /// The side of a neighbour that is side s of cell c, the other way round.
  std::uint32_t sideBehind(std::uint32_t c, std::uint32_t s, std::uint32_t other) const {
    const DistrictCell &cell = cells_[c], &there = cells_[other];
    const Point end = cell.corners[(s + 1) % cell.corners.size()] + cell.at;
    for (std::uint32_t t = 0; t < there.corners.size(); ++t)
      if (there.neighbour[t] == c && length(there.corners[t] + there.at - end) < 1e-6) return t;
    throw InputError(
        fmt::format("side {} of the cell at ({:g}, {:g}) is no side of the cell beside it", s, cell.at.x, cell.at.y));
  }

  /// People per period and direction on a border of a cell, by its template alone.
  double flowOf(std::uint32_t c, double length) const {
    const PatchTemplate& kind = kindOf(c);
    if (!kind.density) return kind.crossings * length / map_.side;
    // Of people who walk in all directions alike, density · speed / π per m and s cross a line in one direction.
    const double walkers = std::max(0.0, *kind.density - kind.residents / area(shapes_[c]));
    return states_[c].factor * walkers * kUsualSpeed * map_.period * length / base::kPi;
  }

  /// Types of all borders, by the templates' rules.
  void wish() {
    for (Border& border : borders_) {
      const DistrictCell& cell = cells_[border.cell];
      if (border.length < kShortest) continue;
      if (border.other == DistrictCell::kNone) {
        // Two cells that a wall stands between are neighbours in space: nothing leads through it.
        if (cell.neighbour[border.side] == DistrictCell::kNone)
          border.wish = wishToward(kindOf(border.cell), cell.beyond[border.side]);
        continue;
      }
      const double own = flowOf(border.cell, border.length), theirs = flowOf(border.other, border.length);
      const bool is_calmer = own < theirs || (own == theirs && cell.kind <= cells_[border.other].kind);
      border.wish = wishBetween(kindOf(border.cell), kindOf(border.other), is_calmer);
    }
    closeDeadEnds();
    // Where much of a cell is walls, more people come over what is open.
    for (std::uint32_t c = 0; c < cells_.size(); ++c) {
      double open = 0, all = 0;
      for (const std::uint32_t b : states_[c].borders)
        all += borders_[b].length, open += isOpen(borders_[b]) ? borders_[b].length : 0;
      if (open > 0) states_[c].factor = std::sqrt(all / open);
    }
  }
  /// Nobody goes into a corner that is too small to turn around in.
  void closeDeadEnds() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t c = 0; c < cells_.size(); ++c) {
        Border* only = nullptr;
        int open = 0;
        for (const std::uint32_t b : states_[c].borders)
          if (isOpen(borders_[b])) only = &borders_[b], ++open;
        if (open != 1 || area(shapes_[c]) >= kTurningRoom * map_.side * map_.side) continue;
        if (only->other == DistrictCell::kNone) continue;  // a door, that people come from and go to
        only->wish = {}, changed = true;
      }
    }
  }
  static bool isOpen(const Border& border) { return border.wish.type.kind != PatternType::Kind::kEmpty; }

  /// How many cross which border, and their patterns.
  void count() {
    for (Border& border : borders_) {
      if (!isOpen(border)) continue;
      border.wanted = flowOf(border.cell, border.length);
      if (border.other != DistrictCell::kNone) {
        const double theirs = flowOf(border.other, border.length);
        border.wanted = cells_[border.cell].kind == cells_[border.other].kind ? 0.5 * (border.wanted + theirs)
                                                                              : std::min(border.wanted, theirs);
      }
      if (border.wish.crossings) border.wanted = *border.wish.crossings;
    }
    fit();
  }

  /// Flows in whole numbers that balance, in patterns that have room for them.
  void fit() {
    for (;;) {
      std::vector<FlowBorder> flows;
      for (const Border& border : borders_) flows.push_back(flowOf(border));
      balance(flows, static_cast<std::uint32_t>(cells_.size()));
      for (std::size_t b = 0; b < borders_.size(); ++b) {
        Border& border = borders_[b];
        if (border.in == flows[b].back && border.out == flows[b].there && !border.is_old) continue;
        border.in = flows[b].back, border.out = flows[b].there, border.is_old = true;
      }
      const std::vector<std::uint32_t> old = renew();
      bool all = true;
      for (const std::uint32_t b : old) {
        Border& border = borders_[b];
        border.is_old = false;
        const auto in = static_cast<int>(border.pattern.inputs.size());
        const auto out = static_cast<int>(border.pattern.outputs.size());
        if (in == border.in && out == border.out) continue;
        border.fits = in < border.in && out < border.out ? std::max(in, out) : in < border.in ? in : out;
        border.is_old = true, all = false;
      }
      if (all) return;
    }
  }
  /// New patterns for borders that need them; returns which those are.
  std::vector<std::uint32_t> renew() {
    std::vector<std::uint32_t> old;
    for (std::uint32_t b = 0; b < borders_.size(); ++b)
      if (borders_[b].is_old) old.push_back(b);
    if (!is_chained_ || is_settled_ || old.empty()) {
      threads_.forEach(old.size(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          is_chained_ ? movePointsOf(borders_[old[i]]) : makePatternOf(borders_[old[i]]);
      });
      return old;
    }
    std::vector<ChainBorder> chained;
    for (const Border& border : borders_)
      chained.push_back({border.cell, border.side,
                         border.other == DistrictCell::kNone ? ChainBorder::kWorld : border.other, border.back,
                         border.wish.type, border.in, border.out});
    const std::vector<PatchPattern> patterns = chainPatterns(chained, placed_shapes_, map_.period, map_.seed);
    old.clear();
    for (std::uint32_t b = 0; b < borders_.size(); ++b) borders_[b].pattern = patterns[b], old.push_back(b);
    return old;
  }
  int wantedOf(const Border& border) const {
    // Halves are as often rounded up as down, but always the same for the same border.
    const double luck = base::Random(base::mix(cells_[border.cell].luck ^ border.side), map_.seed).uniform();
    return std::max(0, static_cast<int>(std::floor(border.wanted + (border.wish.crossings ? 0.5 : luck))));
  }
  FlowBorder flowOf(const Border& border) const {
    FlowBorder flow;
    flow.from = border.cell;
    flow.to = border.other == DistrictCell::kNone ? FlowBorder::kWorld : border.other;
    if (!isOpen(border)) return flow;
    const int now = std::min(wantedOf(border), border.fits);
    // Borders may have some more than wanted, to lead on those who come over one-way borders.
    const int most = std::min(now + std::max(2, now / 2), border.fits);
    const PatternType& type = border.wish.type;
    const bool one_way = type.kind == PatternType::Kind::kOneWay;
    flow.there = one_way && !type.out ? 0 : now, flow.most_there = one_way && !type.out ? 0 : most;
    flow.back = one_way && type.out ? 0 : now, flow.most_back = one_way && type.out ? 0 : most;
    return flow;
  }

  bool hasRoomFor(const Border& border, const PatchPoint& point, bool out) const {
    return hasRoomOnBoth(shapes_[border.cell], border.side,
                         border.other == DistrictCell::kNone ? nullptr : &shapes_[border.other], border.back, point,
                         out, kSpareWidth);
  }

  /// As many points as are wanted now, each near in time to one that was there: so others on their way hardly notice.
  void movePointsOf(Border& border) const {
    constexpr int kThrows = 90;
    constexpr double kSooner = 1;  // s, or later
    PatchPattern made{{}, border.length, map_.period, {}, {}};
    const Side side{{0, 0}, {1, 0}, {0, 1}, border.length};
    base::Random random(base::mix(cells_[border.cell].luck ^ border.side), static_cast<std::uint64_t>(border.variant));
    std::vector<Crossing> taken;
    const PatternRoom room;
    const PatternType type = border.wish.type;
    for (const bool out : {false, true}) {
      std::vector<PatchPoint> before = out ? border.pattern.outputs : border.pattern.inputs;
      const int count = out ? border.out : border.in;
      while (static_cast<int>(before.size()) > count)
        before.erase(before.begin() + static_cast<std::ptrdiff_t>(random.below(before.size())));
      for (int i = 0; i < count; ++i)
        for (int attempt = 0; attempt < kThrows; ++attempt) {
          // One point of its kind, which knows what the type allows.
          PatchPattern one =
              randomPattern(type, border.length, map_.period, !out, out, random.bits(), kUsualSpeed, room, {});
          if (one.inputs.empty() && one.outputs.empty()) break;
          PatchPoint point = out ? one.outputs[0] : one.inputs[0];
          if (i < static_cast<int>(before.size()) && type.kind != PatternType::Kind::kTime) {
            const double spread = kSooner * (1 + attempt / 30);
            const double t = before[static_cast<std::size_t>(i)].time + random.uniform(-spread, spread);
            point.time = t - map_.period * std::floor(t / map_.period);
          }
          const Crossing crossing = crossingOf(side, point, out);
          const bool free = std::all_of(taken.begin(), taken.end(), [&](const Crossing& other) {
            return leastDistance(crossing, room.straight_on, other, room.straight_on, map_.period) >= kCrossingRoom;
          });
          if (!free || !hasRoomFor(border, point, out)) continue;
          taken.push_back(crossing);
          (out ? made.outputs : made.inputs).push_back(point);
          break;
        }
    }
    border.pattern = std::move(made);
  }

  void makePatternOf(Border& border) const {
    border.pattern = {{}, border.length, map_.period, {}, {}};
    if (border.in + border.out == 0) return;
    const auto accepted = [&](const PatchPoint& point, bool out) { return hasRoomFor(border, point, out); };
    const PatternType& type = border.wish.type;
    std::uint64_t seed = base::mix(map_.seed ^ 0x706174u);
    for (const std::uint64_t part : {static_cast<std::uint64_t>(border.variant), static_cast<std::uint64_t>(type.kind),
                                     static_cast<std::uint64_t>(border.in), static_cast<std::uint64_t>(border.out),
                                     static_cast<std::uint64_t>(std::llround(border.length * 1024)),
                                     // Two borders of a corner that were the same would have people meet there.
                                     static_cast<std::uint64_t>(border.side % 2)})
      seed = base::mix(seed ^ part);
    for (int attempt = 0; attempt < kPatternSeeds; ++attempt) {
      PatchPattern made = randomPattern(
          type, border.length, map_.period, static_cast<std::size_t>(border.in), static_cast<std::size_t>(border.out),
          base::mix(seed + static_cast<std::uint64_t>(attempt)), kUsualSpeed, {}, accepted);
      const std::size_t points = made.inputs.size() + made.outputs.size();
      if (attempt == 0 || points > border.pattern.inputs.size() + border.pattern.outputs.size())
        border.pattern = std::move(made);
      if (points == static_cast<std::size_t>(border.in + border.out)) return;
    }
  }

  PatchDefinition definitionOf(std::uint32_t c) const {
    PatchDefinition patch = shapes_[c];
    for (std::size_t s = 0; s < patch.sides.size(); ++s) {
      const Border& border = borders_[states_[c].borders[s]];
      if (border.in + border.out == 0) continue;
      patch.sides[s] = border.cell == c && border.side == s ? border.pattern : mirrored(border.pattern);
    }
    return patch;
  }
  int inputsOf(std::uint32_t c) const {
    int inputs = 0;
    for (std::size_t s = 0; s < states_[c].borders.size(); ++s) {
      const Border& border = borders_[states_[c].borders[s]];
      inputs += border.cell == c && border.side == s ? border.in : border.out;
    }
    return inputs;
  }
  /// s that people are in a cell per period, together.
  double secondsIn(std::uint32_t c) const {
    double seconds = 0;
    for (const Pair& pair : pairUp(definitionOf(c), {.pairing = PatchPairing::kLeast}, 0)) seconds += pair.time;
    return seconds;
  }

  /// Counts people and corrects crossings: more over the borders of cells that have too few, fewer over others. Cells
  /// share borders, and people are whole: the best of some rounds is taken.
  void approachDensities() {
    std::vector<double> best, seconds(cells_.size());
    double least = std::numeric_limits<double>::infinity();
    const auto take = [&](const std::vector<double>& factors) {
      for (std::size_t c = 0; c < factors.size(); ++c) states_[c].factor = factors[c];
      count();
    };
    for (int round = 0; round < kDensityRounds; ++round) {
      count();
      threads_.forEach(cells_.size(), 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
          if (kindOf(static_cast<std::uint32_t>(c)).density) seconds[c] = secondsIn(static_cast<std::uint32_t>(c));
      });
      double wrong = 0;
      std::vector<double> now;
      for (std::uint32_t c = 0; c < cells_.size(); ++c) {
        now.push_back(states_[c].factor);
        const PatchTemplate& kind = kindOf(c);
        if (!kind.density) continue;
        const double wanted = std::max(0.0, *kind.density * area(shapes_[c]) - kind.residents) * map_.period;
        wrong += std::abs(wanted - seconds[c]);
        if (seconds[c] > 0)
          states_[c].factor = std::clamp(now[c] * std::clamp(wanted / seconds[c], 0.6, 1.6), 0.05, 4.0);
      }
      if (wrong < least) least = wrong, best = now;
      if (wrong == 0) break;  // as with crossings: nothing is to be corrected
    }
    take(best);
  }

  // Walks.

  /// All that walks depend on: cells that have the same get the same patch.
  using Key = std::vector<double>;
  Key keyOf(std::uint32_t c) const {
    const DistrictCell& cell = cells_[c];
    const auto versions = static_cast<std::uint64_t>(kindOf(c).versions);
    Key key{static_cast<double>(cell.kind), static_cast<double>(base::mix(cell.luck ^ 0x76u) % versions),
            static_cast<double>(states_[c].tries)};
    const auto add = [&](Point p) { key.push_back(p.x), key.push_back(p.y); };
    for (const Point p : cell.corners) add(p);
    for (const PatchObject& object : cell.objects)
      for (const Point p : object.outline) add(p);
    const PatchDefinition patch = definitionOf(c);
    for (const PatchPattern& side : patch.sides)
      for (const auto* points : {&side.inputs, &side.outputs}) {
        key.push_back(static_cast<double>(points->size()));
        for (const PatchPoint& p : *points) add({p.position, p.time}), add({p.speed, p.along});
      }
    return key;
  }
  static std::uint64_t seedOf(const Key& key, std::uint64_t seed) {
    for (const double part : key) seed = base::mix(seed ^ static_cast<std::uint64_t>(std::llround(part * 1048576)));
    return seed;
  }

  struct Attempt {
    std::optional<Patch> patch;
    std::string reason;
  };
  Attempt attempt(std::uint32_t c, const Key& key) const {
    Attempt attempt;
    std::uint64_t seed = seedOf(key, map_.seed);
    for (int f = 0; f < kFurnishings && !attempt.patch; ++f, seed = base::mix(seed + 1)) {
      PatchDefinition patch = definitionOf(c);
      const std::size_t fixed = patch.objects.size();
      if (states_[c].tries < kBareFrom) furnish(patch, kindOf(c), base::Random(seed));
      if (f > 0 && patch.objects.size() == fixed && patch.residents.empty()) break;  // the same again
      if (const auto found = check(patch); !found.empty()) {
        attempt.reason = found.front().message;
        continue;
      }
      PatchSettings how;
      how.pairing = PatchPairing::kLeast;
      const bool is_bare = patch.objects.size() == fixed && patch.residents.empty();
      how.seed = seed, how.attempts = is_bare ? 2 * kAttempts : kAttempts;
      PatchResult result = generateWalks(patch, how);
      attempt.patch = std::move(result.patch);
      if (!result.reasons.empty()) attempt.reason = result.reasons.front();
    }
    return attempt;
  }

  /// Rounds of looking for walks in all cells that have none, and of changing borders of those where none are found.
  void solve() {
    std::map<Key, std::uint32_t> known;
    std::vector<std::uint32_t> open(cells_.size());
    for (std::uint32_t c = 0; c < cells_.size(); ++c) open[c] = c;
    while (!open.empty()) {
      std::vector<Key> keys;
      std::map<Key, std::size_t> first;  // of the cells with a key, the one that is worked on
      std::vector<std::uint32_t> work;
      for (const std::uint32_t c : open) {
        keys.push_back(keyOf(c));
        if (known.contains(keys.back())) continue;
        if (first.try_emplace(keys.back(), work.size()).second)
          work.push_back(static_cast<std::uint32_t>(keys.size() - 1));
      }
      std::vector<Attempt> attempts(work.size());
      threads_.forEach(work.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) attempts[i] = attempt(open[work[i]], keys[work[i]]);
      });
      std::vector<std::uint32_t> failed;
      for (std::size_t i = 0; i < open.size(); ++i) {
        const auto entry = known.find(keys[i]);
        if (entry != known.end()) {
          states_[open[i]].found = {entry->second, {}};
          continue;
        }
        Attempt& made = attempts[first.at(keys[i])];
        if (made.patch) {
          known[keys[i]] = static_cast<std::uint32_t>(library_.size());
          states_[open[i]].found = {static_cast<std::uint32_t>(library_.size()), {}};
          library_.push_back(std::move(*made.patch));
        } else {
          states_[open[i]].found = {DistrictCell::kNone, made.reason};
          failed.push_back(open[i]);
        }
      }
      open = changed(failed);
    }
  }

  /// Other patterns, or fewer people, for cells where no walks were found; returns all cells that need walks now.
  std::vector<std::uint32_t> changed(const std::vector<std::uint32_t>& failed) {
    std::vector<PatchPattern> before;
    for (const Border& border : borders_) before.push_back(border.pattern);
    for (const std::uint32_t c : failed) {
      State& state = states_[c];
      state.retried = true;
      const bool is_fewer = ++state.tries % (kOtherPatterns + 1) == 0;
      base::Random random(base::mix(cells_[c].luck), static_cast<std::uint64_t>(state.tries));
      std::vector<std::uint32_t> used;
      for (const std::uint32_t b : state.borders)
        if (borders_[b].in + borders_[b].out > 0) used.push_back(b);
      if (used.empty() && state.tries > kBareFrom)
        throw InputError(fmt::format("the patch of template \"{}\" at ({:g}, {:g}) cannot be made: {}", kindOf(c).name,
                                     cells_[c].at.x, cells_[c].at.y, state.found.reason));
      if (used.empty()) continue;  // nobody walks: other furniture, by the number of tries
      // Fewer on the border with most people for its length; else another pattern there and on some others.
      const auto crowded = [&](std::uint32_t b) {
        return static_cast<double>(borders_[b].in + borders_[b].out) / borders_[b].length;
      };
      const std::uint32_t worst =
          *std::max_element(used.begin(), used.end(), [&](auto a, auto b) { return crowded(a) < crowded(b); });
      if (is_fewer) {
        Border& border = borders_[worst];
        const int now = std::max(border.in, border.out);
        border.fits = std::max(0, now - std::max(1, static_cast<int>(kFewer * now)));
        state.reason = state.found.reason;
      }
      for (const std::uint32_t b : used)
        if (b == worst || random.below(2) == 0) borders_[b].variant += map_.patterns, borders_[b].is_old = true;
    }
    fit();
    std::vector<char> needs(cells_.size());
    for (const std::uint32_t c : failed) needs[c] = 1;
    for (std::size_t b = 0; b < borders_.size(); ++b)
      if (!(borders_[b].pattern == before[b])) {
        needs[borders_[b].cell] = 1;
        if (borders_[b].other != DistrictCell::kNone) needs[borders_[b].other] = 1;
      }
    std::vector<std::uint32_t> open;
    for (std::uint32_t c = 0; c < cells_.size(); ++c)
      if (needs[c]) open.push_back(c);
    return open;
  }

  /// The patches that are used, with names, in their places.
  PatchLibrary finish() {
    PatchLibrary made;
    std::map<std::uint32_t, std::uint32_t> number;
    for (std::uint32_t c = 0; c < cells_.size(); ++c) {
      const std::uint32_t from = states_[c].found.patch;
      const auto [entry, is_new] = number.try_emplace(from, static_cast<std::uint32_t>(made.patches.size()));
      if (is_new) {
        Patch& patch = made.patches.emplace_back(std::move(library_[from]));
        patch.definition.name = fmt::format("{} {}", kindOf(c).name, entry->second);
        for (std::size_t s = 0; s < patch.definition.sides.size(); ++s)
          patch.definition.sides[s].name = fmt::format("side {}", s);
      }
      made.placed.push_back({entry->second, cells_[c].at});
      const Patch& patch = made.patches[entry->second];
      const double size = area(patch.definition);
      report_.covered_area += size, report_.asked += states_[c].asked, report_.reached += density(patch) * size;
      report_.retried += states_[c].retried;
      const auto got = static_cast<int>(patch.walks.size());
      if (got < states_[c].wanted)
        report_.thinned.push_back(
            {c, states_[c].wanted, got,
             states_[c].reason.empty() ? "fewer people come from patches beside it" : states_[c].reason});
    }
    return made;
  }

  const std::vector<DistrictCell>& cells_;
  const PatchMap& map_;
  bool is_chained_;
  bool is_settled_ = false;  ///< patterns change only where it is needed
  const base::Threads& threads_;
  PatchReport& report_;
  std::vector<State> states_;
  std::vector<PatchDefinition> shapes_, placed_shapes_;
  std::vector<Border> borders_;
  std::vector<Patch> library_;
};

}  // namespace

PatchLibrary makeDistrict(const std::vector<DistrictCell>& cells, const PatchMap& map, PointsFrom points,
                          const base::Threads& threads, PatchReport& report) {
  return District(cells, map, points, threads, report).make();
}

}  // namespace throng::patches
