#include "base/column.h"

#include <sys/mman.h>

namespace throng::base {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;  // bytes

std::align_val_t alignmentOf(std::size_t bytes) {
  return std::align_val_t{bytes >= 2 * kLargePage ? kLargePage : kVectorBytes};
}

}  // namespace

void* allocateColumn(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignmentOf(bytes));
#ifdef MADV_HUGEPAGE
  // Advice: that it cannot be taken is no failure.
  if (bytes >= 2 * kLargePage) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

void freeColumn(void* memory, std::size_t bytes) { ::operator delete(memory, alignmentOf(bytes)); }

}  // namespace throng::base
