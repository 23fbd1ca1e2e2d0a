#include "planning/crowding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "planning/flows.h"

namespace throng::planning {
namespace {

using corridors::kNone;

/// People per m and s through an opening. Measured: 1.3 (FDS+Evac) to 1.9 (bottleneck experiments).
constexpr double kCapacity = 1.6;
/// People per m²: where it is fuller, people are counted as a queue.
constexpr double kDensest = 3;
constexpr double kLeastWidth = 0.5;  // m
constexpr std::uint32_t kFew = 5;    // people
/// People per m and s, both ways together, who pass in comfort; and s over which those who come are spread at least.
constexpr double kComfort = 0.5, kSoonest = 30;
/// People per m and s, both ways together, who pass without standing; and how much longer people take where they do.
constexpr double kCarries = 1.0, kJam = 1.5;
/// m/s: who is still on the way there comes at about this speed. Streets are never believed to take longer than so many
/// times their time because of those who will come.
constexpr double kComing = 1.2, kMost = 20;
/// How differently people judge: by this share of what walking in a crowd takes, and of what waiting takes.
constexpr double kWalkingDiffers = 0.3, kWaitingDiffers = 0.15;

/// Rings around a narrow place become wider with the distance, as queues do: the k-th begins at k²/8 m, the last holds
/// everybody farther than 28 m.
double ringOf(double distance) { return std::sqrt(8 * distance); }

}  // namespace

Crowding::Load& Crowding::loadOf(std::uint32_t stretch) {
  if (stretch >= index_.size()) index_.resize(stretch + 1, kNone);
  if (index_[stretch] == kNone) {
    index_[stretch] = static_cast<std::uint32_t>(loads_.size());
    loads_.emplace_back().stretch = stretch;
  }
  return loads_[index_[stretch]];
}

std::uint32_t Crowding::countBefore(DirectedStretch stretch, double distance) {
  const auto ring = static_cast<std::uint32_t>(std::min(ringOf(distance), double{kRings - 1}));
  Load& load = loadOf(stretch >> 1);
  ++load.before[ring], ++load.all_before;
  return (stretch >> 1) * kRings + ring + 1;
}

void Crowding::takeBack(const Stretches& stretches, std::uint32_t counted) {
  const std::uint32_t stretch = (counted - 1) / kRings;
  if (counted == kNotCounted || !isBusy(stretch)) return;
  Load& load = loads_[index_[stretch]];
  std::uint32_t& count = load.before[(counted - 1) % kRings];
  if (count == 0) return;
  --count, --load.all_before;
  estimateChain(stretches, stretches[stretch].chain);
}

void Crowding::clear() {
  for (const Load& load : loads_) index_[load.stretch] = kNone;
  loads_.clear();
}

bool Crowding::isCrowd(std::uint32_t stretch) const {
  if (!isBusy(stretch)) return false;
  const Load& load = loads_[index_[stretch]];
  return load.people > 1 || load.all_before > 1 || load.coming > 1;
}

void Crowding::estimateChain(const Stretches& stretches, std::uint32_t chain) {
  busy_chains_[chain] = 0;
  for (std::uint32_t s = stretches.firstOf(chain); s < stretches.endOf(chain); ++s) busy_chains_[chain] |= isCrowd(s);
}

std::uint32_t Crowding::announce(const Stretches& stretches, DirectedStretch stretch, double distance) {
  const std::uint32_t counted = countBefore(stretch, distance);
  estimateChain(stretches, stretches[stretch >> 1].chain);
  return counted;
}

/// People per s. When m of them come in T seconds on average, and are evenly spread over the way, it is m / 2T.
double Crowding::expected(const Load& load) {
  if (load.coming < 2) return 0;
  return (load.coming - 1) / std::max(kSoonest, 2 * load.metres / (load.coming * kComing));
}

/// How much longer those who are on it take, as far as one can see: two or three who stand are no jam.
double Crowding::delay(const Load& load) {
  if (load.walking <= kFew) return 0;
  // A few who walk on as they like, so that it takes some to make a jam.
  const double share = (load.shares + kFew) / (load.walking + kFew);
  return std::min(kMost, 1 / std::max(share, 1 / (1 + kMost)) - 1);
}

void Crowding::estimate(const Stretches& stretches, std::size_t chains) {
  busy_chains_.assign(chains, 0);
  for (std::uint32_t i = 0; i < loads_.size(); ++i) {
    Load& load = loads_[i];
    if (load.stretch >= index_.size()) index_.resize(load.stretch + 1, kNone);
    index_[load.stretch] = i;
    load.all_before = std::accumulate(load.before.begin(), load.before.end(), 0u);
    const Stretch& stretch = stretches[load.stretch];
    const double density = load.people > 1 && stretch.area > 0 ? (load.people - 1) / stretch.area : 0.0;
    load.slowdown = kFreeSpeed / weidmannSpeed(std::min(density, kDensest)) - 1;
    load.slowdown = std::max(load.slowdown, delay(load));
    const double comes = expected(load) / std::max(stretch.width, kLeastWidth), use = comes / kComfort;
    load.slowdown += std::min(kMost, (use * use) * (use * use));
    load.crowdedness = std::min(1.0, std::max(density / kCrowd, use));
    load.density = std::max(density, comes / kComing);
    busy_chains_[stretch.chain] |= isCrowd(load.stretch);
  }
}

double Crowding::room(const Stretches& stretches, std::uint32_t stretch) const {
  const double carries = kCarries * std::max(stretches[stretch].width, kLeastWidth);
  if (!isBusy(stretch)) return carries;
  const Load& load = loads_[index_[stretch]];
  return delay(load) > kJam ? 0.0 : std::max(0.0, carries - expected(load));
}

double Crowding::ahead(std::uint32_t stretch, double distance) const {
  if (!isBusy(stretch)) return 0;
  const Load& load = loads_[index_[stretch]];
  const double ring = std::min(ringOf(distance), double{kRings});
  double people = 0;
  for (std::size_t k = 0; k < kRings && static_cast<double>(k) < ring; ++k)
    people += load.before[k] * std::min(1.0, ring - static_cast<double>(k));
  return std::max(0.0, people - 1);
}

bool Crowding::isOf(std::size_t stretches) const {
  std::vector<bool> seen(stretches);
  for (const Load& load : loads_) {
    if (load.stretch >= stretches || seen[load.stretch]) return false;
    seen[load.stretch] = true;
  }
  return true;
}

std::size_t Crowding::memory() const {
  return loads_.capacity() * sizeof(Load) + index_.capacity() * sizeof(std::uint32_t) + busy_chains_.capacity();
}

bool WayCosts::isOwn(std::uint32_t stretch) const {
  return std::any_of(walker_.own.begin(), walker_.own.end(), [&](DirectedStretch s) { return s >> 1 == stretch; });
}

/// In [0, 1): always the same of one person for one stretch.
double WayCosts::judgement(std::uint32_t stretch) const {
  base::Random random(walker_.luck, stretch);
  return random.uniform();
}

double WayCosts::walked(std::uint32_t stretch, double metres) const {
  const double crowded = crowding_.crowdedness(stretch);
  if (!(crowded > 0)) return metres;
  return metres * (1 + crowding_.slowdown(stretch)) * (1 + kWalkingDiffers * crowded * judgement(stretch));
}

/// Of who comes to the narrow place of a stretch at a cost: everybody who is nearer to it passes first. Waiting passes
/// while one walks there.
double WayCosts::afterQueue(double cost, std::uint32_t s) const {
  const Stretch& stretch = stretches_[s];
  const double each = walker_.speed / (kCapacity * stretch.width);
  if (crowding_.before(s) * each * (1 + kWaitingDiffers) <= cost) return cost;
  const double people = crowding_.ahead(s, throng::length(stretch.at - walker_.at));
  return std::max(cost, people * each * (1 + kWaitingDiffers * (2 * judgement(s) - 1)));
}

double WayCosts::along(double cost, std::uint32_t chain, double from, double to) const {
  const bool forward = from <= to;
  const double low = forward ? from : to, high = forward ? to : from;
  if (isFree(chain)) return cost + (high - low);
  const std::uint32_t first = stretches_.firstOf(chain), end = stretches_.endOf(chain);
  double left = high - low;
  for (std::uint32_t i = first; i < end; ++i) {
    const std::uint32_t s = forward ? i : end - 1 - (i - first);
    const Stretch& stretch = stretches_[s];
    const double share = std::min(high, stretch.end) - std::max(low, stretch.begin);
    if (share <= 0) continue;
    left -= share;
    const bool own = !walker_.own.empty() && isOwn(s);
    cost += own ? share : walked(s, share);
    if (!own && stretch.narrow >= low && stretch.narrow <= high) cost = afterQueue(cost, s);
  }
  return cost + std::max(0.0, left);  // what rounding has left
}

template <class Walked, class Queued>
double WayCosts::sum(std::span<const DirectedStretch> way, Point goal, const Walked& walked,
                     const Queued& after_queue) const {
  double cost = 0, after = 0;  // after: m on the stretch before, beyond its narrowest place
  std::uint32_t before = kNone;
  for (const DirectedStretch directed : way) {
    if (directed == kNone) continue;  // it is gone
    const std::uint32_t s = directed >> 1;
    const Stretch& stretch = stretches_[s];
    const double first = stretch.narrow - stretch.begin, second = stretch.end - stretch.narrow;
    const bool forward = (directed & 1) == 0;
    if (before != kNone) cost += walked(before, after);
    cost += walked(s, before == kNone ? throng::length(stretch.at - walker_.at) : forward ? first : second);
    cost = after_queue(cost, s);
    after = forward ? second : first, before = s;
  }
  if (before == kNone) return throng::length(goal - walker_.at);
  return cost + walked(before, throng::length(goal - stretches_[before].at));
}

double WayCosts::of(std::span<const DirectedStretch> way, Point goal) const {
  return sum(
      way, goal, [&](std::uint32_t s, double metres) { return walked(s, metres); },
      [&](double cost, std::uint32_t s) { return afterQueue(cost, s); });
}

double WayCosts::length(std::span<const DirectedStretch> way, Point goal) const {
  return sum(
      way, goal, [](std::uint32_t, double metres) { return metres; }, [](double cost, std::uint32_t) { return cost; });
}

}  // namespace throng::planning
