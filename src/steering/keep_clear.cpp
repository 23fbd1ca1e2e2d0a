#include "steering/keep_clear.h"

#include <algorithm>
#include <bit>

#include "base/random.h"
#include "corridors/narrow_places.h"

namespace throng::steering {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work
constexpr float kAhead = 4;          // m: where people look
constexpr float kWants = 0.1f;       // m/s: preferred speeds below this are waiting
/// People in nine squares who are in one another's way, so many that nobody more should come: 1.5 per m².
constexpr float kFull = 54;
constexpr float kAmong = 0.7f;    // share of that: who is among so many is in it already
constexpr float kDiffers = 0.4f;  // share of that, by which people differ, so that not all go at once
/// Radii from the middle of a crossing to the nearest walls. In narrower ones it takes fewer who hold one another up,
/// in proportion to that clearance, down to a share.
constexpr float kOpen = 12, kLeastShare = 0.25f;
constexpr float kHeld = 0.4f;   // m/s: who is slower is held up
constexpr float kAlong = 1.5f;  // m before and behind where people look: there may be a crossing, too

}  // namespace

void MixedCrowd::add(Vec2 at, std::uint16_t floor, Vec2 velocity, bool is_held) {
  Square& square = squares_.use(at, floor);
  const float squared = lengthSquared(velocity);
  ++square.people;
  square.held += is_held ? 1.0f : 0.0f;
  square.x += (velocity.x * velocity.x - velocity.y * velocity.y) / squared;
  square.y += 2 * velocity.x * velocity.y / squared;
}

bool MixedCrowd::finish(float least) {
  bool any = false;
  const auto forAround = [](auto&& work) {
    for (std::int64_t dx = -1; dx <= 1; ++dx)
      for (std::int64_t dy = -1; dy <= 1; ++dy) work(dx, dy);
  };
  squares_.forEach([&](Square& square) {
    const float n = square.people;
    if (n < 2) {
      square.held = 0;
      return;
    }
    // The mean over all pairs of the cosine of twice the angle between them.
    const float alike = (square.x * square.x + square.y * square.y - n) / (n * (n - 1));
    square.mixed = n * (1 - std::clamp(alike, 0.0f, 1.0f));
    square.held *= square.mixed / n;
  });
  // Nine squares with less than a ninth of it each have less.
  squares_.forEach([&](Square& square) {
    if (!(square.mixed > 0 && 9 * square.mixed >= least)) return;
    any = true;
    forAround([&](std::int64_t dx, std::int64_t dy) {
      if (Square* near = squares_.findBeside(square, dx, dy)) near->counts = true;
    });
  });
  if (!any) return false;
  squares_.forEach([&](Square& square) {
    if (!square.counts) return;
    forAround([&](std::int64_t dx, std::int64_t dy) {
      const Square& near = squares_.beside(square, dx, dy);
      square.around += near.mixed, square.held_around += near.held;
    });
  });
  return true;
}

void RoughCrowd::clear(std::size_t people) {
  constexpr std::size_t kLeast = 64;
  const std::size_t squares = std::bit_ceil(std::max(2 * people, kLeast * kLeast));
  // Two to one or one to one.
  wide_ = std::size_t{1} << (std::bit_width(squares) / 2);
  high_ = squares / wide_;
  counts_.assign(squares, 0);
}

std::uint32_t RoughCrowd::mostAround() const {
  std::uint16_t most = 0;
  thread_local std::vector<std::uint16_t> columns;  // of three rows, and those beyond either end
  columns.resize(wide_ + 2);
  for (std::size_t row = 0; row < high_; ++row) {
    const std::uint16_t *below = &counts_[((row - 1) & (high_ - 1)) * wide_], *here = &counts_[row * wide_],
                        *above = &counts_[((row + 1) & (high_ - 1)) * wide_];
    std::uint16_t* three = columns.data();
    for (std::size_t i = 0; i < wide_; ++i) three[i + 1] = static_cast<std::uint16_t>(below[i] + here[i] + above[i]);
    three[0] = three[wide_], three[wide_ + 1] = three[1];
    for (std::size_t i = 0; i < wide_; ++i)
      most = std::max(most, static_cast<std::uint16_t>(three[i] + three[i + 1] + three[i + 2]));
  }
  return most;
}

