// The nearest neighbours of as many people as a vector has lanes, one person per lane, in one walk over the grid.
// Compiled once per instruction set: include inside a file that goes through hwy/foreach_target.h.
//
// Every candidate is compared with all lanes at once, and those nearer to some lane than its worst neighbour so far
// enter all lanes' sorted lists, by minima and maxima alone. An entry is one 64-bit number, the distance squared in the
// upper half and the slot in the lower: as the bits of a positive double it sorts by distance, then by slot, so the
// result is exactly that of NeighbourIndex::nearest, in whatever order candidates are visited and however many lanes
// there are.
#if defined(THRONG_AGENTS_NEAREST_BATCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THRONG_AGENTS_NEAREST_BATCH_INL_H_
#undef THRONG_AGENTS_NEAREST_BATCH_INL_H_
#else
#define THRONG_AGENTS_NEAREST_BATCH_INL_H_
#endif

#include <cmath>
#include <cstdint>
#include <hwy/highway.h>
#include <limits>

#include "agents/neighbour_index.h"

#ifndef THRONG_AGENTS_MERGE_NETWORK
#define THRONG_AGENTS_MERGE_NETWORK
namespace throng::agents {

/// Which pairs to put in order, one after the other, so that a list whose first kLength - 4 entries are sorted and
/// whose last 4 are sorted becomes sorted: odd-even merge (Batcher 1968). That merges two lists of a power of two
/// each, so think of entries smaller than all before and larger than all after; pairs with one of those are left out.
template <int kLength>
struct MergeNetwork {
  int low[64] = {}, high[64] = {};
  int count = 0;

  constexpr MergeNetwork() {
    int half = 4;
    while (half < kLength - 4) half *= 2;
    const int before = half - (kLength - 4);
    for (int i = 0; i < half; ++i) add(i - before, i + half - before);
    for (int d = half / 2; d > 0; d /= 2) {
      for (int j = d; j + d < 2 * half; j += 2 * d) {
        for (int i = j; i < j + d; ++i) add(i - before, i + d - before);
      }
    }
  }

 private:
  constexpr void add(int a, int b) {
    if (a >= 0 && b < kLength) low[count] = a, high[count++] = b;
  }
};

}  // namespace throng::agents
#endif

HWY_BEFORE_NAMESPACE();
namespace throng::agents {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using RowTag = hn::ScalableTag<std::uint32_t>;
using KeyTag = hn::ScalableTag<double>;
using KeyBitsTag = hn::ScalableTag<std::uint64_t>;
using Floats = hn::Vec<FloatTag>;
using Rows = hn::Vec<RowTag>;
using Key = hn::Vec<KeyTag>;

/// Added to the bits of a distance squared, so that an entry is a normal double also for people on the same spot.
constexpr std::uint32_t kKeyBias = 0x00100000;

/// Entries of all lanes: doubles are twice as wide as floats, so the lanes are shared out to two vectors, the even ones
/// and the odd ones. One lane alone needs only the first.
struct Keys {
  Key even;
#if HWY_TARGET != HWY_SCALAR
  Key odd;
#endif
};

HWY_INLINE Keys makeKeys(Floats distance_squared, std::uint32_t slot) {
  const RowTag du;
  const KeyTag dk;
  const KeyBitsTag db;
  const auto bits = hn::Add(hn::BitCast(du, distance_squared), hn::Set(du, kKeyBias));
  const auto low = hn::Set(db, std::uint64_t{slot});
#if HWY_TARGET == HWY_SCALAR
  return {hn::BitCast(dk, hn::Or(hn::ShiftLeft<32>(hn::PromoteTo(db, bits)), low))};
#else
  const auto wide = hn::BitCast(db, bits);
  const auto upper = hn::Set(db, 0xffffffff00000000u);
  return {hn::BitCast(dk, hn::Or(hn::ShiftLeft<32>(wide), low)), hn::BitCast(dk, hn::Or(hn::And(wide, upper), low))};
#endif
}

HWY_INLINE Floats distanceOf(const Keys& keys) {
  const FloatTag df;
  const RowTag du;
  const KeyBitsTag db;
#if HWY_TARGET == HWY_SCALAR
  const auto bits = hn::TruncateTo(du, hn::ShiftRight<32>(hn::BitCast(db, keys.even)));
#else
  const auto upper = hn::Set(db, 0xffffffff00000000u);
  const auto bits = hn::BitCast(
      du, hn::Or(hn::ShiftRight<32>(hn::BitCast(db, keys.even)), hn::And(hn::BitCast(db, keys.odd), upper)));
#endif
  return hn::BitCast(df, hn::Sub(bits, hn::Set(du, kKeyBias)));
}

HWY_INLINE Rows slotOf(const Keys& keys) {
  const RowTag du;
  const KeyBitsTag db;
#if HWY_TARGET == HWY_SCALAR
  return hn::TruncateTo(du, hn::BitCast(db, keys.even));
#else
  const auto lower = hn::Set(db, 0x00000000ffffffffu);
  return hn::BitCast(du,
                     hn::Or(hn::And(hn::BitCast(db, keys.even), lower), hn::ShiftLeft<32>(hn::BitCast(db, keys.odd))));
#endif
}

/// The smaller entry of each lane into a, the larger into b.
HWY_INLINE void sortPair(Keys& a, Keys& b) {
  const Key even = a.even;
  a.even = hn::Min(even, b.even);
  b.even = hn::Max(even, b.even);
#if HWY_TARGET != HWY_SCALAR
  const Key odd = a.odd;
  a.odd = hn::Min(odd, b.odd);
  b.odd = hn::Max(odd, b.odd);
#endif
}

HWY_INLINE void takeSmaller(Keys& a, const Keys& b) {
  a.even = hn::Min(a.even, b.even);
#if HWY_TARGET != HWY_SCALAR
  a.odd = hn::Min(a.odd, b.odd);
#endif
}

/// Entries are put into the lists four at a time: sorting and merging four costs little more than half of inserting
/// them one by one.
constexpr std::size_t kTogether = 4;

/// A sorted list that is short enough for registers.
template <int kLength>
struct ShortList {
  static_assert(kLength > 4);
  Keys entry[kLength];

