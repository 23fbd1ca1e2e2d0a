#include "patches/chains.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "base/random.h"
#include "patches/sides.h"

namespace throng::patches {
namespace {

constexpr double kSamePoint = 1e-6;  ///< m, s: what two patches may differ by at a point that they share

/// A corner as a key; corners that are the same place differ by rounding only.
std::uint64_t keyOf(Point a, Point b) {
  const auto whole = [](double v) { return static_cast<std::uint64_t>(std::llround(v * 1024)); };
  return base::mix(base::mix(base::mix(base::mix(whole(a.x)) ^ whole(a.y)) ^ whole(b.x)) ^ whole(b.y));
}

struct PlacedSide {
  std::uint32_t place = 0, side = 0;
};

class Builder {
 public:
  Builder(const std::vector<Patch>& library, const std::vector<PlacedPatch>& placed)
      : library_(library), placed_(placed) {}

  Chains build(WalkLinks* links) {
    for (const PlacedPatch& place : placed_) {
      chains_.first.push_back(chains_.parts.size());
      const Patch& patch = library_[place.patch];
      chains_.parts.resize(chains_.parts.size() + patch.walks.size() + patch.definition.residents.size());
    }
    chains_.first.push_back(chains_.parts.size());
    joinSides();
    linkWalks();
    number();
    if (links) *links = std::move(links_);
    return std::move(chains_);
  }

 private:
  const Patch& patchAt(std::uint32_t place) const { return library_[placed_[place].patch]; }
  std::string called(PlacedSide s) const {
    return fmt::format("side {} of patch \"{}\" at ({:g}, {:g})", s.side, patchAt(s.place).definition.name,
                       placed_[s.place].at.x, placed_[s.place].at.y);
  }

  /// Which side lies against which.
  void joinSides() {
    std::unordered_map<std::uint64_t, PlacedSide> by_corners;  // asked by key only: its order has no effect
    for (std::uint32_t p = 0; p < placed_.size(); ++p) {
      const PatchDefinition& patch = patchAt(p).definition;
      neighbour_.emplace_back(patch.corners.size(), PlacedSide{kNone, 0});
      for (std::uint32_t s = 0; s < patch.corners.size(); ++s) {
        const Point a = patch.corners[s] + placed_[p].at,
                    b = patch.corners[(s + 1) % patch.corners.size()] + placed_[p].at;
        if (const auto other = by_corners.find(keyOf(b, a)); other != by_corners.end()) {
          neighbour_[p][s] = other->second;
          neighbour_[other->second.place][other->second.side] = {p, s};
          fit(other->second, {p, s});
        }
        if (!by_corners.try_emplace(keyOf(a, b), PlacedSide{p, s}).second)
          throw InputError(fmt::format("{} lies where another patch has a side already; allowed: patches side by side",
                                       called({p, s})));
      }
    }
  }

  void fit(PlacedSide a, PlacedSide b) const {
    const PatchPattern& one = patchAt(a.place).definition.sides[a.side];
    const PatchPattern other = mirrored(patchAt(b.place).definition.sides[b.side]);
    const auto refuse = [&](const std::string& what) {
      throw InputError(fmt::format("{} and {} do not fit: {}; allowed: mirrored patterns", called(a), called(b), what));
    };
    if (std::abs(one.period - other.period) > 1e-9)
      refuse(fmt::format("periods of {:g} and {:g} s", one.period, other.period));
    for (const bool out : {false, true}) {
      const auto &p = out ? one.outputs : one.inputs, &q = out ? other.outputs : other.inputs;
      if (p.size() != q.size())
        refuse(fmt::format("{} {} against {} {}", p.size(), out ? "outputs" : "inputs", q.size(),
                           out ? "inputs" : "outputs"));
      for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i].time != q[i].time || std::abs(p[i].position - q[i].position) > kSamePoint ||
            std::abs(p[i].speed - q[i].speed) > kSamePoint || std::abs(p[i].along - q[i].along) > kSamePoint)
          refuse(fmt::format("{} {} is at {:g} m and {:g} s on one side, {:g} m and {:g} s on the other",
                             out ? "output" : "input", i, p[i].position, p[i].time, q[i].position, q[i].time));
    }
  }

