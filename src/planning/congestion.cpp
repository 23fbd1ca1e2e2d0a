#include "planning/congestion.h"

#include <algorithm>
#include <numeric>

#include "base/narrowing.h"
#include "base/random.h"
#include "planning/pace.h"

namespace throng::planning {
namespace {

using corridors::kNone;

constexpr std::string_view kWayStart = "congestion.way_start", kWayCount = "congestion.way_count";
constexpr std::size_t kPiece = 256;        // people per piece of work
constexpr std::size_t kLooksPerPiece = 8;  // searches
constexpr double kCountEvery = 1;          // s
/// Who sets out looks within this time whether everybody else goes the same way, s; later every so often, to twice
/// that.
constexpr double kFirstLook = 2.5, kLookEvery = 5;
constexpr double kKeep = 10;  // s, to twice that: who has turned round does not look again so soon
/// Another way must take less than this share of what the own one takes: at first, and for every time that somebody
/// turns round. Kemloh Wagoum et al. (2012) have 0.74.
constexpr double kBetterAtFirst = 0.9, kBetter = 0.74;
constexpr double kWorthIt = 2;  // s: who gains less does not bother
/// Ways that take no longer than this times their length are not compared with others, nor those for which another
/// would have to be shorter than this share of it: hardly any is.
constexpr double kSlow = 1.15, kShorter = 0.9;
/// People who search in one step, at most: so many, and one in so many. The others do after this time, to twice that,
/// s.
constexpr double kTryAgain = 1;
constexpr std::size_t kSearches = 16, kOneIn = 400;
/// People queue before what is narrower than this, and not longer than that, m.
constexpr double kDoor = 3, kQueue = 20;
constexpr double kPassed = 2;  // m beside an opening: who is so near and beyond it has passed

/// Of one person in one step.
base::Random randomOf(const step::StepContext& context, std::uint32_t row) {
  return {base::mix(context.seed) ^ context.crowd.person[row], context.clock.steps()};
}

double shareFor(std::uint8_t turns) {
  double share = turns == 0 ? kBetterAtFirst : 1;
  for (std::uint8_t i = 0; i < turns; ++i) share *= kBetter;
  return share;
}

}  // namespace

// --- ways ------------------------------------------------------------------------------------------------------------

void Ways::attach(agents::Crowd& crowd) {
  start_ = &crowd.attach<std::uint32_t>(kWayStart);
  count_ = &crowd.attach<std::uint32_t>(kWayCount);
}

void Ways::set(std::uint32_t row, std::span<const DirectedStretch> way) {
  (*start_)[row] = static_cast<std::uint32_t>(stretches_.size());
  (*count_)[row] = static_cast<std::uint32_t>(way.size());
  stretches_.insert(stretches_.end(), way.begin(), way.end());
}

void Ways::tidy() {
  const auto live = std::accumulate(count_->begin(), count_->end(), std::uint64_t{0});
  if (stretches_.size() < 1024 || stretches_.size() <= 2 * live) return;
  spare_.clear();
  for (std::size_t r = 0; r < count_->size(); ++r) {
    const auto begin = stretches_.begin() + (*start_)[r];
    (*start_)[r] = static_cast<std::uint32_t>(spare_.size());
    spare_.insert(spare_.end(), begin, begin + (*count_)[r]);
  }
  stretches_.swap(spare_);
}

std::vector<DirectedStretch> Ways::renumbered(const Stretches& before, const Stretches& after) const {
  const std::vector<std::uint32_t> now = after.sameAs(before);
  std::vector<DirectedStretch> stretches;
  stretches.reserve(stretches_.size());
  for (const DirectedStretch directed : stretches_) {
    const std::uint32_t old = directed >> 1, same = directed == kNone ? kNone : now[old];
    const bool turned = same != kNone && dot(before[old].ahead, after[same].ahead) < 0;  // begins at its other end
    stretches.push_back(same == kNone ? kNone : 2 * same + ((directed & 1) ^ (turned ? 1u : 0u)));
  }
  return stretches;
}

void Ways::requireSound(const agents::Crowd& crowd, const std::vector<DirectedStretch>& stretches) {
  const auto *start = crowd.find<std::uint32_t>(kWayStart), *count = crowd.find<std::uint32_t>(kWayCount);
  step::Loading::require((start != nullptr) == (count != nullptr), "ways without a beginning");
  for (std::size_t r = 0; start && r < crowd.size(); ++r)
    step::Loading::require(std::uint64_t{(*start)[r]} + (*count)[r] <= stretches.size(), "ways that are not there");
}

// --- the system ------------------------------------------------------------------------------------------------------

Congestion::Congestion(const Scene& scene) {
  for (const Profile& profile : scene.profiles) {
    // Most of those who go by what ground costs do not go by who is on it.
    const Planner& planner = plannerOf(profile);
    const bool by_ground = planner.in_regions && !planner.by_crowds && !profile.region_weights.empty();
    minds_.push_back(planner.needs_map && !by_ground && profile.avoid_congestion);
    active_ |= minds_.back() != 0;
    by_strips_.push_back((planner.by_strips || planner.by_crowds) && !profile.region_weights.empty());
  }
  // Over the border of a wrapped layer ways go on, and the map does not know.
  for (const Layer& layer : scene.layers) active_ &= !layer.wrap.has_value();
}

void Congestion::attach(step::StepContext& context) {
  wait_ = nullptr;  // a snapshot may be from before the map
  if (!active_ || !context.terrain.map()) return;
  agents::Crowd& crowd = context.crowd;
  ways_.attach(crowd);
  wait_ = &crowd.attach<float>("congestion.wait");
  turns_ = &crowd.attach<std::uint8_t>("congestion.turns");
  counted_ = &crowd.attach<std::uint32_t>("congestion.counted");
}

void Congestion::setsOut(step::StepContext& context, std::uint32_t row) {
  if (!wait_) return;
  ways_.forget(row);
  (*wait_)[row] = static_cast<float>(kFirstLook * randomOf(context, row).uniform());
  (*turns_)[row] = 0;
}

void Congestion::run(step::StepContext& context) {
  if (!wait_) attach(context);  // a map may have come
  if (!wait_) return;
  followMap(context);
  if (context.clock.due() >= next_count_) {
    next_count_ = context.clock.time() + kCountEvery;
    count(context);
    ways_.tidy();
  }
  look(context);
}

void Congestion::followMap(step::StepContext& context) {
  const corridors::CorridorMap& map = *context.terrain.map();
  if (map.stamp() == stretches_.stamp()) return;
  Stretches now(map);
  ways_.assign(ways_.renumbered(stretches_, now));
  stretches_ = std::move(now);
  next_count_ = changed_ = context.clock.time();
}

void Congestion::count(step::StepContext& context) {
  const agents::Crowd& crowd = context.crowd;
  const corridors::CorridorMap& map = *context.terrain.map();
  on_.resize(crowd.size());
  context.threads.forEach(crowd.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      const corridors::Located where = map.locate({crowd.x[r], crowd.y[r]}, crowd.layer[r]);
      on_[r] = where ? stretches_.of(where.cell) : kNone;
      passNarrowPlaces(context, r);
    }
  });
  crowding_.clear();
  const auto* slack = crowd.find<float>(kSlack);
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (on_[r] != kNone) crowding_.countOn(on_[r]);
    (*counted_)[r] = Crowding::kNotCounted;
    if (crowd.activity[r] != agents::Activity::kWalking || crowd.guide[r] != agents::Guide::kGoals) continue;
    const auto way = ways_.of(r);
    countComing(way, {crowd.x[r], crowd.y[r]});
    const auto next = std::find_if(way.begin(), way.end(), [](DirectedStretch s) { return s != kNone; });
    // Whoever stands before a door waits for it, and is in nobody else's way for long; what that takes is counted
    // there. And who has just set out is not held up.
    if (on_[r] != kNone && (*turns_)[r] > 0 && !isBeforeDoor(way, {crowd.x[r], crowd.y[r]})) {
      const float speed = length(Vec2{crowd.vx[r], crowd.vy[r]});
      const float wanted = crowd.preferred_speed[r] * (slack ? 1 - (*slack)[r] : 1.0f);  // who strolls is not held up
      crowding_.countWalking(on_[r], double{speed} / double{std::max(wanted, 0.1f)});
    }
    if (next != way.end())
      (*counted_)[r] = crowding_.countBefore(*next, length(stretches_[*next >> 1].at - Point{crowd.x[r], crowd.y[r]}));
  }
  crowding_.estimate(stretches_, map.chains().size());
}