  HWY_INLINE void fill(Keys keys) {
    for (int i = 0; i < kLength; ++i) entry[i] = keys;
  }
  HWY_INLINE void insert(Keys a, Keys b, Keys c, Keys d) {
    sortPair(a, b), sortPair(c, d), sortPair(a, c), sortPair(b, d), sortPair(b, c);
    // The four largest of the list against the new ones in reverse leave the smallest, first up, then down.
    Keys* tail = entry + (kLength - 4);
    takeSmaller(tail[0], d), takeSmaller(tail[1], c), takeSmaller(tail[2], b), takeSmaller(tail[3], a);
    sortPair(tail[0], tail[2]), sortPair(tail[1], tail[3]), sortPair(tail[0], tail[1]), sortPair(tail[2], tail[3]);
    constexpr MergeNetwork<kLength> kMerge;
#pragma GCC unroll 32
    for (int i = 0; i < kMerge.count; ++i) sortPair(entry[kMerge.low[i]], entry[kMerge.high[i]]);
  }
  HWY_INLINE Keys last() const { return entry[kLength - 1]; }
  HWY_INLINE Keys at(std::size_t i) const { return entry[i]; }
};

/// A sorted list of any length, in memory that the caller gives.
struct LongList {
  double* memory;  ///< 2 · length · lanes of a double vector
  std::size_t length;

