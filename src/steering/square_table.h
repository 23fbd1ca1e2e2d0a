// What is known of a crowd by squares of 2 m, of those only in which somebody is.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/base.h"

#include "base/random.h"

namespace throng::steering {

inline constexpr float kSquareSide = 2;  ///< m

/// Open addressing by floor and place. `Square` begins with everything 0, and has a `key` of its own.
template <class Square>
class SquareTable {
 public:
  /// Forgets everything; then there is room for the squares of so many people.
  void clear(std::size_t people) {
    const std::size_t size = std::bit_ceil(2 * people + 16);
    if (squares_.size() < size) {
      squares_.assign(size, {});
    } else {
      for (const std::uint32_t i : in_use_) squares_[i] = {};
    }
    in_use_.clear();
  }
  /// The square of a place, which is in use from now on.
  Square& use(Vec2 at, std::uint16_t floor) {
    const std::uint64_t key = keyOf(at, floor);
    const std::size_t i = find(key);
    if (squares_[i].key == 0) squares_[i].key = key, in_use_.push_back(static_cast<std::uint32_t>(i));
    return squares_[i];
  }
  /// The square of a place; one in which nobody is when it is not in use.
  const Square& at(Vec2 place, std::uint16_t floor) const {
    static constexpr Square kEmpty{};
    return squares_.empty() ? kEmpty : squares_[find(keyOf(place, floor))];
  }
  /// So many squares to the right of one that is in use, and up.
  const Square& beside(const Square& square, std::int64_t right, std::int64_t up) const {
    return squares_[find(square.key + static_cast<std::uint64_t>(right * (std::int64_t{1} << 24) + up))];
  }
  template <class Work>
  void forEach(const Work& work) {
    for (const std::uint32_t i : in_use_) work(squares_[i]);
  }
  std::size_t memory() const {
    return squares_.capacity() * sizeof(Square) + in_use_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static std::uint64_t keyOf(Vec2 at, std::uint16_t floor) {
    // Beyond 16,000 km squares far apart share a number.
    const auto cell = [](float x) {
      const auto index = static_cast<std::int64_t>(std::floor(x / kSquareSide));
      return static_cast<std::uint64_t>(index + (std::int64_t{1} << 23)) & 0xffffff;
    };
    return (std::uint64_t{floor} + 1) << 48 | cell(at.x) << 24 | cell(at.y);
  }
  /// Where the square is, or would be.
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = squares_.size() - 1;
    std::size_t i = base::mix(key) & mask;
    while (squares_[i].key != key && squares_[i].key != 0) i = (i + 1) & mask;
    return i;
  }

  std::vector<Square> squares_;        ///< key 0: free
  std::vector<std::uint32_t> in_use_;  ///< of them
};

}  // namespace throng::steering
