#include "planning/pace.h"

#include <algorithm>
#include <cmath>

namespace throng::planning {
namespace {

using corridors::kNone;

constexpr std::size_t kPiece = 512;       // people per piece of work
constexpr double kCountEvery = 1;         // s
constexpr float kStroll = 0.75f;          // m/s: nobody walks slower than that so as not to come too early
constexpr float kAdapts = 1.5f;           // s in which people take on another pace
constexpr float kLeast = 0.005f;          // of their speed: less is nothing
constexpr float kStands = 0.4f;           // m/s
constexpr float kWants = 0.1f;            // m/s: preferred speeds below this are waiting
constexpr double kNear = 8, kQueue = 16;  // m: nearer than kQueue people queue more and more, nearer than kNear wholly

bool walks(const agents::Crowd& crowd, std::uint32_t r) {
  return crowd.activity[r] == agents::Activity::kWalking && crowd.guide[r] == agents::Guide::kGoals;
}

/// Calls work(stretch, metres to its narrow place) for those of a way that are not too far.
template <class Work>
void forEachAhead(const Stretches& stretches, std::span<const DirectedStretch> way, Point here, const Work& work) {
  double metres = 0, after = 0;
  bool first = true;
  for (const DirectedStretch directed : way) {
    if (directed == kNone) continue;
    const Stretch& stretch = stretches[directed >> 1];
    const double ahead = stretch.end - stretch.narrow, behind = stretch.narrow - stretch.begin;
    const bool forward = (directed & 1) == 0;
    metres += first ? length(stretch.at - here) : after + (forward ? behind : ahead);
    if (metres >= Metering::kFar) return;
    work(directed >> 1, metres);
    after = forward ? ahead : behind, first = false;
  }
}

}  // namespace

Pace::Pace(const Scene& scene, const Congestion& congestion) : congestion_(congestion) {
  for (std::size_t p = 0; p < scene.profiles.size(); ++p) {
    minds_.push_back(scene.profiles[p].harmonise_speed && congestion.minds(static_cast<std::uint16_t>(p)));
    active_ |= minds_.back() != 0;
  }
}

void Pace::attach(step::StepContext& context) {
  slack_ = aim_ = nullptr;
  if (!active_ || !context.terrain.map()) return;
  slack_ = &context.crowd.attach<float>(kSlack);
  aim_ = &context.crowd.attach<float>("pace.aim");
}

void Pace::run(step::StepContext& context) {
  if (!slack_) attach(context);  // a map may have come
  if (!slack_ || !congestion_.knows(context)) return;
  const bool changed = stamp_ != congestion_.stretches().stamp();
  if (changed) metering_.reset(congestion_.stretches().all().size()), stamp_ = congestion_.stretches().stamp();
  if (changed || context.clock.due() >= next_count_) {
    next_count_ = context.clock.time() + kCountEvery;
    count(context);
  }
  agents::Crowd& crowd = context.crowd;
  const float share = std::min(1.0f, static_cast<float>(context.stepLength()) / kAdapts);
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      float& slack = (*slack_)[r];
      const float aim = walks(crowd, r) ? (*aim_)[r] : 0.0f;
      slack += (aim - slack) * share;
      if (slack < kLeast) slack = 0;
      if (slack == 0 || context.isSteeredByProgram(r)) continue;
      crowd.preferred_vx[r] *= 1 - slack, crowd.preferred_vy[r] *= 1 - slack;
    }
  });
}

void Pace::count(step::StepContext& context) {
  const agents::Crowd& crowd = context.crowd;
  const corridors::CorridorMap& map = *context.terrain.map();
  const Stretches& stretches = congestion_.stretches();
  const auto* cells = crowd.find<std::uint32_t>("follow.cell");
  standing_.resize(crowd.size());
  context.threads.forEach(crowd.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      standing_[r] = kNone;
      if (!walks(crowd, r) || lengthSquared(Vec2{crowd.vx[r], crowd.vy[r]}) > kStands * kStands ||
          lengthSquared(Vec2{crowd.preferred_vx[r], crowd.preferred_vy[r]}) < kWants * kWants)
        continue;
      const corridors::Located where =
          map.locate({crowd.x[r], crowd.y[r]}, crowd.layer[r], cells ? (*cells)[r] : kNone);
      if (where) standing_[r] = stretches.of(where.cell);
    }
  });
  metering_.clear();
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (!walks(crowd, r)) continue;
    if (standing_[r] != kNone) metering_.countStanding(standing_[r]);
    forEachAhead(stretches, congestion_.wayOf(r), {crowd.x[r], crowd.y[r]},
                 [&](std::uint32_t s, double metres) { metering_.countComing(s, metres); });
  }
  metering_.estimate(stretches, kCountEvery);
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) (*aim_)[r] = slackOf(context, r);
  });
}

/// With d metres to go and so early by t seconds: d in d / v + t seconds instead of d / v.
float Pace::slackOf(const step::StepContext& context, std::uint32_t r) const {
  const agents::Crowd& crowd = context.crowd;
  if (!minds_[crowd.profile[r]] || !walks(crowd, r)) return 0;
  const double speed = crowd.preferred_speed[r];
  const double most = std::max(0.0, 1 - kStroll / speed);
  double slack = 0;
  forEachAhead(congestion_.stretches(), congestion_.wayOf(r), {crowd.x[r], crowd.y[r]},
               [&](std::uint32_t s, double metres) {
                 if (metres <= kNear) return;
                 const double early = speed * metering_.early(s, metres);
                 const double far = std::min(1.0, (metres - kNear) / (kQueue - kNear));
                 slack = std::max(slack, far * std::min(most, early / (metres + early)));
               });
  return static_cast<float>(slack);
}

void Pace::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  Saved saved{{}, next_count_};
  const corridors::CorridorMap* map = context.terrain.map();
  if (map && map->stamp() == stamp_) saved.shares = metering_.shares();
  saved.fields(writer);
}

void Pace::load(base::ArchiveReader& reader, const step::Loading&) {
  loaded_ = {};
  loaded_.fields(reader);
  for (const float share : loaded_.shares)
    step::Loading::require(share > 0 && share < 10, "a narrow place that carries more than it can");
}

void Pace::accept(step::StepContext& context) {
  next_count_ = loaded_.next_count, stamp_ = 0;
  if (!active_ || !context.terrain.map() || loaded_.shares.size() != congestion_.stretches().all().size()) return;
  metering_.assign(std::move(loaded_.shares));
  stamp_ = congestion_.stretches().stamp();
}

std::size_t Pace::memory() const { return metering_.memory() + standing_.capacity() * sizeof(std::uint32_t); }

}  // namespace throng::planning
