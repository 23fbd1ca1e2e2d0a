#include "patches/border_chains.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "patches/pairing.h"
#include "patches/pattern_points.h"

namespace throng::patches {
namespace {

constexpr double kLeastLeg = 1.6;  ///< s; in less nobody gets from border to border
constexpr double kBack = 10;       ///< what it costs to turn back
constexpr double kLuck = 0.8;      ///< what chance is worth in choosing a way
constexpr int kPointThrows = 32;   ///< for a point, with more freedom every time
constexpr int kChainRounds = 3;
constexpr std::uint32_t kNoUnit = 0xffffffffu;

/// One person per period over one border in one direction.
struct Unit {
  std::uint32_t border = 0;
  bool out = false;              ///< of the border's first cell
  std::uint32_t next = kNoUnit;  ///< the unit that follows in the cell that is entered
  std::uint32_t before = kNoUnit;
  bool placed = false;
  PatchPoint point;  ///< as the first cell sees it
};

class Chaining {
 public:
  Chaining(const std::vector<ChainBorder>& borders, const std::vector<PatchDefinition>& shapes, double period,
           std::uint64_t seed)
      : borders_(borders), shapes_(shapes), period_(period), random_(seed, 0x636861u) {
    arriving_.resize(shapes.size()), leaving_.resize(shapes.size());
    taken_.resize(borders.size());
    for (std::uint32_t b = 0; b < borders.size(); ++b) {
      sides_.push_back(sideOf(shapes[borders[b].cell], borders[b].side));
      for (int i = 0; i < borders[b].in; ++i) addUnit(b, false);
      for (int i = 0; i < borders[b].out; ++i) addUnit(b, true);
    }
  }

  std::vector<PatchPattern> run() {
    for (std::uint32_t c = 0; c < shapes_.size(); ++c) match(c);
    joinRings();
    // Chains that come from outside first: where they begin is nobody's choice but theirs.
    for (const bool open : {true, false})
      for (std::uint32_t u = 0; u < units_.size(); ++u)
        if (!done_[u] && (!open || units_[u].before == kNoUnit)) place(u);
    std::vector<PatchPattern> patterns;
    for (std::size_t b = 0; b < borders_.size(); ++b) patterns.push_back({{}, sides_[b].length, period_, {}, {}});
    for (const Unit& unit : units_)
      if (unit.placed) (unit.out ? patterns[unit.border].outputs : patterns[unit.border].inputs).push_back(unit.point);
    return patterns;
  }

 private:
  void addUnit(std::uint32_t b, bool out) {
    const auto number = static_cast<std::uint32_t>(units_.size());
    const ChainBorder& border = borders_[b];
    units_.push_back({b, out});
    done_.push_back(0);
    const std::uint32_t from = out ? border.cell : border.other, to = out ? border.other : border.cell;
    if (from != ChainBorder::kWorld) leaving_[from].push_back(number);
    if (to != ChainBorder::kWorld) arriving_[to].push_back(number);
  }

  Point middle(std::uint32_t b) const { return sides_[b].corner + sides_[b].tangent * (0.5 * sides_[b].length); }
  /// The direction in which a unit crosses its border.
  Point across(const Unit& unit) const { return unit.out ? -sides_[unit.border].inward : sides_[unit.border].inward; }

  /// Who comes in over which border goes on over which: straight on rather than aside, aside rather than back.
  void match(std::uint32_t cell) {
    const auto &in = arriving_[cell], &out = leaving_[cell];
    const std::size_t n = std::min(in.size(), out.size());
    if (n == 0) return;
    std::vector<double> cost(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t o = 0; o < n; ++o) {
        const Unit &a = units_[in[i]], &b = units_[out[o]];
        double price = kLuck * random_.uniform();
        if (a.border == b.border) {
          price += kBack;
        } else {
          const Point way = normalized(middle(b.border) - middle(a.border));
          price += 2 - dot(way, across(a)) - dot(way, across(b));
        }
        cost[i * n + o] = price;
      }
    std::vector<std::size_t> of = stableMatching(n, cost, cost);
    exchangePairs(cost, n, kBack, of);
    for (std::size_t i = 0; i < n; ++i) link(in[i], out[of[i]]);
  }
  void link(std::uint32_t a, std::uint32_t b) { units_[a].next = b, units_[b].before = a; }