  HWY_INLINE Keys at(std::size_t i) const {
    const KeyTag dk;
#if HWY_TARGET == HWY_SCALAR
    return {hn::Load(dk, memory + i)};
#else
    return {hn::Load(dk, memory + 2 * i * hn::Lanes(dk)), hn::Load(dk, memory + (2 * i + 1) * hn::Lanes(dk))};
#endif
  }
  HWY_INLINE void set(std::size_t i, const Keys& keys) {
    const KeyTag dk;
#if HWY_TARGET == HWY_SCALAR
    hn::Store(keys.even, dk, memory + i);
#else
    hn::Store(keys.even, dk, memory + 2 * i * hn::Lanes(dk));
    hn::Store(keys.odd, dk, memory + (2 * i + 1) * hn::Lanes(dk));
#endif
  }
  HWY_INLINE void fill(Keys keys) {
    for (std::size_t i = 0; i < length; ++i) set(i, keys);
  }
  HWY_INLINE void insert(Keys a, Keys b, Keys c, Keys d) {
    for (std::size_t i = 0; i < length; ++i) {
      Keys entry = at(i);
      sortPair(entry, a), sortPair(entry, b), sortPair(entry, c), sortPair(entry, d);
      set(i, entry);
    }
  }
  HWY_INLINE Keys last() const { return at(length - 1); }
};

/// The people in the lanes. Lanes left over repeat somebody.
struct SearchLanes {
  Floats x, y;
  Rows row;
  std::uint32_t first_slot, last_slot;  ///< the lowest and the highest of the lanes' slots
};

/// Where the result goes: [neighbour][lane], nearest first. kNobody where a lane has fewer.
struct SearchResult {
  std::uint32_t* slot;
  float* distance_squared;
};

/// Candidates that passed the test, to be entered together: so the processor need not guess which will pass.
constexpr std::size_t kCandidates = 64;

/// Enters those of slots [begin, end) that are no farther from some lane than the last of its list.
template <bool kExceptOneself, class List>
HWY_INLINE void visitSlots(const NeighbourIndex& index, const SearchLanes& lanes, std::uint32_t begin,
                           std::uint32_t end, List& list, Floats& bound) {
  const FloatTag df;
  const RowTag du;
  const float* HWY_RESTRICT xs = index.x().data();
  const float* HWY_RESTRICT ys = index.y().data();
  const std::uint32_t* HWY_RESTRICT rows = index.row().data();
  HWY_ALIGN float distance[kCandidates * hn::MaxLanes(df)];
  std::uint32_t slot[kCandidates];
  while (begin < end) {
    const std::uint32_t stop = static_cast<std::uint32_t>(std::min<std::size_t>(end, begin + kCandidates));
    std::size_t count = 0;
    for (std::uint32_t s = begin; s < stop; ++s) {
      const Floats dx = hn::Sub(hn::Set(df, xs[s]), lanes.x);
      const Floats dy = hn::Sub(hn::Set(df, ys[s]), lanes.y);
      Floats d2 = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      if constexpr (kExceptOneself) {
        const auto oneself = hn::RebindMask(df, hn::Eq(lanes.row, hn::Set(du, rows[s])));
        d2 = hn::IfThenElse(oneself, hn::Set(df, std::numeric_limits<float>::infinity()), d2);
      }
      hn::Store(d2, df, distance + count * hn::Lanes(df));
      slot[count] = s;
      // Also those as far as the last: their slot may be lower.
      count += hn::AllFalse(df, hn::Le(d2, bound)) ? 0 : 1;
    }
    for (const std::size_t n = count; count % kTogether != 0 && n > 0; ++count) {  // filled up with nobody
      hn::Store(hn::Set(df, std::numeric_limits<float>::infinity()), df, distance + count * hn::Lanes(df));
      slot[count] = 0;
    }
    const auto keys = [&](std::size_t c)
                          HWY_ATTR { return makeKeys(hn::Load(df, distance + c * hn::Lanes(df)), slot[c]); };
    for (std::size_t c = 0; c < count; c += kTogether) list.insert(keys(c), keys(c + 1), keys(c + 2), keys(c + 3));
    bound = distanceOf(list.last());
    begin = stop;
  }
}

/// Cells [first, last] of one row of the grid.
template <class List>
HWY_INLINE void visitRow(const NeighbourIndex& index, const NeighbourIndex::Grid& grid, const SearchLanes& lanes,
                         int row, int first, int last, List& list, Floats& bound) {
  const std::uint32_t* start =
      index.cellStart().data() + grid.first_cell + static_cast<std::ptrdiff_t>(row) * grid.columns;
  const std::uint32_t begin = start[first], end = start[last + 1];
  if (grid.own_ghosts || (begin <= lanes.last_slot && end > lanes.first_slot)) {
    visitSlots<true>(index, lanes, begin, end, list, bound);
  } else {
    visitSlots<false>(index, lanes, begin, end, list, bound);
  }
}

template <class List>
HWY_INLINE void searchAround(const NeighbourIndex& index, const NeighbourIndex::Grid& grid, const SearchLanes& lanes,
                             float range, List& list) {
  const FloatTag df;
  Floats bound = hn::Set(df, range * range);
  list.fill(makeKeys(bound, 0));
  const float min_x = hn::GetLane(hn::MinOfLanes(df, lanes.x)), max_x = hn::GetLane(hn::MaxOfLanes(df, lanes.x));
  const float min_y = hn::GetLane(hn::MinOfLanes(df, lanes.y)), max_y = hn::GetLane(hn::MaxOfLanes(df, lanes.y));
  // Room for the rounding of a place plus or minus a distance.
  const float slack = 2.4e-7f * (std::abs(min_x) + std::abs(max_x) + std::abs(min_y) + std::abs(max_y));

  // From the lanes' own rows outward: the nearest come early, and what is farther need not be looked at.
  int below = NeighbourIndex::gridRow(grid, min_y), above = below;
  const int own_end = NeighbourIndex::gridRow(grid, max_y) + 1;
  float reach = range * 1.0001f + slack;
  int first = NeighbourIndex::column(grid, min_x - reach), last = NeighbourIndex::column(grid, max_x + reach);
  while (above < own_end) visitRow(index, grid, lanes, above++, first, last, list, bound);
  --below;
  for (;;) {
    reach = std::sqrt(hn::GetLane(hn::MaxOfLanes(df, bound))) * 1.0001f + slack;
    const bool go_below = below >= NeighbourIndex::gridRow(grid, min_y - reach) && below >= 0;
    const bool go_above = above <= NeighbourIndex::gridRow(grid, max_y + reach);
    if (!go_below && !go_above) break;
    first = NeighbourIndex::column(grid, min_x - reach), last = NeighbourIndex::column(grid, max_x + reach);
    if (go_below) visitRow(index, grid, lanes, below--, first, last, list, bound);
    if (go_above) visitRow(index, grid, lanes, above++, first, last, list, bound);
  }
}

/// Writes the first `count` entries; returns how many of them somebody has.
template <class List>
HWY_INLINE std::size_t writeList(const List& list, std::size_t count, float range, SearchResult result) {
  const FloatTag df;
  const RowTag du;
  const std::size_t n = hn::Lanes(df);
  const Floats limit = hn::Set(df, range * range);
  for (std::size_t i = 0; i < count; ++i) {
    const Keys keys = list.at(i);
    const Floats d2 = distanceOf(keys);
    const auto there = hn::Lt(d2, limit);
    if (hn::AllFalse(df, there)) return i;
    const auto slot = hn::IfThenElse(hn::RebindMask(du, there), slotOf(keys), hn::Set(du, NeighbourIndex::kNobody));
    hn::Store(slot, du, result.slot + i * n);
    hn::Store(d2, df, result.distance_squared + i * n);
  }
  return count;
}

template <int kLength>
HWY_NOINLINE std::size_t nearestShort(const NeighbourIndex& index, const NeighbourIndex::Grid& grid,
                                      const SearchLanes& lanes, std::size_t count, float range, SearchResult result) {
  ShortList<kLength> list;
  searchAround(index, grid, lanes, range, list);
  return writeList(list, count, range, result);
}

/// The up to `count` nearest of each lane nearer than `range`, nearest first, ties by slot. `scratch` is grown as
/// needed and must be the caller's own. Returns the largest number that a lane found; rows of the result beyond are not
/// written.
HWY_INLINE std::size_t nearestBatch(const NeighbourIndex& index, std::uint16_t zone, const SearchLanes& lanes,
                                    std::size_t count, float range, base::Column<double>& scratch,
                                    SearchResult result) {
  if (count == 0 || !(range > 0)) return 0;
  const NeighbourIndex::Grid& grid = index.grid(zone);
  if (count <= 6) return nearestShort<6>(index, grid, lanes, count, range, result);
  if (count <= 10) return nearestShort<10>(index, grid, lanes, count, range, result);
  LongList list{nullptr, count};
  if (scratch.size() < 2 * count * hn::Lanes(KeyTag())) scratch.resize(2 * count * hn::Lanes(KeyTag()));
  list.memory = scratch.data();
  searchAround(index, grid, lanes, range, list);
  return writeList(list, count, range, result);
}

}  // namespace HWY_NAMESPACE
}  // namespace throng::agents
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
