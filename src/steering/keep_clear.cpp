#include "steering/keep_clear.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.h"

namespace throng::steering {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work
constexpr float kSide = 2;           // m, of a square
constexpr float kAhead = 4;          // m: where people look
constexpr float kWants = 0.1f;       // m/s: preferred speeds below this are waiting
/// People in nine squares who are in one another's way, so many that nobody more should come: 1.5 per m².
constexpr float kFull = 54;
constexpr float kAmong = 0.7f;    // share of that: who is among so many is in it already
constexpr float kDiffers = 0.4f;  // share of that, by which people differ, so that not all go at once

}  // namespace

std::uint64_t MixedCrowd::keyOf(Vec2 at, std::uint16_t floor) {
  // Beyond 16,000 km squares far apart share a number.
  const auto cell = [](float x) {
    const auto index = static_cast<std::int64_t>(std::floor(x / kSide));
    return static_cast<std::uint64_t>(index + (std::int64_t{1} << 23)) & 0xffffff;
  };
  return (std::uint64_t{floor} + 1) << 48 | cell(at.x) << 24 | cell(at.y);
}

std::size_t MixedCrowd::find(std::uint64_t key) const {
  const std::size_t mask = squares_.size() - 1;
  std::size_t i = base::mix(key) & mask;
  while (squares_[i].key != key && squares_[i].key != 0) i = (i + 1) & mask;
  return i;
}

void MixedCrowd::clear(std::size_t people) {
  const std::size_t size = std::bit_ceil(2 * people + 16);
  if (squares_.size() < size) {
    squares_.assign(size, {});
  } else {
    for (const std::uint32_t i : in_use_) squares_[i] = {};
  }
  in_use_.clear();
}

void MixedCrowd::add(Vec2 at, std::uint16_t floor, Vec2 velocity) {
  const std::uint64_t key = keyOf(at, floor);
  const std::size_t i = find(key);
  Square& square = squares_[i];
  if (square.key == 0) square.key = key, in_use_.push_back(static_cast<std::uint32_t>(i));
  const float squared = lengthSquared(velocity);
  ++square.people;
  square.x += (velocity.x * velocity.x - velocity.y * velocity.y) / squared;
  square.y += 2 * velocity.x * velocity.y / squared;
}

void MixedCrowd::finish() {
  for (const std::uint32_t i : in_use_) {
    Square& square = squares_[i];
    const float n = square.people;
    if (n < 2) continue;
    // The mean over all pairs of the cosine of twice the angle between them.
    const float alike = (square.x * square.x + square.y * square.y - n) / (n * (n - 1));
    square.mixed = n * (1 - std::clamp(alike, 0.0f, 1.0f));
  }
  for (const std::uint32_t i : in_use_) {
    Square& square = squares_[i];
    for (std::int64_t dx = -1; dx <= 1; ++dx)
      for (std::int64_t dy = -1; dy <= 1; ++dy)
        square.around +=
            squares_[find(square.key + static_cast<std::uint64_t>(dx * (std::int64_t{1} << 24) + dy))].mixed;
  }
}

float MixedCrowd::around(Vec2 at, std::uint16_t floor) const {
  return squares_.empty() ? 0 : squares_[find(keyOf(at, floor))].around;
}

std::size_t MixedCrowd::memory() const {
  return squares_.capacity() * sizeof(Square) + in_use_.capacity() * sizeof(std::uint32_t);
}

void KeepClear::attach(step::StepContext&) {
  any_ = false;
  for (const auto& choice : steering_.choices()) any_ |= choice.give_way;
}

void KeepClear::run(step::StepContext& context) {
  if (!any_) return;
  agents::Crowd& crowd = context.crowd;
  const auto preferred = [&](std::uint32_t r) { return Vec2{crowd.preferred_vx[r], crowd.preferred_vy[r]}; };
  crowd_.clear(crowd.full());
  for (std::uint32_t r = 0; r < crowd.full(); ++r)
    if (lengthSquared(preferred(r)) >= kWants * kWants)
      crowd_.add({crowd.x[r], crowd.y[r]}, crowd.layer[r], preferred(r));
  crowd_.finish();
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      if (!steering_.choices()[crowd.profile[r]].give_way || context.isSteeredByProgram(r)) continue;
      const float speed = length(preferred(r));
      if (speed < kWants) continue;
      const Vec2 here{crowd.x[r], crowd.y[r]}, there = here + preferred(r) * (kAhead / speed);
      const auto luck = static_cast<float>(base::mix(crowd.person[r]) >> 40) * 0x1p-24f;
      const float full = kFull * (1 + kDiffers * (luck - 0.5f));
      if (crowd_.around(there, crowd.layer[r]) < full || crowd_.around(here, crowd.layer[r]) > kAmong * full) continue;
      crowd.preferred_vx[r] = crowd.preferred_vy[r] = 0;
    }
  });
}

}  // namespace throng::steering