  double legTime(std::uint32_t u) const {
    return std::max(kLeastLeg, length(middle(units_[units_[u].next].border) - middle(units_[u].border)) / kUsualSpeed);
  }
  /// Units of a chain in order, and whether it is closed.
  std::vector<std::uint32_t> chainFrom(std::uint32_t u) const {
    std::vector<std::uint32_t> chain{u};
    for (std::uint32_t v = units_[u].next; v != kNoUnit && v != u; v = units_[v].next) chain.push_back(v);
    return chain;
  }

  /// A ring that takes less than some periods can only be walked at odd speeds: it becomes part of a longer one where
  /// both go on over the same border of a cell.
  void joinRings() {
    constexpr double kLong = 4;  // periods
    std::vector<std::uint32_t> ring(units_.size(), kNoUnit);
    std::vector<double> time;
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      if (ring[u] != kNoUnit || units_[u].before == kNoUnit) continue;
      std::uint32_t first = u;  // of an open chain, the beginning
      for (std::uint32_t v = units_[u].before; v != kNoUnit && v != u; v = units_[v].before) first = v;
      const std::vector<std::uint32_t> chain = chainFrom(first);
      const bool open = units_[first].before == kNoUnit;
      double sum = open ? 1e9 : 0;  // open chains have no time to keep
      for (const std::uint32_t v : chain) {
        ring[v] = static_cast<std::uint32_t>(time.size());
        if (units_[v].next != kNoUnit) sum += legTime(v);
      }
      time.push_back(sum);
    }
    std::vector<std::uint32_t> root(time.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t r) {
      while (root[r] != r) r = root[r] = root[root[r]];
      return r;
    };
    for (const auto& in : arriving_)
      for (const std::uint32_t a : in)
        for (const std::uint32_t b : in) {
          const std::uint32_t na = units_[a].next, nb = units_[b].next;
          if (na == kNoUnit || nb == kNoUnit || ring[a] == kNoUnit || ring[b] == kNoUnit) continue;
          const std::uint32_t ra = find(ring[a]), rb = find(ring[b]);
          if (ra == rb || std::min(time[ra], time[rb]) > kLong * period_) continue;
          const bool same = units_[na].border == units_[nb].border || units_[a].border == units_[b].border;
          if (!same) continue;
          link(a, nb), link(b, na);
          root[ra] = rb, time[rb] += time[ra];
        }
  }

  /// Gives all units of a chain their points.
  void place(std::uint32_t first) {
    const std::vector<std::uint32_t> chain = chainFrom(first);
    const bool closed = units_[chain.back()].next == first;
    double left = 0;
    for (std::size_t k = 0; k + !closed < chain.size(); ++k) left += legTime(chain[k]);
    // In a ring, people are back where they began after whole periods.
    double pace = 1;  // of the time that legs take at the preferred speed
    if (closed) {
      const double periods = std::max(1.0, std::floor(left / period_ + 0.5));
      pace = periods * period_ / left;
      if (pace < 0.8) pace = (periods + 1) * period_ / left;
    }
    double time = period_ * random_.uniform(), end = time + left * pace, planned = left;
    for (std::size_t k = 0; k < chain.size(); ++k) {
      Unit& unit = units_[chain[k]];
      done_[chain[k]] = 1;
      const Unit* before = k == 0 ? nullptr : &units_[chain[k - 1]];
      if (before && !before->placed) before = nullptr;
      const double wanted = k == 0 ? time : -1;
      const double got = put(unit, before, time, wanted, pace);
      // What a leg takes more or less than planned, the others make up for.
      if (k > 0) planned -= legTime(chain[k - 1]);
      time = got;
      if (closed && planned > kLeastLeg) pace = std::clamp((end - time) / planned, 0.6, 2.5);
    }
  }