  /// Which walk leads on into which.
  void linkWalks() {
    links_.next.assign(chains_.parts.size(), WalkLinks::kNone), links_.laps.assign(chains_.parts.size(), 0);
    links_.has_previous.assign(chains_.parts.size(), 0);
    // Walks by the input at which they begin.
    std::vector<std::vector<std::vector<std::uint32_t>>> walk_of(library_.size());
    for (std::size_t l = 0; l < library_.size(); ++l) {
      for (const PatchPattern& side : library_[l].definition.sides) walk_of[l].emplace_back(side.inputs.size());
      for (std::uint32_t w = 0; w < library_[l].walks.size(); ++w) {
        const PatchEnd input = library_[l].walks[w].input;
        walk_of[l][input.side][input.point] = w;
      }
    }
    for (std::uint32_t p = 0; p < placed_.size(); ++p) {
      const Patch& patch = patchAt(p);
      for (std::size_t w = 0; w < patch.walks.size(); ++w) {
        const PatchWalk& walk = patch.walks[w];
        const double out = patch.definition.sides[walk.output.side].outputs[walk.output.point].time;
        const std::size_t part = chains_.first[p] + w;
        links_.laps[part] = static_cast<std::int32_t>(std::llround((walk.until - out) / patch.definition.period));
        const PlacedSide other = neighbour_[p][walk.output.side];
        if (other.place == kNone) continue;
        // An output is the input of the same number on the other side.
        links_.next[part] =
            chains_.first[other.place] + walk_of[placed_[other.place].patch][other.side][walk.output.point];
        links_.has_previous[links_.next[part]] = 1;
      }
    }
  }

  void number() {
    std::vector<char> done(chains_.parts.size());
    const auto isWalk = [&](std::size_t part, std::uint32_t place) {
      return part - chains_.first[place] < patchAt(place).walks.size();
    };
    for (std::uint32_t p = 0; p < placed_.size(); ++p)
      for (std::size_t part = chains_.first[p]; part < chains_.first[p + 1]; ++part) {
        if (!isWalk(part, p)) {
          chains_.parts[part] = {chains_.rings_end++, 1, 0};  // a resident is a ring of one
        } else if (!links_.has_previous[part]) {
          std::int32_t offset = 0;
          for (std::size_t at = part; at != WalkLinks::kNone; at = links_.next[at]) {
            chains_.parts[at] = {chains_.open, 0, offset};
            offset += links_.laps[at], done[at] = 1;
          }
          chains_.longest = std::max(chains_.longest, offset);
          ++chains_.open;
        }
      }
    for (std::uint32_t p = 0; p < placed_.size(); ++p)
      for (std::size_t part = chains_.first[p]; part < chains_.first[p] + patchAt(p).walks.size(); ++part) {
        if (done[part]) continue;
        std::int32_t periods = 0;
        std::size_t at = part;
        do {
          chains_.parts[at].offset = periods, periods += links_.laps[at], done[at] = 1;
          at = links_.next[at];
        } while (at != part);
        do {
          chains_.parts[at].base = chains_.rings_end, chains_.parts[at].periods = periods;
          at = links_.next[at];
        } while (at != part);
        chains_.rings_end += static_cast<std::uint32_t>(periods);
      }
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const std::vector<Patch>& library_;
  const std::vector<PlacedPatch>& placed_;
  Chains chains_;
  std::vector<std::vector<PlacedSide>> neighbour_;
  WalkLinks links_;
};

}  // namespace

Chains chainsOf(const std::vector<Patch>& library, const std::vector<PlacedPatch>& placed, WalkLinks* links) {
  return Builder(library, placed).build(links);
}

}  // namespace throng::patches