bool Congestion::isBeforeDoor(std::span<const DirectedStretch> way, Point here) const {
  for (const DirectedStretch directed : way) {
    if (directed == kNone) continue;
    const Stretch& stretch = stretches_[directed >> 1];
    if (lengthSquared(stretch.at - here) > kQueue * kQueue) return false;
    if (stretch.width < kDoor) return true;
  }
  return false;
}

void Congestion::countComing(std::span<const DirectedStretch> way, Point here) {
  double metres = 0, after = 0;
  bool first = true;
  for (const DirectedStretch directed : way) {
    if (directed == kNone) continue;
    const Stretch& stretch = stretches_[directed >> 1];
    const double ahead = stretch.end - stretch.narrow, behind = stretch.narrow - stretch.begin;
    const bool forward = (directed & 1) == 0;
    metres += first ? length(stretch.at - here) : after + (forward ? behind : ahead);
    // Whoever comes to a door next is in its queue already.
    if (!first || stretch.width >= kDoor) crowding_.countComing(directed >> 1, metres);
    after = forward ? ahead : behind, first = false;
  }
}

void Congestion::passNarrowPlaces(const step::StepContext& context, std::uint32_t r) {
  const agents::Crowd& crowd = context.crowd;
  const auto way = ways_.of(r);
  const auto isPassed = [&](DirectedStretch directed) {
    if (directed == kNone) return false;  // it is gone
    const Stretch& stretch = stretches_[directed >> 1];
    const Point beyond = Point{crowd.x[r], crowd.y[r]} - stretch.at;
    const double reach = stretch.width / 2 + kPassed;
    return (stretch.several_floors || stretch.floor == crowd.layer[r]) && lengthSquared(beyond) < reach * reach &&
           dot(beyond, stretch.ahead) * ((directed & 1) ? -1 : 1) > 0;
  };
  std::uint32_t passed = 0;
  while (passed < way.size() && isPassed(way[passed])) ++passed;
  // Whoever was pushed past a narrow place is at the next.
  if (passed == 0 && way.size() > 1 && isPassed(way[1])) passed = 2;
  if (passed > 0) ways_.pass(r, passed);
}

