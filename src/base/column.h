// A column: one value per row, aligned and padded so that a vector may be loaded at any row without running over the
// end.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace throng::base {

/// Widest vector we load, in bytes (AVX-512).
inline constexpr std::size_t kVectorBytes = 64;

/// Memory for a column, aligned for vectors. Much of it at once is in large pages where the system has them: people are
/// met in the order of their places, and what they refer to lies all over their columns.
void* allocateColumn(std::size_t bytes);
/// `bytes`: as they were asked for.
void freeColumn(void* memory, std::size_t bytes);

template <class T>
struct ColumnAllocator {
  using value_type = T;
  ColumnAllocator() = default;
  template <class U>
  ColumnAllocator(const ColumnAllocator<U>&) {}
  T* allocate(std::size_t n) {
    // One vector more than asked for: the padding.
    return static_cast<T*>(allocateColumn(n * sizeof(T) + kVectorBytes));
  }
  void deallocate(T* p, std::size_t n) { freeColumn(p, n * sizeof(T) + kVectorBytes); }
  /// New entries of plain numbers are left unset when a column is resized for being overwritten as a whole.
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
  }
  friend bool operator==(const ColumnAllocator&, const ColumnAllocator&) { return true; }
};

template <class T>
using Column = std::vector<T, ColumnAllocator<T>>;

}  // namespace throng::base
