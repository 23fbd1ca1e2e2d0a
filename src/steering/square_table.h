// What is known of a crowd by squares of 2 m, of those only in which somebody is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/base.h"

#include "base/random.h"

namespace throng::steering {

inline constexpr float kSquareSide = 2;  ///< m

/// The number of the square of a coordinate along its axis.
inline std::int64_t squareAlong(float x) {
  const float squares = x / kSquareSide;
  auto index = static_cast<std::int64_t>(squares);
  if (static_cast<float>(index) > squares) --index;
  return index;
}

/// Open addressing by floor and place, over a list of squares. `Square` begins with everything 0, and has a `key` of
/// its own.
template <class Square>
class SquareTable {
 public:
  /// Forgets everything; then there is room for the squares of so many people.
  void clear(std::size_t people) {
    const std::size_t size = std::bit_ceil(2 * people + 16);
    numbers_.assign(std::max(size, numbers_.size()), 0);
    squares_.clear();
    squares_.reserve(people);
    last_ = 0;
  }
  /// The square of a place, which is in use from now on. Quick for who comes after somebody in the same one.
  Square& use(Vec2 at, std::uint16_t floor) {
    const std::uint64_t key = keyOf(at, floor);
    if (last_ < squares_.size() && squares_[last_].key == key) return squares_[last_];
    std::uint32_t& number = numbers_[find(key)];
    if (number == 0) {
      squares_.emplace_back().key = key;
      number = static_cast<std::uint32_t>(squares_.size());
    }
    last_ = number - 1;
    return squares_[last_];
  }
  /// The square of a place; one in which nobody is when it is not in use.
  const Square& at(Vec2 place, std::uint16_t floor) const { return withKey(keyOf(place, floor)); }
  /// So many squares to the right of one that is in use, and up.
  const Square& beside(const Square& square, std::int64_t right, std::int64_t up) const {
    return withKey(keyBeside(square, right, up));
  }
  /// The same, to be changed; null for one that is not in use.
  Square* findBeside(const Square& square, std::int64_t right, std::int64_t up) {
    const std::uint32_t number = numbers_[find(keyBeside(square, right, up))];
    return number == 0 ? nullptr : &squares_[number - 1];
  }
  /// In the order in which they came into use.
  template <class Work>
  void forEach(const Work& work) {
    for (Square& square : squares_) work(square);
  }
  std::size_t memory() const {
    return squares_.capacity() * sizeof(Square) + numbers_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static std::uint64_t keyOf(Vec2 at, std::uint16_t floor) {
    // Beyond 16,000 km squares far apart share a number.
    const auto cell = [](float x) {
      return static_cast<std::uint64_t>(squareAlong(x) + (std::int64_t{1} << 23)) & 0xffffff;
    };
    return (std::uint64_t{floor} + 1) << 48 | cell(at.x) << 24 | cell(at.y);
  }
  static std::uint64_t keyBeside(const Square& square, std::int64_t right, std::int64_t up) {
    return square.key + static_cast<std::uint64_t>(right * (std::int64_t{1} << 24) + up);
  }
  const Square& withKey(std::uint64_t key) const {
    static constexpr Square kEmpty{};
    if (squares_.empty()) return kEmpty;
    const std::uint32_t number = numbers_[find(key)];
    return number == 0 ? kEmpty : squares_[number - 1];
  }
  /// Where the square's number is, or would be.
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = numbers_.size() - 1;
    std::size_t i = base::mix(key) & mask;
    while (numbers_[i] != 0 && squares_[numbers_[i] - 1].key != key) i = (i + 1) & mask;
    return i;
  }

  std::vector<Square> squares_;         ///< those in use
  std::vector<std::uint32_t> numbers_;  ///< 1 and their places in the list, by key; 0: free
  std::size_t last_ = 0;                ///< the one used last
};

}  // namespace throng::steering