Walker Congestion::walkerOf(const step::StepContext& context, std::uint32_t r) const {
  const agents::Crowd& crowd = context.crowd;
  return {{crowd.x[r], crowd.y[r]},
          static_cast<double>(crowd.preferred_speed[r]),
          base::mix(context.seed) ^ crowd.person[r]};
}

bool Congestion::hasJustChanged(const step::StepContext& context) const {
  return changed_ > 0 && context.clock.time() < changed_ + 2 * kLookEvery;
}

/// Is the map otherwise than when somebody chose their way through it? They notice one after the other.
bool Congestion::needsNewWay(const step::StepContext& context, std::uint32_t row) const {
  const auto way = ways_.of(row);
  if (std::find(way.begin(), way.end(), kNone) == way.end()) return false;
  base::Random random(base::mix(context.seed) ^ context.crowd.person[row]);
  return context.clock.time() >= changed_ + kFirstLook * random.uniform();
}

/// Everybody's time comes at another moment.
void Congestion::findWhoLooks(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  const bool changed = hasJustChanged(context);
  looks_.clear();
  for (std::uint32_t r = 0; r < crowd.full(); ++r) {
    const bool due = ((*wait_)[r] -= context.stepLength()) <= 0;
    if (!due && !changed) continue;
    const bool walks = crowd.activity[r] == agents::Activity::kWalking && crowd.guide[r] == agents::Guide::kGoals;
    if (!walks || !minds_[crowd.profile[r]]) continue;
    if (changed && needsNewWay(context, r))
      context.requests.routes.push_back(crowd.id[r]);
    else if (due && !ways_.of(r).empty())
      looks_.push_back({.row = r});
  }
}

