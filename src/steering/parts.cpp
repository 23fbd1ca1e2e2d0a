#include "steering/parts.h"

#include <algorithm>
#include <cmath>

namespace throng::steering {
namespace {

constexpr std::size_t kPiece = 256;  // people per piece of work
constexpr std::size_t kRows = 4096;  // rows per piece where nothing but arithmetic is done

}  // namespace

void Pushers::reserve(std::size_t more) {
  const std::size_t needed = count + more + base::kVectorBytes / sizeof(float);
  if (needed <= dx.size()) return;
  for (auto* column : {&dx, &dy, &reach}) column->resize(2 * needed);
  for (auto* column : {&self, &other}) column->resize(2 * needed);
}

void Pushers::pad() {
  reserve(0);
  for (std::size_t i = count; i < count + base::kVectorBytes / sizeof(float); ++i) self[i] = other[i] = 0;
}

void StepInParts::cut(std::span<const Together> people) {
  pieces_.clear();
  for (const Together& one : people)
    for (std::size_t i = 0; i < one.slots.size(); i += kPiece)
      pieces_.push_back({&one, one.slots.subspan(i, std::min(kPiece, one.slots.size() - i)), pieces_.size()});
  if (pushers_.size() < pieces_.size()) pushers_.resize(pieces_.size());
}

void StepInParts::onePart(const StepInput& input, bool others, float dt, const base::Threads& threads) {
  if (others) {
    threads.forEach(input.crowd.size(), kRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r) {
        next_.vx[r] = now_.vx[r], next_.vy[r] = now_.vy[r];
        next_.x[r] = now_.x[r] + dt * now_.vx[r], next_.y[r] = now_.y[r] + dt * now_.vy[r];
      }
    });
  }
  const Within now{now_.x.data(), now_.y.data(), now_.vx.data(), now_.vy.data()};
  const VelocityOutput next{next_.vx.data(), next_.vy.data()};
  threads.forEach(pieces_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const Piece& piece = pieces_[p];
      piece.of->parts->walk(input, piece.of->parameters, piece.slots, dt, pushers_[piece.pushers], now, next);
      for (const std::uint32_t slot : piece.slots) {
        const std::uint32_t r = input.neighbours.row()[slot];
        next_.x[r] = now_.x[r] + dt * next_.vx[r], next_.y[r] = now_.y[r] + dt * next_.vy[r];
      }
    }
  });
  std::swap(now_, next_);
}

void StepInParts::run(const StepInput& input, std::span<const Together> people, const base::Threads& threads,
                      VelocityOutput out) {
  cut(people);
  if (pieces_.empty()) return;
  const agents::Crowd& crowd = input.crowd;
  int parts = 1;
  std::size_t steered = 0;
  for (const Together& one : people) {
    // A step of 0.1 s is ten of 0.01 s, whatever rounding makes of the quotient.
    parts = std::max(parts, static_cast<int>(std::ceil(input.dt / one.parts->longest - 1e-3f)));
    steered += one.slots.size();
  }
  const float dt = input.dt / static_cast<float>(parts);
  for (State* state : {&now_, &next_})
    for (auto* column : {&state->x, &state->y, &state->vx, &state->vy}) column->resize(crowd.size());
  threads.forEach(crowd.size(), kRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      now_.x[r] = now_.y[r] = 0;
      now_.vx[r] = crowd.vx[r], now_.vy[r] = crowd.vy[r];
    }
  });
  threads.forEach(pieces_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const Piece& piece = pieces_[p];
      Pushers& pushers = pushers_[piece.pushers];
      pushers.clear();
      piece.of->parts->begin(input, piece.of->parameters, piece.slots, pushers);
      pushers.pad();
      for (const std::uint32_t slot : piece.slots) {
        const std::uint32_t r = input.neighbours.row()[slot];
        now_.vx[r] += input.memory_x[r], now_.vy[r] += input.memory_y[r];
      }
    }
  });
  for (int i = 0; i < parts; ++i) onePart(input, steered < crowd.size(), dt, threads);
  const float inverse = 1 / input.dt;
  threads.forEach(pieces_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      for (const std::uint32_t slot : pieces_[p].slots) {
        const std::uint32_t r = input.neighbours.row()[slot];
        // Nobody who walks with one velocity all the time gets another one by dividing.
        const bool steady = parts == 1;
        out.vx[r] = steady ? now_.vx[r] : now_.x[r] * inverse;
        out.vy[r] = steady ? now_.vy[r] : now_.y[r] * inverse;
        out.memory_x[r] = now_.vx[r] - out.vx[r], out.memory_y[r] = now_.vy[r] - out.vy[r];
      }
    }
  });
}

std::size_t StepInParts::memory() const {
  std::size_t bytes = 0;
  for (const State* state : {&now_, &next_})
    bytes += (state->x.capacity() + state->y.capacity() + state->vx.capacity() + state->vy.capacity()) * sizeof(float);
  for (const Pushers& one : pushers_) {
    for (const auto* column : {&one.dx, &one.dy, &one.reach}) bytes += column->capacity() * sizeof(float);
    bytes += (one.self.capacity() + one.other.capacity()) * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace throng::steering