  /// A point for a unit that is at the border in time after the one before; returns when it crosses, in all.
  double put(Unit& unit, const Unit* before, double time, double wanted, double pace) {
    const ChainBorder& border = borders_[unit.border];
    const Side& side = sides_[unit.border];
    const PatternType& type = border.type;
    const double margin = std::max(2 * kPatchRadius, std::min(1.1, 0.25 * side.length));
    double from = margin, to = side.length - margin;
    if (type.kind == PatternType::Kind::kSpace) {
      from = std::max(from, type.from * side.length), to = std::min(to, type.to * side.length);
      const double half = 0.5 * (from + to);
      if (type.lanes)
        (unit.out ? from : to) = unit.out ? std::min(to, half + kPatchRadius) : std::max(from, half - kPatchRadius);
    }
    if (to < from) return time;
    for (int attempt = 0; attempt < kChainRounds * kPointThrows; ++attempt) {
      // First on time, then about, then at any time.
      const int freedom = attempt / kPointThrows;
      PatchPoint point;
      point.position = random_.uniform(from, to);
      const Point at = side.corner + side.tangent * point.position;
      double t = time;
      Point way = across(unit);
      if (before) {
        const Point start = placeOf(*before), leg = at - start;
        t += std::max(kLeastLeg, length(leg) / kUsualSpeed) * pace;
        way = normalized(leg);
      } else if (wanted < 0) {
        t += kLeastLeg;
      }
      if (freedom == 1) t += random_.uniform(0, 0.25 * period_);
      if (freedom == 2) t += random_.uniform(0, period_);
      if (type.kind == PatternType::Kind::kTime) {
        // At the light one waits for the next green.
        const double phase = t - period_ * std::floor(t / period_);
        const double green = period_ * type.from, red = period_ * type.to;
        if (phase < green || phase > red)
          t += (phase < green ? green : green + period_) - phase + random_.uniform(0, red - green);
      }
      point.time = t - period_ * std::floor(t / period_);
      if (!(point.time >= 0 && point.time < period_)) point.time = 0;
      // Half towards where one comes from, half straight across.
      const Point heading = normalized(way + across(unit));
      const double pure = std::clamp(dot(heading, side.tangent), -0.4, 0.4);
      const double speed = kUsualSpeed * random_.uniform(0.9, 1.1);
      point.speed = speed * std::sqrt(1 - pure * pure), point.along = speed * pure;
      const Crossing crossing = crossingOf(side, point, unit.out);
      if (!isFree(unit, point, crossing)) continue;
      taken_[unit.border].push_back(crossing);
      unit.point = point, unit.placed = true;
      return t;
    }
    return time;
  }
  Point placeOf(const Unit& unit) const {
    return sides_[unit.border].corner + sides_[unit.border].tangent * unit.point.position;
  }
  bool isFree(const Unit& unit, const PatchPoint& point, const Crossing& crossing) const {
    const ChainBorder& border = borders_[unit.border];
    const PatternRoom room;
    for (const Crossing& other : taken_[unit.border])
      if (leastDistance(crossing, room.straight_on, other, room.straight_on, period_) < kCrossingRoom) return false;
    return hasRoomOnBoth(shapes_[border.cell], border.side,
                         border.other == ChainBorder::kWorld ? nullptr : &shapes_[border.other], border.back, point,
                         unit.out, kSpareWidth);
  }

  const std::vector<ChainBorder>& borders_;
  const std::vector<PatchDefinition>& shapes_;
  double period_;
  base::Random random_;
  std::vector<Side> sides_;
  std::vector<Unit> units_;
  std::vector<char> done_;
  std::vector<std::vector<std::uint32_t>> arriving_, leaving_;  ///< units by cell
  std::vector<std::vector<Crossing>> taken_;                    ///< by border
};

}  // namespace

std::vector<PatchPattern> chainPatterns(const std::vector<ChainBorder>& borders,
                                        const std::vector<PatchDefinition>& shapes, double period, std::uint64_t seed) {
  return Chaining(borders, shapes, period, seed).run();
}

}  // namespace throng::patches