/// Whoever finds others in the way searches for another, as many as may in one step.
void Congestion::findWhoSearches(const step::StepContext& context) {
  const agents::Crowd& crowd = context.crowd;
  const bool changed = hasJustChanged(context);
  context.threads.forEach(looks_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (Look& look : std::span(looks_).subspan(begin, end - begin)) {
      const std::uint32_t r = look.row;
      const WayCosts costs(stretches_, crowding_, walkerOf(context, r));
      const Point goal{crowd.goal_x[r], crowd.goal_y[r]};
      thread_local std::vector<float> rates;
      const double ground = groundCost(groundOf(context, r, rates), ways_.of(r));
      const double cost = costs.of(ways_.of(r), goal) + ground, length = costs.length(ways_.of(r), goal) + ground;
      look.better = std::min(cost * shareFor((*turns_)[r]), cost - kWorthIt * crowd.preferred_speed[r]);
      look.search = changed || (cost > kSlow * length && look.better > kShorter * length);
    }
  });
  const std::size_t most = kSearches + crowd.size() / kOneIn;
  const auto searches = [](const Look& look) { return look.search; };
  const auto all = static_cast<std::size_t>(std::count_if(looks_.begin(), looks_.end(), searches));
  if (all <= most) return;
  // The others a little later. Whose turn it is begins with anybody, so that nobody always comes last.
  const std::size_t first = base::Random(context.seed, context.clock.steps()).below(all);
  std::size_t number = 0;
  std::erase_if(looks_, [&](const Look& look) {
    if (!look.search || (number++ + all - first) % all < most) return false;
    (*wait_)[look.row] = static_cast<float>(kTryAgain * (1 + randomOf(context, look.row).uniform()));
    return true;
  });
}

void Congestion::look(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  if (region_maps_ != nullptr && std::find(by_strips_.begin(), by_strips_.end(), 1) != by_strips_.end())
    grounds_ = region_maps_->axis(*context.terrain.map(), context.terrain.regions());
  findWhoLooks(context);
  findWhoSearches(context);
  context.threads.forEach(looks_.size(), kLooksPerPiece, [&](std::size_t begin, std::size_t end) {
    thread_local Scratch scratch;
    for (Look& look : std::span(looks_).subspan(begin, end - begin))
      if (look.search) compare(context, look, scratch);
  });
  for (const Look& look : looks_) {
    const std::uint32_t r = look.row;
    std::uint8_t& turns = (*turns_)[r];
    const bool sets_out = turns == 0;
    const double wait = look.turn && !sets_out ? kKeep : kLookEvery;
    (*wait_)[r] = static_cast<float>(wait * (1 + randomOf(context, r).uniform()));
    if (sets_out || (look.turn && turns < 255)) ++turns;
    if (!look.turn) continue;
    ways_.forget(r);  // planning is to choose freely
    context.requests.routes.push_back(crowd.id[r]);
  }
}

void Congestion::compare(const step::StepContext& context, Look& look, Scratch& scratch) const {
  const agents::Crowd& crowd = context.crowd;
  const corridors::CorridorMap& map = *context.terrain.map();
  const std::uint32_t r = look.row;
  const Walker walker = walkerOf(context, r);
  const Point goal{crowd.goal_x[r], crowd.goal_y[r]};
  const corridors::Located start = map.locate(walker.at, crowd.layer[r]), end = map.locate(goal, crowd.goal_layer[r]);
  if (!start || !end) return;
  const WayCosts costs(stretches_, crowding_, walker);
  const AxisClimb ground = groundOf(context, r, scratch.rates);
  // The axis is a little longer than the way that is walked.
  constexpr double kDetour = 1.1;
  if (!findMedialPath(map, map.retract(start, walker.at), map.retract(end, goal), crowd.radius[r], scratch.medial,
                      scratch.path, &costs, look.better * kDetour, ground))
    return;
  thread_local std::vector<DirectedStretch> way;
  listWay(context, scratch.path, way);
  const auto own = ways_.of(r);
  look.turn = !std::equal(way.begin(), way.end(), own.begin(), own.end()) &&
              costs.of(way, goal) + groundCost(ground, way) < look.better;
}

/// What the ground costs somebody besides, where their planner looks at it along the axis.
AxisClimb Congestion::groundOf(const step::StepContext& context, std::uint32_t row, std::vector<float>& rates) const {
  AxisClimb ground;
  if (!grounds_ || !by_strips_[context.crowd.profile[row]]) return ground;
  thread_local ground::RegionWeights room;
  const auto weights = context.weights.of(context.crowd.profile[row], context.crowd.person[row], room);
  if (weights.empty()) return ground;
  ground.grounds = grounds_.get();
  ground.least = grounds_->ratesOf(weights, rates);
  ground.rates = rates;
  return ground;
}

double Congestion::groundCost(const AxisClimb& ground, std::span<const DirectedStretch> way) const {
  if (ground.grounds == nullptr) return 0;
  double more = 0;
  for (const DirectedStretch directed : way) {
    if (directed == kNone) continue;
    const Stretch& stretch = stretches_[directed >> 1];
    more +=
        ground.grounds->cost(stretch.chain, stretch.begin, stretch.end, ground.rates) - (stretch.end - stretch.begin);
  }
  return more;
}

