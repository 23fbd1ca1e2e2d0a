// What the model `throng` reads of others: one record per slot, worked out once for everybody and step. Compiled once
// per instruction set: include inside a file that goes through hwy/foreach_target.h.
#if defined(THRONG_STEERING_TIME_GAP_RECORDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THRONG_STEERING_TIME_GAP_RECORDS_INL_H_
#undef THRONG_STEERING_TIME_GAP_RECORDS_INL_H_
#else
#define THRONG_STEERING_TIME_GAP_RECORDS_INL_H_
#endif

#include <bit>
#include <cstdint>
#include <hwy/highway.h>

#include "steering/time_gap_terms.h"

#ifndef THRONG_STEERING_TIME_GAP_RECORD
#define THRONG_STEERING_TIME_GAP_RECORD
namespace throng::steering::time_gap {

/// What is read of others, by slot: place, velocity; wanted direction, radius, how much they stand. Two blocks of four:
/// one person is half a cache line, and a block of as many people as there are lanes takes one transposition.
inline constexpr std::size_t kBlock = 4, kRecord = 2 * kBlock;

struct Everybody {
  const float* records;
  const float* person;  ///< the bits of numbers, by slot; after the records

  Everybody(const float* prepared, std::size_t slots) : records(prepared), person(prepared + kRecord * slots) {}
};

}  // namespace throng::steering::time_gap
#endif

HWY_BEFORE_NAMESPACE();
namespace throng::steering::time_gap::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;

#if HWY_TARGET == HWY_SCALAR
/// One block of the records of the people in as many slots as there are lanes.
HWY_INLINE void loadBlocks(D d, const float* block, const float* slots, V& a, V& b, V& c, V& e) {
  block += kRecord * std::bit_cast<std::uint32_t>(slots[0]);
  a = hn::Set(d, block[0]), b = hn::Set(d, block[1]), c = hn::Set(d, block[2]), e = hn::Set(d, block[3]);
}
HWY_INLINE void storeBlocks(D, V a, V b, V c, V e, float* block) {
  block[0] = hn::GetLane(a), block[1] = hn::GetLane(b), block[2] = hn::GetLane(c), block[3] = hn::GetLane(e);
}
#else
template <class Tag>
HWY_INLINE hn::Vec<Tag> loadEveryFourth(Tag tag, const float* block, const float* slots) {
  if constexpr (hn::MaxLanes(tag) == kBlock) {
    return hn::LoadU(tag, block + kRecord * std::bit_cast<std::uint32_t>(slots[0]));
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(tag, loadEveryFourth(half, block, slots + hn::MaxLanes(half)),
                       loadEveryFourth(half, block, slots));
  }
}
template <class Tag>
HWY_INLINE void storeEveryFourth(Tag tag, hn::Vec<Tag> v, float* block) {
  if constexpr (hn::MaxLanes(tag) == kBlock) {
    hn::StoreU(v, tag, block);
  } else {
    const hn::Half<Tag> half;
    storeEveryFourth(half, hn::LowerHalf(half, v), block);
    storeEveryFourth(half, hn::UpperHalf(half, v), block + kRecord * hn::MaxLanes(half));
  }
}

/// Rows of four to columns, and columns to rows.
HWY_INLINE void transpose(D d, V& a, V& b, V& c, V& e) {
  const V low_ac = hn::InterleaveLower(d, a, c), low_be = hn::InterleaveLower(d, b, e);
  const V high_ac = hn::InterleaveUpper(d, a, c), high_be = hn::InterleaveUpper(d, b, e);
  a = hn::InterleaveLower(d, low_ac, low_be), b = hn::InterleaveUpper(d, low_ac, low_be);
  c = hn::InterleaveLower(d, high_ac, high_be), e = hn::InterleaveUpper(d, high_ac, high_be);
}

/// One block of the records of the people in as many slots as there are lanes.
HWY_INLINE void loadBlocks(D d, const float* block, const float* slots, V& a, V& b, V& c, V& e) {
  a = loadEveryFourth(d, block, slots), b = loadEveryFourth(d, block, slots + 1);
  c = loadEveryFourth(d, block, slots + 2), e = loadEveryFourth(d, block, slots + 3);
  transpose(d, a, b, c, e);
}
/// One block of as many records side by side.
HWY_INLINE void storeBlocks(D d, V a, V b, V c, V e, float* block) {
  transpose(d, a, b, c, e);
  storeEveryFourth(d, a, block), storeEveryFourth(d, b, block + kRecord);
  storeEveryFourth(d, c, block + 2 * kRecord), storeEveryFourth(d, e, block + 3 * kRecord);
}
#endif

/// Writes the records of slots [begin, end).
inline void prepareSlots(const StepInput& input, std::size_t begin, std::size_t end, float* to) {
  const D d;
  const DI di;
  const DU du;
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f), least = hn::Set(d, kStanding * kStanding);
  float* persons = to + kRecord * index.slots();
  std::size_t s = begin;
  for (; s + hn::Lanes(d) <= end; s += hn::Lanes(d)) {
    const auto row = hn::BitCast(di, hn::LoadU(du, index.row().data() + s));
    const V vx = hn::LoadU(d, index.vx().data() + s), vy = hn::LoadU(d, index.vy().data() + s);
    const V x = hn::LoadU(d, index.x().data() + s), y = hn::LoadU(d, index.y().data() + s);
    const V to_x = hn::GatherIndex(d, crowd.preferred_vx.data(), row);
    const V to_y = hn::GatherIndex(d, crowd.preferred_vy.data(), row);
    // wantedDirection(), standing()
    const V wish = hn::Add(hn::Mul(to_x, to_x), hn::Mul(to_y, to_y)), scale = hn::Div(one, hn::Sqrt(wish));
    const auto wants = hn::Gt(wish, least);
    const V wanted_x = hn::IfThenElseZero(wants, hn::Mul(to_x, scale));
    const V wanted_y = hn::IfThenElseZero(wants, hn::Mul(to_y, scale));
    const V pace = hn::Sqrt(hn::Add(hn::Mul(vx, vx), hn::Mul(vy, vy)));
    const V still = hn::Max(zero, hn::Sub(one, hn::Mul(hn::Set(d, kQueueing), pace)));
    storeBlocks(d, x, y, vx, vy, to + kRecord * s);
    storeBlocks(d, wanted_x, wanted_y, hn::LoadU(d, index.radius().data() + s), still, to + kRecord * s + kBlock);
    hn::StoreU(hn::BitCast(d, hn::GatherIndex(du, crowd.person.data(), row)), d, persons + s);
  }
  for (; s < end; ++s) {
    const std::uint32_t row = index.row()[s];
    const Vec2 velocity{index.vx()[s], index.vy()[s]}, wanted = wantedDirection(crowd, row);
    const float record[kRecord] = {index.x()[s], index.y()[s], velocity.x,        velocity.y,
                                   wanted.x,     wanted.y,     index.radius()[s], standing(velocity)};
    std::copy_n(record, kRecord, to + kRecord * s);
    persons[s] = std::bit_cast<float>(crowd.person[row]);
  }
}

}  // namespace throng::steering::time_gap::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
