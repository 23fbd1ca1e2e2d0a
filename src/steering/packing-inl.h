// Moving the lanes of a mask to the front of a vector and storing them. Compiled once per instruction set: include
// inside a file that goes through hwy/foreach_target.h.
#if defined(THRONG_STEERING_PACKING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THRONG_STEERING_PACKING_INL_H_
#undef THRONG_STEERING_PACKING_INL_H_
#else
#define THRONG_STEERING_PACKING_INL_H_
#endif

#include <cstdint>
#include <hwy/highway.h>

#ifndef THRONG_STEERING_PACKED_PLACES
#define THRONG_STEERING_PACKED_PLACES
namespace throng::steering::pack {

/// For every mask of eight lanes: which lanes are set, in order.
struct Packed {
  std::uint8_t places[256][8] = {};

  constexpr Packed() {
    for (unsigned bits = 0; bits < 256; ++bits) {
      for (std::uint8_t lane = 0, count = 0; lane < 8; ++lane) {
        if ((bits >> lane & 1u) != 0) places[bits][count++] = lane;
      }
    }
  }
};
inline constexpr Packed kPacked;

}  // namespace throng::steering::pack
#endif

HWY_BEFORE_NAMESPACE();
namespace throng::steering::pack::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Where the processor has no instruction for it, the table is our own: g++ 12 copies Highway's to the stack every time.
#if HWY_ARCH_X86 && (HWY_MAX_BYTES == 16 || HWY_MAX_BYTES == 32)
HWY_INLINE auto packing(D d, hn::Mask<D> mask) {
  std::uint8_t bits[8];
  hn::StoreMaskBits(d, mask, bits);
  const hn::Rebind<std::uint8_t, D> bytes;
  const hn::RebindToUnsigned<D> du;
  return hn::IndicesFromVec(d, hn::PromoteTo(du, hn::LoadU(bytes, kPacked.places[bits[0]])));
}
template <class Indices>
HWY_INLINE void storePacked(D d, V v, Indices indices, float* to) {
  hn::StoreU(hn::TableLookupLanes(v, indices), d, to);
}
#else
HWY_INLINE auto packing(D, hn::Mask<D> mask) { return mask; }
HWY_INLINE void storePacked(D d, V v, hn::Mask<D> mask, float* to) { hn::StoreU(hn::Compress(v, mask), d, to); }
#endif

}  // namespace throng::steering::pack::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