void KeepClear::attach(step::StepContext& context) {
  radius_ = 0;
  for (std::size_t k = 0; k < steering_.choices().size(); ++k)
    if (steering_.choices()[k].give_way)
      radius_ = std::max(radius_, static_cast<float>(context.scene.profiles[k].radius.mean));
  found_for_ = 0;
}

void KeepClear::findCrossings(const step::StepContext& context) {
  const std::uint64_t now = context.terrain.revision() + 1;
  if (found_for_ == now) return;
  found_for_ = now;
  crossings_.clear();
  const corridors::CorridorMap* map = context.terrain.map();
  if (!map) return;
  const float open = kOpen * radius_;
  crossings_ = corridors::crossingClearances(*map, open);
  if (std::all_of(crossings_.begin(), crossings_.end(), [&](float clearance) { return clearance >= open; }))
    crossings_.clear();
}

/// How many people those crossings hold that somebody comes to, as a share of what the open holds.
float KeepClear::roomAhead(const step::StepContext& context, std::uint32_t r, Vec2 wanted) const {
  if (crossings_.empty()) return 1;
  const agents::Crowd& crowd = context.crowd;
  const corridors::CorridorMap& map = *context.terrain.map();
  float least = kOpen * radius_;
  for (const float ahead : {kAhead - kAlong, kAhead, kAhead + kAlong}) {
    const corridors::Located where = map.locate(wide(Vec2{crowd.x[r], crowd.y[r]} + wanted * ahead), crowd.layer[r]);
    const std::uint32_t chain = where ? map.edge(where.cell).chain : corridors::kNone;
    if (chain != corridors::kNone) least = std::min(least, crossings_[chain]);
  }
  return std::max(kLeastShare, least / (kOpen * radius_));
}

/// Is it too full there for somebody who is not among them yet?
bool KeepClear::isFull(const step::StepContext& context, std::uint32_t r, Vec2 wanted) const {
  const agents::Crowd& crowd = context.crowd;
  const Vec2 here{crowd.x[r], crowd.y[r]}, there = here + wanted * kAhead;
  const auto luck = static_cast<float>(base::mix(crowd.person[r]) >> 40) * 0x1p-24f;
  const float full = kFull * (1 + kDiffers * (luck - 0.5f));
  const auto is = [&](auto&& around, float most) { return around(there) >= most && around(here) <= kAmong * most; };
  if (is([&](Vec2 at) { return crowd_.around(at, crowd.layer[r]); }, full)) return true;
  const auto held = [&](Vec2 at) { return crowd_.heldAround(at, crowd.layer[r]); };
  if (crossings_.empty() || held(there) < kLeastShare * full) return false;
  const float share = roomAhead(context, r, wanted);
  return share < 1 && is(held, full * share);
}

void KeepClear::run(step::StepContext& context) {
  if (!(radius_ > 0)) return;
  findCrossings(context);
  agents::Crowd& crowd = context.crowd;
  const auto preferred = [&](std::uint32_t r) { return Vec2{crowd.preferred_vx[r], crowd.preferred_vy[r]}; };
  // Nobody waits for fewer than this: mostly there are no nine squares that hold so many at all.
  const float fewest = 0.99f * kFull * (1 - kDiffers / 2) * (crossings_.empty() ? 1 : kLeastShare);
  rough_.clear(crowd.full());
  for (std::uint32_t r = 0; r < crowd.full(); ++r) rough_.add({crowd.x[r], crowd.y[r]}, crowd.layer[r]);
  if (static_cast<float>(rough_.mostAround()) < fewest) return;
  crowd_.clear(crowd.full());
  for (std::uint32_t r = 0; r < crowd.full(); ++r)
    if (lengthSquared(preferred(r)) >= kWants * kWants)
      crowd_.add({crowd.x[r], crowd.y[r]}, crowd.layer[r], preferred(r),
                 lengthSquared(Vec2{crowd.vx[r], crowd.vy[r]}) < kHeld * kHeld);
  if (!crowd_.finish(kAmong * fewest)) return;  // nobody asks for less
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      if (!steering_.choices()[crowd.profile[r]].give_way || context.isSteeredByProgram(r)) continue;
      const float speed = length(preferred(r));
      if (speed >= kWants && isFull(context, r, preferred(r) / speed))
        crowd.preferred_vx[r] = crowd.preferred_vy[r] = 0;
    }
  });
}

}  // namespace throng::steering