double Congestion::room(const step::StepContext& context, Point from, std::uint16_t from_layer, Point to,
                        std::uint16_t to_layer, double radius) const {
  double room = 1e6;
  if (!knows(context)) return room;
  const corridors::CorridorMap& map = *context.terrain.map();
  const corridors::Located start = map.locate(from, from_layer), end = map.locate(to, to_layer);
  if (!start || !end) return room;
  thread_local Scratch scratch;
  const WayCosts costs(stretches_, crowding_, {from});
  if (!findMedialPath(map, map.retract(start, from), map.retract(end, to), radius, scratch.medial, scratch.path,
                      &costs))
    return room;
  thread_local std::vector<DirectedStretch> way;
  listWay(context, scratch.path, way);
  for (const DirectedStretch directed : way) room = std::min(room, crowding_.room(stretches_, directed >> 1));
  return room;
}

bool Congestion::knows(const step::StepContext& context) const {
  const corridors::CorridorMap* map = context.terrain.map();
  return wait_ != nullptr && map != nullptr && map->stamp() == stretches_.stamp();
}

std::optional<WayCosts> Congestion::costsFor(const step::StepContext& context, std::uint32_t row) const {
  if (!knows(context) || !minds_[context.crowd.profile[row]]) return std::nullopt;
  Walker walker = walkerOf(context, row);
  walker.own = ways_.of(row);
  return WayCosts(stretches_, crowding_, walker);
}

void Congestion::listWay(const step::StepContext& context, const MedialPath& path,
                         std::vector<DirectedStretch>& way) const {
  stretches_.listWay(*context.terrain.map(), path, way);
}

void Congestion::remember(const step::StepContext& context, std::uint32_t r, std::span<const DirectedStretch> way) {
  ways_.set(r, way);
  crowding_.takeBack(stretches_, (*counted_)[r]);
  (*counted_)[r] = Crowding::kNotCounted;
  if (way.empty()) return;
  const Point here{context.crowd.x[r], context.crowd.y[r]};
  (*counted_)[r] = crowding_.announce(stretches_, way[0], length(stretches_[way[0] >> 1].at - here));
}

// --- snapshots -------------------------------------------------------------------------------------------------------

template <class Archive>
void Congestion::Saved::fields(Archive& f) {
  f.list(ways, base::kFields);
  crowding.fields(f);
  f(next_count), f(changed);
}

void Congestion::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  Saved saved{ways_.stretches(), crowding_, next_count_, changed_};
  if (const corridors::CorridorMap* map = context.terrain.map(); wait_ && map && !knows(context)) {
    // The map has changed since the last step: as the next one will find it.
    saved.ways = ways_.renumbered(stretches_, Stretches(*map));
    saved.crowding = Crowding();
    saved.next_count = saved.changed = context.clock.time();
  }
  saved.fields(writer);
}

void Congestion::load(base::ArchiveReader& reader, const step::Loading& loading) {
  loaded_.fields(reader);
  Ways::requireSound(loading.crowd, loaded_.ways);
}

void Congestion::accept(step::StepContext& context) {
  ways_.assign(std::move(loaded_.ways));
  crowding_ = std::move(loaded_.crowding);
  next_count_ = loaded_.next_count, changed_ = loaded_.changed;
  if (!active_ || !context.terrain.map()) return;
  stretches_ = Stretches(*context.terrain.map());
  const auto isThere = [&](DirectedStretch directed) {
    return directed == kNone || directed >> 1 < stretches_.all().size();
  };
  if (!crowding_.isOf(stretches_.all().size()) ||
      !std::all_of(ways_.stretches().begin(), ways_.stretches().end(), isThere)) {
    // Of a program with another idea of stretches: what is not known comes again.
    crowding_ = Crowding();
    auto* count = context.crowd.find<std::uint32_t>(kWayCount);
    if (count) std::fill(count->begin(), count->end(), 0u);
  }
  crowding_.estimate(stretches_, context.terrain.map()->chains().size());
}

std::size_t Congestion::memory() const {
  return stretches_.memory() + crowding_.memory() + ways_.memory() + looks_.capacity() * sizeof(Look) +
         on_.capacity() * sizeof(std::uint32_t);
}

}  // namespace throng::planning
